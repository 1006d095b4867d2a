"""A small drawing board: sheets drawn by construction, so that what is on them is known, as PDF or as exploded DXF.

Lengths are millimetres on paper, origin at the lower left, y up.
"""

import itertools
import math
from dataclasses import dataclass, field
from pathlib import Path

MM = 72 / 25.4
FONTS = "DejaVuSans"


@dataclass
class Key:
    """What was put on the sheet: dimensions as (kind, value, text), title block fields, tables and marks."""

    dimensions: list[tuple[str, float, str]] = field(default_factory=list)
    title: dict[str, str] = field(default_factory=dict)
    tables: list[list[list[str]]] = field(default_factory=list)
    marks: list[tuple[str, str]] = field(default_factory=list)


class Board:
    """Strokes, fills, circles and texts, and the key to them."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.items: list[tuple] = []
        self.key = Key()

    def line(self, x0: float, y0: float, x1: float, y1: float, weight: float = 0.25) -> None:
        self.items.append(("line", x0, y0, x1, y1, weight))

    def lines(self, *points: tuple[float, float], weight: float = 0.25) -> None:
        for (x0, y0), (x1, y1) in itertools.pairwise(points):
            self.line(x0, y0, x1, y1, weight)

    def box(self, x0: float, y0: float, x1: float, y1: float, weight: float = 0.35) -> None:
        self.lines((x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0), weight=weight)

    def fill(self, *points: tuple[float, float]) -> None:
        self.items.append(("fill", points))

    def circle(self, x: float, y: float, radius: float, filled: bool = False) -> None:
        self.items.append(("circle", x, y, radius, filled))

    def text(self, x: float, y: float, text: str, height: float = 3.5, angle: float = 0.0, align: str = "left") -> None:
        """Text by its baseline; `align` left or middle."""
        self.items.append(("text", x, y, text, height, angle, align))

    # what sheets are made of

    def arrow(self, x: float, y: float, angle: float, style: str, size: float = 3.0) -> None:
        """A head with its tip at (x, y), pointing along `angle`."""
        if style == "dot":
            return self.circle(x, y, 0.6, filled=True)
        a = math.radians(angle)
        if style == "tick":
            c, s = math.cos(a + math.pi / 4), math.sin(a + math.pi / 4)
            return self.line(x - 1.5 * c, y - 1.5 * s, x + 1.5 * c, y + 1.5 * s, 0.5)
        ends = [
            (x - size * math.cos(a + turn), y - size * math.sin(a + turn))
            for turn in (math.radians(9.5), -math.radians(9.5))
        ]
        if style == "open":
            for end in ends:
                self.line(x, y, *end)
            return None
        return self.fill((x, y), *ends)

    def linear(
        self,
        start: tuple[float, float],
        end: tuple[float, float],
        offset: float,
        text: str,
        value: float,
        style: str = "filled",
        place: str = "above",
        kind: str = "linear",
        height: float = 3.5,
    ) -> None:
        """A linear dimension of two points, its line `offset` mm to the left of the way from start to end.

        `place`: above the line; gap, turned with the line and breaking it; level, upright and breaking it; outside,
        behind the second arrow, with arrows that point inwards.
        """
        (x0, y0), (x1, y1) = start, end
        length = math.hypot(x1 - x0, y1 - y0)
        ux, uy = (x1 - x0) / length, (y1 - y0) / length
        nx, ny = -uy, ux
        a, b = (x0 + offset * nx, y0 + offset * ny), (x1 + offset * nx, y1 + offset * ny)
        angle = math.degrees(math.atan2(uy, ux))
        sign = 1 if offset > 0 else -1
        for (px, py), (qx, qy) in ((start, a), (end, b)):
            self.line(px + sign * nx, py + sign * ny, qx + 2 * sign * nx, qy + 2 * sign * ny, 0.18)
        wide = 0.62 * height * len(text)
        read = angle if -90 < angle <= 90 else angle + 180
        mx, my = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        up = (-math.sin(math.radians(read)), math.cos(math.radians(read)))
        if place == "outside":
            self.line(a[0] - 8 * ux, a[1] - 8 * uy, b[0] + (9 + wide) * ux, b[1] + (9 + wide) * uy, 0.18)
            self.arrow(*a, angle, style)
            self.arrow(*b, angle + 180, style)
            t = (b[0] + (6 + wide / 2) * ux + up[0], b[1] + (6 + wide / 2) * uy + up[1])
            self.text(*t, text, height, read, "middle")
        else:
            self.arrow(*a, angle + 180, style)
            self.arrow(*b, angle, style)
            if place == "above":
                self.line(*a, *b, 0.18)
                self.text(mx + 1.0 * up[0], my + 1.0 * up[1], text, height, read, "middle")
            else:
                half = (wide if place == "gap" or abs(uy) < 0.5 else 1.6 * height) / 2 + 1
                self.line(*a, mx - half * ux, my - half * uy, 0.18)
                self.line(mx + half * ux, my + half * uy, *b, 0.18)
                turn = read if place == "gap" else 0.0
                down = height / 2
                over = (-math.sin(math.radians(turn)), math.cos(math.radians(turn)))
                self.text(mx - down * over[0], my - down * over[1], text, height, turn, "middle")
        self.key.dimensions.append((kind, value, text))

    def leader(
        self,
        tip: tuple[float, float],
        knee: tuple[float, float],
        text: str,
        kind: str,
        value: float,
        style: str = "filled",
        height: float = 3.5,
    ) -> None:
        """A text on a shelf, with an arrow from its end to the tip."""
        side = 1 if knee[0] >= tip[0] else -1
        wide = 0.62 * height * len(text) + 2
        self.line(*knee, knee[0] + side * wide, knee[1], 0.18)
        self.line(*tip, *knee, 0.18)
        self.arrow(*tip, math.degrees(math.atan2(tip[1] - knee[1], tip[0] - knee[0])), style)
        self.text(knee[0] + (1 if side > 0 else 1 - wide), knee[1] + 1, text, height)
        self.key.dimensions.append((kind, value, text))

    def table(
        self,
        x: float,
        top: float,
        widths: list[float],
        rows: list[list[str]],
        row: float = 7.0,
        caption: str = "",
        height: float = 2.5,
    ) -> None:
        """A ruled table, its caption above it, header first."""
        edges = [x]
        for width in widths:
            edges.append(edges[-1] + width)
        for number in range(len(rows) + 1):
            self.line(x, top - number * row, edges[-1], top - number * row)
        for edge in edges:
            self.line(edge, top, edge, top - len(rows) * row)
        for number, cells in enumerate(rows):
            for column, text in enumerate(cells):
                if text:
                    self.text(edges[column] + 1.5, top - number * row - 0.5 * row - height / 2, text, height)
        if caption:
            self.text(x, top + 2.5, caption, 1.4 * height)
        self.key.tables.append(rows)

    def bubble(
        self, x: float, y: float, radius: float, *texts: str, kind: str, to: tuple[float, float] | None = None
    ) -> None:
        self.circle(x, y, radius)
        if len(texts) == 2:
            self.line(x - radius, y, x + radius, y)
            self.text(x, y + 0.2 * radius, texts[0], 0.5 * radius, align="middle")
            self.text(x, y - 0.7 * radius, texts[1], 0.5 * radius, align="middle")
        else:
            self.text(x, y - 0.35 * radius, texts[0], 0.7 * radius, align="middle")
        if to:
            length = math.hypot(to[0] - x, to[1] - y)
            self.line(x + radius * (to[0] - x) / length, y + radius * (to[1] - y) / length, *to)
        self.key.marks.append((kind, "/".join(texts)))

    # files

    def pdf(self, path: Path) -> Path:
        import matplotlib
        from reportlab.pdfbase import pdfmetrics
        from reportlab.pdfbase.ttfonts import TTFont
        from reportlab.pdfgen.canvas import Canvas

        font = Path(matplotlib.get_data_path()) / "fonts/ttf/DejaVuSans.ttf"
        pdfmetrics.registerFont(TTFont(FONTS, str(font)))
        canvas = Canvas(str(path), pagesize=(self.width * MM, self.height * MM), invariant=True)
        for kind, *rest in self.items:
            if kind == "line":
                x0, y0, x1, y1, weight = rest
                canvas.setLineWidth(weight * MM)
                canvas.line(x0 * MM, y0 * MM, x1 * MM, y1 * MM)
            elif kind == "fill":
                outline = canvas.beginPath()
                for number, (x, y) in enumerate(rest[0]):
                    (outline.lineTo if number else outline.moveTo)(x * MM, y * MM)
                outline.close()
                canvas.drawPath(outline, stroke=0, fill=1)
            elif kind == "circle":
                x, y, radius, filled = rest
                canvas.setLineWidth(0.25 * MM)
                canvas.circle(x * MM, y * MM, radius * MM, stroke=not filled, fill=filled)
            else:
                x, y, text, height, angle, align = rest
                canvas.saveState()
                canvas.translate(x * MM, y * MM)
                canvas.rotate(angle)
                canvas.setFont(FONTS, height * MM / 0.729)
                (canvas.drawCentredString if align == "middle" else canvas.drawString)(0, 0, text)
                canvas.restoreState()
        canvas.save()
        return path

    def dxf(self, path: Path) -> Path:
        import ezdxf
        from ezdxf.enums import TextEntityAlignment

        document = ezdxf.new("R2010", setup=True)
        document.header["$INSUNITS"] = 4
        space = document.modelspace()
        for kind, *rest in self.items:
            if kind == "line":
                space.add_line((rest[0], rest[1]), (rest[2], rest[3]))
            elif kind == "fill":
                space.add_solid([*rest[0], rest[0][-1]] if len(rest[0]) == 3 else rest[0])
            elif kind == "circle":
                x, y, radius, filled = rest
                space.add_circle((x, y), radius)
                if filled:
                    space.add_hatch(color=7).paths.add_edge_path().add_arc((x, y), radius)
            else:
                x, y, text, height, angle, align = rest
                entity = space.add_text(text, height=height, rotation=angle)
                where = TextEntityAlignment.CENTER if align == "middle" else TextEntityAlignment.LEFT
                entity.set_placement((x, y), align=where)
        document.saveas(path)
        return path
