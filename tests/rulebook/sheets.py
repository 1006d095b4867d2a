"""Small PDF rulebooks drawn for the tests: their words are made up here, their styles are those of real
ones."""

from dataclasses import dataclass, field
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


@dataclass
class Sheet:
    """Draws lines of text on pages of a new PDF; y counts down from the top of the page in points."""

    width: float = 595
    height: float = 842
    document: pymupdf.Document = field(default_factory=pymupdf.open)
    header: str = ""
    footer: str = ""

    def page(self) -> pymupdf.Page:
        page = self.document.new_page(width=self.width, height=self.height)
        if self.header:
            page.insert_text((72, 40), self.header, fontsize=9)
        if self.footer:
            page.insert_text((72, 810), self.footer.format(page=page.number + 1), fontsize=9)
        return page

    def write(
        self, page: pymupdf.Page, x: float, y: float, text: str, size: float = 10, bold: bool = False
    ) -> None:
        page.insert_text((x, y), text, fontsize=size, fontname="hebo" if bold else "helv")

    def save(self, path: Path) -> Path:
        self.document.save(path)
        return path


def wrap(text: str, width: float, size: float = 10) -> list[str]:
    """Break a text into lines no wider than this."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if pymupdf.get_text_length(longer, fontname="helv", fontsize=size) > width and lines[-1]:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


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
