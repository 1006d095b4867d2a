"""Tables read as tables: from rules drawn on the page, columns from strokes, rule ends or white strips."""

import itertools
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dqgen.rulebook.grid import (
    Grid,
    box_around,
    cells_of,
    column_of,
    middle_of,
    rows_of,
    split_by_strips,
    without_hollow_columns,
)
from dqgen.rulebook.items import MARKER
from dqgen.rulebook.lines import Line
from dqgen.rulebook.reader import Box, RawPage
from dqgen.rulebook.unruled import join_over_breaks, unruled_tables

SHORTEST = 60.0  # points; shorter strokes are underlines or fractions
SPECK = 4.0  # points; bits of drawings
TALLEST_ROW = 400.0  # points between two rules of one table
SAME = 6.0  # points by which the ends of a table's rules may differ


def find_tables(pages: Sequence[RawPage], lines: Sequence[Line], heads: set[int]) -> list[Grid]:
    """Find the tables of a document and mark their lines with the role `table`.

    Args:
        pages: the pages as read, for what is drawn on them; none for a text file.
        lines: the lines in reading order.
        heads: indices of lines that begin a rule: no table reaches over one.
    """
    by_page: dict[int, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if line.role == "body":
            by_page[line.page].append(index)
    grids: list[Grid] = []
    frame = _frame(pages, lines, by_page)
    drawn = {page.number: page for page in pages}
    for number, inside in by_page.items():
        page = drawn.get(number)
        walls = [lines[i].box for i in inside if i in heads]
        found: list[Grid] = []
        for band in _bands(page, frame, walls) if page and len(page.horizontals) > 1 else ():
            assert page is not None
            before = grids[-1] if grids and grids[-1].page + 1 == number and not found else None
            grid = _grid(band, page, lines, [i for i in inside if lines[i].role == "body"], heads, before)
            if grid is not None:
                found.append(grid)
                _mark(grid, lines)
        free = [i for i in inside if lines[i].role == "body" and i not in heads]
        found += unruled_tables(free, lines)
        last = max(by_page.get(number - 1, [-1]))
        for grid in sorted(found, key=lambda grid: grid.lines[0]):
            if grids and _goes_on(grids[-1], grid, inside, last):
                _join(grids[-1], grid)
            else:
                grids.append(grid)
            _mark(grid, lines)
    join_over_breaks(grids, lines, [i for inside in by_page.values() for i in inside], heads)
    for number, grid in enumerate(grids):
        for index in grid.lines:
            lines[index].role, lines[index].table = "table", number
    return grids


def _mark(grid: Grid, lines: Sequence[Line]) -> None:
    for index in grid.lines:
        lines[index].role = "table"


def _frame(pages: Sequence[RawPage], lines: Sequence[Line], by_page: Mapping[int, Sequence[int]]) -> set[int]:
    """Heights of rules that most pages have, and no text beyond: the lines of headers and footers."""
    counts: Counter[int] = Counter()
    for page in pages:
        inside = [lines[i].box for i in by_page.get(page.number, ())]
        top = min((box[1] for box in inside), default=page.height)
        bottom = max((box[3] for box in inside), default=0.0)
        heights = {round(y) for y, x0, x1 in page.horizontals if x1 - x0 > SHORTEST}
        counts.update(y for y in heights if y < top + 4 or y > bottom - 4)
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
    rows = below.rows if below.header == above.header else [below.header, *below.rows]
    if rows and above.rows and not rows[0][0] and "".join(rows[0])[:1].islower():
        # A cell that the end of the page has cut in two.
        above.rows[-1] = [f"{a} {b}".strip() for a, b in zip(above.rows[-1], rows.pop(0), strict=True)]
    above.rows += rows
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
            walled = any(band.ys[-1] - 2 < box[1] and box[3] < y + 2 and _may_end(box, band) for box in walls)
            if (fits or part) and y - band.ys[-1] <= TALLEST_ROW and not walled:
                if y - band.ys[-1] > 2:
                    band.ys.append(y)
                band.ends += ends
                break
        else:
            bands.append(_Band([y], x0, x1, list(ends)))
    return [band for band in bands if len(band.ys) >= 2]


def _may_end(box: Box, band: _Band) -> bool:
    """Whether a numbered line stands where it ends the table, and not in another column of the page."""
    elsewhere = box[2] < band.x0 - 4 and box[2] - box[0] > 100
    return box[0] < band.x1 and not elsewhere


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


def _grid(
    band: _Band, page: RawPage, lines: Sequence[Line], inside: list[int], heads: set[int], before: Grid | None
) -> Grid | None:
    """The table between the rules of a band, if there is one; a single row where it may go on the one `before`."""
    top, bottom = band.ys[0], band.ys[-1]
    within = [i for i in inside if top - 2 < middle_of(lines[i]) < bottom + 2 and _fits(lines[i], band)]
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
    goes_on = before is not None and inside[0] == every[0] and _same_edges(columns, before.columns)
    ruled = goes_on or len(band.ys) >= 4
    groups = [*_header_groups(above[::-1], lines), *_groups(band, lines, within, columns, ruled)]
    groups += rows_of(below, lines, columns) if below else []
    rows = [cells_of([lines[i] for i in group], columns) for group in groups]
    rows = [row for row in rows if any(row)]
    rows = rows if goes_on else without_hollow_columns(rows)
    least = 1 if goes_on else 2
    if len(rows) < least or len(rows[0]) < 2 or sum(sum(map(bool, row)) >= 2 for row in rows) < least:
        return None
    if len(rows) < 3 and band.x1 - band.x0 < 0.45 * page.width:
        return None  # the bars of fractions
    box = box_around([lines[i] for i in every])
    return Grid(every, rows[0], rows[1:], page.number, box, columns if len(columns) == len(rows[0]) else [])


def _same_edges(columns: Sequence[tuple[float, float]], others: Sequence[tuple[float, float]]) -> bool:
    alike = len(columns) == len(others)
    return alike and all(abs(a[0] - b[0]) < SAME for a, b in zip(columns, others, strict=True))


def _falls_apart(within: Sequence[Line]) -> bool:
    """Whether a wide gap parts the lines between two rules: they are rules of two tables, then."""
    steps = sorted(b.box[1] - a.box[1] for a, b in itertools.pairwise(within))
    return bool(steps) and steps[-1] > 1.9 * max(steps[len(steps) // 2], within[0].size)


def _fits(line: Line, band: _Band) -> bool:
    return line.x > band.x0 - SAME and line.box[2] < band.x1 + SAME


def _columns(band: _Band, page: RawPage, lines: Sequence[Line]) -> list[tuple[float, float]]:
    """The columns as x ranges: between strokes, else between the ends of rules, else between white strips."""
    top, bottom = band.ys[0], band.ys[-1]
    strokes = [x for x, y0, y1 in page.verticals if min(y1, bottom) - max(y0, top) > 0.3 * min(bottom - top, y1 - y0)]
    strokes = [x for x in strokes if band.x0 - SAME < x < band.x1 + SAME]
    inner = _distinct([x for x in [*strokes, *band.ends] if band.x0 + SAME < x < band.x1 - SAME])
    return split_by_strips([band.x0, *inner, band.x1], lines)


def _distinct(values: Sequence[float]) -> list[float]:
    kept: list[float] = []
    for value in sorted(values):
        if not kept or value - kept[-1] > SAME:
            kept.append(value)
    return kept


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
        at = {column_of(cell, columns) for cell in line.cells}
        apart = min(abs(line.box[1] - before.box[3]), abs(before.box[1] - line.box[3]))
        aligned = None not in at and _fits(line, band) and (len(at) >= 2 or at & set(range(1, len(columns))))
        if index in heads or not aligned or apart > 1.1 * line.size or len(taken) >= 12:
            break
        taken.append(index)
        before = line
    # A lone line in an inner column is the rest of a header only if a full line belongs to it.
    return taken if any(len(lines[i].cells) >= 2 for i in taken) else []


def _header_groups(above: list[int], lines: Sequence[Line]) -> list[list[int]]:
    """Lines above the first rule: a header, then perhaps rows that begin with a list marker."""
    groups: list[list[int]] = [[]]
    for index in above:
        if MARKER.match(lines[index].text) and groups[-1]:
            groups.append([])
        groups[-1].append(index)
    return [group for group in groups if group]


def _groups(
    band: _Band, lines: Sequence[Line], within: Sequence[int], columns: Sequence[tuple[float, float]], ruled: bool
) -> list[list[int]]:
    """The lines of each row. Where rules part the rows they decide; else a filled first column opens a
    row."""
    groups: list[list[int]] = []
    for y0, y1 in zip(band.ys, band.ys[1:], strict=False):
        between = [i for i in within if y0 - 2 < middle_of(lines[i]) <= y1 + 2 and not any(i in g for g in groups)]
        if not between:
            continue
        head = not groups and not any(char.isdigit() for i in between for char in lines[i].text)
        if ruled and (head or not _are_rows([lines[i] for i in between], columns)):
            groups.append(between)
            continue
        groups += rows_of(between, lines, columns)
    return groups


def _are_rows(between: Sequence[Line], columns: Sequence[tuple[float, float]]) -> bool:
    """Whether lines between two rules are rows of their own: each fills the same columns with short
    entries."""
    filled = [{column_of(cell, columns) for cell in line.cells} for line in between]
    short = all(len(cell[2]) <= 12 for line in between for cell in line.cells[1:])
    return len(between) > 1 and short and len(filled[0]) > 1 and all(f == filled[0] for f in filled)
