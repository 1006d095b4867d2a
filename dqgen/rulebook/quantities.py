"""Measured values in rules: comparator, value, unit and the part they play.

The comparator is the bound on a compliant value, read from the words around the number in its own clause; an item
of a list takes over what its lead-in says. The role tells limits from thresholds that only say when a rule applies,
from tests and loads, definitions and mere information.
"""

# ruff: noqa: E501 - the patterns read better whole
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest

from dqgen.rulebook.comparatives import AS_LITTLE, AS_MUCH, LESS, MORE
from dqgen.rulebook.measures import BEHIND, DIMENSION, TIMES_SIGN, Measure, find_measures, join_bounds, join_units
from dqgen.rulebook.roles import MODAL, is_prohibited, role_of, says_bound
from dqgen.rulebook.units import Units
from dqgen.schemas.rulebook import Comparator, Quantity, Rule

_CUES: list[tuple[str, str]] = [
    # what is written, the bound it sets; the order decides at equal places
    ("minimum", rf"\bnot?\s+(?:be\s+)?{LESS}\s+(?:in\s+\w+\s+)?(?:than|of)\b|\bat\s+(?:the\s+(?:very\s+)?)?least\b|\bat\s+a\s+minimum\b"),
    ("maximum", rf"\bnot?\s+(?:be\s+)?{MORE}\s+(?:in\s+\w+\s+)?than\b|\bnot\s+(?:to\s+)?exceed(?:ing)?\b|\bat\s+(?:the\s+)?most\b"),
    ("more", rf"\b{MORE}\s+(?:\w+\s+){{0,3}}?than\b|\bexceed(?:s|ed|ing)?\b|\b(?:above|over|beyond|past)\s*$|\bin\s+excess\s+of\b|[>≥⩾]\s?=?"),
    ("less", rf"\b{LESS}\s+(?:\w+\s+){{0,3}}?than\b|\b(?:below|under|beneath)\s*$|[<≤⩽]\s?=?"),
    ("minimum", rf"\b(?:may|can)\s+(?:\w+\s+){{0,3}}?as\s+{AS_LITTLE}\s+as\b"),
    ("maximum", rf"\b(?:may|can)\s+(?:\w+\s+){{0,3}}?as\s+{AS_MUCH}\s+as\b"),
    ("minimum", r"\bminimum\b|\bmin\b\.?(?!\w)|\bminimal\b"),
    ("maximum", r"\bmaximum\b|\bmax\b\.?(?!\w)|\bup\s+to\b|\bwithin\b(?!\s+the\b)|\blimit(?:ed|s|ing)?(?:\s+\w+){0,4}?\s+to\b|\bfits?\s+(?:in|into|inside)\b|\brestricted\s+to\b|\bno\s+later\s+than\b|\bmaximal\b"),
    ("approximately", r"\bapprox(?:imately|\.)?|\babout\b|\broughly\b|\baround\b|\bnominal(?:ly)?\b|\bcirca\b|[~≈]|\btypical(?:ly)?\b"),
    ("exactly", r"\bexactly\b|\bprecisely\b"),
]  # fmt: skip
_CUE = re.compile("|".join(f"(?P<c{n}>{pattern})" for n, (_, pattern) in enumerate(_CUES)), re.IGNORECASE)
_NEGATION = re.compile(
    r"\b(?:not|no|never|cannot|can't|don't|without|neither|nor|none|nothing|nobody|nowhere|prohibited)\b", re.IGNORECASE
)
_THEN = r"(?=[\s.,;)]*(?:$|\n|[.,;)])|\s+(?:diameter|thick\w*|width|length|height|size|radius|wall|depth|area)\b)"
_GRADED = rf"[\s,]*(?:\)\s*|\([^)]*\)\s*)?(?:in\s+\w+\s+|{DIMENSION}\s+)?(?:or|and)\s+"
_BEHIND = rf"\s*[,(]?\s*(?:{DIMENSION}\s+)?"
_AFTER = [
    ("maximum", re.compile(rf"{_GRADED}(?:below|under|{LESS})\b(?!\s+than\b)")),
    ("minimum", re.compile(rf"{_GRADED}(?:above|over|upwards?|{MORE})\b(?!\s+than\b)")),
    ("minimum", re.compile(_BEHIND + r"(?:[Mm]inimum|MINIMUM|[Mm]in\b\.?)")),
    ("maximum", re.compile(_BEHIND + r"(?:[Mm]aximum|MAXIMUM|[Mm]ax\b\.?)")),
    ("minimum", re.compile(r"\s+(?:[\w.]+\s+){1,4}(?:minimum|MINIMUM|min\.)" + _THEN)),
    ("maximum", re.compile(r"\s+(?:[\w.]+\s+){1,4}(?:maximum|MAXIMUM|max\.)" + _THEN)),
    ("minimum", re.compile(r"\s*[<≤⩽]=?\s*[A-Za-zα-ωΔ]")),
    ("maximum", re.compile(r"\s*[>≥⩾]=?\s*[A-Za-zα-ωΔ]")),
    ("minimum", re.compile(r"\s+at\s+(?:the\s+)?(?:very\s+)?least\b")),
    ("maximum", re.compile(r"\s+at\s+(?:the\s+)?most\b")),
]  # fmt: skip
_OFFSET = re.compile(r"\s*(?:\([^)]*\)\s*)?(below|beneath|under|above|over)\b")
_ASIDE = re.compile(r"\((?:[^()\d\s]+\s+){3,}[^()\d\s]+\)")  # words in brackets compare nothing outside them
_PLACE = re.compile(r"(?:above|over|beyond|past|below|under|beneath|exactly|precisely)\s*", re.IGNORECASE)
_JOINT = re.compile(
    r"^[\s\w()-]{0,60}?(?:,?\s*\b(?:and|or|by|to)\b|[x×*/,&])\s*(?:a\s+|an\s+)?$|"
    r"^[\s\w(),-]{0,30}\bor\s+(?:an?|the)\s+(?:equivalent|corresponding)\s+\w+\s+of\s*$|"
    r"^[\s\w()-]{0,20}\band\s+for\s+[^.;]{0,90}$"
)
# "No part, except its stays, may be lower than …": the subject goes on behind what is put in.
_INSERTION = re.compile(
    r",\s(?:[^,;]{1,120}|(?:except|including|excluding|other\s+than|apart\s+from|such\s+as)\b[^.;]{1,160}?),\s+"
    r"(?=(?:may|must|shall|should|can|cannot|will|is|are|has|have)\b)",
    re.IGNORECASE,
)
_NO_SUBJECT = re.compile(r"\W*(?:No|None|Nothing|Nobody|Neither)\b")
_ONLY_BOUND = re.compile(r"(?:(?:must|shall|may|should|can|is|are)\s+)?(?:(?:be|not|no|an?|the)\s+){0,2}")
_NUMBER_SIGNS = re.compile(r"[\d½¼¾]|times\b|twice\b")
_CLAUSE = re.compile(r"(?:(?<!\bNo)\.|[;:])\s+(?=[A-Z(\d])|;|\n(?=[•▪●○–—-]\s)|\n(?=\(?[a-z][.)]\s)")


