"""A drawing on a sheet: views at a standard scale, dimensioned, framed, titled."""

from dataclasses import dataclass, replace

import numpy as np

from dqgen.errors import RenderError
from dqgen.geometry.features import Catalogue, catalogue
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing import automatic, balloons, explicit, file_tolerances, hole_letters, insets, lettering
from dqgen.renderers.drawing import sheet as sheets
from dqgen.renderers.drawing.centre_lines import centre_lines, mirror_lines, without
from dqgen.renderers.drawing.composition import Composition, Role
from dqgen.renderers.drawing.composition import Item as PartsItem
from dqgen.renderers.drawing.dimension import Drawn, Request, shifted
from dqgen.renderers.drawing.display_list import Arc, Item, Line, Page, Text, extent
from dqgen.renderers.drawing.drafting import Drafting
from dqgen.renderers.drawing.field import Field, quads_of, segments_of
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.placement import place
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect, Sheet
from dqgen.renderers.drawing.subject import Subject
from dqgen.renderers.drawing.title_block import HEIGHT as TITLE_HEIGHT
from dqgen.renderers.drawing.title_block import WIDTH as TITLE_WIDTH
from dqgen.renderers.drawing.title_block import place as title_place
from dqgen.renderers.drawing.title_block import title_block
from dqgen.renderers.views import VIEWS, view
from dqgen.schemas.render import RenderOptions

LABEL_HEIGHT = 2.5
INSET = 4.0
"""Between the frame and what stands inside it, mm."""
PICTORIAL = "iso"
LEAST_MARGIN = 8.0
"""Room around a view that even a view without dimensions takes, mm."""


@dataclass(frozen=True)
class Panel:
    """A view with its dimensions, about the place of the design's origin."""

    projection: Projection
    items: tuple[Item, ...]
    drawn: tuple[Drawn, ...]
    frame: Rect
    box: Rect
    label: Text
    role: Role
    beside: sheets.Beside | None = None


def compose_sheet(scene: Scene, sheet_name: str) -> Composition:
    """Compose a drawing on a sheet of that name.

    Raises:
        RenderError: it does not fit, at any standard scale or at the one asked for.
        UsageError: a view or scale does not exist, or a dimension cannot be shown.
    """
    options = scene.options.drawing
    single = len(scene.rows("shown", "highlighted")) == 1
    draw_hidden = options.hidden == "on" or (options.hidden == "auto" and single)
    linework = Linework(scene, draw_hidden, options.tangent)
    features = catalogue(linework.leaves)
    names = scene.options.views or chosen_views(scene.options, linework, features)
    views = [view(name) for name in names]
    sheet = Sheet(sheet_name, *sheets.SIZES["A3" if sheet_name == "fit" else sheet_name])
    rows = items_of(scene, linework)
    keep_out = (title_place(sheet), *(balloons.table_rects(rows, sheet) if rows else ()))
    scales = [sheets.parse_scale(options.scale)] if options.scale else list(sheets.SERIES)
    extents = {one.name: _extent(linework, one.name) for one in views}
    for scale in scales:
        if not options.scale and not _may_fit(extents, scale, sheet):
            continue
        panels, warnings = _panels(scene, linework, features, names, scale, draw_hidden, rows)
        spots = _spots(panels, sheet, keep_out, options.projection == "third")
        if spots is None and not rows:
            panels = [_reduced(panel, linework) if panel.projection.id in _PICTORIALS else panel for panel in panels]
            spots = _spots(panels, sheet, keep_out, options.projection == "third")
        if spots is not None:
            placed = [_shifted(panel, *spots[panel.projection.id]) for panel in panels]
            if sheet_name == "fit":
                sheet, placed = _fitted(placed, rows)
            return _finish(scene, sheet, scale, placed, rows, warnings)
    raise RenderError(
        f"the views do not fit on {sheet_name}" + (f" at {options.scale}" if options.scale else ""),
        mend="take a larger sheet, a smaller scale or fewer views",
    )


def _spots(
    panels: list[Panel], sheet: Sheet, keep_out: tuple[Rect, ...], third_angle: bool
) -> dict[str, tuple[float, float]] | None:
    left, bottom, right, top = sheet.room
    room = (left + INSET, bottom + INSET, right - INSET, top - INSET)
    boxes = {panel.projection.id: panel.box for panel in panels}
    beside = {panel.projection.id: panel.beside for panel in panels if panel.beside is not None}
    for turn in (1, -1) if beside else ():  # in line with the parent if there is room, on the wrong side if need be
        lined_up = {name: (parent, turn * x, turn * y) for name, (parent, x, y) in beside.items()}
        spots = sheets.arrange(boxes, room, keep_out, third_angle, lined_up)
        if spots is not None:
            return spots
    return sheets.arrange(boxes, room, keep_out, third_angle)


