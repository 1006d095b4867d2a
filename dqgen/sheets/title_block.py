"""The title block: its entries by label, and those that stand there without one by what they look like."""

import itertools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from dqgen.schemas.sheet import Page
from dqgen.sheets import labels
from dqgen.sheets.cells import Cells
from dqgen.sheets.shapes import Box
from dqgen.sheets.text_lines import Line, rows_by_entity

GAP = 14.0  # mm between cells of one title block
TALLEST, WIDEST = 45.0, 260.0  # mm of a cell in one
OWN_KEYS = 3  # entries that make a title block where no cells are ruled
LONGEST_ENTRY = 14.0  # times the height of a label: as far as its value, or the next label below it, may stand
ACROSS = 150.0  # mm between its parts where cells without labels part them
COLUMNS = 3  # cells to the right of `Drawn` among which its name may stand
MARGIN = 12.0  # mm around it in which entries stand outside its frame
MATERIAL = re.compile(
    r"\b(steel|stahl|jeklo|сталь|stainless|alumini?um|alu|brass|bronze|copper|iron|gg[-\s]?\d|guss|plywood|mdf|pla|abs|petg|pom|pa6\w*|"
    r"nylon|ptfe|oak|pine|wood|holz|les|plexiglas\w*|acryl\w*|pmma|en[\s-]?aw|aisi|sae|s235\w*|s275\w*|s355\w*|c45\w*|1\.\d{4}|"
    r"\d{2}crmo\d|\d{2}cr\w{0,3}\d|al\s?6061\w*|6061|7075|x\d+cr\w+|лист|круг|ст\.?\s?\d|дюрал\w*|алюмин\w*|латун\w*|бронза)\b",
    re.IGNORECASE,
)
NUMBER = re.compile(r"^(?=.*\d)(?=.*[A-Za-zА-Яа-я.\-])[A-ZА-Яa-z0-9][A-ZА-Яа-яa-z0-9._/\-]*(?: [A-ZА-Я0-9._/\-]+)?$")
SIZE = re.compile(r"^(?:DIN\s)?[AА]\s?[0-5](?:x\d)?$")
NO_VALUE = ("signature", "projection", "document_index", "standards_by", "replaces", "litera")


@dataclass(frozen=True)
class Entry:
    """One entry: what it stands for, its label and value as printed, the value's box in mm."""

    key: str
    label: str
    value: str
    box: Box
    confidence: float
    rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class TitleBlock:
    """The entries of a page's title block, the box around it, and the rows of the TextTable that it holds."""

    entries: tuple[Entry, ...]
    box: Box | None
    rows: frozenset[int]


@dataclass(frozen=True)
class _Label:
    line: Line
    key: str
    cell: Box | None
    value: str = ""


def title_block_of(page: Page, lines: Sequence[Line], cells: Cells) -> TitleBlock:
    """Read the title block of a page from its text, but for lists of parts, and its ruled cells."""
    entries = _attributes(page)
    box: Box | None
    found = [label for line in lines if (label := _label(line, cells))]
    group = _group(found, page)
    rows: set[int] = {row for entry in entries for row in entry.rows}
    if group:
        whole = _grown(group, lines, cells)
        group = [label for label in found if label in group or (label.cell and _within(label.line.middle, whole))]
        inside = [line for line in lines if _within(line.middle, whole)]
        rows |= {row for line in inside for row in line.rows}
        entries += _labelled(group, inside, cells)
        entries += _named_as_object(entries, inside)
        entries += _unlabelled(entries, inside, group)
        near = (whole[0] - MARGIN, whole[1] - MARGIN, whole[2] + MARGIN, whole[3] + MARGIN)
        box = whole
        beside = [label for label in found if label not in group and _within(label.line.middle, near)]
        entries += _lone(entries, beside)
    else:
        entries += _unruled(found, lines)
        entries += _lone(entries, found)
        rows |= {row for entry in entries for row in entry.rows}
        box = _union([entry.box for entry in entries]) if entries else None
    return TitleBlock(tuple(_best(entries)), box, frozenset(rows))


