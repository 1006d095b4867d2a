"""One PDF page as MuPDF traces it, in the tables of a `Page`."""

import math
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from math import isfinite
from statistics import median
from typing import Any

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import EntityTable, ImageTable, Page, PathTable, TextTable, Verb

Box = tuple[float, float, float, float]

MM = 25.4 / 72  # a PDF point in millimetres
CAPITALS = "BDEFHIKLMNPRTUXZ0123456789"  # flat or nearly flat at top and bottom
CAP_HEIGHT = 0.716  # of the font size, as in Helvetica: where a font's own letters cannot be measured
GAP = 1.5  # of the font size: letters further apart belong to different runs
WIDE_SPACE = 3  # spaces in a row that part two runs
INVISIBLE = 3  # text render mode
KINDS = ("path", "text", "image")
MOST_PATHS, MOST_STEPS = 300_000, 2_000_000  # of one page that are read
MANY_IMAGES = 500
_Traced = dict[tuple[float, float], tuple[str, int, int]]
IMAGE_SIZE = re.compile(r"width: (\d+), height: (\d+)")
HUGE = 5080.0  # mm; Acrobat's own limit is 200 inches


def page_of(sheet: Any, number: int, layers: list[str], hidden: set[str]) -> Page:
    """The content of a page.

    Args:
        sheet: PyMuPDF's page, with all layers enabled.
        number: from 1.
        layers: names of the layers; those that only the page names are appended.
        hidden: names of those that are not shown at first.

    Raises:
        RuntimeError, ValueError: as PyMuPDF does on damaged pages.
    """
    width, height = sheet.rect.width * MM, sheet.rect.height * MM
    a, b, c, d, e, f = sheet.rotation_matrix
    turn = np.array([[a, c, e], [b, d, f]]) * MM  # points of the unturned page to mm of the turned one
    index = {name: row for row, name in enumerate(layers)}

    def layer(name: str) -> int:
        if not name:
            return -1
        if name not in index:
            index[name] = len(layers)
            layers.append(name)
        return index[name]

    content = _Content(sheet)
    drawings = _Drawings()
    sheet.get_cdrawings(callback=drawings.take)  # one by one: as a list, a dense hatch would exhaust memory
    paths = _paths(drawings.whole(), turn, layer)
    texts = _texts(content.letters(), _cap_heights(content.outlines()), _traced(sheet), turn, layer, first=len(paths))
    images = _images(_placed(sheet, content.pictures()), turn, first=len(paths) + len(texts))
    off = np.array([name in hidden for name in layers] + [False])  # the last row stands for no layer
    return Page(
        number,
        sheet.get_label() or str(number),
        "page",
        width,
        height,
        1.0,
        np.array([[MM, 0.0, 0.0], [0.0, MM, 0.0]]),
        _entities(paths, texts, images, off),
        paths,
        texts,
        images,
        remarks=(*_remarks(width, height, paths, texts, images), *drawings.remarks()),
    )


class _Content:
    """A page's content in MuPDF's list of what is to be drawn, which is interpreted but once."""

    def __init__(self, sheet: Any) -> None:
        from pymupdf import mupdf

        self._sheet, self._list = sheet, None
        turned = sheet.rotation
        try:
            if turned:  # as PyMuPDF's own extraction of text does
                sheet.set_rotation(0)
            self._list = sheet.get_displaylist()
        except mupdf.FzErrorBase:
            pass  # of damaged content the extraction itself takes what there is
        finally:
            if turned:
                sheet.set_rotation(turned)

    def _page(self, flags: int) -> Any:
        import pymupdf

        if self._list is None:
            return self._sheet.get_textpage(flags=flags)
        return pymupdf.TextPage(self._list.get_textpage(flags))

    def letters(self) -> list[Any]:
        """Blocks of text with a box a letter by the font's ascender and descender."""
        import pymupdf

        blocks: list[Any] = self._page(pymupdf.TEXTFLAGS_WORDS).extractRAWDICT()["blocks"]
        return blocks

    def outlines(self) -> list[Any]:
        """Blocks of text with boxes by the letters' outlines."""
        import pymupdf

        flags = pymupdf.TEXTFLAGS_WORDS | pymupdf.TEXT_ACCURATE_BBOXES
        blocks: list[Any] = self._page(flags).extractRAWDICT()["blocks"]
        return blocks

    def pictures(self) -> list[Any]:
        """Upright box and a description of each picture."""
        import pymupdf

        return [block for block in self._page(pymupdf.TEXT_PRESERVE_IMAGES).extractBLOCKS() if block[6] == 1]


