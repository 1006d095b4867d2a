"""Markdown, reStructuredText, HTML and plain text to lines, by their structure.

Boxes count characters across and lines down; `lead` is 1 within a paragraph and 2 after a blank line.
"""

import re
from collections.abc import Sequence

from dqgen.rulebook.grid import Grid
from dqgen.rulebook.html import read_html
from dqgen.rulebook.lines import Line, clean
from dqgen.rulebook.reader import Source
from dqgen.rulebook.sheet import NOTES, Sheet

USUAL_LEAD = 1.2
_UNDERLINE = re.compile(r"^([=\-`:'\"~^_*+#<>.])\1{2,}\s*$")
_RUN = re.compile(r"\S+(?: {1,2}\S+)*")  # what three spaces part are cells
_CONTENTS = re.compile(r"^(?:table of )?contents$|^toc$", re.IGNORECASE)


def markup_lines(source: Source) -> tuple[list[Line], list[Grid]]:
    """The lines and tables of a text source in reading order."""
    readers = {"md": _markdown, "rst": _rest, "html": read_html, "txt": _plain}
    sheet = Sheet()
    readers[source.kind](source.text, sheet)
    _mark_contents(sheet.lines)
    return sheet.lines, sheet.grids


def _mark_contents(lines: Sequence[Line]) -> None:
    level = 0
    for line in lines:
        if line.heading and _CONTENTS.match(line.text):
            level = line.heading
            line.role = "contents"
        elif line.heading:
            level = 0
        elif level:
            line.role = "contents"


def _indent(raw: str) -> int:
    raw = raw.expandtabs(4)
    return len(raw) - len(raw.lstrip(" "))


# Markdown


def _inline(text: str) -> str:
    """The words of inline markup: links, emphasis, code, escapes."""
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)|!\[\[[^\]]*\]\]", "", text)
    text = re.sub(r"\[\[(?:[^\]|]*\|)?([^\]]*)\]\]", r"\1", text)
    text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*|__(.+?)__", lambda m: m[1] or m[2], text)
    text = re.sub(r"(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?![\w*])", r"\1", text)
    text = re.sub(r"`([^`]*)`", r"\1", text)
    text = re.sub(r"</?(?:sup|sub|b|i|em|strong|u|br|span|a)\b[^>]*>", "", text)
    return re.sub(r"\\([\\`*_{}\[\]()#+\-.!|<>])", r"\1", text)


