"""Flat and round faces as their triangles alone tell them: the second way to what `geometry` reads off surfaces.

A face is flat if its triangles face one way, and round if they face away from one line and their corners lie on a
circle about it. Of what bends otherwise, such as a tube along a curve, the radius follows from how triangles turn.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components

from dqgen.geometry.once import once_per_solid
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Ints, Solid

EVEN = 1e-3
"""Length of the difference of unit normals within which triangles face one way."""
UPRIGHT = 0.05
"""Mean cosine between the triangles' normals and the line that they face away from."""
ON_CIRCLE = 2e-3
"""How far corners may lie off the circle, in parts of its radius."""
GAP = 1e-3
"""Millimetres between round faces that do not follow each other."""
MOST_CORNERS = 400
"""That a circle is fitted to."""


@dataclass(frozen=True)
class FlatPatch:
    """A flat face: its middle, unit outward normal and area, mm and mm²."""

    leaf: int
    at: Floats
    normal: Floats
    area: float


@dataclass(frozen=True)
class RoundPatch:
    """A cylindrical face: a point of its axis, the axis's direction, its radius, its ends along the axis from that
    point, whether it is the wall of a hole, and its area; mm and mm²."""

    leaf: int
    at: Floats
    along: Floats
    radius: float
    reach: tuple[float, float]
    inner: bool
    area: float

    @property
    def middle(self) -> Floats:
        """The point of the axis half way between the ends."""
        return self.at + sum(self.reach) / 2 * self.along

    @property
    def sweep(self) -> float:
        """Degrees around the axis, on the mean over its length."""
        return math.degrees(self.area / (self.radius * max(self.reach[1] - self.reach[0], 1e-9)))


@dataclass(frozen=True)
class Patches:
    """What was found on a leaf.

    Attributes:
        flat: flat faces.
        round: cylindrical faces.
        tube: radius of the tube that the other faces form, mm; None if they form none.
    """

    flat: tuple[FlatPatch, ...]
    round: tuple[RoundPatch, ...]
    tube: float | None


def patches(leaf: Placed, row: int) -> Patches:
    """The faces of a leaf in the design's frame, marked with its row."""
    if not leaf.even:
        found = _found(leaf.solid, apply(leaf.world, leaf.solid.vertices))
        return Patches(
            tuple(replace(one, leaf=row) for one in found.flat),
            tuple(replace(one, leaf=row) for one in found.round),
            found.tube,
        )
    own, scale = _of_solid(leaf.solid), leaf.scale
    turn = leaf.world[:3, :3] / scale

    def placed(point: Floats) -> Floats:
        moved: Floats = leaf.world[:3, :3] @ point + leaf.world[:3, 3]
        return moved

    return Patches(
        tuple(FlatPatch(row, placed(one.at), turn @ one.normal, one.area * scale**2) for one in own.flat),
        tuple(
            RoundPatch(
                row,
                placed(one.at),
                turn @ one.along,
                one.radius * scale,
                (one.reach[0] * scale, one.reach[1] * scale),
                one.inner,
                one.area * scale**2,
            )
            for one in own.round
        ),
        None if own.tube is None else own.tube * scale,
    )


@once_per_solid
def _of_solid(solid: Solid) -> Patches:
    return _found(solid, solid.vertices)


