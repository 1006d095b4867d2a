"""Writes `rulebook.pdf` from `rulebook.md`: `python samples/formula/make_rulebook.py [OUTDIR]`.

The default folder is the script's own. The same source, reportlab and fonts give the same bytes.
"""

import re
import sys
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

import matplotlib

if __package__ in (None, ""):  # run as a script: the repository is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_RIGHT
from reportlab.lib.pagesizes import A4
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.platypus import (
    BaseDocTemplate,
    CondPageBreak,
    Flowable,
    Frame,
    KeepTogether,
    PageBreak,
    PageTemplate,
    Paragraph,
    Spacer,
    Table,
    TableStyle,
)
from reportlab.platypus.tableofcontents import TableOfContents

from samples.formula.rulebook import SOURCE, Block, read
from samples.formula.rulebook_figures import car_figure, frame_figure

_FONT, _BOLD = "DejaVuSans", "DejaVuSans-Bold"
_LEFT, _RIGHT, _TOP, _BOTTOM = 62.0, 56.0, 74.0, 66.0
_HANG, _ITEM = 56.0, 74.0  # where the words of a rule and of its items begin
_WIDTH = A4[0] - _LEFT - _RIGHT
_RULE_COLOUR, _NOTE_COLOUR = HexColor("#7b8794"), HexColor("#eef2f6")
_DARK = HexColor("#16324f")
_CONTENTS = [("TOPPADDING", (0, 0), (-1, -1), 1), ("BOTTOMPADDING", (0, 0), (-1, -1), 1)]
_CELL_FONT = ("FONTNAME", (0, 0), (-1, -1), _FONT)  # else each table names a font that is not embedded


def _style(name: str, size: float = 9.5, lead: float = 1.36, font: str = _FONT, **more: Any) -> ParagraphStyle:
    return ParagraphStyle(name, fontName=font, fontSize=size, leading=size * lead, **more)


def _styles() -> dict[str, ParagraphStyle]:
    bullet: dict[str, Any] = {"bulletFontName": _BOLD, "bulletFontSize": 9.5, "bulletIndent": 0}
    item: dict[str, Any] = {"bulletFontName": _FONT, "bulletFontSize": 9.5, "bulletIndent": _HANG}
    made = [
        _style("title", 26, 1.3, _BOLD, textColor=_DARK, spaceAfter=14),
        _style("intro", 10.5, 1.45, spaceAfter=8),
        _style("contents", 16, 1.3, _BOLD, textColor=_DARK, spaceAfter=10),
        _style("part", 17, 1.3, _BOLD, textColor=_DARK, spaceAfter=10),
        _style("chapter", 12.5, 1.3, _BOLD, textColor=_DARK, spaceBefore=13, spaceAfter=5),
        _style("section", 10, 1.35, _BOLD, spaceBefore=8, spaceAfter=4, leftIndent=_HANG, bulletIndent=0,
               bulletFontName=_BOLD, bulletFontSize=10),
        _style("rule", leftIndent=_HANG, spaceBefore=5, spaceAfter=5, **bullet),
        _style("item", leftIndent=_ITEM, spaceAfter=3, **item),
        _style("text", leftIndent=_HANG, spaceBefore=5, spaceAfter=5),
        _style("note", 8.5, 1.36),
        _style("caption", 8.5, 1.36, _BOLD, leftIndent=_HANG, spaceBefore=5, spaceAfter=4),
        _style("cell", 8.5, 1.3),
        _style("head", 8.5, 1.3, _BOLD),
        _style("toc0", 9.5, 1.35, _BOLD, spaceBefore=4, rightIndent=24),
        _style("toc1", 9, 1.3, leftIndent=14, rightIndent=24),
        _style("right", 8, 1.3, alignment=TA_RIGHT),
    ]  # fmt: skip
    return {style.name: style for style in made}


