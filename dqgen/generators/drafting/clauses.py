"""The words around each limit of a rulebook."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from dqgen.schemas.rulebook import Quantity, Rule

_BREAK = re.compile(r"(?<=[.;:!?])\s+(?=[A-Z(])|\n(?=(?:\([a-z0-9]{1,3}\)|[a-z]{1,2}[.)]|\d{1,2}[.)]|[•▪◦–-])\s)")

_REFERS = re.compile(
    r"(?:the|this|their|its) (?:distance|difference|gap|height|angle|width|length)s?\b|it\b", re.IGNORECASE
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
        lead: what leads in to an item; empty for others.
        above: what may name the subject if the text does not, the nearest first.
    """

    rule: Rule
    address: str
    quantity: Quantity
    text: str
    at: int
    lead: str
    above: tuple[str, ...]


def clauses(rules: Mapping[str, Rule]) -> Iterator[Clause]:
    """All limits with the words around them, in reading order."""
    for rule in rules.values():
        above = [rule.title]
        parent = rules.get(rule.parent or "")
        while parent is not None and len(above) < 3:
            above.append(parent.title)
            parent = rules.get(parent.parent or "")
        for quantity in rule.quantities:
            if quantity.role != "limit":
                continue
            text, at = _row(rule, quantity) or _sentence(rule, quantity)
            lead = re.split(r"\n(?=\S{1,4}[.)] |[•▪◦–-] )", rule.text)[0] if quantity.item else ""
            before = _before(rule, quantity)
            if before and _REFERS.match(text):
                at += len(before[0])
                text = re.sub(r"\s", " ", before[0]) + text
                before = []
            more = tuple(filter(None, (*before, lead, *above)))
            yield Clause(rule, quantity.item or rule.id, quantity, text, at, lead, more)


def _sentence(rule: Rule, quantity: Quantity) -> tuple[str, int]:
    start = max((m.end() for m in _BREAK.finditer(rule.text, 0, quantity.start)), default=0)
    found = _BREAK.search(rule.text, quantity.end)
    end = found.start() if found else len(rule.text)
    return re.sub(r"\s", " ", rule.text[start:end]), quantity.start - start


def _before(rule: Rule, quantity: Quantity) -> list[str]:
    """The sentence before, which `the distance` and `its` refer to; none within an item."""
    if quantity.item:
        return []
    starts = [0, *(m.end() for m in _BREAK.finditer(rule.text, 0, quantity.start))]
    return [rule.text[starts[-2] : starts[-1]]] if len(starts) > 1 else []


def _row(rule: Rule, quantity: Quantity) -> tuple[str, int] | None:
    """The row of a table that a limit stands in, then the head of its column."""
    item = next((item for item in rule.items if item.id == quantity.item and item.cells), None)
    if item is None:
        return None
    raw = " ".join(quantity.raw.split())
    for column, cell in enumerate(item.cells):
        if raw in " ".join(cell.split()):
            for table in rule.tables:
                if column < len(table.header) and any(len(row) == len(item.cells) for row in table.rows):
                    words = " ".join(other for other in item.cells if not re.search(r"\d", other))
                    text = f"{words}: {table.header[column]} "
                    return f"{text}{raw}", len(text)
    return None
