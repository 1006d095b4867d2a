"""Round shapes other than holes: outer diameters, radii, chamfers of turned parts."""

from collections import defaultdict

import numpy as np

from dqgen.geometry.features import Axis, Hole
from dqgen.geometry.holes import LEAST_SWEEP
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing.dimension import Pointer, Request, Round, Span, Target
from dqgen.renderers.drawing.holes import FIT, FIT_SHARE
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import FULL_SWEEP, SAME, Subject, main_axis
from dqgen.schemas.design import Floats, Surface

Told = dict[str, list[Request]]
LEAST_RADIUS = 0.05
"""mm on paper; smaller roundings are not worth a leader."""
LEAST_RIM = 180.0
"""Degrees of the edge of a turned part that a broken edge must go around, flats and keyways left out."""
LETTERING = 1.0
"""mm on paper below which roundings of little area are taken for those of lettering."""


def diameters(subject: Subject) -> Told:
    """Outer cylinders that go all the way around: across their outline, or by a leader where they are seen end-on."""
    told: Told = defaultdict(list)
    groups: dict[tuple[object, ...], list[Axis]] = defaultdict(list)
    for axis in subject.catalogue.axes:
        if axis.kind == "cylinder" and not axis.inner and axis.sweep >= FULL_SWEEP:
            place = axis.origin - (axis.origin @ axis.direction) * axis.direction
            on_main = subject.turned_axis is not None and _on(axis, subject.turned_axis)
            key = (
                subject.numbers.length(2 * axis.radius),
                *np.round(np.abs(axis.direction), 4),
                *(np.round(place, 3) if on_main else ()),
            )
            groups[key].append(axis)
    for axes in groups.values():
        longest = max(axes, key=lambda axis: axis.length)
        across = subject.turned_axis is not None and _on(longest, subject.turned_axis)
        for projection in subject.projections:
            if across and projection.in_plane(longest.direction):
                told[projection.id].append(_across(subject, projection, longest, len(axes)))
                break
            if not across and projection.end_on(longest.direction) and _seen(subject, projection, axes):
                told[projection.id].append(_by_leader(subject, projection, axes))
                break
        else:
            side = next((one for one in subject.projections if one.in_plane(longest.direction)), None)
            if side is not None:
                told[side.id].append(_across(subject, side, longest, len(axes)))
    return told


def chambers(subject: Subject, holes: list[Hole]) -> Told:
    """Hollows that no view sees from their end: their diameter across their hidden outline, from the side."""
    told: Told = defaultdict(list)
    for hole in holes:
        axis = next(
            (subject.axis_of[key] for face in hole.faces if (key := (hole.leaf, face)) in subject.axis_of), None
        )
        side = axis and next((one for one in subject.projections if one.in_plane(axis.direction)), None)
        if axis and side:
            told[side.id].append(_across(subject, side, axis, 1, "diameter of a hollow"))
            break
    return told


def _seen(subject: Subject, projection: Projection, axes: list[Axis]) -> list[Axis]:
    return [
        axis for axis in axes if any(curve.visible for curve in subject.circles(projection, axis.origin, axis.radius))
    ]


def _across(subject: Subject, projection: Projection, axis: Axis, count: int, told: str = "outer diameter") -> Span:
    """From outline to outline of a cylinder whose axis lies in the view's plane."""
    towards = projection.view.rotation[2]
    normal: Floats = np.cross(towards, axis.direction)
    angle = projection.bearing(normal)
    angle = angle % 180 if abs(angle % 180 - 180) > 1e-6 else 0.0
    feet = []
    for side in (-1, 1):
        rim = axis.origin + side * axis.radius * normal
        feet.append(
            tuple(projection.foot(np.asarray(rim + part * axis.length * axis.direction)) for part in (-0.5, 0.0, 0.5))
        )
    number = subject.numbers.length(2 * axis.radius)
    text = f"{count}× ⌀{number}" if count > 1 else f"⌀{number}"
    label = subject.labels.make(
        "diameter", 2 * axis.radius, (text,), told, printed=number, count=count, exact=axis.exact
    )
    cos, sin = np.cos(np.radians(angle)), np.sin(np.radians(angle))
    ends = sorted(float(foot.at[1] * cos - foot.at[0] * sin) for foot in (feet[0][0], feet[0][2]))
    middle = tuple(feet_[1] for feet_ in feet)
    return Span(label, (middle[0], *feet[0]), (middle[1], *feet[1]), angle, 0, (ends[0], ends[1]))


