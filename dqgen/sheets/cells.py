"""The ruled cells of a page: boxes between upright lines, found by looking left, right, up and down from a point."""

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
        self.flat = _merged(flat)
        self.tall = _merged(tall)
        self.width, self.height = width, height
        self._known: dict[tuple[float, float], Box | None] = {}

    def at(self, x: float, y: float) -> Box | None:
        """Left, top, right, bottom in mm of the cell around a point; None where a side is open."""
        key = (round(x, 2), round(y, 2))
        if key not in self._known:
            self._known[key] = self._look(x, y)
        return self._known[key]

    def _look(self, x: float, y: float) -> Box | None:
        beside = self.tall[(self.tall[:, 1] - TOUCH <= y) & (y <= self.tall[:, 2] + TOUCH), 0]
        left, right = beside[beside <= x], beside[beside > x]
        over = self.flat[(self.flat[:, 1] - TOUCH <= x) & (x <= self.flat[:, 2] + TOUCH), 0]
        top, bottom = over[over <= y], over[over > y]
        if not (len(left) and len(right) and len(top) and len(bottom)):
            return None
        return float(left.max()), float(top.max()), float(right.min()), float(bottom.min())


def _merged(lines: Floats) -> Floats:
    """Lines on one place that overlap or touch, as one; short ones are dropped."""
    if not len(lines):
        return lines.reshape(0, 3)
    level = np.round(lines[:, 0] / 0.3)
    order = np.lexsort((lines[:, 1], level))
    kept: list[list[float]] = []
    before = np.nan
    for here, (place, start, end) in zip(level[order].tolist(), lines[order].tolist(), strict=True):
        if here == before and start <= kept[-1][2] + TOUCH:
            kept[-1][2] = max(kept[-1][2], end)
        else:
            kept.append([place, start, end])
        before = here
    merged = np.array(kept)
    long: Floats = merged[merged[:, 2] - merged[:, 1] >= SHORTEST]
    return long
