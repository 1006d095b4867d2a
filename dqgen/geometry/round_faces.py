"""Round faces of a solid joined into bands: what a drawing calls one diameter, however many faces it is split into."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from dqgen.geometry.once import once_per_solid
from dqgen.schemas.design import Floats, Solid, Surface

EXACT, FITTED = 1e-6, 5e-4
"""Parts of a solid's diagonal within which axes and radii are the same: read exactly, or fitted to a mesh."""
BINS = 120
"""Directions around an axis in which a band's cover is noted."""


@dataclass(frozen=True)
class Band:
    """Faces of one kind, axis, radius and side that follow each other along the axis. In the solid's frame.

    Attributes:
        kind: `Surface.CYLINDER`, `CONE` or `TORUS`.
        faces: their rows.
        origin: (3,) the point of the axis nearest to the middle of the faces.
        direction: (3,) unit; its largest component is positive.
        low, high: mm along the direction from the origin.
        radius_low, radius_high: mm at both ends; of a torus the major radius twice.
        tube: minor radius of a torus, else 0.
        inner: material lies outside.
        sweep: degrees around the axis that the faces cover.
        area: mm².
    """

    kind: Surface
    faces: tuple[int, ...]
    origin: Floats
    direction: Floats
    low: float
    high: float
    radius_low: float
    radius_high: float
    tube: float
    inner: bool
    sweep: float
    area: float

    @property
    def radius(self) -> float:
        """The larger of both ends' radii."""
        return max(self.radius_low, self.radius_high)


def same_size(solid: Solid) -> float:
    """Millimetres within which two radii or two axes of a solid are the same."""
    size = float(np.linalg.norm(solid.bounds[1] - solid.bounds[0]))
    return size * (FITTED if solid.fitted else EXACT) + 1e-9


def turned_up(direction: Floats) -> Floats:
    """The direction (3,), or its opposite: the one whose largest component is positive."""
    largest = direction[np.argmax(np.abs(direction) > np.abs(direction).max() - 1e-9)]
    return direction if largest > 0 else -direction


@once_per_solid
def bands(solid: Solid) -> tuple[Band, ...]:
    """The bands of a solid, in the order of their first faces."""
    table = solid.faces
    rows = np.flatnonzero(np.isin(table.kind, (Surface.CYLINDER, Surface.CONE, Surface.TORUS)))
    if not len(rows):
        return ()
    tolerance = same_size(solid)
    order = np.argsort(solid.triangle_face, kind="stable")
    starts = np.searchsorted(solid.triangle_face[order], np.arange(len(table) + 1))
    middle = solid.bounds.mean(axis=0)
    axis = np.stack([turned_up(table.axis[row]) for row in rows])
    offset = table.origin[rows] - middle
    foot = offset - (offset * axis).sum(axis=1)[:, None] * axis
    apex_at, slope = np.zeros(len(rows)), np.zeros(len(rows))
    for k, row in enumerate(rows):
        if table.kind[row] == Surface.CONE:
            sense = 1.0 if table.axis[row] @ axis[k] > 0 else -1.0
            slope[k] = sense * np.tan(np.radians(table.second[row]))
            apex_at[k] = offset[k] @ axis[k] - table.radius[row] / slope[k] if slope[k] else 0.0
    size = float(np.linalg.norm(solid.bounds[1] - solid.bounds[0]))
    cone, torus = table.kind[rows] == Surface.CONE, table.kind[rows] == Surface.TORUS
    form = np.column_stack(
        [
            foot,
            axis * size,
            np.where(cone, 0.0, table.radius[rows]),
            np.where(cone, slope * size, np.where(torus, table.second[rows], 0.0)),
            np.where(cone, apex_at, np.where(torus, (offset * axis).sum(axis=1), 0.0)),
            1e3 * size * (table.kind[rows] * 2.0 + table.reversed[rows]),
        ]
    )
    pairs = cKDTree(form).query_pairs(3 * tolerance, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(rows), len(rows)))
    label = connected_components(graph, directed=False)[1]
    found: list[Band] = []
    for number in range(int(label.max()) + 1):
        members = np.flatnonzero(label == number)
        lead = members[0]
        origin, direction = foot[lead] + middle, axis[lead]
        ranges, covers = [], []
        for row in rows[members]:
            corners = solid.vertices[solid.triangles[order[starts[row] : starts[row + 1]]]]
            along = (corners - origin) @ direction if len(corners) else np.zeros(1)
            ranges.append((float(along.min()), float(along.max())))
            covers.append(_cover(corners, origin, direction))
        for together in _runs(ranges, 3 * tolerance):
            low, high = min(ranges[k][0] for k in together), max(ranges[k][1] for k in together)
            faces = tuple(int(rows[members[k]]) for k in together)
            if cone[lead]:
                ends = [abs((z - apex_at[lead]) * slope[lead]) for z in (low, high)]
            else:
                ends = [float(table.radius[rows[lead]])] * 2
            at = (low + high) / 2
            found.append(
                Band(
                    kind=Surface(int(table.kind[rows[lead]])),
                    faces=faces,
                    origin=origin + at * direction,
                    direction=direction,
                    low=low - at,
                    high=high - at,
                    radius_low=ends[0],
                    radius_high=ends[1],
                    tube=float(table.second[rows[lead]]) if torus[lead] else 0.0,
                    inner=bool(table.reversed[rows[lead]]),
                    sweep=float(360 * np.logical_or.reduce([covers[k] for k in together]).mean()),
                    area=float(table.area[list(faces)].sum()),
                )
            )
    return tuple(sorted(found, key=lambda band: band.faces))


def _cover(corners: Floats, origin: Floats, direction: Floats) -> NDArray[np.bool_]:
    """Which of the directions around an axis triangles (n, 3, 3) cover, (BINS,)."""
    if not len(corners):
        return np.zeros(BINS, dtype=bool)
    x = np.linalg.svd(direction[None])[2][1]
    y = np.cross(direction, x)
    offset = corners - origin
    angle = np.degrees(np.arctan2(offset @ y, offset @ x))
    # Around each triangle's first corner, so that none straddles the cut.
    turn = angle - angle[:, :1]
    turn -= 360 * np.round(turn / 360)
    low, high = angle[:, 0] + turn.min(axis=1), angle[:, 0] + turn.max(axis=1)
    width = 360 / BINS
    first = np.ceil(low / width - 0.5).astype(int)
    count = np.floor(high / width - 0.5).astype(int) - first + 1
    cover = np.zeros(BINS, dtype=bool)
    for step in range(int(count.max(initial=0))):
        cover[(first[count > step] + step) % BINS] = True
    return cover


def _runs(ranges: list[tuple[float, float]], gap: float) -> list[list[int]]:
    """Rows of ranges that overlap or touch, run by run."""
    runs: list[list[int]] = []
    reach = -np.inf
    for row in sorted(range(len(ranges)), key=lambda row: ranges[row]):
        if ranges[row][0] > reach + gap:
            runs.append([])
        runs[-1].append(row)
        reach = max(reach, ranges[row][1])
    return [sorted(run) for run in runs]
