"""Placement: all dimensions of a view find their places together.

Each has a list of places it could take, best first. They are put down smallest first, each where it disturbs least;
then each is lifted again and put where it now disturbs least, until none moves.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import numpy as np

from dqgen.renderers.drawing import angular, leader, linear, ordinate
from dqgen.renderers.drawing.contacts import Rows
from dqgen.renderers.drawing.dimension import Corner, Drawn, Ordinates, Pointer, Request, Round, Span
from dqgen.renderers.drawing.drafting import Drafting
from dqgen.renderers.drawing.field import Field
from dqgen.renderers.drawing.places import Choice, Places, listed

ROUNDS = 3
"""How often all are lifted and put down again, at most."""
FEW = 16
"""Places that are looked at together first; then twice as many, and so on,"""
MANY = 256
"""up to this many."""
SETTLED = 0.5
"""A dimension that costs no more than this stays where it is."""
GAIN = 1e-6
"""What a move must save."""

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
    seats = [_Seats(_places(request, frame, drafting), field) for request in requests]
    taken: dict[int, Choice] = {}
    for row in order:
        best = seats[row].best(math.inf)
        taken[row] = () if best is None else seats[row].drawn(best)
        for drawn in taken[row]:
            field.add(drawn)
    for _ in range(ROUNDS):
        moved = False
        for row in order:
            for drawn in taken[row]:
                field.remove(drawn)
            now = sum(field.cost(drawn) for drawn in taken[row])
            best = seats[row].best(now - GAIN) if now > SETTLED else None
            if best is not None:
                taken[row] = seats[row].drawn(best)
                moved = True
            for drawn in taken[row]:
                field.add(drawn)
        if not moved:
            break
    return [drawn for row in range(len(requests)) for drawn in taken[row]]


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


class _Seats:
    """The places of a dimension, with what is known of their costs against what lies still."""

    def __init__(self, places: Places, field: Field) -> None:
        self._places, self._field = places, field
        self._texts = np.full(len(places.own), np.nan)
        """Own costs with those of texts,"""
        self._still = np.full(len(places.own), np.nan)
        """and with those of all else against what lies still."""

    def drawn(self, row: int) -> Choice:
        """The dimensions at a place."""
        return self._places.drawn(row)

    def best(self, limit: float) -> int | None:
        """The place that costs least, the first of equal ones; None if none costs less than `limit`.

        Places are tried by their own cost, some at a time, until no better one can follow.
        """
        own = self._places.own
        best: tuple[float, int] = limit, -1
        start, many = 0, FEW
        while start < len(own) and own[start] < best[0]:
            rows = np.arange(start, min(start + many, len(own)))
            rows = self._lying(rows[own[rows] < best[0]], best[0])
            promising = np.argsort(self._still[rows], kind="stable")
            for some in (promising[: FEW // 2], promising[FEW // 2 :]):
                asked = rows[some]
                asked = asked[self._still[asked] <= best[0]]
                if len(asked):
                    costs = self._still[asked] + self._field.others(self._places.shapes(asked), len(asked))
                    low = costs.min()
                    best = min(best, (float(low), int(asked[costs == low].min()))) if low < limit else best
            start, many = start + many, min(2 * many, MANY)
        return best[1] if best[0] < limit else None

    def _lying(self, rows: Rows, limit: float) -> Rows:
        """Those of the places that cost less than a limit against what lies still."""
        new = rows[np.isnan(self._texts[rows])]
        if len(new):
            texts = self._field.text_cost(self._places.shapes(new), len(new))
            self._texts[new] = self._places.own[new] + texts
        rows = rows[self._texts[rows] < limit]
        new = rows[np.isnan(self._still[rows])]
        if len(new):
            lines = self._field.line_cost(self._places.shapes(new), len(new))
            self._still[new] = self._texts[new] + lines
        return rows[self._still[rows] < limit]


def _places(request: Request, frame: Frame, drafting: Drafting) -> Places:
    if isinstance(request, Round):
        return leader.round_places(request, drafting)
    if isinstance(request, Pointer):
        return listed(leader.balloons(request, drafting)) if request.ring else leader.note_places(request, drafting)
    return listed(_priced(request, frame, drafting))


def _priced(
    request: Span | Corner | Ordinates, frame: Frame, drafting: Drafting
) -> Iterator[tuple[float, Callable[[], Choice]]]:
    """The places of a request: what each costs by itself, and what draws it."""
    choices: Iterator[Choice]
    if isinstance(request, Ordinates):
        choices = ordinate.candidates(request, frame, drafting)
    elif isinstance(request, Span):
        choices = ((drawn,) for drawn in linear.candidates(request, frame, drafting))
    else:
        choices = ((drawn,) for drawn in angular.candidates(request, frame, drafting))
    for choice in choices:
        yield sum(drawn.cost for drawn in choice), partial(tuple, choice)
