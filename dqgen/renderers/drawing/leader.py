"""Leaders: the places where a diameter, a radius, a note or a balloon may stand."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

import numpy as np

from dqgen.renderers.drawing.contacts import Rows, entered, quads_of
from dqgen.renderers.drawing.dimension import Drawn, Label, Pointer, Round, arrowhead
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, Drafting
from dqgen.renderers.drawing.field import (
    ARROW,
    LEADER,
    TEXT,
    TEXT_MARGIN,
    Marks,
    Shapes,
    arrow_quad,
    corridors,
)
from dqgen.renderers.drawing.places import Choice, Places, cheapest_first, listed
from dqgen.renderers.drawing.tolerance import width, written
from dqgen.schemas.design import Floats

TURNS = (45, 60, 30, 75, 15, 50, 40)
"""Angles of leaders in the first quadrant, the best first."""
REACHES = (7.0, 10.0, 14.0, 19.0, 25.0, 32.0, 40.0, 50.0, 62.0, 76.0, 92.0, 110.0)
REACH_COST = 0.09
TURN_COST = 0.25
MEMBER_COST = 0.15
MAX_TARGETS = 6
LINE_PITCH = 1.7
"""Of stacked lines of text, in heights."""

STEEP = 0.3
"""Cosine below which a leader's shelf may run to either side."""
FROM_CENTRE_COST = 0.3
OWN_MARGIN = 0.4
"""Between a leader's slanted line and its own text, mm."""


def round_places(round_: Round, drafting: Drafting) -> Places:
    """Leaders whose arrow lies on the arc and points at its centre, or away from it on a wide arc's inside."""
    fans = []
    for member, target in enumerate(round_.targets[:MAX_TARGETS]):
        angles = np.array(_angles(target.first, target.last))
        tips = np.array(target.centre) + target.radius * _directions(angles)
        fans.append(_fan(tips, angles, member, target.radius if round_.label.kind == "radius" else math.inf))
    return _places(round_.label, fans, [target.centre for target in round_.targets], drafting)


def note_places(pointer: Pointer, drafting: Drafting) -> Places:
    """Leaders from any side to one of the points."""
    angles = np.array(_angles(0.0, 360.0))
    fans = [
        _fan(np.tile(point, (len(angles), 1)), angles, member, math.inf)
        for member, point in enumerate(pointer.points[:MAX_TARGETS])
    ]
    return _places(pointer.label, fans, [None] * len(pointer.points), drafting)


