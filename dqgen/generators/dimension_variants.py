"""Designs on either side of a limit: which values are wanted, and the edit, parameter or text that gives them.

The complying and the violating design of a pair are made in the same way, and their values lie at distances from the
limit that are drawn alike: neither is the rounder, the larger or the one that was left as it was.
"""

import dataclasses
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from dqgen.errors import SpecError, UsageError
from dqgen.generators.sources import Sources
from dqgen.geometry.edit import Edit, edited
from dqgen.geometry.measure import Measurement, measure
from dqgen.geometry.violations import Allowed, comply, violate
from dqgen.geometry.violations import Limit as End
from dqgen.schemas.design import Design
from dqgen.schemas.spec import DimensionCheck, EditChoice, Limit

Answer = Literal["yes", "no"]
SPREAD = (0.5, 1.5)
"""Distances from a limit are drawn between these parts of the check's percentage."""
DEEPEST = 0.45
"""Of a range: how far inside its end a complying value may lie."""
NEARLY = 0.35
"""How far a parameter may miss the wanted distance, as a part of it: values are measured, not asked for."""
AXES = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}
UNITS = {"mm": "mm", "deg": "deg", "mm²": "mm2", "": ""}


@dataclass(frozen=True)
class Target:
    """A value to be reached.

    Attributes:
        answer: whether it complies.
        end: the end of the limit that it lies near, in the measure's unit.
        sense: `min` where values must be above that end, `max` where below.
        value: the value.
    """

    answer: Answer
    end: float
    sense: Literal["min", "max"]
    value: float


@dataclass(frozen=True)
class Variant:
    """A design with a value near a limit.

    Attributes:
        design: after the change.
        measured: the measure on it.
        value: what the drawing states: as measured, or as its text was changed.
        target: what was wanted.
        made: how, as plain data: `{"edits": […]}`, `{"parameters": …}` or `{"text": …}`.
    """

    design: Design
    measured: Measurement
    value: float
    target: Target
    made: Mapping[str, Any]

    @property
    def text(self) -> str | None:
        """The text that is printed instead of the measured value, if it is."""
        text = self.made.get("text")
        return None if text is None else str(text)


def ends(limit: Limit, chance: np.random.Generator) -> list[Literal["min", "max"]]:
    """The ends that a limit has, in a drawn order."""
    low, high = limit.bounds
    found: list[Literal["min", "max"]] = []
    if low is not None:
        found.append("min")
    if high is not None:
        found.append("max")
    return found[::-1] if chance.integers(2) else found


def targets(limit: Limit, percent: tuple[float, float], sense: Literal["min", "max"]) -> tuple[Target, Target]:
    """A complying and a violating value near one end of a limit.

    Args:
        limit: in the measure's unit.
        percent: of the limit, by which it is kept and broken.
        sense: the lower end, above which values comply, or the upper.

    Raises:
        SpecError: no such values are there.
    """
    low, high = limit.bounds
    if low is not None and high is not None and high - low < 1e-9:
        raise SpecError("the limit is a single value: nothing can lie beside it", mend="give a range or a tolerance")
    end = low if sense == "min" else high
    assert end is not None
    scale = abs(end) or 1.0
    keep, miss = (scale * part / 100 for part in percent)
    if low is not None and high is not None:
        keep = min(keep, DEEPEST * (high - low))
    sign = 1.0 if sense == "min" else -1.0
    kept, missed = (_uneven(end, sign * keep), _uneven(end, -sign * miss))
    if missed <= 0 < end:
        raise SpecError(f"{100 * miss / scale:.3g} % below {end:g} is nothing", mend="take a smaller percentage")
    return Target("yes", end, sense, kept), Target("no", end, sense, missed)


def distances(percent: float, chance: np.random.Generator) -> tuple[float, float]:
    """Percentages by which a limit is kept and broken, drawn alike around the check's own."""
    kept, missed = (float(percent * part) for part in chance.uniform(*SPREAD, 2))
    return kept, missed


def _uneven(end: float, offset: float) -> float:
    """A value as uneven as any other: its last printed decimal is not 0, and it is not the end itself."""
    step = 10.0 ** math.floor(math.log10(max(abs(offset), 1e-9)) - 1)
    step = min(max(step, 0.01), 0.1)
    value = round((end + offset) / step) * step
    decimals = 1 if step > 0.05 else 2
    if round(value, decimals) * 10**decimals % 10 == 0 or value == end:
        value += math.copysign(3 * step, offset)
    return round(value, decimals)


