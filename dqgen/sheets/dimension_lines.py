"""The line with arrows, ticks or dots that a dimension's text belongs to."""

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats
from dqgen.sheets.nearby import Nearby
from dqgen.sheets.shapes import Arrow, Point
from dqgen.sheets.strokes import Strokes
from dqgen.sheets.text_lines import Line

NEAR = 2.2  # times the height of the text: how far its dimension line lies from its middle
ON = 0.35  # mm off a line that still count as on it
PARALLEL = math.sin(math.radians(4))
TICK = (0.8, 7.0)  # mm
SHORTEST_TICKED = 1.5  # mm between two ticks
FURTHEST = 60.0  # mm from its arrows to a text that stands on the line's own tail
LEADER_STEPS = 4
ARC_REACH, ARC_TIPS = 60.0, 14  # mm from the text of an angle, and how many arrows there are tried
ARC_SKEW = 5.0  # degrees by which they may leave the arc
REACH = 1.3  # times the height: how far from its text a leader begins
SAME_RATIO = 0.015


@dataclass(frozen=True)
class Pairing:
    """What a text was paired with.

    Attributes:
        points: tips of the two arrows, or the tip of a leader.
        length: mm on paper between two tips; NaN for a leader.
        angle: of the line between two tips, degrees.
        ends: `arrows`, `ticks`, `leader`, `line` (a leader without an arrow), `across` (both arrows on a slanted
            line through a circle) or `arc` (both on one about the apex of an angle; `angle` is what they span).
    """

    points: tuple[Point, ...]
    length: float
    angle: float
    ends: str


