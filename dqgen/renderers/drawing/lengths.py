"""Lengths that place things: overall sizes, steps between faces, positions of holes."""

from collections import defaultdict

import numpy as np

from dqgen.renderers.drawing.dimension import Foot, Label, Ordinates, Request, Span, Stop
from dqgen.renderers.drawing.marks import MANY, Mark, Marks
from dqgen.renderers.drawing.projection import Projection, model_point
from dqgen.renderers.drawing.subject import AXIS_NAMES, FULL_SWEEP, SAME, Subject, main_axis, screen_axes

LEAST_STEP = 0.15
"""mm on paper below which a step is not dimensioned."""


def overall(subject: Subject) -> dict[tuple[str, int], Span]:
    """The design's extents, each in the first view that shows it, by view and axis; none that a diameter tells."""
    low, high = subject.catalogue.bounds
    spans: dict[tuple[str, int], Span] = {}
    for axis in range(3):
        if _told_by_diameter(subject, axis):
            continue
        for projection in subject.projections:
            angle = dict(screen_axes(projection)).get(axis)
            if angle is None:
                continue
            value = float(high[axis] - low[axis])
            number = subject.numbers.length(value)
            name = AXIS_NAMES[axis]
            label = subject.labels.make("linear", value, (number,), f"extent along {name}", exact=not _fitted(subject))
            a = _extreme_feet(subject, projection, axis, float(low[axis]))
            b = _extreme_feet(subject, projection, axis, float(high[axis]))
            spans[projection.id, axis] = Span(label, a, b, angle)
            break
    return spans


def positions(subject: Subject, marks: Marks) -> dict[str, list[Request]]:
    """Where marks lie: between a pair that is symmetric about the middle, else from the low end."""
    told: dict[str, list[Request]] = defaultdict(list)
    for projection in subject.projections:
        for axis, angle in screen_axes(projection):
            own = sorted(marks.get((projection.id, axis), []), key=lambda mark: mark.value)
            if own:
                told[projection.id] += _lengths(subject, projection, axis, angle, own)
    return told


def _lengths(subject: Subject, projection: Projection, axis: int, angle: float, marks: list[Mark]) -> list[Request]:
    low, high = (float(value) for value in subject.catalogue.bounds[:, axis])
    middle = _middle(subject, axis, low, high)
    datum = Mark(axis, low, False, _extreme_feet(subject, projection, axis, low))
    from_axis = subject.turned_axis is not None and main_axis(subject.turned_axis[1]) != axis
    if from_axis:
        assert subject.turned_axis is not None
        origin, direction = subject.turned_axis
        beside = [origin + ((np.array(foot.model) - origin) @ direction) * direction for m in marks for foot in m.feet]
        datum = Mark(axis, middle, True, tuple(dict.fromkeys(projection.foot(point) for point in beside)))
    pairs: list[tuple[Mark, Mark]] = []
    used: set[int] = set()
    mirrored: set[int] = set()
    for row, mark in enumerate(marks):
        if row in used:
            continue
        twin = next(
            (
                other
                for other in range(row + 1, len(marks))
                if other not in used
                and marks[other].centre == mark.centre
                and abs(marks[other].value + mark.value - 2 * middle) < SAME
                and abs(marks[other].size - mark.size) <= 0.01 * mark.size
            ),
            None,
        )
        if twin is not None:
            used |= {row, twin}
            pairs.append((mark, marks[twin]))
            mirrored.add(len(pairs) - 1)
        elif abs(mark.value - datum.value) > SAME:
            used.add(row)
            pairs.append((datum, mark) if mark.value > datum.value else (mark, datum))
    spans = [
        (a, b, row in mirrored)
        for row, (a, b) in enumerate(pairs)
        if (b.value - a.value) * projection.scale >= LEAST_STEP and not _is_overall(a, b, low, high)
    ]
    if len(spans) > MANY:
        return [_ordinates(subject, projection, axis, angle, datum, marks)]
    return [_span(subject, a, b, axis, angle, twins) for a, b, twins in spans]


def _span(subject: Subject, a: Mark, b: Mark, axis: int, angle: float, mirrored: bool) -> Span:
    value = b.value - a.value
    label = _label(subject, value, axis)
    return Span(label, a.feet, b.feet, angle, mirrored=mirrored)


