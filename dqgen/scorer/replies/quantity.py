"""Numbers with units: which value a reply gives."""

import math
import re
from dataclasses import dataclass
from itertools import pairwise

from dqgen.scorer.replies.reply import Reply
from dqgen.scorer.units import UNITS, convert, unit_of


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number in a text.

    Attributes:
        value: the number as written, before any conversion.
        unit: a unit of `UNITS`; None where none is written.
        role: `value`, or what it is instead: `range` (one end of it), `bound` (less than, at least),
            `tolerance`.
        start, end: its place in the text.
    """

    value: float
    unit: str | None
    role: str
    start: int
    end: int


_RULE_ID = re.compile(r"\b(?:[A-Za-z]{1,4}\.\d+(?:\.\d+)*|[A-Z]{1,4}\d+(?:\.\d+)+|[A-Z]{1,3} \d+(?:\.\d+){2,})[a-z]?\b")
_LIST_MARK = re.compile(r"^[ \t]*\(?\d{1,2}[.)][ \t]+(?=\S)", re.M)
_SPACES = "\u00a0\u2009\u202f"
_GROUPED = (
    rf"\d{{1,3}}(?:,\d{{3}})+(?:\.\d+)?"
    rf"|\d{{1,3}}(?:['{_SPACES}]\d{{3}})+(?:[.,]\d+)?"
    rf"|\d{{1,3}}(?: \d{{3}})+(?![\d.,]*\d)"
)
_CONTINENTAL = r"\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d+"
_PLAIN = r"\d+(?:\.\d+)?|\.\d+"
_POWER = r"(?:[eE][-+]?\d{1,3}(?!\d|\.\d)|\s?[×x*·]\s?10\s?(?:\^|\*\*)\s?[{(]?([-+]?\d{1,3})[})]?)"
_NUMBER = re.compile(
    rf"(?<![\w.,/])([-+])?(?:(\d+)(?:\s|-|\s-\s)(\d+)/(\d+)|(\d+)/(\d+)|"
    rf"({_GROUPED}|{_CONTINENTAL}|{_PLAIN}))({_POWER})?(?![\d/]|\.\d|,\d|-[A-Za-z]\d)"
)
_UNIT_NAMES = sorted(
    {*UNITS, "mm2", "mm3", "cm2", "cm3", "m2", "m3", "N/mm2", "m/s2", "μm", "μ"}, key=len, reverse=True
)
_UNIT = re.compile(
    r"\s?-?("
    + "|".join(re.escape(u) + (r"(?:s|es)?" if len(u) > 2 and u.isalpha() else "") for u in _UNIT_NAMES)
    + r")"
    r"(?![A-Za-z0-9^])",
    re.I,
)
_FEET_INCHES = re.compile(
    r"(\d+)\s?(?:'|ft|feet|foot)\s?-?\s?(\d+(?:\.\d+)?|\d+\s\d+/\d+)\s?(?:\"|''|in(?:ch(?:es)?)?\b)"
)
_TOLERANCE = re.compile(r"(?:±|\+/-|\+-|plus or minus)\s*$")
_BOUND = re.compile(
    r"(?:[<>≤≥]=?|\b(?:less|more|greater|fewer|larger|smaller|higher|lower|shorter|longer) than(?: or equal to)?|"
    r"\bat (?:least|most)|\b(?:over|under|above|below|exceeds?|exceeding|minimum(?: of)?|maximum(?: of)?|up to|"
    r"no (?:more|less) than))\s*$",
    re.I,
)
_RANGE_AFTER = re.compile(r"\s?(?:-|–|—|\.\.\.?|…|to\b|and\b)\s?", re.I)
_BETWEEN = re.compile(r"\b(?:between|from)\s*$", re.I)


def find_quantities(text: str) -> list[Quantity]:
    """The numbers of a text with their units and roles.

    Read are signs; thousands commas (1,525), blanks (1 525) and apostrophes; decimal commas (12,5 and
    1.525,4; a comma before exactly three digits groups thousands unless a lone 0 stands before it); fractions
    (3/8, 1 1/2); feet and inches; powers of ten (1.5e3, 1.5×10^3). Rule ids, list marks and numbers glued to
    letters (M6, 6061-T6) are not.
    """
    text = _RULE_ID.sub(lambda m: " " * len(m[0]), _LIST_MARK.sub(_blank_mark, text))
    found: list[Quantity] = []
    taken = 0
    feet = {m.start(): m for m in _FEET_INCHES.finditer(text)} if "'" in text or "f" in text else {}
    for match in _NUMBER.finditer(text):
        if match.start() < taken:
            continue
        if match.start() in feet:
            both = feet[match.start()]
            value, end = float(both[1]) * 12 + _fraction(both[2]), both.end()
            unit: str | None = '"'
        else:
            value, end = _value(match), match.end()
            name = _UNIT.match(text, end)
            unit = unit_of(name[1]) if name else None
            end = name.end() if name and unit else end
        if math.isfinite(value):
            found.append(Quantity(value, unit, _role(text, match.start(), found), match.start(), end))
        taken = end
    return _with_ranges(text, found)


def _blank_mark(match: re.Match[str]) -> str:
    # A number alone on its line is no list mark; one before text is.
    return " " * len(match[0])


def _fraction(text: str) -> float:
    whole, _, rest = text.partition(" ")
    if "/" in rest:
        over, _, under = rest.partition("/")
        return float(whole) + float(over) / float(under) if float(under) else math.nan
    return float(text)


def _value(match: re.Match[str]) -> float:
    if match[2]:
        value = float(match[2]) + (float(match[3]) / float(match[4]) if float(match[4]) else math.nan)
    elif match[5]:
        value = float(match[5]) / float(match[6]) if float(match[6]) else math.nan
    else:
        value = float(_point(match[7]))
    if match[8]:
        value *= float(f"1e{match[9] or match[8][1:]}")
    return -value if match[1] == "-" else value


def _point(digits: str) -> str:
    digits = re.sub(rf"['{_SPACES} ]", "", digits)
    if "," not in digits:
        return digits.replace(".", "") if digits.count(".") > 1 else digits
    if "." in digits:
        decimal_comma = digits.rfind(",") > digits.rfind(".")
        return digits.replace(".", "").replace(",", ".") if decimal_comma else digits.replace(",", "")
    head, _, tail = digits.rpartition(",")
    grouped = re.fullmatch(r"[1-9]\d{0,2}(?:,\d{3})*", head) and len(tail) == 3
    return digits.replace(",", "") if grouped else digits.replace(",", ".")


def _role(text: str, start: int, before: list[Quantity]) -> str:
    lead = text[max(0, start - 40) : start]
    if _TOLERANCE.search(lead):
        return "tolerance"
    return "bound" if _BOUND.search(lead) else "value"


def _with_ranges(text: str, found: list[Quantity]) -> list[Quantity]:
    """Mark both ends of `10-12 mm`, `10 to 12 mm`, `between 10 and 12 mm`.

    The first end takes the second's unit.
    """
    out = list(found)
    for index, (one, two) in enumerate(pairwise(found)):
        gap = text[one.end : two.start]
        joined = _RANGE_AFTER.fullmatch(gap)
        if not joined or one.role != "value" or two.role == "tolerance":
            continue
        if gap.strip().lower() == "and" and not _BETWEEN.search(text[max(0, one.start - 12) : one.start]):
            continue
        out[index] = Quantity(one.value, one.unit or two.unit, "range", one.start, one.end)
        out[index + 1] = Quantity(two.value, two.unit, "range", two.start, two.end)
    return out


def read_number(reply: Reply, unit: str | None) -> tuple[float | None, str]:
    """The value that a reply gives, in the question's unit, and how it was read; None and why where it gives
    none.

    A number without a unit is taken to be in the question's unit. One in a unit of another kind is no value.
    Where an answer holds several values, the one that opens it counts, or the one after the last `=`;
    otherwise none does.

    Args:
        reply: the reply taken apart.
        unit: the unit of the truth; None for a pure number.
    """
    own = unit_of(unit) if unit else None
    parts = [part for part in reply.answers if part.strip()] or [reply.text]
    read = [_read_part(part[:4000], own, bool(reply.answers)) for part in parts]
    values = [value for value, _ in read if value is not None]
    if not values:
        return None, read[-1][1]
    if any(not _same(value, values[0]) for value in values):
        return None, "answers contradict each other"
    return values[0], f"by {reply.mark}" if reply.mark else "stated"


def _read_part(part: str, own: str | None, marked: bool) -> tuple[float | None, str]:
    found = [q for q in find_quantities(part) if q.role != "tolerance"]
    if not found:
        return None, "no number"
    in_own = [(q, value) for q in found if (value := _in(q, own)) is not None]
    if not in_own:
        return None, "a number in a unit of another kind"
    with_unit = [(q, value) for q, value in in_own if q.unit] if own else []
    candidates = with_unit or in_own
    plain = [(q, value) for q, value in candidates if q.role == "value"]
    if not plain:
        return None, "a range, not a value" if candidates[0][0].role == "range" else "a bound, not a value"
    if all(_same(value, plain[0][1]) for _, value in plain):
        return plain[0][1], ""
    equals = part.rfind("=")
    after = [(q, value) for q, value in plain if q.start > equals]
    if equals >= 0 and after and all(_same(value, after[0][1]) for _, value in after):
        return after[0][1], ""
    first, value = plain[0]
    if not part[: first.start].strip(" \t\n~≈\"'(:-") and (marked or re.match(r"\s*(?:$|[,.;(\n])", part[first.end :])):
        return value, ""
    return None, "several numbers"


def _in(quantity: Quantity, own: str | None) -> float | None:
    if quantity.unit is None:
        return quantity.value
    if own is None:
        return quantity.value * 0.01 if quantity.unit in ("%", "percent") else quantity.value
    return convert(quantity.value, quantity.unit, own)


def _same(one: float, other: float) -> bool:
    # 25.4 mm (1.00 in): a restatement may be rounded
    return math.isclose(one, other, rel_tol=2e-3, abs_tol=1e-9)
