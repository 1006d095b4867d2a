"""Tables read as tables: from rules drawn on the page, columns from strokes, rule ends or white strips."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from dqgen.rulebook.lines import Line, join_words
from dqgen.rulebook.reader import Box, RawPage

SHORTEST = 60.0  # points; shorter strokes are underlines or fractions
TALLEST_ROW = 150.0  # points between two rules of one table
SAME = 6.0  # points by which the ends of a table's rules may differ
STRIP = 5.0  # points of white that part two columns where nothing is drawn


@dataclass(slots=True)
class Grid:
    """A table and the lines that it was read from."""

    lines: list[int]
    header: list[str]
    rows: list[list[str]]
    page: int
    box: Box
    row_lines: list[int] = field(default_factory=list)  # first line of each row, header first


def find_tables(pages: Sequence[RawPage], lines: Sequence[Line], heads: set[int]) -> list[Grid]:
    """Find the tables of a document and mark their lines with the role `table`.

    Args:
        pages: the pages as read, for what is drawn on them.
        lines: the lines in reading order.
        heads: indices of lines that begin a rule: no table reaches over one.
    """
    by_page: dict[int, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if line.role == "body":
            by_page[line.page].append(index)
    grids: list[Grid] = []
    for page in pages:
        inside = by_page.get(page.number, [])
        if not inside or len(page.horizontals) < 2:
            continue
        for band in _bands(page):
            grid = _grid(band, page, lines, [i for i in inside if lines[i].role == "body"], heads)
            if grid is not None:
                for index in grid.lines:
                    lines[index].role, lines[index].table = "table", len(grids)
                grids.append(grid)
    return grids


@dataclass(slots=True)
class _Band:
    ys: list[float]
    x0: float
    x1: float
    ends: list[float]


def _bands(page: RawPage) -> list[_Band]:
    """Groups of horizontal rules that belong to one table, from top to bottom."""
    levels: dict[int, list[tuple[float, float, float]]] = {}
    for y, x0, x1 in sorted(page.horizontals):
        key = next((k for k in (round(y), round(y) - 1, round(y) + 1) if k in levels), round(y))
        levels.setdefault(key, []).append((y, x0, x1))
    strokes = []
    for group in levels.values():
        for x0, x1, ends in _joined(sorted((x0, x1) for _, x0, x1 in group)):
            if x1 - x0 >= SHORTEST:
                strokes.append((group[0][0], x0, x1, ends))
    bands: list[_Band] = []
    for y, x0, x1, ends in sorted(strokes):
        for band in bands:
            fits = abs(band.x0 - x0) < SAME and abs(band.x1 - x1) < SAME
            part = band.x0 - SAME < x0 and x1 < band.x1 + SAME and x1 - x0 > 0.25 * (band.x1 - band.x0)
            if (fits or part) and y - band.ys[-1] <= TALLEST_ROW:
                if y - band.ys[-1] > 2:
                    band.ys.append(y)
                band.ends += ends
                break
        else:
            bands.append(_Band([y], x0, x1, list(ends)))
    return [band for band in bands if len(band.ys) >= 2]


def _joined(pieces: Sequence[tuple[float, float]]) -> list[tuple[float, float, list[float]]]:
    """Strokes on one height as whole rules, with the ends where the pieces met."""
    joined: list[tuple[float, float, list[float]]] = []
    for x0, x1 in pieces:
        if joined and x0 <= joined[-1][1] + 3:
            start, end, ends = joined[-1]
            joined[-1] = (start, max(end, x1), [*ends, x0, x1])
        else:
            joined.append((x0, x1, [x0, x1]))
    return joined


def _grid(band: _Band, page: RawPage, lines: Sequence[Line], inside: list[int], heads: set[int]) -> Grid | None:
    top, bottom = band.ys[0], band.ys[-1]
    within = [i for i in inside if top - 2 < _middle(lines[i]) < bottom + 2 and _fits(lines[i], band)]
    if not within or any(i in heads for i in within):
        return None
    columns = _columns(band, page, [lines[i] for i in within])
    if len(columns) < 2:
        return None
    above = _extend(reversed([i for i in inside if i < within[0]]), lines, band, columns, heads, within)
    below = _extend([i for i in inside if i > within[-1]], lines, band, columns, heads, within)
    every = sorted({*above, *within, *below})
    groups = [above[::-1], *_groups(band, lines, within, columns), *[[i] for i in below]]
    rows, first_lines = [], []
    for group in groups:
        row = _row([lines[i] for i in group], columns)
        if any(row):
            rows.append(row)
            first_lines.append(group[0])
    rows = _without_empty_columns(rows)
    if len(rows) < 2 or len(rows[0]) < 2 or sum(sum(map(bool, row)) >= 2 for row in rows) < 2:
        return None
    boxes = [lines[i].box for i in every]
    box = (min(b[0] for b in boxes), min(b[1] for b in boxes), max(b[2] for b in boxes), max(b[3] for b in boxes))
    return Grid(every, rows[0], rows[1:], page.number, box, first_lines)


def _middle(line: Line) -> float:
    return (line.box[1] + line.box[3]) / 2


def _fits(line: Line, band: _Band) -> bool:
    return line.x > band.x0 - SAME and line.box[2] < band.x1 + SAME


def _columns(band: _Band, page: RawPage, lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The columns as x ranges: between strokes, else between the ends of rules, else between white strips."""
    top, bottom = band.ys[0], band.ys[-1]
    strokes = [x for x, y0, y1 in page.verticals if min(y1, bottom) - max(y0, top) > 0.3 * min(bottom - top, y1 - y0)]
    strokes = [x for x in strokes if band.x0 - SAME < x < band.x1 + SAME]
    for marks in (strokes, band.ends):
        inner = _distinct([x for x in marks if band.x0 + SAME < x < band.x1 - SAME])
        if inner:
            edges = [band.x0, *inner, band.x1]
            return list(zip(edges, edges[1:], strict=False))
    return _strips(lines, band)


