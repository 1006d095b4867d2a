"""Walks a DXF layout: a row for every entity, blocks opened, and all that they draw given to a `Recorder`.

ezdxf's drawing frontend knows how each kind of entity looks; here it is told apart what belongs to whom, what shows,
and when to stop.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from typing import Any

import numpy as np
from ezdxf import xclip
from ezdxf.addons import acadctb
from ezdxf.addons.drawing.config import BackgroundPolicy, Configuration, ImagePolicy
from ezdxf.addons.drawing.frontend import UniversalFrontend
from ezdxf.addons.drawing.gfxproxy import DXFGraphicProxy
from ezdxf.addons.drawing.mtext_complex import ComplexMTextRenderer
from ezdxf.addons.drawing.properties import Filling, Properties, RenderContext, layer_key
from ezdxf.document import Drawing
from ezdxf.entities import Dimension, DXFEntity, DXFGraphic, Ellipse, Insert, MText, Viewport
from ezdxf.entities.attrib import BaseAttrib
from ezdxf.entities.copy import CopyNotSupported
from ezdxf.entities.polygon import DXFPolygon
from ezdxf.fonts import fonts
from ezdxf.layouts import Layout
from ezdxf.math import Matrix44, NonUniformScalingError, Vec3
from ezdxf.math.transformtools import InsertTransformationError
from ezdxf.path import Path
from ezdxf.tools import text_layout

from dqgen.loaders import dxf_hatch
from dqgen.loaders.dxf_lettering import MeasuredFont, width_of
from dqgen.loaders.dxf_recorder import FullError, Recorder, rgba
from dqgen.loaders.dxf_text import decoded, laid_out, plain_line, plain_paragraphs
from dqgen.loaders.dxf_viewports import border_of, in_sight, is_layout, limits_of, sight
from dqgen.loaders.sheet_builder import CLEAR, Entity, Ink, PageBuilder, Place
from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Verb

MOST_ENTITIES = 200_000
DEEPEST = 40
"""Blocks within blocks that are opened."""
MOST_COPIES = 100_000
"""Of one array of inserts."""
TINT = 0.35
"""Opacity of the tint that stands for a hatch too dense to draw."""
HEIGHTS = re.compile(r"\\H(\d+(?:\.\d*)?)[;x]")
ENDLESS = 1.0e4
"""Length of rays, to the size of what else is drawn."""


class Context(RenderContext):  # type: ignore[misc]
    """Resolves properties on white paper, without the machine's fonts and without files that the drawing names."""

    @staticmethod
    def _load_plot_style_table(filename: Any) -> Any:
        return RenderContext._load_plot_style_table(acadctb.new_ctb())

    def add_text_style(self, text_style: Any) -> None:
        """The font that a style names; it need not be there."""
        family, italic, bold = text_style.get_extended_font_data()
        name = "" if family else str(text_style.dxf.font)
        bold = bold or "bold" in name.lower()
        face = fonts.FontFace(
            filename=name, family=family or "", style="Italic" if italic else "Regular", weight=700 if bold else 400
        )
        self.fonts[layer_key(text_style.dxf.name)] = face

    def resolve_visible(self, entity: DXFGraphic, *, resolved_layer: str | None = None) -> bool:
        """Whether the entity itself is not hidden; its layer is judged elsewhere."""
        return not (entity.dxf.get("invisible", 0) or (isinstance(entity, BaseAttrib) and entity.is_invisible))


