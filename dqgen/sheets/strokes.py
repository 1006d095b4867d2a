"""What is drawn on a page, as straight segments, round loops, boxes, triangles and arrowheads."""

import itertools
import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats, Ints
from dqgen.schemas.sheet import POINTS_OF, Page, PathTable, Verb

Box = tuple[float, float, float, float]
Point = tuple[float, float]

LONGEST_ARROW = 12.0  # mm
SHORTEST_ARROW = 0.7
SLIMMEST, BLUNTEST = 6.0, 65.0  # degrees at an arrow's tip
ROUND = 0.07  # share of the radius by which a loop may leave its ellipse
GRAIN = 0.06  # mm by which it may leave it anyway: files round their coordinates
THICKEST = 0.9  # mm of a filled box that is a line
MOST_LOOPS = 30_000
CLOUD = 8  # arcs that make a cloud at least
LARGEST_SIGN = 60.0  # mm across; larger loops and triangles are parts, not signs


@dataclass(frozen=True)
class Loop:
    """A closed round line: a circle, or the ellipse that a slanted letter makes of it."""

    centre: Point
    box: Box
    path: int
    filled: bool

    @property
    def size(self) -> float:
        """Mean of its width and height in mm."""
        return (self.box[2] - self.box[0] + self.box[3] - self.box[1]) / 2


@dataclass(frozen=True)
class Arrow:
    """An arrowhead: its tip, the unit vector from its base to its tip, its length in mm, whether its back is round."""

    tip: Point
    direction: Point
    length: float
    rounded: bool = False


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
        loops, arrows, boxes, triangles, bars = self._shapes()
        segments = np.vstack([segments, np.array([bar for bar, _ in bars], dtype=float).reshape(-1, 4)])
        rows = np.concatenate([rows, np.array([row for _, row in bars], dtype=np.int64)])
        solid = np.isfinite(segments).all(axis=1) & (np.abs(segments[:, :2] - segments[:, 2:]).max(axis=1) > 1e-6)
        segments, rows = segments[solid], rows[solid].astype(np.int32)
        joined, clouds = self._joined_arcs()
        loops += joined
        arrows += _open_arrows(segments)
        return Strokes(
            segments,
            rows,
            tuple(loops),
            tuple(_once(arrows)),
            np.array(boxes, dtype=float).reshape(-1, 4),
            np.array(triangles, dtype=float).reshape(-1, 3, 2),
            np.array(clouds, dtype=float).reshape(-1, 4),
        )

    def _shapes(self) -> tuple[list[Loop], list[Arrow], list[Box], list[Floats], list[tuple[Box, int]]]:
        """Round loops, arrowheads, upright boxes, triangles, and filled quadrilaterals so thin that they are lines."""
        loops: list[Loop] = []
        arrows: list[Arrow] = []
        boxes: list[Box] = []
        triangles: list[Floats] = []
        bars: list[tuple[Box, int]] = []
        table, points = self.table, self.table.points
        ends = np.append(self.sub_step[1:], len(self.verbs))
        counts = self.last[ends - 1] - self.first + 1
        closed = self.verbs[ends - 1] == Verb.CLOSE
        rows = self.row[self.sub_step]
        finish = points[self.last[ends - 1]]
        start = points[self.first]
        shut = closed | (np.hypot(*(finish - start).T) < 0.05) | (table.fill[rows, 3] > 0)
        candidates = np.flatnonzero(shut & self.visible[rows] & (counts >= 3))
        curved = np.add.reduceat((self.verbs == Verb.CURVE).astype(int), self.sub_step)
        for sub in candidates[: 20 * MOST_LOOPS]:
            row = int(rows[sub])
            count = int(counts[sub])
            if count > 400:
                continue
            corners = points[self.first[sub] : self.first[sub] + count]
            if count <= 10:
                moved = np.append([True], np.abs(np.diff(corners, axis=0)).max(axis=1) > 1e-3)
                corners = corners[moved]
                count = len(corners)
                if count < 3:
                    continue
            low, high = corners.min(axis=0), corners.max(axis=0)
            size = high - low
            if size.max() < 0.15 or not np.isfinite(size).all():
                continue
            filled = bool(table.fill[row, 3] > 0)
            if count <= 5 and not curved[sub] and filled and (bar := _bar(corners)):
                bars.append((bar, row))
            elif count <= 5 and not curved[sub]:
                self._few(corners, filled, low, high, arrows, boxes, triangles)
            elif filled and count <= 40 and not curved[sub] and (arrow := _rounded_arrow(corners)):
                arrows.append(arrow)
            elif size.max() <= LARGEST_SIGN and size.min() > 0.4 * size.max() and len(loops) < MOST_LOOPS:
                if curved[sub]:
                    corners = self._sampled(int(self.sub_step[sub]), int(ends[sub]))
                if len(corners) >= 7 and _is_round(corners):
                    x, y = (low + high) / 2
                    loops.append(Loop((float(x), float(y)), _box(low, high), row, filled))
        return loops, arrows, boxes, triangles, bars

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
        return _chained(pieces)

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

    def _few(
        self,
        corners: Floats,
        filled: bool,
        low: Floats,
        high: Floats,
        arrows: list[Arrow],
        boxes: list[Box],
        triangles: list[Floats],
    ) -> None:
        distinct = corners[:-1] if np.hypot(*(corners[-1] - corners[0])) < 1e-3 else corners
        if len(distinct) == 4 and filled and (merged := _kite(distinct)) is not None:
            distinct = merged
        if len(distinct) == 3:
            arrow = _arrow(distinct)
            if arrow and filled:
                arrows.append(arrow)
            elif (high - low).max() <= LARGEST_SIGN:
                triangles.append(distinct)
        elif len(distinct) == 4:
            off = np.minimum(np.abs(distinct - low), np.abs(distinct - high)).max()
            if off < 0.05 and (high - low).min() > 0.5:
                boxes.append(_box(low, high))

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