class _Drawings:
    """Drawings as MuPDF traces them, up to a bound; a stroke of what was just filled is joined to its fill."""

    def __init__(self) -> None:
        self.kept: list[dict[str, Any]] = []
        self.count = self.steps = 0

    def take(self, drawing: dict[str, Any]) -> None:
        """Keep one, while there is room; must not raise, for that would end the process."""
        items = drawing.get("items", ())
        self.count += 1
        self.steps += len(items)
        if self.count > MOST_PATHS or self.steps > MOST_STEPS:
            return
        last = self.kept[-1] if self.kept else {}
        if (drawing.get("type"), last.get("type")) == ("s", "f") and last.get("items") == items:
            self.kept[-1] = {**last, **drawing, "type": "fs"}
        elif items:
            self.kept.append(drawing)

    def whole(self) -> Iterator[dict[str, Any]]:
        """What was kept, each let go of as it is taken."""
        self.kept.reverse()
        while self.kept:
            yield self.kept.pop()

    def remarks(self) -> Iterator[str]:
        """That some were left out, where they were."""
        if self.count > MOST_PATHS or self.steps > MOST_STEPS:
            yield f"holds {self.count} paths: more than {MOST_PATHS} or {MOST_STEPS} strokes are not read, only drawn"


def _remarks(width: float, height: float, paths: PathTable, texts: TextTable, images: ImageTable) -> Iterable[str]:
    if max(width, height) > HUGE:
        yield f"the page measures {width:.0f} × {height:.0f} mm"
    seen = int((texts.colour[:, 3] > 0).sum()) if len(texts) else 0
    if len(images) and not seen and len(paths) <= 2:
        covered = sum(_area(quad) for quad in images.quad) / (width * height)
        if covered > 0.3:
            yield "a raster page (a scan or picture): it holds no text or lines to read"
    elif len(paths) and not len(texts):
        yield "holds no text: lettering on it is drawn as lines, or there is none"


def _area(quad: Floats) -> float:
    (ax, ay), (bx, by), (_, _), (dx, dy) = quad
    return float(abs((bx - ax) * (dy - ay) - (by - ay) * (dx - ax)))


def _moved(points: Floats, turn: Floats) -> Floats:
    moved: Floats = points @ turn[:, :2].T + turn[:, 2]
    return moved


@lru_cache(maxsize=4096)
def _rgba(colour: tuple[float, ...] | None, opacity: float | None) -> tuple[int, int, int, int]:
    if colour is None:
        return (0, 0, 0, 0)
    if len(colour) == 1:
        colour = (colour[0],) * 3
    red, green, blue = (round(255 * min(max(part, 0.0), 1.0)) for part in colour[:3])
    return red, green, blue, round(255 * (1.0 if opacity is None else min(max(opacity, 0.0), 1.0)))


