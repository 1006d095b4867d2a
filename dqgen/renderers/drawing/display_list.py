"""The display list: what a drawing puts on paper, in page millimetres, before any file format is chosen.

The origin is the page's lower left corner, X runs right and Y up, angles count counter-clockwise in degrees.
All writers draw from this list, so that PNG, SVG, PDF and DXF show the same thing.
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from dqgen.renderers.drawing import lettering
from dqgen.schemas.design import Colour

Point = tuple[float, float]
Anchor = Literal["left", "middle", "right"]
BLACK: Colour = (0, 0, 0)


@dataclass(frozen=True)
class Pen:
    """How a line is drawn: its layer, width in mm, colour, and dashes (ink, gap, ink, gap … in mm; empty for none)."""

    layer: str
    width: float
    colour: Colour = BLACK
    dash: tuple[float, ...] = ()


@dataclass(frozen=True)
class Line:
    """A straight line."""

    start: Point
    end: Point
    pen: Pen
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Line":
        """The same, shifted on the page."""
        return replace(self, start=_shift(self.start, dx, dy), end=_shift(self.end, dx, dy))


@dataclass(frozen=True)
class Arc:
    """An arc of a circle from `first` to `last` degrees, `last` above `first`; 360 apart for a whole circle."""

    centre: Point
    radius: float
    first: float
    last: float
    pen: Pen
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Arc":
        """The same, shifted on the page."""
        return replace(self, centre=_shift(self.centre, dx, dy))


@dataclass(frozen=True)
class Ellipse:
    """An arc of an ellipse: `major` is the vector to the end of its major axis, `ratio` minor to major, and the
    parameter runs counter-clockwise from `first` to `last` degrees."""

    centre: Point
    major: Point
    ratio: float
    first: float
    last: float
    pen: Pen
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Ellipse":
        """The same, shifted on the page."""
        return replace(self, centre=_shift(self.centre, dx, dy))


@dataclass(frozen=True)
class Polyline:
    """Straight lines from point to point."""

    points: tuple[Point, ...]
    pen: Pen
    closed: bool = False
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Polyline":
        """The same, shifted on the page."""
        return replace(self, points=tuple(_shift(point, dx, dy) for point in self.points))


@dataclass(frozen=True)
class Filled:
    """A filled polygon without outline, such as an arrowhead."""

    points: tuple[Point, ...]
    layer: str
    colour: Colour = BLACK
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Filled":
        """The same, shifted on the page."""
        return replace(self, points=tuple(_shift(point, dx, dy) for point in self.points))


@dataclass(frozen=True)
class Hatch:
    """Parallel lines that fill what lies inside an odd number of loops, `spacing` mm apart at `angle` degrees."""

    loops: tuple[tuple[Point, ...], ...]
    angle: float
    spacing: float
    pen: Pen
    owner: str = ""

    def moved(self, dx: float, dy: float) -> "Hatch":
        """The same, shifted on the page."""
        return replace(self, loops=tuple(tuple(_shift(point, dx, dy) for point in loop) for loop in self.loops))


@dataclass(frozen=True)
class Text:
    """One line of text; `height` is that of capitals in mm, `at` lies on the baseline where `anchor` says.

    `role` tells lint and readers of evidence what it is: `dimension`, `title`, `label`, `note` or `zone`.
    """

    at: Point
    text: str
    height: float
    anchor: Anchor = "left"
    angle: float = 0.0
    layer: str = "TEXT"
    colour: Colour = BLACK
    bold: bool = False
    owner: str = ""
    role: str = "note"

    @property
    def start(self) -> Point:
        """Where the baseline begins."""
        back = {"left": 0.0, "middle": 0.5, "right": 1.0}[self.anchor]
        return offset(self.at, self.angle, -back * lettering.advance(self.text, self.height, self.bold), 0.0)

    def quad(self, margin: float = 0.0) -> tuple[Point, Point, Point, Point]:
        """The corners of the ink's box, widened by `margin` mm, counter-clockwise from the lower left as one reads."""
        left, low, right, high = lettering.ink(self.text, self.height, self.bold)
        left, low, right, high = left - margin, low - margin, right + margin, high + margin
        begin = self.start
        corners = ((left, low), (right, low), (right, high), (left, high))
        a, b, c, d = (offset(begin, self.angle, x, y) for x, y in corners)
        return a, b, c, d

    def moved(self, dx: float, dy: float) -> "Text":
        """The same, shifted on the page."""
        return replace(self, at=_shift(self.at, dx, dy))


