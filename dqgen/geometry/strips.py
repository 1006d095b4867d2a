"""Strips: polylines on the triangulation that may become curves of a view, with what is known beside them.

Visibility is asked on the polyline, so that curves and the triangles that hide them agree; what is put out is the
exact curve at the same parameter.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.once import once_per_solid
from dqgen.geometry.tessellation import cross, faces_outwards, weld
from dqgen.geometry.transforms import Placed, apply, moved_normals, scale_of
from dqgen.schemas.design import Curve, EdgeClass, Floats, Ints, Solid, Surface

UNKNOWN, CONVEX, CONCAVE, OUTER, INNER = 0, 1, -1, 2, -2
"""How the surfaces meet at a step: at an edge bent outward or inward, or one surface that bends out of sight bulging
towards the viewer (`OUTER`) or hollow (`INNER`, never seen on a closed solid)."""


@dataclass(frozen=True)
class Strips:
    """S strips of P points in all. What is said of a step stands in the row of the step's first point.

    Attributes:
        leaf: (S,) row of the leaf.
        edge: (S,) row of the solid's edge, -1 for a silhouette.
        faces: (S, 2) rows of the solid's faces, -1 for none.
        groups: (S, 2) number of each face's surface over all leaves (see `surface_groups`), -1 for none.
        edge_class: (S,) `EdgeClass`.
        kind: (S,) `Curve`.
        conic: (S, 3, 3) of a circle or ellipse: centre, and the radii as vectors at parameters 0° and 90°.
        closed: (S,) of a solid whose triangles all face outwards.
        starts: (S + 1,) first point of each strip.
        points: (P, 3) mm in the design's frame.
        parameter: (P,) degrees on a circle or ellipse, else the point's number in its strip.
        normals: (P, 2, 2, 3) outward unit normals of the two faces (second axis) at the step's ends (third axis); of
            the one face twice where there is one only.
        bend: (P,) `CONVEX`, `CONCAVE`, …
        sag: (P,) mm that the step lies off the exact curve, at most.
        reach: (P,) mm within which its own surfaces do not hide the step: their triangles stand off them.
    """

    leaf: Ints
    edge: Ints
    faces: Ints
    groups: Ints
    edge_class: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    conic: Floats
    closed: NDArray[np.bool_]
    starts: NDArray[np.int64]
    points: Floats
    parameter: Floats
    normals: NDArray[np.float32]
    bend: NDArray[np.int8]
    sag: Floats
    reach: Floats

    def __len__(self) -> int:
        return len(self.leaf)


def joined(parts: list[Strips]) -> Strips:
    """Several sets of strips as one."""
    shift = np.cumsum([0, *(len(part.points) for part in parts)])
    columns = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Strips)
        if field.name != "starts"
    }
    starts = [part.starts[:-1] + at for part, at in zip(parts, shift, strict=False)]
    return Strips(starts=np.concatenate([*starts, shift[-1:]]), **columns)


@once_per_solid
def surface_groups(solid: Solid) -> NDArray[np.int64]:
    """A number for each face (F,): faces on the same cylinder, cone, sphere or torus share one.

    So do all bent faces of a mesh, where regions do not end exactly where surfaces do.
    """
    table = solid.faces
    if solid.fitted:
        flat = table.kind == Surface.PLANE
        return np.where(flat, np.cumsum(flat), 0)
    size = max(float(np.abs(solid.bounds).max()), 1e-9)
    # The point of the axis nearest to the frame's origin, so that any point of the axis will do.
    foot = table.origin - (table.origin * table.axis).sum(axis=1)[:, None] * table.axis
    centred = (table.kind == Surface.SPHERE) | (table.kind == Surface.TORUS)
    foot[centred] = table.origin[centred]
    turned = table.axis * np.where((table.axis @ [1.0, 1e-3, 1e-6]) < 0, -1.0, 1.0)[:, None]
    # Cones are told apart by their apex.
    slope = np.tan(np.radians(table.second))
    cone = table.kind == Surface.CONE
    apex = table.origin - (table.radius / np.where(np.abs(slope) > 1e-12, slope, 1.0))[:, None] * table.axis
    foot[cone] = apex[cone]
    radius = np.where(cone, 0.0, table.radius)
    key = np.column_stack(
        [
            table.kind * 2 + table.reversed,
            np.round(foot / (1e-6 * size)),
            np.round(turned * 1e5),
            np.round(radius / (1e-6 * size)),
            np.round(table.second * 1e4),
        ]
    )
    loose = (table.kind == Surface.OTHER) | (table.kind == Surface.PLANE)
    key[loose, 1:] = 0
    key[loose, 1] = np.flatnonzero(loose)
    number: dict[bytes, int] = {}
    rows = np.ascontiguousarray(key + 0.0)  # no negative zeros
    return np.array([number.setdefault(row.tobytes(), len(number)) for row in rows], dtype=np.int64)


def group_count(solid: Solid) -> int:
    """How many numbers `surface_groups` may give."""
    return len(solid.faces) + 1


@once_per_solid
def edge_strips(solid: Solid) -> Strips:
    """The strips of a solid's edges in its own frame, all of leaf 0; seams are left out."""
    table = solid.edges
    lengths = np.diff(table.starts)
    kept = np.flatnonzero((table.edge_class != EdgeClass.SEAM) & (lengths > 1))
    counts = lengths[kept]
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    rows = np.repeat(table.starts[kept] - starts[:-1], counts) + np.arange(starts[-1])
    points = table.points[rows]
    strip = np.repeat(np.arange(len(kept)), counts)
    y_axis = cross(table.axis[kept], table.x_axis[kept])
    conic = np.stack(
        [table.origin[kept], table.x_axis[kept] * table.radius[kept, :1], y_axis * table.radius[kept, 1:]], axis=1
    )
    kind = table.kind[kept]
    normals, bend = _beside(solid, kept, points, starts, strip)
    groups = surface_groups(solid)
    faces = table.faces[kept]
    sag = _sags(points, starts)
    return Strips(
        leaf=np.zeros(len(kept), dtype=np.int32),
        edge=kept.astype(np.int32),
        faces=faces,
        groups=np.where(faces >= 0, groups[np.maximum(faces, 0)], -1).astype(np.int32),
        edge_class=table.edge_class[kept],
        kind=kind,
        conic=conic,
        closed=np.full(len(kept), faces_outwards(solid)),
        starts=starts,
        points=points,
        parameter=conic_parameters(points, conic, kind, starts, strip),
        normals=normals,
        bend=bend,
        sag=sag,
        reach=np.where(sag > 0, 2 * _lengths(points), 0.0),
    )


