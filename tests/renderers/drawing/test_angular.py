"""Angles between leaning rods: small ones, wide ones, and such whose apex lies far from all that is drawn."""

import math
from pathlib import Path

import numpy as np
import pytest

from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.display_list import Arc
from dqgen.renderers.drawing.numbers import read
from dqgen.schemas.design import Design
from tests.renderers.drawing.conftest import drawn

LEANS = (0.8, 1.5, 12.0, 40.0, 75.0)
"""Degrees from upright, in the front view."""


def _rod(lean: float, at: float, out_of_plane: float) -> object:
    import cadquery as cq

    rod = cq.Workplane().circle(4).extrude(200).rotate((0, 0, 0), (0, 1, 0), lean)
    return rod.rotate((0, 0, 0), (1, 0, 0), out_of_plane).translate((at, 0, 0))


@pytest.fixture(scope="module")
def rods(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """Rods that lean to either side, and out of the front view's plane by 20°."""
    import cadquery as cq

    whole = cq.Assembly(name="rods")
    for row, lean in enumerate(LEANS):
        whole.add(_rod(lean, 150.0 * row, 20.0), name=f"right {row}")
        whole.add(_rod(-lean, -80.0 + 150.0 * row, 0.0), name=f"left {row}")
    path: Path = tmp_path_factory.mktemp("rods") / "rods.step"
    whole.export(str(path))
    return load(path, LoadOptions())


@pytest.mark.parametrize("row", range(len(LEANS)))
@pytest.mark.parametrize("other", ["z", "x", "axis('left {row}')"])
def test_angles_as_a_view_shows_them_are_drawn_where_they_are(rods: Design, row: int, other: str) -> None:
    expression = f"angle(axis('right {row}'), {other.format(row=row)}, seen=y)"
    drawing = drawn(rods, dimensions=(expression,), from_view="front", size=1400)
    shown = drawing.evidence.drawing
    assert shown is not None
    (one,) = shown.dimensions
    assert shown.findings == ()
    # Turned about x by 20°, the upright part of a rod is foreshortened.
    right = math.degrees(math.atan(math.tan(math.radians(LEANS[row])) / math.cos(math.radians(20.0))))
    wanted = {"z": right, "x": 90 - right}.get(other, right + LEANS[row])
    assert read(one.printed) == pytest.approx(min(wanted, 180 - wanted), abs=0.05)
    width, height = drawing.evidence.width, drawing.evidence.height
    for x, y in one.tips:
        assert 0 < x < width
        assert 0 < y < height


def test_a_text_beside_an_arc_stands_at_its_end(rods: Design) -> None:
    for row in range(len(LEANS)):
        drawing = drawn(rods, dimensions=(f"angle(axis('right {row}'), z, seen=y)",), from_view="front", size=1400)
        ((_, angle),) = drawing.composition.dimensions
        (arc,) = (line for line in angle.lines if isinstance(line, Arc))
        (text,) = angle.texts
        quad = np.array(text.quad())
        middle = quad.mean(axis=0) - np.array(arc.centre)
        bearing = math.degrees(math.atan2(middle[1], middle[0]))
        within = (bearing - arc.first) % 360 < (arc.last - arc.first) % 360
        ends = [
            np.array(arc.centre) + arc.radius * np.array([math.cos(math.radians(a)), math.sin(math.radians(a))])
            for a in (arc.first, arc.last)
        ]
        low, high = quad.min(axis=0), quad.max(axis=0)
        gaps = [float(np.linalg.norm(np.clip(end, low, high) - end)) for end in ends]
        assert within or min(gaps) < 2.0, (row, gaps)
