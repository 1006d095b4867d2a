"""Rulebooks in the styles of many houses, made up from a seed, with their keys: ids, texts, items, tables, limits."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

from reportlab.lib import colors
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.platypus import BaseDocTemplate, Flowable, Frame, PageTemplate, Paragraph, Spacer, Table, TableStyle

Limit = tuple[str, float | list[float], str]
LIMITS: list[tuple[str, str, str]] = [
    ("The wheelbase of cart {k} must be at least {v} mm.", "minimum", "mm"),
    ("The width of part {k} shall not exceed {v} mm.", "maximum", "mm"),
    ("No part of body {k} may extend more than {v} mm beyond its axle.", "maximum", "mm"),
    ("Bolts of joint {k} shall have a diameter of not less than {v} mm.", "minimum", "mm"),
    ("The voltage of battery {k} may not be greater than {v} V at any time.", "maximum", "V"),
    ("The mass of cart {k}, including its driver, must be between {v} kg and {w} kg.", "range", "kg"),
    ("The opening of box {k} must be {v} mm or less in diameter.", "maximum", "mm"),
    ("The surface of motor {k} is limited to {v} °C.", "maximum", "degC"),
    ("The clear width of gate {k} shall be {v} inches minimum.", "minimum", "in"),
]
PLAIN = [
    "Frame {k} must be made of steel tubing or of an equivalent material that the committee has approved.",
    "Wiring loom {k} shall be routed so that it is protected from moving parts and hot surfaces.",
    "The jury may inspect cart {k} during the event and may ask for parts to be removed.",
    "The use of adhesives as the only means of attachment of plate {k} is not permitted.",
]
NOUNS = ["Wheels", "Body", "Seat", "Battery", "Brakes", "Steering", "Noise", "Cooling", "Towing", "Floor", "Fuel"]
PARTS = ["Hoop", "Brace", "Bar", "Beam", "Floor", "Nose"]


@dataclass
class Entry:
    """One numbered entry as it is printed, and what must be read from it."""

    id: str
    printed: str
    depth: int
    title: str = ""
    paragraphs: list[str] = field(default_factory=list)
    items: list[tuple[str, str]] = field(default_factory=list)
    table: list[list[str]] = field(default_factory=list)
    limits: list[Limit] = field(default_factory=list)

    @property
    def words(self) -> str:
        """All words but the title, white space aside."""
        said = [*self.paragraphs, *(f"{label} {text}" for label, text in self.items)]
        return "".join(" ".join([*said, *(cell for row in self.table for cell in row)]).split())


@dataclass(frozen=True)
class House:
    """How a house prints its rules."""

    number: Callable[[tuple[int, ...]], str]
    columns: int = 1
    hanging: float = 0  # points by which text hangs beside its number
    run_in: bool = False  # a title opens the paragraph, or stands above it
    markers: Sequence[str] = ("a.", "b.", "c.")
    strokes: str = "grid"  # grid, lines or none
    header: str = "2031 Cart Challenge Rules"
    size: float = 10
    bars: bool = False  # change bars beside the text
    footnotes: bool = False


def entries(seed: int, house: House, wide: tuple[int, int, int] = (4, 4, 4)) -> list[Entry]:
    """A tree of entries three deep; rules hold text, the entries above them titles."""
    chance = random.Random(seed)
    found: list[Entry] = []

    def sentence(entry: Entry) -> str:
        k = len(found)
        if chance.random() < 0.4:
            return chance.choice(PLAIN).format(k=k)
        said, comparator, unit = chance.choice(LIMITS)
        low = chance.choice([5, 12, 25, 60, 120, 300, 450, 800])
        entry.limits.append((comparator, [low, low + 40.0] if comparator == "range" else low, unit))
        return said.format(k=k, v=low, w=low + 40)

    def grow(numbers: tuple[int, ...]) -> None:
        printed = house.number(numbers)
        entry = Entry(printed.replace(" ", "").strip("<>§"), printed, len(numbers))
        found.append(entry)
        if entry.depth < 3:
            entry.title = f"{chance.choice(NOUNS)} and {chance.choice(NOUNS)} {'ABCDEFG'[numbers[-1] % 7]}"
            for child in range(1, chance.randint(2, wide[entry.depth]) + 1):
                grow((*numbers, child))
            return
        for _ in range(chance.choice([1, 1, 2])):
            entry.paragraphs.append(" ".join(sentence(entry) for _ in range(chance.choice([1, 2, 3]))))
        kind = chance.random()
        if kind < 0.3:
            entry.paragraphs.append(f"Cart {len(found)} shall be fitted with:")
            entry.items = [(mark, f"switch {n} of cart {len(found)};") for n, mark in enumerate(house.markers)]
        elif kind < 0.45:
            rows = [[part, chance.choice(["Steel", "Wood"]), f"{n + 1}.5"] for n, part in enumerate(PARTS[:4])]
            entry.table = [["Member", "Material", "Wall"], *rows]

    for chapter in range(1, wide[0] + 1):
        grow((chapter,))
    return found


def pdf(path: Path, house: House, document: Sequence[Entry]) -> Path:
    """Set the entries as a PDF in the style of the house."""
    width, height = A4
    plain = ParagraphStyle("p", fontName="Times-Roman", fontSize=house.size, leading=1.2 * house.size, spaceAfter=5)
    plain = plain.clone("q", alignment=4)
    loud = plain.clone("h", fontName="Times-Bold", spaceBefore=9, alignment=0)

    def decorate(canvas: Any, _: Any) -> None:
        canvas.setFont("Times-Roman", 8)
        canvas.drawString(54, height - 36, house.header)
        canvas.drawCentredString(width / 2, 30, str(canvas.getPageNumber()))
        if house.bars:
            for n in range(3):
                canvas.drawString(38, height - 200 - 12 * n, "|")
        if house.footnotes and canvas.getPageNumber() % 2:
            canvas.line(54, 82, 150, 82)
            canvas.drawString(54, 70, f"1 Kept by office {canvas.getPageNumber()} of the committee.")

    def set_entry(entry: Entry) -> list[Flowable]:
        hang = plain.clone("x", leftIndent=house.hanging)
        out: list[Flowable] = []
        heading = loud.clone("y", leftIndent=house.hanging, fontSize=house.size + (3, 1, 0)[entry.depth - 1])
        if entry.title and not entry.paragraphs:
            return [_numbered(entry.printed, entry.title, heading, house.hanging)]
        for n, text in enumerate(entry.paragraphs):
            out.append(_numbered("" if n else entry.printed, escape(text), hang, house.hanging))
        indent = plain.clone("z", leftIndent=house.hanging + 24)
        out += [Paragraph(escape(f"{label} {text}"), indent) for label, text in entry.items]
        if entry.table:
            table = Table(entry.table, hAlign="LEFT")
            drawn: list[Any] = [("FONT", (0, 0), (-1, -1), "Times-Roman", house.size)]
            if house.strokes == "grid":
                drawn.append(("GRID", (0, 0), (-1, -1), 0.5, colors.black))
            elif house.strokes == "lines":
                drawn += [("LINEABOVE", (0, n), (-1, n), 0.7, colors.black) for n in (0, 1, len(entry.table))]
            table.setStyle(TableStyle(drawn))
            out += [table, Spacer(1, 8)]
        return out

    gap = 18
    column = (width - 108 - gap * (house.columns - 1)) / house.columns
    foot = 96 if house.footnotes else 60
    edges = {"leftPadding": 0, "rightPadding": 0, "topPadding": 0, "bottomPadding": 0}
    frames = [Frame(54 + n * (column + gap), foot, column, height - foot - 60, **edges) for n in range(house.columns)]
    book = BaseDocTemplate(str(path), pagesize=A4, invariant=1)
    book.addPageTemplates([PageTemplate(frames=frames, onPage=decorate)])
    book.build([piece for entry in document for piece in set_entry(entry)])
    return path


def _numbered(number: str, text: str, style: ParagraphStyle, hanging: float) -> Paragraph:
    if hanging:
        return Paragraph(text, style, bulletText=number or None)
    return Paragraph(f"{escape(number)} {text}".strip(), style)


def text_file(path: Path, document: Sequence[Entry]) -> Path:
    """The entries as plain text, tables set with spaces."""
    out = ["CART RULES", ""]
    for entry in document:
        for n, text in enumerate(entry.paragraphs or [entry.title]):
            out += [f"{'' if n else entry.printed + '  '}{text}", ""]
        out += [f"  {label} {text}" for label, text in entry.items] + [""]
        out += ["    " + "".join(cell.ljust(14) for cell in row).rstrip() for row in entry.table] + [""]
    path.write_text("\n".join(out), encoding="utf-8")
    return path


def dotted(prefix: str = "", first: int = 0) -> Callable[[tuple[int, ...]], str]:
    """Numbers like 1.2.3, T 1.2.3 or 401.2.3."""
    return lambda numbers: prefix + ".".join(map(str, (first + numbers[0], *numbers[1:])))


HOUSES = {
    "hanging": House(dotted("T."), hanging=50),
    "spaced": House(dotted("EV "), hanging=50, strokes="lines"),
    "glued": House(dotted("B"), strokes="none"),
    "code in two columns": House(dotted(first=400), columns=2, size=9, markers=("1.", "2.", "3."), strokes="none"),
    "code in three columns": House(dotted(first=900), columns=3, size=8, strokes="lines", markers=("1.", "2.")),
    "two columns, hanging": House(dotted("D"), columns=2, hanging=38, size=9, strokes="none"),
    "regulation": House(dotted(), hanging=48, markers=("(a)", "(b)", "(c)"), bars=True),
    "standard": House(dotted(), strokes="none", footnotes=True, header="STD-31000 Issue 2"),
    "hyphen": House(dotted("R-"), hanging=60, markers=("i.", "ii.", "iii.")),
    "paragraph sign": House(dotted("§ "), markers=("•", "•")),
}
TWO_PARTS = replace(HOUSES["standard"], footnotes=False)
