"""The kinds of measure: each takes handles (see `handles`) and returns a `Measurement`."""

import dataclasses
import itertools
import math

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.extremes import distance_to_triangles, nearest_on_triangles
from dqgen.geometry.handles import (
    Candidate,
    Direction,
    Flat,
    Handle,
    Line,
    Occurrences,
    Point,
    Round,
    Shape,
    choose,
    flat_faces,
    place_text,
)
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.proximity import Nearest, nearest
from dqgen.geometry.surfaces import onto_surface
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Surface

ALIGNED = 1e-6
"""Sine of the angle within which exact directions are parallel or at right angles; fitted ones within `FITTED`."""
FITTED = 0.01
REFINEMENTS = 30
CHORD = 0.006
"""Of its radius, by which the triangles of a round face lie inside it at most."""


def length(
    kind: str,
    text: str,
    first: Floats,
    second: Floats,
    leaves: tuple[int, ...],
    exact: bool,
    direction: Floats | None = None,
    signed: bool = False,
) -> Measurement:
    """A length between two points, along a direction or straight; positive unless `signed`."""
    offset = second - first
    if direction is None:
        size = float(np.linalg.norm(offset))
        direction = offset / size if size > 0 else np.array([1.0, 0.0, 0.0])
    value = float(offset @ direction)
    if value < 0 and not signed:
        value, direction = -value, -direction
    return Measurement(
        expression=text,
        kind=kind,
        value=value + 0.0,
        unit="mm",
        witnesses=np.stack([first, second]),
        direction=direction + 0.0,
        centre=None,
        axis=None,
        arms=None,
        leaves=leaves,
        exact=exact,
        parts=(),
    )


def distance(scene: Occurrences, text: str, a: Handle, b: Handle, along: Floats | None) -> Measurement:
    """Between two features, along a direction or the shortest."""
    if along is not None:
        first, second = _position(a, along, text), _position(b, along, text)
        return length("distance", text, first, second, _leaves(a, b), _exact(a, b), along)
    if isinstance(a, Shape) or isinstance(b, Shape):
        measured = clearance(scene, text, a, b, None)
        if measured.value < 0:
            assert measured.witnesses is not None
            middle = measured.witnesses[1]
            return length("distance", text, middle, middle, measured.leaves, measured.exact)
        return _renamed(measured, "distance")
    first, second = _shortest(a, b, text)
    return length("distance", text, first, second, _leaves(a, b), _exact(a, b))


def clearance(scene: Occurrences, text: str, a: Handle, b: Handle, along: Floats | None) -> Measurement:
    """The gap between two things. To a plane it counts on the side that the plane faces, and is negative beyond it."""
    if along is not None:
        if not isinstance(a, Shape) or not isinstance(b, Shape):
            raise UsageError(f"{text}: along= needs two occurrences", mend="use distance for features")
        gaps = []
        for p, q in ((a, b), (b, a)):
            high, low = scene.extreme(p, along, text), scene.extreme(q, -along, text)
            leaves, exact = high.leaves + low.leaves, high.exact and low.exact
            gaps.append(length("clearance", text, high.at, low.at, leaves, exact, along, signed=True))
        return max(gaps, key=lambda gap: gap.value)
    if isinstance(a, Flat) and isinstance(b, Shape):
        a, b = b, a
    if isinstance(a, Shape) and isinstance(b, Flat):
        low = scene.extreme(a, -b.normal, text)
        foot = low.at - float((low.at - b.at) @ b.normal) * b.normal
        exact = low.exact and b.exact
        return length("clearance", text, foot, low.at, low.leaves + b.leaves, exact, b.normal, signed=True)
    if isinstance(a, Shape) and isinstance(b, Shape):
        return _gap(scene, text, a, b)
    if isinstance(a, Shape) and isinstance(b, Point):
        return _renamed(_to_point(scene, text, a, b), "clearance")
    if isinstance(a, Point) and isinstance(b, Shape):
        return _renamed(_to_point(scene, text, b, a), "clearance")
    raise UsageError(f"{text}: a clearance is between occurrences, or between one and a plane or point")


