"""The limit that a check holds a value against: given in the spec, or read from the rule's own words."""

from dqgen.errors import SpecError
from dqgen.generators.sources import Sources
from dqgen.schemas.rulebook import Item, Quantity, Rule
from dqgen.schemas.spec import SCALES, DimensionCheck, FunctionalCheck, Limit


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
    found = [limit for limit in map(_limit, stated(rule, item)) if unit is None or fits(limit, unit)]
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


def _limit(quantity: Quantity) -> Limit:
    value = quantity.value
    return Limit(
        comparator=quantity.comparator,
        value=(value[0], value[1]) if isinstance(value, list) else value,
        unit=quantity.unit or "1",
    )
