"""What `dqgen inspect` says of a sheet: its inventory, and its text, dimensions, tables, title block and marks."""

from pydantic import BaseModel, ConfigDict, Field

Box = tuple[float, float, float, float]
Point = tuple[float, float]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Found(_Strict):
    """Something read on a page."""

    box: Box = Field(description="left, top, right, bottom in mm from the upper left of the page")
    confidence: float = Field(ge=0, le=1, description="1 is what the file states; what falls below 0.5 is not told")


class TextLine(Found):
    """A line of text."""

    text: str
    height: float = Field(description="of capitals, in mm on paper")
    rotation: float = Field(description="degrees, counter-clockwise as one sees it")
    layer: str


class Note(Found):
    """Lines that belong together."""

    text: str = Field(description="with line feeds between lines that do not run on")
    number: str = Field(description="of a numbered note, as printed; empty if it has none")


class DimensionReading(Found):
    """A dimension."""

    kind: str = Field(
        description="linear, aligned, angular, diameter, radius, ordinate, arc, thread, chamfer, square, thickness, "
        "flats or depth"
    )
    value: float | None = Field(description="the nominal value as printed; null where no number is printed")
    unit: str = Field(description="of the value: mm, inch, degree …; the sheet's own where the text names none")
    text: str = Field(description="as printed")
    override: str = Field(description="the text that replaces or frames the measurement, raw; empty if there is none")
    measured: float | None = Field(description="in the drawing's unit, or in mm on paper where only lines tell it")
    agrees: bool | None = Field(description="whether text and geometry say the same; null where one is missing")
    count: int = Field(description="how many times it applies: 4 of `4×⌀7`")
    upper: float | None = Field(description="deviation from the value, signed")
    lower: float | None = Field(description="deviation from the value, signed")
    fit: str = Field(description="ISO tolerance class, such as H7; empty if there is none")
    second: float | None = Field(description="the angle of a chamfer in degrees, the pitch of a thread")
    reference: bool = Field(description="for information only: in parentheses, or marked REF")
    modifiers: tuple[str, ...] = Field(description="words and stars behind it")
    points: tuple[Point, ...] = Field(description="what is measured, or the tips of its arrows, in mm on the page")
    source: str = Field(description="entity where the file holds a dimension, text where it was read off the sheet")
    handle: str = Field(description="of the entity; empty for what was read off the sheet")


class TableReading(Found):
    """A table or schedule."""

    caption: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    source: str = Field(description="entity where the file holds a table, lines where it was read off the sheet")


class TitleField(Found):
    """An entry of the title block."""

    key: str = Field(
        description="number, name, scale, date, material, sheet, sheets, revision, mass, size, drawn_by, checked_by, …"
    )
    label: str = Field(description="as printed; empty where the entry has none")
    value: str


class Mark(Found):
    """A sign that stands for something."""

    kind: str = Field(description="grid, zone, balloon, detail, section, view, room, level, revision, north or cloud")
    text: str
    parts: tuple[str, ...] = Field(description="its texts one by one, such as the number and the sheet of a detail")


class Inventory(_Strict):
    """Counts of what is on a page."""

    kinds: dict[str, int] = Field(description="entities by kind, blocks opened")
    layers: dict[str, int] = Field(description="entities by layer; the empty name stands for none")
    blocks: dict[str, int] = Field(description="inserts by name of the block, nested ones too")


class PageReading(_Strict):
    """One page, layout or model space."""

    number: int
    name: str
    kind: str
    width: float = Field(description="mm")
    height: float = Field(description="mm")
    scale: float | None = Field(description="paper length to real length, where the sheet says it or its layout does")
    inventory: Inventory
    texts: tuple[TextLine, ...]
    notes: tuple[Note, ...]
    dimensions: tuple[DimensionReading, ...]
    tables: tuple[TableReading, ...]
    title_block: tuple[TitleField, ...]
    marks: tuple[Mark, ...]
    remarks: tuple[str, ...]


class LayerState(_Strict):
    """A layer and whether a viewer shows it at first."""

    name: str
    state: str = Field(description="on, off or frozen")


class SheetReading(_Strict):
    """One sheet that was read."""

    file: str
    sha256: str
    format: str
    schema_: str = Field(alias="schema", serialization_alias="schema")
    units: str
    mm_per_unit: float
    units_from: str
    encoding: str
    loader: str
    rung: str
    layers: tuple[LayerState, ...]
    pages: tuple[PageReading, ...]
    warnings: tuple[str, ...]
