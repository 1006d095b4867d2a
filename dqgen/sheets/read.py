"""All that `inspect` says of a sheet."""

import math
import re
from collections.abc import Sequence

import numpy as np

from dqgen.schemas import reading
from dqgen.schemas.sheet import Page, Sheet
from dqgen.sheets.cells import Cells
from dqgen.sheets.dimensions import dimensions_of
from dqgen.sheets.inventory import inventory_of
from dqgen.sheets.marks import MarkText, marks_of
from dqgen.sheets.notes import NoteText, notes_of
from dqgen.sheets.strokes import strokes_of
from dqgen.sheets.tables import Table, tables_of
from dqgen.sheets.text_lines import Line, lines_of
from dqgen.sheets.title_block import TitleBlock, title_block_of

INCH = 25.4
STATED_INCHES = re.compile(
    r"\b(?:units?\s*[:=]?\s*inch(?:es)?|dimensions?\s+(?:are\s+)?in\s+inch(?:es)?|inches\s+unless|zoll)\b",
    re.IGNORECASE,
)
SCALE = re.compile(r"(?<![\d:.,/])(\d+(?:[.,]\d+)?)\s*:\s*(\d+(?:[.,]\d+)?)(?![\d:/])")
FEET_SCALE = re.compile(r"(?:(\d+)\s+)?(\d+)(?:/(\d+))?\"\s*=\s*(\d+)'(?:\s*-?\s*(\d+)\"?)?")


def sheet_reading(file: str, sheet: Sheet) -> reading.SheetReading:
    """Everything read on every page of a sheet that was loaded from `file`."""
    source = sheet.source
    return reading.SheetReading(
        file=file,
        sha256=source.sha256,
        format=source.format,
        schema=source.schema,
        units=source.units,
        mm_per_unit=source.mm_per_unit,
        units_from=source.units_from,
        encoding=source.encoding,
        loader=source.loader,
        rung=source.rung,
        layers=tuple(reading.LayerState(name=layer.name, state=layer.state) for layer in sheet.layers),
        pages=tuple(page_reading(page, sheet) for page in sheet.pages),
        warnings=sheet.warnings,
    )


def page_reading(page: Page, sheet: Sheet) -> reading.PageReading:
    """Everything read on one page."""
    held = np.zeros(len(page.entities), dtype=bool)
    held[[dimension.entity for dimension in page.dimensions]] = True
    held[[table.entity for table in page.tables]] = True
    strokes = strokes_of(page, without=held)
    lines = lines_of(page, strokes)
    cells = Cells(strokes, page.width, page.height)
    dimensioned = {row for row in range(len(page.texts)) if page.dimensions and _held(page, row, held)}
    free = [line for line in lines if not dimensioned & set(line.rows)]
    tables = tables_of(page, free, cells)
    listed = {row for table in tables if table.is_list for row in table.lines}
    block = title_block_of(page, [line for line in free if not listed & set(line.rows)], cells)
    tables = [table for table in tables if not _is_block(table, block)]
    taken = set(block.rows) | {row for table in tables for row in table.lines}
    marks = marks_of(page, free, strokes, taken)
    marked = {row for mark in marks for row in mark.rows}
    notes = notes_of(free, taken | marked)
    scales = [*([page.scale] if page.kind == "model" else []), *_scales(block, marks, lines)]
    sure = taken | marked | {row for note in notes for row in note.rows}
    dimensions = dimensions_of(page, free, strokes, scales, _unit(lines, sheet, page), sure)
    return reading.PageReading(
        number=page.number,
        name=page.name,
        kind=page.kind,
        width=round(page.width, 3),
        height=round(page.height, 3),
        scale=scales[0] if scales else None,
        inventory=inventory_of(page, sheet.layers),
        texts=tuple(_text(line, page, sheet) for line in lines),
        notes=tuple(_note(note) for note in notes),
        dimensions=tuple(sorted(dimensions, key=lambda d: (round(d.box[1], 1), round(d.box[0], 1), d.text))),
        tables=tuple(_table(table) for table in tables),
        title_block=tuple(
            reading.TitleField(box=_box(e.box), confidence=e.confidence, key=e.key, label=e.label, value=e.value)
            for e in block.entries
        ),
        marks=tuple(
            reading.Mark(box=_box(m.box), confidence=m.confidence, kind=m.kind, text=m.text, parts=m.parts)
            for m in marks
        ),
        remarks=page.remarks,
    )


def _held(page: Page, row: int, held: "np.typing.NDArray[np.bool_]") -> bool:
    owner = int(page.texts.entity[row])
    return owner >= 0 and bool(held[owner])


def _is_block(table: Table, block: TitleBlock) -> bool:
    """Whether what looks like a table is the title block itself."""
    return len(table.lines & block.rows) > 0.5 * len(table.lines)


def _box(box: Sequence[float]) -> reading.Box:
    left, top, right, bottom = (round(float(edge), 3) if math.isfinite(edge) else 0.0 for edge in box)
    return left, top, right, bottom


def _text(line: Line, page: Page, sheet: Sheet) -> reading.TextLine:
    layer = int(page.texts.layer[line.rows[0]])
    seen = page.texts.colour[line.rows[0], 3] > 0
    return reading.TextLine(
        box=_box(line.box),
        confidence=1.0 if seen and not line.signs else 0.9,
        text=line.text,
        height=round(line.height, 3),
        rotation=line.rotation,
        layer=sheet.layers[layer].name if layer >= 0 else "",
    )


def _note(note: NoteText) -> reading.Note:
    return reading.Note(box=_box(note.box), confidence=0.9 if note.number else 0.75, text=note.text, number=note.number)


def _table(table: Table) -> reading.TableReading:
    return reading.TableReading(
        box=_box(table.box),
        confidence=1.0 if table.source == "entity" else 0.9,
        caption=table.caption,
        header=table.header,
        rows=table.rows,
        source=table.source,
    )


def _scales(block: TitleBlock, marks: Sequence[MarkText], lines: Sequence[Line]) -> list[float]:
    """Lengths on paper to real ones that a sheet names: of the title block first, then of its views."""
    texts = [entry.value for entry in block.entries if entry.key == "scale"]
    texts += [mark.scale for mark in marks if mark.scale]
    texts += [
        line.text
        for line in lines
        if re.match(
            r"^\(?(?:scale|sc|maßstab|m|merilo|масштаб)?\.?\s*[:=]?\s*\d[\d/\s\"]*[:=]", line.text, re.IGNORECASE
        )
    ]
    found: list[float] = []
    for text in texts:
        value = scale_of(text)
        if value and not any(abs(value / known - 1) < 1e-6 for known in found):
            found.append(value)
    return found


def scale_of(text: str) -> float | None:
    """`1:50` as 0.02, `1/8" = 1'-0"` as 1/96; None if a text names no scale."""
    if match := FEET_SCALE.search(text):
        whole, top, below, feet, inches = (int(part) if part else 0 for part in match.groups())
        inch, foot = whole + top / (below or 1), 12 * feet + inches
        return inch / foot if inch and foot else None
    if match := SCALE.search(text):
        paper, real = (float(part.replace(",", ".")) for part in match.groups())
        return paper / real if paper and real and 1e-6 < paper / real < 1e4 else None
    return None


def _unit(lines: Sequence[Line], sheet: Sheet, page: Page) -> float:
    """Millimetres of a length that a text gives without a unit."""
    if sheet.source.format == "dxf" and page.kind == "model":
        return sheet.source.mm_per_unit
    return INCH if any(STATED_INCHES.search(line.text) for line in lines) else 1.0
