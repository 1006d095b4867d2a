"""A page as SVG: page millimetres, attributes inline, letters as outlines so that they look alike everywhere.

Each glyph is defined once and used where it stands; what a text says is kept in `data-text`.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any
from xml.sax.saxutils import quoteattr

import numpy as np

from dqgen.fonts import font_file
from dqgen.renderers.sheet.ink import Letters, Stroke, dash, items, width
from dqgen.renderers.sheet.operators import HIGHLIGHT_BORDER, HIGHLIGHT_OPACITY, padded
from dqgen.renderers.sheet.selection import Box
from dqgen.schemas.design import Colour, Floats
from dqgen.schemas.sheet import POINTS_OF, Page, Sheet, Verb

UNITS = 2048
"""Of the bundled font, to an em."""
STEPS = {1: ("M", 1), 2: ("L", 1), 3: ("Q", 2), 4: ("C", 3), 79: ("Z", 1)}
"""Commands of matplotlib's outlines, and how many points each takes."""
COMMANDS = {Verb.MOVE: "M", Verb.LINE: "L", Verb.CURVE: "C", Verb.CLOSE: "Z"}


def svg(sheet: Sheet, page: Page, region: Box, shown: tuple[bool, ...], highlights: Mapping[int, Colour]) -> bytes:
    """A region of a page as an SVG file; layers are groups with `data-layer`."""
    left, top, right, bottom = region
    wide, high = _number(right - left), _number(bottom - top)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{wide}mm" height="{high}mm" '
        f'viewBox="{_number(left)} {_number(top)} {wide} {high}">',
        f'<rect x="{_number(left)}" y="{_number(top)}" width="{wide}" height="{high}" fill="#ffffff"/>',
    ]
    used: list[int] = []
    glyphs: dict[tuple[str, bool], str] = {}
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
        body.append(_text(page, item, glyphs) if isinstance(item, Letters) else _path(page, item))
    if group is not None:
        body.append("</g>")
    if used or glyphs:
        clips = "".join(f'<clipPath id="c{row}"><path d="{_outline(page.clips[row])}"/></clipPath>' for row in used)
        shapes = "".join(f'<path id="{name}" d="{_glyph(*key)[0]}"/>' for key, name in glyphs.items())
        lines.append(f"<defs>{clips}{shapes}</defs>")
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


def _text(page: Page, item: Letters, glyphs: dict[tuple[str, bool], str]) -> str:
    texts, row = page.texts, item.row
    bold = bool(texts.bold[row])
    uses, at = [], 0
    for char in texts.text[row]:
        shape, advance = _glyph(char, bold)
        if shape:
            name = glyphs.setdefault((char, bold), f"g{len(glyphs)}")
            uses.append(f'<use xlink:href="#{name}"' + (f' x="{at}"/>' if at else "/>"))
        at += advance
    # The outlines are in units of the font, Y up, as the matrix takes them.
    matrix = " ".join(f"{part / UNITS:.9f}" for part in item.matrix[:4])
    colour = texts.colour[row].tolist()
    return (
        f'<g transform="matrix({matrix} {_number(item.matrix[4])} {_number(item.matrix[5])})" '
        f'fill="{_hex(colour)}"{_opacity("fill", colour[3])} data-text={quoteattr(_xml(texts.text[row]))}>'
        f"{''.join(uses)}</g>"
    )


@lru_cache(maxsize=4096)
def _glyph(char: str, bold: bool) -> tuple[str, int]:
    """Outline and advance of a character, in units of the font."""
    from matplotlib.ft2font import LoadFlags

    face = _face(bold)
    glyph = face.load_char(ord(char), flags=LoadFlags.NO_SCALE)
    points, codes = face.get_path()
    parts, at = [], 0
    while at < len(codes):
        command, count = STEPS[int(codes[at])]
        # Unscaled outlines come in 64ths.
        numbers = (
            " ".join(str(round(value * 64)) for value in points[at : at + count].ravel()) if command != "Z" else ""
        )
        parts.append(command + numbers)
        at += count
    return "".join(parts), round(glyph.horiAdvance)


@lru_cache(maxsize=2)
def _face(bold: bool) -> Any:
    from matplotlib.ft2font import FT2Font

    return FT2Font(str(font_file(bold)))


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