def _by_leader(subject: Subject, projection: Projection, axes: list[Axis]) -> Round:
    seen = _seen(subject, projection, axes)
    number = subject.numbers.length(2 * axes[0].radius)
    text = f"{len(axes)}× ⌀{number}" if len(axes) > 1 else f"⌀{number}"
    points = tuple(axis.origin for axis in axes)
    label = subject.labels.make(
        "diameter", 2 * axes[0].radius, (text,), "outer diameter", points, number, len(axes), axes[0].exact
    )
    return Round(label, tuple(Target(projection.page(axis.origin), axis.radius * projection.scale) for axis in seen))


def radii(subject: Subject) -> Told:
    """Roundings: each radius once, in the view that shows most of its arcs."""
    seen: list[tuple[float, Projection, tuple[int, int], Target]] = []
    for projection in subject.projections:
        for curve in projection.curves:
            if not curve.visible:
                continue
            for face in sorted(set(curve.faces)):
                arc = _arc(subject, projection, curve, face)
                if arc is not None and arc[0] * projection.scale >= LEAST_RADIUS:
                    seen.append((arc[0], projection, (curve.leaf, face), arc[1]))
    alike = _alike(subject, {radius for radius, *_ in seen})
    sizes: dict[str, float] = {}
    found: dict[str, dict[str, dict[tuple[int, int], Target]]] = defaultdict(lambda: defaultdict(dict))
    for radius, projection, place, target in seen:
        number = subject.numbers.length(alike[radius])
        sizes.setdefault(number, alike[radius])
        known = found[number][projection.id].get(place)
        if known is None or target.last - target.first > known.last - known.first:
            found[number][projection.id][place] = target
    told: Told = defaultdict(list)
    for radius, views in sorted(((sizes[number], views) for number, views in found.items()), key=lambda pair: pair[0]):
        area = subject.area({face for targets in views.values() for face in targets})
        if area < subject.least_area and radius * subject.projections[0].scale < LETTERING:
            continue
        sign = "SR" if _is_ball(subject, radius, {face for targets in views.values() for face in targets}) else "R"
        unseen = _unseen(subject, radius, {face for targets in views.values() for face in targets})
        faces: set[tuple[int, int]] = set()
        for view, targets in sorted(views.items(), key=lambda pair: -len(pair[1])):
            new = {face: target for face, target in targets.items() if face not in faces}
            if not new:
                continue
            faces |= set(new)
            projection = next(one for one in subject.projections if one.id == view)
            told[view].append(_radius(subject, projection, sign, radius, new, unseen))
            unseen = 0
    return told


def _unseen(subject: Subject, radius: float, faces: set[tuple[int, int]]) -> int:
    """How many roundings that lie askew to all views are like some that a view shows: as large and as long."""
    own = [subject.axis_of[face] for face in faces if face in subject.axis_of]
    return sum(
        axis.kind == "cylinder"
        and axis.sweep < FULL_SWEEP
        and abs(axis.radius - radius) < SAME
        and not any(one.end_on(axis.direction) for one in subject.projections)
        and main_axis(axis.direction) is None
        and any(axis.inner == other.inner and abs(axis.length - other.length) < SAME * 5 for other in own)
        for axis in subject.catalogue.axes
    )


def _is_ball(subject: Subject, radius: float, faces: set[tuple[int, int]]) -> bool:
    """Whether faces of a radius are parts of balls; the corners where roundings of edges meet are not."""
    if any(subject.leaves[leaf].solid.faces.kind[face] != Surface.SPHERE for leaf, face in faces):
        return False
    return not any(
        axis.kind == "cylinder" and axis.sweep < FULL_SWEEP and abs(axis.radius - radius) < SAME * 5
        for axis in subject.catalogue.axes
    )