def _markdown(text: str, sheet: Sheet) -> None:
    text = re.sub(r"\A---\n.*?\n---\n", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    rows: list[list[str]] = []
    ruled = False

    def flush() -> None:
        nonlocal rows, ruled
        if rows:
            sheet.table(rows, ruled)
        rows, ruled = [], False

    raws = text.splitlines()
    for at, raw in enumerate(raws):
        stripped = raw.strip()
        if stripped.startswith("|") and stripped.count("|") > 1:
            cells = [_inline(cell.replace("\\|", "¦")) for cell in stripped.strip("|").replace("\\|", "¦").split("|")]
            if all(re.fullmatch(r"\s*:?-{1,}:?\s*", cell) for cell in cells):
                ruled = bool(rows)
            else:
                rows.append([cell.replace("¦", "|") for cell in cells])
            continue
        flush()
        if not stripped or re.fullmatch(r"[-*_](?:\s*[-*_]){2,}|```.*|~~~.*", stripped):
            sheet.blank()
            continue
        heading = re.match(r"(#{1,6})\s+(.*?)\s*#*$", stripped)
        underlined = at + 1 < len(raws) and re.fullmatch(r"=+|-{3,}", raws[at + 1].strip())
        if heading:
            sheet.blank()
            sheet.add(_inline(heading[2]), heading=len(heading[1]))
            continue
        if underlined and stripped[0] not in "-*|>" and (not at or not raws[at - 1].strip()):
            sheet.blank()
            sheet.add(_inline(stripped), heading=1 if raws[at + 1].strip()[0] == "=" else 2)
            continue
        if re.fullmatch(r"=+", stripped):
            continue
        quoted = stripped.startswith(">")
        body = re.sub(r"^(?:>\s?)+", "", stripped) if quoted else stripped
        listed = bool(re.match(r"[-*+]\s+\*{0,2}\[\[?#|[-*+]\s+\*{0,2}\[[^\]]*\]\(#", body))
        whole = re.fullmatch(r"\*\*[^*]+\*\*:?", body) is not None
        sheet.add(
            _inline(body), _indent(raw), bold=whole, lead_bold=body.startswith(("**", "__")),
            role="contents" if listed else "note" if quoted else "body",
        )  # fmt: skip
    flush()


# reStructuredText


def _rest_inline(text: str) -> str:
    text = re.sub(r"\\ ?:[a-z:]+:`([^`]*)`\\? ?", r"\1", text)
    text = re.sub(r":[a-z:]+:`([^`<]*?)\s*(?:<[^`>]*>)?`", r"\1", text)
    text = re.sub(r"`([^`<]+?)\s*<[^`>]*>`__?", r"\1", text)
    text = re.sub(r"``([^`]*)``", r"\1", text)
    text = re.sub(r"`([^`]*)`_{0,2}", r"\1", text)
    text = re.sub(r"\*\*(.+?)\*\*", r"\1", text)
    text = re.sub(r"(?<![\w*])\*(?=\S)(.+?)(?<=\S)\*(?!\*)", r"\1", text)
    text = re.sub(r"\|(\S[^|]*)\|(?:_{1,2})?", r"\1", text)
    return re.sub(r"\\ ", "", re.sub(r"\\([*`|_\\])", r"\1", text))


def _rest(text: str, sheet: Sheet) -> None:
    raws = text.expandtabs(4).splitlines()
    levels: list[str] = []
    at = 0
    while at < len(raws):
        raw, stripped = raws[at], raws[at].strip()
        following = raws[at + 1].rstrip() if at + 1 < len(raws) else ""
        if not stripped:
            sheet.blank()
        elif stripped.startswith("+-") and stripped.endswith("+"):
            at = _grid_table(raws, at, sheet)
            continue
        elif re.match(r"^={2,}(?:\s+={2,})+$", stripped):
            at = _simple_table(raws, at, sheet)
            continue
        elif stripped.startswith(".. ") or stripped == "..":
            at = _directive(raws, at, sheet)
            continue
        elif _UNDERLINE.match(stripped) and not sheet.lines[-1:]:
            pass  # an overline
        elif _UNDERLINE.match(following) and len(following) >= 0.7 * len(stripped) and not _UNDERLINE.match(stripped):
            mark = following[0]
            if mark not in levels:
                levels.append(mark)
            sheet.blank()
            sheet.add(_rest_inline(stripped), heading=levels.index(mark) + 1)
            at += 1
        elif _UNDERLINE.match(stripped):
            sheet.blank()
        else:
            whole = re.fullmatch(r"\*\*[^*]+\*\*:?", stripped) is not None
            sheet.add(_rest_inline(stripped), _indent(raw), bold=whole, lead_bold=stripped.startswith("**"))
        at += 1


def _directive(raws: Sequence[str], at: int, sheet: Sheet) -> int:
    """Read a directive and what is indented below it; notes are kept as notes, pictures and the rest left
    out."""
    match = re.match(r"\s*\.\.\s+([a-z-]+)::\s*(.*)", raws[at])
    base = _indent(raws[at])
    end = at + 1
    while end < len(raws) and (not raws[end].strip() or _indent(raws[end]) > base):
        end += 1
    sheet.blank()
    if match and match[1] in NOTES:
        for raw in [match[2], *raws[at + 1 : end]]:
            if not re.match(r"\s+:[a-z]+:", raw):
                sheet.add(_rest_inline(raw), _indent(raw), role="note")
    elif match and match[1] in ("table", "container", "topic", "sidebar"):
        inner = Sheet()
        body = [raw for raw in raws[at + 1 : end] if not re.match(r"\s+:[a-z]+:", raw)]
        depth = min((_indent(raw) for raw in body if raw.strip()), default=0)
        _rest("\n".join(raw[depth:] for raw in body), inner)
        _append(sheet, inner)
    elif match and match[1] == "list-table":
        _list_table(raws[at + 1 : end], sheet)
    sheet.blank()
    return end


def _append(sheet: Sheet, inner: Sheet) -> None:
    offset, count = len(sheet.lines), len(sheet.grids)
    for line in inner.lines:
        line.table += count if line.table >= 0 else 0
    for grid in inner.grids:
        grid.lines = [i + offset for i in grid.lines]
    sheet.lines += inner.lines
    sheet.grids += inner.grids


def _list_table(raws: Sequence[str], sheet: Sheet) -> None:
    rows: list[list[str]] = []
    header = any(re.match(r"\s+:header-rows:\s*[1-9]", raw) for raw in raws)
    for raw in raws:
        match = re.match(r"\s*(?:(\*)\s+)?-\s+(.*)", raw)
        if match:
            if match[1]:
                rows.append([])
            if rows:
                rows[-1].append(_rest_inline(match[2]))
        elif rows and rows[-1] and raw.strip() and not raw.strip().startswith(":"):
            rows[-1][-1] += " " + _rest_inline(raw.strip())
    sheet.table(rows, header)


def _grid_table(raws: Sequence[str], at: int, sheet: Sheet) -> int:
    rows: list[list[str]] = [[]]
    header = False
    while at < len(raws) and raws[at].strip().startswith(("+", "|")):
        stripped = raws[at].strip()
        if stripped.startswith("+"):
            header = header or ("=" in stripped and len(rows) > 1)
            rows.append([])
        else:
            cells = [_rest_inline(cell.strip()) for cell in stripped.strip("|").split("|")]
            if len(rows[-1]) == len(cells):
                rows[-1] = [f"{a} {b}".strip() for a, b in zip(rows[-1], cells, strict=True)]
            elif rows[-1]:
                rows.append(cells)
            else:
                rows[-1] = cells
        at += 1
    sheet.table(rows, header or True)
    return at


def _simple_table(raws: Sequence[str], at: int, sheet: Sheet) -> int:
    rule = raws[at]
    spans = [(m.start(), m.end()) for m in re.finditer("=+", rule)]
    rows: list[list[str]] = []
    rules = 1
    at += 1
    while at < len(raws) and raws[at].strip():
        if re.match(r"^\s*={2,}(?:\s+={2,})+$", raws[at]):
            rules += 1
        else:
            last = len(spans) - 1
            rows.append(
                [_rest_inline(raws[at][a : None if n == last else b].strip()) for n, (a, b) in enumerate(spans)]
            )
        at += 1
    sheet.table(rows, rules > 2)
    return at


# Plain text


def _plain(text: str, sheet: Sheet) -> None:
    sheet.page = 1 if "\f" in text else 0
    for page in text.split("\f"):
        for raw in page.splitlines():
            sheet.add(raw, _indent(raw))
            runs = [*_RUN.finditer(raw.expandtabs(4))]
            if len(runs) > 1:
                sheet.lines[-1].cells = [(6.0 * run.start(), 6.0 * run.end(), clean(run.group())) for run in runs]
        if sheet.page:
            sheet.page += 1
            sheet.blank()
