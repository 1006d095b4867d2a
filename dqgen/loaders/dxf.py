"""DXF files: model space and layouts into the pages of a `Sheet`. Runs in a child process, see `load`."""

import dataclasses
import hashlib
from pathlib import Path
from typing import Any

import numpy as np
from ezdxf.addons.drawing.properties import layer_key
from ezdxf.document import Drawing
from ezdxf.layouts import Layout

from dqgen.collector import without_collector
from dqgen.errors import LoadError
from dqgen.loaders import archive, dxf_records
from dqgen.loaders.dxf_frontend import Frontend
from dqgen.loaders.dxf_pages import Paper, layout_paper, model_paper
from dqgen.loaders.dxf_read import Reading, read
from dqgen.loaders.dxf_recorder import readable
from dqgen.loaders.dxf_text import clean, decoded
from dqgen.loaders.sheet_builder import PageBuilder
from dqgen.loaders.units import MM_PER_UNIT
from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Layer, Page, Sheet, SheetSource

UNITS = {1: "inch", 2: "foot", 4: "millimetre", 5: "centimetre", 6: "metre", 13: "micrometre"}
"""`$INSUNITS` by their names in `MM_PER_UNIT`."""
OTHER_UNITS = {
    3: ("mile", 1_609_344.0),
    7: ("kilometre", 1e6),
    8: ("microinch", 25.4e-6),
    9: ("thou", 0.0254),
    10: ("yard", 914.4),
    11: ("angstrom", 1e-7),
    12: ("nanometre", 1e-6),
    14: ("decimetre", 100.0),
    15: ("decametre", 1e4),
    16: ("hectometre", 1e5),
    17: ("gigametre", 1e12),
    21: ("US survey foot", 304.8006096),
}


def load(path: str, output: str, version: str, rung: str, failures: list[str], unit: str) -> dict[str, Any]:
    """Read a file and leave a `Sheet` as an archive.

    Args:
        path: the file.
        output: where the archive goes.
        version: of the loader.
        rung: `read`, or `recover` where a plain read crashed.
        failures: how the rungs above ended.
        unit: length unit to take in place of the one stated; empty to believe the file.

    Raises:
        LoadError: it cannot be read, or nothing is drawn in it.
    """
    file = Path(path)
    data = file.read_bytes()
    try:
        with without_collector():
            sheet = _sheet(data, file.name, version, rung, unit)
    except (LoadError, MemoryError):
        raise
    except Exception as error:  # the file's structure is not what it seems: mend it and try again
        if rung == "recover":
            raise LoadError(
                f"is broken beyond mending ({type(error).__name__})", file.name, "export it again"
            ) from None
        try:
            sheet = _sheet(data, file.name, version, "recover", unit)
        except (LoadError, MemoryError):
            raise
        except Exception as again:
            kind = type(again).__name__
            raise LoadError(f"is broken beyond mending ({kind})", file.name, "export it again") from None
    told = (*(f"reader {failure}: read by a lower rung" for failure in failures), *sheet.warnings)
    sheet = dataclasses.replace(sheet, warnings=tuple(dict.fromkeys(clean(line) for line in told)))
    Path(output).write_bytes(archive.dump(sheet))
    return {}


def _sheet(data: bytes, name: str, version: str, rung: str, unit: str) -> Sheet:
    reading = read(data, name, rung)
    document = reading.document
    warnings = list(reading.warnings)
    units, mm_per_unit, units_from = _units(document, unit, warnings)
    pages, layers = _pages(document, mm_per_unit, warnings)
    if not pages:
        raise LoadError("nothing is drawn in it", name, "export it again")
    source = SheetSource(
        name=name,
        sha256=hashlib.sha256(data).hexdigest(),
        format="dxf",
        schema=reading.schema,
        units=units,
        mm_per_unit=mm_per_unit,
        units_from=units_from,
        encoding=_encoding(reading),
        loader=version,
        rung=reading.rung,
    )
    return Sheet(source, tuple(pages), tuple(layers), tuple(warnings))


def _units(document: Drawing, unit: str, warnings: list[str]) -> tuple[str, float, str]:
    """Name, millimetres and origin of the length unit."""
    code = document.header.get("$INSUNITS", 0)
    stated = (UNITS[code], MM_PER_UNIT[UNITS[code]]) if code in UNITS else OTHER_UNITS.get(code)
    if unit:
        if stated and stated[0] != unit:
            warnings.append(f"states its unit ({stated[0]}): {unit} is used instead, as --unit says")
        return unit, MM_PER_UNIT[unit], "option"
    if stated:
        return stated[0], stated[1], "file"
    warnings.append("states no length unit: millimetres assumed (--unit names another)")
    return "millimetre", 1.0, "assumed"


def _encoding(reading: Reading) -> str:
    return str(reading.document.encoding) if reading.document.dxfversion < "AC1021" else ""


