"""Numbers of many styles are found, and look-alikes are not."""

import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.rulebook.candidates import candidates
from dqgen.rulebook.document import parse
from dqgen.rulebook.lines import Line, clean
from dqgen.rulebook.parser import format_id
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Rulebook
from tests.rulebook.sheets import PROSE, flowing

Entries = list[tuple[str, str]]


def _prose(count: int, quoted: list[str], seed: int) -> str:
    """Words without sense, with numbers of other rules strewn in: some come to stand at a line start."""
    rng = random.Random(seed)
    words = [rng.choice(PROSE) for _ in range(count)]
    for at in range(6, count, 7):
        words[at] = rng.choice(quoted)
    return f"The {' '.join(words)}."


def _tree(tops: list[str], widths: tuple[int, ...], joint: str, quoted: list[str]) -> Entries:
    """Headings and rules under each top; `joint` stands before the first figure below it."""
    entries: Entries = []

    def grow(stem: str, level: int) -> None:
        last = level == len(widths)
        entries.append((stem, _prose(45, quoted, len(entries)) if last else "Heading Words Here"))
        if not last:
            for n in range(1, widths[level] + 1):
                grow(f"{stem}{joint if level == 0 else '.'}{n}", level + 1)

    for top in tops:
        grow(top, 0)
    return entries


DOTTED = _tree([str(n) for n in range(401, 408)], (4, 3), ".", ["403.2", "405.1.1.", "402.9", "7.5 mm"])
GLUED = _tree([f"{part}{n}" for part in "ABT" for n in range(1, 6)], (8,), ".", ["A3.5", "T4.2.", "(B2.1)"])
SPACED = _tree([f"{part} {n}" for part in ("CV", "EV") for n in range(1, 6)], (4, 3), ".", ["EV 3.2", "CV 1.1.1."])
POINTED = [
    entry
    for part in "VF"
    for entry in [
        (part, "- CART WORDS"),
        *_tree([f"{part}.{n}" for n in range(1, 5)], (3, 3), ".", ["F.2.1", "V.3.3.3"]),
    ]
]
FLAT = [
    entry
    for chapter in range(1, 5)
    for entry in [
        (str(chapter), "Chapter Words"),
        (f"{chapter}.1", "Overview Words"),
        *((f"R{chapter}{n:02d}", _prose(40, ["R203", "R101,", "R410."], 100 * chapter + n)) for n in range(1, 13)),
    ]
]


def _ids(book: Rulebook) -> list[str]:
    return [rule.id for rule in book.rules if rule.kind != "part"]


@pytest.mark.parametrize("indent", [0, 55])
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize(
    "entries", [DOTTED, GLUED, SPACED, POINTED, FLAT], ids=["405.2.1", "A6.5", "EV 2.3", "V.1.4", "R203"]
)
def test_styles(tmp_path: Path, entries: Entries, columns: int, indent: int) -> None:
    book = parse(flowing(tmp_path / "a.pdf", entries, columns=columns, indent=indent))
    assert _ids(book) == [number.replace(" ", "") for number, text in entries if not text.startswith("- ")]
    texts = {rule.id: " ".join(f"{rule.title} {rule.text}".split()) for rule in book.rules}
    assert [n for n, text in entries if texts[n.replace(" ", "")] != text.removeprefix("- ")] == []


def test_numbers_in_brackets(tmp_path: Path) -> None:
    entries = [(f"<{number}>" if number.startswith("R") else number, text) for number, text in FLAT]
    assert _ids(parse(flowing(tmp_path / "a.pdf", entries))) == [number for number, _ in FLAT]


@pytest.mark.parametrize("indent", [0, 60])
def test_plain_numbers_take_the_letter_of_their_part(tmp_path: Path, indent: int) -> None:
    entries: Entries = []
    for part in "ABC":
        entries.append((f"PART {part}", "CART WORDS"))
        entries += _tree([str(n) for n in range(1, 6)], (6,), ".", ["5.2", "3.4."])
    book = parse(flowing(tmp_path / "a.pdf", entries, indent=indent))
    assert _ids(book)[:3] == ["A.1", "A.1.1", "A.1.2"]
    assert len(_ids(book)) == len(entries) - 3
    assert [rule.title for rule in book.rules if rule.kind == "part"] == ["CART WORDS"] * 3


