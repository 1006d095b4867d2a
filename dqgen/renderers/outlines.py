"""Which lines to draw over shaded faces: sharp edges, and the outlines of surfaces that bend out of sight.

All on the triangulation, so that lines and shaded pixels agree: a line follows a mesh edge that lies on a sharp or
free edge, or between a triangle that faces the viewer and one that does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.tessellation import squared_length, triangle_normals, unit
from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import EdgeClass, Floats, Solid

Singles = NDArray[np.float32]

EDGE_ON = 1e-3
"""Cosine to the line of sight below which a triangle counts as seen edge-on: rounding turns it either way."""
COPLANAR = 1 - 1e-7
"""Cosine between neighbours above which their joint can be no outline."""
OUTLINE_FACING = 0.45
"""Outlines stand where the surface's normal has a cosine to the line of sight below this; others are slivers' noise."""
SLIVER = 0.01
"""A triangle of less area than this part of its longest side squared."""
MAX_RISE = 1.5
OUTLINE_SHIFT = 0.8
"""Half widths by which the outline of a bending surface is moved out of it."""
FINE_PART = 0.4
"""Lines are no wider than this part of the face beside them in the picture, so that small things do not turn black…"""
FINEST, FINEST_OUTLINE = 0.45, 0.8
"""… but no finer than these parts of the usual width."""
CHUNK = 1_000_000
"""A model of no more joints keeps them between views."""
PIECE = 250_000
"""Joints of one solid handled at a time."""


@dataclass(frozen=True)
class Joints:
    """Mesh edges that can be lines in some view, N of them, in the design's frame.

    Attributes:
        leaf: (N,) row of the leaf.
        ends: (N, 2, 3) mm.
        normals: (N, 2, 3) unit normals of the two triangles; of the one, twice, on a border.
        inward: (N, 2, 3) unit vectors in the two triangles' planes, away from the edge.
        smooth: (N, 2, 3) the surface's own normals at the ends.
        drawn: (N,) lies on an edge that is drawn in every view where it can be seen.
        closed: (N,) of a solid whose triangles all face outwards: what faces away is behind it.
        width: (N, 2) mm, of the faces that the two triangles belong to.
    """

    leaf: NDArray[np.int32]
    ends: Singles
    normals: Singles
    inward: Singles
    smooth: Singles
    drawn: NDArray[np.bool_]
    closed: NDArray[np.bool_]
    width: Singles


@dataclass(frozen=True)
class Lines:
    """Lines to draw in one view, N of them.

    Attributes:
        leaf: (N,) row of the leaf.
        ends: (N, 2, 3) mm, in the design's frame.
        shift: (N,) how far the line is moved to its left in the picture (seen from its first end), in half widths.
        fineness: (N,) part of the usual width.
        stand_off: (N,) how far the surfaces beside it rise towards the viewer for a step across it, 0 to `MAX_RISE`.
    """

    leaf: NDArray[np.int32]
    ends: Singles
    shift: Singles
    fineness: Singles
    stand_off: Singles


def joints(solid: Solid) -> list[Joints]:
    """The joints of a solid in its own frame, all of leaf 0, no more than `PIECE` at a time."""
    facets = _facet_normals(solid)
    starts = range(0, max(len(solid.links), 1), PIECE)
    return [_joints(solid, slice(start, start + PIECE), facets) for start in starts]


def _joints(solid: Solid, part: slice, facets: Floats) -> Joints:
    """The joints at a part of a solid's links."""
    first, second = solid.links[part].T
    link_edge = solid.link_edge[part]
    border = second < 0
    second = np.where(border, first, second)
    drawn = border.copy()
    on_edge = link_edge >= 0
    drawn[on_edge] |= np.isin(solid.edges.edge_class[link_edge[on_edge]], (EdgeClass.SHARP, EdgeClass.FREE))
    bent = np.einsum("ij,ij->i", facets[first], facets[second]) < COPLANAR
    kept = np.flatnonzero(drawn | bent)
    first, second = first[kept], second[kept]
    rows = solid.link_vertices[part][kept]
    ends = solid.vertices[rows]
    along = unit(ends[:, 1] - ends[:, 0])
    inward = np.empty((len(kept), 2, 3))
    for side, facet in enumerate((first, second)):
        a, b, c = (solid.vertices[solid.triangles[facet, i]] for i in range(3))
        offset = (a + b + c) / 3 - ends[:, 0]
        inward[:, side] = unit(offset - np.einsum("ij,ij->i", offset, along)[:, None] * along)
    faces = solid.faces
    widths = faces.area / np.maximum(np.linalg.norm(np.ptp(faces.bounds, axis=1), axis=1), 1e-12)
    beside = widths[solid.triangle_face]
    return Joints(
        leaf=np.zeros(len(kept), dtype=np.int32),
        ends=ends.astype(np.float32),
        normals=np.stack([facets[first], facets[second]], axis=1).astype(np.float32),
        inward=inward.astype(np.float32),
        smooth=solid.normals[rows],
        drawn=drawn[kept],
        closed=np.full(len(kept), solid.closed),
        width=np.stack([beside[first], beside[second]], axis=1).astype(np.float32),
    )


