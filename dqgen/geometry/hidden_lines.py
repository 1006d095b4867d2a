"""Hidden lines: which curves of a design a view shows, and which lie behind something.

Edges and silhouettes become strips of points on the triangulation. Each is sampled, samples are asked whether
something lies between them and the viewer, and where the answer changes along a strip the place is found by bisection.
What is put out are pieces of the exact curves (see `view_curves`), coincident ones merged.
"""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.collector import without_collector
from dqgen.geometry.bent_faces import BentFaces, bent_faces
from dqgen.geometry.coincidence import merged
from dqgen.geometry.occlusion import Occluders
from dqgen.geometry.projection import Pieces, projected
from dqgen.geometry.silhouettes import silhouettes
from dqgen.geometry.strips import CONCAVE, CONVEX, INNER, OUTER, Strips, joined, placed_strips
from dqgen.geometry.transforms import Placed
from dqgen.geometry.view_curves import ViewCurve
from dqgen.schemas.design import EdgeClass, Floats

SPACING = 1 / 300
"""Distance between samples, as a part of the scene's diagonal; what is thinner may be missed where it hides a line."""
LEAST_SAMPLES = 5
SHORTEST = 1e-4
"""Pieces shorter than this part of the scene's diagonal are not told from their neighbours."""
FINEST = 1e-5
"""Where visibility changes is found to this part of the scene's diagonal."""
SPECK = 6e-4
"""Visible pieces between two hidden ones that are shorter than this part of the diagonal are specks."""
DEPTH_WEIGHT = 0.1
"""How much of a step along the line of sight counts as length along a strip."""
HIDDEN, VISIBLE, CUT = 0, 1, 2
FRONT = 1e-4
"""A face whose normal has a smaller component towards the viewer does not show."""


@dataclass(frozen=True)
class LineOptions:
    """Which curves to put out.

    Attributes:
        hidden: also those that lie behind something.
        tangent: also edges where faces meet smoothly, marked `tangent`.
        depth: mm; only what lies behind the plane rotation[2] · p = depth is drawn, and only that hides: the curves
            behind a section (see `sections` for the cut itself).
    """

    hidden: bool = True
    tangent: bool = False
    depth: float | None = None


class HiddenLines:
    """The curves of a list of leaves, ready for any number of views.

    What does not depend on the view is done once: triangles for the rays, edges with the faces beside them.
    """

    def __init__(self, leaves: list[Placed], occluders: list[Placed] | None = None) -> None:
        """
        Args:
            leaves: whose curves are wanted; `ViewCurve.leaf` counts in this list.
            occluders: other leaves that can hide them besides themselves.
        """
        self._leaves = leaves
        self._others = occluders or []

    def view(self, rotation: Floats, options: LineOptions | None = None) -> list[ViewCurve]:
        """The curves of one view, in a fixed order.

        Args:
            rotation: (3, 3) rows right, up and towards the viewer.
            options: visible and hidden sharp edges and silhouettes if None.
        """
        chosen = options or LineOptions()
        with without_collector():
            occluders = self._occluders  # first, since they get ready while others are at work
            strips = joined([self._edges, silhouettes(self._bent, rotation)])
            view = _View(strips, occluders, rotation, chosen)
            curves = projected(strips, view.pieces(), rotation, occluders.size)
            return merged(curves, occluders.size)

    @functools.cached_property
    def _occluders(self) -> Occluders:
        return Occluders([*self._leaves, *self._others])

    @functools.cached_property
    def _edges(self) -> Strips:
        return placed_strips(self._leaves)

    @functools.cached_property
    def _bent(self) -> BentFaces:
        return bent_faces(self._leaves)


def hidden_lines(leaves: list[Placed], rotation: Floats, options: LineOptions | None = None) -> list[ViewCurve]:
    """The curves of one view of leaves; see `HiddenLines`, which shares work between views."""
    return HiddenLines(leaves).view(rotation, options)


