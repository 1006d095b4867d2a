"""Holes of a solid: inner round bands that follow each other on one axis, read as a drawing calls them out."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from dqgen.geometry.inside import Inside
from dqgen.geometry.once import once_per_solid
from dqgen.geometry.round_faces import Band, bands, same_size
from dqgen.schemas.design import EdgeClass, Floats, Solid, Surface

LEAST_SWEEP = 300.0
"""Degrees that a hole's wall covers at least: a keyway may cut it, a fillet or a slot's end is none."""
EDGE_BREAK = 0.15
"""A cone at an opening that widens it by less than this part of its radius is a broken edge, no countersink."""


@dataclass(frozen=True)
class OwnHole:
    """A hole in its solid's frame; see `features.Hole`."""

    faces: tuple[int, ...]
    position: Floats
    direction: Floats
    diameter: float
    depth: float
    through: bool
    counterbore: tuple[float, float] | None
    countersink: tuple[float, float] | None


@once_per_solid
def holes(solid: Solid) -> tuple[OwnHole, ...]:
    """The holes of a solid, in the order of their first faces."""
    inner = [
        band
        for band in bands(solid)
        if band.inner and band.sweep >= LEAST_SWEEP and band.kind in (Surface.CYLINDER, Surface.CONE)
    ]
    if not any(band.kind == Surface.CYLINDER for band in inner):
        return ()
    inside = Inside(solid) if solid.bodies else None
    found = []
    for stack in _stacks(_bridged(inner, solid), solid):
        found += _read(stack, inside, same_size(solid))
    return tuple(sorted(found, key=lambda hole: hole.faces))


def _bridged(inner: list[Band], solid: Solid) -> list[Band]:
    """The bands, those of one hole that a crossing hole or a hollow breaks joined to one."""
    joined: list[Band] = []
    for line in _lines(inner, solid):
        first = line[0]
        order = sorted(line, key=lambda band: float((band.origin - first.origin) @ first.direction))
        whole = [order[0]]
        for band in order[1:]:
            if _broken(whole[-1], band, solid):
                whole[-1] = _spanning(whole[-1], band)
            else:
                whole.append(band)
        joined += whole
    return joined


def _broken(one: Band, other: Band, solid: Solid) -> bool:
    """Whether two cylinders on one axis are one hole, broken where inner round faces meet both."""
    if one.kind != Surface.CYLINDER or other.kind != Surface.CYLINDER:
        return False
    if abs(one.radius - other.radius) > 3 * same_size(solid):
        return False
    gap = other.origin - one.origin
    return _ends_in_hollow(one, gap, solid) and _ends_in_hollow(other, -gap, solid)


def _ends_in_hollow(band: Band, towards: Floats, solid: Solid) -> bool:
    """Whether the end of a band that lies towards a direction is cut by inner round faces alone."""
    edges = solid.edges
    own = np.isin(edges.faces, band.faces)
    beyond = []
    for row in np.flatnonzero((own.sum(axis=1) == 1) & (edges.edge_class != EdgeClass.SEAM)):
        middle = edges.polyline(int(row)).mean(axis=0) - band.origin
        if middle @ towards > 0:
            beyond.append(int(edges.faces[row][~own[row]][0]))
    faces = solid.faces
    round_kinds = (Surface.CYLINDER, Surface.CONE, Surface.SPHERE, Surface.TORUS)
    return bool(beyond) and all(
        face >= 0 and faces.kind[face] in round_kinds and faces.reversed[face] for face in beyond
    )


def _spanning(one: Band, other: Band) -> Band:
    """One band from the far end of the first to the far end of the second."""
    ends = []
    for band in (one, other):
        at = (band.origin - one.origin) @ one.direction
        ends += [at + band.low, at + band.high]
    low, high = float(min(ends)), float(max(ends))
    middle = (low + high) / 2
    return replace(
        one,
        faces=tuple(sorted(one.faces + other.faces)),
        origin=one.origin + middle * one.direction,
        low=low - middle,
        high=high - middle,
        sweep=max(one.sweep, other.sweep),
        area=one.area + other.area,
    )


@dataclass(frozen=True)
class _Stack:
    """Bands that follow each other on one axis, by place; `at` is each band's span on it from `origin`."""

    bands: list[Band]
    origin: Floats
    direction: Floats
    at: list[tuple[float, float]]


def _lines(inner: list[Band], solid: Solid) -> list[list[Band]]:
    """Bands by the axes that they share."""
    tolerance = 5 * same_size(solid)
    lines: list[list[Band]] = []
    for band in inner:
        for line in lines:
            first = line[0]
            offset = band.origin - first.origin
            across = offset - (offset @ first.direction) * first.direction
            parallel = abs(band.direction @ first.direction) > 1 - (1e-4 if solid.fitted else 1e-8)
            if parallel and np.linalg.norm(across) < tolerance:
                line.append(band)
                break
        else:
            lines.append([band])
    return lines


def _stacks(inner: list[Band], solid: Solid) -> list[_Stack]:
    tolerance = 5 * same_size(solid)
    stacks = []
    for line in _lines(inner, solid):
        origin, direction = line[0].origin, line[0].direction
        spans = []
        for band in line:
            middle = float((band.origin - origin) @ direction)
            spans.append((middle + band.low, middle + band.high))
        order = sorted(range(len(line)), key=lambda k: spans[k])
        run: list[int] = []
        reach = -np.inf
        for k in order:
            if run and spans[k][0] > reach + tolerance:
                stacks.append(_Stack([line[j] for j in run], origin, direction, [spans[j] for j in run]))
                run = []
            run.append(k)
            reach = max(reach if len(run) > 1 else -np.inf, spans[k][1])
        stacks.append(_Stack([line[j] for j in run], origin, direction, [spans[j] for j in run]))
    return stacks


