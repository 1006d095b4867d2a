"""The evidence that lies beside a picture of a drawing's page: what stands where, in the picture's own pixels."""

from pydantic import BaseModel, ConfigDict, Field

from dqgen.schemas.evidence import Pixel

VERSION = 1
"""Of this evidence's format."""
PixelBox = tuple[float, float, float, float]
"""Left, top, right, bottom in pixels; beyond the picture's edges where it is cut."""


class SheetSourceEvidence(BaseModel):
    """The file, and how it was read."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="file name without its folder")
    sha256: str
    format: str = Field(description="dxf or pdf")
    schema_: str = Field(alias="schema", serialization_alias="schema", description="version of the format")
    units: str
    mm_per_unit: float
    units_from: str = Field(description="file, option or assumed")
    loader: str
    rung: str


class PageEvidence(BaseModel):
    """The page that is shown."""

    model_config = ConfigDict(extra="forbid")

    number: int
    count: int = Field(description="pages of the drawing")
    name: str
    kind: str = Field(description="model, layout or page")
    width_mm: float
    height_mm: float
    scale: float = Field(description="paper length to the drawing's own length, 1 where the paper is the drawing's own")
    region_mm: tuple[float, float, float, float] = Field(
        description="left, top, right, bottom of what is shown, from the page's upper left corner"
    )
    page_to_pixel: tuple[tuple[float, float, float], tuple[float, float, float]] = Field(
        description="2 rows: picture x and y, each from page x, y (mm) and 1"
    )
    drawing_to_pixel: tuple[tuple[float, float, float], tuple[float, float, float]] = Field(
        description="the same from the drawing's own units; for a PDF, from points below its upper left corner"
    )
    layers: tuple[str, ...] = Field(description="that are shown")


class SheetTextEvidence(BaseModel):
    """A run of text that is shown, whole or in part."""

    model_config = ConfigDict(extra="forbid")

    text: str
    height_mm: float = Field(description="of capitals, on paper")
    angle: float = Field(description="degrees counter-clockwise")
    quad: tuple[Pixel, Pixel, Pixel, Pixel] = Field(description="corners in pixels, from the lower left as one reads")
    box: PixelBox
    whole: bool = Field(description="nothing of it is cut off")
    layer: str
    kind: str = Field(description="of the entity that it belongs to")
    handle: str = Field(description="of that entity in the file, empty if it has none")
    block: str = Field(description="names of the blocks that it lies in, outermost first, parted by slashes")
    highlighted: bool = False


class SheetDimensionEvidence(BaseModel):
    """A dimension that is shown, whole or in part."""

    model_config = ConfigDict(extra="forbid")

    kind: str = Field(
        description="linear, aligned, angular, diameter, radius, ordinate, arc, or what a text says it is"
    )
    value: float | None = Field(
        description="of an entity as measured, of a text as printed, in `unit`; null if it cannot be told"
    )
    unit: str
    text: str = Field(description="as printed, lines parted by line feeds")
    override: str = Field(description="text that replaces or frames the measurement; empty if there is none")
    box: PixelBox = Field(description="of all its lines and letters; of the letters alone where it was read")
    text_box: PixelBox | None = Field(description="of its letters; null if it has none")
    points: tuple[Pixel, ...] = Field(description="that it measures between")
    layer: str
    handle: str
    source: str = Field(description="entity where the file holds a dimension, text where it was read off the page")
    confidence: float = Field(1.0, description="1 where the file holds it as a dimension, less where it was found")


class SheetEvidence(BaseModel):
    """The sidecar of one picture of one page."""

    model_config = ConfigDict(extra="forbid")

    evidence_version: int = VERSION
    picture: str = Field(description="file name of the picture")
    width: int
    height: int
    ppi: float = Field(description="pixels an inch of paper")
    source: SheetSourceEvidence
    page: PageEvidence
    texts: tuple[SheetTextEvidence, ...]
    dimensions: tuple[SheetDimensionEvidence, ...]
    renderer: str
    warnings: tuple[str, ...]
