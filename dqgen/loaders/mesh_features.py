"""Faces and edges of a bare triangle mesh: regions grown over flat joints, surfaces and curves fitted to them.

Everything found here is a fit and marked so: a mesh does not say what it approximates.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from dqgen.geometry.tessellation import enclosed_volume, links, triangle_normals, weld
from dqgen.loaders.mesh_absorption import absorbed
from dqgen.loaders.mesh_slivers import without_slivers
from dqgen.schemas.design import Curve, EdgeClass, EdgeTable, FaceTable, Floats, Ints, Solid, Surface

SHARP_DEGREES = 25.0
"""Neighbouring triangles that turn by more than this meet at an edge; coarse cylinders of 16 sides turn by 22.5."""
FLAT_DEGREES = 0.2
"""Triangles that turn by less lie in one plane."""
FIT_TOLERANCE = 2e-3
"""A fitted surface may miss its vertices by this part of the region's size."""
MIN_FACETS = 6
"""A surface is fitted to no fewer triangles than these."""
MAX_FACES = 50_000
"""A mesh that falls into more is too rough to have faces, such as a noisy scan: each connected piece is one then."""
WELD_TOLERANCE = 1e-6
"""Vertices closer than this part of the mesh's diagonal are one point: single precision cannot tell them apart."""


FAR = 1e12
"""Millimetres beyond which a coordinate is no place but an accident."""


def finite(vertices: Floats, triangles: Ints) -> NDArray[np.bool_]:
    """Which triangles (T,) stand on vertices that are places."""
    near = np.ones(len(vertices), dtype=np.bool_)
    for column in vertices.T:
        near &= np.abs(column) < FAR  # false for what is no number, too
    return near[triangles[:, 0]] & near[triangles[:, 1]] & near[triangles[:, 2]]


def solid(key: str, vertices: Floats, triangles: Ints) -> Solid | None:
    """The `Solid` of a mesh, or None if it has no triangle with an area.

    Args:
        key: its stable name in the file.
        vertices: (V, 3) mm, those of the triangles finite.
        triangles: (T, 3) rows of `vertices`.
    """
    if not len(triangles):
        return None
    vertices, triangles, box = _welded(vertices, triangles)
    triangles = _without_copies(triangles)
    a, b, c = triangles.T
    distinct = (a != b) & (b != c) & (c != a)
    normals, areas = triangle_normals(vertices, triangles)
    if not (distinct & (areas > 0)).any():
        return None
    if not (distinct & (areas > 0)).all():
        triangles = without_slivers(vertices, triangles[distinct], areas[distinct] <= 0)
        normals, areas = triangle_normals(vertices, triangles)
        triangles, normals, areas = triangles[areas > 0], normals[areas > 0], areas[areas > 0]
        seen = vertices[np.unique(triangles)]
        box = np.stack([seen.min(axis=0), seen.max(axis=0)])
    pairs, points = links(triangles, np.arange(len(vertices)))
    face, sharp_cosine = _regions(pairs, normals, areas), math.cos(math.radians(SHARP_DEGREES))
    if face.max() >= MAX_FACES:
        face, sharp_cosine = _components(pairs, len(triangles))[1], -math.inf
    own, corners, ends = _split_by_face(vertices, triangles, points, pairs, face)
    faces, smooth_normals = _fit_faces(own, corners, face, normals, areas)
    smooth = pairs[pairs[:, 1] >= 0]
    smooth = smooth[np.einsum("ij,ij->i", normals[smooth[:, 0]], normals[smooth[:, 1]]) > sharp_cosine]
    taken = absorbed(own, corners, face, faces, smooth)
    if taken.max() < face.max():
        face = taken
        own, corners, ends = _split_by_face(vertices, triangles, points, pairs, face)
        faces, smooth_normals = _fit_faces(own, corners, face, normals, areas)
    _lay_flush(smooth_normals, triangles, corners, face, faces, smooth)
    vertices, triangles = own, corners
    edges, link_edge = _edges(vertices, pairs, ends, points, face, normals, sharp_cosine)
    closed = bool((pairs[:, 1] >= 0).all())
    volume = abs(enclosed_volume(vertices, triangles)) if closed else 0.0
    return Solid(
        key=key,
        vertices=vertices,
        normals=smooth_normals.astype(np.float32),
        triangles=triangles,
        triangle_face=face,
        links=pairs,
        link_vertices=ends,
        link_edge=link_edge,
        faces=faces,
        edges=edges,
        bounds=box,
        volume=volume,
        bodies=_components(pairs, len(triangles))[0] if closed else 0,
        fitted=True,
    )


