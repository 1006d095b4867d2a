"""The sample rulebook: its structure, its limits against the sample car, its PDF."""

import re
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib
import pytest
import yaml

from samples.formula.rule_measures import MEASURES, Measured
from samples.formula.rulebook import SOURCE, Block, Rule, read, references, rules

FOLDER = SOURCE.parent
PDF = FOLDER / "rulebook.pdf"
LIMITS = yaml.safe_load((FOLDER / "rule_limits.yaml").read_text("utf-8"))
DIMENSIONS, PERFORMANCE = LIMITS["dimensions"], LIMITS["performance"]


@cache
def blocks() -> tuple[Block, ...]:
    return tuple(read(SOURCE.read_text("utf-8")))


@cache
def book() -> dict[str, Rule]:
    return {rule.number: rule for rule in rules(list(blocks()))}


@cache
def car() -> Measured:
    return Measured()


def numbers() -> list[str]:
    return [b.number for b in blocks() if b.kind in ("part", "chapter", "section", "rule")]


def said(limit: dict[str, Any]) -> str:
    """The text of the rule or item that a limit names."""
    number, _, letter = limit["rule"].rpartition(".")
    return book()[number].items[letter] if letter.isalpha() else book()[limit["rule"]].text


def ends(limit: dict[str, Any]) -> tuple[float, float]:
    value = limit["limit"]
    if limit["comparator"] == "range":
        return value[0], value[1]
    return {"minimum": (value, float("inf")), "maximum": (float("-inf"), value)}[limit["comparator"]]


def complies(limit: dict[str, Any], value: float) -> bool:
    low, high = ends(limit)
    return low < value < high if limit.get("open") else low <= value <= high


def squeezed(text: str) -> str:
    return " ".join(text.split())


def test_counts() -> None:
    kinds = [block.kind for block in blocks()]
    assert kinds.count("part") == 6
    assert 340 <= kinds.count("rule") <= 400
    assert kinds.count("table") >= 4
    assert kinds.count("figure") == 2
    assert kinds.count("note") >= 3


def test_readme_counts_right() -> None:
    readme = squeezed((FOLDER.parent / "README.md").read_text("utf-8"))
    assert f"{len(book())} rules in six parts" in readme
    assert f"{len(DIMENSIONS)} limits of these rules" in readme
    assert f"{len(PERFORMANCE)} limits on test results" in readme


def test_numbers_are_unique_and_follow_each_other() -> None:
    seen: dict[str, int] = {}
    parts = []
    for number in numbers():
        head, _, last = number.rpartition(".")
        if not head:
            parts.append(number)
        else:
            assert head in numbers(), f"{number} has no heading"
            assert int(last) == seen.get(head, 0) + 1, f"{number} does not follow {head}.{seen.get(head, 0)}"
            seen[head] = int(last)
    assert len(set(parts)) == 6
    assert len(set(numbers())) == len(numbers())


def test_children_stand_below_their_parents() -> None:
    for before, after in zip(numbers(), numbers()[1:], strict=False):
        parent = after.rpartition(".")[0]
        assert not parent or (before + ".").startswith(parent + "."), f"{after} stands after {before}"


def test_items_are_lettered_in_order() -> None:
    for rule in book().values():
        letters = [block.number for block in rule.blocks if block.kind == "item"]
        assert letters == [chr(ord("a") + n) for n in range(len(letters))], rule.number
        assert len(letters) != 1, rule.number


def test_references_resolve() -> None:
    known = set(numbers()) | {f"{rule.number}.{letter}" for rule in book().values() for letter in rule.items}
    found = [(b.text, name) for b in blocks() if b.kind not in ("title",) for name in references(b.text)]
    assert len(found) >= 50
    assert [pair for pair in found if pair[1] not in known] == []
    everything = "\n".join(block.text for block in blocks())
    captions = set(re.findall(r"^(?:Table|Figure) \d+(?=:)", everything, re.M))
    assert set(re.findall(r"\b(?:Table|Figure) \d+", everything)) == captions
    for form in (r"see [A-Z]\.", r"\d to [A-Z]\.", r", [A-Z][\d.]+ and [A-Z]\.", r"[Ss]ections? [A-Z]\b", r"\([A-Z]\."):
        assert re.search(form, everything), f"no reference of the form {form}"


def test_terms_are_defined_once() -> None:
    texts = [rule.text for number, rule in book().items() if number.startswith("G.2.")]
    terms = [
        term for text in texts for term in re.findall(r'"([^"]+)"(?:, "[^"]+")*(?: and "[^"]+")? (?:mean|are)', text)
    ]
    assert len(terms) >= 30
    assert len(set(terms)) == len(terms)
    rest = "\n".join(rule.text for number, rule in book().items() if not number.startswith("G.2."))
    for term in set(terms) - {"Front"}:
        assert term in rest, f"{term} is defined but not used"


def test_table_rows_have_letters() -> None:
    tables = [block.rows for block in blocks() if block.kind == "table"]
    assert sum(rows[1][0] == "a." for rows in tables) >= 3
    assert book()["F.2.1.1"].items["e"] == "Harness Bar 25.0 mm 1.5 mm 110 mm²"