def _read(stack: _Stack, inside: Inside | None, tolerance: float) -> list[OwnHole]:
    """The holes of a stack: the narrowest cylinder with what widens it at its opening, and other cylinders each."""
    cylinders = [k for k, band in enumerate(stack.bands) if band.kind == Surface.CYLINDER]
    if not cylinders:
        return []
    ends = [min(low for low, _ in stack.at), max(high for _, high in stack.at)]
    open_low, open_high = (_is_open(stack, inside, side, tolerance) for side in (0, 1))
    if not open_low and not open_high:
        return []
    rim = [stack.bands[0].radius_low, stack.bands[-1].radius_high]
    if stack.bands[0].kind == Surface.CONE and stack.bands[0].direction @ stack.direction < 0:
        rim[0] = stack.bands[0].radius_high
    if stack.bands[-1].kind == Surface.CONE and stack.bands[-1].direction @ stack.direction < 0:
        rim[1] = stack.bands[-1].radius_low
    from_low = open_low and (not open_high or rim[0] > rim[1] + tolerance)
    least = min(cylinders, key=lambda k: (round(stack.bands[k].radius / (2 * tolerance)), stack.at[k]))
    below = sum(k in cylinders and stack.at[k] < stack.at[least] for k in range(len(stack.bands)))
    above = len(cylinders) - 1 - below
    if open_low and open_high and max(below, above) > 1 and below != above:  # from where fewer steps lead to it
        from_low = below < above
    entry = ends[0] if from_low else ends[1]
    into = stack.direction if from_low else -stack.direction

    def place(k: int) -> tuple[float, float]:
        """Depths at which a band begins and ends."""
        spans = [abs(value - entry) for value in stack.at[k]]
        return min(spans), max(spans)

    depth_order = sorted(range(len(stack.bands)), key=place)
    narrowest = min(cylinders, key=lambda k: (round(stack.bands[k].radius / (2 * tolerance)), place(k)))
    before = depth_order[: depth_order.index(narrowest)]
    wider = [k for k in before if k in cylinders]
    faces = list(stack.bands[narrowest].faces)
    counterbore = countersink = None
    used = {narrowest}
    if len(wider) == 1:
        bore = stack.bands[wider[0]]
        counterbore = (2 * bore.radius, place(wider[0])[1])
        used.add(wider[0])
    cones = [k for k in before if k not in cylinders and place(k)[0] < tolerance]
    if len(cones) == 1 and not wider:
        cone = stack.bands[cones[0]]
        length = cone.high - cone.low
        growth = cone.radius - min(cone.radius_low, cone.radius_high)
        if growth > EDGE_BREAK * stack.bands[narrowest].radius and length > 0:
            countersink = (2 * cone.radius, float(np.degrees(2 * np.arctan2(growth, length))))
        used.add(cones[0])
    for k in sorted(used - {narrowest}):
        faces += stack.bands[k].faces
    found = [
        OwnHole(
            tuple(sorted(faces)),
            stack.origin + entry * stack.direction,
            into,
            2 * stack.bands[narrowest].radius,
            place(narrowest)[1],
            open_low and open_high,
            counterbore,
            countersink,
        )
    ]
    for k in cylinders:
        if k not in used:
            found.append(_step(stack, k, entry, into, place, narrowest, tolerance))
    return found


def _step(
    stack: _Stack,
    k: int,
    entry: float,
    into: Floats,
    place: Callable[[int], tuple[float, float]],
    narrowest: int,
    tolerance: float,
) -> OwnHole:
    """A wider cylinder of a stepped bore, seen from the side on which it is wider than its neighbour; a broken edge at
    its mouth counts to its depth."""
    band = stack.bands[k]
    span = place(k)
    beyond = abs(sum(stack.at[k]) / 2 - entry) > abs(sum(stack.at[narrowest]) / 2 - entry)
    direction = -into if beyond else into
    begin, end = (span[1], span[0]) if beyond else span
    spans = [place(row) for row in range(len(stack.bands))]
    mouth = max(high for _, high in spans) if beyond else 0.0
    for row, cone in enumerate(stack.bands):
        starts, stops = reversed(spans[row]) if beyond else spans[row]
        at_mouth = abs(starts - mouth) < tolerance and abs(stops - begin) < tolerance
        if cone.kind == Surface.CONE and at_mouth and cone.radius - band.radius <= EDGE_BREAK * band.radius:
            begin = starts
    return OwnHole(
        band.faces,
        stack.origin + entry * stack.direction + begin * into,
        direction,
        2 * band.radius,
        abs(end - begin),
        False,
        None,
        None,
    )


def _is_open(stack: _Stack, inside: Inside | None, side: int, tolerance: float) -> bool:
    """Whether a stack ends in air on its low (0) or high (1) side: probed just beyond its wall's end."""
    if inside is None:
        return True
    value = min(low for low, _ in stack.at) if side == 0 else max(high for _, high in stack.at)
    last = stack.bands[0] if side == 0 else max(zip(stack.at, stack.bands, strict=True), key=lambda x: x[0][1])[1]
    outward = -1.0 if side == 0 else 1.0
    radius = last.radius_low if (side == 0) == (last.direction @ stack.direction > 0) else last.radius_high
    step = max(0.02 * last.radius, 10 * tolerance)
    x = np.linalg.svd(stack.direction[None])[2][1]
    y = np.cross(stack.direction, x)
    angles = np.radians([17.0, 107.0, 197.0, 287.0])
    ring = 0.9 * radius * (np.cos(angles)[:, None] * x + np.sin(angles)[:, None] * y)
    centre = stack.origin + (value + outward * step) * stack.direction
    return int(inside(centre + ring).sum()) <= 1