def _welded(vertices: Floats, triangles: Ints) -> tuple[Floats, Ints, Floats]:
    """One vertex a point, the triangles on them, and the box around them; vertices without a triangle go."""
    used = np.zeros(len(vertices), dtype=np.bool_)
    used[triangles] = True
    if not used.all():
        vertices, triangles = vertices[used], (np.cumsum(used) - 1)[triangles]
    box = np.stack([vertices.min(axis=0), vertices.max(axis=0)])
    point = weld(vertices, WELD_TOLERANCE * float(np.linalg.norm(box[1] - box[0])))
    first = np.empty(int(point.max()) + 1, dtype=np.int64)
    first[point[::-1]] = np.arange(len(point))[::-1]  # of vertices with one point, the first is written last
    return vertices[first], point[triangles].astype(np.int32), box


def _without_copies(triangles: Ints) -> Ints:
    """Each triangle once: of several on the same corners the first stays. Triangles that are turned over are no copies,
    as where two bodies touch, unless all are there both ways: a mesh to be seen from both sides."""
    rows = np.arange(len(triangles))
    lowest = triangles.argmin(axis=1)
    turned = np.stack([triangles[rows, (lowest + k) % 3] for k in range(3)], axis=1).astype(np.float64)
    first = np.sort(np.unique(weld(turned, 0.0), return_index=True)[1])
    triangles, turned = triangles[first], turned[first]
    sides = np.unique(weld(np.sort(turned, axis=1), 0.0), return_index=True)[1]
    return triangles[np.sort(sides)] if 2 * len(sides) == len(triangles) else triangles


def _components(pairs: Ints, count: int) -> tuple[int, Ints]:
    both = pairs[pairs[:, 1] >= 0]
    graph = coo_matrix((np.ones(len(both), dtype=np.int8), (both[:, 0], both[:, 1])), shape=(count, count))
    number, label = connected_components(graph, directed=False)
    return int(number), label.astype(np.int32)


def _regions(pairs: Ints, normals: Floats, areas: Floats) -> Ints:
    """The face of each triangle: planes first, then what bends smoothly between them.

    A flat region is a plane of its own if nothing bends away from it, or if it is much larger than what does: the
    facets of a cylinder are all of a size.
    """
    count = len(normals)
    both = pairs[pairs[:, 1] >= 0]
    cosine = np.einsum("ij,ij->i", normals[both[:, 0]], normals[both[:, 1]])
    flats, flat = _components(both[cosine > math.cos(math.radians(FLAT_DEGREES))], count)
    size = np.bincount(flat, minlength=flats)
    area = np.bincount(flat, weights=areas, minlength=flats)
    bend = both[cosine > math.cos(math.radians(SHARP_DEGREES))]
    here, there = flat[bend].T
    here, there = here[here != there], there[here != there]
    neighbours = np.bincount(np.concatenate([here, there]), minlength=flats)
    beside = np.bincount(
        np.concatenate([here, there]), weights=area[np.concatenate([there, here])], minlength=flats
    ) / np.maximum(neighbours, 1)
    plane = (neighbours == 0) | (area > 4 * beside) | ((size > 2) & (area > 2 * beside))
    within = (flat[bend[:, 0]] == flat[bend[:, 1]]) | ~(plane[flat[bend]].any(axis=1))
    return _components(bend[within], count)[1]


