"""A view on paper: curves of a design's view in page millimetres."""

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing.dimension import Foot
from dqgen.renderers.drawing.display_list import Arc, Ellipse, Line, Pen, Point, Polyline, Stroke
from dqgen.renderers.views import View
from dqgen.schemas.design import Floats

ALIGNED = 1 - 1e-6
"""Cosine above which two directions count as one."""
DEGENERATE = 1e-6
"""Strokes shorter than this (page mm) are not drawn."""


@dataclass(frozen=True)
class Projection:
    """A view, its curves, its scale, and where the design's origin lies on the page.

    Attributes:
        id: unique on the sheet: the view's name, or a letter for sections and details.
        view: the camera.
        scale: page mm a model mm.
        curves: in view mm.
        shift: page point of the design's origin.
    """

    id: str
    view: View
    scale: float
    curves: tuple[ViewCurve, ...]
    shift: Point = (0.0, 0.0)

    def flat(self, point: Floats) -> Point:
        """Page point of a point of the view's plane, in view mm."""
        return self.shift[0] + self.scale * float(point[0]), self.shift[1] + self.scale * float(point[1])

    def page(self, point: Floats) -> Point:
        """Page point of a model point."""
        return self.flat(self.view.rotation[:2] @ point)

    def foot(self, point: Floats) -> Foot:
        """A model point where a witness line may begin."""
        return Foot(self.page(point), (float(point[0]), float(point[1]), float(point[2])))

    def bearing(self, direction: Floats) -> float:
        """Angle on paper, in degrees, of a model direction."""
        x, y = self.view.rotation[:2] @ direction
        return math.degrees(math.atan2(y, x))

    def in_plane(self, direction: Floats) -> bool:
        """Whether a unit direction is shown at its true length."""
        return abs(float(self.view.rotation[2] @ direction)) < 1e-6

    def end_on(self, direction: Floats) -> bool:
        """Whether a unit direction points at the viewer or away."""
        return abs(float(self.view.rotation[2] @ direction)) > ALIGNED

    @property
    def owner(self) -> str:
        """Of its items on the display list."""
        return f"view:{self.id}"


def strokes(projection: Projection, pen: Callable[[ViewCurve], Pen | None]) -> tuple[Stroke, ...]:
    """The curves as strokes on paper; those without a pen are left out.

    Hidden ones come first, so that visible ones lie over them.
    """
    rows = []
    for curve in sorted(projection.curves, key=lambda curve: curve.visible):
        chosen = pen(curve)
        if chosen is not None:
            stroke = _stroke(projection, curve, chosen)
            if stroke is not None:
                rows.append(stroke)
    return tuple(rows)


def _stroke(projection: Projection, curve: ViewCurve, pen: Pen) -> Stroke | None:
    owner = projection.owner
    if curve.length * projection.scale < DEGENERATE:
        return None
    if curve.kind == "line":
        return Line(projection.flat(curve.points[0]), projection.flat(curve.points[-1]), pen, owner)
    if curve.kind == "polyline":
        return Polyline(tuple(projection.flat(point) for point in curve.points), pen, owner=owner)
    centre = projection.flat(curve.centre)
    major, minor = (float(radius) * projection.scale for radius in curve.radii)
    if curve.kind == "arc":
        return Arc(centre, major, curve.span[0] + curve.tilt, curve.span[1] + curve.tilt, pen, owner)
    tilt = math.radians(curve.tilt)
    return Ellipse(centre, (major * math.cos(tilt), major * math.sin(tilt)), minor / major, *curve.span, pen, owner)


def model_point(projection: Projection, flat: Floats, depth: float) -> Floats:
    """The model point at a place of the view's plane (view mm), `depth` mm towards the viewer."""
    point: Floats = projection.view.rotation.T @ np.array([flat[0], flat[1], depth])
    return point
