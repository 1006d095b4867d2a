"""Holes that belong together: bolt circles, rows and grids of like holes."""

from typing import Literal

import numpy as np

from dqgen.schemas.design import Floats

Form = Literal["single", "circle", "row", "grid", "scattered"]
EVEN = 2e-3
"""Spacings that differ by less than this part of the largest distance are even."""


def arrange(flat: Floats, centres: Floats) -> list[tuple[Form, list[int], Floats, float]]:
    """Sort like holes into patterns.

    Args:
        flat: (n, 2) places of the holes in their common plane, mm.
        centres: (m, 2) axes of other round features there, about which a bolt circle may lie.

    Returns:
        For each pattern its form, its holes in order, its centre (2,) and, for a circle, the diameter (else 0).
    """
    left = list(range(len(flat)))
    patterns: list[tuple[Form, list[int], Floats, float]] = []
    reach = float(np.linalg.norm(np.ptp(flat, axis=0))) if len(flat) else 0.0
    for centre in centres:
        if len(left) < 3:
            break
        distance = np.linalg.norm(flat[left] - centre, axis=1)
        while len(left) >= 3:
            radius = float(np.median(distance))
            ring = [k for k, d in zip(left, distance, strict=True) if abs(d - radius) < EVEN * reach]
            order = _evenly_around(flat, ring, centre)
            if order is None or radius < EVEN * reach:
                break
            patterns.append(("circle", order, centre, 2 * radius))
            left = [k for k in left if k not in ring]
            distance = np.linalg.norm(flat[left] - centre, axis=1)
    if left:
        patterns.append(_form(flat, left, reach))
    return patterns


def _form(flat: Floats, rows: list[int], reach: float) -> tuple[Form, list[int], Floats, float]:
    points = flat[rows]
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    if len(rows) == 1:
        return "single", rows, points[0], 0.0
    direction = points[np.lexsort((points[:, 1], points[:, 0]))]
    along = direction[-1] - direction[0]
    along /= np.linalg.norm(along)
    offset = points - middle
    if np.abs(offset @ np.array([-along[1], along[0]])).max() < EVEN * reach:
        order = np.argsort(offset @ along)
        steps = np.diff((offset @ along)[order])
        form: Form = "row" if np.ptp(steps) < EVEN * reach else "scattered"
        return form, [rows[k] for k in order], middle, 0.0
    columns, lines = (_levels(points[:, axis], EVEN * reach) for axis in (0, 1))
    if len(columns) * len(lines) == len(rows) and len(columns) > 1 and len(lines) > 1:
        order = np.lexsort((points[:, 0], np.round(points[:, 1] / (EVEN * reach))))
        return "grid", [rows[k] for k in order], middle, 0.0
    if len(rows) != 4:  # four on a circle are the corners of a square as well
        centre = _middle_of_circle(points)
        if centre is not None:
            ring = _evenly_around(flat, rows, centre)
            distance = np.linalg.norm(points - centre, axis=1)
            if ring is not None and np.ptp(distance) < EVEN * reach:
                return "circle", ring, centre, 2 * float(distance.mean())
    order = np.lexsort((points[:, 0], np.round(points[:, 1] / (EVEN * reach))))
    return "scattered", [rows[k] for k in order], middle, 0.0


def _evenly_around(flat: Floats, rows: list[int], centre: Floats) -> list[int] | None:
    """The rows in order of their angle about a centre, if they are three or more at even steps."""
    if len(rows) < 3:
        return None
    offset = flat[rows] - centre
    angle = np.degrees(np.arctan2(offset[:, 1], offset[:, 0])) % 360
    angle = np.where(angle > 360 - 1e-6, 0.0, angle)
    order = np.argsort(angle, kind="stable")
    steps = np.diff(np.append(angle[order], angle[order[0]] + 360))
    if np.abs(steps - 360 / len(rows)).max() > 0.3:
        return None
    return [rows[k] for k in order]


def _middle_of_circle(points: Floats) -> Floats | None:
    system = np.column_stack([2 * points, np.ones(len(points))])
    solution, _, rank, _ = np.linalg.lstsq(system, (points**2).sum(axis=1), rcond=None)
    return solution[:2] if rank == 3 else None


def _levels(values: Floats, tolerance: float) -> Floats:
    ordered = np.sort(values)
    levels: Floats = ordered[np.append(True, np.diff(ordered) > tolerance)]
    return levels
