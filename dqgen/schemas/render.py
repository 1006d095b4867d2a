"""What a user asks of a renderer, and the summary that comes back."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, RootModel

from dqgen.schemas.design import Colour
from dqgen.schemas.drawing import DrawingOptions

PINK: Colour = (0xFF, 0x2E, 0xC4)
BLUE: Colour = (0x2A, 0x6B, 0xFF)
PALETTE: tuple[Colour, ...] = (PINK, BLUE, (0xFF, 0x8C, 0x00), (0x00, 0xA8, 0x5A), (0x8A, 0x3F, 0xFC))
"""Colours of the first, second, … highlight that names none."""


class Highlight(BaseModel):
    """Occurrences to colour."""

    model_config = ConfigDict(extra="forbid")

    pattern: str
    colour: Colour = PINK


class RenderOptions(BaseModel):
    """One picture of one model. Patterns are globs on path, label or product, case-insensitive."""

    model_config = ConfigDict(extra="forbid")

    view: str = Field("multiview", description="multiview, closeup, drawing, or the name of one view")
    views: tuple[str, ...] = Field((), description="views of a multiview sheet, in order; empty for the usual six")
    of: tuple[str, ...] = Field((), description="closeup: what to frame")
    from_view: str | None = Field(None, description="closeup: the view; None for the one that shows most of it")
    margin: float = Field(0.3, ge=0.0, le=10.0, description="closeup: room around, as a part of its size")
    context: bool = Field(False, description="closeup: the six views below it")
    highlight: tuple[Highlight, ...] = ()
    hide: tuple[str, ...] = ()
    ghost: tuple[str, ...] = ()
    only: tuple[str, ...] = ()
    size: int = Field(2400, ge=200, le=8000, description="pixels of the long side")
    colors: Literal["neutral", "source"] = "neutral"
    background: Literal["white", "transparent"] = "white"
    fit: Literal["shared", "each"] = Field("shared", description="one scale for all views, or one each")
    drawing: DrawingOptions = DrawingOptions()


class RenderSummary(BaseModel):
    """What was written for one file."""

    model_config = ConfigDict(extra="forbid")

    file: str
    picture: str
    evidence: str
    size: tuple[int, int] = Field(description="width and height in pixels")
    views: tuple[str, ...]
    warnings: tuple[str, ...]

    @property
    def written(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Pictures and their sizes in pixels."""
        return ((self.picture, self.size),)


class RenderFailure(BaseModel):
    """Why nothing was written for one file."""

    model_config = ConfigDict(extra="forbid")

    file: str
    error: str


class SheetPicture(BaseModel):
    """One picture of one page of a drawing."""

    model_config = ConfigDict(extra="forbid")

    page: int
    name: str = Field(description="of the page")
    ppi: float
    pictures: tuple[str, ...] = Field(description="a file for each format")
    evidence: str
    size: tuple[int, int] = Field(description="width and height in pixels, at that many pixels an inch")


class SheetSummary(BaseModel):
    """What was written for one drawing."""

    model_config = ConfigDict(extra="forbid")

    file: str
    pages: tuple[SheetPicture, ...]
    warnings: tuple[str, ...]

    @property
    def written(self) -> tuple[tuple[str, tuple[int, int]], ...]:
        """Pictures and their sizes in pixels."""
        return tuple((picture, page.size) for page in self.pages for picture in page.pictures)


class RenderReport(RootModel[tuple[RenderSummary | SheetSummary | RenderFailure, ...]]):
    """`dqgen render --json`: an entry a file, in the order given."""
