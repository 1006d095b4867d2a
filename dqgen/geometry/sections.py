"""Section cuts: where a plane meets the triangulation of a leaf, as closed loops.

The curves behind the cut come from `hidden_lines` with `LineOptions.depth`.
"""

import itertools
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.silhouettes import chains_of
from dqgen.geometry.tessellation import weld
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats

NUDGE = 1e-7
"""Vertices nearer to the plane than this part of the leaf's size count as behind it: no cut runs along a face."""


@dataclass(frozen=True)
class SectionLoop:
    """One loop of the cut through one leaf.

    Attributes:
        leaf: row of the leaf in the list that was cut.
        points: (n, 2) view mm, counter-clockwise around material, clockwise around a hole; the first point is not
            repeated.
        area: mm², negative for a hole.
        closed: false where an open or damaged triangulation leaves a gap.
    """

    leaf: int
    points: Floats
    area: float
    closed: bool


def section(leaves: list[Placed], rotation: Floats, depth: float) -> list[SectionLoop]:
    """Cut leaves by the plane rotation[2] · p = depth, looked at against rotation[2].

    Args:
        leaves: what is cut.
        rotation: (3, 3) rows right, up and towards the viewer; the cut lies in the plane of right and up.
        depth: mm along rotation[2] from the design's origin.

    Returns:
        Loops leaf by leaf, the largest outline first; on the triangulation, so within its deflection of the exact cut.
    """
    return [loop for row, leaf in enumerate(leaves) for loop in _loops(leaf, row, rotation, depth)]


def _loops(leaf: Placed, row: int, rotation: Floats, depth: float) -> list[SectionLoop]:
    solid = leaf.solid
    seen = apply(leaf.world, solid.vertices) @ rotation.T
    height = seen[:, 2] - depth
    size = float(np.linalg.norm(np.ptp(seen, axis=0)))
    height = np.where(np.abs(height) < NUDGE * size, -NUDGE * size, height)
    front = height[solid.triangles] > 0
    crossed = np.flatnonzero(front.any(axis=1) & ~front.all(axis=1))
    if not len(crossed):
        return []
    point = weld(solid.vertices, 1e-9 * max(1.0, float(np.abs(solid.vertices).max())))
    corners, front = solid.triangles[crossed], front[crossed]
    mirrored = np.linalg.det(leaf.world[:3, :3]) < 0
    # Going round a triangle as seen from outside, the cut begins where the plane is left to the front and ends where it
    # is met again: material then lies to the left of it, looked at from the front.
    after = np.roll(front, -1, axis=1)
    rising, falling = (~front & after).argmax(axis=1), (front & ~after).argmax(axis=1)
    begin, end = (rising, falling) if mirrored else (falling, rising)
    ends, keys = [], []
    span = np.int64(point.max() + 1)
    for side in (begin, end):
        a = np.take_along_axis(corners, side[:, None], 1)[:, 0]
        b = np.take_along_axis(corners, ((side + 1) % 3)[:, None], 1)[:, 0]
        low, high = np.minimum(point[a], point[b]), np.maximum(point[a], point[b])
        weight = (height[a] / (height[a] - height[b]))[:, None]
        ends.append(seen[a, :2] * (1 - weight) + seen[b, :2] * weight)
        keys.append(low * span + high)
    loops = []
    key = np.stack(keys, axis=1)
    chains = chains_of(key)
    for begin, end in itertools.pairwise(chains.starts.tolist()):
        steps, turned = chains.steps[begin:end], chains.turned[begin:end]
        flat = np.stack([ends[0][steps], ends[1][steps]], axis=1)
        flat = np.where(turned[:, None, None], flat[:, ::-1], flat)
        against = turned.mean() > 0.5
        first = key[steps[0], 1 if turned[0] else 0]
        last = key[steps[-1], 0 if turned[-1] else 1]
        points = flat[:, 0] if first == last else np.concatenate([flat[:, 0], flat[-1:, 1]])
        points = _without_repeats(points[::-1] if against else points, 1e-9 * size)
        if len(points) < 3:
            continue
        x, y = points.T
        area = float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2)
        loops.append(SectionLoop(row, points, area, bool(first == last)))
    return sorted(loops, key=lambda loop: -loop.area)


def _without_repeats(points: Floats, close: float) -> Floats:
    kept: Floats = points[np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1) > close]
    return kept
