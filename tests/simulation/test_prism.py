"""Which parts are prisms, and how they are meshed."""

import numpy as np
import pytest

from dqgen.errors import UsageError
from dqgen.geometry.occurrences import match
from dqgen.geometry.transforms import placed
from dqgen.schemas.design import Design
from dqgen.simulation.meshing import mesh
from dqgen.simulation.prism import Prism, prism, signed_area
from dqgen.simulation.study import find_part

from ..conftest import ROOT, Loader


@pytest.fixture(scope="module")
def car(design: Loader) -> Design:
    return design(ROOT / "samples" / "formula" / "formula.step")


@pytest.mark.parametrize(
    "label",
    ["Jacking bar", "Half shaft L", "Main hoop brace L", "Rear wing endplate L", "Motor plate", "Anti-intrusion plate"],
)
def test_a_mesh_has_the_parts_volume(car: Design, label: str) -> None:
    leaves = placed(car)
    leaf = leaves[min(match(leaves, label))]
    shape = prism(leaf.solid)
    size = 4.0 if shape.rings else float(np.ptp(shape.loops[0], axis=0).max()) / 25
    points, tetrahedra = mesh(shape, size, max(shape.length / 12, 4.0))
    corners = points[tetrahedra]
    volumes = np.linalg.det(corners[:, 1:] - corners[:, :1]) / 6
    assert volumes.min() > 0
    assert volumes.sum() == pytest.approx(leaf.solid.volume, rel=0.01)


def test_parts_of_other_shapes_are_refused(car: Design) -> None:
    for label in ("Main hoop", "Rocker FL", "Impact attenuator"):
        with pytest.raises(UsageError, match="is no prism"):
            find_part(placed(car), label)


def test_up_is_the_designs_z(car: Design) -> None:
    for label in ("Jacking bar", "Front accumulator cross tube", "Rear wing endplate L"):
        assert find_part(placed(car), label).frame[:3, 1] == pytest.approx([0, 0, 1], abs=1e-9)


def test_holes_stay_open() -> None:
    square = np.array([[0, 0], [30, 0], [30, 20], [0, 20]], dtype=float)
    hole = np.array([[10, 8], [14, 8], [14, 12], [10, 12]], dtype=float)
    points, tetrahedra = mesh(Prism((square, hole), 3, np.eye(4)), 3, 3)
    corners = points[tetrahedra]
    volume = np.linalg.det(corners[:, 1:] - corners[:, :1]).sum() / 6
    assert volume == pytest.approx((signed_area(square) - signed_area(hole)) * 3, rel=1e-9)
