"""Runs of text joined to lines, with signs that are drawn as strokes put back where they stand."""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Page
from dqgen.sheets.nearby import Nearby
from dqgen.sheets.shapes import Box, Loop, Point
from dqgen.sheets.strokes import Strokes

JOINED = 0.62  # of the height: letters closer than this are one line
LIKE = 1.3  # ratio of heights within a line
DIAMETER, DEGREE = "⌀", "°"


DENOMINATOR = re.compile(r"^(2|4|8|16|32|64)(\"?)$")


@dataclass
class Run:
    """A piece of text in its own frame: `u` along the baseline, `v` up from it, both in mm about the page's origin."""

    text: str
    u0: float
    u1: float
    v: float
    height: float
    row: int  # of the page's TextTable, -1 for a drawn sign
    also: tuple[int, ...] = ()  # further rows that it says together with the first


@dataclass
class Line:
    """One line of text.

    Attributes:
        text: plain Unicode.
        quad: corners in mm from the lower left as one reads, counter-clockwise.
        height: of capitals in mm on paper.
        rotation: degrees, counter-clockwise as one sees it.
        rows: of the page's TextTable.
        signs: boxes in mm of signs that are drawn, not written.
        entity: row of the page's EntityTable of its first run.
        box: left, top, right, bottom in mm.
        middle: of its box.
    """

    text: str
    quad: tuple[Point, Point, Point, Point]
    height: float
    rotation: float
    rows: tuple[int, ...]
    signs: tuple[Box, ...] = ()
    entity: int = -1
    box: Box = field(init=False)
    middle: Point = field(init=False)

    def __post_init__(self) -> None:
        xs, ys = [x for x, _ in self.quad], [y for _, y in self.quad]
        self.box = (min(xs), min(ys), max(xs), max(ys))
        self.middle = ((self.box[0] + self.box[2]) / 2, (self.box[1] + self.box[3]) / 2)

    @property
    def along(self) -> Point:
        """Unit vector of the baseline, y down."""
        angle = math.radians(self.rotation)
        return math.cos(angle), -math.sin(angle)

    @property
    def width(self) -> float:
        """Along the baseline in mm."""
        (ax, ay), (bx, by) = self.quad[0], self.quad[1]
        return math.hypot(bx - ax, by - ay)


def frame(rotation: float) -> tuple[Point, Point]:
    """Unit vectors along a baseline and up from it, y down."""
    angle = math.radians(rotation)
    return (math.cos(angle), -math.sin(angle)), (-math.sin(angle), -math.cos(angle))


def rows_by_entity(page: Page) -> dict[int, list[int]]:
    """Rows of the TextTable of each entity that has some."""
    rows: dict[int, list[int]] = defaultdict(list)
    for row, entity in enumerate(page.texts.entity.tolist()):
        rows[entity].append(row)
    return rows


def lines_of(page: Page, strokes: Strokes) -> list[Line]:
    """The visible text of a page in lines, in the order of the page's table."""
    texts = page.texts
    by_turn: dict[int, list[int]] = defaultdict(list)
    shown = page.entities.visible
    for row in range(len(texts)):
        owner = int(texts.entity[row])
        seen = texts.text[row].strip() and texts.height[row] > 0 and (owner < 0 or shown[owner])
        if seen and np.isfinite(texts.quad[row]).all():
            by_turn[round(float(texts.rotation[row]) * 2) % 720].append(row)
    signs = _Signs(strokes)
    found: list[tuple[int, Line]] = []
    for turn, rows in sorted(by_turn.items()):
        rotation = turn / 2
        runs = _with_fractions(_runs(page, rows, rotation))
        walls = _Walls(strokes, rotation) if page.kind != "page" else None
        for row, group in _joined(runs + signs.beside(runs, rotation), walls):
            found.append((row, _line(page, group, rotation)))
    return [line for _, line in sorted(found, key=lambda item: item[0])]


def _runs(page: Page, rows: Iterable[int], rotation: float) -> list[Run]:
    (ax, ay), (bx, by) = frame(rotation)
    runs = []
    for row in rows:
        x, y = (float(part) for part in page.texts.origin[row])
        v = x * bx + y * by
        corners = page.texts.quad[row]
        along = corners @ np.array([ax, ay])
        text = page.texts.text[row].strip()
        runs.append(Run(text, float(along.min()), float(along.max()), v, float(page.texts.height[row]), row))
    return runs


