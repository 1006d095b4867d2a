"""The grammar of dimension texts: what reads as one, in which parts, and what does not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.sheets.dimension_text import comma_of, read

READ = {
    "776": ("linear", 776, {}),
    "18,2**": ("linear", 18.2, {"modifiers": ("**",)}),
    "(25)": ("linear", 25, {"reference": True}),
    "30 TYP": ("linear", 30, {"modifiers": ("TYP",)}),
    "100 mm": ("linear", 100, {"unit": "mm"}),
    "R10": ("radius", 10, {}),
    "R0,2 max.**": ("radius", 0.2, {"modifiers": ("max.", "**")}),
    "(SR.500)": ("radius", 0.5, {"reference": True}),
    "Ø35": ("diameter", 35, {}),
    "4 x ⌀ 7,1": ("diameter", 7.1, {"count": 4}),
    "6-⌀8": ("diameter", 8, {"count": 6}),
    "8 отв. ⌀10": ("diameter", 10, {"count": 8}),
    "2X ⌀.500 THRU": ("diameter", 0.5, {"count": 2, "modifiers": ("THRU",)}),
    "⌀25 js6": ("diameter", 25, {"fit": "js6"}),
    "10 H7 +0,018": ("linear", 10, {"fit": "H7", "upper": 0.018, "lower": 0}),
    "20 +0,1/-0,2": ("linear", 20, {"upper": 0.1, "lower": -0.2}),
    "10 ±0,1": ("linear", 10, {"upper": 0.1, "lower": -0.1}),
    "⌀34.8 - 35.2": ("diameter", 35, {"upper": pytest.approx(0.2), "lower": pytest.approx(-0.2)}),
    "45°": ("angular", 45, {"unit": "degree"}),
    "45°30'": ("angular", 45.5, {"unit": "degree"}),
    "60° ±0.5°": ("angular", 60, {"upper": 0.5, "lower": -0.5}),
    "2 x 0,3x45°": ("chamfer", 0.3, {"count": 2, "second": 45}),
    "2x45°": ("chamfer", 2, {"count": 1, "second": 45}),
    "M8x1,25": ("thread", 8, {"second": 1.25}),
    "4x M6": ("thread", 6, {"count": 4}),
    "1/4-20 UNC-2B": ("thread", 0.25, {"second": 0.05, "unit": "inch"}),
    "G 1/4": ("thread", 0.25, {"unit": "inch"}),
    "SW 17": ("flats", 17, {}),
    "t=2": ("thickness", 2, {}),
    "12'-6 1/2\"": ("linear", 150.5, {"unit": "inch"}),
    "12’-6½”": ("linear", 150.5, {"unit": "inch"}),
    "23'-6\"": ("linear", 282, {"unit": "inch"}),
    "3/4\"": ("linear", 0.75, {"unit": "inch"}),
    "R5 (3X)": ("radius", 5, {"count": 3}),
}  # fmt: skip


@pytest.mark.parametrize("text", READ)
def test_what_reads_as_a_dimension(text: str) -> None:
    kind, value, parts = READ[text]
    found = read(text)
    assert found is not None
    assert (found.kind, found.value) == (kind, pytest.approx(value))
    for name, part in parts.items():
        assert getattr(found, name) == part, name


NOT = """1:4 | 12.05.2020 | 2020-05-12 | MMP.03.00.00.003 | A-A | Ra 12,5 | 007 | 134A | 270 SF | P-1 | CE-2 | 4.5 kg
230V
16A | AF101 | #10 | 100% | 1/8" = 1'-0" | Sheet 2.0 Steel | 3 PLACES | DIN ISO 2768 | +2,80 | 12 mm² | x | 4711-0815-03
12-345/7 | 100-2345-01 | 4711-08 | 656-19-306""".replace("\n", " | ").split(" | ")


@pytest.mark.parametrize("text", NOT)
def test_what_does_not(text: str) -> None:
    assert read(text) is None


def test_a_comma_is_what_the_sheet_makes_of_it() -> None:
    assert comma_of(["12,5", "1,250"]) == "decimal"
    assert comma_of(["1,250", "2.5"]) == "thousands"
    assert read("1,250", "thousands").value == 1250
    assert read("1,250", "decimal").value == 1.25
    assert read("25", stacked=("+0,007", "-0,007")).upper == 0.007
    assert read("25", stacked=("", "-0,02")).lower == -0.02


@given(st.text(max_size=40))
def test_any_text_is_read_or_not(text: str) -> None:
    found = read(text)
    assert found is None or (found.value >= 0 and found.count >= 1)


@given(st.floats(0.01, 9999).map(lambda x: round(x, 3)), st.sampled_from(["", "⌀", "R", "4x ⌀"]), st.sampled_from(",."))
def test_what_is_printed_is_read_back(value: float, prefix: str, point: str) -> None:
    found = read(prefix + f"{value:.3f}".rstrip("0").rstrip(".").replace(".", point))
    assert found is not None
    assert found.value == pytest.approx(value)
