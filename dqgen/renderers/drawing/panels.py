"""The views of a sheet at one scale, each with its dimensions about the place of the design's origin."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dqgen.errors import RenderError
from dqgen.geometry.features import Catalogue
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing import automatic, balloons, explicit, file_tolerances, hole_letters, insets, lettering
from dqgen.renderers.drawing import sheet as sheets
from dqgen.renderers.drawing.centre_lines import centre_lines, mirror_lines, without
from dqgen.renderers.drawing.composition import Item as PartsItem
from dqgen.renderers.drawing.composition import Role
from dqgen.renderers.drawing.contacts import quads_of, segments_of
from dqgen.renderers.drawing.dimension import Drawn, Ordinates, Request, shifted
from dqgen.renderers.drawing.display_list import Item, Stroke, Text, extent
from dqgen.renderers.drawing.drafting import Drafting
from dqgen.renderers.drawing.field import Field
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.placement import place
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect
from dqgen.renderers.drawing.subject import Subject
from dqgen.renderers.views import VIEWS, view
from dqgen.schemas.render import RenderOptions

LABEL_HEIGHT = 2.5
PICTORIALS = {name for name in VIEWS if name.startswith("iso")}


@dataclass(frozen=True)
class Panel:
    """A view with its dimensions, about the place of the design's origin.

    Attributes:
        projection: the view.
        items: its lines and what belongs to them.
        drawn: its dimensions.
        frame: the box around its lines,
        ink: around these and all that is drawn at them,
        box: and around the label too.
        label: its name.
        role: what kind of view it is.
        beside: the view with which it stands in line, if it is none of the six.
    """

    projection: Projection
    items: tuple[Item, ...]
    drawn: tuple[Drawn, ...]
    frame: Rect
    ink: Rect
    box: Rect
    label: Text
    role: Role = "drawing"
    beside: sheets.Beside | None = None

    @property
    def id(self) -> str:
        """Of its view."""
        return self.projection.id

    @property
    def pictorial(self) -> bool:
        """Whether it shows no two axes at their true length."""
        return self.id in PICTORIALS

    def moved(self, dx: float, dy: float) -> "Panel":
        """The same, shifted on the page."""
        x, y = self.projection.shift
        return replace(
            self,
            projection=replace(self.projection, shift=(x + dx, y + dy)),
            items=tuple(item.moved(dx, dy) for item in self.items),
            drawn=tuple(shifted(one, dx, dy) for one in self.drawn),
            frame=sheets.moved(self.frame, (dx, dy)),
            ink=sheets.moved(self.ink, (dx, dy)),
            box=sheets.moved(self.box, (dx, dy)),
            label=self.label.moved(dx, dy),
        )


class Panels:
    """All that stands on a sheet at one scale. Dimensions are put down view by view, when they are first asked for.

    Attributes:
        plain: the panels without dimensions; with them, none is smaller.
        counts: how many dimensions each will have.
        warnings: what could not be shown.
    """

    def __init__(
        self,
        scene: Scene,
        linework: Linework,
        features: Catalogue,
        names: Sequence[str],
        scale: float,
        hidden: bool,
        rows: tuple[PartsItem, ...],
    ) -> None:
        """
        Args:
            scene: what to draw.
            linework: its lines.
            features: what is dimensioned.
            names: of the views.
            scale: page mm a model mm.
            hidden: draw hidden lines.
            rows: of the parts list, if there is one.

        Raises:
            RenderError: a view is empty.
            UsageError: a dimension cannot be shown.
        """
        self._linework = linework
        self._drafting = drafting_of(scene.options)
        projections = tuple(
            Projection(name, view(name), scale, linework.curves(view(name), name not in PICTORIALS)) for name in names
        )
        flat = tuple(one for one in projections if one.id not in PICTORIALS)
        subject = Subject(linework.leaves, features, flat, labels_of(scene.options))
        self._told = _told(scene, subject)
        if rows:
            home = next((one for one in projections if one.id in PICTORIALS), projections[0])
            self._told.setdefault(home.id, []).extend(balloons.balloons(rows, linework.leaves, home, subject.labels))
        self.warnings = tuple(subject.warnings)
        options = scene.options.drawing
        cut = insets.sections(options.sections, linework.leaves, flat, scale, self._drafting)
        cut += insets.details(options.details, len(cut), projections, scale)
        self.plain: list[Panel] = []
        for projection in projections:
            pictorial = projection.id in PICTORIALS
            lines = linework.strokes(projection, False if pictorial else hidden)
            frame = extent(lines)
            if frame is None:
                raise RenderError(f"the view '{projection.id}' is empty")
            single = len(linework.leaves) == 1 and not pictorial
            centres = centre_lines(subject, projection, hidden) if single else ()
            mirrors = mirror_lines(self._told.get(projection.id, []), frame, projection) if single else ()
            centres = (*without(centres, mirrors), *mirrors)
            marks = tuple(item for inset in cut if inset.parent == projection.id for item in inset.marks)
            title = projection.view.name[0].upper() + projection.view.name[1:]
            ink = _around(frame, (*centres, *marks))
            self.plain.append(_panel(projection, (*lines, *centres, *marks), (), frame, ink, title))
        for inset in cut:
            frame = extent(inset.items)
            assert frame is not None
            panel = _panel(inset.projection, inset.items, (), frame, frame, inset.title, inset.role)
            if inset.parent is not None and inset.side is not None:
                panel = replace(panel, beside=(inset.parent, *inset.side))
            self.plain.append(panel)
        self.counts = [_count(self._told.get(panel.id, [])) for panel in self.plain]
        self._dimensioned: dict[int, Panel] = {}
        self._reduced: dict[str, Panel] = {}

    def dimensioned(self, row: int) -> Panel:
        """The panel of that row with its dimensions."""
        if row not in self._dimensioned:
            self._dimensioned[row] = self._with_dimensions(self.plain[row]) if self.counts[row] else self.plain[row]
        return self._dimensioned[row]

    def _with_dimensions(self, panel: Panel) -> Panel:
        wanted = self._told[panel.id]
        written = quads_of(item.quad() for item in panel.items if isinstance(item, Text))
        segments = segments_of(item for item in panel.items if isinstance(item, Stroke))
        drawn = tuple(place(wanted, Field(segments, written), panel.frame, self._drafting))
        letters = hole_letters.marks(wanted, segments, drawn, panel.projection.owner)
        ink = _around(panel.ink, (*letters, *(item for one in drawn for item in one.items())))
        items = (*panel.items, *letters)
        return _panel(panel.projection, items, drawn, panel.frame, ink, panel.label.text, panel.role)

    def reduced(self, panel: Panel) -> Panel:
        """A pictorial view at the next smaller standard scale, which stands below it."""
        if panel.id not in self._reduced:
            own = panel.projection.scale
            scale = next((one for one in sheets.SERIES if one < own * 0.6), own / 2)
            projection = replace(panel.projection, scale=scale)
            lines = self._linework.strokes(projection, False)
            frame = extent(lines)
            assert frame is not None
            title = f"{panel.label.text} ({sheets.scale_text(scale)})"
            self._reduced[panel.id] = _panel(projection, lines, (), frame, frame, title, panel.role)
        return self._reduced[panel.id]


def _told(scene: Scene, subject: Subject) -> dict[str, list[Request]]:
    """The dimensions of each view, by its id."""
    options = scene.options.drawing
    if options.dimensions:
        return explicit.requests(scene, subject)
    if not options.dimensioned or not subject.projections:
        return {}
    if len(subject.leaves) > 1:
        return automatic.overall_requests(subject)
    told = automatic.requests(subject, len(options.sections) + len(options.details))
    told, missed = file_tolerances.given(told, scene.design.pmi, subject.numbers)
    subject.warnings.extend(missed)
    return told


def _count(requests: Sequence[Request]) -> int:
    return sum(len(request.stops) if isinstance(request, Ordinates) else 1 for request in requests)


def _around(box: Rect, items: Iterable[Item]) -> Rect:
    """The box around a box and items."""
    others = extent(items)
    return box if others is None else sheets.around([box, others])


def _panel(
    projection: Projection,
    items: tuple[Item, ...],
    drawn: tuple[Drawn, ...],
    frame: Rect,
    ink: Rect,
    title: str,
    role: Role = "drawing",
) -> Panel:
    """A panel, with its label below what is drawn."""
    at = ((frame[0] + frame[2]) / 2, ink[1] - 2.2 * LABEL_HEIGHT)
    label = Text(at, title, LABEL_HEIGHT, "middle", owner=projection.owner, role="label")
    wide = lettering.advance(title, LABEL_HEIGHT) / 2
    box = (min(ink[0], at[0] - wide), at[1] - 1.0, max(ink[2], at[0] + wide), ink[3])
    return Panel(projection, items, drawn, frame, ink, box, label, role)


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
