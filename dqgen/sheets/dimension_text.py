"""The text of a dimension in its parts: `4 x ⌀7,1 H7 +0,018/0` is four diameters of 7.1 with a fit and tolerances.

Signs follow ISO 129-1, ASME Y14.5, GOST 2.307 and architects' feet and inches.
"""

import re
from dataclasses import dataclass, replace
from typing import Literal

Comma = Literal["decimal", "thousands"]

DIAMETER = "⌀"
_SAME_SIGNS = str.maketrans(
    {
        **dict.fromkeys("∅Øø⍉ΦφɸФ", DIAMETER),
        **dict.fromkeys("×✕✖⨯хХ", "x"),
        **dict.fromkeys("−–—‒", "-"),
        **dict.fromkeys("º˚", "°"),
        **dict.fromkeys("’′´`ʹ", "'"),
        **dict.fromkeys("”″“ʺ", '"'),
        "\u00a0": " ",
        "\u2009": " ",
        "\u202f": " ",
        "¼": " 1/4",
        "½": " 1/2",
        "¾": " 3/4",
        "⅛": " 1/8",
        "⅜": " 3/8",
        "⅝": " 5/8",
        "⅞": " 7/8",
        "⁄": "/",
    }
)
_NUMBER = r"(?:\d+(?:[.,]\d+)*|[.,]\d+)"
_COUNT = re.compile(
    r"^\(?(?P<count>\d{1,3})\)?\s*(?:[xX]\s*(?=[⌀RSCMGT□(\[↧⌴]|SW|\d|[.,]\d)|-\s*(?=⌀)"
    r"|(?:отв\.?|holes?|Bohrungen|Bohrg\.?|lukenj|places|pl\.?|off|Stk\.?|шт\.?|fasen?|фаск\w*)\s*(?=[⌀RMG\d]))\s*",
    re.IGNORECASE,
)
_COUNT_AFTER = re.compile(
    r"\s*[,(]?\s*(?P<count>\d{1,3})\s*(?:[xX]|places|plcs?\.?|pls?\.?|holes|отв\.?|шт\.?|фаск\w*|Stellen|mest[ai]?"
    r"|мест[оа]?|off)\)?$",
    re.IGNORECASE,
)
_FEET = re.compile(
    r"^(?P<minus>-)?(?:(?P<feet>\d+(?:\.\d+)?)\s*')?\s*-?\s*"
    r"(?:(?:(?P<inch>\d+(?:\.\d+)?))?(?:[ -]*(?P<num>\d{1,2})/(?P<den>2|4|8|16|32|64|128))?\s*\"?)?$"
)
_ANGLE = re.compile(
    rf"^(?P<degrees>{_NUMBER})\s*(?:°|deg\b\.?|degrees\b)(?:\s*(?P<minutes>\d{{1,2}})\s*')?"
    r"(?:\s*(?P<seconds>\d{1,2}(?:[.,]\d+)?)\s*\")?",
    re.IGNORECASE,
)
_CHAMFER = re.compile(
    rf"^(?P<side>{_NUMBER})\s*(?:mm)?\s*[xX]\s*(?P<angle>{_NUMBER})\s*(?:°|deg\b)(?:\s*(?:ch\w*|faz\w*|fase\w*|фаск\w*))?",
    re.IGNORECASE,
)
_LIMITS = re.compile(rf"^(?P<high>{_NUMBER})\s*(?:-|/|\n)\s*(?P<low>{_NUMBER})$")
_FIT = re.compile(
    r"^\s*\(?(?P<fit>(?:[A-HJ-NP-Z]{1,2}|ZA|ZB|ZC|[a-hj-np-z]{1,2}|za|zb|zc)\d{1,2}(?:/[a-zA-Z]{1,2}\d{1,2})?)\)?(?![\w.,])"
)
_PLUS_MINUS = re.compile(rf"^\s*(?:±|\+/-|\+-)\s*(?P<value>{_NUMBER}|\d+/\d+)\s*(?:°|mm|\"|')?")
_DEVIATION = re.compile(
    rf"^(?:\s+|/\s*|\(|(?=\+)|(?=-\d*[.,]))/?\s*\(?(?P<sign>[+-])\s*(?!0\d)(?P<value>{_NUMBER})\s*(?:°|mm|\"|')?\)?"
)
_ZERO = re.compile(r"^\s*/?\s*0(?![\w.,])")
_UNIT = re.compile(r"^\s*(?P<unit>mm|cm|km|m|in\.?|inch(?:es)?|ft|µm|um|мм|см|м)(?![\w²³/])", re.IGNORECASE)
_UNITS = {"in.": "inch", "in": "inch", "inch": "inch", "inches": "inch", "мм": "mm", "см": "cm", "м": "m", "um": "µm"}
_MODIFIER = re.compile(
    r"^\s*,?\s*(?P<word>max\.?|min\.?|typ\.?|ref\.?|thru(?:\s+all)?|through(?:\s+all)?|durch(?:gehend)?|skozi|насквозь|сквозн\w*"
    r"|eq\.?\s*sp\.?|equi?\.?|basic|bsc|nom\.?|clr\.?|o\.?c\.?|c/c|c\.c\.|a\.?f\.?f\.?|\+/-|±|макс\.?|мин\.?|min\b|dia\.?|deep"
    r"|(?:[xX↧]|deep|depth|tief|глуб\.?|globoko|gl\.?)\s*\d+(?:[.,]\d+)?(?:\s*(?:mm|deep|tief))?"
    r"|(?:on|auf|na)\s+⌀?\s*\d+(?:[.,]\d+)?(?:\s*(?:b\.?c\.?|pcd))?|pcd|b\.?c\.?|l\.?h\.?|r\.?h\.?)(?![\w])",
    re.IGNORECASE,
)
_THREAD = re.compile(
    r"^(?P<thread>"
    r"MJ?\s?(?P<m>\d{1,3}(?:[.,]\d{1,2})?)(?:\s?[x]\s?(?P<pitch>\d(?:[.,]\d{1,3})?))?"
    r"|(?:Tr|Rd|TR|Kr)\s?(?P<tr>\d{1,3}(?:[.,]\d+)?)\s?x\s?(?P<trp>\d{1,2}(?:[.,]\d+)?)(?:\s?\(P\d+\))?"
    r"|(?:R(?=\s?\d[ /])|G|Rp|Rc|NPTF?|BSPP?|BSPT)\s?(?P<pipe>\d+\s\d/\d|\d/\d|\d)(?:\s?\")?"
    r"(?:\s?-\s?\d{2})?(?:\s?[AB]\b)?"
    r"|(?P<un>#?\d{1,2}|\d+\s\d/\d+|\d/\d{1,2}|\.\d{3})\s?\"?\s?-\s?(?P<tpi>\d{1,2})\s?"
    r"(?:UNC|UNF|UNEF|UN|UNS|UNJF|NPT)(?:-\d[AB])?"
    r")(?:\s?-\s?\d{1,2}[a-hA-H]\d?[a-hA-H]?(?:/\d[a-h]\d?[a-h]?)?)?(?:\s?-?\s?LH)?(?![\w])"
)
_PREFIX = re.compile(
    rf"^(?P<prefix>S\s?{DIAMETER}|SR|CR|S?R(?:AD\.?)?|{DIAMETER}|DIA\.?|□|SW|s\s?=|t\s?=|C|T\s?=|L\s?=|⌒|⌴|⌵|↧)\s*(?=\d|[.,]\d)"
)
_FRAMED = re.compile(r"^(?P<open>[(\[])(?P<inner>.*)(?P<close>[)\]])$")
_STARS = re.compile(r"\s*(?P<stars>\*+|\*\)|\d\))$")
_DATE = re.compile(r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}$")


