"""Lettering of drawings: the bundled font's metrics in page millimetres."""

from functools import lru_cache

from dqgen.errors import RenderError
from dqgen.renderers.annotate import font

UNITS = 1000
"""Pixels of the size at which the font is measured."""
CAPITAL = 0.729
"""Height of DejaVu Sans's capitals, as a part of its size."""


def em(height: float) -> float:
    """Font size whose capitals are `height` high, in the same unit."""
    return height / CAPITAL


@lru_cache(maxsize=1024)
def _known(char: str, bold: bool) -> bool:
    face = font(40, bold)
    return char.isspace() or bytes(face.getmask(char)) != bytes(face.getmask("\U0010fffe"))


def missing(text: str, bold: bool = False) -> list[str]:
    """Characters that the font cannot show."""
    return [char for char in text if not _known(char, bold)]


def check(text: str, bold: bool = False) -> None:
    """Refuse text that the font cannot show: a box in place of a sign would change what it says.

    Raises:
        RenderError: a character has no glyph.
    """
    for char in missing(text, bold):
        raise RenderError(f"the font has no glyph for '{char}' (U+{ord(char):04X}) in '{text}'")


@lru_cache(maxsize=4096)
def _measure(text: str, bold: bool) -> tuple[float, float, float, float, float]:
    """Advance, and the ink's left, low, right, high, in parts of the font's size."""
    face = font(UNITS, bold)
    left, top, right, bottom = face.getbbox(text, anchor="ls")
    return face.getlength(text) / UNITS, left / UNITS, -bottom / UNITS, right / UNITS, -top / UNITS


def advance(text: str, height: float, bold: bool = False) -> float:
    """Width in mm that a line of text takes up when its capitals are `height` mm high."""
    return _measure(text, bold)[0] * em(height)


def ink(text: str, height: float, bold: bool = False) -> tuple[float, float, float, float]:
    """Left, low, right and high of the ink in mm, from the beginning of the baseline."""
    size = em(height)
    _, left, low, right, high = _measure(text, bold)
    return left * size, low * size, right * size, high * size
