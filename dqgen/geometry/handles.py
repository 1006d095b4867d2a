"""What measures are taken on: shapes, lines, points and planes of occurrences, found by pattern."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.bounds import placed_bounds, union
from dqgen.geometry.extremes import Extreme, extreme
from dqgen.geometry.occurrences import match
from dqgen.geometry.round_faces import Band, bands, turned_up
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Surface

PARALLEL = np.cos(np.radians(1.0))
"""Cosine above which a feature lies along a direction that picks it."""
CLEAR = 2.0
"""A candidate is meant if it has this many times the area of any other."""
LISTED = 6
"""Candidates that a message names."""


@dataclass(frozen=True)
class Shape:
    """All leaves that a pattern picks: their rows, in order."""

    rows: tuple[int, ...]
    text: str


@dataclass(frozen=True)
class Direction:
    """A unit vector of the design."""

    vector: Floats
    text: str


@dataclass(frozen=True)
class Point:
    """A point of the design, mm."""

    at: Floats
    leaves: tuple[int, ...]
    exact: bool
    text: str


@dataclass(frozen=True)
class Flat:
    """A plane with its outward normal."""

    at: Floats
    normal: Floats
    leaves: tuple[int, ...]
    exact: bool
    text: str


@dataclass(frozen=True)
class Round:
    """A round band of a leaf in the design's frame: middle on its axis, unit axis, half length, radius, tube radius."""

    leaf: int
    middle: Floats
    axis: Floats
    half: float
    radius: float
    tube: float
    kind: Surface
    inner: bool
    area: float
    exact: bool


@dataclass(frozen=True)
class Line:
    """An axis: the middle of the faces around it, its direction, and those faces."""

    at: Floats
    direction: Floats
    ends: tuple[Floats, Floats]
    rounds: tuple[Round, ...]
    leaves: tuple[int, ...]
    exact: bool
    text: str


Handle = Shape | Direction | Point | Flat | Line


@dataclass(frozen=True)
class Candidate:
    """Something that may be meant: how much there is of it, where it is, and how it is named to the user."""

    weight: float
    place: Floats
    text: str


Chosen = TypeVar("Chosen")


def choose(
    found: Sequence[tuple[Candidate, Chosen]], text: str, noun: str, at: Floats | None, number: int | None, keys: str
) -> Chosen:
    """The one that is meant.

    Args:
        found: candidates.
        text: the expression, for messages.
        noun: what is looked for.
        at: the outermost along this direction is meant.
        number: or the one of that number, from 1, in the order of the message.
        keys: options that tell candidates apart, for messages.

    Raises:
        UsageError: there is none, or more than one may be meant.
    """
    ordered = sorted(found, key=lambda item: (-round(item[0].weight, 6), *np.round(item[0].place, 6).tolist()))
    if not ordered:
        raise UsageError(f"{text}: there is no {noun} like that")
    if number is not None:
        if not 1 <= number <= len(ordered):
            raise UsageError(f"{text}: there are {len(ordered)} candidates, not {number}")
        return ordered[number - 1][1]
    if at is not None:
        reach = [float(item[0].place @ at) for item in ordered]
        ordered = [item for item, value in zip(ordered, reach, strict=True) if value > max(reach) - 1e-3]
    if len(ordered) == 1 or ordered[0][0].weight >= CLEAR * ordered[1][0].weight:
        return ordered[0][1]
    listed = "; ".join(f"n={k}: {item[0].text}" for k, item in enumerate(ordered[:LISTED], 1))
    more = f"; and {len(ordered) - LISTED} more" if len(ordered) > LISTED else ""
    raise UsageError(f"{text} may be {len(ordered)} things: {listed}{more}", mend=f"choose with {keys}")


def place_text(point: Floats) -> str:
    """Coordinates for a message."""
    return "(" + ", ".join(f"{value + 0.0:.6g}" for value in np.round(point, 3)) + ")"


def direction_text(direction: Floats) -> str:
    """A direction for a message: an axis's name where it is one."""
    for k, name in enumerate("xyz"):
        if abs(direction[k]) > 1 - 1e-9:
            return ("" if direction[k] > 0 else "-") + name
    return place_text(direction)


