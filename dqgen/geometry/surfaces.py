"""Points on the exact surfaces of faces."""

import numpy as np

from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Floats, Surface


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
