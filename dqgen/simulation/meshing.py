"""Tetrahedra in a prism: its profile in triangles, drawn out in layers, each wedge cut in three."""

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import Delaunay

from dqgen.errors import UsageError
from dqgen.schemas.design import Floats
from dqgen.simulation.prism import Prism

Rows = NDArray[np.int64]
AROUND = 24
"""Least number of elements around a round section."""
BEND = 25.0
"""Degrees at which two pieces of a boundary make a corner."""
MOST = 40_000
"""Tetrahedra: more would keep one process busy for minutes."""


def mesh(prism: Prism, size: float, layer: float) -> tuple[Floats, Rows]:
    """A mesh of a prism.

    Args:
        prism: the part.
        size: length of an element's side in the profile, mm.
        layer: thickness of a layer along, mm.

    Returns:
        Points (n, 3) as (across, up, along) in mm, and tetrahedra (m, 4) of positive volume.

    Raises:
        UsageError: the part would need too many elements, or its profile cannot be cut at that size.
    """
    flat, triangles = profile(prism, size)
    layers = max(1, round(prism.length / layer))
    if 3 * layers * len(triangles) > MOST:
        raise UsageError(f"the part needs {3 * layers * len(triangles)} elements, and {MOST} are the most")
    count = len(flat)
    levels = np.linspace(0.0, prism.length, layers + 1)
    points = np.column_stack([np.tile(flat, (layers + 1, 1)), np.repeat(levels, count)])
    # With the corners in order of their numbers, neighbours cut the side that they share alike.
    a, b, c = np.sort(triangles, axis=1).T
    base = np.concatenate(
        [np.stack(four, axis=1) for four in (
            (a, b, c, c + count), (a, b, b + count, c + count), (a, a + count, b + count, c + count)
        )]
    )  # fmt: skip
    tetrahedra = (base[None] + count * np.arange(layers)[:, None, None]).reshape(-1, 4)
    corners = points[tetrahedra]
    volume = np.linalg.det(corners[:, 1:] - corners[:, :1])
    wrong = volume < 0
    tetrahedra[wrong, :2] = tetrahedra[wrong, 1::-1]
    return points, tetrahedra


def profile(prism: Prism, size: float) -> tuple[Floats, Rows]:
    """Points (n, 2) and triangles (m, 3) of a prism's profile.

    Raises:
        UsageError: it cannot be cut at that size.
    """
    rings = prism.rings
    if rings is not None:
        return _polar(*rings, size)
    for halving in range(4):
        made = _triangulated(prism.loops, size / 2**halving)
        if made is not None:
            return made
    raise UsageError("the profile is too finely cut to be meshed", mend="simulate a simpler part")


def _polar(centre: Floats, inner: float, outer: float, size: float) -> tuple[Floats, Rows]:
    """Rings of points around the centre of a bar or tube."""
    around = max(AROUND, round(2 * np.pi * outer / size))
    steps = max(1, round((outer - inner) / size))
    # The polygon's area is the circle's: its corners stand a little outside it.
    swell = np.sqrt(2 * np.pi / around / np.sin(2 * np.pi / around))
    radii = np.linspace(inner, outer, steps + 1) * swell
    angle = 2 * np.pi * np.arange(around) / around
    spokes = np.column_stack([np.cos(angle), np.sin(angle)])
    rings = radii if inner else radii[1:]
    points = centre + (rings[:, None, None] * spokes[None]).reshape(-1, 2)
    here = np.arange(around)
    after = (here + 1) % around
    triangles = []
    for ring in range(len(rings) - 1):
        low, high = ring * around, (ring + 1) * around
        triangles.append(np.column_stack([low + here, high + here, high + after]))
        triangles.append(np.column_stack([low + here, high + after, low + after]))
    if not inner:
        points = np.vstack([points, centre])
        triangles.append(np.column_stack([np.full(around, len(points) - 1), here, after]))
    return points, np.concatenate(triangles).astype(np.int64)


