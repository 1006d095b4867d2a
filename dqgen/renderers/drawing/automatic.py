"""Automatic dimensioning: what a reader needs to make a part, each feature once, in the view that shows it true."""

from collections import defaultdict

import numpy as np

from dqgen.geometry.features import Catalogue, Hole
from dqgen.geometry.transforms import Placed
from dqgen.renderers.drawing import bolt_circles, free_outlines, hole_letters, lengths, marks, rounds, slopes
from dqgen.renderers.drawing import holes as hole_callouts
from dqgen.renderers.drawing.dimension import Request
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import FULL_SWEEP, Subject, main_axis
from dqgen.schemas.design import Floats

LOOKS_AGAINST = {"front": (1, 1), "back": (1, -1), "left": (0, 1), "right": (0, -1), "top": (2, -1), "bottom": (2, 1)}
"""The axis along which a view looks, and to which side."""
LEAST_ROUND = 0.004
"""Roundings smaller than this part of the design's size ask for no view of their own."""


def choose_views(leaves: list[Placed], catalogue: Catalogue) -> tuple[str, ...]:
    """The orthographic views that a design needs: front, and those in which a part's holes open and roundings show."""
    if len(leaves) > 1:
        return "front", "right", "top"
    wanted = {"front"}
    for hole in catalogue.holes:
        along = main_axis(hole.direction)
        if along is not None and not (hole.through and not hole.counterbore and not hole.countersink):
            side = 1 if hole.direction[along] > 0 else -1
            wanted |= {name for name, look in LOOKS_AGAINST.items() if look == (along, side)}
    size = float((catalogue.bounds[1] - catalogue.bounds[0]).max())
    subject = Subject(leaves, catalogue, (), Labels(Numbers()))
    turned = None if subject.turned_axis is None else main_axis(subject.turned_axis[1])
    for row, usual, other in ((0, "right", "left"), (1, "front", "back"), (2, "top", "bottom")):
        if usual in wanted or other in wanted:
            continue
        for axis in catalogue.axes:
            whole = axis.sweep >= FULL_SWEEP
            if main_axis(axis.direction) != row or axis.radius < LEAST_ROUND * size or axis.kind != "cylinder":
                continue
            if row == turned and whole and not axis.inner:
                continue
            wanted.add(usual)
            break
    for plane in catalogue.planes:
        flat = _along(plane.normal)
        if flat is not None and not subject.too_small(plane):
            usual, other = (("right", "left"), ("front", "back"), ("top", "bottom"))[flat]
            wanted |= set() if usual in wanted or other in wanted else {usual}
    if not wanted & {"top", "bottom", "left", "right"}:
        span = catalogue.bounds[1] - catalogue.bounds[0]
        wanted.add("right" if turned == 0 or span[2] > span[0] else "top")
    return tuple(name for name in LOOKS_AGAINST if name in wanted)


def _along(normal: Floats) -> int | None:
    """The axis along which a face that stands askew is seen edge-on; None for others."""
    flat = np.flatnonzero(np.abs(normal) < 1e-6)
    return int(flat[0]) if len(flat) == 1 else None


def requests(subject: Subject, letters_taken: int = 0) -> dict[str, list[Request]]:
    """The dimensions of each view of a single part, by the view's id; sections and details have the first letters."""
    told: dict[str, list[Request]] = defaultdict(list)
    holes_of: dict[str, list[Hole]] = defaultdict(list)
    shown: list[tuple[Projection, list[Hole]]] = []
    for group in hole_callouts.by_size(subject):
        view = hole_callouts.home(subject, group)
        if view is not None and not hole_callouts.seen(subject, view, group):
            hidden = rounds.chambers(subject, group)
            if hidden:
                for view_id, dimensions in hidden.items():
                    told[view_id] += dimensions
                continue
        if view is None:
            number, count = subject.numbers.length(group[0].diameter), len(group)
            holes = f"{count} holes" if count > 1 else "a hole"
            subject.warnings.append(f"{holes} ⌀{number} not dimensioned: no view on the sheet shows their circles")
        else:
            holes_of[view.id] += group
            shown.append((view, group))
    letters = hole_letters.letters([(view.id, view.scale, group) for view, group in shown], letters_taken)
    for (view, group), letter in zip(shown, letters, strict=True):
        told[view.id].append(hole_callouts.callout(subject, view, group, letter))
    known = marks.joined(marks.centres(subject, holes_of), marks.steps(subject))
    known = marks.joined(known, marks.hollows(subject, holes_of))
    sloping, bevels = slopes.slopes(subject, known)
    known = marks.joined(known, sloping)
    free, edges = free_outlines.outlines(subject, known)
    for found in (
        bolt_circles.bolt_circles(subject, holes_of),
        rounds.diameters(subject),
        lengths.positions(subject, marks.joined(known, free)),
        bevels,
        edges,
        rounds.radii(subject),
        rounds.chamfers(subject),
    ):
        for view_id, dimensions in found.items():
            told[view_id] += dimensions
    for (view_id, _), span in lengths.overall(subject).items():
        told[view_id].append(span)
    return told


def overall_requests(subject: Subject) -> dict[str, list[Request]]:
    """The overall sizes alone, as assemblies are dimensioned."""
    told: dict[str, list[Request]] = defaultdict(list)
    for (view_id, _), span in lengths.overall(subject).items():
        told[view_id].append(span)
    return told
