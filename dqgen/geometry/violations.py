"""Variants of a design that break or keep a limit by a known margin: an edit is found, and the measure taken again."""

import dataclasses
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.edit import Edit, Kind, edited, mirrored
from dqgen.geometry.expressions import Binary, Call, Negative, Node, Text, parse
from dqgen.geometry.measure import Measurer, measure
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.solve import solve
from dqgen.geometry.symmetry import Member, Symmetry
from dqgen.schemas.design import Design, Floats

LADDER = (1.0, 5.0, 20.0)
"""Percent of the limit by which the steps of a ladder miss or keep it."""


@dataclass(frozen=True)
class Limit:
    """What a measure is held against.

    Attributes:
        value: in the measure's unit.
        sense: `min` where the measure must be at least the value, `max` where at most.
    """

    value: float
    sense: Literal["min", "max"]

    def margin(self, value: float) -> float:
        """By how much a value keeps the limit; negative where it breaks it."""
        return value - self.value if self.sense == "min" else self.value - value


@dataclass(frozen=True)
class Allowed:
    """A kind of edit that may be used, and on what.

    Attributes:
        kind: `move`, `rotate`, `scale`, `remove` or `copy`.
        pattern: of the occurrences.
        direction: unit vector to move along, or to turn about.
        centre: to turn or scale about; None for the middle of the occurrences' box.
    """

    kind: Kind
    pattern: str
    direction: tuple[float, float, float] = (0.0, 0.0, 1.0)
    centre: tuple[float, float, float] | None = None


@dataclass(frozen=True)
class Variant:
    """A design that breaks or keeps a limit.

    Attributes:
        design: after the edit.
        edits: what was done, in that order; none where the design was so already.
        limit: what it is held against.
        before, after: the measure on both designs.
        margin: by how much the limit is kept, negative where it is broken; from `after`.
    """

    design: Design
    edits: tuple[Edit, ...]
    limit: Limit
    before: Measurement
    after: Measurement
    margin: float

    @property
    def complies(self) -> bool:
        """Whether the limit is kept."""
        return self.margin >= 0


def violate(
    design: Design, expression: str, limit: Limit, margin: float, allowed: Sequence[Allowed] | None = None
) -> Variant:
    """A variant that breaks a limit by a margin.

    Args:
        design: where to begin.
        expression: the measure.
        limit: what it is held against.
        margin: by how much the limit is broken, above zero, in the measure's unit.
        allowed: edits to try, in that order; None for those that the measure suggests.

    Raises:
        UsageError: no edit brings the measure there, or the margin is not above zero.
    """
    return _reached(design, expression, limit, -_positive(margin), allowed)


def comply(
    design: Design, expression: str, limit: Limit, margin: float, allowed: Sequence[Allowed] | None = None
) -> Variant:
    """A variant that keeps a limit by a margin; see `violate`."""
    return _reached(design, expression, limit, _positive(margin), allowed)


def ladder(
    design: Design,
    expression: str,
    limit: Limit,
    percents: Sequence[float] = LADDER,
    allowed: Sequence[Allowed] | None = None,
) -> list[Variant]:
    """Variants that break and keep a limit by each part of it, from the worst to the best.

    Raises:
        UsageError: see `violate`.
    """
    steps = sorted({sign * _positive(percent) for percent in percents for sign in (-1.0, 1.0)})
    return [_reached(design, expression, limit, abs(limit.value) * step / 100, allowed) for step in steps]


Way = tuple[Allowed, tuple[Member, ...]]
"""A kind of edit, and the occurrences that it changes together."""


