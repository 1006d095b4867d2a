"""What is drawn on a page, as straight segments, round loops, boxes, triangles and arrowheads."""

import itertools
import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats, Ints
from dqgen.schemas.sheet import POINTS_OF, Page, PathTable, Verb
from dqgen.sheets import shapes
from dqgen.sheets.shapes import CLOUD, LARGEST_SIGN, Arrow, Box, Loop, Point

MOST_LOOPS = 30_000
MOST_CORNERS = 400  # of a closed line that may be a sign
SMALLEST = 0.15  # mm across


@dataclass(frozen=True)
class Strokes:
    """Geometry of a page's visible paths in mm.

    Attributes:
        segments: (S, 4) x0, y0, x1, y1 of straight stroked pieces.
        paths: (S,) row of the path table that each belongs to.
        loops: round loops.
        arrows: filled arrowheads, and open ones of two barbs.
        boxes: (B, 4) upright rectangles.
        triangles: (T, 3, 2) corners of closed triangles that are no arrowheads.
        clouds: (C, 4) boxes of closed chains of many arcs that bulge.
    """

    segments: Floats
    paths: Ints
    loops: tuple[Loop, ...]
    arrows: tuple[Arrow, ...]
    boxes: Floats
    triangles: Floats
    clouds: Floats

    @property
    def lengths(self) -> Floats:
        """(S,) mm."""
        return np.asarray(
            np.hypot(self.segments[:, 2] - self.segments[:, 0], self.segments[:, 3] - self.segments[:, 1])
        )

    def upright(self, axis: int, tolerance: float = 0.15) -> Floats:
        """Segments along X (`axis` 0) or Y (1), as (n, 3): place across, start and end along, in mm."""
        a, b = self.segments[:, axis], self.segments[:, axis + 2]
        c, d = self.segments[:, 1 - axis], self.segments[:, 3 - axis]
        chosen = (np.abs(c - d) <= tolerance) & (np.abs(a - b) > 4 * np.abs(c - d)) & (np.abs(a - b) > 0.2)
        return np.column_stack([(c + d) / 2, np.minimum(a, b), np.maximum(a, b)])[chosen]


def strokes_of(page: Page, without: NDArray[np.bool_] | None = None) -> Strokes:
    """The drawn geometry of a page.

    Args:
        page: any page.
        without: (E,) entities whose paths are left out.
    """
    table = page.paths
    visible = np.ones(len(table), dtype=bool)
    if len(page.entities) and len(table):
        owner = table.entity
        visible = np.where(owner >= 0, page.entities.visible[owner], True)
        if without is not None:
            visible &= ~np.where(owner >= 0, without[owner], False)
    visible &= (table.stroke[:, 3] > 0) | (table.fill[:, 3] > 0)
    if not len(table.verbs):
        nothing = np.zeros((0, 4))
        return Strokes(nothing, np.zeros(0, np.int32), (), (), nothing, np.zeros((0, 3, 2)), nothing)
    return _Reading(table, visible).strokes()


