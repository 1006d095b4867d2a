"""From numbered lines to rules: their text, titles, items, tables and places on the page."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from dqgen.rulebook.candidates import Candidate
from dqgen.rulebook.grid import Grid
from dqgen.rulebook.items import MARKER, read_items
from dqgen.rulebook.lines import Line, usual_size
from dqgen.rulebook.numbering import Numbering
from dqgen.rulebook.profile import Profile
from dqgen.schemas.rulebook import Kind, PageBox, Rule, Table

STOP = re.compile(r"^(?:APPENDIX|Appendix|ANNEX|Annex|EXHIBIT|Exhibit|ATTACHMENT|Attachment|GLOSSARY|Glossary)\b")
PART = re.compile(r"^(?:PART|CHAPTER|DIVISION|SUBPART|SECTION)\s+(?:\d{1,2}|[IVXLC]{1,5}|[A-Z])\b")
_NOTE = re.compile(r"^\s*(?:NOTES?|Notes?|ADVISORY|Advisory|Clarification|Explanation)\b\s*\d*\s*[:.–-]", re.M)
_VERB = re.compile(
    r"\b(?:must|shall|may|should|will|is|are|has|have|be|can|cannot|was|were|does|do|means|apply|applies|use|see|"
    r"refer|provide|give|submit|include|includes|contact|ensure)\b|[=;]",
    re.IGNORECASE,
)
_RUN_IN = re.compile(r"^(?P<title>[A-Z0-9\[“\"][^.:;]{1,58}?)(?:\s+[–—-]\s+|[.:]\s+)(?=[A-Z\[“\"(])")


@dataclass(slots=True)
class _Block:
    """A rule under way: its head and the indices of the lines below it."""

    id: str
    kind: Kind
    head: Candidate | None
    first: int
    title: str = ""
    lines: list[int] = field(default_factory=list)


def build_rules(
    lines: Sequence[Line],
    numbering: Numbering,
    grids: Sequence[Grid],
    labels: dict[int, str],
    usual_lead: float,
    profile: Profile,
) -> list[Rule]:
    """The rules of the document in reading order.

    Args:
        lines: the document's lines with their roles.
        numbering: the heads among them.
        grids: the tables.
        labels: page labels by page number.
        usual_lead: distance of baselines within a paragraph, in type sizes.
        profile: the document's oddities.
    """
    look = _Look.of(lines, usual_lead)
    blocks = _blocks(lines, numbering, look, profile)
    ids = {block.id for block in blocks}
    has_children = {p for p in (_parent_of(block, ids, numbering.separator) for block in blocks) if p}
    vocabulary = _vocabulary(lines) if profile.hyphenation == "join" else None
    occurrences: Counter[str] = Counter()
    rules: list[Rule] = []
    section: str | None = None
    for order, block in enumerate(blocks):
        occurrences[block.id] += 1
        parent = _parent_of(block, ids, numbering.separator)
        if block.head is not None and not block.head.prefix and numbering.sections:
            section = block.id
        elif parent is None and section is not None and block.kind != "part":
            parent = section
        rule = _rule(block, lines, grids, look, vocabulary, profile, block.id in has_children)
        rule.parent, rule.order, rule.occurrence = parent, order, occurrences[block.id]
        rule.page_label = labels.get(rule.page, "")
        rule.kind = _kind(block, rule, block.id in has_children)
        rules.append(rule)
    return rules


@dataclass(frozen=True, slots=True)
class _Look:
    """How running text of the document looks."""

    size: float
    width: float
    bold: bool
    lead: float
    marked_up: bool

    @classmethod
    def of(cls, lines: Sequence[Line], usual_lead: float) -> "_Look":
        body = [line for line in lines if line.role == "body"]
        widths = sorted(line.box[2] - line.x for line in body)
        bold = sum(line.bold for line in body) > 0.4 * max(1, len(body))
        return cls(
            usual_size(body),
            widths[int(0.9 * len(widths))] if widths else 400.0,
            bold,
            usual_lead,
            any(line.heading for line in lines),
        )

    def is_heading(self, line: Line) -> bool:
        """Whether the line is set apart from running text by markup, weight or size."""
        return bool(line.heading) or (line.bold and not self.bold) or line.size >= 1.15 * self.size


def format_id(head: Candidate, separator: str) -> str:
    """The normal form of a number: one separator between letters and figures, no spaces."""
    digits = head.digits.strip(".")
    return f"{head.prefix}{separator if head.prefix else ''}{digits}"


def _blocks(lines: Sequence[Line], numbering: Numbering, look: _Look, profile: Profile) -> list[_Block]:
    heads = {head.line: head for head in sorted([*numbering.heads, *numbering.sections], key=lambda c: c.line)}
    parts = _part_heads(lines, numbering, look)
    part_lines = {i for first, last, _, _ in parts for i in range(first, last + 1)}
    starts = {first: (last, letter, title) for first, last, letter, title in parts}
    blocks: list[_Block] = []
    current: _Block | None = None
    stop = re.compile(profile.stop) if profile.stop else None
    for index, line in enumerate(lines):
        if line.role not in ("body", "table", "note"):
            continue
        if index in heads:
            head = heads[index]
            current = _Block(format_id(head, numbering.separator), "rule", head, index)
            blocks.append(current)
        elif index in starts:
            _, letter, title = starts[index]
            current = _Block(letter, "part", None, index, title)
            blocks.append(current)
        elif index in part_lines or current is None:
            continue
        elif _stops(line, look, stop, current, lines):
            current = None
        else:
            current.lines.append(index)
    for block in blocks:
        _drop_running_title(block, lines, look, parts)
        _drop_subheading(block, lines, look, heads)
    return blocks


def _stops(line: Line, look: _Look, stop: re.Pattern[str] | None, block: _Block, lines: Sequence[Line]) -> bool:
    """Whether a line without a number ends the rule above it: an appendix, or a heading of a higher rank."""
    if stop is not None and stop.search(line.text):
        return True
    if PART.match(line.text) and line.text.isupper() and len(line.text) < 90 and block.lines:
        return True
    if STOP.match(line.text) and len(line.text) < 90:
        return look.is_heading(line) or line.text.isupper() or line.lead > 2 * look.lead
    first = lines[block.first]
    if line.heading:
        return line.heading <= (first.heading or 6)
    return (
        line.size >= 1.2 * look.size
        and line.size >= first.size
        and line.bold
        and line.lead > look.lead * 1.1
        and bool(block.lines)
    )


def _part_heads(lines: Sequence[Line], numbering: Numbering, look: _Look) -> list[tuple[int, int, str, str]]:
    """Headings of parts: first and last line, letter, title. "PART B …" wherever it stands; else a line of
    the letter itself shortly before the first number with it."""
    first: dict[str, int] = {}
    for head in numbering.heads:
        if head.prefix:
            first.setdefault(head.prefix, head.line)
    by_line = sorted(head.line for head in numbering.heads)
    named = {index: (letter, title) for index, letter, title in numbering.parts}
    found = []
    for letter, line in first.items():
        at = next((i for i in sorted(named, reverse=True) if i < line and named[i][0] == letter), None)
        if at is not None and bisect_right(by_line, at) == bisect_right(by_line, line - 1):
            found.append((at, letter, named[at][1]))
            continue
        gap = "" if len(letter) > 3 else r"|\s+"  # "FLUID POWER" is no part FLUID
        pattern = re.compile(rf"^{re.escape(letter)}(?:\s*[-–—:.]\s*{gap})(?P<title>[A-Z][^.]*)$")
        for index in range(line - 1, max(-1, line - 12), -1):
            if index in by_line:
                break
            match = pattern.match(lines[index].text) if lines[index].role == "body" else None
            if match and (look.is_heading(lines[index]) or match["title"].isupper()):
                found.append((index, letter, match["title"].strip()))
                break
    result = []
    for at, letter, title in sorted(found):
        last = at
        while last + 1 < len(lines) and _continues_heading(lines[last], lines[last + 1], look):
            last += 1
            if last in by_line:
                last -= 1
                break
            title = f"{title} {lines[last].text}".strip()
        result.append((at, last, letter, title))
    return result


def _continues_heading(line: Line, following: Line, look: _Look) -> bool:
    return (
        following.role == "body"
        and following.page == line.page
        and abs(following.size - line.size) < 1
        and following.bold == line.bold
        and look.is_heading(following)
        and not line.heading
        and following.lead < 1.35 * look.lead
    )


def _drop_running_title(
    block: _Block,
    lines: Sequence[Line],
    look: _Look,
    parts: Sequence[tuple[int, int, str, str]],
) -> None:
    """A document's title repeated above the heading of a part is no text of the rule before it."""
    starts = {first for first, _, _, _ in parts}
    while block.lines:
        last = block.lines[-1]
        nearest = next((i for i in range(last + 1, len(lines)) if lines[i].role == "body"), None)
        loud = look.is_heading(lines[last]) or lines[last].text.isupper()
        if nearest in starts and lines[last].page == lines[nearest or 0].page and loud:
            block.lines.pop()
            starts.add(last)
        else:
            break


