"""A reading of a sheet for people, a line a fact."""

from collections.abc import Collection, Iterator

from dqgen.schemas.reading import DimensionReading, PageReading, SheetReading, TableReading

WIDEST = 40  # letters of a table's cell


def lines(report: SheetReading, parts: Collection[str] = ()) -> Iterator[str]:
    """The report, with the parts `text`, `dimensions` and `tables` in full where they are named."""
    yield report.file
    yield f"  format      {report.format} ({report.schema_}), read by {report.rung}"
    if report.format == "dxf":
        origin = {"file": "stated by the file", "option": "named by --unit", "assumed": "assumed"}[report.units_from]
        yield f"  units       {report.units} ({report.mm_per_unit:g} mm), {origin}"
    if report.layers:
        off = [layer.name for layer in report.layers if layer.state != "on"]
        yield f"  layers      {len(report.layers)}" + (f", not shown: {', '.join(off)}" if off else "")
    for warning in report.warnings:
        yield f"  warning     {warning}"
    for page in report.pages:
        yield from _page(page, parts)


def _page(page: PageReading, parts: Collection[str]) -> Iterator[str]:
    scale = f", scale {_scale(page.scale)}" if page.scale else ""
    yield f"  {page.kind} {page.number} “{page.name}”: {page.width:g} × {page.height:g} mm{scale}"
    counts = page.inventory.kinds
    yield f"    entities    {sum(counts.values())}: " + ", ".join(f"{n} {kind}" for kind, n in counts.items())
    if page.inventory.blocks:
        yield "    blocks      " + ", ".join(f"{n} {name}" for name, n in page.inventory.blocks.items())
    yield f"    text        {len(page.texts)} lines, {len(page.notes)} notes"
    yield f"    dimensions  {len(page.dimensions)}"
    for table in page.tables:
        size = f"{len(table.header)} columns, {len(table.rows)} rows"
        yield f"    table       {table.caption or 'without caption'}: {size}"
    for field in page.title_block:
        yield f"    {field.key:<12}{field.value}"
    kinds = dict.fromkeys(mark.kind for mark in page.marks)
    for kind in kinds:
        texts = [mark.text for mark in page.marks if mark.kind == kind]
        yield f"    {kind:<12}{len(texts)}" + (f": {', '.join(filter(None, texts))}" if any(texts) else "")
    if "text" in parts:
        yield from (f"      {line.height:5.2f} mm  {line.text}" for line in page.texts)
        for note in page.notes:
            yield f"      note {note.number} {' '.join(note.text.split())}".replace("  ", " ")
    if "dimensions" in parts:
        yield from (f"      {_dimension(dimension)}" for dimension in page.dimensions)
    if "tables" in parts:
        for table in page.tables:
            yield from _table(table)


def _scale(scale: float) -> str:
    return f"1:{1 / scale:.6g}" if scale < 1 else f"{scale:.6g}:1"


def _dimension(dimension: DimensionReading) -> str:
    value = "" if dimension.value is None else f" {dimension.value:.9g}"
    unit = f" {dimension.unit}" if dimension.unit else ""
    count = f"{dimension.count} × " if dimension.count != 1 else ""
    deviations = ""
    if dimension.upper is not None or dimension.lower is not None:
        deviations = f" {dimension.upper or 0:+g}/{dimension.lower or 0:+g}"
    doubt = " (text and geometry differ)" if dimension.agrees is False else ""
    return f"{count}{dimension.kind}{value}{unit}{deviations}  “{dimension.text}”  {dimension.confidence:.0%}{doubt}"


def _table(table: TableReading) -> Iterator[str]:
    rows = [table.header, *table.rows]
    columns = max(map(len, rows))
    widths = [min(WIDEST, max((len(row[n]) for row in rows if n < len(row)), default=0)) for n in range(columns)]
    yield f"      {table.caption or 'table'}"
    for row in rows:
        cells = [text if len(text) <= WIDEST else text[: WIDEST - 1] + "…" for text in row]
        yield "        " + " | ".join(f"{text:<{width}}" for text, width in zip(cells, widths, strict=False)).rstrip()
