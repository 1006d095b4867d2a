"""Sheets: standard sizes and scales, frames with zones and centring marks, where views stand."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass

from dqgen.errors import UsageError
from dqgen.renderers.drawing.display_list import Item, Line, Point, Polyline, Text
from dqgen.renderers.drawing.drafting import FRAME, RULE

SIZES = {"A4": (297.0, 210.0), "A3": (420.0, 297.0), "A2": (594.0, 420.0), "A1": (841.0, 594.0), "A0": (1189.0, 841.0)}
"""Width and height in mm, landscape."""
SERIES = (50.0, 20.0, 10.0, 5.0, 2.0, 1.0, 1 / 2, 1 / 5, 1 / 10, 1 / 20, 1 / 50, 1 / 100, 1 / 200, 1 / 500, 1 / 1000)
"""Scales of ISO 5455 and their decades."""
MARGIN = 10.0
BINDING = 20.0
ZONE = 5.0
ZONE_LENGTH = 50.0
GAP = 14.0
"""Between views with all that is written around them, mm."""

Rect = tuple[float, float, float, float]
"""Left, bottom, right, top."""

Beside = tuple[str, int, int]
"""A view, and the steps across and up to the side of it where another stands in line with it, in third angle."""

COLUMNS = {"left": -1, "front": 0, "top": 0, "bottom": 0, "right": 1, "back": 2}
ROWS = {"left": 0, "front": 0, "top": 1, "bottom": -1, "right": 0, "back": 0}


@dataclass(frozen=True)
class Sheet:
    """A sheet's size, the room inside its frame, and whether it has a title block."""

    name: str
    width: float
    height: float

    @property
    def room(self) -> Rect:
        """Inside the frame."""
        return BINDING, MARGIN, self.width - MARGIN, self.height - MARGIN


def parse_scale(text: str) -> float:
    """Page mm a model mm of a scale such as `1:2`.

    Raises:
        UsageError: it is none.
    """
    try:
        paper, colon, model = text.partition(":")
        scale = float(paper) / float(model) if colon else float(paper)
    except (ValueError, ZeroDivisionError):
        scale = 0.0
    if not (math.isfinite(scale) and scale > 0):
        raise UsageError(f"'{text}' is no scale", "--scale", "write 1:2 or 5:1")
    return scale


def scale_text(scale: float) -> str:
    """A scale as title blocks show it: `1:2`, `5:1`."""
    return f"{scale:.6g}:1" if scale >= 1 else f"1:{1 / scale:.6g}"


def frame(sheet: Sheet) -> tuple[Item, ...]:
    """Frame, zones and centring marks after ISO 5457."""
    left, bottom, right, top = sheet.room
    outer = (left - ZONE, bottom - ZONE, right + ZONE, top + ZONE)
    items: list[Item] = [_rectangle(sheet.room, heavy=True), _rectangle(outer, heavy=False)]
    middle_x, middle_y = sheet.width / 2, sheet.height / 2
    for start, end in (
        ((middle_x, outer[3]), (middle_x, top - ZONE)),
        ((middle_x, outer[1]), (middle_x, bottom + ZONE)),
        ((outer[0], middle_y), (left + ZONE, middle_y)),
        ((outer[2], middle_y), (right - ZONE, middle_y)),
    ):
        items.append(Line(start, end, FRAME, "sheet"))
    columns, rows = _zones(sheet.width / 2, left, right), _zones(sheet.height / 2, bottom, top)
    for number, (low, high) in enumerate(columns):
        for y, edge in ((bottom - ZONE, bottom), (top, top + ZONE)):
            if number:
                items.append(Line((low, y), (low, edge), RULE, "sheet"))
            items.append(_zone_text(((low + high) / 2, y), str(number + 1)))
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    for number, (low, high) in enumerate(reversed(rows)):
        for x, edge in ((left - ZONE, left), (right, right + ZONE)):
            if number:
                items.append(Line((x, high), (edge, high), RULE, "sheet"))
            items.append(_zone_text(((x + edge) / 2, (low + high) / 2 - ZONE / 2), letters[number]))
    return tuple(items)


def _zones(middle: float, low: float, high: float) -> list[tuple[float, float]]:
    """Fields of 50 mm, counted from the middle of the sheet; what is left over joins the outer ones."""
    half = max(1, int(min(middle - low, high - middle) / ZONE_LENGTH))
    stops = [middle + ZONE_LENGTH * i for i in range(-half, half + 1)]
    stops[0], stops[-1] = low, high
    return list(itertools.pairwise(stops))


def _zone_text(at: Point, text: str) -> Text:
    return Text((at[0], at[1] + 1.25), text, 2.5, "middle", layer="SHEET", owner="sheet", role="zone")