Item = Line | Arc | Ellipse | Polyline | Filled | Hatch | Text
Stroke = Line | Arc | Ellipse | Polyline


@dataclass(frozen=True)
class Page:
    """A finished drawing: its size in mm, its items in the order they are drawn."""

    width: float
    height: float
    items: tuple[Item, ...]


def _shift(point: Point, dx: float, dy: float) -> Point:
    return point[0] + dx, point[1] + dy


def offset(start: Point, angle: float, along: float, across: float) -> Point:
    """The point so far along a direction of `angle` degrees, and to its left."""
    cos, sin = _unit(angle)
    return start[0] + along * cos - across * sin, start[1] + along * sin + across * cos


def _unit(angle: float) -> Point:
    """Cosine and sine, exact at right angles."""
    quarter = round(angle / 90)
    if abs(angle - 90 * quarter) < 1e-9:
        return ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
    return math.cos(math.radians(angle)), math.sin(math.radians(angle))


def arc_point(item: Arc | Ellipse, angle: float) -> Point:
    """The point of an arc or ellipse at a parameter in degrees."""
    cos, sin = _unit(angle)
    if isinstance(item, Arc):
        return item.centre[0] + item.radius * cos, item.centre[1] + item.radius * sin
    (x, y), (a, b) = item.centre, item.major
    return x + a * cos - b * item.ratio * sin, y + b * cos + a * item.ratio * sin


def flatten(item: Stroke, tolerance: float = 0.02) -> tuple[Point, ...]:
    """Points whose polyline runs within `tolerance` mm of a stroke."""
    if isinstance(item, Line):
        return item.start, item.end
    if isinstance(item, Polyline):
        return (*item.points, item.points[0]) if item.closed else item.points
    reach = item.radius if isinstance(item, Arc) else math.hypot(*item.major)
    step = 2 * math.degrees(math.acos(max(0.0, 1 - tolerance / max(reach, 2 * tolerance))))
    count = max(2, math.ceil((item.last - item.first) / max(step, 1.0)))
    return tuple(arc_point(item, item.first + (item.last - item.first) * i / count) for i in range(count + 1))


def extent(items: Iterable[Item]) -> tuple[float, float, float, float] | None:
    """Left, bottom, right, top of items; None if there are none."""
    points = [point for item in items for point in _corners(item)]
    if not points:
        return None
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _corners(item: Item) -> Iterable[Point]:
    if isinstance(item, Text):
        return item.quad()
    if isinstance(item, Filled):
        return item.points
    if isinstance(item, Hatch):
        return (point for loop in item.loops for point in loop)
    return flatten(item)


def hatch_lines(hatch: Hatch) -> list[tuple[Point, Point]]:
    """The lines of a hatch, clipped to its loops by the even-odd rule."""
    cos, sin = _unit(hatch.angle)
    turned = [[(x * cos + y * sin, y * cos - x * sin) for x, y in loop] for loop in hatch.loops]
    heights = [y for loop in turned for _, y in loop]
    if not heights:
        return []
    lines: list[tuple[Point, Point]] = []
    for row in range(math.ceil(min(heights) / hatch.spacing), math.floor(max(heights) / hatch.spacing) + 1):
        y = row * hatch.spacing + 1e-7  # a line never passes just through a corner
        crossings = sorted(
            x0 + (y - y0) * (x1 - x0) / (y1 - y0)
            for loop in turned
            for (x0, y0), (x1, y1) in zip(loop, (*loop[1:], loop[0]), strict=True)
            if (y0 > y) != (y1 > y)
        )
        for x0, x1 in zip(crossings[::2], crossings[1::2], strict=False):
            if x1 - x0 > 1e-3:
                lines.append(((x0 * cos - y * sin, x0 * sin + y * cos), (x1 * cos - y * sin, x1 * sin + y * cos)))
    return lines
