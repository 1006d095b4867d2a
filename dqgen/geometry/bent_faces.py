"""The faces of leaves that are not flat, and of their triangles those in which a view's silhouettes run."""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.once import once_per_solid
from dqgen.geometry.surfaces import first_surfaces
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import Floats, Ints, Solid, Surface

EDGE_ON = 1e-5
FITTED_EDGE_ON = 2e-3
"""A normal's component towards the viewer below which a surface counts as seen edge-on: read exactly, or fitted."""


@dataclass(frozen=True)
class BentFaces:
    """All faces of leaves, those that are not flat to have silhouettes.

    Attributes:
        leaves: the leaves.
        first_face, first_vertex: (n + 1,) number of each leaf's first face and vertex over all leaves.
        leaf, row, group: (F,) leaf, row in its solid, and surface group of each face.
        closed: (F,) of a solid whose triangles all face outwards.
        fitted: (F,) found on a mesh.
        kind: (F,) `Surface`; `OTHER` too where the leaf is stretched.
        origin, axis, radius, second: (F, …) as in `FaceTable`, in the design's frame.
    """

    leaves: list[Placed]
    first_face: NDArray[np.int64]
    first_vertex: NDArray[np.int64]
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


@dataclass(frozen=True)
class Facets:
    """Triangles of bent faces in the design's frame, T of them, each with corners of its own.

    Attributes:
        points: (T, 3, 3) mm.
        normals: (T, 3, 3) unit outward normals of the surface there, zero where undefined.
        facing: (T, 3) their component towards the viewer, 0 where the surface counts as seen edge-on.
        vertex: (T, 3) number of each corner's vertex over all leaves.
        face: (T,) number of the face over all leaves.
    """

    points: Floats
    normals: NDArray[np.float32]
    facing: Floats
    vertex: NDArray[np.int64]
    face: NDArray[np.int64]


def bent_faces(leaves: list[Placed]) -> BentFaces:
    """The faces of leaves; see `BentFaces`."""
    columns: list[tuple[NDArray[np.generic], ...]] = []
    firsts = first_surfaces(leaves)
    for number, (leaf, first) in enumerate(zip(leaves, firsts, strict=True)):
        solid = leaf.solid
        table = solid.faces
        count = len(table)
        columns.append(
            (
                np.full(count, number, dtype=np.int32),
                np.arange(count, dtype=np.int32),
                solid.face_surface + first,
                np.full(count, solid.closed),
                np.full(count, solid.fitted),
                table.kind if leaf.even else np.zeros_like(table.kind),
                apply(leaf.world, table.origin),
                table.axis @ leaf.world[:3, :3].T / leaf.scale,
                table.radius * leaf.scale,
                np.where(table.kind == Surface.TORUS, table.second * leaf.scale, table.second),
            )
        )
    sizes = [(len(leaf.solid.faces), len(leaf.solid.vertices)) for leaf in leaves]
    first_face, first_vertex = np.cumsum([(0, 0), *sizes], axis=0).T
    stacked = [np.concatenate(column) for column in zip(*columns, strict=True)]
    return BentFaces(leaves, first_face, first_vertex, *stacked)


def turning(bent: BentFaces, toward: Floats) -> Facets:
    """The triangles in which the surface turns out of sight, and those along one side of which it is seen edge-on.

    Args:
        bent: the faces.
        toward: (3,) unit vector towards the viewer.
    """
    found = [_turning(bent, number, toward) for number in range(len(bent.leaves))]
    names = [column.name for column in fields(Facets)]
    return Facets(*(np.concatenate([getattr(facets, name) for facets in found]) for name in names))


def _turning(bent: BentFaces, number: int, toward: Floats) -> Facets:
    """Those of one leaf."""
    leaf = bent.leaves[number]
    solid = leaf.solid
    triangles, faces = _bent_triangles(solid)
    if leaf.even:
        facing = solid.normals @ (leaf.world[:3, :3].T @ toward / leaf.scale).astype(np.float32)
    else:
        facing = leaf.turned(solid.normals) @ toward.astype(np.float32)
    facing[np.abs(facing) < (FITTED_EDGE_ON if solid.fitted else EDGE_ON)] = 0
    # Signs in two bits a corner: of hundreds of thousands of triangles few are looked at closely.
    sign = (facing > 0).view(np.uint8) + 2 * (facing < 0).view(np.uint8)
    a, b, c = (sign[column] for column in triangles)
    both = a | b | c
    # Either both signs, or one sign at one corner.
    rows = np.flatnonzero((both == 3) | ((both > 0) & (a + b + c == both)))
    corners = triangles[:, rows].T
    return Facets(
        apply(leaf.world, solid.vertices[corners.ravel()]).reshape(-1, 3, 3),
        leaf.turned(solid.normals[corners.ravel()]).reshape(-1, 3, 3),
        facing[corners].astype(np.float64),
        corners + bent.first_vertex[number],
        faces[rows] + bent.first_face[number],
    )


@once_per_solid
def _bent_triangles(solid: Solid) -> tuple[Ints, Ints]:
    """The triangles of a solid's bent faces: their corners (3, t), rows of the vertices, and their faces (t,)."""
    picked = np.flatnonzero(solid.faces.kind[solid.triangle_face] != Surface.PLANE)
    return np.ascontiguousarray(solid.triangles[picked].T), solid.triangle_face[picked]