def _drop_subheading(block: _Block, lines: Sequence[Line], look: _Look, heads: Container[int]) -> None:
    """A heading without a number stands above the next rule, and is no text of the one before."""
    if not block.lines or (len(block.lines) == 1 and block.head is not None and not block.head.rest):
        return  # it is the title of this one
    last = lines[block.lines[-1]]
    following = next((i for i in range(block.lines[-1] + 1, len(lines)) if lines[i].role == "body"), None)
    above = lines[block.lines[-1] - 1]
    apart = last.lead > 1.15 * look.lead or last.page != above.page or above.text.endswith((".", ";", "!", "?"))
    set_apart = look.is_heading(last) if last.page else last.text.isupper() and not look.marked_up
    loud = last.role == "body" and set_apart and len(last.cells) <= 1
    if following in heads and loud and apart and _is_title(last.text) and not MARKER.match(last.text):
        block.lines.pop()


def _parent_of(block: _Block, ids: set[str], separator: str) -> str | None:
    head = block.head
    if head is None:
        return None
    digits = head.digits.strip(".").split(".")
    while len(digits) > 1:
        digits = digits[:-1]
        above = f"{head.prefix}{separator if head.prefix else ''}{'.'.join(digits)}"
        if above in ids:
            return above
    return head.prefix if head.prefix in ids else None