class DimensionLines:
    """Finds dimension lines and leaders among a page's strokes."""

    def __init__(self, strokes: Strokes) -> None:
        self.segments = strokes.segments
        self.lengths = strokes.lengths
        safe = np.maximum(self.lengths, 1e-9)
        self.units = (self.segments[:, 2:] - self.segments[:, :2]) / safe[:, None]
        self.arrows: Sequence[Arrow] = strokes.arrows
        self.tips = np.array([arrow.tip for arrow in self.arrows], dtype=float).reshape(-1, 2)
        self.heads = np.array([arrow.direction for arrow in self.arrows], dtype=float).reshape(-1, 2)
        ends = np.vstack([self.segments[:, :2], self.segments[:, 2:]]) if len(self.segments) else np.zeros((0, 2))
        self.ends = Nearby(ends)
        self.near_tips = Nearby(self.tips)
        self._directions: dict[Point, _Direction] = {}
        self.dots = [loop for loop in strokes.loops if loop.filled and loop.size < 3]
        self.dot_centres = np.array([dot.centre for dot in self.dots], dtype=float).reshape(-1, 2)

    def along(self, line: Line) -> list[Pairing]:
        """Pairs of tips on lines along the text, beside or through it, likeliest first; for upright text also on
        lines at a right angle to it, as ASME writes them."""
        x, y = line.along
        return [*self._on_lines(line, (x, y)), *self._on_lines(line, (-y, x))]

    def _direction(self, direction: Point) -> "_Direction":
        key = (round(direction[0], 3), round(direction[1], 3))
        if key not in self._directions:
            self._directions[key] = _Direction(self, direction)
        return self._directions[key]

    def _on_lines(self, line: Line, direction: Point) -> list[Pairing]:
        if not len(self.segments):
            return []
        (dx, dy), (mx, my) = direction, line.middle
        whole = self._direction(direction)
        u, v = mx * dx + my * dy, my * dx - mx * dy
        own = abs(dx * line.along[0] + dy * line.along[1]) > 0.5
        half = (line.width if own else line.height) / 2
        off = NEAR * line.height if own else line.width / 2 + NEAR * line.height
        reach = half + 2.5 * line.height
        near = whole.between(v - off, v + off)
        near = near[(whole.starts[near] < u + reach) & (whole.ends[near] > u - reach)]
        found = []
        for level in _levels(whole.levels[near], v):
            tips = [(place - u, way, kind) for place, way, kind in whole.tips(level)]
            if len(tips) < 2:
                continue
            on = whole.between(level - ON, level + ON)
            spans = list(zip((whole.starts[on] - u).tolist(), (whole.ends[on] - u).tolist(), strict=True))
            found += self._pairs(tips, spans, half, level - v, line, direction)
        found.sort(key=lambda item: item[0])
        return [pairing for _, pairing in found]

    def _pairs(
        self,
        tips: list[tuple[float, int, str]],
        spans: list[tuple[float, float]],
        half: float,
        level: float,
        line: Line,
        direction: Point,
    ) -> list[tuple[tuple[float, float], Pairing]]:
        (dx, dy), (mx, my) = direction, line.middle
        found = []
        for i, (u0, s0, kind) in enumerate(tips):
            for u1, s1, _ in tips[i + 1 :]:
                if u1 - u0 < (0.3 if kind == "arrows" else SHORTEST_TICKED) or s0 * s1 > 0:
                    continue
                inside = (s0, s1) == (-1, 1)
                outside = (s0, s1) == (1, -1)
                between = u0 <= half * 0.5 and u1 >= -half * 0.5
                if kind == "arrows" and not inside and not outside:
                    continue
                away = 0.0 if between else min(abs(u0), abs(u1)) - half
                tail = _covered(spans, min(u1, half), max(u0, -half), half) if away else False
                if away > (FURTHEST if tail else (4.0 if outside else 2.5) * line.height + 6):
                    continue
                if inside and not between and not tail and u1 - u0 > 6 * line.width + 20:
                    continue
                if any(u0 + 0.4 < u < u1 - 0.4 for u, _, _ in tips):
                    continue  # another tip lies between: these are two dimensions in a chain
                linked = _covered(spans, u0, u1, half) if inside or kind == "ticks" else True
                if not linked:
                    continue
                points = tuple((mx + u * dx - level * dy, my + u * dy + level * dx) for u in (u0, u1))
                angle = math.degrees(math.atan2(-dy, dx)) % 180
                cost = (abs(level) / line.height + 1.5 * max(away, 0) / line.height, abs((u0 + u1) / 2))
                found.append((cost, Pairing(points, u1 - u0, angle, kind)))
        return found

    def leader(self, line: Line) -> Pairing | None:
        """The leader of a text: from beside or below it over a few strokes to an arrow, a dot or a free end."""
        start = self._leader_start(line)
        best: Pairing | None = None
        for index in start:
            pairing = self._walk(index, line)
            if pairing and (best is None or (best.ends == "line" and pairing.ends != "line")):
                best = pairing
            if best and best.ends != "line":
                break
        return best

    def _leader_start(self, line: Line) -> list[int]:
        """Strokes that begin at an end of the text, or run below it."""
        (ax, ay), height = line.along, line.height
        found: dict[int, float] = {}
        quad = line.quad
        count = len(self.segments)
        for corner_low, corner_high in ((quad[0], quad[3]), (quad[1], quad[2])):
            x, y = (corner_low[0] + corner_high[0]) / 2, (corner_low[1] + corner_high[1]) / 2
            for end in self.ends.within((x, y), REACH * height):
                index = end % count
                far = self.segments[index, 2:] if end < count else self.segments[index, :2]
                near = self.segments[index, :2] if end < count else self.segments[index, 2:]
                inward = (far[0] - near[0]) * (line.middle[0] - x) + (far[1] - near[1]) * (line.middle[1] - y)
                if self.lengths[index] > 0.8 and inward <= 0.2 * self.lengths[index] * line.width:
                    found[index] = min(found.get(index, 9e9), math.hypot(near[0] - x, near[1] - y))
        # The shelf below the text runs along it.
        mx, my = line.middle
        a, b = self.segments[:, :2] - (mx, my), self.segments[:, 2:] - (mx, my)
        ua, ub = a @ (ax, ay), b @ (ax, ay)
        va, vb = a[:, 1] * ax - a[:, 0] * ay, b[:, 1] * ax - b[:, 0] * ay
        half = line.width / 2
        flat = np.abs(va - vb) < 0.1 * np.maximum(self.lengths, 1)
        below = (va > -0.2 * height) & (va < 1.7 * height)
        covers = np.minimum(np.maximum(ua, ub), half) - np.maximum(np.minimum(ua, ub), -half) > 0.6 * line.width
        short = self.lengths < line.width + 30
        for index in np.flatnonzero(flat & below & covers & short).tolist():
            found[index] = float(va[index]) * 0.2
        return sorted(found, key=lambda index: (found[index], index))

    def _walk(self, start: int, line: Line) -> Pairing | None:
        count = len(self.segments)
        waiting = [(start, 0)]
        seen = {start}
        free: Pairing | None = None
        while waiting:
            index, steps = waiting.pop(0)
            hits = self._arrows_on(index)
            if hits:
                tips = [tuple(map(float, self.tips[hit])) for hit in hits]
                if across := self._across(hits):
                    return across
                return Pairing((tips[0],), math.nan, 0.0, "leader")  # type: ignore[arg-type]
            if steps >= LEADER_STEPS:
                continue
            neighbours = set()
            for end in (self.segments[index, :2], self.segments[index, 2:]):
                touching = self.ends.within(end, 0.2)
                if len({other % count for other in touching}) <= 3:
                    neighbours |= {other % count for other in touching}
                if len(self.dot_centres) and np.hypot(*(self.dot_centres - end).T).min() < 1.0:
                    return Pairing(((float(end[0]), float(end[1])),), math.nan, 0.0, "leader")
            for other in sorted(neighbours - seen):
                if self.lengths[other] > 0.5:
                    seen.add(other)
                    waiting.append((other, steps + 1))
            for end in (self.segments[index, :2], self.segments[index, 2:]):
                alone = len(self.ends.within(end, 0.2)) == 1
                away = math.dist(end, line.middle) > max(line.height, line.width / 2)
                if alone and away and (crossed := self._line_through(end, index)):
                    return crossed
            if steps == 1 and free is None and self.lengths[index] > 2 * line.height:
                ends = sorted(
                    (self.segments[index, :2], self.segments[index, 2:]),
                    key=lambda end: -math.dist(end, line.middle),
                )
                free = Pairing(((float(ends[0][0]), float(ends[0][1])),), math.nan, 0.0, "line")
        return free

    def _across(self, hits: list[int]) -> Pairing | None:
        """Two arrows on one line that point apart or at each other."""
        if len(hits) != 2 or float(self.heads[hits[0]] @ self.heads[hits[1]]) > -0.98:
            return None
        (x0, y0), (x1, y1) = (map(float, self.tips[hit]) for hit in hits)
        angle = math.degrees(math.atan2(-(y1 - y0), x1 - x0)) % 180
        return Pairing(((x0, y0), (x1, y1)), math.hypot(x1 - x0, y1 - y0), angle, "across")

    def _line_through(self, point: Floats, but: int) -> Pairing | None:
        """The dimension line with both its arrows on which a leader ends."""
        at = point - self.segments[:, :2]
        along = (at * self.units).sum(axis=1)
        off = np.abs(at[:, 0] * self.units[:, 1] - at[:, 1] * self.units[:, 0])
        for index in np.flatnonzero((off < 0.25) & (along > 0.5) & (along < self.lengths - 0.5)).tolist():
            if index != but and (across := self._across(self._arrows_on(int(index)))):
                return across
        return None

    def _arrows_on(self, index: int) -> list[int]:
        """Arrows whose axis is a stroke: at its ends, or along it."""
        if not len(self.tips):
            return []
        start, unit, length = self.segments[index, :2], self.units[index], self.lengths[index]
        at = self.tips - start
        along = at @ unit
        off = np.abs(at[:, 0] * unit[1] - at[:, 1] * unit[0])
        aligned = np.abs(self.heads @ unit) > 0.97
        reach = np.array([arrow.length for arrow in self.arrows]) + 0.5
        hits = np.flatnonzero((off < ON) & aligned & (along > -reach) & (along < length + reach))
        return sorted(map(int, hits), key=lambda hit: (round(float(along[hit]), 3), hit))

    def arc(self, line: Line, degrees: float) -> Pairing | None:
        """Two arrows at the ends of an arc of so many degrees that passes by the text."""
        if not 1 <= degrees < 180:
            return None
        hits = self.near_tips.within(line.middle, ARC_REACH)
        hits.sort(key=lambda hit: math.dist(self.tips[hit], line.middle))
        half = math.radians(degrees) / 2
        best: tuple[float, Pairing] | None = None
        for i, j in itertools.combinations(hits[:ARC_TIPS], 2):
            chord = self.tips[j] - self.tips[i]
            length = float(np.hypot(*chord))
            radius = length / (2 * math.sin(half))
            if radius < 3 or length < 1:
                continue
            normal = np.array([-chord[1], chord[0]]) / length
            for side in (1, -1):
                apex = self.tips[i] + chord / 2 + side * radius * math.cos(half) * normal
                off = abs(math.dist(apex, line.middle) - radius)
                skew = [self._off_tangent(hit, apex, radius) for hit in (i, j)]
                if off > 2.5 * line.height or max(abs(s) for s, _ in skew) > ARC_SKEW or skew[0][1] == skew[1][1]:
                    continue
                cost = off / line.height + sum(abs(s) for s, _ in skew) / 4 + radius / 100
                if best is None or cost < best[0]:
                    points = tuple((float(self.tips[hit][0]), float(self.tips[hit][1])) for hit in (i, j))
                    best = cost, Pairing(points, math.nan, degrees, "arc")
        return best[1] if best else None

    def _off_tangent(self, hit: int, apex: Floats, radius: float) -> tuple[float, bool]:
        """Degrees by which a head leaves the chord that it has on an arc, and whether it points counter-clockwise."""
        outward = (self.tips[hit] - apex) / radius
        head = self.heads[hit]
        # A head whose tip and back lie on the arc is a chord of it: it leans outwards by half of what it spans.
        lean = math.degrees(self.arrows[hit].length / (2 * radius))
        leaning = math.degrees(math.asin(max(-1.0, min(1.0, float(head @ outward)))))
        return abs(leaning) - min(abs(leaning), lean), bool(outward[0] * head[1] - outward[1] * head[0] > 0)


