"""The evidence that lies beside a picture: what is shown where, counted on the picture's own pixels."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Pixel = tuple[float, float]
"""x to the right, y down, from the picture's upper left corner."""
State = Literal["shown", "hidden", "highlighted", "ghosted"]

VERSION = 1
"""Of the evidence format."""


class SourceEvidence(BaseModel):
    """The file a picture was made from, and how it was read."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="file name without its folder")
    sha256: str
    format: str
    schema_: str = Field(alias="schema", serialization_alias="schema", description="application protocol or dialect")
    units: str = Field(description="length unit as read or declared")
    mm_per_unit: float
    loader: str
    rung: str = Field(description="rung of the loader's retry ladder")
    up: str = Field(description="the file's up axis, turned to Z")


class ViewEvidence(BaseModel):
    """One tile of the picture."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(description="key of this view in the occurrences: its name, with #2, #3 … where it is shown again")
    view: str
    role: Literal["view", "closeup", "context", "drawing", "section", "detail"]
    viewport: tuple[int, int, int, int] = Field(description="x, y, width, height in the picture's pixels")
    pixels_per_mm: float
    model_to_pixel: tuple[tuple[float, float, float, float], ...] = Field(
        description="3 rows: picture x, picture y, and mm towards the viewer, each from model x, y, z (mm) and 1"
    )
    silhouette_pixels: int | None = Field(
        description="pixels on which any occurrence shows; null in drawings, which are made of lines"
    )


class OccurrenceInView(BaseModel):
    """What can be seen of an occurrence in one view."""

    model_config = ConfigDict(extra="forbid")

    pixels: int = Field(description="counted on an id buffer without anti-aliasing, one sample a pixel centre")
    box: tuple[int, int, int, int] | None = Field(
        description="left, top, right, bottom in the picture's pixels, right and bottom excluded; null if unseen"
    )


class OccurrenceEvidence(BaseModel):
    """A leaf of the tree and where it shows. Ghosted occurrences are see-through: they hide nothing, count nothing."""

    model_config = ConfigDict(extra="forbid")

    path: str
    label: str
    product: str
    state: State
    colour: tuple[int, int, int] | None = Field(description="sRGB it was drawn in; null if hidden")
    views: dict[str, OccurrenceInView]


class TextEvidence(BaseModel):
    """A text on a drawing."""

    model_config = ConfigDict(extra="forbid")

    text: str
    role: str = Field(description="dimension, title, label, note or zone")
    belongs_to: str = Field(description="id of a dimension, view:<id>, or sheet")
    height_mm: float = Field(description="of capitals, on paper")
    angle: float = Field(description="degrees counter-clockwise")
    quad: tuple[Pixel, Pixel, Pixel, Pixel] = Field(
        description="corners of the ink's box in pixels, from the lower left as one reads"
    )
    box: tuple[float, float, float, float] = Field(description="left, top, right, bottom in pixels")
    over_lines: int = Field(0, description="lines of others that run through the text")


class DimensionEvidence(BaseModel):
    """A dimension on a drawing."""

    model_config = ConfigDict(extra="forbid")

    id: str
    kind: str = Field(description="linear, ordinate, diameter, radius, angular, callout or note")
    view: str = Field(description="id of the view that shows it")
    expression: str = Field(description="what was measured")
    value: float = Field(description="as measured on the model, in mm or degrees")
    unit: str = Field(description="in which it is printed: mm, inch or deg")
    text: str = Field(description="as printed, lines joined by a space")
    printed: str = Field(description="the number within the text that states the value")
    decimals: int = Field(description="of the printed number")
    count: int = Field(description="features that it speaks for")
    exact: bool = Field(description="false where the value comes from fitted surfaces")
    edited: bool = Field(False, description="the printed text was changed on purpose and differs from the value")
    tolerance: tuple[float, float] | None = Field(
        None, description="lower and upper deviation in mm or degrees, if given"
    )
    model_points: tuple[tuple[float, float, float], ...] = Field(description="that it was measured between, in mm")
    feet: tuple[Pixel, ...] = Field(
        description="where it touches the geometry, in pixels; of an angle its sides and its apex"
    )
    tips: tuple[Pixel, ...] = Field(description="tips of its arrows, in pixels")
    arrows: tuple[tuple[Pixel, ...], ...] = Field(description="arrowheads, in pixels")
    angle: float = Field(description="of a length, in degrees on paper, counter-clockwise")


class ScaleBarEvidence(BaseModel):
    """The scale bar of a drawing."""

    model_config = ConfigDict(extra="forbid")

    length_mm: float = Field(description="the length that it stands for, on the model")
    text: str
    start: Pixel
    end: Pixel
    pixels_per_mm: float = Field(description="of model length, in the view that it belongs to")


class PartsListRow(BaseModel):
    """An item of a parts list."""

    model_config = ConfigDict(extra="forbid")

    item: int
    count: int
    name: str
    paths: tuple[str, ...]


class SheetEvidence(BaseModel):
    """The sheet of a drawing."""

    model_config = ConfigDict(extra="forbid")

    name: str = Field(description="A4 … A0, fit or none")
    width_mm: float
    height_mm: float
    pixels_per_mm: float = Field(description="of paper")
    scale: float = Field(description="paper length to model length")
    standard: str
    projection: str


class LintFinding(BaseModel):
    """A fault of a drawing."""

    model_config = ConfigDict(extra="forbid")

    rule: str
    message: str
    where: tuple[str, ...] = Field((), description="ids of dimensions, or texts")


class DrawingEvidence(BaseModel):
    """What a drawing shows beside its views."""

    model_config = ConfigDict(extra="forbid")

    sheet: SheetEvidence
    dimensions: tuple[DimensionEvidence, ...]
    texts: tuple[TextEvidence, ...]
    scale_bar: ScaleBarEvidence | None = None
    parts_list: tuple[PartsListRow, ...] = ()
    forced: bool = Field(False, description="written although lint found faults")
    findings: tuple[LintFinding, ...] = ()


class Evidence(BaseModel):
    """The sidecar of one picture."""

    model_config = ConfigDict(extra="forbid")

    evidence_version: int = VERSION
    picture: str = Field(description="file name of the picture")
    width: int
    height: int
    source: SourceEvidence
    design: str
    bounding_box_mm: tuple[tuple[float, float, float], tuple[float, float, float]]
    views: tuple[ViewEvidence, ...]
    occurrences: tuple[OccurrenceEvidence, ...]
    drawing: DrawingEvidence | None = Field(None, description="of drawings only")
    renderer: str
    backend: str
    warnings: tuple[str, ...]
