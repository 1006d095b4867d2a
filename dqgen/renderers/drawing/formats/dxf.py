"""Drawings as DXF R2010: model space in millimetres of the model, real DIMENSION entities, true arcs.

The page is enlarged by the inverse of its scale, so that a dimension measures the model itself and no length factor
is needed. Each dimension carries a block with just what the other formats show.
"""

import io
import math
from typing import Any

import ezdxf
from ezdxf.entities import DXFEntity
from ezdxf.layouts import BaseLayout

from dqgen.renderers.drawing.composition import Composition
from dqgen.renderers.drawing.dimension import Drawn, Label
from dqgen.renderers.drawing.display_list import Arc, Ellipse, Filled, Hatch, Item, Line, Pen, Point, Polyline, Text
from dqgen.renderers.drawing.tolerance import DEVIATION
from dqgen.schemas.design import Colour

STYLE, BOLD = "DQGEN", "DQGEN-BOLD"
DIMENSION_STYLE = "DQGEN"
MILLIMETRES = 4
WEIGHTS = (0, 5, 9, 13, 15, 18, 20, 25, 30, 35, 40, 50, 53, 60, 70, 80, 90, 100, 106, 120, 140, 158, 200, 211)
"""Line widths that DXF knows, in hundredths of a mm."""
FIXED_DATE = 2451545.0
"""Julian date of all files, so that the same drawing gives the same bytes."""
LINE, ANGULAR, DIAMETER, RADIUS, ORDINATE = 0, 2, 3, 4, 6
OWN_BLOCK, X_TYPE = 32, 64
TOLERANCE_DECIMALS = 4


def dxf(composition: Composition) -> bytes:
    """The drawing as a DXF file."""
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2010", setup=False)
    document.units = MILLIMETRES
    document.header["$MEASUREMENT"] = 1
    document.header["$LTSCALE"] = 1 / composition.scale
    _tables(document, composition)
    writer = _Writer(document, 1 / composition.scale)
    space = document.modelspace()
    drawn_ids = {drawn.label.id for _, drawn in composition.dimensions}
    scales = {one.id: one.scale for one in composition.projections}
    for item in composition.page.items:
        if item.owner not in drawn_ids:
            writer.put(space, item)
    for view, drawn in composition.dimensions:
        writer.dimension(space, drawn, scales[view] / composition.scale)
    page = composition.page
    document.set_modelspace_vport(
        page.height / composition.scale, (page.width / 2 / composition.scale, page.height / 2 / composition.scale)
    )
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue().encode("utf-8")


def _tables(document: Any, composition: Composition) -> None:
    """Layers with their pens, line types, text and dimension styles."""
    document.styles.add(STYLE, font="DejaVuSans.ttf")
    document.styles.add(BOLD, font="DejaVuSans-Bold.ttf")
    pens: dict[str, Pen] = {}
    for item in composition.page.items:
        if isinstance(item, Text | Filled):
            pens.setdefault(item.layer, Pen(item.layer, 0.25))
        elif item.pen.layer not in pens or item.pen.width > pens[item.pen.layer].width:
            pens[item.pen.layer] = item.pen
    for name, pen in sorted(pens.items()):
        document.layers.add(name, linetype=_line_type(document, pen), lineweight=_weight(pen.width))
    heights = [text.height for _, drawn in composition.dimensions for text in drawn.texts]
    style = document.dimstyles.add(DIMENSION_STYLE)
    style.dxf.dimtxsty = STYLE
    style.dxf.dimtxt = heights[0] if heights else 3.5
    style.dxf.dimscale = 1 / composition.scale
    style.dxf.dimlfac = 1.0
    style.dxf.dimasz = 3.0
    style.dxf.dimdec = 2
    style.dxf.dimzin = 8
    style.dxf.dimtad = 1
    style.dxf.dimtih = 0
    style.dxf.dimtoh = 0


def _line_type(document: Any, pen: Pen) -> str:
    if not pen.dash:
        return "Continuous"
    name = f"{pen.layer}-DASH"
    if name not in document.linetypes:
        pattern = [length if i % 2 == 0 else -length for i, length in enumerate(pen.dash)]
        document.linetypes.add(name, [sum(pen.dash), *pattern], description=pen.layer.lower())
    return name


def _weight(width: float) -> int:
    return min(WEIGHTS, key=lambda weight: abs(weight - 100 * width))