def _paths(drawings: Any, turn: Floats, layer: Any) -> PathTable:
    verbs: list[int] = []
    points: list[tuple[float, float]] = []
    verb_starts, point_starts = [0], [0]
    stroke, fill, even_odd, width, dash, layer_, order = [], [], [], [], [], [], []
    dash_rows: dict[str, int] = {}
    dash_lengths: list[float] = []
    dash_starts = [0]
    for drawing in drawings:
        _trace(drawing, verbs, points)
        if len(verbs) == verb_starts[-1] or not all(map(isfinite, chain.from_iterable(points[point_starts[-1] :]))):
            del verbs[verb_starts[-1] :], points[point_starts[-1] :]
            continue
        verb_starts.append(len(verbs))
        point_starts.append(len(points))
        kind = drawing["type"]
        stroke.append(_rgba(drawing.get("color"), drawing.get("stroke_opacity")) if "s" in kind else (0, 0, 0, 0))
        fill.append(_rgba(drawing.get("fill"), drawing.get("fill_opacity")) if "f" in kind else (0, 0, 0, 0))
        even_odd.append(bool(drawing.get("even_odd")))
        width.append((drawing.get("width") or 0.0) * MM if "s" in kind else 0.0)
        pattern = drawing.get("dashes") or "[] 0"
        if pattern not in dash_rows:
            lengths = _dashes(pattern)
            dash_rows[pattern] = len(dash_starts) - 1 if lengths else -1
            if lengths:
                dash_lengths += lengths
                dash_starts.append(len(dash_lengths))
        dash.append(dash_rows[pattern])
        layer_.append(layer(drawing.get("layer")))
        order.append(drawing["seqno"])
    moved = _moved(np.array(points, dtype=float).reshape(-1, 2), turn)
    starts = np.array(point_starts, dtype=np.int32)
    count = len(width)
    box = np.zeros((count, 4))
    if count:
        box[:, :2] = np.minimum.reduceat(moved, starts[:-1])
        box[:, 2:] = np.maximum.reduceat(moved, starts[:-1])
    return PathTable(
        np.array(verbs, dtype=np.uint8),
        moved,
        np.array(verb_starts, dtype=np.int32),
        starts,
        np.array(stroke, dtype=np.uint8).reshape(-1, 4),
        np.array(fill, dtype=np.uint8).reshape(-1, 4),
        np.array(even_odd, dtype=bool),
        np.array(width, dtype=float),
        np.array(dash, dtype=np.int32),
        np.array(dash_starts, dtype=np.int32),
        np.array(dash_lengths, dtype=float),
        np.array(layer_, dtype=np.int32),
        np.arange(count, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),
        np.array(order, dtype=np.int32),
        box,
    )


def _dashes(pattern: str) -> list[float]:
    """Lengths in mm of a pattern such as `[ 3 2 ] 0`."""
    inside = pattern.partition("]")[0].strip("[ ")
    lengths = [float(word) * MM for word in inside.split()]
    return lengths * 2 if len(lengths) % 2 else lengths


def _trace(drawing: dict[str, Any], verbs: list[int], points: list[tuple[float, float]]) -> None:
    """Append the steps of a drawing of MuPDF."""
    end = None
    for item in drawing["items"]:
        kind = item[0]
        if kind in "lc":
            if item[1] != end:
                verbs.append(Verb.MOVE)
                points.append(item[1])
            verbs.append(Verb.LINE if kind == "l" else Verb.CURVE)
            points.extend(item[2:])
            end = item[-1]
            continue
        if kind == "re":
            x0, y0, x1, y1 = item[1]
            corners = [(x0, y0), (x0, y1), (x1, y1), (x1, y0)]
        else:
            upper_left, upper_right, lower_left, lower_right = item[1]
            corners = [upper_left, lower_left, lower_right, upper_right]
        verbs.extend((Verb.MOVE, Verb.LINE, Verb.LINE, Verb.LINE, Verb.CLOSE))
        points.extend(corners)
        end = None
    if drawing.get("closePath") and end is not None:
        verbs.append(Verb.CLOSE)


