"""Whether points lie in the material of a closed solid."""

import numpy as np
from numpy.typing import NDArray

from dqgen.schemas.design import Floats, Solid

_DIRECTION = np.array([0.5446, 0.3179, 0.7761]) / np.linalg.norm([0.5446, 0.3179, 0.7761])
"""Askew to what engineers draw, so that rays rarely graze a face or meet an edge."""


class Inside:
    """Answers for one solid, by the parity of its triangles in front of a point."""

    def __init__(self, solid: Solid) -> None:
        x = np.linalg.svd(_DIRECTION[None])[2][1]
        self._frame = np.stack([x, np.cross(_DIRECTION, x), _DIRECTION])
        self._corners = (solid.vertices @ self._frame.T)[solid.triangles]
        flat = self._corners[..., :2]
        self._boxes = np.concatenate([flat.min(axis=1), flat.max(axis=1)], axis=1).T.copy()

    def __call__(self, points: Floats) -> NDArray[np.bool_]:
        """Whether each of points (n, 3), in the solid's frame, lies inside."""
        if not len(points):
            return np.zeros(0, dtype=bool)
        turned = points @ self._frame.T
        rows = np.flatnonzero(_meet(self._boxes, turned[:, :2].min(axis=0), turned[:, :2].max(axis=0)))
        boxes = self._boxes[:, rows]
        return np.array([self._one(point, rows[_meet(boxes, point[:2], point[:2])]) for point in turned], dtype=bool)

    def _one(self, point: Floats, near: NDArray[np.intp]) -> bool:
        corners = self._corners[near]
        a, b, c = (corners[:, k, :2] - point[:2] for k in range(3))
        ab, bc, ca = (p[:, 0] * q[:, 1] - p[:, 1] * q[:, 0] for p, q in ((a, b), (b, c), (c, a)))
        hit = ((ab > 0) & (bc > 0) & (ca > 0)) | ((ab < 0) & (bc < 0) & (ca < 0))
        total = np.where(hit, ab + bc + ca, 1.0)
        height = (bc * corners[:, 0, 2] + ca * corners[:, 1, 2] + ab * corners[:, 2, 2]) / total
        return bool(np.count_nonzero(hit & (height > point[2])) % 2)


def _meet(boxes: Floats, low: Floats, high: Floats) -> NDArray[np.bool_]:
    """Which boxes (4, n), least x, y, greatest x, y, meet the one from `low` to `high`."""
    met: NDArray[np.bool_] = boxes[0] <= high[0]
    met &= boxes[1] <= high[1]
    met &= boxes[2] >= low[0]
    met &= boxes[3] >= low[1]
    return met