def extent(scene: Occurrences, text: str, shape: Shape, direction: Floats) -> Measurement:
    """From one end of a shape to the other along a direction."""
    low, high = scene.extreme(shape, -direction, text), scene.extreme(shape, direction, text)
    leaves = tuple(dict.fromkeys(low.leaves + high.leaves))
    return length("extent", text, low.at, high.at, leaves, low.exact and high.exact, direction)


def diameter(text: str, found: list[Round], at: Floats | None, number: int | None, half: bool) -> Measurement:
    """The diameter, or half of it, that most of the round faces have."""
    groups: list[list[Round]] = []
    for band in sorted(found, key=_size):
        close = 1e-6 if band.exact else 0.01
        if groups and _size(band) - _size(groups[-1][0]) <= close * _size(band):
            groups[-1].append(band)
        else:
            groups.append([band])
    candidates = []
    for group in groups:
        lead = max(group, key=lambda band: band.area)
        named = f"⌀{2 * _size(lead):.6g} around {place_text(lead.middle)}"
        candidates.append((Candidate(sum(band.area for band in group), lead.middle, named), lead))
    lead = choose(candidates, text, "round face", at, number, "inner=, along=, at=, diameter= or n=")
    across = np.linalg.svd(lead.axis[None])[2][1]
    radius = _size(lead)
    first = lead.middle if half else lead.middle - radius * across
    measured = length(
        "radius" if half else "diameter", text, first, lead.middle + radius * across, (lead.leaf,), lead.exact
    )
    return dataclasses.replace(measured, centre=lead.middle, axis=lead.axis)


def _size(band: Round) -> float:
    """The radius that a band is called by: of a torus, that of its tube."""
    return band.tube if band.kind == Surface.TORUS else band.radius


def thickness(scene: Occurrences, text: str, shape: Shape, along: Floats | None, number: int | None) -> Measurement:
    """Of a plate, between its two largest opposite faces; of a tube, its wall."""
    candidates: list[tuple[Candidate, Measurement]] = []
    for row in shape.rows:
        leaf = scene.leaves[row]
        exact = not leaf.solid.fitted
        faces = flat_faces(leaf)
        for normal, place, area in faces:
            if along is not None and abs(normal @ along) < 1 - 1e-6:
                continue
            for other, beyond, second in faces:
                depth = float((place - beyond) @ normal)
                if normal @ other < -1 + (1e-9 if exact else 1e-4) and depth > 1e-9 and tuple(normal) > tuple(other):
                    foot = place - depth * normal
                    measured = length("thickness", text, foot, place, (row,), exact, normal)
                    named = f"{depth:.6g} at {place_text(place)}"
                    candidates.append((Candidate(min(area, second), (foot + place) / 2, named), measured))
    if along is None:
        rounds = scene.rounds(shape)
        for outer in rounds:
            for inner in rounds:
                wall = outer.radius - inner.radius
                if outer.leaf != inner.leaf or outer.inner or not inner.inner or wall <= 0:
                    continue
                if outer.kind != Surface.CYLINDER or inner.kind != Surface.CYLINDER:
                    continue
                offset = inner.middle - outer.middle
                across = offset - (offset @ outer.axis) * outer.axis
                if abs(outer.axis @ inner.axis) < 1 - 1e-6 or np.linalg.norm(across) > 1e-3 * outer.radius:
                    continue
                if abs(offset @ outer.axis) > outer.half + inner.half:
                    continue
                side = np.linalg.svd(outer.axis[None])[2][1]
                start = outer.middle + inner.radius * side
                measured = length(
                    "thickness", text, start, outer.middle + outer.radius * side, (outer.leaf,), outer.exact
                )
                named = f"{wall:.6g}, the wall around {place_text(outer.middle)}"
                candidates.append((Candidate(inner.area, outer.middle, named), measured))
    # Several pairs of faces may be the same distance apart: that is one thickness.
    merged: dict[float, tuple[Candidate, Measurement]] = {}
    for candidate, measured in candidates:
        key = round(measured.value, 4)
        if key in merged:
            candidate = Candidate(candidate.weight + merged[key][0].weight, merged[key][0].place, merged[key][0].text)
            measured = merged[key][1]
        merged[key] = candidate, measured
    return choose(list(merged.values()), text, "pair of opposite flat faces or tube wall", None, number, "along= or n=")


