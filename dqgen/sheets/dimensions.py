"""Dimensions of a page: those that the file holds as such, and texts that read as dimensions with their lines."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.schemas.reading import DimensionReading
from dqgen.schemas.sheet import DimensionEntity, Page
from dqgen.sheets import dimension_text
from dqgen.sheets.dimension_lines import SAME_RATIO, DimensionLines, Pairing, common_ratios
from dqgen.sheets.dimension_text import Comma, DimensionText
from dqgen.sheets.shapes import Box
from dqgen.sheets.strokes import Strokes
from dqgen.sheets.text_lines import Line, frame, rows_by_entity

TOLD = 0.5  # confidence below which nothing is told
INCH = 25.4
BY_TEXT = {
    "diameter": 0.62,
    "angular": 0.5,
    "thread": 0.45,
    "chamfer": 0.45,
    "radius": 0.35,
    "flats": 0.45,
    "thickness": 0.45,
}
"""Confidence that a signed text is a dimension where nothing is drawn to it."""
PLAIN, SIGNED, TOLERANCED = 0.2, 0.45, 0.6
BY_ENDS = {"arrows": 0.55, "ticks": 0.5, "across": 0.5, "arc": 0.45, "leader": 0.35, "line": 0.1}
"""What a line with such ends adds."""
SMALL = (0.4, 0.88)  # height of stacked tolerances to that of their dimension
LINEAR = ("linear", "square", "diameter", "thread", "flats", "chamfer")


def dimensions_of(
    page: Page,
    lines: Sequence[Line],
    strokes: Strokes,
    scales: Sequence[float],
    mm_per_unit: float,
    without: set[int],
) -> list[DimensionReading]:
    """All dimensions of a page.

    Args:
        page: any page.
        lines: its text.
        strokes: what is drawn on it, without the dimensions that the file holds.
        scales: lengths on paper to real ones that the sheet names.
        mm_per_unit: of lengths that texts give without a unit.
        without: rows of the TextTable that belong to tables, the title block or notes.
    """
    comma = dimension_text.comma_of([line.text for line in lines])
    held = {dimension.entity for dimension in page.dimensions}
    rows = rows_by_entity(page)
    found = [_of_entity(dimension, page, rows.get(dimension.entity, []), comma) for dimension in page.dimensions]
    rows_held = {row for entity in held for row in rows.get(entity, ())}
    free = [line for line in lines if not (rows_held | without) & set(line.rows)]
    found += _read_off(free, strokes, comma, [1 / scale for scale in scales if scale], mm_per_unit, bool(held))
    return found


def _of_entity(dimension: DimensionEntity, page: Page, texts: list[int], comma: Comma) -> DimensionReading:
    box = _boxes(page, texts) if texts else page.entities.box[[dimension.entity]]
    corners = np.concatenate([box[:, :2].min(axis=0), box[:, 2:].max(axis=0)])
    text = " ".join(dimension.printed.split())
    read = _entity_text(dimension.printed, comma)
    measured = None if math.isnan(dimension.measured) else round(dimension.measured, 9)
    kind = dimension.kind
    if read and read.kind not in ("linear", "angular"):
        kind = read.kind if kind in ("linear", "aligned", "radius", "diameter") else kind
    upper = None if math.isnan(dimension.upper) else dimension.upper
    lower = None if math.isnan(dimension.lower) else dimension.lower
    value = read.value if read else None
    unit = "degree" if dimension.kind == "angular" else read.unit if read else ""
    return DimensionReading(
        box=tuple(float(x) for x in np.nan_to_num(corners)),
        confidence=1.0 if dimension.drawn else 0.9,
        kind=kind,
        value=value,
        unit=unit,
        text=text,
        override=dimension.override,
        measured=measured,
        agrees=_agrees(read, text, measured),
        count=read.count if read else 1,
        upper=upper if upper is not None else read.upper if read else None,
        lower=lower if lower is not None else read.lower if read else None,
        fit=read.fit if read else "",
        second=read.second if read else None,
        reference=bool(read and read.reference),
        modifiers=read.modifiers if read else (),
        points=dimension.points,
        source="entity",
        handle=page.entities.handle[dimension.entity],
    )


def _boxes(page: Page, rows: list[int]) -> Floats:
    quads = page.texts.quad[rows]
    return np.hstack([quads.min(axis=1), quads.max(axis=1)])


def _entity_text(printed: str, comma: Comma) -> DimensionText | None:
    """The first line that reads as a dimension; alternate units in brackets behind it are passed over."""
    for text in (" ".join(printed.split()), *printed.splitlines()):
        text = re.sub(r"\s*\[[^\]]*\]\s*$", "", text) or text
        if read := dimension_text.read(text, comma):
            return read
    match = re.match(r"^\D{0,40}?([\d.,]+)", dimension_text.plain(printed))
    value = dimension_text.number(match[1].rstrip(".,"), comma) if match else None
    return DimensionText("linear", value) if value is not None else None


def _agrees(read: DimensionText | None, text: str, measured: float | None) -> bool | None:
    """Whether the printed number is the measured one to its last digit."""
    if read is None or measured is None:
        return None
    decimals = max((len(part) for part in re.findall(r"(?<=[.,])\d+", text)), default=0)
    slack = 0.51 * 10.0**-decimals
    if read.unit == "inch" and "/" in text:
        slack = 1 / 64
    return abs(read.value - abs(measured)) <= slack * (1 + 1e-9) + 1e-9 * abs(measured)


@dataclass
class _Candidate:
    line: Line
    read: DimensionText
    box: Box
    text: str
    pairings: list[Pairing]
    leader: Pairing | None

    def ratio(self, pairing: Pairing, mm_per_unit: float) -> float:
        """Printed length in mm to drawn length."""
        unit = {"inch": INCH, "mm": 1.0, "cm": 10.0, "m": 1000.0, "km": 1e6}.get(self.read.unit, mm_per_unit)
        return self.read.value * unit / pairing.length if pairing.length > 0 else math.nan


def _read_off(
    lines: Sequence[Line], strokes: Strokes, comma: Comma, known: list[float], mm_per_unit: float, held: bool
) -> list[DimensionReading]:
    """Dimensions among texts; where the file `held` dimensions as such, a bare number must fit a known scale."""
    candidates = _candidates(lines, strokes, comma)
    first = [c.pairings[0] for c in candidates if c.pairings and c.read.kind in LINEAR]
    owners = [c for c in candidates if c.pairings and c.read.kind in LINEAR]
    ratios = {(c.read.value, c.ratio(pairing, mm_per_unit)) for c, pairing in zip(owners, first, strict=True)}
    common = [] if held else common_ratios(sorted(ratios))
    found = []
    for candidate in candidates:
        reading = _reading(candidate, known, common, mm_per_unit)
        if reading and (reading.agrees or candidate.read.signed or not held):
            found.append(reading)
    return found


def _candidates(lines: Sequence[Line], strokes: Strokes, comma: Comma) -> list[_Candidate]:
    drawn = DimensionLines(strokes)
    circles = [loop for loop in strokes.loops if not loop.filled]
    stacks = _Stacks(lines, [line for line in lines if dimension_text.read(line.text, comma)])
    found = []
    for line in lines:
        if not any(c.isdigit() for c in line.text):
            continue
        read = dimension_text.read(line.text, comma)
        if read is None or read.value <= 0 or line.rows in stacks.taken:
            continue
        box, text = line.box, line.text
        stack = stacks.behind(line)
        if stack:
            stacked, boxes = stack
            if again := dimension_text.read(line.text, comma, stacked):
                read = replace(again, signed=True)
                box = _union([box, *boxes])
                text = " ".join([line.text, *filter(None, stacked)])
        if not read.signed and any(_encloses(loop.box, line) for loop in circles):
            continue  # the number of a part or a view in its circle
        pairings = drawn.along(line) if read.kind != "angular" else []
        leader = drawn.leader(line)
        if leader and not read.signed and leader.ends != "across":
            leader = None  # an arrow from a bare number points at a part that it numbers
        if read.kind == "angular":
            leader = drawn.arc(line, read.value)
        found.append(_Candidate(line, read, box, text, pairings, leader))
    return found


def _encloses(box: Box, line: Line) -> bool:
    """Whether a circle holds a text with little room about it."""
    x, y = line.middle
    middle = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    size = box[2] - box[0]
    near = math.dist(middle, (x, y)) < 0.45 * size
    return near and size < 9 * line.height and size > 0.8 * line.width and box[0] < x < box[2] and box[1] < y < box[3]


def _reading(
    candidate: _Candidate, known: list[float], common: list[float], mm_per_unit: float
) -> DimensionReading | None:
    read = candidate.read
    pairing, agrees = _best(candidate, known, common, mm_per_unit)
    confidence = BY_TEXT.get(read.kind, SIGNED) if read.signed else PLAIN
    if read.kind == "linear" and read.upper is not None:
        confidence = TOLERANCED
    if pairing:
        confidence += 0.0 if read.kind == "linear" and pairing.ends == "line" else BY_ENDS[pairing.ends]
        if agrees:
            confidence += 0.2
        elif agrees is False and not read.signed:
            confidence -= 0.25 if pairing.ends == "ticks" else 0.15
    confidence = min(confidence, 0.98)
    if confidence < TOLD:
        return None
    length = None if pairing is None or math.isnan(pairing.length) else round(pairing.length, 4)
    if pairing and pairing.ends == "arc":
        agrees = True  # they are found by the angle that they span
    kind = read.kind
    if kind == "linear" and pairing and pairing.ends in ("arrows", "ticks", "across"):
        skew = min(pairing.angle % 90, 90 - pairing.angle % 90)
        kind = "linear" if skew < 1 else "aligned"
    return DimensionReading(
        box=candidate.box,
        confidence=round(confidence, 2),
        kind=kind,
        value=round(read.value, 9),
        unit=read.unit,
        text=candidate.text,
        override="",
        measured=length,
        agrees=agrees,
        count=read.count,
        upper=read.upper,
        lower=read.lower,
        fit=read.fit,
        second=read.second,
        reference=read.reference,
        modifiers=read.modifiers,
        points=tuple((round(x, 3), round(y, 3)) for x, y in pairing.points) if pairing else (),
        source="text",
        handle="",
    )


def _best(
    candidate: _Candidate, known: list[float], common: list[float], mm_per_unit: float
) -> tuple[Pairing | None, bool | None]:
    """The pairing that fits a scale of the sheet, else the likeliest; and whether it fits."""
    if candidate.read.kind in LINEAR:
        options = [*candidate.pairings]
        if candidate.leader and candidate.leader.ends == "across":
            options.append(candidate.leader)
        for ratios in (known, common):
            for pairing in options:
                ratio = candidate.ratio(pairing, mm_per_unit)
                slack = SAME_RATIO + 0.25 / max(pairing.length, 0.5)
                if any(abs(ratio / one - 1) < slack for one in ratios):
                    return pairing, True
        if candidate.leader and candidate.leader.ends != "line" and candidate.read.kind != "linear":
            return candidate.leader, None
        if options:
            rest = [option for option in options if not _absurd(candidate, option, [*known, *common], mm_per_unit)]
            return (rest[0], False if common or known else None) if rest else (None, None)
    leader = candidate.leader
    return (leader or (candidate.pairings[0] if candidate.pairings else None)), None


def _absurd(candidate: _Candidate, pairing: Pairing, ratios: list[float], mm_per_unit: float) -> bool:
    """Whether a bare number is out by more than any drawing not to scale could be."""
    ratio = candidate.ratio(pairing, mm_per_unit)
    return not candidate.read.signed and bool(ratios) and not any(0.1 < ratio / one < 10 for one in ratios)


def _union(boxes: Sequence[Box]) -> Box:
    return (
        min(box[0] for box in boxes),
        min(box[1] for box in boxes),
        max(box[2] for box in boxes),
        max(box[3] for box in boxes),
    )


class _Stacks:
    """Small texts above and below each other behind a dimension."""

    def __init__(self, lines: Sequence[Line], mains: Sequence[Line]) -> None:
        self.taken: set[tuple[int, ...]] = set()
        self.lines = [
            line for line in lines if len(line.text) <= 12 and re.match(r"^[+\-±−–]?\s*[\d.,]*°?$", line.text)
        ]
        self._found = {main.rows: stack for main in mains if (stack := self._look(main))}

    def behind(self, main: Line) -> tuple[tuple[str, str], list[Box]] | None:
        """Upper and lower text, empty where there is none, and their boxes."""
        return self._found.get(main.rows)

    def _look(self, main: Line) -> tuple[tuple[str, str], list[Box]] | None:
        (ax, ay), (bx, by) = frame(main.rotation)

        def place(line: Line) -> tuple[float, float, float]:
            us = [x * ax + y * ay for x, y in line.quad]
            vs = [x * bx + y * by for x, y in line.quad]
            return min(us), max(us), (min(vs) + max(vs)) / 2

        _, edge, level = place(main)
        height = main.height
        near = []
        for line in self.lines:
            if line is main or abs((line.rotation - main.rotation + 180) % 360 - 180) > 1:
                continue
            if not SMALL[0] < line.height / height < SMALL[1]:
                continue
            u0, u1, v = place(line)
            if -0.8 * height < u0 - edge < 9 * height and abs(v - level) < 1.4 * height:
                near.append((u0, u1, v, line))
        near.sort(key=lambda item: item[0])
        upper: list[Line] = []
        lower: list[Line] = []
        reach = {True: edge, False: edge}
        taken = []
        for u0, u1, v, line in near:
            high = v - level > 0.12 * height
            if u0 - reach[high] > 0.9 * height:
                continue
            (upper if high else lower).append(line)
            reach[high] = max(reach[high], u1)
            taken.append(line)
        if not any(any(c.isdigit() for c in line.text) for line in taken):
            return None
        self.taken |= {line.rows for line in taken}
        texts = "".join(line.text for line in upper), "".join(line.text for line in lower)
        return texts, [line.box for line in taken]