def placed_joints(parts: Sequence[tuple[Joints, Placed, int]], origin: Floats) -> Joints:
    """Joints of solids where leaves stand, one set after another.

    Args:
        parts: joints in a solid's own frame, a leaf of it, and that leaf's row.
        origin: (3,) mm, from which ends are counted.
    """
    ends = np.cumsum([len(own.leaf) for own, _, _ in parts])
    first = parts[0][0]
    whole = Joints(
        *(
            np.empty((ends[-1], *getattr(first, name).shape[1:]), getattr(first, name).dtype)
            for name in Joints.__dataclass_fields__
        )
    )
    for (own, leaf, row), end in zip(parts, ends, strict=True):
        _place(own, leaf, row, origin, whole, slice(end - len(own.leaf), end))
    return whole


def _place(own: Joints, leaf: Placed, row: int, origin: Floats, whole: Joints, at: slice) -> None:
    linear = leaf.world[:3, :3].astype(np.float32)
    offset = (leaf.world[:3, 3] - origin).astype(np.float32)
    turn = np.linalg.inv(leaf.world[:3, :3]).T.astype(np.float32)
    scale = np.float32(abs(np.linalg.det(leaf.world[:3, :3])) ** (1 / 3))
    rigid = np.allclose(linear @ linear.T, np.eye(3), atol=1e-5)

    def turned(vectors: Singles, by: Singles) -> Singles:
        moved = (vectors.reshape(-1, 3) @ by.T).reshape(vectors.shape)
        return moved if rigid else unit(moved).astype(np.float32)

    whole.leaf[at] = row
    whole.ends[at] = (own.ends.reshape(-1, 3) @ linear.T + offset).reshape(own.ends.shape)
    whole.normals[at] = turned(own.normals, turn)
    whole.inward[at] = turned(own.inward, linear)
    whole.smooth[at] = turned(own.smooth, turn)
    whole.drawn[at] = own.drawn
    whole.closed[at] = own.closed
    whole.width[at] = own.width * scale


def lines(all_joints: Joints, rotation: Floats, pixels_per_mm: float, line_width: float) -> Lines:
    """The lines of a view.

    Args:
        all_joints: of the leaves that are shown.
        rotation: (3, 3) rows right, up and towards the viewer.
        pixels_per_mm: the picture's scale.
        line_width: the usual width, in pixels.
    """
    right, up, toward = rotation.astype(np.float32)
    facing = (all_joints.normals.reshape(-1, 3) @ toward).reshape(-1, 2)
    front = facing > EDGE_ON
    outline = front[:, 0] != front[:, 1]
    bends = np.flatnonzero(outline & ~all_joints.drawn)
    outline[bends] = _least(np.abs(all_joints.smooth[bends] @ toward)) < OUTLINE_FACING
    seen = front[:, 0] | front[:, 1] | ~all_joints.closed
    chosen = np.flatnonzero((all_joints.drawn | outline) & seen)
    ends, inward, front, outline = (
        all_joints.ends[chosen],
        all_joints.inward[chosen],
        front[chosen],
        outline[chosen],
    )
    along = ends[:, 1] - ends[:, 0]
    left = np.stack([-(along @ up), along @ right], axis=1)
    left /= np.maximum(np.hypot(left[:, 0], left[:, 1]), 1e-12)[:, None]
    # For a step across the line into a face: to which side it leads, and how much nearer to the viewer.
    across = (inward @ right) * left[:, :1] + (inward @ up) * left[:, 1:]
    gain = np.where(front, (inward @ toward) / np.maximum(np.abs(across), 1e-3), 0.0)
    # A line is flat: it must stand off the surfaces beside it by what they rise across half its width. Where a surface
    # bends out of sight it rises too steeply for that: the line lies outside it instead.
    normals = all_joints.normals[chosen]
    tilt = (normals @ right) * left[:, :1] + (normals @ up) * left[:, 1:]
    outside = (outline[:, None] & (gain > 1)) * np.sign(tilt)  # a facet that rises inwards leans outwards
    shift = OUTLINE_SHIFT * (outside[:, 0] + outside[:, 1])
    narrower = _least(np.where(front, all_joints.width[chosen], np.inf))
    rise = np.clip(np.maximum(gain[:, 0], gain[:, 1]), 0.0, MAX_RISE)
    narrow = FINE_PART * narrower * np.float32(pixels_per_mm / line_width)
    return Lines(
        leaf=all_joints.leaf[chosen],
        ends=ends,
        shift=shift.astype(np.float32),
        fineness=np.clip(narrow, np.where(outline, FINEST_OUTLINE, FINEST), 1.0).astype(np.float32),
        stand_off=np.where(shift != 0, 0.0, rise).astype(np.float32),
    )


def _least(pairs: NDArray[np.floating]) -> NDArray[np.floating]:
    """The lesser of two columns; numpy's own reduction is slow along so short an axis."""
    lesser: NDArray[np.floating] = np.minimum(pairs[:, 0], pairs[:, 1])
    return lesser


def _facet_normals(solid: Solid) -> Floats:
    """Unit normals (T, 3): the facet's own, but for slivers, whose own is noise, the mean of their vertices'."""
    own, area = triangle_normals(solid.vertices, solid.triangles)
    a, b, c = (solid.vertices[solid.triangles[:, i]] for i in range(3))
    ab, bc, ca = (squared_length(side) for side in (b - a, c - b, a - c))
    longest = np.maximum(np.maximum(ab, bc), ca)
    sliver = np.flatnonzero(area < SLIVER * longest)
    mean = solid.normals[solid.triangles[sliver]].mean(axis=1, dtype=np.float64)
    length = np.linalg.norm(mean, axis=1, keepdims=True)
    own[sliver] = np.where(length < 0.1, own[sliver], mean / np.maximum(length, 0.1))
    return own
