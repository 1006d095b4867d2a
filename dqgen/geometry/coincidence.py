"""Coincident curves of a view drawn once: what is visible before what is hidden, the longer before the shorter."""

import dataclasses
from collections.abc import Callable, Iterable

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

from dqgen.geometry.view_curves import ARC_STEP, ViewCurve

CLOSE = 2e-5
"""Curves within this part of the scene's diagonal of each other coincide."""
PARALLEL = 2e-4
"""Radians between lines that can coincide."""
LEAST = 1e-4
"""What is left of a curve is dropped if shorter than this part of the scene's diagonal."""

_Span = tuple[float, float]


def merged(curves: list[ViewCurve], size: float) -> list[ViewCurve]:
    """The curves without what coincides with one that goes before it, in their order.

    Args:
        curves: of one view.
        size: diagonal of the scene, mm.
    """
    kept: dict[int, list[ViewCurve]] = {row: [curve] for row, curve in enumerate(curves)}
    for group in _collinear(curves, size):
        _resolve(curves, group, kept, *_on_line(curves, group), LEAST * size)
    for group in _concentric(curves, size):
        degrees = float(np.degrees(LEAST * size / max(float(curves[group[0]].radii[0]), 1e-12)))
        _resolve(curves, group, kept, *_on_conic(curves, group), degrees)
    for row in _repeated(curves, size):
        kept[row] = []
    return [curve for row in range(len(curves)) for curve in kept[row]]


def _resolve(
    curves: list[ViewCurve],
    group: NDArray[np.int64],
    kept: dict[int, list[ViewCurve]],
    spans: list[list[_Span]],
    cut: Callable[[ViewCurve, _Span], ViewCurve],
    least: float,
) -> None:
    """Take from each curve of a group what those before it cover: visible first, sharp first, then the longest."""

    def rank(k: int) -> tuple[bool, bool, float, int]:
        curve = curves[group[k]]
        return not curve.visible, curve.tangent, -sum(b - a for a, b in spans[k]), k

    covered: list[_Span] = []
    for k in sorted(range(len(group)), key=rank):
        row = int(group[k])
        left = [piece for span in spans[k] for piece in _without(span, covered)]
        if sum(b - a for a, b in left) < sum(b - a for a, b in spans[k]) - 1e-9:
            kept[row] = [cut(curves[row], piece) for piece in left if piece[1] - piece[0] > least]
        covered = _union([*covered, *spans[k]])


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


def _collinear(curves: list[ViewCurve], size: float) -> list[NDArray[np.int64]]:
    rows = np.array([row for row, curve in enumerate(curves) if curve.kind == "line"], dtype=np.int64)
    if len(rows) < 2:
        return []
    ends = np.stack([curves[row].points for row in rows])
    vector = ends[:, 1] - ends[:, 0]
    angle = np.arctan2(vector[:, 1], vector[:, 0]) % np.pi
    length = np.linalg.norm(vector, axis=1)
    middle = ends.mean(axis=1)
    middle = middle - middle.mean(axis=0)
    groups = []
    by_angle = np.argsort(angle, kind="stable")
    parts = np.split(by_angle, np.flatnonzero(np.diff(angle[by_angle]) > PARALLEL) + 1)
    if len(parts) > 1 and angle[by_angle[0]] + np.pi - angle[by_angle[-1]] <= PARALLEL:
        parts = [np.concatenate([parts[-1], parts[0]]), *parts[1:-1]]
    for part in parts:
        if len(part) < 2:
            continue
        double = (length[part] @ np.stack([np.cos(2 * angle[part]), np.sin(2 * angle[part])], axis=1)).tolist()
        mean = np.arctan2(double[1], double[0]) / 2
        offset = middle[part] @ np.array([-np.sin(mean), np.cos(mean)])
        order = np.argsort(offset, kind="stable")
        for same in np.split(part[order], np.flatnonzero(np.diff(offset[order]) > CLOSE * size) + 1):
            if len(same) > 1:
                groups.append(np.sort(rows[same]))
    return groups


