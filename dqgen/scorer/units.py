"""Units of measure: what each measures and how it converts. Data, and one function."""

import re

# unit: (dimension, factor to the dimension's base, offset added after the factor)
_LENGTH = {
    "mm": 1.0,
    "cm": 10.0,
    "dm": 100.0,
    "m": 1000.0,
    "km": 1e6,
    "µm": 1e-3,
    "um": 1e-3,
    "micron": 1e-3,
    "nm": 1e-6,
    "in": 25.4,
    "inch": 25.4,
    '"': 25.4,
    "thou": 0.0254,
    "mil": 0.0254,
    "ft": 304.8,
    "foot": 304.8,
    "feet": 304.8,
    "'": 304.8,
    "yd": 914.4,
    "yard": 914.4,
    "millimeter": 1.0,
    "millimetre": 1.0,
    "centimeter": 10.0,
    "centimetre": 10.0,
    "meter": 1000.0,
    "metre": 1000.0,
    "inches": 25.4,
}
_AREA = {"mm^2": 1.0, "cm^2": 100.0, "m^2": 1e6, "in^2": 645.16, "ft^2": 92903.04}
_VOLUME = {
    "mm^3": 1.0,
    "cm^3": 1e3,
    "cc": 1e3,
    "ml": 1e3,
    "l": 1e6,
    "liter": 1e6,
    "litre": 1e6,
    "m^3": 1e9,
    "in^3": 16387.064,
}
_OTHERS: dict[str, dict[str, float]] = {
    "mass": {
        "kg": 1.0,
        "g": 1e-3,
        "mg": 1e-6,
        "t": 1e3,
        "lb": 0.45359237,
        "lbs": 0.45359237,
        "oz": 0.028349523125,
        "kilogram": 1.0,
        "gram": 1e-3,
        "pound": 0.45359237,
    },
    "force": {"N": 1.0, "kN": 1e3, "MN": 1e6, "lbf": 4.4482216152605, "newton": 1.0, "kgf": 9.80665},
    "pressure": {
        "Pa": 1.0,
        "kPa": 1e3,
        "MPa": 1e6,
        "GPa": 1e9,
        "bar": 1e5,
        "mbar": 100.0,
        "psi": 6894.757293168,
        "ksi": 6894757.293168,
        "N/mm^2": 1e6,
        "atm": 101325.0,
    },
    "torque": {
        "Nm": 1.0,
        "N·m": 1.0,
        "N*m": 1.0,
        "N m": 1.0,
        "N-m": 1.0,
        "kNm": 1e3,
        "Nmm": 1e-3,
        "lb-ft": 1.3558179483,
        "ft-lb": 1.3558179483,
    },
    "angle": {"deg": 1.0, "°": 1.0, "degree": 1.0, "rad": 57.29577951308232, "radian": 57.29577951308232},
    "time": {
        "s": 1.0,
        "sec": 1.0,
        "second": 1.0,
        "ms": 1e-3,
        "min": 60.0,
        "minute": 60.0,
        "h": 3600.0,
        "hr": 3600.0,
        "hour": 3600.0,
    },
    "voltage": {"V": 1.0, "mV": 1e-3, "kV": 1e3, "VDC": 1.0, "VAC": 1.0, "volt": 1.0},
    "current": {"A": 1.0, "mA": 1e-3, "kA": 1e3, "amp": 1.0, "ampere": 1.0},
    "power": {"W": 1.0, "kW": 1e3, "MW": 1e6, "mW": 1e-3, "hp": 745.69987158227, "watt": 1.0},
    "energy": {"J": 1.0, "kJ": 1e3, "MJ": 1e6, "Wh": 3600.0, "kWh": 3.6e6, "joule": 1.0},
    "resistance": {"Ω": 1.0, "ohm": 1.0, "kΩ": 1e3, "kohm": 1e3, "kOhm": 1e3, "MΩ": 1e6, "mΩ": 1e-3},
    "speed": {"m/s": 1.0, "km/h": 1 / 3.6, "kph": 1 / 3.6, "kmh": 1 / 3.6, "mph": 0.44704},
    "acceleration": {"m/s^2": 1.0},
    "frequency": {"Hz": 1.0, "kHz": 1e3, "MHz": 1e6, "rpm": 1 / 60},
    "share": {"%": 0.01, "percent": 0.01},
}
_TEMPERATURE = {
    "K": (1.0, 0.0),
    "°C": (1.0, 273.15),
    "degC": (1.0, 273.15),
    "C": (1.0, 273.15),
    "celsius": (1.0, 273.15),
    "°F": (5 / 9, 459.67 * 5 / 9),
    "degF": (5 / 9, 459.67 * 5 / 9),
    "F": (5 / 9, 459.67 * 5 / 9),
}

UNITS: dict[str, tuple[str, float, float]] = {
    **{u: ("length", f, 0.0) for u, f in _LENGTH.items()},
    **{u: ("area", f, 0.0) for u, f in _AREA.items()},
    **{u: ("volume", f, 0.0) for u, f in _VOLUME.items()},
    **{u: (d, f, 0.0) for d, table in _OTHERS.items() for u, f in table.items()},
    **{u: ("temperature", f, o) for u, (f, o) in _TEMPERATURE.items()},
}
_FOLDED: dict[str, str] = {}
for _unit in UNITS:
    _FOLDED.setdefault(_unit.casefold(), _unit)
_PLURAL = re.compile(r"(?<=[a-z]{3})s$")
_ONE_CASE = frozenset({"v", "a", "w", "n", "c", "f", "k", "j", "t", "l"})


def unit_of(name: str) -> str | None:
    """The unit that a spelling means, as `UNITS` has it; None if unknown.

    Case decides between units (mW, MW); a spelling in another case is taken where only one unit can be meant.
    """
    name = re.sub(r"\s+", " ", name.strip().rstrip(".")).replace("μ", "µ").replace("²", "^2").replace("³", "^3")
    name = re.sub(r"(?<=[a-z])([23])$", r"^\1", name)
    name = re.sub(r"^(?:sq\.?|square) ?(\w+)$", r"\1^2", name)
    for spelling in (name, _PLURAL.sub("", name)):
        if spelling in UNITS:
            return spelling
    folded = _PLURAL.sub("", name.casefold())
    same = [unit for unit in UNITS if unit.casefold() in (name.casefold(), folded)]
    if len({UNITS[unit] for unit in same}) == 1 and folded not in _ONE_CASE:
        return same[0]
    return None


def convert(value: float, unit: str, to: str) -> float | None:
    """A value in another unit; None where the two measure different things."""
    (kind, factor, offset), (other, to_factor, to_offset) = UNITS[unit], UNITS[to]
    if kind != other:
        return None
    return (value * factor + offset - to_offset) / to_factor
