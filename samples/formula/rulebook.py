"""Reads `rulebook.md`, the rulebook's source, into blocks: headings, rules, items, notes, tables, figures."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

SOURCE = Path(__file__).resolve().parent / "rulebook.md"

Kind = Literal["title", "part", "chapter", "section", "rule", "item", "text", "note", "caption", "table", "figure"]

_HEADING = re.compile(r"(#{1,3}) (.+)")
_RULE = re.compile(r"\*\*([A-Z](?:\.\d+)+)\*\* (.+)")
_ITEM = re.compile(r"([a-z])\. (.+)")
_FIGURE = re.compile(r"<!-- figure (\w+) -->")
_REFERENCE = re.compile(r"\b([A-Z])((?:\.\d+)+)(?:\.([a-z])\b)?")


@dataclass(frozen=True)
class Block:
    """A paragraph or a table of the source."""

    kind: Kind
    text: str = ""
    number: str = ""  # of a heading or a rule; the letter of an item
    rows: tuple[tuple[str, ...], ...] = ()  # of a table, its head first


@dataclass
class Rule:
    """A numbered rule with what stands below it."""

    number: str
    blocks: list[Block] = field(default_factory=list)

    @property
    def text(self) -> str:
        """All its words but those of notes and captions; an item or a row of a table is a line."""
        lines: list[str] = []
        for block in self.blocks:
            if block.kind in ("rule", "text"):
                lines.append(block.text)
            elif block.kind == "item":
                lines.append(f"{block.number}. {block.text}")
            elif block.kind == "table":
                lines += [" ".join(row) for row in block.rows]
        return "\n".join(lines)

    @property
    def items(self) -> dict[str, str]:
        """Items and lettered rows of tables by their letters."""
        found = {block.number: block.text for block in self.blocks if block.kind == "item"}
        rows = [row for block in self.blocks for row in block.rows[1:]]
        return found | {row[0][0]: " ".join(row[1:]) for row in rows if re.fullmatch(r"[a-z]\.", row[0])}


def read(source: str) -> list[Block]:
    """The blocks of a source in reading order.

    Raises:
        ValueError: a heading has no number, or a table is ragged.
    """
    blocks: list[Block] = []
    for paragraph in re.split(r"\n\s*\n", source.strip()):
        lines = paragraph.splitlines()
        if lines[0].startswith("|"):
            blocks.append(_table(lines))
            continue
        # A caption and its figure's mark are two lines of one paragraph.
        blocks += [_block(line) for line in lines]
    return blocks


def _block(line: str) -> Block:
    if match := _HEADING.fullmatch(line):
        level, words = len(match[1]), match[2]
        if level == 1 and not re.match(r"[A-Z] ", words):
            return Block("title", words)
        number, _, text = words.partition(" ")
        if number.count(".") != level - 1:
            raise ValueError(f"the number does not suit the level of the heading: {line!r}")
        kinds: tuple[Kind, Kind, Kind] = ("part", "chapter", "section")
        return Block(kinds[level - 1], text, number)
    if match := _RULE.fullmatch(line):
        return Block("rule", match[2], match[1])
    if match := _ITEM.fullmatch(line):
        return Block("item", match[2], match[1])
    if match := _FIGURE.fullmatch(line):
        return Block("figure", match[1])
    if line.startswith("> "):
        return Block("note", line[2:])
    if re.match(r"(?:Figure|Table) \d+: ", line):
        return Block("caption", line)
    return Block("text", line)


def _table(lines: list[str]) -> Block:
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
    if any(len(row) != len(rows[0]) for row in rows) or set("".join(rows[1])) - set(":-"):
        raise ValueError(f"not a table: {lines[0]!r}")
    return Block("table", rows=(rows[0], *rows[2:]))


def rules(blocks: list[Block]) -> list[Rule]:
    """The numbered rules in reading order; headings are none."""
    found: list[Rule] = []
    inside = False
    for block in blocks:
        if block.kind == "rule":
            found.append(Rule(block.number))
            inside = True
        elif block.kind in ("part", "chapter", "section"):
            inside = False
        if inside:
            found[-1].blocks.append(block)
    return found


def references(text: str) -> list[str]:
    """Numbers of rules, headings and items that a text names; both ends of a range."""
    return [match[0] for match in _REFERENCE.finditer(text)]