class Frontend(UniversalFrontend):  # type: ignore[misc]
    """One page's walk.

    Attributes:
        inserts, dimensions, tables, viewports: (row, entity) of what is described further.
        notes: what could not be drawn, and how often.
        rays: (start, direction, both ways, properties, place) of endless lines.
    """

    def __init__(self, document: Drawing, builder: PageBuilder, layers: dict[str, int], hidden: dict[str, str]) -> None:
        context = Context(document)
        self.recorder = Recorder(builder)
        config = Configuration(
            background_policy=BackgroundPolicy.WHITE, image_policy=ImagePolicy.IGNORE, show_defpoints=False
        )
        super().__init__(context, self.recorder, config)
        self.ctx: Context = context
        self.document = document
        self.builder = builder
        self.layers = layers
        self.hidden = hidden
        """State of each layer that is off or frozen, by its key."""
        self.notes: Counter[str] = Counter()
        self.inserts: list[tuple[int, Insert, Matrix44 | None, list[int]]] = []
        self.dimensions: list[tuple[int, Dimension, Matrix44 | None]] = []
        self.tables: list[tuple[int, DXFEntity, Matrix44 | None]] = []
        self.viewports: list[tuple[int, Viewport, Floats]] = []
        self.frames: list[Floats] = [np.array([[1.0, 0, 0], [0, 1.0, 0]])]
        self.rays: list[tuple[Vec3, Vec3, bool, Properties, Place]] = []
        self.model_boxes: dict[str, Floats] = {}
        """Boxes of model space's entities by handle, for what viewports need not draw."""
        self._frozen_here: set[str] = set()
        self._row = -1
        self._parent = -1
        self._viewport = -1
        self._owned = False
        """Whether what is drawn belongs to the entity whose row is open: its parts have no rows of their own."""
        self._blocks: list[str] = []
        self._outer: Matrix44 | None = None

    def walk(self, layout: Layout) -> None:
        """Everything on a layout, in its order of drawing; stops, and says so, where there is too much."""
        try:
            self.draw_layout(layout)
        except FullError as full:
            self.notes[f"holds {full}: the rest is left out"] += 1

    def draw_entities(self, entities: Iterable[DXFGraphic], *, filter_func: Any = None) -> None:
        """Entities one after another, then what is seen through viewports."""
        viewports = []
        for entity in entities:
            if isinstance(entity, Viewport):
                viewports.append(entity)
            else:
                self._visit(entity if isinstance(entity, DXFGraphic) else DXFGraphicProxy(entity))
        # The first one that is active stands for the layout as a whole.
        first = [viewport for viewport in viewports if viewport.dxf.get("id", 0) == 1]
        first += [viewport for viewport in viewports if viewport.dxf.status == 1 and (not first or is_layout(viewport))]
        for viewport in viewports:
            try:
                self._look_through(viewport, is_main=viewport in first)
            except (FullError, MemoryError):
                raise
            except Exception as error:
                self.notes[f"a VIEWPORT cannot be drawn ({type(error).__name__})"] += 1

    def _visit(self, entity: DXFGraphic, pieces: Iterable[DXFGraphic] | None = None) -> None:
        """Draw an entity, or the `pieces` that it falls into where it stands."""
        if self._owned:
            for piece in [entity] if pieces is None else pieces:
                self._draw(piece, entity)
            return
        if len(self.builder.entities) >= MOST_ENTITIES:
            raise FullError(f"more than {MOST_ENTITIES:,} entities")
        outer = self._row
        row = len(self.builder.entities)
        if isinstance(entity, Dimension):
            self._picture(entity)
            self.dimensions.append((row, entity, self._outer))
        elif entity.dxftype() == "ACAD_TABLE":
            self.tables.append((row, getattr(entity, "entity", entity), self._outer))
        properties = self._resolve(entity)
        self._row = self.builder.entity(
            Entity(
                kind=entity.dxftype(),
                handle=str(entity.dxf.get("handle") or ""),
                name=_name(entity),
                layer=self._layer(properties.layer),
                colour=rgba(properties.color)[:3],
                parent=self._parent,
                viewport=self._viewport,
                visible=False,
                content=_content(entity),
            )
        )
        try:
            with self._kept():
                self.builder.entities[self._row].visible = self._shows(entity, properties)
                if pieces is None:
                    self._draw(entity, entity, properties)
                else:
                    for piece in pieces:
                        self._owned = self._owned or not isinstance(piece, Insert)
                        whole = piece.dxftype() == entity.dxftype()
                        self._draw(piece, entity, properties if whole else None)
        finally:
            self._row = outer

    def _picture(self, dimension: Dimension) -> None:
        """Give a dimension that brings no picture one from its style."""
        if next(iter(dimension.virtual_entities()), None) is not None or dimension.is_dimensional_constraint:
            return
        style = dimension.dxf.get("dimstyle", "Standard")
        if not self.document.dimstyles.has_entry(style):
            dimension.dxf.dimstyle = "Standard"
        try:
            dimension.render()
            self.notes["a DIMENSION without a picture of its own is drawn from its style"] += 1
        except Exception:  # points that are missing or fall together
            self.notes["a DIMENSION without a picture of its own cannot be drawn"] += 1
        finally:
            dimension.dxf.dimstyle = style

    def _draw(self, entity: DXFGraphic, source: DXFGraphic, properties: Properties | None = None) -> None:
        properties = properties or self._resolve(entity)
        outer = self.recorder.place
        layer = self._layer(properties.layer)
        muted = self.recorder.muted
        if not properties.is_visible or layer_key(properties.layer) in self._frozen_here:
            self.recorder.muted = True
        self.recorder.place = replace(outer, layer=layer, entity=self._row)
        try:
            self.draw_entity(entity, properties)
        except (FullError, MemoryError):
            raise
        except Exception as error:  # a broken entity must not take the others with it
            self.notes[f"a {source.dxftype()} cannot be drawn ({type(error).__name__})"] += 1
        finally:
            self.recorder.place, self.recorder.muted = outer, muted

    def _resolve(self, entity: DXFGraphic) -> Properties:
        try:
            return self.ctx.resolve_all(entity)
        except Exception:  # nonsense among its attributes
            self.notes[f"a {entity.dxftype()} has properties that cannot be read"] += 1
            properties = Properties()
            properties.color, properties.layer = "#000000", str(entity.dxf.get("layer", "0"))
            return properties

    def _layer(self, name: str) -> int:
        return self.layers.setdefault(layer_key(decoded(name)), len(self.layers))

    def _shows(self, entity: DXFGraphic, properties: Properties) -> bool:
        above = self._parent < 0 or self.builder.entities[self._parent].visible
        key = layer_key(properties.layer)
        state = self.hidden.get(key, "")
        own = state != "frozen" if isinstance(entity, Insert) else not state
        return above and own and bool(properties.is_visible) and key not in self._frozen_here

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Whatever is set within is set back afterwards."""
        kept = (self._parent, self._owned, self._outer, self.recorder.muted, self.recorder.place, self._row)
        try:
            yield
        finally:
            (self._parent, self._owned, self._outer, self.recorder.muted, self.recorder.place, self._row) = kept

    # Kinds that are not left to ezdxf.

    def draw_composite_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """Inserts are opened, other composites drawn as parts of themselves."""
        if isinstance(entity, Insert):
            self._open(entity, properties)
            return
        with self._kept():
            self._owned = True
            super().draw_composite_entity(entity, properties)

    def _open(self, insert: Insert, properties: Properties) -> None:
        row = self._row
        rows: list[int] = []
        if not self._owned:
            self.inserts.append((row, insert, self._outer, rows))
        key = layer_key(insert.dxf.name)
        block = self.document.blocks.get(insert.dxf.name)
        if block is None:
            self.notes[f"block {decoded(insert.dxf.name)} is not in the file"] += 1
        elif key in self._blocks:
            self.notes[f"block {decoded(insert.dxf.name)} inserts itself: left out there"] += 1
            block = None
        elif len(self._blocks) >= DEEPEST:
            self.notes[f"blocks lie more than {DEEPEST} deep: the rest is left out"] += 1
            block = None
        count = insert.mcount
        if count > MOST_COPIES:
            self.notes[f"an array of {count:,} inserts is cut to one"] += 1
        copies = insert.multi_insert() if 1 < count <= MOST_COPIES else [insert]
        self._blocks.append(key)
        self.ctx.push_state(properties)
        outer = self._outer
        try:
            with self._kept():
                if not self._owned:
                    self._parent = row
                if self.hidden.get(layer_key(properties.layer)) == "frozen":
                    self.recorder.muted = True
                for copy in copies:
                    matrix = copy.matrix44() if outer is None else copy.matrix44() @ outer
                    if block is not None:
                        self._open_once(insert, block, matrix)
                    if outer is None:
                        first = len(self.builder.entities)
                        for attribute in copy.attribs:
                            self._visit(attribute)
                        rows += range(first, len(self.builder.entities))
                if outer is not None:
                    for attribute in insert.attribs:
                        first = len(self.builder.entities)
                        self._visit(attribute, list(self._pieces(attribute, outer)))
                        rows += range(first, len(self.builder.entities))
        finally:
            self.ctx.pop_state()
            self._blocks.pop()

    def _open_once(self, insert: Insert, block: Any, matrix: Matrix44) -> None:
        with self._kept():
            clip = xclip.XClip(insert)
            if clip.has_clipping_path and clip.is_clipping_enabled and not clip.is_inverted_clip:
                polygon = list(matrix.transform_vertices(clip.get_block_clipping_path().vertices))
                if len(polygon) > 2 and self.recorder.place.clip < 0:
                    self._clip_to(np.array([(point.x, point.y) for point in polygon]))
            for entity in block:
                if entity.dxftype() == "ATTDEF":  # the insert has attributes in its place
                    continue
                if isinstance(entity, Insert):
                    self._outer = matrix
                    self._visit(entity)
                elif isinstance(entity, DXFGraphic):
                    self._outer = matrix
                    self._visit(entity, self._pieces(entity, matrix))
                else:
                    self._visit(DXFGraphicProxy(entity), self._pieces(entity, matrix))

    def _clip_to(self, polygon: Floats) -> None:
        place = self.recorder.place
        self.recorder.place = replace(place, clip=self.builder.clip(place.frame, polygon))

    def _pieces(self, entity: DXFEntity, matrix: Matrix44) -> Iterator[DXFGraphic]:
        """The entity where its block stands, or the pieces that it falls into when it cannot be squeezed whole."""
        try:
            copies = [entity.copy()]
        except CopyNotSupported:
            copies = list(entity.virtual_entities()) if hasattr(entity, "virtual_entities") else []
            if not copies:
                self.notes[f"a {entity.dxftype()} in a block cannot be drawn"] += 1
        for copy in copies:
            yield from self._squeezed(copy, matrix)

    def _squeezed(self, copy: Any, matrix: Matrix44) -> Iterator[DXFGraphic]:
        try:
            if hasattr(copy, "remove_association"):
                copy.remove_association()
            copy.transform(matrix)
        except NonUniformScalingError:
            if copy.dxftype() in ("ARC", "CIRCLE"):
                yield Ellipse.from_arc(copy).transform(matrix)
            elif hasattr(copy, "virtual_entities"):
                for part in copy.virtual_entities():
                    yield from self._squeezed(part, matrix)
            else:
                self.notes[f"a {copy.dxftype()} in a squeezed block cannot be drawn"] += 1
        except (NotImplementedError, InsertTransformationError, AttributeError, ArithmeticError, ValueError):
            self.notes[f"a {copy.dxftype()} in a block cannot be drawn"] += 1
        else:
            yield copy

    def _look_through(self, viewport: Viewport, is_main: bool) -> None:
        """Draw model space as a viewport shows it."""
        row = self.builder.entity(
            Entity(
                kind="VIEWPORT",
                handle=str(viewport.dxf.get("handle") or ""),
                name="",
                layer=self._layer(viewport.dxf.layer),
                colour=(0, 0, 0),
                parent=self._parent,
                viewport=-1,
                visible=False,
            )
        )
        scale = viewport.get_scale()
        if is_main or viewport.dxf.status <= 0 or self._viewport >= 0 or self._owned or not np.isfinite(scale):
            return
        if scale <= 0:
            self.notes["a viewport has no height: it shows nothing"] += 1
            return
        if viewport.dxf.get("flags", 0) & 1:
            self.notes["a viewport in perspective is drawn without it"] += 1
        border = border_of(viewport)
        if len(border) < 3 or not np.isfinite(border).all():
            return
        self.builder.entities[row].visible = True
        frame, view = sight(viewport)
        self.frames.append(frame)
        self.viewports.append((row, viewport, frame))
        limits = None if view else limits_of(border, frame)
        with self._kept():
            outer, outer_frozen, outer_row = self.ctx, self._frozen_here, self._row
            self.recorder.place = Place(
                entity=row, frame=len(self.frames) - 1, clip=self.builder.clip(0, border), layer=-1
            )
            self._viewport, self._row, self._parent = row, row, -1
            self.recorder.view = view
            self._frozen_here = {layer_key(name) for name in viewport.frozen_layers}
            try:
                self.ctx = outer.from_viewport(viewport)
                # The pattern of a dashed line is as long on paper as in the layout itself.
                self.ctx.linetype_scale = outer.linetype_scale
                for entity in self.document.modelspace():
                    if not isinstance(entity, Viewport) and in_sight(entity, limits, self.model_boxes):
                        self._visit(entity if isinstance(entity, DXFGraphic) else DXFGraphicProxy(entity))
            finally:
                self.ctx, self._frozen_here, self._row = outer, outer_frozen, outer_row
                self._viewport, self.recorder.view = -1, None

    def draw_line_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """Lines; endless ones wait until the size of the rest is known."""
        if entity.dxftype() == "LINE":
            self.recorder.draw_line(entity.dxf.start, entity.dxf.end, properties)
        elif not self.recorder.muted:
            both = entity.dxftype() == "XLINE"
            self.rays.append((entity.dxf.start, entity.dxf.unit_vector, both, properties, self.recorder.place))

    def draw_rays(self, size: float) -> None:
        """Endless lines, as long as they need to be on a page whose content is `size` large."""
        for start, direction, both, properties, place in self.rays:
            self.recorder.place = place
            reach = direction * size * ENDLESS
            self.recorder.draw_line(start - reach if both else start, start + reach, properties)

    def draw_text_entity(self, entity: DXFGraphic, properties: Properties) -> None:
        """TEXT, attributes and their definitions."""
        raw = entity.dxf.get("text", "")
        said = plain_line(entity.dxf.tag if entity.dxftype() == "ATTDEF" else raw)
        if self._owned and not (isinstance(entity, BaseAttrib) and entity.has_embedded_mtext_entity):
            self._say(said)
        entity.dxf.text = said.replace("^", "^ ").replace("%", "%%%")  # it is decoded once more
        try:
            super().draw_text_entity(entity, properties)
        finally:
            entity.dxf.text = raw

    def draw_mtext_entity(self, entity: MText, properties: Properties) -> None:
        """Paragraphs: their words are joined to lines."""
        raw = entity.text
        if self._owned:
            self._say(plain_paragraphs(raw))
        entity.text = laid_out(raw)
        try:
            self.recorder.lay_out(lambda: UniversalFrontend.draw_mtext_entity(self, entity, properties))
        finally:
            entity.text = raw

    def draw_complex_mtext(self, mtext: MText, properties: Properties) -> None:
        """Paragraphs with formats of their own."""
        if properties.font is None:
            properties.font = self.recorder.default_font_face
        if not mtext.dxf.get("width", 0.0) > 0:
            # Without a width nothing wraps: ezdxf would judge one by the machine's fonts.
            mtext.dxf.width = _ample(mtext, properties)
        renderer = _Paragraphs(self.ctx, self.recorder, properties)
        layout = renderer.layout_engine(mtext)
        layout.place(align=text_layout.LayoutAlignment(mtext.dxf.attachment_point))
        layout.render(mtext.ucs().matrix)

    def _say(self, text: str) -> None:
        if self._row >= 0 and text.strip():
            content = self.builder.entities[self._row].content
            if self._parent_kind() not in ("TEXT", "MTEXT", "ATTRIB", "ATTDEF"):
                content.append(text)

    def _parent_kind(self) -> str:
        return self.builder.entities[self._row].kind

    def draw_hatch_entity(self, entity: DXFGraphic, properties: Properties, *, loops: list[Path] | None = None) -> None:
        """Fills keep their colour, light as it may be: letters stand on them."""
        self.recorder.paper_fill = True
        if properties.filling is not None and properties.filling.type == Filling.GRADIENT:
            properties.color = _between(properties.filling.gradient_color1, properties.filling.gradient_color2)
        try:
            super().draw_hatch_entity(entity, properties, loops=loops)
        finally:
            self.recorder.paper_fill = False

    def draw_hatch_pattern(self, polygon: DXFPolygon, paths: list[Path], properties: Properties) -> None:
        """Strokes of a pattern, or a tint where there are too many."""
        if self.recorder.muted:
            return
        ocs, elevation = polygon.ocs(), polygon.dxf.elevation.z
        try:
            ends = dxf_hatch.strokes(polygon, paths)
        except dxf_hatch.TooDenseError as dense:
            self.notes[f"a hatch of more than {dense.most:,} strokes is drawn as a tint"] += 1
            if ocs.transform:
                for path in paths:
                    path.to_wcs(ocs, elevation)
            tinted = Properties()
            tinted.color = properties.color[:7] + f"{round(TINT * 255):02x}"
            self.recorder.draw_filled_paths(paths, tinted)
            return
        if ocs.transform or self.recorder.view is not None:
            points = [Vec3(x, y, elevation) for x, y in ends.reshape(-1, 2).tolist()]
            if ocs.transform:
                points = list(ocs.points_to_wcs(points))
            if self.recorder.view is not None:
                points = list(self.recorder.view.transform_vertices(points))
            ends = np.array([(point.x, point.y) for point in points]).reshape(-1, 2, 2)
        self.recorder.draw_strokes(ends, properties)

    def draw_wipeout_entity(self, entity: Any, properties: Properties) -> None:
        """White paper over what lies below."""
        if not self.recorder.muted:
            points = [(point.x, point.y) for point in entity.boundary_path_wcs()]
            if len(points) > 2:
                verbs = bytes([Verb.MOVE, *[Verb.LINE] * (len(points) - 1), Verb.CLOSE])
                paper = Ink(CLEAR, (255, 255, 255, 255), 0.0)
                self.builder.path(verbs, [part for point in points for part in point], paper, self.recorder.place)

    def draw_image_entity(self, entity: Any, properties: Properties) -> None:
        """A picture's place and name: its file is not opened."""
        corners = [(point.x, point.y) for point in entity.boundary_path_wcs()]
        name = str(entity.image_def.dxf.filename) if entity.image_def else ""
        self.notes["a picture lies in another file: its border is drawn"] += 1
        if self.recorder.muted or len(corners) < 4:
            return
        matrix, size = entity.get_wcs_transform(), entity.dxf.image_size
        quad = matrix.transform_vertices(Vec3.generate([(0, size.y), (size.x, size.y), (size.x, 0), (0, 0)]))
        self.builder.image(
            decoded(name),
            np.array([(point.x, point.y) for point in quad]),
            (int(size.x), int(size.y)),
            self.recorder.place,
        )
        self.recorder.draw_solid_lines([(Vec3(a), Vec3(b)) for a, b in pairwise(corners)], properties)

    def skip_entity(self, entity: DXFEntity, msg: str) -> None:
        """Counts what ezdxf cannot draw."""
        self.notes[f"a {entity.dxftype()} cannot be drawn ({msg})"] += 1

    def log_message(self, message: str) -> None:
        """Nothing: what matters is counted elsewhere."""


