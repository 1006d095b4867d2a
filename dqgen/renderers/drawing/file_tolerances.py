"""Tolerances that a file states for its model (PMI), given to the automatic dimensions that they surely belong to."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dqgen.renderers.drawing.dimension import Corner, Kind, Request, Round, Span
from dqgen.renderers.drawing.numbers import MM_PER_INCH, Numbers
from dqgen.renderers.drawing.tolerance import Tolerance, toleranced
from dqgen.schemas.design import Pmi

SAME = 1e-3
"""mm or degrees within which a nominal size is that of a dimension."""
KINDS: dict[str, tuple[Kind, ...]] = {
    "Size_Diameter": ("callout", "diameter"),
    "Size_Radius": ("radius",),
    "Size_Thickness": ("linear",),
    "Size_Angular": ("angular",),
    "Location_LinearDistance": ("linear",),
    "Location_Angular": ("angular",),
}
SIGNS: dict[Kind, str] = {"callout": "⌀", "diameter": "⌀", "radius": "R"}

Told = dict[str, list[Request]]


@dataclass(frozen=True)
class _Stated:
    """A size of the file: the least and greatest nominal that it may speak of, and its tolerance if that is sure."""

    kinds: tuple[Kind, ...]
    low: float
    high: float
    tolerance: Tolerance | None


def given(told: Told, pmi: tuple[Pmi, ...], numbers: Numbers) -> tuple[Told, tuple[str, ...]]:
    """The dimensions, with the file's tolerances where one dimension alone has that kind and size and all that the file
    states of this size is the same; and a warning that names the others.

    Args:
        told: dimensions by view.
        pmi: what the file states.
        numbers: how values are printed.
    """
    single = [one for requests in told.values() for one in requests if isinstance(one, Span | Round | Corner)]
    stated = [size for one in pmi for size in _stated(one, single)]
    tolerances: dict[str, Tolerance] = {}
    for request in single:
        label = request.label
        own = [size for size in stated if _speaks_of(size, request)]
        alike = [other for other in single if any(_speaks_of(size, other) for size in own)]
        sure = own[0].tolerance if own else None
        if sure is not None and len(alike) == 1 and all(size.tolerance == sure for size in own):
            tolerances[label.id] = sure
    drawn = {
        view: [
            replace(one, label=toleranced(one.label, tolerances[one.label.id], numbers))
            if isinstance(one, Span | Round | Corner) and one.label.id in tolerances and not one.label.edited
            else one
            for one in requests
        ]
        for view, requests in told.items()
    }
    missed = [
        size for size in stated if not any(one.label.id in tolerances and _speaks_of(size, one) for one in single)
    ]
    if not missed:
        return drawn, ()
    names = ", ".join(dict.fromkeys(_name(size, numbers) for size in missed))
    return drawn, (f"tolerances of the file that belong to no one dimension for sure are not drawn: {names}",)


def _stated(one: Pmi, dimensions: list[Span | Round | Corner]) -> Iterator[_Stated]:
    """A toleranced size of the file; nothing for others.

    The kernel may lose the sign of a lower deviation, so that a tolerance is sure only where no other sign makes sense:
    equal sizes lie on both sides, and beside zero the lower one is negative. It may also leave the nominal size of
    files in inches as it is.
    """
    kinds = KINDS.get(one.type)
    if one.kind != "dimension" or kinds is None or len(one.values) not in (2, 3):
        return
    if len(one.values) == 2:  # limits of size
        yield _Stated(kinds, min(one.values), max(one.values), None)
        return
    nominal, lower, upper = one.values[0], abs(one.values[1]), abs(one.values[2])
    if lower == upper == 0:
        return
    sure = lower == upper or 0.0 in (lower, upper)
    factors = (1.0,) if "angular" in kinds else (1.0, MM_PER_INCH)
    for factor in factors:
        size = _Stated(kinds, nominal * factor, nominal * factor, Tolerance(upper, -lower + 0.0) if sure else None)
        if any(_speaks_of(size, dimension) for dimension in dimensions):
            yield size
            return
    yield _Stated(kinds, nominal, nominal, None)


def _speaks_of(size: _Stated, dimension: Span | Round | Corner) -> bool:
    label = dimension.label
    return label.kind in size.kinds and size.low - SAME < label.value < size.high + SAME


def _name(size: _Stated, numbers: Numbers) -> str:
    if "angular" in size.kinds:
        return numbers.angle(size.low)
    sign = SIGNS.get(size.kinds[0], "")
    limits = (size.low,) if size.low == size.high else (size.low, size.high)
    return "–".join(sign + numbers.length(limit) for limit in limits)