@dataclass(frozen=True)
class DimensionText:
    """A text that reads as a dimension.

    Attributes:
        kind: `linear` (also where only geometry could tell a radius or an ordinate), `diameter`, `radius`, `angular`,
            `thread`, `chamfer`, `square`, `thickness`, `flats` or `depth`.
        value: the nominal, in `unit`; the mean of two limits.
        unit: `degree`, or as printed; empty where the sheet's own unit holds.
        count: how many times it applies.
        upper, lower: deviations from the value, signed; None where none is printed.
        fit: ISO tolerance class, such as `H7`.
        reference: in parentheses, or marked so: for information only.
        second: the angle of a chamfer in degrees, the pitch of a thread.
        modifiers: words after it, such as `max.` or `THRU`, and footnote stars.
        signed: whether a sign or word says that it is a dimension, so that it is one wherever it stands.
    """

    kind: str
    value: float
    unit: str = ""
    count: int = 1
    upper: float | None = None
    lower: float | None = None
    fit: str = ""
    reference: bool = False
    second: float | None = None
    modifiers: tuple[str, ...] = ()
    signed: bool = False


def plain(text: str) -> str:
    """The text with one spelling for signs that look alike, and single spaces."""
    return " ".join(text.translate(_SAME_SIGNS).split())


def comma_of(texts: list[str]) -> Comma:
    """What a comma between digits means on a sheet, judged by all its texts that read as numbers.

    Groups of exactly three digits behind it may be thousands; one other group, or none with a point beside, decides.
    """
    pointed = commas = grouped = 0
    for text in texts:
        for number in re.findall(r"(?<![\w.,])\d+[.,]\d+(?![\w.,])", text):
            whole, _, rest = number.replace(".", ",").partition(",")
            if "." in number:
                pointed += 1
            elif len(rest) == 3 and whole != "0" and len(whole) <= 3:
                grouped += 1
            else:
                commas += 1
    return "thousands" if grouped and not commas and (pointed or grouped) else "decimal"


