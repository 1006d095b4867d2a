"""PDF pages by way of MuPDF: their content as a `Sheet`, and pictures of a page or a part of one.

Lengths that come in or go out are millimetres on the page as it is shown: turned and cropped as the file says,
origin at the top left, y down. The file is only ever read: scripts and embedded files in it are told of, never
run nor written. What opens a file runs in a child (`dqgen.loaders.sandbox`).
"""

import contextlib
import hashlib
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dqgen.collector import without_collector
from dqgen.errors import LoadError, RenderError
from dqgen.loaders import archive, sandbox
from dqgen.loaders.pdf_page import MM, Box, page_of
from dqgen.schemas.sheet import Layer, Page, Sheet, SheetSource

MOST_PIXELS = 150_000_000  # A0 at 300 pixels an inch needs 140 million
MOST_PIXELS_CUT = 40_000_000
"""Up to this size the whole page is painted and the region cut from it; beyond, the region alone."""
SPATIAL = ("/3D", "/RichMedia")  # kinds of annotation that show a 3-D model
ACTIVE = {"/JavaScript": "scripts", "/Launch": "commands to start programs"}
OBJECTS_SEARCHED = 200_000
BLOATED = "holds more than 64 MB of drawing commands"
MOST_COMMANDS = 64 << 20
"""Bytes of a page's drawing commands, unpacked: dense plans have four million. A small file may unpack to gigabytes."""


def draw_page(
    path: Path,
    page: int,
    ppi: float,
    clip: Box | None = None,
    layers: Collection[str] | None = None,
    limits: sandbox.Limits | None = None,
) -> NDArray[np.uint8]:
    """A page as pixels on white, shape (height, width, 3), painted by MuPDF.

    Args:
        path: the PDF.
        page: its number, from 1.
        ppi: pixels an inch.
        clip: left, top, right, bottom in mm of the part to paint, widened to whole pixels; None for the page.
        layers: names of the layers to show; None for those that the file itself shows. What lies on no layer is
            always shown.
        limits: on the child that paints.

    Raises:
        LoadError: the file cannot be read or has no such page.
        RenderError: the picture would be too large or empty, or MuPDF fails.
    """
    with tempfile.TemporaryDirectory(prefix="dqgen-") as folder:
        output = Path(folder) / "page.npy"
        _in_child("paint", path, page, output, clip, layers, limits, ppi=ppi)
        pixels: NDArray[np.uint8] = np.load(output)
        return pixels


def write_page(
    path: Path,
    page: int,
    output: Path,
    clip: Box | None = None,
    layers: Collection[str] | None = None,
    limits: sandbox.Limits | None = None,
) -> None:
    """Write a page, or the part of it in `clip`, as vectors: SVG or PDF by the suffix of `output`.

    The page has the size of the clip. What lies wholly outside it, hidden layers, links, metadata, scripts and
    attachments are left out. Arguments and errors are those of `draw_page`.
    """
    _in_child("trace", path, page, output, clip, layers, limits)


def _in_child(
    task: str,
    path: Path,
    page: int,
    output: Path,
    clip: Box | None,
    layers: Collection[str] | None,
    limits: sandbox.Limits | None,
    **extra: float,
) -> None:
    request: dict[str, Any] = {"path": str(path.resolve()), "output": str(output.resolve()), **extra}
    request |= {"page": page, "clip": clip, "layers": None if layers is None else sorted(layers)}
    try:
        sandbox.run(f"dqgen.loaders.pdf:{task}", limits or sandbox.Limits(), **request)
    except sandbox.ChildDiedError as death:
        mend = "name a region, lower --ppi, or raise --timeout" if "no answer" in death.how else "export it again"
        raise RenderError(f"page {page} cannot be drawn: MuPDF {death.how}", str(path), mend) from None


def paint(path: str, page: int, output: str, clip: Box | None, layers: list[str] | None, ppi: float) -> None:
    """The child's part of `draw_page`: leaves the pixels in `output`, an .npy file."""
    import pymupdf

    with _shown_page(Path(path), page, layers) as (_, sheet):
        zoom = ppi / 72
        x0, y0, x1, y1 = _region(sheet, clip, path)
        # Edges on whole pixels, so that a crop has the very pixels of that part of the whole page.
        area = pymupdf.IRect(
            int(np.floor(x0 * zoom + 1e-3)),
            int(np.floor(y0 * zoom + 1e-3)),
            int(np.ceil(x1 * zoom - 1e-3)),
            int(np.ceil(y1 * zoom - 1e-3)),
        )
        if area.is_empty:
            raise RenderError("the picture would be empty", path, "raise --ppi or name a larger region")
        if area.width * area.height > MOST_PIXELS:
            raise RenderError(
                f"the picture would have {area.width} × {area.height} pixels", path, "lower --ppi or name a region"
            )
        scaling = pymupdf.Matrix(zoom, zoom)
        whole = (sheet.rect * scaling).irect
        # MuPDF's smoothing of edges depends on where it clips: a crop has the very pixels of the whole page only if
        # it is cut from it.
        drawn = area if whole.width * whole.height > MOST_PIXELS_CUT else whole | area
        picture = sheet.get_pixmap(
            matrix=scaling, colorspace=pymupdf.csRGB, alpha=False, clip=pymupdf.Rect(drawn) / scaling
        )
        rows = np.frombuffer(picture.samples_mv, np.uint8).reshape(picture.height, picture.stride)
        pixels = rows[:, : 3 * picture.width].reshape(picture.height, picture.width, 3)
        top, left = area.y0 - picture.y, area.x0 - picture.x
        np.save(output, pixels[top : top + area.height, left : left + area.width])