def _chained(pieces: list[tuple[int, Floats]]) -> tuple[list[Loop], list[Box]]:
    """Closed chains of arcs that lie on one ellipse, and boxes of longer chains of arcs that bulge: clouds."""
    by_end: dict[tuple[int, int], list[int]] = {}
    for index, (_, points) in enumerate(pieces):
        for end in (points[0], points[-1]):
            by_end.setdefault((round(float(end[0]) * 10), round(float(end[1]) * 10)), []).append(index)
    links: dict[int, set[int]] = {index: set() for index in range(len(pieces))}
    for (x, y), members in by_end.items():
        near = {i for dx in (-1, 0, 1) for dy in (-1, 0, 1) for i in by_end.get((x + dx, y + dy), ())}
        if len(near) <= 4:
            for index in members:
                links[index] |= near - {index}
    loops: list[Loop] = []
    clouds: list[Box] = []
    seen: set[int] = set()
    for index in links:
        if index in seen:
            continue
        group, waiting = [], [index]
        seen.add(index)
        while waiting:
            here = waiting.pop()
            group.append(here)
            waiting += sorted(links[here] - seen)
            seen |= links[here]
        points = np.vstack([pieces[member][1] for member in group])
        low, high = points.min(axis=0), points.max(axis=0)
        box = _box(low, high)
        size = high - low
        few = 2 <= len(group) <= 8 and len(points) >= 6
        sized = size.min() > 0.4 * size.max() and 0.15 < size.max() <= LARGEST_SIGN
        if few and sized and _is_round(points):
            x, y = (low + high) / 2
            loops.append(Loop((float(x), float(y)), box, pieces[group[0]][0], False))
            continue
        if len(group) >= CLOUD and all(len(links[member]) >= 1 for member in group):
            bulging = sum(_bulges_out(pieces[member][1]) for member in group)
            open_ends = sum(len(links[member]) < 2 for member in group)
            if bulging >= 0.8 * len(group) and open_ends <= 2 and size.min() > 5:
                clouds.append(box)
    return loops, clouds


