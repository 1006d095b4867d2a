"""Flat faces that stand askew: bevels by a note, slopes at a round angle by that, others by both their ends."""

from collections import defaultdict
from dataclasses import dataclass, replace

import numpy as np

from dqgen.geometry.features import Plane
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing.dimension import Corner, Foot, Pointer, Request
from dqgen.renderers.drawing.marks import MANY, Mark, Marks
from dqgen.renderers.drawing.projection import Projection, model_point
from dqgen.renderers.drawing.subject import AXIS_NAMES, SAME, Subject, main_axis, screen_axes
from dqgen.schemas.design import Floats

ROUND_ANGLE = 2e-4
"""Degrees within which an angle is a multiple of half a degree."""
ALIKE = 1e-3
"""Part of an area by which like faces may differ."""
BEVEL = 0.15
"""Bevels longer than this part of the design's longest edge are dimensioned as slopes."""


@dataclass(frozen=True)
class _End:
    """An end of a slope in its view, in view mm.

    Attributes:
        at: where it is; where a rounding follows, the corner that was rounded.
        sharp: it is an end of the line itself.
        free: it has to be told; not where a rounding ties it to another curve.
        along: the directions of the lines straight across or up that go on from there.
        rounded: of a rounded corner, where the rounding begins and ends.
    """

    at: Floats
    sharp: bool
    free: bool
    along: tuple[Floats, ...]
    rounded: tuple[Floats, ...] = ()


@dataclass(frozen=True)
class _Slope:
    """A face askew, seen edge-on in a view as a line."""

    plane: Plane
    curve: ViewCurve
    ends: tuple[_End, _End]


def slopes(subject: Subject, known: Marks) -> tuple[Marks, dict[str, list[Request]]]:
    """Marks of slopes that are told by their ends, and notes and angles of the others, by view.

    Args:
        subject: what is dimensioned.
        known: coordinates that are told already.
    """
    told = {row: {round(float(end), 2) for end in subject.catalogue.bounds[:, row]} for row in range(3)}
    for (_, axis), marks in known.items():
        told[axis] |= {round(mark.value, 2) for mark in marks}
    waiting = {
        (plane.leaf, plane.face): plane
        for plane in subject.catalogue.planes
        if main_axis(plane.normal) is None and not subject.too_small(plane)
    }
    found: Marks = {}
    requests: dict[str, list[Request]] = defaultdict(list)
    for projection in subject.projections:
        bevels: dict[str, list[tuple[float, _Slope]]] = defaultdict(list)
        crowded = any(len(known.get((projection.id, axis), ())) > MANY for axis, _ in screen_axes(projection))
        angles: dict[str, list[tuple[_Corner, _Slope]]] = defaultdict(list)
        for slope in _seen(projection, waiting):
            bevel = _bevel(subject, projection, slope)
            if bevel is not None:
                bevels[subject.numbers.length(bevel)].append((bevel, slope))
                continue
            marks = _marks(subject, projection, slope, told)
            corner = None if crowded else _corner(slope)
            if len(marks) > 1 and corner is not None:
                angles[f"{corner.degrees:.3f} {_axis_along(projection, corner.level)}"].append((corner, slope))
                marks = marks[:1]
            for mark in marks:
                told[mark.axis].add(round(mark.value, 2))
                found.setdefault((projection.id, mark.axis), []).append(mark)
        requests[projection.id] += [_note(subject, projection, group, waiting) for group in bevels.values()]
        requests[projection.id] += [_angle(subject, projection, group) for group in angles.values()]
    return found, requests


def _seen(projection: Projection, waiting: dict[tuple[int, int], Plane]) -> list[_Slope]:
    """The slopes that a view sees edge-on; they are taken from those that wait."""
    lines = [curve for curve in projection.curves if curve.visible and curve.kind == "line"]
    bends = [curve for curve in projection.curves if curve.visible and curve.kind != "line"]
    slopes, done = [], set()
    for curve in lines:
        for key in ((curve.leaf, face) for face in curve.faces):
            if key in waiting and key not in done and projection.in_plane(waiting[key].normal):
                done.add(key)
                ends = _end(curve, 0, lines, bends), _end(curve, 1, lines, bends)
                slopes.append(_Slope(waiting[key], curve, ends))
                break
    for key, plane in waiting.items():  # faces whose edges run smoothly on into a bend, which owns the outline
        if key not in done and projection.in_plane(plane.normal):
            outline = next((curve for curve in lines if _outlines(projection, plane, curve)), None)
            if outline is not None:
                done.add(key)
                slopes.append(_Slope(plane, outline, (_end(outline, 0, lines, bends), _end(outline, 1, lines, bends))))
    for key in done:
        del waiting[key]
    return slopes


