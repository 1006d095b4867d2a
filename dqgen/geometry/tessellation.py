"""What any triangulation needs, whatever it came from: welded vertices and links between triangles."""

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats, Ints


def weld(vertices: Floats, tolerance: float) -> NDArray[np.int64]:
    """Number the distinct points.

    Args:
        vertices: (V, 3) mm.
        tolerance: points in the same cell of this size (mm) count as one; 0 for equal coordinates only.

    Returns:
        (V,) number of each vertex's point.
    """
    keys = _packed(vertices, tolerance)
    if keys is None:
        cells = np.round(vertices / tolerance).astype(np.int64) if tolerance else (vertices + 0.0).view(np.int64)
        # Sorting one mix of the three is far faster than sorting all three, if no two cells mix alike.
        mixed = (
            cells[:, 0] * np.int64(73856093)
            ^ cells[:, 1] * np.int64(19349663 << 11)
            ^ cells[:, 2] * np.int64(83492791 << 23)
        )
        order, new = _changes(cells, np.argsort(mixed))
        if (mixed[order][1:] == mixed[order][:-1])[new[1:]].any():
            order, new = _changes(cells, np.lexsort((cells[:, 2], cells[:, 1], cells[:, 0])))
    else:
        order = np.argsort(keys)  # not stable, and need not be: equal keys get equal numbers
        new = np.ones(len(order), dtype=bool)
        keys = keys[order]
        np.not_equal(keys[1:], keys[:-1], out=new[1:])
    number = np.empty(len(order), dtype=np.int64)
    number[order] = np.cumsum(new) - 1
    return number


