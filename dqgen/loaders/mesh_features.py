"""Faces and edges of a bare triangle mesh: regions grown over flat joints, surfaces and curves fitted to them.

Everything found here is a fit and marked so: a mesh does not say what it approximates.
"""

import math

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from dqgen.geometry.conics import edge_parameters
from dqgen.geometry.surfaces import surface_numbers
from dqgen.geometry.tessellation import beside_steps, enclosed_volume, encloses, links, triangle_normals, unit, weld
from dqgen.loaders.mesh_absorption import absorbed
from dqgen.loaders.mesh_edges import mesh_edges
from dqgen.loaders.mesh_fits import fit_surface
from dqgen.loaders.mesh_slivers import without_slivers
from dqgen.schemas.design import FaceTable, Floats, Ints, Solid, Surface

SHARP_DEGREES = 25.0
"""Neighbouring triangles that turn by more than this meet at an edge; coarse cylinders of 16 sides turn by 22.5."""
FLAT_DEGREES = 0.2
"""Triangles that turn by less lie in one plane."""
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
    point = np.empty(len(own), dtype=np.int32)
    point[corners] = triangles
    vertices, triangles = own, corners
    edges, along, link_edge = mesh_edges(vertices, pairs, ends, points, face, normals, sharp_cosine)
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
        face_surface=surface_numbers(faces, float(np.abs(box).max()), fitted=True),
        edges=edges,
        step_vertices=beside_steps(along, edges.starts, triangles, pairs, ends, link_edge, point),
        step_parameter=edge_parameters(edges),
        bounds=box,
        volume=volume,
        bodies=_components(pairs, len(triangles))[0] if closed else 0,
        closed=encloses(vertices, triangles, volume),
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
    vertex_normals = unit(
        np.stack([_sums(corners, np.repeat(weighted[:, k], 3), len(vertices)) for k in range(3)], axis=1)
    )
    plane_normal = unit(total)
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
        fit = fit_surface(vertices[own], vertices[triangles[members]].mean(axis=1), normals[members], areas[members])
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


def _sums(label: NDArray[np.integer], values: Floats, count: int) -> Floats:
    """The sum of the values under each label, (count,)."""
    return np.bincount(label, weights=values, minlength=count).astype(np.float64)