def _reduced(panel: Panel, linework: Linework) -> Panel:
    """A pictorial view at the next smaller standard scale, which stands below it."""
    scale = next((one for one in sheets.SERIES if one < panel.projection.scale * 0.6), panel.projection.scale / 2)
    projection = replace(panel.projection, scale=scale)
    lines = linework.strokes(projection, False)
    frame = extent(lines)
    assert frame is not None
    return _panel(projection, lines, (), frame, f"{panel.label.text} ({sheets.scale_text(scale)})", panel.role)


def _fitted(panels: list[Panel], rows: tuple[PartsItem, ...]) -> tuple[Sheet, list[Panel]]:
    """A sheet just as large as its views, with the title block and parts list below them."""
    left, bottom, right, top = sheets.around([panel.box for panel in panels])
    below = TITLE_HEIGHT + (len(rows) + 1) * balloons.ROW * bool(rows)
    wide = max(right - left + 2 * INSET, TITLE_WIDTH)
    high = top - bottom + 2 * INSET + below
    sheet = Sheet("fit", wide + sheets.BINDING + sheets.MARGIN, high + 2 * sheets.MARGIN)
    dx = sheets.BINDING + (wide - (right - left)) / 2 - left
    dy = sheets.MARGIN + below + INSET - bottom
    return sheet, [_shifted(panel, dx, dy) for panel in panels]


def items_of(scene: Scene, linework: Linework) -> tuple[PartsItem, ...]:
    """The items of a parts list, if one is asked for."""
    return balloons.items(scene.design.root, linework.leaves) if scene.options.drawing.balloons else ()


def chosen_views(options: RenderOptions, linework: Linework, features: Catalogue) -> tuple[str, ...]:
    """The views that a sheet needs, and a pictorial one."""
    return (*automatic.choose_views(linework.leaves, features), PICTORIAL)


def _extent(linework: Linework, name: str) -> tuple[float, float]:
    """Width and height of a view's visible lines, mm of the model."""
    points = np.concatenate([curve.points for curve in linework.curves(VIEWS[name], name not in _PICTORIALS)])
    width, height = points.max(axis=0) - points.min(axis=0)
    return float(width), float(height)


_PICTORIALS = {name for name in VIEWS if name.startswith("iso")}


def _may_fit(extents: dict[str, tuple[float, float]], scale: float, sheet: Sheet) -> bool:
    """Whether views could fit with the least room around them; saves the work of placing dimensions in vain."""
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


def _panels(
    scene: Scene,
    linework: Linework,
    features: Catalogue,
    names: tuple[str, ...],
    scale: float,
    hidden: bool,
    rows: tuple[PartsItem, ...],
) -> tuple[list[Panel], tuple[str, ...]]:
    options = scene.options.drawing
    drafting = drafting_of(scene.options)
    projections = tuple(
        Projection(name, view(name), scale, linework.curves(view(name), name not in _PICTORIALS)) for name in names
    )
    flat = tuple(one for one in projections if one.id not in _PICTORIALS)
    subject = Subject(linework.leaves, features, flat, labels_of(scene.options))
    told: dict[str, list[Request]] = {}
    if options.dimensions:
        told = explicit.requests(scene, subject)
    elif options.dimensioned and flat:
        taken = len(options.sections) + len(options.details)
        single = len(linework.leaves) == 1
        told = automatic.requests(subject, taken) if single else automatic.overall_requests(subject)
        if single:
            told, missed = file_tolerances.given(told, scene.design.pmi, subject.numbers)
            subject.warnings.extend(missed)
    if rows:
        home = next((one for one in projections if one.id in _PICTORIALS), projections[0])
        told.setdefault(home.id, []).extend(balloons.balloons(rows, linework.leaves, home, subject.labels))
    cut = insets.sections(options.sections, linework.leaves, flat, scale, drafting)
    cut += insets.details(options.details, len(cut), projections, scale)
    panels = []
    for projection in projections:
        pictorial = projection.id in _PICTORIALS
        lines = linework.strokes(projection, False if pictorial else hidden)
        frame = extent(lines)
        if frame is None:
            raise RenderError(f"the view '{projection.id}' is empty")
        single = len(linework.leaves) == 1 and not pictorial
        centres = centre_lines(subject, projection, hidden) if single else ()
        mirrors = mirror_lines(told.get(projection.id, []), frame, projection) if single else ()
        centres = (*without(centres, mirrors), *mirrors)
        marks = tuple(item for inset in cut if inset.parent == projection.id for item in inset.marks)
        written = quads_of(item.quad() for item in marks if isinstance(item, Text))
        segments = segments_of((*lines, *centres, *(item for item in marks if isinstance(item, Line | Arc))))
        wanted = told.get(projection.id, [])
        drawn = tuple(place(wanted, Field(segments, written), frame, drafting))
        marks += hole_letters.marks(wanted, segments, drawn, projection.owner)
        title = projection.view.name[0].upper() + projection.view.name[1:]
        panels.append(_panel(projection, (*lines, *centres, *marks), drawn, frame, title))
    for inset in cut:
        frame = extent(inset.items)
        assert frame is not None
        panel = _panel(inset.projection, inset.items, (), frame, inset.title, inset.role)
        if inset.parent is not None and inset.side is not None:
            panel = replace(panel, beside=(inset.parent, *inset.side))
        panels.append(panel)
    return panels, tuple(subject.warnings)