def _label(subject: Subject, value: float, axis: int) -> Label:
    return subject.labels.make(
        "linear",
        value,
        (subject.numbers.length(value),),
        f"distance along {AXIS_NAMES[axis]}",
        exact=not _fitted(subject),
    )


def _ordinates(
    subject: Subject, projection: Projection, axis: int, angle: float, datum: Mark, marks: list[Mark]
) -> Ordinates:
    """Coordinates from the datum, which is told as 0."""
    stops = []
    seen: set[float] = set()
    for mark in (datum, *marks):
        if round(mark.value, 3) in seen:
            continue
        seen.add(round(mark.value, 3))
        value = mark.value - datum.value
        foot = min(mark.feet, key=lambda foot: foot.at[1] if angle == 0 else foot.at[0])
        label = subject.labels.make(
            "ordinate",
            value,
            (subject.numbers.length(value),),
            f"coordinate along {AXIS_NAMES[axis]} from {AXIS_NAMES[axis]} = {datum.value:.6g}",
            (np.array(foot.model),),
            exact=not _fitted(subject),
        )
        stops.append(Stop(label, foot.at, foot.rounded))
    return Ordinates(tuple(stops), angle, datum.feet[0].at, -1)


def _middle(subject: Subject, axis: int, low: float, high: float) -> float:
    if subject.turned_axis is not None and main_axis(subject.turned_axis[1]) != axis:
        return float(subject.turned_axis[0][axis])
    return (low + high) / 2


def _is_overall(a: Mark, b: Mark, low: float, high: float) -> bool:
    return abs(a.value - low) < SAME and abs(b.value - high) < SAME


def _told_by_diameter(subject: Subject, axis: int) -> bool:
    """Whether an extent is the diameter of the largest cylinder or ball of a turned part."""
    if subject.turned_axis is None or main_axis(subject.turned_axis[1]) in (axis, None):
        return False
    extent = float(subject.catalogue.bounds[1, axis] - subject.catalogue.bounds[0, axis])
    origin, direction = subject.turned_axis
    sizes = [
        2 * one.radius
        for one in subject.catalogue.axes
        if one.kind == "cylinder" and not one.inner and one.sweep >= FULL_SWEEP
    ]
    sizes += [
        2 * radius for _, centre, radius in subject.balls if np.linalg.norm(np.cross(centre - origin, direction)) < SAME
    ]
    return any(abs(size - extent) < SAME for size in sizes)


def _extreme_feet(subject: Subject, projection: Projection, axis: int, value: float) -> tuple[Foot, ...]:
    """Where the outline of a view reaches a coordinate; the middle of the other axis if only a curve touches it."""
    row = 0 if abs(projection.view.rotation[0][axis]) > 0.5 else 1
    place = float(projection.view.rotation[row][axis]) * value
    feet = []
    nearest: tuple[float, Foot] | None = None
    for curve in projection.curves:
        if not curve.visible:
            continue
        points = curve.points
        if curve.kind == "arc":
            quarters = np.arange(np.ceil(curve.span[0] / 90), np.floor(curve.span[1] / 90) + 1) * 90
            points = np.concatenate([points, curve.at(quarters - curve.tilt)]) if len(quarters) else points
        off = np.abs(points[:, row] - place)
        at = int(off.argmin())
        if off[at] < SAME * 5:
            feet += [subject.edge_foot(projection, curve, point) for point in points[off < SAME * 5]]
        elif nearest is None or off[at] < nearest[0]:
            nearest = float(off[at]), subject.edge_foot(projection, curve, points[at])
    if feet:
        return tuple(_snapped(projection, foot, row, place) for foot in dict.fromkeys(feet))
    flat = projection.view.rotation[:2] @ subject.catalogue.bounds.mean(axis=0)
    if nearest is not None:
        flat = projection.view.rotation[:2] @ np.array(nearest[1].model)
    flat[row] = place
    depth = float(projection.view.rotation[2] @ subject.catalogue.bounds.mean(axis=0))
    return (projection.foot(model_point(projection, flat, depth)),)


def _snapped(projection: Projection, foot: Foot, row: int, place: float) -> Foot:
    """The foot, its coordinate exact."""
    flat = projection.view.rotation @ np.array(foot.model)
    flat[row] = place
    return projection.foot(projection.view.rotation.T @ flat)


def _fitted(subject: Subject) -> bool:
    return any(leaf.solid.fitted for leaf in subject.leaves)