class _Book(BaseDocTemplate):  # type: ignore[misc]  # the library has no types
    """Pages with header and footer; headings go to the contents and the outline."""

    def __init__(self, path: Path, title: str, edition: str) -> None:
        super().__init__(
            str(path), pagesize=A4, invariant=1, leftMargin=_LEFT, rightMargin=_RIGHT, topMargin=_TOP,
            bottomMargin=_BOTTOM, initialFontName=_FONT, title=title, author="The dqgen founders", subject=edition,
            lang="en-GB",
        )  # fmt: skip
        frame = Frame(_LEFT, _BOTTOM, _WIDTH, A4[1] - _TOP - _BOTTOM, 0, 0, 0, 0)
        self.addPageTemplates(PageTemplate("page", [frame], onPageEnd=self._furniture))
        self._title, self._edition = title, edition
        self._part, self._pages, self._last, self._key = "", 0, 0, 0

    def beforeDocument(self) -> None:  # noqa: N802 - the library's name
        """Called before each pass."""
        self._pages, self._part, self._key = self._last, "", 0

    def afterFlowable(self, flowable: Flowable) -> None:  # noqa: N802 - the library's name
        """Called for each flowable that has been placed."""
        heading = getattr(flowable, "heading", None)
        if heading is None:
            return
        level, words = heading
        if level == 0:
            self._part = words
        self._key += 1
        key = f"h{self._key}"
        self.canv.bookmarkPage(key)
        self.canv.addOutlineEntry(words, key, level, closed=level > 0)
        if level < 2:
            self.notify("TOCEntry", (level, escape(words), self.page, key))

    def _furniture(self, canvas: Any, _: Any) -> None:
        self._last = canvas.getPageNumber()
        canvas.saveState()
        canvas.setFont(_FONT, 8)
        canvas.setFillColor(_RULE_COLOUR)
        canvas.setStrokeColor(_RULE_COLOUR)
        canvas.setLineWidth(0.5)
        top, bottom, end = A4[1] - 50, 46, A4[0] - _RIGHT
        canvas.line(_LEFT, top - 6, end, top - 6)
        canvas.drawString(_LEFT, top, self._title)
        canvas.drawRightString(end, top, self._part)
        canvas.line(_LEFT, bottom + 10, end, bottom + 10)
        canvas.drawString(_LEFT, bottom, self._edition)
        canvas.drawRightString(end, bottom, f"Page {self._last} of {self._pages}")
        canvas.restoreState()


class _Blank(Flowable):  # type: ignore[misc]  # the library has no types
    """Empty height; unlike a spacer it also counts at the top of a page."""

    def __init__(self, height: float) -> None:
        super().__init__()
        self.width, self.height = 1.0, height

    def draw(self) -> None:
        """Called by the page layout."""


