"""What is said about a check: its limit in words, and the reference explanation with its numbers."""

import math
from collections.abc import Mapping

from dqgen.errors import SpecError
from dqgen.generators.readings import written
from dqgen.geometry.measurement import Measurement
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.rulebook.references import printed_number
from dqgen.schemas.spec import DimensionCheck, Limit

TEMPLATE = "{said} By rule {rule}, it must be {limit}. This {verdict}."
DIGITS = 3
"""That a value has which is read off by a scale bar."""
NUMBERS = Numbers()


def explanation(
    check: DimensionCheck,
    stated: Limit,
    value: float,
    measured: Measurement,
    printed: Mapping[str, str] | None,
) -> str:
    """What the drawing shows, what the rule asks for, and by how much they differ.

    Args:
        check: whose template it is, if it has one.
        stated: the limit in the unit of the rule.
        value: in the measure's unit.
        measured: what the value comes from.
        printed: the numbers on the drawing by what they measure; None where only its scale bar tells.

    Raises:
        SpecError: the check's template names what there is not.
    """
    limit, unit = stated.scaled(), _unit(stated)
    keeps = limit.keeps(value)
    seen = value
    if printed is None:
        # The margin is that of the value which the text gives, if it is on the same side of the limit.
        rough = _rough(value)
        seen = rough if limit.keeps(rough) == keeps and limit.margin(rough) else value
        shown = f"By the scale bar, the {check.name} is about {said(seen, unit)}."
    else:
        shown = f"By the drawing, the {check.name} is {_sum(check, measured, printed)}{said(value, unit)}."
    by = said(abs(limit.margin(seen)), unit).replace(" %", " percentage points")
    if printed is None:
        by = f"about {by}"
    fields = {
        "said": shown,
        "rule": printed_number(check.rule),
        "name": check.name,
        "value": said(value, unit),
        "limit": wording(stated),
        "verdict": f"stays within the limit by {by}, so the design complies"
        if keeps
        else f"misses the limit by {by}, so the design does not comply",
    }
    try:
        return (check.explanation or TEMPLATE).format(**fields)
    except (KeyError, IndexError, ValueError) as error:
        raise SpecError(f"the explanation cannot be filled in: {error}", mend=f"fields: {', '.join(fields)}") from None


def wording(stated: Limit) -> str:
    """A limit in words: at least 1500 mm."""
    (low, high), unit = stated.scaled().bounds, _unit(stated)
    if low is not None and high is not None:
        ends = said(low, unit), said(high, unit)
        return f"more than {ends[0]} and less than {ends[1]}" if stated.open else f"between {ends[0]} and {ends[1]}"
    end, more = (low, True) if low is not None else (high, False)
    assert end is not None
    words = ("more than" if more else "less than") if stated.open else ("at least" if more else "at most")
    return f"{words} {said(end, unit)}"


def said(value: float, unit: str) -> str:
    """A value in the measure's unit as drawings print it; shares in % where the rule states them so."""
    if unit == "deg":
        return NUMBERS.angle(value)
    if unit == "%":
        return f"{NUMBERS.plain(100 * value)} %"
    if unit == "1":
        return NUMBERS.plain(value)
    return f"{NUMBERS.length(value)} {unit.replace('mm2', 'mm²')}"


def _unit(stated: Limit) -> str:
    return "%" if stated.unit == "%" else stated.scaled().unit


def _sum(check: DimensionCheck, measured: Measurement, printed: Mapping[str, str]) -> str:
    """How a value is made of printed numbers, up to the equals sign; nothing where it is printed itself."""
    if not measured.parts:
        return ""
    try:
        return f"{written(check.measure, lambda text: printed[text])} = "
    except KeyError:
        return ""


def _rough(value: float) -> float:
    """To a few digits: what can be read off."""
    return round(value, DIGITS - 1 - math.floor(math.log10(abs(value)))) if value else 0.0
