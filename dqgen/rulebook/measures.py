"""Numbers with units in a text: single ones, ranges, tolerances, multiples, and the same in a second unit."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dqgen.rulebook.comparatives import LESS, MORE
from dqgen.rulebook.standards import STANDARDS
from dqgen.rulebook.units import NUMBER, Units, agree, is_preposition, number_value, same_kind
from dqgen.schemas.rulebook import Amount, Comparator

_TIMES = re.compile(
    r"\b(?P<n>two|three|four|five|six|ten|twice|\d+(?:\.\d+)?)(?:\s+times|(?<=twice))\s+(?:the|its|that|as)\b",
    re.I,
)
_WORDS = {"two": 2, "twice": 2, "three": 3, "four": 4, "five": 5, "six": 6, "ten": 10}


@dataclass(slots=True)
class Measure:
    """A value or range with its unit, where it stands in a text."""

    start: int
    end: int
    values: tuple[float, ...]
    unit: str
    comparator: Comparator | None = None
    also: tuple[Amount, ...] = ()
    low: Amount | None = None  # the lower end of a range in a second unit: "25 mm (1 in) and 50 mm (2 in)"


_AT_NUMBER = re.compile(rf"(?<![\w/.,])(?<!\d:)(?<!\w-)(?P<number>{NUMBER})")
_STANDARD = re.compile(
    rf"\b(?:{'|'.join(STANDARDS)})(?:[\s-]+(?:Specs?|Specification|Standard|Grade|[A-Z]{{1,3}})\.?)*[\s-]*$"
)
_NAMED = re.compile(
    r"\b(?:Grade|Type|Class|Size|Version|No\.?|Snell|P/N:?|(?:Figure|Table|Rule|Section|Article|[Dd]rawing|[Dd]iagram)s?)\s*$"
)
_NAMES = re.compile(r"\d+[A-Z](?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s?[-–]\s?)\d+[A-Z]\b)*")  # drawings 1A to 6A
_RANGE_GAP = re.compile(r"\s*(?:to|and|-|–|—|through|…|\.\.\.)\s*")
_BETWEEN = re.compile(r"\b(?:between|from|range\s+of|ranging\s+from)\s+(?:(?:an?|the)\s+\w+\s+of\s+)?$", re.I)
_AND = re.compile(r"\s*,?\s*\b(?:and|but|nor)\s+(?P<bound>[^.;:,]{2,40})")
_THAN = r"(?:than|at\s+least|at\s+most|exceed|exceeding|below|above|over|under)\s+"
# "more than 240 and less than 320 mm": the first number takes the unit of the second.
_UNIT_LATER = re.compile(
    rf"\s+(?:and|but|or|nor)\s+(?:(?:must|shall|may|be|not|no|{MORE}|{LESS})\s+){{0,4}}{_THAN}(?P<number>{NUMBER})"
)
# "a safety factor of at least 1.5", "the ratio must not be more than 4:1": plain numbers that are limits.
_FACTOR = re.compile(
    r"\b(?:(?:safety|reserve)\s+factors?|factors?\s+of\s+safety|(?:stability|safety)\s+margins?)(?:\s+\([A-Z][^()]{0,90}\))?"
    r"(?:\s+(?!rule|section|table|figure|paragraph)[a-z]+){0,8}?\s*(?:\s|[≥≤>=<:])\s*"
    rf"(?P<number>{NUMBER})(?:\s?:\s?1(?:\.0)?)?(?![\w/:]|[.,-]\d)",
    re.IGNORECASE,
)
_TO_ONE = re.compile(
    rf"\bratios?\s+(?:(?:of|is|are|be|shall|must|may|should|will|at\s+least|at\s+most)\s+){{1,3}}(?P<number>{NUMBER})\s?:\s?1(?:\.0)?(?![\w/:]|[.,-]\d)",
    re.IGNORECASE,
)
_RATIO = re.compile(
    rf"\bratios?\b[^.;:\d]{{1,100}}?\b{_THAN}(?P<number>{NUMBER})(?:\s?:\s?1\b)?(?=\s*(?:[,;)]|\.(?!\d)|$)|\s+(?:and|but|or|nor)\b)",
    re.IGNORECASE,
)
_STROKE = re.compile(r"\s?/\s?|\s+per\s+")
# "34 inches minimum and …", "48 inches long minimum": set behind its value, it belongs to that one alone.
DIMENSION = r"(?:high|wide|long|deep|thick|tall)"
BEHIND = re.compile(
    rf"\s*(?:(?P<dimension>{DIMENSION})\s+)?(?:minimum|maximum|min\.|max\.|nominal)(?=\s+(?:and|or|but|by)\b|\s*[,;x×])",
    re.I,
)
_BOTH = re.compile(rf"{BEHIND.pattern}\s+(?:and|but)\s+", re.I)
_CHAIN = re.compile(r"\s*[<≤⩽]=?\s*[^\d\s<≤⩽=][^\s<≤⩽]{0,11}\s*[<≤⩽]=?\s*")  # "5 mm < d < 20 mm"
_DIMENSION = re.compile(rf"\s*({DIMENSION})\b")
TIMES_SIGN = re.compile(r"\s*(?:[x×*]|by)\s*")
# "25.4 x 2.4 mm": the numbers before take the unit of the last; "2 x 8 mm bolts" counts bolts.
_PRODUCT = re.compile(rf"\s?[x×]\s?(?P<number>{NUMBER})")
_UNEVEN = re.compile(r"\s*\(?\+\s?(?P<up>\d+(?:\.\d+)?)\s?(?:[a-z]{1,4})?\s?[/,]?\s?[-−–]\s?(?P<number>\d+(?:\.\d+)?)")
_SLOPE = re.compile(
    r"\b(?:slop\w+|steep\w*|gradients?|inclines?|pitch)\b[^.;:\d]{0,60}?\b(?P<number>1)\s?:\s?(?P<run>\d+(?:\.\d+)?)\b(?!:)",
    re.IGNORECASE,
)
_PARTS = {("ft", "in"): 12, ("h", "min"): 60, ("min", "s"): 60, ("lb", "oz"): 16}  # how many of the second make one
_QUOTES = "\"'”″′"
_SIGNS = re.compile(r"\s*(?:±|\+/-|\+/−|\+\s?/\s?-)\s*")


def find_measures(words: str, units: Units) -> list[Measure]:
    """Numbers with units, and ranges and tolerances of them."""
    found: list[Measure] = []
    position = 0
    while match := _AT_NUMBER.search(words, position):
        position = match.end()
        if _STANDARD.search(words[: match.start()]):
            continue
        if _NAMED.search(words[: match.start()]):
            names = _NAMES.match(words, match.start())
            position = names.end() if names else position
            continue
        if re.match(r"0\d", match["number"]):
            continue  # a part number
        unit = _unit_at(words, match, units)
        low = number_value(match["number"])
        pair = _pair(words, match, unit, units, low)
        if pair is not None:
            found.append(pair)
            position = pair.end
        elif unit := unit or _unit_later(words, match, units):
            end, name = unit
            found.append(Measure(match.start(), end, (low,), name))
            position = end
    for match in _TIMES.finditer(words):
        said = match["n"].lower()
        value = _WORDS[said] if said in _WORDS else float(said)
        if not any(f.start <= match.start() < f.end for f in found):
            end = match.end("n") if said == "twice" else match.start() + match.group().lower().index("times") + 5
            found.append(Measure(match.start(), end, (float(value),), "x"))
    found += [
        one
        for one in (*_factors(words, units), *_slopes(words))
        if not any(f.start < one.end and one.start < f.end for f in found)
    ]
    return sorted(found, key=lambda f: f.start)


def _factors(words: str, units: Units) -> Iterator[Measure]:
    """Limits of factors and ratios, which have no unit."""
    for pattern in (_FACTOR, _RATIO, *([_TO_ONE] if ":" in words else [])):
        for match in pattern.finditer(words):
            end = match.end()
            second = _UNIT_LATER.match(words, end)
            if _unit_at(words, match, units) is not None:
                continue
            yield Measure(match.start("number"), end, (number_value(match["number"]),), "x")
            if second and _unit_at(words, second, units) is None:
                yield Measure(second.start("number"), second.end(), (number_value(second["number"]),), "x")


def _slopes(words: str) -> Iterator[Measure]:
    """Slopes of 1 in so many, 1:12 among them."""
    for match in _SLOPE.finditer(words) if ":" in words else ():
        run = float(match["run"])
        if run:
            yield Measure(match.start("number"), match.end(), (round(1 / run, 6),), "x")


def _unit_at(words: str, number: re.Match[str], units: Units) -> tuple[int, str] | None:
    gap = re.compile(r"[\s-]?\s?").match(words, number.end("number"))
    assert gap is not None
    match = units.pattern.match(words, gap.end())
    if match is None:
        return None
    name = units.named(match)
    printed = match.group()
    glued = gap.end() == number.end("number")
    if is_preposition(words, match.start(), match.end(), number["number"]):
        return None
    if "\n" in gap.group() and len(printed) == 1 and printed.isalpha() and printed not in "NVAm":
        return None
    if printed in ("s", "h", "m", "l", "K", "J", "L", "G") and words[number.end("number") : match.start()] == "-":
        return None
    if printed == "s" and glued and len(number["number"]) == 4:
        return None  # the 1990s
    if printed in ("A", "V", "K", "L", "J", "G") and words[match.end() : match.end() + 1] in ("-", "."):
        following = words[match.end() + 1 : match.end() + 2]
        if following.isalnum():
            return None  # a part or type number
    return _compound(words, match.end(), name, units)


def _compound(words: str, end: int, name: str, units: Units) -> tuple[int, str]:
    """A unit with the one that it is divided by, if another follows a stroke or "per": N m/°, kN/mm, mm per m."""
    stroke = _STROKE.match(words, end)
    match = units.pattern.match(words, stroke.end()) if stroke else None
    if stroke and "/" in stroke.group() and re.compile(r"min\.?(?=\s|$)").match(words, stroke.end()):
        return stroke.end() + 3, f"{name}/min"
    if stroke is None or match is None or re.match(r"[.\s-]?\d|[\w/]", words[match.end() :]):
        return end, name
    other, printed = units.named(match), match.group()
    if "per" in stroke.group():
        fits = len(printed) > 1 or printed in "smh°"
    else:
        fits = not same_kind(name, other) and printed not in _QUOTES
    return (match.end(), f"{name}/{other}") if fits and other not in ("%", "x") else (end, name)


def _unit_later(words: str, number: re.Match[str], units: Units) -> tuple[int, str] | None:
    product = _PRODUCT.match(words, number.end())
    more = _PRODUCT.match(words, product.end()) if product else None
    last = more or product
    if product and last and (unit := _unit_at(words, last, units)) and same_kind(unit[1], "mm"):
        counted = number["number"].isdigit() and int(number["number"]) < 10
        if more or not counted or product["number"] == number["number"]:
            return number.end(), unit[1]
    second = _UNIT_LATER.match(words, number.end())
    if second is None or not re.search(rf"{_THAN}$", words[: number.start()]):
        return None
    unit = _unit_at(words, second, units)
    return (number.end(), unit[1]) if unit else None


def _pair(words: str, first: re.Match[str], unit: tuple[int, str] | None, units: Units, low: float) -> Measure | None:
    """A range "2 to 5 mm", "between 240 mm and 320 mm", "0 – 75 mm", or a tolerance "30 ± 5 mm"."""
    end = unit[0] if unit else first.end()
    between = _BETWEEN.search(words[: first.start()])
    # The first end may carry the same quantity in brackets: "between 25 mm (1 in) and 50 mm (2 in)".
    bracket = re.compile(r"\s*\([^()]{1,25}\)").match(words, end) if between else None
    uneven = _UNEVEN.match(words, end)
    if uneven and (unit or _unit_at(words, uneven, units)):
        stop, own = _unit_at(words, uneven, units) or unit or (uneven.end(), "")
        if unit is None or unit[1] == own:
            ends = (round(low - float(uneven["number"]), 6), round(low + float(uneven["up"]), 6))
            return Measure(first.start(), max(stop, uneven.end()), ends, own, "range")
    signs = _SIGNS.match(words, end)
    gap = signs or _RANGE_GAP.match(words, bracket.end() if bracket else end)
    if gap is None:
        return None
    second = re.compile(rf"(?P<number>{NUMBER})").match(words, gap.end())
    if second is None:
        return None
    other = _unit_at(words, second, units)
    name = other[1] if other else unit[1] if unit and signs else None
    if signs and unit and other and other[1] == "%" != unit[1]:  # "12 V ± 10 %"
        off = abs(low) * number_value(second["number"]) / 100
        return Measure(first.start(), other[0], (round(low - off, 6), round(low + off, 6)), unit[1], "range")
    if name is None or (unit and unit[1] != name):
        return None
    high = number_value(second["number"])
    stop = other[0] if other else second.end()
    if signs:
        return Measure(first.start(), stop, (round(low - high, 6), round(low + high, 6)), name, "range")
    said = gap.group().strip()
    if (said == "and" and not (between and "from" not in between.group().lower().split())) or high <= low:
        return None
    if said in ("-", "–", "—") and not unit and re.search(r"[/\d]\s*$", words[: first.start()]):
        return None
    return Measure(first.start(), stop, (low, high), name, "range", (), _inside(bracket, units) if bracket else None)


def _inside(bracket: re.Match[str], units: Units) -> Amount | None:
    """The quantity that stands in a bracket."""
    match = _AT_NUMBER.search(bracket.string[: bracket.end()], bracket.start())
    unit = _unit_at(bracket.string, match, units) if match else None
    return Amount(value=number_value(match["number"]), unit=unit[1]) if match and unit else None


def join_units(words: str, found: Sequence[Measure]) -> list[Measure]:
    """Join a quantity with the same one in a second unit: "2.0 mm (0.080 in)", "60 in / 1524 mm", "25 cm wide
    x 20 cm high (10 in x 8 in)"."""
    joined: list[Measure] = []
    position = 0
    while position < len(found):
        one = found[position]
        if joined and (whole := _compound_value(words, joined[-1], one)):
            joined[-1] = whole
            position += 1
            continue
        group = _bracketed(words, joined[-1], found[position:]) if joined else []
        if group and _take(words, joined, group):
            position += len(group)
            continue
        if joined and (_after_slash(words, joined[-1], one) or _alternative(words, joined[-1], one)):
            _add_second(joined[-1], [one])
            joined[-1].end = one.end
        elif not (joined and joined[-1].start <= one.start < joined[-1].end):
            joined.append(one)
        position += 1
    return joined


