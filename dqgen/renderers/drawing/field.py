"""What already lies on paper, asked by those who want to lie there too: vectorised tests of lines, texts, arrows."""

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dqgen.renderers.drawing.dimension import Drawn, Quad
from dqgen.renderers.drawing.display_list import Point, Stroke, flatten
from dqgen.schemas.design import Floats

HARD = 1000.0
"""Cost of a fault that lint would find."""
TEXT_MARGIN = 0.7
ARROW_CROSSED = 40.0
LINE_CROSSED = 2.5
GEOMETRY_CROSSED = 0.5
WITNESS_CROSSED = 0.25


def segments_of(strokes: Iterable[Stroke], tolerance: float = 0.1) -> Floats:
    """The straight pieces (n, 4) of strokes: x0, y0, x1, y1."""
    rows = []
    for stroke in strokes:
        points = flatten(stroke, tolerance)
        rows += [(*a, *b) for a, b in itertools.pairwise(points)]
    return np.array(rows, dtype=np.float64).reshape(-1, 4)


def hits(segments: Floats, quads: Floats) -> NDArray[np.bool_]:
    """Which segments (m, 4) enter which rectangles (n, 4, 2): (m, n)."""
    origin = quads[:, 0]
    axes = quads[:, (1, 3)] - origin[:, None]
    sizes = np.sqrt((axes**2).sum(axis=2))
    axes = axes / np.maximum(sizes, 1e-12)[:, :, None]
    start = np.einsum("mnj,nkj->mnk", segments[:, None, :2] - origin, axes)
    step = np.einsum("mj,nkj->mnk", segments[:, 2:] - segments[:, :2], axes)
    step = np.where(np.abs(step) < 1e-12, 1e-12, step)
    t0, t1 = -start / step, (sizes - start) / step
    first = np.maximum(np.minimum(t0, t1).max(axis=2), 0.0)
    last = np.minimum(np.maximum(t0, t1).min(axis=2), 1.0)
    entered: NDArray[np.bool_] = first < last
    return entered


def segments_in_quad(segments: Floats, quad: Quad) -> int:
    """How many segments enter a rectangle."""
    xs, ys = [point[0] for point in quad], [point[1] for point in quad]
    near = (
        (np.minimum(segments[:, 0], segments[:, 2]) <= max(xs))
        & (np.maximum(segments[:, 0], segments[:, 2]) >= min(xs))
        & (np.minimum(segments[:, 1], segments[:, 3]) <= max(ys))
        & (np.maximum(segments[:, 1], segments[:, 3]) >= min(ys))
    )
    if not near.any():
        return 0
    return int(hits(segments[near], np.array([quad])).sum())


def quads_overlap(quads: Floats, quad: Quad) -> int:
    """How many rectangles (n, 4, 2) share ground with one."""
    if not len(quads):
        return 0
    own = np.array(quad)
    apart = np.zeros(len(quads), dtype=bool)
    for axis in (own[1] - own[0], own[3] - own[0]):
        theirs, mine = quads @ axis, own @ axis
        apart |= (theirs.max(axis=1) <= mine.min()) | (theirs.min(axis=1) >= mine.max())
    for k in (1, 3):
        axes = quads[:, k] - quads[:, 0]
        theirs = np.einsum("nij,nj->ni", quads, axes)
        mines = np.einsum("ij,nj->ni", own, axes)
        apart |= (theirs.max(axis=1) <= mines.min(axis=1)) | (theirs.min(axis=1) >= mines.max(axis=1))
    return int((~apart).sum())


