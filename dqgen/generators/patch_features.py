"""Axes, planes, holes, radii and walls that flat and round patches tell: what measures are retaken on."""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dqgen.generators.patches import FlatPatch, Patches, RoundPatch, coaxial, runs
from dqgen.geometry.handles import PARALLEL, Candidate, Chosen, choose
from dqgen.geometry.measure import SAME
from dqgen.schemas.design import Floats

CLOSED = 280.0
"""Degrees around its axis that a hole's wall covers at least: it may be cut into."""
FLUSH = 1e-2
"""Millimetres between flat faces of one plane."""


@dataclass(frozen=True)
class Line:
    """An axis: a point of it, its unit direction, the radius about it, and where it begins and ends from that point."""

    at: Floats
    along: Floats
    radius: float
    reach: tuple[float, float]

    @property
    def middle(self) -> Floats:
        """The point half way between its ends."""
        return np.asarray(self.at + sum(self.reach) / 2 * self.along)

    def nearest(self, other: "Line") -> Floats:
        """Its point that is nearest to another line."""
        lean = float(self.along @ other.along)
        gap = other.at - self.at
        far = float(gap @ self.along - lean * (gap @ other.along)) / max(1 - lean * lean, 1e-12)
        return np.asarray(self.at + far * self.along)


@dataclass(frozen=True)
class Plane:
    """A point of a plane and its unit normal."""

    at: Floats
    normal: Floats


@dataclass(frozen=True)
class Choice:
    """The options of a call, as `docs/measures.md` has them.

    Attributes:
        text: the call, for messages.
    """

    text: str
    along: Floats | None = None
    seen: Floats | None = None
    facing: Floats | None = None
    at: Floats | None = None
    diameter: float | None = None
    inner: bool | None = None
    n: int | None = None

    @property
    def free(self) -> bool:
        """Whether it leaves the choice open."""
        return all(getattr(self, name) is None for name in ("along", "at", "diameter", "inner", "n"))

    def lies(self, direction: Floats) -> bool:
        """Whether a direction is along the one asked for."""
        return self.along is None or bool(abs(direction @ self.along) > PARALLEL)

    def fits(self, radius: float) -> bool:
        """Whether a radius is of the diameter asked for."""
        return self.diameter is None or abs(2 * radius - self.diameter) <= SAME * self.diameter

    def of(self, found: Sequence[tuple[Candidate, Chosen]]) -> Chosen:
        """What is meant, by the rule that holds for all measures.

        Raises:
            UsageError: there is nothing, or several things may be meant.
        """
        return choose(found, self.text, "feature", self.at, self.n, "at= or n=")


def axis(found: Sequence[Patches], choice: Choice) -> Line:
    """The line with the most round area about it.

    Raises:
        UsageError: there is none, or several may be meant.
    """
    groups = [(group, _line(group)) for group in coaxial(_rounds(found, choice))]
    return choice.of([(Candidate(sum(one.area for one in group), line.middle, ""), line) for group, line in groups])


def radius(found: Sequence[Patches], choice: Choice) -> float | None:
    """That most of the outer round faces have; else that of the tube that the faces form; None if they form none.

    Raises:
        UsageError: several may be meant.
    """
    rounds = _rounds(found, choice)
    if choice.inner is None and any(not one.inner for one in rounds):
        rounds = [one for one in rounds if not one.inner]
    if not rounds:
        return max((each.tube for each in found if each.tube is not None), default=None) if choice.free else None
    sizes: list[list[RoundPatch]] = []
    for one in sorted(rounds, key=lambda patch: patch.radius):
        if sizes and one.radius <= sizes[-1][0].radius * (1 + SAME):
            sizes[-1].append(one)
        else:
            sizes.append([one])
    weighed = []
    for group in sizes:
        lead = max(group, key=lambda patch: patch.area)
        weighed.append((Candidate(sum(one.area for one in group), lead.middle, ""), lead.radius))
    return choice.of(weighed)


def thickness(found: Sequence[Patches], choice: Choice) -> float:
    """Between the largest opposite flat faces of a part, or of its tube's wall.

    Raises:
        UsageError: there is neither, or several may be meant.
    """
    weights: dict[float, float] = defaultdict(float)
    for each in found:
        for side, beyond in itertools.combinations(each.flat, 2):
            depth = float((side.at - beyond.at) @ side.normal)
            if choice.lies(side.normal) and side.normal @ beyond.normal < -PARALLEL and depth > 1e-6:
                weights[round(depth, 2)] += min(side.area, beyond.area)
        if choice.along is not None:
            continue
        for group in coaxial(each.round):
            for one, other in itertools.permutations(group, 2):
                wall = one.radius - other.radius
                if not one.inner and other.inner and wall > 0 and _overlap(one, other):
                    weights[round(wall, 2)] += other.area
    return choice.of([(Candidate(weight, np.zeros(3), ""), wall) for wall, weight in sorted(weights.items())])


def plane(found: Sequence[Patches], choice: Choice) -> Plane:
    """The plane with the most flat area in it.

    Raises:
        UsageError: there is none, or several may be meant.
    """
    groups: list[list[FlatPatch]] = []
    for one in (flat for each in found for flat in each.flat):
        if choice.facing is not None and one.normal @ choice.facing < PARALLEL:
            continue
        for group in groups:
            lead = group[0]
            if one.normal @ lead.normal > 1 - 1e-6 and abs((one.at - lead.at) @ lead.normal) < FLUSH:
                group.append(one)
                break
        else:
            groups.append([one])
    weighed = []
    for group in groups:
        areas = np.array([one.area for one in group])
        at = areas @ np.stack([one.at for one in group]) / areas.sum()
        weighed.append((Candidate(float(areas.sum()), at, ""), Plane(at, group[0].normal)))
    return choice.of(weighed)


def holes(found: Sequence[Patches], choice: Choice) -> list[Line]:
    """Walls that close around an axis: those that follow each other are one hole, as wide as the narrowest."""
    closed = []
    for each in found:
        for group in coaxial([one for one in each.round if one.inner]):
            for run in runs(group):
                line = replace(_line(run), radius=min(one.radius for one in run))
                if choice.lies(line.along) and choice.fits(line.radius) and sum(one.sweep for one in run) > CLOSED:
                    closed.append(line)
    return closed


def hole(found: Sequence[Patches], choice: Choice) -> Line:
    """One hole.

    Raises:
        UsageError: there is none, or several may be meant.
    """
    return choice.of([(Candidate(1.0, line.middle, ""), line) for line in holes(found, choice)])


def _rounds(found: Sequence[Patches], choice: Choice) -> list[RoundPatch]:
    return [
        one
        for each in found
        for one in each.round
        if choice.inner in (None, one.inner) and choice.lies(one.along) and choice.fits(one.radius)
    ]


def _line(group: Sequence[RoundPatch]) -> Line:
    lead = group[0]
    ends = [float((one.at + end * one.along - lead.at) @ lead.along) for one in group for end in one.reach]
    return Line(lead.at, lead.along, lead.radius, (min(ends), max(ends)))


def _overlap(one: RoundPatch, other: RoundPatch) -> bool:
    apart = abs(float((other.middle - one.middle) @ one.along))
    return 2 * apart <= one.reach[1] - one.reach[0] + other.reach[1] - other.reach[0]
