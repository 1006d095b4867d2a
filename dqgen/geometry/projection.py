"""Pieces of strips as curves of a view: a circle seen face-on is an arc, edge-on a line, tilted an ellipse."""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.strips import Strips
from dqgen.geometry.view_curves import ARC_STEP, Kind, ViewCurve, conic_points
from dqgen.schemas.design import Curve, EdgeClass, Floats

EXACT = 1e-6
"""Parts of a radius, or of the scene's diagonal, below which a difference in form is rounding."""


@dataclass(frozen=True)
class Pieces:
    """Pieces of strips, N of them.

    Attributes:
        strip: (N,) row of the strip.
        step, part: where each begins: row of the step's first point, and how far along the step, 0 to 1.
        end_step, end_part: where each ends.
        visible: (N,)
    """

    strip: NDArray[np.int64]
    step: NDArray[np.int64]
    part: Floats
    end_step: NDArray[np.int64]
    end_part: Floats
    visible: NDArray[np.bool_]


@dataclass(frozen=True)
class _Ellipse:
    """Ellipses that circles and ellipses in space become, a row a strip.

    Attributes:
        centre: (S, 2) mm.
        radii: (S, 2) major and minor.
        tilt: (S,) degrees to the major axis.
        phase, sense: (S,) parameter in the view = sense · (parameter in space - phase), degrees.
    """

    centre: Floats
    radii: Floats
    tilt: Floats
    phase: Floats
    sense: Floats


def projected(strips: Strips, pieces: Pieces, rotation: Floats, size: float) -> list[ViewCurve]:
    """The curves of pieces in a view, in the pieces' order.

    Args:
        strips: what the pieces are of.
        pieces: to project.
        rotation: (3, 3) rows right, up and towards the viewer.
        size: diagonal of the scene, mm.
    """
    flat = strips.points @ rotation[:2].T
    ends = np.stack(
        [_between(flat, pieces.step, pieces.part), _between(flat, pieces.end_step, pieces.end_part)], axis=1
    )
    of = pieces.strip
    base = list(
        zip(
            pieces.visible.tolist(),
            strips.leaf[of].tolist(),
            map(tuple, strips.faces[of].tolist()),
            strips.edge[of].tolist(),
            (strips.edge_class[of] == int(EdgeClass.SMOOTH)).tolist(),
            strict=True,
        )
    )
    straight = strips.kind[of] == int(Curve.LINE)
    curves: list[ViewCurve | None] = [None] * len(of)
    for row in np.flatnonzero(straight).tolist():
        curves[row] = _line(base[row], ends[row])
    for row, curve in _round(base, strips, pieces, rotation):
        curves[row] = curve
    for row in [row for row, curve in enumerate(curves) if curve is None]:
        between = flat[pieces.step[row] + 1 : pieces.end_step[row] + 1]
        curves[row] = _free(base[row], np.concatenate([ends[row, :1], between, ends[row, 1:]]), size)
    return [curve for curve in curves if curve is not None]


_Base = tuple[bool, int, tuple[int, int], int, bool]
_NONE = np.zeros(2)


def _line(base: _Base, ends: Floats) -> ViewCurve:
    return ViewCurve("line", *base, ends, _NONE, _NONE, 0.0, (0.0, 0.0))


def _round(base: list[_Base], strips: Strips, pieces: Pieces, rotation: Floats) -> Iterator[tuple[int, ViewCurve]]:
    """The pieces of circles and ellipses, with their rows: lines where seen edge-on, arcs where face-on."""
    rows = np.flatnonzero(np.isin(strips.kind, (Curve.CIRCLE, Curve.ELLIPSE))[pieces.strip])
    own, of = np.unique(pieces.strip[rows], return_inverse=True)
    ellipse = _ellipses(strips.conic[own], rotation)
    seen = ellipse.radii[of, 0] > 0
    rows, of = rows[seen], of[seen]
    t = np.stack(
        [
            _between(strips.parameter, pieces.step[rows], pieces.part[rows]),
            _between(strips.parameter, pieces.end_step[rows], pieces.end_part[rows]),
        ]
    )
    first, last = np.sort(ellipse.sense[of] * (t - ellipse.phase[of]), axis=0)
    last = np.where(last - first > 360 - 1e-6, first + 360, last)
    major, minor = ellipse.radii[of].T
    centre, tilt = ellipse.centre[of], ellipse.tilt[of]
    flat = minor < EXACT * major
    # Edge-on: a line between the outermost points it reaches.
    cosine = np.cos(np.radians([first, last]))
    high = np.where(np.floor(last / 360) >= np.ceil(first / 360), 1.0, cosine.max(axis=0))
    low = np.where(np.floor((last - 180) / 360) >= np.ceil((first - 180) / 360), -1.0, cosine.min(axis=0))
    along = np.stack([np.cos(np.radians(tilt)), np.sin(np.radians(tilt))], axis=1)
    ends = centre[:, None] + (major[:, None] * np.stack([low, high], axis=1))[..., None] * along[:, None]
    for k in np.flatnonzero(flat).tolist():
        row = int(rows[k])
        yield row, _line(base[row], ends[k])
    full = major - minor < EXACT * major
    turn = np.where(full, tilt, 0.0)
    turn -= 360 * np.floor((first + turn) / 360)
    tilt, minor = np.where(full, 0.0, tilt), np.where(full, major, minor)
    radii = np.stack([major, minor], axis=1)
    span = np.stack([first + turn, last + turn], axis=1)
    count = np.maximum(2, np.ceil((last - first) / ARC_STEP).astype(np.int64) + 1)
    begin = np.cumsum(count) - count
    owner = np.repeat(np.arange(len(rows)), count)
    share = (np.arange(len(owner)) - begin[owner]) / (count[owner] - 1)
    degrees = span[owner, 0] + (span[owner, 1] - span[owner, 0]) * share
    points = conic_points(centre[owner], radii[owner], tilt[owner], degrees)
    spans, tilts, starts, stops = span.tolist(), tilt.tolist(), begin.tolist(), (begin + count).tolist()
    kinds: list[Kind] = ["arc" if k else "ellipse" for k in full.tolist()]
    for k in np.flatnonzero(~flat).tolist():
        row = int(rows[k])
        line, reach = points[starts[k] : stops[k]], (spans[k][0], spans[k][1])
        yield row, ViewCurve(kinds[k], *base[row], line, centre[k], radii[k], tilts[k], reach)


