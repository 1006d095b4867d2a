"""Ordinates: coordinates from a common zero, written at the ends of their witness lines, which bend to make room."""

import itertools
from collections.abc import Iterator

from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.dimension import Drawn, Ordinates, corner_lines
from dqgen.renderers.drawing.display_list import Line, Point, Text
from dqgen.renderers.drawing.drafting import WITNESS, Drafting

PITCH = 1.55
"""Least distance of two texts, in heights."""
JOG = 5.0
"""Room in which a witness line bends, mm."""
JOG_SHARE = 0.2
"""And this part of the farthest shift more."""
LEVELS = 8


def candidates(
    ordinates: Ordinates, frame: tuple[float, float, float, float], drafting: Drafting
) -> Iterator[tuple[Drawn, ...]]:
    """The whole row on either side of the view's frame, level by level."""
    left, bottom, right, top = frame
    level_x = ordinates.angle == 0
    for side in (1, -1) if level_x else (-1, 1):
        outer = (top if side > 0 else bottom) if level_x else (right if side > 0 else left)
        for level in range(LEVELS):
            cost = 1.0 * level + (6.0 if ordinates.prefer == -side else 0.0)
            yield tuple(_row(ordinates, outer, side, level * 4.0, cost, drafting))


def spread(wanted: list[float], pitch: float) -> list[float]:
    """Places in the given order, at least `pitch` apart, each as near to where it is wanted as the rest allows."""
    groups: list[tuple[float, int]] = []  # mean of (wanted - own offset), size
    for value in wanted:
        start, size = value, 1
        while groups and groups[-1][0] + groups[-1][1] * pitch > start:
            before, many = groups.pop()
            start = (before * many + (start - many * pitch) * size) / (many + size)
            size += many
        groups.append((start, size))
    return [start + i * pitch for start, size in groups for i in range(size)]


def _row(
    ordinates: Ordinates, outer: float, side: int, lift: float, cost: float, drafting: Drafting
) -> Iterator[Drawn]:
    level_x = ordinates.angle == 0
    stops = sorted(ordinates.stops, key=lambda stop: stop.at[0] if level_x else stop.at[1])
    own = [stop.at[0] if level_x else stop.at[1] for stop in stops]
    places = spread(own, PITCH * drafting.height)
    near = outer + side * (3.0 + lift)
    farthest = max(abs(place - value) for place, value in zip(places, own, strict=True))
    far = near + side * (JOG + JOG_SHARE * farthest)
    end = far + side * 2.0
    for stop, value, place in zip(stops, own, places, strict=True):
        foot = stop.at[1] if level_x else stop.at[0]
        direction = 1 if near > foot else -1
        path = [(value, foot + direction * drafting.gap), (value, near), (place, far), (place, end)]
        if abs(place - value) < 1e-6:
            path = [path[0], path[3]]
        points: list[Point] = [(along, across) if level_x else (across, along) for along, across in path]
        owner = stop.label.id
        lines = tuple(Line(a, b, WITNESS, owner) for a, b in itertools.pairwise(points))
        text = _text(stop.label.lines[0], place, end, side, level_x, drafting, owner)
        tip = (value, near) if level_x else (near, value)
        yield Drawn(
            stop.label,
            (),
            (*lines, *corner_lines(stop.at, stop.rounded, drafting, owner)),
            (),
            (text,),
            (tip,),
            (stop.at,),
            None,
            cost + 0.02 * abs(place - value),
            ordinates.angle,
            ordinates.zero,
        )


def _text(line: str, place: float, end: float, side: int, level_x: bool, drafting: Drafting, owner: str) -> Text:
    wide = lettering.advance(line, drafting.height)
    start = end + side * 0.8 if side > 0 else end - 0.8 - wide
    half = drafting.height / 2
    at = (place + half, start) if level_x else (start, place - half)
    return Text(at, line, drafting.height, "left", 90.0 if level_x else 0.0, "DIMENSION", owner=owner, role="dimension")
