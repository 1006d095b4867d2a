"""A rulebook file to raw pages (PDF) or to its text (Markdown, reStructuredText, HTML, plain text).

The only module of the package that imports PyMuPDF, so that another PDF library can take its place.
All lengths are PDF points (1/72 inch), origin at the top left of the page as it is shown.
"""

import hashlib
import html
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from dqgen.errors import LoadError
from dqgen.rulebook.forked import in_two

Box = tuple[float, float, float, float]

MARKUP = {
    ".md": "md",
    ".markdown": "md",
    ".rst": "rst",
    ".rest": "rst",
    ".html": "html",
    ".htm": "html",
    ".xhtml": "html",
    ".txt": "txt",
    ".text": "txt",
}
PARTS_OF_A_FIGURE = 12  # a box, an arrow or a frame alone is no figure
SMALLEST_FIGURE = 25.0  # points; what is lower is a formula or a line of signs
FIGURE_MARGIN = 3.0  # points by which labels may stick out of their figure
RULE_THICKNESS = 2.5  # points; thicker strokes are bars, not table rules
TITLE_PAGES, LONGEST_TITLE = 3, 10  # where a document's title is looked for, and its most words
_VERSION = re.compile(r",?[ ]+(?:version|edition|revision|rev|ver|v)\b.*$", re.IGNORECASE)
CHARS_OF_A_PAGE = 20  # fewer characters a page on average: a scan with a stray text layer


class Span(NamedTuple):
    """A run of text in one font."""

    text: str
    box: Box
    baseline: float
    size: float
    bold: bool


@dataclass(slots=True)
class RawPage:
    """One page: runs of text grouped as the file draws them, and what is drawn between them."""

    number: int
    label: str
    width: float
    height: float
    runs: list[list[Span]]
    horizontals: list[tuple[float, float, float]] = field(default_factory=list)  # y, x0, x1
    verticals: list[tuple[float, float, float]] = field(default_factory=list)  # x, y0, y1
    figures: list[Box] = field(default_factory=list)
    shades: list[Box] = field(default_factory=list)  # tinted boxes behind text
    pictured: bool = False  # a picture covers most of it, as in a scan


@dataclass(slots=True)
class Source:
    """What the file holds, before any reading of its sense."""

    path: Path
    kind: str  # pdf, md, rst, html or txt
    sha256: str
    pages: list[RawPage]
    text: str = ""


def read(path: Path) -> Source:
    """Read a rulebook file.

    Raises:
        LoadError: the file is missing, empty, encrypted, damaged, scanned, or of a kind that is not read.
    """
    if not path.is_file():
        raise LoadError("no such file" if not path.exists() else "is not a file", str(path), "check the path")
    data = path.read_bytes()
    if not data.strip(b"\x00 \t\r\n"):
        raise LoadError("the file is empty", str(path), "give a PDF, Markdown, reST, HTML or text file")
    digest = hashlib.sha256(data).hexdigest()
    if b"%PDF-" in data[:1024]:
        return Source(path, "pdf", digest, _pdf_pages(path, data))
    kind = MARKUP.get(path.suffix.lower())
    if path.suffix.lower() == ".pdf":
        raise LoadError("is named .pdf but holds no PDF", str(path), "export the document again")
    if data[:4] == b"PK\x03\x04" or data[:4] == b"\xd0\xcf\x11\xe0":
        raise LoadError("office documents and archives are not read", str(path), "save the rulebook as PDF")
    text = _decode(data)
    if text is None:
        raise LoadError("is binary, not text", str(path), "give a PDF, Markdown, reST, HTML or text file")
    if kind is None:
        kind = "html" if "<html" in text[:2000].lower() else "txt"
    return Source(path, kind, digest, [], text)


def page_words(path: Path) -> dict[int, list[tuple[Box, str]]]:
    """Words with their boxes by page (1-based), by another extraction than `read` uses: what was read can be checked.

    Raises:
        LoadError: the file is no PDF.
    """
    data = path.read_bytes()
    if b"%PDF-" not in data[:1024]:
        raise LoadError("only a PDF has pages", str(path))
    with _open(path, data) as document:
        return {
            number: [((w[0], w[1], w[2], w[3]), w[4]) for w in sheet.get_text("words")]
            for number, sheet in enumerate(document, 1)
        }


def title(path: Path) -> str:
    """What a document calls itself, without its version: a PDF in its metadata, where its first pages say it too,
    Markdown in a heading on its first line that has no number. Empty if it does not say.

    Raises:
        LoadError: the PDF cannot be opened.
    """
    data = path.read_bytes()
    if b"%PDF-" in data[:1024]:
        with _open(path, data) as document:
            given = document.metadata.get("title") or ""
            said = " ".join(document[k].get_text() for k in range(min(TITLE_PAGES, document.page_count)))
    else:
        said = _decode(data) or ""
        given = ""
        if MARKUP.get(path.suffix.lower()) == "md":
            heading = re.match(r"\s*#[ \t]+(?!\w{0,2}[\d.]|\w{1,2}\b)(.+?)[ \t#]*$", said, re.MULTILINE)
            given = heading[1] if heading else ""
        elif MARKUP.get(path.suffix.lower()) == "html":
            found = re.search(r"<title[^>]*>([^<]*)</title>", said, re.IGNORECASE)
            given = html.unescape(found[1]) if found else ""
    name = " ".join(_VERSION.sub("", given).split())
    words = re.findall(r"\w+", name.casefold())
    known = set(re.findall(r"\w+", said.casefold()))
    return name if 2 <= len(words) <= LONGEST_TITLE and known.issuperset(words) else ""


