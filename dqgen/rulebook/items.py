"""Lettered, numbered and bulleted items of a rule, with addresses: F.3.2.1.g, T1.1.11#2."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.rulebook.candidates import roman
from dqgen.rulebook.lines import Line
from dqgen.schemas.rulebook import Item

BULLETS = "•▪●○◦‣·∙■□➢✓–—*"
MARKER = re.compile(
    rf"^(?:(?P<bullet>[{BULLETS}-]|o(?=\s))|(?P<open>\()?(?P<label>[a-z]|[A-Z]|[ivx]{{1,5}}|\d{{1,2}})(?P<close>[.)]))(?:\s+|$)"
)


@dataclass(slots=True)
class _Open:
    style: str
    count: int
    item: Item
    x: float  # where its words begin


def read_items(rule_id: str, lines: Sequence[Line], usual_lead: float, markers: str = "") -> list[Item]:
    """The items of a rule.

    Args:
        rule_id: what the addresses begin with.
        lines: the rule's lines without the number; table rows have the role `table` and their cells.
        usual_lead: distance of baselines within a paragraph, in type sizes.
        markers: further bullet signs, from a profile.
    """
    items: list[Item] = []
    stack: list[_Open] = []
    before, edge, table = "", 0.0, False  # the line before, and whether an item goes on in a table
    for line in lines:
        inset = not line.page and line.x > edge + 3  # markup sets lists in
        led, table = before.endswith(":") or inset, table and line.role == "table"
        marker = _marker(line, stack, markers, led)
        before, edge = line.text, line.x
        if marker is not None:
            style, label, text, x = marker
            while stack and all(entry.style != style for entry in stack[-1:]) and _known(stack, style):
                stack.pop()
            count = 1
            if stack and stack[-1].style == style:
                count = stack.pop().count + 1
            parent = stack[-1].item.id if stack else rule_id
            name = f"#{count}" if style == "bullet" or style.startswith("bullet") else f".{_name(label)}"
            item = Item(id=parent + name, label=label, text=text, level=len(stack), cells=[])
            if line.role == "table":
                item.cells = [cell[2] for cell in line.cells]
            stack.append(_Open(style, count, item, x))
            items.append(item)
        elif stack and line.role == "table" and not (led or table or _stands_in(line, stack[-1])):
            continue  # a table of the rule, not of its last item
        elif stack:
            paragraph = line.lead > usual_lead * 1.1
            while stack and line.x < stack[-1].x - 3 and paragraph:
                stack.pop()
            if stack and (not paragraph or line.x >= stack[-1].x - 3):
                stack[-1].item.text = f"{stack[-1].item.text}\n{line.text}".strip()
                table = line.role == "table"
    return items


def _stands_in(line: Line, item: _Open) -> bool:
    """Whether a table stands where the words of an item do: below them on a page, indented more in markup."""
    return abs(line.x - item.x) < 3 if line.page else line.x > item.x + 3


def _known(stack: Sequence[_Open], style: str) -> bool:
    return any(entry.style == style for entry in stack)


def _marker(line: Line, stack: Sequence[_Open], markers: str, led: bool) -> tuple[str, str, str, float] | None:
    """Style, label, words and their left edge, if the line begins an item that continues or opens a list; `led`
    tells that the words before lead in to one."""
    text = line.text
    if markers and text[:1] in markers:
        return "bullet" + text[0], text[0], text[1:].strip(), _inner_edge(line)
    match = MARKER.match(text)
    if match is None:
        return None
    words = text[match.end() :].strip()
    if match["bullet"]:
        sign = match["bullet"]
        if sign in "–—*-o" and not words[:1].strip():
            return None
        return "bullet" + sign, sign, words, _inner_edge(line)
    label = match["label"]
    fence = ("(" if match["open"] else "") + match["close"]
    for kind, value in _readings(label):
        style = kind + fence
        for entry in reversed(stack):
            if entry.style == style and entry.count + 1 == value:
                return style, match.group().strip(), words, _inner_edge(line)
    for kind, value in _readings(label):
        sentence_end = kind == "digit" and fence == "." and not words[:1].isupper() and not led
        if value == 1 and not sentence_end:
            return kind + fence, match.group().strip(), words, _inner_edge(line)
    return None


def _readings(label: str) -> list[tuple[str, int]]:
    if label.isdigit():
        return [("digit", int(label))]
    readings = []
    if len(label) == 1:
        kind = "lower" if label.islower() else "upper"
        readings.append((kind, ord(label.lower()) - ord("a") + 1))
    if set(label) <= set("ivx"):
        readings.append(("roman", roman(label)))
    return readings


def _inner_edge(line: Line) -> float:
    if len(line.cells) > 1 and len(line.cells[0][2]) <= 5:
        return line.cells[1][0]
    return line.x + 1


def _name(label: str) -> str:
    return label.strip("().")