def _attributes(page: Page) -> list[Entry]:
    """Attributes of blocks whose tags are labels."""
    entries = []
    texts = rows_by_entity(page)
    for insert in page.inserts:
        keyed = [
            (tag, value, labels.key_of(tag), row)
            for (tag, value), row in zip(insert.attributes, insert.rows_of, strict=False)
        ]
        if sum(key is not None for _, _, key, _ in keyed) < 2:
            continue
        for tag, value, key, row in keyed:
            if value.strip():
                box = tuple(float(x) for x in page.entities.box[row])
                rows = tuple(texts.get(row, ()))
                name = key or labels.plain(tag).replace(" ", "_")
                entries.append(Entry(name, tag, " ".join(value.split()), box, 0.97 if key else 0.8, rows))  # type: ignore[arg-type]
    return entries


def _label(line: Line, cells: Cells) -> _Label | None:
    if len(line.text) > 80:
        return None
    cell = cells.at(*line.middle)
    if cell and (cell[3] - cell[1] > TALLEST or cell[2] - cell[0] > WIDEST):
        cell = None
    if parts := labels.split(line.text):
        return _Label(line, parts[0], cell, parts[2])
    key = labels.key_of(line.text)
    return _Label(line, key, cell) if key else None


def _group(found: list[_Label], page: Page) -> list[_Label]:
    """The labels of the title block: of all clusters of labels in ruled cells, the one with most distinct keys."""
    ruled = [label for label in found if label.cell]
    groups: list[list[_Label]] = []
    for label in ruled:
        near = [group for group in groups if any(_apart(label.cell, other.cell) < GAP for other in group)]
        joined = [label, *(other for group in near for other in group)]
        groups = [group for group in groups if group not in near] + [joined]

    groups = _side_by_side(groups)
    groups = [group for group in groups if _rank(group)[0] >= 2 and _rank(group)[1] >= 3]
    return sorted(max(groups, key=_rank), key=lambda label: label.line.rows) if groups else []


def _rank(group: Iterable[_Label]) -> tuple[int, int, float]:
    """Distinct keys of labels that are none elsewhere, of all, and how near the lower right corner they are."""
    labelled = list(group)
    specific = {label.key for label in labelled if labels.is_specific(label.line.text) or label.value}
    box = _union([label.line.box for label in labelled])
    return len(specific), len({label.key for label in labelled}), box[3] + box[2]


def _side_by_side(groups: list[list[_Label]]) -> list[list[_Label]]:
    """Groups of labels, those that are parts of one block joined."""
    for one, other in itertools.combinations(groups, 2):
        if min(len(one), len(other)) >= 2 and _one_block(
            _union([x.cell for x in one]), _union([x.cell for x in other])
        ):
            rest = [group for group in groups if group is not one and group is not other]
            return _side_by_side([*rest, one + other])
    return groups


def _one_block(one: Box, other: Box) -> bool:
    """Whether two groups of labels are parts of one block: side by side, with other cells between."""
    level = min(one[3], other[3]) - max(one[1], other[1])
    across = max(one[0] - other[2], other[0] - one[2])
    return level > -1.5 * GAP and across < ACROSS


def _grown(group: list[_Label], lines: Sequence[Line], cells: Cells) -> Box:
    """The box of the labels' cells and of the filled cells that touch them."""
    box = _union([label.cell for label in group if label.cell])
    waiting: list[Box] = []
    for line in lines:
        cell = cells.at(*line.middle)
        if cell and cell[3] - cell[1] <= TALLEST and cell[2] - cell[0] <= WIDEST:
            waiting.append(cell)
    changed = True
    while changed:
        changed = False
        for cell in waiting:
            overlap_x = min(cell[2], box[2]) - max(cell[0], box[0])
            overlap_y = min(cell[3], box[3]) - max(cell[1], box[1])
            beside = overlap_x > -1.5 and overlap_y > 0.5 * min(cell[3] - cell[1], box[3] - box[1])
            over = overlap_y > -1.5 and overlap_x > 0.6 * (cell[2] - cell[0])
            grown = _union([box, cell])
            if (beside or over) and grown != box and grown[3] - grown[1] < 0.5 * cells.height:
                box, changed = grown, True
    return box


