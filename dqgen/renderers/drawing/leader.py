"""Leaders: the places where a diameter, a radius, a note or a balloon may stand."""

import math
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from dqgen.renderers.drawing.dimension import Drawn, Label, Pointer, Round, arrowhead
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, Drafting
from dqgen.renderers.drawing.field import Boxed, segments_in_quad
from dqgen.renderers.drawing.tolerance import width, written

TURNS = (45, 60, 30, 75, 15, 50, 40)
"""Angles of leaders in the first quadrant, the best first."""
REACHES = (7.0, 10.0, 14.0, 19.0, 25.0, 32.0, 40.0, 50.0, 62.0, 76.0, 92.0, 110.0)
REACH_COST = 0.09
TURN_COST = 0.25
MEMBER_COST = 0.15
MAX_TARGETS = 6
LINE_PITCH = 1.7
"""Of stacked lines of text, in heights."""

Priced = tuple[float, Callable[[], Iterator[Drawn]]]
"""A place's own cost, and what draws it: nothing, or one or two variants."""


def round_candidates(round_: Round, drafting: Drafting) -> Iterator[Priced]:
    """Leaders whose arrow lies on the arc and points at its centre, or away from it on a wide arc's inside."""
    kind = "radius" if round_.label.kind == "radius" else "diameter"
    for member, target in enumerate(round_.targets[:MAX_TARGETS]):
        for rank, angle in enumerate(_angles(target.first, target.last)):
            cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
            tip = (target.centre[0] + target.radius * cos, target.centre[1] + target.radius * sin)
            base = MEMBER_COST * member + TURN_COST * (rank // 4)
            for reach in REACHES:
                cost = base + REACH_COST * reach
                yield cost, partial(_with_shelf, round_.label, tip, angle, reach, cost, drafting, target.centre)
                if kind == "radius" and reach > target.radius:  # from the centre's side, through the centre
                    cost = base + REACH_COST * reach + 0.3
                    yield (
                        cost,
                        partial(_with_shelf, round_.label, tip, angle + 180, reach, cost, drafting, target.centre),
                    )


def pointer_candidates(pointer: Pointer, drafting: Drafting) -> Iterator[Priced]:
    """Leaders from any side to one of the points."""
    for member, tip in enumerate(pointer.points[:MAX_TARGETS]):
        for rank, angle in enumerate(_angles(0.0, 360.0)):
            for reach in REACHES:
                cost = MEMBER_COST * member + TURN_COST * (rank // 4) + REACH_COST * reach
                if pointer.ring:
                    yield cost, partial(_balloon, pointer, tip, angle, reach, cost, drafting)
                else:
                    yield cost, partial(_with_shelf, pointer.label, tip, angle, reach, cost, drafting, None)


def _angles(first: float, last: float) -> list[float]:
    """Directions within a span, the well-readable ones first; at least its middle."""
    whole = [quadrant + turn for turn in TURNS for quadrant in (0, 90, 180, 270)]
    if last - first >= 359:
        return [float(angle) for angle in whole]
    middle = (first + last) / 2
    inside = [angle for angle in whole if 0.1 * (last - first) <= (angle - first) % 360 <= 0.9 * (last - first)]
    return [middle, *sorted(inside, key=lambda angle: abs((angle - middle + 180) % 360 - 180))]


def _with_shelf(
    label: Label, tip: Point, angle: float, reach: float, cost: float, drafting: Drafting, centre: Point | None
) -> Iterator[Drawn]:
    """A slanted line from the tip, a level shelf at its end, the text on it."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    elbow = (tip[0] + reach * cos, tip[1] + reach * sin)
    wide = width(label, drafting.height)
    sides = (1, -1) if abs(cos) < 0.3 else (1,) if cos > 0 else (-1,)
    for side in sides:
        owner = label.id
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
            Text((start, y), line, drafting.height, "left", 0.0, "DIMENSION", owner=owner, role="dimension")
            for line, y in zip(label.lines, rows, strict=False)
        )
        texts = (*written(texts[0], label), *texts[1:])
        quads = [text.quad(0.4) for text in texts]
        slanted = Boxed.of(np.array([(*tip, *elbow)]))
        if any(segments_in_quad(slanted, quad) for quad in quads):
            continue
        end = (elbow[0] + side * shelf, elbow[1])
        lines = (Line(tip, elbow, DIMENSION, owner), Line(elbow, end, DIMENSION, owner))
        arrows = (arrowhead(tip, angle + 180, drafting, owner),)
        yield Drawn(label, lines, (), arrows, texts, (tip,), (tip,), None, cost, angle, centre)


def _balloon(
    pointer: Pointer, tip: Point, angle: float, reach: float, cost: float, drafting: Drafting
) -> Iterator[Drawn]:
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
    yield Drawn(label, lines, (), arrows, (text,), (tip,), (tip,), lane, cost, angle, None)
