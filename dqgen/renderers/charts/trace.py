"""Curves read back from the pixels of a chart by their colour: what a reader sees, whatever was meant to be drawn."""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dqgen.renderers.charts.curve import LINE, Series
from dqgen.renderers.charts.style import WIDTH_IN
from dqgen.schemas.design import Floats

LEAST_COVER = 0.35
"""A pixel belongs to a curve if at least this part of it is covered by the curve's colour."""
STRAY = 25.0
"""sRGB distance from a mix of the curve's colour and grey up to which a pixel is that mix."""


def trace(picture: Image.Image, evidence: dict[str, Any]) -> tuple[Series, ...]:
    """The curves of a chart, a point or two a column of pixels.

    Where a curve is steep, it covers a run of pixels in a column: its two ends, less half the line's width, are
    points, in the order in which the curve goes on from the column before.

    Args:
        picture: as a reader sees it.
        evidence: of `draw_curves`: only axes, names and colours are used.

    Raises:
        ValueError: a curve cannot be found on the picture.
    """
    pixels = np.asarray(picture.convert("RGB")).astype(np.float64)
    x, y = evidence["x"], evidence["y"]
    left, right = (round(at) for at in x["pixels"])
    bottom, top = (round(at) for at in y["pixels"])
    inside = pixels[top - 2 : bottom + 2, left + 2 : right - 2]  # a little beyond: curves may run along an end
    half = LINE / 72 * picture.width / WIDTH_IN / 2
    colours = [_rgb(one["colour"]) for one in evidence["series"]]
    found = []
    for at, one in enumerate(evidence["series"]):
        cover = _cover(inside, colours[at], [other for row, other in enumerate(colours) if row != at])
        columns, rows = _polyline(cover, half)
        if len(columns) < 20:
            raise ValueError(f"curve '{one['name']}' is not to be seen")
        found.append(
            Series(
                one["name"],
                _value(columns + left + 2, x),
                _value(rows + top - 2, y),
            )
        )
    return tuple(found)


def _rgb(text: str) -> Floats:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], dtype=np.float64)


def _value(pixel: Floats, axis: dict[str, Any]) -> Floats:
    """Values at pixel coordinates, counted from the picture's edge."""
    low, high = axis["pixels"]
    made: Floats = axis["low"] + (pixel - low) / (high - low) * (axis["high"] - axis["low"])
    return made


def _cover(pixels: Floats, colour: Floats, others: list[Floats]) -> Floats:
    """(h, w) part of each pixel that a colour covers, over white or any grey: greys leave no trace in what a pixel
    differs by from its own mean."""
    tints = pixels - pixels.mean(axis=2, keepdims=True)
    part, stray = _share(tints, colour)
    for other in others:  # what is nearer to another curve's colour is the other's
        part = np.where(_share(tints, other)[1] < stray, 0.0, part)
    made: Floats = np.where(stray < STRAY, part, 0.0)
    return made


def _share(tints: Floats, colour: Floats) -> tuple[Floats, Floats]:
    """Part of a colour's tint in each pixel's, and how far the rest is from grey."""
    tint = colour - colour.mean()
    part = np.clip(tints @ tint / (tint @ tint), 0, 1)
    return part, np.linalg.norm(tints - part[..., None] * tint, axis=2)


def _polyline(cover: Floats, half: float) -> tuple[Floats, Floats]:
    """Columns and rows (n,) of a curve, as coordinates of pixel edges (a pixel's middle is at half)."""
    columns: list[float] = []
    rows: list[float] = []
    seen = cover >= LEAST_COVER
    for column in np.flatnonzero(seen.any(axis=0)):
        lines = np.flatnonzero(seen[:, column])
        weights: NDArray[np.float64] = cover[lines, column]
        upper = lines[0] + 1 - weights[0]
        lower = lines[-1] + weights[-1]
        at = float(column) + 0.5
        if lower - upper <= 3.2 * half:
            columns.append(at)
            rows.append(float(np.average(lines + 0.5, weights=weights)))
            continue
        ends = [upper + half, lower - half]
        if rows and abs(ends[1] - rows[-1]) < abs(ends[0] - rows[-1]):
            ends.reverse()
        columns += [at, at]
        rows += ends
    return np.array(columns), np.array(rows)