class Occurrences:
    """The leaves of a design and the features found on them.

    Attributes:
        leaves: in file order.
    """

    def __init__(self, leaves: list[Placed]) -> None:
        self.leaves = leaves
        self._extremes: dict[tuple[int, bytes], Extreme] = {}

    def shape(self, pattern: str) -> Shape:
        """What a pattern picks.

        Raises:
            UsageError: nothing.
        """
        return Shape(tuple(sorted(match(self.leaves, pattern))), repr(pattern))

    def extreme(self, shape: Shape, direction: Floats, text: str) -> Point:
        """The outermost point of a shape along a unit direction."""
        best: Extreme | None = None
        leaf = -1
        boxes = [placed_bounds(self.leaves[row]) for row in shape.rows]
        reach = [float(np.where(direction > 0, box[1], box[0]) @ direction) for box in boxes]
        for reached, row in sorted(zip(reach, shape.rows, strict=True), reverse=True):
            # A box of vertices may fall short of the exact shape by a chord's height.
            slack = 0.01 * float(np.linalg.norm(boxes[shape.rows.index(row)][1] - boxes[shape.rows.index(row)][0]))
            if best is not None and reached + slack < float(best.point @ direction):
                continue
            key = (row, direction.tobytes())
            if key not in self._extremes:
                self._extremes[key] = extreme(self.leaves[row], direction)
            candidate = self._extremes[key]
            if best is None or candidate.point @ direction > best.point @ direction + 1e-9:
                best, leaf = candidate, row
        assert best is not None
        return Point(best.point, (leaf,), best.exact, text)

    def middle(self, shape: Shape, text: str) -> Point:
        """The middle of a shape's box."""
        low = np.array([self.extreme(shape, -axis, "").at @ axis for axis in np.eye(3)])
        high = np.array([self.extreme(shape, axis, "").at @ axis for axis in np.eye(3)])
        exact = all(self.extreme(shape, s * axis, "").exact for axis in np.eye(3) for s in (1.0, -1.0))
        return Point((low + high) / 2, shape.rows, exact, text)

    def box(self, rows: Sequence[int]) -> Floats:
        """The box (2, 3) around leaves."""
        return union([placed_bounds(self.leaves[row]) for row in rows])

    def rounds(self, shape: Shape) -> list[Round]:
        """The round bands of a shape's leaves."""
        found = []
        for row in shape.rows:
            leaf = self.leaves[row]
            scale = leaf.scale
            for band in bands(leaf.solid):
                found.append(_placed_band(leaf, row, band, scale))
        return found

    def lines(self, rounds: Sequence[Round], text: str) -> list[tuple[Candidate, Line]]:
        """The distinct axes of round bands, each with all its bands."""
        groups: list[list[Round]] = []
        for band in rounds:
            for group in groups:
                if _same_axis(group[0], band):
                    group.append(band)
                    break
            else:
                groups.append([band])
        result = []
        for group in groups:
            lead = max(group, key=lambda band: band.area)
            spans = []
            for band in group:
                along = float((band.middle - lead.middle) @ lead.axis)
                spans += [along - band.half, along + band.half]
            ends = (lead.middle + min(spans) * lead.axis, lead.middle + max(spans) * lead.axis)
            middle = (ends[0] + ends[1]) / 2
            line = Line(
                middle,
                lead.axis,
                ends,
                tuple(group),
                tuple(dict.fromkeys(band.leaf for band in group)),
                all(band.exact for band in group),
                text,
            )
            size = 2 * (lead.radius + lead.tube)
            named = f"⌀{size:.6g} along {direction_text(lead.axis)} through {place_text(middle)}"
            result.append((Candidate(sum(band.area for band in group), middle, named), line))
        return result

    def flats(self, shape: Shape, facing: Floats | None, text: str) -> list[tuple[Candidate, Flat]]:
        """The distinct planes of a shape's flat faces."""
        groups: list[list[tuple[int, Floats, Floats, float]]] = []
        for row in shape.rows:
            leaf = self.leaves[row]
            for normal, at, area in flat_faces(leaf):
                if facing is not None and normal @ facing < PARALLEL:
                    continue
                close = 1e-4 if not leaf.solid.fitted else 1e-2
                for group in groups:
                    other = group[0]
                    if normal @ other[1] > 1 - 1e-8 and abs((at - other[2]) @ other[1]) < close:
                        group.append((row, normal, at, area))
                        break
                else:
                    groups.append([(row, normal, at, area)])
        result = []
        for group in groups:
            areas = np.array([entry[3] for entry in group])
            at = (np.stack([entry[2] for entry in group]) * areas[:, None]).sum(axis=0) / areas.sum()
            normal = group[0][1]
            rows = tuple(dict.fromkeys(entry[0] for entry in group))
            exact = not any(self.leaves[row].solid.fitted for row in rows)
            named = f"facing {direction_text(normal)} at {place_text(at)}"
            result.append((Candidate(float(areas.sum()), at, named), Flat(at, normal, rows, exact, text)))
        return result


def flat_faces(leaf: Placed) -> list[tuple[Floats, Floats, float]]:
    """Outward unit normal, middle and area of each flat face of a leaf, in the design's frame."""
    table = leaf.solid.faces
    rows = np.flatnonzero(table.kind == Surface.PLANE)
    outward = np.where(table.reversed[rows, None], -table.axis[rows], table.axis[rows])
    normals = outward @ np.linalg.inv(leaf.world[:3, :3])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    middle = table.bounds[rows].mean(axis=1)
    lift = np.einsum("ij,ij->i", middle - table.origin[rows], table.axis[rows])
    places = apply(leaf.world, middle - lift[:, None] * table.axis[rows])
    areas = table.area[rows] * leaf.scale**2
    return list(zip(normals, places, areas.tolist(), strict=True))


def only(rounds: Sequence[Round], keep: Callable[[Round], bool]) -> list[Round]:
    """The bands that pass a test."""
    return [band for band in rounds if keep(band)]


def _placed_band(leaf: Placed, row: int, band: Band, scale: float) -> Round:
    axis = leaf.world[:3, :3] @ band.direction
    return Round(
        leaf=row,
        middle=leaf.world[:3, :3] @ band.origin + leaf.world[:3, 3],
        axis=turned_up(axis / np.linalg.norm(axis)),
        half=(band.high - band.low) / 2 * scale,
        radius=band.radius * scale,
        tube=band.tube * scale,
        kind=band.kind,
        inner=band.inner,
        area=band.area * scale**2,
        exact=not leaf.solid.fitted,
    )


def _same_axis(a: Round, b: Round) -> bool:
    exact = a.exact and b.exact
    if abs(a.axis @ b.axis) < 1 - (1e-9 if exact else 1e-4):
        return False
    offset = b.middle - a.middle
    across = float(np.linalg.norm(offset - (offset @ a.axis) * a.axis))
    return across < (1e-4 if exact else 0.02 * max(a.radius, b.radius, 1e-3))
