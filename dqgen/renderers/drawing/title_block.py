"""The title block after ISO 7200: only what is known stands in it."""

from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.display_list import Arc, Item, Line, Point, Polyline, Text
from dqgen.renderers.drawing.drafting import CENTRE_SHORT, FRAME, RULE, VISIBLE
from dqgen.renderers.drawing.sheet import Rect, Sheet

WIDTH = 170.0
HEIGHT = 30.0
LABEL = 2.5
"""Height of field names, mm."""


def place(sheet: Sheet) -> Rect:
    """Where the block stands: in the lower right corner of the frame."""
    _, bottom, right, _ = sheet.room
    return right - WIDTH, bottom, right, bottom + HEIGHT


def title_block(sheet: Sheet, title: str, fields: list[tuple[str, str]], third_angle: bool) -> tuple[Item, ...]:
    """The block: the title, up to six fields of name and value, and the projection symbol."""
    left, bottom, right, top = place(sheet)
    items: list[Item] = [
        Polyline(((left, bottom), (right, bottom), (right, top), (left, top)), FRAME, closed=True, owner="sheet")
    ]
    split = bottom + HEIGHT / 2
    symbol = right - 32.0
    items += [
        Line((left, split), (right, split), RULE, "sheet"),
        Line((symbol, bottom), (symbol, split), RULE, "sheet"),
    ]
    items += _field((left, split), right - left, "Title", title, 5.0)
    wide = (symbol - left) / max(len(fields), 1)
    for number, (name, value) in enumerate(fields):
        x = left + wide * number
        if number:
            items.append(Line((x, bottom), (x, split), RULE, "sheet"))
        items += _field((x, bottom), wide, name, value, 3.5)
    items += _symbol((symbol, bottom, right, split), third_angle)
    return tuple(items)


def _field(corner: Point, wide: float, name: str, value: str, height: float) -> list[Item]:
    x, y = corner
    value, height = fitted(value, wide - 4.0, height)
    return [
        Text((x + 2.0, y + HEIGHT / 2 - LABEL - 1.5), name, LABEL, layer="SHEET", owner="sheet", role="note"),
        Text((x + 2.0, y + 2.5), value, height, layer="SHEET", owner="sheet", role="title"),
    ]


def fitted(text: str, wide: float, height: float) -> tuple[str, float]:
    """A text and its height, made smaller to fit a width, and cut with an ellipsis where that does not do."""
    lettering.check(text)
    while height > LABEL and lettering.advance(text, height) > wide:
        height = max(LABEL, height - 0.5)
    if lettering.advance(text, height) > wide:
        while text and lettering.advance(text + "…", height) > wide:
            text = text[:-1]
        text += "…"
    return text, height


def _symbol(box: Rect, third_angle: bool) -> list[Item]:
    """The truncated cone of the projection method: seen from its small end on the left in third angle."""
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    small, large, half = 2.2, 4.4, 4.4
    cone, rings = (5.5, -6.5) if third_angle else (-5.5, 6.5)
    narrow = x + cone - half
    items: list[Item] = [
        Polyline(
            (
                (narrow, y - small),
                (narrow, y + small),
                (narrow + 2 * half, y + large),
                (narrow + 2 * half, y - large),
            ),
            VISIBLE,
            closed=True,
            owner="sheet",
        ),
        Arc((x + rings, y), small, 0.0, 360.0, VISIBLE, "sheet"),
        Arc((x + rings, y), large, 0.0, 360.0, VISIBLE, "sheet"),
    ]
    for start, end in (
        ((narrow - 1.0, y), (narrow + 2 * half + 1.0, y)),
        ((x + rings - large - 1.0, y), (x + rings + large + 1.0, y)),
        ((x + rings, y - large - 1.0), (x + rings, y + large + 1.0)),
    ):
        items.append(Line(start, end, CENTRE_SHORT, "sheet"))
    return items
