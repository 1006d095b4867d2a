"""Contours of tori that are circles: of those seen edge-on, whose circles cross each other so that Newton's method
cannot tell them apart, and of those seen along their axis.

The normal cos(v) e(u) + sin(v) axis is at right angles to the line of sight of a torus seen edge-on where cos(v) = 0,
along the two rims of the tube, and where e(u) is at right angles to it, along two sections of the tube; along the axis
where sin(v) = 0, on the equators.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.bent_faces import BentFaces
from dqgen.schemas.design import Floats, Ints, Surface

SQUARE = 1e-7
"""Sine of the angle below which a torus is seen edge-on or along its axis."""
BRANCHES = 7


class Circles(NamedTuple):
    """Steps on circular contours of tori.

    Attributes:
        rows: (n,) of the steps.
        branch: (n,) 1 and 2 on the rims, 3 and 4 on the sections, 5 and 6 on the equators.
        conic: (n, 3, 3) centre of the circle, and its radii as vectors.
        points, normals: (n, 2, 3) of the steps' ends; where two circles meet, on both.
        bulges: (n,) whether the surface bulges towards the viewer.
    """

    rows: NDArray[np.int64]
    branch: NDArray[np.int64]
    conic: Floats
    points: Floats
    normals: Floats
    bulges: NDArray[np.bool_]


def torus_circles(
    bent: BentFaces, face: Ints, key: NDArray[np.int64], points: Floats, normals: Floats, toward: Floats
) -> Circles:
    """The circles of steps that lie on tori seen edge-on or along their axis.

    Args:
        bent: the faces.
        face: (n,) of the steps.
        key: (n, 2) numbers of their ends.
        points, normals: (n, 2, 3) as found on the triangulation.
        toward: (3,) unit vector towards the viewer.
    """
    torus = bent.kind[face] == Surface.TORUS
    level = bent.axis[face] @ toward
    across = np.linalg.norm(np.cross(bent.axis[face], toward), axis=1)
    rows = np.flatnonzero(torus & ((np.abs(level) < SQUARE) | (across < SQUARE)))
    own, key = face[rows], key[rows]
    axis, origin = bent.axis[own], bent.origin[own]
    major, minor = bent.radius[own], bent.second[own]
    # In the plane of the axis' circle: towards the viewer of a torus seen edge-on, and aside.
    flat = across[rows] < SQUARE
    forth = np.where(flat[:, None], np.eye(3)[np.abs(axis).argmin(axis=1)], toward)
    aside = np.cross(axis, forth)
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    forth = np.cross(aside, axis)
    offset = points[rows] - origin[:, None]
    along, ahead, right = (np.einsum("ijk,ik->ij", offset, way) for way in (axis, forth, aside))
    ring = np.maximum(np.hypot(ahead, right), 1e-12)
    u, v = np.arctan2(right, ahead), np.arctan2(along, ring - major[:, None])
    side = [np.where(x.sum(axis=1) >= 0, 1.0, -1.0) for x in (along, right, np.cos(v))]
    rim = ~flat & (np.abs(np.cos(v)).sum(axis=1) < np.abs(np.cos(u)).sum(axis=1))
    section = ~flat & ~rim
    which = np.select([rim, section], [0, 1], 2)
    way = np.choose(which, side)
    # Where circles meet, steps of both have an end.
    number = np.unique(key, return_inverse=True)[1].reshape(-1, 2)
    total = int(number.max(initial=-1)) + 1
    on_rim, on_section = (np.bincount(number.ravel(), np.repeat(x, 2), total)[number] > 0 for x in (rim, section))
    u = np.where(on_section, np.where(right >= 0, 1, -1) * np.pi / 2, u)
    v = np.where(on_rim, np.where(along >= 0, 1, -1) * np.pi / 2, v)
    v = np.where(flat[:, None], np.where(way > 0, 0.0, np.pi)[:, None], v)
    e = np.cos(u)[..., None] * forth[:, None] + np.sin(u)[..., None] * aside[:, None]
    out = np.cos(v)[..., None] * e + np.sin(v)[..., None] * axis[:, None]
    hollow = np.einsum("ijk,ijk->i", out, normals[rows]) < 0
    centre = np.where(rim, minor, np.where(section, major, 0.0)) * way
    radius = np.select([rim, section], [major, minor], major + way * minor)[:, None]
    conic = np.stack(
        [
            origin + centre[:, None] * np.where(rim[:, None], axis, aside),
            radius * aside,
            radius * np.where(section[:, None], axis, forth),
        ],
        axis=1,
    )
    outwards = rim | flat | (np.cos(v).sum(axis=1) > 0)
    return Circles(
        rows,
        1 + 2 * which + (way < 0),
        conic,
        origin[:, None] + major[:, None, None] * e + minor[:, None, None] * out,
        np.where(hollow[:, None, None], -out, out),
        outwards ^ hollow,
    )
