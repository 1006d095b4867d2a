"""From where a check's drawings are made: a view that shows its measures true, and without what covers them."""

from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.errors import SpecError, UsageError
from dqgen.generators import studio
from dqgen.generators.legibility import cleared, sides
from dqgen.generators.sources import Sources
from dqgen.geometry.measure import Measurement, Measurer
from dqgen.geometry.transforms import Placed
from dqgen.renderers.drawing.explicit import PREFERENCE, angle_slack, drawn_parts, shows_true
from dqgen.renderers.drawing.panels import numbers_of
from dqgen.renderers.selection import states
from dqgen.renderers.views import VIEWS
from dqgen.schemas.design import Design
from dqgen.schemas.render import RenderOptions
from dqgen.schemas.spec import DesignSource, DimensionCheck

ENOUGH = 0.8
"""Of what is measured that shows: of views that show more, that is taken in which less is left out."""


@dataclass(frozen=True)
class _Clearing:
    """Paths of what is left out, how much shows then of the side that shows least, and whether only the like of one
    does."""

    gone: tuple[str, ...]
    share: float
    behind: bool


def drawn_from(parts: list[Measurement], asked: str | None) -> str:
    """The principal view of a check's drawings.

    Args:
        parts: all measures that are dimensioned.
        asked: the view that the spec gives.

    Raises:
        UsageError: it foreshortens one of them, or none shows all true.
    """
    true = all_drawn_from(parts, (asked,) if asked else PREFERENCE)
    if true:
        return true[0]
    what = f"the view '{asked}' foreshortens it" if asked else "no view of the six shows it true"
    others = all_drawn_from(parts) if asked else []
    mend = f"draw it from {' or '.join(others)}" if others else "measure what one of the six shows at its true size"
    raise UsageError(what, parts[0].expression, mend)


def all_drawn_from(parts: list[Measurement], among: Sequence[str] = PREFERENCE) -> list[str]:
    """The views that show all these measures true."""
    slack = angle_slack(numbers_of(RenderOptions()))
    return [name for name in among if all(shows_true(one, VIEWS[name], slack) for one in parts)]


def shown_in(
    leaves: list[Placed], check: DimensionCheck, source: DesignSource, left_out: Sequence[str] = ()
) -> list[int]:
    """Rows of the leaves that a check's drawings show."""
    options = RenderOptions(view="drawing", only=check.only, hide=(*source.hide, *check.hide, *left_out))
    return [row for row, (state, _) in enumerate(states(leaves, options)) if state != "hidden"]


def parts_of(design: Design, check: DimensionCheck) -> list[Measurement]:
    """The single measures that a check's drawing states.

    Raises:
        UsageError: one cannot be taken or drawn.
    """
    measurer = Measurer(design)
    wholes = [measurer.measure(expression) for expression in check.draw or (check.measure,)]
    return [part for whole in wholes for part in drawn_parts(whole)]


def can_be_seen(check: DimensionCheck, sources: Sources, design: Design) -> bool:
    """Whether some view of a design shows what a check measures true, and where it is measured.

    Raises:
        UsageError: it cannot be taken or drawn.
    """
    parts = parts_of(design, check)
    return any(_cleared(check, sources, design, parts, name, ()) is not None for name in all_drawn_from(parts))


def seen_from(check: DimensionCheck, sources: Sources, designs: Sequence[Design]) -> tuple[str, tuple[str, ...]]:
    """The view of a check's drawings, and the paths of what is left out of all of them so that what is measured can be
    found in each.

    Args:
        check: what is measured.
        sources: of the spec.
        designs: that are drawn.

    Raises:
        SpecError: it can be found in none.
    """
    measured = [(design, parts_of(design, check)) for design in designs]
    first = measured[0][1]
    ranked: list[tuple[bool, float, int, int, str, tuple[str, ...]]] = []
    for at, name in enumerate([drawn_from(first, check.view)] if check.view else all_drawn_from(first)):
        found = _cleared(check, sources, *measured[0], name, ())
        if found is not None:
            shows = round(min(found.share, ENOUGH), 1)
            ranked.append((found.behind, -shows, len(found.gone), at, name, found.gone))
            if not found.gone and not found.behind and found.share >= ENOUGH:
                break  # no other is better
    for *_, name, gone in sorted(ranked):
        left_out = _left_out(check, sources, measured[1:], name, gone)
        if left_out is not None:
            return name, left_out
    where = f"from '{check.view}'" if check.view else "in any view"
    raise SpecError(f"{where} it cannot be seen what is measured, whatever is left out", mend="give another view")


def _left_out(
    check: DimensionCheck,
    sources: Sources,
    measured: Sequence[tuple[Design, list[Measurement]]],
    view: str,
    gone: tuple[str, ...],
) -> tuple[str, ...] | None:
    """With what is left out already, all that other designs need."""
    for design, parts in measured:
        found = _cleared(check, sources, design, parts, view, gone)
        if found is None:
            return None
        gone = (*gone, *found.gone)
    return gone


def _cleared(
    check: DimensionCheck,
    sources: Sources,
    design: Design,
    parts: Sequence[Measurement],
    view: str,
    gone: tuple[str, ...],
) -> _Clearing | None:
    place = studio.studio(design)
    shown = shown_in(place.leaves, check, sources.design_source(check.design), gone)
    wanted = [side for part in parts for side in sides(place.leaves, part, shown)]
    found = cleared(place.stage, place.leaves, VIEWS[view], shown, wanted)
    if found is None:
        return None
    return _Clearing(tuple(place.leaves[row].path for row in found.gone), found.share, found.behind)
