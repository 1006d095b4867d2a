"""How a DXF layout becomes a page: how large its paper is, and where on it the drawing lies."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from ezdxf.layouts import Layout

from dqgen.schemas.design import Floats

MARGIN = 10.0
"""Millimetres of paper around a drawing that brings no paper of its own."""
LETTERING = 2.5
"""Millimetres that the middling capitals of a drawing are high where nothing else tells its scale."""
LARGEST, SMALLEST = 1189.0, 200.0
"""Long side of such paper in millimetres, without margins: that of A0 at most."""
STEPS = (1.0, 2.0, 2.5, 5.0)
"""Standard scales are these, times powers of ten, and what they are the reciprocals of."""


@dataclass(frozen=True)
class Paper:
    """A page's size in mm, the matrix (2, 3) from the drawing's units to it, and what was noticed."""

    width: float
    height: float
    scale: float
    matrix: Floats
    remark: str = ""


def model_paper(extents: Floats, heights: Floats, mm_per_unit: float) -> Paper:
    """Paper for model space, at a standard scale that its lettering asks for, or that suits its size.

    Args:
        extents: (4,) least x and y, greatest x and y, in units.
        heights: of its letters' capitals, in units.
        mm_per_unit: the unit's length in millimetres.
    """
    size = float(max(extents[2] - extents[0], extents[3] - extents[1])) * mm_per_unit
    heights = heights[(heights > 0) & np.isfinite(heights)] * mm_per_unit
    reason = ""
    if size <= 0:
        scale = 1.0
    else:
        scale = _standard(SMALLEST * 2 / size)
        if len(heights):
            scale = _standard(LETTERING / float(np.median(heights)))
            reason = f", so that its lettering is about {np.median(heights) * scale:.1f} mm high"
        if scale * size > LARGEST:
            scale, reason = _standard(LARGEST / size), ", so that it fits A0"
        elif scale * size < SMALLEST:
            scale, reason = _standard(SMALLEST * 1.5 / size), ""
    unit = mm_per_unit * scale
    text = f"1:{1 / scale:.6g}" if scale <= 1 else f"{scale:.6g}:1"
    return _around(extents, unit, scale, f"model space states no scale: drawn {text}{reason}")


def layout_paper(layout: Layout, extents: Floats | None) -> Paper:
    """The paper of a layout, or paper around what is on it where it lies beside its paper or has none."""
    unit = _unit(layout.dxf)
    sheet = _sheet(layout.dxf, unit)
    if extents is None:
        extents = sheet if sheet is not None else np.array([0.0, 0.0, 297.0 / unit, 210.0 / unit])
    if sheet is None:
        return _around(extents, unit, 1.0, "the layout states no paper: it is cut around what is on it")
    slack = 2.0 / unit
    if (extents[:2] >= sheet[:2] - slack).all() and (extents[2:] <= sheet[2:] + slack).all():
        return _framed(sheet, unit, 1.0, "")
    union = np.concatenate([np.minimum(extents[:2], sheet[:2]), np.maximum(extents[2:], sheet[2:])])
    if (union[2:] - union[:2] <= 2 * (sheet[2:] - sheet[:2])).all():
        return _framed(union, unit, 1.0, "things lie beyond the layout's paper: the page is larger")
    if float(max(extents[2:] - extents[:2])) * unit > 5 * LARGEST:
        small = _standard(LARGEST / (float(max(extents[2:] - extents[:2])) * unit))
        return _around(
            extents, unit * small, small, f"what is on the layout is far larger than paper: drawn 1:{1 / small:g}"
        )
    return _around(extents, unit, 1.0, "things lie far beyond the layout's paper: it is cut around them")


def _unit(dxf: Any) -> float:
    """Millimetres of paper to a unit of the layout."""
    unit = 25.4 if dxf.get("plot_paper_units", 1) == 0 else 1.0
    top, bottom = float(dxf.get("scale_numerator", 1) or 1), float(dxf.get("scale_denominator", 1) or 1)
    ratio = top / bottom
    return unit * ratio if np.isfinite(ratio) and 1e-6 < ratio < 1e6 else unit


def _sheet(dxf: Any, unit: float) -> Floats | None:
    """The paper's edges in units of the layout, (4,): its origin is the corner of what can be printed on."""
    width, height = float(dxf.get("paper_width", 0) or 0), float(dxf.get("paper_height", 0) or 0)
    if not (10 < width < 10_000 and 10 < height < 10_000):
        return None
    left, low = float(dxf.get("left_margin", 0) or 0), float(dxf.get("bottom_margin", 0) or 0)
    if int(dxf.get("plot_rotation", 0) or 0) in (1, 3):
        width, height = height, width
        left, low = low, left
    return np.array([-left, -low, width - left, height - low]) / unit


def _standard(scale: float) -> float:
    """The largest standard scale that is no larger than `scale`."""
    if not np.isfinite(scale) or scale <= 0:
        return 1.0
    power = np.floor(np.log10(scale)) - 1
    ladder = sorted(
        {step * 10.0**exponent for exponent in (power, power + 1, power + 2) for step in STEPS if step != 2.5}
    )
    down = sorted({1 / (step * 10.0**exponent) for exponent in (-power - 2, -power - 1, -power) for step in STEPS})
    fitting = [step for step in (ladder if scale >= 1 else down) if step <= scale * (1 + 1e-9)]
    return float(max(fitting)) if fitting else float(scale)


def _around(extents: Floats, unit: float, scale: float, remark: str) -> Paper:
    """Paper with margins around the drawing."""
    return _framed(extents + np.array([-1, -1, 1, 1]) * MARGIN / unit, unit, scale, remark)


def _framed(edges: Floats, unit: float, scale: float, remark: str) -> Paper:
    width, height = (edges[2:] - edges[:2]) * unit
    matrix = np.array([[unit, 0.0, -edges[0] * unit], [0.0, -unit, edges[3] * unit]])
    return Paper(float(width), float(height), scale, matrix, remark)