class _View:
    """Strips in one view: where along them they are visible."""

    def __init__(self, strips: Strips, occluders: Occluders, rotation: Floats, options: LineOptions) -> None:
        self._strips = strips
        self._occluders = occluders
        self._toward = rotation[2]
        self._options = options
        seen = rotation @ strips.points.T
        steps = np.zeros_like(seen)
        np.subtract(seen[:, 1:], seen[:, :-1], out=steps[:, 1:])
        steps[:, strips.starts[:-1]] = 0
        flat, deep = steps[0] ** 2 + steps[1] ** 2, (DEPTH_WEIGHT * steps[2]) ** 2
        # Where a curve turns back in the view, chords along the line of sight must have some length too.
        self._along = np.cumsum(np.sqrt(flat + deep))  # over all strips
        toward = rotation[2].astype(np.float32)
        self._front = (strips.normals.reshape(-1, 3) @ toward).reshape(-1, 2, 2)  # point, side, end
        self._first = strips.starts[:-1]
        self._last = strips.starts[1:] - 1
        self._length = self._along[self._last] - self._along[self._first]
        seen_along = np.cumsum(np.sqrt(flat))
        self._seen_length = seen_along[self._last] - seen_along[self._first]

    def pieces(self) -> Pieces:
        """The strips cut where their visibility changes."""
        size = self._occluders.size
        rows = np.flatnonzero(self._drawn() & (self._seen_length > SHORTEST * size))
        if not self._options.hidden:
            rows = rows[self._may_show()[rows]]
        length = self._length[rows]
        count = np.maximum(np.ceil(length / (SPACING * size)).astype(np.int64), LEAST_SAMPLES)
        strip = np.repeat(rows, count)
        begin = np.concatenate([[0], np.cumsum(count)])
        number = np.arange(len(strip)) - np.repeat(begin[:-1], count)
        margin = np.repeat(np.minimum(SHORTEST * size, 0.05 * length), count)
        at = margin + (np.repeat(length, count) - 2 * margin) * number / (np.repeat(count, count) - 1)
        seen = self._states(strip, at)
        change = np.flatnonzero((seen[1:] != seen[:-1]) & (strip[1:] == strip[:-1]))
        cut = self._bisected(strip[change], at[change], at[change + 1], seen[change])
        return self._runs(rows, begin, seen, change, cut)

    def _bisected(self, strip: NDArray[np.int64], low: Floats, high: Floats, seen_low: NDArray[np.int8]) -> Floats:
        gap = float((high - low).max(initial=0.0))
        while gap > FINEST * self._occluders.size:
            middle = (low + high) / 2
            same = self._states(strip, middle) == seen_low
            low, high = np.where(same, middle, low), np.where(same, high, middle)
            gap /= 2
        result: Floats = (low + high) / 2
        return result

    def _runs(
        self,
        rows: NDArray[np.int64],
        begin: NDArray[np.int64],
        seen: NDArray[np.int8],
        change: NDArray[np.int64],
        cut: Floats,
    ) -> Pieces:
        """Runs of one visibility; a short one between two others is given to them."""
        shortest, speck = SHORTEST * self._occluders.size, SPECK * self._occluders.size
        of = np.searchsorted(begin, change, side="right") - 1
        runs = np.bincount(of, minlength=len(rows)) + 1
        row = np.repeat(np.arange(len(rows)), runs)
        first = np.concatenate([[True], row[1:] != row[:-1]]) if len(row) else np.zeros(0, dtype=np.bool_)
        last = np.roll(first, -1)
        start, stop = np.zeros(len(row)), self._length[rows[row]]
        start[~first] = stop[~last] = cut
        state = np.empty(len(row), dtype=np.int8)
        state[first], state[~first] = seen[begin[:-1]], seen[change + 1]
        # Rows with a run under the larger bound are looked at one by one.
        kept = np.ones(len(row), dtype=np.bool_)
        for changed in np.unique(row[(stop - start < speck) & (runs[row] > 1)]).tolist():
            own = slice(*np.searchsorted(row, [changed, changed + 1]).tolist())
            cuts, states = _without_shorts([0.0, *stop[own].tolist()], state[own].tolist(), shortest, speck)
            kept[own.start + len(states) : own.stop] = False
            own = slice(own.start, own.start + len(states))
            start[own], stop[own], state[own] = cuts[:-1], cuts[1:], states
        kept &= state == VISIBLE if not self._options.hidden else state != CUT
        strip, start, stop, state = rows[row[kept]], start[kept], stop[kept], state[kept]
        return Pieces(strip, *self._place(strip, start), *self._place(strip, stop), state == VISIBLE)

    def _place(self, strip: NDArray[np.int64], at: Floats) -> tuple[NDArray[np.int64], Floats]:
        """The step of a strip (row of its first point) and how far along it a length from the strip's start lies."""
        target = self._along[self._first[strip]] + at
        step = np.searchsorted(self._along, target, side="right") - 1
        step = np.clip(step, self._first[strip], self._last[strip] - 1)
        length = self._along[step + 1] - self._along[step]
        part = np.clip((target - self._along[step]) / np.where(length > 0, length, 1), 0.0, 1.0)
        return step, part

    def _drawn(self) -> NDArray[np.bool_]:
        """Sharp and free edges and silhouettes always; smooth ones on demand, or where a face turns away at them."""
        smooth = self._strips.edge_class == EdgeClass.SMOOTH
        if self._options.tangent:
            return np.ones(len(smooth), dtype=bool)
        steps = self._last - self._first
        on = np.flatnonzero(np.repeat(smooth, steps + 1))
        toward, away = self._front[on] > FRONT, self._front[on] < -FRONT
        turns = ((toward[:, 0] & away[:, 1]) | (toward[:, 1] & away[:, 0])).all(axis=1)
        of = np.repeat(np.arange(len(steps)), steps + 1)[on]
        share = np.bincount(of, turns, minlength=len(steps)) / np.maximum(steps, 1)
        drawn: NDArray[np.bool_] = ~smooth | (share > 0.5)
        return drawn

    def _may_show(self) -> NDArray[np.bool_]:
        """Strips (S,) of which some part is not known to be hidden without a ray."""
        most = np.maximum.reduceat(np.append(self._front.max(axis=(1, 2)), 0), self._first)
        shown: NDArray[np.bool_] = (most > FRONT) | ~self._strips.closed | (self._strips.edge < 0)
        return shown

    def _states(self, strip: NDArray[np.int64], at: Floats) -> NDArray[np.int8]:
        """`HIDDEN`, `VISIBLE` or `CUT` at samples: lengths (n,) from the starts of strips (n,)."""
        strips, toward = self._strips, self._toward
        step, part = self._place(strip, at)
        front = self._front[step, :, 0] * (1 - part)[:, None] + self._front[step, :, 1] * part[:, None]
        bend = strips.bend[step]
        least, most = front.min(axis=1), front.max(axis=1)
        shows = np.select(
            [bend == CONVEX, bend == CONCAVE, bend == OUTER, bend == INNER],
            [most > FRONT, (least > -FRONT) & (most > FRONT), True, False],
            True,
        )
        smooth = strips.edge_class[strip] == EdgeClass.SMOOTH
        shows = np.where(smooth, most > FRONT, shows) | ~strips.closed[strip]
        if self._options.depth is not None:
            place = strips.points[step] * (1 - part[:, None]) + strips.points[step + 1] * part[:, None]
            beyond = place @ toward > self._options.depth + self._occluders.step
            shows &= ~beyond
        asked = np.flatnonzero(shows)
        step, part, front, strip = step[asked], part[asked, None], front[asked], strip[asked]
        points = strips.points[step] * (1 - part) + strips.points[step + 1] * part
        normals = strips.normals[step, :, 0] * (1 - part)[..., None] + strips.normals[step, :, 1] * part[..., None]
        silhouette = strips.edge[strip] < 0
        # Rays start off the faces that do not face away: in the plane of one seen edge-on they would graze it.
        lift = np.where((front > -FRONT) | silhouette[:, None], 1.0, 0.0)
        away = (normals * lift[..., None]).sum(axis=1)
        length = np.linalg.norm(away, axis=1, keepdims=True)
        away = away / np.where(length > 0, length, 1)
        stand_off = (self._occluders.step + 1.5 * strips.sag[step])[:, None]
        origins = points + stand_off * (toward + away)
        reach = np.maximum(strips.reach[step], 10 * self._occluders.step)
        depth = self._options.depth
        limit = None if depth is None else depth - origins @ toward
        hidden = self._occluders.hidden(origins, toward, strips.groups[strip], reach, limit)
        states = np.full(len(shows), HIDDEN, dtype=np.int8)
        states[asked[~hidden]] = VISIBLE
        if depth is not None:
            states[beyond] = CUT
        return states


def _without_shorts(
    cuts: list[float], states: list[int], shortest: float, speck: float
) -> tuple[list[float], list[int]]:
    """Ends (n + 1) and states (n) of runs, short ones joined to their neighbours, the shortest first."""
    while len(states) > 1:
        size = []
        for k, state in enumerate(states):
            between = 0 < k < len(states) - 1 and state == VISIBLE and states[k - 1] == states[k + 1] == HIDDEN
            size.append((cuts[k + 1] - cuts[k]) / (speck if between else shortest))
        short = min(range(len(size)), key=size.__getitem__)
        if size[short] >= 1:
            break
        if 0 < short < len(states) - 1 and states[short - 1] == states[short + 1]:
            del cuts[short : short + 2], states[short : short + 2]
        else:
            del cuts[max(short, 1)], states[short]
    return cuts, states