def _distinct(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > SAME:
            kept.append(value)
    return kept


def _strips(lines: Sequence[Line], band: _Band) -> list[tuple[float, float]]:
    cells = sorted((x0, x1) for line in lines if len(line.cells) > 1 for x0, x1, _ in line.cells)
    covered: list[list[float]] = []
    for x0, x1 in cells:
        if covered and x0 < covered[-1][1] + STRIP:
            covered[-1][1] = max(covered[-1][1], x1)
        else:
            covered.append([x0, x1])
    cuts = [(a[1] + b[0]) / 2 for a, b in zip(covered, covered[1:], strict=False)]
    edges = [band.x0, *cuts, band.x1]
    return list(zip(edges, edges[1:], strict=False))


def _extend(
    order: "Sequence[int] | reversed[int]",
    lines: Sequence[Line],
    band: _Band,
    columns: Sequence[tuple[float, float]],
    heads: set[int],
    within: Sequence[int],
) -> list[int]:
    """Lines next to the outermost rules that stand in the columns: a header above, a last row below."""
    taken: list[int] = []
    before = lines[within[0]]
    for index in order:
        line = lines[index]
        at = {_column(cell, columns) for cell in line.cells}
        apart = min(abs(line.box[1] - before.box[3]), abs(before.box[1] - line.box[3]))
        aligned = None not in at and _fits(line, band) and (len(at) >= 2 or at & set(range(1, len(columns))))
        if index in heads or not aligned or apart > 1.1 * line.size or len(taken) >= 6:
            break
        taken.append(index)
        before = line
    # A lone line in an inner column is the rest of a header only if a full line belongs to it.
    return taken if any(len(lines[i].cells) >= 2 for i in taken) else []


def _column(cell: tuple[float, float, str], columns: Sequence[tuple[float, float]]) -> int | None:
    for number, (x0, x1) in enumerate(columns):
        if x0 - 3 <= cell[0] and cell[1] <= x1 + 3:
            return number
    return None


def _groups(
    band: _Band, lines: Sequence[Line], within: Sequence[int], columns: Sequence[tuple[float, float]]
) -> list[list[int]]:
    """The lines of each row. Where rules part the rows they decide; else a filled first column opens a row."""
    groups = []
    ruled = len(band.ys) >= 4
    for y0, y1 in zip(band.ys, band.ys[1:], strict=False):
        between = [i for i in within if y0 - 2 < _middle(lines[i]) <= y1 + 2 and not any(i in g for g in groups)]
        if not between:
            continue
        if ruled:
            groups.append(between)
            continue
        for index in between:
            opens = lines[index].cells[0][0] < columns[0][1] - 3
            if opens or not groups or groups[-1][-1] not in between:
                groups.append([index])
            else:
                groups[-1].append(index)
    return groups


def _row(group: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[str]:
    row = [""] * len(columns)
    for line in group:
        for x0, x1, text in line.cells:
            middle = (x0 + x1) / 2
            at = next((n for n, (a, b) in enumerate(columns) if a <= middle < b), None)
            if at is None:
                at = 0 if middle < columns[0][0] else len(columns) - 1
            row[at] = join_words(row[at], text)
    return row


def _without_empty_columns(rows: list[list[str]]) -> list[list[str]]:
    if not rows:
        return rows
    used = [n for n in range(len(rows[0])) if any(row[n] for row in rows)]
    return [[row[n] for n in used] for row in rows]
