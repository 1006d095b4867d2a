"""Tables read as tables: from rules drawn on the page, columns from strokes, rule ends or white strips."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.rulebook.items import MARKER
from dqgen.rulebook.lines import Line, join_words
from dqgen.rulebook.reader import Box, RawPage

SHORTEST = 60.0  # points; shorter strokes are underlines or fractions
SPECK = 4.0  # points; bits of drawings
TALLEST_ROW = 400.0  # points between two rules of one table
SAME = 6.0  # points by which the ends of a table's rules may differ
LOOSE = 2.6  # type sizes between the baselines of two rows where nothing is drawn, at most
STRIP = 5.0  # points of white that part two columns where nothing is drawn


@dataclass(slots=True)
class Grid:
    """A table and the lines that it was read from."""

    lines: list[int]
    header: list[str]
    rows: list[list[str]]
    page: int
    box: Box


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
    frame = _frame(pages)
    for page in pages:
        inside = by_page.get(page.number, [])
        if not inside:
            continue
        walls = [lines[i].box for i in inside if i in heads]
        for band in _bands(page, frame, walls) if len(page.horizontals) > 1 else ():
            grid = _grid(band, page, lines, [i for i in inside if lines[i].role == "body"], heads)
            if grid is not None:
                _add(grids, grid, lines, inside, max(by_page.get(page.number - 1, [-1])))
        for grid in unruled_tables([i for i in inside if lines[i].role == "body" and i not in heads], lines):
            _add(grids, grid, lines, inside, max(by_page.get(page.number - 1, [-1])))
    return grids


def _add(grids: list[Grid], grid: Grid, lines: Sequence[Line], inside: Sequence[int], last: int) -> None:
    if grids and _goes_on(grids[-1], grid, inside, last):
        _join(grids[-1], grid)
    else:
        grids.append(grid)
    for index in grid.lines:
        lines[index].role, lines[index].table = "table", len(grids) - 1


def _frame(pages: Sequence[RawPage]) -> set[int]:
    """Heights of rules that most pages have: the lines of headers and footers."""
    counts = Counter(y for page in pages for y in {round(y) for y, x0, x1 in page.horizontals if x1 - x0 > SHORTEST})
    return {y for y, n in counts.items() if len(pages) >= 4 and n >= 0.4 * len(pages)}


def _goes_on(above: Grid, below: Grid, inside: Sequence[int], last: int) -> bool:
    """Whether a table is the rest of the one above it: as many columns, and no line between."""
    if len(above.header) != len(below.header) or abs(above.box[0] - below.box[0]) > 40:
        return False
    if above.page == below.page:
        return not any(above.lines[-1] < i < below.lines[0] for i in inside) and below.box[1] - above.box[3] < 16
    # Over a page break it goes on where it is the first thing on the page after, and was the last before.
    return above.page + 1 == below.page and below.lines[0] == inside[0] and above.lines[-1] == last


def _join(above: Grid, below: Grid) -> None:
    above.rows += [below.header, *below.rows]
    above.lines += below.lines
    a, b = above.box, below.box
    if above.page == below.page:
        above.box = (min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3]))


@dataclass(slots=True)
class _Band:
    ys: list[float]
    x0: float
    x1: float
    ends: list[float]


def _bands(page: RawPage, frame: set[int], walls: Sequence[Box]) -> list[_Band]:
    """Groups of horizontal rules that belong to one table, from top to bottom; a numbered line ends a
    table."""
    levels: dict[int, list[tuple[float, float, float]]] = {}
    for y, x0, x1 in sorted(page.horizontals):
        if x1 - x0 < SPECK or round(y) in frame:
            continue
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
            walled = any(band.ys[-1] - 2 < box[1] and box[3] < y + 2 and box[0] < band.x1 for box in walls)
            if (fits or part) and y - band.ys[-1] <= TALLEST_ROW and not walled:
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
    if len(band.ys) < 4 and _falls_apart([lines[i] for i in within]):
        return None
    above_all = [i for i in reversed(inside) if i < within[0]]
    below_all = [i for i in inside if i > within[-1]]
    near = [
        *_next_to(above_all, lines, heads, within[0]),
        *within,
        *_next_to(below_all, lines, heads, within[-1]),
    ]
    columns = _columns(band, page, [lines[i] for i in near])
    if len(columns) < 2:
        return None
    above = _extend(above_all, lines, band, columns, heads, within[0])
    below = _extend(below_all, lines, band, columns, heads, within[-1])
    every = sorted({*above, *within, *below})
    groups = [*_header_groups(above[::-1], lines), *_groups(band, lines, within, columns)]
    groups += _by_first_column(below, lines, columns) if below else []
    rows = [_row([lines[i] for i in group], columns) for group in groups]
    rows = _without_hollow_columns([row for row in rows if any(row)])
    if len(rows) < 2 or len(rows[0]) < 2 or sum(sum(map(bool, row)) >= 2 for row in rows) < 2:
        return None
    if len(rows) < 3 and band.x1 - band.x0 < 0.45 * page.width:
        return None  # the bars of fractions
    boxes = [lines[i].box for i in every]
    box = (
        min(b[0] for b in boxes),
        min(b[1] for b in boxes),
        max(b[2] for b in boxes),
        max(b[3] for b in boxes),
    )
    return Grid(every, rows[0], rows[1:], page.number, box)


def _falls_apart(within: Sequence[Line]) -> bool:
    """Whether a wide gap parts the lines between two rules: they are rules of two tables, then."""
    steps = sorted(b.box[1] - a.box[1] for a, b in itertools.pairwise(within))
    return bool(steps) and steps[-1] > 1.9 * max(steps[len(steps) // 2], within[0].size)


def _middle(line: Line) -> float:
    return (line.box[1] + line.box[3]) / 2


def _fits(line: Line, band: _Band) -> bool:
    return line.x > band.x0 - SAME and line.box[2] < band.x1 + SAME


def _columns(band: _Band, page: RawPage, lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The columns as x ranges: between strokes, else between the ends of rules, else between white strips."""
    top, bottom = band.ys[0], band.ys[-1]
    strokes = [x for x, y0, y1 in page.verticals if min(y1, bottom) - max(y0, top) > 0.3 * min(bottom - top, y1 - y0)]
    strokes = [x for x in strokes if band.x0 - SAME < x < band.x1 + SAME]
    inner = _distinct([x for x in [*strokes, *band.ends] if band.x0 + SAME < x < band.x1 - SAME])
    return _split_by_strips([band.x0, *inner, band.x1], lines)


