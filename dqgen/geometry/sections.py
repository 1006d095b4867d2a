"""Section cuts: where a plane meets the triangulation of a solid, as closed loops."""

from dataclasses import dataclass

from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Floats


@dataclass(frozen=True)
class SectionLoop:
    """One loop of the cut through one leaf.

    Attributes:
        leaf: row of the leaf in the list that was cut.
        points: (n, 2) view mm, counter-clockwise around material, clockwise around a hole; the first point is not
            repeated.
        area: mm², negative for a hole.
        closed: false where an open or damaged triangulation leaves a gap.
    """

    leaf: int
    points: Floats
    area: float
    closed: bool


def section(leaves: list[Placed], rotation: Floats, depth: float) -> list[SectionLoop]:
    """Cut leaves by the plane rotation[2] · p = depth, looked at against rotation[2].

    Args:
        leaves: what is cut.
        rotation: (3, 3) rows right, up and towards the viewer; the cut lies in the plane of right and up.
        depth: mm along rotation[2] from the design's origin.

    Returns:
        Loops leaf by leaf, outlines before holes.
    """
    raise NotImplementedError


def cut_away(leaves: list[Placed], rotation: Floats, depth: float) -> list[Placed]:
    """The leaves without what lies nearer to the viewer than the plane; for the curves behind a section.

    The solids that the plane meets become open triangulations (`bodies` 0) with clipped faces and edges.
    """
    raise NotImplementedError
