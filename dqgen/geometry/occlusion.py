"""What hides a point from the viewer: rays through the triangles of a list of leaves, by Embree."""

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.rays import ray_scene
from dqgen.geometry.strips import group_count, surface_groups
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Ints, Surface

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
        vertices, triangles, owner, bulging = [], [], [], []
        points = faces = 0
        for leaf in leaves:
            solid = leaf.solid
            own = surface_groups(solid)
            vertices.append(apply(leaf.world, solid.vertices))
            triangles.append(solid.triangles + points)
            owner.append(own[solid.triangle_face] + faces)
            kind = solid.faces.kind
            outer = (
                (kind == Surface.CYLINDER) | (kind == Surface.CONE) | (kind == Surface.SPHERE)
            ) & ~solid.faces.reversed
            of_group = np.zeros(group_count(solid), dtype=bool)
            of_group[own] = (outer & (not solid.fitted)) | (kind == Surface.PLANE)
            bulging.append(of_group)
            points += len(solid.vertices)
            faces += group_count(solid)
        stacked = np.concatenate(vertices)
        low, high = stacked.min(axis=0), stacked.max(axis=0)
        self._centre = (low + high) / 2
        self.size = max(float(np.linalg.norm(high - low)), 1e-9)
        self.step = RAY_STEP * self.size
        self._owner = np.concatenate(owner)
        self._bulging = np.concatenate(bulging)
        self._scene = ray_scene(stacked - self._centre, np.concatenate(triangles))

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
