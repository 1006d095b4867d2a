"""Dimensions as data: what is to be shown of a view, and how it came to lie on paper.

Page points are millimetres of paper; angles degrees. A shape says where a dimension may attach, a label what it says.
"""

import math
from dataclasses import dataclass, replace
from typing import Literal

from dqgen.renderers.drawing.display_list import Arc, Filled, Item, Line, Point, Text
from dqgen.renderers.drawing.drafting import WITNESS, Drafting

Kind = Literal["linear", "ordinate", "diameter", "radius", "angular", "callout", "note"]
ModelPoint = tuple[float, float, float]
Quad = tuple[Point, Point, Point, Point]


@dataclass(frozen=True)
class Label:
    """What a dimension says.

    Attributes:
        id: unique on the sheet, such as `d3`.
        kind: what is measured.
        value: in mm or degrees, as measured on the model.
        unit: in which it is printed: `mm`, `inch` or `deg`.
        lines: the printed text; a second line stands below the first one's shelf.
        expression: what was measured, as a measure's expression or in words.
        points: the model points that it measures between, in mm.
        printed: the number within the text that states the value.
        count: how many features it speaks for.
        exact: false where the value comes from fitted surfaces.
        edited: the text was changed on purpose and may differ from the value.
        tolerance: lower and upper deviation in mm or degrees, if there is one.
        deviations: the upper and the lower one as they stand one above the other behind the first line.
    """

    id: str
    kind: Kind
    value: float
    unit: str
    lines: tuple[str, ...]
    expression: str
    points: tuple[ModelPoint, ...]
    printed: str
    count: int = 1
    exact: bool = True
    edited: bool = False
    tolerance: tuple[float, float] | None = None
    deviations: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """All of it in one line."""
        return " ".join((*self.lines, *(("/".join(self.deviations),) if self.deviations else ())))


@dataclass(frozen=True)
class Foot:
    """A page point where a witness line may begin, and the model point that it shows.

    At a corner that was rounded, `rounded` holds the page points where the rounding begins and ends.
    """

    at: Point
    model: ModelPoint
    rounded: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Span:
    """A length along `angle` between two features of a view.

    Attributes:
        label: what it says; its points are replaced by those of the feet that are chosen.
        a: places where the first feature may be touched, all alike along `angle`.
        b: places where the second may be touched.
        angle: degrees.
        prefer: the side it should lie on: +1 left of the direction, -1 right, 0 either.
        across: if given, the range along the normal in which the line may run from outline to outline, as with the
            diameter of a shaft.
        mirrored: the features are twins about the middle of the view, which gets a centre line.
    """

    label: Label
    a: tuple[Foot, ...]
    b: tuple[Foot, ...]
    angle: float
    prefer: int = 0
    across: tuple[float, float] | None = None
    mirrored: bool = False


@dataclass(frozen=True)
class Target:
    """An arc on paper that a leader may point at."""

    centre: Point
    radius: float
    first: float = 0.0
    last: float = 360.0


@dataclass(frozen=True)
class Round:
    """A diameter or radius, told by a leader to one of its targets; all of them get the letter, if there is one."""

    label: Label
    targets: tuple[Target, ...]
    letter: str = ""


@dataclass(frozen=True)
class Pointer:
    """A text with a leader that ends in a dot or arrow at one of the page points."""

    label: Label
    points: tuple[Point, ...]
    ring: float = 0.0
    """Radius of the circle around the text, for balloons; 0 for none."""


@dataclass(frozen=True)
class Corner:
    """An angle at `apex` from the ray through `a` counter-clockwise to the ray through `b`.

    A side whose foot is in `rays` has no line of its own: it is drawn from the apex to the foot.
    """

    label: Label
    apex: Foot
    a: Foot
    b: Foot
    rays: tuple[Foot, ...] = ()


@dataclass(frozen=True)
class Stop:
    """One coordinate of an ordinate dimension."""

    label: Label
    at: Point
    rounded: tuple[Point, ...] = ()


@dataclass(frozen=True)
class Ordinates:
    """Coordinates along `angle` (0 or 90), all read from the first stop."""

    stops: tuple[Stop, ...]
    angle: float
    zero: Point = (0.0, 0.0)
    prefer: int = 0


Request = Span | Round | Pointer | Corner | Ordinates


@dataclass(frozen=True)
class Drawn:
    """A dimension on paper.

    Attributes:
        label: what it says.
        lines: dimension lines and leaders.
        witness: witness lines.
        arrows: arrowheads.
        texts: its printed lines.
        tips: page points that it measures between or points at: ends of the dimension line.
        feet: page points of the geometry, where the witness lines begin (the same as tips for leaders); of an angle a
            point on each side and the apex.
        lane: a strip that no other dimension line may enter, if it needs one.
        cost: what speaks against this place by itself.
        angle: along which a length is measured, in degrees; the direction of a leader.
        centre: of the circle that a diameter or radius belongs to; the apex of an angle; the zero of an ordinate.
    """

    label: Label
    lines: tuple[Line | Arc, ...]
    witness: tuple[Line, ...]
    arrows: tuple[Filled, ...]
    texts: tuple[Text, ...]
    tips: tuple[Point, ...]
    feet: tuple[Point, ...]
    lane: Quad | None = None
    cost: float = 0.0
    angle: float = 0.0
    centre: Point | None = None

    def items(self) -> tuple[Item, ...]:
        """All of it, in drawing order."""
        return (*self.witness, *self.lines, *self.arrows, *self.texts)


def corner_lines(corner: Point, rounded: tuple[Point, ...], drafting: Drafting, owner: str) -> tuple[Line, ...]:
    """Thin lines from where a rounding begins and ends to just beyond the corner that it rounds."""
    lines = []
    for end in rounded:
        reach = math.dist(end, corner)
        if reach > drafting.gap:
            ux, uy = (corner[0] - end[0]) / reach, (corner[1] - end[1]) / reach
            beyond = (corner[0] + ux * drafting.gap, corner[1] + uy * drafting.gap)
            lines.append(Line(end, beyond, WITNESS, owner))
    return tuple(lines)


def arrowhead(tip: Point, angle: float, drafting: Drafting, owner: str) -> Filled:
    """A filled arrowhead that points along `angle`."""
    length, half = drafting.arrow, drafting.arrow / 6
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    back = (tip[0] - length * cos, tip[1] - length * sin)
    points = (tip, (back[0] - half * sin, back[1] + half * cos), (back[0] + half * sin, back[1] - half * cos))
    return Filled(points, "DIMENSION", owner=owner)


def shifted(drawn: Drawn, dx: float, dy: float) -> Drawn:
    """The same dimension, moved on the page."""

    def move(point: Point) -> Point:
        return point[0] + dx, point[1] + dy

    lane = drawn.lane
    return replace(
        drawn,
        lines=tuple(item.moved(dx, dy) for item in drawn.lines),
        witness=tuple(item.moved(dx, dy) for item in drawn.witness),
        arrows=tuple(item.moved(dx, dy) for item in drawn.arrows),
        texts=tuple(item.moved(dx, dy) for item in drawn.texts),
        tips=tuple(map(move, drawn.tips)),
        feet=tuple(map(move, drawn.feet)),
        lane=None if lane is None else (move(lane[0]), move(lane[1]), move(lane[2]), move(lane[3])),
        centre=None if drawn.centre is None else move(drawn.centre),
    )
