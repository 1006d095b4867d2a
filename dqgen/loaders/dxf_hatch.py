"""Hatch patterns as strokes, all lines of a family at once and no more than a page can bear."""

import numpy as np
from ezdxf.entities.polygon import DXFPolygon
from ezdxf.path import Path
from ezdxf.render import hatching

from dqgen.schemas.design import Floats

MOST_STROKES = 100_000
"""Of one hatch: finer ones are a tint to the eye, and are drawn as one."""
FLAT = 0.002
"""How far flattened borders may lie off, as a part of their size."""


class TooDenseError(Exception):
    """The pattern has more strokes than `most`, and is not drawn."""

    most = MOST_STROKES


def strokes(polygon: DXFPolygon, loops: list[Path]) -> Floats:
    """Strokes of a hatch, (n, 2, 2), in the coordinates that its borders are given in.

    Raises:
        TooDenseError: there are more than `MOST_STROKES`.
    """
    edges = _edges(loops)
    found: list[Floats] = [np.zeros((0, 2, 2))]
    room = float(MOST_STROKES)
    for line in polygon.pattern.lines if polygon.pattern and len(edges) else ():
        base = np.array([line.base_point.x, line.base_point.y])
        offset = np.array([line.offset.x, line.offset.y])
        angle = np.radians(line.angle)
        drawn = _family(edges, base, offset, float(angle), [float(part) for part in line.dash_length_items], room)
        room -= len(drawn)
        found.append(drawn)
    return np.concatenate(found)


def borders(polygon: DXFPolygon) -> list[Path]:
    """The loops that a hatch fills, text boxes left out."""
    return list(hatching.hatch_boundary_paths(polygon, filter_text_boxes=True))


def _edges(loops: list[Path]) -> Floats:
    """(n, 2, 2) straight pieces of closed loops."""
    pieces = [np.zeros((0, 2, 2))]
    for loop in loops:
        box = loop.bbox()
        if not box.has_data:
            continue
        size = max(box.size.x, box.size.y)
        if not np.isfinite(size) or size <= 0:
            continue
        points = np.array([(point.x, point.y) for point in loop.flattening(size * FLAT, segments=4)])
        pieces.append(np.stack([points, np.roll(points, -1, axis=0)], axis=1))
    edges = np.concatenate(pieces)
    return edges[np.isfinite(edges).all(axis=(1, 2))]


def _family(edges: Floats, base: Floats, offset: Floats, angle: float, dashes: list[float], room: float) -> Floats:
    """Parallel lines `offset` apart through `base`, cut by the edges (even-odd) and into dashes."""
    along = np.array([np.cos(angle), np.sin(angle)])
    across = np.array([-along[1], along[0]])
    spacing, shift = float(offset @ across), float(offset @ along)
    if not np.isfinite([spacing, shift, *dashes]).all() or spacing == 0:
        return np.zeros((0, 2, 2))
    level = (edges - base) @ across / spacing
    # Lines that pass through a corner exactly would be counted twice or not at all.
    level += 1e-7
    run = (edges - base) @ along
    low, high = level.min(axis=1), level.max(axis=1)
    first = np.ceil(low)
    counts = np.maximum(np.ceil(high) - first, 0)
    if counts.sum() > 2 * room:
        raise TooDenseError
    number = counts.astype(np.int64)
    edge = np.repeat(np.arange(len(edges)), number)
    step = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    line = first[edge] + step
    part = (line - level[edge, 0]) / (level[edge, 1] - level[edge, 0])
    cut = run[edge, 0] + part * (run[edge, 1] - run[edge, 0])
    order = np.lexsort((cut, line))
    line, cut = line[order], cut[order]
    rank = np.arange(len(line)) - np.searchsorted(line, line)
    opens = np.flatnonzero((rank % 2 == 0)[:-1] & (line[:-1] == line[1:])) if len(line) > 1 else np.zeros(0, int)
    row, start, end = line[opens], cut[opens], cut[opens + 1]
    row, start, end = _dashed(row, start, end, shift, dashes, room)
    origin = base + (row * spacing)[:, None] * across
    return np.stack([origin + start[:, None] * along, origin + end[:, None] * along], axis=1)


def _dashed(
    row: Floats, start: Floats, end: Floats, shift: float, dashes: list[float], room: float
) -> tuple[Floats, Floats, Floats]:
    """Cuts lines into dashes: positive lengths are ink, negative ones gaps, 0 a dot. Each row begins `shift` on."""
    period = sum(abs(part) for part in dashes)
    if len(dashes) < 2 or period <= 0:
        if len(row) > room:
            raise TooDenseError
        return row, start, end
    phase = row * shift
    first = np.floor((start - phase) / period)
    counts = np.maximum(np.floor((end - phase) / period) - first + 1, 0)
    if counts.sum() * len(dashes) > 2 * room:
        raise TooDenseError
    number = counts.astype(np.int64)
    source = np.repeat(np.arange(len(row)), number)
    step = np.arange(number.sum()) - np.repeat(np.cumsum(number) - number, number)
    origin = phase[source] + (first[source] + step) * period
    pieces = []
    at = 0.0
    for part in dashes:
        if part >= 0:
            begin = np.maximum(origin + at, start[source])
            finish = np.minimum(origin + at + part, end[source])
            kept = finish >= begin if part == 0 else finish > begin
            pieces.append((row[source][kept], begin[kept], finish[kept]))
        at += abs(part)
    if not pieces:
        return row[:0], start[:0], end[:0]
    joined = [np.concatenate(column) for column in zip(*pieces, strict=True)]
    return joined[0], joined[1], joined[2]