def page_image(path: Path, page: int, boxes: Iterable[Box], out: Path, dpi: int = 150) -> None:
    """Write a PNG of one page (1-based) with the boxes marked in pink.

    Raises:
        LoadError: the file is no PDF, or has no such page.
    """
    import pymupdf

    data = path.read_bytes()
    if b"%PDF-" not in data[:1024]:
        raise LoadError("only a PDF has pages to show", str(path), "leave out --page-image")
    with _open(path, data) as document:
        sheet = document[page - 1]
        to_media = sheet.derotation_matrix
        for box in boxes:
            frame = pymupdf.Rect(box[0] - 2, box[1] - 2, box[2] + 2, box[3] + 2)
            sheet.draw_rect(frame * to_media, color=(1, 0.18, 0.77), fill=(1, 0.18, 0.77), width=1.2, fill_opacity=0.12)
        sheet.get_pixmap(dpi=dpi).save(out)


def _decode(data: bytes) -> str | None:
    for encoding in ("utf-8-sig", "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8"):
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return None if "\x00" in text else text
    if b"\x00" in data or sum(byte < 9 or 13 < byte < 32 for byte in data[:4096]) > 40:
        return None
    return data.decode("cp1252", errors="replace")


def _open(path: Path, data: bytes) -> Any:
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except (RuntimeError, ValueError) as error:  # PyMuPDF's own errors derive from these
        raise LoadError("the PDF is damaged", str(path), "export it again or repair it, e.g. with qpdf") from error
    if document.needs_pass:
        document.close()
        raise LoadError("the PDF is encrypted", str(path), "save a copy without a password, e.g. qpdf --decrypt")
    if document.page_count == 0:
        document.close()
        raise LoadError("the PDF has no readable page", str(path), "export it again or repair it, e.g. with qpdf")
    return document


def _pdf_pages(path: Path, data: bytes) -> list[RawPage]:
    with _open(path, data) as document:
        try:
            labelled = bool(document.get_page_labels())  # asked once: the question is slow
            pages = in_two(document.page_count, lambda index: _page(document[index], index + 1, labelled))
        except (RuntimeError, ValueError) as error:
            raise LoadError("the PDF is damaged", str(path), "repair it, e.g. with qpdf") from error
    characters = sum(len(span.text.strip()) for page in pages for run in page.runs for span in run)
    pictured = any(page.pictured for page in pages)
    if characters == 0 or (pictured and characters < CHARS_OF_A_PAGE * len(pages)):
        raise LoadError(
            "the PDF has no text layer (a scan, or pictures only)", str(path), "run OCR first, e.g. ocrmypdf"
        )
    return pages


def _page(sheet: Any, number: int, labelled: bool) -> RawPage:
    import pymupdf

    # Ligatures are resolved because their flag is left out; hyphens are judged later, against the whole text.
    flags = pymupdf.TEXT_PRESERVE_WHITESPACE | pymupdf.TEXT_MEDIABOX_CLIP
    lines = [
        line for block in sheet.get_text("dict", flags=flags)["blocks"] if block["type"] == 0 for line in block["lines"]
    ]
    label = (labelled and sheet.get_label()) or str(number)
    page = RawPage(number, label, sheet.rect.width, sheet.rect.height, [])
    turned = _prevailing_turn(lines)
    for line in lines:
        if _turn(line["dir"]) == turned:
            page.runs.append([_span(span, turned, page.width, page.height) for span in line["spans"]])
    if turned:
        page.width, page.height = page.height, page.width
    else:
        _drawings(sheet, page)
    return page


def _turn(direction: tuple[float, float]) -> int | None:
    """Quarter turn of a line of text (0 upright, 1 reads upwards, -1 reads downwards), or None for a
    slant."""
    x, y = direction
    if abs(y) < 0.05:
        return 0 if x > 0 else None
    if abs(x) < 0.05:
        return 1 if y < 0 else -1
    return None


def _prevailing_turn(lines: list[dict[str, Any]]) -> int:
    if all(line["dir"] == (1.0, 0.0) for line in lines):
        return 0
    counts = {0: 0, 1: 0, -1: 0}
    for line in lines:
        turn = _turn(line["dir"])
        if turn is not None:
            counts[turn] += sum(len(span["text"].strip()) for span in line["spans"])
    best = max(counts, key=lambda turn: counts[turn])
    # A page is taken as turned only where hardly anything stands upright on it: headers and figure labels do.
    return best if best and counts[best] > 4 * counts[0] else 0


