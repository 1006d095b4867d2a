"""Shapes among drawn lines, judged from their corners: round loops, arrowheads, bars, chains of arcs."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats

Box = tuple[float, float, float, float]
Point = tuple[float, float]
Corners = Sequence[Point]
"""Few corners, as plain numbers: arrays would cost more than they hold."""

LONGEST_ARROW = 12.0  # mm
SHORTEST_ARROW = 0.7
SLIMMEST, BLUNTEST = 6.0, 65.0  # degrees at an arrow's tip
ROUND = 0.07  # share of the radius by which a loop may leave its ellipse
GRAIN = 0.06  # mm by which it may leave it anyway: files round their coordinates
THICKEST = 0.9  # mm of a filled box that is a line
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


def chained(pieces: list[tuple[int, Floats]]) -> tuple[list[Loop], list[Box]]:
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
        around = box(low, high)
        size = high - low
        few = 2 <= len(group) <= 8 and len(points) >= 6
        sized = size.min() > 0.4 * size.max() and 0.15 < size.max() <= LARGEST_SIGN
        if few and sized and is_round(points):
            x, y = (low + high) / 2
            loops.append(Loop((float(x), float(y)), around, pieces[group[0]][0], False))
            continue
        if len(group) >= CLOUD and all(len(links[member]) >= 1 for member in group):
            bulging = sum(_bulges_out(pieces[member][1]) for member in group)
            open_ends = sum(len(links[member]) < 2 for member in group)
            if bulging >= 0.8 * len(group) and open_ends <= 2 and size.min() > 5:
                clouds.append(around)
    return loops, clouds


def box(low: Floats, high: Floats) -> Box:
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _bulges_out(points: Floats) -> bool:
    """Whether an arc rises over its chord as those of clouds do."""
    chord = points[-1] - points[0]
    length = float(np.hypot(*chord))
    if length < 0.3:
        return False
    rise = np.abs((points - points[0]) @ np.array([-chord[1], chord[0]])).max() / length
    return bool(0.12 < rise / length < 0.9)


def is_round(points: Floats) -> bool:
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


def bar(corners: Corners) -> Box | None:
    """The middle line of a thin filled quadrilateral."""
    if len(corners) < 4 or (len(corners) == 5 and math.dist(corners[4], corners[0]) > 1e-3):
        return None
    a, b, c, d = corners[:4]
    sides = math.dist(a, b), math.dist(b, c), math.dist(c, d), math.dist(d, a)
    thick, long = min(sides[0], sides[1]), max(sides[0], sides[1])
    if thick > THICKEST or long < 6 * thick + 0.5 or abs(sides[0] - sides[2]) + abs(sides[1] - sides[3]) > 0.2 * long:
        return None
    return (*_middle(a, b), *_middle(c, d)) if sides[0] < sides[1] else (*_middle(b, c), *_middle(d, a))


def kite(corners: Corners) -> list[Point] | None:
    """A triangle drawn with four corners, one of them on the middle of its base or notched into it."""
    for at in range(4):
        before, here, after = corners[at - 1], corners[at], corners[(at + 1) % 4]
        opposite = corners[(at + 2) % 4]
        base = math.dist(after, before)
        if base > 0 and math.dist(here, _middle(before, after)) < 0.35 * math.dist(opposite, here):
            sides = math.dist(opposite, before), math.dist(opposite, after)
            if abs(sides[0] - sides[1]) < 0.1 * max(sides) and base < 0.9 * max(sides):
                return [before, opposite, after]
    return None


def arrow(corners: Corners) -> Arrow | None:
    """A slim triangle with two like sides."""
    for at in range(3):
        tip, one, two = corners[at], corners[at - 1], corners[at - 2]
        long, other = math.dist(one, tip), math.dist(two, tip)
        base = math.dist(one, two)
        if max(long, other) == 0 or abs(long - other) > 0.12 * max(long, other) or base > min(long, other):
            continue
        angle = math.degrees(2 * math.asin(min(1.0, base / (long + other))))
        if SLIMMEST < angle < BLUNTEST and SHORTEST_ARROW < long < LONGEST_ARROW:
            middle = _middle(one, two)
            length = math.dist(tip, middle)
            return Arrow(tip, ((tip[0] - middle[0]) / length, (tip[1] - middle[1]) / length), length)
    return None


def _middle(one: Point, two: Point) -> Point:
    return (one[0] + two[0]) / 2, (one[1] + two[1]) / 2


def once(arrows: list[Arrow]) -> list[Arrow]:
    """One of those that lie on each other, the slimmest outline first; two that meet tip to tip are two."""
    kept: dict[tuple[int, int], list[Arrow]] = {}
    for head in sorted(arrows, key=lambda head: head.rounded):
        x, y = round(head.tip[0] * 4), round(head.tip[1] * 4)
        near = [other for i in (-1, 0, 1) for j in (-1, 0, 1) for other in kept.get((x + i, y + j), ())]
        if not any(sum(a * b for a, b in zip(head.direction, other.direction, strict=True)) > 0.85 for other in near):
            kept.setdefault((x, y), []).append(head)
    return [head for group in kept.values() for head in group]


def rounded_arrow(corners: Floats) -> Arrow | None:
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


def end_keys(segments: Floats, grain: float) -> NDArray[np.int64]:
    """(S, 2) numbers of both ends of segments: the same for ends that lie in one square of 1/`grain` mm."""
    grid = np.round(np.clip(segments, -1e6, 1e6) * grain).astype(np.int64)
    return np.asarray(grid[:, 0::2] * (1 << 31) + grid[:, 1::2])


def open_arrows(segments: Floats) -> list[Arrow]:
    """Arrows of two barbs of one length that meet at the end of a line which halves the angle between them."""
    lengths = np.hypot(segments[:, 2] - segments[:, 0], segments[:, 3] - segments[:, 1])
    is_short = (lengths > SHORTEST_ARROW) & (lengths < LONGEST_ARROW / 1.5)
    short = np.flatnonzero(is_short)
    if not len(short) or len(short) > 60_000:
        return []
    keys = end_keys(segments, 20)
    meeting, times = np.unique(keys[short], return_counts=True)
    meeting = meeting[(times >= 2) & (times <= 4)]
    by_end: dict[int, list[tuple[int, int]]] = {}
    for index, side in np.argwhere(np.isin(keys, meeting)).tolist():
        by_end.setdefault(int(keys[index, side]), []).append((index, 2 * side))
    found: list[Arrow] = []
    for meeting_here in by_end.values():
        barbs = [(index, end) for index, end in meeting_here if is_short[index]]
        shafts = [(index, end) for index, end in meeting_here if lengths[index] > 1.0]
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
                for k, ek in shafts:
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
