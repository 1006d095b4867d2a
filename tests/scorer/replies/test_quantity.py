"""Numbers with units in replies of every form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.scorer.replies.quantity import find_quantities, read_number
from dqgen.scorer.replies.reply import read_reply

IN_MM = [
    ("25", 25),
    ("25 mm", 25),
    ("25mm", 25),
    ("25-mm", 25),
    ("25.", 25),
    ("25.0 mm.", 25),
    ("25 MM", 25),
    ("25 millimetres", 25),
    ("25 Millimeters", 25),
    ("~25 mm", 25),
    ("≈ 25 mm", 25),
    ("about 25 mm", 25),
    ("approximately 25 mm", 25),
    ("25 ± 0.1 mm", 25),
    ("25 +/- 0.1 mm", 25),
    ("-5 mm", -5),
    ("−5 mm", -5),
    ("+5 mm", 5),
    (".5 mm", 0.5),
    ("2.5 cm", 25),
    ("0.025 m", 25),
    ("25000 µm", 25),
    ("25000 um", 25),
    ("1 in", 25.4),
    ("1 inch", 25.4),
    ('1"', 25.4),
    ("1″", 25.4),
    ("1 ft", 304.8),
    ("3/8 in", 9.525),
    ('3/8"', 9.525),
    ("3/8-inch", 9.525),
    ("1 1/2 in", 38.1),
    ('1-1/2"', 38.1),
    ("1½ in", 38.1),
    ("½ inch", 12.7),
    ("5 ft 6 in", 1676.4),
    ("5' 6\"", 1676.4),
    ("5'6\"", 1676.4),
    ("1,525 mm", 1525),
    ("1,525.4 mm", 1525.4),
    ("12,345,678", 12345678),
    ("1 525 mm", 1525),
    ("1\u00a0525 mm", 1525),
    ("1\u202f525 mm", 1525),
    ("1'525 mm", 1525),
    ("1.525,4 mm", 1525.4),
    ("12,5 mm", 12.5),
    ("0,125 mm", 0.125),
    ("1549,4", 1549.4),
    ("1.5e3", 1500),
    ("1.5E+3 mm", 1500),
    ("1.5×10^3 mm", 1500),
    ("1.5 × 10³ mm", 1500),
    ("1.5 x 10^3 mm", 1500),
    ("1.5*10**3", 1500),
    ("$1.5 \\times 10^{3}$ mm", 1500),
    ("25.4 mm (1 in)", 25.4),
    ("1.00 in (25.4 mm)", 25.4),
    ("Answer: 25", 25),
    ("**25 mm**", 25),
    ("\\boxed{25\\,\\text{mm}}", 25),
    ("$\\frac{3}{8}$ in", 9.525),
    ('{"value": 25, "unit": "mm"}', 25),
    ('{"answer": "25 mm"}', 25),
    ("The wheelbase is 1549.4 mm per rule V.1.2.", 1549.4),
    ("By V.1.2.1 it is 1549.4 mm.", 1549.4),
    ("1549.4 mm, which exceeds 1525 mm", 1549.4),
    ("1549.4 - 25 = 1524.4 mm", 1524.4),
    ("An M6 bolt, 25 mm", 25),
    ("1. The length is 25 mm", 25),
    ("There are 4 tubes of 25 mm", 25),
    ("Explanation: 30 and 40 are given.\nAnswer: 25 mm", 25),
    ("<think>30 mm? 40 mm?</think>25 mm", 25),
]

NONE = [
    "",
    "twenty",
    "10-12 mm",
    "10 – 12 mm",
    "10 to 12 mm",
    "between 10 and 12 mm",
    "less than 25 mm",
    "< 25 mm",
    "at least 25 mm",
    "≥25 mm",
    "25 kg",
    "25 mm²",
    "It is 25 mm or 30 mm",
    "Answer: 25 mm\nAnswer: 30 mm",
    "6061-T6",
    "rule V.1.2",
    "12.5.3",
    "10/0 mm",
    "1e999",
    "I cannot measure it.",
]


@pytest.mark.parametrize(("text", "value"), IN_MM)
def test_reads_a_value(text: str, value: float) -> None:
    found, why = read_number(read_reply(text), "mm")
    assert found == pytest.approx(value, rel=1e-9), why


@pytest.mark.parametrize("text", NONE)
def test_reads_no_value(text: str) -> None:
    found, why = read_number(read_reply(text), "mm")
    assert found is None
    assert why


@pytest.mark.parametrize(
    ("text", "unit", "value"),
    [
        ("240 MPa", "MPa", 240),
        ("0.24 GPa", "MPa", 240),
        ("240 N/mm²", "MPa", 240),
        ("34.8 ksi", "MPa", 239.93755),
        ("60 °C", "°C", 60),
        ("140 °F", "°C", 60),
        ("$60^\\circ$C", "°C", 60),
        ("45°", "deg", 45),
        ("45 degrees", "°", 45),
        ("10 kΩ", "ohm", 10000),
        ("300 VDC", "V", 300),
        ("36 km/h", "m/s", 10),
        ("2.5 kW", "W", 2500),
        ("40 %", "%", 40),
        ("4", None, 4),
        ("4 wheels", None, 4),
        ("25 mm", "furlong", 25),
    ],
)
def test_converts_to_the_unit_of_the_question(text: str, unit: str | None, value: float) -> None:
    found, why = read_number(read_reply(text), unit)
    assert found == pytest.approx(value, rel=1e-6), why


def test_case_tells_milli_from_mega() -> None:
    assert read_number(read_reply("5 mW"), "W")[0] == pytest.approx(0.005)
    assert read_number(read_reply("5 MW"), "W")[0] == pytest.approx(5e6)


@given(st.floats(-1e9, 1e9, allow_nan=False), st.sampled_from(["", " mm", "mm", " cm", " in"]))
def test_what_python_writes_is_read_back(value: float, unit: str) -> None:
    factor = {"": 1, " mm": 1, "mm": 1, " cm": 10, " in": 25.4}[unit]
    found, why = read_number(read_reply(f"Answer: {value!r}{unit}"), "mm")
    assert found == pytest.approx(value * factor, rel=1e-9, abs=1e-12), why


@given(st.text(max_size=200))
def test_any_text_is_read_without_error(text: str) -> None:
    for quantity in find_quantities(text):
        assert 0 <= quantity.start < quantity.end <= len(text)