def _split_by_face(vertices: Floats, triangles: Ints, ends: Ints, pairs: Ints, face: Ints) -> tuple[Floats, Ints, Ints]:
    """Vertices of their own for each face, one a point; triangles and the ends of links renumbered to them."""
    points = len(vertices)
    keys = face.astype(np.int64)[:, None] * points + triangles
    distinct, first, inverse = np.unique(keys.ravel(), return_index=True, return_inverse=True)
    own = vertices[triangles.ravel()[first]]
    end_keys = face.astype(np.int64)[pairs[:, 0]][:, None] * points + ends
    return own, inverse.reshape(-1, 3).astype(np.int32), np.searchsorted(distinct, end_keys).astype(np.int32)


def _fit_faces(
    vertices: Floats, triangles: Ints, face: Ints, normals: Floats, areas: Floats
) -> tuple[FaceTable, Floats]:
    """The face table, and a normal for each vertex: of the fitted surface, or the mean of its face's triangles."""
    count = int(face.max()) + 1
    area = _sums(face, areas, count)
    weighted = normals * areas[:, None]
    total = np.stack([_sums(face, weighted[:, k], count) for k in range(3)], axis=1)
    flat = np.linalg.norm(total, axis=1) >= math.cos(math.radians(2 * FLAT_DEGREES)) * area
    corners = triangles.ravel()
    vertex_face = np.zeros(len(vertices), dtype=np.int64)
    vertex_face[corners] = np.repeat(face, 3)
    vertex_normals = _unit(
        np.stack([_sums(corners, np.repeat(weighted[:, k], 3), len(vertices)) for k in range(3)], axis=1)
    )
    plane_normal = _unit(total)
    vertex_normals[flat[vertex_face]] = plane_normal[vertex_face[flat[vertex_face]]]
    centre = np.stack([_sums(vertex_face, vertices[:, k], count) for k in range(3)], axis=1)
    centre /= np.bincount(vertex_face, minlength=count)[:, None]
    box = np.empty((count, 2, 3))
    box[:, 0], box[:, 1] = np.inf, -np.inf
    np.minimum.at(box[:, 0], vertex_face, vertices)
    np.maximum.at(box[:, 1], vertex_face, vertices)
    table = FaceTable(
        kind=np.where(flat, Surface.PLANE, Surface.OTHER).astype(np.uint8),
        origin=np.where(flat[:, None], centre, 0.0),
        axis=np.where(flat[:, None], plane_normal, 0.0),
        radius=np.zeros(count),
        second=np.zeros(count),
        sweep=np.zeros(count),
        reversed=np.zeros(count, dtype=np.bool_),
        area=area,
        bounds=box,
        colour=np.zeros((count, 4), dtype=np.uint8),
    )
    by_face = np.argsort(face, kind="stable")
    starts = np.searchsorted(face[by_face], np.arange(count + 1))
    for row in np.flatnonzero(~flat & (np.diff(starts) >= MIN_FACETS)):
        members = by_face[starts[row] : starts[row + 1]]
        own = np.unique(triangles[members])
        fit = _fit_surface(vertices[own], vertices[triangles[members]].mean(axis=1), normals[members], areas[members])
        if fit is None:
            continue
        table.kind[row], table.origin[row], table.axis[row] = fit.kind, fit.origin, fit.axis
        table.radius[row], table.second[row], table.sweep[row] = fit.radius, fit.second, fit.sweep
        table.reversed[row] = fit.reversed
        vertex_normals[own] = fit.normals
    return table, vertex_normals


