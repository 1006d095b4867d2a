"""Strips: polylines on the triangulation that may become curves of a view, with what is known beside them.

Visibility is asked on the polyline, so that curves and the triangles that hide them agree; what is put out is the
exact curve at the same parameter.
"""

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.conics import conics
from dqgen.geometry.once import once_per_solid
from dqgen.geometry.surfaces import first_surfaces
from dqgen.geometry.tessellation import cross
from dqgen.geometry.transforms import Placed, apply
from dqgen.schemas.design import EdgeClass, Floats, Ints, Solid

UNKNOWN, CONVEX, CONCAVE, OUTER, INNER = 0, 1, -1, 2, -2
"""How the surfaces meet at a step: at an edge bent outward or inward, or one surface that bends out of sight bulging
towards the viewer (`OUTER`) or hollow (`INNER`, never seen on a closed solid)."""


@dataclass(frozen=True)
class Strips:
    """S strips of P points in all. What is said of a step stands in the row of the step's first point.

    Attributes:
        leaf: (S,) row of the leaf.
        edge: (S,) row of the solid's edge, -1 for a silhouette.
        faces: (S, 2) rows of the solid's faces, -1 for none.
        groups: (S, 2) number of each face's surface over all leaves (see `first_surfaces`), -1 for none.
        edge_class: (S,) `EdgeClass`.
        kind: (S,) `Curve`.
        conic: (S, 3, 3) of a circle or ellipse: centre, and the radii as vectors at parameters 0° and 90°.
        closed: (S,) of a solid whose triangles all face outwards.
        starts: (S + 1,) first point of each strip.
        points: (P, 3) mm in the design's frame.
        parameter: (P,) degrees on a circle or ellipse, else the point's number in its strip.
        normals: (P, 2, 2, 3) outward unit normals of the two faces (second axis) at the step's ends (third axis); of
            the one face twice where there is one only.
        bend: (P,) `CONVEX`, `CONCAVE`, …
        sag: (P,) mm that the step lies off the exact curve, at most.
        reach: (P,) mm within which its own surfaces do not hide the step: their triangles stand off them.
    """

    leaf: Ints
    edge: Ints
    faces: Ints
    groups: Ints
    edge_class: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    conic: Floats
    closed: NDArray[np.bool_]
    starts: NDArray[np.int64]
    points: Floats
    parameter: Floats
    normals: NDArray[np.float32]
    bend: NDArray[np.int8]
    sag: Floats
    reach: Floats

    def __len__(self) -> int:
        return len(self.leaf)


def joined(parts: list[Strips]) -> Strips:
    """Several sets of strips as one."""
    shift = np.cumsum([0, *(len(part.points) for part in parts)])
    columns = {
        field.name: np.concatenate([getattr(part, field.name) for part in parts])
        for field in fields(Strips)
        if field.name != "starts"
    }
    starts = [part.starts[:-1] + at for part, at in zip(parts, shift, strict=False)]
    return Strips(starts=np.concatenate([*starts, shift[-1:]]), **columns)


@dataclass(frozen=True)
class _Edges:
    """The edges of one solid in its own frame, seams left out: E of them, P points in all. See `Strips`.

    Attributes:
        sizes: (E,) points of each.
        surfaces: (E, 2) numbers of the two faces' surfaces in the solid, -1 for none.
    """

    edge: Ints
    faces: Ints
    surfaces: Ints
    edge_class: NDArray[np.uint8]
    kind: NDArray[np.uint8]
    conic: Floats
    sizes: NDArray[np.int64]
    points: Floats
    parameter: Floats
    normals: NDArray[np.float32]
    bend: NDArray[np.int8]


