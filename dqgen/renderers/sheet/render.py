"""`render_sheet`: pages of one drawing as pictures, each with its evidence. Runs in a child process, see `worker`."""

import tempfile
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dqgen.errors import RenderError
from dqgen.loaders import pdf as pdf_pages
from dqgen.renderers.drawing.formats.pdf import POINTS_PER_MM, assembled, file_of, glyph, overlaid, painted
from dqgen.renderers.drawing.lettering import missing
from dqgen.renderers.sheet.evidence import evidence
from dqgen.renderers.sheet.operators import Content, content, marks
from dqgen.renderers.sheet.selection import Box, View, highlighted, pages, region, shown_layers, view
from dqgen.renderers.sheet.svg import highlight_mark, svg
from dqgen.renderers.writers import write_bytes, write_json, write_png
from dqgen.schemas.design import Colour, Floats
from dqgen.schemas.render import SheetPicture, SheetSummary
from dqgen.schemas.sheet import Page, Sheet
from dqgen.schemas.sheet_render import SheetOptions

MOST_PIXELS = 150_000_000
Paint = Callable[[Path, int, float, Box | None, Collection[str] | None], NDArray[np.uint8]]
"""Pixels of a page of a PDF: file, page, pixels an inch, part, layers. See `pdf.draw_page`."""


def render_sheet(
    sheet: Sheet, file: str, target: Path, options: SheetOptions, paint: Paint = pdf_pages.draw_page
) -> SheetSummary:
    """Draw pages of a drawing, and write each picture and its evidence.

    Args:
        sheet: the drawing.
        file: its path: pages of a PDF are painted from it.
        target: where a single picture goes, with the suffix of its format; with more of them, page and resolution
            are added to the name.
        options: what to draw.
        paint: gives the pixels of a PDF's page.

    Raises:
        UsageError: a page, layer or text is not there, or the region is empty.
        RenderError: a picture would be too large, or cannot be written.
    """
    chosen = pages(sheet, options)
    shown = shown_layers(sheet, options)
    written: list[Path] = []
    summaries: list[SheetPicture] = []
    warnings = list(sheet.warnings)
    if options.page is None and options.layout is None and len(sheet.pages) > 1:
        others = ", ".join(_called(page) for page in sheet.pages[1:8])
        warnings.append(f"page 1 of {len(sheet.pages)} is drawn (--page chooses; the others: {others})")
    try:
        for page in chosen:
            # Loaders have told what they noticed on PDF pages.
            own = [] if sheet.source.format == "pdf" else [f"{page.name}: {remark}" for remark in page.remarks]
            part = region(page, options, shown, own)
            if lacking := _lacking(page):
                own.append(f"{page.name}: the font lacks {lacking}: boxes stand for them")
            warnings += own
            colours = highlighted(page, options, shown)
            for ppi in options.ppi:
                sight = view(part, ppi)
                base = target.with_name(_name(target.stem, page, ppi, len(chosen) > 1, len(options.ppi) > 1))
                told = tuple(dict.fromkeys([*sheet.warnings, *own]))
                picture = _Picture(sheet, Path(file), page, sight, shown, colours, paint)
                names, sidecar = _write(picture, base, options.formats, told, written)
                summaries.append(
                    SheetPicture(
                        page=page.number,
                        name=page.name,
                        ppi=ppi,
                        pictures=names,
                        evidence=sidecar,
                        size=(sight.width, sight.height),
                    )
                )
    except BaseException:
        for path in written:  # half of what was asked for is nothing to build on
            path.unlink(missing_ok=True)
        raise
    return SheetSummary(file=file, pages=tuple(summaries), warnings=tuple(dict.fromkeys(warnings)))


def _called(page: Page) -> str:
    return str(page.number) if page.name == str(page.number) else f"{page.number} {page.name}"


def _name(stem: str, page: Page, ppi: float, several_pages: bool, several_ppi: bool) -> str:
    """A picture's name without suffix, which `with_suffix` must not take for part of the stem."""
    return stem + (f".page{page.number}" if several_pages else "") + (f".{ppi:g}ppi" if several_ppi else "")


@dataclass(frozen=True)
class _Picture:
    """What one picture shows."""

    sheet: Sheet
    file: Path
    page: Page
    sight: View
    shown: tuple[bool, ...]
    colours: Mapping[int, Colour]
    paint: Paint


