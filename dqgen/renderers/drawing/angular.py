"""Angles: the places where an angular dimension may lie."""

import math
from collections.abc import Iterator
from dataclasses import replace

from dqgen.renderers.drawing.dimension import Corner, Drawn, arrowhead
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, WITNESS, Drafting
from dqgen.renderers.drawing.tolerance import width, written

RADIUS_COST = 0.12
BESIDE_COST = 1.5
RADII = (14.0, 18.0, 22.0, 28.0, 35.0, 44.0, 55.0, 70.0, 90.0, 115.0)
"""Of arcs about an apex that lies in the view or near it, mm;"""
NEAR = 100.0
"""so far from its frame, mm. About one further off, arcs lie where the sides are:"""
STEPS = (-6.0, 6.0, -14.0, 14.0, -24.0, 24.0, -40.0, 40.0)
"""so much nearer to the apex than the nearer of the feet, or further away than the other."""

Frame = tuple[float, float, float, float]


def candidates(corner: Corner, frame: Frame, drafting: Drafting) -> Iterator[Drawn]:
    """Arcs about the apex at several radii, the text beyond the middle of the arc or at either end of it.

    Args:
        corner: the angle.
        frame: left, bottom, right, top of the view's geometry.
        drafting: how dimensions look.
    """
    feet = (corner.a, corner.b, corner.apex)
    a, b, apex = (foot.at for foot in feet)
    first = _bearing(apex, a)
    sweep = (_bearing(apex, b) - first) % 360
    label, owner = replace(corner.label, points=tuple(foot.model for foot in feet)), corner.label.id
    text = label.lines[0]
    wide, high = width(label, drafting.height), drafting.height
    for radius, cost in _radii(apex, a, b, frame):
        arc_length = math.radians(sweep) * radius
        inside = arc_length > 2 * drafting.arrow + 2
        tips = tuple(offset(apex, angle, radius, 0.0) for angle in (first, first + sweep))
        turn = math.degrees(drafting.arrow / 2 / radius)  # an arrowhead lies along the chord
        way = 90 - turn if inside else turn - 90  # out of the angle, or into it
        arrows = (
            arrowhead(tips[0], first - way, drafting, owner),
            arrowhead(tips[1], first + sweep + way, drafting, owner),
        )
        witness = tuple(
            line
            for foot, angle in ((corner.a, first), (corner.b, first + sweep))
            for line in _witness(apex, foot.at, angle, radius, foot in corner.rays, drafting, owner)
        )
        tail = math.degrees(2.2 * drafting.arrow / radius)
        spread = 0.0 if inside else tail
        for rank, side in enumerate((0, 1, -1)):
            start, end = first - spread, first + sweep + spread
            if side == 0:
                bearing = first + sweep / 2
                lift = drafting.overshoot + 1.0 if arc_length < wide + 2 else 1.2  # above the witness lines' ends
                reach = lift + _half(bearing, wide, high)
            else:  # the arc runs on to the text
                edge = first + sweep + tail if side > 0 else first - tail
                start, end = (start, edge) if side > 0 else (edge, end)
                bearing = edge + side * math.degrees((1.0 + _half(edge + 90, wide, high)) / radius)
                reach = 0.0
            x, y = offset(apex, bearing, radius + reach, 0.0)
            item = Text((x, y - high / 2), text, high, "middle", 0.0, "DIMENSION", owner=owner, role="dimension")
            arc = Arc(apex, radius, start, end, DIMENSION, owner)
            own = cost + BESIDE_COST * rank
            yield Drawn(
                label, (arc,), witness, arrows, written(item, label), tips, (a, b, apex), None, own, first, apex
            )


def _radii(apex: Point, a: Point, b: Point, frame: Frame) -> Iterator[tuple[float, float]]:
    """The radii that an arc may have, and what each costs."""
    left, bottom, right, top = frame
    if left - NEAR < apex[0] < right + NEAR and bottom - NEAR < apex[1] < top + NEAR:
        yield from ((radius, RADIUS_COST * radius) for radius in RADII)
        return
    near, far = sorted((math.dist(apex, a), math.dist(apex, b)))
    for step in STEPS:
        radius = far + step if step > 0 else near + step
        if radius > RADII[0]:
            yield radius, RADIUS_COST * abs(step)


def _half(bearing: float, wide: float, high: float) -> float:
    """Half of what an upright box takes up along a direction."""
    cos, sin = math.cos(math.radians(bearing)), math.sin(math.radians(bearing))
    return abs(cos) * wide / 2 + abs(sin) * high / 2


def _bearing(apex: Point, point: Point) -> float:
    return math.degrees(math.atan2(point[1] - apex[1], point[0] - apex[0]))


def _witness(
    apex: Point, foot: Point, angle: float, radius: float, ray: bool, drafting: Drafting, owner: str
) -> tuple[Line, ...]:
    """From the end of the side to just beyond the arc, where the side does not reach it; all of the side if it has no
    line of its own."""
    reach, beyond = math.dist(apex, foot), radius + drafting.overshoot
    if ray:
        return (Line(apex, offset(apex, angle, max(reach, beyond), 0.0), WITNESS, owner),)
    if reach >= radius - drafting.gap:
        return ()
    return (Line(offset(apex, angle, reach + drafting.gap, 0.0), offset(apex, angle, beyond, 0.0), WITNESS, owner),)
