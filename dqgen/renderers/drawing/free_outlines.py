"""Edges of free-form faces: their ends, how far they reach between these, and the circles among them.

Free-form are faces without a formula, such as lofted ones, extruded splines and those turned from splines. Triangulated
parts have none.
"""

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.transforms import apply
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing.dimension import Foot, Request, Round, Span, Target
from dqgen.renderers.drawing.marks import Mark, Marks
from dqgen.renderers.drawing.projection import Projection, model_point
from dqgen.renderers.drawing.subject import FULL_SWEEP, SAME, Subject, screen_axes
from dqgen.schemas.design import Curve, Floats, Solid, Surface

MOST = 16
"""Coordinates of free edges along one axis of a view above which none are told."""
LEAST = 3.0
"""mm on paper that a free edge must be long,"""
LEAST_SHARE = 0.03
"""and as a part of all edges of its face: the ends of a thread are less."""
ALIKE = 0.01
"""mm within which a coordinate is told already."""
SMOOTH = 0.995
"""Cosine between edges that run into each other without a corner, as sampled."""
FLAT = 1e-5
"""mm by which a curve must turn back."""
FORMULA = {Surface.CYLINDER, Surface.CONE, Surface.SPHERE, Surface.TORUS}
"""Faces that tell the circles at their ends."""


@dataclass(frozen=True)
class _Rim:
    """Edges on one circle: of which leaf, its middle, axis and radius, the edges, and how far they go around."""

    leaf: int
    centre: Floats
    axis: Floats
    radius: float
    edges: frozenset[int]
    sweep: float


def outlines(subject: Subject, known: Marks) -> tuple[Marks, dict[str, list[Request]]]:
    """Marks of the free edges that lie in the plane of a view, and the diameters and radii of round ones.

    Args:
        subject: what is dimensioned.
        known: coordinates that are told already.
    """
    told = {row: {float(end) for end in subject.catalogue.bounds[:, row]} for row in range(3)}
    for (_, axis), marks in known.items():
        told[axis] |= {mark.value for mark in marks}
    shares = [_shares(leaf.solid) for leaf in subject.leaves]
    requests: dict[str, list[Request]] = defaultdict(list)
    whole: set[tuple[int, int]] = set()
    for rim in _rims(subject, shares):
        if rim.sweep >= FULL_SWEEP:
            whole |= {(rim.leaf, edge) for edge in rim.edges}
        for view_id, request in _round(subject, rim):
            requests[view_id].append(request)
    found: Marks = {}
    free = {one.id: list(_free(subject, one, shares, whole)) for one in subject.projections}
    done: set[tuple[int, int]] = set()
    extruded: list[tuple[set[tuple[int, int]], Floats]] = []
    for straight in (False, True):  # a view that shows the bends of a contour tells its ends as well
        for projection in subject.projections:
            curves = []
            for curve in free[projection.id]:
                if (curve.kind == "line") != straight or (curve.leaf, curve.edge) in done:
                    continue
                if straight and any(_runs_along(subject, curve, faces, way) for faces, way in extruded):
                    continue
                curves.append(curve)
            done |= {(curve.leaf, curve.edge) for curve in curves}
            if not straight:
                faces = {(curve.leaf, face) for curve in curves for face in curve.faces}
                extruded.append((faces, projection.view.rotation[2]))
            for axis, _ in screen_axes(projection):
                own = _marks(subject, projection, axis, curves, told[axis])
                told[axis] |= {mark.value for mark in own}
                if own:
                    found[projection.id, axis] = found.get((projection.id, axis), []) + own
    return found, requests


