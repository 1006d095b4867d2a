"""Circles and ellipses in space: centre, and the radii as vectors at parameters 0° and 90°."""

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.tessellation import cross
from dqgen.schemas.design import Curve, EdgeTable, Floats, Ints


def conics(edges: EdgeTable) -> Floats:
    """Centre and radii (E, 3, 3) of edges; of those that are no circle or ellipse the radii are zero."""
    y_axis = cross(edges.axis, edges.x_axis)
    return np.stack([edges.origin, edges.x_axis * edges.radius[:, :1], y_axis * edges.radius[:, 1:]], axis=1)


def edge_parameters(edges: EdgeTable) -> Floats:
    """The parameter of each point of the edges' polylines (P,); see `parameters`."""
    return parameters(edges.points, conics(edges), edges.kind, edges.starts)


def parameters(points: Floats, conic: Floats, kind: NDArray[np.uint8], starts: NDArray[np.int64] | Ints) -> Floats:
    """The parameter of points along polylines (P,): degrees on a circle or ellipse without a jump, else their number.

    Args:
        points: (P, 3) mm, polyline after polyline.
        conic: (S, 3, 3) centre and radii of each.
        kind: (S,) `Curve` of each.
        starts: (S + 1,) where each begins.
    """
    strip = np.repeat(np.arange(len(kind)), np.diff(starts))
    number = np.arange(len(points)) - starts[:-1][strip] if len(points) else np.zeros(0)
    result = number.astype(np.float64)
    round_ = ((kind == Curve.CIRCLE) | (kind == Curve.ELLIPSE))[strip]
    rows = np.flatnonzero(round_)
    if not len(rows):
        return result
    frame = conic[strip[rows]]
    offset = points[rows] - frame[:, 0]
    square = np.maximum((frame[:, 1:] ** 2).sum(axis=2), 1e-24)
    x = np.einsum("ij,ij->i", offset, frame[:, 1]) / square[:, 0]
    y = np.einsum("ij,ij->i", offset, frame[:, 2]) / square[:, 1]
    angle = np.degrees(np.arctan2(y, x))
    step = np.diff(angle, prepend=angle[:1])
    step -= 360 * np.round(step / 360)
    new = number[rows] == 0
    total = np.cumsum(np.where(new, 0.0, step))
    lead = np.maximum.accumulate(np.where(new, np.arange(len(rows)), 0))
    result[rows] = angle[lead] + total - total[lead]
    return result
