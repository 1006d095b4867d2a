"""Viewports of a DXF layout: what they let through, and how the model lies in them."""

import numpy as np
from ezdxf.entities import DXFEntity, Viewport
from ezdxf.math import Matrix44, Vec3
from ezdxf.path import make_path

from dqgen.schemas.design import Floats


def is_layout(viewport: Viewport) -> bool:
    """Whether a viewport shows at each place what lies there: it stands for the layout itself."""
    same = (Vec3(viewport.dxf.center) - Vec3(viewport.dxf.view_center_point)).vec2.magnitude < 1e-9
    return bool(same and abs(viewport.get_scale() - 1) < 1e-9)


def border_of(viewport: Viewport) -> Floats:
    """Corners of what a viewport lets through, on the layout, (n, 2)."""
    path = make_path(viewport)
    if not len(path):
        return np.zeros((0, 2))
    size = float(viewport.dxf.height) or 1.0
    return np.array([(point.x, point.y) for point in path.flattening(size / 1000)])


def sight(viewport: Viewport) -> tuple[Floats, Matrix44 | None]:
    """From model to layout: (2, 3), after a turn in space where the model is not seen from above."""
    direction = viewport.get_view_direction()
    view = None
    if not viewport.is_top_view:
        side = Vec3(0, 0, 1).cross(direction)
        x_axis = side.normalize() if side.magnitude > 1e-9 else Vec3(1, 0, 0)
        y_axis = direction.cross(x_axis)
        target = Vec3(viewport.dxf.view_target_point)
        rows = [(x_axis.x, y_axis.x, direction.x), (x_axis.y, y_axis.y, direction.y), (x_axis.z, y_axis.z, direction.z)]
        turn = Matrix44([*rows[0], 0, *rows[1], 0, *rows[2], 0, 0, 0, 0, 1])
        view = Matrix44.translate(-target.x, -target.y, -target.z) @ turn
    scale = viewport.get_scale()
    angle = np.radians(viewport.dxf.view_twist_angle)
    turned = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    centre = np.array([viewport.dxf.view_center_point.x, viewport.dxf.view_center_point.y])
    base = viewport.dxf.view_target_point
    origin = np.zeros(2) if view else turned @ np.array([base.x, base.y])
    offset = np.array([viewport.dxf.center.x, viewport.dxf.center.y]) - scale * centre - origin
    return np.column_stack([turned, offset]), view


def limits_of(border: Floats, frame: Floats) -> Floats:
    """Box in the model of what a viewport lets through."""
    inside = (border - frame[:, 2]) @ np.linalg.inv(frame[:, :2]).T
    return np.concatenate([inside.min(axis=0), inside.max(axis=0)])


def in_sight(entity: DXFEntity, limits: Floats | None, boxes: dict[str, Floats]) -> bool:
    """Whether an entity of the model, by its box, may show within limits; True where either is unknown."""
    box = boxes.get(str(entity.dxf.get("handle")))
    if limits is None or box is None or np.isnan(box).any():
        return True
    return bool((box[:2] <= limits[2:]).all() and (box[2:] >= limits[:2]).all())
