"""Bolt circles: their diameters, and the angles at which their holes stand."""

from collections import defaultdict

import numpy as np

from dqgen.geometry.features import Hole
from dqgen.renderers.drawing.dimension import Corner, Request, Round, Target
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.rings import Ring
from dqgen.renderers.drawing.subject import Subject

LEAST_TURN = 0.05
"""Degrees off a centre line below which a hole counts as lying on it."""


def bolt_circles(subject: Subject, holes: dict[str, list[Hole]]) -> dict[str, list[Request]]:
    """The diameters of rings, each once, and the angles of their holes, in the views that tell these.

    Args:
        subject: what is dimensioned.
        holes: those that have callouts, by view.
    """
    told: dict[str, list[Request]] = defaultdict(list)
    view_of = {id(hole): one for one in subject.projections for hole in holes.get(one.id, [])}
    for ring in subject.rings:
        views = [view_of.get(id(subject.catalogue.holes[group[0]])) for group in ring.groups]
        first = next((view for view in views if view is not None), None)
        if first is None:
            continue
        number = subject.numbers.length(ring.diameter)
        count = len(ring.rows)
        label = subject.labels.make(
            "diameter",
            ring.diameter,
            (f"⌀{number}",),
            f"bolt circle of {count} hole{'s' if count > 1 else ''}",
            (ring.centre,),
            number,
        )
        told[first.id].append(Round(label, _between_holes(subject, first, ring)))
        for view, group in zip(views, ring.groups, strict=True):
            turned = None if view is None else _turned(subject, view, ring, group)
            if view is not None and turned is not None:
                told[view.id].append(turned)
    return told


def _turned(subject: Subject, view: Projection, ring: Ring, group: tuple[int, ...]) -> Request | None:
    """The angle from the centre line across at which the first hole of a group stands; None if one of them lies on a
    centre line."""
    flat = view.view.rotation[:2]
    turns = []
    for row in group:
        x, y = flat @ (subject.catalogue.holes[row].position - ring.centre)
        turns.append((round(float(np.degrees(np.arctan2(abs(y), abs(x)))), 6), x <= 0, y <= 0, row))
    degrees, leftwards, below, row = min(turns)
    if any(min(turn, 90 - turn) < LEAST_TURN for turn, *_ in turns):
        return None
    hole = subject.catalogue.holes[row]
    text = subject.numbers.angle(degrees)
    reach = ring.diameter / 2 * view.view.rotation[0] * (-1 if leftwards else 1)
    apex, level, end = (view.foot(np.asarray(point)) for point in (ring.centre, ring.centre + reach, hole.position))
    label = subject.labels.make("angular", degrees, (text,), "angle of a hole on a bolt circle", printed=text)
    a, b = (level, end) if leftwards == below else (end, level)
    return Corner(label, apex, a, b, (end,))


def _between_holes(subject: Subject, view: Projection, ring: Ring) -> tuple[Target, ...]:
    """The arcs of a ring between its holes, for leaders that should not point at a hole."""
    centre, radius = view.page(ring.centre), ring.diameter / 2 * view.scale
    turns = []
    for row in ring.rows:
        x, y = view.page(subject.catalogue.holes[row].position)
        turns.append(float(np.degrees(np.arctan2(y - centre[1], x - centre[0]))) % 360)
    turns.sort()
    widest = max(subject.catalogue.holes[row].diameter for row in ring.rows) * view.scale
    margin = np.degrees(min(widest / radius, 1.0))
    ends = [*turns[1:], turns[0] + 360]
    return tuple(
        Target(centre, radius, first + margin, last - margin)
        for first, last in zip(turns, ends, strict=True)
        if last - first > 2.5 * margin
    ) or (Target(centre, radius),)