def _box(low: Floats, high: Floats) -> Box:
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _bulges_out(points: Floats) -> bool:
    """Whether an arc rises over its chord as those of clouds do."""
    chord = points[-1] - points[0]
    length = float(np.hypot(*chord))
    if length < 0.3:
        return False
    rise = np.abs((points - points[0]) @ np.array([-chord[1], chord[0]])).max() / length
    return bool(0.12 < rise / length < 0.9)


def _is_round(points: Floats) -> bool:
    """Whether points lie all around one ellipse."""
    if np.hypot(*(points[0] - points[-1])) < 1e-3:
        points = points[:-1]
    low, high = points.min(axis=0), points.max(axis=0)
    moved = points - (low + high) / 2
    spread = moved.T @ moved / len(moved)
    try:
        turned = np.linalg.solve(np.linalg.cholesky(spread), moved.T)
    except np.linalg.LinAlgError:
        return False
    radii = np.hypot(*turned)
    size = float((high - low).mean())
    if np.abs(radii / radii.mean() - 1).max() > max(ROUND, 2 * GRAIN / max(size, 0.3)):
        return False
    angles = np.sort(np.arctan2(turned[1], turned[0]))
    return bool(np.diff(np.append(angles, angles[0] + 2 * math.pi)).max() < 1.3)


def _bar(corners: Floats) -> Box | None:
    """The middle line of a thin filled quadrilateral."""
    if len(corners) < 4 or (len(corners) == 5 and np.hypot(*(corners[4] - corners[0])) > 1e-3):
        return None
    a, b, c, d = corners[:4]
    sides = np.hypot(*(b - a)), np.hypot(*(c - b)), np.hypot(*(d - c)), np.hypot(*(a - d))
    thick, long = min(sides[0], sides[1]), max(sides[0], sides[1])
    if thick > THICKEST or long < 6 * thick + 0.5 or abs(sides[0] - sides[2]) + abs(sides[1] - sides[3]) > 0.2 * long:
        return None
    one, two = ((a + b) / 2, (c + d) / 2) if sides[0] < sides[1] else ((b + c) / 2, (d + a) / 2)
    return float(one[0]), float(one[1]), float(two[0]), float(two[1])


def _kite(corners: Floats) -> Floats | None:
    """A triangle drawn with four corners, one of them on the middle of its base or notched into it."""
    for at in range(4):
        before, here, after = corners[at - 1], corners[at], corners[(at + 1) % 4]
        opposite = corners[(at + 2) % 4]
        base = np.hypot(*(after - before))
        if base > 0 and np.hypot(*(here - (before + after) / 2)) < 0.35 * np.hypot(*(opposite - here)):
            sides = np.hypot(*(opposite - before)), np.hypot(*(opposite - after))
            if abs(sides[0] - sides[1]) < 0.1 * max(sides) and base < 0.9 * max(sides):
                return np.array([before, opposite, after])
    return None


def _arrow(corners: Floats) -> Arrow | None:
    """A slim triangle with two like sides."""
    for at in range(3):
        tip, one, two = corners[at], corners[at - 1], corners[at - 2]
        long, other = np.hypot(*(one - tip)), np.hypot(*(two - tip))
        base = np.hypot(*(one - two))
        if max(long, other) == 0 or abs(long - other) > 0.12 * max(long, other) or base > min(long, other):
            continue
        angle = math.degrees(2 * math.asin(min(1.0, base / (long + other))))
        if SLIMMEST < angle < BLUNTEST and SHORTEST_ARROW < long < LONGEST_ARROW:
            middle = (one + two) / 2
            vector = tip - middle
            length = float(np.hypot(*vector))
            return Arrow((float(tip[0]), float(tip[1])), (float(vector[0] / length), float(vector[1] / length)), length)
    return None


