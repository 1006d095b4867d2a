"""What of a drawing is shown: pages, layers, a region, and which texts are meant."""

import re
from dataclasses import dataclass
from fnmatch import translate

import numpy as np
from numpy.typing import NDArray

from dqgen.errors import UsageError
from dqgen.renderers.sheet.phrases import matches, texts_of
from dqgen.schemas.design import Colour
from dqgen.schemas.sheet import Page, Sheet
from dqgen.schemas.sheet_render import Region, SheetOptions

Box = tuple[float, float, float, float]
MM_PER_INCH = 25.4
AROUND = 12.0
"""Room around a text that is shown with its surroundings, in heights of its capitals, but at least `AROUND_MM`."""
AROUND_MM = 20.0


@dataclass(frozen=True)
class View:
    """Part of a page at a number of pixels an inch, on whole pixels.

    Attributes:
        left, top: of the part, in pixels of the whole page.
        width, height: pixels.
        ppi: pixels an inch.
        region: left, top, right, bottom of the part in page mm, on those pixels' edges.
    """

    left: int
    top: int
    width: int
    height: int
    ppi: float
    region: Box

    @property
    def scale(self) -> float:
        """Pixels a millimetre."""
        return self.ppi / MM_PER_INCH

    def pixels(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        """(n, 2) page mm to the picture's pixels."""
        return np.asarray(points * self.scale - np.array([self.left, self.top]))


def pages(sheet: Sheet, options: SheetOptions) -> tuple[Page, ...]:
    """The pages to draw.

    Raises:
        UsageError: there is no such page.
    """
    if options.layout is not None:
        wanted = options.layout.casefold()
        found = [page for page in sheet.pages if page.name.casefold() == wanted] or [
            page for page in sheet.pages if matches(options.layout, page.name)
        ]
        if not found:
            names = ", ".join(page.name for page in sheet.pages)
            raise UsageError(f"no page is named '{options.layout}'", sheet.source.name, f"its pages are {names}")
        return tuple(found)
    if options.page == "all":
        return sheet.pages
    number = options.page or 1
    chosen = next((page for page in sheet.pages if page.number == number), None)
    if chosen is None and options.page is None:
        return sheet.pages[:1]
    if chosen is None:
        numbers = ", ".join(str(page.number) for page in sheet.pages[:20])
        raise UsageError(f"has no page {number}", sheet.source.name, f"its pages are {numbers}")
    return (chosen,)


def shown_layers(sheet: Sheet, options: SheetOptions) -> tuple[bool, ...]:
    """Whether each layer shows.

    Raises:
        UsageError: a pattern names no layer.
    """
    shown = [layer.shown for layer in sheet.layers]
    if options.layers:
        shown = [False] * len(shown)
        for pattern in options.layers:
            for row in _layers(sheet, pattern, "--layers"):
                shown[row] = True
    for pattern in options.without_layers:
        for row in _layers(sheet, pattern, "--without-layers"):
            shown[row] = False
    return tuple(shown)


def _layers(sheet: Sheet, pattern: str, flag: str) -> list[int]:
    test = re.compile(translate(pattern.strip()), re.IGNORECASE)
    rows = [row for row, layer in enumerate(sheet.layers) if test.match(layer.name)]
    if not rows:
        names = ", ".join(layer.name for layer in sheet.layers[:30]) or "none"
        raise UsageError(f"no layer is named '{pattern}'", flag, f"{sheet.source.name} has {names}")
    return rows


def region(page: Page, options: SheetOptions, shown: tuple[bool, ...], warnings: list[str]) -> Box:
    """The part of the page to show, in mm.

    Raises:
        UsageError: it is empty, outside the page, or its text is not there.
    """
    whole = (0.0, 0.0, page.width, page.height)
    if options.roi_of is not None:
        return _around(page, options.roi_of, shown, warnings)
    if options.roi is None:
        return whole
    x0, y0, x1, y1 = _edges(options.roi, page)
    if x1 <= x0 or y1 <= y0:
        raise UsageError("the region is empty", "--roi", "write left,top,right,bottom, such as 10,10,120,80")
    left, top, right, bottom = max(x0, 0.0), max(y0, 0.0), min(x1, page.width), min(y1, page.height)
    if right <= left or bottom <= top:
        size = f"{page.width:.0f} × {page.height:.0f} mm"
        raise UsageError("the region lies outside the page", "--roi", f"page {page.number} is {size}")
    if (left, top, right, bottom) != (x0, y0, x1, y1):
        warnings.append("the region is cut at the page's edges")
    return (left, top, right, bottom)


def _edges(roi: Region, page: Page) -> Box:
    sizes = (page.width, page.height, page.width, page.height)
    edges = [
        edge / 100 * size if percent else edge
        for edge, percent, size in zip(roi.edges, roi.percent, sizes, strict=True)
    ]
    return (edges[0], edges[1], edges[2], edges[3])


def _around(page: Page, pattern: str, shown: tuple[bool, ...], warnings: list[str]) -> Box:
    found = texts_of(page, pattern, shown)
    if not found:
        raise UsageError(f"no text on page {page.number} reads '{pattern}'", "--roi-of")
    if len(found) > 1:
        warnings.append(f"{len(found)} texts read '{pattern}': the first is shown")
    own = list(found[0])
    boxes = page.texts.box[own]
    room = max(AROUND_MM, AROUND * float(page.texts.height[own].max()))
    left, top = boxes[:, 0].min() - room, boxes[:, 1].min() - room
    right, bottom = boxes[:, 2].max() + room, boxes[:, 3].max() + room
    box = (max(float(left), 0.0), max(float(top), 0.0), min(float(right), page.width), min(float(bottom), page.height))
    if box[2] <= box[0] or box[3] <= box[1]:
        raise UsageError(f"'{pattern}' lies outside page {page.number}", "--roi-of")
    return box


def highlighted(page: Page, options: SheetOptions, shown: tuple[bool, ...]) -> dict[int, Colour]:
    """Colour of each text that is highlighted, by its row.

    Raises:
        UsageError: a pattern picks nothing.
    """
    colours: dict[int, Colour] = {}
    for highlight in options.highlight:
        found = texts_of(page, highlight.pattern, shown)
        if not found:
            raise UsageError(f"no text on page {page.number} reads '{highlight.pattern}'", "--highlight")
        colours |= dict.fromkeys((row for group in found for row in group), highlight.colour)
    return colours


def view(region_mm: Box, ppi: float) -> View:
    """The region on whole pixels, widened outwards, so that a part has the very pixels of the whole page."""
    scale = ppi / MM_PER_INCH
    left, top = (int(np.floor(edge * scale + 1e-3)) for edge in region_mm[:2])
    right, bottom = (int(np.ceil(edge * scale - 1e-3)) for edge in region_mm[2:])
    right, bottom = max(right, left + 1), max(bottom, top + 1)
    edges = (left / scale, top / scale, right / scale, bottom / scale)
    return View(left, top, right - left, bottom - top, ppi, edges)
