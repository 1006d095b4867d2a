"""What a user asks of a drawing."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

SheetName = Literal["auto", "A4", "A3", "A2", "A1", "A0", "fit", "none"]


class DrawingOptions(BaseModel):
    """One drawing of one model; see `dqgen render --help`."""

    model_config = ConfigDict(extra="forbid")

    sheet: SheetName = Field(
        "auto", description="auto: A3 or larger as needed; none for a bare view with its dimensions"
    )
    scale: str | None = Field(None, description="such as 1:2; None for the largest of the standard series that fits")
    standard: Literal["iso", "asme"] = "iso"
    projection: Literal["third", "first"] = "third"
    hidden: Literal["auto", "on", "off"] = Field("auto", description="hidden lines, dashed; auto: on single parts")
    tangent: bool = Field(False, description="edges between tangent faces, thin")
    dimensions: tuple[str, ...] = Field((), description="measures to draw instead of automatic dimensions")
    dimensioned: bool = Field(True, description="draw dimensions at all")
    scale_bar: str | None = Field(None, description="auto, or a length in mm")
    unit: Literal["mm", "inch"] = "mm"
    decimals: int | None = Field(None, ge=0, le=6)
    decimal_sign: Literal[".", ","] = "."
    text_height: float | None = Field(None, ge=1.0, le=20.0, description="of dimension texts, mm on paper")
    sections: tuple[str, ...] = Field((), description="cuts such as X=12")
    details: tuple[str, ...] = Field((), description="view:x,y,radius[,scale] in model mm of that view")
    balloons: bool = Field(False, description="item numbers and a parts list, for assemblies")
    title: str | None = None
    material: str | None = None
    author: str | None = None
    texts: tuple[tuple[str, str], ...] = Field((), description="id of a dimension and the text to print instead")
    formats: tuple[Literal["png", "svg", "pdf", "dxf"], ...] = ("png",)
    force: bool = Field(False, description="write although lint finds faults; the evidence lists them")