def _span(span: dict[str, Any], turned: int, width: float, height: float) -> Span:
    x0, y0, x1, y1 = span["bbox"]
    baseline = span["origin"][1]
    if turned == 1:
        x0, y0, x1, y1, baseline = height - y1, x0, height - y0, x1, span["origin"][0]
    elif turned == -1:
        x0, y0, x1, y1, baseline = y0, width - x1, y1, width - x0, width - span["origin"][0]
    bold = bool(span["flags"] & 16) or _is_bold(span["font"])
    return Span(span["text"], (x0, y0, x1, y1), baseline, span["size"], bold)


@cache
def _is_bold(font: str) -> bool:
    return any(word in font.lower() for word in ("bold", "black", "heavy"))


def _drawings(sheet: Any, page: RawPage) -> None:
    """Sort what is drawn into table rules, tinted boxes and figures."""
    shapes: list[tuple[Box, int]] = []  # box and how much it speaks for a figure
    for path in sheet.get_cdrawings():
        box: Box = tuple(path["rect"])
        wide, high = box[2] - box[0], box[3] - box[1]
        if wide > 0.9 * page.width and high > 0.9 * page.height:
            continue  # the paper itself
        if _is_bar(path, wide, high):
            if max(wide, high) < 0.6 * page.width:
                shapes.append((box, 0))
            if wide >= high:
                page.horizontals.append(((box[1] + box[3]) / 2, box[0], box[2]))
            else:
                page.verticals.append(((box[0] + box[2]) / 2, box[1], box[3]))
            continue
        items = path["items"]
        if any(item[0] == "c" for item in items):
            weight = 2 * len(items)  # a drawing: none of its strokes is a table's rule
        else:
            weight = sum(_sort_item(item, page) for item in items)
        fill = path.get("fill")
        tinted = fill is not None and min(fill) < 0.995 and sum(fill) > 1.5
        if weight == 0 and tinted and wide > 30 and high > 6:
            page.shades.append(box)
        else:
            shapes.append((box, weight))
    infos = sheet.get_image_info() if sheet.get_images() else []  # asking for none is slow
    pictures = [(tuple(info["bbox"]), PARTS_OF_A_FIGURE) for info in infos]
    for picture, weight in pictures:
        # A picture behind the whole page is a scan or a background, not a figure.
        if (picture[2] - picture[0]) * (picture[3] - picture[1]) < 0.7 * page.width * page.height:
            shapes.append((picture, weight))
        else:
            page.pictured = True
    # Strokes and boxes join the curves that they touch; then the pieces of one drawing find each other.
    pieces = [(box, weight) for box, weight in _clusters(shapes, 4 * FIGURE_MARGIN, 4 * FIGURE_MARGIN) if weight]
    page.figures = [
        (x0 - FIGURE_MARGIN, y0 - FIGURE_MARGIN, x1 + FIGURE_MARGIN, y1 + FIGURE_MARGIN)
        for (x0, y0, x1, y1), weight in _clusters(pieces, 60, 30)
        if weight >= PARTS_OF_A_FIGURE and min(x1 - x0, y1 - y0) >= SMALLEST_FIGURE
    ]


def _is_bar(path: dict[str, Any], wide: float, high: float) -> bool:
    return min(wide, high) <= RULE_THICKNESS and max(wide, high) > RULE_THICKNESS


def _sort_item(item: tuple[Any, ...], page: RawPage) -> int:
    """Note the rules that a path item draws; return how much it speaks for a figure."""
    if item[0] == "l":
        (x0, y0), (x1, y1) = item[1], item[2]
        if abs(y0 - y1) < 0.5:
            page.horizontals.append((y0, min(x0, x1), max(x0, x1)))
        elif abs(x0 - x1) < 0.5:
            page.verticals.append((x0, min(y0, y1), max(y0, y1)))
        else:
            return 2
        return 0
    if item[0] == "re":
        x0, y0, x1, y1 = item[1]
        if min(x1 - x0, y1 - y0) > RULE_THICKNESS:
            page.horizontals += [(y0, x0, x1), (y1, x0, x1)]
            page.verticals += [(x0, y0, y1), (x1, y0, y1)]
        elif x1 - x0 > y1 - y0:
            page.horizontals.append(((y0 + y1) / 2, x0, x1))
        else:
            page.verticals.append(((x0 + x1) / 2, y0, y1))
        return 0
    return 2  # slanted quadrilaterals


def _clusters(shapes: list[tuple[Box, int]], across: float, down: float) -> list[tuple[Box, int]]:
    """Join boxes that are closer than this, adding their weights."""
    groups: list[tuple[Box, int]] = []
    for shape in sorted(shapes, key=lambda shape: (shape[0][1], shape[0][0])):
        box, total = shape
        rest = []
        for other, load in groups:
            if (
                box[0] - across < other[2]
                and other[0] - across < box[2]
                and box[1] - down < other[3]
                and other[1] - down < box[3]
            ):
                box = (
                    min(box[0], other[0]),
                    min(box[1], other[1]),
                    max(box[2], other[2]),
                    max(box[3], other[3]),
                )
                total += load
            else:
                rest.append((other, load))
        groups = [*rest, (box, total)]
    return groups
