"""Points found by where they lie."""

import numpy as np
from numpy.typing import ArrayLike

from dqgen.schemas.design import Floats


class Nearby:
    """Finds those of (N, 2) points that lie within a distance of a place: a window along X, then what is in reach."""

    def __init__(self, points: ArrayLike) -> None:
        placed: Floats = np.asarray(points, dtype=float).reshape(-1, 2)
        self._order = np.argsort(placed[:, 0], kind="stable")
        self._x = placed[self._order, 0]
        self._y = placed[self._order, 1]

    def __len__(self) -> int:
        return len(self._order)

    def within(self, place: ArrayLike, reach: float) -> list[int]:
        """Rows of the points no further from a place than `reach`, in their own order."""
        x, y = np.asarray(place, dtype=float).tolist()
        low, high = np.searchsorted(self._x, (x - reach, x + reach), side="left").tolist()
        high += int(np.searchsorted(self._x[high:], x + reach, side="right"))
        near = np.hypot(self._x[low:high] - x, self._y[low:high] - y) <= reach
        found: list[int] = np.sort(self._order[low:high][near]).tolist()
        return found
