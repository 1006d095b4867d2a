"""Points moved onto exact contours of analytic surfaces: where the normal is at right angles to the line of sight."""

import numpy as np

from dqgen.geometry.bent_faces import BentFaces
from dqgen.geometry.tessellation import unit
from dqgen.schemas.design import Floats, Ints, Surface

NEWTON_STEPS = 5


def onto_contour(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """Points (n, 2, 3) and normals moved onto the exact contour of analytic surfaces."""
    points, normals = points.copy(), normals.copy()
    for kind, snap in (
        (Surface.CYLINDER, _snap_cone),
        (Surface.CONE, _snap_cone),
        (Surface.SPHERE, _snap_sphere),
        (Surface.TORUS, _snap_torus),
    ):
        rows = np.flatnonzero(bent.kind[face] == kind)
        if not len(rows):
            continue
        f = np.repeat(face[rows], 2)
        p, n = points[rows].reshape(-1, 3), normals[rows].reshape(-1, 3)
        new_p, new_n = snap(bent, f, p, n, toward)
        points[rows], normals[rows] = new_p.reshape(-1, 2, 3), new_n.reshape(-1, 2, 3)
    return points, normals


def _snap_cone(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """A cone's normal cos(a) e - sin(a) axis is edge-on where e · toward = tan(a) axis · toward; a cylinder's is 0."""
    axis, origin = bent.axis[face], bent.origin[face]
    slope = np.where(bent.kind[face] == Surface.CONE, np.tan(np.radians(bent.second[face])), 0.0)
    level = axis @ toward
    across = toward - level[:, None] * axis
    length = np.linalg.norm(across, axis=1)
    x = across / np.maximum(length, 1e-12)[:, None]
    y = np.cross(axis, x)
    offset = points - origin
    height = np.einsum("ij,ij->i", offset, axis)
    cosine = np.clip(slope * level / np.maximum(length, 1e-12), -1, 1)
    sine = np.sqrt(1 - cosine**2) * np.where(np.einsum("ij,ij->i", offset, y) >= 0, 1.0, -1.0)
    # Beyond the apex a cone's radius changes sign; its contour there is the other line.
    radius = bent.radius[face] + height * slope
    beyond = radius < 0
    sine = np.where(beyond, -sine, sine)
    e = cosine[:, None] * x + sine[:, None] * y
    moved = origin + height[:, None] * axis + radius[:, None] * e
    normal = unit(e - slope[:, None] * axis)
    normal *= np.where(np.einsum("ij,ij->i", normal, normals) < 0, -1.0, 1.0)[:, None]
    return moved, normal


def _snap_sphere(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    offset = points - bent.origin[face]
    out = unit(offset - (offset @ toward)[:, None] * toward)
    side = np.where(np.einsum("ij,ij->i", out, normals) < 0, -1.0, 1.0)[:, None]
    return bent.origin[face] + bent.radius[face][:, None] * out, out * side


def _snap_torus(bent: BentFaces, face: Ints, points: Floats, normals: Floats, toward: Floats) -> tuple[Floats, Floats]:
    """Newton's method for F = cos(v) e(u) · toward + sin(v) axis · toward = 0, by the shortest step on the surface.

    u runs around the axis, v around the tube, e(u) is the direction from the axis to the tube's middle.
    """
    axis, origin = bent.axis[face], bent.origin[face]
    major, minor = bent.radius[face], bent.second[face]
    offset = points - origin
    along = np.einsum("ij,ij->i", offset, axis)
    x = unit(offset - along[:, None] * axis)
    y = np.cross(axis, x)
    u = np.zeros(len(points))
    v = np.arctan2(along, np.einsum("ij,ij->i", offset, x) - major)
    level, over_x, over_y = axis @ toward, x @ toward, y @ toward
    for _ in range(NEWTON_STEPS):
        cos_u, sin_u, cos_v, sin_v = np.cos(u), np.sin(u), np.cos(v), np.sin(v)
        e, e_turned = cos_u * over_x + sin_u * over_y, cos_u * over_y - sin_u * over_x
        value = cos_v * e + sin_v * level
        if np.abs(value).max(initial=0.0) < 1e-13:
            break
        reach = np.maximum(major + minor * cos_v, 1e-3 * minor)
        by_u = cos_v * e_turned / reach
        by_v = (cos_v * level - sin_v * e) / minor
        step = value / np.maximum(by_u**2 + by_v**2, 1e-12 / minor**2)
        u -= step * by_u / reach
        v -= step * by_v / minor
    direction = np.cos(u)[:, None] * x + np.sin(u)[:, None] * y
    out = np.cos(v)[:, None] * direction + np.sin(v)[:, None] * axis
    moved = origin + major[:, None] * direction + minor[:, None] * out
    # Where two branches of the contour meet there is no way to tell them apart: keep the found point.
    astray = np.linalg.norm(moved - points, axis=1) > 0.2 * minor
    moved, out = np.where(astray[:, None], points, moved), np.where(astray[:, None], normals, out)
    flip = np.where(np.einsum("ij,ij->i", out, normals) < 0, -1.0, 1.0)[:, None]
    return moved, out * flip