@once_per_solid
def _edges(solid: Solid) -> _Edges:
    table = solid.edges
    sizes = np.diff(table.starts)
    kept = np.flatnonzero((table.edge_class != EdgeClass.SEAM) & (sizes > 1))
    sizes = sizes[kept].astype(np.int64)
    rows = np.repeat(table.starts[kept] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    points, beside = table.points[rows], solid.step_vertices[rows]
    faces = table.faces[kept]
    normals = solid.normals[beside] if len(solid.normals) else np.zeros((len(rows), 2, 2, 3), dtype=np.float32)
    missed = beside[:, 0, 0] < 0
    normals[missed] = 0
    middle = normals[:, :, 0] + normals[:, :, 1]
    direction = np.diff(points, axis=0, append=points[-1:])
    turn = np.einsum("ij,ij->i", cross(middle[:, 0], middle[:, 1]), direction)
    alone = missed | (beside[:, 0] == beside[:, 1]).all(axis=1)
    return _Edges(
        edge=kept.astype(np.int32),
        faces=faces,
        surfaces=np.where(faces >= 0, solid.face_surface[faces], -1),
        edge_class=table.edge_class[kept],
        kind=table.kind[kept],
        conic=conics(table)[kept],
        sizes=sizes,
        points=points,
        parameter=solid.step_parameter[rows],
        normals=normals,
        bend=np.where(alone, UNKNOWN, np.where(turn > 0, CONVEX, CONCAVE)).astype(np.int8),
    )


def placed_strips(leaves: list[Placed]) -> Strips:
    """The edges' strips of all leaves in the design's frame."""
    own = [_edges(leaf.solid) for leaf in leaves]
    counts = [len(edges.edge) for edges in own]
    starts = np.concatenate([np.zeros(1, dtype=np.int64), *(edges.sizes for edges in own)]).cumsum()
    worlds = [leaf.world for leaf in leaves]
    points = np.concatenate([apply(world, edges.points) for world, edges in zip(worlds, own, strict=True)])
    conic = np.concatenate([edges.conic @ world[:3, :3].T for world, edges in zip(worlds, own, strict=True)])
    conic[:, 0] += np.repeat([world[:3, 3] for world in worlds], counts, axis=0)
    normals = [leaf.turned(edges.normals.reshape(-1, 3)) for leaf, edges in zip(leaves, own, strict=True)]
    surfaces = np.concatenate([edges.surfaces for edges in own])
    sag = _sags(points, starts)
    return Strips(
        leaf=np.repeat(np.arange(len(leaves), dtype=np.int32), counts),
        edge=np.concatenate([edges.edge for edges in own]),
        faces=np.concatenate([edges.faces for edges in own]),
        groups=np.where(surfaces >= 0, surfaces + np.repeat(first_surfaces(leaves), counts)[:, None], -1),
        edge_class=np.concatenate([edges.edge_class for edges in own]),
        kind=np.concatenate([edges.kind for edges in own]),
        conic=conic,
        closed=np.repeat([leaf.solid.closed for leaf in leaves], counts),
        starts=starts,
        points=points,
        parameter=np.concatenate([edges.parameter for edges in own]),
        normals=np.concatenate(normals).reshape(-1, 2, 2, 3),
        bend=np.concatenate([edges.bend for edges in own]),
        sag=sag,
        reach=np.where(sag > 0, 2 * _lengths(points), 0.0),
    )


def _lengths(points: Floats) -> Floats:
    """Of each step, in the row of its first point; the last point of a strip has none of its own."""
    steps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    return np.append(steps, 0.0) if len(points) else steps


def _sags(points: Floats, starts: NDArray[np.int64]) -> Floats:
    """How far each step lies off a smooth curve through its strip: an eighth of its length times its turn."""
    if len(points) < 2:
        return np.zeros(len(points))
    step = np.diff(points, axis=0)
    length = np.linalg.norm(step, axis=1)
    unit = step / np.where(length > 0, length, 1)[:, None]
    turn = np.zeros(len(points))
    turn[1:-1] = np.linalg.norm(unit[1:] - unit[:-1], axis=1)
    turn[starts[:-1]] = 0
    turn[np.maximum(starts[1:] - 1, 0)] = 0
    # Corners are no curves.
    turn = np.where(turn < 0.5, turn, 0.0)
    sag = np.zeros(len(points))
    sag[:-1] = length * np.maximum(turn[:-1], turn[1:]) / 8
    sag[starts[1:] - 1] = 0
    return sag
