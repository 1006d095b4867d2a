"""A page as SVG: millimetres from the region's upper left corner, attributes inline, text as text."""

from collections.abc import Mapping
from xml.sax.saxutils import escape, quoteattr

import numpy as np

from dqgen.fonts import em
from dqgen.renderers.sheet.ink import Letters, Stroke, dash, items, width
from dqgen.renderers.sheet.operators import HIGHLIGHT_BORDER, HIGHLIGHT_OPACITY, padded
from dqgen.renderers.sheet.selection import Box
from dqgen.schemas.design import Colour, Floats
from dqgen.schemas.sheet import POINTS_OF, Page, Sheet, Verb

COMMANDS = {Verb.MOVE: "M", Verb.LINE: "L", Verb.CURVE: "C", Verb.CLOSE: "Z"}


def svg(sheet: Sheet, page: Page, region: Box, shown: tuple[bool, ...], highlights: Mapping[int, Colour]) -> bytes:
    """A region of a page as an SVG file; layers are groups with `data-layer`."""
    left, top, right, bottom = region
    wide, high = _number(right - left), _number(bottom - top)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}mm" height="{high}mm" '
        f'viewBox="{_number(left)} {_number(top)} {wide} {high}">',
        f'<rect x="{_number(left)}" y="{_number(top)}" width="{wide}" height="{high}" fill="#ffffff"/>',
    ]
    used: list[int] = []
    body: list[str] = []
    group: tuple[int, int] | None = None
    for item in items(page, region, shown):
        table = page.paths if isinstance(item, Stroke) else page.texts
        wanted = (int(table.layer[item.row]), int(table.clip[item.row]))
        if wanted != group:
            if group is not None:
                body.append("</g>")
            group = wanted
            body.append(_group(sheet, *wanted))
            if wanted[1] >= 0 and wanted[1] not in used:
                used.append(wanted[1])
        body.append(_text(page, item) if isinstance(item, Letters) else _path(page, item))
    if group is not None:
        body.append("</g>")
    if used:
        clips = "".join(f'<clipPath id="c{row}"><path d="{_outline(page.clips[row])}"/></clipPath>' for row in used)
        lines.append(f"<defs>{clips}</defs>")
    lines += body
    for row, colour in highlights.items():
        lines.append(highlight_mark(page.texts.quad[row], colour))
    lines.append("</svg>")
    return ("\n".join(lines) + "\n").encode()


def highlight_mark(quad: Floats, colour: Colour, scale: float = 1.0) -> str:
    """The mark over a text whose corners are given in mm; `scale` is the file's units to a millimetre."""
    return (
        f'<path d="{_outline(padded(quad) * scale)}" fill="{_hex(colour)}" '
        f'fill-opacity="{HIGHLIGHT_OPACITY / 255:.3f}" '
        f'stroke="{_hex(colour)}" stroke-width="{_number(HIGHLIGHT_BORDER * scale)}"/>'
    )


def _group(sheet: Sheet, layer: int, clip: int) -> str:
    name = f" data-layer={quoteattr(_xml(sheet.layers[layer].name))}" if layer >= 0 else ""
    return f"<g{name}" + (f' clip-path="url(#c{clip})"' if clip >= 0 else "") + ">"


def _path(page: Page, item: Stroke) -> str:
    paths, row = page.paths, item.row
    parts, at = [], 0
    numbers = [_number(value) for value in item.points.ravel().tolist()]
    for verb in item.verbs.tolist():
        count = 2 * int(POINTS_OF[verb])
        parts.append(COMMANDS[Verb(verb)] + " ".join(numbers[at : at + count]))
        at += count
    fill, stroke = paths.fill[row].tolist(), paths.stroke[row].tolist()
    look = f'fill="{_hex(fill)}"{_opacity("fill", fill[3])}' if fill[3] else 'fill="none"'
    if fill[3] and paths.even_odd[row]:
        look += ' fill-rule="evenodd"'
    if stroke[3]:
        lengths = dash(page, row)
        cap = "butt" if lengths else "round"
        look += (
            f' stroke="{_hex(stroke)}"{_opacity("stroke", stroke[3])} stroke-width="{_number(width(page, row))}"'
            f' stroke-linecap="{cap}" stroke-linejoin="round"'
        )
        if lengths:
            look += f' stroke-dasharray="{" ".join(_number(length) for length in lengths)}"'
    return f'<path d="{"".join(parts)}" {look}/>'


def _text(page: Page, item: Letters) -> str:
    texts, row = page.texts, item.row
    a, b, c, d, x, y = item.matrix
    size = em(float(texts.height[row]))
    # Letters of that size, so that viewers hint them as usual; SVG's letters run down the page, PDF's up.
    matrix = " ".join(_number(part) for part in (a / size, b / size, -c / size, -d / size))
    colour = texts.colour[row].tolist()
    weight = ' font-weight="bold"' if texts.bold[row] else ""
    return (
        f'<text transform="matrix({matrix} {_number(x)} {_number(y)})" font-family="DejaVu Sans, sans-serif"{weight} '
        f'font-size="{_number(size)}" textLength="{_number(item.natural * size)}" lengthAdjust="spacingAndGlyphs" '
        f'fill="{_hex(colour)}"{_opacity("fill", colour[3])} xml:space="preserve">'
        f"{escape(_xml(texts.text[row]))}</text>"
    )


def _xml(text: str) -> str:
    """Without signs that XML cannot hold."""
    return "".join(char if char >= " " and char not in "\ufffe\uffff" else " " for char in text)


def _outline(points: Floats) -> str:
    return "M" + "L".join(f"{_number(x)} {_number(y)}" for x, y in np.asarray(points).tolist()) + "Z"


def _opacity(what: str, value: int) -> str:
    return "" if value == 255 else f' {what}-opacity="{value / 255:.3f}"'


def _hex(colour: "tuple[int, ...] | list[int]") -> str:
    return "#" + "".join(f"{part:02x}" for part in colour[:3])


def _number(value: float) -> str:
    text = f"{value:.4f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text
