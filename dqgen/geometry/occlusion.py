"""What hides a point from the viewer: rays through the triangles of a list of leaves, by Embree."""

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.bounds import corners
from dqgen.geometry.rays import ray_scene
from dqgen.geometry.surfaces import first_surfaces
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Ints, Solid, Surface

RAY_STEP = 1e-5
"""How far rays start off a surface, as a part of the scene's diagonal: single precision resolves a hundredth of it."""
PASSES = 8
"""How many of its own triangles a ray may pass through before it counts as hidden."""


class Occluders:
    """The triangles of leaves, ready for rays.

    Attributes:
        size: diagonal of their box, mm.
        step: how far rays start off a surface, mm.
    """

    def __init__(self, leaves: list[Placed]) -> None:
        solids = [leaf.solid for leaf in leaves]
        first_point = np.cumsum([0, *(len(solid.vertices) for solid in solids)])
        first_triangle = np.cumsum([0, *(len(solid.triangles) for solid in solids)])
        first_surface = first_surfaces(leaves)
        vertices = np.zeros((first_point[-1], 4), dtype=np.float32)
        triangles = np.empty((first_triangle[-1], 3), dtype=np.uint32)
        self._owner = np.empty(first_triangle[-1], dtype=np.int32)
        self._bulging = np.zeros(first_surface[-1] + len(solids[-1].faces) + 1, dtype=np.bool_)
        # Single precision counts from the middle of all, or nearly so.
        boxes = [apply(leaf.world, corners(leaf.solid.bounds)) for leaf in leaves]
        self._centre = (np.min(boxes, axis=(0, 1)) + np.max(boxes, axis=(0, 1))) / 2
        for row, (leaf, solid) in enumerate(zip(leaves, solids, strict=True)):
            own = slice(first_triangle[row], first_triangle[row + 1])
            moved = solid.vertices @ leaf.world[:3, :3].T
            moved += leaf.world[:3, 3] - self._centre
            vertices[first_point[row] : first_point[row + 1], :3] = moved
            np.add(solid.triangles, first_point[row], out=triangles[own], casting="unsafe")
            np.add(solid.face_surface[solid.triangle_face], first_surface[row], out=self._owner[own])
        surfaces = [solid.face_surface + first for solid, first in zip(solids, first_surface, strict=True)]
        self._bulging[np.concatenate(surfaces)] = _bulging(solids)
        extent = np.ptp(vertices[:, :3].T.copy(), axis=1)  # a row an axis: its extremes are found faster
        self.size = max(float(np.linalg.norm(extent)), 1e-9)
        self.step = RAY_STEP * self.size
        self._scene = ray_scene(vertices, triangles)

    def hidden(
        self, points: Floats, toward: Floats, own: Ints, reach: Floats, limit: Floats | None = None
    ) -> NDArray[np.bool_]:
        """Whether something lies between points and the viewer.

        Args:
            points: (n, 3) mm, off their own surfaces by `step` or more.
            toward: (3,) unit vector towards the viewer.
            own: (n, 2) surface groups that the points lie on. A surface that is flat or bulges (outside of a cylinder,
                cone or sphere) never hides its own points: its triangles are passed through.
            reach: (n,) mm within which other surfaces do not hide their own points either.
            limit: (n,) mm beyond which nothing hides: what lies there is cut away.
        """
        origins = points - self._centre
        result = np.zeros(len(points), dtype=np.bool_)
        rows = np.arange(len(points))
        travelled = np.zeros(len(points))
        for _ in range(PASSES):
            if not len(rows):
                break
            triangle, distance = self._scene.first_hits(origins[rows] + travelled[:, None] * toward, toward)
            hit = triangle >= 0
            group = self._owner[triangle]
            at = travelled + np.where(hit, distance, 0)
            mine = (own[rows] == group[:, None]).any(axis=1)
            passed = hit & mine & (self._bulging[group] | (at < reach[rows]))
            result[rows] = hit if limit is None else hit & (at < limit[rows])
            travelled = at[passed] + self.step
            rows = rows[passed]
        return result


def _bulging(solids: list[Solid]) -> NDArray[np.bool_]:
    """Of all faces, whether they are flat or bulge outwards."""
    kind = np.concatenate([solid.faces.kind for solid in solids])
    hollow = np.concatenate([solid.faces.reversed for solid in solids])
    fitted = np.repeat([solid.fitted for solid in solids], [len(solid.faces) for solid in solids])
    round_ = (kind == Surface.CYLINDER) | (kind == Surface.CONE) | (kind == Surface.SPHERE)
    bulging: NDArray[np.bool_] = (kind == Surface.PLANE) | (round_ & ~hollow & ~fitted)
    return bulging
