"""What meets what on paper: vectorised tests of straight pieces of lines and of rectangles."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.renderers.drawing.dimension import Quad
from dqgen.renderers.drawing.display_list import Point, Stroke, flatten
from dqgen.schemas.design import Floats

Rows = NDArray[np.intp]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Boxed:
    """Segments (n, 4) or rectangles (n, 4, 2) with the boxes (4, n) around them: least x, y, greatest x, y."""

    rows: Floats
    boxes: Floats

    @classmethod
    def of(cls, rows: Floats) -> "Boxed":
        """With their boxes."""
        points = rows.reshape(len(rows), 2 if rows.ndim == 2 else 4, 2)
        return cls(rows, np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1).T.copy())

    def near(self, points: tuple[Point, ...]) -> Rows:
        """Rows whose boxes meet the box around points."""
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        left, bottom, right, top = self.boxes
        met = left <= max(xs)
        met &= right >= min(xs)
        met &= bottom <= max(ys)
        met &= top >= min(ys)
        rows: Rows = met.nonzero()[0]
        return rows


def near(own: Floats, other: Floats) -> tuple[Rows, Rows]:
    """The pairs of rows of two tables of boxes, (4, m) and (4, n), that meet."""
    met = own[0][:, None] <= other[2]
    met &= own[2][:, None] >= other[0]
    met &= own[1][:, None] <= other[3]
    met &= own[3][:, None] >= other[1]
    own_rows, other_rows = np.divmod(np.flatnonzero(met), max(other.shape[1], 1))
    return own_rows, other_rows


def segments_of(strokes: Iterable[Stroke], tolerance: float = 0.1) -> Floats:
    """The straight pieces (n, 4) of strokes: x0, y0, x1, y1."""
    rows = []
    for stroke in strokes:
        points = flatten(stroke, tolerance)
        rows += [(*a, *b) for a, b in itertools.pairwise(points)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def quads_of(quads: Iterable[Quad]) -> Floats:
    """Rectangles as an array (n, 4, 2)."""
    return np.array(list(quads), dtype=np.float64).reshape(-1, 4, 2)


def entered(segments: Floats, quads: Floats) -> Mask:
    """Whether each segment (n, 4) enters its rectangle (n, 4, 2)."""
    origin = quads[:, 0]
    axes = quads[:, (1, 3)] - origin[:, None]
    sizes = np.sqrt((axes**2).sum(axis=2))
    axes = axes / np.maximum(sizes, 1e-12)[:, :, None]
    start = np.einsum("nj,nkj->nk", segments[:, :2] - origin, axes)
    step = np.einsum("nj,nkj->nk", segments[:, 2:] - segments[:, :2], axes)
    step = np.where(np.abs(step) < 1e-12, 1e-12, step)
    t0, t1 = -start / step, (sizes - start) / step
    first = np.maximum(np.minimum(t0, t1).max(axis=1), 0.0)
    last = np.minimum(np.maximum(t0, t1).min(axis=1), 1.0)
    inside: Mask = first < last
    return inside


def overlapping(one: Floats, other: Floats) -> Mask:
    """Whether each rectangle (n, 4, 2) shares ground with its fellow (n, 4, 2)."""
    apart = np.zeros(len(one), dtype=bool)
    for turned, still in ((one, other), (other, one)):
        for corner in (1, 3):
            axis = (turned[:, corner] - turned[:, 0])[:, :, None]
            a, b = (turned @ axis)[:, :, 0], (still @ axis)[:, :, 0]
            apart |= (b.max(axis=1) <= a.min(axis=1)) | (b.min(axis=1) >= a.max(axis=1))
    return ~apart


def crossing(one: Floats, other: Floats) -> Mask:
    """Whether each segment (n, 4) crosses its fellow (n, 4) well within both."""
    r, s = one[:, 2:] - one[:, :2], other[:, 2:] - other[:, :2]
    gap = other[:, :2] - one[:, :2]
    cross = r[:, 0] * s[:, 1] - r[:, 1] * s[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        t = (gap[:, 0] * s[:, 1] - gap[:, 1] * s[:, 0]) / cross
        u = (gap[:, 0] * r[:, 1] - gap[:, 1] * r[:, 0]) / cross
    within: Mask = (t > 1e-3) & (t < 1 - 1e-3) & (u > 1e-3) & (u < 1 - 1e-3) & (np.abs(cross) > 1e-9)
    return within


def segments_in_quad(segments: Boxed, quad: Quad) -> int:
    """How many segments enter a rectangle."""
    rows = segments.near(quad)
    return int(entered(segments.rows[rows], _repeated(quad, len(rows))).sum()) if len(rows) else 0


def quads_overlap(quads: Boxed, quad: Quad) -> int:
    """How many rectangles share ground with one."""
    rows = quads.near(quad)
    return int(overlapping(quads.rows[rows], _repeated(quad, len(rows))).sum()) if len(rows) else 0


def _repeated(quad: Quad, count: int) -> Floats:
    return np.broadcast_to(np.array(quad), (count, 4, 2))
