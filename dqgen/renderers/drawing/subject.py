"""The subject of automatic dimensioning: a design's features and the views that may show them."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from dqgen.geometry.features import Axis, Catalogue, Hole, Plane
from dqgen.geometry.transforms import Placed, apply
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing.dimension import Foot
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.projection import ALIGNED, Projection, model_point
from dqgen.renderers.drawing.rings import Ring, rings
from dqgen.schemas.design import Curve, Floats, Surface

FULL_SWEEP = 350.0
"""Degrees above which a round face counts as going all the way around."""
SAME = 1e-3
"""mm within which two coordinates or sizes are one."""
TURNED_SHARE = 0.35
"""A part whose round faces about one axis have this share of its area is a turned part; so is one that is round in
outline."""
LEAST_AREA = 1e-3
"""Faces with less than this part of the largest side of the design's box,"""
LEAST_LENGTH = 0.025
"""and shorter than this part of the box's longest edge, are lettering and the like, and not dimensioned."""
AXIS_NAMES = "xyz"


@dataclass
class Subject:
    """What is dimensioned, in which views, and how numbers are printed.

    Attributes:
        leaves: the parts.
        catalogue: their features.
        projections: the views on the sheet.
        labels: that numbers what it is told.
        warnings: what no view can tell.
    """

    leaves: list[Placed]
    catalogue: Catalogue
    projections: tuple[Projection, ...]
    labels: Labels
    warnings: list[str] = field(default_factory=list)

    @property
    def numbers(self) -> Numbers:
        """How values are printed."""
        return self.labels.numbers

    @cached_property
    def axis_of(self) -> dict[tuple[int, int], Axis]:
        """The axis that a round face belongs to, by leaf and face."""
        return {(axis.leaf, face): axis for axis in self.catalogue.axes for face in axis.faces}

    def along(self, axis: Axis) -> tuple[Axis, ...]:
        """The axes of the catalogue that lie on one line with one of them, itself among them."""
        known = self._along.get(id(axis))
        if known is None:
            origins, directions = self._axis_lines
            gaps = origins - axis.origin
            off = gaps - (gaps @ axis.direction)[:, None] * axis.direction
            on_line = (np.abs(directions @ axis.direction) >= ALIGNED) & (np.linalg.norm(off, axis=1) < SAME * 2)
            known = self._along[id(axis)] = tuple(self.catalogue.axes[row] for row in np.flatnonzero(on_line))
        return known

    @cached_property
    def _along(self) -> dict[int, tuple[Axis, ...]]:
        return {}

    @cached_property
    def _axis_lines(self) -> tuple[Floats, Floats]:
        """Origins and directions (n, 3) of all axes."""
        origins = np.array([axis.origin for axis in self.catalogue.axes], dtype=np.float64).reshape(-1, 3)
        directions = np.array([axis.direction for axis in self.catalogue.axes], dtype=np.float64).reshape(-1, 3)
        return origins, directions

    @cached_property
    def hole_faces(self) -> set[tuple[int, int]]:
        """Leaf and face of all that belongs to holes."""
        return {(hole.leaf, face) for hole in self.catalogue.holes for face in hole.faces}

    @cached_property
    def turned_axis(self) -> tuple[Floats, Floats] | None:
        """Origin and direction of the axis that a turned part was turned about; None for other parts."""
        if len(self.leaves) != 1:
            return None
        rim = next((axis for axis in self.catalogue.axes if self._outlines(axis)), None)
        if rim is not None:
            return rim.origin, rim.direction
        faces = self.leaves[0].solid.faces
        total = float(faces.area.sum())
        best: tuple[float, Axis] | None = None
        for axis in self.catalogue.axes:
            if axis.sweep < FULL_SWEEP:
                continue
            share = sum(
                float(faces.area[face])
                for other in self.along(axis)
                if other.sweep >= FULL_SWEEP
                for face in other.faces
            )
            share += sum(float(faces.area[face]) for face, centre, _ in self.balls if _on_line(centre, axis))
            if best is None or share > best[0]:
                best = share, axis
        if best is None or best[0] < TURNED_SHARE * total:
            return None
        return best[1].origin, best[1].direction

    @cached_property
    def balls(self) -> list[tuple[int, Floats, float]]:
        """Spherical faces of a single part: row, centre and radius."""
        if len(self.leaves) != 1:
            return []
        world, faces = self.leaves[0].world, self.leaves[0].solid.faces
        rows = np.flatnonzero(faces.kind == Surface.SPHERE)
        return [(int(row), apply(world, faces.origin[[row]])[0], float(faces.radius[row])) for row in rows]

    def _outlines(self, axis: Axis) -> bool:
        """Whether a round face is the outline of the part, seen along one of the main axes."""
        row = main_axis(axis.direction)
        if row is None or axis.kind != "cylinder" or axis.inner or axis.sweep < FULL_SWEEP:
            return False
        low, high = np.delete(self.catalogue.bounds, row, axis=1)
        centre = np.delete(axis.origin, row)
        return bool(np.abs(np.concatenate([centre - low, high - centre]) - axis.radius).max() < SAME)

    @cached_property
    def rings(self) -> tuple[Ring, ...]:
        """Holes at one distance from an axis."""
        return rings(self.catalogue, self.turned_axis)

    @cached_property
    def inside_holes(self) -> set[tuple[int, int]]:
        """Leaf and face of planes that lie within holes, such as floors of counterbores: all their edges are those of
        holes, and they are no larger than the hole; floors that a pocket cuts, too."""
        found = {(hole.leaf, plane.face) for hole in self.catalogue.holes for plane in self._floors(hole)}
        for hole in self.catalogue.holes:
            table = self.leaves[hole.leaf].solid
            widest = max(hole.diameter, *(size[0] for size in (hole.counterbore, hole.countersink) if size), 0.0)
            pairs = table.edges.faces
            own = np.isin(pairs, hole.faces)
            for face in np.unique(pairs[own.any(axis=1)]):
                if face < 0 or face in hole.faces or table.faces.kind[face] != Surface.PLANE:
                    continue
                beside = (pairs == face).any(axis=1)
                small = table.faces.area[face] < 1.02 * np.pi * widest**2 / 4
                if small and own[beside].any(axis=1).all():
                    found.add((hole.leaf, int(face)))
        return found | self.hole_faces

    def _floors(self, hole: Hole) -> Iterator[Plane]:
        """The flat bottoms of a hole and of its counterbore."""
        ends = [] if hole.through else [(hole.depth, hole.diameter)]
        ends += [] if hole.counterbore is None else [(hole.counterbore[1], hole.counterbore[0])]
        for plane in self.catalogue.planes:
            if plane.leaf != hole.leaf or abs(float(plane.normal @ hole.direction)) < ALIGNED:
                continue
            off = plane.bounds - hole.position
            across = np.linalg.norm(off - np.outer(off @ hole.direction, hole.direction), axis=1).max()
            level = float((plane.origin - hole.position) @ hole.direction)
            if any(abs(level - depth) < SAME * 5 and across < 0.71 * size for depth, size in ends):
                yield plane

    @cached_property
    def least_area(self) -> float:
        """mm² below which short faces are taken for lettering and the like."""
        _, b, c = sorted(float(side) for side in self.catalogue.bounds[1] - self.catalogue.bounds[0])
        return LEAST_AREA * max(b * c, 1e-12)

    @cached_property
    def least_length(self) -> float:
        """mm below which faces of little area are taken for lettering and the like."""
        return LEAST_LENGTH * float((self.catalogue.bounds[1] - self.catalogue.bounds[0]).max())

    def too_small(self, plane: Plane) -> bool:
        """Whether a flat face is taken for a part of lettering and the like."""
        longest = float((plane.bounds[1] - plane.bounds[0]).max())
        return plane.area < self.least_area and longest < self.least_length

    def at_mouth(self, cone: Axis) -> bool:
        """Whether a hollow cone widens a hole at its opening: no other hollow on its axis goes on at its wide end."""
        faces = self.leaves[cone.leaf].solid.faces
        axis = self.leaves[cone.leaf].world[:3, :3] @ faces.axis[cone.faces[0]]
        wide = cone.origin + np.sign(faces.second[cone.faces[0]]) * axis * cone.length / 2
        for other in self.along(cone):
            if other is cone or other.leaf != cone.leaf or not other.inner:
                continue
            ends = [other.origin + side * other.length / 2 * other.direction for side in (1, -1)]
            if other.kind in ("cylinder", "cone") and min(np.linalg.norm(end - wide) for end in ends) < SAME * 5:
                return False
        return True

    def area(self, members: Iterable[tuple[int, int]]) -> float:
        """Area of faces in mm²."""
        return sum(float(self.leaves[leaf].solid.faces.area[face]) for leaf, face in members)

    def circles(self, projection: Projection, centre: Floats, radius: float) -> Iterator[ViewCurve]:
        """Curves of a view that lie on the circle about a model point."""
        arcs, centres, radii = self._arcs[projection.id]
        flat = projection.view.rotation[:2] @ centre
        near = (np.abs(radii - radius) < SAME * 5) & (np.abs(centres - flat).max(axis=1) < SAME * 5)
        return (arcs[row] for row in np.flatnonzero(near))

    @cached_property
    def _arcs(self) -> dict[str, tuple[list[ViewCurve], Floats, Floats]]:
        """The arcs of each view, their centres (n, 2) and radii (n,) in view mm."""
        tables = {}
        for projection in self.projections:
            arcs = [curve for curve in projection.curves if curve.kind == "arc"]
            centres = np.array([curve.centre for curve in arcs], dtype=np.float64).reshape(-1, 2)
            radii = np.array([curve.radii[0] for curve in arcs], dtype=np.float64)
            tables[projection.id] = arcs, centres, radii
        return tables

    def edge_foot(self, projection: Projection, curve: ViewCurve, flat: Floats) -> Foot:
        """A point of a curve as a foot, with the model point on its edge where there is one."""
        leaf = self.leaves[curve.leaf]
        if curve.edge >= 0 and leaf.solid.edges.kind[curve.edge] == Curve.LINE:
            line = leaf.solid.edges.polyline(curve.edge)
            ends = apply(leaf.world, line[[0, -1]])
            seen = ends @ projection.view.rotation[:2].T
            reach = seen[1] - seen[0]
            part = float((flat - seen[0]) @ reach) / max(float(reach @ reach), 1e-12)
            return projection.foot(np.asarray(ends[0] + part * (ends[1] - ends[0])))
        if curve.edge >= 0:
            points = apply(leaf.world, leaf.solid.edges.polyline(curve.edge))
            near = points[np.abs(points @ projection.view.rotation[:2].T - flat).sum(axis=1).argmin()]
            depth = float(projection.view.rotation[2] @ near)
        else:
            depth = float(projection.view.rotation[2] @ self.catalogue.bounds.mean(axis=0))
        return projection.foot(model_point(projection, flat, depth))


def _on_line(point: Floats, axis: Axis) -> bool:
    gap = point - axis.origin
    return bool(np.linalg.norm(gap - (gap @ axis.direction) * axis.direction) < SAME * 2)


def main_axis(direction: Floats) -> int | None:
    """0, 1 or 2 for a direction along x, y or z; None for others."""
    row = int(np.abs(direction).argmax())
    return row if abs(float(direction[row])) > ALIGNED else None


def screen_axes(projection: Projection) -> tuple[tuple[int, float], ...]:
    """The model axes that a view shows at their true length, each with its angle on paper: 0 across or 90 up."""
    rows = []
    for angle, direction in ((0.0, projection.view.rotation[0]), (90.0, projection.view.rotation[1])):
        axis = main_axis(direction)
        if axis is not None:
            rows.append((axis, angle))
    return tuple(rows)
