"""Lengths: the places where a linear dimension may lie."""

import math
from collections.abc import Iterator
from dataclasses import replace

from dqgen.renderers.drawing.dimension import Drawn, Foot, Quad, Span, arrowhead, corner_lines
from dqgen.renderers.drawing.display_list import Line, Point, Text, offset
from dqgen.renderers.drawing.drafting import DIMENSION, WITNESS, Drafting
from dqgen.renderers.drawing.tolerance import width, written

Frame = tuple[float, float, float, float]
TIERS = 12
LOCAL_TIERS = 3
LOCAL_COST = 7.0
WRONG_SIDE_COST = 6.0
TIER_COST = 1.0
ACROSS_COST = 0.2
OUTSIDE_TEXT_COST = 1.5
WITNESS_COST = 0.03
"""Of a mm of witness line."""
INSIDE_COST = 0.06
"""Of a mm of witness line that runs within the view,"""
INSIDE_MOST = 14.0
"""and the most that this can cost."""


def candidates(span: Span, frame: Frame, drafting: Drafting) -> Iterator[Drawn]:
    """The places of a length: outside the view's frame (left, bottom, right, top), tier by tier on either side, near
    its own points, and across from outline to outline where that is allowed."""
    cos, sin = math.cos(math.radians(span.angle)), math.sin(math.radians(span.angle))
    left, bottom, right, top = frame
    heights = [y * cos - x * sin for x in (left, right) for y in (bottom, top)]
    for side in (1, -1):
        a, b = (_outermost(feet, span.angle, side) for feet in (span.a, span.b))
        own = [foot.at[1] * cos - foot.at[0] * sin for foot in (a, b)]
        wrong = WRONG_SIDE_COST if span.prefer == -side else 0.0
        outer = max(heights) if side > 0 else min(heights)
        near = max(own) if side > 0 else min(own)
        levels = [
            (outer + side * (drafting.first + tier * drafting.step), TIER_COST * tier + wrong) for tier in range(TIERS)
        ]
        if abs(outer - near) > drafting.step:
            levels += [
                (near + side * (drafting.first + tier * drafting.step), LOCAL_COST + TIER_COST * tier + wrong)
                for tier in range(LOCAL_TIERS)
            ]
        for level, cost in levels:
            yield from _at_level(span, a, b, level, cost, frame, drafting)
    if span.across is not None:
        low, high = span.across
        for rank, part in enumerate((0.5, 0.3, 0.7, 0.15, 0.85)):
            level = low + part * (high - low)
            yield from _at_level(span, span.a[0], span.b[0], level, ACROSS_COST * rank, frame, drafting, across=True)


def _inside(line: Line, frame: Frame) -> float:
    """How much of a line lies within the view's frame, for lines along its sides, in mm."""
    left, bottom, right, top = frame
    (x0, x1), (y0, y1) = (sorted(pair) for pair in zip(line.start, line.end, strict=True))
    if x0 < left - 0.1 or x1 > right + 0.1:
        x0, x1 = max(x0, left), min(x1, right)
    y0, y1 = max(y0, bottom), min(y1, top)
    return max(x1 - x0, 0.0) + max(y1 - y0, 0.0) if x1 >= x0 and y1 >= y0 else 0.0


