"""Drawings as PDF with selectable text, and the same page as pixels.

PyMuPDF is imported here and nowhere else among the renderers. The page's content is written as PDF operators,
which is far faster than the library's drawing calls.
"""

import math
from collections.abc import Collection
from functools import lru_cache

import pymupdf
from PIL import Image

from dqgen.fonts import em, font_file
from dqgen.renderers.drawing.display_list import (
    Arc,
    Ellipse,
    Filled,
    Hatch,
    Item,
    Line,
    Page,
    Pen,
    Point,
    Polyline,
    Text,
    arc_point,
    hatch_lines,
)
from dqgen.schemas.design import Colour

POINTS_PER_MM = 72 / 25.4
MOST_PIXELS_CUT = 40_000_000
"""Up to this size the whole page is painted and a part cut from it; beyond, the part alone."""
CAPS = {True: 0, False: 1}
"""Dashed lines end flat, others round."""


def pdf(page: Page) -> bytes:
    """The page as a PDF file: vector lines, text in the embedded font."""
    return file_of(_document(page))


def pixels(page: Page, width: int, height: int) -> Image.Image:
    """The page as a picture (RGB) of that size, antialiased; a page millimetre is alike in both directions if the
    size has the page's proportions."""
    document = _document(page)
    pymupdf.TOOLS.set_aa_level(8)
    sheet = document[0]
    matrix = pymupdf.Matrix(width / sheet.rect.width, height / sheet.rect.height)
    pixmap = sheet.get_pixmap(matrix=matrix, alpha=False)
    picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    return picture if picture.size == (width, height) else picture.crop((0, 0, width, height))


def _document(page: Page) -> pymupdf.Document:
    bolds = {item.bold for item in page.items if isinstance(item, Text)}
    content = [f"{POINTS_PER_MM:.8f} 0 0 {POINTS_PER_MM:.8f} 0 0 cm 1 j", *map(_operators, page.items)]
    return assembled(page.width, page.height, "\n".join(content).encode(), bolds)


def assembled(
    width: float, height: float, content: bytes, bolds: Collection[bool], opacities: Collection[int] = ()
) -> pymupdf.Document:
    """A document of one page from its operators.

    Args:
        width: of the page in mm.
        height: of the page in mm.
        content: PDF operators, in points from the lower left corner.
        bolds: weights of the bundled font that they call `/F0` and `/F1`.
        opacities: `256 stroke + fill` of the states that they call `/A<stroke>_<fill>`, of 255 each.
    """
    document = pymupdf.open()
    sheet = document.new_page(width=width * POINTS_PER_MM, height=height * POINTS_PER_MM)
    for bold in sorted(bolds):
        sheet.insert_font(fontname=f"F{int(bold)}", fontfile=str(font_file(bold)))
    states = ""
    for pair in sorted(opacities):
        stroke, fill = divmod(pair, 256)
        states += f"/A{stroke}_{fill}<</CA {stroke / 255:.4f}/ca {fill / 255:.4f}>>"
    if states:
        kind, where = document.xref_get_key(sheet.xref, "Resources")
        owner, key = (int(where.split()[0]), "") if kind == "xref" else (sheet.xref, "Resources/")
        document.xref_set_key(owner, key + "ExtGState", f"<<{states}>>")
    stream = document.get_new_xref()
    document.update_object(stream, "<<>>")
    document.update_stream(stream, content)
    sheet.set_contents(stream)
    return document


def file_of(document: pymupdf.Document) -> bytes:
    """The document as a file: fonts cut to what is used, no dates, no marks of a program."""
    document.subset_fonts()
    data: bytes = document.tobytes(garbage=4, deflate=True, no_new_id=True)
    return data


def painted(document: pymupdf.Document, ppi: float, left: int, top: int, width: int, height: int) -> Image.Image:
    """A part of the first page at so many pixels an inch: `left`, `top`, `width` and `height` in its pixels."""
    pymupdf.TOOLS.set_aa_level(8)
    sheet = document[0]
    zoom = pymupdf.Matrix(ppi / 72, ppi / 72)
    area = pymupdf.IRect(left, top, left + width, top + height)
    whole = (sheet.rect * zoom).irect
    # How MuPDF smooths edges depends on where it clips: a part has the very pixels of the whole page if it is cut
    # from it.
    drawn = area if whole.width * whole.height > MOST_PIXELS_CUT else whole | area
    pixmap = sheet.get_pixmap(matrix=zoom, alpha=False, clip=pymupdf.Rect(drawn) / zoom)
    picture = Image.frombytes("RGB", (pixmap.width, pixmap.height), pixmap.samples)
    x, y = left - pixmap.x, top - pixmap.y
    return picture.crop((x, y, x + width, y + height))


