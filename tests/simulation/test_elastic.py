"""Simulated parts against the formulas of beams and shafts."""

import numpy as np
import pytest

from dqgen.errors import UsageError
from dqgen.simulation.elastic import Case, Load, Region, Solution, Support, solve
from dqgen.simulation.meshing import mesh
from dqgen.simulation.prism import Prism

MODULUS, STIFF = 200e3, (1e6, 1e6, 1e6)
FOOT, TIP = Region(along=(0, 0)), Region(along=(1, 1))


def circle(radius: float, count: int = 48) -> np.ndarray:
    angle = 2 * np.pi * np.arange(count) / count
    return radius * np.column_stack([np.cos(angle), np.sin(angle)])


def rectangle(width: float, height: float) -> np.ndarray:
    return np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2


def bent(shape: Prism, size: float, layer: float, force: float) -> Solution:
    case = Case(MODULUS, 0.3, (Load(TIP, (0, -force, 0)),), (Support(FOOT, STIFF),))
    return solve(*mesh(shape, size, layer), case)


@pytest.mark.parametrize(
    ("shape", "inertia", "size", "layer"),
    [
        (Prism((rectangle(10, 20),), 200, np.eye(4)), 10 * 20**3 / 12, 6, 12),
        (Prism((circle(12.5), circle(10.5)), 240, np.eye(4)), np.pi * (25**4 - 21**4) / 64, 4, 16),
    ],
    ids=["bar", "tube"],
)
def test_a_cantilever_bends_as_the_beam_formula_says(shape: Prism, inertia: float, size: float, layer: float) -> None:
    force, length = 100.0, shape.length
    found = bent(shape, size, layer, force)
    tip = found.displacement[np.isclose(found.points[:, 2], length), 1].mean()
    # Shear adds a little to F l³ / 3 E I in so short a beam.
    assert -tip == pytest.approx(force * length**3 / (3 * MODULUS * inertia), rel=0.03)
    for share in (0.25, 0.5):
        level = found.points[np.argmin(np.abs(found.points[:, 2] - share * length)), 2]
        section = np.isclose(found.points[:, 2], level)
        edge = np.abs(found.points[section, 1]).max()
        stress = force * (length - level) * edge / inertia
        assert found.mises[section].max() == pytest.approx(stress, rel=0.04)


def test_loads_and_reactions_balance_and_so_do_work_and_energy() -> None:
    found = bent(Prism((rectangle(10, 20),), 100, np.eye(4)), 8, 15, 250)
    assert found.applied == pytest.approx([0, -250, 0], abs=1e-6)
    assert found.reaction == pytest.approx([0, 250, 0], abs=1e-5)
    assert found.work == pytest.approx(found.energy, rel=1e-8)


def test_a_shaft_twists_as_the_formula_says() -> None:
    torque, diameter, length = 400e3, 24.0, 160.0
    shape = Prism((circle(diameter / 2),), length, np.eye(4))
    case = Case(MODULUS, 0.3, (Load(TIP, torque=torque),), (Support(FOOT, STIFF),))
    found = solve(*mesh(shape, 6, 16), case)
    assert found.shear.max() == pytest.approx(16 * torque / (np.pi * diameter**3), rel=0.04)
    rim = np.isclose(found.points[:, 2], length) & (np.hypot(*found.points[:, :2].T) > 11)
    angle = np.linalg.norm(found.displacement[rim, :2], axis=1) / np.hypot(*found.points[rim, :2].T)
    shear_modulus = MODULUS / 2.6
    assert angle.mean() == pytest.approx(torque * length / (shear_modulus * np.pi * diameter**4 / 32), rel=0.04)


def test_stress_at_a_hole_is_about_three_times_that_of_the_plate() -> None:
    width, hole, thick, force = 40.0, 10.0, 4.0, 6000.0
    plate = Prism((rectangle(80, width), circle(hole / 2)), thick, np.eye(4))
    ends = Region(across=(1, 1)), Region(across=(0, 0))
    case = Case(MODULUS, 0.3, (Load(ends[0], (force, 0, 0)),), (Support(ends[1], (1e6, 1e3, 1e3)),))
    found = solve(*mesh(plate, 2.2, 4.0), case)
    gross = force / (width * thick)
    at_hole = np.hypot(*found.points[:, :2].T) < hole
    # Peterson: 3.24 times the gross stress for a width of four diameters.
    assert found.mises[at_hole].max() / gross == pytest.approx(3.24, rel=0.12)


def test_what_is_not_held_or_not_there_is_refused() -> None:
    points, tetrahedra = mesh(Prism((rectangle(10, 10),), 40, np.eye(4)), 6, 10)
    with pytest.raises(UsageError, match="no part of the surface"):
        solve(
            points,
            tetrahedra,
            Case(MODULUS, 0.3, (Load(Region(up=(0.4, 0.4), along=(0.3, 0.3), across=(0.5, 0.5)), (1, 0, 0)),), ()),
        )
