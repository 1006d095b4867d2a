"""HTML to lines by its structure: headings, paragraphs, lists, tables and notes."""

import re
from collections.abc import Iterator
from typing import Any

from dqgen.rulebook.lines import Role
from dqgen.rulebook.sheet import NOTES, Sheet

_SKIPPED = {"script", "style", "nav", "noscript", "svg", "template", "form", "button", "iframe", "head"}
_BLOCKS = {
    "p",
    "div",
    "section",
    "article",
    "main",
    "ul",
    "ol",
    "li",
    "dl",
    "dt",
    "dd",
    "table",
    "tr",
    "blockquote",
    "pre",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "figure",
    "figcaption",
    "aside",
    "header",
    "footer",
    "body",
    "html",
    "center",
    "details",
    "summary",
    "hr",
    "fieldset",
    "address",
    "tbody",
    "thead",
    "caption",
}


def read_html(text: str, sheet: Sheet) -> None:
    import lxml.etree
    import lxml.html

    # The declaration would make lxml refuse a text that is decoded already.
    text = re.sub(r"<\?xml[^>]*\?>", "", text)
    if text.strip():
        try:
            root = lxml.html.document_fromstring(text)
        except lxml.etree.ParserError:  # nothing but broken tags or comments
            return
        body = root.find("body")
        _element(root if body is None else body, sheet, 0, "body")


def _element(node: Any, sheet: Sheet, depth: int, role: Role) -> None:
    tag = node.tag if isinstance(node.tag, str) else ""
    if tag in _SKIPPED or not tag or (tag in ("header", "footer") and node.getparent().tag == "body"):
        return
    if tag == "table":
        _html_table(node, sheet, depth, role)
        return
    if tag == "figcaption":
        sheet.add(node.text_content(), depth, role="caption")
        return
    classes = f"{node.get('class', '')} {node.get('id', '')}".lower().replace("-", " ").replace("_", " ").split()
    if tag in ("aside", "blockquote") or any(name in classes for name in (*NOTES, "advisory", "bluebox", "footnotes")):
        role = "note"
    if "footer" in classes and node.getparent().tag == "body":
        return
    if any(name in classes for name in ("toc", "contents", "tableofcontents")):
        role = "contents"
    if tag in ("ol", "ul"):
        _html_list(node, sheet, depth, role)
        return
    heading = int(tag[1]) if re.fullmatch("h[1-6]", tag) else 0
    sheet.blank()
    pieces = [*_pieces(node)]
    for piece in pieces:
        if isinstance(piece, str):
            strong = piece.startswith("\x02")
            sheet.add(piece.replace("\x02", ""), depth, heading, lead_bold=strong, role=role)
        else:
            _element(piece, sheet, depth, role)
    sheet.blank()


def _pieces(node: Any) -> Iterator[Any]:
    """Runs of inline text and block elements in order; a line break parts runs."""
    buffer = [""]

    def walk(element: Any) -> Iterator[Any]:
        if element.text:
            buffer[0] += re.sub(r"\s+", " ", element.text)
        for child in element:
            tag = child.tag if isinstance(child.tag, str) else ""
            if tag in _BLOCKS:
                if buffer[0].strip():
                    yield buffer[0].strip()
                buffer[0] = ""
                yield child
            elif tag == "br":
                if buffer[0].strip():
                    yield buffer[0].strip()
                buffer[0] = ""
            elif tag and tag not in _SKIPPED:
                if tag in ("b", "strong") and not buffer[0].strip():
                    buffer[0] += "\x02"
                yield from walk(child)
            if child.tail:
                buffer[0] += re.sub(r"\s+", " ", child.tail)

    yield from walk(node)
    if buffer[0].strip():
        yield buffer[0].strip()


def _within(node: Any) -> Iterator[Any]:
    """The pieces of a list item, those of its paragraphs among them."""
    for piece in _pieces(node):
        if isinstance(piece, str) or piece.tag != "p":
            yield piece
        else:
            yield from _pieces(piece)


_LIST_STYLES = {"lower-alpha": "a", "upper-alpha": "A", "lower-roman": "i", "upper-roman": "I"}


def _html_list(node: Any, sheet: Sheet, depth: int, role: Role) -> None:
    style = re.search(r"list-style(?:-type)?:\s*([a-z-]+)", node.get("style", ""))
    kind = node.get("type") or _LIST_STYLES.get(style[1] if style else "", "1")
    start = node.get("start") or "1"
    number = int(start) if start.isdigit() else 1
    for child in node:
        if child.tag != "li":
            if isinstance(child.tag, str):
                _element(child, sheet, depth + 2, role)
            continue
        marker = _list_label(kind, number) if node.tag == "ol" else "•"
        number += 1
        sheet.blank()
        for piece in _within(child):
            if isinstance(piece, str):
                words = piece.replace("\x02", "")
                own = re.match(r"(?:\(?[A-Za-z0-9]{1,3}[.)]\s|[A-Z]{0,3}\d+\.\d)", words)
                sheet.add(words if own or not marker else f"{marker} {words}", depth + 2, role=role)
                marker = ""
            else:
                _element(piece, sheet, depth + 2, role)


def _list_label(kind: str, number: int) -> str:
    if kind in "aA" and 1 <= number <= 26:
        return chr(ord(kind) + number - 1) + "."
    if kind in "iI" and 1 <= number <= 20:
        tens, ones = divmod(number, 10)
        label = "x" * tens + ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"][ones]
        return (label if kind == "i" else label.upper()) + "."
    return f"{number}."


def _html_table(node: Any, sheet: Sheet, depth: int, role: Role) -> None:
    rows = node.xpath("./tr|./thead/tr|./tbody/tr|./tfoot/tr")
    blocks = any(len(cell.xpath(".//p|.//li|.//h1|.//h2|.//h3|.//h4")) > 3 for row in rows for cell in row)
    if blocks or node.get("role") == "presentation":
        for row in rows:  # a table used for layout
            for cell in row:
                _element(cell, sheet, depth, role)
        return
    for caption in node.xpath("./caption"):
        sheet.add(caption.text_content(), depth, role="caption")
    texts = [[" ".join(cell.text_content().split()) for cell in row if isinstance(cell.tag, str)] for row in rows]
    header = bool(rows) and (bool(rows[0].xpath("./th")) or rows[0].getparent().tag == "thead")
    sheet.table(texts, header, role)
