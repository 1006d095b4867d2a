"""Tables: those that the file holds as such, and ruled ones, read to header and rows."""

import itertools
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from dqgen.schemas.sheet import Page, TableEntity
from dqgen.sheets import labels
from dqgen.sheets.cells import Cells
from dqgen.sheets.shapes import Box
from dqgen.sheets.text_lines import Line

SAME = 1.0  # mm by which edges of one table may differ
TALLEST = 14.0  # times the height of its text: a taller cell is no table's
MOST_COLUMNS = 60
STEP = 0.8  # mm past an edge, to look into the next cell


@dataclass
class Table:
    """A table: its box in mm, caption, header and rows, and which lines of text it is made of."""

    box: Box
    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    source: str
    lines: set[int] = field(default_factory=set)  # rows of the page's TextTable

    @property
    def is_list(self) -> bool:
        """Whether its header says that it lists parts or revisions, which may stand on a title block."""
        return len(self.header) >= 3 and _is_header(self.header)


@dataclass
class _Row:
    """Cells from left to right between one top and one bottom."""

    top: float
    bottom: float
    edges: list[float]


def tables_of(page: Page, lines: Sequence[Line], cells: Cells) -> list[Table]:
    """All tables of a page, from top to bottom."""
    found = [_of_entity(table, page) for table in page.tables]
    held = {row for table in found for row in table.lines}
    free = [line for line in lines if line.rotation in (0.0, 360.0) and not held & set(line.rows)]
    found += _Ruled(free, cells).tables()
    return sorted(found, key=lambda table: (round(table.box[1]), table.box[0]))


def _of_entity(table: TableEntity, page: Page) -> Table:
    grid = [[""] * table.columns for _ in range(table.rows)]
    for cell in table.cells:
        if cell.row < table.rows and cell.column < table.columns:
            grid[cell.row][cell.column] = " ".join(cell.text.split())
    caption = ""
    wide = [cell for cell in table.cells if cell.row == 0]
    if (
        grid
        and table.columns > 1
        and len([c for c in wide if c.text.strip()]) == 1
        and wide[0].columns == table.columns
    ):
        caption, grid = grid[0][0], grid[1:]
    rows = {
        row
        for row in range(len(page.texts))
        if int(page.texts.entity[row]) >= 0 and _within(page, int(page.texts.entity[row]), table.entity)
    }
    box = tuple(float(x) for x in page.entities.box[table.entity])
    header = tuple(grid[0]) if grid else ()
    return Table(box, caption, header, tuple(tuple(row) for row in grid[1:]), "entity", rows)  # type: ignore[arg-type]


def _within(page: Page, row: int, entity: int) -> bool:
    while row >= 0 and row != entity:
        row = int(page.entities.parent[row])
    return row == entity