def _pages(document: Drawing, mm_per_unit: float, warnings: list[str]) -> tuple[list[Page], list[Layer]]:
    layers: dict[str, int] = {}
    named: list[Layer] = []
    hidden: dict[str, str] = {}
    for entry in document.layers:
        key = layer_key(decoded(entry.dxf.name))
        if key in layers:
            continue
        layers[key] = len(layers)
        state = "frozen" if entry.is_frozen() else "on" if entry.is_on() else "off"
        if state != "on":
            hidden[key] = state
        named.append(Layer(decoded(entry.dxf.name), state == "on", state, _layer_colour(entry)))
    walks: list[tuple[Layout, PageBuilder, Frontend]] = []
    for layout in _layouts(document):
        builder = PageBuilder()
        frontend = Frontend(document, builder, layers, hidden)
        if walks:
            frontend.model_boxes = _model_boxes(*walks[0])
        frontend.walk(layout)
        walks.append((layout, builder, frontend))
        for note, count in frontend.notes.items():
            times = f" (×{count})" if count > 1 else ""
            warnings.append(f"{layout.name}: {note}{times}")
    named += [Layer(key) for key in list(layers)[len(named) :]]
    seen = [layer.shown for layer in named]
    pages: list[Page] = []
    for layout, builder, frontend in walks:
        page = _page(len(pages) + 1, layout, builder, frontend, seen, mm_per_unit)
        if page is None:
            continue
        pages.append(page)
    return pages, named


def _layouts(document: Drawing) -> list[Layout]:
    """Model space, then layouts in the order of their tabs."""
    return [document.layouts.get(name) for name in document.layouts.names_in_taborder()]


def _layer_colour(entry: Any) -> tuple[int, int, int]:
    from ezdxf.colors import DXF_DEFAULT_COLORS, int2rgb

    if entry.rgb is not None:
        red, green, blue = entry.rgb
    else:
        index = abs(entry.color)
        red, green, blue = int2rgb(DXF_DEFAULT_COLORS[index if 0 < index < 256 else 7])
    return readable((red, green, blue, 255))[:3]


def _model_boxes(layout: Layout, builder: PageBuilder, frontend: Frontend) -> dict[str, Floats]:
    """Boxes in the model of its entities, by handle."""
    entities, *_ = builder.tables(frontend.frames, [1.0] * len(frontend.frames))
    return {
        handle: box
        for handle, parent, box in zip(entities.handle, entities.parent, entities.box, strict=True)
        if handle and parent < 0
    }


def _page(
    number: int, layout: Layout, builder: PageBuilder, frontend: Frontend, seen: list[bool], mm_per_unit: float
) -> Page | None:
    extents, astray = builder.extents(frontend.frames, seen)
    if extents is None:
        extents, astray = builder.extents(frontend.frames, [True] * len(seen))
    if frontend.rays:
        if extents is None:
            start = frontend.rays[0][0]
            extents = np.array([start.x - 50, start.y - 50, start.x + 50, start.y + 50])
        frontend.draw_rays(float(max(extents[2:] - extents[:2], default=1.0)))
    if extents is None:
        return None
    remarks: list[str] = []
    if layout.is_modelspace:
        heights = np.array([np.hypot(*run.up) for run in builder.runs])
        paper = model_paper(extents, heights, mm_per_unit)
    else:
        paper = layout_paper(layout, extents)
    if paper.remark:
        remarks.append(paper.remark)
    if astray:
        remarks.append(f"{astray} things lie far astray and outside the page")
    return _finished(number, layout, builder, frontend, paper, remarks)


def _finished(
    number: int, layout: Layout, builder: PageBuilder, frontend: Frontend, paper: Paper, remarks: list[str]
) -> Page:
    frames = [dxf_records.composed(frame, paper.matrix) for frame in frontend.frames]
    # Through a viewport dashes are as long on paper as those of the layout itself.
    unit = abs(float(paper.matrix[0, 0]))
    entities, paths, texts, images, clips, dropped = builder.tables(frames, [unit] * len(frames))
    if dropped:
        remarks.append(f"{dropped} paths or texts have coordinates that are no numbers or beyond all bounds: left out")
    grown = builder.entities

    def frame_of(row: int) -> Floats:
        """The frame of an entity: its viewport's, or the page's."""
        through = grown[row].viewport
        return next((frames[at + 1] for at, (v, _, _) in enumerate(frontend.viewports) if v == through), frames[0])

    tables = [dxf_records.table(row, entity, outer, frame_of(row)) for row, entity, outer in frontend.tables]
    return Page(
        number=number,
        name=clean(layout.name),
        kind="model" if layout.is_modelspace else "layout",
        width=paper.width,
        height=paper.height,
        scale=paper.scale,
        matrix=paper.matrix,
        entities=entities,
        paths=paths,
        texts=texts,
        images=images,
        clips=clips,
        dimensions=tuple(
            dxf_records.dimension(row, entity, outer, frame_of(row), grown)
            for row, entity, outer in frontend.dimensions
        ),
        inserts=tuple(
            dxf_records.insert(row, entity, outer, rows, frame_of(row), grown)
            for row, entity, outer, rows in frontend.inserts
        ),
        tables=tuple(table for table in tables if table is not None),
        viewports=tuple(
            dxf_records.viewport(row, entity, frame, paper.matrix) for row, entity, frame in frontend.viewports
        ),
        remarks=tuple(remarks),
    )
