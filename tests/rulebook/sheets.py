"""Small PDF rulebooks drawn for the tests: their words are made up here, their styles are those of real
ones."""

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import pymupdf

PROSE = [
    "The",
    "frame",
    "of",
    "the",
    "cart",
    "must",
    "be",
    "made",
    "of",
    "steel",
    "or",
    "aluminum",
    "and",
    "must",
    "carry",
    "the",
    "seat,",
    "the",
    "box",
    "and",
    "the",
    "wheels",
    "without",
    "lasting",
    "bend",
    "when",
    "the",
    "cart",
    "is",
    "loaded",
    "with",
    "the",
    "mass",
    "that",
    "is",
    "given",
    "on",
    "its",
    "plate",
]


PLAIN, BOLD = pymupdf.Font("helv"), pymupdf.Font("hebo")


@dataclass
class Sheet:
    """Draws lines of text on pages of a new PDF; y counts down from the top of the page in points."""

    width: float = 595
    height: float = 842
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    header: str = ""
    footer: str = ""

    writers: list[pymupdf.TextWriter] = field(default_factory=list)

    def page(self) -> pymupdf.Page:
        page = self.document.new_page(width=self.width, height=self.height)
        self.writers.append(pymupdf.TextWriter(page.rect))
        if self.header:
            self.write(page, 72, 40, self.header, size=9)
        if self.footer:
            self.write(page, 72, 810, self.footer.format(page=page.number + 1), size=9)
        return page

    def write(self, page: pymupdf.Page, x: float, y: float, text: str, size: float = 10, bold: bool = False) -> None:
        self.writers[page.number].append((x, y), text, font=BOLD if bold else PLAIN, fontsize=size)

    def save(self, path: Path) -> Path:
        for page, writer in zip(self.document, self.writers, strict=True):
            writer.write_text(page)
        self.document.save(path)
        return path


@cache
def _width(word: str) -> float:
    return float(PLAIN.text_length(word, fontsize=10))


def wrap(text: str, width: float) -> list[str]:
    """Break a text into lines no wider than this, at 10 points."""
    lines: list[list[str]] = [[]]
    used = 0.0
    for word in text.split():
        used += _width(word + " ")
        if used > width and lines[-1]:
            lines.append([])
            used = _width(word + " ")
        lines[-1].append(word)
    return [" ".join(line) for line in lines]


def flowing(
    path: Path,
    entries: list[tuple[str, str]],
    *,
    indent: float = 0,
    bold_heads: bool = False,
    columns: int = 1,
    header: str = "Cart rules",
    footer: str = "Page {page}",
    gap: float = 5,
) -> Path:
    """A rulebook of (number, text) entries set one after another.

    With `indent`, numbers stand in a column of their own and the text hangs beside them; without, they begin
    the first line. An entry without text is a heading in bold.
    """
    sheet = Sheet(header=header, footer=footer)
    page = sheet.page()
    full = sheet.width - 144
    width = full if columns == 1 else (full - 24) / 2
    column, y = 0, 80.0
    for number, text in entries:
        bold = bold_heads or not text.endswith(".")
        lines = wrap(text if indent else f"{number} {text}".strip(), width - indent)
        for n, line in enumerate(lines):
            if y > 770:
                column, y = column + 1, 80.0
                if column == columns:
                    page, column = sheet.page(), 0
            x = 72 + column * (width + 24)
            if indent and not n:
                sheet.write(page, x, y, number, bold=bold)
            sheet.write(page, x + indent, y, line, bold=bold and not n)
            y += 12
        y += gap
    return sheet.save(path)
