"""Measures retaken on triangles agree with those on exact surfaces."""

from functools import cache

import cadquery as cq
import numpy as np
import pytest

from dqgen.errors import UsageError
from dqgen.generators.patches import patches
from dqgen.generators.remeasure import CannotRemeasureError, remeasure
from dqgen.geometry.edit import Edit, edited
from dqgen.geometry.measure import Measurer, measure
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.schemas.design import Design
from tests.generators.desk import Desk
from tests.geometry.shapes import assembly, rotation

from .texts import FORMULA

PARTS = FORMULA.parent / "parts"
CLOSE = 0.35
"""Height of chords, mm; degrees."""


@cache
def sample(file: str) -> Design:
    return load(FORMULA / "formula.step" if file == "formula" else PARTS / f"{file}.step", LoadOptions())


@pytest.mark.parametrize(
    "expression",
    [
        "distance(axis('Axle'), ground)",
        "diameter('Wheel')",
        "extent('Rail', y) * 2 - extent('Rail', z)",
        "distance(extreme('Knob', up), ground)",
        "clearance('Wheel', 'Base plate', along=z)",
        "clearance('Knob', 'Rail')",
        "angle(axis('Axle'), y, seen=z)",
        "distance(end(axis('Axle'), right), centre('Wheel'), along=x)",
        "max(extent('Post L', z), abs(extent('Rail', y) - extent('Rail', x)))",
        "count('Post ?')",
        "distance(plane('Rail', facing=up), ground)",
        "distance(plane('Post L', facing=right), plane('Post R', facing=left))",
        "angle(plane('Rail', facing=up), axis('Axle'))",
        "angle(plane('Rail', facing=up), x, seen=y)",
        "angle('Axle', plane('Post L', facing=left))",
        "thickness('Base plate')",
        "thickness('Post L', along=y)",
        "diameter('Wheel', inner=True)",
        "radius(axis('Axle'))",
        "distance(centre('Knob'), 'Rail')",
        "distance('Knob', ground)",
        "clearance(centre('Knob'), 'Rail')",
        "distance(meet(axis('Axle'), plane('Post L', facing=left)), centre('Wheel'))",
        "distance(hole('Wheel'), ground)",
        "count(holes('Wheel')) + count(holes('Post L'))",
    ],
)
def test_measures_agree_with_those_on_exact_geometry(bench: Desk, expression: str) -> None:
    design = bench.sources.design()
    assert remeasure(design, expression) == pytest.approx(measure(design, expression).value, abs=0.35)


def test_what_triangles_do_not_tell_is_refused(bench: Desk) -> None:
    with pytest.raises(CannotRemeasureError, match="not known here"):
        remeasure(bench.sources.design(), "clearance(axis('Axle'), axis('Wheel'))")
    with pytest.raises(UsageError, match="may be"):
        remeasure(bench.sources.design(), "distance(plane('Cover'), ground)")


ASKED = (
    "diameter({0})",
    "diameter({0}, inner=True)",
    "thickness({0})",
    "angle(axis({0}), z)",
    "distance(axis({0}), datum(z, -10), along=z)",
    "distance(plane({0}, facing=up, at=up), ground)",
)


@pytest.mark.parametrize("file", ["formula", "bracket", "flange", "shaft"])
def test_what_every_part_has_is_found_again(file: str) -> None:
    """Round and flat faces, walls and axes of all distinct parts, wherever the exact measure is clear about them."""
    design = sample(file)
    measurer = Measurer(design)
    paths = {leaf.solid.key: leaf.path for leaf in placed(design)}
    asked = 0
    for path in paths.values():
        for text in ASKED:
            expression = text.format(f"'{path}'")
            try:
                exact = measurer.measure(expression).value
            except UsageError:
                continue
            asked += 1
            assert remeasure(design, expression) == pytest.approx(exact, abs=CLOSE), expression
    assert asked >= 2 * len(paths)


@pytest.mark.parametrize(("major", "minor", "wall"), [(20, 4, 0), (60, 15, 2), (300, 8, 1)])
def test_the_turning_of_triangles_tells_a_bent_tubes_radius(major: float, minor: float, wall: float) -> None:
    """Of a ring, solid or hollow, and of a quarter of it, there is no cylinder to go by."""
    ring = cq.Solid.makeTorus(major, minor)
    if wall:
        ring = ring.cut(cq.Solid.makeTorus(major, minor - wall))
    bend = ring.intersect(cq.Solid.makeBox(major + minor, major + minor, 2 * minor, cq.Vector(0, 0, -minor)))
    for shape in (ring, bend):
        design = assembly(
            ("Ring", cq.Workplane(shape), rotation((1, 2, 3), 40)), ("Dot", cq.Workplane().box(1, 1, 1), np.eye(4))
        )
        assert measure(design, "radius('Ring')").value == pytest.approx(minor)
        assert remeasure(design, "radius('Ring')") == pytest.approx(minor, rel=0.02)


def test_patches_move_with_their_part() -> None:
    """Turned and enlarged, a cylinder stays one."""
    design = sample("formula")
    before = measure(design, "diameter('Harness bar')").value
    larger = edited(design, Edit("scale", "Harness bar", factor=1.7))
    assert remeasure(larger, "diameter('Harness bar')") == pytest.approx(1.7 * before)
    turned = edited(design, Edit("rotate", "Harness bar", axis=(0.6, 0.0, 0.8), degrees=33.0))
    assert remeasure(turned, "diameter('Harness bar')") == pytest.approx(before)
    expression = "angle(axis('Harness bar'), x)"
    assert remeasure(turned, expression) == pytest.approx(measure(turned, expression).value, abs=1e-4)
    (leaf,) = (leaf for leaf in placed(turned) if leaf.path.endswith("/Harness bar"))
    assert all(np.linalg.norm(one.along) == pytest.approx(1.0) for one in patches(leaf, 0).round)
