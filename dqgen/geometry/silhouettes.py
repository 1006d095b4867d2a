"""Silhouettes: where a bending face turns out of sight.

They are found on the triangulation, where the normal's component towards the viewer changes sign, and then moved onto
the exact contour: the lines of a cylinder or cone, the circle of a sphere, the contour of a torus.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.strips import INNER, OUTER, Strips, group_count, surface_groups
from dqgen.geometry.tessellation import faces_outwards
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Curve, EdgeClass, Floats, Ints, Surface

EDGE_ON = 1e-5
FITTED_EDGE_ON = 2e-3
"""A normal's component towards the viewer below which a surface counts as seen edge-on: read exactly, or fitted."""
NEWTON_STEPS = 5
FITTED_REACH = 0.3
"""Parts of its radius within which the triangles of a fitted surface do not hide its silhouette."""


@dataclass(frozen=True)
class BentFaces:
    """The triangles of all faces that are not flat, in the design's frame.

    Attributes:
        points: (V, 3) mm.
        normals: (V, 3) unit outward normals, zero where undefined.
        edge_on: (V,) component towards the viewer below which the surface counts as seen edge-on.
        triangles: (T, 3) rows of `points`.
        face: (T,) number of the face over all leaves: rows of the columns below.
        leaf, row, group: (F,) leaf, row in its solid, and surface group of each face.
        closed: (F,) of a solid whose triangles all face outwards.
        fitted: (F,) found on a mesh.
        kind: (F,) `Surface`; `OTHER` too where the leaf is stretched.
        origin, axis, radius, second: (F, …) as in `FaceTable`, in the design's frame.
    """

    points: Floats
    normals: NDArray[np.float32]
    edge_on: Floats
    triangles: Ints
    face: Ints
    leaf: Ints
    row: Ints
    group: Ints
    closed: NDArray[np.bool_]
    fitted: NDArray[np.bool_]
    kind: NDArray[np.uint8]
    origin: Floats
    axis: Floats
    radius: Floats
    second: Floats


def bent_faces(leaves: list[Placed]) -> BentFaces:
    """The bent faces of leaves; see `BentFaces`."""
    groups: dict[int, NDArray[np.int64]] = {}
    outward: dict[int, bool] = {}
    bits: dict[int, tuple[NDArray[np.int32], Ints, Ints]] = {}
    columns: list[tuple[NDArray[np.generic], ...]] = []
    points = faces = total = 0
    for number, leaf in enumerate(leaves):
        solid, key = leaf.solid, id(leaf.solid)
        table = solid.faces
        if key not in groups:
            groups[key], outward[key] = surface_groups(solid), faces_outwards(solid)
            picked = np.flatnonzero(table.kind[solid.triangle_face] != Surface.PLANE)
            distinct, inverse = np.unique(solid.triangles[picked], return_inverse=True)
            bits[key] = distinct, inverse.reshape(-1, 3).astype(np.int32), solid.triangle_face[picked]
        used, corners, owner = bits[key]
        linear = leaf.world[:3, :3]
        scale = abs(np.linalg.det(linear)) ** (1 / 3)
        even = np.allclose(linear @ linear.T, scale**2 * np.eye(3), atol=1e-6 * scale**2)
        normals = solid.normals[used] @ np.linalg.inv(linear).astype(np.float32)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        count = len(table)
        columns.append(
            (
                apply(leaf.world, solid.vertices[used]),
                normals / np.where(length > 0, length, 1),
                np.full(len(used), FITTED_EDGE_ON if solid.fitted else EDGE_ON),
                corners + points,
                owner + faces,
                np.full(count, number, dtype=np.int32),
                np.arange(count, dtype=np.int32),
                (groups[key] + total).astype(np.int32),
                np.full(count, outward[key]),
                np.full(count, solid.fitted),
                table.kind if even else np.zeros_like(table.kind),
                apply(leaf.world, table.origin),
                table.axis @ linear.T / scale,
                table.radius * scale,
                np.where(table.kind == Surface.TORUS, table.second * scale, table.second),
            )
        )
        points += len(used)
        faces += count
        total += group_count(solid)
    return BentFaces(*(np.concatenate(column) for column in zip(*columns, strict=True)))