@dataclass(slots=True)
class _Segment:
    """A stretch of a rule's text that is read on its own: running text, or an item with its lead-in."""

    start: int
    end: int
    item: str
    lead: str
    column: str | None = None  # the head of its column, for a cell of a table


def add_quantities(rules: Sequence[Rule], units: Units) -> None:
    """Fill in the quantities of all rules."""
    for rule in rules:
        rule.quantities = list(_quantities(rule, units))


def read_quantities(text: str, units: Units | None = None, title: str = "") -> list[Quantity]:
    """The quantities of a text that has no items."""
    segment = _Segment(0, len(text), "", "")
    return list(_segment_quantities(text, segment, units or Units.of({}), title))


def _quantities(rule: Rule, units: Units) -> Iterator[Quantity]:
    if not _NUMBER_SIGNS.search(rule.text):
        return
    segments = _segments(rule)
    cells = _cells(rule, segments)
    text = rule.text
    for cell in cells:  # what stands in a table is read cell by cell
        text = text[: cell.start] + " " * (cell.end - cell.start) + text[cell.end :]
    for segment in sorted([*segments, *cells], key=lambda s: (s.start, s.column is not None)):
        yield from _segment_quantities(rule.text if segment.column is not None else text, segment, units, rule.title)


def _cells(rule: Rule, segments: Sequence[_Segment]) -> list[_Segment]:
    """The cells of a rule's tables where they stand in its text, each led in by the head of its column."""
    cells: list[_Segment] = []
    cursor = 0
    for table in rule.tables:
        if not any(table.header):
            continue  # its cells say no more than the text
        led = ""
        for row in (table.header, *table.rows):
            said = " ".join(cell for cell in row if cell)
            start = rule.text.find(said, cursor) if said else -1
            if start < 0:
                continue
            if row is table.header and not says_bound(
                " ".join(row[1:])
            ):  # else the columns say which of them are limits
                led = _lead_in(rule.text[:start])
            cursor = start
            for column, (head, cell) in enumerate(zip(table.header, row, strict=True)):
                if cell:
                    end = cursor + len(cell)
                    item = next((s.item for s in segments if s.start <= cursor < s.end), "")
                    name = "" if row is table.header else head
                    if column and says_bound(row[0]) and row is not table.header:
                        name = f"{row[0]} {head}".strip()  # a row of maxima, one for each column
                    cells.append(
                        _Segment(cursor, end, item, f"{led} {name}".strip() if column and name else name, name)
                    )
                    cursor = min(end + 1, len(rule.text))
    return cells