def read(text: str, comma: Comma = "decimal", stacked: tuple[str, str] | None = None) -> DimensionText | None:
    """The dimension that a text prints, or None if it reads as something else.

    Args:
        text: one line.
        comma: what a comma in numbers means.
        stacked: small texts above and below the line behind it, empty where there is none: tolerances.
    """
    rest = plain(text)
    if not rest or len(rest) > 60 or _DATE.fullmatch(rest) or not any(c.isdigit() for c in rest):
        return None
    rest, modifiers = _without_stars(rest)
    reference = signed = False
    if (framed := _FRAMED.match(rest)) and framed["inner"].count("(") == framed["inner"].count(")"):
        reference = framed["open"] == "("
        rest = framed["inner"].strip()
    count = 1
    if not _CHAMFER.match(rest) and (match := _COUNT.match(rest)):
        count, rest, signed = int(match["count"]), rest[match.end() :], True
        if (framed := _FRAMED.match(rest)) and "(" not in framed["inner"]:
            reference, rest = framed["open"] == "(", framed["inner"].strip()
    elif match := _COUNT_AFTER.search(rest):
        head = rest[: match.start()]
        if head and not _COUNT.match(rest):
            count, rest, signed = int(match["count"]), head, True
    found = _core(rest, comma)
    if found is None or count == 0:
        return None
    core = _with_tail(*found, comma)
    if core is None:
        return None
    if stacked:
        core = _with_stack(core, stacked, comma)
    return replace(
        core,
        count=count,
        reference=core.reference or reference,
        modifiers=(*core.modifiers, *modifiers),
        signed=core.signed or signed or bool(core.fit) or core.upper is not None or reference,
    )


def number(text: str, comma: Comma = "decimal") -> float | None:
    """The value of a number with a decimal point or comma."""
    if comma == "thousands":
        text = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text) else text
    elif re.fullmatch(r"\d{1,3}(\.\d{3})+,\d+", text):
        text = text.replace(".", "")
    text = text.replace(",", ".")
    if text.count(".") > 1:
        return None
    try:
        return float(text)
    except ValueError:
        return None


def _without_stars(text: str) -> tuple[str, tuple[str, ...]]:
    match = _STARS.search(text)
    if match and match.start() > 0 and (match["stars"][0] == "*"):
        return text[: match.start()], (match["stars"],)
    return text, ()


def _core(text: str, comma: Comma) -> tuple[DimensionText, str] | None:
    """The dimension at the beginning of a text, and the rest of it."""
    if match := _CHAMFER.match(text):
        side, angle = number(match["side"], comma), number(match["angle"], comma)
        if side is None or angle is None or not 0 < angle < 90:
            return None
        return DimensionText("chamfer", side, second=angle, signed=True), text[match.end() :]
    if match := _THREAD.match(text):
        return _thread(match, comma), text[match.end() :]
    if match := _ANGLE.match(text):
        degrees = number(match["degrees"], comma)
        if degrees is None or degrees > 360:
            return None
        degrees += int(match["minutes"] or 0) / 60 + (number(match["seconds"] or "0") or 0.0) / 3600
        return DimensionText("angular", degrees, "degree", signed=True), text[match.end() :]
    prefix = ""
    if match := _PREFIX.match(text):
        prefix, text = match["prefix"].replace(" ", ""), text[match.end() :]
    kind = _kind(prefix)
    if feet := _feet_and_inches(text):
        value, unit, tail = feet
        return DimensionText(kind, value, unit, signed=True), tail
    match = re.match(_NUMBER, text)
    if match is None:
        return None
    written = match[0]
    if not prefix and re.fullmatch(r"0\d+", written):
        return None  # a running number
    if (pair := _LIMITS.match(text)) and (limits := _limits(pair, comma)):
        value, half = limits
        return DimensionText(kind, value, upper=half, lower=-half, signed=bool(prefix)), ""
    value_ = number(written, comma)
    if value_ is None:
        return None
    return DimensionText(kind, value_, signed=bool(prefix)), text[match.end() :]


def _kind(prefix: str) -> str:
    if DIAMETER in prefix or prefix.startswith("DIA"):
        return "diameter"
    if "R" in prefix:
        return "radius"
    return {"□": "square", "SW": "flats", "C": "chamfer", "↧": "depth"}.get(
        prefix, "thickness" if prefix[:1] in ("s", "t", "T") and prefix else "linear"
    )


