"""The catalogue of features: holes as a drawing calls them out, their patterns, axes and planes."""

from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.geometry.features import Catalogue, catalogue
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.samples import sample
from tests.geometry.shapes import assembly, leaves_of, plate, rotation


def callouts(found: Catalogue) -> list[tuple[int, float, bool, str]]:
    found_groups = []
    for pattern in found.patterns:
        hole = found.holes[pattern.holes[0]]
        found_groups.append((len(pattern.holes), round(hole.diameter, 2), hole.through, pattern.form))
    return sorted(found_groups)


@pytest.mark.parametrize("fitted", [False, True])
def test_holes_are_grouped_sized_and_told_through_or_blind(fitted: bool) -> None:
    found = catalogue(leaves_of(plate(), fitted))
    assert callouts(found) == [(1, 4.0, False, "single"), (1, 6.6, True, "single"), (4, 5.0, True, "grid")]
    bored = next(hole for hole in found.holes if hole.counterbore)
    assert bored.counterbore == pytest.approx((11.0, 4.0), rel=1e-3)
    assert bored.depth == pytest.approx(10, rel=1e-3)
    blind = next(hole for hole in found.holes if not hole.through)
    assert blind.depth == pytest.approx(12, rel=1e-3)
    assert blind.position == pytest.approx([30, 0, 0], abs=1e-3)
    assert blind.direction == pytest.approx([-1, 0, 0], abs=1e-6)
    assert all(hole.exact is not fitted for hole in found.holes)


def test_fillets_slots_and_shafts_are_no_holes() -> None:
    slotted = cq.Workplane().box(40, 20, 5).edges("|Z").fillet(4).faces(">Z").workplane().slot2D(20, 6).cutThruAll()
    assert catalogue(leaves_of(slotted)).holes == ()
    assert catalogue(leaves_of(cq.Workplane().circle(5).extrude(20))).holes == ()


def test_a_countersink_is_read_and_a_broken_edge_is_not() -> None:
    sunk = cq.Workplane().box(30, 30, 10).faces(">Z").workplane().cskHole(5, 10, 90)
    (hole,) = catalogue(leaves_of(sunk)).holes
    assert hole.countersink == pytest.approx((10, 90))
    assert hole.diameter == pytest.approx(5)
    broken = cq.Workplane().box(30, 30, 10).faces(">Z").workplane().hole(20).edges("%CIRCLE").chamfer(0.5)
    (hole,) = catalogue(leaves_of(broken)).holes
    assert hole.countersink is None
    assert hole.through
    assert hole.depth == pytest.approx(9.5)


def test_a_drilled_hole_ends_where_its_cylinder_does() -> None:
    tip = cq.Workplane(cq.Solid.makeCone(3, 0, 1.8, pnt=cq.Vector(0, 0, -2), dir=cq.Vector(0, 0, -1)))
    drilled = cq.Workplane().box(20, 20, 20).faces(">Z").workplane().hole(6, 12).cut(tip)
    (hole,) = catalogue(leaves_of(drilled)).holes
    assert not hole.through
    assert hole.depth == pytest.approx(12)


def test_a_bolt_circle_around_a_bore_is_a_circle() -> None:
    ring = cq.Workplane().circle(40).circle(15).extrude(8)
    ring = ring.faces(">Z").workplane().polarArray(30, 0, 360, 4).hole(5)
    found = catalogue(leaves_of(ring))
    pattern = next(pattern for pattern in found.patterns if len(pattern.holes) == 4)
    assert pattern.form == "circle"
    assert pattern.circle_diameter == pytest.approx(60)


@given(st.floats(1, 6), st.integers(1, 4), st.floats(2, 9), st.booleans())
@settings(max_examples=15, deadline=None)
def test_holes_that_were_drilled_are_found(diameter: float, count: int, depth: float, through: bool) -> None:
    block = cq.Workplane().box(80, 20, 10).faces(">Z").workplane()
    places = [(18.0 * k - 27, 0) for k in range(count)]
    block = block.pushPoints(places).hole(diameter, None if through else depth)
    found = catalogue(leaves_of(block)).holes
    assert len(found) == count
    assert all(hole.diameter == pytest.approx(diameter) and hole.through == through for hole in found)
    assert all(hole.depth == pytest.approx(10 if through else depth) for hole in found)


