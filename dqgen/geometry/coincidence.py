"""Coincident curves of a view drawn once: what is visible before what is hidden, the longer before the shorter."""

from collections.abc import Callable, Iterable
from itertools import groupby
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from dqgen.geometry.view_curves import ARC_STEP, ViewCurve
from dqgen.schemas.design import Floats

CLOSE = 2e-5
"""Curves within this part of the scene's diagonal of each other coincide."""
PARALLEL = 2e-4
"""Radians between lines that can coincide."""
LEAST = 1e-4
"""What is left of a curve is dropped if shorter than this part of the scene's diagonal."""

_Span = tuple[float, float]


class _Spans(NamedTuple):
    """Curves that lie on common carriers, as spans of a carrier's parameter; a curve may have two.

    Attributes:
        row: (n,) row of the curve.
        group: (n,) number of the carrier.
        low, high: (n,) mm along a line, degrees on a conic.
        least: (n,) what is shorter is dropped.
        cut: the piece of a curve, given its row, on a span.
    """

    row: NDArray[np.int64]
    group: NDArray[np.int64]
    low: Floats
    high: Floats
    least: Floats
    cut: Callable[[int, _Span], ViewCurve]


def merged(curves: list[ViewCurve], size: float) -> list[ViewCurve]:
    """The curves without what coincides with one that goes before it, in their order.

    Args:
        curves: of one view.
        size: diagonal of the scene, mm.
    """
    changed: dict[int, list[ViewCurve]] = {row: [] for row in _repeated(curves, size)}
    for spans in (_on_lines(curves, size), _on_conics(curves, size)):
        changed |= _resolved(curves, spans)
    if not changed:
        return curves
    return [piece for row, curve in enumerate(curves) for piece in changed.get(row, (curve,))]


def _resolved(curves: list[ViewCurve], spans: _Spans) -> dict[int, list[ViewCurve]]:
    """By row what is left of curves that lose something: visible before hidden, sharp before tangent, then the
    longest takes from those after it what it covers."""
    order = np.lexsort((spans.low, spans.group))
    group, low, high = spans.group[order], spans.low[order], spans.high[order]
    overlap = (group[1:] == group[:-1]) & (low[1:] < high[:-1])
    entries = np.flatnonzero(np.isin(spans.group, group[1:][overlap]))
    if not len(entries):
        return {}
    row, carrier = spans.row[entries], spans.group[entries]
    total = np.bincount(row, spans.high[entries] - spans.low[entries])[row]
    hidden = np.array([not curves[k].visible for k in row.tolist()])
    tangent = np.array([curves[k].tangent for k in row.tolist()])
    entries = entries[np.lexsort((row, -total, tangent, hidden, carrier))]
    rows, carriers, lows, highs, leasts = (column[entries].tolist() for column in spans[:5])
    left_over: dict[int, list[ViewCurve]] = {}
    covered: list[_Span] = []
    last = -1
    for (row, carrier, least), members in groupby(range(len(rows)), lambda k: (rows[k], carriers[k], leasts[k])):
        own = [(lows[k], highs[k]) for k in members]
        if carrier != last:
            covered, last = _union(own), carrier
            continue
        left = [piece for span in own for piece in _without(span, covered)]
        if left != own and sum(b - a for a, b in own) - sum(b - a for a, b in left) > 1e-9:
            left_over[row] = [spans.cut(row, piece) for piece in left if piece[1] - piece[0] > least]
        if left:
            covered = _union([*covered, *own])
    return left_over


def _without(span: _Span, covered: list[_Span]) -> list[_Span]:
    """What is left of a span under sorted, disjoint spans."""
    left, start = [], span[0]
    for low, high in covered:
        if high <= start:
            continue
        if low >= span[1]:
            break
        if low > start:
            left.append((start, low))
        start = max(start, high)
    if start < span[1]:
        left.append((start, span[1]))
    return left


def _union(spans: Iterable[_Span]) -> list[_Span]:
    result: list[_Span] = []
    for low, high in sorted(spans):
        if result and low <= result[-1][1]:
            result[-1] = (result[-1][0], max(result[-1][1], high))
        else:
            result.append((low, high))
    return result