class _Paragraphs(ComplexMTextRenderer):  # type: ignore[misc]
    """Lays out paragraphs with widths that do not depend on the machine's fonts."""

    def get_font(self, ctx: Any) -> MeasuredFont:
        """The font of a word."""
        return MeasuredFont(ctx.font_face or fonts.FontFace(), ctx.cap_height, ctx.width_factor)


def _ample(mtext: MText, properties: Properties) -> float:
    """A width that no line of a paragraph needs."""
    face = properties.font or fonts.FontFace()
    height = max([mtext.dxf.char_height, *(float(size) for size in HEIGHTS.findall(mtext.text)), 1e-9])
    longest = max(plain_paragraphs(mtext.text).split("\n"), key=len)
    return 10 * (len(longest) + 1) * float(height) + width_of(longest, face, height)


def _name(entity: DXFGraphic) -> str:
    kind = entity.dxftype()
    if kind == "INSERT":
        return decoded(str(entity.dxf.name))
    if kind in ("HATCH", "MPOLYGON"):
        return "SOLID" if entity.dxf.get("solid_fill") else decoded(str(entity.dxf.get("pattern_name", "")))
    if isinstance(entity, Dimension):
        return decoded(str(entity.dxf.get("dimstyle", "")))
    return ""


def _content(entity: Any) -> list[str]:
    if isinstance(entity, BaseAttrib) and entity.has_embedded_mtext_entity:
        return [plain_paragraphs(entity.virtual_mtext_entity().text)]
    kind = entity.dxftype()
    if kind in ("TEXT", "ATTRIB", "ATTDEF"):
        return [plain_line(entity.dxf.get("text", ""))]
    if kind == "MTEXT":
        return [plain_paragraphs(entity.text)]
    return []


def _between(first: str | None, second: str | None) -> str:
    one, other = rgba(first or "#808080"), rgba(second or first or "#808080")
    return "#" + "".join(f"{(a + b) // 2:02x}" for a, b in zip(one[:3], other[:3], strict=True))
