"""What a user asks of the pages of a drawing."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from dqgen.schemas.render import Highlight


class Region(BaseModel):
    """Part of a page, from its upper left corner: millimetres, or per cent of its width and height."""

    model_config = ConfigDict(extra="forbid")

    edges: tuple[float, float, float, float] = Field(description="left, top, right, bottom")
    percent: tuple[bool, bool, bool, bool] = (False, False, False, False)


class SheetOptions(BaseModel):
    """Pictures of one drawing. Patterns are globs, or parts of names and texts, case-insensitive."""

    model_config = ConfigDict(extra="forbid")

    page: int | Literal["all"] | None = Field(None, description="number from 1; None for the first, or for `layout`")
    layout: str | None = Field(None, description="name of a page")
    ppi: tuple[float, ...] = Field((100.0,), description="pixels an inch of paper, a picture for each")
    roi: Region | None = Field(None, description="the part to show")
    roi_of: str | None = Field(None, description="show the surroundings of this text")
    layers: tuple[str, ...] = Field((), description="show these layers alone, even those that are off")
    without_layers: tuple[str, ...] = ()
    highlight: tuple[Highlight, ...] = Field((), description="texts to colour")
    formats: tuple[Literal["png", "svg", "pdf"], ...] = ("png",)
