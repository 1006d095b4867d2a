"""Notes: lines of text that belong together, numbered items with their numbers."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.sheets.shapes import Box
from dqgen.sheets.text_lines import Line

LEADING = 2.4  # times the height: baselines further apart do not belong together
INDENT = 14.0  # times the height: how far a number may stand before its item
NUMBER = re.compile(r"^\(?(?P<number>\d{1,2}|[A-Za-z])[.):]?$")
NUMBERED = re.compile(r"^(?P<number>\(?\d{1,2}[.)]|\d{1,2}\s-)\s+(?P<text>\S.*)$")
WORDS = 3


@dataclass(frozen=True)
class NoteText:
    """A note: its number as printed, its text, its box in mm and the rows of the TextTable that it is made of."""

    number: str
    text: str
    box: Box
    rows: tuple[int, ...]


def notes_of(lines: Sequence[Line], taken: set[int]) -> list[NoteText]:
    """Notes among the upright lines of a page that nothing else has taken."""
    free = [line for line in lines if line.rotation in (0.0, 360.0) and not taken & set(line.rows)]
    free.sort(key=lambda line: (line.box[1], line.box[0]))
    numbers = _numbers(free)
    held = {line.rows for line in numbers.values()}
    blocks: list[list[Line]] = []
    growing: list[list[Line]] = []  # those that a line this far down may still belong to
    for line in free:
        if line.rows in held:
            continue
        best = None
        growing = [b for b in growing if line.box[1] - b[-1].box[3] < 4 * LEADING * b[-1].height]
        for block in growing:
            last = block[-1]
            if line.entity >= 0 and line.entity == last.entity:
                best = block  # the lines of one text
                break
            step = line.quad[0][1] - last.quad[0][1]
            like = 0.8 < line.height / last.height < 1.25
            start = (
                abs(line.box[0] - last.box[0]) < 1.2 * line.height or abs(line.box[0] - block[0].box[0]) < line.height
            )
            hanging = abs(line.box[0] - last.box[0]) < 5 * line.height and NUMBERED.match(last.text)
            starts_new = line.rows in numbers or NUMBERED.match(line.text)
            if like and 0.5 * line.height < step < LEADING * line.height and (start or hanging) and not starts_new:
                best = block
        if best is None:
            blocks.append([line])
            growing.append(blocks[-1])
        else:
            best.append(line)
    found = []
    for block in blocks:
        number = numbers.get(block[0].rows)
        match = NUMBERED.match(block[0].text)
        text = "\n".join(line.text for line in block)
        words = sum(len(re.findall(r"[^\W\d_]{2,}", line.text)) for line in block)
        if number is None and match is None and words < WORDS:
            continue
        if words == 0:
            continue
        printed = number.text if number else match["number"] if match else ""
        if match and number is None:
            text = match["text"] + text[len(block[0].text) :]
        every = [*([number] if number else []), *block]
        box = (
            min(line.box[0] for line in every),
            min(line.box[1] for line in every),
            max(line.box[2] for line in every),
            max(line.box[3] for line in every),
        )
        found.append(NoteText(printed, text, box, tuple(sorted(row for line in every for row in line.rows))))
    return found


def _numbers(lines: Sequence[Line]) -> dict[tuple[int, ...], Line]:
    """The number that stands before a line, for lists of at least two; by the rows of the line."""
    heads = [line for line in lines if NUMBER.match(line.text)]
    found: dict[tuple[int, ...], Line] = {}
    columns: dict[int, list[Line]] = {}
    for head in heads:
        columns.setdefault(round(head.box[0] / 2), []).append(head)
    for head in heads:
        near = [h for k in (-1, 0, 1) for h in columns.get(round(head.box[0] / 2) + k, ())]
        if len(near) < 2:
            continue
        beside = [
            line
            for line in lines
            if line is not head
            and abs(line.quad[0][1] - head.quad[0][1]) < 0.5 * head.height
            and 0 < line.box[0] - head.box[2] < INDENT * head.height
            and len(re.findall(r"[^\W\d_]{2,}", line.text)) >= 2
        ]
        if beside:
            found[min(beside, key=lambda line: line.box[0]).rows] = head
    return found
