"""Holes on bolt circles and about the axis of round parts, by diameter and angle."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.display_list import Line
from dqgen.renderers.drawing.draw import Drawing
from tests.renderers.drawing.conftest import drawn


def _sheet(part: Any, folder: Path) -> tuple[Counter[str], Drawing]:
    import cadquery as cq

    path = folder / "part.step"
    cq.exporters.export(part, str(path))
    drawing = drawn(load(path, LoadOptions()))
    shown = drawing.evidence.drawing
    assert shown is not None
    assert shown.findings == ()
    assert drawing.evidence.warnings == ()
    return Counter(one.text for one in shown.dimensions), drawing


def _disc() -> Any:
    import cadquery as cq

    return cq.Workplane().circle(60).extrude(12)


def _drilled(part: Any, radius: float, start: float, count: int, diameter: float) -> Any:
    import cadquery as cq

    return part.cut(cq.Workplane().polarArray(radius, start, 360, count).circle(diameter / 2).extrude(12))


def test_a_round_plate_has_its_diameter_once_and_no_distances_from_its_rim(tmp_path: Path) -> None:
    part = _drilled(_disc().faces(">Z").workplane().hole(30), 47, 0, 4, 9)
    texts, _ = _sheet(part, tmp_path)
    assert texts == Counter(["⌀120", "⌀30", "4× ⌀9", "⌀94", "12"])


def test_pins_on_a_bolt_circle_have_their_angle(tmp_path: Path) -> None:
    part = _drilled(_drilled(_disc(), 47, 15, 5, 9), 47, 40, 2, 6)
    texts, drawing = _sheet(part, tmp_path)
    assert texts == Counter(["⌀120", "5× ⌀9", "2× ⌀6", "⌀94", "15°", "40°", "12"])
    shown = drawing.evidence.drawing
    assert shown is not None
    assert {one.expression for one in shown.dimensions if one.text == "⌀94"} == {"bolt circle of 7 holes"}
    for view, angle in drawing.composition.dimensions:
        if angle.label.kind != "angular":
            continue
        (ray,) = (line for line in angle.witness if isinstance(line, Line) and line.start == angle.centre)
        far = max(((foot[0] - ray.start[0]) ** 2 + (foot[1] - ray.start[1]) ** 2) ** 0.5 for foot in angle.feet[:2])
        length = ((ray.end[0] - ray.start[0]) ** 2 + (ray.end[1] - ray.start[1]) ** 2) ** 0.5
        assert view == "top"
        assert length >= far - 1e-6  # the hole's own line reaches it


@pytest.mark.parametrize(("turn", "told"), [(35.0, "35°"), (120.0, "60°"), (200.0, "20°"), (310.0, "50°")])
def test_a_hole_alone_on_a_round_part_stands_at_an_angle(tmp_path: Path, turn: float, told: str) -> None:
    texts, _ = _sheet(_drilled(_disc(), 40, turn, 1, 8), tmp_path)
    assert texts == Counter(["⌀120", "⌀8", "⌀80", told, "12"])


def test_a_hole_on_a_centre_line_has_its_distance_from_the_axis(tmp_path: Path) -> None:
    texts, _ = _sheet(_drilled(_disc(), 40, 90, 1, 8), tmp_path)
    assert texts == Counter(["⌀120", "⌀8", "40", "12"])


def test_holes_of_a_square_plate_keep_their_distances(tmp_path: Path) -> None:
    import cadquery as cq

    part = cq.Workplane().box(100, 80, 10).faces(">Z").workplane().hole(20)
    part = part.faces(">Z").workplane().pushPoints([(-30, 15), (30, -15)]).hole(6)
    texts, _ = _sheet(part, tmp_path)
    assert texts["60"] == 1
    assert texts["30"] == 1
    assert not any(text.endswith("°") for text in texts)
