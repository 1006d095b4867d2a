"""Centre marks on circles, axes of round shapes seen from the side, bolt circles, middles of mirrored views."""

from collections.abc import Sequence

import numpy as np

from dqgen.renderers.drawing.dimension import Request, Span
from dqgen.renderers.drawing.display_list import Arc, Line, Point, Stroke
from dqgen.renderers.drawing.drafting import CENTRE, CENTRE_SHORT
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import FULL_SWEEP, Subject

BEYOND = 2.5
"""How far centre lines reach beyond an outline, mm."""
SHORT = 12.0
"""Centre lines up to this long (mm) are drawn without dashes."""
LEAST = 0.6
"""Radius on paper below which no centre is marked, mm."""


def centre_lines(subject: Subject, projection: Projection, hidden: bool) -> tuple[Stroke, ...]:
    """The centre lines of a view.

    Args:
        subject: whose features they mark.
        projection: the view.
        hidden: also along axes whose outlines are hidden.
    """
    crosses: dict[Point, float] = {}
    axes: dict[tuple[Point, Point], None] = {}
    rings: dict[tuple[Point, float], None] = {}
    for axis in subject.catalogue.axes:
        if axis.kind != "cylinder" or axis.radius * projection.scale < LEAST:
            continue
        whole = axis.sweep >= FULL_SWEEP
        if projection.end_on(axis.direction) and (whole or (axis.inner and axis.sweep > 150)):
            if any(curve.visible for curve in subject.circles(projection, axis.origin, axis.radius)):
                at = _rounded(projection.page(axis.origin))
                crosses[at] = max(crosses.get(at, 0.0), axis.radius * projection.scale)
        elif whole and projection.in_plane(axis.direction) and (hidden or not axis.inner):
            half = axis.direction * axis.length / 2
            axes[_rounded(projection.page(axis.origin - half)), _rounded(projection.page(axis.origin + half))] = None
    for ring in subject.rings:
        if projection.end_on(ring.direction) and any(
            curve.visible
            for row in ring.rows
            for hole in (subject.catalogue.holes[row],)
            for curve in subject.circles(projection, hole.position, hole.diameter / 2)
        ):
            rings[_rounded(projection.page(ring.centre)), round(ring.diameter / 2 * projection.scale, 3)] = None
    lines: list[Stroke] = [Arc(at, radius, 0.0, 360.0, CENTRE, projection.owner) for at, radius in rings]
    for (x, y), radius in crosses.items():
        reach = radius + BEYOND
        lines += [_line((x - reach, y), (x + reach, y), projection), _line((x, y - reach), (x, y + reach), projection)]
    return (*lines, *_joined(list(axes), projection))


def mirror_lines(
    requests: Sequence[Request], frame: tuple[float, float, float, float], projection: Projection
) -> tuple[Line, ...]:
    """The lines about which lengths of a view that are told between twins are mirrored, through its frame."""
    left, bottom, right, top = frame
    lines = {}
    for span in requests:
        if not isinstance(span, Span) or not span.mirrored:
            continue
        x, y = ((a + b) / 2 for a, b in zip(span.a[0].at, span.b[0].at, strict=True))
        if span.angle == 0:
            lines[0, round(x, 3)] = _line((x, bottom - BEYOND), (x, top + BEYOND), projection)
        elif span.angle == 90:
            lines[90, round(y, 3)] = _line((left - BEYOND, y), (right + BEYOND, y), projection)
    return tuple(lines.values())


def without(lines: tuple[Stroke, ...], longer: tuple[Line, ...]) -> tuple[Stroke, ...]:
    """Lines, but those that lie within longer ones left out."""
    return tuple(
        line for line in lines if not (isinstance(line, Line) and any(_within(line, other) for other in longer))
    )


def _within(line: Line, other: Line) -> bool:
    for row in (0, 1):
        level = other.start[row]
        if max(abs(point[row] - level) for point in (other.end, line.start, line.end)) < 0.02:
            low, high = sorted((other.start[1 - row], other.end[1 - row]))
            return all(low - 0.02 < point[1 - row] < high + 0.02 for point in (line.start, line.end))
    return False


def _joined(axes: list[tuple[Point, Point]], projection: Projection) -> list[Stroke]:
    """Axes on one line as one line, reaching beyond their ends."""
    groups: dict[tuple[float, ...], list[tuple[float, float, Point, Point]]] = {}
    for a, b in axes:
        direction = np.array(b) - np.array(a)
        size = float(np.linalg.norm(direction))
        if size < 1e-6:
            continue
        direction /= size
        if direction[0] < -1e-9 or (abs(direction[0]) < 1e-9 and direction[1] < 0):
            direction = -direction
        across = float(direction[0] * a[1] - direction[1] * a[0])
        along = sorted((float(direction @ np.array(a)), float(direction @ np.array(b))))
        key = (round(float(direction[0]), 4), round(float(direction[1]), 4), round(across, 2))
        unit = (float(direction[0]), float(direction[1]))
        groups.setdefault(key, []).append((along[0], along[1], unit, (across, 0.0)))
    lines: list[Stroke] = []
    for rows in groups.values():
        low, high = min(row[0] for row in rows) - BEYOND, max(row[1] for row in rows) + BEYOND
        (ux, uy), (across, _) = rows[0][2], rows[0][3]
        start, end = ((along * ux - across * uy, along * uy + across * ux) for along in (low, high))
        lines.append(_line(start, end, projection))
    return lines


def _line(start: Point, end: Point, projection: Projection) -> Line:
    length = abs(end[0] - start[0]) + abs(end[1] - start[1])
    return Line(start, end, CENTRE_SHORT if length < SHORT else CENTRE, projection.owner)


def _rounded(point: Point) -> Point:
    return round(point[0], 3), round(point[1], 3)
