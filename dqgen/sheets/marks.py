"""Marks on a sheet: grid labels, item balloons, marks of details and sections, view titles, room tags, levels,
revision triangles and clouds, north arrows."""

import math
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Page
from dqgen.sheets.nearby import Nearby
from dqgen.sheets.shapes import Box, Loop, end_keys
from dqgen.sheets.strokes import Strokes
from dqgen.sheets.text_lines import Line

SHORT = re.compile(r"^[A-ZА-Я]{0,3}[-.]?\d{0,3}[A-Za-zА-Я]?[.']?\d{0,2}$")
DETAIL = re.compile(
    r"^(?P<number>\d{1,3}[A-Z]?|[A-Z]{1,2}\d?)\s*/\s*(?P<sheet>[A-Z]{1,3}[- ]?\d{1,4}(?:\.\d{1,3})?[A-Z]?)$"
)
SCALED = (
    r"(?:\s*[(\[]?\s*(?:scale|maßstab|m|merilo|масштаб|sc\.?)?\s*[:=]?\s*"
    r"(?P<scale>\d+(?:[.,]\d+)?\s*:\s*\d+(?:[.,]\d+)?)\s*[)\]]?)?"
)
SECTION = re.compile(
    rf"^(?:(?:section|schnitt|prerez|presek|разрез|сечение|coupe|sezione|cut|view|ansicht|pogled)\s+)?"
    rf"(?P<one>[A-ZА-Я]\d?)\s*[-–—]\s*(?P<two>[A-ZА-Я]\d?){SCALED}$",
    re.IGNORECASE,
)
VIEW = re.compile(
    rf"^(?P<what>detail|section|view|schnitt|ansicht|einzelheit|detajl|pogled|prerez|вид|выноска|узел|разрез|coupe|vue)\s+(?P<name>[A-ZА-Я0-9]{{1,3}}){SCALED}$",
    re.IGNORECASE,
)
SCALED_NAME = re.compile(r"^(?P<name>[A-ZА-Я]\d?)\s*\(\s*(?P<scale>\d+(?:[.,]\d+)?\s*:\s*\d+(?:[.,]\d+)?)\s*\)$")
LEVEL = re.compile(r"^(?:[+±−-]|\+/-|±\s)\s?\d{1,3}[.,]\d{2,3}$")
AREA = re.compile(r"^\d+(?:[.,]\d+)?\s*(?:SF|S\.F\.|m²|m2|sq\.?\s?(?:ft|m)\.?|м²|qm)\.?$", re.IGNORECASE)
ROOM = re.compile(r"^(?:-|[A-Z]{0,3}[-.]?\d{1,4}(?:[-.]\d{1,3})?[A-Z]?)$")
LARGEST_BUBBLE = 32.0  # mm


@dataclass(frozen=True)
class MarkText:
    """A mark: its kind, its text and the parts of it, its box in mm, confidence, and the rows of the TextTable."""

    kind: str
    text: str
    parts: tuple[str, ...]
    box: Box
    confidence: float
    rows: tuple[int, ...] = ()
    scale: str = ""


def marks_of(page: Page, lines: Sequence[Line], strokes: Strokes, taken: set[int]) -> list[MarkText]:
    """All marks of a page, from top to bottom."""
    free = [line for line in lines if not taken & set(line.rows)]
    found = _bubbles(page, free, strokes)
    used = {row for mark in found for row in mark.rows}
    rest = [line for line in free if not used & set(line.rows)]
    found += _captions(rest)
    found += _rooms(rest, strokes)
    found += _triangles(rest, strokes)
    found += _levels(rest, strokes)
    found += _north(rest, strokes)
    found += _zones(page, rest)
    found += [MarkText("cloud", "", (), (a, b, c, d), 0.9) for a, b, c, d in strokes.clouds.tolist()]
    return sorted(found, key=lambda mark: (round(mark.box[1]), mark.box[0], mark.kind))