class _Direction:
    """Segments, arrows, ticks and dots seen along one direction: `u` along it, `v` across."""

    def __init__(self, lines: DimensionLines, direction: Point) -> None:
        dx, dy = direction
        segments, units = lines.segments, lines.units
        along = np.array([dx, dy])
        across = np.array([-dy, dx])
        parallel = np.abs(units @ across) < PARALLEL
        chosen = np.flatnonzero(parallel & (lines.lengths > 0.8))
        a, b = segments[chosen, :2], segments[chosen, 2:]
        ua, ub = a @ along, b @ along
        v = (a @ across + b @ across) / 2
        order = np.argsort(v, kind="stable")
        self.levels: Floats = v[order]
        self.starts: Floats = np.minimum(ua, ub)[order]
        self.ends: Floats = np.maximum(ua, ub)[order]
        dot = lines.heads @ along
        aimed = np.flatnonzero(np.abs(dot) > 0.985)
        self._tip_u: Floats = (lines.tips @ along)[aimed]
        self._tip_v: Floats = (lines.tips @ across)[aimed]
        self._tip_way = np.where(dot[aimed] > 0, 1, -1)
        slant = np.abs(units @ along)
        short = (slant > 0.35) & (slant < 0.93) & (lines.lengths > TICK[0] / 2) & (lines.lengths < TICK[1])
        ticks = segments[short]
        self._ticks = np.column_stack(
            [ticks[:, :2] @ along, ticks[:, :2] @ across, ticks[:, 2:] @ along, ticks[:, 2:] @ across]
        )
        square = np.flatnonzero((slant < 0.1) & (lines.lengths > 1.0))
        ends = segments[square]
        cross_u = (ends[:, :2] @ along + ends[:, 2:] @ along) / 2
        va, vb = ends[:, :2] @ across, ends[:, 2:] @ across
        self._crossing = np.column_stack([cross_u, np.minimum(va, vb), np.maximum(va, vb)])
        self._dots = np.column_stack([lines.dot_centres @ along, lines.dot_centres @ across])
        self._known: dict[float, list[tuple[float, int, str]]] = {}

    def between(self, low: float, high: float) -> NDArray[np.intp]:
        """Rows of the segments whose place across lies between two values."""
        return np.arange(np.searchsorted(self.levels, low), np.searchsorted(self.levels, high, side="right"))

    def tips(self, level: float) -> list[tuple[float, int, str]]:
        """Tips on one line: place along it, +1 or -1 for where an arrow points, 0 for ticks and dots."""
        key = round(level, 2)
        if key not in self._known:
            hits = np.flatnonzero(np.abs(self._tip_v - level) < ON)
            found = {(float(self._tip_u[i]), int(self._tip_way[i]), "arrows") for i in hits}
            self._known[key] = sorted(found or self._strokes_at(level))
        return self._known[key]

    def _strokes_at(self, level: float) -> set[tuple[float, int, str]]:
        """Oblique strokes across the line, whole or in two halves that meet on it, and dots on it."""
        places: list[float] = []
        ua, va, ub, vb = self._ticks.T
        whole = (np.abs((va + vb) / 2 - level) < ON) & (np.hypot(ub - ua, vb - va) > TICK[0])
        places += ((ua + ub) / 2)[whole].tolist()
        sides: dict[int, set[bool]] = {}
        middle: dict[int, float] = {}
        for near_u, near_v, far_v in ((ua, va, vb), (ub, vb, va)):
            touching = np.flatnonzero((np.abs(near_v - level) < 0.1) & (np.abs(far_v - level) > 0.2))
            for i in touching:
                key = round(float(near_u[i]) * 4)
                sides.setdefault(key, set()).add(bool(far_v[i] > level))
                middle[key] = float(near_u[i])
        places += [middle[key] for key, both in sides.items() if len(both) == 2]
        places = [place for place in places if self._crossed(place, level)]
        places += self._dots[np.abs(self._dots[:, 1] - level) < ON, 0].tolist()
        return {(place, 0, "ticks") for place in places}

    def _crossed(self, place: float, level: float) -> bool:
        """Whether an extension line passes or ends there."""
        u, low, high = self._crossing.T
        return bool(((np.abs(u - place) < 0.6) & (low < level + 1.5) & (high > level - 1.5)).any())