def _texts(blocks: Any, capital: dict[str, float], traced: _Traced, turn: Floats, layer: Any, first: int) -> TextTable:
    rows = []
    for block in blocks:
        for line in block.get("lines", ()):
            for run in _runs(line):
                rows.append(_row(run, line["dir"], capital, traced))
    quads = _moved(np.array([row[0] for row in rows], dtype=float).reshape(-1, 2), turn).reshape(-1, 4, 2)
    origins = _moved(np.array([row[1] for row in rows], dtype=float).reshape(-1, 2), turn)
    along = quads[:, 1] - quads[:, 0] if len(rows) else np.zeros((0, 2))
    count = len(rows)
    return TextTable(
        tuple(row[2] for row in rows),
        origins,
        np.degrees(np.arctan2(-along[:, 1], along[:, 0])).round(6) + 0.0,
        np.array([row[3] for row in rows], dtype=float) * MM,
        np.hypot(along[:, 0], along[:, 1]),
        quads,
        np.array([12.0 if row[4] else 0.0 for row in rows]),
        tuple(row[5] for row in rows),
        np.array([row[6] for row in rows], dtype=bool),
        np.zeros(count, dtype=bool),
        np.array([row[7] for row in rows], dtype=np.uint8).reshape(-1, 4),
        np.array([layer(row[8]) for row in rows], dtype=np.int32),
        np.arange(first, first + count, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),
        np.array([row[9] for row in rows], dtype=np.int32),
    )


def _traced(sheet: Any) -> _Traced:
    """Where a letter stands: its layer, place in the order of drawing, and opacity."""
    found = {}
    for span in sheet.get_texttrace():
        opacity = 0 if span["type"] == INVISIBLE else round(255 * span["opacity"])
        for letter in span["chars"]:
            found[_key(letter[2])] = (span["layer"], span["seqno"], opacity)
    return found


def _key(origin: tuple[float, float]) -> tuple[float, float]:
    return round(origin[0], 2), round(origin[1], 2)


def _cap_heights(blocks: Any) -> dict[str, float]:
    """Height of capitals by font, as a share of the font size."""
    found: dict[str, list[float]] = {}
    for block in blocks:
        for line in block.get("lines", ()):
            x, y = line["dir"]
            if min(abs(x), abs(y)) > 1e-3:
                continue
            low = 1 if abs(y) < 0.5 else 0
            for span in line["spans"]:
                heights = found.setdefault(span["font"], [])
                if len(heights) < 200 and span["size"] > 0:
                    heights += [
                        (letter["bbox"][low + 2] - letter["bbox"][low]) / span["size"]
                        for letter in span["chars"]
                        if letter["c"] in CAPITALS
                    ]
    shares = {font: median(heights) for font, heights in found.items() if heights}
    return {font: share for font, share in shares.items() if 0.5 < share < 0.85}


def _runs(line: dict[str, Any]) -> Iterable[list[tuple[dict[str, Any], dict[str, Any]]]]:
    """The line's letters with their spans, parted at wide gaps and where the size changes between words."""
    run: list[tuple[dict[str, Any], dict[str, Any]]] = []
    spaces = 0
    x, y = line["dir"]
    for span in line["spans"]:
        for letter in span["chars"]:
            if letter["c"].isspace():
                spaces += 1
                continue
            if run:
                last, before = run[-1]
                step = (letter["origin"][0] - before["origin"][0]) * x + (letter["origin"][1] - before["origin"][1]) * y
                wide = max(before["bbox"][2] - before["bbox"][0], before["bbox"][3] - before["bbox"][1])
                sizes = sorted((span["size"], last["size"]))
                if spaces and (spaces >= WIDE_SPACE or step > wide + GAP * span["size"] or sizes[1] > 1.25 * sizes[0]):
                    yield run
                    run = []
                elif spaces:
                    run.append((span, {**letter, "c": " ", "bbox": before["bbox"]}))
            run.append((span, letter))
            spaces = 0
    if run:
        yield run


