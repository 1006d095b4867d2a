"""Numbers with units as rulebooks print them: 7 ½ in, 1,200 N, 14 VDC, 15 cm2, 80 ◦C."""

# ruff: noqa: E501 - the patterns read better whole
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

from dqgen.errors import RulebookError

# Reported unit: (its name in pint, patterns of how it is printed). Letters keep their case: Mg is no mg.
_UNITS: dict[str, tuple[str, str]] = {
    "mm2": ("mm**2", r"mm(?:2|\s?\^2|\s?²)|sq(?:uare)?\.?\s?mm|square millimet(?:er|re)s?"),
    "mm3": ("mm**3", r"mm(?:3|\s?\^3|\s?³)"),
    "mm4": ("mm**4", r"mm(?:4|\s?\^4|\s?⁴)"),
    "cm2": ("cm**2", r"cm(?:2|\s?\^2|\s?²)|sq(?:uare)?\.?\s?cms?|square centimet(?:er|re)s?"),
    "cm3": ("cm**3", r"cm(?:3|\s?\^3|\s?³)|cubic centimet(?:er|re)s?"),
    "m2": ("m**2", r"m(?:\^?2|²)|square met(?:er|re)s?"),
    "m3": ("m**3", r"m(?:\^?3|³)|cubic met(?:er|re)s?"),
    "in2": ("inch**2", r"in\.?\s?(?:\^2|²|2\b)|sq(?:uare)?\.?\s?in(?:s|ch(?:es)?)?\b\.?"),
    "ft2": ("ft**2", r"sq(?:uare)?\.?\s?(?:ft|feet)\.?|ft\.?\s?(?:\^?2|²)"),
    "mm/s": ("mm/s", r"mm/s(?:ec)?"),
    "m/s2": ("m/s**2", r"m/s(?:ec)?\s?(?:\^?2|²)"),
    "m/s": ("m/s", r"m/s(?:ec)?|met(?:er|re)s? per second"),
    "ft/s": ("ft/s", r"ft/s(?:ec)?|fps"),
    "m/min": ("m/min", r"m/min"),
    "ft/min": ("ft/min", r"ft/min"),
    "km/h": ("km/h", r"km/hr?|kph|kmph|km/hour"),
    "mph": ("mph", r"mph|MPH|miles per hour"),
    "kg/m3": ("kg/m**3", r"kg/m\s?(?:\^?3|³)"),
    "g/cm3": ("g/cm**3", r"g/cm(?:3|\s?\^3|\s?³)"),
    "W/m2": ("W/m**2", r"W/m\s?(?:\^?2|²)"),
    "N/mm": ("N/mm", r"N/mm"),
    "MPa": ("MPa", r"MPa|N/mm(?:2|\s?\^2|\s?²)"),
    "Nm": ("N*m", r"N[·*.\- ]?m|Newton[- ]met(?:er|re)s?"),
    "ft-lb": ("ft*lbf", r"(?:ft|foot)[-. ·]{0,2}(?:lbf?|pounds?)s?\.?|lbf?[-·]ft"),
    "in-lb": ("inch*lbf", r"in(?:ch)?[-. ·]{1,2}(?:lbf?|pounds?)s?\.?|lbf?[-·]in"),
    "mm": ("mm", r"mms?|millimet(?:er|re)s?"),
    "cm": ("cm", r"cms?|centimet(?:er|re)s?"),
    "km": ("km", r"km|kilomet(?:er|re)s?"),
    "um": ("um", r"[µμ]m|microns?|micromet(?:er|re)s?"),
    "m": ("m", r"m|met(?:er|re)s?"),
    "in": ("inch", r"inch(?:es)?|ins?\.(?=[\s,;:)]|$)|ins|in(?![\w.])|[”\"″]|′′|''"),
    "ft": ("ft", r"feet|foot|ft\b\.?|[′']"),
    "yd": ("yd", r"yards?|yds?\b\.?"),
    "mi": ("mile", r"miles?"),
    "kg": ("kg", r"kgs?|kilograms?|kilos?"),
    "mg": ("mg", r"mg"),
    "lbf": ("lbf", r"lbf|pounds?[- ]force"),
    "lb": ("lb", r"lbs?\b\.?|pounds?"),
    "oz": ("oz", r"oz\b\.?|ounces?"),
    "MN": ("MN", r"MN"),
    "kN": ("kN", r"kN|KN"),
    "N": ("N", r"N|Newtons?|newtons?"),
    "GPa": ("GPa", r"GPa"),
    "kPa": ("kPa", r"kPa|KPa"),
    "Pa": ("Pa", r"Pa"),
    "bar": ("bar", r"bars?|barg|Bar"),
    "ksi": ("ksi", r"ksi|KSI"),
    "psi": ("psi", r"psig?|PSIG?"),
    "degC": ("degC", r"(?:°|º|◦|˚|deg(?:rees?)?\.?)\s?C(?:elsius)?|℃|degrees? centigrade|degC"),
    "degF": ("degF", r"(?:°|º|◦|˚|deg(?:rees?)?\.?)\s?F(?:ahrenheit)?|℉|degF"),
    "deg/s": ("deg/s", r"(?:°|deg(?:rees?)?)/s(?:ec)?"),
    "deg": ("deg", r"°|º|◦|˚|degrees?|deg\b\.?"),
    "kV": ("kV", r"kV(?:\s?(?:DC|AC))?"),
    "mV": ("mV", r"mV(?:\s?(?:DC|AC))?"),
    "V": ("V", r"V(?:olts?)?[\s-]?(?:DC|AC|dc|ac|RMS|rms)(?:\s?(?:RMS|rms))?\b|Vrms|Volts?|volts?|V"),
    "Ah": ("A*h", r"A\s?h|Amp(?:ere)?[- ]hours?"),
    "mAh": ("mA*h", r"mAh"),
    "mA": ("mA", r"mA(?:\s?(?:DC|AC))?|milliamps?"),
    "kA": ("kA", r"kA"),
    "A": ("A", r"A(?:mps?|mperes?)?[\s-]?(?:DC|AC|dc|ac|RMS)\b|Adc|Aac|[Aa]mps?|[Aa]mperes?|A"),
    "kWh": ("kW*h", r"kWh|kW-h"),
    "Wh": ("W*h", r"Wh|Watt[- ]hours?"),
    "MW": ("MW", r"MW"),
    "kW": ("kW", r"kW|KW|kilowatts?"),
    "mW": ("mW", r"mW"),
    "W": ("W", r"W|[Ww]atts?"),
    "hp": ("hp", r"hp|HP|horsepower|bhp"),
    "MJ": ("MJ", r"MJ"),
    "kJ": ("kJ", r"kJ"),
    "J": ("J", r"J|[Jj]oules?"),
    "GHz": ("GHz", r"GHz"),
    "MHz": ("MHz", r"MHz"),
    "kHz": ("kHz", r"kHz|KHz"),
    "Hz": ("Hz", r"Hz|[Hh]ertz"),
    "rpm": ("rpm", r"rpm|RPM|r/min|rev/min"),
    "ms": ("ms", r"ms(?:ec)?|milliseconds?"),
    "us": ("us", r"[µμ]s"),
    "s": ("s", r"s|[Ss]econds?|secs?\b\.?"),
    "min": ("min", r"[Mm]inutes?|mins?(?![\w.])"),
    "h": ("h", r"[Hh]ours?|hrs?\b\.?|h"),
    "kohm": ("kohm", r"k\s?(?:Ω|Ω|[Oo]hms?)"),
    "Mohm": ("Mohm", r"M\s?(?:Ω|Ω|[Oo]hms?)"),
    "mohm": ("mohm", r"m\s?(?:Ω|Ω|[Oo]hms?)|milliohms?"),
    "ohm/V": ("ohm/V", r"(?:Ω|Ω|[Oo]hms?)(?:\s?/\s?|\s?per\s)[Vv](?:olt)?"),
    "ohm": ("ohm", r"Ω|Ω|[Oo]hms?"),
    "uF": ("uF", r"[µμ]F"),
    "dB": ("dB", r"dB\s?(?:\(?[AC]\)?)?|decibels?"),
    "L": ("liter", r"[Ll]it(?:er|re)s?|L|l"),
    "ml": ("ml", r"m[lL]|millilit(?:er|re)s?"),
    "cc": ("cc", r"cc|c\.c\."),
    "gal": ("gallon", r"(?:US\s)?gal(?:lon)?s?\b\.?"),
    "qt": ("quart", r"quarts?"),
    "lx": ("lux", r"lux|lx"),
    "cd": ("cd", r"cd|candelas?"),
    "lm": ("lumen", r"lm|[Ll]umens?"),
    "g": ("g_0", r"[gG](?:['’]s)?|grams?"),
    "K": ("K", r"K"),
    "%": ("percent", r"%|percent|per cent"),
    "ppm": ("ppm", r"ppm"),
}
# A lone letter is a unit only if nothing says otherwise: "2 A" is a current, "Size 2 A" is not for us to know.
_FRACTIONS = {
    "½": 0.5,
    "¼": 0.25,
    "¾": 0.75,
    "⅛": 0.125,
    "⅜": 0.375,
    "⅝": 0.625,
    "⅞": 0.875,
    "⅓": 1 / 3,
    "⅔": 2 / 3,
}
_VULGAR = "".join(_FRACTIONS)
NUMBER = (
    rf"(?:(?<![\w)])[+\-−](?=[\d.]))?(?:\d{{1,3}}(?:[,\u2009 ]\d{{3}})+(?:\.\d+)?(?!\d)|\d+\.\d+|\d+,\d{{1,2}}(?!\d)"
    rf"|\d+\s?[{_VULGAR}]|\d{{1,2}}\s?-?\s?\d{{1,2}}/\d{{1,2}}(?!\d)|\d+/\d{{1,2}}(?![\d/])|\d+|\.\d+|[{_VULGAR}])"
)
_IN_AS_WORD = re.compile(
    r"\s+(?:the|a|an|this|that|these|each|any|all|order|accordance|total|front|its|their|case|which|both|addition|"
    r"every|one|width\b.*of the|no|other|[a-z]+ing|figure|section|rule|part|table|compliance|conjunction)\b"
)


