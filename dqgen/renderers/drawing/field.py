"""What already lies on paper, asked by those who want to lie there too: vectorised tests of lines, texts, arrows."""

import functools
import itertools
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.renderers.drawing.dimension import Drawn, Quad
from dqgen.renderers.drawing.display_list import Point, Stroke, flatten
from dqgen.schemas.design import Floats

Ends = tuple[Point, Point]
"""Of a straight line."""
HARD = 1000.0
"""Cost of a fault that lint would find."""
TEXT_MARGIN = 0.7
ARROW_CROSSED = 40.0
"""Of an arrow that a dimension line or leader crosses,"""
ARROW_TOUCHED = 6.0
"""that a witness line crosses."""
ALONGSIDE = 15.0
CLOSE = 0.9
"""mm within which a line of the geometry would run into a parallel one."""
LINE_CROSSED = 2.5
LENGTH_CROSSED = 1.5
"""Of a line of the geometry that a dimension line crosses,"""
LEADER_CROSSED = 1.3
"""that a leader crosses,"""
WITNESS_CROSSED = 0.25
"""that a witness line crosses."""


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

    @classmethod
    def joined(cls, many: list["Boxed"]) -> "Boxed":
        """All of several."""
        return cls(np.concatenate([one.rows for one in many]), np.concatenate([one.boxes for one in many], axis=1))

    def near(self, points: tuple[Point, ...]) -> NDArray[np.intp]:
        """Rows whose boxes meet the box around points."""
        xs, ys = [point[0] for point in points], [point[1] for point in points]
        left, bottom, right, top = self.boxes
        met = left <= max(xs)
        met &= right >= min(xs)
        met &= bottom <= max(ys)
        met &= top >= min(ys)
        rows: NDArray[np.intp] = met.nonzero()[0]
        return rows


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


def segments_in_quad(segments: Boxed, quad: Quad) -> int:
    """How many segments enter a rectangle."""
    near = segments.near(quad)
    return int(hits(segments.rows[near], np.array([quad])).sum()) if len(near) else 0


def quads_overlap(quads: Boxed, quad: Quad) -> int:
    """How many rectangles share ground with one."""
    near = quads.rows[quads.near(quad)]
    if not len(near):
        return 0
    own = np.array(quad)
    apart = np.zeros(len(near), dtype=bool)
    for axis in (own[1] - own[0], own[3] - own[0]):
        theirs, mine = near @ axis, own @ axis
        apart |= (theirs.max(axis=1) <= mine.min()) | (theirs.min(axis=1) >= mine.max())
    for k in (1, 3):
        axes = near[:, k] - near[:, 0]
        theirs = np.einsum("nij,nj->ni", near, axes)
        mines = np.einsum("ij,nj->ni", own, axes)
        apart |= (theirs.max(axis=1) <= mines.min(axis=1)) | (theirs.min(axis=1) >= mines.max(axis=1))
    return int((~apart).sum())


def crossings(boxed: Boxed, line: tuple[Point, Point]) -> int:
    """How many segments cross a line well within both."""
    segments = boxed.rows[boxed.near(line)]
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


@dataclass(frozen=True)
class _Shapes:
    """Drawn dimensions as arrays."""

    lines: Boxed
    witness: Boxed
    texts: Boxed
    arrows: Boxed
    lanes: Boxed

    @functools.cached_property
    def strokes(self) -> Boxed:
        """Lines and witness lines."""
        return Boxed.joined([self.lines, self.witness])

    @functools.cached_property
    def marks(self) -> Boxed:
        """Texts and arrows."""
        return Boxed.joined([self.texts, self.arrows])


def _shapes(drawn: Drawn) -> _Shapes:
    return _Shapes(
        Boxed.of(segments_of(drawn.lines)),
        Boxed.of(segments_of(drawn.witness)),
        Boxed.of(quads_of(text.quad() for text in drawn.texts)),
        Boxed.of(quads_of(arrow_quad(arrow.points) for arrow in drawn.arrows)),
        Boxed.of(quads_of([drawn.lane] if drawn.lane else [])),
    )


def quads_of(quads: Iterable[Quad]) -> Floats:
    """Rectangles as an array (n, 4, 2)."""
    return np.array(list(quads), dtype=np.float64).reshape(-1, 4, 2)


NOTHING = _Shapes(*(Boxed.of(np.zeros((0, 4))) for _ in range(2)), *(Boxed.of(np.zeros((0, 4, 2))) for _ in range(3)))


