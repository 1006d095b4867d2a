"""Angles: the places where an angular dimension may lie."""

import math
from collections.abc import Iterator
from dataclasses import replace

from dqgen.renderers.drawing.dimension import Corner, Drawn, arrowhead
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, WITNESS, Drafting
from dqgen.renderers.drawing.tolerance import width, written

RADIUS_COST = 0.12


def candidates(corner: Corner, drafting: Drafting) -> Iterator[Drawn]:
    """Arcs about the apex at several radii, the text beyond the middle of the arc or beside it."""
    feet = (corner.a, corner.b, corner.apex)
    a, b, apex = (foot.at for foot in feet)
    first = _bearing(apex, a)
    sweep = (_bearing(apex, b) - first) % 360
    label, owner = replace(corner.label, points=tuple(foot.model for foot in feet)), corner.label.id
    text = label.lines[0]
    wide, high = width(label, drafting.height), drafting.height
    for radius in (14.0, 18.0, 22.0, 28.0, 35.0, 44.0, 55.0, 70.0, 90.0, 115.0):
        arc_length = math.radians(sweep) * radius
        inside = arc_length > 2 * drafting.arrow + 2
        tips = tuple(offset(apex, angle, radius, 0.0) for angle in (first, first + sweep))
        turn = math.degrees(drafting.arrow / 2 / radius)  # an arrowhead lies along the chord
        if inside:
            arrows = (
                arrowhead(tips[0], first - 90 + turn, drafting, owner),
                arrowhead(tips[1], first + sweep + 90 - turn, drafting, owner),
            )
            spread = 0.0
        else:
            arrows = (
                arrowhead(tips[0], first + 90 - turn, drafting, owner),
                arrowhead(tips[1], first + sweep - 90 + turn, drafting, owner),
            )
            spread = math.degrees(2.2 * drafting.arrow / radius)
        arc = Arc(apex, radius, first - spread, first + sweep + spread, DIMENSION, owner)
        witness = tuple(
            line
            for foot, angle in ((a, first), (b, first + sweep))
            for line in _witness(apex, foot, angle, radius, drafting, owner)
        )
        room = math.degrees((wide / 2 + 2) / radius) + spread
        for rank, bearing in enumerate((first + sweep / 2, first + sweep + room, first - room)):
            cos, sin = math.cos(math.radians(bearing)), math.sin(math.radians(bearing))
            reach = radius + 1.2 + abs(cos) * wide / 2 + abs(sin) * high / 2
            at = (apex[0] + reach * cos, apex[1] + reach * sin - high / 2)
            item = Text(at, text, high, "middle", 0.0, "DIMENSION", owner=owner, role="dimension")
            cost = RADIUS_COST * radius + 1.5 * rank
            yield Drawn(
                label, (arc,), witness, arrows, written(item, label), tips, (a, b, apex), None, cost, first, apex
            )


def _bearing(apex: Point, point: Point) -> float:
    return math.degrees(math.atan2(point[1] - apex[1], point[0] - apex[0]))


def _witness(apex: Point, foot: Point, angle: float, radius: float, drafting: Drafting, owner: str) -> tuple[Line, ...]:
    """From the end of the side to just beyond the arc, where the side does not reach it."""
    reach = math.dist(apex, foot)
    if reach >= radius - drafting.gap:
        return ()
    end = offset(apex, angle, radius + drafting.overshoot, 0.0)
    return (Line(offset(apex, angle, reach + drafting.gap, 0.0), end, WITNESS, owner),)