def _kind(block: _Block, rule: Rule, has_children: bool) -> Kind:
    if block.head is None:
        return "part"
    if block.head.word.lower() in ("article", "chapter"):
        return "chapter"
    if not has_children:
        return "section" if not block.head.prefix and not rule.text and rule.title else "rule"
    return "chapter" if len(block.head.numbers) == 1 else "section"


def _rule(
    block: _Block,
    lines: Sequence[Line],
    grids: Sequence[Grid],
    look: _Look,
    vocabulary: set[str] | None,
    profile: Profile,
    has_children: bool,
) -> Rule:
    own = [block.first, *block.lines]
    notes = _paragraphs([lines[i] for i in block.lines if lines[i].role == "note"], look)
    if block.head is None:
        rest, title, body = "", block.title, [lines[i] for i in block.lines if lines[i].role != "note"]
    else:
        body = [lines[i] for i in block.lines if lines[i].role != "note"]
        rest, title, body = _title(block, lines[block.first], body, look, profile, has_children)
    if rest:
        body = [_first_line(lines[block.first], rest), *body]
    body, tables = _with_tables(body, grids)
    texts = [line.text for line in body]
    text = "\n".join(_dehyphenated(texts, vocabulary) if vocabulary is not None else texts).strip()
    if not title and (match := _RUN_IN.match(text)) and _is_title(match["title"]) and profile.titles != "none":
        first, _, more = match["title"].strip("[]“”\"' ").partition("\n")
        title = first if len(first) < 30 else f"{first} {more}".strip()  # "Gloves" above text, or a title that wraps
    notes += list(_note_paragraphs(body, look))
    return Rule(
        id=block.id,
        printed=block.head.printed if block.head else lines[block.first].text,
        parent=None,
        kind="rule",
        title=title,
        text=text,
        items=read_items(block.id, body, look.lead, profile.list_markers),
        tables=tables,
        notes=notes,
        page=lines[block.first].page,
        spans=_spans([lines[i] for i in own]),
        references=[],
        quantities=[],
        order=0,
    )


def _first_line(line: Line, rest: str) -> Line:
    """The head's line without its number."""
    cells = line.cells[1:] if len(line.cells) > 1 else line.cells
    x = cells[0][0] if cells else line.x
    if cells and not cells[0][2].startswith(rest[:1]):
        cells = [(x, line.box[2], rest)]
    return replace(line, text=rest, box=(x, *line.box[1:]), cells=cells, lead=line.lead)


def _title(
    block: _Block, first: Line, body: list[Line], look: _Look, profile: Profile, has_children: bool
) -> tuple[str, str, list[Line]]:
    """Part the head's line into title and text; a title may go on in the next line."""
    assert block.head is not None
    rest = block.head.rest
    if profile.titles == "none" or not rest:
        if not rest and body and look.is_heading(first) and look.is_heading(body[0]) and not first.heading:
            return "", body[0].text, body[1:]
        return rest, "", body
    loud = look.is_heading(first) or bool(block.head.word)
    following = body[0] if body else None
    runs_on = following is not None and not following.bold and following.text[:1].islower()
    if loud and (first.heading or (len(rest) < 160 and not runs_on)):
        title = rest
        while body and _continues_heading(first, body[0], look) and not MARKER.match(body[0].text):
            title = f"{title} {body[0].text}"
            first, body = body[0], body[1:]
        # A rule set in bold throughout is text, however loud.
        if not (_VERB.search(title) and title.endswith(".") and not first.heading):
            return "", title, body
        return rest, "", list(body)
    if following is None and has_children and profile.titles == "auto" and _is_title(rest):
        return "", rest, body  # nothing but a name above its rules
    if profile.titles == "heading" or following is None:
        return rest, "", body
    apart = following.lead > look.lead * 1.1 or following.page != first.page or bool(MARKER.match(following.text))
    starts = following.text[:1].isupper() or bool(MARKER.match(following.text)) or not following.text[:1].isalpha()
    short = first.box[2] - first.x < 0.75 * look.width or len(rest) < 50
    if apart and starts and short and _is_title(rest):
        return "", rest, body
    return rest, "", body