def _outlines(projection: Projection, plane: Plane, line: ViewCurve) -> bool:
    """Whether a line lies where a face is seen edge-on, and is as long as it."""
    flat = projection.view.rotation[:2]
    off = (line.points - flat @ plane.origin) @ (flat @ plane.normal)
    if line.leaf != plane.leaf or np.abs(off).max() > SAME * 10:
        return False
    box = np.sort(plane.bounds @ flat.T, axis=0)
    ends = np.sort(line.points[[0, -1]], axis=0)
    return bool(np.abs(ends - box).max() < SAME * 10)


def _end(curve: ViewCurve, row: int, lines: list[ViewCurve], bends: list[ViewCurve]) -> _End:
    end, start = curve.points[[0, -1]][row], curve.points[[-1, 0]][row]
    out = (end - start) / np.linalg.norm(end - start)
    others = [one for one in lines if one is not curve]
    bend = next((one for one in bends if _meets(one, end)), None)
    if bend is None:
        going_on = tuple(_from(one, end) for one in others if _meets(one, end) and _level(one))
        return _End(end, True, True, going_on)
    far = _other_end(bend, end)
    going = next((one for one in others if _meets(one, far)), None)
    corner = None if going is None else _crossing(end, out, far, _from(going, far))
    if going is None or corner is None or np.linalg.norm(corner - end) > np.linalg.norm(far - end):
        if any(_meets(one, end) for one in others):  # the bend lies behind a corner
            return _End(end, True, True, ())
        return _End(end, False, False, ())  # no line follows, or it turns so far that no one looks for the corner
    return _End(corner, False, True, (_from(going, far),) if _level(going) else (), (end, far))


def _meets(curve: ViewCurve, point: Floats) -> bool:
    return bool(np.abs(curve.points[[0, -1]] - point).max(axis=1).min() < SAME * 10)


def _other_end(curve: ViewCurve, point: Floats) -> Floats:
    ends = curve.points[[0, -1]]
    far: Floats = ends[int(np.abs(ends - point).max(axis=1).argmax())]
    return far


def _from(line: ViewCurve, point: Floats) -> Floats:
    """The direction of a line, away from the end that lies at a point."""
    reach = _other_end(line, point) - point
    unit: Floats = reach / np.linalg.norm(reach)
    return unit


def _level(line: ViewCurve) -> bool:
    """Whether a line runs straight across or up."""
    return bool(np.abs(line.points[-1] - line.points[0]).min() < SAME * 2)


def _crossing(a: Floats, u: Floats, b: Floats, v: Floats) -> Floats | None:
    """Where the line from `a` along `u` meets that from `b` against `v`, beyond both; None if it does not."""
    system = np.column_stack([u, v])
    if abs(np.linalg.det(system)) < 1e-3:
        return None
    along, back = np.linalg.solve(system, b - a)
    return a + along * u if along > 0 and back > 0 else None


def _bevel(subject: Subject, projection: Projection, slope: _Slope) -> float | None:
    """The length of a bevel at 45° that cuts an outer corner; None if the slope is none."""
    a, b = (end.at for end in slope.ends)
    size = float(np.abs(b - a).max())
    if not all(end.sharp for end in slope.ends) or abs(size - float(np.abs(b - a).min())) > SAME:
        return None
    if size > BEVEL * float((subject.catalogue.bounds[1] - subject.catalogue.bounds[0]).max()):
        return None
    outward = projection.view.rotation[:2] @ slope.plane.normal
    for corner in (np.array([a[0], b[1]]), np.array([b[0], a[1]])):
        if (corner - (a + b) / 2) @ outward <= 0:
            continue
        if all(any(float(way @ (corner - end.at)) < -0.99 * size for way in end.along) for end in slope.ends):
            return size
    return None


