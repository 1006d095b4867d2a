"""Parts that are one profile drawn out along a line: tubes, bars and plates, with whatever holes go through them."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.errors import UsageError
from dqgen.schemas.design import Floats, Solid, Surface

PARALLEL = 1e-6
"""Sine of the angle up to which directions count as parallel."""
MEND = "tubes, bars and plates of one section can be simulated"


@dataclass(frozen=True)
class Prism:
    """A part in a frame of its own: `across` and `up` span the profile, `along` is the way it is drawn out.

    Attributes:
        loops: closed polygons (n, 2) in mm, the outer one first, its first point not repeated.
        length: mm along.
        frame: (4, 4) from (across, up, along) to the solid's frame.
    """

    loops: tuple[Floats, ...]
    length: float
    frame: Floats

    @property
    def box(self) -> Floats:
        """(2, 3) least and greatest (across, up, along)."""
        outer = self.loops[0]
        return np.array([[*outer.min(axis=0), 0.0], [*outer.max(axis=0), self.length]])

    @property
    def rings(self) -> tuple[Floats, float, float] | None:
        """Centre and inner and outer radius (the inner one 0 for a bar) of a round section, else None."""
        centre = self.loops[0].mean(axis=0)
        if len(self.loops) > 2:
            return None
        radii = []
        for loop in self.loops:
            reach = np.linalg.norm(loop - centre, axis=1)
            if np.ptp(reach) > 1e-3 * reach.max() or len(loop) < 12:
                return None
            radii.append(float(reach.mean()))
        return centre, (radii[1] if len(radii) == 2 else 0.0), radii[0]


def prism(solid: Solid, turn: Floats | None = None) -> Prism:
    """The prism that a solid is.

    Args:
        solid: the part.
        turn: (3, 3) from the solid's frame to the design's: `up` is as near to the design's Z as it can be, and to its
            Y for what is drawn out along Z.

    Raises:
        UsageError: it is none.
    """
    faces = solid.faces
    planes = np.flatnonzero(faces.kind == Surface.PLANE)
    candidates = planes[np.argsort(-faces.area[planes], kind="stable")]
    for face in candidates:
        along = faces.axis[face] / np.linalg.norm(faces.axis[face])
        along = along * (1.0 if along[np.argmax(np.abs(along))] > 0 else -1.0)
        caps = _caps(solid, along)
        if caps is not None:
            return _drawn_out(solid, along, *caps, np.eye(3) if turn is None else turn)
    raise UsageError(f"part '{solid.key}' is no prism", mend=MEND)


def _caps(solid: Solid, along: Floats) -> tuple[NDArray[np.intp], float, float] | None:
    """Faces at the lower end and the levels of both ends, if all other faces run along."""
    faces = solid.faces
    axes = faces.axis / np.maximum(np.linalg.norm(faces.axis, axis=1), 1e-12)[:, None]
    lean = np.linalg.norm(np.cross(axes, along), axis=1)
    plane, round_ = faces.kind == Surface.PLANE, faces.kind == Surface.CYLINDER
    is_cap = plane & (lean < PARALLEL)
    runs = (plane & (np.abs(axes @ along) < PARALLEL)) | (round_ & (lean < PARALLEL))
    if not (is_cap | runs).all():
        return None
    levels = faces.origin[is_cap] @ along
    low, high = float(levels.min()), float(levels.max())
    near = np.abs(levels - low) < 1e-6 * max(1.0, high - low)
    if high - low < 1e-9 or not (near | (np.abs(levels - high) < 1e-6 * max(1.0, high - low))).all():
        return None
    return np.flatnonzero(is_cap)[near], low, high


def _drawn_out(solid: Solid, along: Floats, caps: NDArray[np.intp], low: float, high: float, turn: Floats) -> Prism:
    reference = turn.T[:, 2] if abs(turn[2] @ along) < 0.9 else turn.T[:, 1]
    up = reference - (reference @ along) * along
    up /= np.linalg.norm(up)
    across = np.cross(up, along)
    frame = np.eye(4)
    frame[:3, :3] = np.column_stack([across, up, along])
    frame[:3, 3] = along * low
    edges = solid.edges
    rows = np.flatnonzero(np.isin(edges.faces, caps).any(axis=1)).tolist()
    pieces = [np.column_stack([edges.polyline(row) @ across, edges.polyline(row) @ up]) for row in rows]
    loops = _loops(pieces, solid.key)
    loops.sort(key=lambda loop: -abs(signed_area(loop)))
    return Prism(tuple(loops), high - low, frame)


def _loops(pieces: list[Floats], key: str) -> list[Floats]:
    """Polylines joined end to end into closed polygons.

    Raises:
        UsageError: some stay open.
    """
    loops: list[Floats] = []
    left = [piece for piece in pieces if len(piece) > 1]
    while left:
        chain = left.pop(0)
        while np.linalg.norm(chain[0] - chain[-1]) > 1e-4:
            for at, piece in enumerate(left):
                if np.linalg.norm(piece[0] - chain[-1]) < 1e-4:
                    chain = np.vstack([chain, left.pop(at)[1:]])
                    break
                if np.linalg.norm(piece[-1] - chain[-1]) < 1e-4:
                    chain = np.vstack([chain, left.pop(at)[::-1][1:]])
                    break
            else:
                raise UsageError(f"the section of part '{key}' is not closed", mend=MEND)
        loops.append(chain[:-1])
    return loops


def signed_area(loop: Floats) -> float:
    """mm² of a closed polygon (n, 2), positive counter-clockwise."""
    after = np.roll(loop, -1, axis=0)
    return float(np.sum(loop[:, 0] * after[:, 1] - loop[:, 1] * after[:, 0]) / 2)