class _Reading:
    """The steps of a path table, with the point each ends at and the subpath it belongs to."""

    def __init__(self, table: PathTable, visible: NDArray[np.bool_]) -> None:
        self.table = table
        self.visible = visible
        verbs = table.verbs.astype(np.int64)
        self.verbs = verbs
        self.last = np.cumsum(POINTS_OF[verbs]) - 1
        self.row = np.repeat(np.arange(len(table)), np.diff(table.verb_starts))
        moves = verbs == Verb.MOVE
        self.sub = np.cumsum(moves) - 1
        self.sub_step = np.flatnonzero(moves)
        self.first = self.last[self.sub_step]

    def strokes(self) -> Strokes:
        points = self.table.points
        lines, closes = self.verbs == Verb.LINE, self.verbs == Verb.CLOSE
        usable = self.visible[self.row] & (self.sub >= 0)
        stroked = usable & (self.table.stroke[self.row, 3] > 0)
        at = np.flatnonzero(lines & stroked)
        back = np.flatnonzero(closes & stroked)
        segments = np.vstack(
            [
                np.hstack([points[self.last[at] - 1], points[self.last[at]]]),
                np.hstack([points[self.last[back]], points[self.first[self.sub[back]]]]),
            ]
        )
        rows = np.concatenate([self.row[at], self.row[back]])
        found = self._shapes()
        segments = np.vstack([segments, np.array([bar for bar, _ in found.bars], dtype=float).reshape(-1, 4)])
        rows = np.concatenate([rows, np.array([row for _, row in found.bars], dtype=np.int64)])
        solid = np.isfinite(segments).all(axis=1) & (np.abs(segments[:, :2] - segments[:, 2:]).max(axis=1) > 1e-6)
        segments, rows = segments[solid], rows[solid].astype(np.int32)
        joined, clouds = self._joined_arcs()
        return Strokes(
            segments,
            rows,
            (*found.loops, *joined),
            tuple(shapes.once([*found.arrows, *shapes.open_arrows(segments)])),
            np.array(found.boxes, dtype=float).reshape(-1, 4),
            np.array(found.triangles, dtype=float).reshape(-1, 3, 2),
            np.array(clouds, dtype=float).reshape(-1, 4),
        )

    def _shapes(self) -> "_Shapes":
        found = _Shapes()
        table, points = self.table, self.table.points
        ends = np.append(self.sub_step[1:], len(self.verbs))
        counts = self.last[ends - 1] - self.first + 1
        closed = self.verbs[ends - 1] == Verb.CLOSE
        rows = self.row[self.sub_step]
        finish = points[self.last[ends - 1]]
        start = points[self.first]
        shut = closed | (np.hypot(*(finish - start).T) < 0.05) | (table.fill[rows, 3] > 0)
        curved = np.add.reduceat((self.verbs == Verb.CURVE).astype(int), self.sub_step) > 0
        candidates = np.flatnonzero(shut & self.visible[rows] & (counts >= 3) & (counts <= MOST_CORNERS))
        candidates = candidates[: 20 * MOST_LOOPS]
        filled = table.fill[rows, 3] > 0
        for sub, row, first, count, is_curved, is_filled in zip(
            *(part[candidates].tolist() for part in (np.arange(len(rows)), rows, self.first, counts, curved, filled)),
            strict=True,
        ):
            corners = points[first : first + count]
            if count <= 10:
                few = _parted(corners.tolist())
                if len(few) < 3:
                    continue
                if len(few) <= 5 and not is_curved:
                    found.take_few(few, row, is_filled)
                    continue
                corners = np.array(few)
            low, high = corners.min(axis=0), corners.max(axis=0)
            size = high - low
            if size.max() < SMALLEST or not np.isfinite(size).all():
                continue
            if is_filled and len(corners) <= 40 and not is_curved and (arrow := shapes.rounded_arrow(corners)):
                found.arrows.append(arrow)
            elif size.max() <= LARGEST_SIGN and size.min() > 0.4 * size.max() and len(found.loops) < MOST_LOOPS:
                if is_curved:
                    corners = self._sampled(int(self.sub_step[sub]), int(ends[sub]))
                if len(corners) >= 7 and shapes.is_round(corners):
                    x, y = (low + high) / 2
                    found.loops.append(Loop((float(x), float(y)), shapes.box(low, high), row, is_filled))
        return found

    def _joined_arcs(self) -> tuple[list[Loop], list[Box]]:
        """Loops and clouds drawn as several arcs, end to end: runs of curves, and open lines of many short pieces."""
        pieces: list[tuple[int, Floats]] = []
        points = self.table.points
        usable = self.visible[self.row] & (self.table.stroke[self.row, 3] > 0)
        curve = (self.verbs == Verb.CURVE) & usable
        begins = np.flatnonzero(curve & ~np.append([False], curve[:-1]))
        finishes = np.flatnonzero(curve & ~np.append(curve[1:], [False]))
        for begin, finish in zip(begins[:MOST_LOOPS], finishes[:MOST_LOOPS], strict=True):
            first, last = self.last[begin] - 3, self.last[finish]
            if finish - begin >= CLOUD and self.sub[begin] == self.sub[finish]:
                pieces += self._bulges(int(begin), int(finish))
            elif np.ptp(points[first : last + 1], axis=0).max() <= LARGEST_SIGN:
                sampled = np.vstack([points[first], self._sampled(int(begin), int(finish) + 1)])
                pieces.append((int(self.row[begin]), sampled))
        ends = np.append(self.sub_step[1:], len(self.verbs))
        counts = self.last[ends - 1] - self.first + 1
        plain = np.add.reduceat(((self.verbs != Verb.LINE) & (self.verbs != Verb.MOVE)).astype(int), self.sub_step) == 0
        many = np.flatnonzero(plain & usable[self.sub_step] & (counts >= 5) & (counts <= 200))
        for sub in many[:MOST_LOOPS]:
            corners = points[self.first[sub] : self.first[sub] + counts[sub]]
            apart = np.hypot(*(corners[-1] - corners[0]))
            if apart > 0.05 and np.ptp(corners, axis=0).max() <= LARGEST_SIGN:
                pieces.append((int(self.row[self.sub_step[sub]]), corners))
        return shapes.chained(pieces)

    def _bulges(self, begin: int, finish: int) -> list[tuple[int, Floats]]:
        """The arcs of one line of many curves, parted where it turns sharply."""
        points = self.table.points
        curves = [points[self.last[step] - 3 : self.last[step] + 1] for step in range(begin, finish + 1)]
        arcs: list[list[Floats]] = [[curves[0]]]
        for before, here in itertools.pairwise(curves):
            one, two = before[3] - before[2], here[1] - here[0]
            size = np.hypot(*one) * np.hypot(*two)
            if size == 0 or one @ two / size < 0.8:
                arcs.append([])
            arcs[-1].append(here)
        row = int(self.row[begin])
        found = []
        for arc in arcs:
            middles = [(a + 3 * b + 3 * c + d) / 8 for a, b, c, d in arc]
            ends = [curve[3] for curve in arc]
            points_ = [arc[0][0], *(point for pair in zip(middles, ends, strict=True) for point in pair)]
            found.append((row, np.array(points_)))
        return found

    def _sampled(self, begin: int, end: int) -> Floats:
        """Points on a subpath: ends of its pieces, and the middle of each curve."""
        points = self.table.points
        found = []
        for step in range(begin, end):
            last = self.last[step]
            if self.verbs[step] == Verb.CURVE:
                a, b, c, d = points[last - 3 : last + 1]
                found.append((a + 3 * b + 3 * c + d) / 8)
            if self.verbs[step] != Verb.CLOSE:
                found.append(points[last])
        return np.array(found)


