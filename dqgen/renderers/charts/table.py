"""Tables of results."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image

from dqgen.renderers.charts.style import HEIGHT_IN, INK, WIDTH_IN, draw

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ROW_IN, HEAD_IN, MARGIN_IN = 0.36, 0.42, 0.45
TITLE_IN, NOTE_IN = 0.75, 0.55


@dataclass(frozen=True)
class Table:
    """A table before it is drawn: title, heads, rows of cells (text first, numbers after), words below."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    note: str = ""


def draw_table(table: Table, size: int) -> tuple[Image.Image, dict[str, Any]]:
    """The picture, `size` pixels wide, and its evidence: the cells."""
    needed = TITLE_IN + HEAD_IN + ROW_IN * len(table.rows) + (NOTE_IN if table.note else 0.3)
    height = max(needed, 0.45 * HEIGHT_IN)
    picture = draw(lambda figure: _paint(figure, table, height), size, height)
    evidence = {
        "chart": "table",
        "width": picture.width,
        "height": picture.height,
        "title": table.title,
        "columns": list(table.columns),
        "rows": [list(row) for row in table.rows],
        "note": table.note,
    }
    return picture, evidence


def from_evidence(evidence: dict[str, Any]) -> Table:
    """The table that evidence tells of."""
    rows = tuple(tuple(row) for row in evidence["rows"])
    return Table(evidence["title"], tuple(evidence["columns"]), rows, evidence["note"])


def _paint(figure: "Figure", table: Table, height: float) -> None:
    """In inches from the upper left corner."""
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH_IN)
    axes.set_ylim(height, 0)
    axes.set_axis_off()
    axes.text(WIDTH_IN / 2, TITLE_IN / 2, table.title, ha="center", va="center", fontsize=12.5, color=INK)
    weights = [
        max(len(head), 1.15 * max(len(row[at]) for row in table.rows)) + 4 for at, head in enumerate(table.columns)
    ]
    room = WIDTH_IN - 2 * MARGIN_IN
    edges = [MARGIN_IN]
    for weight in weights:
        edges.append(edges[-1] + room * weight / sum(weights))
    bottom = TITLE_IN + HEAD_IN + ROW_IN * len(table.rows)
    axes.fill_between([edges[0], edges[-1]], TITLE_IN, TITLE_IN + HEAD_IN, color="#dfe5ee", linewidth=0)
    for at in range(1, len(table.rows), 2):
        top = TITLE_IN + HEAD_IN + ROW_IN * at
        axes.fill_between([edges[0], edges[-1]], top, top + ROW_IN, color="#f5f6f8", linewidth=0)
    for level in (TITLE_IN, TITLE_IN + HEAD_IN, bottom):
        axes.plot([edges[0], edges[-1]], [level, level], color=INK, linewidth=1.0)
    for edge in edges[1:-1]:
        axes.plot([edge, edge], [TITLE_IN, bottom], color="#b8bcc4", linewidth=0.6)
    for at, head in enumerate(table.columns):
        _cell(axes, edges[at], edges[at + 1], TITLE_IN + HEAD_IN / 2, head, at > 0, bold=True)
        for row, cells in enumerate(table.rows):
            middle = TITLE_IN + HEAD_IN + ROW_IN * (row + 0.5)
            _cell(axes, edges[at], edges[at + 1], middle, cells[at], at > 0)
    if table.note:
        axes.text(MARGIN_IN, bottom + 0.26, table.note, ha="left", va="center", fontsize=9.5, color="#333333")


def _cell(axes: Any, left: float, right: float, middle: float, text: str, number: bool, bold: bool = False) -> None:
    at = right - 0.14 if number else left + 0.12
    axes.text(
        at, middle, text, ha="right" if number else "left", va="center", fontsize=10, color=INK,
        fontweight="bold" if bold else "normal",
    )  # fmt: skip