def _on_lines(curves: list[ViewCurve], size: float) -> _Spans:
    """Lines by what they lie on: sorted by direction, then by distance from a common middle, cut at every gap."""
    rows = np.array([row for row, curve in enumerate(curves) if curve.kind == "line"], dtype=np.int64)
    ends = np.concatenate([curves[row].points for row in rows] or [np.zeros((0, 2))]).reshape(-1, 2, 2)
    vector = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(vector, axis=1)
    angle = np.arctan2(vector[:, 1], vector[:, 0]) % np.pi
    order = np.argsort(angle, kind="stable")
    cluster = np.zeros(len(rows), dtype=np.int64)
    cluster[order[1:]] = np.cumsum(np.diff(angle[order]) > PARALLEL)
    if len(rows) and angle[order[0]] + np.pi - angle[order[-1]] <= PARALLEL:
        cluster[cluster == cluster.max()] = 0
    double = np.stack([np.bincount(cluster, length * turn(2 * angle)) for turn in (np.cos, np.sin)])
    mean = (np.arctan2(double[1], double[0]) / 2)[cluster]
    middle = ends.mean(axis=1)
    middle = middle - (middle.mean(axis=0) if len(rows) else 0)
    offset = middle[:, 1] * np.cos(mean) - middle[:, 0] * np.sin(mean)
    order = np.lexsort((offset, cluster))
    gap = (np.diff(offset[order]) > CLOSE * size) | (np.diff(cluster[order]) > 0)
    group = np.zeros(len(rows), dtype=np.int64)
    group[order[1:]] = np.cumsum(gap)
    # The longest of each lends the others its direction.
    order = np.lexsort((-np.arange(len(rows)), length, group))
    longest = order[np.searchsorted(group[order], group, side="right") - 1] if len(rows) else order
    origin, along = ends[longest, 0], vector[longest] / length[longest, None]
    run = np.sort(np.einsum("ijk,ik->ij", ends - origin[:, None], along), axis=1)
    at = dict(zip(rows.tolist(), range(len(rows)), strict=True))

    def cut(row: int, span: _Span) -> ViewCurve:
        points = origin[at[row]] + np.array([[span[0]], [span[1]]]) * along[at[row]]
        return curves[row]._replace(points=points)

    return _Spans(rows, group, run[:, 0], run[:, 1], np.full(len(rows), LEAST * size), cut)


def _on_conics(curves: list[ViewCurve], size: float) -> _Spans:
    """Arcs and ellipses of the same centre, radii and tilt; spans that cross 360° are cut there."""
    rows = np.array([row for row, curve in enumerate(curves) if curve.kind in ("arc", "ellipse")], dtype=np.int64)
    chosen = [curves[row] for row in rows]
    centre = np.array([curve.centre for curve in chosen]).reshape(-1, 2)
    radii = np.array([curve.radii for curve in chosen]).reshape(-1, 2)
    tilt = np.array([curve.tilt for curve in chosen])
    double = (radii[:, 0] - radii[:, 1]) * np.stack([np.cos(2 * np.radians(tilt)), np.sin(2 * np.radians(tilt))])
    group = np.arange(len(rows))
    if len(rows) > 1:
        pairs = cKDTree(np.column_stack([centre, radii, double.T])).query_pairs(CLOSE * size, output_type="ndarray")
        graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(rows), len(rows)))
        group = connected_components(graph, directed=False)[1].astype(np.int64)
    base = np.unique(group, return_index=True)[1][group]
    # A tilt that differs by 180° shifts the parameter.
    ellipse = np.array([curve.kind == "ellipse" for curve in chosen], dtype=bool)[base]
    shift = np.where(ellipse, np.round((tilt - tilt[base]) / 180) * 180, 0.0)
    low, high = (np.array([curve.span for curve in chosen]).reshape(-1, 2) + shift[:, None]).T
    back = 360 * np.floor(low / 360)
    low, high = low - back, high - back
    over = high > 360
    least = np.degrees(LEAST * size / np.maximum(radii[base, 0], 1e-12))
    at = dict(zip(rows.tolist(), shift.tolist(), strict=True))

    def cut(row: int, span: _Span) -> ViewCurve:
        low, high = span[0] - at[row], span[1] - at[row]
        back = 360 * np.floor(low / 360)
        own = (float(low - back), float(high - back))
        count = max(2, int(np.ceil((own[1] - own[0]) / ARC_STEP)) + 1)
        return curves[row]._replace(span=own, points=curves[row].at(np.linspace(*own, count)))

    return _Spans(
        np.concatenate([rows, rows[over]]),
        np.concatenate([group, group[over]]),
        np.concatenate([low, np.zeros(int(over.sum()))]),
        np.concatenate([np.minimum(high, 360), high[over] - 360]),
        np.concatenate([least, least[over]]),
        cut,
    )


def _repeated(curves: list[ViewCurve], size: float) -> list[int]:
    """Polylines of which each point lies on one that goes before: as stacked twins have them."""
    rows = [row for row, curve in enumerate(curves) if curve.kind == "polyline"]
    if not rows:
        return []
    lines = [curves[row].points for row in rows]
    count = np.array([len(line) for line in lines])
    last = np.cumsum(count) - 1
    first = last - count + 1
    points = np.concatenate(lines)
    step = np.zeros(len(points))
    step[1:] = np.hypot(*(points[1:] - points[:-1]).T)
    step[first] = 0
    length = np.add.reduceat(step, first)
    ends = np.stack([points[first], points[last]])
    middle = np.add.reduceat(points, first) / count[:, None]
    grid = CLOSE * size
    mark = np.round(np.hstack([ends.min(axis=0) / grid, ends.max(axis=0) / grid, middle / (10 * grid)]))
    hidden = np.array([not curves[row].visible for row in rows])
    tangent = np.array([curves[row].tangent for row in rows])
    order = np.lexsort((np.array(rows), -length, tangent, hidden))
    kept = order[np.unique(mark[order], axis=0, return_index=True)[1]]
    return np.delete(rows, kept).tolist()
