"""Words to lines by geometry: baselines, superscripts, columns.

Lines come in reading order: where a page has columns, one after the other, between what spans them.
"""

import itertools
from collections import Counter
from collections.abc import Sequence

from dqgen.rulebook.lines import Line, clean
from dqgen.rulebook.reader import Box, RawPage, Span

WIDE_GAP = 0.7  # of the type size: what parts an id from its text, or two cells
FULL_PAGE = 20  # runs from which a page says how many columns it has
PROSE = 0.6  # share of a column's width from which a line counts as running text
CHANGE_BARS = set("|¦│┃▏▎▌█")
STRAY = 0.096  # of the page width: how far the strip between two columns may stand from the middle
SPANNING = 0.35  # share of the runs that may reach over several columns


def document_lines(pages: Sequence[RawPage], columns: int = 0) -> list[Line]:
    """The lines of all pages in reading order.

    Args:
        pages: the pages as they were read.
        columns: 1, 2 or 3 if known, 0 to find out.
    """
    runs = [[run for raw in page.runs for run in _split(raw)] for page in pages]
    found = [_gutters(page, on_page, columns) for page, on_page in zip(pages, runs, strict=True)]
    usual = _usual_gutters(found, sum(len(on_page) >= FULL_PAGE for on_page in runs), columns)
    lines: list[Line] = []
    for page, on_page, gutters in zip(pages, runs, found, strict=True):
        if columns > 1:
            gutters = gutters or usual or [page.width * n / columns for n in range(1, columns)]
        elif not gutters and usual and _stands_clear(on_page, usual):
            gutters = usual  # the last page of a document in columns is often too short to tell
        for group in _by_column(on_page, gutters) if gutters else [on_page]:
            lines += _lines(group, page.number)
    return lines


