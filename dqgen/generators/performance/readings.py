"""How the number that a rule limits comes out of curves.

Each reading takes the curves and the check's `at`, and gives the values that must all keep the limit.
"""

from collections.abc import Callable, Sequence

import numpy as np

from dqgen.renderers.charts.curve import Series
from dqgen.schemas.design import Floats
from dqgen.schemas.performance import CurveReading

Values = tuple[float, ...]
Reading = Callable[[Sequence[Series], float | None, float | None], Values]
READINGS: dict[CurveReading, Reading] = {}
KMH = 3.6


def _reading(name: CurveReading) -> Callable[[Reading], Reading]:
    def register(function: Reading) -> Reading:
        assert name not in READINGS, name
        READINGS[name] = function
        return function

    return register


def read(name: CurveReading, series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """The values that a reading gives.

    Args:
        name: of the reading.
        series: the curves.
        at: abscissa, ordinate, share or window, as the reading needs it.
        mark: abscissa of the mark, if there is one.

    Raises:
        ValueError: the curves do not show it.
    """
    return READINGS[name](series, at, mark)


@_reading("peak")
def _peak(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Highest ordinate of all curves."""
    return (max(float(one.y.max()) for one in series),)


@_reading("final")
def _final(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Last ordinate of the first curve: the mean over its last hundredth, so that noise does not decide."""
    one = series[0]
    end = one.x >= one.x[-1] - 0.01 * (one.x[-1] - one.x[0])
    return (float(one.y[end].mean()),)


@_reading("mean")
def _mean(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Mean ordinate from the first to the last point."""
    one = series[0]
    return (_integral(one) / float(one.x[-1] - one.x[0]),)


@_reading("area")
def _area(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Area below the curve: J for kN over mm."""
    return (_integral(series[0]),)


@_reading("slope")
def _slope(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Rise of the ordinate from the origin to an abscissa, over that abscissa."""
    assert at is not None
    return (_ordinate(series[0], at) / at,)


@_reading("at")
def _at(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Ordinates of all curves at an abscissa."""
    assert at is not None
    return tuple(_ordinate(one, at) for one in series)


@_reading("ratio")
def _ratio(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Second curve in parts of the first, in %, at an abscissa or just before the mark."""
    where = at if mark is None else mark
    assert where is not None
    if mark is not None:
        span = float(series[0].x[-1] - series[0].x[0])
        return (100 * _before(series[1], mark, span) / _before(series[0], mark, span),)
    return (100 * _ordinate(series[1], where) / _ordinate(series[0], where),)


@_reading("reach")
def _reach(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """From the mark (else the origin) to where the first curve first reaches an ordinate."""
    assert at is not None
    return (_crossing(series[0], at, mark) - (mark or 0.0),)


@_reading("zero")
def _zero(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Where the first of the curves falls to nothing: continued straight from two hundredths of its start over one, for
    pixels do not tell where a line touches the axis."""
    found = []
    for one in series:
        start = float(one.y[0])
        if one.y.min() <= 0.01 * start:
            twice, once = (_crossing(one, share * start, None) for share in (0.02, 0.01))
            found.append(2 * once - twice)
    if not found:
        raise ValueError("no curve falls to zero")
    return (min(found) - (mark or 0.0),)


@_reading("rise")
def _rise(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """From the mark to where a share (in %) of the final ordinate is reached."""
    assert at is not None
    assert mark is not None
    return (_crossing(series[0], at / 100 * _final(series, None, None)[0], mark) - mark,)


@_reading("delay")
def _delay(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """From where the first curve falls below half its start to where the second one does."""
    first, second = (_crossing(one, float(one.y[:5].mean()) / 2, None) for one in series[:2])
    return (second - first,)


@_reading("drop")
def _drop(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Fall of the ordinate from first to last, each as the mean over a hundredth of the abscissa."""
    one = series[0]
    start = one.x <= one.x[0] + 0.01 * (one.x[-1] - one.x[0])
    return (float(one.y[start].mean()) - _final(series, None, None)[0],)


@_reading("extent")
def _extent(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Greatest abscissa that the curves reach."""
    return (max(float(one.x.max()) for one in series),)


@_reading("set")
def _set(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Abscissa at which the second curve, the way back, ends."""
    return (float(series[1].x.min()),)


@_reading("window")
def _window(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Highest mean ordinate over a window of that width."""
    assert at is not None
    one = series[0]
    sums = np.concatenate([[0.0], np.cumsum(np.diff(one.x) * (one.y[1:] + one.y[:-1]) / 2)])
    starts = one.x[one.x <= one.x[-1] - at]
    means = (np.interp(starts + at, one.x, sums) - np.interp(starts, one.x, sums)) / at
    return (float(means.max()),)


@_reading("deceleration")
def _deceleration(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """From a speed in km/h to standstill, m/s² over the time that it takes."""
    assert at is not None
    one = series[0]
    stop = _crossing(one, 0.005 * at, None)
    return (at / KMH / (stop - _crossing(one, at, None)),)


@_reading("level")
def _level(series: Sequence[Series], at: float | None, mark: float | None) -> Values:
    """Mean ordinate where the curve stands high: within a quarter of its range from its top."""
    one = series[0]
    high = one.y > one.y.max() - 0.25 * np.ptp(one.y)
    return (float(np.average(one.y[high], weights=np.gradient(one.x)[high] + 1e-12)),)


def _integral(one: Series) -> float:
    return float(np.sum(np.diff(one.x) * (one.y[1:] + one.y[:-1]) / 2))


def _ordinate(one: Series, at: float) -> float:
    """Ordinate at an abscissa, as the mean over a two-hundredth of the range on both sides."""
    reach = (one.x.max() - one.x.min()) / 200
    near = np.linspace(max(at - reach, float(one.x.min())), min(at + reach, float(one.x.max())), 21)
    order = np.argsort(one.x, kind="stable")
    return float(np.interp(near, one.x[order], one.y[order]).mean())


def _before(one: Series, mark: float, span: float) -> float:
    """Mean ordinate in the hundredth of the range that ends a little before the mark."""
    near = (one.x < mark - 0.004 * span) & (one.x > mark - 0.014 * span)
    return float(one.y[near].mean())


def _crossing(one: Series, level: float, start: float | None) -> float:
    """Where a curve first reaches a level from the side on which it begins.

    Raises:
        ValueError: it does not.
    """
    keep = slice(None) if start is None else slice(int(np.searchsorted(one.x, start)), None)
    x, y = one.x[keep], one.y[keep]
    above: Floats = (y - level) * (1.0 if y[0] >= level else -1.0)
    beyond = np.flatnonzero(above[1:] <= 0)
    if not len(beyond):
        raise ValueError(f"curve '{one.name}' does not reach {level:g}")
    at = int(beyond[0])
    step = above[at] - above[at + 1]
    return float(x[at] + (x[at + 1] - x[at]) * (above[at] / step if step else 1.0))