def reached(check: DimensionCheck, limit: Limit, target: Target, base: Measurement, sources: Sources) -> Variant:
    """The design with a wanted value, by the first of the check's ways that leads there.

    Raises:
        SpecError: none does.
        LoadError: a parametric source fails.
    """
    refusals = []
    for way in _ways(check):
        try:
            return _accepted(limit, target, _made(way, check, target, base, sources))
        except (UsageError, SpecError) as error:
            refusals.append(f"{way}: {error.what}{f' ({error.mend})' if error.mend else ''}")
    raise SpecError(
        f"'{check.name}' cannot be brought from {base.value:.6g} to {target.value:.6g} {base.unit}".rstrip()
        + (f": {'; '.join(refusals)}" if refusals else ""),
        mend="allow other edits, a parameter, or text",
    )


def _ways(check: DimensionCheck) -> Iterator[str]:
    if check.violations.parameter is not None:
        yield "parameter"
    if check.violations.edits != "none" and check.violations.parameter is None:
        yield "edits"
    if check.violations.text:
        yield "text"


def _made(way: str, check: DimensionCheck, target: Target, base: Measurement, sources: Sources) -> Variant:
    if way == "parameter":
        return _tuned(check, target, base, sources)
    design = sources.design(check.design)
    if way == "edits":
        choices = check.violations.edits
        allowed = None if isinstance(choices, str) else [_allowed(choice) for choice in choices]
        end = End(target.end, target.sense)
        margin = end.margin(target.value)
        found = (comply if margin > 0 else violate)(design, check.measure, end, abs(margin), allowed)
        made = {"edits": [dataclasses.asdict(edit) for edit in found.edits]}
        return Variant(found.design, found.after, found.after.value, target, made)
    if base.parts or len(check.draw) > 1:
        raise SpecError("a number that is made of several cannot be changed as a text")
    text = f"{target.value:.10g}"
    return Variant(design, base, target.value, target, {"text": text})


def _allowed(choice: EditChoice) -> Allowed:
    direction = AXES[choice.direction] if isinstance(choice.direction, str) else choice.direction
    return Allowed(choice.kind, choice.pattern, direction, choice.centre)


def _tuned(check: DimensionCheck, target: Target, base: Measurement, sources: Sources) -> Variant:
    """The source rebuilt with another value of its parameter: by as much as the measure is to change, then once more
    by what that gave."""
    name = check.violations.parameter
    assert name is not None
    start = sources.parameter(check.design, name)
    value, wanted = start + target.value - base.value, target.value
    for _ in range(2):
        design = sources.design(check.design, {name: value})
        found = measure(design, check.measure)
        if abs(found.value - wanted) <= NEARLY * abs(wanted - target.end):
            return Variant(design, found, found.value, target, {"parameters": {name: value}})
        slope = (found.value - base.value) / (value - start)
        if abs(slope) < 1e-6:
            raise SpecError(f"parameter '{name}' does not change it")
        value = start + (wanted - base.value) / slope
    raise SpecError(f"parameter '{name}' does not lead there")


def _accepted(limit: Limit, target: Target, variant: Variant) -> Variant:
    if limit.keeps(variant.value) != (target.answer == "yes"):
        raise SpecError(f"{variant.value:.6g} is on the wrong side of the limit")
    return variant


def rebuilt(check: DimensionCheck, made: Mapping[str, Any], sources: Sources) -> Design:
    """The design that a question was made on, from how it was made.

    Raises:
        DqgenError: it cannot be made any more.
    """
    if made.get("parameters"):
        return sources.design(check.design, made["parameters"])
    design = sources.design(check.design)
    for told in made.get("edits", ()):
        vectors = {key: tuple(told[key]) for key in ("vector", "axis", "centre") if told.get(key) is not None}
        design = edited(design, Edit(**{**told, **vectors}))
    return design


def unit_of(measured: Measurement) -> str:
    """The unit of a measure as limits state it; raises SpecError for those that no limit has."""
    if measured.unit not in UNITS:
        raise SpecError(f"no limit is stated in {measured.unit}", measured.expression)
    return UNITS[measured.unit]
