"""A drawing that is composed and not yet written."""

from dataclasses import dataclass, field
from typing import Literal

from dqgen.renderers.drawing.dimension import Drawn
from dqgen.renderers.drawing.display_list import Page, Point
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect

Role = Literal["drawing", "section", "detail"]


@dataclass(frozen=True)
class ScaleBar:
    """A bar on the page that stands for a length of the model, in mm."""

    length: float
    text: str
    start: Point
    end: Point


@dataclass(frozen=True)
class Item:
    """A row of a parts list."""

    item: int
    name: str
    paths: tuple[str, ...]


@dataclass(frozen=True)
class Composition:
    """All that the writers and the evidence need.

    Attributes:
        page: the display list.
        sheet: name of the sheet.
        scale: paper to model.
        projections: the views.
        frames: of each view, the box of its lines on the page.
        dimensions: with the id of the view that shows each.
        scale_bar: if there is one.
        parts_list: if there is one.
        roles: of views that are no plain ones.
        warnings: what could not be shown.
    """

    page: Page
    sheet: str
    scale: float
    projections: tuple[Projection, ...]
    frames: dict[str, Rect]
    dimensions: tuple[tuple[str, Drawn], ...]
    scale_bar: ScaleBar | None = None
    parts_list: tuple[Item, ...] = ()
    roles: dict[str, Role] = field(default_factory=dict)
    warnings: tuple[str, ...] = ()
