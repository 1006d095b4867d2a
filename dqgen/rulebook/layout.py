"""Words to lines by geometry: baselines, superscripts, columns.

Lines come in reading order: where a page has two columns, the left one first, between what spans both.
"""

from collections import Counter
from collections.abc import Sequence

from dqgen.rulebook.lines import Line, clean
from dqgen.rulebook.reader import Box, RawPage, Span

WIDE_GAP = 0.7  # of the type size: what parts an id from its text, or two cells
FULL_PAGE = 20  # runs from which a page says how many columns it has
PROSE = 0.6  # share of a column's width from which a line counts as running text


def document_lines(pages: Sequence[RawPage], columns: int = 0) -> list[Line]:
    """The lines of all pages in reading order.

    Args:
        pages: the pages as they were read.
        columns: 1 or 2 if known, 0 to find out.
    """
    runs = [[run for raw in page.runs for run in _split(raw)] for page in pages]
    gutters = [_gutter(page, on_page) if columns != 1 else None for page, on_page in zip(pages, runs, strict=True)]
    known = sorted(gutter for gutter in gutters if gutter is not None)
    full = sum(len(on_page) >= FULL_PAGE for on_page in runs)
    lines: list[Line] = []
    for page, on_page, gutter in zip(pages, runs, gutters, strict=True):
        if columns == 2:
            gutter = gutter or (known[len(known) // 2] if known else page.width / 2)
        elif gutter is None and len(known) > 0.5 * full and _stands_clear(on_page, known[len(known) // 2]):
            gutter = known[len(known) // 2]  # the last page of a document in columns is often too short to tell
        groups = [on_page] if gutter is None else _by_column(on_page, gutter)
        for group in groups:
            lines += _lines(group, page.number)
    return lines


def _stands_clear(runs: Sequence[Sequence[Span]], x: float) -> bool:
    """Whether hardly any run crosses a strip, and lines stand on both sides of it."""
    boxes = [_box(run) for run in runs]
    crossing = sum(box[0] < x - 2 and box[2] > x + 2 for box in boxes)
    right = sum(box[0] >= x - 2 for box in boxes)
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


def _gutter(page: RawPage, runs: Sequence[Sequence[Span]]) -> float | None:
    """The x of the white strip between two columns of prose, or None.

    Running text must stand on both sides over a good part of the page; a column of numbers does not count.
    """
    if len(runs) < FULL_PAGE:
        return None
    centre = page.width / 2
    places = [centre + step * page.width * 0.008 for step in range(-12, 13)]
    ends = [(run[0].box[0], run[-1].box[2]) for run in runs]
    if sum(x0 < places[0] and x1 > places[-1] for x0, x1 in ends) > 0.35 * len(runs):
        return None  # text runs over the middle of the page
    boxes = [_box(run) for run in runs]
    wide = [box for box in boxes if box[0] < places[-1] and box[2] > places[0]]
    crossings = {x: sum(box[0] < x + 2 and box[2] > x - 2 for box in wide) for x in places}
    x = min(places, key=lambda x: (crossings[x], abs(x - centre)))
    left = [box for box in boxes if box[2] <= x]
    right = [box for box in boxes if box[0] >= x]
    if len(left) < 8 or len(right) < 8 or crossings[x] > 0.35 * len(boxes):
        return None
    width_left = x - min(box[0] for box in left)
    width_right = max(box[2] for box in right) - x
    prose_left = sum(box[2] - box[0] > PROSE * width_left for box in left)
    prose_right = sum(box[2] - box[0] > PROSE * width_right for box in right)
    if min(prose_left, prose_right) < 5 or prose_left < 0.4 * len(left) or prose_right < 0.4 * len(right):
        return None
    edges = Counter(round(box[0] / 3) for box in right)
    # A second column has a left edge that most of its lines share, or share but for an indent.
    return x if sum(n for _, n in edges.most_common(3)) > 0.6 * len(right) else None


def _by_column(runs: Sequence[list[Span]], gutter: float) -> list[list[list[Span]]]:
    """Groups in reading order: bands between runs that span both columns, each band left then right."""
    spanning = [run for run in runs if _box(run)[0] < gutter - 2 and _box(run)[2] > gutter + 2]
    cuts = sorted({run[0].baseline for run in spanning})
    groups: list[list[list[Span]]] = []
    for number in range(len(cuts) + 1):
        low = cuts[number - 1] if number else float("-inf")
        high = cuts[number] if number < len(cuts) else float("inf")
        band = [run for run in runs if low < run[0].baseline < high]
        groups.append([run for run in band if _box(run)[2] <= gutter + 2])
        groups.append([run for run in band if _box(run)[2] > gutter + 2])
        groups.append([run for run in spanning if run[0].baseline == high])
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
