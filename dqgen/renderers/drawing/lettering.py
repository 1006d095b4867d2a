"""Lettering of drawings: the bundled font's metrics in page millimetres."""

from functools import lru_cache

from dqgen.errors import RenderError
from dqgen.fonts import em, font, measure


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


def advance(text: str, height: float, bold: bool = False) -> float:
    """Width in mm that a line of text takes up when its capitals are `height` mm high."""
    return measure(text, bold)[0] * em(height)


def ink(text: str, height: float, bold: bool = False) -> tuple[float, float, float, float]:
    """Left, low, right and high of the ink in mm, from the beginning of the baseline."""
    size = em(height)
    _, left, low, right, high = measure(text, bold)
    return left * size, low * size, right * size, high * size
