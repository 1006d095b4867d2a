"""Curves in the plane of a view: what hidden lines and sections put out, and what drawings put down."""

from typing import Literal, NamedTuple

import numpy as np

from dqgen.schemas.design import Floats

Kind = Literal["line", "arc", "ellipse", "polyline"]
ARC_STEP = 6.0
"""Degrees between the points of an arc that is asked for as points without a tolerance."""


class ViewCurve(NamedTuple):
    """One visible or hidden curve of a view, in view millimetres.

    A point p of the design lies at (rotation[0] · p, rotation[1] · p): x to the right, y up, origin and scale the
    design's own. Angles count counter-clockwise.

    Attributes:
        kind: `line`, `arc` (of a circle), `ellipse` (an arc of one), or `polyline` (all else, finely sampled).
        visible: nothing lies in front of it.
        leaf: row of the leaf it belongs to, in the list that was drawn.
        faces: rows of the two faces beside it (the one face of a silhouette twice), -1 for none.
        edge: row of the solid's edge, -1 for a silhouette.
        tangent: lies where two faces meet smoothly; drawn thin, and only on demand.
        points: (n, 2) the two ends of a line; points along any other curve.
        centre: (2,) of an arc or ellipse, else zeros.
        radii: (2,) major and minor radius of an ellipse, the same twice for an arc, else zeros.
        tilt: degrees from x to the major axis of an ellipse; 0 for an arc.
        span: (2,) first and last parameter in degrees, first < last <= first + 360. The point at t is
            centre + rotated(tilt) (major cos t, minor sin t).
    """

    kind: Kind
    visible: bool
    leaf: int
    faces: tuple[int, int]
    edge: int
    tangent: bool
    points: Floats
    centre: Floats
    radii: Floats
    tilt: float
    span: tuple[float, float]

    @property
    def length(self) -> float:
        """Its length in the view, mm (of the points along it)."""
        return float(np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum())

    def at(self, degrees: Floats) -> Floats:
        """Points (n, 2) of an arc or ellipse at parameters (n,)."""
        return conic_points(self.centre, self.radii, self.tilt, degrees)

    def polyline(self, tolerance: float) -> Floats:
        """Points (n, 2) along it, chords within `tolerance` mm of an arc or ellipse."""
        if self.kind not in ("arc", "ellipse"):
            return self.points
        step = 2 * np.degrees(np.arccos(np.clip(1 - tolerance / max(float(self.radii[0]), 1e-12), 0.0, 1 - 1e-8)))
        count = max(2, int(np.ceil((self.span[1] - self.span[0]) / step)) + 1)
        return self.at(np.linspace(*self.span, count))


def conic_points(centre: Floats, radii: Floats, tilt: float | Floats, degrees: Floats) -> Floats:
    """Points (n, 2) of an ellipse with that centre (2,), radii (2,) and tilt in degrees, at parameters (n,); or of one
    ellipse a point: centres (n, 2), radii (n, 2), tilts (n,)."""
    t, turn = np.radians(degrees), np.radians(tilt)
    x, y = radii[..., 0] * np.cos(t), radii[..., 1] * np.sin(t)
    points: Floats = centre + np.stack(
        [x * np.cos(turn) - y * np.sin(turn), x * np.sin(turn) + y * np.cos(turn)], axis=-1
    )
    return points