def _thread(match: re.Match[str], comma: Comma) -> DimensionText:
    if match["m"] or match["tr"]:
        pitch = match["pitch"] or match["trp"]
        value = number(match["m"] or match["tr"], comma)
        return DimensionText("thread", value or 0.0, second=number(pitch, comma) if pitch else None, signed=True)
    if match["pipe"]:
        return DimensionText("thread", _fraction(match["pipe"]), "inch", signed=True)
    size = match["un"]
    value = 0.06 + 0.013 * int(size.lstrip("#")) if size.lstrip("#").isdigit() else _fraction(size)
    return DimensionText("thread", round(value, 4), "inch", second=round(1 / int(match["tpi"]), 5), signed=True)


def _fraction(text: str) -> float:
    """`1 3/8`, `3/8` or `.375` as a number."""
    total = 0.0
    for part in text.split():
        top, _, below = part.partition("/")
        total += float(top) / float(below) if below else float(top)
    return total


def _feet_and_inches(text: str) -> tuple[float, str, str] | None:
    """Inches, the unit, and the rest of a text that begins with feet, inches or a fraction of an inch."""
    head = re.match(
        r"^[-\d.\s/]*['\"][-\d.\s/]*\"?|^\d+[ -]\d{1,2}/\d{1,3}\"?|^\d{1,2}/(?:2|4|8|16|32|64)\"?(?![\d/])", text
    )
    if head is None:
        return None
    match = _FEET.match(head[0].strip())
    if match is None or not (match["feet"] or match["inch"] or match["num"]):
        return None
    if match["num"] and int(match["num"]) >= int(match["den"]):
        return None
    inches = float(match["inch"] or 0) + (int(match["num"]) / int(match["den"]) if match["num"] else 0.0)
    return 12 * float(match["feet"] or 0) + inches, "inch", text[head.end() :]


def _limits(pair: re.Match[str], comma: Comma) -> tuple[float, float] | None:
    """Mean and half the difference of two limits that lie close together; else it is no such pair."""
    one, two = number(pair["high"], comma), number(pair["low"], comma)
    if one is None or two is None:
        return None
    high, low = max(one, two), min(one, two)
    fractional = any(sign in pair[0] for sign in ".,")
    if not fractional or low <= 0 or high == low or high - low > 0.1 * high:
        return None
    return (high + low) / 2, (high - low) / 2


def _with_tail(core: DimensionText, tail: str, comma: Comma) -> DimensionText | None:
    """The dimension with fit, tolerances, unit and words behind it; None if something else follows."""
    modifiers: list[str] = []
    while tail.strip():
        if not core.unit and (match := _UNIT.match(tail)):
            unit = match["unit"].lower()
            core = replace(core, unit=_UNITS.get(unit, unit), signed=True)
        elif not core.fit and core.kind != "angular" and (match := _FIT.match(tail)):
            core = replace(core, fit=match["fit"])
        elif core.upper is None and (match := _PLUS_MINUS.match(tail)):
            value = _fraction(match["value"]) if "/" in match["value"] else number(match["value"], comma)
            if value is None:
                return None
            core = replace(core, upper=value, lower=-value)
        elif match := _DEVIATION.match(tail):
            value = number(match["value"], comma)
            if value is None:
                return None
            core = _deviation(core, -value if match["sign"] == "-" else value)
        elif core.upper is not None and (match := _ZERO.match(tail)):
            core = _deviation(core, 0.0)
        elif match := _MODIFIER.match(tail):
            word = match["word"].strip()
            if word.lower().startswith("dia"):
                core = replace(core, kind="diameter", signed=True)
            elif word.lower().startswith("ref"):
                core = replace(core, reference=True, signed=True)
            modifiers.append(word)
            core = replace(core, signed=True)
        elif re.match(r"^\s*\(?R\)?$", tail) and core.kind == "linear":
            core = replace(core, kind="radius", signed=True)
            break
        elif re.match(rf"^\s*{DIAMETER}$", tail):
            core = replace(core, kind="diameter", signed=True)
            break
        else:
            return None
        tail = tail[match.end() :]
    return replace(core, modifiers=(*core.modifiers, *modifiers))


def _deviation(core: DimensionText, value: float) -> DimensionText:
    """One more deviation: the first alone leaves the other at zero."""
    if core.upper is None or core.lower is None:
        return replace(core, upper=max(value, 0.0), lower=min(value, 0.0))
    values = [value, core.upper if core.upper else core.lower]
    return replace(core, upper=max(values), lower=min(values))


def _with_stack(core: DimensionText, stacked: tuple[str, str], comma: Comma) -> DimensionText:
    values = []
    for text in stacked:
        cleaned = plain(text).replace(" ", "")
        sign = -1.0 if cleaned.startswith("-") else 1.0
        value = number(cleaned.lstrip("+-±").rstrip("°"), comma) if cleaned else 0.0
        if value is None:
            return core
        values.append(sign * value)
    return replace(core, upper=max(values), lower=min(values))
