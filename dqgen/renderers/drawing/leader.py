"""Leaders: the places where a diameter, a radius, a note or a balloon may stand."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from dqgen.renderers.drawing.contacts import Rows, entered, quads_of
from dqgen.renderers.drawing.dimension import Drawn, Label, Pointer, Round, arrowhead
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, Drafting
from dqgen.renderers.drawing.field import (
    ARROW,
    CORRIDOR,
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
        turns = np.radians(angles)
        tips = np.array(target.centre) + target.radius * np.stack([np.cos(turns), np.sin(turns)], axis=1)
        fans.append(_fan(tips, angles, member, target.radius if round_.label.kind == "radius" else math.inf))
    centres = [target.centre for target in round_.targets]
    return _leaders(round_.label, fans, centres, drafting)


def note_places(pointer: Pointer, drafting: Drafting) -> Places:
    """Leaders from any side to one of the points."""
    angles = np.array(_angles(0.0, 360.0))
    fans = [
        _fan(np.tile(point, (len(angles), 1)), angles, member, math.inf)
        for member, point in enumerate(pointer.points[:MAX_TARGETS])
    ]
    return _leaders(pointer.label, fans, [None] * len(pointer.points), drafting)


def balloons(pointer: Pointer, drafting: Drafting) -> Iterator[tuple[float, Callable[[], Choice]]]:
    """Texts in rings, with leaders from any side to one of the points: what each place costs, and what draws it."""
    for member, tip in enumerate(pointer.points[:MAX_TARGETS]):
        for rank, angle in enumerate(_angles(0.0, 360.0)):
            for reach in REACHES:
                cost = MEMBER_COST * member + TURN_COST * (rank // 4) + REACH_COST * reach
                yield cost, partial(_balloon, pointer, tip, angle, reach, cost, drafting)


@dataclass(frozen=True)
class _Fan:
    """Leaders (n,): their tips (n, 2), directions in degrees, lengths, costs, and the target that each points at."""

    tips: Floats
    angles: Floats
    reaches: Floats
    costs: Floats
    members: Rows


def _fan(tips: Floats, angles: Floats, member: int, through: float) -> _Fan:
    """Leaders of every length from each tip (k, 2) along its angle (k,), and those longer than `through` also the
    other way, through the centre."""
    base = MEMBER_COST * member + TURN_COST * (np.arange(len(angles)) // 4)
    reaches = np.array(REACHES)
    shape = (len(angles), len(reaches), 2)
    costs = np.empty(shape)
    costs[:, :, 0] = base[:, None] + REACH_COST * reaches
    costs[:, :, 1] = costs[:, :, 0] + FROM_CENTRE_COST
    turned = np.stack([angles, angles + 180], axis=1)[:, None]
    kept = np.ones(shape, dtype=bool)
    kept[:, :, 1] = reaches > through
    row, length, _ = np.nonzero(kept)
    return _Fan(
        tips[row], np.broadcast_to(turned, shape)[kept], reaches[length], costs[kept], np.full(len(row), member)
    )


def _leaders(label: Label, fans: Sequence[_Fan], centres: Sequence[Point | None], drafting: Drafting) -> Places:
    """The places of leaders, those left out whose slanted line would run into its own text."""
    if not fans:
        return listed(())
    order = cheapest_first(np.concatenate([fan.costs for fan in fans]))
    tips = np.concatenate([fan.tips for fan in fans])[order]
    angles, reaches, costs, members = (
        np.concatenate([getattr(fan, name) for fan in fans])[order]
        for name in ("angles", "reaches", "costs", "members")
    )
    turns = np.radians(angles)
    cos = np.cos(turns)
    elbows = tips + reaches[:, None] * np.stack([cos, np.sin(turns)], axis=1)
    # Each leader with its shelf to the right, then with its shelf to the left, where both are allowed.
    allowed = np.stack([cos > -STEEP, cos < STEEP], axis=1)
    parts = [_written(label, (0.0, 0.0), side, drafting) for side in (1, -1)]
    for left, (texts, _) in enumerate(parts):
        rows = np.flatnonzero(allowed[:, left])
        slanted = np.concatenate([tips, elbows], axis=1)[rows]
        for text in texts:
            quads = np.array(text.quad(OWN_MARGIN)) + elbows[rows, None]
            allowed[rows, left] &= ~entered(slanted, quads)
    leader, leftwards = np.nonzero(allowed)
    rooms = np.array([[text.quad(TEXT_MARGIN) for text in texts] for texts, _ in parts])
    ends = np.array([end for _, end in parts])
    arrows = quads_of(
        arrow_quad(arrowhead((0.0, 0.0), angle + 180, drafting, "").points) for angle in np.unique(angles).tolist()
    )
    arrow_of = np.searchsorted(np.unique(angles), angles)

    def shapes(rows: Rows) -> Shapes:
        at, side = leader[rows], leftwards[rows]
        places = np.arange(len(rows))
        texts = (elbows[at, None, None] + rooms[side]).reshape(-1, 4, 2)
        slanted = np.concatenate([tips[at], elbows[at]], axis=1)
        shelves = np.concatenate([elbows[at], elbows[at] + ends[side]], axis=1)
        lines, owners = np.concatenate([slanted, shelves]), np.concatenate([places, places])
        bodies = arrows[arrow_of[at]] + tips[at, None]
        beside = corridors(lines, owners)
        kinds = np.repeat([ARROW, CORRIDOR], [len(bodies), len(beside.rows)])
        return Shapes(
            Marks.of(texts, TEXT, np.repeat(places, rooms.shape[1])),
            Marks.of(np.concatenate([bodies, beside.rows]), kinds, np.concatenate([places, beside.places])),
            Marks.of(lines, LEADER, owners),
        )

    def drawn(row: int) -> Choice:
        at = leader[row]
        tip, elbow = ((float(x), float(y)) for x, y in (tips[at], elbows[at]))
        own = (label, tip, elbow, float(angles[at]), float(costs[at]), drafting, centres[members[at]])
        return (_with_shelf(*own, side=-1 if leftwards[row] else 1),)

    return Places(costs[leader], shapes, drawn)


def _angles(first: float, last: float) -> list[float]:
    """Directions within a span, the well-readable ones first; at least its middle."""
    whole = [quadrant + turn for turn in TURNS for quadrant in (0, 90, 180, 270)]
    if last - first >= 359:
        return [float(angle) for angle in whole]
    middle = (first + last) / 2
    inside = [angle for angle in whole if 0.1 * (last - first) <= (angle - first) % 360 <= 0.9 * (last - first)]
    return [middle, *sorted(inside, key=lambda angle: abs((angle - middle + 180) % 360 - 180))]


def _with_shelf(
    label: Label,
    tip: Point,
    elbow: Point,
    angle: float,
    cost: float,
    drafting: Drafting,
    centre: Point | None,
    side: int,
) -> Drawn:
    """A slanted line from the tip, a level shelf at its end to the right (1) or left (-1), the text on it."""
    texts, (x, y) = _written(label, elbow, side, drafting)
    end = (elbow[0] + x, elbow[1] + y)
    lines = (Line(tip, elbow, DIMENSION, label.id), Line(elbow, end, DIMENSION, label.id))
    arrows = (arrowhead(tip, angle + 180, drafting, label.id),)
    return Drawn(label, lines, (), arrows, texts, (tip,), (tip,), None, cost, angle, centre)


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
