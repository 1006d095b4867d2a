"""A page's content as PDF operators, in page millimetres with Y down."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from dqgen.renderers.sheet.ink import Letters, Stroke, dash, items, width
from dqgen.renderers.sheet.selection import Box
from dqgen.schemas.design import Colour, Floats
from dqgen.schemas.sheet import POINTS_OF, Page, Verb

OPERATORS = {Verb.MOVE: "m", Verb.LINE: "l", Verb.CURVE: "c", Verb.CLOSE: "h"}
HIGHLIGHT_OPACITY = 89  # of 255
HIGHLIGHT_BORDER = 0.4
HIGHLIGHT_ROOM = 0.4
"""Millimetres of a highlight's line, and between it and the text."""


@dataclass
class Content:
    """Operators, the weights of the font that they use, and the opacities (`/A128` for 128 of 255)."""

    lines: list[str] = field(default_factory=list)
    bolds: set[bool] = field(default_factory=set)
    opacities: set[int] = field(default_factory=set)

    def extend(self, other: "Content") -> None:
        """Draw `other` over what is there."""
        self.lines += other.lines
        self.bolds |= other.bolds
        self.opacities |= other.opacities

    def data(self) -> bytes:
        """The stream's bytes."""
        return "\n".join(self.lines).encode()


def content(
    page: Page,
    region: Box,
    shown: tuple[bool, ...],
    glyph: Callable[[str, bool], int],
) -> Content:
    """The operators that draw a region of a page.

    Args:
        page: the page.
        region: left, top, right, bottom in mm; nothing that lies wholly outside is written.
        shown: of each layer.
        glyph: number of a character's glyph in the font, by its weight.
    """
    written = Content()
    out = written.lines
    paths, texts = page.paths, page.texts
    clip = -1
    pen: tuple[object, ...] = ()
    brush: tuple[int, ...] = ()
    opacity = (255, 255)
    for item in items(page, region, shown):
        table = paths if isinstance(item, Stroke) else texts
        inside = int(table.clip[item.row])
        if inside != clip:
            if clip >= 0:
                out.append("Q")
            clip, pen, brush, opacity = inside, (), (), (255, 255)
            if clip >= 0:
                out.append("q " + _polygon(page.clips[clip]) + " W n")
        if isinstance(item, Letters):
            colour = texts.colour[item.row].tolist()
            stroke, fill = None, colour
        else:
            stroke = paths.stroke[item.row].tolist() if paths.stroke[item.row, 3] else None
            fill = paths.fill[item.row].tolist() if paths.fill[item.row, 3] else None
        see = (stroke[3] if stroke else opacity[0], fill[3] if fill else opacity[1])
        if see != opacity:
            out.append(f"/A{see[0]}_{see[1]} gs")
            written.opacities.add(see[0] * 256 + see[1])
            opacity = see
        if fill is not None and tuple(fill[:3]) != brush:
            brush = tuple(fill[:3])
            out.append(f"{_rgb(fill)} rg")
        if isinstance(item, Letters):
            bold = bool(texts.bold[item.row])
            written.bolds.add(bold)
            glyphs = "".join(f"{glyph(char, bold):04x}" for char in texts.text[item.row])
            matrix = " ".join(f"{part:.6f}" for part in item.matrix)
            out.append(f"BT /F{int(bold)} 1 Tf {matrix} Tm <{glyphs}> Tj ET")
            continue
        if stroke is not None:
            thick = width(page, item.row)
            wanted = (*stroke[:3], thick, dash(page, item.row))
            if wanted != pen:
                pen = wanted
                out.append(_pen(stroke, thick, wanted[4]))
        end = "B" if stroke is not None and fill is not None else "S" if stroke is not None else "f"
        if fill is not None and paths.even_odd[item.row]:
            end += "*"
        out.append(_path(item) + " " + end)
    if clip >= 0:
        out.append("Q")
    return written


def marks(quads: Sequence[tuple[Floats, Colour]]) -> Content:
    """The operators that lay highlights over texts, given by their corners."""
    written = Content()
    for quad, colour in quads:
        written.opacities.add(255 * 256 + HIGHLIGHT_OPACITY)
        rgb = _rgb(list(colour))
        outline = f"{HIGHLIGHT_BORDER} w [] 0 d {_polygon(padded(quad))}"
        written.lines.append(f"q /A255_{HIGHLIGHT_OPACITY} gs {rgb} rg {rgb} RG {outline} B Q")
    return written


def padded(quad: Floats) -> Floats:
    """A text's corners, moved outwards a little."""
    along, up = quad[1] - quad[0], quad[3] - quad[0]
    along = along / (np.hypot(*along) or 1.0) * HIGHLIGHT_ROOM
    up = up / (np.hypot(*up) or 1.0) * HIGHLIGHT_ROOM
    return np.array([quad[0] - along - up, quad[1] + along - up, quad[2] + along + up, quad[3] - along + up])


def _path(item: Stroke) -> str:
    verbs = item.verbs.tobytes()
    template = _short_template(verbs) if len(verbs) <= 64 else _template(verbs)
    return template % tuple(item.points.ravel().tolist())


def _template(verbs: bytes) -> str:
    return " ".join("%.4f " * (2 * int(POINTS_OF[verb])) + OPERATORS[Verb(verb)] for verb in verbs)


_short_template = lru_cache(maxsize=512)(_template)


def _polygon(points: Floats) -> str:
    return " ".join(f"{x:.4f} {y:.4f} {'l' if i else 'm'}" for i, (x, y) in enumerate(points.tolist())) + " h"


def _pen(colour: list[int], width: float, lengths: tuple[float, ...]) -> str:
    pattern = " ".join(f"{length:.3f}" for length in lengths)
    return f"{_rgb(colour)} RG {width:.4f} w {0 if lengths else 1} J [{pattern}] 0 d"


def _rgb(colour: list[int]) -> str:
    return " ".join(f"{part / 255:.4f}" for part in colour[:3])