def _lead_in(text: str) -> str:
    """The sentence before a table if it says that what follows must be kept to: "must be sized as follows:"."""
    said = re.split(r"[.;]\s+", text.rstrip())[-1]
    return said if MODAL.search(said) and re.search(r":$|\b(?:following|follows|below|tables?)\b", said) else ""


def _segments(rule: Rule) -> list[_Segment]:
    """Cut a rule's text at its items, each with the words that lead in to it."""
    segments: list[_Segment] = []
    cursor = 0
    leads: dict[int, str] = {}
    lead_start = 0
    for item in rule.items:
        first = item.text.split("\n")[0]
        probe = f"{item.label} {first}".strip()
        at = rule.text.find(probe, cursor)
        if at < 0:
            at = rule.text.find(item.label, cursor)
        if at < 0:
            continue
        if rule.text[cursor:at].strip():
            segments.append(_Segment(cursor, at, segments[-1].item if segments else "", ""))
            if item.level == 0:
                lead_start = cursor
        if item.level == 0 and (gap := rule.text[cursor:at].strip()):
            # "b. Exceed the voltage for / both conditions:": words that only go on keep the lead before them.
            # So does "Welded strength: …" within a list of what something must be.
            goes_on = gap[0].islower() or (gap.endswith(":") and bool(segments) and not MODAL.search(gap))
            leads[0] = f"{leads.get(0, '')} {gap}" if goes_on else rule.text[lead_start:at]
        lead = " ".join(leads.get(level, "") for level in range(item.level + 1)).strip()
        end = min(len(rule.text), at + len(probe) - len(first) + len(item.text))
        segments.append(_Segment(at, end, item.id, lead))
        leads[item.level + 1] = item.text
        cursor = end
    if cursor < len(rule.text):
        segments.append(_Segment(cursor, len(rule.text), "", ""))
    return segments


def _segment_quantities(text: str, segment: _Segment, units: Units, title: str) -> Iterator[Quantity]:
    words = text[segment.start : segment.end]
    found = join_units(words, find_measures(words, units))
    before: Measure | None = None
    for one, after in zip_longest(found, found[1:]):
        stop = after.start if after else len(words)
        one.comparator = one.comparator or _comparator(words, one, before, stop, segment.lead)
        before = one
    for one, after in reversed([*pairwise(found)]):
        alike = one.unit == after.unit and one.comparator == "exactly" and after.comparator != "range"
        if alike and TIMES_SIGN.fullmatch(words, one.end, after.start):
            one.comparator = after.comparator  # "25 mm x 2 mm minimum"
    for one in join_bounds(words, found, _is_bound):
        role = role_of(words, one, segment.lead, title, segment.column)
        value = one.values[0] if len(one.values) == 1 else list(one.values)
        yield Quantity(
            comparator=one.comparator, value=value, unit=one.unit, role=role, raw=words[one.start : one.end],
            start=segment.start + one.start, end=segment.start + one.end, item=segment.item, also=list(one.also),
        )  # fmt: skip


def _is_bound(said: str) -> bool:
    """Whether words are nothing but a bound: "less than", "must not exceed", "no more than"."""
    said = re.sub(r"(?:\s+of)?\s*$", "", said)
    cue = _last_cue(said)
    return cue is not None and cue[2] == len(said) and bool(_ONLY_BOUND.fullmatch(said[: cue[1]]))


