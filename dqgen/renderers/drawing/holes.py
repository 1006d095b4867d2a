"""Holes of a part: one callout for all of a size, in the view that they open to."""

import itertools
from collections import defaultdict
from dataclasses import replace

import numpy as np

from dqgen.geometry.features import Hole
from dqgen.renderers.drawing.dimension import Round, Target
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.projection import ALIGNED, Projection
from dqgen.renderers.drawing.subject import Subject

FIT = 0.005
"""mm by which fitted sizes of like holes may differ,"""
FIT_SHARE = 1e-3
"""and as a part of the size, whichever is more."""


def home(subject: Subject, holes: list[Hole]) -> Projection | None:
    """The view in which most of these holes show their circles, the one they open to first; None if none does."""
    best: tuple[float, Projection] | None = None
    for projection in subject.projections:
        towards = projection.view.rotation[2]
        score = 0.0
        for hole in holes:
            facing = -float(hole.direction @ towards)
            if facing < ALIGNED and not (hole.through and facing < -ALIGNED):
                continue
            score += (2.0 if seen(subject, projection, [hole]) else 0.2) + (0.1 if facing > 0 else 0.0)
        if score and (best is None or score > best[0] + 1e-9):
            best = score, projection
    return best[1] if best else None


def seen(subject: Subject, projection: Projection, holes: list[Hole]) -> list[Hole]:
    """The holes of which a view shows a circle."""
    return [
        hole
        for hole in holes
        if any(curve.visible for radius in _radii(hole) for curve in subject.circles(projection, hole.position, radius))
    ]


def by_size(subject: Subject) -> list[list[Hole]]:
    """Holes that one callout can speak for: they print alike and lie in one direction; the largest first."""
    groups: dict[tuple[object, ...], list[Hole]] = defaultdict(list)
    fitted = sorted({size for hole in subject.catalogue.holes if not hole.exact for size in _sizes(hole)})
    steps = [b - a > max(FIT, FIT_SHARE * b) for a, b in itertools.pairwise(fitted)]
    level = dict(zip(fitted, itertools.accumulate(steps, initial=0), strict=False))
    for hole in subject.catalogue.holes:
        direction = np.abs(hole.direction) if hole.through and not hole.counterbore else hole.direction
        like: tuple[object, ...] = callout_text(hole, 1, subject.numbers)[1]
        if not hole.exact:
            shape = hole.through, bool(hole.counterbore), bool(hole.countersink)
            like = (*shape, *(level[size] for size in _sizes(hole)))
        groups[(*(round(float(part), 2) + 0.0 for part in direction), *like)].append(hole)
    return sorted(groups.values(), key=lambda holes: -holes[0].diameter)


def callout(subject: Subject, projection: Projection, holes: list[Hole], letter: str = "") -> Round:
    """The callout of like holes, its leader ready to point at any whose circle is seen."""
    hole = _mean(holes)
    number, lines = callout_text(hole, len(holes), subject.numbers)
    if letter:
        lines = (f"{letter} = {lines[0]}", *lines[1:])
    targets = tuple(_target(subject, projection, one) for one in seen(subject, projection, holes) or holes)
    axis = subject.axis_of.get((hole.leaf, hole.faces[0]))
    label = subject.labels.make(
        "callout",
        hole.diameter,
        lines,
        f"diameter of {len(holes)} hole{'s' if len(holes) > 1 else ''}",
        tuple(one.position for one in holes),
        printed=number,
        count=len(holes),
        exact=hole.exact if axis is None else axis.exact,
    )
    return Round(label, targets, letter)


def _sizes(hole: Hole) -> tuple[float, ...]:
    """All that a callout tells of a hole, in mm (and the angle of a countersink)."""
    depth = () if hole.through else (hole.depth,)
    return hole.diameter, *depth, *(hole.counterbore or ()), *(hole.countersink or ())


def _mean(holes: list[Hole]) -> Hole:
    """One hole for like ones: exact ones are the first, fitted ones their mean."""
    first = holes[0]
    if first.exact or len(holes) == 1:
        return first
    diameter, *others = (float(size) for size in np.mean([_sizes(hole) for hole in holes], axis=0))
    depth = first.depth if first.through else others.pop(0)
    counterbore = (others.pop(0), others.pop(0)) if first.counterbore else first.counterbore
    countersink = (others.pop(0), others.pop(0)) if first.countersink else first.countersink
    return replace(first, diameter=diameter, depth=depth, counterbore=counterbore, countersink=countersink)


def callout_text(hole: Hole, count: int, numbers: Numbers) -> tuple[str, tuple[str, ...]]:
    """The printed diameter, and the lines of a callout: `4× ⌀9`, with depth, counterbore and countersink."""
    number = numbers.length(hole.diameter)
    first = f"{count}× ⌀{number}" if count > 1 else f"⌀{number}"
    if not hole.through:
        first += f" ↧{numbers.length(hole.depth)}"
    lines = [first]
    if hole.counterbore:
        diameter, depth = hole.counterbore
        lines.append(f"⊔ ⌀{numbers.length(diameter)} ↧{numbers.length(depth)}")
    if hole.countersink:
        diameter, angle = hole.countersink
        lines.append(f"∨ ⌀{numbers.length(diameter)} × {numbers.angle(angle)}")
    return number, tuple(lines)


def _target(subject: Subject, projection: Projection, hole: Hole) -> Target:
    """The largest circle of a hole that can be seen."""
    for radius in _radii(hole):
        if any(curve.visible for curve in subject.circles(projection, hole.position, radius)):
            return Target(projection.page(hole.position), radius * projection.scale)
    return Target(projection.page(hole.position), hole.diameter / 2 * projection.scale)


def _radii(hole: Hole) -> list[float]:
    sizes = [hole.diameter]
    if hole.counterbore:
        sizes.append(hole.counterbore[0])
    if hole.countersink:
        sizes.append(hole.countersink[0])
    return [size / 2 for size in sorted(sizes, reverse=True)]
