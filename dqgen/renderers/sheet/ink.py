"""What of a page is drawn, in which order, and cut where it would lie too far out for a renderer's numbers."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.fonts import em, measure
from dqgen.renderers.sheet.selection import Box
from dqgen.schemas.design import Bytes, Floats
from dqgen.schemas.sheet import Page, Verb

FAR = 4.0
"""Paths that reach farther beyond the region than this, in its sizes, are flattened and cut."""
FLATTENED = 24
"""Straight pieces of a curve that is cut."""
SHORTEST = 0.1
"""Millimetres of the shortest ink or gap of a dashed line."""
FINEST, LEGIBLE = 1.0, 2.0
"""Dashes that repeat within fewer millimetres are drawn larger: to the eye they would be a solid line."""
THINNEST = 0.18
"""Millimetres of the thinnest line: what is thinner would fade."""
MOST_DASHES = 20_000
"""A longer dashed path is drawn solid."""


@dataclass(frozen=True)
class Stroke:
    """A path to draw: verbs and points in page mm, and its row in the table."""

    row: int
    verbs: Bytes
    points: Floats


@dataclass(frozen=True)
class Letters:
    """A run of text to draw: `matrix` (a, b, c, d, e, f) leads from letters one em high, Y up, to page mm, Y down.

    `natural` is their length in ems before `matrix` stretches them to the length that they have on the page.
    """

    row: int
    matrix: tuple[float, float, float, float, float, float]
    natural: float


def items(page: Page, region: Box, shown: tuple[bool, ...]) -> Iterator[Stroke | Letters]:
    """What shows in a region, in the order of drawing."""
    paths, texts = page.paths, page.texts
    rows = np.flatnonzero(on_shown(paths.layer, shown) & near(paths.box, region, paths.width / 2 + 0.5))
    text_rows = np.flatnonzero(on_shown(texts.layer, shown) & near(texts.box, region, np.full(len(texts), 1.0)))
    far = _far(paths.box, region)
    queue = [(int(paths.order[row]), 0, int(row)) for row in rows]
    queue += [(int(texts.order[row]), 1, int(row)) for row in text_rows]
    for _, kind, row in sorted(queue):
        if kind:
            letters = _letters(page, row)
            if letters is not None:
                yield letters
            continue
        verbs, points = paths.path(row)
        if far[row]:
            verbs, points = _cut(verbs, points, region, bool(paths.fill[row, 3]))
            if not len(verbs):
                continue
        yield Stroke(row, verbs, points)


def dash(page: Page, row: int) -> tuple[float, ...]:
    """Ink and gaps of a path as they are drawn, mm; empty for a solid line."""
    lengths = page.paths.dashes(row)
    if not lengths:
        return ()
    period = sum(lengths)
    factor = LEGIBLE / period if 0 < period < FINEST else 1.0
    drawn = tuple(max(length * factor, SHORTEST) for length in lengths)
    period = sum(drawn)
    box = page.paths.box[row]
    if float(box[2] - box[0] + box[3] - box[1]) > MOST_DASHES * period:
        return ()
    return drawn


def width(page: Page, row: int) -> float:
    """Width of a path as it is drawn, mm."""
    return max(float(page.paths.width[row]), THINNEST)


def on_shown(layer: NDArray[np.int32], shown: tuple[bool, ...]) -> NDArray[np.bool_]:
    """Which rows lie on a layer that is shown, or on none."""
    return np.asarray(np.append(np.array(shown, dtype=bool), True)[layer])  # row -1: on no layer, always shown


def near(box: Floats, region: Box, reach: Floats) -> NDArray[np.bool_]:
    """Which boxes, widened by `reach` mm each, touch a region."""
    left, top, right, bottom = region
    return np.asarray(
        (box[:, 0] - reach <= right)
        & (box[:, 2] + reach >= left)
        & (box[:, 1] - reach <= bottom)
        & (box[:, 3] + reach >= top)
    )


def _far(box: Floats, region: Box) -> NDArray[np.bool_]:
    limits = _limits(region)
    return np.asarray(
        (box[:, 0] < limits[0]) | (box[:, 1] < limits[1]) | (box[:, 2] > limits[2]) | (box[:, 3] > limits[3])
    )


def _limits(region: Box) -> Box:
    left, top, right, bottom = region
    room = FAR * max(right - left, bottom - top)
    return (left - room, top - room, right + room, bottom + room)


def _cut(verbs: Bytes, points: Floats, region: Box, filled: bool) -> tuple[Bytes, Floats]:
    """The path as straight pieces within reach of the region."""
    limits = _limits(region)
    loops = list(_loops(verbs, points))
    if filled:
        kept = [loop for loop in (_clipped(loop, limits) for loop in loops) if len(loop) > 2]
        steps = [bytes([Verb.MOVE, *[Verb.LINE] * (len(loop) - 1), Verb.CLOSE]) for loop in kept]
        joined = np.concatenate(kept) if kept else np.zeros((0, 2))
        return np.frombuffer(b"".join(steps), dtype=np.uint8), joined
    pieces = [np.stack([loop[:-1], loop[1:]], axis=1) for loop in loops if len(loop) > 1]
    ends = _within(np.concatenate(pieces), limits) if pieces else np.zeros((0, 2, 2))
    steps = [bytes([Verb.MOVE, Verb.LINE]) * len(ends)]
    return np.frombuffer(b"".join(steps), dtype=np.uint8), ends.reshape(-1, 2)


def _loops(verbs: Bytes, points: Floats) -> Iterator[Floats]:
    """Each part of a path as points of straight pieces, closed parts ending where they began."""
    loop: list[Floats] = []
    at = 0
    for verb in verbs.tolist():
        if verb == Verb.MOVE and loop:
            yield np.array(loop)
            loop = []
        if verb == Verb.CURVE:
            start, first, second, end = loop[-1], points[at], points[at + 1], points[at + 2]
            for step in range(1, FLATTENED + 1):
                t = step / FLATTENED
                s = 1 - t
                loop.append(s**3 * start + 3 * s * s * t * first + 3 * s * t * t * second + t**3 * end)
            at += 3
        elif verb == Verb.CLOSE:
            loop.append(loop[0])
        else:
            loop.append(points[at])
            at += 1
    if loop:
        yield np.array(loop)


def _within(ends: Floats, limits: Box) -> Floats:
    """Segments (n, 2, 2) cut to a box, by Liang and Barsky."""
    start, delta = ends[:, 0], ends[:, 1] - ends[:, 0]
    enter, leave = np.zeros(len(ends)), np.ones(len(ends))
    outside = np.zeros(len(ends), dtype=bool)
    for axis, (low, high) in enumerate(((limits[0], limits[2]), (limits[1], limits[3]))):
        with np.errstate(divide="ignore", invalid="ignore"):
            first, second = (low - start[:, axis]) / delta[:, axis], (high - start[:, axis]) / delta[:, axis]
        along = delta[:, axis] != 0
        enter[along] = np.maximum(enter[along], np.minimum(first, second)[along])
        leave[along] = np.minimum(leave[along], np.maximum(first, second)[along])
        outside |= ~along & ((start[:, axis] < low) | (start[:, axis] > high))
    kept = ~outside & (leave >= enter)
    return np.stack([start + enter[:, None] * delta, start + leave[:, None] * delta], axis=1)[kept]


def _clipped(loop: Floats, limits: Box) -> Floats:
    """A polygon cut to a box, by Sutherland and Hodgman."""
    for axis, limit, sign in ((0, limits[0], 1), (0, limits[2], -1), (1, limits[1], 1), (1, limits[3], -1)):
        kept: list[Floats] = []
        for start, end in zip(loop, np.roll(loop, -1, axis=0), strict=True):
            inside, next_inside = sign * (start[axis] - limit) >= 0, sign * (end[axis] - limit) >= 0
            if inside:
                kept.append(start)
            if inside != next_inside:
                part = (limit - start[axis]) / (end[axis] - start[axis])
                kept.append(start + part * (end - start))
        if not kept:
            return np.zeros((0, 2))
        loop = np.array(kept)
    return loop


def _letters(page: Page, row: int) -> Letters | None:
    texts = page.texts
    natural = measure(texts.text[row], bool(texts.bold[row]))[0]
    height, width = float(texts.height[row]), float(texts.width[row])
    if natural <= 0 or height <= 0 or width <= 0 or not texts.colour[row, 3]:
        return None
    angle = np.radians(float(texts.rotation[row]))
    along = np.array([np.cos(angle), -np.sin(angle)])
    up = np.array([-np.sin(angle), -np.cos(angle)])
    if texts.mirrored[row]:
        up = -up
    size = em(height)
    lean = np.tan(np.radians(float(texts.oblique[row])))
    x = along * width / natural
    y = (up + lean * along) * size
    origin = texts.origin[row]
    return Letters(
        row, (float(x[0]), float(x[1]), float(y[0]), float(y[1]), float(origin[0]), float(origin[1])), natural
    )