@dataclass(frozen=True, slots=True)
class Units:
    """The units known to one document: the common ones and those of its profile."""

    pattern: re.Pattern[str]
    names: tuple[str, ...]
    extra: tuple[tuple[str, str], ...]

    @classmethod
    def of(cls, extra: dict[str, str]) -> "Units":
        """The common units and those of a profile: as printed, as reported."""
        return _units(tuple(sorted(extra.items())))

    def named(self, match: re.Match[str]) -> str:
        """The unit that a match of the pattern stands for, as it is reported."""
        assert match.lastgroup is not None
        return self.names[int(match.lastgroup[1:])]


@cache
def _units(extra: tuple[tuple[str, str], ...]) -> Units:
    for printed, reported in extra:
        if not printed.strip() or not reported.strip():
            raise RulebookError("a unit without a name", "profile, field units", "write printed: reported")
    entries = [(reported, re.escape(printed)) for printed, reported in extra]
    entries += [(reported, pattern) for reported, (_, pattern) in _UNITS.items()]
    # Longest print first is decided by order within the table; a letter after the unit makes it another word.
    alternatives = "|".join(
        f"(?P<u{n}>(?:{pattern})(?![A-Za-zΩ]|(?<=[A-Za-z])[\\d²³]))" for n, (_, pattern) in enumerate(entries)
    )
    return Units(re.compile(alternatives), tuple(reported for reported, _ in entries), extra)