def silhouettes(bent: BentFaces, rotation: Floats) -> Strips:
    """The silhouettes of a view as strips; their normals are the surface's own, on both sides.

    Args:
        bent: the faces that can have some.
        rotation: (3, 3) rows right, up and towards the viewer.
    """
    toward = rotation[2]
    facing = (bent.normals @ toward.astype(np.float32)).astype(np.float64)
    facing[np.abs(facing) < bent.edge_on] = 0.0
    corners = facing[bent.triangles]
    least, most = corners.min(axis=1), corners.max(axis=1)
    crossed = np.flatnonzero((least < 0) & (most > 0))
    touched = np.flatnonzero(((least < 0) ^ (most > 0)) & ((corners == 0).sum(axis=1) == 2))
    first, second, weight, triangle = _crossings(bent.triangles, corners, crossed)
    a, b, owner = _touching(bent.triangles, corners, touched)
    ends_a = np.concatenate([first, np.stack([a, b], axis=1)])
    ends_b = np.concatenate([second, np.stack([a, b], axis=1)])
    weight = np.concatenate([weight, np.zeros((len(a), 2))])
    triangle = np.concatenate([triangle, owner])
    # One step over a mesh edge that two triangles touch alike is enough.
    span = np.int64(len(bent.points) + 1)
    key = np.minimum(ends_a, ends_b).astype(np.int64) * span + np.maximum(ends_a, ends_b)
    steps = np.stack([key.min(axis=1), key.max(axis=1)], axis=1)
    unique = np.unique(steps, axis=0, return_index=True)[1] if len(steps) else np.zeros(0, dtype=np.int64)
    unique = unique[steps[unique, 0] != steps[unique, 1]]
    unique.sort()
    ends_a, ends_b, weight, triangle, key = (x[unique] for x in (ends_a, ends_b, weight, triangle, key))
    w = weight[..., None]
    points = bent.points[ends_a] * (1 - w) + bent.points[ends_b] * w
    normals = _unit(bent.normals[ends_a] * (1 - w) + bent.normals[ends_b] * w)
    bulges = _slope(bent, triangle, facing, toward) > 0
    face = bent.face[triangle]
    points, normals = _exact(bent, face, points, normals, toward)
    return _chained(bent, face, key, points, normals, bulges, rotation)


def _crossings(
    triangles: Ints, corners: Floats, crossed: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], Floats, NDArray[np.int64]]:
    """Where the sign changes along two sides of each triangle: both ends' vertices (n, 2), and how far along."""
    rows, values = triangles[crossed], corners[crossed]
    positive = values >= 0
    changes = positive != np.roll(positive, -1, axis=1)
    side = np.nonzero(changes)[1].reshape(-1, 2)
    after = (side + 1) % 3
    first, second = np.take_along_axis(rows, side, 1), np.take_along_axis(rows, after, 1)
    g0, g1 = np.take_along_axis(values, side, 1), np.take_along_axis(values, after, 1)
    # From the lower vertex to the higher, so that neighbours agree to the last bit.
    swap = first > second
    first, second = np.where(swap, second, first), np.where(swap, first, second)
    g0, g1 = np.where(swap, g1, g0), np.where(swap, g0, g1)
    weight = g0 / (g0 - g1)
    at_first, at_second = g0 == 0, g1 == 0
    second = np.where(at_first, first, second)
    first = np.where(at_second, second, first)
    return first.astype(np.int64), second.astype(np.int64), weight, crossed


