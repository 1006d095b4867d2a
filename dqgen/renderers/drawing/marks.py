"""Marks: the coordinates that views should tell, of faces, centres and the ends of hollows."""

from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.features import Axis, Hole
from dqgen.geometry.holes import LEAST_SWEEP
from dqgen.renderers.drawing.dimension import Foot
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import FULL_SWEEP, SAME, Subject, main_axis, screen_axes
from dqgen.schemas.design import Floats

MANY = 7
"""More lengths than this along one axis of a view are given as ordinates."""
SLOT_SWEEP = 150.0
"""Degrees from which a rounded hollow counts as the end of a slot, whose centre is given."""


@dataclass(frozen=True)
class Mark:
    """A coordinate along a model axis that a view should tell: of a face or a centre.

    Attributes:
        axis: 0, 1 or 2.
        value: mm.
        centre: of something round.
        feet: where the view shows it.
        size: mm² of faces, sum of diameters: what a mirrored twin has as well.
    """

    axis: int
    value: float
    centre: bool
    feet: tuple[Foot, ...]
    size: float = 0.0


Marks = dict[tuple[str, int], list[Mark]]
"""By view and model axis."""


def centres(subject: Subject, holes: dict[str, list[Hole]]) -> Marks:
    """Centres of holes, rings of holes and slot ends, by view and model axis."""
    in_circle = {row: ring.centre for ring in subject.rings for row in ring.rows}
    row_of = {id(hole): row for row, hole in enumerate(subject.catalogue.holes)}
    points: dict[str, list[tuple[Floats, float]]] = defaultdict(list)
    for projection in subject.projections:
        for hole in holes.get(projection.id, []):
            centre = in_circle.get(row_of[id(hole)])
            points[projection.id].append((hole.position, hole.diameter) if centre is None else (centre, 0.0))
    for axis in subject.catalogue.axes:
        end = axis.kind == "cylinder" and axis.inner and SLOT_SWEEP < axis.sweep < FULL_SWEEP
        boss = axis.kind == "cylinder" and not axis.inner and axis.sweep >= FULL_SWEEP
        if (end or boss) and not any((axis.leaf, face) in subject.hole_faces for face in axis.faces):
            view = next((one for one in subject.projections if one.end_on(axis.direction)), None)
            if view is not None:
                points[view.id].append((axis.origin, 2 * axis.radius))
    marks: dict[tuple[str, int], dict[float, list[tuple[Foot, float]]]] = defaultdict(lambda: defaultdict(list))
    for projection in subject.projections:
        for axis_row, _ in screen_axes(projection):
            for point, size in points[projection.id]:
                value = round(float(point[axis_row]), 4)
                marks[projection.id, axis_row][value].append((projection.foot(point), size))
    return {
        key: [
            Mark(key[1], value, True, tuple(dict.fromkeys(foot for foot, _ in found)), sum(size for _, size in found))
            for value, found in values.items()
        ]
        for key, values in marks.items()
    }


def joined(one: Marks, other: Marks) -> Marks:
    """Marks of both; where they share a coordinate, those of the first."""
    joined = dict(one)
    for key, marks in other.items():
        known = {round(mark.value, 3) for mark in joined.get(key, [])}
        joined[key] = joined.get(key, []) + [mark for mark in marks if round(mark.value, 3) not in known]
    return joined


def steps(subject: Subject) -> Marks:
    """Flat faces across a model axis, each in the view that shows most of its edges; not those at the ends."""
    faces: dict[tuple[int, float], set[tuple[int, int]]] = defaultdict(set)
    low, high = subject.catalogue.bounds
    for plane in subject.catalogue.planes:
        axis = main_axis(plane.normal)
        if axis is None or (plane.leaf, plane.face) in subject.inside_holes or subject.too_small(plane):
            continue
        value = round(float(plane.origin[axis]), 4)
        if min(abs(value - low[axis]), abs(value - high[axis])) > SAME:
            faces[axis, value].add((plane.leaf, plane.face))
    sides: Marks = {}
    for (axis, value), members in sorted(faces.items()):
        best: tuple[float, Projection, tuple[Foot, ...]] | None = None
        for projection in subject.projections:
            if axis not in dict(screen_axes(projection)):
                continue
            shown, feet = _edges_at(subject, projection, axis, value, members)
            if feet and (best is None or shown > best[0] * 1.2):
                best = shown, projection, feet
        if best is None:  # its edges are rounded away, or no lines
            best = _box_ends(subject, axis, members)
        if best is not None:
            sides.setdefault((best[1].id, axis), []).append(Mark(axis, value, False, best[2], subject.area(members)))
    return sides