class _Writer:
    """Puts items into layouts, enlarged."""

    def __init__(self, document: Any, factor: float) -> None:
        self._document = document
        self._factor = factor

    def _at(self, point: Point) -> tuple[float, float]:
        return point[0] * self._factor, point[1] * self._factor

    def put(self, space: BaseLayout, item: Item) -> None:
        """One item of the display list."""
        if isinstance(item, Text):
            self._text(space, item)
        elif isinstance(item, Filled):
            attributes = self._colour(item.layer, item.colour)
            points = [self._at(point) for point in item.points]
            space.add_solid([points[0], points[1], points[2], points[-1]], dxfattribs=attributes)
        elif isinstance(item, Hatch):
            self._hatch(space, item)
        elif isinstance(item, Line):
            space.add_line(self._at(item.start), self._at(item.end), dxfattribs=self._pen(item.pen))
        elif isinstance(item, Polyline):
            points = [self._at(point) for point in item.points]
            space.add_lwpolyline(points, close=item.closed, dxfattribs=self._pen(item.pen))
        elif isinstance(item, Arc):
            attributes = self._pen(item.pen)
            centre, radius = self._at(item.centre), item.radius * self._factor
            if item.last - item.first >= 360 - 1e-9:
                space.add_circle(centre, radius, dxfattribs=attributes)
            else:
                space.add_arc(centre, radius, item.first % 360, item.last % 360, dxfattribs=attributes)
        else:
            self._ellipse(space, item)

    def _ellipse(self, space: BaseLayout, item: Ellipse) -> None:
        whole = item.last - item.first >= 360 - 1e-9
        first, last = (0.0, math.tau) if whole else (math.radians(item.first), math.radians(item.last))
        space.add_ellipse(
            self._at(item.centre),
            major_axis=(*self._at(item.major), 0.0),
            ratio=max(item.ratio, 1e-6),
            start_param=first,
            end_param=last,
            dxfattribs=self._pen(item.pen),
        )

    def _hatch(self, space: BaseLayout, item: Hatch) -> None:
        hatch = space.add_hatch(dxfattribs=self._colour(item.pen.layer, item.pen.colour))
        angle = math.radians(item.angle)
        step = item.spacing * self._factor
        offset = (-math.sin(angle) * step, math.cos(angle) * step)
        hatch.set_pattern_fill("DQGEN", definition=[[item.angle, (0.0, 0.0), offset, []]], style=0)
        for loop in item.loops:
            hatch.paths.add_polyline_path([self._at(point) for point in loop], is_closed=True)

    def _text(self, space: BaseLayout, item: Text) -> None:
        attributes = self._colour(item.layer, item.colour)
        attributes |= {"style": BOLD if item.bold else STYLE, "rotation": item.angle}
        text = space.add_text(item.text, height=item.height * self._factor, dxfattribs=attributes)
        text.set_placement(self._at(item.start))

    def _pen(self, pen: Pen) -> dict[str, Any]:
        attributes = self._colour(pen.layer, pen.colour)
        attributes["lineweight"] = _weight(pen.width)
        attributes["linetype"] = _line_type(self._document, pen)
        return attributes

    def _colour(self, layer: str, colour: Colour) -> dict[str, Any]:
        attributes: dict[str, Any] = {"layer": layer}
        if any(colour):
            attributes["true_color"] = ezdxf.colors.rgb2int(colour)
        return attributes

    def dimension(self, space: BaseLayout, drawn: Drawn, enlarged: float) -> None:
        """A DIMENSION entity whose block holds what is drawn, or plain entities for notes and balloons.

        Args:
            space: where to.
            drawn: the dimension.
            enlarged: scale of its view to that of the sheet; its lengths measure so many times too much.
        """
        label = drawn.label
        if label.kind in ("note", "callout") or (label.kind == "angular" and drawn.centre is None):
            for item in drawn.items():
                self.put(space, item)
            return
        block = self._document.blocks.new_anonymous_block(type_char="D")
        for item in drawn.items():
            self.put(block, item)
        attributes = {
            "layer": "DIMENSION",
            "dimstyle": DIMENSION_STYLE,
            "geometry": block.name,
            "text": _mtext(label),
            "text_midpoint": self._at(_middle(drawn.texts[0])),
            "actual_measurement": abs(label.value),
            **self._definition(drawn),
        }
        entity: DXFEntity = space.new_entity("DIMENSION", attributes)
        own = {} if abs(enlarged - 1) < 1e-9 else {"dimlfac": 1 / enlarged}
        if label.tolerance is not None:
            lower, upper = label.tolerance
            own |= {"dimtol": 1, "dimlim": 0, "dimtp": upper, "dimtm": -lower, "dimtdec": TOLERANCE_DECIMALS}
        if own:
            ezdxf.entities.DimStyleOverride(entity, own).commit()

    def _definition(self, drawn: Drawn) -> dict[str, Any]:
        kind, tips, feet = drawn.label.kind, drawn.tips, drawn.feet
        if kind == "ordinate":
            flag = X_TYPE if drawn.angle == 0 else 0
            zero = drawn.centre or (0.0, 0.0)
            return {
                "dimtype": ORDINATE | OWN_BLOCK | flag,
                "defpoint": self._at(zero),
                "defpoint2": self._at(feet[0]),
                "defpoint3": self._at(_middle(drawn.texts[0])),
            }
        if kind == "angular":
            assert drawn.centre is not None
            return {
                "dimtype": 5 | OWN_BLOCK,  # by three points
                "defpoint": self._at(_on_arc(drawn)),
                "defpoint2": self._at(tips[0]),
                "defpoint3": self._at(tips[1]),
                "defpoint4": self._at(drawn.centre),
            }
        if len(tips) == 2:
            return {
                "dimtype": LINE | OWN_BLOCK,
                "defpoint": self._at(tips[1]),
                "defpoint2": self._at(feet[0]),
                "defpoint3": self._at(feet[1]),
                "angle": drawn.angle,
            }
        tip, centre = tips[0], drawn.centre or tips[0]
        if kind == "radius":
            return {"dimtype": RADIUS | OWN_BLOCK, "defpoint": self._at(centre), "defpoint4": self._at(tip)}
        opposite = (2 * centre[0] - tip[0], 2 * centre[1] - tip[1])
        return {"dimtype": DIAMETER | OWN_BLOCK, "defpoint": self._at(opposite), "defpoint4": self._at(tip)}


def _mtext(label: Label) -> str:
    """A dimension's text, deviations stacked as they are drawn."""
    stacked = f" {{\\H{DEVIATION:g}x;\\S{'^ '.join(label.deviations)};}}" if label.deviations else ""
    return " ".join(label.lines) + stacked


def _middle(text: Text) -> Point:
    a, _, c, _ = text.quad()
    return (a[0] + c[0]) / 2, (a[1] + c[1]) / 2


def _on_arc(drawn: Drawn) -> Point:
    arc = next(line for line in drawn.lines if isinstance(line, Arc))
    middle = math.radians((arc.first + arc.last) / 2)
    return arc.centre[0] + arc.radius * math.cos(middle), arc.centre[1] + arc.radius * math.sin(middle)
