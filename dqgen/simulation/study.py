"""The study of a part: which part, its mesh, its loads and supports, as a spec states them."""

from dataclasses import dataclass

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.occurrences import match
from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Floats
from dqgen.schemas.performance import FieldChart, Place
from dqgen.simulation.elastic import Case, Load, Region, Solution, Support, solve
from dqgen.simulation.meshing import AROUND, mesh
from dqgen.simulation.prism import Prism, prism

BED = 10.0
"""mm of the part's own material that a support gives way like."""
LAYERS = 30
"""Elements along a slender part."""
PROFILE = 44
"""Elements along the longer side of a plate."""


@dataclass(frozen=True)
class Part:
    """The part that is studied, and how its own frame (across, up, along) stands in the design's."""

    leaf: Placed
    prism: Prism
    frame: Floats


def find_part(leaves: list[Placed], pattern: str) -> Part:
    """The prismatic part among a design's leaves that a pattern picks.

    Raises:
        UsageError: it picks none or several, or what it picks is no prism.
    """
    rows = sorted(match(leaves, pattern))
    if len(rows) > 1:
        raise UsageError(f"'{pattern}' picks {len(rows)} parts", mend="name one")
    leaf = leaves[rows[0]]
    found = prism(leaf.solid, leaf.world[:3, :3])
    return Part(leaf, found, leaf.world @ found.frame)


def study(part: Part, chart: FieldChart, refine: float = 1.0) -> Solution:
    """The part's answer to the chart's own load, strength and modulus.

    Args:
        part: what is loaded.
        chart: how.
        refine: elements are smaller by this factor, for a check by another mesh.

    Raises:
        UsageError: see `meshing.mesh` and `elastic.solve`.
    """
    size, layer = element_sizes(part.prism, chart)
    points, tetrahedra = mesh(part.prism, size / refine, layer / refine)
    torque = all(load.direction is None for load in chart.loads)
    loads = tuple(
        Load(region(load.place), torque=1000.0 * chart.load * load.part) if load.direction is None
        else Load(region(load.place), _force(load.direction, chart.load * load.part))
        for load in chart.loads
    )  # fmt: skip
    if not torque and any(load.direction is None for load in chart.loads):
        raise UsageError("forces and torques cannot be mixed in one load")
    bed = chart.modulus / BED
    supports = tuple(
        Support(region(held.place), tuple(bed if holds else 0.0 for holds in held.holds))  # type: ignore[arg-type]
        for held in chart.supports
    )
    return solve(points, tetrahedra, Case(chart.modulus, chart.poisson, loads, supports))


def element_sizes(shape: Prism, chart: FieldChart) -> tuple[float, float]:
    """Side of an element in the profile, and its length along, in mm."""
    rings = shape.rings
    if rings is not None:
        _, inner, outer = rings
        size = max(2 * np.pi * outer / AROUND, (outer - inner) / 2)
        layer = shape.length / LAYERS
    else:
        size = float(np.ptp(shape.loops[0], axis=0).max()) / PROFILE
        layer = shape.length / max(1, round(shape.length / size))
    return chart.size or float(size), chart.layer or float(layer)


def region(place: Place) -> Region:
    """A place of a spec as a region of the surface."""
    return Region(place.across, place.up, place.along)


def result(chart: FieldChart, solution: Solution) -> tuple[Floats, str, str]:
    """The field that a chart shows: values (n,) at the corners, their name and unit."""
    if chart.result == "deflection":
        return np.linalg.norm(solution.displacement, axis=1), "Deflection", "mm"
    if chart.result == "shear factor":
        return solution.shear, "Shear stress", "MPa"
    return solution.mises, "Von Mises stress", "MPa"


def limited(chart: FieldChart, highest: float, strength: float | None) -> float:
    """What a rule limits, from the highest value of the field: deflection in mm, share of the strength in %, or
    safety factor."""
    if chart.result == "deflection":
        return highest
    assert strength is not None
    return 100 * highest / strength if chart.result == "stress share" else strength / highest


def _force(direction: tuple[float, float, float], size: float) -> tuple[float, float, float]:
    way = np.array(direction)
    x, y, z = (float(one) for one in way / np.linalg.norm(way) * size)
    return x, y, z
