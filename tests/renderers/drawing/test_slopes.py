"""Slopes, bevels, hollows and broken edges on automatic sheets, on parts whose sizes are known."""

import math

import cadquery as cq

from dqgen.schemas.evidence import DrawingEvidence
from tests.geometry.shapes import part
from tests.renderers.drawing.conftest import drawn


def sheet(body: cq.Workplane) -> DrawingEvidence:
    shown = drawn(part(body)).evidence.drawing
    assert shown is not None
    assert shown.findings == ()
    return shown


def texts(body: cq.Workplane) -> list[str]:
    return [one.text for one in sheet(body).dimensions]


def profile(*points: tuple[float, float], fillet: float = 0.0) -> cq.Workplane:
    body = cq.Workplane("XZ").polyline(points).close().extrude(10)
    return body.edges("|Y").fillet(fillet) if fillet else body


def test_cut_corners_are_one_note() -> None:
    found = texts(cq.Workplane().box(80, 50, 8).edges("|Z").chamfer(5))
    assert found.count("4× 5 × 45°") == 1
    assert sorted(found) == ["4× 5 × 45°", "50", "8", "80"]


def test_a_slope_at_a_round_angle_is_told_by_it_and_one_end() -> None:
    rise = 40 * math.tan(math.radians(30))
    shown = sheet(profile((0, 0), (60, 0), (60, 20), (20, 20 + rise), (0, 20 + rise)))
    (angle,) = (one for one in shown.dimensions if one.kind == "angular")
    assert (angle.text, angle.value) in (("30°", angle.value), ("60°", angle.value))
    assert abs(angle.value - float(angle.text.rstrip("°"))) < 1e-6
    lengths = {one.text for one in shown.dimensions if one.kind == "linear"}
    assert len(lengths & {"20"}) == 1


def test_a_slope_at_another_angle_is_told_by_both_ends() -> None:
    found = texts(profile((0, 0), (60, 0), (60, 20), (17, 37), (0, 37)))
    assert not any("°" in text for text in found)
    assert {"17", "20", "37", "60"} <= set(found)


def test_a_slope_between_roundings_is_told_by_the_corners_that_were_rounded() -> None:
    found = texts(profile((0, 0), (60, 0), (60, 18), (23, 37), (0, 37), fillet=4))
    assert {"18", "23"} <= set(found)


def test_inner_hollows_have_places_and_broken_edges_sizes() -> None:
    body = cq.Workplane("YZ").circle(15).extrude(100)
    bore = cq.Workplane("YZ").circle(5).extrude(100).union(cq.Workplane("YZ", origin=(40, 0, 0)).circle(9).extrude(25))
    body = body.cut(bore).faces("<X").edges("%CIRCLE").edges(cq.selectors.RadiusNthSelector(0)).chamfer(0.5)
    found = texts(body)
    for wanted in ("40", "65", "⌀18", "⌀30", "0.5 × 45°"):
        assert found.count(wanted) == 1, (wanted, found)


def test_the_depth_of_a_wider_bore_counts_from_its_face() -> None:
    body = cq.Workplane("YZ").circle(15).extrude(100)
    body = body.cut(cq.Workplane("YZ").circle(5).extrude(100)).cut(cq.Workplane("YZ").circle(8).extrude(60))
    rim = body.faces("<X").edges("%CIRCLE").edges(cq.selectors.RadiusNthSelector(0)).chamfer(0.5)
    assert any("⌀16 ↧60" in text for text in texts(rim))


def test_a_slot_whose_floor_is_rounded_has_its_depth() -> None:
    body = cq.Workplane().box(80, 40, 20)
    slot = cq.Workplane(origin=(0, 0, 10)).slot2D(30, 10).extrude(-6).faces("<Z").edges().fillet(1)
    assert "14" in texts(body.cut(slot))
