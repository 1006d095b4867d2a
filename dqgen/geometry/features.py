"""The catalogue of a design's features: axes, holes and their patterns, planes, extents. All in the design's frame."""

from dataclasses import dataclass
from typing import Literal

from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Floats


@dataclass(frozen=True)
class Axis:
    """The axis of a round face, or of several that share it.

    Attributes:
        leaf: row of the leaf in the list that was searched.
        faces: rows of its faces.
        origin: (3,) middle of the faces along the axis.
        direction: (3,) unit; its largest component is positive.
        radius: mm; the largest where radii differ along it (cones).
        length: mm along the axis that the faces cover.
        kind: `cylinder`, `cone` or `torus`.
        inner: a hole: material lies outside.
        sweep: degrees around the axis that the faces cover.
        exact: read from exact geometry, not fitted to a mesh.
    """

    leaf: int
    faces: tuple[int, ...]
    origin: Floats
    direction: Floats
    radius: float
    length: float
    kind: Literal["cylinder", "cone", "torus"]
    inner: bool
    sweep: float
    exact: bool


@dataclass(frozen=True)
class Hole:
    """A round hole: reversed cylinder faces that go nearly all the way around. Fillets do not count.

    Attributes:
        leaf: row of the leaf in the list that was searched.
        faces: rows of all its faces: wall, counterbore, countersink, bottom.
        position: (3,) where the axis enters the material (middle of the opening, of the counterbore if there is one).
        direction: (3,) unit, from the opening into the material.
        diameter: mm, of the hole proper.
        depth: mm from the opening to the end of the cylinder (a drill point's cone not counted).
        through: open at both ends.
        counterbore: diameter and depth in mm, or None.
        countersink: diameter at the opening in mm and full angle in degrees, or None.
        exact: read from exact geometry, not fitted to a mesh.
    """

    leaf: int
    faces: tuple[int, ...]
    position: Floats
    direction: Floats
    diameter: float
    depth: float
    through: bool
    counterbore: tuple[float, float] | None
    countersink: tuple[float, float] | None
    exact: bool


@dataclass(frozen=True)
class HolePattern:
    """Like holes of one leaf: same size, form, direction and opening plane.

    Attributes:
        leaf: row of the leaf.
        holes: rows of `Catalogue.holes`, in order of their angle or place.
        form: `single`, `circle` (evenly spaced bolt circle), `row` (evenly spaced), `grid`, or `scattered`.
        centre: (3,) of the bolt circle; the middle of the others.
        circle_diameter: mm, of the bolt circle; 0 for other forms.
    """

    leaf: int
    holes: tuple[int, ...]
    form: Literal["single", "circle", "row", "grid", "scattered"]
    centre: Floats
    circle_diameter: float


@dataclass(frozen=True)
class Plane:
    """A flat face.

    Attributes:
        leaf: row of the leaf.
        face: row of the face.
        origin: (3,) middle of its box, on the plane.
        normal: (3,) unit, outward from the material.
        area: mm².
        bounds: (2, 3) least and greatest corner in the design's frame.
        exact: read from exact geometry, not fitted to a mesh.
    """

    leaf: int
    face: int
    origin: Floats
    normal: Floats
    area: float
    bounds: Floats
    exact: bool


@dataclass(frozen=True)
class Catalogue:
    """All features of a list of leaves, in the order of the leaves and their faces."""

    axes: tuple[Axis, ...]
    holes: tuple[Hole, ...]
    patterns: tuple[HolePattern, ...]
    planes: tuple[Plane, ...]
    bounds: Floats


def catalogue(leaves: list[Placed]) -> Catalogue:
    """The features of leaves; `leaf` in each counts in this list."""
    raise NotImplementedError
