"""The exact surfaces of faces: which faces share one, and points on them."""

import numpy as np

from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import FaceTable, Floats, Ints, Surface


def surface_numbers(table: FaceTable, size: float, fitted: bool) -> Ints:
    """A number for each face (F,): faces on the same cylinder, cone, sphere or torus share one.

    So do all bent faces of a mesh, where regions do not end exactly where surfaces do.

    Args:
        table: the faces.
        size: the largest coordinate of the solid, mm.
        fitted: whether they were found on a mesh.
    """
    if fitted:
        flat = table.kind == Surface.PLANE
        return np.where(flat, np.cumsum(flat), 0).astype(np.int32)
    size = max(size, 1e-9)
    # The point of the axis nearest to the frame's origin, so that any point of the axis will do.
    foot = table.origin - (table.origin * table.axis).sum(axis=1)[:, None] * table.axis
    centred = (table.kind == Surface.SPHERE) | (table.kind == Surface.TORUS)
    foot[centred] = table.origin[centred]
    turned = table.axis * np.where((table.axis @ [1.0, 1e-3, 1e-6]) < 0, -1.0, 1.0)[:, None]
    # Cones are told apart by their apex.
    slope = np.tan(np.radians(table.second))
    cone = table.kind == Surface.CONE
    apex = table.origin - (table.radius / np.where(np.abs(slope) > 1e-12, slope, 1.0))[:, None] * table.axis
    foot[cone] = apex[cone]
    radius = np.where(cone, 0.0, table.radius)
    key = np.column_stack(
        [
            table.kind * 2 + table.reversed,
            np.round(foot / (1e-6 * size)),
            np.round(turned * 1e5),
            np.round(radius / (1e-6 * size)),
            np.round(table.second * 1e4),
        ]
    )
    loose = (table.kind == Surface.OTHER) | (table.kind == Surface.PLANE)
    key[loose, 1:] = 0
    key[loose, 1] = np.flatnonzero(loose)
    number: dict[bytes, int] = {}
    rows = np.ascontiguousarray(key + 0.0)  # no negative zeros
    return np.array([number.setdefault(row.tobytes(), len(number)) for row in rows], dtype=np.int32)


def first_surfaces(leaves: list[Placed]) -> Ints:
    """What to add to a leaf's numbers of surfaces so that those of all leaves differ (n,)."""
    counts = [int(leaf.solid.face_surface.max(initial=-1)) + 1 for leaf in leaves]
    return np.cumsum([0, *counts])[:-1].astype(np.int32)


def onto_surface(leaf: Placed, face: int, point: Floats) -> Floats | None:
    """The point of a face's whole surface that is nearest to a point (3,) of the design; None without a formula."""
    table = leaf.solid.faces
    own: Floats = np.linalg.inv(leaf.world[:3, :3]) @ (point - leaf.world[:3, 3])
    moved = _onto(
        Surface(int(table.kind[face])),
        table.origin[face],
        table.axis[face],
        float(table.radius[face]),
        float(table.second[face]),
        own,
    )
    return None if moved is None else np.asarray(leaf.world[:3, :3] @ moved + leaf.world[:3, 3])


def _onto(kind: Surface, origin: Floats, axis: Floats, radius: float, second: float, point: Floats) -> Floats | None:
    offset = point - origin
    along = float(offset @ axis)
    radial = offset - along * axis
    distance = float(np.linalg.norm(radial))
    if kind == Surface.PLANE:
        return point - along * axis
    if kind == Surface.SPHERE:
        length = float(np.linalg.norm(offset))
        return origin + radius * offset / length if length > 0 else None
    if kind == Surface.OTHER or distance == 0:
        return None
    e = radial / distance
    if kind == Surface.CYLINDER:
        return origin + along * axis + radius * e
    if kind == Surface.CONE:
        tilt = np.radians(second)
        line = np.cos(tilt) * axis + np.sin(tilt) * e
        start = origin + radius * e
        return np.asarray(start + float((point - start) @ line) * line)
    from_core = point - (origin + radius * e)
    length = float(np.linalg.norm(from_core))
    return origin + radius * e + second * from_core / length if length > 0 else None
