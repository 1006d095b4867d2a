"""Lines over shaded faces: sharp edges that can be seen, outlines where surfaces bend out of sight."""

import numpy as np
import pytest

from dqgen.geometry.transforms import placed
from dqgen.renderers.outlines import Lines, joints, lines, placed_joints
from dqgen.renderers.views import VIEWS
from tests.conftest import Loader


def drawn(design: Loader, file: str, view: str) -> tuple[Lines, np.ndarray]:
    """The lines of a single part, and their ends in the camera's frame."""
    (leaf,) = placed(design(file))
    rotation = VIEWS[view].rotation
    found = lines(placed_joints([(joints(leaf.solid)[0], leaf, 0)], np.zeros(3)), rotation, 10.0, 2.0)
    return found, found.ends @ rotation.T


def test_a_box_seen_askew_shows_nine_edges(design: Loader) -> None:
    for view in ("iso", "iso-left", "iso-back", "iso-right"):
        found, ends = drawn(design, "block.step", view)
        assert len(found.leaf) == 9
        assert np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1).sum() == pytest.approx(3 * (30 + 20 + 10), rel=1e-5)


def test_a_ball_shows_its_outline_alone(design: Loader) -> None:
    for view in ("front", "iso", "top"):
        _, ends = drawn(design, "ball.step", view)
        radius = np.linalg.norm(ends[..., :2], axis=2)
        assert radius.min() > 0.97 * 12
        angles = np.degrees(np.arctan2(ends[..., 1], ends[..., 0])).ravel()
        assert np.histogram(angles, bins=24, range=(-180, 180))[0].min() > 0  # all the way round


def test_a_cylinder_from_the_side_shows_two_straight_outlines(design: Loader) -> None:
    _, ends = drawn(design, "disc.step", "front")
    upright = np.abs(ends[:, 0, 0] - ends[:, 1, 0]) < 1e-6
    upright &= np.abs(ends[:, 0, 1] - ends[:, 1, 1]) > 1
    assert set(np.round(ends[upright][:, 0, 0]).tolist()) == {-25, 25}


def test_smooth_joints_and_seams_are_not_drawn_inside(design: Loader) -> None:
    (leaf,) = placed(design("plate.step"))
    found, ends = drawn(design, "plate.step", "top")
    # From above a plate shows its rim and the rims of its holes; corner fillets add no lines across.
    inside = (np.abs(ends[..., 0]) < 29.9).all(axis=1) & (np.abs(ends[..., 1]) < 19.9).all(axis=1)
    middle = ends[inside].mean(axis=1)[:, :2]
    near_hole = np.minimum(
        np.abs(np.linalg.norm(middle - [-15, 0], axis=1) - 5), np.abs(np.linalg.norm(middle - [15, 0], axis=1) - 3)
    )
    corner = np.abs(np.linalg.norm(np.abs(middle) - [25, 15], axis=1) - 5)
    assert (np.minimum(near_hole, corner) < 0.2).all()
    assert len(found.leaf) > 20
    assert leaf.solid.closed


@pytest.mark.parametrize("file", ["block.step", "plate.step", "disc.step", "ball.step", "cone.step", "ring.step"])
def test_closed_solids_face_outwards(design: Loader, file: str) -> None:
    (solid,) = design(file).solids
    assert solid.closed


def test_lines_grow_no_wider_than_asked(design: Loader) -> None:
    for file in ("plate.step", "ring.step"):
        found, _ = drawn(design, file, "iso")
        assert found.fineness.max() <= 1
        assert found.fineness.min() > 0