def _panel(
    projection: Projection,
    lines: tuple[Item, ...],
    drawn: tuple[Drawn, ...],
    frame: Rect,
    title: str,
    role: Role = "drawing",
) -> Panel:
    box = extent([*lines, *(item for one in drawn for item in one.items())])
    assert box is not None
    at = ((frame[0] + frame[2]) / 2, box[1] - 2.2 * LABEL_HEIGHT)
    label = Text(at, title, LABEL_HEIGHT, "middle", owner=projection.owner, role="label")
    wide = lettering.advance(title, LABEL_HEIGHT) / 2
    box = (min(box[0], at[0] - wide), at[1] - 1.0, max(box[2], at[0] + wide), box[3])
    return Panel(projection, lines, drawn, frame, box, label, role)


def _shifted(panel: Panel, dx: float, dy: float) -> Panel:
    left, bottom, right, top = panel.frame
    return replace(
        panel,
        projection=replace(panel.projection, shift=(panel.projection.shift[0] + dx, panel.projection.shift[1] + dy)),
        items=tuple(item.moved(dx, dy) for item in panel.items),
        drawn=tuple(shifted(one, dx, dy) for one in panel.drawn),
        frame=(left + dx, bottom + dy, right + dx, top + dy),
        box=(panel.box[0] + dx, panel.box[1] + dy, panel.box[2] + dx, panel.box[3] + dy),
        label=panel.label.moved(dx, dy),
    )


def _finish(
    scene: Scene,
    sheet: Sheet,
    scale: float,
    panels: list[Panel],
    rows: tuple[PartsItem, ...],
    warnings: tuple[str, ...],
) -> Composition:
    options = scene.options.drawing
    items: list[Item] = []
    for panel in panels:
        items += panel.items
        for drawn in panel.drawn:
            items += drawn.items()
        items.append(panel.label)
    items += sheets.frame(sheet)
    fields = [("Scale", sheets.scale_text(scale)), ("Dimensions in", options.unit), ("Sheet", "1/1")]
    fields += [(name, value) for name, value in (("Material", options.material), ("Author", options.author)) if value]
    if rows:
        items += balloons.table(rows, sheet)
    leaves = [scene.leaves[row] for row in scene.rows("shown", "highlighted")]
    name = leaves[0].occurrence.product if len(leaves) == 1 else scene.design.name
    items += title_block(sheet, options.title or name, fields, options.projection == "third")
    return Composition(
        Page(sheet.width, sheet.height, tuple(items)),
        sheet.name,
        scale,
        tuple(panel.projection for panel in panels),
        {panel.projection.id: panel.frame for panel in panels},
        tuple((panel.projection.id, drawn) for panel in panels for drawn in panel.drawn),
        parts_list=rows,
        warnings=warnings,
        roles={panel.projection.id: panel.role for panel in panels},
    )


def drafting_of(options: RenderOptions) -> Drafting:
    """How the dimensions of a drawing look."""
    height = options.drawing.text_height or 3.5
    return Drafting(
        options.drawing.standard,
        height,
        arrow=max(3.0, 0.85 * height),
        first=6.5 + height,
        step=4.0 + 1.15 * height,
    )


def labels_of(options: RenderOptions) -> Labels:
    """What numbers the dimensions of a drawing, with the texts that replace their own."""
    drawing = options.drawing
    return Labels(numbers_of(options), dict(drawing.texts), explicit.tolerances(drawing.dimensions))


def numbers_of(options: RenderOptions) -> Numbers:
    """How the values of a drawing are printed."""
    drawing = options.drawing
    return Numbers(drawing.unit, drawing.decimals, drawing.decimal_sign)
