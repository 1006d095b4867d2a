"""Numbers as they are printed, and lettering."""

import pytest

from dqgen.errors import RenderError, UsageError
from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.numbers import Numbers, read


@pytest.mark.parametrize(
    ("numbers", "value", "text"),
    [
        (Numbers(), 1549.4, "1549.4"),
        (Numbers(), 6.6000000001, "6.6"),
        (Numbers(), 90.0, "90"),
        (Numbers(decimals=1), 90.0, "90.0"),
        (Numbers(sign=","), 6.6, "6,6"),
        (Numbers(unit="inch"), 25.4, "1"),
        (Numbers(unit="inch", decimals=3), 12.7, "0.500"),
        (Numbers(), -0.0001, "0"),
    ],
)
def test_lengths(numbers: Numbers, value: float, text: str) -> None:
    assert numbers.length(value) == text


def test_printed_numbers_read_back() -> None:
    assert read("6,6") == 6.6
    assert read(Numbers().angle(45.0)) == 45.0


def test_a_length_that_is_none_is_refused() -> None:
    with pytest.raises(UsageError, match="'long' is no length"):
        Numbers().parse_length("long", "--scale-bar")


def test_missing_glyphs_are_told() -> None:
    assert lettering.missing("4× ⌀6.6 ↧12") == []
    assert lettering.missing("漢") == ["漢"]
    with pytest.raises(RenderError, match="U\\+6F22"):
        lettering.check("漢")


def test_capitals_have_the_asked_for_height() -> None:
    assert lettering.ink("H", 3.5)[3] == pytest.approx(3.5, abs=0.02)
