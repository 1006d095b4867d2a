"""Measured values in rules: comparator, value, unit and the part they play.

The comparator is the bound on a compliant value, read from the words around the number in its own clause; an item
of a list takes over what its lead-in says. The role tells limits from thresholds that only say when a rule applies,
from tests and loads, definitions and mere information.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from dqgen.rulebook.units import NUMBER, Units, is_preposition, number_value, same_kind
from dqgen.schemas.rulebook import Amount, Comparator, Quantity, QuantityRole, Rule

_MORE = r"(?:more|greater|larger|higher|longer|wider|taller|thicker|further|farther|bigger|heavier|older|faster|later|steeper|deeper|louder|stronger)"
_LESS = r"(?:less|lower|smaller|shorter|narrower|thinner|fewer|lighter|closer|nearer|slower|younger|quieter|earlier)"
_CUES: list[tuple[str, str]] = [
    # what is written, the bound it sets; the order decides at equal places
    ("minimum", rf"\bnot?\s+(?:be\s+)?{_LESS}\s+(?:in\s+\w+\s+)?(?:than|of)\b|\bat\s+(?:the\s+(?:very\s+)?)?least\b|\bat\s+a\s+minimum\b"),
    ("maximum", rf"\bnot?\s+(?:be\s+)?{_MORE}\s+(?:in\s+\w+\s+)?than\b|\bnot\s+(?:to\s+)?exceed(?:ing)?\b|\bat\s+(?:the\s+)?most\b"),
    ("more", rf"\b{_MORE}\s+(?:\w+\s+){{0,3}}?than\b|\bexceed(?:s|ed|ing)?\b|\babove\b(?!\s+the)|\bover\b(?!\s+the)|\bin\s+excess\s+of\b|\bbeyond\b|\bpast\b|[>≥⩾]\s?=?"),
    ("less", rf"\b{_LESS}\s+(?:\w+\s+){{0,3}}?than\b|\bbelow\b(?!\s+the)|\bunder\b(?!\s+the)|\bbeneath\b|[<≤⩽]\s?=?"),
    ("minimum", r"\b[Mm]inimum\b|\bMINIMUM\b|\b[Mm]in\b\.?(?!\w)|\bminimal\b"),
    ("maximum", r"\b[Mm]aximum\b|\bMAXIMUM\b|\b[Mm]ax\b\.?(?!\w)|\bup\s+to\b|\bwithin\b(?!\s+the\b)|\blimited\s+to\b|\brestricted\s+to\b|\bno\s+later\s+than\b|\bmaximal\b"),
    ("approximately", r"\bapprox(?:imately|\.)?|\babout\b|\broughly\b|\baround\b|\bnominal(?:ly)?\b|\bcirca\b|[~≈]|\btypical(?:ly)?\b"),
    ("exactly", r"\bexactly\b|\bprecisely\b"),
]  # fmt: skip
_CUE = re.compile("|".join(f"(?P<c{n}>{pattern})" for n, (_, pattern) in enumerate(_CUES)))
_OR_EQUAL = re.compile(r"\s*(?:than\s+)?(?:or\s+equal\s+to|and\s+including|and\s+up\s+to)?\s*$")
_NEGATION = re.compile(r"\b(?:not|no|never|cannot|can't|don't|without|neither|nor|prohibited)\b", re.IGNORECASE)
_AFTER = [
    ("maximum", re.compile(r"[\s,]*(?:\([^)]*\)\s*)?(?:in\s+\w+\s+)?(?:or|and)\s+(?:less|lower|below|under|smaller|fewer|shorter|thinner|narrower|lighter|closer)\b")),
    ("minimum", re.compile(r"[\s,]*(?:\([^)]*\)\s*)?(?:in\s+\w+\s+)?(?:or|and)\s+(?:more|greater|above|over|higher|larger|bigger|thicker|longer|wider|taller|heavier|older|upwards?)\b")),
    ("minimum", re.compile(r"\s*[,(]?\s*(?:[Mm]inimum|MINIMUM|[Mm]in\b\.?)")),
    ("maximum", re.compile(r"\s*[,(]?\s*(?:[Mm]aximum|MAXIMUM|[Mm]ax\b\.?)")),
    ("minimum", re.compile(r"\s+(?:\w+\s+){1,2}(?:minimum|MINIMUM|min\.)(?=[\s.,;)]*(?:$|\n|[.,;)]))")),
    ("maximum", re.compile(r"\s+(?:\w+\s+){1,2}(?:maximum|MAXIMUM|max\.)(?=[\s.,;)]*(?:$|\n|[.,;)]))")),
    ("minimum", re.compile(r"\s+at\s+(?:the\s+)?(?:very\s+)?least\b")),
    ("maximum", re.compile(r"\s+at\s+(?:the\s+)?most\b")),
]  # fmt: skip
_OFFSET = re.compile(r"\s*(?:\([^)]*\)\s*)?(below|beneath|under|above|over)\b")
_MODAL = re.compile(
    r"\b(?:must|shall|may|should|will|can(?=\s+(?:be|not|only|have|use)\b)|cannot|requires?|need(?:s)?\s+to|ha(?:s|ve)\s+to|"
    r"(?:is|are|be)\s+(?:not\s+)?(?:permitted|allowed|required|prohibited|limited|restricted|forbidden)|need\s+not|"
    r"is\s+to\s+be|are\s+to\s+be)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|wherever|unless|once|while|until|during|in\s+case|in\s+the\s+event|as\s+long\s+as|"
    r"provided|after|before|upon)\b",
    re.IGNORECASE,
)
_ONLY_WHEN = re.compile(r"\b(?:if|when|whenever|where|unless)\b[^.]*:\s*$", re.IGNORECASE)
_RELATIVE = re.compile(r"\b(?:that|which|who|whose|with|having|of|exceeding|using|operating|rated|designed)\b", re.I)
_TEST = re.compile(
    r"\b(?:test(?:s|ed|ing)?|probe|tilt(?:ed)?|withstand(?:s|ing)?|template\s+will|inserted|applied|established\s+at|"
    r"simulat\w+|impact(?:ing)?\s+(?:speed|velocity)|dropped\s+from)\b",
    re.IGNORECASE,
)
_FORCES = {"N", "kN", "MN", "lbf"}
_LOADS = re.compile(r"\b(?:load|force|withstand|support|carry|strength|appl(?:y|ied)|pull|tension|preload)\w*", re.I)
_DEFINITION = re.compile(r"\b(?:is|are|be)\s+defined\s+(?:as|by)\b|\bdefinitions?\b|\bmeans\b|\brefers\s+to\b", re.I)
_INFORMATION = re.compile(
    r"\b(?:for\s+example|e\.\s?g\.|such\s+as|example|typical(?:ly)?|rounded|nearest|penalt(?:y|ies)|points?|"
    r"note|informative|for\s+information|score[sd]?)\b",
    re.IGNORECASE,
)
_PENALTY = re.compile(r"[\s-]*(?:time\s+)?penalt", re.IGNORECASE)
_STATED = re.compile(r"\b(?:minimum|maximum)\b[^.;]{0,120}\b(?:is|are|of)\b|\bthere\s+(?:is|are)\b", re.IGNORECASE)
_BOUND = re.compile(r"\b(?:minimum|maximum|min\.|max\.|at least|no more|not more|no less|limit)\b", re.IGNORECASE)
_TIMES = re.compile(
    r"\b(?P<n>two|three|four|five|six|ten|twice|\d+(?:\.\d+)?)(?:\s+times|(?<=twice))\s+(?:the|its|that|as)\b", re.I
)
_WORDS = {"two": 2, "twice": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}
_JOINT = re.compile(r"^[\s\w()-]{0,60}?(?:\b(?:and|or|by|to)\b|[x×*/,&])\s*(?:a\s+|an\s+)?$")
_CLAUSE = re.compile(r"[.;:]\s+(?=[A-Z(\d])|;|\n(?=[•▪●○–—-]\s)|\n(?=\(?[a-z][.)]\s)")


@dataclass(slots=True)
class _Segment:
    """A stretch of a rule's text that is read on its own: running text, or an item with its lead-in."""

    start: int
    end: int
    item: str
    lead: str


