"""What tells holes apart: letters, the angle of a bolt circle, one callout for fitted holes of a size."""

import itertools
import math
from pathlib import Path

import cadquery as cq

from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.draw import Drawing
from dqgen.schemas.evidence import DimensionEvidence, TextEvidence
from tests.geometry.shapes import part
from tests.renderers.drawing.conftest import drawn


def told(drawing: Drawing) -> tuple[list[DimensionEvidence], list[TextEvidence]]:
    evidence = drawing.evidence.drawing
    assert evidence is not None
    assert evidence.findings == ()
    letters = [text for text in evidence.texts if text.role == "label" and len(text.text) == 1]
    return list(evidence.dimensions), letters


def plate(first: float, second: float) -> cq.Workplane:
    body = cq.Workplane().box(120, 80, 10).faces(">Z").workplane()
    body = body.pushPoints([(-40, 20), (0, 20), (40, 20)]).hole(first)
    return body.faces(">Z").workplane().pushPoints([(-40, -20), (40, -20)]).hole(second)


def test_holes_that_look_alike_have_letters_beside_them() -> None:
    drawing = drawn(part(plate(6, 5.5)), sheet="A3")
    dimensions, letters = told(drawing)
    texts = [one.text for one in dimensions]
    assert "A = 3× ⌀6" in texts
    assert "B = 2× ⌀5.5" in texts
    view = next(one for one in drawing.evidence.views if one.id == "top")
    for text, (x, y) in itertools.chain(
        (("A", at) for at in ((-40, 20), (0, 20), (40, 20))), (("B", at) for at in ((-40, -20), (40, -20)))
    ):
        spot = [sum(k * v for k, v in zip(row, (x, y, 5.0, 1.0), strict=True)) for row in view.model_to_pixel[:2]]
        nearest = min(letters, key=lambda one: math.dist(one.quad[0], spot))
        assert nearest.text == text
        assert math.dist(nearest.quad[0], spot) < 10 * view.pixels_per_mm
    assert len(letters) == 5


def test_holes_that_differ_to_the_eye_have_none() -> None:
    dimensions, letters = told(drawn(part(plate(12, 5)), sheet="A3"))
    assert "3× ⌀12" in [one.text for one in dimensions]
    assert letters == []


def test_a_bolt_circle_off_the_centre_lines_has_its_angle() -> None:
    for start, wanted in ((30, ["30°"]), (0, [])):
        body = cq.Workplane().circle(50).extrude(10).faces(">Z").workplane()
        body = body.hole(20).faces(">Z").workplane().polarArray(35, start, 360, 4).hole(8)
        dimensions, _ = told(drawn(part(body), sheet="A3"))
        assert "4× ⌀8" in [one.text for one in dimensions]
        assert [one.text for one in dimensions if one.kind == "angular"] == wanted


def test_fitted_holes_of_one_size_share_a_callout(tmp_path: Path) -> None:
    path = tmp_path / "plate.stl"  # 3.175 is just where two decimals part
    cq.exporters.export(plate(3.175, 12), str(path), tolerance=0.002, angularTolerance=0.05)
    dimensions, _ = told(drawn(load(path, LoadOptions()), sheet="A3"))
    assert [one.text for one in dimensions if one.kind == "callout" and "⌀3.1" in one.text] == ["3× ⌀3.18"]


def test_diameters_that_return_are_counted_and_rings_are_not_counted_twice() -> None:
    shaft = cq.Workplane("YZ").circle(10).extrude(30).faces(">X").workplane().circle(15).extrude(40)
    shaft = shaft.faces(">X").workplane().circle(10).extrude(30)
    shaft = shaft.edges(cq.selectors.BoxSelector((29, -11, -11), (31, 11, 11), boundingbox=True)).fillet(1.5)
    texts = [one.text for one in told(drawn(part(shaft), sheet="A3"))[0]]
    assert "2× ⌀20" in texts
    assert "R1.5" in texts
