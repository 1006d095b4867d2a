"""The catalogue of a design's features: axes, holes and their patterns, planes, extents. All in the design's frame."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from dqgen.geometry.bounds import corners, placed_bounds, union
from dqgen.geometry.holes import OwnHole, holes
from dqgen.geometry.patterns import Form, arrange
from dqgen.geometry.round_faces import bands, turned_up
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Surface


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
    form: Form
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
    axes: list[Axis] = []
    found: list[Hole] = []
    planes: list[Plane] = []
    patterns: list[HolePattern] = []
    for row, leaf in enumerate(leaves):
        axes += _axes(leaf, row)
        first = len(found)
        found += [_hole(leaf, row, hole) for hole in holes(leaf.solid)]
        patterns += _patterns(found, list(range(first, len(found))), axes, row)
        planes += _planes(leaf, row)
    return Catalogue(
        tuple(axes), tuple(found), tuple(patterns), tuple(planes), union([placed_bounds(leaf) for leaf in leaves])
    )


def extents(leaves: list[Placed]) -> Catalogue:
    """A catalogue of the leaves' extents alone."""
    return Catalogue((), (), (), (), union([placed_bounds(leaf) for leaf in leaves]))


def _turned(leaf: Placed, direction: Floats) -> Floats:
    moved = leaf.world[:3, :3] @ direction
    result: Floats = moved / np.linalg.norm(moved) + 0.0  # no -0
    return result


def _moved(leaf: Placed, point: Floats) -> Floats:
    result: Floats = leaf.world[:3, :3] @ point + leaf.world[:3, 3] + 0.0
    return result


_KINDS: dict[Surface, Literal["cylinder", "cone", "torus"]] = {
    Surface.CYLINDER: "cylinder",
    Surface.CONE: "cone",
    Surface.TORUS: "torus",
}


def _axes(leaf: Placed, row: int) -> list[Axis]:
    scale = leaf.scale
    return [
        Axis(
            leaf=row,
            faces=band.faces,
            origin=_moved(leaf, band.origin),
            direction=turned_up(_turned(leaf, band.direction)),
            radius=band.radius * scale,
            length=(band.high - band.low) * scale,
            kind=_KINDS[band.kind],
            inner=band.inner,
            sweep=band.sweep,
            exact=not leaf.solid.fitted,
        )
        for band in bands(leaf.solid)
    ]


def _hole(leaf: Placed, row: int, hole: OwnHole) -> Hole:
    scale = leaf.scale
    bore, sink = hole.counterbore, hole.countersink
    return Hole(
        leaf=row,
        faces=hole.faces,
        position=_moved(leaf, hole.position),
        direction=_turned(leaf, hole.direction),
        diameter=hole.diameter * scale,
        depth=hole.depth * scale,
        through=hole.through,
        counterbore=None if bore is None else (bore[0] * scale, bore[1] * scale),
        countersink=None if sink is None else (sink[0] * scale, sink[1]),
        exact=not leaf.solid.fitted,
    )


def _patterns(found: list[Hole], rows: list[int], axes: list[Axis], leaf: int) -> list[HolePattern]:
    """Like holes of one leaf, arranged; holes are alike to a part in ten thousand (fitted: three in a hundred)."""
    groups: list[list[int]] = []
    for row in rows:
        for group in groups:
            if _alike(found[group[0]], found[row]):
                group.append(row)
                break
        else:
            groups.append([row])
    patterns = []
    for group in groups:
        first = found[group[0]]
        x, y = plane_axes(first.direction)
        frame = np.stack([x, y])
        flat = np.stack([found[row].position for row in group]) @ frame.T
        level = float(first.position @ first.direction)
        centres = [
            axis.origin @ frame.T
            for axis in axes
            if axis.leaf == leaf and abs(axis.direction @ first.direction) > 1 - 1e-6 and axis.sweep > 180
        ]
        unique = np.unique(np.round(np.array(centres).reshape(-1, 2), 6), axis=0)
        for form, members, centre, diameter in arrange(flat, unique):
            middle = centre @ frame + level * first.direction
            patterns.append(HolePattern(leaf, tuple(group[k] for k in members), form, middle, diameter))
    return patterns


def plane_axes(normal: Floats) -> tuple[Floats, Floats]:
    """Two unit vectors at right angles to a normal (3,) and each other, along the design's axes where they can be."""
    least = np.eye(3)[int(np.argmin(np.round(np.abs(normal), 9)))]
    x = least - (least @ normal) * normal
    x /= np.linalg.norm(x)
    return x, np.cross(normal, x)


def _alike(a: Hole, b: Hole) -> bool:
    close = 1e-4 if a.exact else 3e-2

    def same(p: float, q: float) -> bool:
        return abs(p - q) <= close * max(abs(p), abs(q), 1e-9)

    def both(p: tuple[float, float] | None, q: tuple[float, float] | None) -> bool:
        return p is q if p is None or q is None else same(p[0], q[0]) and same(p[1], q[1])

    return (
        same(a.diameter, b.diameter)
        and a.through == b.through
        and same(a.depth, b.depth)
        and both(a.counterbore, b.counterbore)
        and both(a.countersink, b.countersink)
        and bool(a.direction @ b.direction > 1 - (1e-8 if a.exact else 1e-3))
        and abs(float((a.position - b.position) @ a.direction)) <= max(1e-3, close * a.depth)
    )


def _planes(leaf: Placed, row: int) -> list[Plane]:
    table = leaf.solid.faces
    scale = leaf.scale
    result = []
    for face in np.flatnonzero(table.kind == Surface.PLANE):
        outward = -table.axis[face] if table.reversed[face] else table.axis[face]
        moved = apply(leaf.world, corners(table.bounds[face]))
        bounds = np.stack([moved.min(axis=0), moved.max(axis=0)])
        middle = table.bounds[face].mean(axis=0)
        on_plane = middle - ((middle - table.origin[face]) @ table.axis[face]) * table.axis[face]
        result.append(
            Plane(
                leaf=row,
                face=int(face),
                origin=_moved(leaf, on_plane),
                normal=_turned(leaf, outward),
                area=float(table.area[face]) * scale**2,
                bounds=bounds,
                exact=not leaf.solid.fitted,
            )
        )
    return result