def suggested(measurer: Measurer, expression: str) -> list[Way]:
    """Edits that are likely to change a measure: what it names, moved along its direction, turned, or scaled.

    What has a partner on the other side of a symmetric design is edited with it, and what is moved or turned with the
    unit that it is a part of; only where that does not serve, by itself.
    """
    measured = measurer.measure(expression)
    symmetry = Symmetry(measurer.scene.leaves)
    rows = {row for part in _with_parts(measured) for row in part.leaves}
    return [
        (edit, members)
        for edit in _likely(measured, expression, symmetry)
        for members in symmetry.ways(edit.pattern, rows, edit.kind != "scale", _sideways(edit))
    ]


def _sideways(edit: Allowed) -> bool:
    """Whether an edit's mirror image in a plane x = const is another edit."""
    x, y, z = edit.direction
    off = {"move": abs(x), "rotate": abs(y) + abs(z)}
    return off.get(edit.kind, 0.0) > 1e-9


def _likely(measured: Measurement, expression: str, symmetry: Symmetry) -> list[Allowed]:
    patterns = list(dict.fromkeys(_patterns(parse(expression))))
    directions = _directions(measured)
    edits: list[Allowed] = []
    for part in _with_parts(measured):
        if part.kind == "angle" and part.axis is not None and part.centre is not None:
            edits += [Allowed("rotate", pattern, _three(part.axis), _three(part.centre)) for pattern in patterns]
    sized = {"extent", "diameter", "radius", "thickness"}
    scales = [Allowed("scale", pattern) for pattern in patterns]
    moves = [Allowed("move", pattern, direction) for direction in directions for pattern in reversed(patterns)]
    # What lies in the middle of a design would not by being moved aside.
    moves.sort(key=lambda move: _sideways(move) and symmetry.astride(move.pattern))
    edits += scales + moves if any(part.kind in sized for part in _with_parts(measured)) else moves + scales
    return edits


def _reached(
    design: Design, expression: str, limit: Limit, margin: float, allowed: Sequence[Allowed] | None
) -> Variant:
    measurer = Measurer(design)
    before = measurer.measure(expression)
    wanted = limit.value + margin if limit.sense == "min" else limit.value - margin
    if before.kind == "count":
        return _counted(design, expression, limit, wanted, before, allowed)
    if abs(before.value - wanted) <= 1e-9 * max(1.0, abs(wanted)):
        return Variant(design, (), limit, before, before, limit.margin(before.value))
    tried = []
    ways = (
        [(one, (Member(one.pattern),)) for one in allowed] if allowed is not None else suggested(measurer, expression)
    )
    for template, members in ways:
        if template.kind in ("remove", "copy"):
            continue
        edits = _solved(design, expression, template, members, before.value, wanted)
        tried.append(f"{template.kind} '{template.pattern}'")
        if edits is not None:
            variant = reduce(edited, edits, design)
            after = measure(variant, expression)
            return Variant(variant, edits, limit, before, after, limit.margin(after.value))
    raise UsageError(
        f"no edit brings {expression} from {before.value:.6g} to {wanted:.6g} {before.unit}".rstrip(),
        mend=f"allow others than {', '.join(dict.fromkeys(tried)) or 'none'}",
    )


def _solved(
    design: Design, expression: str, template: Allowed, members: Sequence[Member], value: float, wanted: float
) -> tuple[Edit, ...] | None:
    """The edits of the members that bring a measure from a value to the wanted one; None where none do."""

    def of(pattern: str, amount: float) -> Edit:
        if template.kind == "move":
            x, y, z = (amount * part + 0.0 for part in template.direction)
            return Edit("move", pattern, vector=(x, y, z))
        if template.kind == "rotate":
            return Edit("rotate", pattern, axis=template.direction, degrees=amount, centre=template.centre)
        return Edit("scale", pattern, factor=amount, centre=template.centre)

    def at(amount: float) -> tuple[Edit, ...]:
        edits = ((of(member.pattern, amount), member) for member in members)
        return tuple(
            edit if member.plane is None else mirrored(edit, member.pattern, member.plane) for edit, member in edits
        )

    def quantity(amount: float) -> float | None:
        if template.kind == "scale" and amount <= 0:
            return None
        try:
            return measure(reduce(edited, at(amount), design), expression).value
        except UsageError:  # the edit made it ambiguous, or took what it names
            return None

    start = 1.0 if template.kind == "scale" else 0.0
    step = wanted / value - 1 if template.kind == "scale" and value else wanted - value
    nudged = quantity(start + step / 64)
    if nudged is None or abs(nudged - value) < 1e-9:  # no such edit changes the measure
        return None
    amount = solve(quantity, start, wanted, step)
    return None if amount is None else at(amount)


