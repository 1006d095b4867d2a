"""Tables set by white space alone, and what a page break has parted from a table."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from dqgen.rulebook.grid import Grid, box_around, cells_of, column_of, rows_of, split_by_strips, without_hollow_columns
from dqgen.rulebook.items import BULLETS, MARKER
from dqgen.rulebook.lines import Line

_OPERATOR = re.compile(r"^[X×x*+/÷=]$|=$|^=")
LOOSE = 2.6  # type sizes between the baselines of two rows, at most


def unruled_tables(indices: Sequence[int], lines: Sequence[Line]) -> list[Grid]:
    """Tables set by white space alone: lines of cells, one below the other, with white strips between them.

    Three columns in three rows say so themselves; of two columns, the second must hold figures or a word or two.

    Args:
        indices: the lines of one page that may belong to a table, in reading order.
        lines: all lines.
    """
    grids = []
    for block in _blocks_of_cells(indices, lines):
        rows = [lines[i] for i in block if len(lines[i].cells) > 1]
        if len(rows) < 3 or any(line.text[0] in BULLETS for line in rows):
            continue
        left, right = min(line.x for line in rows), max(line.cells[-1][1] for line in rows)
        columns = split_by_strips([left - 1, right + 1], rows)
        at = [[column_of(cell, columns) for cell in lines[i].cells] for i in block]
        if len(columns) < 2 or any(None in row or len(set(row)) < len(row) for row in at):
            continue
        full = sum(len(row) >= max(2, len(columns) - 1) for row in at if len(row) > 1)
        if full < 0.8 * len(rows) or any(_OPERATOR.search(cell[2]) for line in rows for cell in line.cells):
            continue
        cells = [cells_of([lines[i] for i in group], columns) for group in rows_of(block, lines, columns)]
        cells = without_hollow_columns(cells)
        if len(cells) < 3 or len(cells[0]) < 2 or (len(cells[0]) == 2 and not _are_entries(rows, cells)):
            continue
        if not _is_header(lines[block[0]], rows, cells):
            cells.insert(0, [""] * len(cells[0]))
        known = columns if len(columns) == len(cells[0]) else []
        grids.append(Grid(list(block), cells[0], cells[1:], rows[0].page, box_around([lines[i] for i in block]), known))
    return grids


def join_over_breaks(grids: Sequence[Grid], lines: Sequence[Line], order: Sequence[int], heads: set[int]) -> None:
    """Give tables the few rows that the end of a page or column has parted from them: a header above the break,
    last rows below it.

    Args:
        grids: the tables in reading order; they are changed.
        lines: all lines; those of tables have the role `table`.
        order: the lines that are neither furniture nor figure, in reading order.
        heads: lines that begin a rule.
    """
    places = {index: place for place, index in enumerate(order)}
    for grid in grids:
        if not grid.columns:
            continue
        first, last = places[grid.lines[0]], places[grid.lines[-1]]
        if first and _is_break(lines[order[first - 1]], lines[order[first]]):
            above = _rows_beside(reversed(order[:first]), grid, lines, heads, lines[grid.lines[0]].x)
            if above:
                rows = _read(above, grid, lines)
                _put_above(grid, rows)
                grid.page, grid.box = lines[above[0]].page, box_around([lines[i] for i in above])
                grid.lines = [*above, *grid.lines]
        if last + 1 < len(order) and _is_break(lines[order[last]], lines[order[last + 1]]):
            below = _rows_beside(order[last + 1 :], grid, lines, heads, lines[grid.lines[-1]].x)
            if below:
                rows = _read(below, grid, lines)
                grid.rows += rows[1:] if rows[0] == grid.header else rows
                grid.lines = [*grid.lines, *below]
        for index in grid.lines:
            lines[index].role = "table"


def _is_break(line: Line, following: Line) -> bool:
    return line.page != following.page or following.box[1] < line.box[1]


def _rows_beside(order: Iterable[int], grid: Grid, lines: Sequence[Line], heads: set[int], x: float) -> list[int]:
    """Lines next to a table beyond a break that stand in its columns, moved to the column of the page they are in."""
    taken: list[int] = []
    for index in order:
        line = lines[index]
        if line.role != "body" or index in heads or len(line.cells) < 2 or not far_apart(line):
            break
        at = [_opens_in(cell[0], grid.columns) for cell in _moved(line, x).cells]
        if None in at or len(set(at)) < len(at):
            break
        taken.append(index)
    return sorted(taken)


def _opens_in(x: float, columns: Sequence[tuple[float, float]]) -> int | None:
    """The column that a cell begins in; a header may be wider than what stands below it."""
    return next((n for n, (left, right) in enumerate(columns) if left - 3 <= x < right), None)


def _moved(line: Line, x: float) -> Line:
    """A line shifted so that it begins at x, where it stands in another column of the page."""
    shift = x - line.x
    if abs(shift) < 60:
        return line
    return replace(line, cells=[(x0 + shift, x1 + shift, text) for x0, x1, text in line.cells])


def _read(indices: Sequence[int], grid: Grid, lines: Sequence[Line]) -> list[list[str]]:
    x = lines[grid.lines[0]].x
    own = {index: _moved(lines[index], x) for index in indices}
    return [cells_of([own[i] for i in group], grid.columns) for group in rows_of(indices, own, grid.columns)]


def _put_above(grid: Grid, rows: list[list[str]]) -> None:
    if not any(grid.header) and any(char.isdigit() for cell in rows[0] for char in cell):
        grid.rows = [*rows, *grid.rows]
        return
    again = [] if grid.header == rows[0] or not any(grid.header) else [grid.header]
    grid.header, grid.rows = rows[0], [*rows[1:], *again, *grid.rows]


def _are_entries(rows: Sequence[Line], cells: Sequence[Sequence[str]]) -> bool:
    """Whether pairs of cells are a name and its value, wide apart: the values are short and most hold figures."""
    apart = min(line.cells[-1][0] - line.cells[-2][1] for line in rows) > 2 * rows[0].size
    values = [value for _, value in cells[1:]]
    short = sum(len(value.split()) <= 6 for value in values) >= 0.9 * len(values)
    figures = sum(any(char.isdigit() for char in value) for value in values) >= 0.6 * len(values)
    listed = any(MARKER.match(line.text) and len(line.cells) < 3 for line in rows)
    return apart and short and figures and not listed


def _is_header(first: Line, rows: Sequence[Line], cells: Sequence[Sequence[str]]) -> bool:
    """Whether the first row names the columns: in bold alone, or in words above figures."""
    if first.bold and not any(line.bold for line in rows[1:]):
        return True

    def figures(row: Sequence[str]) -> int:
        return sum(any(char.isdigit() for char in cell) for cell in row)

    return figures(cells[0]) == 0 and sum(figures(row) > 0 for row in cells[1:]) >= 0.6 * len(cells[1:])


def _blocks_of_cells(indices: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """Lines that follow closely, each of several cells far apart or the rest of a cell above it."""
    blocks: list[list[int]] = [[]]
    for index in indices:
        line = lines[index]
        block = blocks[-1]
        close = bool(block) and block[-1] == index - 1 and 0 < line.lead < LOOSE
        if len(line.cells) > 1 and far_apart(line):
            if not close:
                blocks.append([])
            blocks[-1].append(index)
        elif close and len(line.cells) == 1 and _goes_below(line, [lines[i] for i in block]):
            block.append(index)
        else:
            blocks.append([])
    return blocks


def far_apart(line: Line) -> bool:
    """Whether gaps of more than a space part the cells, and the first is no mark of an item."""
    cells = line.cells[1:] if MARKER.fullmatch(line.cells[0][2]) else line.cells
    gaps = [b[0] - a[1] for a, b in itertools.pairwise(cells)]
    return bool(gaps) and min(gaps) > 1.1 * line.size


def _goes_below(line: Line, block: Sequence[Line]) -> bool:
    """Whether a line is the rest of a cell: it starts where one does and ends before the next."""
    row = next(above for above in reversed(block) if len(above.cells) > 1)
    for cell, following in itertools.pairwise([*row.cells, (float("inf"), float("inf"), "")]):
        if abs(cell[0] - line.x) < 3:
            return line.box[2] < following[0] - 3 and line.lead < 1.4
    return False