def _usual_gutters(found: Sequence[list[float]], full: int, columns: int) -> list[float]:
    """Where the white strips between columns stand on a good part of the full pages; empty for one column."""
    counts = Counter(len(gutters) for gutters in found if gutters)
    if not counts:
        return []
    number, pages = counts.most_common(1)[0]
    if columns < 2 and pages < 0.3 * full:
        return []
    alike = [gutters for gutters in found if len(gutters) == number]
    return [sorted(places)[len(places) // 2] for places in zip(*alike, strict=True)]


def _stands_clear(runs: Sequence[Sequence[Span]], gutters: Sequence[float]) -> bool:
    """Whether hardly any run crosses the strips, and lines stand on both sides of the first."""
    boxes = [_box(run) for run in runs]
    crossing = sum(any(box[0] < x - 2 and box[2] > x + 2 for x in gutters) for box in boxes)
    right = sum(box[0] >= gutters[0] - 2 for box in boxes)
    return bool(boxes) and crossing <= 0.2 * len(boxes) and right >= 3


def _split(raw: Sequence[Span]) -> list[list[Span]]:
    """Cut a run where a wide gap shows that two cells were drawn in one go; drop blank ends."""
    runs: list[list[Span]] = [[]]
    for span in raw:
        if not span.text.strip():
            # A blank run keeps words apart, and nothing more: its width says little.
            if runs[-1] and not runs[-1][-1].text.endswith(" "):
                last = runs[-1][-1]
                runs[-1][-1] = Span(last.text + " ", last.box, last.baseline, last.size, last.bold)
            continue
        if not set(span.text.strip()) - CHANGE_BARS:
            continue  # beside a changed line
        if "\ufffd" in span.text:
            # Pieces of a formula's tall brackets; but at the start of a line it may be a lost bullet.
            bullet = not runs[-1] and span.text.lstrip().startswith("\ufffd ") and len(span.text.strip()) > 1
            text = ("\ufffd " if bullet else "") + span.text.replace("\ufffd", "").strip(" " if bullet else None)
            if not text.strip():
                continue
            span = Span(text, span.box, span.baseline, span.size, span.bold)
        if runs[-1] and span.box[0] - runs[-1][-1].box[2] > WIDE_GAP * span.size:
            runs.append([])
        runs[-1].append(span)
    return [run for run in runs if run]


def _box(spans: Sequence[Span]) -> Box:
    if len(spans) == 1:
        return spans[0].box
    x0, y0, x1, y1 = zip(*(span.box for span in spans), strict=True)
    return min(x0), min(y0), max(x1), max(y1)


def _main(spans: Sequence[Span]) -> Span:
    return spans[0] if len(spans) == 1 else max(spans, key=lambda s: (s.size, len(s.text)))


def _gutters(page: RawPage, runs: Sequence[Sequence[Span]], columns: int) -> list[float]:
    """The x of the white strips between columns of prose; empty where there is one column.

    Columns are about equally wide, and running text stands in each over a good part of the page; a column of
    numbers does not count.
    """
    if len(runs) < FULL_PAGE or columns == 1:
        return []
    ends = [(run[0].box[0], run[-1].box[2]) for run in runs]
    starts = Counter(round(x0 / 3) for x0, _ in ends)
    left = min((3.0 * x for x, n in starts.items() if n >= 0.05 * len(runs)), default=0.0)
    right = max((x1 for x0, x1 in ends if x1 - x0 > 0.15 * page.width), default=page.width)
    for number in (2, 3):
        if columns not in (0, number):
            continue
        middles = [left + (right - left) * n / number for n in range(1, number)]
        reach = STRAY * page.width / (number - 1)
        if any(sum(x0 < x - reach and x1 > x + reach for x0, x1 in ends) > SPANNING * len(runs) for x in middles):
            continue  # text runs over the strip
        boxes = [_box(run) for run in runs]
        choices = [_strips(boxes, x, reach)[:3] for x in middles]
        for strips in itertools.product(*choices):
            if _are_columns(boxes, [left, *strips, right]):
                return list(strips)
    return []


def _strips(boxes: Sequence[Box], middle: float, reach: float) -> list[float]:
    """Middles of white strips that hardly any run crosses, the nearest to a place first."""
    near = [box for box in boxes if box[0] < middle + reach and box[2] > middle - reach]
    places = [middle - reach + 2 * step for step in range(int(reach) + 1)]
    crossing = [sum(box[0] < x + 2 and box[2] > x - 2 for box in near) for x in places]
    least = min(crossing)
    strips: list[list[float]] = []
    for x, count in zip(places, crossing, strict=True):
        if count > min(least + 0.02 * len(boxes), SPANNING * len(boxes)):
            continue
        if strips and x - strips[-1][-1] < 3:
            strips[-1].append(x)
        else:
            strips.append([x])
    return sorted(((strip[0] + strip[-1]) / 2 for strip in strips), key=lambda x: abs(x - middle))


def _are_columns(boxes: Sequence[Box], edges: Sequence[float]) -> bool:
    """Whether prose stands between each two edges: rows filled with words, and left edges that they share."""
    for number, (left, right) in enumerate(itertools.pairwise(edges)):
        ink: Counter[int] = Counter()
        start: dict[int, float] = {}
        for box in boxes:
            if box[0] >= left - 2 and box[2] <= right + 2:
                row = round(box[3] / 4)
                ink[row] += round(box[2] - box[0])
                start[row] = min(box[0], start.get(row, box[0]))
        prose = sum(width > PROSE * (right - left) for width in ink.values())
        if len(ink) < 8 or prose < max(5, 0.3 * len(ink)):
            return False
        starts = Counter(round(x / 3) for x in start.values())
        # A column has a left edge that most of its lines share, or share but for an indent.
        if number and sum(n for _, n in starts.most_common(3)) <= 0.6 * len(start):
            return False
    return True


def _by_column(runs: Sequence[list[Span]], gutters: Sequence[float]) -> list[list[list[Span]]]:
    """Groups in reading order: bands between runs that span columns, each band column by column."""
    spanning = [run for run in runs if any(_box(run)[0] < x - 2 and _box(run)[2] > x + 2 for x in gutters)]
    cuts = sorted({run[0].baseline for run in spanning})
    edges = [float("-inf"), *(x + 2 for x in gutters), float("inf")]
    groups: list[list[list[Span]]] = []
    for low, high in itertools.pairwise([float("-inf"), *cuts, float("inf")]):
        band = [run for run in runs if low < run[0].baseline < high]
        for left, right in itertools.pairwise(edges):
            groups.append([run for run in band if left < _box(run)[2] <= right])
        groups.append([run for run in runs if run[0].baseline == high])
    return [group for group in groups if group]


def _lines(runs: Sequence[list[Span]], number: int) -> list[Line]:
    rows: list[list[list[Span]]] = []
    heights: list[tuple[float, float]] = []  # baseline and size of each row
    small: list[list[Span]] = []
    for run in sorted(runs, key=lambda run: (_main(run).baseline, run[0].box[0])):
        main = _main(run)
        for index in range(len(rows) - 1, max(-1, len(rows) - 4), -1):
            base, size = heights[index]
            if abs(main.baseline - base) <= 0.32 * min(size, main.size):
                rows[index].append(run)
                heights[index] = (base, max(size, main.size))
                break
        else:
            if len(clean(run[0].text)) <= 4 and len(run) == 1:
                small.append(run)
            rows.append([run])
            heights.append((main.baseline, main.size))
    _attach_scripts(rows, heights, small)
    lines = []
    before: float | None = None
    for row, (base, size) in sorted(zip(rows, heights, strict=True), key=lambda pair: pair[1][0]):
        line = _line(sorted(row, key=lambda run: run[0].box[0]), size, number)
        if before is not None:
            line.lead = round((base - before) / size, 3)
        before = base
        if line.text:
            lines.append(line)
    return lines


def _attach_scripts(rows: list[list[list[Span]]], heights: list[tuple[float, float]], small: list[list[Span]]) -> None:
    """Move a raised or lowered sign that became a row of its own to the word that it touches."""
    for run in small:
        span = run[0]
        at = next(i for i, row in enumerate(rows) if row[0] is run)
        if len(rows[at]) > 1:
            continue
        for index in range(max(0, at - 3), min(len(rows), at + 4)):
            base, size = heights[index]
            near = any(-1 < span.box[0] - other[-1].box[2] < 0.25 * size for other in rows[index])
            if index != at and near and span.size < 0.86 * size and abs(span.baseline - base) < 0.75 * size:
                rows[index].append(run)
                del rows[at], heights[at]
                break


def _line(row: Sequence[Sequence[Span]], size: float, number: int) -> Line:
    text = ""
    cells: list[tuple[float, float, str]] = []
    end: float | None = None
    for run in row:
        piece = _text(run)
        if not piece.strip():
            continue
        x0, x1 = run[0].box[0], run[-1].box[2]
        gap = float("inf") if end is None else x0 - end
        if gap > WIDE_GAP * size:
            cells.append((x0, x1, clean(piece)))
        else:
            glue = " " if gap > 0.12 * size else ""
            start, _, said = cells[-1]
            cells[-1] = (start, x1, clean(said + glue + piece))
        end = x1
    text = " ".join(cell[2] for cell in cells)
    lettered = [span for run in row for span in run if any(char.isalnum() for char in span.text)]
    return Line(
        text=text,
        page=number,
        box=_box([span for run in row for span in run]),
        size=round(_prevailing_size(lettered, size), 1),
        bold=bool(lettered) and all(span.bold for span in lettered),
        lead_bold=bool(lettered) and lettered[0].bold,
        cells=cells,
    )


def _prevailing_size(spans: Sequence[Span], size: float) -> float:
    """The type size of most letters: a drop of small capitals or an index does not change a line's size."""
    if len(spans) == 1:
        return spans[0].size
    if len({span.size for span in spans}) == 1:
        return round(spans[0].size, 1)
    sizes: Counter[float] = Counter()
    for span in spans:
        sizes[round(span.size, 1)] += len(span.text)
    return sizes.most_common(1)[0][0] if sizes else size


def _text(run: Sequence[Span]) -> str:
    text = ""
    end: float | None = None
    for span in run:
        if end is not None and span.box[0] - end > 0.2 * span.size and not text.endswith(" "):
            text += " "
        text += span.text
        end = span.box[2]
    return text