def _compound_value(words: str, last: Measure, one: Measure) -> Measure | None:
    """One value in two units, as in "1 ft. 6 in." and "2 minutes and 30 seconds": in the smaller, the larger beside
    it."""
    parts = _PARTS.get((last.unit, one.unit))
    if parts is None or len(last.values) + len(one.values) != 2 or last.also or not 0 <= one.values[0] < parts:
        return None
    if not re.fullmatch(r"\s*(?:,\s*)?(?:and\s+|-)?", words[last.end : one.start]) or last.values[0] % 1:
        return None
    value = last.values[0] * parts + one.values[0]
    whole = Amount(value=round(value / parts, 6), unit=last.unit)
    return Measure(last.start, one.end, (value,), one.unit, None, (whole,))


def join_bounds(words: str, found: Sequence[Measure], is_bound: Callable[[str], bool]) -> list[Measure]:
    """Join two bounds on one thing to a range: "more than 240 mm and less than 320 mm"."""
    joined: list[Measure] = []
    for one in found:
        last = joined[-1] if joined else None
        if last is not None and {last.comparator, one.comparator} == {"minimum", "maximum"} and last.unit == one.unit:
            low, high = (last, one) if last.comparator == "minimum" else (one, last)
            gap = _AND.fullmatch(words, last.end, one.start)
            both = (
                _CHAIN.fullmatch(words, last.end, one.start)
                or (gap and is_bound(gap["bound"]))
                or _of_one_dimension(words, last, one)
            )
            if both and low.values[0] < high.values[0]:
                ends = list(zip(low.also, high.also, strict=False))
                also = [Amount(value=[a.value, b.value], unit=a.unit) for a, b in ends if _are_ends(a, b)]
                values = (low.values[0], high.values[0])
                joined[-1] = Measure(last.start, one.end, values, one.unit, "range", tuple(also))
                continue
        joined.append(one)
    return joined