def _free(base: _Base, points: Floats, size: float) -> ViewCurve:
    """A polyline, or the line or arc that it runs along to rounding."""
    kept = np.ones(len(points), dtype=np.bool_)
    np.greater(_squares(points[1:] - points[:-1]), (1e-9 * size) ** 2, out=kept[1:])
    if not kept.all():
        points = points[kept]
    offset = points - points[0]
    chord = offset[-1]
    reach = math.hypot(*chord.tolist())
    if reach > EXACT * size:
        along = chord / reach
        if np.abs(offset @ np.array([-along[1], along[0]])).max() < EXACT * size:
            run = offset @ along
            return _line(base, points[0] + np.array([[run.min()], [run.max()]]) * along)
    if len(points) >= 5:
        arc = _arc(points, size)
        if arc is not None:
            centre, radius, span = arc
            count = max(2, int(np.ceil((span[1] - span[0]) / ARC_STEP)) + 1)
            radii = np.array([radius, radius])
            drawn = conic_points(centre, radii, 0.0, np.linspace(*span, count))
            return ViewCurve("arc", *base, drawn, centre, radii, 0.0, span)
    return ViewCurve("polyline", *base, points, _NONE, _NONE, 0.0, (0.0, 0.0))


def _arc(points: Floats, size: float) -> tuple[Floats, float, tuple[float, float]] | None:
    """Centre, radius and span of the arc on which points lie to rounding, or None."""
    (bx, by), (cx, cy) = (points[[len(points) // 3, 2 * len(points) // 3]] - points[0]).tolist()
    determinant = 4 * (bx * cy - by * cx)
    if abs(determinant) < 1e-12 * size**2:
        return None
    b_square, c_square = bx * bx + by * by, cx * cx + cy * cy
    away = (2 * (b_square * cy - c_square * by) / determinant, 2 * (bx * c_square - cx * b_square) / determinant)
    centre = points[0] + away
    offset = points - centre
    distance = np.sqrt(_squares(offset))
    radius = float(distance.sum()) / len(distance)
    if radius > 10 * size or distance.max() - radius > 3 * EXACT * size or radius - distance.min() > 3 * EXACT * size:
        return None
    angle = np.degrees(np.unwrap(np.arctan2(offset[:, 1], offset[:, 0])))
    step = np.diff(angle)
    if not ((step > 0).all() or (step < 0).all()) or np.abs(step).max() > 60:
        return None
    first, last = sorted((float(angle[0]), float(angle[-1])))
    if last - first > 360 - 1e-4:
        last = first + 360
    turn = 360 * np.floor(first / 360)
    return centre, radius, (float(first - turn), float(last - turn))


def _squares(vectors: Floats) -> Floats:
    """Squared lengths (n,) of vectors (n, 2)."""
    squares: Floats = np.einsum("ij,ij->i", vectors, vectors)
    return squares


def _between(values: Floats, step: NDArray[np.int64], part: Floats) -> Floats:
    weight = part[:, None] if values.ndim == 2 else part
    result: Floats = values[step] * (1 - weight) + values[step + 1] * weight
    return result


def _ellipses(conic: Floats, rotation: Floats) -> _Ellipse:
    """The projections of circles and ellipses (S, 3, 3), by the singular values of their two radii as columns."""
    centre = conic[:, 0] @ rotation[:2].T
    columns = np.stack([conic[:, 1] @ rotation[:2].T, conic[:, 2] @ rotation[:2].T], axis=2)
    if not len(columns):
        none = np.zeros(0)
        return _Ellipse(np.zeros((0, 2)), np.zeros((0, 2)), none, none, none)
    u, radii, v = np.linalg.svd(columns)
    tilt = np.degrees(np.arctan2(u[:, 1, 0], u[:, 0, 0]))
    # A point is u diag(radii) v (cos t, sin t); v turns by -phase, or mirrors. u's second column may point either way.
    phase = np.degrees(np.arctan2(v[:, 0, 1], v[:, 0, 0]))
    sense = np.where(np.linalg.det(u) * np.linalg.det(v) < 0, -1.0, 1.0)
    return _Ellipse(centre, radii, tilt, phase, sense)
