"""A check's curve: axes that do not tell the answer, a model fitted to the wanted value, the way back from pixels."""

from itertools import pairwise
from typing import Any

import numpy as np
from PIL import Image
from scipy.optimize import brentq

from dqgen.errors import SpecError
from dqgen.generators.draft import Picture
from dqgen.generators.performance.readings import Values, read
from dqgen.generators.performance.result import ATTEMPTS, Aim, Result, aim, furthest, source
from dqgen.generators.performance.shapes import SHAPES, Family, Setting, series
from dqgen.renderers.charts import curve
from dqgen.renderers.charts.curve import Series, draw_curves, rounded
from dqgen.renderers.charts.style import SERIES, Scale, encoded, scale
from dqgen.renderers.charts.trace import trace
from dqgen.schemas.performance import Axis, CurveChart, CurveReading
from dqgen.schemas.spec import FunctionalCheck, Limit

ALONG: frozenset[CurveReading] = frozenset(("reach", "zero", "rise", "delay", "extent", "set"))
"""Readings that give an abscissa."""
SIDEWAYS: frozenset[CurveReading] = frozenset(("zero", "extent", "set", "deceleration", "delay"))
"""Readings at which the curve stands at an end of the axis: only the abscissa can be read wrongly."""
ROOM, LATE_ROOM = (1.08, 1.42), (1.6, 2.1)
"""How far an axis goes beyond the highest value that may be asked for; further where it counts from a mark."""
LATE: frozenset[CurveReading] = frozenset(("reach", "zero", "rise", "delay"))
FOUND: dict[CurveReading, str] = {
    "peak": "The highest value on the curve is {value}.",
    "final": "The curve ends at {value}.",
    "mean": "The mean of the curve from its start to its end is {value}.",
    "area": "The area below the curve is {value}.",
    "slope": "From the origin to {at} the curve rises by {value}.",
    "at": "At {at} the curve stands at {value}.",
    "ratio": "{where} the curve '{second}' stands at {value} of the curve '{first}'.",
    "reach": "The curve reaches {at} {value} after the mark.",
    "zero": "The curve falls to zero {value} after the mark.",
    "rise": "The curve reaches {at} of its final value {value} after the mark.",
    "delay": "The signal '{second}' falls {value} after the signal '{first}'.",
    "drop": "From start to end the curve falls by {value}.",
    "extent": "The curve reaches as far as {value}.",
    "set": "On its way back the curve ends at {value}.",
    "window": "The highest mean over {at} is {value}.",
    "deceleration": "From {at} to standstill the curve falls at {value} on average.",
    "level": "While it is high, the curve stands at {value} on average.",
}

SEVERAL: dict[CurveReading, str] = {
    "peak": "The highest value on the curves is {value}.",
    "at": "At {at} the deciding curve stands at {value}.",
    "zero": "The first of the curves falls to zero at {value}.",
}


def make_curve(check: FunctionalCheck, limit: Limit, keeps: bool, seed: tuple[object, ...], size: int) -> Result:
    """A curve that keeps or breaks a limit.

    Raises:
        SpecError: the axes and the shape leave no way to show it readably.
    """
    wanted = check.curve
    assert wanted is not None
    x, y = _axes(wanted, limit, check.percent, source(*seed, "axes"))
    colours = _colours(source(*seed, "colours"), max(1, len(wanted.names)))
    failure = ""
    for attempt in range(ATTEMPTS):
        draw = source(*seed, keeps, attempt)
        goal = aim(limit, keeps, check.percent, draw)
        setting = Setting(draw, x, y, wanted.reading, wanted.at or 0.0, wanted.typical or 0.0, wanted.names, goal.upper)
        family = SHAPES[wanted.shape](setting)
        try:
            lines = _solved(family, wanted, goal)
            values = read(wanted.reading, lines, wanted.at, family.mark)
        except ValueError as error:
            failure = str(error)
            continue
        failure = _unreadable(lines, wanted, x, y, family.mark, goal)
        if not failure:
            break
    else:
        raise SpecError(f"no curve of shape '{wanted.shape}' shows {goal.value:.4g} {limit.unit}: {failure}")
    marks = ((family.mark, wanted.mark or ""),) if family.mark is not None else ()
    chart = curve.CurveChart(check.title, x, y, lines, colours, marks)
    image, evidence = draw_curves(chart, size)
    decisive = min(values, key=limit.margin)
    return Result(
        Picture(encoded(image), evidence),
        (decisive, *(value for value in values if value != decisive)),
        _found(wanted),
        {"reading": wanted.reading, "at": wanted.at, "mark": family.mark},
    )


