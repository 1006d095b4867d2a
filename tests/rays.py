"""Visible pixels counted a second way: rays through each pixel's centre, by Embree instead of the rasteriser."""

from dataclasses import dataclass

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene

from dqgen.geometry.transforms import apply, placed
from dqgen.schemas.design import Design
from dqgen.schemas.evidence import Evidence, ViewEvidence

TIE = 2e-6
"""Parts that lie within this part of the model's size of each other share a plane: there either may be counted. It is
what single precision, in which both the rasteriser and Embree work, can tell apart there."""
ASIDE = 1 / 128
"""Rasterisers put vertices on a grid of 1/256 pixel, so an edge that runs through a pixel's centre may go either way.
Two rays a pixel, this much to either side of its centre, tell such pixels from those that are clear."""


@dataclass(frozen=True)
class RayCount:
    """What rays see in one view.

    Attributes:
        least: for each leaf, pixels on which it is nearest by both rays, and nothing else is as near.
        most: for each leaf, pixels on which it is nearest by either ray, or as near as the nearest.
        silhouette: pixels hit by both rays, pixels hit by either.
    """

    least: np.ndarray
    most: np.ndarray
    silhouette: tuple[int, int]


def count(design: Design, view: ViewEvidence, hiding: list[bool]) -> RayCount:
    """Count the pixels of a view by rays through the leaves that `hiding` marks."""
    one, other = (_cast(design, view, hiding, shift) for shift in ((ASIDE, 0.6 * ASIDE), (-ASIDE, -0.6 * ASIDE)))
    rows = range(len(hiding))
    return RayCount(
        np.array([(one.sure[row] & other.sure[row]).sum() for row in rows]),
        np.array([(one.first[row] | other.first[row]).sum() for row in rows]),
        (int((one.hit & other.hit).sum()), int((one.hit | other.hit).sum())),
    )


@dataclass(frozen=True)
class _Cast:
    """One ray a pixel: for each leaf, where it is nearest and where it is so alone; where anything is hit."""

    first: np.ndarray
    sure: np.ndarray
    hit: np.ndarray


def _cast(design: Design, view: ViewEvidence, hiding: list[bool], shift: tuple[float, float]) -> _Cast:
    left, top, width, height = view.viewport
    # Millimetres in the camera's frame, counted from the viewport's corner: the matrix stretches x and y alone.
    matrix = np.array(view.model_to_pixel)
    matrix = matrix / np.array([view.pixels_per_mm, view.pixels_per_mm, 1.0])[:, None]
    size = float(np.linalg.norm(design.bounds[1] - design.bounds[0]))
    nearest = np.full(width * height, np.inf)
    depths: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    for row, leaf in enumerate(placed(design)):
        if not hiding[row]:
            continue
        points = apply(np.vstack([matrix, [0, 0, 0, 1]]), apply(leaf.world, leaf.solid.vertices))
        pixels = points[:, :2] * view.pixels_per_mm - [left, top]
        low = np.clip(np.floor(pixels.min(axis=0)).astype(int) - 1, 0, [width, height])
        high = np.clip(np.ceil(pixels.max(axis=0)).astype(int) + 1, 0, [width, height])
        if (high <= low).any():
            continue
        x, y = (axis.ravel() for axis in np.meshgrid(np.arange(low[0], high[0]), np.arange(low[1], high[1])))
        # Counted from the leaf's own middle, so that single precision keeps its digits.
        middle = points.mean(axis=0)
        start = float(points[:, 2].max() - middle[2]) + size
        origins = np.stack(
            [
                (x + left + 0.5 + shift[0]) / view.pixels_per_mm - middle[0],
                (y + top + 0.5 + shift[1]) / view.pixels_per_mm - middle[1],
                np.full(len(x), start),
            ],
            axis=1,
        )
        scene = EmbreeScene()
        TriangleMesh(scene, (points - middle)[leaf.solid.triangles].astype(np.float32))
        along = np.broadcast_to(np.array([0, 0, -1], dtype=np.float32), origins.shape)
        reach = scene.run(origins.astype(np.float32), np.ascontiguousarray(along), query="DISTANCE").astype(np.float64)
        hit = reach < 1e30
        index = (y * width + x)[hit]
        depth = reach[hit] - start - middle[2]
        depths[row] = index, depth
        nearest[index] = np.minimum(nearest[index], depth)
    first = np.zeros((len(hiding), len(nearest)), dtype=bool)
    for row, (index, depth) in depths.items():
        first[row, index] = depth <= nearest[index] + TIE * size
    return _Cast(first, first & (first.sum(axis=0) == 1), np.isfinite(nearest))


def disagreements(design: Design, evidence: Evidence) -> list[str]:
    """Where the evidence differs from the rays by more than 1 % or 3 pixels; empty if it is true."""
    hiding = [one.state in ("shown", "highlighted") for one in evidence.occurrences]
    found = []
    for view in evidence.views:
        rays = count(design, view, hiding)
        total = 0
        for row, one in enumerate(evidence.occurrences):
            pixels = one.views[view.id].pixels
            total += pixels
            if not _agrees(pixels, int(rays.least[row]), int(rays.most[row])):
                found.append(f"{one.path} in {view.id}: {pixels} pixels, rays {rays.least[row]} to {rays.most[row]}")
        if total != view.silhouette_pixels:
            found.append(f"{view.id}: occurrences sum to {total}, silhouette {view.silhouette_pixels}")
        if not _agrees(view.silhouette_pixels, *rays.silhouette):
            found.append(f"{view.id}: silhouette {view.silhouette_pixels}, rays {rays.silhouette}")
    return found


def _agrees(pixels: int, least: int, most: int) -> bool:
    slack = max(3.0, 0.01 * most)
    return least - slack <= pixels <= most + slack


def open_part(design: Design, evidence: Evidence) -> float:
    """The part of all pixels that could be counted for either of two leaves: what the check leaves open."""
    hiding = [one.state in ("shown", "highlighted") for one in evidence.occurrences]
    counts = [count(design, view, hiding) for view in evidence.views]
    return sum(int((one.most - one.least).sum()) for one in counts) / sum(one.silhouette[1] for one in counts)