def _of_one_dimension(words: str, last: Measure, one: Measure) -> bool:
    """Whether bounds set behind their values say the same dimension: "34 in minimum and 38 in maximum", but not
    "48 in wide minimum and 60 in high maximum"."""
    gap = _BOTH.fullmatch(words, last.end, one.start)
    own = _DIMENSION.match(words, one.end)
    return bool(gap) and gap is not None and gap["dimension"] == (own[1] if own else None)


def _are_ends(low: Amount, high: Amount) -> bool:
    return low.unit == high.unit and isinstance(low.value, float) and isinstance(high.value, float)


def _after_slash(words: str, last: Measure, one: Measure) -> bool:
    slash = re.fullmatch(r"\s*[/=]\s*", words[last.end : one.start])
    return bool(slash) and last.unit != one.unit and same_kind(last.unit, one.unit)


def _alternative(words: str, last: Measure, one: Measure) -> bool:
    """The same size in another system: "6 mm or 1/4 in"."""
    between = re.fullmatch(r"[\w\s.]{0,28}\bor\s+", words[last.end : one.start])
    single = len(last.values) == 1 and len(one.values) == 1
    return bool(between) and single and agree(last.values[0], last.unit, one.values[0], one.unit)


def _bracketed(words: str, last: Measure, following: Sequence[Measure]) -> list[Measure]:
    """The measures inside the bracket that follows a measure, if the bracket opens with one."""
    opening = re.compile(
        r"[\s\w.,-]{0,25}(?:\(\w+\)[\s\w]{0,12})?[(\[]\s*(?:[~≈=]|approx\.?|approximately|about|or)?\s*"
    ).fullmatch(words, last.end, following[0].start)
    if opening is None:
        return []
    closing = re.compile(r"[)\]]").search(words, following[0].end)
    if closing is None or closing.start() - following[0].end > 40:
        return []
    group = [one for one in following if one.end <= closing.start()]
    return group if all(one.unit != last.unit and same_kind(one.unit, last.unit) for one in group) else []


def _take(words: str, joined: list[Measure], group: Sequence[Measure]) -> bool:
    """Give the measures of a bracket to those before it; False if they do not pair off."""
    last = joined[-1]
    if len(last.values) == 2 or len(group) == 1:
        values = [value for one in group for value in one.values]
        if last.low is not None and len(values) == 1 and last.low.unit == group[0].unit:
            assert isinstance(last.low.value, float)
            values = [last.low.value, *values]
        if len(values) == len(last.values):
            last.also = (
                *last.also,
                Amount(value=values[0] if len(values) == 1 else values, unit=group[0].unit),
            )
    elif len(group) <= len(joined) and all(len(one.values) == 1 for one in joined[-len(group) :]):
        for one, second in zip(joined[-len(group) :], group, strict=True):
            _add_second(one, [second])
    else:
        return False
    closing = re.compile(r"[)\]]").search(words, group[-1].end)
    assert closing is not None
    last.end = closing.end()
    return True


def _add_second(one: Measure, second: Sequence[Measure]) -> None:
    values = list(second[0].values)
    one.also = (*one.also, Amount(value=values[0] if len(values) == 1 else values, unit=second[0].unit))