def reread(picture: Image.Image, evidence: dict[str, Any], proof: dict[str, Any]) -> Values:
    """The values of a reading, from the pixels of a picture.

    Raises:
        ValueError: the curves cannot be made out, or do not show it.
    """
    return read(proof["reading"], trace(picture, evidence), proof["at"], proof["mark"])


def _found(wanted: CurveChart) -> str:
    """How the value is read, with {value} for it."""
    said, at = FOUND[wanted.reading], _at_words(wanted)
    if not wanted.mark and wanted.reading in ("reach", "zero"):
        said = said.replace("{value} after the mark", "at {value}")
    if len(wanted.names) > 1:
        said = SEVERAL.get(wanted.reading, said)
    said = said.replace("{where}", "Just before the mark" if wanted.mark else "At {at}").replace("{at}", at)
    first, second, *_ = (*wanted.names, "first", "second") if len(wanted.names) < 2 else wanted.names
    return said.replace("{first}", first).replace("{second}", second)


def _at_words(wanted: CurveChart) -> str:
    """What `at` stands for, with its unit."""
    from dqgen.generators.performance.result import printed

    if wanted.at is None:
        return ""
    unit = {"reach": wanted.y.unit, "rise": "%", "deceleration": wanted.y.unit}.get(wanted.reading, wanted.x.unit)
    return printed(wanted.at, unit)


def _axes(wanted: CurveChart, limit: Limit, percent: float, draw: np.random.Generator) -> tuple[Scale, Scale]:
    """Both axes, alike whether the limit is kept or broken."""
    along = wanted.reading in ALONG
    top = furthest(limit, percent)
    room = float(draw.uniform(*(LATE_ROOM if wanted.reading in LATE else ROOM)))

    def made(axis: Axis, holds_value: bool) -> Scale:
        if axis.high is not None:
            return scale(axis.name, axis.unit, axis.low, axis.high)
        if not holds_value:
            raise SpecError(f"axis '{axis.name}' needs its upper end", mend="give high")
        return scale(axis.name, axis.unit, axis.low, axis.low + (top - axis.low) * room)

    return made(wanted.x, along), made(wanted.y, not along)


def _colours(draw: np.random.Generator, count: int) -> tuple[str, ...]:
    first = int(draw.integers(len(SERIES)))
    return tuple(SERIES[(first + at) % len(SERIES)] for at in range(max(count, 2)))


def _solved(family: Family, wanted: CurveChart, goal: Aim) -> tuple[Series, ...]:
    """The family's curves at which the reading gives the wanted value."""

    def off(number: float) -> float:
        lines = series(family, number, wanted.names)
        return read(wanted.reading, lines, wanted.at, family.mark)[family.decides] - goal.value

    # Towards the ends of the range the reading may be lost: the ends are drawn in until it is there.
    tried = np.geomspace(max(family.low, 1e-9), family.high, 40)
    known: list[tuple[float, float]] = []
    for number in tried:
        try:
            known.append((float(number), off(float(number))))
        except ValueError:
            continue
    for (low, below), (high, above) in pairwise(known):
        if below * above <= 0:
            number = brentq(off, low, high, xtol=1e-9 * family.high, rtol=1e-9)
            break
    else:
        raise ValueError("it is out of the shape's reach")
    exact = series(family, float(number), wanted.names)
    return tuple(Series(one.name, *rounded(one.x, one.y)) for one in exact)


def _unreadable(
    lines: tuple[Series, ...], wanted: CurveChart, x: Scale, y: Scale, mark: float | None, goal: Aim
) -> str:
    """What is wrong with curves as a picture: they leave the axes, or a small misreading would turn the answer."""
    for one in lines:
        if one.x.min() < x.low - 1e-9 or one.x.max() > x.high + 1e-9:
            return f"{one.name or 'it'} leaves the abscissa"
        if one.y.min() < y.low - 0.002 * (y.high - y.low) or one.y.max() > y.high:
            return f"{one.name or 'it'} leaves the ordinate ({one.y.min():.4g} to {one.y.max():.4g})"
    stretch = x.resolution / (x.high - x.low)
    lift = 0.0 if wanted.reading in SIDEWAYS else y.resolution
    for up, wide in ((0.0, 1.0), (lift, 1.0), (-lift, 1.0), (0.0, 1 + stretch), (0.0, 1 - stretch)):
        misread = tuple(Series(one.name, x.low + (one.x - x.low) * wide, one.y + up) for one in lines)
        moved = None if mark is None else x.low + (mark - x.low) * wide
        try:
            values = read(wanted.reading, misread, wanted.at, moved)
        except ValueError as error:
            return str(error)
        if not goal.met_by(values):
            return "it is too near the limit for the axes"
    return ""
