"""The faces of leaves that are not flat, with their triangles in the design's frame: they can have silhouettes."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.once import once_per_solid
from dqgen.geometry.strips import group_count, surface_groups
from dqgen.geometry.tessellation import faces_outwards
from dqgen.geometry.transforms import Placed, apply, is_even, moved_normals, scale_of
from dqgen.schemas.design import Floats, Ints, Solid, Surface

EDGE_ON = 1e-5
FITTED_EDGE_ON = 2e-3
"""A normal's component towards the viewer below which a surface counts as seen edge-on: read exactly, or fitted."""


@dataclass(frozen=True)
class BentFaces:
    """The triangles of all faces that are not flat, in the design's frame.

    Attributes:
        points: (V, 3) mm.
        normals: (V, 3) unit outward normals, zero where undefined.
        edge_on: (V,) component towards the viewer below which the surface counts as seen edge-on.
        triangles: (T, 3) rows of `points`.
        face: (T,) number of the face over all leaves: rows of the columns below.
        leaf, row, group: (F,) leaf, row in its solid, and surface group of each face.
        closed: (F,) of a solid whose triangles all face outwards.
        fitted: (F,) found on a mesh.
        kind: (F,) `Surface`; `OTHER` too where the leaf is stretched.
        origin, axis, radius, second: (F, …) as in `FaceTable`, in the design's frame.
    """

    points: Floats
    normals: NDArray[np.float32]
    edge_on: Floats
    triangles: Ints
    face: Ints
    leaf: Ints
    row: Ints
    group: Ints
    closed: NDArray[np.bool_]
    fitted: NDArray[np.bool_]
    kind: NDArray[np.uint8]
    origin: Floats
    axis: Floats
    radius: Floats
    second: Floats


def bent_faces(leaves: list[Placed]) -> BentFaces:
    """The bent faces of leaves; see `BentFaces`."""
    columns: list[tuple[NDArray[np.generic], ...]] = []
    points = faces = total = 0
    for number, leaf in enumerate(leaves):
        solid = leaf.solid
        table = solid.faces
        used, corners, owner = _bent_triangles(solid)
        linear = leaf.world[:3, :3]
        scale = scale_of(leaf.world)
        count = len(table)
        columns.append(
            (
                apply(leaf.world, solid.vertices[used]),
                moved_normals(leaf.world, solid.normals[used]),
                np.full(len(used), FITTED_EDGE_ON if solid.fitted else EDGE_ON),
                corners + points,
                owner + faces,
                np.full(count, number, dtype=np.int32),
                np.arange(count, dtype=np.int32),
                (surface_groups(solid) + total).astype(np.int32),
                np.full(count, faces_outwards(solid)),
                np.full(count, solid.fitted),
                table.kind if is_even(leaf.world) else np.zeros_like(table.kind),
                apply(leaf.world, table.origin),
                table.axis @ linear.T / scale,
                table.radius * scale,
                np.where(table.kind == Surface.TORUS, table.second * scale, table.second),
            )
        )
        points += len(used)
        faces += count
        total += group_count(solid)
    return BentFaces(*(np.concatenate(column) for column in zip(*columns, strict=True)))


@once_per_solid
def _bent_triangles(solid: Solid) -> tuple[Ints, Ints, Ints]:
    """Rows of the vertices of bent faces, their triangles counted in these, and the triangles' faces."""
    picked = np.flatnonzero(solid.faces.kind[solid.triangle_face] != Surface.PLANE)
    triangles = solid.triangles[picked]
    bent = np.zeros(len(solid.vertices), dtype=np.bool_)
    bent[triangles] = True
    number = np.cumsum(bent, dtype=np.int32) - 1
    return np.flatnonzero(bent).astype(np.int32), number[triangles], solid.triangle_face[picked]