class _Standing:
    """A place for a dimension, and what it costs against the geometry, counted when first asked for.

    Attributes:
        drawn: the dimension there; kept, so that no other gets its identity.
        texts, arrows: rectangles of texts with room around them, and of arrowheads.
        lines, witness: (n, 4) segments of each kind.
    """

    def __init__(self, drawn: Drawn, geometry: Boxed, fixed: Boxed) -> None:
        self.drawn = drawn
        self._geometry, self._fixed = geometry, fixed

    @functools.cached_property
    def texts(self) -> list[Quad]:
        return [text.quad(TEXT_MARGIN) for text in self.drawn.texts]

    @functools.cached_property
    def arrows(self) -> list[Quad]:
        return [arrow_quad(arrow.points) for arrow in self.drawn.arrows]

    @functools.cached_property
    def lines(self) -> Floats:
        return segments_of(self.drawn.lines)

    @functools.cached_property
    def witness(self) -> Floats:
        return segments_of(self.drawn.witness)

    @functools.cached_property
    def line_ends(self) -> list[Ends]:
        return _ends(self.lines)

    @functools.cached_property
    def witness_ends(self) -> list[Ends]:
        return _ends(self.witness)

    @functools.cached_property
    def text_faults(self) -> float:
        """Of texts on what may not be written on."""
        return HARD * sum(
            quads_overlap(self._fixed, quad) + segments_in_quad(self._geometry, quad) for quad in self.texts
        )

    @functools.cached_property
    def line_cost(self) -> float:
        """Of lines over texts that lie still, along the geometry and across it."""
        faults = 0
        if len(self._fixed.rows) and len(self.lines) + len(self.witness):
            faults = int(hits(np.concatenate([self.lines, self.witness]), self._fixed.rows).sum())
        crossed = LENGTH_CROSSED if self.drawn.lane is not None else LEADER_CROSSED
        return (
            HARD * faults
            + ALONGSIDE * sum(_alongside(self._geometry, row) for row in self.lines)
            + crossed * sum(crossings(self._geometry, ends) for ends in self.line_ends)
            + WITNESS_CROSSED * sum(crossings(self._geometry, ends) for ends in self.witness_ends)
        )


def _ends(segments: Floats) -> list[Ends]:
    return [((a, b), (c, d)) for a, b, c, d in segments.tolist()]


def _alongside(geometry: Boxed, row: Floats) -> int:
    """How many lines of the geometry run close along a segment (4,)."""
    a, b = row[:2], row[2:]
    length = float(np.hypot(*(b - a)))
    if length < 2.0:
        return 0
    along = (b - a) / length
    across = np.array([-along[1], along[0]]) * CLOSE
    a, b = a + along * 0.8, b - along * 0.8
    corners = [(float(x), float(y)) for x, y in (a - across, b - across, b + across, a + across)]
    near = geometry.rows[geometry.near(tuple(corners))]
    if not len(near):
        return 0
    steps = near[:, 2:] - near[:, :2]
    sizes = np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-12)
    parallel = np.abs(steps[:, 0] * along[1] - steps[:, 1] * along[0]) < 0.15 * sizes
    return int(hits(near[parallel], np.array([corners])).sum())


class Field:
    """Geometry that lies still, and dimensions that come and go."""

    def __init__(self, geometry: Floats, fixed: Floats | None = None) -> None:
        """
        Args:
            geometry: (n, 4) segments of the view's lines, which texts must not touch.
            fixed: (n, 4, 2) rectangles where nothing may be written.
        """
        self._geometry = Boxed.of(geometry)
        self._fixed = Boxed.of(np.zeros((0, 4, 2)) if fixed is None else fixed)
        self._drawn: dict[str, _Shapes] = {}
        self._all: _Shapes | None = None
        self._known: dict[int, _Standing] = {}

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
        own = self._standing(drawn)
        total = drawn.cost + own.text_faults
        if total > limit:
            return total
        total += own.line_cost
        if total > limit:
            return total
        others = self._others()
        for quad in own.texts:
            total += HARD * (quads_overlap(others.marks, quad) + segments_in_quad(others.strokes, quad))
            if total > limit:
                return total
        if drawn.lane is not None:
            total += HARD * quads_overlap(others.lanes, drawn.lane)
        for quad in own.arrows:
            total += HARD * quads_overlap(others.marks, quad)
            total += ARROW_CROSSED * segments_in_quad(others.lines, quad)
            total += ARROW_TOUCHED * segments_in_quad(others.witness, quad)
        if total > limit:
            return total
        lines, witness = own.lines, own.witness
        if len(others.texts.rows) and len(lines) + len(witness):
            total += HARD * int(hits(np.concatenate([lines, witness]), others.texts.rows).sum())
        if len(others.arrows.rows):
            total += ARROW_CROSSED * int(hits(lines, others.arrows.rows).sum())
            total += ARROW_TOUCHED * int(hits(witness, others.arrows.rows).sum())
        if total > limit:
            return total
        for ends in own.line_ends:
            total += LINE_CROSSED * crossings(others.strokes, ends)
        for ends in own.witness_ends:
            total += LINE_CROSSED * crossings(others.lines, ends)
        return total

    def _standing(self, drawn: Drawn) -> "_Standing":
        """What is known of a dimension as long as the geometry lies still: places are asked about again and again."""
        known = self._known.get(id(drawn))
        if known is None:
            known = self._known[id(drawn)] = _Standing(drawn, self._geometry, self._fixed)
        return known

    def _others(self) -> _Shapes:
        if self._all is None:
            shapes = [NOTHING, *self._drawn.values()]
            self._all = _Shapes(
                *(
                    Boxed.joined([getattr(shape, name) for shape in shapes])
                    for name in ("lines", "witness", "texts", "arrows", "lanes")
                )
            )
        return self._all
