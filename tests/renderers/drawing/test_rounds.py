"""Radii of spheres and of fitted roundings on the sheets of parts whose sizes are known."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from dqgen.loaders.load import LoadOptions, load
from tests.renderers.drawing.conftest import drawn


def _texts(part: Any, folder: Path, suffix: str = "step") -> Counter[str]:
    import cadquery as cq

    path = folder / f"part.{suffix}"
    cq.exporters.export(part, str(path), tolerance=0.01, angularTolerance=0.2)
    drawing = drawn(load(path, LoadOptions(unit="mm" if suffix == "stl" else None)))
    shown = drawing.evidence.drawing
    assert shown is not None
    assert shown.findings == ()
    return Counter(one.text for one in shown.dimensions)


def test_a_ball_knob_has_its_spherical_radius_and_no_distances_to_its_middle(tmp_path: Path) -> None:
    import cadquery as cq

    knob = cq.Workplane().sphere(20).union(cq.Workplane().circle(8).extrude(-35))
    texts = _texts(knob.faces("<Z").workplane().hole(6, 15), tmp_path)
    assert texts == Counter(["SR20", "⌀16", "⌀6 ↧15", "55"])


def test_the_corners_of_fillets_are_no_balls(tmp_path: Path) -> None:
    import cadquery as cq

    texts = _texts(cq.Workplane().box(60, 40, 20).edges().fillet(4), tmp_path)
    assert not any("SR" in text for text in texts)
    assert any(text.endswith("R4") for text in texts)


@pytest.mark.parametrize("radius", [3.125, 5.005])
def test_fitted_radii_that_print_on_either_side_are_one(tmp_path: Path, radius: float) -> None:
    import cadquery as cq

    plate = cq.Workplane().box(80, 50, 6).edges("|Z").fillet(radius)
    pockets = cq.Workplane().rect(30, 20).extrude(20, both=True).edges("|Z").fillet(radius)
    radii = [text for text in _texts(plate.cut(pockets), tmp_path, "stl") if "R" in text]
    assert len(radii) == 1
    assert radii[0].startswith("8× R")


def test_countersinks_of_a_coarse_mesh_are_told(tmp_path: Path) -> None:
    import cadquery as cq

    plate = cq.Workplane().box(80, 50, 10).faces(">Z").workplane()
    plate = plate.rect(60, 30, forConstruction=True).vertices().cskHole(6, 12, 90)
    texts = _texts(plate, tmp_path, "stl")
    assert texts["4× ⌀6 ∨ ⌀12 × 90°"] == 1, texts


def test_the_edges_of_a_hexagon_are_counted_all_around(tmp_path: Path) -> None:
    import cadquery as cq

    block = cq.Workplane().box(80, 80, 20, centered=(True, True, False))
    boss = block.faces(">Z").workplane().polygon(6, 40).extrude(25).faces(">Z").chamfer(3)
    assert _texts(boss, tmp_path)["6× 3 × 45°"] == 1
    foot = boss.edges(cq.selectors.BoxSelector((-30, -30, 19), (30, 30, 21))).fillet(2)
    assert _texts(foot, tmp_path)["6× R2"] == 1


def test_a_broken_edge_that_flats_interrupt_is_one(tmp_path: Path) -> None:
    import cadquery as cq

    shaft = cq.Workplane("YZ").circle(11).extrude(60).faces("<X or >X").chamfer(1.5)
    flats = cq.Workplane("YZ", origin=(45, 0, 0)).rect(30, 18).rect(30, 40).extrude(20)
    assert _texts(shaft.cut(flats), tmp_path)["2× 1.5 × 45°"] == 1


def test_the_floor_of_a_hole_that_a_pocket_cuts_is_told_by_its_depth(tmp_path: Path) -> None:
    import cadquery as cq

    block = cq.Workplane().box(60, 40, 20, centered=(False, False, False))
    block = block.cut(cq.Workplane(origin=(8, 8, 10)).rect(44, 24, centered=False).extrude(10))
    block = block.cut(cq.Workplane("YZ", origin=(0, 20, 10)).circle(3).extrude(15))
    texts = _texts(block, tmp_path)
    assert texts["⌀6 ↧15"] == 1
    assert "15" not in texts
