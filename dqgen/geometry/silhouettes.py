"""Silhouettes: where a bending face turns out of sight.

They are found on the triangulation, where the normal's component towards the viewer changes sign, and then moved onto
the exact contour: the lines of a cylinder or cone, the circle of a sphere, the contour of a torus.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from dqgen.geometry.bent_faces import BentFaces, Facets, turning
from dqgen.geometry.conics import parameters
from dqgen.geometry.contours import onto_contour
from dqgen.geometry.strips import INNER, OUTER, Strips, joined
from dqgen.geometry.tessellation import cross, squared_length, unit
from dqgen.geometry.torus_contours import BRANCHES, torus_circles
from dqgen.schemas.design import Curve, EdgeClass, Floats, Ints, Surface

STRAIGHT = 1e-3
"""Radians between the normals at both ends of a step below which the surface does not turn along it."""
FITTED_REACH = 0.3
"""Parts of its radius within which the triangles of a fitted surface do not hide its silhouette."""


def silhouettes(bent: BentFaces, rotation: Floats) -> Strips:
    """The silhouettes of a view as strips; their normals are the surface's own, on both sides.

    Args:
        bent: the faces that can have some.
        rotation: (3, 3) rows right, up and towards the viewer.
    """
    toward = rotation[2]
    facets = turning(bent, toward)
    ends_a, ends_b, weight, triangle = (
        np.concatenate(pair) for pair in zip(_crossings(facets), _touching(facets), strict=True)
    )
    # One step over a mesh edge that two triangles touch alike is enough.
    span = bent.first_vertex[-1] + 1
    number_a, number_b = facets.vertex.ravel()[ends_a], facets.vertex.ravel()[ends_b]
    key = np.minimum(number_a, number_b) * span + np.maximum(number_a, number_b)
    low, high = key.min(axis=1), key.max(axis=1)
    order = np.lexsort((high, low))  # stable: of several alike the first comes first
    first_of = np.ones(len(order), dtype=np.bool_)
    first_of[1:] = (np.diff(low[order]) != 0) | (np.diff(high[order]) != 0)
    unique = np.sort(order[first_of])
    unique = unique[low[unique] != high[unique]]
    ends_a, ends_b, weight, triangle, key = (x[unique] for x in (ends_a, ends_b, weight, triangle, key))
    w = weight[..., None]
    corner, normal = facets.points.reshape(-1, 3), facets.normals.reshape(-1, 3)
    points = corner[ends_a] * (1 - w) + corner[ends_b] * w
    normals = unit(normal[ends_a] * (1 - w) + normal[ends_b] * w)
    bulges = _slope(facets, triangle, toward) > 0
    face = facets.face[triangle]
    circles = torus_circles(bent, face, key, points, normals, toward)
    points, normals = onto_contour(bent, face, points, normals, toward)
    points[circles.rows], normals[circles.rows], bulges[circles.rows] = circles[3:]
    branch, conic = np.zeros(len(face), dtype=np.int64), np.zeros((len(face), 3, 3))
    branch[circles.rows], conic[circles.rows] = circles.branch, circles.conic
    sphere = bent.kind[face] == Surface.SPHERE
    conic[sphere, 0], conic[sphere, 1:] = (
        bent.origin[face[sphere]],
        bent.radius[face[sphere], None, None] * rotation[:2],
    )
    key = key * BRANCHES + branch[:, None]  # chains end where circles cross
    line = np.isin(bent.kind[face], (Surface.CYLINDER, Surface.CONE))
    rest = ~line
    return joined(
        [
            _lines(bent, face[line], key[line], points[line], normals[line], bulges[line], toward),
            _chained(
                bent,
                face[rest],
                key[rest],
                points[rest],
                normals[rest],
                bulges[rest],
                conic[rest],
                _widths(facets.points[triangle[rest]]),
            ),
        ]
    )


_Steps = tuple[NDArray[np.int64], NDArray[np.int64], Floats, NDArray[np.int64]]
"""Steps over triangles: two ends, each on the side between two corners (n, 2) and (n, 2), how far along it (n, 2), and
the triangle (n,). Corners are counted three a triangle."""


# By the signs at the corners of a triangle, a bit each: two sides that end in corners of different signs, if there are.
_SIDES = np.array([[0, 1], [0, 2], [0, 1], [1, 2], [1, 2], [0, 1], [0, 2], [0, 1]])
_AFTER = (_SIDES + 1) % 3


def _crossings(facets: Facets) -> _Steps:
    """Where the sign changes along two sides of a triangle."""
    positive, negative = facets.facing > 0, facets.facing < 0
    crossed = np.flatnonzero(positive.any(axis=1) & negative.any(axis=1))
    pattern = (~negative[crossed]) @ np.array([1, 2, 4])
    base = 3 * crossed[:, None]
    side, after = base + _SIDES[pattern], base + _AFTER[pattern]
    values, vertex = facets.facing.ravel(), facets.vertex.ravel()
    # From the lower vertex to the higher, so that neighbours agree to the last bit.
    swap = vertex[side] > vertex[after]
    side, after = np.where(swap, after, side), np.where(swap, side, after)
    g0, g1 = values[side], values[after]
    weight = g0 / (g0 - g1)
    return np.where(g1 == 0, after, side), np.where(g0 == 0, side, after), weight, crossed


def _touching(facets: Facets) -> _Steps:
    """The side of a triangle along which the surface is seen edge-on."""
    touched = np.flatnonzero((facets.facing == 0).sum(axis=1) == 2)
    apart = (facets.facing[touched] != 0).argmax(axis=1)
    ends = 3 * touched[:, None] + (apart[:, None] + [1, 2]) % 3
    return ends, ends, np.zeros(ends.shape), touched


def _slope(facets: Facets, triangle: NDArray[np.int64], toward: Floats) -> Floats:
    """How the component towards the viewer grows for a step towards the viewer in each triangle's plane."""
    points, facing = facets.points[triangle], facets.facing[triangle]
    u, v = points[:, 1] - points[:, 0], points[:, 2] - points[:, 0]
    du, dv = (facing[:, k] - facing[:, 0] for k in (1, 2))
    uu, vv, uv = (np.einsum("ij,ij->i", x, y) for x, y in ((u, u), (v, v), (u, v)))
    tu, tv = u @ toward, v @ toward
    # gradient · toward, by the inverse of the triangle's metric (its determinant is positive).
    slope: Floats = du * (vv * tu - uv * tv) + dv * (uu * tv - uv * tu)
    return slope