def _found(solid: Solid, vertices: Floats) -> Patches:
    corners = vertices[solid.triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    double = np.linalg.norm(across, axis=1)
    normals = across / np.where(double > 0, double, 1)[:, None]
    areas = double / 2
    flat, rounds = [], []
    rest = np.zeros(len(corners), dtype=bool)
    for rows in _by_face(solid.triangle_face):
        rows = rows[areas[rows] > 0]
        if not len(rows):
            continue
        weights = areas[rows] / areas[rows].sum()
        mean = weights @ normals[rows]
        mean /= max(float(np.linalg.norm(mean)), 1e-12)
        if np.abs(normals[rows] - mean).max() < EVEN:
            flat.append(FlatPatch(-1, weights @ corners[rows].mean(axis=1), mean, float(areas[rows].sum())))
            continue
        found = _round(corners[rows], normals[rows], areas[rows])
        if found is None:
            rest[rows] = True
        else:
            rounds.append(found)
    return Patches(tuple(flat), tuple(rounds), _tube(solid, vertices, corners, normals, areas, rest))


def _by_face(triangle_face: Ints) -> Iterator[NDArray[np.int64]]:
    order = np.argsort(triangle_face, kind="stable").astype(np.int64)
    yield from np.split(order, np.flatnonzero(np.diff(triangle_face[order])) + 1)


def _round(corners: Floats, normals: Floats, areas: Floats) -> RoundPatch | None:
    """The cylinder that a face's triangles stand for."""
    weights = areas / areas.sum()
    sizes, directions = np.linalg.eigh((normals * weights[:, None]).T @ normals)
    along = directions[:, 0]
    if weights @ np.abs(normals @ along) > UPRIGHT or sizes[1] < 1e-6:
        return None
    points = np.unique(corners.reshape(-1, 3), axis=0)
    some = points[:: -(-len(points) // MOST_CORNERS)]
    at, along, radius = _fitted(some, along)
    if radius is None:
        return None
    middles = corners.mean(axis=1) - at
    out = middles - (middles @ along)[:, None] * along
    reach = (points - at) @ along
    inner = bool(weights @ (normals * out).sum(axis=1) < 0)
    return RoundPatch(-1, at, along, radius, (float(reach.min()), float(reach.max())), inner, float(areas.sum()))


def _fitted(points: Floats, along: Floats) -> tuple[Floats, Floats, float | None]:
    """Point of the axis, direction and radius of the cylinder through points; no radius if they lie on none."""
    middle = points.mean(axis=0)
    across = np.linalg.svd(along[None, :])[2][1:]
    flat = (points - middle) @ across.T
    system = np.column_stack([2 * flat, np.ones(len(flat))])  # a circle by least squares, I. Kåsa 1976
    (x, y, rest), *_ = np.linalg.lstsq(system, (flat**2).sum(axis=1), rcond=None)
    radius = float(np.sqrt(max(rest + x * x + y * y, 1e-18)))

    def axis(values: Floats) -> tuple[Floats, Floats]:
        line = along + values[2:4] @ across
        return middle + values[:2] @ across, line / np.linalg.norm(line)

    def off(values: Floats) -> Floats:
        at, line = axis(values)
        gap = points - at
        result: Floats = np.linalg.norm(gap - (gap @ line)[:, None] * line, axis=1) - values[4]
        return result

    values = np.array([x, y, 0.0, 0.0, radius])
    if np.abs(off(values)).max() > 1e-6 * radius and len(points) >= 6:
        # Triangles whose corners stand on three lines of the cylinder lean: the axis is made better by the corners.
        values = least_squares(off, values, x_scale=[radius, radius, 0.1, 0.1, radius], max_nfev=50).x
    at, line = axis(values)
    radius = float(values[4])
    good = radius > 0 and float(np.abs(off(values)).max()) <= ON_CIRCLE * radius
    return at, line, radius if good else None


def _tube(
    solid: Solid, vertices: Floats, corners: Floats, normals: Floats, areas: Floats, rest: NDArray[np.bool_]
) -> float | None:
    """Radius of a tube along any curve. The mean of the sum of its principal curvatures over its surface is one over
    its radius, whatever the curve, for what the inside of a bend takes away the outside adds. On triangles that sum is
    the angle by which neighbours turn, times the length of the edge between them (Cohen-Steiner and Morvan 2003)."""
    pairs = solid.links
    both = (pairs[:, 1] >= 0) & rest[pairs[:, 0]] & rest[pairs[:, 1]]
    if not both.any():
        return None
    a, b = pairs[both].T
    ends = solid.link_vertices[both]
    first, second = vertices[ends[:, 0]], vertices[ends[:, 1]]
    lengths = np.linalg.norm(second - first, axis=1)
    sines = np.linalg.norm(np.cross(normals[a], normals[b]), axis=1)
    turns = np.arctan2(sines, (normals[a] * normals[b]).sum(axis=1))
    convex = ((corners[b].mean(axis=1) - corners[a].mean(axis=1)) * normals[a]).sum(axis=1) < 0
    turning = lengths * np.where(convex, turns, -turns)
    graph = coo_matrix((np.ones(len(a)), (a, b)), shape=(len(corners), len(corners)))
    together = connected_components(graph, directed=False)[1]
    totals = np.bincount(together[a], turning, minlength=len(corners))
    spreads = np.bincount(together[rest], areas[rest], minlength=len(corners))
    bulging = np.where(totals > 0, spreads, 0.0)  # a tube's inner face turns the other way
    widest = int(bulging.argmax())
    return float(spreads[widest] / totals[widest]) if bulging[widest] > 0 else None


def coaxial(found: Sequence[RoundPatch]) -> list[list[RoundPatch]]:
    """Round faces about one line, group by group."""
    groups: list[list[RoundPatch]] = []
    for one in sorted(found, key=lambda patch: -patch.area):
        for group in groups:
            lead = group[0]
            gap = one.at - lead.at
            aside = float(np.linalg.norm(gap - (gap @ lead.along) * lead.along))
            if abs(lead.along @ one.along) > 1 - 1e-5 and aside < 0.01 * max(lead.radius, one.radius):
                group.append(one)
                break
        else:
            groups.append([one])
    return groups


def runs(group: Sequence[RoundPatch]) -> list[list[RoundPatch]]:
    """Round faces about one line, parted where a stretch of it has none."""
    lead = group[0]
    spans = [sorted(float((one.at + end * one.along - lead.at) @ lead.along) for end in one.reach) for one in group]
    parted: list[list[RoundPatch]] = []
    far = -math.inf
    for span, one in sorted(zip(spans, group, strict=True), key=lambda pair: pair[0]):
        if span[0] > far + GAP:
            parted.append([])
        parted[-1].append(one)
        far = max(far, span[1])
    return parted
