"""Hidden lines: which curves of a design a view shows, and which lie behind something.

Edges and silhouettes become strips of points on the triangulation. Each is sampled, samples are asked whether
something lies between them and the viewer, and where the answer changes along a strip the place is found by bisection.
What is put out are pieces of the exact curves (see `view_curves`), coincident ones merged.
"""

import functools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
FINEST = 2e-6
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
        strips = joined([self._edges, silhouettes(self._bent, rotation)])
        view = _View(strips, self._occluders, rotation, chosen)
        curves = projected(strips, view.pieces(), rotation, self._occluders.size)
        return merged(curves, self._occluders.size)

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
        seen = strips.points @ rotation.T
        steps = np.zeros((len(seen), 3))
        steps[1:] = np.diff(seen, axis=0)
        steps[strips.starts[:-1]] = 0
        # Where a curve turns back in the view, chords along the line of sight must have some length too.
        self._along = np.cumsum(np.linalg.norm(steps * (1, 1, DEPTH_WEIGHT), axis=1))  # over all strips
        toward = rotation[2].astype(np.float32)
        self._front = (strips.normals.reshape(-1, 3) @ toward).reshape(-1, 2, 2)  # point, side, end
        self._first = strips.starts[:-1]
        self._last = strips.starts[1:] - 1
        self._length = self._along[self._last] - self._along[self._first]
        flat = np.cumsum(np.linalg.norm(steps[:, :2], axis=1))
        self._seen_length = flat[self._last] - flat[self._first]

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
        shortest = SHORTEST * self._occluders.size
        of = np.searchsorted(begin, change, side="right") - 1
        whole = np.ones(len(rows), dtype=bool)
        whole[of] = False
        plain = np.flatnonzero(whole)
        strip = [rows[plain]]
        start: list[Floats] = [np.zeros(len(plain))]
        stop: list[Floats] = [self._length[rows[plain]]]
        state: list[NDArray[np.int8]] = [seen[begin[:-1][plain]]]
        for row in np.unique(of):
            cuts = np.concatenate([[0.0], cut[of == row], [self._length[rows[row]]]])
            states = np.append(seen[change[of == row]], seen[begin[row + 1] - 1])
            cuts, states = _without_shorts(cuts, states, shortest, SPECK * self._occluders.size)
            strip.append(np.full(len(states), rows[row]))
            start.append(cuts[:-1])
            stop.append(cuts[1:])
            state.append(states)
        strips, starts, stops = np.concatenate(strip), np.concatenate(start), np.concatenate(stop)
        states = np.concatenate(state)
        order = np.lexsort((starts, strips))
        strips, starts, stops, states = strips[order], starts[order], stops[order], states[order]
        kept = states == VISIBLE if not self._options.hidden else states != CUT
        strips, starts, stops, states = strips[kept], starts[kept], stops[kept], states[kept]
        return Pieces(strips, *self._place(strips, starts), *self._place(strips, stops), states == VISIBLE)

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
        turns = (self._front.max(axis=(1, 2)) > FRONT) & (self._front.min(axis=(1, 2)) < -FRONT)
        both = (self._front[:, 0] > FRONT) & (self._front[:, 1] < -FRONT)
        both |= (self._front[:, 1] > FRONT) & (self._front[:, 0] < -FRONT)
        turns &= both.all(axis=1)
        share = np.add.reduceat(np.append(turns, False), self._first) / np.maximum(self._last - self._first, 1)
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
    cuts: Floats, states: NDArray[np.int8], shortest: float, speck: float
) -> tuple[Floats, NDArray[np.int8]]:
    """Ends (n + 1,) and states (n,) of runs, short ones joined to their neighbours."""
    while len(states) > 1:
        length = np.diff(cuts)
        least = np.full(len(states), shortest)
        least[1:-1][(states[1:-1] == VISIBLE) & (states[:-2] == HIDDEN) & (states[2:] == HIDDEN)] = speck
        short = int((length / least).argmin())
        if length[short] >= least[short]:
            break
        if 0 < short < len(states) - 1 and states[short - 1] == states[short + 1]:
            cuts, states = np.delete(cuts, [short, short + 1]), np.delete(states, [short, short + 1])
        else:
            cuts, states = np.delete(cuts, max(short, 1)), np.delete(states, short)
    return cuts, states