def _triangulated(loops: tuple[Floats, ...], size: float) -> tuple[Floats, Rows] | None:
    """Boundary points at that distance, a triangular grid inside, moved to even out; None if a boundary is crossed."""
    rims = [_divided(loop, size) for loop in loops]
    rim = np.concatenate(rims)
    low, high = rim.min(axis=0), rim.max(axis=0)
    rows = np.arange(low[1], high[1], size * np.sqrt(3) / 2)
    grid = np.concatenate(
        [np.column_stack([np.arange(low[0] + (odd % 2) * size / 2, high[0], size),
                          np.full(len(np.arange(low[0] + (odd % 2) * size / 2, high[0], size)), y)])
         for odd, y in enumerate(rows)]
    )  # fmt: skip
    grid = grid[inside(grid, rims) & (_distance(grid, rims) > 0.55 * size)]
    points = np.vstack([rim, grid])
    for _ in range(8):
        triangles = _within(points, rims)
        points[len(rim) :] = _centred(points, triangles)[len(rim) :]
    triangles = _within(points, rims)
    sides = {
        tuple(sorted(pair))
        for triple in triangles.tolist()
        for pair in zip(triple, triple[1:] + triple[:1], strict=True)
    }
    start = 0
    for loop in rims:
        around = [(start + at, start + (at + 1) % len(loop)) for at in range(len(loop))]
        if any(tuple(sorted(pair)) not in sides for pair in around):
            return None
        start += len(loop)
    used = np.unique(triangles)
    renumbered = np.full(len(points), -1)
    renumbered[used] = np.arange(len(used))
    return points[used], renumbered[triangles].astype(np.int64)


def _divided(loop: Floats, size: float) -> Floats:
    """Points along a closed polygon no further than `size` apart; its corners stay."""
    after, before = np.roll(loop, -1, axis=0) - loop, loop - np.roll(loop, 1, axis=0)
    cross = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    turn = np.degrees(np.abs(np.arctan2(cross, np.einsum("ij,ij->i", before, after))))
    corners = np.flatnonzero(turn > BEND)
    if not len(corners):
        corners = np.array([0])
    ring = np.concatenate([loop, loop])
    parts = []
    for at, corner in enumerate(corners):
        end = corners[(at + 1) % len(corners)] + (len(loop) if at == len(corners) - 1 else 0)
        path = ring[corner : end + 1]
        reach = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(path, axis=0), axis=1))])
        # A whole circle needs a few pieces, however small it is.
        pieces = max(8 if len(corners) == 1 else 1, int(np.ceil(reach[-1] / size)))
        wanted = np.linspace(0, reach[-1], pieces + 1)[:-1]
        parts.append(np.column_stack([np.interp(wanted, reach, path[:, axis]) for axis in (0, 1)]))
    return np.concatenate(parts)


def _within(points: Floats, rims: list[Floats]) -> Rows:
    triangles = Delaunay(points).simplices.astype(np.int64)
    corners = points[triangles]
    first, second = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    doubled = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
    kept: Rows = triangles[inside(corners.mean(axis=1), rims) & (doubled > 1e-9 * np.ptp(points) ** 2)]
    return kept


def _centred(points: Floats, triangles: Rows) -> Floats:
    """Each point moved to the mean of its neighbours."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    both = np.unique(np.sort(pairs, axis=1), axis=0)
    both = np.concatenate([both, both[:, ::-1]])
    sums = np.zeros_like(points)
    np.add.at(sums, both[:, 0], points[both[:, 1]])
    count = np.bincount(both[:, 0], minlength=len(points))[:, None]
    return np.where(count > 0, sums / np.maximum(count, 1), points)


def inside(points: Floats, rims: list[Floats]) -> NDArray[np.bool_]:
    """Whether points (n, 2) lie within the first polygon and in none of the others: by crossings of a ray."""
    crossings = np.zeros(len(points), dtype=np.int64)
    for loop in rims:
        after = np.roll(loop, -1, axis=0)
        spans = (loop[None, :, 1] > points[:, None, 1]) != (after[None, :, 1] > points[:, None, 1])
        rise = after[:, 1] - loop[:, 1]
        part = (points[:, None, 1] - loop[None, :, 1]) / np.where(rise == 0, 1.0, rise)[None]
        at = loop[None, :, 0] + part * (after[:, 0] - loop[:, 0])[None]
        crossings += (spans & (points[:, None, 0] < at)).sum(axis=1)
    odd: NDArray[np.bool_] = crossings % 2 == 1
    return odd


def _distance(points: Floats, rims: list[Floats]) -> Floats:
    """Distance of points (n, 2) from the nearest polygon, mm."""
    best = np.full(len(points), np.inf)
    for loop in rims:
        along = np.roll(loop, -1, axis=0) - loop
        square = np.maximum(np.einsum("ij,ij->i", along, along), 1e-18)
        offset = points[:, None] - loop[None]
        part = np.clip(np.einsum("nij,ij->ni", offset, along) / square, 0, 1)
        best = np.minimum(best, np.linalg.norm(offset - part[:, :, None] * along, axis=2).min(axis=1))
    return best