def angle(text: str, a: Handle, b: Handle, seen: Floats | None) -> Measurement:
    """Between lines, planes and directions, 0 to 90°; `seen` along a direction, as in a view."""
    first, second = _slant(a, seen, text), _slant(b, seen, text)
    cosine = abs(float(first @ second))
    value = math.degrees(math.atan2(float(np.linalg.norm(np.cross(first, second))), cosine))
    flats = sum(isinstance(side, Flat) for side in (a, b))
    if seen is None and flats == 1:
        value = 90.0 - value
    if first @ second < 0:
        second = -second
    normal = np.cross(first, second)
    size = float(np.linalg.norm(normal))
    places = [side.at for side in (a, b) if not isinstance(side, Shape | Direction)]
    witnesses = np.stack([places[0], places[-1]]) if places else None
    centre = places[0] if places else np.zeros(3)
    if isinstance(a, Line) and isinstance(b, Line) and size > 1e-9:
        centre = _meet_seen(a, b, seen) if seen is not None else _near_lines(a, b)[0]
    return Measurement(
        expression=text,
        kind="angle",
        value=value + 0.0,
        unit="deg",
        witnesses=witnesses,
        direction=None,
        centre=centre,
        axis=normal / size if size > 1e-9 else np.linalg.svd(first[None])[2][1],
        arms=np.stack([first, second]),
        leaves=_leaves(a, b),
        exact=_exact(a, b),
        parts=(),
    )


def meet(text: str, a: Handle, b: Handle) -> Point:
    """The point of the first line that is nearest to the second line, or on a plane."""
    if isinstance(a, Line) and isinstance(b, Flat):
        lean = float(a.direction @ b.normal)
        if abs(lean) < _slack(a, b):
            raise UsageError(f"{text}: the axis is parallel to the plane")
        return Point(a.at + float((b.at - a.at) @ b.normal) / lean * a.direction, _leaves(a, b), _exact(a, b), text)
    if isinstance(a, Line) and isinstance(b, Line):
        if np.linalg.norm(np.cross(a.direction, b.direction)) < _slack(a, b):
            raise UsageError(f"{text}: the axes are parallel")
        return Point(_near_lines(a, b)[0], _leaves(a, b), _exact(a, b), text)
    raise UsageError(f"{text}: needs an axis, and an axis or a plane")


def _position(side: Handle, along: Floats, text: str) -> Floats:
    if isinstance(side, Point):
        return side.at
    if isinstance(side, Line):
        if abs(side.direction @ along) > _slack(side, side):
            raise UsageError(
                f"{text}: {side.text} is not at right angles to that direction",
                mend="take a point of it: end(…), meet(…)",
            )
        return side.at
    if isinstance(side, Flat):
        if np.linalg.norm(np.cross(side.normal, along)) > _slack(side, side):
            raise UsageError(f"{text}: {side.text} does not face that direction")
        return side.at
    raise UsageError(
        f"{text}: along= needs features", mend="say which point of it: centre(…), extreme(…); or use clearance(…)"
    )


def _shortest(a: Handle, b: Handle, text: str) -> tuple[Floats, Floats]:
    if isinstance(a, Direction) or isinstance(b, Direction):
        raise UsageError(f"{text}: a direction has no place", mend="give two features")
    if isinstance(b, Point) and not isinstance(a, Point):
        second, first = _shortest(b, a, text)
        return first, second
    if isinstance(a, Point):
        if isinstance(b, Line):
            return a.at, b.at + float((a.at - b.at) @ b.direction) * b.direction
        if isinstance(b, Flat):
            return a.at, a.at - float((a.at - b.at) @ b.normal) * b.normal
        assert isinstance(b, Point)
        return a.at, b.at
    if isinstance(a, Line) and isinstance(b, Line):
        return _near_lines(a, b)
    if isinstance(a, Flat) and isinstance(b, Line):
        second, first = _shortest(b, a, text)
        return first, second
    assert isinstance(b, Flat)
    if isinstance(a, Line):
        tilt = abs(float(a.direction @ b.normal))
    else:
        assert isinstance(a, Flat)
        tilt = float(np.linalg.norm(np.cross(a.normal, b.normal)))
    if tilt > _slack(a, b):
        raise UsageError(f"{text}: the two are not parallel", mend="measure along= a direction")
    assert isinstance(a, Line | Flat)
    return a.at, a.at - float((a.at - b.at) @ b.normal) * b.normal


