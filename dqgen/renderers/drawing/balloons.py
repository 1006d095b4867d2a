"""Balloons and the parts list: what an assembly is made of, item by item."""

from collections.abc import Iterable

import numpy as np

from dqgen.geometry.transforms import Placed
from dqgen.renderers.drawing import composition
from dqgen.renderers.drawing.dimension import Pointer
from dqgen.renderers.drawing.display_list import Item, Line, Point, Text
from dqgen.renderers.drawing.drafting import RULE
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect, Sheet
from dqgen.renderers.drawing.title_block import HEIGHT as TITLE_HEIGHT
from dqgen.renderers.drawing.title_block import WIDTH as TITLE_WIDTH
from dqgen.renderers.drawing.title_block import fitted
from dqgen.schemas.design import Occurrence, walk

RING = 4.2
ROW = 5.5
COLUMN = TITLE_WIDTH / 2
LETTERS = 2.5
SPOTS = 6
"""Places on a part that its balloon may point at."""


def items(root: Occurrence, leaves: Iterable[Placed]) -> tuple[composition.Item, ...]:
    """The items of an assembly: the products of its direct parts, in the order of the file, with what of them shows.

    Assemblies that hold nothing but one other are looked into.
    """
    shown = {leaf.path for leaf in leaves}
    node = root
    while len(node.children) == 1 and node.children[0].children:
        node = node.children[0]
    found: dict[str, list[str]] = {}
    for child in node.children or (node,):
        if any(below.path in shown for below in walk(child)):
            found.setdefault(child.product or child.label, []).append(child.path)
    return tuple(
        composition.Item(number, name, tuple(paths)) for number, (name, paths) in enumerate(found.items(), start=1)
    )


def balloons(
    rows: tuple[composition.Item, ...], leaves: list[Placed], projection: Projection, labels: Labels
) -> list[Pointer]:
    """A balloon for each item that a view shows, ready to point at any of its longest visible lines."""
    owner = {
        row: item.item
        for item in rows
        for row, leaf in enumerate(leaves)
        if any(leaf.path == path or leaf.path.startswith(path + "/") for path in item.paths)
    }
    spots: dict[int, list[tuple[float, Point]]] = {}
    for curve in projection.curves:
        if curve.visible and not curve.tangent and curve.leaf in owner:
            middle = curve.points[len(curve.points) // 2]
            if curve.kind == "line":
                middle = np.asarray(curve.points.mean(axis=0))
            spots.setdefault(owner[curve.leaf], []).append((curve.length, projection.flat(middle)))
    pointers = []
    for item in rows:
        if item.item in spots:
            longest = sorted(spots[item.item], key=lambda pair: -pair[0])[:SPOTS]
            text = str(item.item)
            label = labels.make("note", item.item, (text,), f"item {item.name}", (), "", len(item.paths))
            pointers.append(Pointer(label, tuple(point for _, point in longest), RING))
    return pointers


def table_rects(rows: tuple[composition.Item, ...], sheet: Sheet) -> tuple[Rect, ...]:
    """Where the parts list stands: in columns above the title block, and left of it where they run full."""
    _, bottom, right, top = sheet.room
    per_column = max(1, int((top - bottom - TITLE_HEIGHT - ROW) / ROW) - 1)
    count = -(-len(rows) // per_column)
    high = (min(len(rows), per_column) + 1) * ROW
    base = bottom + TITLE_HEIGHT
    return tuple((right - COLUMN * (number + 1), base, right - COLUMN * number, base + high) for number in range(count))


def table(rows: tuple[composition.Item, ...], sheet: Sheet) -> tuple[Item, ...]:
    """The parts list: item, count and name, from below upwards as is usual above a title block."""
    drawn: list[Item] = []
    rects = table_rects(rows, sheet)
    per_column = round((rects[0][3] - rects[0][1]) / ROW) - 1
    for number, (left, bottom, right, _) in enumerate(rects):
        own = rows[number * per_column : (number + 1) * per_column]
        cells = [("Item", "Count", "Name"), *((str(row.item), str(len(row.paths)), row.name) for row in own)]
        for line, (item, count, name) in enumerate(cells):
            y = bottom + line * ROW
            base = y + (ROW - LETTERS) / 2
            name, height = fitted(name, right - left - 32.0, LETTERS)
            for x, text in ((left + 2.0, item), (left + 15.0, count), (left + 30.0, name)):
                drawn.append(
                    Text((x, base), text, height, layer="SHEET", bold=line == 0, owner="parts-list", role="note")
                )
            drawn.append(Line((left, y + ROW), (right, y + ROW), RULE, "sheet"))
        end = bottom + len(cells) * ROW
        drawn += [Line((x, bottom), (x, end), RULE, "sheet") for x in (left, left + 13.0, left + 28.0, right)]
    return tuple(drawn)
