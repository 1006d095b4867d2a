"""What stands on the pages and is no rule text: headers, footers, watermarks, contents, figure labels,
captions.

All of it is found by repetition and position over the whole document; nothing is keyed to one document's
words.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from dqgen.rulebook.lines import Line, usual_size
from dqgen.rulebook.reader import Box, RawPage

EDGE = 0.14  # share of the page height, at top and bottom, where headers and footers are looked for
FEW = 6  # lines at one height that may read alike by chance
REPEATS = 0.3  # share of the pages on which furniture comes back

CAPTION = re.compile(
    r"^(?:(?:Figure|Fig\.)\s*[–—:-]\s|(?:Figure|Fig|Table|Tab|Illustration|Diagram|Image|Photo|Drawing|Exhibit|Plate)\b\.?\s*"
    r"(?:[A-Z]{0,2}\s?[-.]?\d+(?:[-.–‑]\d+)*[a-z]?|[IVX]+|[A-Z])\s*(?:[:.–—-]\s|[:.]?$|\s+[A-Z0-9“\"(]))",
    re.IGNORECASE,
)
CAPTION_VERB = re.compile(
    r"^\S+\s+\S+\s+(?:shows?|illustrates?|depicts?|gives?|lists?|defines?|is|are|for|and|or|must|may|provides?)\b"
)
_NUMBERED = re.compile(r"^([A-Z]{0,4}[ .-]?\d+(?:\.\d+)*)\.?\s+[A-Z\[“\"]?[A-Za-z]")
_FOOTMARK = re.compile(r"^(?:\d{1,2}|[*†‡§]{1,3}|\([a-z\d]\)|[a-z])[.)]?\s*[A-Z“\"(]")
_LEADER = re.compile(r"(?:\.\s?){4,}\s*\d*$|…\s*\d+$|_{4,}\s*\d+$")
_CONTENTS = re.compile(r"^(?:table of\s+)?contents\b(?!.*[a-z]{3,}\.)|^index$|^list of (?:figures|tables)$", re.I)


def mark_furniture(pages: Sequence[RawPage], lines: Sequence[Line]) -> None:
    """Give headers, footers and watermarks the role `furniture`."""
    heights = {page.number: page.height for page in pages}
    total = len(pages)
    if total < 2:
        return
    slots: dict[tuple[str, int], list[Line]] = defaultdict(list)
    places: dict[tuple[int, int], list[Line]] = defaultdict(list)
    for line in lines:
        height = heights[line.page]
        places[(round(line.x / 4), round(line.box[1] / 4))].append(line)
        for edge, depth in (("top", line.box[1]), ("bottom", height - line.box[3])):
            if depth < EDGE * height:
                slots[(edge, round(depth / 3))].append(line)
    flowing = _flowing(lines)
    for (_, depth), members in _merged(slots).items():
        in_text = sum(id(line) in flowing for line in members) > 0.5 * len(members)
        if _is_furniture(members, total) and not (len(members) < FEW and in_text):
            for line in members:
                line.role = "furniture"
        elif depth * 3 < EDGE * 792 / 2:
            _mark_repeats(members, max(3, 0.2 * total))
    for members in places.values():
        if len(members) >= 0.4 * total:  # a watermark, or a header far down the page
            worded = [line for line in members if len(line.text) > 2 and not line.text[0].isdigit()]
            _mark_repeats(worded, max(4, 0.4 * total))


def _flowing(lines: Sequence[Line]) -> set[int]:
    """Lines (by identity) in stretches of more than four lines: in a short document the last line of a page may
    read like the last line of another, and is no footer for that."""
    stretches: list[list[Line]] = []
    for line in lines:
        if stretches and stretches[-1][-1].page == line.page and 0 < line.lead < 2.2:
            stretches[-1].append(line)
        else:
            stretches.append([line])
    return {id(line) for stretch in stretches if len(stretch) > 4 for line in stretch}


def mark_repeats_of_text(lines: Sequence[Line]) -> None:
    """Give headers and footers of a text with form feeds the role `furniture`: they come back on most pages,
    among the first or last lines."""
    by_page: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        by_page[line.page].append(line)
    edges = [line for page in by_page.values() for line in {id(x): x for x in [*page[:3], *page[-3:]]}.values()]
    pages: dict[str, set[int]] = defaultdict(set)
    for line in edges:
        pages[_shape(line)].add(line.page)
    for line in edges:
        if len(by_page) >= 4 and len(pages[_shape(line)]) >= max(3, REPEATS * len(by_page)):
            line.role = "furniture"


def _shapes(members: Sequence[Line]) -> list[str]:
    """What the lines have in common: "2031 Cart Rules" comes back as it stands, "12 Cart Rules" as a page number."""
    texts = Counter(line.text for line in members)
    return [line.text if texts[line.text] > 1 and line.text[0].isdigit() else _shape(line) for line in members]


def _shape(line: Line) -> str:
    """The words of a line with its figures set aside, for page numbers differ; but not the number of a
    heading: "402 General" is not "403 General" again."""
    match = _NUMBERED.match(line.text)
    plain = re.sub(r"\d+", "#", line.text.lower())
    if not match:
        return plain
    if match[1].isdigit():  # a page number is as far from the count of pages on each of them
        return f"{int(match[1]) - line.page}{plain[1:]}"
    return match[1] + plain[len(re.sub(r"\d+", "#", match[1])) :]


def _merged(slots: dict[tuple[str, int], list[Line]]) -> dict[tuple[str, int], list[Line]]:
    """Join slots that differ by rounding alone."""
    merged: dict[tuple[str, int], list[Line]] = {}
    for edge, depth in sorted(slots):
        before = merged.get((edge, depth - 1))
        if before is not None and not ({a.page for a in before} & {b.page for b in slots[(edge, depth)]}):
            merged[(edge, depth)] = before + slots[(edge, depth)]
            del merged[(edge, depth - 1)]
        else:
            merged[(edge, depth)] = list(slots[(edge, depth)])
    return merged


def _is_furniture(members: Sequence[Line], total: int) -> bool:
    """Whether the lines at one height of the page are headers or footers.

    Their words come back (page numbers set aside), on pages that follow each other: a running head changes
    with the chapter and yet repeats, the first line of a page does not.
    """
    pages = {line.page for line in members}
    if len(pages) < max(min(3, total), REPEATS * total):
        return False
    # The halves of a footer are one line on a page without columns, and two on a page with them.
    pieces = [[replace(line, text=cell[2]) for cell in line.cells] or [line] for line in members]
    own = iter(_shapes([piece for line in pieces for piece in line]))
    parts = [[next(own) for _ in line] for line in pieces]
    shapes = Counter(part for line in parts for part in line)
    known = sum(all(shapes[part] > 1 or not part.strip(" #.-–|") for part in line) for line in parts)
    return known >= (0.6 if total > 2 else 1) * len(members)


def _mark_repeats(members: Sequence[Line], least: float) -> None:
    """At one place of the page a text that comes back is furniture, whatever else shares its height."""
    own = _shapes(members)
    shapes = Counter(own)
    for line, shape in zip(members, own, strict=True):
        if shapes[shape] >= least:
            line.role = "furniture"


def mark_footnotes(pages: Sequence[RawPage], lines: Sequence[Line]) -> None:
    """Give footnotes the role `note`: small type with a mark before it, below a short stroke at the foot of a
    page."""
    size = usual_size(line for line in lines if line.role == "body")
    by_page: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if line.role == "body" and line.size < 0.92 * size:
            by_page[line.page].append(line)
    for page in pages:
        strokes = [y for y, x0, x1 in page.horizontals if 30 < x1 - x0 < 0.4 * page.width and y > 0.5 * page.height]
        if not strokes or not by_page[page.number]:
            continue
        bodies = [
            line.box[3]
            for line in lines
            if line.page == page.number and line.role == "body" and line.size >= 0.92 * size
        ]
        top = min((y for y in strokes if all(bottom < y + 3 for bottom in bodies)), default=page.height)
        below = [line for line in by_page[page.number] if line.box[1] > top - 3]
        if below and _FOOTMARK.match(below[0].text):
            for line in below:
                line.role = "note"


def mark_contents(lines: Sequence[Line]) -> None:
    """Give tables of contents the role `contents`, page by page."""
    by_page: dict[int, list[Line]] = defaultdict(list)
    for line in lines:
        if line.role == "body":
            by_page[line.page].append(line)
    last = max(by_page, default=0)
    opened = False
    for number in sorted(by_page):
        body = by_page[number]
        entries = [i for i, line in enumerate(body) if _is_entry(line, last)]
        titled = [i for i, line in enumerate(body) if _CONTENTS.search(line.text) and len(line.text) < 40]
        dense = len(entries) >= (2 if titled else 4) and len(entries) >= 0.4 * (entries[-1] - entries[0] + 1)
        if dense and (opened or titled or len(entries) >= 0.4 * len(body)):
            first = min([entries[0], *[i for i in titled if i < entries[0]]])
            if opened and entries[0] <= 3:
                first = 0
            for line in body[first : entries[-1] + 1]:
                line.role = "contents"
            opened = True
        else:
            opened = False


def _is_entry(line: Line, last: int) -> bool:
    if (line.text.count(".") >= 4 or "…" in line.text or "____" in line.text) and _LEADER.search(line.text):
        return True
    tail = line.cells[-1][2] if len(line.cells) > 1 else ""
    return tail.isdigit() and int(tail) <= last and line.cells[-1][0] > 300


def mark_figures(pages: Sequence[RawPage], lines: Sequence[Line]) -> None:
    """Give labels inside figures the role `figure`, text in tinted boxes the role `note`."""
    body = [line for line in lines if line.role == "body"]
    if not body:
        return
    size = usual_size(body)
    edges = _edges(body)
    width = max(line.box[2] for line in body) - min(line.x for line in body)
    boxes = {page.number: page.figures for page in pages}
    on_page: dict[int, list[Line]] = defaultdict(list)
    for line in body:
        on_page[line.page].append(line)
    shades = {
        page.number: [box for box in _wide(page, width) if not _is_head_row(box, page, on_page[page.number])]
        for page in pages
    }
    for line in body:
        close = [box for box in boxes.get(line.page, ()) if line.box[1] < box[3] + 50 and line.box[3] > box[1] - 14]
        wide = line.box[2] - line.x > 0.55 * width
        at_edge = bool(close) and any(abs(line.x - edge) < 3 for edge in edges)
        for box in close:
            inside = _share(line.box, box) > 0.6
            near = _share(line.box, (box[0] - 60, box[1] - 14, box[2] + 60, box[3] + 14)) > 0.9
            beside = near and not at_edge and line.box[2] - line.x < 0.35 * width
            legend = line.size < 0.9 * size and _share(line.box, (box[0] - 9, box[1], box[2] + 9, box[3] + 50)) > 0.9
            beside = beside or (legend and not at_edge and not wide)
            if (inside and not (wide and at_edge)) or (beside and line.size <= size):
                line.role = "figure"
        if line.role == "body" and any(_share(line.box, box) > 0.8 for box in shades.get(line.page, ())):
            line.role = "note"


def _wide(page: RawPage, width: float) -> list[Box]:
    """Tinted boxes that hold text of their own: as wide as the text, and more than one line high."""
    return [box for box in page.shades if box[2] - box[0] > 0.7 * width and box[3] - box[1] > 16]


def _is_head_row(box: Box, page: RawPage, lines: Sequence[Line]) -> bool:
    """Whether a tinted box is a row of a table: cells stand in it, and cells between it and the next rule."""
    rules = [y for y, x0, x1 in page.horizontals if abs(x0 - box[0]) < 6 and abs(x1 - box[2]) < 6]
    below = min((y for y in rules if y > box[3] + 4), default=0.0)
    if not 0 < below - box[3] < 150:
        return False

    def has_cells(top: float, bottom: float) -> bool:
        return any(len(line.cells) > 1 and top < (line.box[1] + line.box[3]) / 2 < bottom for line in lines)

    return has_cells(box[1], box[3]) and has_cells(box[3], below)


def _edges(body: Sequence[Line]) -> list[float]:
    """Where lines of text usually begin."""
    starts = Counter(round(cell[0]) for line in body for cell in line.cells[:2])
    return [x for x, n in starts.items() if n >= 0.02 * len(body)]


def _share(inner: Box, outer: Box) -> float:
    """The share of the inner box that lies in the outer one."""
    if inner[3] <= outer[1] or inner[1] >= outer[3]:
        return 0.0
    wide = min(inner[2], outer[2]) - max(inner[0], outer[0])
    high = min(inner[3], outer[3]) - max(inner[1], outer[1])
    area = max(1e-6, (inner[2] - inner[0]) * (inner[3] - inner[1]))
    return max(0.0, wide) * max(0.0, high) / area


def mark_captions(lines: Sequence[Line], usual_lead: float, patterns: Sequence[re.Pattern[str]] = ()) -> None:
    """Give captions and their second lines the role `caption`."""
    before: Line | None = None
    for line in lines:
        if line.role != "body":
            continue
        own = any(pattern.search(line.text) for pattern in patterns)
        if (
            own
            or (is_caption(line.text) and (before is None or _opens(line, before, usual_lead)))
            or (
                before is not None
                and before.role == "caption"
                and before.page == line.page
                and line.lead < usual_lead * 1.12
                and abs(line.size - before.size) < 0.3
                and line.bold == before.bold
                and len(line.cells) == 1
                and not before.text.endswith((".", ":"))
                and (before.box[2] - before.x) > 200
            )
        ):
            line.role = "caption"
        before = line


def is_caption(text: str) -> bool:
    """Whether a line reads as the caption of a figure or table, not as a sentence about one."""
    return bool(CAPTION.match(text)) and text[0].isupper() and not CAPTION_VERB.match(text)


def _opens(line: Line, before: Line, usual_lead: float) -> bool:
    """Whether the line starts a paragraph of its own: after space, after a page break, or in another type."""
    return (
        line.lead > usual_lead * 1.12
        or line.page != before.page
        or line.size < before.size - 0.3
        or line.bold != before.bold
        or before.role == "caption"
        or before.text.endswith((".", ":", ";"))
    )
