"""Rings of holes: bolt circles, with the other holes that lie on them, and holes about the axis of a round part."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.features import Catalogue, Hole
from dqgen.schemas.design import Floats

NEAR = 0.01
"""mm by which holes may lie beside a ring,"""
NEAR_SHARE = 2e-4
"""and as a part of its diameter, whichever is more."""
EVEN = 0.3
"""Degrees by which even steps may differ."""
ON_AXIS = 1e-3
"""mm from a main direction through the middle within which a hole has one coordinate, its distance, and no ring."""


@dataclass(frozen=True)
class Ring:
    """Holes at one distance from an axis.

    Attributes:
        centre: (3,) on that axis.
        direction: (3,) of the axis.
        diameter: mm.
        groups: rows of `Catalogue.holes`: like holes at even steps all around, and others one by one.
    """

    centre: Floats
    direction: Floats
    diameter: float
    groups: tuple[tuple[int, ...], ...]

    @property
    def rows(self) -> tuple[int, ...]:
        """Rows of all its holes."""
        return tuple(row for group in self.groups for row in group)

    def holds(self, hole: Hole) -> bool:
        """Whether a hole lies on it."""
        if abs(float(hole.direction @ self.direction)) < 1 - 1e-6:
            return False
        off = float(np.linalg.norm(_across(hole.position - self.centre, self.direction)))
        return abs(off - self.diameter / 2) < max(NEAR, NEAR_SHARE * self.diameter)

    def joined(self, groups: Iterable[tuple[int, ...]]) -> "Ring":
        """The ring with more holes."""
        return Ring(self.centre, self.direction, self.diameter, (*self.groups, *groups))


def rings(catalogue: Catalogue, axis: tuple[Floats, Floats] | None) -> tuple[Ring, ...]:
    """The rings of a part.

    Args:
        catalogue: its features.
        axis: origin and direction of the axis of a round part.
    """
    holes = catalogue.holes
    found: list[Ring] = []
    for pattern in catalogue.patterns:
        if pattern.form == "circle":
            first = holes[pattern.holes[0]]
            new = Ring(pattern.centre, first.direction, pattern.circle_diameter, (pattern.holes,))
            _add(found, new, first)
    for pattern in catalogue.patterns:
        if pattern.form in ("circle", "grid"):
            continue
        for row, ring in enumerate(found):
            found[row] = ring.joined(_evenly([k for k in pattern.holes if ring.holds(holes[k])], holes, ring))
    if axis is None:
        return tuple(found)
    told = {row for ring in found for row in ring.rows}
    for pattern in catalogue.patterns:
        left = [row for row in pattern.holes if row not in told and _oblique(holes[row], axis)]
        while left:
            hole = holes[left[0]]
            arm = _across(hole.position - axis[0], axis[1])
            ring = Ring(hole.position - arm, axis[1], 2 * float(np.linalg.norm(arm)), ())
            own = [row for row in left if ring.holds(holes[row])]
            _add(found, ring.joined(_evenly(own, holes, ring)), hole)
            left = [row for row in left if row not in own]
    return tuple(found)


def _add(found: list[Ring], new: Ring, hole: Hole) -> None:
    """Join a ring, one of whose holes is known, to the one that it is the same as, if there is one."""
    for row, ring in enumerate(found):
        apart = _across(new.centre - ring.centre, ring.direction)
        if ring.holds(hole) and float(np.linalg.norm(apart)) < max(NEAR, NEAR_SHARE * ring.diameter):
            found[row] = ring.joined(new.groups)
            return
    found.append(new)


def _evenly(rows: list[int], holes: tuple[Hole, ...], ring: Ring) -> list[tuple[int, ...]]:
    """Holes of a ring as one group if they stand at even steps all around, else one by one."""
    if len(rows) > 1:
        arms = np.array([_across(holes[row].position - ring.centre, ring.direction) for row in rows])
        side = np.cross(ring.direction, arms[0])
        turns = np.sort(np.degrees(np.arctan2(arms @ side, arms @ arms[0])) % 360)
        steps = np.diff(np.append(turns, turns[0] + 360))
        if np.abs(steps - 360 / len(rows)).max() < EVEN:
            return [tuple(rows)]
    return [(row,) for row in rows]


def _oblique(hole: Hole, axis: tuple[Floats, Floats]) -> bool:
    """Whether a hole along an axis lies off it, and in no main direction from it."""
    origin, direction = axis
    if abs(float(hole.direction @ direction)) < 1 - 1e-6:
        return False
    return int((np.abs(_across(hole.position - origin, direction)) > ON_AXIS).sum()) > 1


def _across(vector: Floats, direction: Floats) -> Floats:
    across: Floats = vector - (vector @ direction) * direction
    return across