@dataclass(slots=True)
class _Found:
    start: int
    end: int
    values: tuple[float, ...]
    unit: str
    comparator: Comparator | None = None
    also: tuple[Amount, ...] = ()


def add_quantities(rules: Sequence[Rule], units: Units) -> None:
    """Fill in the quantities of all rules."""
    for rule in rules:
        rule.quantities = list(_quantities(rule, units))


def read_quantities(text: str, units: Units | None = None, title: str = "") -> list[Quantity]:
    """The quantities of a text that has no items."""
    segment = _Segment(0, len(text), "", "")
    return list(_segment_quantities(text, segment, units or Units.of({}), title))


def _quantities(rule: Rule, units: Units) -> Iterator[Quantity]:
    if rule.text and any(char.isdigit() or char in "½¼¾" for char in rule.text) or "times" in rule.text:
        for segment in _segments(rule):
            yield from _segment_quantities(rule.text, segment, units, rule.title)


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
            leads[0] = f"{leads.get(0, '')} {gap}" if gap[0].islower() else rule.text[lead_start:at]
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
    found = _with_brackets(words, _find(words, units))
    before: _Found | None = None
    for one, after in zip_longest(found, found[1:]):
        stop = after.start if after else len(words)
        one.comparator = one.comparator or _comparator(words, one, before, stop, segment.lead)
        role = _role(words, one, segment.lead, title)
        comparator = one.comparator
        value = one.values[0] if len(one.values) == 1 else list(one.values)
        yield Quantity(
            comparator=comparator, value=value, unit=one.unit, role=role, raw=words[one.start : one.end],
            start=segment.start + one.start, end=segment.start + one.end, item=segment.item, also=list(one.also),
        )  # fmt: skip
        before = one