def _changes(cells: NDArray[np.int64], order: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """The order, and where in it a cell differs from the one before."""
    ordered = cells[order]
    new = np.ones(len(order), dtype=bool)
    new[1:] = (
        (ordered[1:, 0] != ordered[:-1, 0]) | (ordered[1:, 1] != ordered[:-1, 1]) | (ordered[1:, 2] != ordered[:-1, 2])
    )
    return order, new


def _packed(vertices: Floats, tolerance: float) -> NDArray[np.int64] | None:
    """Each vertex's cell as one number, 21 bits an axis, which sorts far faster than three; None if they are more."""
    keys = np.zeros(len(vertices), dtype=np.int64)
    for column in vertices.T if tolerance else ():
        low = column.min(initial=np.inf)
        cells = np.round((column - low) / tolerance)
        if not cells.max(initial=0) < 1 << 21:  # too many, or not a number
            return None
        keys <<= 21
        keys |= cells.astype(np.int64)
    return keys if tolerance else None


def links(triangles: Ints, point: NDArray[np.int64]) -> tuple[Ints, Ints]:
    """Pair the triangles that share a mesh edge.

    Args:
        triangles: (T, 3) rows of the vertices.
        point: (V,) number of each vertex's point, from `weld`.

    Returns:
        (L, 2) pairs of triangles, the second -1 where an edge has one only, and (L, 2) the ends of the edge as rows
        of the vertices (of the first triangle). Where more than two triangles meet, they are paired in order.
    """
    count = len(triangles)
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner = np.tile(np.arange(count, dtype=np.int32), 3)
    a, b = point[ends[:, 0]], point[ends[:, 1]]
    proper = a != b
    ends, owner, a, b = ends[proper], owner[proper], a[proper], b[proper]
    edge = np.minimum(a, b) * np.int64(point.max(initial=0) + 1) + np.maximum(a, b)
    order = np.argsort(edge, kind="stable")
    edge = edge[order]
    first = np.ones(len(edge), dtype=bool)
    first[1:] = edge[1:] != edge[:-1]
    start = np.maximum.accumulate(np.where(first, np.arange(len(edge)), 0))
    lead = np.flatnonzero((np.arange(len(edge)) - start) % 2 == 0)
    follows = np.append(~first, False)[lead + 1]
    pairs = np.full((len(lead), 2), -1, dtype=np.int32)
    pairs[:, 0] = owner[order[lead]]
    pairs[follows, 1] = owner[order[lead[follows] + 1]]
    return pairs, ends[order[lead]].astype(np.int32)


def beside_steps(
    along: NDArray[np.integer],
    starts: Ints,
    triangles: Ints,
    pairs: Ints,
    ends: Ints,
    link_edge: Ints,
    point: NDArray[np.integer],
) -> Ints:
    """The vertices beside each step of edges (P, 2, 2); see `Solid.step_vertices`.

    Args:
        along: (P,) rows of the vertices that the edges' polylines run along, -1 for a point that is none.
        starts: (E + 1,) where each polyline begins in these.
        triangles: (T, 3) rows of the vertices.
        pairs, ends: from `links`.
        link_edge: (L,) the edge that each link is a part of, -1 for none.
        point: (V,) number of each vertex's point, from `weld`.
    """
    beside = np.full((len(along), 2, 2), -1, dtype=np.int32)
    on_edge = np.flatnonzero(link_edge >= 0)
    if not len(on_edge) or len(along) < 2:
        return beside
    edge = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    at = np.where(along >= 0, point[along], -1)
    steps = np.flatnonzero((edge[1:] == edge[:-1]) & (at[1:] >= 0) & (at[:-1] >= 0))
    span = np.int64(point.max() + 1)

    def keys(of: NDArray[np.integer], a: NDArray[np.integer], b: NDArray[np.integer]) -> NDArray[np.int64]:
        result: NDArray[np.int64] = (of.astype(np.int64) * span + np.minimum(a, b)) * span + np.maximum(a, b)
        return result

    link_keys = keys(link_edge[on_edge], point[ends[on_edge, 0]], point[ends[on_edge, 1]])
    order = np.argsort(link_keys, kind="stable")
    wanted = keys(edge[steps], at[steps], at[steps + 1])
    place = np.minimum(np.searchsorted(link_keys[order], wanted), len(order) - 1)
    hit = link_keys[order[place]] == wanted
    steps, link = steps[hit], on_edge[order[place[hit]]]
    first = ends[link]
    turned = (point[first[:, 0]] != at[steps])[:, None]
    first = np.where(turned, first[:, ::-1], first)
    corners = triangles[pairs[link, 1]]
    row = np.arange(len(corners))
    second = np.stack(
        [corners[row, (point[corners] == at[end][:, None]).argmax(axis=1)] for end in (steps, steps + 1)], axis=1
    )
    second = np.where(pairs[link, 1, None] < 0, first, second)
    # The link's ends run as in its first triangle, which therefore is on the left of them.
    beside[steps] = np.where(turned[..., None], np.stack([second, first], 1), np.stack([first, second], 1))
    return beside


def triangle_normals(vertices: Floats, triangles: Ints) -> tuple[Floats, Floats]:
    """Unit normals (T, 3), zero for a triangle without area, and areas (T,) in mm²."""
    a, b, c = (vertices[triangles[:, i]] for i in range(3))
    across = cross(b - a, c - a)
    length = np.sqrt(squared_length(across))
    return across / np.where(length > 0, length, 1)[:, None], length / 2


def enclosed_volume(vertices: Floats, triangles: Ints) -> float:
    """Volume in mm³ of a closed, outward-facing triangulation, by the divergence theorem."""
    origin = vertices.mean(axis=0) if len(vertices) else np.zeros(3)
    corners = np.ascontiguousarray(triangles.T)
    columns = np.ascontiguousarray((vertices - origin).T)
    (ax, bx, cx), (ay, by, cy), (az, bz, cz) = (column[corners] for column in columns)
    return float(np.sum(ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6)


def squared_length(vectors: Floats) -> Floats:
    """Of vectors (n, 3): (n,)."""
    squares: Floats = np.einsum("ij,ij->i", vectors, vectors)
    return squares


def unit(vectors: NDArray[np.floating]) -> Floats:
    """Vectors (..., n) of length 1, zero where they have none."""
    length = np.sqrt(np.einsum("...i,...i->...", vectors, vectors))[..., None]
    scaled: Floats = vectors / np.where(length > 0, length, 1)
    return scaled


def cross(first: Floats, second: Floats) -> Floats:
    """Cross products (n, 3); numpy's own takes twice the time and memory."""
    result = np.empty_like(first)
    for i, j, k in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
        np.multiply(first[:, j], second[:, k], out=result[:, i])
        result[:, i] -= first[:, k] * second[:, j]
    return result


def encloses(vertices: Floats, triangles: Ints, volume: float) -> bool:
    """Whether triangles enclose a volume in mm³ from outside, so that none is ever seen from behind."""
    return volume > 0 and 0.9 < enclosed_volume(vertices, triangles) / volume < 1.1