def _on_line(
    curves: list[ViewCurve], group: NDArray[np.int64]
) -> tuple[list[list[_Span]], Callable[[ViewCurve, _Span], ViewCurve]]:
    ends = np.stack([curves[row].points for row in group])
    vector = ends[:, 1] - ends[:, 0]
    length = np.linalg.norm(vector, axis=1)
    longest = int(length.argmax())
    origin, along = ends[longest, 0], vector[longest] / length[longest]
    spans: list[list[_Span]] = [[(low, high)] for low, high in np.sort((ends - origin) @ along, axis=1).tolist()]

    def cut(curve: ViewCurve, span: _Span) -> ViewCurve:
        return dataclasses.replace(curve, points=origin + np.array([[span[0]], [span[1]]]) * along)

    return spans, cut


def _concentric(curves: list[ViewCurve], size: float) -> list[NDArray[np.int64]]:
    rows = np.array([row for row, curve in enumerate(curves) if curve.kind in ("arc", "ellipse")], dtype=np.int64)
    if len(rows) < 2:
        return []
    form = np.array(
        [
            (
                *curves[row].centre,
                *curves[row].radii,
                *(
                    (curves[row].radii[0] - curves[row].radii[1])
                    * np.array([np.cos(2 * np.radians(curves[row].tilt)), np.sin(2 * np.radians(curves[row].tilt))])
                ),
            )
            for row in rows
        ]
    )
    pairs = cKDTree(form).query_pairs(CLOSE * size, output_type="ndarray")
    graph = coo_matrix((np.ones(len(pairs)), (pairs[:, 0], pairs[:, 1])), shape=(len(rows), len(rows)))
    label = connected_components(graph, directed=False)[1]
    order = np.argsort(label, kind="stable")
    return [rows[same] for same in np.split(order, np.flatnonzero(np.diff(label[order])) + 1) if len(same) > 1]


def _on_conic(
    curves: list[ViewCurve], group: NDArray[np.int64]
) -> tuple[list[list[_Span]], Callable[[ViewCurve, _Span], ViewCurve]]:
    """Spans in degrees, those that cross 360 cut there; a tilt that differs by 180° shifts them."""
    base = curves[group[0]]
    spans, shift = [], {}
    for row in group:
        curve = curves[row]
        turned = round((curve.tilt - base.tilt) / 180) * 180.0 if base.kind == "ellipse" else 0.0
        low, high = curve.span[0] + turned, curve.span[1] + turned
        back = 360 * np.floor(low / 360)
        low, high = low - back, high - back
        shift[id(curve)] = turned
        spans.append([(low, high)] if high <= 360 else [(low, 360.0), (0.0, high - 360)])

    def cut(curve: ViewCurve, span: _Span) -> ViewCurve:
        low = span[0] - shift[id(curve)]
        back = 360 * np.floor(low / 360)
        own = (float(low - back), float(span[1] - shift[id(curve)] - back))
        count = max(2, int(np.ceil((own[1] - own[0]) / ARC_STEP)) + 1)
        return dataclasses.replace(curve, span=own, points=curve.at(np.linspace(*own, count)))

    return spans, cut


def _repeated(curves: list[ViewCurve], size: float) -> list[int]:
    """Polylines of which each point lies on one that goes before: as stacked twins have them."""
    rows = [row for row, curve in enumerate(curves) if curve.kind == "polyline"]
    rows.sort(key=lambda row: (not curves[row].visible, curves[row].tangent, -curves[row].length, row))
    seen: set[tuple[int, ...]] = set()
    gone = []
    for row in rows:
        points = curves[row].points
        key = np.round(np.concatenate([points[[0, -1]].min(axis=0), points[[0, -1]].max(axis=0)]) / (CLOSE * size))
        middle = points.mean(axis=0) / (10 * CLOSE * size)
        mark = (*(int(value) for value in key), *(int(value) for value in np.round(middle)))
        if mark in seen:
            gone.append(row)
        seen.add(mark)
    return gone