def test_limits_are_many() -> None:
    assert len({limit["rule"] for limit in DIMENSIONS}) >= 100
    assert len({limit["measure"] for limit in DIMENSIONS}) >= 100
    assert len({limit["rule"] for limit in PERFORMANCE}) >= 40
    assert {limit["comparator"] for limit in DIMENSIONS} == {"minimum", "maximum", "range"}


@pytest.mark.parametrize("limit", DIMENSIONS + PERFORMANCE, ids=lambda limit: f"{limit['rule']} {limit['measure']}")
def test_limit_stands_in_its_rule(limit: dict[str, Any]) -> None:
    assert limit["text"] in said(limit)
    printed = [float(number) for number in re.findall(r"\d+(?:\.\d+)?", limit["text"])]
    wanted = [end for end in ends(limit) if abs(end) != float("inf")]
    assert [end for end in wanted if end not in printed] == []
    sign = {"deg": "°", "degC": "°C", "mm2": "mm²", "m/s2": "m/s²", "N m/deg": "N m/°", "1": ""}
    assert re.search(rf"\d ?{re.escape(sign.get(limit['unit'], limit['unit']))}(?!\w)", limit["text"])


@pytest.mark.parametrize("limit", DIMENSIONS, ids=lambda limit: f"{limit['rule']} {limit['measure']}")
def test_car_complies(limit: dict[str, Any]) -> None:
    value = MEASURES[limit["measure"]](car())
    assert value == pytest.approx(limit["car"], abs=0.0051)
    assert complies(limit, value)
    known = {part for path in car().paths for part in path.split("/")}
    for name in limit["components"]:
        assert any(part == name or part.startswith(f"{name} ") for part in known), name


def test_other_parameters_break_rules() -> None:
    other = Measured(
        wheelbase=1498, tyre_width=210, seat_width=460, front_wing_overhang=660, firewall_thickness=1.2,
        main_hoop_brace_drop=155, accumulator_floor_thickness=2.5, rear_wing_height=1220,
    )  # fmt: skip
    broken = {"V.1.1.1", "S.2.2.2", "V.3.3.2", "A.2.1.1", "V.3.6.2", "F.4.1.3", "E.2.1.2.a", "A.3.1.2"}
    kept = {"V.1.1.2", "V.1.3.1", "F.3.2.1", "S.3.2.1", "E.6.1.1"}
    for limit in DIMENSIONS:
        if limit["rule"] in broken | kept:
            assert complies(limit, MEASURES[limit["measure"]](other)) == (limit["rule"] in kept), limit["rule"]


def test_pdf_rebuilds_to_the_same_bytes(tmp_path: Path) -> None:
    pytest.importorskip("reportlab")
    script = FOLDER / "make_rulebook.py"
    subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, capture_output=True)
    again = tmp_path / "rulebook.pdf"
    assert again.read_bytes() == PDF.read_bytes(), "run samples/formula/make_rulebook.py"
    assert PDF.stat().st_size < 2_000_000


def test_pdf_holds_every_rule_and_its_furniture() -> None:
    pymupdf = pytest.importorskip("pymupdf")
    with pymupdf.open(PDF) as document:
        pages = [page.get_text().splitlines() for page in document]
        fonts = {font[3] for page in document for font in page.get_fonts()}
        assert all("+" in font for font in fonts), f"not embedded: {fonts}"
        embedded = [document.extract_font(font[0])[3] for page in document for font in page.get_fonts()]
        assert all(embedded)
        assert document.metadata["title"] == "Open Formula Rules"
        outline = [entry[1] for entry in document.get_toc()]
    assert 25 <= len(pages) <= 40
    for number, lines in enumerate(pages, start=1):
        assert {"Open Formula Rules", "Edition 1.0", f"Page {number} of {len(pages)}"} <= set(lines)
    parts = [f"{block.number} {block.text}" for block in blocks() if block.kind == "part"]
    furniture = {"Open Formula Rules", "Edition 1.0", *parts}
    kept = [line for lines in pages for line in lines if line.strip() not in furniture and not line.startswith("Page ")]
    text = squeezed(" ".join(kept))
    for rule in book().values():
        first = rule.blocks[0].text
        assert f"{rule.number} {first}" in text
        for block in rule.blocks[1:]:
            for piece in [cell for row in block.rows for cell in row] or [block.text]:
                assert block.kind == "figure" or piece in text, f"{rule.number}: {piece}"
    headings = [f"{b.number} {b.text}" for b in blocks() if b.kind in ("part", "chapter", "section")]
    assert outline == headings


def test_fonts_come_with_matplotlib() -> None:
    assert (Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf").is_file()


def test_our_own_parser_reads_both_files_alike() -> None:
    document = pytest.importorskip("dqgen.rulebook.document")
    from_markdown, from_pdf = (document.parse(path) for path in (SOURCE, PDF))
    assert [rule.id for rule in from_markdown.rules] == numbers()
    assert [rule.id for rule in from_pdf.rules] == numbers()
    for ours, theirs in zip(from_markdown.rules, from_pdf.rules, strict=True):
        assert squeezed(ours.text) == squeezed(theirs.text)
        assert ours.title == theirs.title
        if ours.id in book():
            assert squeezed(ours.text) == squeezed(book()[ours.id].text)
        assert [item.id for item in ours.items] == [item.id for item in theirs.items]
        assert [squeezed(note) for note in ours.notes] == [squeezed(note) for note in theirs.notes]
        assert all(reference.resolved for reference in ours.references)
