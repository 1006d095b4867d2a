from hypothesis import given
from hypothesis import strategies as st

from dqgen.renderers.charts.style import scale


@given(st.floats(-1e4, 1e4), st.floats(1e-3, 1e5))
def test_an_axis_reaches_its_end_with_few_ticks(low: float, span: float) -> None:
    made = scale("Force", "kN", low, low + span)
    assert made.high >= low + span - 1e-6 * span
    assert made.high <= low + span + made.step / made.parts * 1.001
    assert 4 <= len(made.ticks()) <= 13
    assert made.resolution <= span / 20