_AT_NUMBER = re.compile(rf"(?<![\w/:.,])(?P<number>{NUMBER})")
_RANGE_GAP = re.compile(r"\s*(?:to|and|-|–|—|through|…|\.\.\.)\s*")
_BETWEEN = re.compile(r"\b(?:between|from|range\s+of|ranging\s+from)\s+(?:a\s+(?:minimum|range)\s+of\s+)?$", re.I)
_SIGNS = re.compile(r"\s*(?:±|\+/-|\+/−|\+\s?/\s?-)\s*")


def _find(words: str, units: Units) -> list[_Found]:
    """Numbers with units, and ranges and tolerances of them."""
    found: list[_Found] = []
    position = 0
    while match := _AT_NUMBER.search(words, position):
        position = match.end()
        unit = _unit_at(words, match, units)
        low = number_value(match["number"])
        pair = _pair(words, match, unit, units, low)
        if pair is not None:
            found.append(pair)
            position = pair.end
        elif unit is not None:
            end, name = unit
            found.append(_Found(match.start(), end, (low,), name))
            position = end
    for match in _TIMES.finditer(words):
        said = match["n"].lower()
        value = _WORDS[said] if said in _WORDS else float(said)
        if not any(f.start <= match.start() < f.end for f in found):
            end = match.end("n") if said == "twice" else match.start() + match.group().lower().index("times") + 5
            found.append(_Found(match.start(), end, (float(value),), "x"))
    return sorted(found, key=lambda f: f.start)


def _unit_at(words: str, number: re.Match[str], units: Units) -> tuple[int, str] | None:
    gap = re.compile(r"[\s-]?\s?").match(words, number.end())
    assert gap is not None
    match = units.pattern.match(words, gap.end())
    if match is None:
        return None
    name = units.named(match)
    printed = match.group()
    glued = gap.end() == number.end()
    if is_preposition(words, match.start(), match.end(), number["number"]):
        return None
    if "\n" in gap.group() and len(printed) == 1 and printed.isalpha() and printed not in "NVAm":
        return None
    if printed in ("s", "h", "m", "l", "K", "J", "L", "G") and words[number.end() : match.start()] == "-":
        return None
    if printed == "s" and glued and len(number["number"]) == 4:
        return None  # the 1990s
    if printed in ("A", "V", "K", "L", "J", "G") and words[match.end() : match.end() + 1] in ("-", "."):
        following = words[match.end() + 1 : match.end() + 2]
        if following.isalnum():
            return None  # a part or type number
    return match.end(), name


