"""The one font that is written with and measured by: DejaVu Sans, the same on every machine."""

import importlib.util
from functools import lru_cache
from pathlib import Path

from PIL import ImageFont

from dqgen.errors import SetupError

UNITS = 1000
"""Pixels of the size at which the font is measured."""
CAPITAL = 0.729
"""Height of DejaVu Sans's capitals, as a part of its size."""


def font_file(bold: bool = False) -> Path:
    """DejaVu Sans, as matplotlib ships it: the same on every machine.

    Raises:
        SetupError: matplotlib is not installed whole.
    """
    found = importlib.util.find_spec("matplotlib")
    name = "DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf"
    if found is None or found.origin is None:
        raise SetupError("matplotlib, whose fonts are used, is not installed", mend="pip install matplotlib")
    path = Path(found.origin).parent / "mpl-data" / "fonts" / "ttf" / name
    if not path.is_file():
        raise SetupError(f"matplotlib lacks its font {name}", mend="reinstall matplotlib")
    return path


@lru_cache(maxsize=16)
def font(size: int, bold: bool = False) -> ImageFont.FreeTypeFont:
    """The bundled font at a size in pixels; raises SetupError, see `font_file`."""
    return ImageFont.truetype(str(font_file(bold)), size, layout_engine=ImageFont.Layout.BASIC)


def em(height: float) -> float:
    """Font size whose capitals are `height` high, in the same unit."""
    return height / CAPITAL


@lru_cache(maxsize=4096)
def measure(text: str, bold: bool = False) -> tuple[float, float, float, float, float]:
    """Advance, and the ink's left, low, right, high, in parts of the font's size."""
    face = font(UNITS, bold)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    return face.getlength(text) / UNITS, left / UNITS, -bottom / UNITS, right / UNITS, -top / UNITS