def _labelled(group: list[_Label], inside: Sequence[Line], cells: Cells) -> list[Entry]:
    """The value of each label: behind it, in its cell, or in the cell below or to the right."""
    label_rows = {label.line.rows for label in group}
    free = [line for line in inside if line.rows not in label_rows]
    entries = []
    used: set[tuple[int, ...]] = set()
    for label in sorted(group, key=lambda label: (label.line.box[1], label.line.box[0])):
        if label.value and _plausible(label.key, label.value):
            entries.append(Entry(label.key, _head(label), label.value, label.line.box, 0.95, label.line.rows))
            continue
        if label.key in NO_VALUE or label.cell is None:
            continue
        lines, confidence = _value(label, free, group, cells)
        lines = [line for line in lines if line.rows not in used]
        if not lines or not _plausible(label.key, " ".join(line.text for line in lines)):
            continue
        used.update(line.rows for line in lines)
        text = " ".join(line.text for line in lines)
        box = _union([line.box for line in lines])
        rows = tuple(row for line in lines for row in line.rows)
        entries.append(Entry(label.key, label.line.text, text, box, confidence, rows))
    return entries


def _value(label: _Label, free: Sequence[Line], group: list[_Label], cells: Cells) -> tuple[list[Line], float]:
    assert label.cell is not None
    _, _, right, bottom = label.cell
    own = [line for line in free if _within(line.middle, label.cell)]
    others = [other for other in group if other is not label and other.cell == label.cell]
    if own and others:  # a cell of several labels: what follows this one on its line, or stands right below it
        behind = [
            line
            for line in own
            if abs(line.middle[1] - label.line.middle[1]) < label.line.height
            and line.box[0] > label.line.box[0]
            and not any(label.line.box[0] < other.line.box[0] < line.box[0] for other in others)
        ]
        return (behind or _below(label, own, others)), 0.85
    if own:
        return _in_order(own), 0.95
    under = cells.at(label.line.middle[0], bottom + 0.8)
    beside = cells.at(right + 0.8, label.line.middle[1])
    candidates: list[list[Line]] = []
    for cell in (under, beside):
        if cell is None or any(other.cell == cell for other in group):
            candidates.append([])
            continue
        candidates.append(_in_order([line for line in free if _within(line.middle, cell)]))
    below, right_of = candidates
    if label.key.endswith("_by"):
        return _person(label.cell, free, group, cells), 0.85
    if below and right_of:
        return (right_of, 0.85) if not _plausible(label.key, " ".join(x.text for x in below)) else (below, 0.8)
    return (below, 0.9) if below else (right_of, 0.85)


def _person(cell: Box, free: Sequence[Line], group: list[_Label], cells: Cells) -> list[Line]:
    """The name in the cells to the right of a label: they hold a date and a signature, too."""
    here = cell
    for _ in range(COLUMNS):
        beside = cells.at(here[2] + 0.8, (cell[1] + cell[3]) / 2)
        if beside is None or beside[2] <= here[2] or any(other.cell == beside for other in group):
            break
        if abs(beside[1] - cell[1]) > 1 or abs(beside[3] - cell[3]) > 1:
            break  # another part of the block
        found = [line for line in free if _within(line.middle, beside) and not labels.DATE.match(line.text)]
        if found and any(c.isalpha() for line in found for c in line.text):
            return _in_order(found)
        here = beside
    return []


def _below(label: _Label, own: Sequence[Line], others: Sequence[_Label]) -> list[Line]:
    under = [line for line in own if line.box[1] > label.line.box[1] + 0.5 * label.line.height]
    under = [line for line in under if line.box[0] < label.line.box[2] and line.box[2] > label.line.box[0] - 2]
    stops = [
        o.line.box[1] for o in others if o.line.box[1] > label.line.box[1] + 1 and o.line.box[0] < label.line.box[2]
    ]
    return _in_order([line for line in under if not stops or line.box[1] < min(stops)])