def _pair(words: str, first: re.Match[str], unit: tuple[int, str] | None, units: Units, low: float) -> _Found | None:
    """A range "2 to 5 mm", "between 240 mm and 320 mm", "0 – 75 mm", or a tolerance "30 ± 5 mm"."""
    end = unit[0] if unit else first.end()
    between = _BETWEEN.search(words[: first.start()])
    # The first end may carry the same quantity in brackets: "between 25 mm (1 in) and 50 mm (2 in)".
    bracket = re.compile(r"\s*\([^()]{1,25}\)").match(words, end) if between else None
    signs = _SIGNS.match(words, end)
    gap = signs or _RANGE_GAP.match(words, bracket.end() if bracket else end)
    if gap is None:
        return None
    second = re.compile(rf"(?P<number>{NUMBER})").match(words, gap.end())
    if second is None:
        return None
    other = _unit_at(words, second, units)
    name = other[1] if other else unit[1] if unit and signs else None
    if name is None or (unit and unit[1] != name):
        return None
    high = number_value(second["number"])
    stop = other[0] if other else second.end()
    if signs:
        return _Found(first.start(), stop, (round(low - high, 6), round(low + high, 6)), name, "range")
    said = gap.group().strip()
    if (said == "and" and not between) or high <= low:
        return None
    if said in ("-", "–", "—") and not unit and re.search(r"[/\d]\s*$", words[: first.start()]):
        return None
    return _Found(first.start(), stop, (low, high), name, "range")


def _with_brackets(words: str, found: Sequence[_Found]) -> list[_Found]:
    """Join a quantity with the same one in a second unit: "2.0 mm (0.080 in)", "60 inches / 1524 mm"."""
    joined: list[_Found] = []
    for one in found:
        if joined and same_kind(joined[-1].unit, one.unit) and joined[-1].unit != one.unit:
            between = words[joined[-1].end : one.start]
            closes = words[one.end : one.end + 2].lstrip().startswith((")", "]"))
            in_brackets = re.fullmatch(r"\s*[(\[]\s*[~≈=]?\s*(?:approx\.?|approximately|about|or)?\s*", between)
            if (in_brackets and closes) or re.fullmatch(r"\s*[/=]\s*", between):
                value = one.values[0] if len(one.values) == 1 else list(one.values)
                last = joined[-1]
                last.also = (*last.also, Amount(value=value, unit=one.unit))
                last.end = one.end + (len(words[one.end :]) - len(words[one.end :].lstrip()) + 1 if closes else 0)
                continue
        inside = joined and joined[-1].start <= one.start < joined[-1].end
        if not inside:
            joined.append(one)
    return joined


def _comparator(words: str, one: _Found, before: _Found | None, stop: int, lead: str) -> Comparator:
    after = words[one.end : min(stop, one.end + 60)]
    for bound, pattern in _AFTER[:2]:
        if pattern.match(after):
            return _as_comparator(bound)
    left_end = before.end if before else 0
    left = words[left_end : one.start]
    clause = _last_clause(left)
    cue = _last_cue(clause)
    adjacent = cue is not None and len(clause) - cue[2] <= 12
    for bound, pattern in _AFTER[2:]:
        if pattern.match(after) and not adjacent:
            return _as_comparator(bound)
    if cue is not None and len(clause) - cue[2] <= _reach(cue[0], clause):
        whole = _last_clause(words[: one.start])
        return _resolve(cue, whole[: len(whole) - len(clause) + cue[1]], clause[cue[1] :], words[one.end :])
    if before is not None and before.comparator not in (None, "range") and _JOINT.match(left) and not _CLAUSE.search(left):
        assert before.comparator is not None
        return before.comparator
    if lead and before is None:
        tail = _last_clause(lead.rstrip(" :\n"))
        cue = _last_cue(tail)
        if cue is not None and not re.search(r"\d", tail[cue[2] :]) and cue[0] != "exactly":
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
    flipped = bool(offset) and offset is not None and (
        (re.match(r"not?\s+(?:be\s+)?lower\b", said) and offset[1] in ("below", "beneath", "under"))
        or (re.match(r"not?\s+(?:be\s+)?higher\b", said) and offset[1] in ("below", "beneath", "under"))
    )  # "no lower than 50 mm below": the distance down is at most that
    if kind in ("minimum", "maximum"):
        return _as_comparator({"minimum": "maximum", "maximum": "minimum"}[kind] if flipped else kind)
    clause = re.split(r"[,;]\s|\b(?:if|when|where|unless)\b", left[-90:])[-1]
    negated = bool(_NEGATION.search(clause))
    more = (kind == "more") != negated
    if negated and offset and re.match(r"lower\b", said) and offset[1] in ("below", "beneath", "under"):
        more = not more
    return "minimum" if more else "maximum"


