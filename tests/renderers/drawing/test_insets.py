"""Sections, details, balloons: what they show of models whose sizes are known."""

import math

import pytest

from dqgen.errors import UsageError
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.display_list import Arc, Hatch, hatch_lines
from dqgen.renderers.drawing.draw import Drawing
from dqgen.samples import sample
from dqgen.schemas.design import Design
from tests.renderers.drawing.conftest import drawn


@pytest.fixture(scope="module")
def car() -> Design:
    return load(sample("formula"), LoadOptions())


def test_a_section_is_hatched_where_material_is(plate: Design) -> None:
    drawing = drawn(plate, sheet="A3", sections=("Y=0",), views=("top", "front"))
    (hatch,) = [item for item in drawing.composition.page.items if isinstance(item, Hatch)]
    scale = drawing.composition.scale
    inked = sum(math.dist(a, b) for a, b in hatch_lines(hatch)) * hatch.spacing / scale**2
    # 120 × 12, less the bore ⌀30 and the blind hole ⌀5, 8 deep, both cut through their axes.
    assert inked == pytest.approx((120 - 30) * 12 - 5 * 8, rel=0.03)
    views = {view.id: view for view in drawing.evidence.views}
    assert views["A–A"].role == "section"
    assert drawing.evidence.drawing is not None
    letters = [text for text in drawing.evidence.drawing.texts if text.text == "A" and text.role == "label"]
    assert len(letters) == 2


@pytest.mark.parametrize("projection", ["third", "first"])
def test_a_section_stands_in_line_with_its_parent(plate: Design, projection: str) -> None:
    drawing = drawn(
        plate, sheet="A2", sections=("X=0", "Z=6"), scale="1:1", views=("front", "top"), projection=projection
    )
    frames = drawing.composition.frames
    front, across, level = frames["front"], frames["A–A"], frames["B–B"]
    assert across[1::2] == pytest.approx(front[1::2])
    assert level[::2] == pytest.approx(front[::2])
    assert (across[0] > front[2]) == (projection == "third")
    assert (level[1] > front[3]) == (projection == "third")


@pytest.mark.parametrize("text", ["Y=500", "W=1", "Y=", "12"])
def test_a_section_that_cannot_be_is_refused(plate: Design, text: str) -> None:
    with pytest.raises(UsageError, match=r"meets nothing|is no section"):
        drawn(plate, sheet="A3", sections=(text,))


def test_a_detail_enlarges_what_lies_in_its_circle(plate: Design) -> None:
    drawing = drawn(plate, sheet="A3", details=("top:50,30,8,5:1",), views=("top", "front"))
    detail = next(one for one in drawing.composition.projections if one.id == "A")
    assert detail.scale == 5.0
    arcs = [item for item in drawing.composition.page.items if isinstance(item, Arc) and item.owner == "view:A"]
    assert max(arc.radius for arc in arcs) == pytest.approx(8 * 5)
    left, bottom, right, top = drawing.composition.frames["A"]
    assert right - left == pytest.approx(80, abs=0.01)
    assert top - bottom == pytest.approx(80, abs=0.01)


@pytest.mark.parametrize("text", ["top:500,0,8", "left:0,0,8", "top:0,0", "top:0,0,-1", "top:a,0,1"])
def test_a_detail_that_cannot_be_is_refused(plate: Design, text: str) -> None:
    with pytest.raises(UsageError, match=r"nothing to be seen|not on the sheet|is no detail"):
        drawn(plate, sheet="A3", details=(text,), views=("top", "front"))


def test_an_assembly_gets_overall_sizes_balloons_and_a_parts_list(car: Design) -> None:
    drawing = drawn(car, sheet="A3", balloons=True)
    evidence = drawing.evidence.drawing
    assert evidence is not None
    assert evidence.findings == ()
    low, high = drawing.evidence.bounding_box_mm
    sizes = sorted(round(b - a, 3) for a, b in zip(low, high, strict=True))
    lengths = sorted(round(one.value, 3) for one in evidence.dimensions if one.kind == "linear")
    assert lengths == pytest.approx(sizes)
    wheels = next(row for row in evidence.parts_list if row.name == "Wheel")
    assert wheels.count == 4
    assert [row.item for row in evidence.parts_list] == list(range(1, len(evidence.parts_list) + 1))
    balloons = {one.text for one in evidence.dimensions if one.expression.startswith("item ")}
    assert balloons == {str(row.item) for row in evidence.parts_list}


def shown(drawing: Drawing) -> list[str]:
    assert drawing.evidence.drawing is not None
    assert drawing.evidence.drawing.findings == ()
    return [one.text for one in drawing.evidence.drawing.dimensions]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("bracket", ["2× ⌀9 ⊔ ⌀15 ↧6", "⌀32", "4× ⌀5 ↧10", "⌀44", "R28", "R8", "2× R12", "62", "90", "70", "108"]),
        ("flange", ["6× ⌀11 ⊔ ⌀18 ↧6.5", "2× ⌀8.5", "⌀6 ↧9", "⌀112", "⌀140", "⌀80", "⌀72", "R6", "51", "21", "48"]),
        (
            "shaft",
            ["⌀24", "3× ⌀30", "⌀42", "⌀22", "⌀28.6", "⌀5", "⌀6.8 ↧22", "2× R4", "2× R1.6", "193", "18", "45", "65"],
        ),
    ],
)
def test_samples_are_told_in_full(name: str, wanted: list[str]) -> None:
    texts = shown(drawn(load(sample(name), LoadOptions())))
    assert {text: texts.count(text) for text in wanted} == dict.fromkeys(wanted, 1)