def _box_ends(
    subject: Subject, axis: int, members: set[tuple[int, int]]
) -> tuple[float, Projection, tuple[Foot, ...]] | None:
    """The first view that can tell a coordinate of flat faces, with the ends of their boxes as feet."""
    boxes = [plane.bounds for plane in subject.catalogue.planes if (plane.leaf, plane.face) in members]
    for projection in subject.projections:
        if axis in dict(screen_axes(projection)):
            return 0.0, projection, tuple(projection.foot(corner) for box in boxes for corner in box)
    return None


def hollows(subject: Subject, holes: dict[str, list[Hole]]) -> Marks:
    """Where hollows on one axis change from one to the next, unless the callout of a hole tells it.

    Args:
        subject: what is dimensioned.
        holes: those that have callouts, by view.
    """
    told: dict[int, list[float]] = defaultdict(list)  # places along an axis
    inner = [
        axis
        for axis in subject.catalogue.axes
        if axis.inner
        and axis.kind in ("cylinder", "cone")
        and axis.sweep >= LEAST_SWEEP
        and main_axis(axis.direction) is not None
    ]
    for hole in (hole for group in holes.values() for hole in group):
        axis = next(
            (subject.axis_of[hole.leaf, face] for face in hole.faces if (hole.leaf, face) in subject.axis_of), None
        )
        if axis is None:
            continue
        for depth in (0.0, *(() if hole.through else (hole.depth,)), *(hole.counterbore or ())[1:]):
            told[id(axis)].append(float((hole.position + depth * hole.direction) @ axis.direction))
    for axis in inner:  # countersinks and broken edges
        in_hole = any((axis.leaf, face) in subject.hole_faces for face in axis.faces)
        if axis.kind == "cone" and (in_hole or subject.at_mouth(axis)):
            told[id(axis)] += [float(axis.origin @ axis.direction) + side * axis.length / 2 for side in (-1, 1)]
    marks: Marks = {}
    hollow = {id(axis) for axis in inner}
    for axis in inner:
        row = main_axis(axis.direction)
        assert row is not None
        view = next((one for one in subject.projections if one.in_plane(axis.direction)), None)
        if view is None:
            continue
        beside = [other for other in subject.along(axis) if id(other) in hollow and other is not axis]
        for end in (-0.5, 0.5):
            at = axis.origin + end * axis.length * axis.direction
            place = float(at @ axis.direction)
            known = (value for other in subject.along(axis) for value in told[id(other)])
            if any(abs(place - value) < SAME * 5 for value in known):
                continue
            if not any(_touches(axis, place, other) for other in beside):
                continue
            told[id(axis)].append(place)
            across = np.cross(view.view.rotation[2], axis.direction) * axis.radius
            feet = tuple(view.foot(np.asarray(at + side * across)) for side in (1, -1))
            marks.setdefault((view.id, row), []).append(Mark(row, round(float(at[row]), 4), False, feet))
    return marks


def _touches(axis: Axis, place: float, other: Axis) -> bool:
    """Whether another hollow on the same axis begins or ends at a place along it."""
    if other.leaf != axis.leaf:
        return False
    middle = float(other.origin @ axis.direction)
    return min(abs(middle + side * other.length / 2 - place) for side in (1, -1)) < SAME * 5


def _edges_at(
    subject: Subject, projection: Projection, axis: int, value: float, members: set[tuple[int, int]]
) -> tuple[float, tuple[Foot, ...]]:
    """Length of the lines at which a view shows faces edge-on (hidden ones count a tenth), and their ends."""
    row = 0 if abs(projection.view.rotation[0][axis]) > 0.5 else 1
    place = float(projection.view.rotation[row][axis]) * value
    shown = 0.0
    feet: list[tuple[bool, Foot]] = []
    for curve in projection.curves:
        if not any((curve.leaf, face) in members for face in curve.faces):
            continue
        if np.abs(curve.points[:, row] - place).max() > SAME * 2:
            continue
        shown += curve.length * (1.0 if curve.visible else 0.1)
        feet += [(curve.visible, subject.edge_foot(projection, curve, point)) for point in curve.points[[0, -1]]]
    visible = tuple(foot for seen, foot in feet if seen)
    return shown, visible or tuple(foot for _, foot in feet)