def placed_strips(leaves: list[Placed]) -> Strips:
    """The edges' strips of all leaves in the design's frame."""
    parts = []
    first = 0
    for row, leaf in enumerate(leaves):
        parts.append(_moved(edge_strips(leaf.solid), leaf, row, first))
        first += group_count(leaf.solid)
    return joined(parts)


def _moved(strips: Strips, leaf: Placed, row: int, first_group: int) -> Strips:
    linear = leaf.world[:3, :3]
    normals = moved_normals(leaf.world, strips.normals.reshape(-1, 3))
    conic = strips.conic @ linear.T
    conic[:, 0] += leaf.world[:3, 3]
    scale = scale_of(leaf.world)
    return Strips(
        leaf=np.full(len(strips), row, dtype=np.int32),
        edge=strips.edge,
        faces=strips.faces,
        groups=np.where(strips.groups >= 0, strips.groups + first_group, -1).astype(np.int32),
        edge_class=strips.edge_class,
        kind=strips.kind,
        conic=conic,
        closed=strips.closed,
        starts=strips.starts,
        points=apply(leaf.world, strips.points),
        parameter=strips.parameter,
        normals=normals.reshape(strips.normals.shape),
        bend=strips.bend,
        sag=strips.sag * scale,
        reach=strips.reach * scale,
    )