def _is_title(text: str) -> bool:
    """Words of a title: few, with capitals, without a finite verb or a full stop."""
    words = re.findall(r"[A-Za-z][\w’'-]*", text)
    if not words or len(words) > 10 or text.rstrip().endswith((".", ":", ";", ",")) or _VERB.search(text):
        return False
    long_words = [word for word in words if len(word) > 3]
    capitals = sum(word[0].isupper() for word in long_words)
    return bool(capitals >= 0.5 * len(long_words))


def _with_tables(body: list[Line], grids: Sequence[Grid]) -> tuple[list[Line], list[Table]]:
    """Replace the lines of a table by one line a row, so that the text reads row by row."""
    out: list[Line] = []
    tables: list[Table] = []
    done: set[int] = set()
    for line in body:
        if line.table < 0:
            out.append(line)
            continue
        if line.table in done:
            continue
        done.add(line.table)
        grid = grids[line.table]
        tables.append(Table(header=grid.header, rows=grid.rows, page=grid.page, box=_rounded(grid.box)))
        for row in [grid.header, *grid.rows]:
            text = " ".join(cell for cell in row if cell)
            cells = [(grid.box[0] + n, grid.box[0] + n, cell) for n, cell in enumerate(row)]
            out.append(Line(text, grid.page, grid.box, line.size, lead=2.0, cells=cells, role="table"))
    return out, tables


def _vocabulary(lines: Sequence[Line]) -> set[str]:
    words: set[str] = set()
    for line in lines:
        words.update(re.findall(r"[a-z]+(?:-[a-z]+)*(?![a-z-]*$)", line.text.lower()))
    return words


def _dehyphenated(texts: Sequence[str], vocabulary: set[str]) -> list[str]:
    """Resolve hyphens at line ends where the whole word is one that the document uses; keep compounds."""
    out = list(texts)
    for n in range(len(out) - 1):
        if not out[n].endswith(("-", "\xad")):
            continue
        end = re.search(r"([A-Za-z]+(?:-[A-Za-z]+)*)([-\xad])$", out[n])
        start = re.match(r"([a-z]+(?:-[a-z]+)*)\S*\s*", out[n + 1])
        if not end or not start:
            continue
        head, tail = end[1], start[1]
        whole, compound = (head + tail).lower(), f"{head}-{tail}".lower()
        fragment = head.lower() not in vocabulary or tail not in vocabulary
        if end[2] == "\xad" or (compound not in vocabulary and (whole in vocabulary or fragment)):
            out[n] = out[n][:-1] + start[0].rstrip()  # the whole word goes to the line where it began
            out[n + 1] = out[n + 1][start.end() :]
    return [text.replace("\xad", "") for text in out if text]


def _paragraphs(lines: Sequence[Line], look: _Look) -> list[str]:
    out: list[str] = []
    for line in lines:
        if out and line.lead <= look.lead * 1.1:
            out[-1] += "\n" + line.text
        else:
            out.append(line.text)
    return out


def _note_paragraphs(body: Sequence[Line], look: _Look) -> list[str]:
    return [p for p in _paragraphs(body, look) if _NOTE.match(p)]


def _spans(lines: Sequence[Line]) -> list[PageBox]:
    """One box a page and column that the rule stands in."""
    spans: list[PageBox] = []
    bottom = 0.0
    for line in lines:
        if not line.page:
            continue
        x0, y0, x1, y1 = line.box
        if spans and spans[-1].page == line.page and y0 > bottom - 3 * line.size:
            a = spans[-1].box
            spans[-1].box = _rounded((min(a[0], x0), min(a[1], y0), max(a[2], x1), max(a[3], y1)))
        else:
            spans.append(PageBox(page=line.page, box=_rounded(line.box)))
        bottom = y0
    return spans


def _rounded(box: tuple[float, float, float, float]) -> tuple[float, float, float, float]:
    return (round(box[0], 1), round(box[1], 1), round(box[2], 1), round(box[3], 1))
