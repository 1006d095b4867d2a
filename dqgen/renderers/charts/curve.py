"""Curves over an axis: measured or calculated, one or several, with marks where something happens."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from PIL import Image

from dqgen.renderers.charts.style import INK, Scale, draw
from dqgen.schemas.design import Floats

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LEFT, BOTTOM, RIGHT, TOP = 0.105, 0.125, 0.965, 0.895
"""The plot within the picture; its top is lower where marks and several curves need words above it."""
MARK_ROW, NAME_ROW = 0.04, 0.05
LINE = 1.3
"""Width of a curve in points."""


@dataclass(frozen=True)
class Series:
    """A curve: its name, and abscissas and ordinates (n,) in the axes' units."""

    name: str
    x: Floats
    y: Floats


@dataclass(frozen=True)
class CurveChart:
    """A chart before it is drawn.

    Attributes:
        title: above it.
        x, y: axes.
        series: curves.
        colours: one a curve, as `#rrggbb`.
        marks: abscissas with words, for what happens there.
    """

    title: str
    x: Scale
    y: Scale
    series: tuple[Series, ...]
    colours: tuple[str, ...]
    marks: tuple[tuple[float, str], ...] = ()

    @property
    def top(self) -> float:
        """Upper end of the plot, in parts of the picture."""
        return TOP - MARK_ROW * bool(self.marks) - NAME_ROW * (len(self.series) > 1)


def draw_curves(chart: CurveChart, size: int) -> tuple[Image.Image, dict[str, Any]]:
    """The picture, `size` pixels wide, and its evidence: axes with the pixels of their ends, curves, marks."""
    picture = draw(lambda figure: _paint(figure, chart), size)
    wide, high = picture.size
    evidence = {
        "chart": "curve",
        "width": wide,
        "height": high,
        "title": chart.title,
        "x": _axis(chart.x, LEFT * wide, RIGHT * wide),
        "y": _axis(chart.y, (1 - BOTTOM) * high, (1 - chart.top) * high),
        "series": [
            {"name": one.name, "colour": colour, "x": one.x.tolist(), "y": one.y.tolist()}
            for one, colour in zip(chart.series, chart.colours, strict=False)
        ],
        "marks": [{"x": at, "text": text} for at, text in chart.marks],
    }
    return picture, evidence


def rounded(x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Points as evidence stores them: six figures of the largest."""
    return _six(x), _six(y)


def _six(values: Floats) -> Floats:
    largest = float(np.abs(values).max(initial=0.0))
    digits = 5 - int(np.floor(np.log10(largest))) if largest > 0 else 6
    made: Floats = np.round(values, digits)
    return made + 0.0


def _axis(scale: Scale, low: float, high: float) -> dict[str, Any]:
    return {
        "name": scale.name, "unit": scale.unit, "low": scale.low, "high": scale.high, "step": scale.step,
        "parts": scale.parts, "pixels": [low, high],
    }  # fmt: skip


def _paint(figure: "Figure", chart: CurveChart) -> None:
    axes = figure.add_axes((LEFT, BOTTOM, RIGHT - LEFT, chart.top - BOTTOM))
    axes.set_xlim(chart.x.low, chart.x.high)
    axes.set_ylim(chart.y.low, chart.y.high)
    for axis, scale in ((axes.xaxis, chart.x), (axes.yaxis, chart.y)):
        ticks = scale.ticks()
        axis.set_ticks(ticks, labels=[f"{tick:.10g}".replace("-", "−") for tick in ticks])
        axis.set_ticks([at for at in scale.minor_ticks() if at not in ticks], minor=True)
    axes.grid(which="minor", color="#e4e4e4", linewidth=0.5)
    axes.grid(which="major", color="#c2c2c2", linewidth=0.8)
    axes.tick_params(which="minor", length=2.0, width=0.6)
    axes.set_axisbelow(True)
    axes.set_xlabel(chart.x.title, fontsize=10.5)
    axes.set_ylabel(chart.y.title, fontsize=10.5)
    axes.yaxis.set_label_coords(-0.082, 0.5)
    for one, colour in zip(chart.series, chart.colours, strict=False):
        axes.plot(one.x, one.y, color=colour, linewidth=LINE, label=one.name, solid_joinstyle="round", zorder=3)
    for at, text in chart.marks:
        axes.axvline(at, color="#555555", linewidth=0.9, linestyle=(0, (5, 3)), zorder=2)
        right = (at - chart.x.low) / (chart.x.high - chart.x.low) > 0.6
        axes.text(
            at, 1.012, text, transform=axes.get_xaxis_transform(), fontsize=9.0,
            ha="right" if right else "left", va="bottom", color="#333333",
        )  # fmt: skip
    if len(chart.series) > 1:
        axes.legend(
            loc="lower center", bbox_to_anchor=((LEFT + RIGHT) / 2, TOP - NAME_ROW + 0.004),
            bbox_transform=figure.transFigure, ncols=len(chart.series), frameon=False, fontsize=9.5,
            handlelength=1.8, columnspacing=1.6, borderaxespad=0.0,
        )  # fmt: skip
    middle = (LEFT + RIGHT) / 2
    figure.text(middle, 0.945, chart.title, ha="center", va="center", fontsize=12.5, color=INK)
