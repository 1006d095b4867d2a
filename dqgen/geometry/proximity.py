"""The shortest distance between two sets of triangles, by a best-first walk through two trees of boxes."""

import heapq
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.extremes import nearest_on_triangles
from dqgen.schemas.design import Floats

LEAF = 16


@dataclass(frozen=True)
class Nearest:
    """Where two sets of triangles come nearest: a point on each (3,), and the triangles' rows."""

    points: tuple[Floats, Floats]
    triangles: tuple[int, int]

    @property
    def distance(self) -> float:
        """mm; 0 where they meet."""
        return float(np.linalg.norm(self.points[1] - self.points[0]))


class _Tree:
    """Boxes around triangles, halved along their longest side down to `LEAF` triangles."""

    def __init__(self, corners: Floats) -> None:
        self.corners = corners
        self.low: list[Floats] = []
        self.high: list[Floats] = []
        self.children: list[tuple[int, int] | None] = []
        self.rows: list[NDArray[np.int64]] = []
        self._middle = corners.mean(axis=1)
        self._least, self._most = corners.min(axis=1), corners.max(axis=1)
        self._grow(np.arange(len(corners)))

    def _grow(self, rows: NDArray[np.int64]) -> int:
        node = len(self.rows)
        self.low.append(self._least[rows].min(axis=0))
        self.high.append(self._most[rows].max(axis=0))
        self.children.append(None)
        self.rows.append(rows)
        if len(rows) > LEAF:
            axis = int(np.argmax(np.ptp(self._middle[rows], axis=0)))
            order = rows[np.argsort(self._middle[rows, axis], kind="stable")]
            half = len(order) // 2
            self.children[node] = (self._grow(order[:half]), self._grow(order[half:]))
        return node


def nearest(first: Floats, second: Floats) -> Nearest:
    """Where triangles (n, 3, 3) and (m, 3, 3) come nearest to each other."""
    one, two = _Tree(first), _Tree(second)
    best = np.inf
    found: Nearest | None = None
    queue: list[tuple[float, int, int]] = [(0.0, 0, 0)]
    while queue:
        bound, a, b = heapq.heappop(queue)
        if bound >= best:
            break
        below_a, below_b = one.children[a], two.children[b]
        if below_a is None and below_b is None:
            distance, result = _closest_pair(one.corners, one.rows[a], two.corners, two.rows[b])
            if distance < best:
                best, found = distance, result
            continue
        # The larger box is opened.
        open_a = below_b is None or (
            below_a is not None and np.ptp([one.low[a], one.high[a]]) >= np.ptp([two.low[b], two.high[b]])
        )
        pairs = [(k, b) for k in below_a or ()] if open_a else [(a, k) for k in below_b or ()]
        for k, m in pairs:
            gap = np.maximum(np.maximum(one.low[k] - two.high[m], two.low[m] - one.high[k]), 0.0)
            reach = float(np.sqrt(gap @ gap))
            if reach < best:
                heapq.heappush(queue, (reach, k, m))
    assert found is not None, "neither set of triangles is empty"
    return found


def _closest_pair(
    first: Floats, rows: NDArray[np.int64], second: Floats, others: NDArray[np.int64]
) -> tuple[float, Nearest]:
    i, j = (x.ravel() for x in np.meshgrid(rows, others, indexing="ij"))
    a, b = first[i], second[j]
    candidates: list[tuple[Floats, Floats]] = []
    for k in range(3):
        candidates.append((a[:, k], nearest_on_triangles(a[:, k], b)))
        candidates.append((nearest_on_triangles(b[:, k], a), b[:, k]))
        for m in range(3):
            candidates.append(_between_segments(a[:, k], a[:, (k + 1) % 3], b[:, m], b[:, (m + 1) % 3]))
        for p, q, other in ((a[:, k], a[:, (k + 1) % 3], b), (b[:, k], b[:, (k + 1) % 3], a)):
            meet = _through(p, q, other)
            candidates.append((meet, meet))
    p = np.stack([pair[0] for pair in candidates])
    q = np.stack([pair[1] for pair in candidates])
    gap = np.linalg.norm(p - q, axis=2)
    gap = np.where(np.isnan(gap), np.inf, gap)
    way, pair = np.unravel_index(int(gap.argmin()), gap.shape)
    points = (p[way, pair].copy(), q[way, pair].copy())
    return float(gap[way, pair]), Nearest(points, (int(i[pair]), int(j[pair])))


def _between_segments(p: Floats, p2: Floats, q: Floats, q2: Floats) -> tuple[Floats, Floats]:
    """Nearest points of segments (n, 3) each (C. Ericson, Real-Time Collision Detection, 5.1.9)."""
    d1, d2, r = p2 - p, q2 - q, p - q
    a, e, f = (np.einsum("ij,ij->i", x, y) for x, y in ((d1, d1), (d2, d2), (d2, r)))
    b, c = np.einsum("ij,ij->i", d1, d2), np.einsum("ij,ij->i", d1, r)
    tiny = 1e-300
    spread = a * e - b * b
    s = np.where(spread > 1e-14 * a * e, np.clip((b * f - c * e) / np.where(spread > tiny, spread, 1), 0, 1), 0.0)
    t = (b * s + f) / np.maximum(e, tiny)
    s = np.where(t < 0, -c / np.maximum(a, tiny), np.where(t > 1, (b - c) / np.maximum(a, tiny), s))
    s, t = np.clip(s, 0, 1), np.clip(t, 0, 1)
    return p + s[:, None] * d1, q + t[:, None] * d2


def _through(p: Floats, q: Floats, corners: Floats) -> Floats:
    """Where segments pass through triangles, NaN where they do not."""
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    way = np.einsum("ij,ij->i", normal, q - p)
    t = np.einsum("ij,ij->i", normal, a - p) / np.where(way != 0, way, np.inf)
    meet = p + t[:, None] * (q - p)
    inside = (way != 0) & (t >= 0) & (t <= 1)
    for u, v in ((a, b), (b, c), (c, a)):
        inside &= np.einsum("ij,ij->i", np.cross(v - u, meet - u), normal) >= 0
    return np.where(inside[:, None], meet, np.nan)
