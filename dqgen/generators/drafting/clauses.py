"""The words around each limit of a rulebook."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dqgen.schemas.rulebook import Quantity, Rule

_ITEM = r"(?:\([a-z0-9]{1,3}\)|[a-z]{1,2}[.)]|\d{1,2}[.)]|[•▪◦–\ufffd-])\s"
_ANEW = r"(?<=[\w)])\s+(?=(?:The|Each|All|Any|No)\s)"  # a sentence after one whose full stop is lost
_BREAK = re.compile(rf"(?<=[.;:!?])\s+(?=[A-Z(•▪◦])|\n(?={_ITEM})|{_ANEW}")
_FULL_STOP = re.compile(rf"(?<=[.;!?])\s+(?=[A-Z(•▪◦])|{_ANEW}")
_STRONG = re.compile(r"[,;]\s+(?:and|but|or|while)\s+|;\s+")
_WEAK = re.compile(r",?\s+(?:and|but|or|while|with)\s+|,\s+")
_PAIR = re.compile(r"\bbetween\b(?:(?!\band\b).)*$")
_REFERS = re.compile(
    r"(?:the|this|that|their|its) (?:distance|difference|gap|height|angle|width|length)s?\b"
    r"(?! (?:of|between|from) (?:the|an?|each|any)\b)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Clause:
    """A limit and what is said around it.

    Attributes:
        rule: that states it.
        address: of the rule, or of the item that it stands in.
        quantity: the limit.
        text: the sentence or item, or for a table its row and the head of the column.
        at: where the number stands in it.
        part: start and end of what belongs to this limit in it, where it has several.
        others: the other quantities of the text.
        lead: what leads in to an item; empty for others.
        before: the sentences before, the nearest first.
        row: the cell of a table's row that says what it is about; empty for others.
        above: titles that may name the subject if nothing else does, the nearest first.
    """

    rule: Rule
    address: str
    quantity: Quantity
    text: str
    at: int
    part: tuple[int, int]
    others: tuple[Quantity, ...]
    lead: str
    before: tuple[str, ...]
    above: tuple[str, ...]
    row: str = ""

    @property
    def near(self) -> str:
        """The words that belong to this limit."""
        return self.text[slice(*self.part)]


def clauses(rules: Mapping[str, Rule]) -> Iterator[Clause]:
    """All limits with the words around them, in reading order."""
    for rule in rules.values():
        above = [rule.title]
        parent = rules.get(rule.parent or "")
        while parent is not None and len(above) < 3:
            above.append(parent.title)
            parent = rules.get(parent.parent or "")
        titles = tuple(filter(None, above))
        for quantity in rule.quantities:
            if quantity.role == "limit":
                yield _row(rule, quantity, titles) or _sentence(rule, quantity, titles)


def _sentence(rule: Rule, quantity: Quantity, titles: tuple[str, ...]) -> Clause:
    start, end = _around(rule.text, quantity)
    text = _flat(rule.text[start:end])
    inside = [other for other in rule.quantities if start <= other.start < end]
    part = _part(text, [(other.start - start, other.end - start) for other in inside], inside.index(quantity))
    before = _before(rule, quantity, start)
    at = quantity.start - start
    if before and not quantity.item and _REFERS.match(text):
        shift = len(before[0]) + 1
        text, at, part = f"{before[0]} {text}", at + shift, (0, part[1] + shift)
        before = before[1:]
    others = tuple(other for other in inside if other is not quantity)
    address = quantity.item or rule.id
    return Clause(rule, address, quantity, text, at, part, others, _lead(rule, quantity), before, titles)


def _around(text: str, quantity: Quantity) -> tuple[int, int]:
    start = max((m.end() for m in _BREAK.finditer(text, 0, quantity.start)), default=0)
    found = _BREAK.search(text, quantity.end)
    return start, found.start() if found else len(text)


def _flat(text: str) -> str:
    return re.sub(r"\s", " ", text)


def _lead(rule: Rule, quantity: Quantity) -> str:
    """The sentence that leads in to an item."""
    return _flat(_sentences(_preamble(rule))[-1]) if quantity.item else ""


def _preamble(rule: Rule) -> str:
    """What stands before the items of a rule."""
    return re.split(rf"(?:^|\n)(?={_ITEM})", rule.text)[0]


def _before(rule: Rule, quantity: Quantity, start: int) -> tuple[str, ...]:
    """The sentences before, the nearest first: of an item those before its lead."""
    if quantity.item:
        return tuple(_flat(each) for each in reversed(_sentences(_preamble(rule))[:-1]))
    return tuple(_flat(each) for each in reversed(_sentences(rule.text[:start]))) if start else ()


def _sentences(text: str) -> list[str]:
    return [each for each in _FULL_STOP.split(text) if each.strip()] or [""]


def _part(text: str, spans: Sequence[tuple[int, int]], index: int) -> tuple[int, int]:
    """What belongs to one of several limits: up to the conjunctions between them."""

    def cut(left: tuple[int, int], right: tuple[int, int]) -> re.Match[str] | None:
        strong = _STRONG.search(text, left[1], right[0])
        weak = [m for m in _WEAK.finditer(text, left[1], right[0]) if not _PAIR.search(text[left[1] : m.start()])]
        return strong or (weak[-1] if weak else None)

    first = cut(spans[index - 1], spans[index]) if index else None
    last = cut(spans[index], spans[index + 1]) if index + 1 < len(spans) else None
    return first.end() if first else 0, last.start() if last else len(text)


def _row(rule: Rule, quantity: Quantity, titles: tuple[str, ...]) -> Clause | None:
    """A limit in a table: the words of its own row, then the head of its column."""
    start = rule.text.rfind("\n", 0, quantity.start) + 1
    end = rule.text.find("\n", quantity.end)
    line = _flat(rule.text[start : end if end >= 0 else len(rule.text)])
    for table in rule.tables:
        for cells in table.rows:
            flat = [" ".join(cell.split()) for cell in cells]
            shown = " ".join(filter(None, flat))
            if not shown or shown not in " ".join(line.split()):
                continue
            at = quantity.start - start - line.index(shown.split()[0])
            column = _column(flat, at)
            words = [cell for cell in flat if re.search(r"[^\W\d_]{3}", cell)]
            named = [cell for cell in words[1:] if not re.search(r"\d", cell) and cell != flat[column]]
            head = table.header[column] if column < len(table.header) else ""
            text = ", ".join([*words[:1], *named]) + f": {head} "
            inside, about = text + flat[column], next(iter(words), "")
            address, part = quantity.item or rule.id, (0, len(inside))
            return Clause(rule, address, quantity, inside, len(text), part, (), "", (), titles, about)
    return None


def _column(cells: Sequence[str], at: int) -> int:
    """Of cells that are joined by spaces, the one that a place stands in."""
    end = 0
    for column, cell in enumerate(cells):
        end += len(cell) + bool(cell)
        if at < end:
            return column
    return len(cells) - 1
