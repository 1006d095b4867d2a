"""How far a leaf reaches along a direction: on exact surfaces and edges where it has them."""

from dataclasses import dataclass

import numpy as np

from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Curve, Floats, Solid, Surface

_STRADDLE = 1e-6
_NEAR = 0.006
"""A chord of 0.2 rad, as the loader makes them, lies this part of the radius inside its arc at most."""
_THIN = 1e-20
"""Square of the least sine of a triangle's angle by which its plane is told."""
_FLAT = 0.0005
"""Chord height of surfaces without a formula, as a part of the solid's diagonal."""


@dataclass(frozen=True)
class Extreme:
    """The outermost point of something along a direction.

    Attributes:
        point: (3,) mm in the design's frame.
        exact: on exact geometry, not on a triangulation.
    """

    point: Floats
    exact: bool


def extreme(leaf: Placed, direction: Floats) -> Extreme:
    """The outermost point of a leaf along a unit direction (3,) of the design."""
    pulled = leaf.world[:3, :3].T @ direction
    point, exact = _own(leaf.solid, pulled / np.linalg.norm(pulled))
    moved = leaf.world[:3, :3] @ point + leaf.world[:3, 3]
    return Extreme(moved + 0.0, exact and not leaf.solid.fitted)


def _own(solid: Solid, u: Floats) -> tuple[Floats, bool]:
    reach = solid.vertices[solid.triangles.ravel()] @ u
    point = solid.vertices[solid.triangles.ravel()[int(reach.argmax())]]
    size = float(np.linalg.norm(solid.bounds[1] - solid.bounds[0]))
    best, exact = float(reach.max()), not _may_bulge(solid, u, float(reach.max()), size)
    if solid.fitted:
        return point, False
    for candidate in (*_on_edges(solid, u), *_on_faces(solid, u, best)):
        value = float(candidate @ u)
        if value > best + 1e-12 * size or (not exact and value > best - 1e-6 * size):
            best, point, exact = value, candidate, True
    along = int(np.argmax(np.abs(u)))
    if not exact and abs(u[along]) > 1 - 1e-12:  # the kernel's own box is exact on any surface
        bound = float(solid.bounds[1 if u[along] > 0 else 0][along])
        point, exact = point.copy(), True
        point[along] = bound
    return point, exact


def _may_bulge(solid: Solid, u: Floats, best: float, size: float) -> bool:
    """Whether a surface without a formula may reach beyond the vertices."""
    loose = solid.faces.kind[solid.triangle_face] == Surface.OTHER
    if not loose.any():
        return False
    return float((solid.vertices[solid.triangles[loose]] @ u).max()) > best - 4 * _FLAT * size


def _on_edges(solid: Solid, u: Floats) -> list[Floats]:
    """The outermost points of circles and ellipses that lie within their spans."""
    table = solid.edges
    rows = np.flatnonzero(np.isin(table.kind, (Curve.CIRCLE, Curve.ELLIPSE)))
    x = table.x_axis[rows] * table.radius[rows, :1]
    y = np.cross(table.axis[rows], table.x_axis[rows]) * table.radius[rows, 1:]
    angle = np.degrees(np.arctan2(y @ u, x @ u))
    low, high = table.span[rows].min(axis=1), table.span[rows].max(axis=1)
    after = (angle - low) % 360
    within = after <= high - low + 1e-9
    t = np.radians(angle[within, None])
    return list(table.origin[rows[within]] + x[within] * np.cos(t) + y[within] * np.sin(t))


def _on_faces(solid: Solid, u: Floats, best: float) -> list[Floats]:
    """The points of round faces whose outward normal is `u`, where they lie on the face."""
    table = solid.faces
    found = []
    reach = (table.bounds[:, 0] * np.minimum(u, 0) + table.bounds[:, 1] * np.maximum(u, 0)).sum(axis=1)
    round_ = np.isin(table.kind, (Surface.CYLINDER, Surface.SPHERE, Surface.TORUS)) & ~table.reversed
    near = reach >= best - _NEAR * np.maximum(table.radius, table.second)
    for row in np.flatnonzero(round_ & near):
        corners = solid.vertices[solid.triangles[solid.triangle_face == row]]
        origin, axis = table.origin[row], table.axis[row]
        lean = float(u @ axis)
        if not len(corners):
            continue
        if table.kind[row] == Surface.CYLINDER:
            if abs(lean) > 1e-9:
                continue
            side = (corners - origin) @ np.cross(axis, u)
            front = (corners - origin) @ u > 0
            straddles = (side.min(axis=1) <= _STRADDLE) & (side.max(axis=1) >= -_STRADDLE) & front.all(axis=1)
            if straddles.any():
                height = float(((corners[straddles] - origin) @ axis).mean())
                found.append(origin + height * axis + table.radius[row] * u)
            continue
        minor = table.radius[row] if table.kind[row] == Surface.SPHERE else table.second[row]
        core = origin
        if table.kind[row] == Surface.TORUS:
            radial = u - lean * axis
            if abs(lean) > 1 - 1e-12:  # a whole ring of points: the one beside the outermost vertex
                flat = corners.reshape(-1, 3)
                offset = flat[int((flat @ u).argmax())] - origin
                radial = offset - (offset @ axis) * axis
            core = origin + table.radius[row] * radial / np.linalg.norm(radial)
        candidate = core + minor * u
        if distance_to_triangles(candidate, corners) <= _NEAR * minor + 1e-9:
            found.append(candidate)
    return found


def distance_to_triangles(point: Floats, corners: Floats) -> float:
    """The least distance of a point (3,) from triangles (n, 3, 3)."""
    return float(
        np.linalg.norm(nearest_on_triangles(np.broadcast_to(point, (len(corners), 3)), corners) - point, axis=1).min()
    )


def nearest_on_triangles(points: Floats, corners: Floats) -> Floats:
    """The point of each triangle (n, 3, 3) that is nearest to each of points (n, 3).

    The foot on the plane where it lies inside, else the nearest of the three feet on the sides.
    """
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    normal = np.cross(b - a, c - a)
    square = (normal**2).sum(axis=1)
    longest = np.maximum(((b - a) ** 2).sum(axis=1), ((c - a) ** 2).sum(axis=1))
    inside = square > _THIN * longest**2  # one without area has no plane, only sides
    foot = points - (((points - a) * normal).sum(axis=1) / np.where(inside, square, 1))[:, None] * normal
    best, least = foot, np.full(len(points), np.inf)
    for p, q in ((a, b), (b, c), (c, a)):
        side = q - p
        inside &= (np.cross(side, foot - p) * normal).sum(axis=1) >= 0
        t = np.clip(((points - p) * side).sum(axis=1) / np.maximum((side**2).sum(axis=1), 1e-300), 0, 1)
        on_side = p + t[:, None] * side
        gap = ((points - on_side) ** 2).sum(axis=1)
        best = np.where((gap < least)[:, None], on_side, best)
        least = np.minimum(gap, least)
    result: Floats = np.where(inside[:, None], foot, best)
    return result