def _with_fractions(runs: list[Run]) -> list[Run]:
    """Runs with fractions put together of which the numerator ends one and the denominator, below it, begins another:
    `6'-101` over `2"` is 6'-10 1/2"."""
    below = {id(run): match for run in runs if (match := DENOMINATOR.match(run.text))}
    gone: set[int] = set()
    for over in [run for run in runs if run.text[-1:].isdigit()] if below else []:
        for under in runs:
            match = below.get(id(under))
            drop = over.v - under.v
            if match is None or id(under) in gone or not 0.15 < drop / over.height < 1.3 or not _like(over, under):
                continue
            wide = (over.u1 - over.u0) / len(over.text)
            digits = next((n for n in (1, 2) if abs(over.u1 - n * wide - under.u0) < 0.7 * wide), 0)
            top, whole = over.text[-digits:], over.text[:-digits]
            if digits and top.isdigit() and int(top) % 2 and int(top) < int(match[1]):
                over.text = f"{whole} {top}/{match[1]}{match[2]}".strip()
                over.u1, over.also = max(over.u1, under.u1), (under.row,)
                gone.add(id(under))
                break
    return [run for run in runs if id(run) not in gone]


def _joined(runs: list[Run], walls: "_Walls | None") -> list[tuple[int, list[Run]]]:
    """Runs that stand on one baseline close behind each other; with the first row of each group.

    `walls` are the upright strokes that part neighbours. Without them neighbours belong together only by a drawn sign
    between them: the runs of a PDF were joined as far as they do when they were read.
    """
    order = sorted(runs, key=lambda run: (round(run.v / 0.4), run.u0, run.row))
    order.sort(key=lambda run: run.u0)
    levels: dict[int, list[list[Run]]] = defaultdict(list)
    groups: list[list[Run]] = []
    for run in order:
        best: tuple[float, list[Run]] | None = None
        for key in (round(run.v) - 1, round(run.v), round(run.v) + 1):
            for group in levels.get(key, ()):
                last = group[-1]
                height = max(last.height, run.height)
                gap = run.u0 - last.u1
                same = abs(run.v - last.v) < 0.3 * height and _like(run, last)
                drawn = run.row < 0 or last.row < 0
                if (
                    same
                    and (drawn or walls is not None)
                    and -0.3 * height < gap < (1.1 if drawn else JOINED) * height
                    and (best is None or abs(gap) < best[0])
                    and (walls is None or drawn or not walls.part(last, run))
                ):
                    best = abs(gap), group
        if best is None:
            group = [run]
            groups.append(group)
            levels[round(run.v)].append(group)
        else:
            best[1].append(run)
            if round(run.v) != round(best[1][0].v):
                levels[round(run.v)].append(best[1])
    found = []
    for group in groups:
        rows = [run.row for run in group if run.row >= 0]
        if rows:
            found.append((min(rows), group))
    return found


def _like(one: Run, other: Run) -> bool:
    return 1 / LIKE < one.height / max(other.height, 1e-9) < LIKE


def _line(page: Page, group: Sequence[Run], rotation: float) -> Line:
    (ax, ay), (bx, by) = frame(rotation)
    rows = [row for run in group if run.row >= 0 for row in (run.row, *run.also)]
    corners = page.texts.quad[rows].reshape(-1, 2)
    across = corners @ np.array([bx, by])
    low, high = float(across.min()), float(across.max())
    left, right = min(run.u0 for run in group), max(run.u1 for run in group)
    quad = tuple(
        (u * ax + v * bx, u * ay + v * by) for u, v in ((left, low), (right, low), (right, high), (left, high))
    )
    text = ""
    before: Run | None = None
    for run in group:
        close = before is not None and run.u0 - before.u1 < 0.18 * run.height
        text += run.text if not text or close or run.text == DEGREE else " " + run.text
        before = run
    height = max(run.height for run in group if run.row >= 0)
    signs = tuple(_box(run, rotation) for run in group if run.row < 0)
    return Line(text, quad, height, rotation, tuple(rows), signs, int(page.texts.entity[rows[0]]))  # type: ignore[arg-type]


