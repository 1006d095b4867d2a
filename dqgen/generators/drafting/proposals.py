"""Checks of dimensions, proposed where a limit's words and a measurable feature of a design meet."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass

from dqgen.errors import DqgenError, SpecError, UsageError
from dqgen.generators.dimension_views import can_be_seen
from dqgen.generators.drafting.certainty import LEAST, SUREST, certainty
from dqgen.generators.drafting.clauses import Clause, clauses
from dqgen.generators.drafting.names import Names
from dqgen.generators.drafting.notions import guesses
from dqgen.generators.drafting.said import Said
from dqgen.generators.drafting.subjects import About, about
from dqgen.generators.limits import fits, limit_of
from dqgen.generators.sources import Sources
from dqgen.geometry.measure import Measurer
from dqgen.schemas.spec import DimensionCheck, Limit

LIKE = 4.0
"""A value that is farther than this factor from its limit is hardly what the limit is about."""


@dataclass(frozen=True)
class Proposal:
    """A check and how sure it is.

    Attributes:
        check: as the spec takes it.
        confidence: 0 to 1.
        value: the measure on the design, in `unit`.
        unit: mm, mm2, deg, or empty.
        limit: that it is held against.
    """

    check: DimensionCheck
    confidence: float
    value: float
    unit: str
    limit: Limit


def propose(sources: Sources, design: str, measurer: Measurer, names: Names) -> list[Proposal]:
    """Checks of one design, at most one a limit, in reading order."""
    asked = [rule for rule in sources.rulebook.rules if rule.kind != "part" and rule.occurrence == 1]
    found = []
    taken: set[tuple[str, str]] = set()
    for clause in clauses({rule.id: rule for rule in asked}):
        best = max(
            _judged(sources, design, measurer, names, clause), key=lambda proposal: proposal.confidence, default=None
        )
        if best is not None and (best.check.rule, best.check.measure) not in taken:
            taken.add((best.check.rule, best.check.measure))
            with suppress(UsageError):
                if can_be_seen(best.check, sources, measurer.design):
                    found.append(best)  # without a view: another may show the designs that are made of this one
    return found


def _judged(sources: Sources, design: str, measurer: Measurer, names: Names, clause: Clause) -> Iterator[Proposal]:
    quantity = clause.quantity
    value = quantity.value
    try:
        limit = Limit(
            comparator=quantity.comparator,
            value=(value[0], value[1]) if isinstance(value, list) else value,
            unit=quantity.unit or "1",
        )
        scaled = limit.scaled()
    except ValueError:
        return
    if limit.comparator not in ("minimum", "maximum", "range"):
        return
    subject = about(names, clause)
    most = certainty(clause, subject)
    for guess in guesses(_said(subject, clause, scaled.unit), names):
        try:
            measured = measurer.measure(guess.measure)
        except DqgenError:
            continue
        if not fits(limit, measured.unit) or not scaled.keeps(measured.value):
            continue
        weight = min(guess.weight + 0.1 * _near(scaled, measured.value), most)
        if weight < LEAST:
            continue
        check = DimensionCheck(
            rule=clause.address,
            design=design,
            name=guess.name,
            measure=guess.measure,
            limit=limit,
            highlight=tuple(names.patterns(guess.nodes)) if guess.nodes else (),
        )
        yield Proposal(_with_rule_limit(check, sources, measured.unit), min(weight, 1.0), measured.value,
                       measured.unit, limit)  # fmt: skip


def _with_rule_limit(check: DimensionCheck, sources: Sources, unit: str) -> DimensionCheck:
    """The check with its limit left to the rule, where that says the same."""
    short = check.model_copy(update={"limit": "from rule"})
    try:
        return short if limit_of(short, sources, unit) == check.limit else check
    except SpecError:
        return check


def _said(about: About, clause: Clause, unit: str) -> Said:
    around = f"{clause.lead} {clause.text}".lower()
    at = clause.at - clause.part[0]
    end = at + len(clause.quantity.raw)
    return Said(clause.near.lower(), at, end, clause.quantity.comparator, unit, about.parts, about.places, around)


def _near(limit: Limit, value: float) -> float:
    """1 where a value is about as large as its limit, 0 at the factor `LIKE`, -2 far beyond."""
    ends = [abs(end) for end in limit.bounds if end is not None]
    if not ends or min(ends) == 0 or value <= 0:
        return -1.0
    ratio = min(max(value, end) / min(value, end) for end in ends)
    return max(-2.0, 1 - 2 * (ratio - 1) / (LIKE - 1)) if ratio > 1 else 1.0


def confidence_word(confidence: float) -> str:
    """high, medium or low."""
    return "high" if confidence >= SUREST else "medium" if confidence >= (SUREST + LEAST) / 2 else "low"


def without_repeats(proposals: Sequence[Proposal]) -> list[Proposal]:
    """Proposals of different measures and limits; of those that are alike, the surest."""
    best: dict[tuple[str, str], Proposal] = {}
    for proposal in proposals:
        key = (proposal.check.measure, repr(proposal.limit))
        if key not in best or proposal.confidence > best[key].confidence:
            best[key] = proposal
    kept = set(map(id, best.values()))
    return [proposal for proposal in proposals if id(proposal) in kept]
