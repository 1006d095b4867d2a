"""A result to show: its value, its picture, and what the second way needs."""

import hashlib
import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from dqgen.generators.draft import Picture
from dqgen.renderers.charts.style import with_unit
from dqgen.schemas.spec import Limit

ATTEMPTS = 24
SPREAD = (0.7, 1.3)
"""Margins of both answers are drawn from these parts of the check's percentage."""


@dataclass(frozen=True)
class Aim:
    """What a result is to be.

    Attributes:
        limit: of the rule.
        keeps: whether the result is to keep it.
        value: wanted, in the limit's unit.
        upper: whether it lies at the upper end of what the rule allows.
    """

    limit: Limit
    keeps: bool
    value: float
    upper: bool

    def met_by(self, values: tuple[float, ...]) -> bool:
        """Whether values decide the question as they should."""
        return all(self.limit.keeps(value) for value in values) == self.keeps


@dataclass(frozen=True)
class Result:
    """A result that has been made.

    Attributes:
        picture: of it.
        values: what the limit is held against, the deciding one first.
        found: sentence of the explanation that says how it is read, with {value} for the number.
        proof: what the second way needs beside the picture's evidence.
    """

    picture: Picture
    values: tuple[float, ...]
    found: str
    proof: dict[str, Any]


def source(*words: object) -> np.random.Generator:
    """A source of chance that depends on these words alone."""
    digest = hashlib.sha256("/".join(map(str, words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def aim(limit: Limit, keeps: bool, percent: float, draw: np.random.Generator) -> Aim:
    """A value on the wanted side of a limit, off it by about a percentage of it."""
    low, high = limit.bounds
    upper = high is not None and (low is None or bool(draw.integers(2)))
    end = high if upper else low
    assert end is not None
    part = percent / 100 * float(draw.uniform(*SPREAD))
    outwards = part if upper else -part
    return Aim(limit, keeps, end * (1 - outwards if keeps else 1 + outwards), upper)


def furthest(limit: Limit, percent: float) -> float:
    """The highest value that a result can be asked to have."""
    low, high = limit.bounds
    top = max(end for end in (low, high) if end is not None)
    return top * (1 + percent / 100 * SPREAD[1])


def figures(value: float, limit: Limit, least: int) -> str:
    """A value to so many figures, or to as many more as tell it from the limit."""
    ends = [end for end in limit.bounds if end is not None]
    for digits in range(least, 9):
        text = plain(value, digits)
        if all(float(text) != end for end in ends):
            break
    return text


def plain(value: float, digits: int) -> str:
    """A number to so many figures, without an exponent."""
    if value == 0 or not math.isfinite(value):
        return "0"
    decimals = digits - 1 - math.floor(math.log10(abs(value)) + 1e-12)
    return f"{round(value, decimals):.{max(0, decimals)}f}"


def printed(value: float, unit: str) -> str:
    """A limit or a given as it stands in texts: `106 kN`, `1.4`, `58°`."""
    return with_unit(f"{value:.10g}", unit)


def bound(limit: Limit) -> str:
    """A limit in words: `at least 7800 J`."""
    low, high = limit.bounds
    if limit.comparator in ("exactly", "approximately"):
        assert not isinstance(limit.value, tuple)
        about = f", to within {printed(limit.tolerance, limit.unit)}" if limit.tolerance else ""
        return f"{printed(limit.value, limit.unit)}{about}"
    if low is not None and high is not None:
        return f"between {printed(low, limit.unit)} and {printed(high, limit.unit)}"
    if low is not None:
        return f"{'more than' if limit.open else 'at least'} {printed(low, limit.unit)}"
    assert high is not None
    return f"{'less than' if limit.open else 'at most'} {printed(high, limit.unit)}"
