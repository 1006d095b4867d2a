"""Numbers with units as rulebooks print them: 7 ½ in, 1,200 N, 14 VDC, 15 cm2, 80 ◦C."""

import re
from dataclasses import dataclass
from functools import cache

from dqgen.errors import RulebookError

# Reported unit: how it is printed. Letters keep their case: Mg is no mg.
_UNITS = {
    "mm2": r"mm(?:2|\s?\^2|\s?²)|sq(?:uare)?\.?\s?mm|square millimet(?:er|re)s?",
    "mm3": r"mm(?:3|\s?\^3|\s?³)",
    "mm4": r"mm(?:4|\s?\^4|\s?⁴)",
    "cm2": r"cm(?:2|\s?\^2|\s?²)|sq(?:uare)?\.?\s?cms?|square centimet(?:er|re)s?",
    "cm3": r"cm(?:3|\s?\^3|\s?³)|cubic centimet(?:er|re)s?",
    "m2": r"m(?:\^?2|²)|square met(?:er|re)s?",
    "m3": r"m(?:\^?3|³)|cubic met(?:er|re)s?",
    "in2": r"in\.?\s?(?:\^2|²|2\b)|sq(?:uare)?\.?\s?in(?:s|ch(?:es)?)?\b\.?",
    "ft2": r"sq(?:uare)?\.?\s?(?:ft|feet)\.?|ft\.?\s?(?:\^?2|²)",
    "mm/s": r"mm/s(?:ec)?",
    "m/s2": r"m/s(?:ec)?\s?(?:\^?2|²)",
    "m/s": r"m/s(?:ec)?|met(?:er|re)s? per second",
    "ft/s": r"ft/s(?:ec)?|fps",
    "m/min": r"m/min",
    "ft/min": r"ft/min",
    "km/h": r"km/hr?|kph|kmph|km/hour",
    "mph": r"mph|MPH|miles per hour",
    "kg/m3": r"kg/m\s?(?:\^?3|³)",
    "g/cm3": r"g/cm(?:3|\s?\^3|\s?³)",
    "W/m2": r"W/m\s?(?:\^?2|²)",
    "N/mm": r"N/mm",
    "MPa": r"MPa|N/mm(?:2|\s?\^2|\s?²)",
    "Nm": r"N[·*.\- ]?m|Newton[- ]met(?:er|re)s?",
    "Ns": r"N[·*.-]?s|[Nn]ewton[- ]seconds?",
    "ft-lb": r"(?:ft|foot)[-. ·]{0,2}(?:lbf?|pounds?)s?\.?|lbf?[-·]ft",
    "in-lb": r"in(?:ch)?[-. ·]{1,2}(?:lbf?|pounds?)s?\.?|lbf?[-·]in",
    "mm": r"mms?|millimet(?:er|re)s?",
    "cm": r"cms?|centimet(?:er|re)s?",
    "km": r"km|kilomet(?:er|re)s?",
    "um": r"[µμ]m|microns?|micromet(?:er|re)s?",
    "m": r"m|met(?:er|re)s?",
    "in": r"inch(?:es)?|ins?\.(?=[\s,;:)]|$)|ins|in(?![\w.])|[”\"″]|′′|''",
    "ft": r"feet|foot|ft\b\.?|[′']",
    "yd": r"yards?|yds?\b\.?",
    "mi": r"miles?",
    "kg": r"kgs?|kilograms?|kilos?",
    "mg": r"mg",
    "lbf": r"lbf|pounds?[- ]force",
    "lb": r"lbs?\b\.?|pounds?",
    "oz": r"oz\b\.?|ounces?",
    "MN": r"MN",
    "kN": r"kN|KN",
    "N": r"N|Newtons?|newtons?",
    "GPa": r"GPa",
    "kPa": r"kPa|KPa",
    "Pa": r"Pa",
    "bar": r"bars?|barg|Bar",
    "ksi": r"ksi|KSI",
    "psi": r"psig?|PSIG?",
    "degC": r"(?:°|º|◦|˚|deg(?:rees?)?\.?)\s?C(?:elsius)?|℃|degrees? centigrade|degC",
    "degF": r"(?:°|º|◦|˚|deg(?:rees?)?\.?)\s?F(?:ahrenheit)?|℉|degF",
    "deg/s": r"(?:°|deg(?:rees?)?)/s(?:ec)?",
    "deg": r"°|º|◦|˚|degrees?|deg\b\.?",
    "kV": r"kV(?:\s?(?:DC|AC))?",
    "mV": r"mV(?:\s?(?:DC|AC))?",
    "V": r"V(?:olts?)?[\s-]?(?:DC|AC|dc|ac|RMS|rms)(?:\s?(?:RMS|rms))?\b|Vrms|Volts?|volts?|V",
    "Ah": r"A\s?h|Amp(?:ere)?[- ]hours?",
    "mAh": r"mAh",
    "mA": r"mA(?:\s?(?:DC|AC))?|milliamps?",
    "kA": r"kA",
    "A": r"A(?:mps?|mperes?)?[\s-]?(?:DC|AC|dc|ac|RMS)\b|Adc|Aac|[Aa]mps?|[Aa]mperes?|A",
    "kWh": r"kWh|kW-h",
    "Wh": r"Wh|Watt[- ]hours?",
    "MW": r"MW",
    "kW": r"kW|KW|kilowatts?",
    "mW": r"mW",
    "W": r"W|[Ww]atts?",
    "hp": r"hp|HP|horsepower|bhp",
    "MJ": r"MJ",
    "kJ": r"kJ",
    "J": r"J|[Jj]oules?",
    "GHz": r"GHz",
    "MHz": r"MHz",
    "kHz": r"kHz|KHz",
    "Hz": r"Hz|[Hh]ertz",
    "rpm": r"rpm|RPM|r/min|rev/min",
    "ms": r"ms(?:ec)?|milliseconds?",
    "us": r"[µμ]s",
    "s": r"s|[Ss]econds?|secs?\b\.?",
    "min": r"[Mm]inutes?|mins?(?![\w.])",
    "h": r"[Hh]ours?|hrs?\b\.?|h",
    "kohm": r"k\s?(?:Ω|Ω|[Oo]hms?)",
    "Mohm": r"M\s?(?:Ω|Ω|[Oo]hms?)",
    "mohm": r"m\s?(?:Ω|Ω|[Oo]hms?)|milliohms?",
    "ohm/V": r"(?:Ω|Ω|[Oo]hms?)(?:\s?/\s?|\s?per\s)[Vv](?:olt)?",
    "ohm": r"Ω|Ω|[Oo]hms?",
    "uF": r"[µμ]F",
    "dB": r"dB\s?(?:\(?[AC]\)?)?|decibels?",
    "L": r"[Ll]it(?:er|re)s?|L|l",
    "ml": r"m[lL]|millilit(?:er|re)s?",
    "cc": r"cc|c\.c\.",
    "gal": r"(?:US\s)?gal(?:lon)?s?\b\.?",
    "qt": r"quarts?",
    "lx": r"lux|lx",
    "cd": r"cd|candelas?",
    "lm": r"lm|[Ll]umens?",
    "g": r"[gG](?:['’]s)?|grams?",
    "K": r"K",
    "%": r"%|percent|per cent",
    "ppm": r"ppm",
}
# What each unit measures, and how large it is in SI units; 0 where a factor does not say it.
_SIZES: dict[str, dict[str, float]] = {
    "area": {"mm2": 1e-06, "cm2": 0.0001, "m2": 1, "in2": 0.00064516, "ft2": 0.09290304},
    "volume": {
        "mm3": 1e-09,
        "cm3": 1e-06,
        "m3": 1,
        "L": 0.001,
        "ml": 1e-06,
        "cc": 1e-06,
        "gal": 0.003785411784,
        "qt": 0.000946352946,
    },
    "second moment of area": {"mm4": 1e-12},
    "speed": {
        "mm/s": 0.001,
        "m/s": 1,
        "ft/s": 0.3048,
        "m/min": 0.01666666667,
        "ft/min": 0.00508,
        "km/h": 0.2777777778,
        "mph": 0.44704,
    },
    "acceleration": {"m/s2": 1},
    "density": {"kg/m3": 1, "g/cm3": 1000},
    "irradiance": {"W/m2": 1},
    "stiffness": {"N/mm": 1000},
    "pressure": {
        "MPa": 1e06,
        "GPa": 1e09,
        "kPa": 1000,
        "Pa": 1,
        "bar": 100000,
        "ksi": 6894757.293,
        "psi": 6894.757293,
    },
    "torque": {"Nm": 1, "ft-lb": 1.355817948, "in-lb": 0.112984829},
    "impulse": {"Ns": 1},
    "length": {
        "mm": 0.001,
        "cm": 0.01,
        "km": 1000,
        "um": 1e-06,
        "m": 1,
        "in": 0.0254,
        "ft": 0.3048,
        "yd": 0.9144,
        "mi": 1609.344,
    },
    "mass": {"kg": 1, "mg": 1e-06, "lb": 0.45359237, "oz": 0.02834952313, "g": 0.001},
    "force": {"lbf": 4.448221615, "MN": 1e06, "kN": 1000, "N": 1},
    "temperature": {"degC": 0, "degF": 0, "K": 0},
    "angular speed": {"deg/s": 0.01745329252},
    "angle": {"deg": 0.01745329252},
    "voltage": {"kV": 1000, "mV": 0.001, "V": 1},
    "charge": {"Ah": 3600, "mAh": 3.6},
    "current": {"mA": 0.001, "kA": 1000, "A": 1},
    "energy": {"kWh": 3.6e06, "Wh": 3600, "MJ": 1e06, "kJ": 1000, "J": 1},
    "power": {"MW": 1e06, "kW": 1000, "mW": 0.001, "W": 1, "hp": 745.6998716},
    "frequency": {"GHz": 1e09, "MHz": 1e06, "kHz": 1000, "Hz": 1},
    "rotation": {"rpm": 0.1047197551},
    "time": {"ms": 0.001, "us": 1e-06, "s": 1, "min": 60, "h": 3600},
    "resistance": {"kohm": 1000, "Mohm": 1e06, "mohm": 0.001, "ohm": 1},
    "resistance a volt": {"ohm/V": 1},
    "capacitance": {"uF": 1e-06},
    "level": {"dB": 0},
    "illuminance": {"lx": 1},
    "luminosity": {"cd": 1, "lm": 1},
    "share": {"%": 0.01, "ppm": 1e-06},
}
_KIND = {unit: (kind, size) for kind, units in _SIZES.items() for unit, size in units.items()}
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
_RAISED = re.compile(r"(\d+)(?:(1)/(2)|([12])/(3)|([13])/(4)|([1357])/(8))")
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
    entries += list(_UNITS.items())
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
            if match[1] is None and (raised := _RAISED.fullmatch(text)):  # 31½ with the raised 1 of its fraction
                units, over, under = (int(part) for part in raised.groups() if part)
                return sign * (units + over / under)
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


def same_kind(one: str, other: str) -> bool:
    """Whether two reported units measure the same thing: mm and in do, N and mm do not."""
    if one == other:
        return True
    if "/" in one and "/" in other and one not in _KIND and other not in _KIND:
        return all(same_kind(a, b) for a, b in zip(one.split("/", 1), other.split("/", 1), strict=True))
    kinds = {_KIND[unit][0] for unit in (one, other) if unit in _KIND}
    # Everyday use mixes mass and force: 20 N (2 kg).
    return one in _KIND and other in _KIND and (len(kinds) == 1 or kinds == {"mass", "force"})


def agree(one: float, unit: str, other: float, other_unit: str) -> bool:
    """Whether two values in different units are the same size as catalogues go: 6 mm and 1/4 in, 8 mm and 5/16 in."""
    if unit == other_unit or unit not in _KIND or other_unit not in _KIND:
        return False
    (kind, size), (other_kind, other_size) = _KIND[unit], _KIND[other_unit]
    return kind == other_kind and 0 < abs(one * size - other * other_size) <= 0.08 * abs(one * size)
