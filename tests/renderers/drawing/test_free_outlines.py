"""Edges of free-form faces, held against the points that they were made through."""

from pathlib import Path
from typing import Any

import pytest

from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing.draw import Drawing
from dqgen.schemas.evidence import DrawingEvidence
from tests.renderers.drawing.conftest import drawn


def _sheet(part: Any, folder: Path) -> tuple[DrawingEvidence, Drawing]:
    import cadquery as cq

    path = folder / "part.step"
    cq.exporters.export(part, str(path))
    drawing = drawn(load(path, LoadOptions()))
    shown = drawing.evidence.drawing
    assert shown is not None
    assert shown.findings == ()
    return shown, drawing


def _contour() -> Any:
    import cadquery as cq

    contour = cq.Workplane().lineTo(80, 0).spline([(90, 20), (70, 40), (85, 60)], includeCurrent=True)
    return contour.lineTo(0, 60).close()


def _x(shown: DrawingEvidence) -> set[float]:
    return {
        round(point[0], 2)
        for one in shown.dimensions
        if one.kind in ("linear", "ordinate") and " x" in one.expression
        for point in one.model_points
    }


def test_an_extruded_spline_has_its_ends_and_turning_points(tmp_path: Path) -> None:
    shown, _ = _sheet(_contour().extrude(6), tmp_path)
    told = _x(shown)
    assert {0.0, 80.0, 85.0} <= told
    import cadquery as cq

    # The curve itself, asked of the kernel: where it reaches farthest to the left between its ends.
    spline = next(edge for edge in _contour().extrude(6).faces(">Z").edges().vals() if edge.geomType() == "BSPLINE")
    assert isinstance(spline, cq.Edge)
    least = min(spline.positionAt(0.2 + 0.8 * k / 20000).x for k in range(20001) if 0.2 + 0.8 * k / 20000 < 0.95)
    assert min(abs(value - least) for value in told) < 0.006


def test_a_loft_has_both_its_ends(tmp_path: Path) -> None:
    import cadquery as cq

    loft = cq.Workplane().rect(60, 40).workplane(offset=50).circle(15).loft()
    shown, _ = _sheet(loft.union(cq.Workplane().rect(80, 60).extrude(-8)), tmp_path)
    texts = [one.text for one in shown.dimensions]
    for wanted in ("⌀30", "60", "40", "80", "58", "8"):
        assert wanted in texts
    assert len(texts) == 7  # 60 is also the plate's width
    assert texts.count("60") == 2


def test_a_vase_has_the_diameters_of_its_rims(tmp_path: Path) -> None:
    import cadquery as cq

    profile = cq.Workplane("XZ").lineTo(25, 0).spline([(35, 30), (15, 70), (22, 100)], includeCurrent=True)
    shown, _ = _sheet(profile.lineTo(0, 100).close().revolve(360, (0, 0, 0), (0, 1, 0)), tmp_path)
    assert {"⌀50", "⌀44", "100"} <= {one.text for one in shown.dimensions}


def test_more_free_curves_than_a_reader_can_take_are_told_of(tmp_path: Path) -> None:
    import math

    import cadquery as cq

    def at(turn: float, radius: float) -> tuple[float, float]:
        return radius * math.cos(turn), radius * math.sin(turn)

    wheel = cq.Workplane().moveTo(*at(0, 30))
    for k in range(24):
        turn, tooth = 2 * math.pi * k / 24, 2 * math.pi / 24
        wheel = wheel.spline([at(turn + 0.2 * tooth, 33), at(turn + 0.3 * tooth, 35)], includeCurrent=True)
        wheel = wheel.lineTo(*at(turn + 0.5 * tooth, 35))
        wheel = wheel.spline([at(turn + 0.6 * tooth, 33), at(turn + 0.7 * tooth, 30)], includeCurrent=True)
        wheel = wheel.lineTo(*at(turn + tooth, 30)) if k < 23 else wheel
    shown, drawing = _sheet(wheel.close().extrude(8), tmp_path)
    assert any("free curves in the view 'top' are not dimensioned" in text for text in drawing.evidence.warnings)
    assert len(shown.dimensions) < 12


@pytest.mark.corpus
def test_the_pocket_of_a_corpus_part_is_told(corpus: Path) -> None:
    drawing = drawn(load(corpus / "step" / "trimesh__featuretype.STEP", LoadOptions()))
    shown = drawing.evidence.drawing
    assert shown is not None
    assert shown.findings == ()
    free = {round(point[0], 1) for one in shown.dimensions if one.view == "top" for point in one.model_points}
    assert {52.0, 52.3} <= free
