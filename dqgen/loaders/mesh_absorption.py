"""Slivers of a round surface taken back into it: where a hole cuts a cylinder, long triangles fan out at angles."""

import heapq

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import FaceTable, Floats, Ints, Surface

CLOSE = 1e-4
"""A vertex lies on a surface if it misses it by less than this part of the surface's radius."""
RISE = 1.5
"""Triangles of a surface may bridge it by this many times what the region's own do at most."""
_ROUND = (Surface.CYLINDER, Surface.CONE, Surface.SPHERE)


def absorbed(vertices: Floats, triangles: Ints, face: Ints, table: FaceTable, pairs: Ints) -> Ints:
    """The face of each triangle (T,), numbered anew without gaps, after round faces have taken in smaller neighbours
    that lie on them, the largest face first.

    Args:
        vertices: (V, 3) mm.
        triangles: (T, 3) rows of these.
        face: (T,) the face of each.
        table: the faces.
        pairs: (n, 2) triangles that meet without a sharp edge.
    """
    count = len(table)
    members = np.split(np.argsort(face, kind="stable"), np.cumsum(np.bincount(face, minlength=count))[:-1])
    beside: list[set[int]] = [set() for _ in range(count)]
    for a, b in np.unique(face[pairs], axis=0).tolist():
        if a != b:
            beside[a].add(b)
            beside[b].add(a)
    owner = np.arange(count)
    round_ = np.flatnonzero(np.isin(table.kind, _ROUND))
    for row in sorted(round_.tolist(), key=lambda row: (-table.area[row], row)):
        if owner[row] != row or not beside[row]:
            continue
        own = _misses(vertices, triangles[members[row]], table, row)[1].max()
        queue = sorted(beside[row])
        asked = {row, *queue}
        while queue:
            other = heapq.heappop(queue)
            if owner[other] != other or table.area[other] > table.area[row]:
                continue
            at_corners, between = _misses(vertices, triangles[members[other]], table, row)
            if at_corners.max() > CLOSE * table.radius[row] or between.max() > RISE * own:
                continue
            owner[other] = row
            for further in beside[other] - asked:
                asked.add(further)
                heapq.heappush(queue, further)
    return np.unique(owner[face], return_inverse=True)[1].astype(np.int32)


def _misses(vertices: Floats, triangles: Ints, table: FaceTable, row: int) -> tuple[Floats, Floats]:
    """How far the corners of triangles, and the middles of their sides, lie off a face's surface."""
    corners = vertices[triangles]
    middles = (corners + np.roll(corners, -1, axis=1)) / 2
    return _distance(corners.reshape(-1, 3), table, row), _distance(middles.reshape(-1, 3), table, row)


def _distance(points: Floats, table: FaceTable, row: int) -> NDArray[np.float64]:
    offset = points - table.origin[row]
    height = offset @ table.axis[row]
    across = np.linalg.norm(offset - np.outer(height, table.axis[row]), axis=1)
    half = np.radians(table.second[row]) if table.kind[row] == Surface.CONE else 0.0
    distance: NDArray[np.float64] = np.abs(across - table.radius[row] - height * np.tan(half)) * np.cos(half)
    return distance