def crossings(segments: Floats, line: tuple[Point, Point]) -> int:
    """How many segments cross a line well within both."""
    if not len(segments):
        return 0
    p, r = np.array(line[0]), np.array(line[1]) - np.array(line[0])
    q, s = segments[:, :2], segments[:, 2:] - segments[:, :2]
    cross = r[0] * s[:, 1] - r[1] * s[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        gap = q - p
        t = (gap[:, 0] * s[:, 1] - gap[:, 1] * s[:, 0]) / cross
        u = (gap[:, 0] * r[1] - gap[:, 1] * r[0]) / cross
    inside = (t > 1e-3) & (t < 1 - 1e-3) & (u > 1e-3) & (u < 1 - 1e-3) & (np.abs(cross) > 1e-9)
    return int(inside.sum())


def arrow_quad(points: tuple[Point, ...]) -> Quad:
    """The rectangle of an arrowhead's body, its very tip left out: lines may end there."""
    tip, a, b = (np.array(point) for point in points[:3])
    back = (a + b) / 2
    front = tip + 0.25 * (back - tip)
    half = (a - b) / 2
    corners = (back - half, front - half, front + half, back + half)
    w, x, y, z = ((float(corner[0]), float(corner[1])) for corner in corners)
    return w, x, y, z


@dataclass
class _Shapes:
    """A drawn dimension as arrays."""

    lines: Floats
    witness: Floats
    texts: Floats
    arrows: Floats
    lanes: Floats


def _shapes(drawn: Drawn) -> _Shapes:
    return _Shapes(
        segments_of(drawn.lines),
        segments_of(drawn.witness),
        _quads(text.quad() for text in drawn.texts),
        _quads(arrow_quad(arrow.points) for arrow in drawn.arrows),
        _quads([drawn.lane] if drawn.lane else []),
    )


def _quads(quads: Iterable[Quad]) -> Floats:
    return np.array(list(quads), dtype=np.float64).reshape(-1, 4, 2)


@dataclass
class Field:
    """Geometry that lies still, and dimensions that come and go.

    Attributes:
        geometry: (n, 4) segments of the view's lines, which texts must not touch.
        fixed: (n, 4, 2) rectangles where nothing may be written.
    """

    geometry: Floats
    fixed: Floats
    _drawn: dict[str, _Shapes] = field(default_factory=dict)
    _all: _Shapes | None = None

    def add(self, drawn: Drawn) -> None:
        """Put a dimension down."""
        self._drawn[drawn.label.id] = _shapes(drawn)
        self._all = None

    def remove(self, drawn: Drawn) -> None:
        """Take a dimension away."""
        del self._drawn[drawn.label.id]
        self._all = None

    def cost(self, drawn: Drawn, limit: float = np.inf) -> float:
        """What it costs to lie where this one would: its own cost, crossings, and a thousand for each fault.

        Stops counting above `limit`.
        """
        total = drawn.cost
        others = self._others()
        for text in drawn.texts:
            quad = text.quad(TEXT_MARGIN)
            total += HARD * quads_overlap(others.texts, quad)
            total += HARD * quads_overlap(others.arrows, quad)
            total += HARD * quads_overlap(self.fixed, quad)
            if total > limit:
                return total
            total += HARD * segments_in_quad(self.geometry, quad)
            total += HARD * (segments_in_quad(others.lines, quad) + segments_in_quad(others.witness, quad))
            if total > limit:
                return total
        if drawn.lane is not None:
            total += HARD * quads_overlap(others.lanes, drawn.lane)
        for arrow in drawn.arrows:
            quad = arrow_quad(arrow.points)
            total += HARD * (quads_overlap(others.arrows, quad) + quads_overlap(others.texts, quad))
            total += ARROW_CROSSED * (segments_in_quad(others.lines, quad) + segments_in_quad(others.witness, quad))
        if total > limit:
            return total
        lines, witness = segments_of(drawn.lines), segments_of(drawn.witness)
        own = np.concatenate([lines, witness])
        if len(own):
            total += HARD * int(hits(own, others.texts).sum()) + ARROW_CROSSED * int(hits(own, others.arrows).sum())
            total += HARD * int(hits(own, self.fixed).sum())
        if total > limit:
            return total
        for row in lines:
            total += self._line_cost(row, others, LINE_CROSSED, LINE_CROSSED, GEOMETRY_CROSSED)
        for row in witness:
            total += self._line_cost(row, others, LINE_CROSSED, 0.0, WITNESS_CROSSED)
        return total

    def _line_cost(self, row: Floats, others: _Shapes, line: float, witness: float, geometry: float) -> float:
        ends = ((float(row[0]), float(row[1])), (float(row[2]), float(row[3])))
        total = line * crossings(others.lines, ends)
        if witness:
            total += witness * crossings(others.witness, ends)
        if geometry:
            total += geometry * crossings(self.geometry, ends)
        return total

    def _others(self) -> _Shapes:
        if self._all is None:
            shapes = list(self._drawn.values())
            empty = _Shapes(np.zeros((0, 4)), np.zeros((0, 4)), *(np.zeros((0, 4, 2)) for _ in range(3)))
            shapes.append(empty)
            self._all = _Shapes(
                *(
                    np.concatenate([getattr(shape, name) for shape in shapes])
                    for name in ("lines", "witness", "texts", "arrows", "lanes")
                )
            )
        return self._all