def _near_lines(a: Line, b: Line) -> tuple[Floats, Floats]:
    """Where two lines come nearest; of parallel ones, at the first one's middle."""
    offset = b.at - a.at
    lean = float(a.direction @ b.direction)
    square = 1 - lean**2
    if square < _slack(a, b) ** 2:
        return a.at, b.at - float(offset @ b.direction) * b.direction
    t = float(offset @ a.direction - lean * (offset @ b.direction)) / square
    s = float(lean * (offset @ a.direction) - offset @ b.direction) / square
    return a.at + t * a.direction, b.at + s * b.direction


def _meet_seen(a: Line, b: Line, seen: Floats) -> Floats:
    """The point of the first line that covers the second when looked at along a direction."""
    across = np.cross(b.direction, seen)
    lean = float(a.direction @ across)
    return a.at if abs(lean) < 1e-12 else a.at + float((b.at - a.at) @ across) / lean * a.direction


def _slant(side: Handle, seen: Floats | None, text: str) -> Floats:
    """The direction of a line or of a plane's normal; looked at along `seen`, of the line that either shows as."""
    if isinstance(side, Direction):
        vector = side.vector
    elif isinstance(side, Line):
        vector = side.direction
    elif isinstance(side, Flat):
        vector = side.normal if seen is None else np.cross(side.normal, seen)
    else:
        raise UsageError(f"{text}: an angle is between axes, planes and directions")
    if seen is not None:
        vector = vector - float(vector @ seen) * seen
    size = float(np.linalg.norm(vector))
    if size < 1e-9:
        raise UsageError(f"{text}: {side.text} shows as a point in that direction")
    result: Floats = vector / size
    return result


def _gap(scene: Occurrences, text: str, a: Shape, b: Shape) -> Measurement:
    rows = sorted(set(a.rows) & set(b.rows))
    if rows:
        raise UsageError(f"{text}: {scene.leaves[rows[0]].path} is on both sides")
    corners, owners = zip(*(_triangles(scene, side) for side in (a, b)), strict=True)
    found = nearest(*corners)
    ends = [owners[k][found.triangles[k]] for k in (0, 1)]
    reach = max(float(np.ptp(corners[k][found.triangles[k]], axis=0).max()) for k in (0, 1))
    points, exact = _refined(scene, found, [int(row) for row, _ in ends], reach)
    leaves = (int(ends[0][0]), int(ends[1][0]))
    return length("clearance", text, points[0], points[1], leaves, exact)


def _triangles(scene: Occurrences, shape: Shape) -> tuple[Floats, Floats]:
    """Triangles (n, 3, 3) of a shape in the design's frame, and the leaf and face (n, 2) of each."""
    corners, owners = [], []
    for row in shape.rows:
        solid = scene.leaves[row].solid
        corners.append(apply(scene.leaves[row].world, solid.vertices)[solid.triangles])
        owners.append(np.stack([np.full(len(solid.triangles), row), solid.triangle_face], axis=1))
    return np.concatenate(corners), np.concatenate(owners)