def _lay_flush(normals: Floats, points: Ints, corners: Ints, face: Ints, table: FaceTable, smooth: Ints) -> None:
    """Where a bent face without a formula runs smoothly into a plane, its normals become the plane's: the mean of its
    own triangles lags behind by half a facet, and seen edge-on the plane would have no outline there.

    Args:
        normals: (V, 3) of the vertices, changed in place.
        points, corners: (T, 3) triangles as points that faces share, and as vertices that they do not.
        face: (T,) the face of each.
        table: the faces.
        smooth: (n, 2) triangles that meet without a sharp edge.
    """
    kind = table.kind[face]
    for flat, bent in (smooth.T, smooth.T[::-1]):
        meets = (kind[flat] == Surface.PLANE) & (kind[bent] == Surface.OTHER)
        plane, other = flat[meets], bent[meets]
        shared = (points[other][:, :, None] == points[plane][:, None, :]).any(axis=2)
        row, corner = np.nonzero(shared)
        normals[corners[other[row], corner]] = table.axis[face[plane[row]]]


@dataclass(frozen=True)
class _Fit:
    kind: Surface
    origin: Floats
    axis: Floats
    radius: float
    second: float
    sweep: float
    reversed: bool
    normals: Floats


def _fit_surface(points: Floats, middles: Floats, normals: Floats, areas: Floats) -> _Fit | None:
    """A cylinder, sphere or cone through a region's vertices, or None.

    Args:
        points: (n, 3) its vertices.
        middles: (m, 3) the middles of its triangles.
        normals: (m, 3) their unit normals.
        areas: (m,) their areas.
    """
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    weight = areas / areas.sum()
    mean = weight @ normals
    spread, axes = np.linalg.eigh((normals - mean).T @ ((normals - mean) * weight[:, None]))
    axis = axes[:, 0]
    lean = normals @ axis
    if spread[0] < 1e-4 and np.ptp(lean) < 0.05:
        level = float(weight @ lean)
        return (
            _cylinder(points, middles, normals, axis, size)
            if abs(level) < 0.01
            else _cone(points, middles, normals, axis, level, size)
        )
    return _sphere(points, middles, normals, size)


def _cylinder(points: Floats, middles: Floats, normals: Floats, axis: Floats, size: float) -> _Fit | None:
    axis = axis * (1 if axis[np.argmax(np.abs(axis))] > 0 else -1)
    across = np.linalg.svd(axis[None])[2][1:]
    flat = points @ across.T
    centre, radius = _circle(flat)
    if np.abs(np.linalg.norm(flat - centre, axis=1) - radius).max() > FIT_TOLERANCE * size:
        return None
    origin = centre @ across + axis * float((points @ axis).mean())
    radial = points - origin - np.outer((points - origin) @ axis, axis)
    inward = _inward(middles - origin, normals)
    return _Fit(
        Surface.CYLINDER,
        origin,
        axis,
        radius,
        0.0,
        _sweep(flat - centre),
        inward,
        _unit(radial) * (-1 if inward else 1),
    )


def _cone(points: Floats, middles: Floats, normals: Floats, axis: Floats, level: float, size: float) -> _Fit | None:
    # Every tangent plane of a cone passes through its apex.
    apex = np.linalg.lstsq(normals, np.einsum("ij,ij->i", normals, middles), rcond=None)[0]
    along = (points - apex) @ axis
    if along.mean() < 0:  # the axis points from the apex into the cone
        axis, along, level = -axis, -along, -level
    radial = points - apex - np.outer(along, axis)
    distance = np.linalg.norm(radial, axis=1)
    # Facets are chords, and lean less than the cone that their corners lie on.
    slope, foot = np.polyfit(along, distance, 1)
    if slope <= 0:
        return None
    half, apex, along = math.atan(slope), apex - foot / slope * axis, along + foot / slope
    if np.abs(distance - along * math.tan(half)).max() > FIT_TOLERANCE * size:
        return None
    inward = level > 0
    outward = math.cos(half) * _unit(radial) - math.sin(half) * axis
    middle = float(along.mean())
    across = np.linalg.svd(axis[None])[2][1:]
    return _Fit(
        Surface.CONE,
        apex + middle * axis,
        axis,
        middle * math.tan(half),
        math.degrees(half),
        _sweep(radial @ across.T),
        inward,
        -outward if inward else outward,
    )