def _distinct(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > SAME:
            kept.append(value)
    return kept


def _split_by_strips(edges: list[float], lines: Sequence[Line]) -> list[tuple[float, float]]:
    """Columns between the edges, split further where white runs down between the cells of nearly all
    lines."""
    rows = [line.cells for line in lines if len(line.cells) > 1]
    cuts: list[float] = []
    for left, right in itertools.pairwise(edges):
        inside = [[c for c in row if left - 3 <= c[0] and c[1] <= right + 3] for row in rows]
        inside = [row for row in inside if row]
        white = 0.0
        x = left
        while x < right:
            covered = sum(any(c[0] - 1 < x < c[1] + 1 for c in row) for row in inside)
            parted = sum(any(c[1] <= x for c in row) and any(c[0] >= x for c in row) for row in inside)
            if covered <= 0.1 * len(inside) and parted >= max(2, 0.4 * len(inside)):
                white += 2
            else:
                if white >= STRIP:
                    cuts.append(x - white / 2)
                white = 0.0
            x += 2
    edges = sorted([*edges, *cuts])
    return list(itertools.pairwise(edges))


def _next_to(order: Sequence[int], lines: Sequence[Line], heads: set[int], start: int) -> list[int]:
    """Lines of several cells that follow closely, outwards: they may belong to the table."""
    taken: list[int] = []
    before = lines[start]
    for index in order[:8]:
        line = lines[index]
        apart = min(abs(line.box[1] - before.box[3]), abs(before.box[1] - line.box[3]))
        if index in heads or len(line.cells) < 2 or apart > 1.1 * line.size:
            break
        taken.append(index)
        before = line
    return taken


def _extend(
    order: Sequence[int],
    lines: Sequence[Line],
    band: _Band,
    columns: Sequence[tuple[float, float]],
    heads: set[int],
    start: int,
) -> list[int]:
    """Lines next to the outermost rules that stand in the columns: a header above, a last row below."""
    taken: list[int] = []
    before = lines[start]
    for index in order:
        line = lines[index]
        at = {_column(cell, columns) for cell in line.cells}
        apart = min(abs(line.box[1] - before.box[3]), abs(before.box[1] - line.box[3]))
        aligned = None not in at and _fits(line, band) and (len(at) >= 2 or at & set(range(1, len(columns))))
        if index in heads or not aligned or apart > 1.1 * line.size or len(taken) >= 12:
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


def _header_groups(above: list[int], lines: Sequence[Line]) -> list[list[int]]:
    """Lines above the first rule: a header, then perhaps rows that begin with a list marker."""
    groups: list[list[int]] = [[]]
    for index in above:
        if MARKER.match(lines[index].text) and groups[-1]:
            groups.append([])
        groups[-1].append(index)
    return [group for group in groups if group]


def _groups(
    band: _Band, lines: Sequence[Line], within: Sequence[int], columns: Sequence[tuple[float, float]]
) -> list[list[int]]:
    """The lines of each row. Where rules part the rows they decide; else a filled first column opens a
    row."""
    groups: list[list[int]] = []
    ruled = len(band.ys) >= 4
    for y0, y1 in zip(band.ys, band.ys[1:], strict=False):
        between = [i for i in within if y0 - 2 < _middle(lines[i]) <= y1 + 2 and not any(i in g for g in groups)]
        if not between:
            continue
        if ruled and not _are_rows([lines[i] for i in between], columns):
            groups.append(between)
            continue
        groups += _by_first_column(between, lines, columns)
    return groups


def _by_first_column(
    indices: Sequence[int], lines: Sequence[Line], columns: Sequence[tuple[float, float]]
) -> list[list[int]]:
    """Rows where nothing is drawn between them: a line that fills the first column opens one, and the others
    go to the nearest, for cells of several lines stand centred."""
    anchors = [i for i in indices if lines[i].cells[0][0] < columns[0][1] - 3 and not _is_rest(lines[i], columns)]
    if not anchors:
        return [list(indices)]
    groups: dict[int, list[int]] = {anchor: [] for anchor in anchors}
    for index in indices:
        rest = index not in groups and _is_rest(lines[index], columns)
        eligible = [a for a in anchors if a < index] if rest else anchors
        nearest = min(eligible or anchors, key=lambda a: (round(abs(_middle(lines[a]) - _middle(lines[index]))), a))
        groups[index if index in groups else nearest].append(index)
    return list(groups.values())


def _are_rows(between: Sequence[Line], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether lines between two rules are rows of their own: each fills the same columns with short
    entries."""
    filled = [{_column(cell, columns) for cell in line.cells} for line in between]
    short = all(len(cell[2]) <= 12 for line in between for cell in line.cells[1:])
    return len(between) > 1 and short and len(filled[0]) > 1 and all(f == filled[0] for f in filled)


def _is_rest(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a line only goes on with the first cell of the row above it."""
    alone = len(line.cells) == 1 and line.cells[0][0] < columns[0][1] - 3
    return alone and (line.text[0].islower() or line.text[0] == "(")


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


def _without_hollow_columns(rows: list[list[str]]) -> list[list[str]]:
    """Drop empty columns, and join neighbours of which each row fills one: list markers, offset headers."""
    if not rows:
        return rows
    used = [n for n in range(len(rows[0])) if any(row[n] for row in rows)]
    rows = [[row[n] for n in used] for row in rows]
    at = 0
    while at + 1 < len(rows[0]):
        pairs = [(row[at], row[at + 1]) for row in rows]
        either = sum(bool(a) != bool(b) for a, b in pairs)
        markers = all(len(a) <= 4 and not a.rstrip(".)").isdigit() for a, _ in pairs) and any(a for a, _ in pairs)
        if (either >= 0.9 * len(rows) and either < len(rows) + 1 and not any(a and b for a, b in pairs)) or (
            at == 0 and markers and sum(bool(a) for a, _ in pairs) > 1
        ):
            rows = [[*row[:at], join_words(row[at], row[at + 1]), *row[at + 2 :]] for row in rows]
        else:
            at += 1
    return rows


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
        if len(rows) < 3:
            continue
        left, right = min(line.x for line in rows), max(line.box[2] for line in rows)
        columns = _split_by_strips([left - 1, right + 1], rows)
        at = [[_column(cell, columns) for cell in lines[i].cells] for i in block]
        if len(columns) < 2 or any(None in row or len(set(row)) < len(row) for row in at):
            continue
        full = sum(len(row) >= max(2, len(columns) - 1) for row in at if len(row) > 1)
        if full < 0.8 * len(rows) or (len(columns) == 2 and not _are_entries(rows)):
            continue
        cells = [_row([lines[i] for i in group], columns) for group in _by_first_column(block, lines, columns)]
        if len(cells) < 3:
            continue
        boxes = [lines[i].box for i in block]
        x0, y0, x1, y1 = zip(*boxes, strict=True)
        box = (min(x0), min(y0), max(x1), max(y1))
        grids.append(Grid(list(block), cells[0], cells[1:], lines[block[0]].page, box))
    return grids


def _are_entries(rows: Sequence[Line]) -> bool:
    """Whether pairs of cells are a name and its value, wide apart, and not a marker and its words."""
    if len(rows) < 4 or any(MARKER.match(line.text) for line in rows):
        return False
    apart = min(line.cells[1][0] - line.cells[0][1] for line in rows) > 2 * rows[0].size
    values = sum(len(line.cells[1][2].split()) <= 3 for line in rows[1:])
    figures = sum(any(char.isdigit() for char in line.cells[1][2]) for line in rows[1:])
    return apart and values >= 0.9 * (len(rows) - 1) and figures >= 0.5 * (len(rows) - 1)


def _blocks_of_cells(indices: Sequence[int], lines: Sequence[Line]) -> list[list[int]]:
    """Lines that follow closely, each of several cells far apart or the rest of a cell above it."""
    blocks: list[list[int]] = [[]]
    for index in indices:
        line = lines[index]
        block = blocks[-1]
        close = bool(block) and block[-1] == index - 1 and 0 < line.lead < LOOSE
        if len(line.cells) > 1 and _far_apart(line):
            if not close:
                blocks.append([])
            blocks[-1].append(index)
        elif close and len(line.cells) == 1 and _goes_below(line, [lines[i] for i in block]):
            block.append(index)
        else:
            blocks.append([])
    return blocks


def _far_apart(line: Line) -> bool:
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
