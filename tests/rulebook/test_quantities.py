"""Measured values: comparator, value, unit and role, from the words around them."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.rulebook import units
from dqgen.rulebook.quantities import read_quantities
from dqgen.rulebook.units import number_value, same_kind
from tests.rulebook.conftest import read_text

LIMITS = [
    # text, comparator, value, unit
    ("The wheelbase must be at least 1525 mm (60 inches).", "minimum", 1525, "mm"),
    ("The tab must not extend more than 25mm forward.", "maximum", 25, "mm"),
    ("The braces must be attached 160 mm or less below the hoop.", "maximum", 160, "mm"),
    ("The angle must be 30° or more.", "minimum", 30, "deg"),
    ("The hoop must be no lower than 50 mm below the top.", "maximum", 50, "mm"),
    ("The seat must be no lower than 50 mm above the floor.", "minimum", 50, "mm"),
    ("The wall must not be less than 2.0 mm thick.", "minimum", 2, "mm"),
    ("The voltage must not exceed 600 V DC.", "maximum", 600, "V"),
    ("The lamp must have a minimum shining surface of 15 cm2.", "minimum", 15, "cm2"),
    ("Plates must be 2.0 mm minimum thickness steel.", "minimum", 2, "mm"),
    ("The zone must be between 240 mm and 320 mm above it.", "range", [240, 320], "mm"),
    ("It must flash with 2 Hz to 5 Hz.", "range", [2, 5], "Hz"),
    ("The gap should be 0 – 75 mm wide.", "range", [0, 75], "mm"),
    ("It must be 30 ± 5 mm long.", "range", [25, 35], "mm"),
    ("Any gap must be small (< 3 mm).", "maximum", 3, "mm"),
    ("It must be red and > 50 mm in diameter.", "minimum", 50, "mm"),
    ("The hole may be up to 7 ½ in wide.", "maximum", 7.5, "in"),
    ("The bolt must be at least 1 1/2 inch long.", "minimum", 1.5, "in"),
    ("The bumper must weigh no more than 15 lbs. in all.", "maximum", 15, "lb"),
    ("The board must be exactly ¾ in. thick.", "exactly", 0.75, "in"),
    ("The pump must deliver 1,200 kPa.", "exactly", 1200, "kPa"),
    ("It may be used at no more than 80 ◦C.", "maximum", 80, "degC"),
    ("It must cover a minimum of 75% of each face.", "minimum", 75, "%"),
    ("The resistor must be at least 10 kΩ.", "minimum", 10, "kohm"),
    ("It must have a width of at least three times the width of the chain.", "minimum", 3, "x"),
    ("The sound must not exceed 110 dBA.", "maximum", 110, "dB"),
    ("It must open within 30 s.", "maximum", 30, "s"),
]


@pytest.mark.parametrize(("text", "comparator", "value", "unit"), LIMITS)
def test_limits(text: str, comparator: str, value: object, unit: str) -> None:
    (found,) = read_quantities(text)
    assert (found.comparator, found.value, found.unit, found.role) == (comparator, value, unit, "limit")
    assert text[found.start : found.end] == found.raw


@pytest.mark.parametrize(
    ("text", "role"),
    [
        ("If a part weighs more than 0.25 kg, it must be tied.", "condition"),
        ("Any tank that is less than 350 mm above the ground must be inside the frame.", "condition"),
        ("The horn must sound when the speed exceeds 5 km/h.", "condition"),
        ("The pedal must withstand a force of 2000 N.", "test"),
        ("Touching it with a 100 mm long test probe must not be possible.", "test"),
        ("Low voltage is defined as any voltage below 60 V.", "definition"),
        ("A lap takes approximately 60 seconds.", "information"),
        ("A team receives a 20 second penalty.", "information"),
        ("The 120 A breaker must be easy to reach.", "information"),
    ],
)
def test_roles(text: str, role: str) -> None:
    assert [found.role for found in read_quantities(text)] == [role]


@pytest.mark.parametrize(
    "text",
    [
        "It must meet ISO 7010 and SFI 45.1 of 2019.",
        "Doors must open at 9:00 and close at 17:30.",
        "Bolts M6 of alloy 6061-T6 must be used.",
        "In 2 in the 3 cases of Rule 5.4 it must stop.",
        "Four wheels and 2 seats must be there.",
    ],
)
def test_no_quantities(text: str) -> None:
    assert read_quantities(text) == []


def test_a_second_unit_belongs_to_the_first() -> None:
    (one,) = read_quantities("It must be 2.0 mm (0.080 in) thick at least.")
    assert [(amount.value, amount.unit) for amount in one.also] == [(0.08, "in")]
    (spread,) = read_quantities("It must lie between 12.7 mm and 25.4 mm (0.5 inch and 1 inch) below.")
    assert (spread.value, spread.also[0].value) == ([12.7, 25.4], [0.5, 1])
    (bolt,) = read_quantities("Any bolt must be 6 mm or 1/4” minimum diameter.")
    assert (bolt.comparator, bolt.value, bolt.also[0].value) == ("minimum", 6, 0.25)
    wide, high = read_quantities("It must be at least 25 cm wide x 20 cm high (10” x 8”).")
    assert (wide.comparator, high.comparator) == ("minimum", "minimum")
    assert (wide.also[0].value, high.also[0].value) == (10, 8)


def test_items_take_over_what_their_lead_in_says(tmp_path: Path) -> None:
    text = """# A1 Air

A1.1 The maximum diameters are:

a. Gasoline 20.0 mm
b. Ethanol 19.0 mm

A1.2 A bracket must bear a minimum load of:

a. 900 N rearward

A1.3 The parts must have the masses below:

a. a frame of 40 kg