def _row(
    run: list[tuple[dict[str, Any], dict[str, Any]]],
    direction: tuple[float, float],
    capital: dict[str, float],
    traced: _Traced,
) -> tuple[Any, ...]:
    """What `_texts` needs of a run: quad, origin, text, height, oblique, font, bold, colour, layer, order."""
    span = max((span for span, _ in run), key=lambda span: span["size"])
    x, y = direction
    start = run[0][1]["origin"]
    size = span["size"]
    up, down = size * span["ascender"], size * span["descender"]
    # The end of the last letter along the baseline, from its upright box: the box of a turned letter is wider than
    # the letter by what its height projects to.
    letter = run[-1][1]
    ox, oy = letter["origin"]
    box = letter["bbox"]
    if abs(x) >= abs(y):
        wide = (box[2] - box[0] - (up - down) * abs(y)) / abs(x)
    else:
        wide = (box[3] - box[1] - (up - down) * abs(x)) / abs(y)
    length = (ox - start[0]) * x + (oy - start[1]) * y + max(wide, 0.0)
    right, over = (x, y), (y, -x)  # along the baseline, and up from it in y-down coordinates

    def corner(along: float, above: float) -> tuple[float, float]:
        return (
            start[0] + along * right[0] + above * over[0],
            start[1] + along * right[1] + above * over[1],
        )

    quad = (corner(0, down), corner(length, down), corner(length, up), corner(0, up))
    layer, order, opacity = traced.get(_key(start), ("", -1, 255))
    colour = span["color"]
    rgba = (colour >> 16 & 255, colour >> 8 & 255, colour & 255, opacity)
    text = "".join(letter["c"] for _, letter in run)
    font = span["font"]
    bold = bool(span["flags"] & 16) or any(word in font.lower() for word in ("bold", "black", "heavy"))
    share = capital.get(font, CAP_HEIGHT)
    return quad, start, text, size * share, bool(span["flags"] & 2), font, bold, rgba, layer, order


def _placed(sheet: Any, blocks: list[Any]) -> list[dict[str, Any]]:
    """Transform and size of each picture; where there are very many, upright in its box, which is much faster."""
    if len(blocks) <= MANY_IMAGES:
        exact: list[dict[str, Any]] = sheet.get_image_info()
        return exact
    infos = []
    for x0, y0, x1, y1, text, *_ in blocks:
        size = IMAGE_SIZE.search(text)
        width, height = (int(size[1]), int(size[2])) if size else (0, 0)
        infos.append({"transform": (x1 - x0, 0.0, 0.0, y0 - y1, x0, y1), "width": width, "height": height})
    return infos


def _images(placed: Any, turn: Floats, first: int) -> ImageTable:
    """By where they stand alone: their pixels would have to be unpacked, and plans hold thousands."""
    infos = [info for info in placed if all(math.isfinite(number) for number in info["transform"])]
    quads = []
    for info in infos:
        a, b, c, d, e, f = info["transform"]  # unit square, y down, to the page
        quads.append([(c + e, d + f), (a + c + e, b + d + f), (a + e, b + f), (e, f)])
    count = len(infos)
    return ImageTable(
        tuple(f"image {number}" for number in range(1, count + 1)),
        _moved(np.array(quads, dtype=float).reshape(-1, 2), turn).reshape(-1, 4, 2),
        np.array([(info["width"], info["height"]) for info in infos], dtype=np.int32).reshape(-1, 2),
        np.full(count, -1, dtype=np.int32),
        np.arange(first, first + count, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),  # taken to lie beneath the rest
    )


def _entities(paths: PathTable, texts: TextTable, images: ImageTable, off: np.typing.NDArray[np.bool_]) -> EntityTable:
    """A row a path, then a row a text, then a row an image."""
    strokes = np.where(paths.stroke[:, 3:] > 0, paths.stroke, paths.fill)[:, :3]
    count = len(paths) + len(texts) + len(images)
    layer = np.concatenate([paths.layer, texts.layer, images.layer])
    picture_boxes = np.hstack([images.quad.min(axis=1), images.quad.max(axis=1)]) if len(images) else np.zeros((0, 4))
    return EntityTable(
        KINDS,
        np.repeat(np.arange(3, dtype=np.int32), [len(paths), len(texts), len(images)]),
        ("",) * count,
        ("",) * (len(paths) + len(texts)) + images.name,
        ("",) * len(paths) + texts.text + ("",) * len(images),
        layer,
        np.vstack([strokes, texts.colour[:, :3], np.zeros((len(images), 3), dtype=np.uint8)]),
        np.full(count, -1, dtype=np.int32),
        np.full(count, -1, dtype=np.int32),
        ~off[layer],
        np.vstack([paths.box, texts.box, picture_boxes]),
    )
