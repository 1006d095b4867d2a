"""What all charts share: matplotlib without a screen and without its user's settings, one font, plain PNG."""

import io
import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PIL import Image

from dqgen.renderers.writers import PNG_LEVEL

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH_IN, HEIGHT_IN = 8.0, 5.0
INK = "#14161a"
SERIES = ("#1f4fa3", "#b3261e", "#0b7285", "#a05a00", "#6a2c91", "#1b7a3d")
"""Colours of curves, far from greys; those that follow each other, round to the first, are told apart at once."""
STYLE: dict[str, object] = {
    "font.family": ["DejaVu Sans"],
    "font.size": 10.0,
    "mathtext.fontset": "dejavusans",
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.9,
    "axes.unicode_minus": True,
    "text.color": INK,
    "text.hinting": "none",
    "xtick.color": INK,
    "ytick.color": INK,
    "path.simplify": False,
    "agg.path.chunksize": 0,
    "text.usetex": False,
    "text.antialiased": True,
    "lines.antialiased": True,
}
_ONE_AT_A_TIME = threading.Lock()
"""matplotlib's settings are the process's."""
UNIT_SIGNS = {
    "degC": "°C", "deg": "°", "1": "", "x": "", "dB": "dBA", "Nm/deg": "N m/°", "m/s2": "m/s²", "mm2": "mm²",
    "mm3": "mm³", "mm4": "mm⁴", "ohm/V": "Ω/V", "kohm": "kΩ", "ohm": "Ω", "Nm": "N m", "Nmm": "N mm",
}  # fmt: skip
"""Units as pictures and texts print them, where that differs from their plain names."""


def unit_sign(unit: str) -> str:
    """A unit as it is printed; empty for plain numbers."""
    return UNIT_SIGNS.get(unit, unit)


def with_unit(number: str, unit: str) -> str:
    """A printed number and its unit: `58°`, `150 °C`, `1.4`."""
    sign = unit_sign(unit)
    return f"{number}{sign}" if unit == "deg" else f"{number} {sign}".strip()


def draw(paint: Callable[["Figure"], None], size: int, height: float = HEIGHT_IN) -> Image.Image:
    """A picture `size` pixels wide that `paint` fills in: fixed settings, no user's style, one at a time.

    Args:
        paint: gets an empty figure, `WIDTH_IN` wide.
        size: pixels of width.
        height: inches.
    """
    import matplotlib
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    with _ONE_AT_A_TIME, matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(STYLE)
        figure = Figure(figsize=(WIDTH_IN, height), dpi=size / WIDTH_IN, facecolor="white")
        canvas = FigureCanvasAgg(figure)
        paint(figure)
        canvas.draw()
        pixels = np.asarray(canvas.buffer_rgba())
    return Image.fromarray(pixels[..., :3].copy())


def encoded(picture: Image.Image) -> bytes:
    """PNG without any text chunk."""
    stream = io.BytesIO()
    picture.save(stream, format="PNG", compress_level=PNG_LEVEL)
    return stream.getvalue()


@dataclass(frozen=True)
class Scale:
    """A linear axis with its ticks.

    Attributes:
        name, unit: what is plotted.
        low, high: ends.
        step: between labelled ticks.
        parts: into which minor ticks divide it.
    """

    name: str
    unit: str
    low: float
    high: float
    step: float
    parts: int

    @property
    def title(self) -> str:
        """As printed beside it."""
        sign = unit_sign(self.unit)
        return f"{self.name} ({sign})" if sign else self.name

    @property
    def resolution(self) -> float:
        """How exactly it can be read by eye: to 0.4 of the distance between its finest lines."""
        return 0.4 * self.step / self.parts

    def ticks(self) -> list[float]:
        """Labelled values."""
        first = math.ceil(self.low / self.step - 1e-9)
        return [round(at * self.step, 10) for at in range(first, math.floor(self.high / self.step + 1e-9) + 1)]

    def minor_ticks(self) -> list[float]:
        """Values of fine lines, labelled ones included."""
        fine = self.step / self.parts
        first = math.ceil(self.low / fine - 1e-9)
        return [round(at * fine, 10) for at in range(first, math.floor(self.high / fine + 1e-9) + 1)]


def scale(name: str, unit: str, low: float, high: float) -> Scale:
    """An axis that reaches at least from `low` to `high`, with 5 to 10 labelled ticks; its upper end is a fine line."""
    span = high - low
    magnitude = 10.0 ** math.floor(math.log10(span / 5))
    step = next(factor * magnitude for factor in (1, 2, 5, 10) if span / (factor * magnitude) <= 10)
    parts = 4 if round(step / 10 ** math.floor(math.log10(step) + 1e-9)) == 2 else 5
    fine = step / parts
    return Scale(name, unit, low, round(math.ceil(high / fine - 1e-9) * fine, 10), step, parts)