def trace(path: str, page: int, output: str, clip: Box | None, layers: list[str] | None) -> None:
    """The child's part of `write_page`."""
    import pymupdf

    with _shown_page(Path(path), page, layers) as (document, sheet), pymupdf.open() as copy:
        area = pymupdf.Rect(_region(sheet, clip, path))
        if document.get_ocgs() or list(sheet.annots()):
            # Drawn anew: the copy of a page would bring hidden layers along and lose how annotations look.
            copy.insert_pdf(pymupdf.open("pdf", _redrawn(sheet)))
        else:
            copy.insert_pdf(document, from_page=page - 1, to_page=page - 1, links=False, annots=False, widgets=False)
        part = copy[0]
        part.remove_rotation()
        if clip is not None:
            part.clip_to_rect(area)
            part.set_cropbox(pymupdf.Rect(area) & part.rect)
        if output.lower().endswith(".svg"):
            Path(output).write_text(part.get_svg_image(), encoding="utf-8")
        else:
            copy.set_metadata({})
            Path(output).write_bytes(copy.tobytes(garbage=3, deflate=True, no_new_id=True))


def _redrawn(sheet: Any) -> bytes:
    import io

    import pymupdf

    buffer = io.BytesIO()
    writer = pymupdf.DocumentWriter(buffer)
    device = writer.begin_page(sheet.rect)
    pymupdf.mupdf.fz_run_page(sheet.this, device, pymupdf.mupdf.FzMatrix(), pymupdf.mupdf.FzCookie())
    writer.end_page()
    writer.close()
    return buffer.getvalue()


def read(path: Path, loader: str = "pdf") -> Sheet:
    """A PDF's pages, unlimited: call it in a child. `loader` is this loader and its version, to be told.

    Raises:
        LoadError: the file is missing, empty, encrypted, damaged, no PDF, or shows nothing but a 3-D model.
    """
    data = _bytes(path)
    with _document(path, data) as document, without_collector():
        warnings = _active_content(document)
        layers = _layers(document)
        _show(document, None, everything=True)
        pages: list[Page] = []
        names = [layer.name for layer in layers]
        hidden = {layer.name for layer in layers if not layer.shown}
        spatial = False
        for number in range(1, document.page_count + 1):
            try:
                sheet = document[number - 1]
                if _is_bloated(document, sheet):
                    warnings.append(f"page {number} is left out: it {BLOATED}")
                    continue
                pages.append(page_of(sheet, number, names, hidden))
                spatial |= _is_spatial(document, sheet)
            except _mupdf_errors() as error:
                warnings.append(f"page {number} is damaged and left out ({' '.join(str(error).split())[:80]})")
        if not pages:
            if warnings and warnings[-1].endswith(BLOATED):
                raise LoadError(f"page {document.page_count} {BLOATED}", str(path), "export it again")
            raise LoadError("the PDF is damaged: no page can be read", str(path), "repair it, e.g. with qpdf")
        empty = not any(len(page.paths) or len(page.texts) or (len(page.images) and not spatial) for page in pages)
        if spatial and empty:
            raise LoadError(
                "is a 3D PDF without a drawing: its page shows a 3-D model only",
                str(path),
                "give the model's own file, such as STEP",
            )
        if spatial:
            warnings.append("holds a 3-D view: not read")
        elif empty:
            warnings.append("its pages are empty")
        layers += [Layer(name) for name in names[len(layers) :]]
        version = (document.metadata or {}).get("format") or "PDF"
        warnings += [f"page {page.number}: {remark}" for page in pages for remark in page.remarks]
    digest = hashlib.sha256(data).hexdigest()
    source = SheetSource(path.name, digest, "pdf", version, "point", MM, "file", "", loader, "read")
    return Sheet(source, tuple(pages), tuple(layers), tuple(warnings))


def _mupdf_errors() -> tuple[type[Exception], ...]:
    """What PyMuPDF raises on damaged files; its own errors derive from these."""
    from pymupdf import mupdf

    return RuntimeError, ValueError, AssertionError, mupdf.FzErrorBase


def _bytes(path: Path) -> bytes:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise LoadError(f"cannot be read ({error.strerror or error})", str(path)) from None
    if b"%PDF-" not in data[:1024]:
        raise LoadError("holds no PDF", str(path), "export the drawing again")
    return data