@dataclass
class _Shapes:
    """Round loops, arrowheads, upright boxes, triangles, and filled quadrilaterals so thin that they are lines."""

    loops: list[Loop] = field(default_factory=list)
    arrows: list[Arrow] = field(default_factory=list)
    boxes: list[Box] = field(default_factory=list)
    triangles: list[list[Point]] = field(default_factory=list)
    bars: list[tuple[Box, int]] = field(default_factory=list)

    def take_few(self, corners: list[Point], row: int, filled: bool) -> None:
        """A closed shape of three to five corners."""
        xs, ys = zip(*corners, strict=True)
        left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
        wide, high = right - left, bottom - top
        if max(wide, high) < SMALLEST or not math.isfinite(wide + high):
            return
        if filled and (bar := shapes.bar(corners)):
            self.bars.append((bar, row))
            return
        distinct = corners[:-1] if math.dist(corners[-1], corners[0]) < 1e-3 else corners
        if len(distinct) == 4 and filled and (merged := shapes.kite(distinct)):
            distinct = merged
        if len(distinct) == 3:
            arrow = shapes.arrow(distinct)
            if arrow and filled:
                self.arrows.append(arrow)
            elif max(wide, high) <= LARGEST_SIGN:
                self.triangles.append(distinct)
        elif len(distinct) == 4 and min(wide, high) > 0.5:
            off = max(max(min(x - left, right - x), min(y - top, bottom - y)) for x, y in distinct)
            if off < 0.05:
                self.boxes.append((left, top, right, bottom))


def _parted(corners: list[list[float]]) -> list[Point]:
    """Corners without those that lie on the one before."""
    kept = [(corners[0][0], corners[0][1])]
    for (x0, y0), (x1, y1) in itertools.pairwise(corners):
        if abs(x1 - x0) > 1e-3 or abs(y1 - y0) > 1e-3:
            kept.append((x1, y1))
    return kept