def balloons(pointer: Pointer, drafting: Drafting) -> Iterator[tuple[float, Callable[[], Choice]]]:
    """Texts in rings, with leaders from any side to one of the points: what each place costs, and what draws it."""
    for member, tip in enumerate(pointer.points[:MAX_TARGETS]):
        for rank, angle in enumerate(_angles(0.0, 360.0)):
            for reach in REACHES:
                cost = MEMBER_COST * member + TURN_COST * (rank // 4) + REACH_COST * reach
                yield cost, partial(_balloon, pointer, tip, angle, reach, cost, drafting)


@dataclass(frozen=True)
class _Fan:
    """Slanted lines of leaders.

    Attributes:
        tips: (n, 2) what they point at.
        angles: (n,) in which direction they go from there, in degrees.
        elbows: (n, 2) where they end.
        costs: (n,) of each.
        members: (n,) rows of the targets.
    """

    tips: Floats
    angles: Floats
    elbows: Floats
    costs: Floats
    members: Rows

    def take(self, rows: Rows) -> "_Fan":
        """Some of them."""
        return _Fan(self.tips[rows], self.angles[rows], self.elbows[rows], self.costs[rows], self.members[rows])

    @property
    def slanted(self) -> Floats:
        """As segments (n, 4)."""
        return np.concatenate([self.tips, self.elbows], axis=1)


def _fan(tips: Floats, angles: Floats, member: int, through: float) -> _Fan:
    """Leaders of every length from each tip (k, 2) along its angle (k,), and those longer than `through` also the
    other way, through the centre."""
    base = MEMBER_COST * member + TURN_COST * (np.arange(len(angles)) // 4)
    reaches = np.array(REACHES)
    shape = (len(angles), len(reaches), 2)
    costs = np.empty(shape)
    costs[:, :, 0] = base[:, None] + REACH_COST * reaches
    costs[:, :, 1] = costs[:, :, 0] + FROM_CENTRE_COST
    kept = np.ones(shape, dtype=bool)
    kept[:, :, 1] = reaches > through
    row, length, turned = np.nonzero(kept)
    towards = angles[row] + 180 * turned
    elbows = tips[row] + reaches[length, None] * _directions(towards)
    return _Fan(tips[row], towards, elbows, costs[kept], np.full(len(row), member))


def _directions(angles: Floats) -> Floats:
    """Unit vectors (n, 2) of angles in degrees."""
    turns = np.radians(angles)
    return np.stack([np.cos(turns), np.sin(turns)], axis=1)


def _places(label: Label, fans: Sequence[_Fan], centres: Sequence[Point | None], drafting: Drafting) -> Places:
    """The places of leaders with their shelves, those left out whose slanted line would run into its own text."""
    if not fans:
        return listed(())
    names = ("tips", "angles", "elbows", "costs", "members")
    fan = _Fan(*(np.concatenate([getattr(one, name) for one in fans]) for name in names))
    fan = fan.take(cheapest_first(fan.costs))
    across = _directions(fan.angles)[:, 0]
    allowed = np.stack([across > -STEEP, across < STEEP], axis=1)  # a shelf to the right, and one to the left
    for left, side in enumerate((1, -1)):
        rows = np.flatnonzero(allowed[:, left])
        for text in _written(label, (0.0, 0.0), side, drafting)[0]:
            quads = np.array(text.quad(OWN_MARGIN)) + fan.elbows[rows, None]
            allowed[rows, left] &= ~entered(fan.slanted[rows], quads)
    rows, leftwards = np.nonzero(allowed)
    leaders = _Leaders(label, fan.take(rows), 1 - 2 * leftwards, centres, drafting)
    return Places(leaders.fan.costs, leaders.shapes, leaders.drawn)


@dataclass(frozen=True)
class _Leaders:
    """Leaders of a label, each with its shelf to the right (1) or left (-1).

    Attributes:
        label: what is written on the shelf.
        fan: the slanted lines.
        sides: (n,) of the shelves.
        centres: of the circles that the targets belong to.
        drafting: how they look.
    """

    label: Label
    fan: _Fan
    sides: Rows
    centres: Sequence[Point | None]
    drafting: Drafting

    @cached_property
    def _shelves(self) -> tuple[Floats, Floats]:
        """Of a shelf to the left and one to the right, from the elbow: the texts with room around them, and the end."""
        parts = [_written(self.label, (0.0, 0.0), side, self.drafting) for side in (-1, 1)]
        rooms = np.array([[text.quad(TEXT_MARGIN) for text in texts] for texts, _ in parts])
        return rooms, np.array([end for _, end in parts])

    @cached_property
    def _arrows(self) -> tuple[Floats, Rows]:
        """Arrowheads (k, 4, 2) of each direction, from the tip, and which one each leader has."""
        angles, rows = np.unique(self.fan.angles, return_inverse=True)
        heads = (arrowhead((0.0, 0.0), angle + 180, self.drafting, "") for angle in angles.tolist())
        return quads_of(arrow_quad(head.points) for head in heads), rows

    def shapes(self, rows: Rows) -> Shapes:
        """What would lie at some of the places."""
        fan, places = self.fan.take(rows), np.arange(len(rows))
        rooms, ends = (table[(self.sides[rows] + 1) // 2] for table in self._shelves)
        shelves = np.concatenate([fan.elbows, fan.elbows + ends], axis=1)
        lines, owners = np.concatenate([fan.slanted, shelves]), np.concatenate([places, places])
        heads, head_of = self._arrows
        arrows = heads[head_of[rows]] + fan.tips[:, None]
        beside = corridors(lines, owners)
        return Shapes(
            Marks.of((rooms + fan.elbows[:, None, None]).reshape(-1, 4, 2), TEXT, np.repeat(places, rooms.shape[1])),
            Marks.joined([Marks.of(arrows, ARROW, places), beside]),
            Marks.of(lines, LEADER, owners),
        )

    def drawn(self, row: int) -> Choice:
        """The leader at a place."""
        fan, label = self.fan, self.label
        (tip, elbow), angle = (_point(fan.tips[row]), _point(fan.elbows[row])), float(fan.angles[row])
        texts, (x, y) = _written(label, elbow, int(self.sides[row]), self.drafting)
        end = (elbow[0] + x, elbow[1] + y)
        lines = (Line(tip, elbow, DIMENSION, label.id), Line(elbow, end, DIMENSION, label.id))
        arrows = (arrowhead(tip, angle + 180, self.drafting, label.id),)
        centre = self.centres[fan.members[row]]
        return (Drawn(label, lines, (), arrows, texts, (tip,), (tip,), None, float(fan.costs[row]), angle, centre),)


def _point(row: Floats) -> Point:
    return float(row[0]), float(row[1])


def _angles(first: float, last: float) -> list[float]:
    """Directions within a span, the well-readable ones first; at least its middle."""
    whole = [quadrant + turn for turn in TURNS for quadrant in (0, 90, 180, 270)]
    if last - first >= 359:
        return [float(angle) for angle in whole]
    middle = (first + last) / 2
    inside = [angle for angle in whole if 0.1 * (last - first) <= (angle - first) % 360 <= 0.9 * (last - first)]
    return [middle, *sorted(inside, key=lambda angle: abs((angle - middle + 180) % 360 - 180))]


def _written(label: Label, elbow: Point, side: int, drafting: Drafting) -> tuple[tuple[Text, ...], Point]:
    """The texts at a shelf that runs from an elbow to the right (1) or left (-1), and how far it runs."""
    wide = width(label, drafting.height)
    if drafting.standard == "iso":
        shelf = wide + 1.5
        start = elbow[0] + 0.75 if side > 0 else elbow[0] - wide - 0.75
        base = elbow[1] + drafting.lift
        rows = [base, *(elbow[1] - 1.35 * drafting.height - LINE_PITCH * drafting.height * i for i in range(9))]
    else:
        shelf = 3.5
        start = elbow[0] + 4.5 if side > 0 else elbow[0] - wide - 4.5
        count = len(label.lines)
        middle = elbow[1] - drafting.height / 2 + (count - 1) * LINE_PITCH * drafting.height / 2
        rows = [middle - LINE_PITCH * drafting.height * i for i in range(count)]
    texts = tuple(
        Text((start, y), line, drafting.height, "left", 0.0, "DIMENSION", owner=label.id, role="dimension")
        for line, y in zip(label.lines, rows, strict=False)
    )
    return (*written(texts[0], label), *texts[1:]), (side * shelf, 0.0)


def _balloon(pointer: Pointer, tip: Point, angle: float, reach: float, cost: float, drafting: Drafting) -> Choice:
    label, ring = pointer.label, pointer.ring
    middle = offset(tip, angle, reach + ring, 0.0)
    text = Text(
        (middle[0], middle[1] - drafting.height / 2),
        label.lines[0],
        drafting.height,
        "middle",
        0.0,
        "DIMENSION",
        owner=label.id,
        role="dimension",
    )
    lines: tuple[Line | Arc, ...] = (
        Line(tip, offset(tip, angle, reach, 0.0), DIMENSION, label.id),
        Arc(middle, ring, 0.0, 360.0, DIMENSION, label.id),
    )
    x, y = middle
    lane = ((x - ring, y - ring), (x + ring, y - ring), (x + ring, y + ring), (x - ring, y + ring))
    arrows = (arrowhead(tip, angle + 180, drafting, label.id),)
    return (Drawn(label, lines, (), arrows, (text,), (tip,), (tip,), lane, cost, angle, None),)