def _widths(points: Floats) -> Floats:
    """How wide triangles (n, 3, 3) are across their longest side, mm."""
    a, b, c = (points[:, k] for k in range(3))
    longest = np.sqrt(np.max([squared_length(b - a), squared_length(c - b), squared_length(a - c)], axis=0))
    doubled = np.sqrt(squared_length(cross(b - a, c - a)))
    width: Floats = doubled / np.where(longest > 0, longest, 1)
    return width


def _lines(
    bent: BentFaces,
    face: Ints,
    key: NDArray[np.int64],
    points: Floats,
    normals: Floats,
    bulges: NDArray[np.bool_],
    toward: Floats,
) -> Strips:
    """Steps (n, 2) on cylinders and cones joined to lines, from the lowest to the highest end of those that hang
    together on one side of the axis; at a cone's apex the lines of both sides meet."""
    axis = bent.axis[face]
    right = np.einsum("ij,ij->i", normals[:, 0], np.cross(axis, toward)) > 0
    nodes = np.unique(2 * key + right[:, None], return_inverse=True)[1].reshape(-1, 2)
    size = int(nodes.max(initial=-1)) + 1
    graph = coo_matrix((np.ones(len(nodes)), (nodes[:, 0], nodes[:, 1])), shape=(size, size))
    label = connected_components(graph, directed=False)[1][nodes[:, 0]] if size else np.zeros(0, dtype=np.int64)
    total = int(label.max(initial=-1)) + 1
    of = np.repeat(label, 2)
    height = np.einsum("ijk,ik->ij", points - bent.origin[face][:, None], axis).ravel()
    order = np.lexsort((height, of))
    begin = np.searchsorted(of[order], np.arange(total + 1))
    ends = np.stack([order[begin[:-1]], order[begin[1:] - 1]], axis=1).ravel()
    owner = face[ends[::2] // 2].astype(np.int64)
    outer = np.bincount(label, weights=np.where(bulges, 1.0, -1.0), minlength=total) > 0
    side = normals.reshape(-1, 3)[ends]
    bend = np.zeros(2 * total, dtype=np.int8)
    bend[::2] = np.where(outer, OUTER, INNER)
    near = np.where(bent.fitted, FITTED_REACH * np.maximum(bent.radius, bent.second), 0.0)[owner]
    return _strips(
        bent,
        owner,
        np.full(total, Curve.LINE, dtype=np.uint8),
        np.zeros((total, 3, 3)),
        2 * np.arange(total + 1),
        points.reshape(-1, 3)[ends],
        side,
        np.tile([0.0, 1.0], total),
        bend,
        np.zeros(2 * total),
        np.repeat(near, 2),
    )


def _chained(
    bent: BentFaces,
    face: Ints,
    key: NDArray[np.int64],
    points: Floats,
    normals: Floats,
    bulges: NDArray[np.bool_],
    conic: Floats,
    width: Floats,
) -> Strips:
    """Steps (n, 2) on other surfaces chained where they share an end; those with a conic (n, 3, 3) become circles.
    Each step lies in a triangle of a width (n,)."""
    steps, turned, begin = chains_of(key)
    total = len(begin) - 1
    counts = np.diff(begin) + 1
    starts = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
    of = np.repeat(np.arange(total), counts)
    owner = face[steps[begin[:-1]]].astype(np.int64)
    first = turned.astype(np.int64)
    at = np.arange(len(steps)) + np.repeat(np.arange(total), np.diff(begin))
    final = begin[1:] - 1
    line, side = np.zeros((starts[-1], 3)), np.zeros((starts[-1], 3))
    bend = np.zeros(starts[-1], dtype=np.int8)
    for whole, ends in ((line, points), (side, normals)):
        whole[at] = ends[steps, first]
        whole[starts[1:] - 1] = ends[steps[final], 1 - first[final]]
    bend[at] = np.where(bulges, OUTER, INNER)[steps]
    conic = conic[steps[begin[:-1]]]
    kind = np.where(conic.any(axis=(1, 2)), Curve.CIRCLE, Curve.OTHER).astype(np.uint8)
    # Triangles may rise above a surface that is hollow in some direction, by an eighth of their length times their
    # turn; above one without a formula in any case.
    rising = np.isin(bent.kind[owner], (Surface.OTHER, Surface.TORUS))[of]
    step = np.zeros(len(line))
    turn = np.zeros(len(line))
    step[:-1] = np.linalg.norm(np.diff(line, axis=0), axis=1)
    turn[:-1] = np.linalg.norm(np.diff(side, axis=0), axis=1)
    # Along a straight contour, as of a long fillet, it is the triangles' width that tells how far off they can be.
    straight = np.flatnonzero(turn[at] < STRAIGHT)
    step[at[straight]] = np.minimum(step[at[straight]], width[steps[straight]])
    step[starts[1:] - 1] = 0
    near = np.where(bent.fitted, FITTED_REACH * np.maximum(bent.radius, bent.second), 0.0)[owner][of]
    return _strips(
        bent,
        owner,
        kind,
        conic,
        starts,
        line,
        side,
        parameters(line, conic, kind, starts),
        bend,
        np.where(rising, step * np.maximum(turn, 0.1) / 8, 0.0),
        np.where(rising, 2 * step, near),
    )


def _strips(
    bent: BentFaces,
    owner: NDArray[np.int64],
    kind: NDArray[np.uint8],
    conic: Floats,
    starts: NDArray[np.int64],
    points: Floats,
    side: Floats,
    parameter: Floats,
    bend: NDArray[np.int8],
    sag: Floats,
    reach: Floats,
) -> Strips:
    """Contours as strips, given the face of each and the surface's normal at each point."""
    along = np.zeros((len(points), 2, 3), dtype=np.float32)
    along[:-1] = np.stack([side[:-1], side[1:]], axis=1)
    along[starts[1:] - 1] = 0
    rows = bent.row[owner]
    return Strips(
        leaf=bent.leaf[owner],
        edge=np.full(len(owner), -1, dtype=np.int32),
        faces=np.stack([rows, rows], axis=1),
        groups=np.stack([bent.group[owner]] * 2, axis=1),
        edge_class=np.full(len(owner), EdgeClass.SHARP, dtype=np.uint8),
        kind=kind,
        conic=conic,
        closed=bent.closed[owner],
        starts=starts.astype(np.int64),
        points=points,
        parameter=parameter,
        normals=np.stack([along, along], axis=1),
        bend=bend,
        sag=sag,
        reach=reach,
    )


class Chains(NamedTuple):
    """Steps chained end to end.

    Attributes:
        steps: (n,) rows of the steps, chain after chain.
        turned: (n,) whether each is taken from its second end to its first.
        starts: (C + 1,) where each chain begins in these.
    """

    steps: NDArray[np.int64]
    turned: NDArray[np.bool_]
    starts: NDArray[np.int64]


def chains_of(key: NDArray[np.int64]) -> Chains:
    """Steps chained where they share an end. Chains end where not exactly two steps meet; rings begin at their lowest
    step.

    Each step is two half steps, one a direction, and each half step knows the one after it. How far it is from its
    chain's end is found by doubling: as many rounds as the longest chain has binary digits.

    Args:
        key: (n, 2) numbers of each step's ends.
    """
    count = len(key)
    if not count:
        none = np.zeros(0, dtype=np.int64)
        return Chains(none, none.astype(np.bool_), np.zeros(1, dtype=np.int64))
    nodes = np.unique(key, return_inverse=True)[1].ravel()
    order = np.argsort(nodes, kind="stable")
    degree = np.bincount(nodes)
    pair = np.cumsum(degree)[degree == 2] - 2
    # The half step that meets each at its own node, -1 where the chain ends.
    partner = np.full(2 * count, -1, dtype=np.int64)
    partner[order[pair]], partner[order[pair + 1]] = order[pair + 1], order[pair]
    halves = np.arange(2 * count)
    step = halves // 2
    met = np.flatnonzero(partner >= 0)
    graph = coo_matrix((np.ones(len(met)), (step[met], step[partner[met]])), shape=(count, count))
    component = connected_components(graph, directed=False)[1]
    open_ = np.zeros(int(component.max()) + 1, dtype=np.bool_)
    open_[component[step[partner < 0]]] = True
    lowest = np.unique(component, return_index=True)[1]
    cut = 2 * lowest[~open_]
    partner[partner[cut]] = -1
    partner[cut] = -1
    after = partner[halves ^ 1]
    ahead = (after >= 0).astype(np.int64)
    after = np.where(after >= 0, after, halves)
    for _ in range(count.bit_length()):
        beyond = after[after]
        if (beyond == after).all():
            break
        ahead = ahead + ahead[after]
        after = beyond
    begin = after[halves ^ 1] ^ 1  # the half step that the chain through each begins with
    kept = np.flatnonzero(begin < after ^ 1)
    ring = ~open_[component[step[kept]]]
    kept = kept[np.lexsort((-ahead[kept], begin[kept], ring))]
    starts = np.flatnonzero(np.concatenate([[True], begin[kept[1:]] != begin[kept[:-1]], [True]]))
    return Chains(kept // 2, (kept % 2).astype(np.bool_), starts)
