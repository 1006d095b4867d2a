"""The axis triad of a bare view: the view's name and where the model's axes point."""

import numpy as np

from dqgen.renderers.annotate import AXIS_COLOURS
from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.display_list import Arc, Filled, Item, Line, Pen, Point, Polyline, Text
from dqgen.renderers.drawing.drafting import RULE
from dqgen.renderers.drawing.sheet import Rect
from dqgen.renderers.views import View

HEIGHT = 3.2
"""Of the name's capitals, mm; all else keeps its proportion to them."""
SIDE = 18.0
"""Of the face that carries the view's name, mm, if that is short;"""
BESIDE = 1.5
"""else so much is left on either side of the name."""
REACH = 9.0
"""How far axes reach beyond the face."""
LETTER = 3.5


def triad(view: View, corner: Point, height: float = HEIGHT) -> tuple[Item, ...]:
    """A triad whose room has its upper right corner there, its view's name in capitals of that height, mm."""
    name, large = view.name.upper(), height / HEIGHT
    side, letter_height = _side(view, height), LETTER * large
    size = side + 2 * REACH * large
    right, top = corner
    middle = np.array([right - size / 2, top - size / 2])
    items: list[Item] = []
    flat = not view.name.startswith("iso")
    if flat:
        half = side / 2
        (x, y) = middle
        face = ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))
        items.append(Polyline(tuple((float(a), float(b)) for a, b in face), RULE, closed=True, owner="triad"))
    at = (float(middle[0]), float(middle[1] - height / 2)) if flat else (float(middle[0]), top - size + 1.0)
    items.append(Text(at, name, height, "middle", layer="SHEET", owner="triad", role="label"))
    axes = {letter: view.rotation @ np.eye(3)[row] for row, letter in enumerate("XYZ")}
    shown = {letter: axis for letter, axis in axes.items() if np.hypot(axis[0], axis[1]) > 1e-6}
    origin = middle.copy()
    if flat:  # in the corner of the face from which both axes run along its sides
        for axis in shown.values():
            origin -= np.sign(np.round(axis[:2], 6)) * side / 2
    for letter, axis in shown.items():
        colour = AXIS_COLOURS[letter]
        length = (side + 4.0 * large if flat else side * 0.8) * (1.0 if flat else float(np.hypot(*axis[:2])))
        direction = axis[:2] / np.hypot(*axis[:2])
        tip = origin + direction * length
        items.append(Line(_point(origin), _point(tip - direction * 2), Pen("SHEET", 0.5, colour), "triad"))
        across = np.array([-direction[1], direction[0]])
        head = (_point(tip), _point(tip - direction * 2.6 + across), _point(tip - direction * 2.6 - across))
        items.append(Filled(head, "SHEET", colour, "triad"))
        spot = tip + direction * 0.8 * letter_height
        items.append(
            Text(
                (float(spot[0]), float(spot[1] - letter_height / 2)),
                letter,
                letter_height,
                "middle",
                layer="SHEET",
                colour=colour,
                owner="triad",
                role="label",
            )
        )
    for letter, axis in axes.items():
        if letter not in shown:
            items += _line_of_sight(letter, origin, bool(axis[2] > 0), shown, letter_height)
    return tuple(items)


def _line_of_sight(
    letter: str, origin: np.ndarray, towards: bool, shown: dict[str, np.ndarray], height: float
) -> list[Item]:
    """The axis along the line of sight: a ring with a dot when it points to the viewer, with a cross when away."""
    colour = AXIS_COLOURS[letter]
    x, y = _point(origin)
    pen = Pen("SHEET", 0.4, colour)
    items: list[Item] = [Arc((x, y), 1.5, 0.0, 360.0, pen, "triad")]
    if towards:
        items.append(Arc((x, y), 0.3, 0.0, 360.0, Pen("SHEET", 0.6, colour), "triad"))
    else:
        items += [
            Line((x - 1.05, y - side * 1.05), (x + 1.05, y + side * 1.05), Pen("SHEET", 0.3, colour), "triad")
            for side in (1, -1)
        ]
    away = -sum((axis[:2] for axis in shown.values()), np.zeros(2))
    spot = origin + away / max(float(np.linalg.norm(away)), 1e-9) * 1.3 * height
    items.append(
        Text(
            (float(spot[0]), float(spot[1] - height / 2)),
            letter,
            height,
            "middle",
            layer="SHEET",
            colour=colour,
            owner="triad",
            role="label",
        )
    )
    return items


def room(view: View, corner: Point, height: float = HEIGHT) -> Rect:
    """The room of a triad whose upper right corner is there."""
    size = _side(view, height) + 2 * REACH * height / HEIGHT
    return corner[0] - size, corner[1] - size, corner[0], corner[1]


def _side(view: View, height: float) -> float:
    if view.name.startswith("iso"):
        return SIDE * height / HEIGHT
    large = height / HEIGHT
    return max(SIDE * large, lettering.advance(view.name.upper(), height) + 2 * BESIDE * large)


def _point(values: np.ndarray) -> Point:
    return float(values[0]), float(values[1])
