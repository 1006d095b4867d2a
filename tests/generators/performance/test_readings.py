"""Readings against closed forms, and against shapes that were fitted to a value."""

import numpy as np
import pytest

from dqgen.generators.performance.readings import READINGS, read
from dqgen.renderers.charts.curve import Series
from dqgen.schemas.performance import CurveReading

T = np.linspace(0, 10, 2001)
RAMP = Series("ramp", T, 3 * T)
DECAY = Series("decay", T, 400 * np.exp(-np.maximum(0, T - 1) / 2))
STEP = Series("step", T, np.where(T < 2, 24.0, 0.0))
LATER = Series("later", T, np.where(T < 2.5, 12.0, 0.0))
BRAKING = Series("braking", T, np.maximum(0, 54 - 3.6 * 9 * np.maximum(0, T - 0.5)))
RISING = Series("rising", T, 80 * (1 - np.exp(-np.maximum(0, T - 1))))


@pytest.mark.parametrize(
    ("name", "curves", "at", "mark", "expected"),
    [
        ("peak", [RAMP, DECAY], None, None, 400),
        ("final", [RAMP], None, None, 29.85),
        ("mean", [RAMP], None, None, 15),
        ("area", [RAMP], None, None, 150),
        ("slope", [RAMP], 5.0, None, 3),
        ("at", [RAMP], 4.0, None, 12),
        ("ratio", [RAMP, Series("half", T, 1.5 * T)], 6.0, None, 50),
        ("reach", [DECAY], 60.0, 1.0, 2 * np.log(400 / 60)),
        ("zero", [BRAKING], None, None, 0.5 + 54 / 32.4),
        ("rise", [RISING], 90.0, 1.0, np.log(10)),
        ("delay", [STEP, LATER], None, None, 0.5),
        ("drop", [Series("leak", T, 60 - 0.3 * T)], None, None, 3 - 0.03),
        ("extent", [RAMP], None, None, 10),
        ("set", [RAMP, Series("back", T[400:], T[400:])], None, None, 2),
        ("window", [Series("power", T, np.where((T > 3) & (T < 4), 70.0, 5.0))], 0.5, None, 70),
        ("deceleration", [BRAKING], 50.0, None, 9),
        ("level", [Series("burst", T, np.where((T > 3) & (T < 5), 85.0, 50.0))], None, None, 85),
    ],
)
def test_a_reading_gives_what_the_formula_says(
    name: CurveReading, curves: list[Series], at: float | None, mark: float | None, expected: float
) -> None:
    assert read(name, curves, at, mark)[0] == pytest.approx(expected, rel=0.006)


def test_every_reading_is_tested() -> None:
    marks = test_a_reading_gives_what_the_formula_says.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for case in marks[0].args[1]} == set(READINGS)