def _alike(subject: Subject, radii: set[float]) -> dict[float, float]:
    """What each radius counts as: itself, or the mean of those that differ by no more than fits do."""
    if not any(leaf.solid.fitted for leaf in subject.leaves):
        return {radius: radius for radius in radii}
    groups: list[list[float]] = []
    for radius in sorted(radii):
        if groups and radius - groups[-1][-1] <= max(FIT, FIT_SHARE * radius):
            groups[-1].append(radius)
        else:
            groups.append([radius])
    return {radius: float(np.mean(group)) for group in groups for radius in group}


def _radius(
    subject: Subject,
    projection: Projection,
    sign: str,
    radius: float,
    found: dict[tuple[int, int], Target],
    more: int,
) -> Round:
    """A radius, with the count of its roundings and of `more` that no view shows."""
    number = subject.numbers.length(radius)
    count = len({_place(subject, face, target) for face, target in found.items()}) + more
    text = f"{count}× {sign}{number}" if count > 1 else f"{sign}{number}"
    leaf, face = next(iter(found))
    faces = subject.leaves[leaf].solid.faces
    exact = not subject.leaves[leaf].solid.fitted
    origin = subject.leaves[leaf].world @ np.append(faces.origin[face], 1.0)
    label = subject.labels.make("radius", radius, (text,), "radius", (origin[:3],), number, count, exact)
    widest = sorted(found.values(), key=lambda target: target.first - target.last)
    return Round(label, tuple(widest))


def _place(subject: Subject, face: tuple[int, int], target: Target) -> tuple[float, ...]:
    """What tells one rounding from another: a ring's place, whose outline a view shows twice, else its centre on
    paper."""
    axis = subject.axis_of.get(face)
    if axis is not None and axis.kind == "torus" and axis.sweep >= FULL_SWEEP:
        return tuple(round(float(part), 2) for part in axis.origin)
    return round(target.centre[0], 2), round(target.centre[1], 2)


def _arc(subject: Subject, projection: Projection, curve: ViewCurve, face: int) -> tuple[float, Target] | None:
    """The radius that a curve shows of a face beside it, and the arc on paper; None if it shows none."""
    if curve.kind == "arc":
        if curve.span[1] - curve.span[0] > FULL_SWEEP:
            return None
        radius = _rounding(subject, projection, curve.leaf, face, float(curve.radii[0]))
        if radius is None:
            return None
        first, last = curve.span[0] + curve.tilt, curve.span[1] + curve.tilt
        return radius, Target(projection.flat(curve.centre), radius * projection.scale, first, last)
    leaf = subject.leaves[curve.leaf]
    faces = leaf.solid.faces
    if face < 0:
        return None
    axis = leaf.world[:3, :3] @ faces.axis[face]
    origin = (leaf.world @ np.append(faces.origin[face], 1.0))[:3]
    if faces.kind[face] == Surface.TORUS and projection.in_plane(axis):
        # Seen from the side, the outline of a torus is its two minor circles.
        radius, reach = float(faces.second[face]), faces.radius[face] * np.cross(projection.view.rotation[2], axis)
        centres = [origin + reach, origin - reach]
    elif faces.kind[face] == Surface.CYLINDER and curve.kind != "line" and projection.end_on(axis):
        # An edge that the file gives as a free curve lies on the circle all the same.
        exact = _rounding(subject, projection, curve.leaf, face, float(faces.radius[face]))
        if exact is None:
            return None
        radius, centres = exact, [origin]
    else:
        return None
    for middle_point in centres:
        centre = projection.view.rotation[:2] @ middle_point
        rays = curve.points - centre
        if np.abs(np.hypot(rays[:, 0], rays[:, 1]) - radius).max() < 0.02 * radius:
            middle = np.degrees(np.arctan2(rays[:, 1].mean(), rays[:, 0].mean()))
            turns = (np.degrees(np.arctan2(rays[:, 1], rays[:, 0])) - middle + 180) % 360 - 180
            first, last = float(middle + turns.min()), float(middle + turns.max())
            return radius, Target(projection.flat(centre), radius * projection.scale, first, last)
    return None