def _sphere(points: Floats, middles: Floats, normals: Floats, size: float) -> _Fit | None:
    system = np.column_stack([2 * points, np.ones(len(points))])
    solution = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)[0]
    centre = solution[:3]
    square = float(solution[3] + centre @ centre)
    radius = math.sqrt(max(square, 0.0))
    offset = points - centre
    if np.abs(np.linalg.norm(offset, axis=1) - radius).max() > FIT_TOLERANCE * size or radius > 10 * size:
        return None
    inward = _inward(middles - centre, normals)
    return _Fit(Surface.SPHERE, centre, np.zeros(3), radius, 0.0, 0.0, inward, _unit(offset) * (-1 if inward else 1))


def _circle(flat: Floats) -> tuple[Floats, float]:
    """Centre and radius of the algebraic least-squares circle through points (n, 2) (Kåsa 1976)."""
    shift = flat.mean(axis=0)
    local = flat - shift
    system = np.column_stack([2 * local, np.ones(len(local))])
    solution = np.linalg.lstsq(system, (local**2).sum(axis=1), rcond=None)[0]
    return shift + solution[:2], math.sqrt(max(float(solution[2] + solution[:2] @ solution[:2]), 0.0))


def _inward(offset: Floats, normals: Floats) -> bool:
    return bool(np.einsum("ij,ij->", offset, normals) < 0)


def _sweep(around: Floats) -> float:
    """Degrees that points (n, 2) cover about the origin: all but the widest gap, or all if no gap stands out."""
    angle = np.sort(np.unique(np.round(np.degrees(np.arctan2(around[:, 1], around[:, 0])), 3)))
    gaps = np.diff(np.append(angle, angle[0] + 360))
    widest = float(gaps.max())
    return 360.0 if widest <= 1.5 * float(np.median(gaps)) + 1 else 360.0 - widest


def _edges(
    vertices: Floats, pairs: Ints, ends: Ints, points: Ints, face: Ints, normals: Floats, sharp_cosine: float
) -> tuple[EdgeTable, Ints]:
    """Mesh edges between faces, chained into polylines where the same two faces meet in the same way.

    Returns:
        The edges, and the edge that each link is a part of (-1 for none).
    """
    second = np.where(pairs[:, 1] >= 0, face[np.maximum(pairs[:, 1], 0)], -1)
    first = face[pairs[:, 0]]
    cosine = np.einsum("ij,ij->i", normals[pairs[:, 0]], normals[np.maximum(pairs[:, 1], 0)])
    sharp = cosine < sharp_cosine
    meeting = np.where(second < 0, EdgeClass.FREE, np.where(sharp, EdgeClass.SHARP, EdgeClass.SMOOTH))
    border = np.flatnonzero((first != second) | sharp)
    low, high = np.minimum(first, second)[border], np.maximum(first, second)[border]
    order = np.lexsort((border, meeting[border], high, low))
    border, low, high = border[order], low[order], high[order]
    kinds = meeting[border]
    change = (np.diff(low) != 0) | (np.diff(high) != 0) | (np.diff(kinds) != 0)
    cuts = np.concatenate([[0], np.flatnonzero(change) + 1, [len(border)]]).astype(int)
    link_edge = np.full(len(pairs), -1, dtype=np.int32)
    rows: list[tuple[int, int, int]] = []
    lines: list[Floats] = []
    for start, stop in pairwise(cuts.tolist()):
        members = border[start:stop]
        for chain, steps in _chains(points[members], ends[members]):
            link_edge[members[steps]] = len(lines)
            lines.append(vertices[chain])
            rows.append((int(first[border[start]]), int(second[border[start]]), int(kinds[start])))
    fits = [_fit_curve(line) for line in lines]
    count = len(rows)
    table = np.array(rows, dtype=np.int32).reshape(-1, 3)
    edges = EdgeTable(
        kind=np.array([fit[0] for fit in fits], dtype=np.uint8),
        origin=np.array([fit[1] for fit in fits]).reshape(count, 3),
        axis=np.array([fit[2] for fit in fits]).reshape(count, 3),
        x_axis=np.array([fit[3] for fit in fits]).reshape(count, 3),
        radius=np.array([fit[4] for fit in fits]).reshape(count, 2),
        span=np.array([fit[5] for fit in fits]).reshape(count, 2),
        faces=table[:, :2].copy(),
        edge_class=table[:, 2].astype(np.uint8),
        points=np.concatenate(lines) if lines else np.zeros((0, 3)),
        starts=np.concatenate([[0], np.cumsum([len(line) for line in lines])]).astype(np.int32),
    )
    return edges, link_edge


