"""Analytic surfaces and circles that run through the points of a mesh."""

import math
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.tessellation import unit
from dqgen.schemas.design import Floats, Surface

FIT_TOLERANCE = 2e-3
"""A fitted surface may miss its vertices by this part of the region's size."""


@dataclass(frozen=True)
class Fit:
    """A surface through points, as `FaceTable` tells it, and its outward unit normals (n, 3) there."""

    kind: Surface
    origin: Floats
    axis: Floats
    radius: float
    second: float
    sweep: float
    reversed: bool
    normals: Floats


def fit_surface(points: Floats, middles: Floats, normals: Floats, areas: Floats) -> Fit | None:
    """A cylinder, sphere or cone through a region's vertices, or None.

    Args:
        points: (n, 3) its vertices.
        middles: (m, 3) the middles of its triangles.
        normals: (m, 3) their unit normals.
        areas: (m,) their areas.
    """
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    weight = areas / areas.sum()
    mean = weight @ normals
    spread, axes = np.linalg.eigh((normals - mean).T @ ((normals - mean) * weight[:, None]))
    axis = axes[:, 0]
    lean = normals @ axis
    if spread[0] < 1e-4 and np.ptp(lean) < 0.05:
        level = float(weight @ lean)
        return (
            _cylinder(points, middles, normals, axis, size)
            if abs(level) < 0.01
            else _cone(points, middles, normals, axis, level, size)
        )
    return _sphere(points, middles, normals, size)


def _cylinder(points: Floats, middles: Floats, normals: Floats, axis: Floats, size: float) -> Fit | None:
    axis = axis * (1 if axis[np.argmax(np.abs(axis))] > 0 else -1)
    across = np.linalg.svd(axis[None])[2][1:]
    flat = points @ across.T
    centre, radius = fitted_circle(flat)
    if np.abs(np.linalg.norm(flat - centre, axis=1) - radius).max() > FIT_TOLERANCE * size:
        return None
    origin = centre @ across + axis * float((points @ axis).mean())
    radial = points - origin - np.outer((points - origin) @ axis, axis)
    inward = _inward(middles - origin, normals)
    return Fit(
        Surface.CYLINDER,
        origin,
        axis,
        radius,
        0.0,
        swept(flat - centre),
        inward,
        unit(radial) * (-1 if inward else 1),
    )


def _cone(points: Floats, middles: Floats, normals: Floats, axis: Floats, level: float, size: float) -> Fit | None:
    # Every tangent plane of a cone passes through its apex.
    apex = np.linalg.lstsq(normals, np.einsum("ij,ij->i", normals, middles), rcond=None)[0]
    along = (points - apex) @ axis
    if along.mean() < 0:  # the axis points from the apex into the cone
        axis, along, level = -axis, -along, -level
    radial = points - apex - np.outer(along, axis)
    distance = np.linalg.norm(radial, axis=1)
    # Facets are chords, and lean less than the cone that their corners lie on.
    slope, foot = np.polyfit(along, distance, 1)
    if slope <= 0:
        return None
    half, apex, along = math.atan(slope), apex - foot / slope * axis, along + foot / slope
    if np.abs(distance - along * math.tan(half)).max() > FIT_TOLERANCE * size:
        return None
    inward = level > 0
    outward = math.cos(half) * unit(radial) - math.sin(half) * axis
    middle = float(along.mean())
    across = np.linalg.svd(axis[None])[2][1:]
    return Fit(
        Surface.CONE,
        apex + middle * axis,
        axis,
        middle * math.tan(half),
        math.degrees(half),
        swept(radial @ across.T),
        inward,
        -outward if inward else outward,
    )


def _sphere(points: Floats, middles: Floats, normals: Floats, size: float) -> Fit | None:
    system = np.column_stack([2 * points, np.ones(len(points))])
    solution = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)[0]
    centre = solution[:3]
    square = float(solution[3] + centre @ centre)
    radius = math.sqrt(max(square, 0.0))
    offset = points - centre
    if np.abs(np.linalg.norm(offset, axis=1) - radius).max() > FIT_TOLERANCE * size or radius > 10 * size:
        return None
    inward = _inward(middles - centre, normals)
    return Fit(Surface.SPHERE, centre, np.zeros(3), radius, 0.0, 0.0, inward, unit(offset) * (-1 if inward else 1))


def fitted_circle(flat: Floats) -> tuple[Floats, float]:
    """Centre and radius of the algebraic least-squares circle through points (n, 2) (Kåsa 1976)."""
    shift = flat.mean(axis=0)
    local = flat - shift
    system = np.column_stack([2 * local, np.ones(len(local))])
    solution = np.linalg.lstsq(system, (local**2).sum(axis=1), rcond=None)[0]
    return shift + solution[:2], math.sqrt(max(float(solution[2] + solution[:2] @ solution[:2]), 0.0))


def _inward(offset: Floats, normals: Floats) -> bool:
    return bool(np.einsum("ij,ij->", offset, normals) < 0)


def swept(around: Floats) -> float:
    """Degrees that points (n, 2) cover about the origin: all but the widest gap, or all if no gap stands out."""
    angle = np.sort(np.unique(np.round(np.degrees(np.arctan2(around[:, 1], around[:, 0])), 3)))
    gaps = np.diff(np.append(angle, angle[0] + 360))
    widest = float(gaps.max())
    return 360.0 if widest <= 1.5 * float(np.median(gaps)) + 1 else 360.0 - widest
