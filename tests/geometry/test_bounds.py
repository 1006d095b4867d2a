"""Boxes of what is turned and moved, and the transforms that do it."""

import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st

from dqgen.geometry.bounds import camera_box, corners, design_bounds, placed_bounds, union
from dqgen.geometry.transforms import Placed, apply, is_axis_aligned, placed
from dqgen.loaders.mesh_features import solid
from dqgen.renderers.views import VIEWS
from dqgen.schemas.design import Occurrence
from tests.conftest import Loader

BOX = trimesh.creation.box(bounds=[[-1, -2, -3], [4, 5, 6]])
SOLID = solid("box", np.asarray(BOX.vertices), np.asarray(BOX.faces, dtype=np.int32))
assert SOLID is not None
ANGLES = st.tuples(*[st.floats(-4, 4)] * 3)
SHIFT = st.tuples(*[st.floats(-1e3, 1e3)] * 3)


def leaf(matrix: np.ndarray) -> Placed:
    occurrence = Occurrence("/a", "a", "a", "file", None, matrix, 0)
    assert SOLID is not None
    return Placed(occurrence, (), SOLID, matrix)


def pose(angles: tuple[float, ...], shift: tuple[float, ...]) -> np.ndarray:
    matrix = trimesh.transformations.euler_matrix(*angles)
    matrix[:3, 3] = shift
    return matrix


@given(ANGLES, SHIFT)
def test_box_of_a_turned_box_is_that_of_its_corners(angles: tuple[float, ...], shift: tuple[float, ...]) -> None:
    matrix = pose(angles, shift)
    moved = apply(matrix, np.asarray(BOX.vertices))
    assert placed_bounds(leaf(matrix)) == pytest.approx(np.stack([moved.min(axis=0), moved.max(axis=0)]))


@given(st.permutations(range(3)), st.tuples(*[st.sampled_from([-2.0, -1.0, 1.0, 0.5])] * 3), SHIFT)
def test_quarter_turns_mirrors_and_scales_are_axis_aligned(
    order: list[int], scale: tuple[float, ...], shift: tuple[float, ...]
) -> None:
    matrix = np.eye(4)
    matrix[:3, :3] = np.diag(scale)[order]
    matrix[:3, 3] = shift
    assert is_axis_aligned(matrix)
    moved = apply(matrix, np.asarray(BOX.vertices))
    assert placed_bounds(leaf(matrix)) == pytest.approx(np.stack([moved.min(axis=0), moved.max(axis=0)]))


def test_a_slight_turn_is_not_axis_aligned() -> None:
    assert not is_axis_aligned(pose((1e-6, 0, 0), (0, 0, 0)))
    assert is_axis_aligned(pose((0, 0, np.pi / 2), (5, 0, 0)))


@given(ANGLES, SHIFT, st.sampled_from(sorted(VIEWS)))
def test_camera_box_holds_exactly_what_the_camera_sees(
    angles: tuple[float, ...], shift: tuple[float, ...], name: str
) -> None:
    rotation = VIEWS[name].rotation
    matrix = pose(angles, shift)
    seen = apply(matrix, np.asarray(BOX.vertices)) @ rotation.T
    box = camera_box([leaf(matrix)], rotation)
    assert box == pytest.approx(np.stack([seen.min(axis=0), seen.max(axis=0)]), abs=1e-9)


def test_corners_are_all_eight() -> None:
    points = corners(np.array([[0.0, 0, 0], [1, 2, 3]]))
    assert {tuple(point) for point in points} == {(x, y, z) for x in (0, 1) for y in (0, 2) for z in (0, 3)}


def test_union() -> None:
    one, two = np.array([[0.0, 0, 0], [1, 1, 1]]), np.array([[-1.0, 0.5, 0], [0, 2, 1]])
    assert union([one, two]).tolist() == [[-1, 0, 0], [1, 2, 1]]
    with pytest.raises(ValueError, match="at least one"):
        union([])


def test_design_bounds_hold_every_vertex(design: Loader) -> None:
    rover = design("rover.step")
    points = np.concatenate([apply(leaf.world, leaf.solid.vertices) for leaf in placed(rover)])
    low, high = rover.bounds
    assert (points >= low - 1e-9).all()
    assert (points <= high + 1e-9).all()
    # The box is exact, the triangulation inscribed: they differ by less than a chord's height.
    assert points.min(axis=0) == pytest.approx(low, abs=0.15)
    assert points.max(axis=0) == pytest.approx(high, abs=0.15)
    assert np.abs(design_bounds(rover) - rover.bounds).max() < 0.15
