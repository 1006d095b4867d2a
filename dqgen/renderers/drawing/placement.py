"""Placement: all dimensions of a view find their places together.

Each has a list of places it could take, best first. They are put down smallest first, each where it disturbs least;
then each is lifted again and put where it now disturbs least, until none moves.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from dqgen.renderers.drawing import angular, leader, linear, ordinate
from dqgen.renderers.drawing.dimension import Corner, Drawn, Ordinates, Pointer, Request, Round, Span
from dqgen.renderers.drawing.drafting import Drafting
from dqgen.renderers.drawing.field import Field

ROUNDS = 3
"""How often all are lifted and put down again, at most."""

Frame = tuple[float, float, float, float]
Choice = tuple[Drawn, ...]


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
    places = [_Places(request, frame, drafting) for request in requests]
    placed: dict[int, tuple[Choice, float]] = {}
    for row in order:
        placed[row] = _settle(places[row], field)
        for drawn in placed[row][0]:
            field.add(drawn)
    for _ in range(ROUNDS):
        moved = False
        for row in order:
            before, _ = placed[row]
            for drawn in before:
                field.remove(drawn)
            now = sum(field.cost(drawn) for drawn in before)
            after, cost = _settle(places[row], field) if now > 0.5 else (before, now)
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


class _Places:
    """The places of a request, cheapest first, drawn when they are first looked at."""

    def __init__(self, request: Request, frame: Frame, drafting: Drafting) -> None:
        priced = _priced(request, frame, drafting)
        self._waiting = sorted(priced, key=lambda pair: pair[0], reverse=True)
        self._drawn: list[tuple[float, Choice]] = []

    def __iter__(self) -> Iterator[tuple[float, Choice]]:
        at = 0
        while True:
            while at < len(self._drawn):
                yield self._drawn[at]
                at += 1
            if not self._waiting:
                return
            cost, draw = self._waiting.pop()
            self._drawn += [(cost, choice) for choice in draw()]


def _settle(places: _Places, field: Field) -> tuple[Choice, float]:
    """The place that costs least; places are tried by their own cost until no better one can follow."""
    best: Choice = ()
    lowest = math.inf
    for own, choice in places:
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


def _priced(request: Request, frame: Frame, drafting: Drafting) -> Iterator[tuple[float, Callable[[], list[Choice]]]]:
    """The places of a request: what each costs by itself, and what draws it."""
    if isinstance(request, Round | Pointer):
        priced = (
            leader.round_candidates(request, drafting)
            if isinstance(request, Round)
            else leader.pointer_candidates(request, drafting)
        )
        for cost, draw in priced:
            yield cost, partial(_singly, draw)
        return
    choices: Iterator[Choice]
    if isinstance(request, Ordinates):
        choices = ordinate.candidates(request, frame, drafting)
    elif isinstance(request, Span):
        choices = ((drawn,) for drawn in linear.candidates(request, frame, drafting))
    else:
        choices = ((drawn,) for drawn in angular.candidates(request, frame, drafting))
    for choice in choices:
        yield sum(drawn.cost for drawn in choice), partial(list, [choice])


def _singly(draw: Callable[[], Iterator[Drawn]]) -> list[Choice]:
    return [(drawn,) for drawn in draw()]