class _Writer:
    """Turns blocks into what the page layout takes."""

    def __init__(self) -> None:
        self._styles = _styles()
        self._story: list[Any] = []
        self._held: list[Any] = []  # headings and captions that stay with what follows

    def story(self, blocks: list[Block]) -> list[Any]:
        """All flowables of the document."""
        first = next(n for n, block in enumerate(blocks) if block.kind == "part")
        self._story.append(_Blank(200))
        for block in blocks[:first]:
            style = "title" if block.kind == "title" else "intro"
            self._story.append(Paragraph(escape(block.text), self._styles[style]))
        contents = TableOfContents(dotsMinLevel=0)
        contents.tableStyle = TableStyle([_CELL_FONT, *_CONTENTS, *contents.tableStyle.getCommands()])
        contents.levelStyles = [self._styles["toc0"], self._styles["toc1"]]
        self._story += [PageBreak(), Paragraph("Contents", self._styles["contents"]), contents]
        for block in blocks[first:]:
            self._add(block)
        return self._story

    def _add(self, block: Block) -> None:
        if block.kind in ("part", "chapter", "section"):
            self._heading(block)
        elif block.kind == "caption":
            caption = Paragraph(escape(block.text), self._styles["caption"])
            self._held.append(caption)
        elif block.kind == "figure":
            draw = {"frame": frame_figure, "car": car_figure}[block.text]
            # The caption stands below its figure.
            self._held.insert(len(self._held) - 1, draw(_WIDTH, _FONT))
            self._flush(Spacer(1, 6))
        elif block.kind == "table":
            self._flush(self._table(block.rows))
            self._story.append(Spacer(1, 8))
        elif block.kind == "note":
            self._flush(self._note(block.text))
            self._story.append(Spacer(1, 6))
        else:
            label = {"rule": block.number, "item": f"{block.number}."}.get(block.kind)
            paragraph = Paragraph(escape(block.text), self._styles[block.kind], bulletText=label)
            if block.text.endswith(":"):
                self._held.append(paragraph)  # its first item must not begin the next page
            else:
                self._flush(paragraph)

    def _heading(self, block: Block) -> None:
        level = ("part", "chapter", "section").index(block.kind)
        if level == 2:
            paragraph = Paragraph(escape(block.text), self._styles["section"], bulletText=block.number)
        else:
            words = f"{block.number}&nbsp;&nbsp;&nbsp;{escape(block.text)}"
            paragraph = Paragraph(words, self._styles[block.kind])
        paragraph.heading = (level, f"{block.number} {block.text}")
        if level == 0:
            self._story.append(PageBreak())
        elif level == 1:
            self._story.append(CondPageBreak(90))
        self._held.append(paragraph)

    def _flush(self, flowable: Any) -> None:
        if self._held:
            self._story.append(KeepTogether([*self._held, flowable]))
            self._held = []
        else:
            self._story.append(flowable)

    def _note(self, text: str) -> Table:
        words = re.sub(r"^Note:", f'<font name="{_BOLD}">Note:</font>', escape(text))
        note = Table([[Paragraph(words, self._styles["note"])]], colWidths=[_WIDTH - _HANG], hAlign="RIGHT")
        note.setStyle(
            [_CELL_FONT, ("BACKGROUND", (0, 0), (-1, -1), _NOTE_COLOUR), ("LEFTPADDING", (0, 0), (-1, -1), 8)]
        )
        return note

    def _table(self, rows: tuple[tuple[str, ...], ...]) -> Table:
        cells = [
            [Paragraph(escape(cell), self._styles["cell" if number else "head"]) for cell in row]
            for number, row in enumerate(rows)
        ]
        longest = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        narrow = [38.0 if length <= 3 else None for length in longest]
        shares = [0.0 if fixed else max(9.0, length) for fixed, length in zip(narrow, longest, strict=True)]
        free = _WIDTH - _HANG - sum(width or 0 for width in narrow)
        widths = [fixed or free * share / sum(shares) for fixed, share in zip(narrow, shares, strict=True)]
        table = Table(cells, colWidths=widths, repeatRows=1, hAlign="RIGHT")
        table.setStyle(
            [
                _CELL_FONT,
                ("GRID", (0, 0), (-1, -1), 0.5, _RULE_COLOUR),
                ("LINEBELOW", (0, 0), (-1, 0), 1.2, _DARK),
                ("VALIGN", (0, 0), (-1, -1), "MIDDLE"),
                ("TOPPADDING", (0, 0), (-1, -1), 3),
                ("BOTTOMPADDING", (0, 0), (-1, -1), 4),
            ]
        )
        return table


def main(folder: Path) -> None:
    """Write `rulebook.pdf` into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    fonts = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
    for name in (_FONT, _BOLD):
        pdfmetrics.registerFont(TTFont(name, fonts / f"{name}.ttf"))
    blocks = read(SOURCE.read_text(encoding="utf-8"))
    title, edition = blocks[0].text, blocks[1].text.rstrip(".")
    _Book(folder / "rulebook.pdf", title, edition).multiBuild(_Writer().story(blocks))


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
