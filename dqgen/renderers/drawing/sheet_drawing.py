"""Drawings on sheets: views at a standard scale, dimensioned, framed, titled."""

from collections.abc import Iterable, Sequence

import numpy as np

from dqgen.errors import RenderError
from dqgen.geometry.features import catalogue, extents
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing import automatic, balloons
from dqgen.renderers.drawing import sheet as sheets
from dqgen.renderers.drawing.composition import Composition
from dqgen.renderers.drawing.composition import Item as PartsItem
from dqgen.renderers.drawing.display_list import Item, Page
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.panels import PICTORIALS, Panel, Panels
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect, Sheet
from dqgen.renderers.drawing.title_block import HEIGHT as TITLE_HEIGHT
from dqgen.renderers.drawing.title_block import WIDTH as TITLE_WIDTH
from dqgen.renderers.drawing.title_block import place as title_place
from dqgen.renderers.drawing.title_block import title_block
from dqgen.renderers.views import view

INSET = 4.0
"""Between the frame and what stands inside it, mm."""
PICTORIAL = "iso"
LEAST_MARGIN = 8.0
"""Room around a view that even a view without dimensions takes, mm."""
LEAST_VIEW = 65.0
"""A drawing is small if no view is as long as this, mm,"""
LEAST_PITCH = 12.0
"""or if there is less of the views' outline than this for each dimension, mm."""

Spots = dict[str, tuple[float, float]]
"""Where the design's origin stands in each view."""


class SheetDrawings:
    """Drawings of one scene on sheets of any size. They share its lines, and its views at each scale."""

    def __init__(self, scene: Scene) -> None:
        """
        Raises:
            UsageError: a view or scale does not exist.
        """
        self._scene = scene
        options = scene.options.drawing
        single = len(scene.rows("shown", "highlighted")) == 1
        self._hidden = options.hidden == "on" or (options.hidden == "auto" and single)
        self._linework = Linework(scene, self._hidden, options.tangent)
        leaves = self._linework.leaves
        self._features = catalogue(leaves) if len(leaves) == 1 else extents(leaves)  # all that is told of assemblies
        self._names = scene.options.views or (*automatic.choose_views(leaves, self._features), PICTORIAL)
        self._rows = balloons.items(scene.design.root, leaves) if options.balloons else ()
        self._scales = [sheets.parse_scale(options.scale)] if options.scale else list(sheets.SERIES)
        self._extents = {view(name).name: _extent(self._linework, name) for name in self._names}
        self._panels: dict[float, Panels] = {}

    def compose(self, sheet_name: str, small: bool = True) -> Composition | None:
        """Compose a drawing on a sheet of that name, at the largest scale that fits.

        Args:
            sheet_name: of the sheet.
            small: also at a scale that leaves the drawing small, see `smallness`.

        Returns:
            The drawing; None if it would be small, which is known before anything is dimensioned at that scale.

        Raises:
            RenderError: it does not fit, at any standard scale or at the one asked for.
            UsageError: a dimension cannot be shown.
        """
        sheet = _sheet(sheet_name)
        for scale in self._worth_trying(sheet):
            panels = self._at(scale)
            views = [(panel.projection, panel.frame) for panel in panels.plain]
            if not small and smallness(views, sum(panels.counts)) > 0:
                return None
            placed = self._placed(panels, sheet)
            if placed is not None:
                if sheet_name == "fit":
                    sheet, placed = _fitted(placed, self._rows)
                return self._finished(sheet, scale, placed)
        asked = self._scene.options.drawing.scale
        raise RenderError(
            f"the views do not fit on {sheet_name}" + (f" at {asked}" if asked else ""),
            mend="take a larger sheet, a smaller scale or fewer views",
        )

    def _at(self, scale: float) -> Panels:
        if scale not in self._panels:
            self._panels[scale] = Panels(
                self._scene, self._linework, self._features, self._names, scale, self._hidden, self._rows
            )
        return self._panels[scale]

    def _worth_trying(self, sheet: Sheet) -> list[float]:
        """The scale that is asked for, or those at which views could fit with the least room around them."""
        if self._scene.options.drawing.scale:
            return self._scales
        return [scale for scale in self._scales if _may_fit(self._extents, scale, sheet)]

    def _placed(self, panels: Panels, sheet: Sheet) -> list[Panel] | None:
        """The panels where they stand on a sheet; None if there is no room.

        Views get their dimensions one by one, those with few first: often there is no room before all have them.
        """
        known = list(panels.plain)
        for row in sorted(range(len(known)), key=lambda row: panels.counts[row]):
            if not any(self._spots(choice, sheet, ()) for choice in self._choices(panels, known)):
                return None
            known[row] = panels.dimensioned(row)
        keep_out = (title_place(sheet), *(balloons.table_rects(self._rows, sheet) if self._rows else ()))
        for choice in self._choices(panels, known):
            spots = self._spots(choice, sheet, keep_out)
            if spots is not None:
                return [panel.moved(*spots[panel.id]) for panel in choice]
        return None

    def _choices(self, panels: Panels, known: Sequence[Panel]) -> list[Sequence[Panel]]:
        """The panels as they are, and with the pictorial one smaller, if nothing points at its parts."""
        if self._rows or not any(panel.pictorial for panel in known):
            return [known]
        return [known, [panels.reduced(panel) if panel.pictorial else panel for panel in known]]

    def _spots(self, panels: Sequence[Panel], sheet: Sheet, keep_out: tuple[Rect, ...]) -> Spots | None:
        """Where panels stand; None if there is no room."""
        third_angle = self._scene.options.drawing.projection == "third"
        left, bottom, right, top = sheet.room
        room = (left + INSET, bottom + INSET, right - INSET, top - INSET)
        boxes = {panel.id: panel.box for panel in panels}
        beside = {panel.id: panel.beside for panel in panels if panel.beside is not None}
        for turn in (1, -1) if beside else ():  # in line with the parent if there is room, on the wrong side if need be
            lined_up = {name: (parent, turn * x, turn * y) for name, (parent, x, y) in beside.items()}
            spots = sheets.arrange(boxes, room, keep_out, third_angle, lined_up)
            if spots is not None:
                return spots
        return sheets.arrange(boxes, room, keep_out, third_angle)

    def _finished(self, sheet: Sheet, scale: float, placed: Sequence[Panel]) -> Composition:
        scene, options = self._scene, self._scene.options.drawing
        items: list[Item] = []
        for panel in placed:
            items += panel.items
            for drawn in panel.drawn:
                items += drawn.items()
            items.append(panel.label)
        items += sheets.frame(sheet)
        fields = [("Scale", sheets.scale_text(scale)), ("Dimensions in", options.unit), ("Sheet", "1/1")]
        told = (("Material", options.material), ("Author", options.author))
        fields += [(name, value) for name, value in told if value]
        if self._rows:
            items += balloons.table(self._rows, sheet)
        leaves = [scene.leaves[row] for row in scene.rows("shown", "highlighted")]
        name = leaves[0].occurrence.product if len(leaves) == 1 else scene.design.name
        items += title_block(sheet, options.title or name, fields, options.projection == "third")
        return Composition(
            Page(sheet.width, sheet.height, tuple(items)),
            sheet.name,
            scale,
            tuple(panel.projection for panel in placed),
            {panel.id: panel.frame for panel in placed},
            tuple((panel.id, drawn) for panel in placed for drawn in panel.drawn),
            parts_list=self._rows,
            warnings=self._at(scale).warnings,
            roles={panel.id: panel.role for panel in placed},
        )


