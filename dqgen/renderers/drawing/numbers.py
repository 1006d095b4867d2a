"""Numbers as drawings print them."""

import math
from dataclasses import dataclass
from typing import Literal

from dqgen.errors import UsageError

MM_PER_INCH = 25.4
HALF_UP = 1e-7
"""Added before rounding, so that halves which a file states inexactly all round one way."""


@dataclass(frozen=True)
class Numbers:
    """How values are printed.

    Attributes:
        unit: of lengths on paper.
        decimals: printed always; None for as many as it takes, up to two (mm) or three (inch).
        sign: the decimal sign.
    """

    unit: Literal["mm", "inch"] = "mm"
    decimals: int | None = None
    sign: Literal[".", ","] = "."

    @property
    def mm_per_unit(self) -> float:
        """Length of the printed unit."""
        return MM_PER_INCH if self.unit == "inch" else 1.0

    def parse_length(self, text: str, where: str) -> float:
        """A length in mm that a user wrote in the printed unit.

        Raises:
            UsageError: it is no positive number.
        """
        try:
            value = float(text)
        except ValueError:
            value = 0.0
        if not (math.isfinite(value) and value > 0):
            raise UsageError(f"'{text}' is no length", where, f"write a number of {self.unit}")
        return value * self.mm_per_unit

    def length(self, mm: float) -> str:
        """A length given in mm."""
        return self._print(mm / MM_PER_INCH if self.unit == "inch" else mm, 3 if self.unit == "inch" else 2)

    def angle(self, degrees: float) -> str:
        """An angle, with its sign."""
        return self._print(degrees, 1) + "°"

    def plain(self, value: float) -> str:
        """A number without unit, such as a ratio."""
        return self._print(value, 3)

    def _print(self, value: float, most: int) -> str:
        digits = most if self.decimals is None else self.decimals
        text = f"{value + math.copysign(HALF_UP, value):.{digits}f}"
        if self.decimals is None and "." in text:
            text = text.rstrip("0").rstrip(".")
        if float(text) == 0:
            text = text.lstrip("-")
        return text.replace(".", self.sign)


def read(text: str) -> float:
    """The number that a printed value states."""
    return float(text.rstrip("°").replace(",", "."))