def _once(arrows: list[Arrow]) -> list[Arrow]:
    """One of those that lie on each other, the slimmest outline first; two that meet tip to tip are two."""
    kept: dict[tuple[int, int], list[Arrow]] = {}
    for arrow in sorted(arrows, key=lambda arrow: arrow.rounded):
        x, y = round(arrow.tip[0] * 4), round(arrow.tip[1] * 4)
        near = [other for i in (-1, 0, 1) for j in (-1, 0, 1) for other in kept.get((x + i, y + j), ())]
        if not any(sum(a * b for a, b in zip(arrow.direction, other.direction, strict=True)) > 0.85 for other in near):
            kept.setdefault((x, y), []).append(arrow)
    return [arrow for group in kept.values() for arrow in group]


def _rounded_arrow(corners: Floats) -> Arrow | None:
    """An arrowhead of many corners: one far from all others, which lie across its back."""
    middle = corners.mean(axis=0)
    at = int(np.hypot(*(corners - middle).T).argmax())
    tip = corners[at]
    back = corners[np.hypot(*(corners - tip).T) > 1e-3]
    if len(back) < 4:
        return None
    vector = tip - back.mean(axis=0)
    length = float(np.hypot(*vector))
    if not SHORTEST_ARROW < length < LONGEST_ARROW:
        return None
    unit = vector / length
    along = (tip - back) @ unit
    half = np.abs((back - tip) @ np.array([-unit[1], unit[0]])).max()
    angle = math.degrees(2 * math.atan2(half, along.max()))
    if along.min() < 0.5 * along.max() or not SLIMMEST < angle < BLUNTEST:
        return None
    return Arrow((float(tip[0]), float(tip[1])), (float(unit[0]), float(unit[1])), float(along.max()), True)


def _open_arrows(segments: Floats) -> list[Arrow]:
    """Arrows of two barbs of one length that meet at the end of a line which halves the angle between them."""
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    short = np.flatnonzero((lengths > SHORTEST_ARROW) & (lengths < LONGEST_ARROW / 1.5))
    if not len(short) or len(short) > 60_000:
        return []
    by_end: dict[tuple[int, int], list[tuple[int, int]]] = {}
    grid = np.round(segments * 20).astype(np.int64)
    for index in short:
        for end in (0, 2):
            by_end.setdefault((int(grid[index, end]), int(grid[index, end + 1])), []).append((int(index), end))
    shafts: dict[tuple[int, int], list[tuple[int, int]]] = {}
    for index in np.flatnonzero(lengths > 1.0):
        for end in (0, 2):
            key = (int(grid[index, end]), int(grid[index, end + 1]))
            if key in by_end and len(by_end[key]) >= 2:
                shafts.setdefault(key, []).append((int(index), end))
    found: list[Arrow] = []
    for key, barbs in by_end.items():
        if not 2 <= len(barbs) <= 4 or key not in shafts:
            continue
        for number, (i, ei) in enumerate(barbs):
            for j, ej in barbs[number + 1 :]:
                if abs(lengths[i] - lengths[j]) > 0.05 * lengths[i]:
                    continue
                tip = segments[i, ei : ei + 2]
                one, two = segments[i, 2 - ei : 4 - ei] - tip, segments[j, 2 - ej : 4 - ej] - tip
                cosine = float(one @ two / (lengths[i] * lengths[j]))
                angle = math.degrees(math.acos(max(-1.0, min(1.0, cosine))))
                back = one + two
                length = float(np.hypot(*back)) / 2
                if not SLIMMEST < angle < BLUNTEST or length == 0:
                    continue
                for k, ek in shafts[key]:
                    away = segments[k, 2 - ek : 4 - ek] - tip
                    if k in (i, j) or lengths[k] < length:
                        continue
                    if abs(float(away[0] * back[1] - away[1] * back[0])) < 0.05 * lengths[k] * 2 * length and (
                        float(away @ back) > 0
                    ):
                        found.append(
                            Arrow(
                                (float(tip[0]), float(tip[1])),
                                (float(-back[0] / (2 * length)), float(-back[1] / (2 * length))),
                                length,
                            )
                        )
                        break
    return found
