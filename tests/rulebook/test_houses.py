"""Documents of many styles, made from a seed, are read as their keys say."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from dqgen.rulebook.document import parse
from dqgen.schemas.rulebook import Rule
from tests.rulebook.houses import HOUSES, TWO_PARTS, Entry, House, dotted, entries, pdf, text_file


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _differences(rules: Sequence[Rule], document: Sequence[Entry]) -> list[tuple[str, object, object]]:
    """What was read and what the key says, where they differ."""
    found: list[tuple[str, object, object]] = []
    by_id = {rule.id: rule for rule in rules}
    for entry in document:
        rule = by_id[entry.id]
        words = _squeezed(rule.text)
        labels = [label.strip("().") for label, _ in entry.items]
        items = [f"{entry.id}#{n}" if label == "•" else f"{entry.id}.{label}" for n, label in enumerate(labels, 1)]
        table = [rule.tables[0].header, *rule.tables[0].rows] if rule.tables else []
        limits = [(q.comparator, q.value, q.unit) for q in rule.quantities if q.role == "limit"]
        pairs = [
            (words, entry.words),
            ([item.id for item in rule.items], items),
            (table, entry.table),
            (sorted(map(str, limits)), sorted(str((c, _floats(v), u)) for c, v, u in entry.limits)),
        ]
        if entry.title:
            pairs.append((rule.title, entry.title))
        found += [(entry.id, read, key) for read, key in pairs if read != key]
    return found


def _floats(value: float | list[float]) -> float | list[float]:
    return [float(v) for v in value] if isinstance(value, list) else float(value)


def _ids(rules: Sequence[Rule]) -> list[str]:
    return [rule.id for rule in rules if rule.kind != "part"]


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("seed", [1, 2])
def test_a_house_is_read_as_its_key_says(tmp_path: Path, name: str, seed: int) -> None:
    document = entries(seed, HOUSES[name])
    rules = parse(pdf(tmp_path / "rules.pdf", HOUSES[name], document)).rules
    assert _ids(rules) == [entry.id for entry in document]
    assert _differences(rules, document) == []


@pytest.mark.parametrize("seed", [3, 4])
def test_plain_text_is_read_as_its_key_says(tmp_path: Path, seed: int) -> None:
    document = entries(seed, HOUSES["hanging"])
    rules = parse(text_file(tmp_path / "rules.txt", document)).rules
    assert _ids(rules) == [entry.id for entry in document]
    assert _differences(rules, document) == []


def test_an_appendix_has_a_numbering_of_its_own(tmp_path: Path) -> None:
    document = entries(5, TWO_PARTS) + entries(6, House(dotted("A.")), (2, 3, 3))
    rules = parse(pdf(tmp_path / "rules.pdf", TWO_PARTS, document)).rules
    assert _ids(rules) == [entry.id for entry in document]
    assert _differences(rules, document) == []


def test_numbers_with_gaps_and_letters(tmp_path: Path) -> None:
    printed = ["CS 23.301", "CS 23.303", "CS 23.303A", "CS 23.305", *(f"CS 23.{n}" for n in range(321, 345, 2))]
    document = [
        Entry(number.replace(" ", ""), number, 3, "", [f"Part {n} shall be at least {n + 2} mm wide."])
        for n, number in enumerate(printed)
    ]
    document[6].paragraphs[0] += " CS 23.303A does not apply."
    book = parse(pdf(tmp_path / "rules.pdf", TWO_PARTS, document))
    assert _ids(book.rules) == [entry.id for entry in document]
    assert [ref.ids for ref in book.rules[6].references] == [["CS23.303A"]]
    assert "amendment" not in [problem.code for problem in book.problems]


def test_footnotes_are_notes(tmp_path: Path) -> None:
    house = HOUSES["standard"]
    rules = parse(pdf(tmp_path / "rules.pdf", house, entries(1, house))).rules
    notes = [note for rule in rules for note in rule.notes]
    assert notes
    assert all(note.startswith("1 Kept by office") for note in notes)


def test_a_heading_without_a_number_belongs_to_no_rule(tmp_path: Path) -> None:
    text = "<b>General Dimensions</b>"
    document = entries(7, TWO_PARTS)
    rules = [n for n, entry in enumerate(document) if n and entry.depth == 3 and not entry.table]
    heading = Entry("", "", 1, text)
    with_heading = [*document[: rules[4]], heading, *document[rules[4] :]]
    book = parse(pdf(tmp_path / "rules.pdf", TWO_PARTS, with_heading))
    assert _differences(book.rules, document) == []
