"""The limit that a check holds a value against: given in the spec, or read from the rule's own words."""

import re

from dqgen.errors import SpecError
from dqgen.generators.sources import Sources
from dqgen.schemas.rulebook import Item, Quantity, Rule
from dqgen.schemas.spec import SCALES, DimensionCheck, FunctionalCheck, Limit

EXCLUDED = re.compile(r"\b(?:must|shall)(?: (?!not?\b|never\b)\w+)*? (?:more than|less than|above|below)\s*$")
"""What stands before a value that itself breaks the limit."""
EXCLUDED_RANGE = re.compile(r"\band (?:less|more) than\b")
NEGATED = re.compile(r"\b(?:no|nothing|none|nor|neither)\b[^.;,]*$", re.IGNORECASE)


def limit_of(check: DimensionCheck | FunctionalCheck, sources: Sources, unit: str | None = None) -> Limit:
    """The limit of a check, in the unit it is stated in.

    Args:
        check: what asks for it.
        sources: for the rule.
        unit: the measure's unit (mm, mm2, deg, or empty for a number; kN, V, … of a performance): of several limits,
            those of that sort count.

    Raises:
        SpecError: the rule states no such limit, or several.
    """
    if isinstance(check.limit, Limit):
        return check.limit
    rule, item = sources.rule(check.rule)
    found = [
        limit for limit in (_limit(one, rule.text) for one in stated(rule, item)) if unit is None or fits(limit, unit)
    ]
    different = list(dict.fromkeys(found))
    if len(different) != 1:
        many = ", ".join(f"{limit.comparator} {limit.value} {limit.unit}" for limit in different)
        raise SpecError(
            f"rule {check.rule} states {f'several limits ({many})' if different else 'no limit'} "
            + ("that could be meant" if different else f"in {unit or 'numbers'}"),
            mend="give the limit: {comparator: …, value: …, unit: …}",
        )
    return different[0]


def stated(rule: Rule, item: Item | None) -> list[Quantity]:
    """The limits that a rule or one of its items states."""
    return [
        quantity
        for quantity in rule.quantities
        if quantity.role == "limit" and (item is None or quantity.item == item.id)
    ]


def fits(limit: Limit, unit: str) -> bool:
    """Whether a limit bounds measures in a unit: its own, or mm, mm2, deg, or empty for a number."""
    return limit.unit == unit or (limit.unit in SCALES and SCALES[limit.unit][0] == unit)


def _limit(quantity: Quantity, text: str) -> Limit:
    value = quantity.value
    return Limit(
        comparator=quantity.comparator,
        value=(value[0], value[1]) if isinstance(value, list) else value,
        unit=quantity.unit or "1",
        open=_excludes_ends(quantity, text),
    )


def _excludes_ends(quantity: Quantity, text: str) -> bool:
    """Whether a rule's words exclude the value itself: `must stay below 80 %`, but not `must be no more than 80 %`."""
    if quantity.comparator == "range":
        return EXCLUDED_RANGE.search(" ".join(quantity.raw.split())) is not None
    before = " ".join(text[: quantity.start].split())
    found = EXCLUDED.search(before) if quantity.comparator in ("minimum", "maximum") else None
    return found is not None and NEGATED.search(before[: found.start()]) is None