def _role(words: str, one: _Found, lead: str, title: str) -> QuantityRole:
    left, right = _sentence(words, one)
    said = left + words[one.start : one.end] + right
    intro = lead
    if one.comparator == "approximately" or _PENALTY.match(words, one.end) or _informs(left, right):
        return "information"
    if one.unit in _FORCES and _LOADS.search(f"{intro} {said}"):
        return "test"
    modals = [*_MODAL.finditer(left)]
    led = bool(_MODAL.search(intro))
    if _DEFINITION.search(left) or (not modals and _DEFINITION.search(intro)):
        return "definition"
    if modals or led:
        tail = left[modals[-1].end() :] if modals else left
        if not modals and _ONLY_WHEN.search(lead[[*_MODAL.finditer(lead)][-1].end() :]):
            return "condition"
        if _CONDITION.search(tail) and not re.search(r"\bthere\s+(?:is|are)\b", left, re.IGNORECASE):
            return "condition"
        later = _MODAL.search(right)
        if later and not modals and _conditional(left, one, words):
            return "condition"
        if later and modals and _conditional(re.split(r"[,.]\s", tail)[-1], one, words) and "," in right[: later.start()]:
            return "condition"
        return "test" if _tests(intro, left, right, one) else "limit"
    if re.search(r"\bthere\s+(?:is|are)\b", left, re.IGNORECASE) and _BOUND.search(left):
        return "limit"
    if _MODAL.search(right):
        if _conditional(left, one, words):
            return "condition"
        return "test" if _tests(intro, left, right, one) else "limit"
    if _CONDITION.search(f"{intro} {left}") and not _STATED.search(f"{intro} {left}"):
        return "condition"
    if _tests(intro, left, right, one):
        return "test"
    return _plain_role(left, right, intro, one, words, title)


def _plain_role(left: str, right: str, intro: str, one: _Found, words: str, title: str) -> QuantityRole:
    """The role where nothing says must, may or when."""
    if _STATED.search(f"{intro} {left}") and not re.search(r"\b(?:is|are)\s+(?:a\s+)?(?:minimum|maximum)\b", left):
        return "limit"
    if _BOUND.search(title):
        return "limit"
    bound = one.comparator in ("minimum", "maximum", "range")
    verb = re.search(r"\b(?:is|are|was|were|has|have|any|an?|the)\b", left, re.IGNORECASE)
    if bound and not verb:
        return "limit"  # a bare entry: "Steel 0.9 mm minimum thickness"
    if bound and re.match(r"^\W*no\b", left.lstrip(), re.IGNORECASE):
        return "limit"
    return "definition" if bound else "information"


def _sentence(words: str, one: _Found) -> tuple[str, str]:
    left, right = words[: one.start], words[one.end :]
    cuts = [match.end() for match in re.finditer(r"(?<!\be\.g)(?<!\bi\.e)[.;?!]\s+(?=[A-Z(“\"])|\n(?=(?:NOTE|Note)\b)", left)]
    if cuts:
        left = left[cuts[-1] :]
    end = re.search(r"[.;?!]\s+(?=[A-Z(“\"])", right)
    return left, right[: end.start()] if end else right


def _informs(left: str, right: str) -> bool:
    tail = re.split(r"[.;:]\s|\bmust\b|\bshall\b", left)[-1]
    return bool(_INFORMATION.search(tail))


def _conditional(left: str, one: _Found, words: str) -> bool:
    """Whether a quantity before the verb of its sentence only says which things the sentence is about."""
    if _CONDITION.search(left):
        return True
    cue = _last_cue(left)
    compared = cue is not None and cue[0] in ("more", "less") and len(left) - cue[2] < 30
    return compared or (bool(re.search(r"\b(?:that|which|who|whose)\b", left)) and not _BOUND.search(left))


def _tests(lead: str, left: str, right: str, one: _Found) -> bool:
    return bool(_TEST.search(lead) or _TEST.search(left[-160:])) and one.unit not in ("%",) or bool(re.match(r"[^.;]{0,60}\btest\s+probe\b", right))
