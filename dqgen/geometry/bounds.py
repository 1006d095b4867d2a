"""Boxes around solids, occurrences and designs."""

import numpy as np

from dqgen.geometry.transforms import Placed, apply, is_axis_aligned, placed
from dqgen.schemas.design import Design, Floats


def corners(bounds: Floats) -> Floats:
    """The eight corners (8, 3) of a box (2, 3)."""
    pick = np.array([[(i >> k) & 1 for k in range(3)] for i in range(8)])
    return np.take_along_axis(bounds, pick, axis=0)


def placed_bounds(leaf: Placed) -> Floats:
    """Box (2, 3) of a leaf in the design's frame: exact where the leaf is not turned askew, else of its vertices."""
    points = corners(leaf.solid.bounds) if is_axis_aligned(leaf.world) else leaf.solid.vertices
    moved = apply(leaf.world, points)
    return np.stack([moved.min(axis=0), moved.max(axis=0)])


def union(boxes: list[Floats]) -> Floats:
    """The box around boxes; raises ValueError if there are none."""
    stacked = np.stack(boxes)
    return np.stack([stacked[:, 0].min(axis=0), stacked[:, 1].max(axis=0)])


def design_bounds(design: Design) -> Floats:
    """The box (2, 3) around all leaves."""
    return union([placed_bounds(leaf) for leaf in placed(design)])


def camera_box(leaves: list[Placed], rotation: Floats) -> Floats:
    """Box (2, 3) around leaves in a camera's axes (rows of `rotation`), exact to their triangulation."""
    boxes = []
    for leaf in leaves:
        seen = (rotation @ leaf.world[:3, :3]) @ leaf.solid.vertices.T  # a row an axis: its extremes are found faster
        boxes.append(np.stack([seen.min(axis=1), seen.max(axis=1)]) + rotation @ leaf.world[:3, 3])
    return union(boxes)