def _marks(subject: Subject, projection: Projection, slope: _Slope, told: dict[int, set[float]]) -> list[Mark]:
    """The coordinates of a slope's ends that are not told yet."""
    marks: list[Mark] = []
    for row in (0, 1):
        if not slope.ends[row].free:
            continue
        foot = _foot(subject, projection, slope, row)
        for axis, _ in screen_axes(projection):
            value = round(foot.model[axis], 4)
            if round(value, 2) not in told[axis] and all(
                mark.axis != axis or abs(mark.value - value) > 0.01 for mark in marks
            ):
                marks.append(Mark(axis, value, False, (foot,)))
    return marks


def _foot(subject: Subject, projection: Projection, slope: _Slope, row: int) -> Foot:
    end = slope.ends[row]
    if end.sharp:
        return subject.edge_foot(projection, slope.curve, end.at)
    depth = float(projection.view.rotation[2] @ slope.plane.origin)
    foot = projection.foot(model_point(projection, end.at, depth))
    return replace(foot, rounded=tuple(projection.flat(point) for point in end.rounded))


@dataclass(frozen=True)
class _Corner:
    """Where the angle of a slope may be told: at one of its ends, to the line across or up that goes on there."""

    row: int
    level: Floats
    degrees: float


def _corner(slope: _Slope) -> _Corner | None:
    """The corner of a slope, with the smaller of its angle and the one to the line's extension; None if the angle is
    not a round one."""
    for row in (0, 1):
        way = next(iter(slope.ends[row].along), None)
        if way is None:
            continue
        reach = slope.ends[1 - row].at - slope.ends[row].at
        level = way if way @ reach > 0 else -way
        degrees = float(np.degrees(np.arctan2(abs(reach[0] * level[1] - reach[1] * level[0]), reach @ level)))
        if abs(2 * degrees - round(2 * degrees)) < 2 * ROUND_ANGLE:
            return _Corner(row, level, degrees)
    return None


def _note(
    subject: Subject,
    projection: Projection,
    group: list[tuple[float, _Slope]],
    waiting: dict[tuple[int, int], Plane],
) -> Request:
    """Bevels of one length, with those among the faces that still wait that lie askew to all views and are like them:
    as large, and as steep to a main direction."""
    length, first = group[0]
    like = [key for key, plane in waiting.items() if any(_like(plane, slope.plane) for _, slope in group)]
    like = [key for key in like if not any(one.in_plane(waiting[key].normal) for one in subject.projections)]
    for key in like:
        del waiting[key]
    number, count = subject.numbers.length(length), len(group) + len(like)
    text = f"{count}× {number} × 45°" if count > 1 else f"{number} × 45°"
    points = [(slope.ends[0].at + slope.ends[1].at) / 2 for _, slope in group]
    label = subject.labels.make(
        "note", length, (text,), "chamfer", (first.plane.origin,), number, count, first.plane.exact
    )
    return Pointer(label, tuple(projection.flat(point) for point in points))


def _like(one: Plane, other: Plane) -> bool:
    steep = np.abs(one.normal) - np.abs(other.normal)
    return abs(one.area - other.area) < ALIKE * other.area and bool(np.abs(steep).min() < SAME)


def _angle(subject: Subject, projection: Projection, group: list[tuple[_Corner, _Slope]]) -> Request:
    """Slopes at one angle to an axis, shown at the longest of them."""
    corner, slope = max(group, key=lambda pair: (round(pair[1].curve.length, 3), pair[1].plane.face))
    text, count = subject.numbers.angle(corner.degrees), len(group)
    apex = _foot(subject, projection, slope, corner.row)
    far = _foot(subject, projection, slope, 1 - corner.row)
    depth = float(projection.view.rotation[2] @ np.array(apex.model))
    beside = slope.ends[corner.row].at + corner.level * 0.5 / projection.scale
    other = projection.foot(model_point(projection, beside, depth))
    label = subject.labels.make(
        "angular",
        corner.degrees,
        (f"{count}× {text}" if count > 1 else text,),
        f"angle of a slope to {AXIS_NAMES[_axis_along(projection, corner.level)]}",
        printed=text,
        count=count,
        exact=slope.plane.exact,
    )
    reach = slope.ends[1 - corner.row].at - slope.ends[corner.row].at
    turn = reach[0] * corner.level[1] - reach[1] * corner.level[0]
    a, b = (far, other) if turn > 0 else (other, far)
    return Corner(label, apex, a, b)


def _axis_along(projection: Projection, level: Floats) -> int:
    row = int(np.abs(level).argmax())
    return int(np.abs(projection.view.rotation[row]).argmax())