def _box(run: Run, rotation: float) -> Box:
    (ax, ay), (bx, by) = frame(rotation)
    xs, ys = [], []
    for u in (run.u0, run.u1):
        for v in (run.v, run.v + run.height):
            xs.append(u * ax + v * bx)
            ys.append(u * ay + v * by)
    return min(xs), min(ys), max(xs), max(ys)


class _Walls:
    """Strokes at a right angle to a baseline, such as those between the cells of a table."""

    def __init__(self, strokes: Strokes, rotation: float) -> None:
        self.places: Floats = np.zeros((0, 3))
        if rotation % 90:
            return
        upright = rotation % 180 == 0
        (ax, ay), (bx, by) = frame(rotation)
        along, up = (ax, by) if upright else (ay, bx)
        lines = np.vstack([strokes.upright(1 if upright else 0), _sides(strokes.boxes, upright)])
        places = np.column_stack([lines[:, 0] * round(along), lines[:, 1:] * round(up)])
        self.places = np.column_stack([places[:, 0], places[:, 1:].min(axis=1), places[:, 1:].max(axis=1)])

    def part(self, before: Run, after: Run) -> bool:
        """Whether a stroke as high as the text stands between two runs."""
        u, low, high = self.places.T
        slack = 0.3 * after.height
        # Texts may run over the edges of their cells.
        between = (u > min(before.u1, after.u0) - 0.7 * before.height) & (u < max(before.u1, after.u0) + slack)
        return bool((between & (low < after.v + slack) & (high > after.v + after.height - slack)).any())


def _sides(boxes: Floats, upright: bool) -> Floats:
    """The left and right sides of boxes, or their upper and lower ones, as `Strokes.upright` gives lines."""
    one, other, start, end = (0, 2, 1, 3) if upright else (1, 3, 0, 2)
    return np.vstack([boxes[:, [one, start, end]], boxes[:, [other, start, end]]])


class _Signs:
    """Drawn signs: a loop with a stroke through it is a diameter, a small high loop behind a number a degree."""

    def __init__(self, strokes: Strokes) -> None:
        self.loops = [loop for loop in strokes.loops if not loop.filled and loop.size < 12]
        self.centres = Nearby([loop.centre for loop in self.loops])
        self.segments = strokes.segments
        lengths = strokes.lengths
        self.short = np.flatnonzero(lengths < 20)
        middles = (self.segments[self.short, :2] + self.segments[self.short, 2:]) / 2
        self.middles = Nearby(middles)
        self.lengths = lengths

    def beside(self, runs: Sequence[Run], rotation: float) -> list[Run]:
        """Signs that stand before, between or behind the runs, as runs of their own."""
        if not self.loops:
            return []
        (ax, ay), (bx, by) = frame(rotation)
        found: dict[int, Run] = {}
        for run in runs:
            if not run.text[-1:].isdigit() and not run.text[:1].isdigit() and run.text[:1] not in ".,":
                continue
            height = run.height
            for before in (True, False):
                u = run.u0 - 0.7 * height if before else run.u1 + 0.35 * height
                v = run.v + height / 2
                near = self.centres.within((u * ax + v * bx, u * ay + v * by), 1.3 * height)
                for index in near:
                    loop = self.loops[index]
                    cx, cy = loop.centre
                    cu, cv = cx * ax + cy * ay, cx * bx + cy * by
                    half = loop.size / 2
                    if before and run.text[:1] in "0123456789.,":
                        gap = run.u0 - (cu + half)
                        level = abs(cv - (run.v + height / 2)) < 0.35 * height
                        sized = 0.5 < loop.size / height < 1.6
                        if -0.2 * height < gap < 1.1 * height and level and sized and self._crossed(loop):
                            found[index] = Run(DIAMETER, cu - half, cu + half, run.v, height, -1)
                    elif not before and run.text[-1:].isdigit():
                        gap = cu - half - run.u1
                        high = 0.5 * height < cv - run.v < 1.25 * height
                        if -0.3 * height < gap < 0.7 * height and high and 0.12 < loop.size / height < 0.55:
                            found.setdefault(index, Run(DEGREE, cu - half, cu + half, run.v, height, -1))
        return [found[index] for index in sorted(found)]

    def _crossed(self, loop: Loop) -> bool:
        for index in self.middles.within(loop.centre, 0.2 * loop.size):
            if 1.05 < self.lengths[self.short[index]] / loop.size < 2.4:
                return True
        return False