class _Ruled:
    """Ruled tables among lines of text."""

    def __init__(self, lines: Sequence[Line], cells: Cells) -> None:
        self.lines = lines
        self.cells = cells
        self.middles = np.array([line.middle for line in lines], dtype=float).reshape(-1, 2)
        self.extents: list[Box] = []
        self.by_cell: dict[Box, list[Line]] = defaultdict(list)
        for line in lines:
            box = cells.at(*line.middle)
            if box and box[3] - box[1] < TALLEST * line.height + 4 and box[2] - box[0] < 0.95 * cells.width:
                self.by_cell[_key(box)].append(line)

    def tables(self) -> list[Table]:
        rows: dict[tuple[float, float, float, float], _Row] = {}
        seen: set[Box] = set()
        for box in sorted(self.by_cell, key=lambda box: (box[1], box[0])):
            if box in seen:
                continue
            row = self._row(box)
            seen.update(_key((a, row.top, b, row.bottom)) for a, b in itertools.pairwise(row.edges))
            if len(row.edges) >= 3:
                rows.setdefault((round(row.top), round(row.bottom), round(row.edges[0]), round(row.edges[-1])), row)
        found = []
        blocks = self._blocks(sorted(rows.values(), key=lambda row: (row.top, row.edges[0])))
        self.extents = [
            (block[0].edges[0], block[0].top, block[0].edges[-1], block[-1].bottom)
            for block in blocks
            if len(block) > 1
        ]
        for block in blocks:
            table = self._table(block)
            if table:
                found.append(table)
        return _distinct(found)

    def _row(self, box: Box) -> _Row:
        """The row of like cells that a cell lies in, empty ones too."""
        left, top, right, bottom = box
        middle = (top + bottom) / 2
        edges = [left, right]
        for step in (1, -1):
            while len(edges) < MOST_COLUMNS:
                beside = self.cells.at(edges[-1] + STEP if step > 0 else edges[0] - STEP, middle)
                if beside is None or abs(beside[1] - top) > SAME / 2 or abs(beside[3] - bottom) > SAME / 2:
                    break
                if step > 0 and beside[2] > edges[-1] + STEP:
                    edges.append(beside[2])
                elif step < 0 and beside[0] < edges[0] - STEP:
                    edges.insert(0, beside[0])
                else:
                    break
        return _Row(top, bottom, edges)

    def _blocks(self, rows: list[_Row]) -> list[list[_Row]]:
        """Rows of the same columns, one below the other, with full-width rows between them taken along."""
        blocks: list[list[_Row]] = []
        for row in rows:
            for block in blocks:
                last = block[-1]
                if not _same_columns(row, block[0], open_ends=True) or row.top < last.top + SAME:
                    continue
                between = self._between(last, row)
                if between is not None:
                    block += [*between, row]
                    break
            else:
                blocks.append([row])
        return blocks

    def _between(self, above: _Row, below: _Row) -> list[_Row] | None:
        """Rows between two of one table: none, full-width ones, or empty ones of the same columns."""
        rows: list[_Row] = []
        y = above.bottom
        left, right = above.edges[0], above.edges[-1]
        for _ in range(8):
            if abs(y - below.top) < SAME:
                return rows
            box = self.cells.at(left + STEP, y + STEP)
            if box is None or box[3] <= y + STEP or box[3] > below.top + SAME or abs(box[0] - left) > SAME:
                return None
            if abs(box[2] - right) < SAME:
                rows.append(_Row(box[1], box[3], [left, right]))
            else:
                row = self._row(box)
                if not _same_columns(row, above, open_ends=True):
                    return None
                rows.append(row)
            y = box[3]
        return None

    def _inside(self, box: Box) -> list[Line]:
        """Lines of text whose middle lies in a box, in reading order."""
        left, top, right, bottom = box
        x, y = self.middles.T
        hits = np.flatnonzero((left <= x) & (x < right) & (top <= y) & (y < bottom))
        found = [self.lines[hit] for hit in hits.tolist()]
        return sorted(found, key=lambda line: (round(line.middle[1]), line.box[0]))

    def _text(self, box: Box) -> str:
        return " ".join(line.text for line in self._inside(box))

    def _rows_of(self, box: Box) -> set[int]:
        return {row for line in self._inside(box) for row in line.rows}

    def _table(self, block: list[_Row]) -> Table | None:
        grid, used = [], set()
        edges = next(row.edges for row in block if len(row.edges) > 2)
        for row in block:
            boxes = [(a, row.top, b, row.bottom) for a, b in itertools.pairwise(row.edges)]
            texts = [self._text(box) for box in boxes]
            used |= {number for box in boxes for number in self._rows_of(box)}
            grid.append(texts + [""] * (len(edges) - 1 - len(texts)))
        filled = [row for row in grid if sum(map(bool, row)) >= 2]
        if len(grid) < 2 or len(filled) < 2 or len(edges) < 3:
            return None
        header, caption, top, taken = self._above(block[0].top, edges)
        used |= taken
        box = (edges[0], top, edges[-1], block[-1].bottom)
        if not any(header):
            header, grid = grid[0], grid[1:]
        if not caption:
            caption, line = self._caption(box)
            used |= line
        while grid and not any(grid[-1]):
            grid.pop()
        if grid and _is_header(grid[-1]) and not _is_header(header):
            header, grid = grid[-1], [*grid[:-1][::-1], header]  # a list of revisions grows upwards from its header
            grid = [row for row in grid if any(row)]
        if not grid or _signed(grid):
            return None
        return Table(box, caption, tuple(header), tuple(tuple(row) for row in grid), "lines", used)

    def _above(self, bottom: float, edges: list[float]) -> tuple[list[str], str, float, set[int]]:
        """Header cells of other shapes above the first row, a heading over several of them joined to each."""
        header = [""] * (len(edges) - 1)
        used: set[int] = set()
        caption, top = "", bottom
        for column, (a, b) in enumerate(itertools.pairwise(edges)):
            y = bottom
            parts: list[str] = []
            for _ in range(4):
                box = self.cells.at((a + b) / 2, y - STEP)
                if box is None or abs(box[3] - y) > SAME or self._in_other(box, bottom):
                    break
                text = self._text(box)
                if box[0] < edges[0] + SAME and box[2] > edges[-1] - SAME:
                    if text and box[3] - box[1] < 30 and all(_between(line, edges) for line in self._inside(box)):
                        caption, top = text, min(top, box[1])
                        used |= self._rows_of(box)
                    break
                if box[0] < edges[0] - SAME or box[2] > edges[-1] + SAME or (not text and box[3] - box[1] > 30):
                    break
                if text:
                    parts.insert(0, text)
                    used |= self._rows_of(box)
                top = min(top, box[1])
                y = box[1]
            header[column] = " ".join(parts)
        if sum(map(bool, header)) < 0.5 * len(header) and not caption:
            return [""] * len(header), "", bottom, set()
        return header, caption, top, used

    def _in_other(self, box: Box, bottom: float) -> bool:
        """Whether a cell above `bottom` belongs to the rows of another table."""
        x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
        return any(left < x < right and top < y < low and low < bottom + SAME for left, top, right, low in self.extents)

    def _caption(self, box: Box) -> tuple[str, set[int]]:
        """A line of text right above a table, not wider than it."""
        best: Line | None = None
        for line in self.lines:
            gap = box[1] - line.box[3]
            if -1 < gap < 2.5 * line.height + 2 and line.box[0] > box[0] - 5 and line.box[2] < box[2] + 5:
                if self.by_cell.get(_key(self.cells.at(*line.middle) or box)) and self.cells.at(*line.middle):
                    cell = self.cells.at(*line.middle)
                    if cell and cell[3] - cell[1] < 4 * line.height:
                        continue  # it stands in a cell of its own
                if best is None or line.height > best.height:
                    best = line
        return (best.text, set(best.rows)) if best else ("", set())


