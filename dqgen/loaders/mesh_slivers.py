"""Triangles without an area that join others: where one has an edge and its neighbours have two, a corner between."""

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats, Ints

ROUNDS = 20
"""Slivers that lie against slivers are taken one after the other, at most so often."""


def without_slivers(vertices: Floats, triangles: Ints, thin: NDArray[np.bool_]) -> Ints:
    """The triangles without the thin ones, whose neighbours meet directly.

    A thin triangle has its middle corner on its longest side. The neighbour across that side is split there: left out
    without that, the sliver would leave a slit.

    Args:
        vertices: (V, 3).
        triangles: (T, 3) rows of `vertices`, those of the thin ones distinct.
        thin: (T,) which have no area.

    Returns:
        (U, 3) triangles; thin ones without a neighbour across their longest side are gone.
    """
    for _ in range(ROUNDS):
        rows = np.flatnonzero(thin)
        if not len(rows):
            break
        corners = vertices[triangles[rows]]
        sides = np.linalg.norm(corners[:, (2, 0, 1)] - corners[:, (1, 2, 0)], axis=2)  # across from each corner
        middle = sides.argmax(axis=1)
        turn = (middle[:, None] + np.arange(3)) % 3
        tips, starts, ends = np.take_along_axis(triangles[rows], turn, axis=1).T.astype(np.int64)
        keys, order = _sides(triangles, len(vertices))
        wanted = ends * len(vertices) + starts  # the neighbour runs along the side the other way round
        at = np.searchsorted(keys, wanted)
        split: dict[int, tuple[int, int]] = {}
        for number, (row, place) in enumerate(zip(rows.tolist(), at.tolist(), strict=True)):
            if place < len(keys) and keys[place] == wanted[number]:
                other, side = divmod(int(order[place]), 3)
                if not thin[other] and other not in split:
                    split[other] = side, int(tips[number])
                    thin[row] = False
                    triangles[row] = -1
        if not split:
            break
        more = []
        for other, (side, tip) in split.items():
            a, b, c = (int(triangles[other, (side + k) % 3]) for k in range(3))
            triangles[other] = a, tip, c
            more.append((tip, b, c))
        gone = triangles[:, 0] < 0
        triangles = np.concatenate([triangles[~gone], np.array(more, dtype=triangles.dtype)])
        thin = np.concatenate([thin[~gone], np.zeros(len(more), dtype=np.bool_)])
    return triangles[~thin]


def _sides(triangles: Ints, count: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Directed sides as sorted numbers, start · count + end, and 3 · triangle + side of each."""
    ends = np.roll(triangles, -1, axis=1)
    keys = (triangles.astype(np.int64) * count + ends).ravel()
    order = np.argsort(keys, kind="stable")
    return keys[order], order
