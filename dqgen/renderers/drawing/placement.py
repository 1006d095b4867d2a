"""Placement: all dimensions of a view find their places together.

Each has a list of places it could take, best first. They are put down smallest first, each where it disturbs least;
then each is lifted again and put where it now disturbs least, until none moves.
"""

import math
from collections.abc import Iterator, Sequence

from dqgen.renderers.drawing import angular, leader, linear, ordinate
from dqgen.renderers.drawing.dimension import Corner, Drawn, Ordinates, Pointer, Request, Round, Span
from dqgen.renderers.drawing.drafting import Drafting
from dqgen.renderers.drawing.field import Field

ROUNDS = 3
"""How often all are lifted and put down again, at most."""

Frame = tuple[float, float, float, float]


def place(requests: Sequence[Request], field: Field, frame: Frame, drafting: Drafting) -> list[Drawn]:
    """Put dimensions on paper.

    Args:
        requests: what to show.
        field: what lies there already; the dimensions are added to it.
        frame: left, bottom, right, top of the view's geometry.
        drafting: how dimensions look.

    Returns:
        The dimensions, in the order of the requests.
    """
    order = sorted(range(len(requests)), key=lambda row: (*_rank(requests[row]), row))
    choices = [_choices(request, frame, drafting) for request in requests]
    placed: dict[int, tuple[tuple[Drawn, ...], float]] = {}
    for row in order:
        placed[row] = _settle(choices[row], field)
        for drawn in placed[row][0]:
            field.add(drawn)
    for _ in range(ROUNDS):
        moved = False
        for row in order:
            before, _ = placed[row]
            for drawn in before:
                field.remove(drawn)
            now = sum(field.cost(drawn) for drawn in before)
            after, cost = _settle(choices[row], field) if now > 0.5 else (before, now)
            if cost < now - 1e-6:
                moved = True
            else:
                after = before
            placed[row] = after, min(cost, now)
            for drawn in after:
                field.add(drawn)
        if not moved:
            break
    return [drawn for row in range(len(requests)) for drawn in placed[row][0]]


def _rank(request: Request) -> tuple[int, float]:
    """Lengths before leaders, short ones before long ones: the long ones then lie outside."""
    if isinstance(request, Ordinates):
        return 0, 0.0
    if isinstance(request, Span):
        return 1, round(_along(request), 6)
    if isinstance(request, Corner):
        return 2, 0.0
    if isinstance(request, Round):
        return 3, -len(request.label.lines[0])
    return 4, 0.0


def _along(span: Span) -> float:
    cos, sin = math.cos(math.radians(span.angle)), math.sin(math.radians(span.angle))
    (ax, ay), (bx, by) = span.a[0].at, span.b[0].at
    return abs((bx - ax) * cos + (by - ay) * sin)


def _choices(request: Request, frame: Frame, drafting: Drafting) -> list[tuple[float, tuple[Drawn, ...]]]:
    """The places of a request with their own costs, the cheapest first."""
    priced = [(sum(drawn.cost for drawn in choice), choice) for choice in _candidates(request, frame, drafting)]
    return sorted(priced, key=lambda pair: pair[0])


def _settle(choices: list[tuple[float, tuple[Drawn, ...]]], field: Field) -> tuple[tuple[Drawn, ...], float]:
    """The place that costs least; places are tried by their own cost until no better one can follow."""
    best: tuple[Drawn, ...] = ()
    lowest = math.inf
    for own, choice in choices:
        if own >= lowest:
            break
        cost = 0.0
        for drawn in choice:
            cost += field.cost(drawn, lowest - cost)
            if cost >= lowest:
                break
        if cost < lowest:
            best, lowest = choice, cost
    return best, lowest


def _candidates(request: Request, frame: Frame, drafting: Drafting) -> Iterator[tuple[Drawn, ...]]:
    if isinstance(request, Ordinates):
        yield from ordinate.candidates(request, frame, drafting)
    elif isinstance(request, Span):
        for drawn in linear.candidates(request, frame, drafting):
            yield (drawn,)
    elif isinstance(request, Corner):
        for drawn in angular.candidates(request, drafting):
            yield (drawn,)
    elif isinstance(request, Round):
        for drawn in leader.round_candidates(request, drafting):
            yield (drawn,)
    else:
        assert isinstance(request, Pointer)
        for drawn in leader.pointer_candidates(request, drafting):
            yield (drawn,)