def overlaid(data: bytes, content: bytes, opacities: Collection[int]) -> bytes:
    """A PDF of one page with more operators drawn over it, in points from the lower left corner of its crop box."""
    document = pymupdf.open("pdf", data)
    sheet = document[0]
    over = assembled(sheet.rect.width / POINTS_PER_MM, sheet.rect.height / POINTS_PER_MM, content, (), opacities)
    sheet.show_pdf_page(sheet.rect, over, 0)
    result: bytes = document.tobytes(garbage=3, deflate=True, no_new_id=True)
    return result


def _operators(item: Item) -> str:
    if isinstance(item, Text):
        return _text(item)
    if isinstance(item, Filled):
        return f"{_rgb(item.colour)} rg {_path(item.points)} f"
    if isinstance(item, Hatch):
        return f"{_pen(item.pen)} {' '.join(_path(ends) for ends in hatch_lines(item))} S"
    if isinstance(item, Line):
        path = _path((item.start, item.end))
    elif isinstance(item, Polyline):
        path = _path(item.points) + (" h" if item.closed else "")
    else:
        path = _arc(item)
    return f"{_pen(item.pen)} {path} S"


def _arc(item: Arc | Ellipse) -> str:
    """Cubic curves of at most an eighth of a turn each: off the arc by less than 1e-6 of its radius."""
    pieces = max(1, math.ceil((item.last - item.first) / 45 - 1e-9))
    step = (item.last - item.first) / pieces
    reach = math.radians(step) / 3  # of the tangent, to second order; the exact factor follows
    reach = 4 / 3 * math.tan(math.radians(step) / 4) if step else reach
    parts = [f"{_at(arc_point(item, item.first))} m"]
    for piece in range(pieces):
        start, end = item.first + step * piece, item.first + step * (piece + 1)
        p0, p3 = arc_point(item, start), arc_point(item, end)
        t0, t3 = _tangent(item, start), _tangent(item, end)
        p1 = (p0[0] + reach * t0[0], p0[1] + reach * t0[1])
        p2 = (p3[0] - reach * t3[0], p3[1] - reach * t3[1])
        parts.append(f"{_at(p1)} {_at(p2)} {_at(p3)} c")
    return " ".join(parts)


def _tangent(item: Arc | Ellipse, angle: float) -> Point:
    """Derivative by the parameter, in radians."""
    x, y = arc_point(item, angle + 90)
    return x - item.centre[0], y - item.centre[1]


def _text(item: Text) -> str:
    angle = math.radians(item.angle)
    cos, sin = math.cos(angle), math.sin(angle)
    glyphs = "".join(f"{glyph(char, item.bold):04x}" for char in item.text)
    matrix = f"{cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {_at(item.start)}"
    size = f"{em(item.height):.4f}"
    return f"BT {_rgb(item.colour)} rg /F{int(item.bold)} {size} Tf {matrix} Tm <{glyphs}> Tj ET"


@lru_cache(maxsize=2)
def _font(bold: bool) -> pymupdf.Font:
    return pymupdf.Font(fontfile=str(font_file(bold)))


@lru_cache(maxsize=4096)
def glyph(char: str, bold: bool) -> int:
    """Number of a character's glyph in the bundled font; 0 is the box that stands for what it lacks."""
    return int(_font(bold).has_glyph(ord(char)))


def _path(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_at(point)} {'l' if i else 'm'}" for i, point in enumerate(points))


def _pen(pen: Pen) -> str:
    dash = " ".join(f"{length:.3f}" for length in pen.dash)
    return f"{_rgb(pen.colour)} RG {pen.width:.4f} w {CAPS[bool(pen.dash)]} J [{dash}] 0 d"


def _rgb(colour: Colour) -> str:
    return " ".join(f"{part / 255:.4f}" for part in colour)


def _at(point: Point) -> str:
    return f"{point[0]:.4f} {point[1]:.4f}"