def _sheet(name: str) -> Sheet:
    return Sheet(name, *sheets.SIZES["A3" if name == "fit" else name])


def _fitted(panels: list[Panel], rows: tuple[PartsItem, ...]) -> tuple[Sheet, list[Panel]]:
    """A sheet just as large as its views, with the title block and parts list below them."""
    left, bottom, right, top = sheets.around([panel.box for panel in panels])
    below = TITLE_HEIGHT + (len(rows) + 1) * balloons.ROW * bool(rows)
    wide = max(right - left + 2 * INSET, TITLE_WIDTH)
    high = top - bottom + 2 * INSET + below
    sheet = Sheet("fit", wide + sheets.BINDING + sheets.MARGIN, high + 2 * sheets.MARGIN)
    dx = sheets.BINDING + (wide - (right - left)) / 2 - left
    dy = sheets.MARGIN + below + INSET - bottom
    return sheet, [panel.moved(dx, dy) for panel in panels]


def _extent(linework: Linework, name: str) -> tuple[float, float]:
    """Width and height of a view's visible lines, mm of the model."""
    points = np.concatenate([curve.points for curve in linework.curves(view(name), name not in PICTORIALS)])
    width, height = points.max(axis=0) - points.min(axis=0)
    return float(width), float(height)


def _may_fit(extents: dict[str, tuple[float, float]], scale: float, sheet: Sheet) -> bool:
    """Whether views could fit with the least room around them."""
    left, bottom, right, top = sheet.room
    columns: dict[int, float] = {}
    rows: dict[int, float] = {}
    for name, (wide, high) in extents.items():
        if name in sheets.COLUMNS:
            columns[sheets.COLUMNS[name]] = max(columns.get(sheets.COLUMNS[name], 0.0), wide * scale)
            rows[sheets.ROWS[name]] = max(rows.get(sheets.ROWS[name], 0.0), high * scale)
    need_x = sum(columns.values()) + 2 * LEAST_MARGIN * len(columns)
    need_y = sum(rows.values()) + 2 * LEAST_MARGIN * len(rows)
    return need_x <= right - left and need_y <= top - bottom


def smallness(views: Iterable[tuple[Projection, Rect]], dimensions: int) -> float:
    """How far a drawing is from being large enough to read well; 0 where it is.

    Args:
        views: each with the frame around its lines on paper.
        dimensions: how many there are on the sheet.
    """
    sides = [(one, right - left, top - bottom) for one, (left, bottom, right, top) in views]
    longest = max(max(wide, high) for _, wide, high in sides)
    outline = 2 * sum(wide + high for one, wide, high in sides if one.view.axis_aligned)
    pitch = outline / max(dimensions, 1)
    return max(1 - longest / LEAST_VIEW, 1 - pitch / LEAST_PITCH, 0.0)
