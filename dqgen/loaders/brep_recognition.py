"""Planes, cylinders, lines, circles that a file stores as splines, found again: some systems write nothing else."""

import math
from dataclasses import dataclass

import numpy as np
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.Geom import Geom_Surface
from OCP.GeomAbs import (
    GeomAbs_BezierCurve,
    GeomAbs_BezierSurface,
    GeomAbs_BSplineCurve,
    GeomAbs_BSplineSurface,
    GeomAbs_SurfaceOfExtrusion,
    GeomAbs_SurfaceOfRevolution,
)
from OCP.GeomAdaptor import GeomAdaptor_Surface
from OCP.GeomConvert import GeomConvert_SurfToAnaSurf
from OCP.Standard import Standard_Failure
from OCP.TopoDS import TopoDS_Face

from dqgen.loaders.brep_frames import xyz
from dqgen.schemas.design import Floats

FREE_SURFACES = (
    GeomAbs_BSplineSurface,
    GeomAbs_BezierSurface,
    GeomAbs_SurfaceOfRevolution,
    GeomAbs_SurfaceOfExtrusion,
)
FREE_CURVES = (GeomAbs_BSplineCurve, GeomAbs_BezierCurve)
SAME, SAME_CURVE = 1e-7, 1e-5
"""How far a spline may lie off what it is taken for, in parts of its face's or edge's size: a curve often stands for
where two surfaces meet, and comes near it only."""
SAME_BULGE = 1e-4
"""And in parts of how far an arc bulges: a shallow spline comes near to one of some radius or other."""
LARGEST = 1000.0
"""A circle of more than so many times its edge's size is taken for neither circle nor line."""
SAMPLES = 24


def analytic_surface(face: TopoDS_Face, size: float) -> GeomAdaptor_Surface | None:
    """The elementary surface that a face's free one is, or None.

    Args:
        face: with a surface.
        size: length of its box's diagonal, mm.
    """
    if BRepAdaptor_Surface(face, False).GetType() not in FREE_SURFACES:
        return None
    try:
        found: Geom_Surface | None = GeomConvert_SurfToAnaSurf(BRep_Tool.Surface_s(face)).ConvertToAnalytical(
            SAME * size
        )
    except Standard_Failure:
        return None
    return None if found is None else GeomAdaptor_Surface(found)


@dataclass(frozen=True)
class Arc:
    """A piece of a circle, run through counter-clockwise about its axis from its x axis on; mm, radians."""

    centre: Floats
    axis: Floats
    x_axis: Floats
    radius: float
    turn: float


def straight(points: Floats) -> bool:
    """Whether points (n, 3) in a row lie on a line, one after another."""
    whole = points[-1] - points[0]
    size = float(np.linalg.norm(whole))
    if size == 0:
        return False
    along = (points - points[0]) @ whole / size
    off = points - points[0] - along[:, None] * (whole / size)
    return bool(np.linalg.norm(off, axis=1).max() <= SAME_CURVE * size and (np.diff(along) > 0).all())


def arc(points: Floats) -> Arc | None:
    """The arc through points (n, 3) in a row, at least three, or None if they lie on none."""
    a, b, c = points[0], points[len(points) // 3], points[2 * len(points) // 3]
    normal = np.cross(b - a, c - a)
    square = float(normal @ normal)
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    if square <= (1e-6 * size * size) ** 2:
        return None
    # The centre of the circle through three points.
    centre = a + (
        np.cross(normal, b - a) * float((c - a) @ (c - a)) - np.cross(normal, c - a) * float((b - a) @ (b - a))
    ) / (2 * square)
    axis = normal / math.sqrt(square)
    out = points - centre
    radius = float(np.linalg.norm(out[0]))
    x_axis = out[0] / radius
    angles = np.unwrap(np.arctan2(out @ np.cross(axis, x_axis), out @ x_axis))
    if radius > LARGEST * size or not (np.diff(angles) > 0).all():
        return None
    turn = float(angles[-1])
    off = np.hypot(np.linalg.norm(out - (out @ axis)[:, None] * axis, axis=1) - radius, out @ axis)
    height = radius * (1 - math.cos(min(turn, math.pi) / 2))
    if off.max() > min(SAME_CURVE * size, SAME_BULGE * height):
        return None
    return Arc(centre, axis, x_axis, radius, turn)


def sampled(adaptor: BRepAdaptor_Curve) -> Floats:
    """Points (n, 3) along an edge's curve."""
    at = np.linspace(adaptor.FirstParameter(), adaptor.LastParameter(), SAMPLES)
    return np.array([xyz(adaptor.Value(float(t))) for t in at])