def _levels(values: Floats, middle: float) -> list[float]:
    found: list[float] = []
    for value in np.sort(values).tolist():
        if not found or value - found[-1] > ON:
            found.append(value)
    return sorted(found, key=lambda value: abs(value - middle))


def _covered(spans: list[tuple[float, float]], u0: float, u1: float, half: float) -> bool:
    """Whether the strokes of a line run from tip to tip, but for where the text stands and small breaks."""
    reach = u0 + 1.0
    for start, end in sorted([*spans, (-half - 3.0, half + 3.0)]):
        if start > reach + 1.5:
            break
        reach = max(reach, end)
    return reach >= u1 - 1.5


def common_ratios(pairs: Sequence[tuple[float, float]]) -> list[float]:
    """Ratios of printed to drawn length that dimensions of different values share, commonest first.

    Args:
        pairs: value and ratio of each dimension.
    """
    usable = sorted((ratio, value) for value, ratio in pairs if ratio > 0 and math.isfinite(ratio))
    groups: list[list[tuple[float, float]]] = []
    for ratio, value in usable:
        if groups and ratio < groups[-1][0][0] * (1 + 2 * SAME_RATIO):
            groups[-1].append((ratio, value))
        else:
            groups.append([(ratio, value)])
    shared = [group for group in groups if len({value for _, value in group}) >= 2]
    shared.sort(key=lambda group: -len(group))
    return [group[len(group) // 2][0] for group in shared]
