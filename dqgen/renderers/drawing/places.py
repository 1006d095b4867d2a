"""The places that a dimension could take, cheapest first, as arrays; drawn where one of them is chosen."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np

from dqgen.renderers.drawing.contacts import Rows
from dqgen.renderers.drawing.dimension import Drawn
from dqgen.renderers.drawing.field import Shapes, shapes_of
from dqgen.schemas.design import Floats

Choice = tuple[Drawn, ...]


@dataclass(frozen=True)
class Places:
    """Places of a dimension, or of a row of ordinates.

    Attributes:
        own: (n,) what each costs by itself, in ascending order.
        shapes: what would lie at some of them, numbered as they are asked for.
        drawn: the dimensions at one of them.
    """

    own: Floats
    shapes: Callable[[Rows], Shapes]
    drawn: Callable[[int], Choice]


def listed(priced: Iterable[tuple[float, Callable[[], Choice]]]) -> Places:
    """Places that are drawn one by one, when they are first looked at: what each costs by itself, and what draws it."""
    waiting = list(priced)
    order = cheapest_first(np.array([cost for cost, _ in waiting], dtype=np.float64))
    choices: dict[int, Choice] = {}
    known: dict[int, Shapes] = {}

    def drawn(row: int) -> Choice:
        if row not in choices:
            choices[row] = waiting[order[row]][1]()
        return choices[row]

    def shapes(rows: Rows) -> Shapes:
        for row in rows.tolist():
            if row not in known:
                known[row] = shapes_of(drawn(row))
        return Shapes.joined([known[row] for row in rows.tolist()])

    return Places(np.array([waiting[row][0] for row in order], dtype=np.float64), shapes, drawn)


def cheapest_first(costs: Floats) -> Rows:
    """The order of places by cost; of equal ones the last comes first."""
    order: Rows = np.lexsort((-np.arange(len(costs)), costs))
    return order