def _write(
    picture: _Picture, base: Path, formats: tuple[str, ...], warnings: tuple[str, ...], written: list[Path]
) -> tuple[tuple[str, ...], str]:
    sheet, page, sight = picture.sheet, picture.page, picture.sight
    if sight.width * sight.height > MOST_PIXELS:
        size = f"{sight.width} × {sight.height}"
        raise RenderError(
            f"page {page.number} would have {size} pixels", str(picture.file), "lower --ppi or name a region"
        )
    paths = [base.with_name(f"{base.name}.{kind}") for kind in formats]
    sidecar = base.with_name(f"{base.name}.json")
    draw = _pdf_page if sheet.source.format == "pdf" else _dxf_page
    with ThreadPoolExecutor(1) as pool:  # compressing pixels leaves the interpreter to others
        lit = set(picture.colours)
        telling = pool.submit(evidence, sheet, page, sight, picture.shown, lit, paths[0].name, warnings)
        for kind, path in zip(formats, paths, strict=True):
            draw(picture, kind, path)
            written.append(path)
        told = telling.result()
    write_json(told, sidecar)
    written.append(sidecar)
    return tuple(str(path) for path in paths), str(sidecar)


def _dxf_page(picture: _Picture, kind: str, path: Path) -> None:
    """A page drawn from its tables."""
    page, sight, shown, colours = picture.page, picture.sight, picture.shown, picture.colours
    if kind == "svg":
        write_bytes(svg(picture.sheet, page, sight.region, shown, colours), path)
        return
    left, top, right, bottom = sight.region
    drawn = content(page, sight.region, shown, glyph)
    drawn.extend(marks([(page.texts.quad[row], colour) for row, colour in colours.items()]))
    if kind == "pdf":
        write_bytes(file_of(_document(drawn, left, top, right - left, bottom - top)), path)
        return
    # A page is painted whole where it can be, on the very grid of its pixels.
    whole = (0.0, 0.0, max(page.width, right), max(page.height, bottom))
    document = _document(drawn, 0.0, 0.0, whole[2], whole[3])
    write_png(painted(document, sight.ppi, sight.left, sight.top, sight.width, sight.height), path)


def _document(drawn: Content, left: float, top: float, width: float, height: float) -> Any:
    k = POINTS_PER_MM
    frame = f"{k:.8f} 0 0 {-k:.8f} {-left * k:.6f} {(top + height) * k:.6f} cm 1 j\n"
    return assembled(width, height, frame.encode() + drawn.data(), drawn.bolds, drawn.opacities)


def _pdf_page(picture: _Picture, kind: str, path: Path) -> None:
    """A page painted from the file, as its own viewer would."""
    sheet, page, sight = picture.sheet, picture.page, picture.sight
    names = [layer.name for layer, on in zip(sheet.layers, picture.shown, strict=True) if on]
    layers = None if names == [layer.name for layer in sheet.layers if layer.shown] else names
    quads = [(page.texts.quad[row], colour) for row, colour in picture.colours.items()]
    part = None if _is_whole(page, sight.region) else sight.region
    if kind == "png":
        pixels = picture.paint(picture.file, page.number, sight.ppi, part, layers)
        image = Image.fromarray(np.ascontiguousarray(pixels))
        write_png(_marked(image, page, sight, quads) if quads else image, path)
        return
    with tempfile.TemporaryDirectory(prefix="dqgen-") as folder:
        output = Path(folder) / f"page.{kind}"
        pdf_pages.write_page(picture.file, page.number, output, part, layers)
        data = output.read_bytes()
    if quads:
        left, top, _, bottom = sight.region
        if kind == "pdf":
            drawn = marks(quads)
            k = POINTS_PER_MM
            frame = f"{k:.8f} 0 0 {-k:.8f} {-left * k:.6f} {min(bottom, page.height) * k:.6f} cm 1 j\n"
            data = overlaid(data, frame.encode() + drawn.data(), drawn.opacities)
        else:
            shifted = [highlight_mark(quad - np.array([left, top]), colour, POINTS_PER_MM) for quad, colour in quads]
            data = data.replace(b"</svg>", "".join(shifted).encode() + b"</svg>")
    write_bytes(data, path)


def _marked(picture: Image.Image, page: Page, sight: View, quads: list[tuple[Floats, Colour]]) -> Image.Image:
    """The picture with highlights laid over."""
    for colour in dict.fromkeys(colour for _, colour in quads):
        drawn = marks([(quad, (0, 0, 0)) for quad, other in quads if other == colour])
        document = _document(drawn, 0.0, 0.0, page.width, page.height)
        cover = painted(document, sight.ppi, sight.left, sight.top, picture.width, picture.height)
        mask = cover.convert("L").point([255 - value for value in range(256)])
        picture = Image.composite(Image.new("RGB", picture.size, colour), picture, mask)
    return picture


def _is_whole(page: Page, part: Box) -> bool:
    return part[0] <= 0 and part[1] <= 0 and part[2] >= page.width - 1e-6 and part[3] >= page.height - 1e-6


def _lacking(page: Page) -> str:
    """The signs that the bundled font lacks, as text for a warning; a PDF brings its own."""
    if page.kind == "page":
        return ""
    signs = sorted(set(missing("".join(sorted(set("".join(page.texts.text)))))))
    more = "" if len(signs) <= 8 else f" and {len(signs) - 8} more"
    return " ".join(f"'{sign}'" for sign in signs[:8]) + more if signs else ""