def _outermost(feet: tuple[Foot, ...], angle: float, side: int) -> Foot:
    """The foot that lies farthest to a side of a direction: its witness line crosses least."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return max(feet, key=lambda foot: side * (foot.at[1] * cos - foot.at[0] * sin))


def _at_level(
    span: Span,
    foot_a: Foot,
    foot_b: Foot,
    level: float,
    cost: float,
    frame: Frame,
    drafting: Drafting,
    across: bool = False,
) -> Iterator[Drawn]:
    """The ways to write a length whose dimension line lies at `level` along the normal of its direction."""
    cos, sin = math.cos(math.radians(span.angle)), math.sin(math.radians(span.angle))
    if foot_b.at[0] * cos + foot_b.at[1] * sin < foot_a.at[0] * cos + foot_a.at[1] * sin:
        foot_a, foot_b = foot_b, foot_a
    a, b = foot_a.at, foot_b.at
    along_a, along_b = (x * cos + y * sin for x, y in (a, b))
    tip_a, tip_b = offset((0, 0), span.angle, along_a, level), offset((0, 0), span.angle, along_b, level)
    label = replace(span.label, points=(foot_a.model, foot_b.model))
    length = along_b - along_a
    owner = span.label.id
    witness = () if across else (*_witness(a, tip_a, drafting, owner), *_witness(b, tip_b, drafting, owner))
    corners = [line for foot in (foot_a, foot_b) for line in corner_lines(foot.at, foot.rounded, drafting, owner)]
    cost += WITNESS_COST * sum(math.dist(line.start, line.end) for line in witness)
    cost += min(INSIDE_COST * sum(_inside(line, frame) for line in witness), INSIDE_MOST)
    text = span.label.lines[0]
    upright = drafting.standard == "asme"
    wide = width(span.label, drafting.height)
    high = drafting.height
    # How much of the dimension line the text takes up.
    taken = abs(wide * cos) + abs(high * sin) if upright else wide
    arrow = drafting.arrow
    inside = length >= 2 * arrow + 1.5 if not upright else length >= 2 * arrow + 2
    fits = length >= taken + (2 * arrow + 3 if upright and inside else 1.0)
    reach = arrow * 2 if not inside else 0.0
    places: list[tuple[str, float]] = []
    if fits and (inside or length >= taken + 1.5):
        places = [("middle", cost)]
        if inside and length / 2 > taken + arrow + 1:
            places += [("first half", cost + 0.4), ("second half", cost + 0.4)]
    elif across:
        return
    else:
        places = [("after", cost + OUTSIDE_TEXT_COST), ("before", cost + OUTSIDE_TEXT_COST + 0.2)]
    for place, place_cost in places:
        start, end = along_a - reach, along_b + reach
        if place == "middle":
            middle = (along_a + along_b) / 2
        elif place.endswith("half"):
            middle = along_a + length * (0.27 if place == "first half" else 0.73)
        elif place == "after":
            middle = along_b + max(reach, 1.0) + taken / 2 + 1.0
            end = middle + taken / 2 if not upright else middle - taken / 2 - 0.8
        else:
            middle = along_a - max(reach, 1.0) - taken / 2 - 1.0
            start = middle - taken / 2 if not upright else middle + taken / 2 + 0.8
        spot = offset((0, 0), span.angle, middle, level)
        item = _upright_text(spot, text, drafting, owner) if upright else _along_text(spot, text, span, drafting)
        lines: tuple[Line, ...]
        if upright and place not in ("after", "before"):
            half = taken / 2 + 0.8
            lines = (
                _line(span, start, middle - half, level, owner),
                _line(span, middle + half, end, level, owner),
            )
        else:
            lines = (_line(span, start, end, level, owner),)
        turn = 0 if inside else 180
        arrows = (
            arrowhead(tip_a, span.angle + 180 - turn, drafting, owner),
            arrowhead(tip_b, span.angle - turn, drafting, owner),
        )
        low, high_edge = min(start, middle - taken / 2), max(end, middle + taken / 2)
        lane = _lane(span.angle, low, high_edge, level, drafting)
        yield Drawn(
            label,
            lines,
            (*witness, *corners),
            arrows,
            written(item, span.label),
            (tip_a, tip_b),
            (a, b),
            lane,
            place_cost,
            span.angle,
        )


def _line(span: Span, start: float, end: float, level: float, owner: str) -> Line:
    return Line(offset((0, 0), span.angle, start, level), offset((0, 0), span.angle, end, level), DIMENSION, owner)


def _witness(foot: Point, tip: Point, drafting: Drafting, owner: str) -> tuple[Line, ...]:
    """From a gap off the foot to beyond the dimension line; none where the tip lies at the foot."""
    reach = math.dist(foot, tip)
    if reach < drafting.gap:
        return ()
    ux, uy = (tip[0] - foot[0]) / reach, (tip[1] - foot[1]) / reach
    start = (foot[0] + ux * drafting.gap, foot[1] + uy * drafting.gap)
    return (Line(start, (tip[0] + ux * drafting.overshoot, tip[1] + uy * drafting.overshoot), WITNESS, owner),)


def _along_text(spot: Point, text: str, span: Span, drafting: Drafting) -> Text:
    """Text along the line, above it as one reads from below or from the right."""
    angle = (span.angle + 90) % 180 - 90
    if abs(angle + 90) < 1e-6:
        angle = 90.0
    at = offset(spot, angle, 0.0, drafting.lift)
    return Text(at, text, drafting.height, "middle", angle, "DIMENSION", owner=span.label.id, role="dimension")


def _upright_text(spot: Point, text: str, drafting: Drafting, owner: str) -> Text:
    at = (spot[0], spot[1] - drafting.height / 2)
    return Text(at, text, drafting.height, "middle", 0.0, "DIMENSION", owner=owner, role="dimension")


def _lane(angle: float, low: float, high: float, level: float, drafting: Drafting) -> Quad:
    half = drafting.step * 0.45
    a, b, c, d = (
        offset((0, 0), angle, along, across)
        for along, across in (
            (low + 0.05, level - half),
            (high - 0.05, level - half),
            (high - 0.05, level + half),
            (low + 0.05, level + half),
        )
    )
    return a, b, c, d
