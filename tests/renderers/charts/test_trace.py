"""Curves come back from the pixels of their pictures, and pictures are the same wherever they are drawn."""

import io
import itertools
import threading

import numpy as np
import pytest
from PIL import Image

from dqgen.renderers.charts.curve import CurveChart, Series, draw_curves
from dqgen.renderers.charts.style import SERIES, encoded, scale
from dqgen.renderers.charts.trace import trace

X, Y = scale("Time", "s", 0, 10), scale("Voltage", "V", 0, 400)
TIMES = np.linspace(0, 10, 500)
DECAY = 380 * np.exp(-TIMES / 3)
STEP = np.where(TIMES < 4, 300.0, 20.0)


def chart(*curves: np.ndarray, first: int = 0) -> CurveChart:
    colours = tuple(itertools.islice(itertools.cycle(SERIES), first, first + len(curves)))
    series = tuple(Series(f"Curve {at}", TIMES, one) for at, one in enumerate(curves))
    return CurveChart("Test", X, Y, series, colours, ((2.0, "switched"),))


@pytest.mark.parametrize("first", range(len(SERIES)))
def test_curves_of_every_colour_are_read_back(first: int) -> None:
    picture, evidence = draw_curves(chart(DECAY, STEP, first=first), 1200)
    for found, drawn in zip(trace(picture, evidence), (DECAY, STEP), strict=True):
        inner = (found.x > 0.1) & (found.x < 9.9) & (np.abs(found.x - 4) > 0.1)
        true = np.interp(found.x[inner], TIMES, drawn)
        assert np.percentile(np.abs(found.y[inner] - true), 97) < 0.005 * 400
        assert found.y.max() == pytest.approx(drawn[1], abs=3)


def test_the_stored_numbers_are_not_what_is_read() -> None:
    picture, evidence = draw_curves(chart(DECAY), 1200)
    evidence["series"][0]["y"] = [0.0] * len(TIMES)
    assert trace(picture, evidence)[0].y.max() == pytest.approx(DECAY[2], abs=3)


def test_a_curve_that_is_not_there_is_missed() -> None:
    picture, evidence = draw_curves(chart(DECAY), 1200)
    evidence["series"].append({"name": "Other", "colour": SERIES[3], "x": [], "y": []})
    with pytest.raises(ValueError, match="'Other' is not to be seen"):
        trace(picture, evidence)


def test_the_same_bytes_in_every_thread_whatever_the_users_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    import matplotlib

    plain = encoded(draw_curves(chart(DECAY), 800)[0])
    monkeypatch.setitem(matplotlib.rcParams, "lines.linewidth", 9.0)
    monkeypatch.setitem(matplotlib.rcParams, "font.size", 22.0)
    made: list[bytes] = []
    threads = [
        threading.Thread(target=lambda: made.append(encoded(draw_curves(chart(DECAY), 800)[0]))) for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert set(made) == {plain}
    assert not Image.open(io.BytesIO(plain)).info
