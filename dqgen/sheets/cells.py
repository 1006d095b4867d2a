"""The ruled cells of a page: boxes between upright lines, found by looking left, right, up and down from a point."""

import math

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.sheets.shapes import Box
from dqgen.sheets.strokes import Strokes

TOUCH = 0.4  # mm: lines that come this close meet
SHORTEST = 1.5  # mm


class Cells:
    """Looks up the cell around a point."""

    def __init__(self, strokes: Strokes, width: float, height: float) -> None:
        boxes = strokes.boxes
        flat, tall = strokes.upright(0), strokes.upright(1)
        if len(boxes):
            x0, y0, x1, y1 = boxes.T
            flat = np.vstack([flat, np.column_stack([y0, x0, x1]), np.column_stack([y1, x0, x1])])
            tall = np.vstack([tall, np.column_stack([x0, y0, y1]), np.column_stack([x1, y0, y1])])
        self._flat, self._tall = _Bands(_merged(flat)), _Bands(_merged(tall))
        self.width, self.height = width, height
        self._known: dict[tuple[float, float], Box | None] = {}

    def at(self, x: float, y: float) -> Box | None:
        """Left, top, right, bottom in mm of the cell around a point; None where a side is open."""
        key = (round(x, 2), round(y, 2))
        if key not in self._known:
            self._known[key] = self._look(x, y)
        return self._known[key]

    def _look(self, x: float, y: float) -> Box | None:
        left, right = self._tall.around(x, y)
        top, bottom = self._flat.around(y, x)
        if left is None or right is None or top is None or bottom is None:
            return None
        return left, top, right, bottom


class _Bands:
    """Parallel lines as (n, 3): place across, start and end along; those that reach into a band across are kept
    together, for most questions are about the same few."""

    WIDTH = 8.0  # mm

    def __init__(self, lines: Floats) -> None:
        self._lines = lines[np.argsort(lines[:, 0], kind="stable")]
        self._known: dict[int, Floats] = {}

    def around(self, across: float, along: float) -> tuple[float | None, float | None]:
        """Places of the lines next before (or at) and after a point."""
        number = math.floor(along / self.WIDTH)
        if number not in self._known:
            start, end = number * self.WIDTH - TOUCH, (number + 1) * self.WIDTH + TOUCH
            self._known[number] = self._lines[(self._lines[:, 1] <= end) & (start <= self._lines[:, 2])]
        lines = self._known[number]
        places = lines[(lines[:, 1] - TOUCH <= along) & (along <= lines[:, 2] + TOUCH), 0]
        at = int(np.searchsorted(places, across, side="right"))
        return float(places[at - 1]) if at else None, float(places[at]) if at < len(places) else None


def _merged(lines: Floats) -> Floats:
    """Lines on one place that overlap or touch, as one; short ones are dropped."""
    if not len(lines):
        return lines.reshape(0, 3)
    level = np.round(lines[:, 0] / 0.3)
    order = np.lexsort((lines[:, 1], level))
    _, rank = np.unique(level[order], return_inverse=True)
    place, start, end = lines[order].T
    # Levels are set apart, so that the furthest end so far is one on the same level.
    apart = rank * (2 * float(np.ptp(lines[:, 1:])) + 1)
    reach = np.maximum.accumulate(end + apart)
    begins = np.flatnonzero(np.append([True], (start + apart)[1:] > reach[:-1] + TOUCH))
    merged = np.column_stack([place[begins], start[begins], np.maximum.reduceat(end, begins)])
    long: Floats = merged[merged[:, 2] - merged[:, 1] >= SHORTEST]
    return long
