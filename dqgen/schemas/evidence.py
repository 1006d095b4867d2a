"""The evidence that lies beside a picture: what is shown where, counted on the picture's own pixels."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

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
    role: Literal["view", "closeup", "context"]
    viewport: tuple[int, int, int, int] = Field(description="x, y, width, height in the picture's pixels")
    pixels_per_mm: float
    model_to_pixel: tuple[tuple[float, float, float, float], ...] = Field(
        description="3 rows: picture x, picture y, and mm towards the viewer, each from model x, y, z (mm) and 1"
    )
    silhouette_pixels: int = Field(description="pixels on which any occurrence shows")


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
    renderer: str
    backend: str
    warnings: tuple[str, ...]