@given(st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda a: np.linalg.norm(a) > 0.1), st.floats(0, 360))
@settings(max_examples=10, deadline=None)
def test_holes_turn_with_their_part(axis: tuple[float, float, float], degrees: float) -> None:
    turn = rotation(axis, degrees)
    still, turned = (
        catalogue(placed(assembly(("Plate", plate(), np.eye(4)), frame=frame))) for frame in (np.eye(4), turn)
    )
    for a, b in zip(still.holes, turned.holes, strict=True):
        assert b.position == pytest.approx(turn[:3, :3] @ a.position, abs=1e-6)
        assert b.direction == pytest.approx(turn[:3, :3] @ a.direction, abs=1e-9)
        assert (b.diameter, b.depth, b.through) == pytest.approx((a.diameter, a.depth, a.through))


def test_planes_face_outward() -> None:
    planes = catalogue(leaves_of(cq.Workplane().box(2, 4, 6))).planes
    assert len(planes) == 6
    for plane in planes:
        assert plane.normal @ plane.origin > 0
    assert sum(plane.area for plane in planes) == pytest.approx(88)


def test_the_sample_flange_has_its_bolt_circle() -> None:
    found = catalogue(placed(load(sample("flange"), LoadOptions())))
    (pattern,) = [pattern for pattern in found.patterns if len(pattern.holes) == 6]
    hole = found.holes[pattern.holes[0]]
    assert (hole.diameter, hole.counterbore, hole.through) == (pytest.approx(11), pytest.approx((18, 6.5)), True)
    assert (pattern.form, pattern.circle_diameter) == ("circle", pytest.approx(112))


@pytest.mark.corpus
def test_holes_of_a_machined_part_and_its_mesh(corpus: Path) -> None:
    for file, unit, exact in (
        ("step/trimesh__featuretype.STEP", None, True),
        ("mesh/trimesh__featuretype.STL", "inch", False),
    ):
        found = catalogue(placed(load(corpus / file, LoadOptions(unit))))
        assert [count for count, *_ in callouts(found)] == [1, 8]
        bored = [hole for hole in found.holes if hole.counterbore]
        assert len(bored) == 8
        assert all(hole.through and hole.exact == exact for hole in bored)
        assert all(hole.counterbore == pytest.approx((11.1125, 7.9375), rel=0.25) for hole in bored)


def test_a_hole_that_others_break_is_one() -> None:
    block = cq.Workplane().box(60, 40, 40)
    small = cq.Workplane(origin=(0, 0, -30)).circle(4).extrude(60)
    large = cq.Workplane("XZ", origin=(0, 30, 0)).circle(7).extrude(60)
    found = catalogue(leaves_of(block.cut(small).cut(large))).holes
    assert sorted((round(hole.diameter, 6), round(hole.depth, 6), hole.through) for hole in found) == [
        (8, 40, True),
        (14, 40, True),
    ]
    blind = cq.Workplane(origin=(0, 0, 20)).circle(4).extrude(-35)
    found = catalogue(leaves_of(block.cut(blind).cut(large))).holes
    assert (8.0, 35.0, False) in {(round(hole.diameter, 6), round(hole.depth, 6), hole.through) for hole in found}


def test_holes_in_line_through_two_lugs_are_two() -> None:
    fork = cq.Workplane().box(60, 40, 40).cut(cq.Workplane().box(30, 60, 60).translate((0, 0, 0)))
    found = catalogue(leaves_of(fork.cut(cq.Workplane("YZ", origin=(-40, 0, 0)).circle(5).extrude(80)))).holes
    assert [hole.depth for hole in found] == pytest.approx([15, 15])