def _rounding(subject: Subject, projection: Projection, leaf: int, face: int, radius: float) -> float | None:
    """The exact radius of a face that an arc of a view shows true; None if the face is no rounding of it."""
    if face < 0 or (leaf, face) in subject.hole_faces:
        return None
    faces = subject.leaves[leaf].solid.faces
    kind = faces.kind[face]
    axis = subject.leaves[leaf].world[:3, :3] @ faces.axis[face]
    if kind == Surface.CYLINDER:
        known = subject.axis_of.get((leaf, face))
        sweep = known.sweep if known else float(faces.sweep[face])
        exact = float(faces.radius[face])
        if sweep >= FULL_SWEEP or not projection.end_on(axis):
            return None
    elif kind == Surface.TORUS:
        exact = float(faces.second[face])
    elif kind == Surface.SPHERE:
        exact = float(faces.radius[face])
    else:
        return None
    return exact if abs(exact - radius) < SAME * 5 else None


def chamfers(subject: Subject) -> Told:
    """Cones at the ends of cylinders, as length × angle from the axis: outer ones in a view along whose plane they lie,
    those of holes where their rims are seen."""
    told: Told = defaultdict(list)
    sunk = {(hole.leaf, face) for hole in subject.catalogue.holes if hole.countersink for face in hole.faces}
    groups: dict[tuple[str, float, float, int | None], list[Axis]] = defaultdict(list)
    for axis in subject.catalogue.axes:
        if axis.kind != "cone" or axis.length > 0.6 * axis.radius:
            continue
        if axis.inner and (any((axis.leaf, face) in sunk for face in axis.faces) or not subject.at_mouth(axis)):
            continue
        turned = subject.turned_axis is not None and _on(axis, subject.turned_axis)
        if axis.sweep < (LEAST_SWEEP if axis.inner else LEAST_RIM if turned else FULL_SWEEP):
            continue
        half = float(subject.leaves[axis.leaf].solid.faces.second[axis.faces[0]])
        view = _rim_view(subject, axis) or next(
            (one for one in subject.projections if one.in_plane(axis.direction)), None
        )
        if view is not None and axis.length * view.scale >= LEAST_RADIUS:
            key = view.id, round(axis.length, 3), round(abs(half), 2), main_axis(axis.direction)
            groups[key].append(axis)
    for (view_id, length, half, _), axes in sorted(groups.items(), key=lambda pair: pair[0][:3]):
        view = next(one for one in subject.projections if one.id == view_id)
        number = subject.numbers.length(length)
        text = f"{number} × {subject.numbers.angle(half)}"
        if len(axes) > 1:
            text = f"{len(axes)}× {text}"
        points = [point for axis in axes for point in _on_cone(view, axis, half)]
        label = subject.labels.make("note", length, (text,), "chamfer", (points[0],), number, len(axes), axes[0].exact)
        told[view_id].append(Pointer(label, tuple(view.page(point) for point in points)))
    return told


def _rim_view(subject: Subject, axis: Axis) -> Projection | None:
    """The view that shows the rim of a hole's broken edge; None for outer ones."""
    if not axis.inner:
        return None
    return next(
        (one for one in subject.projections if one.end_on(axis.direction) and _seen(subject, one, [axis])), None
    )


def _on_cone(view: Projection, axis: Axis, half: float) -> list[Floats]:
    """Points of a cone that a note may point at: on its rim, or on its outline seen from the side."""
    if view.end_on(axis.direction):
        right, up = view.view.rotation[:2]
        turns = np.radians([45, 135, 225, 315])
        return [axis.origin + axis.radius * (np.cos(turn) * right + np.sin(turn) * up) for turn in turns]
    normal = np.cross(view.view.rotation[2], axis.direction)
    middle = axis.radius - axis.length * np.tan(np.radians(half)) / 2
    return [np.asarray(axis.origin + sign * middle * normal) for sign in (1, -1)]


def _on(axis: Axis, line: tuple[Floats, Floats]) -> bool:
    """Whether an axis lies on a line."""
    origin, direction = line
    gap = axis.origin - origin
    off = np.linalg.norm(gap - (gap @ direction) * direction)
    return abs(float(axis.direction @ direction)) > 1 - 1e-6 and bool(off < SAME * 2)