def _chains(steps: Ints, rows: Ints) -> list[tuple[list[int], list[int]]]:
    """Single steps between points, joined end to end: each chain as rows of the vertices, and the steps it took.

    Chains begin at points where not exactly two steps meet, then closed rings are taken from their lowest step.
    """
    if len(steps) == 1:
        return [(rows[0].tolist(), [0])]
    at: dict[int, list[int]] = {}
    for number, (a, b) in enumerate(steps.tolist()):
        at.setdefault(a, []).append(number)
        at.setdefault(b, []).append(number)
    where = dict(zip(steps.ravel().tolist(), rows.ravel().tolist(), strict=True))
    ends = steps.tolist()
    left = set(range(len(ends)))
    starts = [here for here, meeting in at.items() if len(meeting) != 2 for _ in meeting]
    chains = []
    for here in starts + [ends[number][0] for number in range(len(ends))]:
        chain, taken = [here], []
        while True:
            following = next((number for number in at[here] if number in left), None)
            if following is None or (len(chain) > 1 and len(at[here]) != 2):
                break
            left.discard(following)
            taken.append(following)
            a, b = ends[following]
            here = b if a == here else a
            chain.append(here)
        if len(chain) > 1:
            chains.append(([where[p] for p in chain], taken))
        if not left:
            break
    return chains


_NOTHING = np.zeros(3)


def _fit_curve(
    line: Floats,
) -> tuple[Curve, Floats, Floats, Floats, tuple[float, float], tuple[float, float]]:
    """Line or circle through a polyline: kind, origin, axis, x axis, radii, span (see `EdgeTable`)."""
    length = float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())
    chord = line[-1] - line[0]
    reach = float(np.linalg.norm(chord))
    if reach > 0:
        direction = chord / reach
        off = line - line[0] - np.outer((line - line[0]) @ direction, direction)
        if np.abs(off).max() < 1e-4 * length:
            return Curve.LINE, line[0], direction, _NOTHING, (0.0, 0.0), (0.0, reach)
    if len(line) < 5:
        return Curve.OTHER, _NOTHING, _NOTHING, _NOTHING, (0.0, 0.0), (0.0, length)
    middle = line.mean(axis=0)
    axes = np.linalg.svd(line - middle, full_matrices=True)[2]
    flat = (line - middle) @ axes[:2].T
    centre, radius = _circle(flat)
    lift = np.abs((line - middle) @ axes[2]).max()
    if max(lift, np.abs(np.linalg.norm(flat - centre, axis=1) - radius).max()) > FIT_TOLERANCE * length:
        return Curve.OTHER, _NOTHING, _NOTHING, _NOTHING, (0.0, 0.0), (0.0, length)
    origin = middle + centre @ axes[:2]
    x_axis = (line[0] - origin) / np.linalg.norm(line[0] - origin)
    axis = np.cross(x_axis, line[1] - line[0])
    axis /= np.linalg.norm(axis)
    y_axis = np.cross(axis, x_axis)
    angle = np.unwrap(np.arctan2((line - origin) @ y_axis, (line - origin) @ x_axis))
    return Curve.CIRCLE, origin, axis, x_axis, (radius, radius), (0.0, math.degrees(float(angle[-1])))


def _sums(label: NDArray[np.integer], values: Floats, count: int) -> Floats:
    """The sum of the values under each label, (count,)."""
    return np.bincount(label, weights=values, minlength=count).astype(np.float64)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Floats = vectors / np.where(length > 0, length, 1)
    return unit
