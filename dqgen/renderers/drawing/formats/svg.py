"""Drawings as SVG: millimetres, attributes inline, text as text."""

import math
from xml.sax.saxutils import escape, quoteattr

from dqgen.fonts import em
from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.display_list import (
    Arc,
    Ellipse,
    Filled,
    Hatch,
    Item,
    Line,
    Page,
    Pen,
    Point,
    Polyline,
    Text,
    arc_point,
    hatch_lines,
)
from dqgen.schemas.design import Colour


def svg(page: Page) -> bytes:
    """The page as an SVG file."""
    wide, high = _number(page.width), _number(page.height)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" viewBox="0 0 {wide} {high}">',
        f'<rect x="0" y="0" width="{wide}" height="{high}" fill="#ffffff"/>',
        *(_element(item, page.height) for item in page.items),
        "</svg>",
    ]
    return ("\n".join(lines) + "\n").encode()


def _element(item: Item, high: float) -> str:
    if isinstance(item, Text):
        return _text(item, high)
    if isinstance(item, Filled):
        return f'<path d="{_path(item.points, high)}Z" fill="{_hex(item.colour)}"{_owner(item.owner)}/>'
    if isinstance(item, Hatch):
        path = "".join(_path(ends, high) for ends in hatch_lines(item))
        return f'<path d="{path}" {_stroke(item.pen)}{_owner(item.owner)}/>'
    if isinstance(item, Line):
        path = _path((item.start, item.end), high)
    elif isinstance(item, Polyline):
        path = _path(item.points, high) + ("Z" if item.closed else "")
    else:
        path = _arc(item, high)
    return f'<path d="{path}" {_stroke(item.pen)}{_owner(item.owner)}/>'


def _arc(item: Arc | Ellipse, high: float) -> str:
    """A path of arcs of at most half a turn each; the page's Y runs up, the file's down."""
    if isinstance(item, Arc):
        major, minor, turn = item.radius, item.radius, 0.0
    else:
        major = math.hypot(*item.major)
        minor = major * item.ratio
        turn = -math.degrees(math.atan2(item.major[1], item.major[0]))
    pieces = max(1, math.ceil((item.last - item.first) / 180 + 1e-9))
    stops = [item.first + (item.last - item.first) * i / pieces for i in range(pieces + 1)]
    path = f"M{_at(arc_point(item, stops[0]), high)}"
    radii = f"{_number(major)} {_number(minor)} {_number(turn)}"
    return path + "".join(f"A{radii} 0 0 {_at(arc_point(item, stop), high)}" for stop in stops[1:])


def _text(item: Text, high: float) -> str:
    x, y = item.start[0], high - item.start[1]
    length = lettering.advance(item.text, item.height, item.bold)
    turn = f' transform="rotate({_number(-item.angle)} {_number(x)} {_number(y)})"' if item.angle else ""
    weight = ' font-weight="bold"' if item.bold else ""
    return (
        f'<text x="{_number(x)}" y="{_number(y)}"{turn} font-family="DejaVu Sans, sans-serif"{weight} '
        f'font-size="{_number(em(item.height))}" textLength="{_number(length)}" '
        f'lengthAdjust="spacingAndGlyphs" fill="{_hex(item.colour)}"{_owner(item.owner)}>{escape(item.text)}</text>'
    )


def _path(points: tuple[Point, ...], high: float) -> str:
    return "M" + "L".join(_at(point, high) for point in points)


def _at(point: Point, high: float) -> str:
    return f"{_number(point[0])} {_number(high - point[1])}"


def _stroke(pen: Pen) -> str:
    dash = f' stroke-dasharray="{" ".join(_number(length) for length in pen.dash)}"' if pen.dash else ""
    return (
        f'fill="none" stroke="{_hex(pen.colour)}" stroke-width="{_number(pen.width)}"{dash} '
        'stroke-linecap="round" stroke-linejoin="round"'
    )


def _owner(owner: str) -> str:
    return f" data-of={quoteattr(owner)}" if owner else ""


def _hex(colour: Colour) -> str:
    return "#" + "".join(f"{part:02x}" for part in colour)


def _number(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
