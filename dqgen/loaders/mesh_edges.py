"""The edges of a mesh: where its faces meet, chained, with the lines and circles that they run along."""

import math
from itertools import pairwise

import numpy as np

from dqgen.loaders.mesh_fits import FIT_TOLERANCE, fitted_circle
from dqgen.schemas.design import Curve, EdgeClass, EdgeTable, Floats, Ints

_NOTHING = np.zeros(3)


def mesh_edges(
    vertices: Floats, pairs: Ints, ends: Ints, points: Ints, face: Ints, normals: Floats, sharp_cosine: float
) -> tuple[EdgeTable, Ints, Ints]:
    """Mesh edges between faces, chained into polylines where the same two faces meet in the same way.

    Args:
        vertices: (V, 3) mm.
        pairs, ends: from `links`, the ends rows of the vertices.
        points: (L, 2) numbers of the ends' points.
        face: (T,) of each triangle.
        normals: (T, 3) of each triangle.
        sharp_cosine: triangles whose normals have a smaller one meet at a sharp edge.

    Returns:
        The edges, the rows of the vertices along them, and the edge that each link is a part of (-1 for none).
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
    lines: list[list[int]] = []
    for start, stop in pairwise(cuts.tolist()):
        members = border[start:stop]
        for chain, steps in _chains(points[members], ends[members]):
            link_edge[members[steps]] = len(lines)
            lines.append(chain)
            rows.append((int(first[border[start]]), int(second[border[start]]), int(kinds[start])))
    fits = [_fit_curve(vertices[line]) for line in lines]
    along = np.array([row for line in lines for row in line], dtype=np.int32)
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
        points=vertices[along],
        starts=np.concatenate([[0], np.cumsum([len(line) for line in lines])]).astype(np.int32),
    )
    return edges, along, link_edge


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
    centre, radius = fitted_circle(flat)
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
