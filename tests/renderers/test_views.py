"""The named cameras."""

import numpy as np
import pytest

from dqgen.errors import UsageError
from dqgen.renderers.views import SHEET, VIEWS, view


@pytest.mark.parametrize("name", VIEWS)
def test_axes_are_orthonormal_and_right_handed(name: str) -> None:
    rotation = VIEWS[name].rotation
    assert rotation @ rotation.T == pytest.approx(np.eye(3))
    assert np.linalg.det(rotation) == pytest.approx(1)


@pytest.mark.parametrize(
    ("name", "right", "up", "toward"),
    [
        ("front", "+x", "+z", "-y"),
        ("back", "-x", "+z", "+y"),
        ("left", "-y", "+z", "-x"),
        ("right", "+y", "+z", "+x"),
        ("top", "+x", "+y", "+z"),
        ("bottom", "+x", "-y", "-z"),
    ],
)
def test_the_six_views_look_as_drawings_have_it(name: str, right: str, up: str, toward: str) -> None:
    def axis(text: str) -> np.ndarray:
        return np.eye(3)["xyz".index(text[1])] * (1 if text[0] == "+" else -1)

    assert VIEWS[name].rotation == pytest.approx(np.stack([axis(right), axis(up), axis(toward)]))


@pytest.mark.parametrize(
    ("name", "octant"),
    [("iso", (1, -1, 1)), ("iso-left", (-1, -1, 1)), ("iso-back", (-1, 1, 1)), ("iso-right", (1, 1, 1))],
)
def test_isometric_views_foreshorten_alike_with_z_up(name: str, octant: tuple[int, int, int]) -> None:
    rotation = VIEWS[name].rotation
    assert rotation[2] == pytest.approx(np.array(octant) / np.sqrt(3))
    assert np.linalg.norm(rotation[:2], axis=0) == pytest.approx([np.sqrt(2 / 3)] * 3)
    assert rotation[:2, 2] == pytest.approx([0, np.sqrt(2 / 3)])


def test_names_are_forgiving_but_must_exist() -> None:
    assert view(" Top ").name == "top"
    assert set(SHEET) <= set(VIEWS)
    with pytest.raises(UsageError, match="unknown view 'rear'; use one of front, back"):
        view("rear")