def _counted(
    design: Design,
    expression: str,
    limit: Limit,
    wanted: float,
    before: Measurement,
    allowed: Sequence[Allowed] | None,
) -> Variant:
    """Occurrences removed or copied, one by one, until their number is as wanted."""
    if wanted != round(wanted) or wanted < 0:
        raise UsageError(f"{expression} cannot be {wanted:g}", mend="a count is a whole number")
    if wanted == before.value:
        return Variant(design, (), limit, before, before, limit.margin(before.value))
    kind: Kind = "remove" if wanted < before.value else "copy"
    patterns = None if allowed is None else [template.pattern for template in allowed if template.kind == kind]
    variant, after, edits = design, before, list[Edit]()
    while after.value != wanted:
        step = _one_more_or_less(variant, expression, after, kind, patterns)
        if step is None:
            raise UsageError(f"no edit brings {expression} from {before.value:g} to {wanted:g}")
        variant, after, edit = step
        edits.append(edit)
    return Variant(variant, tuple(edits), limit, before, after, limit.margin(after.value))


def _one_more_or_less(
    design: Design, expression: str, before: Measurement, kind: Kind, patterns: list[str] | None
) -> tuple[Design, Measurement, Edit] | None:
    """A design whose count is one more or one less, by the first of the patterns that does it; None tries each of what
    is counted, the last one first."""
    scene = Measurer(design).scene
    own = [scene.leaves[row].path for row in reversed(before.leaves)]
    for pattern in own if patterns is None else patterns:
        edit = Edit(kind, pattern)
        try:
            variant = edited(design, edit)
            after = measure(variant, expression)
        except UsageError:
            continue
        if after.value - before.value == (-1 if kind == "remove" else 1):
            return variant, after, edit
    return None


def _patterns(node: Node) -> Iterator[str]:
    match node:
        case Text():
            yield node.value
        case Negative():
            yield from _patterns(node.operand)
        case Binary():
            yield from _patterns(node.left)
            yield from _patterns(node.right)
        case Call():
            for argument in node.arguments:
                yield from _patterns(argument)
        case _:
            return


def _with_parts(measured: Measurement) -> Iterator[Measurement]:
    yield measured
    for part in measured.parts:
        yield from _with_parts(part)


def _directions(measured: Measurement) -> list[tuple[float, float, float]]:
    found: dict[tuple[float, float, float], None] = {}
    for part in _with_parts(measured):
        if part.direction is not None and part.kind not in ("diameter", "radius"):
            found[_three(part.direction)] = None
    return list(found) or [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]


def _three(values: Floats) -> tuple[float, float, float]:
    x, y, z = (float(value) + 0.0 for value in np.round(values, 12))
    return x, y, z


def _positive(value: float) -> float:
    if not (np.isfinite(value) and value > 0):
        raise UsageError(f"a margin must be above zero, not {value:g}")
    return float(value)


def described(variant: Variant) -> dict[str, object]:
    """A variant as it is recorded beside a picture."""
    return {
        "edits": [dataclasses.asdict(edit) for edit in variant.edits],
        "measure": variant.after.expression,
        "unit": variant.after.unit,
        "limit": variant.limit.value,
        "sense": variant.limit.sense,
        "before": variant.before.value,
        "after": variant.after.value,
        "margin": variant.margin,
        "complies": variant.complies,
    }
