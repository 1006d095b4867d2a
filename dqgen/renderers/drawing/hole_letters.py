"""Letters of holes: they tell apart groups that look alike on paper, as ISO 129-1 allows in place of leaders."""

from collections.abc import Sequence

import numpy as np

from dqgen.geometry.features import Hole
from dqgen.renderers.drawing.contacts import Boxed, quads_of, quads_overlap, segments_in_quad, segments_of
from dqgen.renderers.drawing.dimension import Drawn, Request, Round, Target
from dqgen.renderers.drawing.display_list import Text, offset
from dqgen.renderers.drawing.insets import LETTERS
from dqgen.schemas.design import Floats

HEIGHT = 2.5
ALIKE = 0.8
"""mm on paper by which circles have to differ to be told apart by eye,"""
ALIKE_SHARE = 0.12
"""and as a part of the larger one."""
MARGIN = 0.3


def letters(groups: Sequence[tuple[str, float, list[Hole]]], first: int) -> list[str]:
    """The letter of each group of holes, empty where none is needed.

    Args:
        groups: the id of the view that tells them, its scale, and the holes.
        first: how many letters are taken already.
    """
    free = iter(LETTERS[first:])
    return [
        next(free, "")
        if len(holes) > 1
        and any(_alike(scale, holes[0], other[0]) for id_, _, other in groups if id_ == view and other is not holes)
        else ""
        for view, scale, holes in groups
    ]


def _alike(scale: float, one: Hole, other: Hole) -> bool:
    if bool(one.counterbore or one.countersink) != bool(other.counterbore or other.countersink):
        return False
    a, b = (
        max(hole.diameter, *(size[0] for size in (hole.counterbore, hole.countersink) if size), 0.0) * scale
        for hole in (one, other)
    )
    return abs(a - b) < max(ALIKE, ALIKE_SHARE * max(a, b))


def marks(requests: Sequence[Request], lines: Floats, drawn: Sequence[Drawn], owner: str) -> tuple[Text, ...]:
    """The letters beside the holes of a view, where each meets the fewest lines and texts.

    Args:
        requests: the view's dimensions; callouts with a letter tell which holes get it.
        lines: (n, 4) segments of the view.
        drawn: its dimensions on paper.
        owner: whose items the letters are.
    """
    own = segments_of([item for one in drawn for item in (*one.lines, *one.witness)])
    segments = Boxed.of(np.concatenate([lines, own]))
    taken = [text.quad() for one in drawn for text in one.texts]
    taken += [(a, b, c, c) for one in drawn for a, b, c in (arrow.points[:3] for arrow in one.arrows)]
    found: list[Text] = []
    for request in requests:
        if isinstance(request, Round) and request.letter:
            for target in request.targets:
                text = _beside(target, request.letter, segments, Boxed.of(quads_of(taken)), owner)
                taken.append(text.quad())
                found.append(text)
    return tuple(found)


def _beside(target: Target, letter: str, segments: Boxed, taken: Boxed, owner: str) -> Text:
    choices = []
    for further in (0.2, 1.0, 2.0, 3.5, 5.0):
        for rank, turn in enumerate((45, 135, 315, 225, 20, 70, 110, 160, 200, 250, 290, 340)):
            x, y = offset(target.centre, turn, target.radius + further + 0.6 * HEIGHT, 0.0)
            text = Text((x, y - HEIGHT / 2), letter, HEIGHT, "middle", owner=owner, role="label")
            quad = text.quad(MARGIN)
            faults = 10 * quads_overlap(taken, quad) + segments_in_quad(segments, quad)
            if not faults:
                return text
            choices.append((faults, further, rank, text))
    return min(choices, key=lambda choice: choice[:3])[3]