def test_articles_are_chapters_of_their_part(tmp_path: Path) -> None:
    entries: Entries = []
    for part in "AB":
        entries.append((f"PART {part}", "- CART WORDS"))
        for n in range(1, 5):
            entries.append((f"ARTICLE {n}:", "HEADING WORDS"))
            entries += [(f"{part}{n}.{m}", _prose(30, ["A3.1", "B2.2."], m)) for m in range(1, 5)]
    book = parse(flowing(tmp_path / "a.pdf", entries))
    chapters = [rule for rule in book.rules if rule.kind == "chapter"]
    assert [rule.id for rule in chapters] == ["A1", "A2", "A3", "A4", "B1", "B2", "B3", "B4"]
    assert {rule.parent for rule in chapters} == {"A", "B"}


def test_sections_of_plain_numbers_hold_flat_rules(tmp_path: Path) -> None:
    book = parse(flowing(tmp_path / "a.pdf", FLAT))
    assert next(rule for rule in book.rules if rule.id == "R203").parent == "2.1"


def test_damaged_numbers_are_repaired_and_reported(tmp_path: Path) -> None:
    repaired = {"A3.4": "A3. 4", "A4.5": "A$.5", "B2.3": "B2,3"}
    entries = [(repaired.get(number, number), text) for number, text in GLUED]
    book = parse(flowing(tmp_path / "a.pdf", entries, indent=55))
    assert _ids(book) == [number for number, _ in GLUED]
    damaged = [problem.rule for problem in book.problems if problem.code == "damaged"]
    assert damaged == ["A3.4", "A4.5", "B2.3"]


def test_repeated_numbers_are_occurrences(tmp_path: Path) -> None:
    entries = list(GLUED)
    at = [number for number, _ in entries].index("B2.3")
    entries.insert(at + 1, ("B2.3", "Another text must stand under this number, too."))
    book = parse(flowing(tmp_path / "a.pdf", entries, indent=55))
    twice = [rule for rule in book.rules if rule.id == "B2.3"]
    assert [rule.occurrence for rule in twice] == [1, 2]
    assert twice[1].text == entries[at + 1][1]
    assert [problem.rule for problem in book.problems if problem.code == "duplicate"] == ["B2.3"]


def test_gaps_are_reported(tmp_path: Path) -> None:
    entries = [entry for entry in GLUED if entry[0] not in ("B2.3", "B2.4", "T3.1")]
    book = parse(flowing(tmp_path / "a.pdf", entries, indent=55))
    gaps = [problem.what for problem in book.problems if problem.code == "gap"]
    assert gaps == ["B2.3 to B2.4 missing before B2.5", "T3.1 missing before T3.2"]


def test_rejected_look_alikes_give_a_reason(tmp_path: Path) -> None:
    book = parse(flowing(tmp_path / "a.pdf", DOTTED))
    assert book.look_alikes
    assert all(other.reason and other.text for other in book.look_alikes)


def test_standards_at_a_line_start_are_no_rules(tmp_path: Path) -> None:
    text = "\n\n".join(
        [*(f"A1.{n} The bolt must comply with\nISO 7040\nISO 7041\nM6 or larger" for n in range(1, 9))],
    )
    path = tmp_path / "a.txt"
    path.write_text(text)
    assert _ids(parse(path)) == [f"A1.{n}" for n in range(1, 9)]


def test_an_amendment_says_so(tmp_path: Path) -> None:
    text = "\n\n".join(
        f"{n}\nThis was unclear and is now clear." for n in ["T4.5.5", "T3.5.1", "EV2.1.1", "T1.1.9", "A6.2.2"]
    )
    path = tmp_path / "a.md"
    path.write_text(text)
    book = parse(path)
    assert _ids(book) == ["T4.5.5", "T3.5.1", "EV2.1.1", "T1.1.9", "A6.2.2"]
    assert book.problems[0].code == "amendment"


PREFIX = st.sampled_from(["", "A", "EV", "VE", "AF"])
NUMBERS = st.lists(st.integers(1, 99), min_size=2, max_size=4)


@given(PREFIX, NUMBERS, st.sampled_from(["", ".", " "]), st.sampled_from(["", "."]))
def test_normal_form_is_stable(prefix: str, numbers: list[int], joint: str, separator: str) -> None:
    """Normalising a normal form changes nothing, and letters and figures survive."""
    printed = f"{prefix}{joint if prefix else ''}{'.'.join(map(str, numbers))}"
    first = candidates([Line(f"{printed} The words", 1, (0, 0, 1, 1))])[0]
    once = format_id(first, separator)
    again = format_id(candidates([Line(f"{once} The words", 1, (0, 0, 1, 1))])[0], separator)
    assert once == again
    assert split_id(once) == (prefix, tuple(numbers))


@given(st.text())
def test_cleaning_is_idempotent(text: str) -> None:
    assert clean(clean(text)) == clean(text)
