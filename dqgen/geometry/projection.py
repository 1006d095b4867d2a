"""Pieces of strips as curves of a view: a circle seen face-on is an arc, edge-on a line, tilted an ellipse."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.strips import Strips
from dqgen.geometry.view_curves import ARC_STEP, ViewCurve, conic_points
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
    ellipse = _ellipses(strips, rotation)
    lo = _between(flat, pieces.step, pieces.part)
    hi = _between(flat, pieces.end_step, pieces.end_part)
    t0 = _between(strips.parameter, pieces.step, pieces.part)
    t1 = _between(strips.parameter, pieces.end_step, pieces.end_part)
    # Rows as plain values: thousands of pieces are handled one by one.
    of = pieces.strip
    faces = strips.faces[of].tolist()
    tangent = (strips.edge_class[of] == int(EdgeClass.SMOOTH)).tolist()
    round_ = (np.isin(strips.kind, (Curve.CIRCLE, Curve.ELLIPSE)) & (ellipse.radii[:, 0] > 0))[of].tolist()
    straight = (strips.kind == int(Curve.LINE))[of].tolist()
    ends = np.stack([lo, hi], axis=1)
    first, last = (pieces.step + 1).tolist(), (pieces.end_step + 1).tolist()
    columns = zip(pieces.visible.tolist(), strips.leaf[of].tolist(), faces, strips.edge[of].tolist(), strict=True)
    curves: list[ViewCurve] = []
    for i, (visible, leaf, beside, edge) in enumerate(columns):
        base = (visible, leaf, (beside[0], beside[1]), edge, tangent[i])
        if round_[i]:
            curve = _round(base, ellipse, int(of[i]), float(t0[i]), float(t1[i]))
        elif straight[i]:
            curve = _line(base, ends[i])
        else:
            curve = _free(base, np.concatenate([lo[i : i + 1], flat[first[i] : last[i]], hi[i : i + 1]]), size)
        curves.append(curve)
    return curves


_Base = tuple[bool, int, tuple[int, int], int, bool]
_NONE = np.zeros(2)


def _line(base: _Base, ends: Floats) -> ViewCurve:
    return ViewCurve("line", *base, ends, _NONE, _NONE, 0.0, (0.0, 0.0))


def _round(base: _Base, ellipse: _Ellipse, strip: int, t0: float, t1: float) -> ViewCurve:
    first, last = sorted(float(ellipse.sense[strip] * (t - ellipse.phase[strip])) for t in (t0, t1))
    if last - first > 360 - 1e-6:
        last = first + 360
    major, minor = ellipse.radii[strip]
    centre, tilt = ellipse.centre[strip], float(ellipse.tilt[strip])
    if minor < EXACT * major:  # seen edge-on: a line between the outermost points it reaches
        reach = [np.cos(np.radians(t)) for t in (first, last)]
        reach += [1.0 if k % 2 == 0 else -1.0 for k in range(int(np.ceil(first / 180)), int(np.floor(last / 180)) + 1)]
        along = np.array([np.cos(np.radians(tilt)), np.sin(np.radians(tilt))])
        return _line(base, centre + major * np.array([[min(reach)], [max(reach)]]) * along)
    full = major - minor < EXACT * major
    if full:
        first, last, tilt, minor = first + tilt, last + tilt, 0.0, major
    turn = 360 * np.floor(first / 360)
    span = (float(first - turn), float(last - turn))
    radii = np.array([major, minor])
    count = max(2, int(np.ceil((span[1] - span[0]) / ARC_STEP)) + 1)
    points = conic_points(centre, radii, tilt, np.linspace(*span, count))
    return ViewCurve("arc" if full else "ellipse", *base, points, centre, radii, tilt, span)


def _free(base: _Base, points: Floats, size: float) -> ViewCurve:
    """A polyline, or the line or arc that it runs along to rounding."""
    kept = np.concatenate([[True], np.linalg.norm(np.diff(points, axis=0), axis=1) > 1e-9 * size])
    points = points[kept]
    chord = points[-1] - points[0]
    reach = float(np.linalg.norm(chord))
    offset = points - points[0]
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
    a, b, c = points[0], points[len(points) // 3], points[2 * len(points) // 3]
    system = 2 * np.stack([b - a, c - a])
    determinant = system[0, 0] * system[1, 1] - system[0, 1] * system[1, 0]
    if abs(determinant) < 1e-12 * size**2:
        return None
    right = np.array([b @ b - a @ a, c @ c - a @ a])
    centre = np.array(
        [right[0] * system[1, 1] - right[1] * system[0, 1], system[0, 0] * right[1] - system[1, 0] * right[0]]
    )
    centre = centre / determinant
    offset = points - centre
    distance = np.linalg.norm(offset, axis=1)
    radius = float(distance.mean())
    if radius > 10 * size or np.abs(distance - radius).max() > 3 * EXACT * size:
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


def _between(values: Floats, step: NDArray[np.int64], part: Floats) -> Floats:
    weight = part[:, None] if values.ndim == 2 else part
    result: Floats = values[step] * (1 - weight) + values[step + 1] * weight
    return result


def _ellipses(strips: Strips, rotation: Floats) -> _Ellipse:
    """The projections of all circles and ellipses, by the singular values of their two radii as columns."""
    centre = strips.conic[:, 0] @ rotation[:2].T
    columns = np.stack([strips.conic[:, 1] @ rotation[:2].T, strips.conic[:, 2] @ rotation[:2].T], axis=2)
    if not len(columns):
        none = np.zeros(0)
        return _Ellipse(np.zeros((0, 2)), np.zeros((0, 2)), none, none, none)
    u, radii, v = np.linalg.svd(columns)
    tilt = np.degrees(np.arctan2(u[:, 1, 0], u[:, 0, 0]))
    # A point is u diag(radii) v (cos t, sin t); v turns by -phase, or mirrors. u's second column may point either way.
    phase = np.degrees(np.arctan2(v[:, 0, 1], v[:, 0, 0]))
    sense = np.where(np.linalg.det(u) * np.linalg.det(v) < 0, -1.0, 1.0)
    return _Ellipse(centre, radii, tilt, phase, sense)