def _comparator(words: str, one: Measure, before: Measure | None, stop: int, lead: str) -> Comparator:
    after = words[one.end : min(stop, one.end + 60)]
    for bound, pattern in _AFTER[:2]:
        if pattern.match(after):
            return _as_comparator(bound)
    left = words[before.end if before else 0 : one.start]
    if "(" in left:
        left = _ASIDE.sub(lambda aside: " " * len(aside.group()), left)
    if before is not None and (taken := BEHIND.match(left)):
        left = left[taken.end() :]  # "34 inches minimum and": that was said of the value before
    clause = _last_clause(left)
    cue = _last_cue(clause)
    adjacent = cue is not None and len(clause) - cue[2] <= 12
    for bound, pattern in _AFTER[2:]:
        if pattern.match(after) and not adjacent:
            return _as_comparator(bound)
    if cue is not None and len(clause) - cue[2] <= _reach(cue[0], clause):
        whole = _last_clause(words[: one.start])
        return _resolve(cue, whole[: len(whole) - len(clause) + cue[1]], clause[cue[1] :], words[one.end :])
    if (
        before is not None
        and before.comparator not in (None, "range")
        and _JOINT.match(left)
        and not _CLAUSE.search(left)
    ):
        assert before.comparator is not None
        return before.comparator
    if lead and before is None:
        tail = _last_clause(lead.rstrip(" :\n"))
        cue = _last_cue(tail)
        if cue is not None and not re.search(r"\d", tail[cue[2] :]) and not _PLACE.fullmatch(tail[cue[1] : cue[2]]):
            return _resolve(cue, tail[: cue[1]], tail[cue[1] :], words[one.end :])
    return "exactly"


def _reach(kind: str, clause: str) -> int:
    """How far before the number its comparing words may stand, in characters."""
    if kind not in ("minimum", "maximum"):
        return 45
    return 160 if re.search(r"\b(?:is|are|of|be)\s*$|[:=]\s*$", clause) else 90


def _as_comparator(bound: str) -> Comparator:
    return "minimum" if bound in ("minimum", "more") else "maximum" if bound in ("maximum", "less") else "exactly"


def _last_clause(text: str) -> str:
    cuts = [match.end() for match in _CLAUSE.finditer(text)]
    return text[cuts[-1] :] if cuts else text


def _last_cue(clause: str) -> tuple[str, int, int] | None:
    """Kind, start and end of the last comparing words of a clause."""
    last = None
    for match in _CUE.finditer(clause):
        assert match.lastgroup is not None
        last = (_CUES[int(match.lastgroup[1:])][0], match.start(), match.end())
    return last


def _resolve(cue: tuple[str, int, int], left: str, said: str, right: str) -> Comparator:
    kind = cue[0]
    if kind == "approximately":
        return "approximately"
    if kind == "exactly":
        return "exactly"
    offset = _OFFSET.match(right)
    flipped = (
        bool(offset)
        and offset is not None
        and (
            (re.match(r"not?\s+(?:be\s+)?lower\b", said) and offset[1] in ("below", "beneath", "under"))
            or (re.match(r"not?\s+(?:be\s+)?higher\b", said) and offset[1] in ("below", "beneath", "under"))
        )
    )  # "no lower than 50 mm below": the distance down is at most that
    if kind in ("minimum", "maximum"):
        return _as_comparator({"minimum": "maximum", "maximum": "minimum"}[kind] if flipped else kind)
    left = _INSERTION.sub(" ", left)
    clause = re.split(r"[,;]\s|\b(?:if|when|where|unless)\b", left[-90:])[-1]
    subject = _NO_SUBJECT.match(left)
    if subject and len(MODAL.findall(left)) == len(MODAL.findall(clause)) == 1 and "," not in left:
        clause = left  # "No part of the …" may be a long way before its verb
    negated = bool(_NEGATION.search(clause)) and said[0] not in "<>≤≥⩽⩾"
    more = (kind == "more") != (negated or is_prohibited(left + said, right))
    if negated and offset and re.match(r"lower\b", said) and offset[1] in ("below", "beneath", "under"):
        more = not more
    return "minimum" if more else "maximum"
