"""The child process that draws, one file after another. It starts a loader before it imports what drawing needs."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from dqgen.collector import without_collector
from dqgen.loaders.load import LoadOptions, load, load_sheet
from dqgen.loaders.sandbox import Limits


def work(
    file: str,
    picture: str,
    options: dict[str, Any],
    unit: str | None,
    up: str | None,
    seconds: float,
    memory_mb: int,
) -> dict[str, Any]:
    """Load a file and draw it.

    Args:
        file: the model or drawing.
        picture: where the picture goes; the evidence takes its name with `.json`.
        options: of `RenderOptions`, for a drawing of `SheetOptions`.
        unit: see `LoadOptions`.
        up: see `LoadOptions`.
        seconds: limit on the loader's time.
        memory_mb: limit on the loader's memory.

    Returns:
        A `RenderSummary` or `SheetSummary`, as plain data.

    Raises:
        DqgenError: see `load` and `render`, `load_sheet` and `render_sheet`.
    """
    reading = LoadOptions(unit, up, Limits(seconds, memory_mb))
    if "ppi" in options:
        return _sheet(Path(file), Path(picture), options, reading)
    with ThreadPoolExecutor(1) as pool:
        loading = pool.submit(load, Path(file), reading)
        from dqgen.renderers.render import prepare, render
        from dqgen.schemas.render import RenderOptions

        wanted = RenderOptions.model_validate(options)
        prepare(wanted)
        design = loading.result()
    return render(design, file, Path(picture), wanted).model_dump(mode="json")


def _sheet(file: Path, picture: Path, options: dict[str, Any], reading: LoadOptions) -> dict[str, Any]:
    with ThreadPoolExecutor(2) as pool, without_collector():
        loading = pool.submit(load_sheet, file, reading)
        from dqgen.loaders.formats import identify
        from dqgen.loaders.pdf import draw_page
        from dqgen.renderers.sheet.render import render_sheet
        from dqgen.schemas.sheet_render import SheetOptions

        wanted = SheetOptions.model_validate(options)
        # A whole page of a PDF needs nothing of what is read from it: it is painted meanwhile.
        number = 1 if wanted.page is None else wanted.page
        ahead = (file, number, wanted.ppi[0], None, None)
        whole = not (wanted.layout or wanted.roi or wanted.roi_of)
        painting = None
        if whole and number != "all" and "png" in wanted.formats and identify(file).name == "pdf":
            painting = pool.submit(draw_page, file, number, wanted.ppi[0], limits=reading.limits)

        def paint(path: Path, page: int, ppi: float, part: Any, layers: Any) -> Any:
            if painting is not None and (path, page, ppi, part, layers) == ahead:
                return painting.result()
            return draw_page(path, page, ppi, part, layers, reading.limits)

        sheet = loading.result()
        return render_sheet(sheet, str(file), picture, wanted, paint).model_dump(mode="json")