@contextlib.contextmanager
def _document(path: Path, data: bytes) -> Iterator[Any]:
    import pymupdf

    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    pymupdf.TOOLS.set_small_glyph_heights(False)
    repair = "repair it, e.g. with qpdf"
    try:
        document = pymupdf.open(stream=data, filetype="pdf")
    except _mupdf_errors() as error:
        raise LoadError("the PDF is damaged", str(path), repair) from error
    with document:
        if document.needs_pass:
            raise LoadError("the PDF is encrypted", str(path), "save a copy without a password, e.g. qpdf --decrypt")
        try:
            count = document.page_count
        except _mupdf_errors() as error:
            raise LoadError("the PDF's list of pages is damaged", str(path), repair) from error
        if count == 0:
            raise LoadError("the PDF has no readable page", str(path), repair)
        yield document


@contextlib.contextmanager
def _shown_page(path: Path, page: int, layers: Collection[str] | None) -> Iterator[tuple[Any, Any]]:
    """The document and one page with these layers shown; MuPDF's errors told as ours."""
    with _document(path, _bytes(path)) as document:
        if not 1 <= page <= document.page_count:
            raise LoadError(f"has no page {page}", str(path), f"it has {document.page_count}")
        try:
            _show(document, layers)
            sheet = document[page - 1]
            if _is_bloated(document, sheet):
                raise RenderError(f"page {page} {BLOATED}", str(path), "export it again")
            yield document, sheet
        except _mupdf_errors() as error:
            why = " ".join(str(error).split())[:120]
            raise RenderError(f"page {page} cannot be drawn ({why})", str(path), "export it again") from error


def _is_bloated(document: Any, sheet: Any) -> bool:
    """Whether a page's commands are more than `MOST_COMMANDS` when unpacked; no more than that is unpacked."""
    from pymupdf import mupdf

    pdf = mupdf.pdf_document_from_fz_document(document.this)
    left = MOST_COMMANDS
    for xref in sheet.get_contents():
        with contextlib.suppress(*_mupdf_errors()):  # damaged streams are told of when they are read
            stream = mupdf.pdf_open_stream_number(pdf, xref)
            while left > 0 and (taken := mupdf.fz_skip(stream, left)):
                left -= taken
    return left <= 0


def _region(sheet: Any, clip: Box | None, path: str) -> Box:
    """The part to draw, in points from the top left of the page."""
    whole: Box = tuple(sheet.rect)
    if clip is None:
        return whole
    x0, y0, x1, y1 = (edge / MM for edge in clip)
    region = (max(x0, 0.0), max(y0, 0.0), min(x1, whole[2]), min(y1, whole[3]))
    if region[2] <= region[0] or region[3] <= region[1]:
        raise RenderError("the region lies outside the page", path, "the page is " + _size(whole))
    return region


def _size(box: Box) -> str:
    return f"{(box[2] - box[0]) * MM:.0f} × {(box[3] - box[1]) * MM:.0f} mm"


def _mupdf_layers(document: Any) -> tuple[Any, Any, list[str]]:
    from pymupdf import mupdf

    pdf = mupdf.pdf_document_from_fz_document(document.this)
    return mupdf, pdf, [mupdf.pdf_layer_name(pdf, row) for row in range(mupdf.pdf_count_layers(pdf))]


def _layers(document: Any) -> list[Layer]:
    mupdf, pdf, names = _mupdf_layers(document)
    found: dict[str, bool] = {}
    for row, name in reversed(list(enumerate(names))):  # MuPDF counts from the last
        found[name] = found.get(name, False) or bool(mupdf.pdf_layer_is_enabled(pdf, row))
    return [Layer(name, shown, "on" if shown else "off") for name, shown in found.items()]


def _show(document: Any, layers: Collection[str] | None, everything: bool = False) -> None:
    if layers is None and not everything:
        return
    mupdf, pdf, names = _mupdf_layers(document)
    for row, name in enumerate(names):
        mupdf.pdf_enable_layer(pdf, row, int(everything or name in (layers or ())))


def _is_spatial(document: Any, sheet: Any) -> bool:
    return any(document.xref_get_key(note[0], "Subtype")[1] in SPATIAL for note in sheet.annot_xrefs())


def _active_content(document: Any) -> list[str]:
    """What the file would do or bring along elsewhere; none of it is run or written."""
    found = set()
    for xref in range(1, min(document.xref_length(), OBJECTS_SEARCHED)):
        with contextlib.suppress(*_mupdf_errors()):  # a damaged object does nothing
            action = document.xref_get_key(xref, "S")[1]
            if action in ACTIVE:
                found.add(ACTIVE[action])
            elif document.xref_get_key(xref, "EF")[0] != "null":
                found.add("embedded files")
    return [f"holds {what}: left alone" for what in sorted(found)]


def load(path: str, output: str, version: str, **_: Any) -> None:
    """The loader's entry in a child: leaves the sheet's archive in `output`. Errors are those of `read`."""
    Path(output).write_bytes(archive.dump(read(Path(path), version)))