def _shares(solid: Solid) -> dict[int, float]:
    """Free edges of a solid, each with the part that it is of all edges of a free-form face beside it."""
    if solid.fitted:
        return {}
    free = {int(face) for face in np.flatnonzero(solid.faces.kind == Surface.OTHER)}
    length: dict[int, float] = {}
    around: dict[int, float] = defaultdict(float)
    for row, faces in enumerate(solid.edges.faces.tolist()):
        if not free.isdisjoint(faces):
            length[row] = float(np.linalg.norm(np.diff(solid.edges.polyline(row), axis=0), axis=1).sum())
            for face in set(faces):
                around[face] += length[row]
    return {
        row: size / max(*(around[face] for face in solid.edges.faces[row].tolist() if face in free), 1e-9)
        for row, size in length.items()
    }


def _rims(subject: Subject, shares: list[dict[int, float]]) -> Iterator[_Rim]:
    """The circles on which free edges lie that belong to no face that tells them."""
    for row, leaf in enumerate(subject.leaves):
        table, kinds = leaf.solid.edges, leaf.solid.faces.kind
        groups: dict[tuple[float, ...], list[int]] = defaultdict(list)
        for edge, share in shares[row].items():
            beside = {Surface(kinds[face]) for face in table.faces[edge] if face >= 0}
            if table.kind[edge] == Curve.CIRCLE and share > LEAST_SHARE and not beside & FORMULA:
                key = (*table.origin[edge], *np.abs(table.axis[edge]), table.radius[edge, 0])
                groups[tuple(round(float(part), 3) + 0.0 for part in key)].append(edge)
        for edges in groups.values():
            first = edges[0]
            yield _Rim(
                row,
                apply(leaf.world, table.origin[[first]])[0],
                leaf.world[:3, :3] @ table.axis[first],
                float(table.radius[first, 0]),
                frozenset(edges),
                float(np.abs(np.diff(table.span[edges], axis=1)).sum()),
            )


def _round(subject: Subject, rim: _Rim) -> Iterator[tuple[str, Request]]:
    """The diameter of a circle, by a leader or from its side, or the radius of an arc, and the view that shows it."""
    whole = rim.sweep >= FULL_SWEEP
    value = 2 * rim.radius if whole else rim.radius
    number = subject.numbers.length(value)
    text = f"⌀{number}" if whole else f"R{number}"
    name = f"{'diameter' if whole else 'radius'} of an edge"
    for projection in subject.projections:
        arcs = [
            Target(projection.flat(curve.centre), rim.radius * projection.scale, *(t + curve.tilt for t in curve.span))
            for curve in projection.curves
            if curve.visible and curve.kind == "arc" and curve.leaf == rim.leaf and curve.edge in rim.edges
        ]
        if projection.end_on(rim.axis) and arcs:
            label = subject.labels.make("diameter" if whole else "radius", value, (text,), name, (rim.centre,), number)
            yield projection.id, Round(label, tuple(arcs))
            return
    side = next((one for one in subject.projections if one.in_plane(rim.axis)), None)
    if whole and side is not None:
        normal = np.cross(side.view.rotation[2], rim.axis)
        a, b = (side.foot(np.asarray(rim.centre + sign * rim.radius * normal)) for sign in (-1, 1))
        label = subject.labels.make("diameter", value, (text,), name, printed=number)
        yield side.id, Span(label, (a,), (b,), round(side.bearing(normal), 6) % 180)


def _free(
    subject: Subject, projection: Projection, shares: list[dict[int, float]], whole: set[tuple[int, int]]
) -> Iterator[ViewCurve]:
    """Visible free edges that a view shows in their true shape; not those on whole circles."""
    for curve in projection.curves:
        if not curve.visible or curve.tangent or shares[curve.leaf].get(curve.edge, 0.0) < LEAST_SHARE:
            continue
        if curve.length * projection.scale < LEAST or (curve.leaf, curve.edge) in whole:
            continue
        leaf = subject.leaves[curve.leaf]
        points = apply(leaf.world, leaf.solid.edges.polyline(curve.edge))
        if np.ptp(points @ projection.view.rotation[2]) < SAME:
            yield curve


