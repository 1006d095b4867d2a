"""What is found out about a solid is kept for as long as the solid lives: designs share solids, and so do variants."""

import functools
import weakref
from collections.abc import Callable
from typing import TypeVar

from dqgen.schemas.design import Solid

Result = TypeVar("Result")


def once_per_solid(function: Callable[[Solid], Result]) -> Callable[[Solid], Result]:
    """The function, which is called but once for a solid; solids are told apart by identity."""
    known: dict[int, tuple[weakref.ref[Solid], Result]] = {}

    @functools.wraps(function)
    def recalled(solid: Solid) -> Result:
        key = id(solid)
        if key not in known:
            known[key] = weakref.ref(solid, lambda _: known.pop(key, None)), function(solid)
        return known[key][1]

    return recalled