def _in_order(lines: Sequence[Line]) -> list[Line]:
    return sorted(lines, key=lambda line: (round(line.middle[1] / max(line.height, 0.5)), line.box[0]))


def _plausible(key: str, value: str) -> bool:
    """Whether a value can be an entry of that key; those with free text always can."""
    if key == "scale":
        return bool(labels.SCALE.match(value.strip()))
    if key == "date":
        return bool(re.search(r"\d", value)) and len(value) < 30
    if key == "mass":
        return bool(re.match(r"^~?\s*\d+(?:[.,]\d+)?\s*(?:kg|g|lbs?|t|кг|г)?$", value.strip(), re.IGNORECASE))
    if key in ("sheet", "sheets"):
        return bool(
            re.match(
                r"^[A-Za-z]{0,3}[-.]?\d{1,4}(?:\.\d+)?[A-Za-z]?(?:\s*(?:/|of|von|od|из|de)\s*\d{1,4})?$",
                value.strip(),
                re.I,
            )
        )
    if key == "size":
        return len(value) <= 12
    if key == "revision":
        return len(value) <= 12
    if key.endswith("_by"):
        return len(value) <= 60
    return len(value) <= 160


def _named_as_object(entries: list[Entry], inside: Sequence[Line]) -> list[Entry]:
    """The name of a part that stands under `Object`, as the largest text of the block."""
    if any(entry.key == "name" for entry in entries):
        return []
    largest = max((line for line in inside), key=lambda line: line.height)
    objects = [entry for entry in entries if entry.key == "project" and set(largest.rows) <= set(entry.rows)]
    return [replace(entry, key="name", confidence=0.7) for entry in objects[:1]]


