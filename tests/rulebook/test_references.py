"""References: single, with items, ranges, lists, by title, by place, and to other documents."""

from pathlib import Path

import pytest

from dqgen.rulebook.references import edges, printed_number
from dqgen.schemas.rulebook import Reference, Rulebook
from tests.rulebook.conftest import read_text

HEAD = """# A.1 FRAME

## A.1.1 Side Impact Structure

**A.1.1.1** It must hold:

a. a seat
b. a box

**A.1.1.2** It must stand.

**A.1.1.3** It must roll.

## A.1.2 Wheels

**A.1.2.1** {}
"""


def _refs(folder: Path, text: str) -> list[Reference]:
    book = read_text(folder, HEAD.format(text))
    return next(rule for rule in book.rules if rule.id == "A.1.2.1").references


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("It must meet A.1.1.1", [["A.1.1.1"]]),
        ("It must meet (A.1.1.1.b) and A.1.1.2.", [["A.1.1.1.b"], ["A.1.1.2"]]),
        ("See A.1.1.1 to A.1.1.3.", [["A.1.1.1", "A.1.1.2", "A.1.1.3"]]),
        ("See A.1.1.1, A.1.1.2 and A.1.1.3", [["A.1.1.1"], ["A.1.1.2"], ["A.1.1.3"]]),
        ("See Side Impact Structure for more", [["A.1.1"]]),
        ("It must meet A.9.9.9", [["A.9.9.9"]]),
        ("It has 1.5 mm and 3.2.1 of it", []),
        ("See Table A-1, Figure A.1 and Tables A-1 and A-2 of it", []),
        ("See Table A-1 and A.1.1.2", [["A.1.1.2"]]),
    ],
)
def test_inside(tmp_path: Path, text: str, ids: list[list[str]]) -> None:
    found = _refs(tmp_path, text)
    assert [ref.ids for ref in found] == ids
    assert [ref.text for ref in found] == [text[ref.start : ref.end] for ref in found]
    assert all(ref.resolved == (ref.ids != ["A.9.9.9"]) for ref in found)


@pytest.mark.parametrize(
    ("text", "document", "said"),
    [
        ("It must meet ISO 7010-W012 in full", "ISO", "ISO 7010-W012"),
        ("Belts of SFI Spec 16.1", "SFI", "SFI Spec 16.1"),
        ("It meets FIA 8857-2001.", "FIA", "FIA 8857-2001"),
    ],
)
def test_outside(tmp_path: Path, text: str, document: str, said: str) -> None:
    ref = _refs(tmp_path, text)[0]
    assert (ref.document, ref.text, ref.resolved, ref.ids) == (document, said, False, [])


def test_plain_numbers_need_a_cue_or_depth(tmp_path: Path) -> None:
    text = "\n\n".join(
        [
            "1 Frame",
            "1.1 It weighs 1.2 kg, see Section 1.3.",
            "1.2 It must meet 1.3.1.",
            "1.3 Wheels",
            "1.3.1 It must roll.",
        ]
    )
    rules = {rule.id: rule for rule in read_text(tmp_path, text, ".txt").rules}
    assert [ref.ids for ref in rules["1.1"].references] == [["1.3"]]
    assert [ref.ids for ref in rules["1.2"].references] == [["1.3.1"]]


def test_graph_and_unresolved(cart: Rulebook) -> None:
    graph = {(edge.source, edge.target): edge.resolved for edge in edges(cart.rules)}
    assert graph["T.1.1.1", "T.1.2.1.b"]
    assert graph["T.1.1.2", "T.2.3"]
    assert not graph["T.1.1.3", "T.9.9"]
    assert [problem.rule for problem in cart.problems if problem.code == "unresolved"] == ["T.1.1.3"]


def test_the_rule_above(tmp_path: Path) -> None:
    text = "\n\n".join(["A1.1 It must roll.", "A1.2 The rule above does not apply to it.", "A1.3 It must stop."])
    rules = read_text(tmp_path, text, ".txt").rules
    assert rules[1].references[0].ids == ["A1.1"]


@pytest.mark.parametrize(
    ("address", "number"),
    [
        ("T.2.8.6.d#1", "T.2.8.6.d"),
        ("T6.6.2#7#1", "T6.6.2"),
        ("R24.B#2.a", "R24.B"),
        ("F.3.2.1.g", "F.3.2.1.g"),
        ("1.1", "1.1"),
    ],
)
def test_numbers_as_printed(address: str, number: str) -> None:
    assert printed_number(address) == number
