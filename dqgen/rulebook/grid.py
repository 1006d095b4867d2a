"""Cells of tables: the columns that white strips make, the column of a cell, the lines of a row."""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from dqgen.rulebook.items import MARKER
from dqgen.rulebook.lines import Line, join_words
from dqgen.rulebook.reader import Box

STRIP = 5.0  # points of white that part two columns where nothing is drawn


@dataclass(slots=True)
class Grid:
    """A table and the lines that it was read from."""

    lines: list[int]
    header: list[str]
    rows: list[list[str]]
    page: int
    box: Box
    columns: list[tuple[float, float]] = field(default_factory=list)  # x ranges; empty where they are not known


def split_by_strips(edges: list[float], lines: Sequence[Line]) -> list[tuple[float, float]]:
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


def column_of(cell: tuple[float, float, str], columns: Sequence[tuple[float, float]]) -> int | None:
    for number, (x0, x1) in enumerate(columns):
        if x0 - 3 <= cell[0] and cell[1] <= x1 + 3:
            return number
    return None


def rows_of(
    indices: Sequence[int], lines: Sequence[Line] | Mapping[int, Line], columns: Sequence[tuple[float, float]]
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
        nearest = min(eligible or anchors, key=lambda a: (round(abs(middle_of(lines[a]) - middle_of(lines[index]))), a))
        groups[index if index in groups else nearest].append(index)
    return list(groups.values())


def _is_rest(line: Line, columns: Sequence[tuple[float, float]]) -> bool:
    """Whether a line only goes on with the first cell of the row above it."""
    alone = len(line.cells) == 1 and line.cells[0][0] < columns[0][1] - 3
    return alone and (line.text[0].islower() or line.text[0] == "(")


def cells_of(group: Sequence[Line], columns: Sequence[tuple[float, float]]) -> list[str]:
    row = [""] * len(columns)
    for line in group:
        for x0, x1, text in line.cells:
            middle = (x0 + x1) / 2
            at = next((n for n, (a, b) in enumerate(columns) if a <= middle < b), None)
            if at is None:
                at = 0 if middle < columns[0][0] else len(columns) - 1
            row[at] = join_words(row[at], text)
    return row


def box_around(lines: Sequence[Line]) -> Box:
    """The box around lines of one page."""
    x0, y0, x1, y1 = zip(*(line.box for line in lines), strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def middle_of(line: Line) -> float:
    """The height of the middle of a line."""
    return (line.box[1] + line.box[3]) / 2


def without_hollow_columns(rows: list[list[str]]) -> list[list[str]]:
    """Drop empty columns, and join neighbours of which each row fills one: list markers, offset headers."""
    if not rows:
        return rows
    used = [n for n in range(len(rows[0])) if any(row[n] for row in rows)]
    rows = [[row[n] for n in used] for row in rows]
    at = 0
    while at + 1 < len(rows[0]):
        pairs = [(row[at], row[at + 1]) for row in rows]
        either = sum(bool(a) != bool(b) for a, b in pairs)
        markers = all(not a or (MARKER.fullmatch(a) and not a.rstrip(".)").isdigit()) for a, _ in pairs)
        if (either >= 0.9 * len(rows) and either < len(rows) + 1 and not any(a and b for a, b in pairs)) or (
            at == 0 and markers and sum(bool(a) for a, _ in pairs) > 1
        ):
            rows = [[*row[:at], join_words(row[at], row[at + 1]), *row[at + 2 :]] for row in rows]
        else:
            at += 1
    return rows