def _rectangle(rect: Rect, heavy: bool) -> Polyline:
    left, bottom, right, top = rect
    points = ((left, bottom), (right, bottom), (right, top), (left, top))
    return Polyline(points, FRAME if heavy else RULE, closed=True, owner="sheet")


def arrange(
    boxes: dict[str, Rect],
    room: Rect,
    keep_out: tuple[Rect, ...],
    third_angle: bool,
    beside: Mapping[str, Beside] | None = None,
) -> dict[str, Point] | None:
    """Where the views stand.

    Args:
        boxes: of each view with all that is written around it, about the place of the design's origin, in mm. Views
            that are none of the six stand in corners by themselves.
        room: inside the frame.
        keep_out: where nothing may stand: the title block, the parts list.
        third_angle: else first.
        beside: views that stand in line with one of the six.

    Returns:
        The page point of the design's origin in each view; None if there is no room.
    """
    turn = 1 if third_angle else -1
    cells = {name: (turn * COLUMNS[name], turn * ROWS[name]) for name in boxes if name in COLUMNS}
    if "back" in cells and "right" not in cells:
        cells["back"] = (turn, 0)
    for name, (parent, x, y) in (beside or {}).items():
        column, row = cells[parent]
        while (column, row) in cells.values():
            column, row = column + turn * x, row + turn * y
        cells[name] = column, row
    in_line = set(cells)
    for name in boxes:
        if name not in in_line:
            cells[name] = _free_cell(set(cells.values()))
    columns, rows = sorted({cell[0] for cell in cells.values()}), sorted({cell[1] for cell in cells.values()})
    x_of, wide = _line_up(
        [(cells[name][0], boxes[name][0], boxes[name][2], name in in_line) for name in boxes], columns
    )
    y_of, high = _line_up([(cells[name][1], boxes[name][1], boxes[name][3], name in in_line) for name in boxes], rows)
    spare = room[2] - room[0] - wide, room[3] - room[1] - high
    if min(spare) < 0:
        return None
    for part_y in (0.5, 0.7, 0.85, 1.0, 0.3, 0.0):
        for part_x in (0.5, 0.3, 0.15, 0.0, 0.7, 1.0):
            origin = room[0] + part_x * spare[0], room[1] + part_y * spare[1]
            spots = {}
            for name, box in boxes.items():
                (low_x, high_x, base_x), (low_y, high_y, base_y) = x_of[cells[name][0]], y_of[cells[name][1]]
                if name in in_line:
                    spots[name] = origin[0] + base_x, origin[1] + base_y
                else:
                    spots[name] = (
                        origin[0] + (low_x + high_x) / 2 - (box[0] + box[2]) / 2,
                        origin[1] + (low_y + high_y) / 2 - (box[1] + box[3]) / 2,
                    )
            if not any(_meet(moved(boxes[name], spots[name]), other) for name in boxes for other in keep_out):
                return spots
    return None


def _line_up(
    members: list[tuple[int, float, float, bool]], lines: list[int]
) -> tuple[dict[int, tuple[float, float, float]], float]:
    """Low end, high end and the design's origin of each column or row, and the length of all."""
    result: dict[int, tuple[float, float, float]] = {}
    at = 0.0
    for line in lines:
        own = [(low, high) for cell, low, high, aligned in members if cell == line and aligned]
        loose = max([high - low for cell, low, high, aligned in members if cell == line and not aligned], default=0.0)
        low, high = min([low for low, _ in own], default=0.0), max([high for _, high in own], default=0.0)
        span = max(high - low, loose)
        pad = (span - (high - low)) / 2
        result[line] = at, at + span, at + pad - low
        at += span + GAP
    return result, at - GAP


def around(boxes: list[Rect]) -> Rect:
    """The box around boxes."""
    return min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes)


def _free_cell(taken: set[tuple[int, int]]) -> tuple[int, int]:
    """A corner for a view that is aligned with none: at the upper right if that is free; else right of all."""
    right, top = max(cell[0] for cell in taken), max(cell[1] for cell in taken)
    if len(taken) == 1:
        return right + 1, top
    corners = [(1, 1), (1, 0), (1, -1), (-1, 1), (2, 1), (-1, -1), (2, 0), (2, -1), (3, 0), (3, 1), (3, -1)]
    used_rows = {cell[1] for cell in taken}
    free = (cell for cell in corners if cell not in taken and cell[1] in used_rows)
    return next(free, (right + 1, top))


def moved(box: Rect, by: Point) -> Rect:
    """The same box, shifted."""
    return box[0] + by[0], box[1] + by[1], box[2] + by[0], box[3] + by[1]


def _meet(one: Rect, other: Rect) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