def _refined(scene: Occurrences, found: Nearest, rows: list[int], reach: float) -> tuple[tuple[Floats, Floats], bool]:
    """The nearest points moved onto exact surfaces, and whether they are exact.

    Each pair of faces that meet at the points found is tried: one point is projected onto the other's surface in turn.
    Where that settles nearby it is the true place; where it runs off, the nearest points lie on an edge.
    """
    if any(scene.leaves[row].solid.fitted for row in rows) or found.distance == 0:
        return found.points, found.distance == 0 and not any(scene.leaves[row].solid.fitted for row in rows)
    faces = [_faces_at(scene, row, point) for row, point in zip(rows, found.points, strict=True)]
    kinds = [scene.leaves[row].solid.faces.kind[face] for row, side in zip(rows, faces, strict=True) for face in side]
    if all(kind == Surface.PLANE for kind in kinds):  # their edges are straight: the triangles are exact
        return found.points, True
    best: tuple[Floats, Floats] | None = None
    least = 0.02 * reach
    for pair in itertools.product(*faces):
        points = list(found.points)
        for _ in range(REFINEMENTS):
            for k in (0, 1):
                moved = onto_surface(scene.leaves[rows[k]], pair[k], points[1 - k])
                points[k] = points[k] if moved is None else moved
        drift = max(float(np.linalg.norm(points[k] - found.points[k])) for k in (0, 1))
        change = abs(float(np.linalg.norm(points[1] - points[0])) - found.distance)
        formless = any(
            scene.leaves[row].solid.faces.kind[face] == Surface.OTHER for row, face in zip(rows, pair, strict=True)
        )
        ends = all(_on_face(scene.leaves[rows[k]], pair[k], points[k]) for k in (0, 1))
        if drift < reach and change < least and not formless and ends:
            best, least = (points[0], points[1]), change
    return (found.points, False) if best is None else (best, True)


def _faces_at(scene: Occurrences, row: int, point: Floats) -> list[int]:
    """The faces of a leaf whose triangles reach a point of the design."""
    leaf = scene.leaves[row]
    corners = apply(leaf.world, leaf.solid.vertices)[leaf.solid.triangles]
    close = 1e-6 * float(np.ptp(corners, axis=(0, 1)).max())
    near = np.flatnonzero(((corners.min(axis=1) <= point + close) & (corners.max(axis=1) >= point - close)).all(axis=1))
    feet = nearest_on_triangles(np.broadcast_to(point, (len(near), 3)), corners[near])
    touching = near[np.linalg.norm(feet - point, axis=1) <= close]
    return sorted({int(face) for face in leaf.solid.triangle_face[touching]})


def _on_face(leaf: Placed, face: int, point: Floats) -> bool:
    """Whether a point of a face's surface lies on the face, and not beyond its edges: no further from its triangles
    than these are from the surface."""
    own = leaf.solid.triangles[leaf.solid.triangle_face == face]
    corners = apply(leaf.world, leaf.solid.vertices)[own]
    off = distance_to_triangles(point, corners)
    table = leaf.solid.faces
    size = 1e-6 * float(np.ptp(corners, axis=(0, 1)).max())
    if table.kind[face] == Surface.PLANE:
        return off <= size
    origin = apply(leaf.world, table.origin[face][None])[0]
    out = point - origin
    if table.kind[face] != Surface.SPHERE:
        axis = leaf.world[:3, :3] @ table.axis[face]
        axis = axis / np.linalg.norm(axis)
        out = out - (out @ axis) * axis
    return off <= CHORD * float(np.linalg.norm(out)) + size


def _to_point(scene: Occurrences, text: str, shape: Shape, point: Point) -> Measurement:
    corners, owners = _triangles(scene, shape)
    found = nearest(corners, np.broadcast_to(point.at, (1, 3, 3)))
    row, face = (int(value) for value in owners[found.triangles[0]])
    exact = scene.leaves[row].solid.faces.kind[face] == Surface.PLANE and not scene.leaves[row].solid.fitted
    return length("clearance", text, found.points[0], point.at, (row, *point.leaves), bool(exact and point.exact))


def _slack(a: Handle, b: Handle) -> float:
    return ALIGNED if _exact(a, b) else FITTED


def _leaves(*sides: Handle) -> tuple[int, ...]:
    rows: list[int] = []
    for side in sides:
        rows += side.rows if isinstance(side, Shape) else () if isinstance(side, Direction) else side.leaves
    return tuple(dict.fromkeys(rows))


def _exact(*sides: Handle) -> bool:
    return all(isinstance(side, Direction | Shape) or side.exact for side in sides)


def _renamed(measured: Measurement, kind: str) -> Measurement:
    return dataclasses.replace(measured, kind=kind)