def _bubbles(page: Page, lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    loops = _outermost([loop for loop in strokes.loops if not loop.filled and 2.5 < loop.size < LARGEST_BUBBLE])
    if not loops or not lines:
        return []
    places = Nearby([line.middle for line in lines])
    solid = _solid(page)
    singles: list[tuple[Loop, Line]] = []
    found: list[MarkText] = []
    for loop in loops:
        radius = loop.size / 2
        near = [lines[i] for i in places.within(loop.centre, radius)]
        inside = [line for line in near if _fits(line, loop)]
        inside.sort(key=lambda line: (round(line.middle[1], 1), line.box[0]))
        if not inside or len(inside) > 2 or any(len(line.text) > 9 for line in inside):
            continue
        rows = tuple(row for line in inside for row in line.rows)
        if len(inside) == 2:
            if _halved(loop, strokes) and inside[0].middle[1] < loop.centre[1] < inside[1].middle[1]:
                parts = inside[0].text, inside[1].text
                kind = "section" if SECTION.match(parts[0]) or _pointed(loop, strokes, solid) else "detail"
                found.append(MarkText(kind, "/".join(parts), parts, loop.box, 0.95, rows))
            continue
        line = inside[0]
        if (
            SHORT.match(line.text)
            and line.height > 0.14 * loop.size
            and math.dist(line.middle, loop.centre) < 0.5 * radius
        ):
            singles.append((loop, line))
    return found + _singles(singles, lines, strokes)


def _outermost(loops: list[Loop]) -> list[Loop]:
    """One loop of those that lie on each other."""
    kept: dict[tuple[int, int], Loop] = {}
    for loop in sorted(loops, key=lambda loop: -loop.size):
        key = round(loop.centre[0]), round(loop.centre[1])
        if not any((key[0] + i, key[1] + j) in kept for i in (-1, 0, 1) for j in (-1, 0, 1)):
            kept[key] = loop
    return list(kept.values())


def _fits(line: Line, loop: Loop) -> bool:
    left, top, right, bottom = loop.box
    x, y = line.middle
    return left < x < right and top < y < bottom and line.width < 1.15 * loop.size and line.height < 0.75 * loop.size


def _halved(loop: Loop, strokes: Strokes) -> bool:
    """Whether a stroke runs across a loop through its middle."""
    s = strokes.segments
    x, y = loop.centre
    level = (np.abs(s[:, 1] - s[:, 3]) < 0.2) & (np.abs((s[:, 1] + s[:, 3]) / 2 - y) < 0.12 * loop.size)
    across = (np.minimum(s[:, 0], s[:, 2]) < x - 0.35 * loop.size) & (
        np.maximum(s[:, 0], s[:, 2]) > x + 0.35 * loop.size
    )
    return bool((level & across).any())


def _solid(page: Page) -> Floats:
    """(n, 3) middle and size in mm of what is filled."""
    boxes = page.paths.box[page.paths.fill[:, 3] > 0]
    size = np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    return np.column_stack([(boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2, size])


def _pointed(loop: Loop, strokes: Strokes, solid: Floats) -> bool:
    """Whether a triangle stands on a loop, as that of a section's direction, alone or with the loop cut from it."""
    reach = 0.9 * loop.size
    x, y = loop.centre
    off = np.hypot(solid[:, 0] - x, solid[:, 1] - y)
    like = (solid[:, 2] > 0.4 * loop.size) & (solid[:, 2] < 2 * loop.size)
    if (like & (off > 0.15 * loop.size) & (off < reach)).any():
        return True
    for corners in strokes.triangles:
        x, y = corners.mean(axis=0)
        if 0.3 * loop.size < math.dist((x, y), loop.centre) < reach:
            return True
    if any(0.4 * loop.size < math.dist(arrow.tip, loop.centre) < reach for arrow in strokes.arrows):
        return True
    return _in_tangents(loop, strokes)


def _in_tangents(loop: Loop, strokes: Strokes) -> bool:
    """Whether two strokes that touch a loop meet straight above, below or beside it."""
    moved = strokes.segments - np.tile(loop.centre, 2)
    lengths = strokes.lengths
    off = np.abs(moved[:, 0] * moved[:, 3] - moved[:, 1] * moved[:, 2]) / np.maximum(lengths, 1e-9)
    near = np.abs(moved).max(axis=1) < 1.2 * loop.size
    touching = near & (lengths > 0.4 * loop.size) & (np.abs(off - loop.size / 2) < 0.08 * loop.size)
    ends = moved[touching].reshape(-1, 2, 2)
    for number, one in enumerate(ends):
        for other in ends[number + 1 :]:
            for tip in one:
                met = np.hypot(*(other - tip).T).min() < 0.05 * loop.size
                if met and np.abs(tip).min() < 0.1 * loop.size and 0.5 < np.abs(tip).max() / loop.size < 0.9:
                    return True
    return False


def _singles(pairs: list[tuple[Loop, Line]], lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    """Circles with one text: grid labels where several of a size stand in line and lines run to them, the number of
    a view where a title stands beside it, else balloons."""
    found = []
    for loop, line in pairs:
        x, y = loop.centre
        alike = [o for o, _ in pairs if o is not loop and abs(o.size - loop.size) < 0.05 * loop.size]
        in_line = [o for o in alike if abs(o.centre[0] - x) < 1 or abs(o.centre[1] - y) < 1]
        title = [
            other
            for other in lines
            if other is not line
            and 0 < other.box[0] - loop.box[2] < 1.2 * loop.size
            and loop.box[1] - 1 < other.middle[1] < loop.box[3] + 1
            and sum(c.isalpha() for c in other.text) >= 4
        ]
        shaft, upright = _longest_at(loop, strokes)
        texts = [other.text for o, other in pairs if o in in_line]
        if title:
            head = min(title, key=lambda other: other.box[1])
            rows = (*line.rows, *head.rows)
            found.append(
                MarkText(
                    "view", f"{line.text} {head.text}", (line.text, head.text), _union(loop.box, head.box), 0.9, rows
                )
            )
        elif in_line and upright and shaft > 3 * loop.size and line.text not in texts:
            found.append(MarkText("grid", line.text, (line.text,), loop.box, 0.9, line.rows))
        elif any(c.isdigit() for c in line.text):
            sure = 0.85 if shaft else 0.6
            found.append(MarkText("balloon", line.text, (line.text,), loop.box, sure, line.rows))
    return found


def _longest_at(loop: Loop, strokes: Strokes) -> tuple[float, bool]:
    """Length in mm of the longest stroke that ends on a loop and leads away from it, and whether it is upright."""
    s = strokes.segments
    x, y = loop.centre
    radius = loop.size / 2
    best, upright = 0.0, False
    for near, far in ((s[:, :2], s[:, 2:]), (s[:, 2:], s[:, :2])):
        off = np.hypot(near[:, 0] - x, near[:, 1] - y)
        on = np.flatnonzero(np.abs(off - radius) < 0.08 * loop.size + 0.1)
        away = np.hypot(far[on, 0] - x, far[on, 1] - y) > 1.3 * radius
        vectors = (far[on] - near[on])[away]
        lengths = np.hypot(*vectors.T)
        if len(lengths) and lengths.max() > best:
            longest = int(lengths.argmax())
            best, upright = float(lengths[longest]), bool(np.abs(vectors[longest]).min() < 0.01 * lengths[longest])
    return best, upright


def _captions(lines: Sequence[Line]) -> list[MarkText]:
    found = []
    names: dict[str, int] = defaultdict(int)
    for line in lines:
        text = " ".join(line.text.split())
        if (match := SECTION.match(text)) and match["one"].lower() == match["two"].lower():
            found.append(
                MarkText("section", text, (match["one"], match["two"]), line.box, 0.9, line.rows, match["scale"] or "")
            )
            names[match["one"]] += 1
        elif match := SCALED_NAME.match(text):
            found.append(MarkText("detail", text, (match["name"],), line.box, 0.85, line.rows, match["scale"]))
            names[match["name"]] += 1
        elif match := VIEW.match(text):
            what = match["what"].lower()
            kind = "detail" if what in ("detail", "einzelheit", "detajl", "выноска", "узел") else "section"
            kind = "view" if what in ("view", "ansicht", "pogled", "вид", "vue") else kind
            found.append(MarkText(kind, text, (match["name"],), line.box, 0.85, line.rows, match["scale"] or ""))
            names[match["name"]] += 1
        elif match := DETAIL.match(text):
            found.append(MarkText("detail", text, (match["number"], match["sheet"]), line.box, 0.7, line.rows))
    singles = [line for line in lines if line.text in names]
    for line in singles:  # the letters at the ends of the section line, or beside the circle of the detail
        kind = next(mark.kind for mark in found if line.text in mark.parts)
        found.append(MarkText(kind, line.text, (line.text,), line.box, 0.75, line.rows))
    return found


def _tag(line: Line, flat: Floats) -> Box | None:
    """The box drawn close around a text: two level strokes of like ends above and below it, whatever crosses them."""
    x, y = line.middle
    spans = (flat[:, 1] < x) & (flat[:, 2] > x)
    lengths = flat[:, 2] - flat[:, 1]
    fitting = spans & (lengths > 0.9 * line.width) & (lengths < line.width + 9 * line.height)
    over = flat[fitting & (flat[:, 0] < y - 0.4 * line.height) & (flat[:, 0] > y - 1.6 * line.height)]
    under = flat[fitting & (flat[:, 0] > y + 0.4 * line.height) & (flat[:, 0] < y + 1.6 * line.height)]
    for top in over:
        for bottom in under:
            if abs(top[1] - bottom[1]) < 0.3 and abs(top[2] - bottom[2]) < 0.3:
                return float(top[1]), float(top[0]), float(top[2]), float(bottom[0])
    return None


def _rooms(lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    """Numbers in a box of their own, with a name above and perhaps an area below."""
    found = []
    boxes = strokes.boxes
    flat = np.vstack([strokes.upright(0), boxes[:, [1, 0, 2]], boxes[:, [3, 0, 2]]])
    for line in lines:
        if line.rotation not in (0.0, 360.0) or not ROOM.match(line.text):
            continue
        cell = _tag(line, flat)
        if cell is None:
            continue
        names = _above(line, lines, cell)
        if not names or not (any(c.isdigit() for c in line.text) or line.text == "-"):
            continue
        areas = [
            other
            for other in lines
            if AREA.match(other.text)
            and abs(other.middle[0] - line.middle[0]) < 2 * line.height
            and 0 < other.middle[1] - line.middle[1] < 3.5 * line.height
        ]
        parts = (" ".join(name.text for name in names), line.text, *(area.text for area in areas[:1]))
        every = [*names, line, *areas[:1]]
        box = cell
        for other in every:
            box = _union(box, other.box)
        rows = tuple(row for other in every for row in other.rows)
        found.append(MarkText("room", " ".join(parts), parts, box, 0.9, rows))
    return found


def _above(line: Line, lines: Sequence[Line], cell: Box) -> list[Line]:
    """The lines of a name that stands centred above a box, from top to bottom."""
    names: list[Line] = []
    bottom = line
    while len(names) < 4:
        over = [
            other
            for other in lines
            if other.rotation == line.rotation
            and abs(other.middle[0] - line.middle[0]) < 1.6 * line.height
            and 0.9 * line.height < bottom.middle[1] - other.middle[1] < (2.6 if bottom is line else 2.1) * line.height
            and 0.75 < other.height / line.height < 1.35
            and sum(c.isalpha() for c in other.text) >= 2
            and other not in names
        ]
        over = [
            other for other in over if re.search(r"[A-Za-zА-я]{2,}", other.text) and not re.search(r"-\d", other.text)
        ]
        if not over:
            break
        bottom = min(over, key=lambda other: (abs(other.middle[0] - line.middle[0]), other.rows))
        names.insert(0, bottom)
    return names


def _triangles(lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    """Short texts in triangles: the numbers of revisions."""
    found: list[MarkText] = []
    shapes = [*strokes.triangles, *_drawn_triangles(strokes)]
    short = [line for line in lines if re.match(r"^[A-Z\d]{1,2}$", line.text)]
    for corners in shapes:
        low, high = corners.min(axis=0), corners.max(axis=0)
        sides = [math.dist(corners[i], corners[i - 1]) for i in range(3)]
        if max(sides) > 25 or min(sides) < 0.7 * max(sides):
            continue
        for line in short:
            inside = low[0] < line.middle[0] < high[0] and low[1] < line.middle[1] < high[1]
            if inside and line.height > 0.2 * (high[1] - low[1]) and line.width < 0.8 * max(sides):
                box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
                if not any(mark.rows == line.rows for mark in found):
                    found.append(MarkText("revision", line.text, (line.text,), box, 0.9, line.rows))
    return found


def _drawn_triangles(strokes: Strokes) -> list[Floats]:
    """Triangles of three strokes that meet at their ends."""
    lengths = strokes.lengths
    sides = np.flatnonzero((lengths > 3) & (lengths < 25))
    if not len(sides) or len(sides) > 40_000:
        return []
    keys = end_keys(strokes.segments[sides], 4)
    meeting, times = np.unique(keys, return_counts=True)
    meeting = meeting[(times >= 2) & (times <= 4)]
    chosen = np.flatnonzero(np.isin(keys, meeting).all(axis=1))
    by_end: dict[int, list[int]] = defaultdict(list)
    ends = keys.tolist()
    for i in chosen.tolist():
        for end in ends[i]:
            by_end[end].append(i)
    corners = np.round(strokes.segments[sides] * 4) / 4
    found = []
    for i in chosen.tolist():
        a, b = ends[i]
        others_a = {_other(ends[j], a): j for j in by_end[a] if j > i}
        for j in by_end[b]:
            far = _other(ends[j], b)
            if j > i and far in others_a and others_a[far] != j and far not in (a, b):
                third = corners[j, 2:] if ends[j][0] == b else corners[j, :2]
                found.append(np.array([corners[i, :2], corners[i, 2:], third]))
    return found


def _other(ends: list[int], end: int) -> int:
    return ends[1] if ends[0] == end else ends[0]


def _levels(lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    """Heights with a sign, surer where a triangle stands by them."""
    centres = [corners.mean(axis=0) for corners in strokes.triangles]
    found = []
    for line in lines:
        if LEVEL.match(line.text):
            near = any(math.dist(centre, line.middle) < line.width + 4 * line.height for centre in centres)
            if near:
                found.append(MarkText("level", line.text, (line.text,), line.box, 0.85, line.rows))
    return found


def _north(lines: Sequence[Line], strokes: Strokes) -> list[MarkText]:
    found = []
    for line in lines:
        text = line.text.strip(".").upper()
        if text in ("NORTH", "TRUE NORTH", "PROJECT NORTH", "PLAN NORTH", "NORD", "SEVER", "СЕВЕР"):
            found.append(MarkText("north", line.text, (line.text,), line.box, 0.75, line.rows))
        elif text in ("N", "С", "S↑"):
            reach = 6 * line.height
            round_ = [
                loop
                for loop in strokes.loops
                if loop.size > 2 * line.height and math.dist(loop.centre, line.middle) < reach + loop.size / 2
            ]
            pointed = [a for a in strokes.arrows if math.dist(a.tip, line.middle) < reach and a.length > line.height]
            sharp = [
                t
                for t in strokes.triangles
                if math.dist(t.mean(axis=0), line.middle) < reach and np.ptp(t, axis=0).max() > line.height
            ]
            if round_ or pointed or sharp:
                found.append(MarkText("north", line.text, (line.text,), line.box, 0.7, line.rows))
    return found


def _zones(page: Page, lines: Sequence[Line]) -> list[MarkText]:
    """Letters and numbers along opposite edges of a sheet, outside its frame."""
    if page.kind == "model":
        return []
    margin = 0.05 * max(page.width, page.height)
    found = []
    short = [line for line in lines if re.match(r"^(?:[A-Z]|\d{1,2})$", line.text)]
    for axis, size in ((1, page.height), (0, page.width)):
        low = [line for line in short if line.middle[axis] < margin]
        high = [line for line in short if line.middle[axis] > size - margin]
        twins = [
            (one, two)
            for one in low
            for two in high
            if one.text == two.text and abs(one.middle[1 - axis] - two.middle[1 - axis]) < 3
        ]
        if len(twins) >= 3:
            found += [
                MarkText("zone", line.text, (line.text,), line.box, 0.85, line.rows) for pair in twins for line in pair
            ]
    return found


def _union(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