def _beside(
    solid: Solid, kept: NDArray[np.int64], points: Floats, starts: NDArray[np.int64], strip: NDArray[np.int64]
) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
    """Normals beside each step and how it bends; see `Strips`. Steps are matched with the mesh edges under them."""
    count = len(points)
    normals = np.zeros((count, 2, 2, 3), dtype=np.float32)
    bend = np.zeros(count, dtype=np.int8)
    on_edge = np.flatnonzero(solid.link_edge >= 0)
    if not len(on_edge) or not count:
        return normals, bend
    # The points at edges alone are matched: most lie inside of faces.
    beside = np.zeros(len(solid.vertices), dtype=np.bool_)
    beside[solid.link_vertices[on_edge]] = True
    beside[solid.triangles[np.maximum(solid.links[on_edge, 1], 0)]] = True
    used = np.flatnonzero(beside)
    size = max(1.0, float(np.abs(solid.bounds).max()))
    point = weld(np.concatenate([solid.vertices[used], points]), 1e-6 * size)  # still sorted as one number
    own, along = np.full(len(solid.vertices), -1, dtype=np.int64), point[len(used) :]
    own[used] = point[: len(used)]
    span = np.int64(point.max() + 1)

    def keys(edge: NDArray[np.integer], a: NDArray[np.int64], b: NDArray[np.int64]) -> NDArray[np.int64]:
        return (edge.astype(np.int64) * span + np.minimum(a, b)) * span + np.maximum(a, b)

    ends = own[solid.link_vertices[on_edge]]
    link_keys = keys(solid.link_edge[on_edge], ends[:, 0], ends[:, 1])
    order = np.argsort(link_keys, kind="stable")
    proper = np.ones(count, dtype=np.bool_)
    proper[starts[1:] - 1] = False
    steps = np.flatnonzero(proper)
    wanted = keys(kept[strip[steps]], along[steps], along[steps + 1])
    at = np.minimum(np.searchsorted(link_keys[order], wanted), len(order) - 1)
    hit = link_keys[order[at]] == wanted
    steps, link = steps[hit], on_edge[order[at[hit]]]
    first = solid.link_vertices[link]
    turned = own[first[:, 0]] != along[steps]
    first = np.where(turned[:, None], first[:, ::-1], first)
    second_triangle = solid.links[link, 1]
    corners = solid.triangles[np.maximum(second_triangle, 0)]
    sides = [first]
    row = np.arange(len(corners))
    at_corner = own[corners]
    second = np.stack(
        [corners[row, (at_corner == along[end][:, None]).argmax(axis=1)] for end in (steps, steps + 1)], axis=1
    )
    alone = second_triangle < 0
    sides.append(np.where(alone[:, None], first, second))
    for side, rows in enumerate(sides):
        normals[steps, side] = solid.normals[rows]
    beside_step = normals[steps]
    middle = beside_step[:, :, 0] + beside_step[:, :, 1]
    direction = (points[steps + 1] - points[steps]) * np.where(turned, -1.0, 1.0)[:, None]
    turn = np.einsum("ij,ij->i", cross(middle[:, 0], middle[:, 1]), direction)
    bend[steps] = np.where(alone, UNKNOWN, np.where(turn > 0, CONVEX, CONCAVE))
    return normals, bend


def conic_parameters(
    points: Floats, conic: Floats, kind: NDArray[np.uint8], starts: NDArray[np.int64], strip: NDArray[np.int64]
) -> Floats:
    """The parameter of each point: degrees on a circle or ellipse without a jump, else its number in its strip."""
    number = np.arange(len(points)) - starts[:-1][strip] if len(points) else np.zeros(0)
    result = number.astype(np.float64)
    round_ = ((kind == Curve.CIRCLE) | (kind == Curve.ELLIPSE))[strip]
    rows = np.flatnonzero(round_)
    if not len(rows):
        return result
    frame = conic[strip[rows]]
    offset = points[rows] - frame[:, 0]
    square = np.maximum((frame[:, 1:] ** 2).sum(axis=2), 1e-24)
    x = np.einsum("ij,ij->i", offset, frame[:, 1]) / square[:, 0]
    y = np.einsum("ij,ij->i", offset, frame[:, 2]) / square[:, 1]
    angle = np.degrees(np.arctan2(y, x))
    step = np.diff(angle, prepend=angle[:1])
    step -= 360 * np.round(step / 360)
    new = number[rows] == 0
    total = np.cumsum(np.where(new, 0.0, step))
    lead = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    result[rows] = angle[lead] + total - total[lead]
    return result


def _lengths(points: Floats) -> Floats:
    """Of each step, in the row of its first point; the last point of a strip has none of its own."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return np.append(steps, 0.0) if len(points) else steps


def _sags(points: Floats, starts: NDArray[np.int64]) -> Floats:
    """How far each step lies off a smooth curve through its strip: an eighth of its length times its turn."""
    if len(points) < 2:
        return np.zeros(len(points))
    step = np.diff(points, axis=0)
    length = np.linalg.norm(step, axis=1)
    unit = step / np.where(length > 0, length, 1)[:, None]
    turn = np.zeros(len(points))
    turn[1:-1] = np.linalg.norm(unit[1:] - unit[:-1], axis=1)
    turn[starts[:-1]] = 0
    turn[np.maximum(starts[1:] - 1, 0)] = 0
    # Corners are no curves.
    turn = np.where(turn < 0.5, turn, 0.0)
    sag = np.zeros(len(points))
    sag[:-1] = length * np.maximum(turn[:-1], turn[1:]) / 8
    sag[starts[1:] - 1] = 0
    return sag