def number_value(text: str) -> float:
    """The value of a printed number: 1,200 and 7 ½ and 1 1/2 and 2,5 among them."""
    text = " ".join(text.split()).replace("−", "-")
    sign = -1.0 if text.startswith("-") else 1.0
    text = text.lstrip("+- ")
    for char, value in _FRACTIONS.items():
        if char in text:
            whole = text.replace(char, "").strip()
            return sign * ((float(whole) if whole else 0.0) + value)
    if "/" in text:
        match = re.fullmatch(r"(?:(\d+)[\s-]+)?(\d+)/(\d+)", text)
        if match and int(match[3]):
            return sign * (float(match[1] or 0) + int(match[2]) / int(match[3]))
        return sign * float(text.split("/")[0])
    if re.fullmatch(r"\d+,\d{1,2}", text):
        return sign * float(text.replace(",", "."))
    return sign * float(re.sub(r"[, ]", "", text))


def is_preposition(text: str, start: int, end: int, number: str) -> bool:
    """Whether "in" after a number is the preposition, as in "2 in the cockpit"."""
    if text[start:end] != "in" or re.search(rf"[./{_VULGAR}]", number):
        return False
    return bool(_IN_AS_WORD.match(text, end))


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry(cache_folder=None)


@cache
def same_kind(one: str, other: str) -> bool:
    """Whether two reported units measure the same thing: mm and in do, N and mm do not."""
    if one == other:
        return True
    if one not in _UNITS or other not in _UNITS:
        return False
    if {one, other} <= {"kg", "g", "mg", "lb", "oz", "lbf"} or {one, other} <= {"N", "kN", "lbf", "lb", "kg"}:
        return True  # everyday use mixes mass and force, and g the gram with g the acceleration
    registry = _registry()
    a, b = (registry.Unit(_UNITS[unit][0]) for unit in (one, other))
    return bool(a.dimensionality == b.dimensionality) and ("%" in (one, other)) == (one == other)


def agree(one: float, unit: str, other: float, other_unit: str) -> bool:
    """Whether two values in different units are the same size as catalogues go: 6 mm and 1/4 in, 8 mm and 5/16 in."""
    if unit == other_unit or unit not in _UNITS or other_unit not in _UNITS or not one or not other:
        return False
    registry = _registry()
    a, b = registry.Unit(_UNITS[unit][0]), registry.Unit(_UNITS[other_unit][0])
    if a.dimensionality != b.dimensionality:
        return False
    converted = registry.Quantity(other, b).to(a).magnitude
    return bool(abs(converted - one) <= 0.08 * abs(one))