def _runs_along(subject: Subject, curve: ViewCurve, faces: set[tuple[int, int]], way: Floats) -> bool:
    """Whether a straight edge is one along which a contour was extruded that a view along it tells."""
    leaf = subject.leaves[curve.leaf]
    ends = apply(leaf.world, leaf.solid.edges.polyline(curve.edge)[[0, -1]])
    reach = (ends[1] - ends[0]) / max(float(np.linalg.norm(ends[1] - ends[0])), 1e-12)
    return abs(float(reach @ way)) > 1 - 1e-6 and any((curve.leaf, face) in faces for face in curve.faces)


def _marks(
    subject: Subject, projection: Projection, axis: int, curves: list[ViewCurve], told: set[float]
) -> list[Mark]:
    """The coordinates of free edges that are not told yet."""
    row = 0 if abs(projection.view.rotation[0][axis]) > 0.5 else 1
    feet: dict[float, list[Foot]] = {}
    leaving = [(points[k], _outwards(points, k)) for curve in curves for points in (curve.points,) for k in (0, -1)]
    for curve in curves:
        depth = float(projection.view.rotation[2] @ _start(subject, curve))
        for point in _telling(curve, row):
            if _goes_on(point, leaving):
                continue
            foot = projection.foot(model_point(projection, point, depth))
            value = round(foot.model[axis], 4)
            value = next((one for one in feet if abs(one - value) < ALIKE), value)
            if min(abs(value - one) for one in told) > ALIKE:
                feet.setdefault(value, []).append(foot)
    if len(feet) > MOST:
        told_not = f"free curves in the view '{projection.id}' are not dimensioned: there are too many"
        subject.warnings += [] if told_not in subject.warnings else [told_not]
        return []
    return [Mark(axis, value, False, tuple(own)) for value, own in sorted(feet.items())]


def _outwards(points: Floats, end: int) -> Floats:
    """The direction in which a curve leaves one of its ends, 0 or -1."""
    step: Floats = points[end] - points[1 if end == 0 else -2]
    return step / max(float(np.linalg.norm(step)), 1e-12)


def _goes_on(point: Floats, leaving: list[tuple[Floats, Floats]]) -> bool:
    """Whether two free edges run smoothly into each other at a point."""
    ways = [way for end, way in leaving if np.abs(point - end).max() < SAME]
    return len(ways) == 2 and float(ways[0] @ ways[1]) < -SMOOTH


def _start(subject: Subject, curve: ViewCurve) -> Floats:
    leaf = subject.leaves[curve.leaf]
    point: Floats = apply(leaf.world, leaf.solid.edges.polyline(curve.edge)[:1])[0]
    return point


def _telling(curve: ViewCurve, row: int) -> Iterator[Floats]:
    """The ends of a curve, and where it turns back along an axis of the view."""
    points = curve.points
    if curve.kind == "arc":
        quarters = np.arange(np.ceil(curve.span[0] / 90), np.floor(curve.span[1] / 90) + 1) * 90
        yield from curve.at(quarters - curve.tilt)
        yield from curve.at(np.array(curve.span))
        return
    if np.abs(points[0] - points[-1]).max() < SAME:
        points = np.vstack([points[-2], points])
    else:
        yield points[0]
        yield points[-1]
    for before, here, after in zip(points[:-2], points[1:-1], points[2:], strict=True):
        come, go = here[row] - before[row], after[row] - here[row]
        if come * go < 0 and max(abs(come), abs(go)) > FLAT:
            yield _turning(before, here, after, row)


def _turning(before: Floats, here: Floats, after: Floats, row: int) -> Floats:
    """Where the parabola through three points of a curve turns back along an axis."""
    u, v = -float(np.linalg.norm(here - before)), float(np.linalg.norm(after - here))
    bend, slope = np.linalg.solve([[u * u, u], [v * v, v]], np.array([before - here, after - here]))
    at = -slope[row] / (2 * bend[row])
    point: Floats = here + at * slope + at * at * bend
    return point