def _unlabelled(entries: list[Entry], inside: Sequence[Line], group: list[_Label]) -> list[Entry]:
    """Number, name and material that stand in a title block without a label, by how they look."""
    have = {entry.key for entry in entries}
    used = {row for entry in entries for row in entry.rows} | {row for label in group for row in label.line.rows}
    free = [
        line for line in inside if not used & set(line.rows) and line.rotation in (0.0, 360.0) and len(line.text) > 1
    ]
    found: list[Entry] = []

    def take(key: str, line: Line, confidence: float) -> None:
        found.append(Entry(key, "", line.text, line.box, confidence, line.rows))
        free.remove(line)

    tallest = max((line.height for line in free), default=0.0)
    if "scale" not in have:
        scales = [line for line in free if labels.SCALE.match(line.text) and ":" in line.text]
        if len(scales) == 1:
            take("scale", scales[0], 0.7)
    if "material" not in have:
        stuff = [line for line in free if MATERIAL.search(line.text) and line.height < 0.9 * tallest]
        stuff = stuff or [line for line in free if MATERIAL.search(line.text) and len(line.text.split()) > 1]
        if stuff:
            take("material", min(stuff, key=lambda line: line.height), 0.8)
    if "number" not in have:
        numbers = [
            line
            for line in free
            if NUMBER.match(line.text) and len(line.text) >= 4 and not labels.DATE.match(line.text)
        ]
        numbers = [line for line in numbers if sum(c.isdigit() for c in line.text) >= 2]
        if numbers:
            best = max(numbers, key=lambda line: (round(line.height, 1), len(line.text)))
            if best.height >= 0.6 * tallest:
                take("number", best, 0.8)
    if "name" not in have and free:
        words = [line for line in free if sum(c.isalpha() for c in line.text) >= 0.5 * len(line.text)]
        if words:
            top = max(line.height for line in words)
            labels_height = sorted(label.line.height for label in group)[len(group) // 2]
            if top > 1.15 * labels_height:
                lead = [line for line in words if line.height > 0.93 * top]
                lead = [line for line in lead if abs(line.box[0] - lead[0].box[0]) < 60]
                near = [line for line in lead if line.box[1] - lead[0].box[3] < 2 * top]
                text = " ".join(line.text for line in _in_order(near))
                rows = tuple(row for line in near for row in line.rows)
                found.append(Entry("name", "", text, _union([line.box for line in near]), 0.75, rows))
    return found


def _unruled(found: list[_Label], lines: Sequence[Line]) -> list[Entry]:
    """Labels below each other where nothing is ruled, with values behind or below them."""
    columns: list[list[_Label]] = []
    for label in sorted(found, key=lambda label: label.line.box[1]):
        for column in columns:
            last = column[-1].line
            aligned = abs(last.box[0] - label.line.box[0]) < 1.5 * last.height
            if aligned and 0 < label.line.box[1] - last.box[1] < LONGEST_ENTRY * last.height:
                column.append(label)
                break
        else:
            columns.append([label])
    columns = [c for c in columns if len({x.key for x in c if labels.is_specific(x.line.text) or x.value}) >= OWN_KEYS]
    if not columns:
        return []
    column = max(columns, key=lambda column: len({label.key for label in column}))
    label_rows = {label.line.rows for label in found if not label.value}
    free = [line for line in lines if line.rows not in label_rows and line.rotation == column[0].line.rotation]
    entries = []
    for number, label in enumerate(column):
        line = label.line
        end = column[number + 1].line.box[1] if number + 1 < len(column) else line.box[3] + 4 * line.height
        behind = [
            other
            for other in free
            if abs(other.middle[1] - line.middle[1]) < 0.7 * line.height
            and -0.5 < other.box[0] - line.box[2] < LONGEST_ENTRY * line.height
        ]
        under = [
            other
            for other in free
            if line.box[3] - 0.5 < other.middle[1] < end
            and -line.height < other.box[0] - line.box[0] < 2 * LONGEST_ENTRY * line.height
            and not any(abs(other.middle[1] - x.line.middle[1]) < 0.5 * line.height for x in column)
        ]
        values = _in_order(behind) if behind else [] if label.value else _in_order(under)
        text = " ".join([*([label.value] if label.value else []), *(other.text for other in values)])
        text = re.sub(r"(?<=\d:)\s+(?=\d)", "", text)
        if text and _plausible(label.key, text):
            rows = tuple(row for other in values for row in other.rows) or line.rows
            box = _union([other.box for other in values] or [line.box])
            entries.append(Entry(label.key, _head(label) if label.value else line.text, text, box, 0.75, rows))
    return entries


def _lone(entries: list[Entry], found: list[_Label]) -> list[Entry]:
    """Entries outside of ruled cells: labels with their value on one line."""
    have = {entry.key for entry in entries}
    lone = [label for label in found if label.value and label.key not in have and _plausible(label.key, label.value)]
    return [Entry(label.key, _head(label), label.value, label.line.box, 0.7, label.line.rows) for label in lone]


def _head(label: _Label) -> str:
    head = label.line.text
    return head[: head.rfind(label.value)].strip(" :") or label.key


def _best(entries: list[Entry]) -> list[Entry]:
    """One entry a key where they agree; several where each has its own label or value."""
    kept: dict[tuple[str, str], Entry] = {}
    for entry in entries:
        entry = replace(entry, value=" ".join(entry.value.split()))
        if entry.key == "size":
            entry = replace(entry, value=entry.value.replace("А", "A"))  # Cyrillic, which looks the same
        known = kept.get((entry.key, entry.value))
        if known is None or entry.confidence > known.confidence:
            kept[entry.key, entry.value] = entry
    return sorted(kept.values(), key=lambda entry: (round(entry.box[1]), entry.box[0]))


def _within(point: tuple[float, float], box: Box) -> bool:
    return box[0] - 0.3 <= point[0] <= box[2] + 0.3 and box[1] - 0.3 <= point[1] <= box[3] + 0.3


def _apart(one: Box | None, other: Box | None) -> float:
    if one is None or other is None:
        return float("inf")
    return max(one[0] - other[2], other[0] - one[2], one[1] - other[3], other[1] - one[3])


def _union(boxes: Sequence[Box | None]) -> Box:
    real = [box for box in boxes if box]
    return (
        min(box[0] for box in real),
        min(box[1] for box in real),
        max(box[2] for box in real),
        max(box[3] for box in real),
    )