A1.4 The rule applies when:

a. the cart is 400 mm wide
"""
    rules = {rule.id: rule for rule in read_text(tmp_path, text).rules}
    assert [(q.comparator, q.value, q.role, q.item) for q in rules["A1.1"].quantities] == [
        ("maximum", 20, "limit", "A1.1.a"),
        ("maximum", 19, "limit", "A1.1.b"),
    ]
    assert [(q.comparator, q.role) for q in rules["A1.2"].quantities] == [("minimum", "test")]
    assert [q.comparator for q in rules["A1.3"].quantities] == ["exactly"]
    assert [q.role for q in rules["A1.4"].quantities] == ["condition"]


def test_cells_are_read_under_the_head_of_their_column(tmp_path: Path) -> None:
    text = "# A1 Tubes\n\nA1.1 A tube must meet:\n\n"
    text += "| Size | Minimum Wall | Example |\n|--|--|--|\n| A | 2.0 mm | 25 mm |\n\n"
    text += "A1.2 It must roll.\n\nA1.3 It must stop.\n"
    rule = read_text(tmp_path, text).rules[1]
    assert [(q.comparator, q.value, q.role) for q in rule.quantities] == [
        ("minimum", 2, "limit"),
        ("exactly", 25, "information"),
    ]


@given(st.integers(0, 10**6), st.sampled_from(["mm", "kg", "kN", "V", "Hz", "MPa", "°C", "%", "Ω"]))
def test_a_printed_value_is_read_back(value: int, unit: str) -> None:
    for text in (f"{value} {unit}", f"{value:,} {unit}"):
        (found,) = read_quantities(f"It must be {text}.")
        assert found.value == value


@given(st.integers(0, 99), st.integers(1, 15))
def test_fractions_are_read_back(whole: int, part: int) -> None:
    assert number_value(f"{whole} {part}/16") == whole + part / 16


@given(st.floats(0, 10**5, allow_nan=False).map(lambda value: round(value, 3)))
def test_decimals_are_read_back(value: float) -> None:
    assert number_value(f"{value:.3f}") == value


def test_kinds_of_units() -> None:
    assert same_kind("mm", "in")
    assert same_kind("MPa", "ksi")
    assert not same_kind("mm", "N")
    assert not same_kind("%", "deg")


PINT_NAMES = {
    "mm2": "mm**2",
    "mm3": "mm**3",
    "mm4": "mm**4",
    "cm2": "cm**2",
    "cm3": "cm**3",
    "m2": "m**2",
    "m3": "m**3",
    "in2": "inch**2",
    "ft2": "ft**2",
    "mm/s": "mm/s",
    "m/s2": "m/s**2",
    "m/s": "m/s",
    "ft/s": "ft/s",
    "m/min": "m/min",
    "ft/min": "ft/min",
    "km/h": "km/h",
    "mph": "mph",
    "kg/m3": "kg/m**3",
    "g/cm3": "g/cm**3",
    "W/m2": "W/m**2",
    "N/mm": "N/mm",
    "MPa": "MPa",
    "Nm": "N*m",
    "ft-lb": "ft*lbf",
    "in-lb": "inch*lbf",
    "mm": "mm",
    "cm": "cm",
    "km": "km",
    "um": "um",
    "m": "m",
    "in": "inch",
    "ft": "ft",
    "yd": "yd",
    "mi": "mile",
    "kg": "kg",
    "mg": "mg",
    "lbf": "lbf",
    "lb": "lb",
    "oz": "oz",
    "MN": "MN",
    "kN": "kN",
    "N": "N",
    "GPa": "GPa",
    "kPa": "kPa",
    "Pa": "Pa",
    "bar": "bar",
    "ksi": "ksi",
    "psi": "psi",
    "degC": "degC",
    "degF": "degF",
    "deg/s": "deg/s",
    "deg": "deg",
    "kV": "kV",
    "mV": "mV",
    "V": "V",
    "Ah": "A*h",
    "mAh": "mA*h",
    "mA": "mA",
    "kA": "kA",
    "A": "A",
    "kWh": "kW*h",
    "Wh": "W*h",
    "MW": "MW",
    "kW": "kW",
    "mW": "mW",
    "W": "W",
    "hp": "hp",
    "MJ": "MJ",
    "kJ": "kJ",
    "J": "J",
    "GHz": "GHz",
    "MHz": "MHz",
    "kHz": "kHz",
    "Hz": "Hz",
    "rpm": "rpm",
    "ms": "ms",
    "us": "us",
    "s": "s",
    "min": "min",
    "h": "h",
    "kohm": "kohm",
    "Mohm": "Mohm",
    "mohm": "mohm",
    "ohm/V": "ohm/V",
    "ohm": "ohm",
    "uF": "uF",
    "dB": "dB",
    "L": "liter",
    "ml": "ml",
    "cc": "cc",
    "gal": "gallon",
    "qt": "quart",
    "lx": "lux",
    "cd": "cd",
    "lm": "lumen",
    "g": "gram",
    "K": "K",
    "%": "percent",
    "ppm": "ppm",
}


@pytest.mark.parametrize("unit", sorted(PINT_NAMES))
def test_sizes_of_units_are_those_of_pint(unit: str) -> None:
    registry = _registry()
    kind, size = units._KIND[unit]
    if size:
        assert registry.Quantity(1, PINT_NAMES[unit]).to_base_units().magnitude == pytest.approx(size)
    for other, name in PINT_NAMES.items():
        if units._KIND[other][0] == kind:
            assert registry.Unit(name).dimensionality == registry.Unit(PINT_NAMES[unit]).dimensionality


@cache
def _registry() -> Any:
    import pint

    return pint.UnitRegistry()
