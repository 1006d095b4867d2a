"""Names of parts as a text says them."""

from pathlib import Path

import pytest

from dqgen.generators.drafting.names import Names, plain, spoken, within
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load

from ..texts import FORMULA


@pytest.fixture(scope="module")
def names() -> Names:
    design = load(Path(FORMULA / "formula.step"), LoadOptions())
    return Names(placed(design), {"TSAL": "Tractive System Active Light"})


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("Main hoop brace L", "main hoop brace"),
        ("Wheel FL", "wheel"),
        ("Battery segment 3", "battery segment"),
        ("Upright unit RL[2]", "upright unit"),
        ("pedal_box_LH", "pedal box"),
        ("FrontWingEndplate_2", "front wing endplate"),
        ("Anti-intrusion plate", "anti intrusion plate"),
        ("L", "l"),
    ],
)
def test_plain(label: str, name: str) -> None:
    assert plain(label) == name


@pytest.mark.parametrize(
    ("label", "names"),
    [
        ("MMP.01.00.002 Cover flange_00", ["cover flange"]),
        ("Washer DIN 125 - A 3.2", ["washer"]),
        ("Hexagon Nut ISO - 4032 - M3 - D - C", ["hexagon nut"]),
        ("Шайба DIN 125_Washer DIN 125", ["шайба", "washer"]),
        ("Main hoop brace L", []),
        ("Battery segment 3", []),
        ("12345-678", []),
    ],
)
def test_names_between_part_numbers(label: str, names: list[str]) -> None:
    assert within(label) == names


def test_spoken_keeps_what_is_written_large() -> None:
    assert spoken("Low-voltage battery 2") == "low-voltage battery"
    assert spoken("TSAL") == "TSAL"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("The Main Hoop Braces must be attached to the Main Hoop.", ["main hoop brace", "main hoop"]),
        ("The Steering Wheel and the wheels", ["steering wheel", "wheel"]),
        ("Width of the Anti Intrusion Plate", ["anti intrusion plate"]),
        ("The Upper Side Impact Member must", ["upper side impact tube"]),
        ("the fronts of the front tires", ["tyre"]),
        ("The TSAL must be", ["tractive system active light"]),
        ("Main Hoop mounting plates must be 2 mm", []),
        ("The Side Impact Structure is", []),  # the car's impact structure is another one
        ("Nothing of the kind", []),
    ],
)
def test_mentions(names: Names, text: str, said: list[str]) -> None:
    assert [mention.named[0].name for mention in names.mentions(text)] == said


def test_patterns_name_what_they_should_and_no_more(names: Names) -> None:
    rows_of = {node.path: node.rows for node in names.nodes}
    for node in names.nodes:
        assert names._picks(names.pattern(node)) == rows_of[node.path]
    for named in names.named.values():
        together = frozenset().union(*(names._picks(pattern) for pattern in names.patterns(named.nodes)))
        assert together == frozenset().union(*(node.rows for node in named.nodes))
