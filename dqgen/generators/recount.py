"""Pixels counted a second way: a ray through each pixel's centre, by Embree instead of the rasteriser."""

from collections.abc import Sequence

import numpy as np
from embreex.mesh_construction import TriangleMesh
from embreex.rtcore_scene import EmbreeScene
from numpy.typing import NDArray

from dqgen.geometry.bounds import corners
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats
from dqgen.schemas.evidence import ViewEvidence


class Rays:
    """Leaves that hide each other, ready for rays.

    Args:
        leaves: all leaves of a design.
        shown: rows of those that can be seen.
    """

    def __init__(self, leaves: list[Placed], shown: Sequence[int]) -> None:
        points, triangles, owner = [], [], []
        before = 0
        for row in shown:
            solid = leaves[row].solid
            points.append(apply(leaves[row].world, solid.vertices))
            triangles.append(solid.triangles + before)
            owner.append(np.full(len(solid.triangles), row))
            before += len(solid.vertices)
        whole = np.concatenate(points)
        self._low, self._high = whole.min(axis=0), whole.max(axis=0)
        self._middle = (self._low + self._high) / 2
        self._owner = np.concatenate(owner)
        self._scene = EmbreeScene()
        self._mesh = TriangleMesh(
            self._scene, (whole - self._middle).astype(np.float32), np.concatenate(triangles).astype(np.int32)
        )

    def seen(self, view: ViewEvidence, pad: int = 0, within: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
        """The row of the leaf that each pixel of a view shows, -1 where there is none.

        Args:
            view: from the evidence of a picture.
            pad: pixels around the view that are looked at as well.
            within: (height, width) pixels that are looked at, with the pad; all of them if None.
        """
        left, top, width, height = view.viewport
        x = np.arange(left - pad, left + width + pad) + 0.5
        y = np.arange(top - pad, top + height + pad) + 0.5
        matrix = np.array(view.model_to_pixel)
        found = np.full((len(y), len(x)), -1, dtype=np.int64)
        box = corners(np.stack([self._low, self._high])) @ matrix[:2, :3].T + matrix[:2, 3]
        looked = (np.abs(x - box[:, 0].mean()) <= np.ptp(box[:, 0]) / 2 + 1)[None, :] & (
            np.abs(y - box[:, 1].mean()) <= np.ptp(box[:, 1]) / 2 + 1
        )[:, None]
        if within is not None:
            looked &= within
        down, across = (y[k] if axis == 0 else x[k] for axis, k in enumerate(np.nonzero(looked)))
        # Rows of the camera: right, up, towards the viewer.
        rows = matrix[:, :3] / np.array([view.pixels_per_mm, -view.pixels_per_mm, 1.0])[:, None]
        far = float(np.linalg.norm(self._high - self._low))
        towards: Floats = rows[2]
        place = np.stack(
            [
                (across - matrix[0, 3]) / view.pixels_per_mm,
                (matrix[1, 3] - down) / view.pixels_per_mm,
                np.full(across.size, float(towards @ self._middle) + far),
            ],
            axis=1,
        )
        origins = (place @ rows - self._middle).astype(np.float32)
        along = np.broadcast_to((-towards).astype(np.float32), origins.shape).copy()
        hit = self._scene.run(origins, along, output=True)["primID"]
        found[looked] = np.where(hit >= 0, self._owner[np.maximum(hit, 0)], -1)
        return found