def _touching(
    triangles: Ints, corners: Floats, touched: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """The side of each triangle along which the surface is seen edge-on: its two vertices."""
    apart = (corners[touched] != 0).argmax(axis=1)
    rows = triangles[touched]
    pick = np.arange(len(rows))
    return rows[pick, (apart + 1) % 3].astype(np.int64), rows[pick, (apart + 2) % 3].astype(np.int64), touched


def _slope(bent: BentFaces, triangle: NDArray[np.int64], facing: Floats, toward: Floats) -> Floats:
    """How the component towards the viewer grows for a step towards the viewer in each triangle's plane."""
    rows = bent.triangles[triangle]
    p0, p1, p2 = (bent.points[rows[:, k]] for k in range(3))
    u, v = p1 - p0, p2 - p0
    du, dv = (facing[rows[:, k]] - facing[rows[:, 0]] for k in (1, 2))
    uu, vv, uv = (np.einsum("ij,ij->i", x, y) for x, y in ((u, u), (v, v), (u, v)))
    tu, tv = u @ toward, v @ toward
    # gradient · toward, by the inverse of the triangle's metric (its determinant is positive).
    slope: Floats = du * (vv * tu - uv * tv) + dv * (uu * tv - uv * tu)
    return slope


def _exact(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """Points (n, 2, 3) and normals moved onto the exact contour of analytic surfaces."""
    points, normals = points.copy(), normals.copy()
    for kind, snap in (
        (Surface.CYLINDER, _snap_cone),
        (Surface.CONE, _snap_cone),
        (Surface.SPHERE, _snap_sphere),
        (Surface.TORUS, _snap_torus),
    ):
        rows = np.flatnonzero(bent.kind[face] == kind)
        if not len(rows):
            continue
        f = np.repeat(face[rows], 2)
        p, n = points[rows].reshape(-1, 3), normals[rows].reshape(-1, 3)
        new_p, new_n = snap(bent, f, p, n, toward)
        points[rows], normals[rows] = new_p.reshape(-1, 2, 3), new_n.reshape(-1, 2, 3)
    return points, normals


def _snap_cone(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """A cone's normal cos(a) e - sin(a) axis is edge-on where e · toward = tan(a) axis · toward; a cylinder's is 0."""
    axis, origin = bent.axis[face], bent.origin[face]
    slope = np.where(bent.kind[face] == Surface.CONE, np.tan(np.radians(bent.second[face])), 0.0)
    level = axis @ toward
    across = toward - level[:, None] * axis
    length = np.linalg.norm(across, axis=1)
    x = across / np.maximum(length, 1e-12)[:, None]
    y = np.cross(axis, x)
    offset = points - origin
    height = np.einsum("ij,ij->i", offset, axis)
    cosine = np.clip(slope * level / np.maximum(length, 1e-12), -1, 1)
    sine = np.sqrt(1 - cosine**2) * np.where(np.einsum("ij,ij->i", offset, y) >= 0, 1.0, -1.0)
    # Beyond the apex a cone's radius changes sign; its contour there is the other line.
    radius = bent.radius[face] + height * slope
    beyond = radius < 0
    sine = np.where(beyond, -sine, sine)
    e = cosine[:, None] * x + sine[:, None] * y
    moved = origin + height[:, None] * axis + radius[:, None] * e
    normal = _unit(e - slope[:, None] * axis)
    normal *= np.where(np.einsum("ij,ij->i", normal, normals) < 0, -1.0, 1.0)[:, None]
    return moved, normal


def _snap_sphere(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    offset = points - bent.origin[face]
    out = _unit(offset - (offset @ toward)[:, None] * toward)
    side = np.where(np.einsum("ij,ij->i", out, normals) < 0, -1.0, 1.0)[:, None]
    return bent.origin[face] + bent.radius[face][:, None] * out, out * side


def _snap_torus(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """Newton's method for F = cos(v) e(u) · toward + sin(v) axis · toward = 0, by the shortest step on the surface.

    u runs around the axis, v around the tube, e(u) is the direction from the axis to the tube's middle.
    """
    axis, origin = bent.axis[face], bent.origin[face]
    major, minor = bent.radius[face], bent.second[face]
    offset = points - origin
    along = np.einsum("ij,ij->i", offset, axis)
    x = _unit(offset - along[:, None] * axis)
    y = np.cross(axis, x)
    u = np.zeros(len(points))
    v = np.arctan2(along, np.einsum("ij,ij->i", offset, x) - major)
    level, over_x, over_y = axis @ toward, x @ toward, y @ toward
    for _ in range(NEWTON_STEPS):
        e, e_turned = np.cos(u) * over_x + np.sin(u) * over_y, np.cos(u) * over_y - np.sin(u) * over_x
        value = np.cos(v) * e + np.sin(v) * level
        by_u = np.cos(v) * e_turned / np.maximum(major + minor * np.cos(v), 1e-3 * minor)
        by_v = (np.cos(v) * level - np.sin(v) * e) / minor
        step = value / np.maximum(by_u**2 + by_v**2, 1e-12 / minor**2)
        u -= step * by_u / np.maximum(major + minor * np.cos(v), 1e-3 * minor)
        v -= step * by_v / minor
    direction = np.cos(u)[:, None] * x + np.sin(u)[:, None] * y
    out = np.cos(v)[:, None] * direction + np.sin(v)[:, None] * axis
    moved = origin + major[:, None] * direction + minor[:, None] * out
    # Where two branches of the contour meet there is no way to tell them apart: keep the found point.
    astray = np.linalg.norm(moved - points, axis=1) > 0.2 * minor
    moved, out = np.where(astray[:, None], points, moved), np.where(astray[:, None], normals, out)
    flip = np.where(np.einsum("ij,ij->i", out, normals) < 0, -1.0, 1.0)[:, None]
    return moved, out * flip


def _chained(
    bent: BentFaces,
    face: Ints,
    key: NDArray[np.int64],
    points: Floats,
    normals: Floats,
    bulges: NDArray[np.bool_],
    rotation: Floats,
) -> Strips:
    """Steps (n, 2) chained where they share an end; straight ones become lines, those of spheres circles."""
    chains = chains_of(key)
    straight = np.isin(bent.kind, (Surface.CYLINDER, Surface.CONE)).tolist()
    spherical = (bent.kind == int(Surface.SPHERE)).tolist()
    rising = np.isin(bent.kind, (Surface.OTHER, Surface.TORUS)).tolist()
    outer_or_inner = np.where(bulges, int(OUTER), int(INNER))
    columns: dict[str, list[Floats]] = {"points": [], "normals": [], "parameter": []}
    bends, sags, reaches, owners, counts, kinds, conics = [], [], [], [], [], [], []
    for steps, turned in chains:
        own = int(face[steps[0]])
        order = np.where(turned[:, None], [1, 0], [0, 1])
        p = np.take_along_axis(points[steps], order[..., None], 1)
        n = np.take_along_axis(normals[steps], order[..., None], 1)
        line = np.concatenate([p[:, 0], p[-1:, 1]])
        sides = np.concatenate([n[:, 0], n[-1:, 1]])
        outer = outer_or_inner[steps]
        kind, conic = int(Curve.OTHER), np.zeros((3, 3))
        parameter = np.arange(len(line), dtype=np.float64)
        if straight[own]:
            kind = int(Curve.LINE)
            height = (line - line[0]) @ (line[-1] - line[0])
            ends = np.array([height.argmin(), height.argmax()])
            outer = np.array([OUTER if (outer == OUTER).mean() > 0.5 else INNER])
            line, sides, parameter = line[ends], sides[ends], np.array([0.0, 1.0])
        elif spherical[own]:
            kind = int(Curve.CIRCLE)
            conic = np.stack([bent.origin[own], bent.radius[own] * rotation[0], bent.radius[own] * rotation[1]])
            offset = line - bent.origin[own]
            parameter = np.degrees(np.unwrap(np.arctan2(offset @ rotation[1], offset @ rotation[0])))
        step = np.linalg.norm(np.diff(line, axis=0), axis=1)
        turn = np.linalg.norm(np.diff(sides, axis=0), axis=1)
        columns["points"].append(line)
        columns["normals"].append(np.stack([sides[:-1], sides[1:]], axis=1))
        columns["parameter"].append(parameter)
        # Triangles may rise above a surface that is hollow in some direction, by an eighth of their length times their
        # turn; above one without a formula in any case.
        loose = rising[own]
        sags.append(np.append(step * np.maximum(turn, 0.1) / 8, 0.0) if loose else np.zeros(len(line)))
        near = FITTED_REACH * float(max(bent.radius[own], bent.second[own])) if bent.fitted[own] else 0.0
        reaches.append(np.append(2 * step, 0.0) if loose else np.full(len(line), near))
        bends.append(np.append(outer, 0))
        owners.append(own)
        counts.append(len(line))
        kinds.append(kind)
        conics.append(conic)
    owner = np.array(owners, dtype=np.int64)
    padded = [np.concatenate([n, np.zeros((1, 2, 3))]) for n in columns["normals"]]
    both = np.concatenate(padded) if padded else np.zeros((0, 2, 3))
    rows = bent.row[owner]
    return Strips(
        leaf=bent.leaf[owner],
        edge=np.full(len(owner), -1, dtype=np.int32),
        faces=np.stack([rows, rows], axis=1),
        groups=np.stack([bent.group[owner]] * 2, axis=1),
        edge_class=np.full(len(owner), EdgeClass.SHARP, dtype=np.uint8),
        kind=np.array(kinds, dtype=np.uint8),
        conic=np.array(conics).reshape(-1, 3, 3),
        closed=bent.closed[owner],
        starts=np.concatenate([[0], np.cumsum(counts)]).astype(np.int64),
        points=np.concatenate(columns["points"]) if counts else np.zeros((0, 3)),
        parameter=np.concatenate(columns["parameter"]) if counts else np.zeros(0),
        normals=np.stack([both, both], axis=1).astype(np.float32),
        bend=np.concatenate(bends).astype(np.int8) if counts else np.zeros(0, dtype=np.int8),
        sag=np.concatenate(sags) if counts else np.zeros(0),
        reach=np.concatenate(reaches) if counts else np.zeros(0),
    )


def chains_of(key: NDArray[np.int64]) -> list[tuple[NDArray[np.int64], NDArray[np.bool_]]]:
    """Steps chained end to end.

    Args:
        key: (n, 2) numbers of each step's ends.

    Returns:
        For each chain its steps in order and whether each is taken from its second end to its first. Chains end where
        not exactly two steps meet; rings begin at their lowest step.
    """
    count = len(key)
    if not count:
        return []
    nodes = np.unique(key, return_inverse=True)[1].reshape(-1, 2)
    flat = nodes.ravel()
    order = np.argsort(flat, kind="stable")
    degree = np.bincount(flat)
    first = np.concatenate([[0], np.cumsum(degree)])[:-1]
    # The half step that meets each half step at its node, -1 where the chain ends.
    partner = np.full(2 * count, -1, dtype=np.int64)
    pair = first[degree == 2]
    one, two = order[pair], order[pair + 1]
    partner[one], partner[two] = two, one
    links = partner.tolist()
    taken = [False] * count
    heads = np.flatnonzero(partner < 0).tolist()
    chains = []
    for start in heads + list(range(0, 2 * count, 2)):
        if taken[start >> 1]:
            continue
        half, steps, turned = start, [], []
        while half >= 0 and not taken[half >> 1]:
            taken[half >> 1] = True
            steps.append(half >> 1)
            turned.append(bool(half & 1))
            half = links[half ^ 1]
        chains.append((np.array(steps), np.array(turned)))
    return chains


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = vectors / np.where(length > 0, length, 1)
    return unit