def _key(box: Box) -> Box:
    return round(box[0]), round(box[1]), round(box[2]), round(box[3])


def _is_header(row: Sequence[str]) -> bool:
    """Whether a row holds the words that head lists of revisions and parts, and no figures."""
    filled = [text for text in row if text]
    return (
        len(filled) >= 2
        and not any(c.isdigit() for text in filled for c in text)
        and (sum(labels.is_heading(text) for text in filled) >= 0.5 * len(filled))
    )


def _signed(rows: Sequence[Sequence[str]]) -> bool:
    """Whether rows say who drew, checked and approved: a part of the title block."""
    keys = {key for row in rows for text in row[:3] if text and (key := labels.key_of(text))}
    return sum(key.endswith("_by") for key in keys) >= 2


def _between(line: Line, edges: list[float]) -> bool:
    return edges[0] - SAME < line.box[0] and line.box[2] < edges[-1] + SAME


def _same_columns(one: _Row, other: _Row, open_ends: bool = False) -> bool:
    """Whether two rows have the same columns; with `open_ends`, an outer wall may be missing in one."""
    if len(one.edges) != len(other.edges):
        return False
    same = [abs(a - b) < SAME for a, b in zip(one.edges, other.edges, strict=True)]
    return all(same[1:-1] if open_ends and len(same) >= 4 else same) and (same[0] or same[-1])


def _distinct(tables: list[Table]) -> list[Table]:
    """Without tables that lie in another."""
    kept: list[Table] = []
    for table in sorted(tables, key=lambda t: -(t.box[2] - t.box[0]) * (t.box[3] - t.box[1])):
        if not any(table.lines & other.lines for other in kept):
            kept.append(table)
    return kept
