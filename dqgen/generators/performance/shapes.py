"""Physical models of measured curves. Each is a family with one free number, which decides what the reading gives.

All else about a curve (durations, ripple, noise) is drawn from the seed, whether a limit is kept or not.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from dqgen.renderers.charts.curve import Series
from dqgen.renderers.charts.style import Scale
from dqgen.schemas.design import Floats
from dqgen.schemas.performance import CurveReading, Shape

POINTS = 600
GRAVITY = 9.81
"""m/s²."""
AMBIENT = (19.0, 26.0)
"""°C."""


@dataclass(frozen=True)
class Setting:
    """What a shape is drawn for.

    Attributes:
        draw: source of all that is left to chance.
        x, y: axes.
        reading, at, typical: as in the check.
        names: of the curves.
        upper: whether the value lies near the upper end of what the rule allows.
    """

    draw: np.random.Generator
    x: Scale
    y: Scale
    reading: CurveReading
    at: float
    typical: float
    names: tuple[str, ...]
    upper: bool

    @property
    def span(self) -> float:
        """Length of the abscissa."""
        return self.x.high - self.x.low

    def between(self, low: float, high: float) -> float:
        """A number drawn from a range."""
        return float(self.draw.uniform(low, high))

    def abscissae(self, low: float, high: float) -> Floats:
        """Evenly spaced points between two shares of the axis."""
        made: Floats = self.x.low + self.span * np.linspace(low, high, POINTS)
        return made

    def ripple(self, length: float, count: int = POINTS) -> Floats:
        """Noise (count,) of deviation 1 that changes over that share of the points."""
        width = max(length * count, 0.3)
        reach = np.arange(-int(4 * width) - 1, int(4 * width) + 2)
        kernel = np.exp(-0.5 * (reach / width) ** 2)
        noise = np.convolve(self.draw.standard_normal(count + len(reach) - 1), kernel, mode="valid")
        made: Floats = noise / np.sqrt(np.sum(kernel**2))
        return made


@dataclass(frozen=True)
class Family:
    """Curves by a free number between two ends, over which the reading rises or falls steadily.

    Attributes:
        curves: from the number to abscissae and ordinates of each curve.
        low, high: ends of the number.
        mark: abscissa of the mark, if the shape has one.
        decides: which of the reading's values the number moves.
    """

    curves: Callable[[float], list[tuple[Floats, Floats]]]
    low: float
    high: float
    mark: float | None = None
    decides: int = 0


Model = Callable[[Setting], Family]
SHAPES: dict[Shape, Model] = {}


def _shape(name: Shape) -> Callable[[Model], Model]:
    def register(model: Model) -> Model:
        assert name not in SHAPES, name
        SHAPES[name] = model
        return model

    return register


def series(family: Family, number: float, names: tuple[str, ...]) -> tuple[Series, ...]:
    """The curves of a family at a number."""
    made = family.curves(number)
    return tuple(Series(names[at] if at < len(names) else f"{at + 1}", x, y) for at, (x, y) in enumerate(made))


def _scaled(x: Floats, base: Floats, s: Setting, floor: float = 0.0) -> Family:
    """A curve whose height above a floor is free."""
    base = base / np.abs(base).max()
    return Family(lambda k: [(x, floor + k * base)], 1e-6 * s.y.high, 1.3 * (s.y.high - floor))


@_shape("crush")
def _crush(s: Setting) -> Family:
    """A crushed block: elastic rise to a first peak, folds at a nearly constant force, the onset of densification."""
    end = s.between(0.78, 0.92)
    x = s.abscissae(0, end)
    d = np.linspace(0, 1, POINTS)
    first, fold = s.between(0.05, 0.08), s.between(0.09, 0.14)
    plateau = 1 + s.between(-0.06, 0.08) * d
    plateau = plateau + s.between(0.03, 0.06) * np.sin(2 * np.pi * d / fold + s.between(0, 6)) + 0.012 * s.ripple(0.004)
    peak = 1 + s.between(0.10, 0.22) * np.exp(-(((d - first) / 0.022) ** 2))
    dense = s.between(0.02, 0.10) * np.maximum(0, (d - 0.9) / 0.1) ** 2
    rise = np.minimum(1, d / first) ** 1.2
    return _scaled(x, rise * plateau * peak + dense, s)


@_shape("pulse")
def _pulse(s: Setting) -> Family:
    """Deceleration in g of what hits a crushable nose at `typical` m/s, over ms: a rise, a plateau with two humps, and
    rest. The harder it is, the shorter: the mean times the duration is the speed."""
    d = np.linspace(0, 1, POINTS)
    body = np.minimum(1, d / s.between(0.10, 0.16)) * np.minimum(1, (1 - d) / s.between(0.12, 0.20))
    humps = sum(
        s.between(0.25, 0.5) * np.exp(-(((d - at) / s.between(0.04, 0.07)) ** 2))
        for at in (s.between(0.18, 0.28), s.between(0.6, 0.78))
    )
    base = body * (1 + humps + 0.03 * s.ripple(0.006))
    base = base / base.max()
    mean = float(np.sum((base[1:] + base[:-1]) / 2) / (POINTS - 1))

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        return [(s.x.low + 1000 * s.typical / (GRAVITY * k * mean) * d, k * base)]

    return Family(curves, 0.05 * s.y.high, 1.3 * s.y.high)


@_shape("stiffening")
def _stiffening(s: Setting) -> Family:
    """Deflection over load: a straight line with a little play at the start and a little yielding at the end."""
    x = s.abscissae(0, s.between(0.93, 1.0))
    part = (x - s.x.low) / (s.at - s.x.low)
    base = part + s.between(0.02, 0.10) * part**3 + 0.02 * (1 - np.exp(-part / 0.04)) + 0.004 * s.ripple(0.01) * part
    base = base / np.interp(1.0, part, base)
    return Family(lambda k: [(x, k * base)], 1e-6 * s.y.high, s.y.high)


@_shape("straight")
def _straight(s: Setting) -> Family:
    """A force or moment that grows with the displacement."""
    x = s.abscissae(0, s.between(0.94, 1.0))
    part = (x - s.x.low) / (s.at - s.x.low)
    base = part * (1 - s.between(0.01, 0.04) * part) + 0.005 * s.ripple(0.01) * np.minimum(1, 4 * part)
    return _scaled(x, base, s)


@_shape("bend to break")
def _bend(s: Setting) -> Family:
    """A tube bent until it breaks: the force nears a limit load, then drops. The displacement at break is free."""
    most, soft = s.typical * s.between(0.97, 1.03), s.between(3.3, 3.9) / 20 * s.span
    wave = 0.006 * s.ripple(0.01)

    def curves(end: float) -> list[tuple[Floats, Floats]]:
        x = np.linspace(0, end, POINTS)
        y = most * (1 - np.exp(-x / soft)) * (1 + wave)
        return [(np.append(x, end * 1.004), np.append(y, 0.0))]

    return Family(curves, 0.05 * s.span, s.x.high / 1.004)


@_shape("pull to break")
def _pull(s: Setting) -> Family:
    """A mounting pulled until it fails: elastic, yielding to the highest force, tearing."""
    top, end = s.between(0.5, 0.62), s.between(0.72, 0.86)
    x = s.abscissae(0, end)
    d = np.linspace(0, 1, POINTS) * end / top
    rising = 1 - np.maximum(0, 1 - d) ** s.between(1.6, 2.2)
    falling = 1 - s.between(0.5, 0.7) * np.maximum(0, (d - 1) / (end / top - 1)) ** 1.5
    return _scaled(x, np.where(d < 1, rising, falling) + 0.004 * s.ripple(0.006) * np.minimum(1, 3 * d), s)


@_shape("load and unload")
def _loop(s: Setting) -> Family:
    """Force over deflection, up to the test's force and back; what remains is the set."""
    bend, sag = s.between(1.02, 1.15), s.between(1.06, 1.2)
    share, most = s.between(0.08, 0.16), s.typical * s.between(0.92, 1.08)
    part = np.linspace(0, 1, POINTS // 2)

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        reach, left = (most, k) if s.reading == "set" else (k, share * k)
        return [
            (reach * part, s.at * part ** (1 / bend)),
            (left + (reach - left) * part[::-1], s.at * part[::-1] ** sag),
        ]

    return Family(curves, 1e-3 * s.span, 0.95 * s.x.high)


@_shape("warm up")
def _warm(s: Setting) -> Family:
    """Temperatures that near a steady state from that of the air."""
    x = s.abscissae(0, 1)
    air, tau = s.between(*AMBIENT), s.span * s.between(0.22, 0.45)
    parts = [1.0] + [s.between(0.72, 0.93) for _ in s.names[1:]]
    waves = [0.004 * s.ripple(0.05) + 0.0015 * s.ripple(0.004) for _ in parts]
    slow = [tau * s.between(0.85, 1.15) for _ in parts]
    place = int(s.draw.integers(len(parts)))  # the hottest one may be any of them
    order = [*range(1, place + 1), 0, *range(place + 1, len(parts))]

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        made = [
            (x, air + k * (part * (1 - np.exp(-(x - x[0]) / late)) + wave * np.minimum(1, (x - x[0]) / tau)))
            for part, wave, late in zip(parts, waves, slow, strict=True)
        ]
        return [made[at] for at in order]

    return Family(curves, 0.01 * s.y.high, 3 * s.y.high)


@_shape("heat in laps")
def _laps(s: Setting) -> Family:
    """A temperature that jumps at each braking or climb and falls between them."""
    x = s.abscissae(0, 1)
    air, tau = s.between(*AMBIENT), s.span * s.between(0.16, 0.3)
    count = int(s.draw.integers(11, 17))
    starts = x[0] + s.span * (np.arange(count) + s.draw.uniform(0.15, 0.6, count)) / count
    long = s.span / count * 0.28
    heat = s.draw.uniform(0.75, 1.1, count)
    rise = np.zeros(POINTS)
    for start, one in zip(starts, heat, strict=True):
        warmed = np.clip((x - start) / long, 0, 1)
        rise += one * warmed * np.exp(-np.maximum(0, x - start - long) / tau)
    base = rise / rise.max() + 0.004 * s.ripple(0.004)
    return Family(lambda k: [(x, air + k * base)], 0.01 * s.y.high, 1.2 * s.y.high)


@_shape("noise")
def _noise(s: Setting) -> Family:
    """A sound level while fans run up, with slow and quick changes."""
    x = s.abscissae(0, 1)
    part = np.linspace(0, 1, POINTS)
    run_up = -s.between(9, 14) * np.exp(-part / s.between(0.05, 0.11))
    base = run_up + 0.5 * s.ripple(0.03) + 0.25 * s.ripple(0.004)
    return Family(lambda k: [(x, k + base)], 0.3 * s.y.high, 1.1 * s.y.high)


@_shape("noise by speed")
def _noise_by_speed(s: Setting) -> Family:
    """A sound level over a motor's speed, with a resonance."""
    x = s.abscissae(0.05, s.between(0.93, 1.0))
    part = (x - s.x.low) / s.span
    resonance = s.between(3.5, 6) * np.exp(-(((part - s.between(0.4, 0.75)) / s.between(0.04, 0.07)) ** 2))
    base = 14 * np.log10(part) + resonance + 0.3 * s.ripple(0.01)
    return Family(lambda k: [(x, k + base)], 0.3 * s.y.high, 1.2 * s.y.high)


@_shape("peaks")
def _peaks(s: Setting) -> Family:
    """A voltage that sags when power is drawn and rises when it is fed back; the highest rise is free."""
    x = s.abscissae(0, 1)
    part = np.linspace(0, 1, POINTS)
    count = int(s.draw.integers(4, 6))
    places = (np.arange(count) + s.draw.uniform(0.3, 0.7, count)) / count
    heights = s.draw.uniform(0.55, 0.9, count)
    heights[s.draw.integers(count)] = 1.0
    width = s.between(0.022, 0.034)
    rises = np.max(
        [h * np.exp(-(np.abs((part - at) / width) ** 2.5)) for at, h in zip(places, heights, strict=True)], 0
    )
    sags = sum(s.between(0.5, 1) * np.exp(-(((part - at + 0.09) / 0.028) ** 2)) for at in places)
    base = s.typical * s.between(0.985, 1.0) - 0.06 * s.typical * sags - 0.012 * s.typical * part
    base = base + 0.0012 * s.typical * s.ripple(0.003)
    return Family(lambda k: [(x, base + k * rises)], 1e-3 * s.y.high, s.y.high)


@_shape("power")
def _power(s: Setting) -> Family:
    """Power on a straight: drawn at a limit for a while, again and again, with coasting between."""
    x = s.abscissae(0, 1)
    count = int(s.draw.integers(3, 5))
    cell = s.span / count
    base = np.full(POINTS, 0.04)
    heights = s.draw.uniform(0.72, 0.9, count)
    heights[s.draw.integers(count)] = 1.0
    for at, height in enumerate(heights):
        start = s.x.low + cell * (at + s.between(0.08, 0.2))
        end = start + cell * s.between(0.5, 0.65)
        on = np.clip((x - start) / (0.06 * cell), 0, 1) * np.clip((end - x) / (0.05 * cell), 0, 1)
        base = np.maximum(base, height * on * (1 + 0.012 * np.sin(2 * np.pi * (x - start) / (0.23 * cell))))
    return _scaled(x, base + 0.004 * s.ripple(0.003), s)


@_shape("discharge")
def _discharge(s: Setting) -> Family:
    """A capacitor that is emptied through a resistor from the mark on; the time constant is free."""
    x = s.abscissae(0, 1)
    mark = s.x.low + s.span * s.between(0.05, 0.11)
    start = s.typical * s.between(0.9, 1.0)
    wave = 0.0015 * start * s.ripple(0.003)
    return Family(
        lambda k: [(x, start * np.exp(-np.maximum(0, x - mark) / k) + wave)], 0.01 * s.span, 0.9 * s.span, mark
    )


@_shape("pre-charge")
def _pre_charge(s: Setting) -> Family:
    """Capacitors charged through a resistor until a relay joins them to the source at the mark."""
    x = s.abscissae(0, 1)
    begin, mark = s.x.low + s.span * s.between(0.04, 0.08), s.x.low + s.span * s.between(0.62, 0.78)
    source = s.typical * s.between(0.94, 1.0) + 0.0008 * s.typical * s.ripple(0.004)

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        charged = 1 - np.exp(-np.maximum(0, x - begin) / k)
        return [(x, source), (x, source * np.where(x < mark, charged, 1.0))]

    return Family(curves, 0.02 * s.span, 2.0 * s.span, mark)


@_shape("two signals")
def _two_signals(s: Setting) -> Family:
    """A circuit that is opened, and the contact that follows it after a while."""
    x = s.abscissae(0, 1)
    begin = s.x.low + s.span * s.between(0.08, 0.2)
    quick, slow = 0.004 * s.span, s.between(0.006, 0.012) * s.span
    supply, signal = s.typical * s.between(0.97, 1.03), 0.5 * s.typical * s.between(0.94, 1.04)
    waves = [0.006 * s.typical * s.ripple(0.002) for _ in range(2)]

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        first = supply * np.exp(-np.maximum(0, x - begin) / quick)
        second = signal * np.clip((begin + k + slow - x) / slow, 0, 1)
        return [(x, np.maximum(first + waves[0], 0)), (x, np.maximum(second + waves[1], 0))]

    return Family(curves, 0.02 * s.span, 0.75 * s.span)


@_shape("return")
def _return(s: Setting) -> Family:
    """A pedal let go at the mark, pulled back by a spring to its stop."""
    x = s.abscissae(0, 1)
    mark, start, power = s.x.low + s.span * s.between(0.06, 0.14), s.between(88, 100), s.between(1.5, 1.9)
    return Family(
        lambda k: [(x, start * (1 - np.clip((x - mark) / k, 0, 1) ** power))], 0.05 * s.span, 0.85 * s.span, mark
    )


@_shape("rise")
def _rise(s: Setting) -> Family:
    """A pressure that rises to its final value after the mark."""
    x = s.abscissae(0, 1)
    mark, final, power = (
        s.x.low + s.span * s.between(0.07, 0.14),
        s.typical * s.between(0.85, 1.05),
        s.between(1.3, 1.7),
    )
    wave = 0.002 * final * s.ripple(0.004)
    return Family(
        lambda k: [(x, np.maximum(0, final * (1 - np.exp(-((np.maximum(0, x - mark) / k) ** power))) + wave))],
        0.01 * s.span, 0.6 * s.span, mark,
    )  # fmt: skip


@_shape("hold")
def _hold(s: Setting) -> Family:
    """A pressure that is shut in and leaks."""
    x = s.abscissae(0, 1)
    tau = s.between(0.7, 2.2)
    part = np.linspace(0, 1, POINTS)
    loss = (1 - np.exp(-part / tau)) / (1 - np.exp(-1 / tau))
    wave = 0.0006 * s.typical * s.ripple(0.004)
    return Family(lambda k: [(x, s.typical - k * loss + wave)], 1e-4 * s.typical, 0.5 * s.typical)


@_shape("braking")
def _braking(s: Setting) -> Family:
    """The speed of a car that brakes to standstill."""
    start, begin = s.at * s.between(1.06, 1.14), s.span * s.between(0.06, 0.12)
    build = s.between(0.10, 0.18)
    wave = 0.04 * s.ripple(0.05)
    x = s.abscissae(0, 1)

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        slowing = k * np.clip((x - begin) / build, 0, 1) * (1 + wave) * 3.6
        fallen = np.concatenate([[0.0], np.cumsum(np.diff(x) * (slowing[1:] + slowing[:-1]) / 2)])
        return [(x, np.maximum(0, start - fallen))]

    return Family(curves, 4.0, 30.0)


@_shape("tilt")
def _tilt(s: Setting) -> Family:
    """Loads of the upper wheels on a table that is tilted: each falls to nothing where the car would tip about the
    other wheels, W (cos a - sin a / tan a0)."""
    later, loads = s.between(1.05, 1.10), [s.typical * s.between(0.9, 1.1) for _ in range(2)]
    if s.draw.integers(2):
        loads.reverse()
    first = int(s.draw.integers(2))
    wave = [0.004 * load * s.ripple(0.01) for load in loads]

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        x = np.linspace(0, k * 1.02, POINTS)
        made = []
        for at, load in enumerate(loads):
            tips = np.radians(k if at == first else k * later)
            angle = np.radians(x)
            pressed = load * (np.cos(angle) - np.sin(angle) / np.tan(tips))
            made.append((x, np.maximum(0, pressed + wave[at] * np.minimum(1, np.maximum(pressed, 0) / (0.1 * load)))))
        return made

    return Family(curves, 0.3 * s.x.high, min(s.x.high / 1.02, 85.0 / later))


@_shape("two lines")
def _two_lines(s: Setting) -> Family:
    """Pressures of two circuits over the pedal's force: what is free is the first at the upper end of the limits, the
    second at the lower end, or their ratio."""
    x = s.abscissae(0, s.between(0.94, 1.0))
    play = s.between(0.02, 0.05) * s.at
    base = np.maximum(0, x - play) / (s.at - play)
    waves = [0.004 * s.ripple(0.008) * np.minimum(1, 4 * base) for _ in range(2)]
    ratio, first = s.between(0.55, 0.65), s.typical * s.between(0.94, 1.06)
    decides = 0 if s.upper or s.reading == "ratio" else 1

    def curves(k: float) -> list[tuple[Floats, Floats]]:
        pair = (k, ratio * k) if decides == 0 else (k / ratio, k)
        heights = (first, k * first) if s.reading == "ratio" else pair
        return [(x, height * np.maximum(0, base + wave)) for height, wave in zip(heights, waves, strict=True)]

    return Family(curves, 1e-3, 2.0 if s.reading == "ratio" else s.y.high, None, decides)


@_shape("steering")
def _steering(s: Setting) -> Family:
    """The force that turns wheels at standstill from stop to stop: high where they start to turn, highest at a stop."""
    edge = s.between(0.03, 0.07)
    x = s.abscissae(edge, 1 - edge)
    part = 2 * (x - s.x.low) / s.span - 1
    start = np.exp(-(x - x[0]) / (0.03 * s.span))
    base = 0.62 + s.between(0.25, 0.4) * np.abs(part) ** s.between(2.0, 3.0) + 0.05 * part * s.between(-1, 1)
    return _scaled(x, base * (1 - start) + 0.012 * s.ripple(0.008), s)


@_shape("burst")
def _burst(s: Setting) -> Family:
    """A sound that goes on for a while in quiet surroundings."""
    x = s.abscissae(0, 1)
    begin, long = s.x.low + s.span * s.between(0.12, 0.25), s.span * s.between(0.35, 0.5)
    edge = 0.01 * s.span
    on = np.clip((x - begin) / edge, 0, 1) * np.clip((begin + long - x) / edge, 0, 1)
    quiet = s.typical + 0.8 * s.ripple(0.02) + 0.3 * s.ripple(0.003)
    loud = 0.35 * s.ripple(0.02) + 0.2 * s.ripple(0.003)
    return Family(lambda k: [(x, quiet * (1 - on) + (k + loud) * on)], 0.3 * s.y.high, s.y.high)
