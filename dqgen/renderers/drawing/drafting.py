"""How drawings look: pens after ISO 128, lettering after ISO 3098, dimensions after ISO 129 or ASME Y14.5."""

from dataclasses import dataclass
from typing import Literal

from dqgen.renderers.drawing.display_list import Pen

VISIBLE = Pen("VISIBLE", 0.5)
HIDDEN = Pen("HIDDEN", 0.25, dash=(3.0, 1.2))
TANGENT = Pen("TANGENT", 0.18)
CENTRE = Pen("CENTRE", 0.18, dash=(6.0, 1.2, 0.6, 1.2))
CENTRE_SHORT = Pen("CENTRE", 0.18)
DIMENSION = Pen("DIMENSION", 0.25)
WITNESS = Pen("DIMENSION", 0.18)
FRAME = Pen("SHEET", 0.7)
RULE = Pen("SHEET", 0.25)
CUT = Pen("CUT", 0.5, dash=(8.0, 1.5, 1.0, 1.5))
CUT_THROUGH = Pen("CUT", 0.18, dash=(8.0, 1.5, 1.0, 1.5))
HATCHING = Pen("HATCH", 0.18)

Standard = Literal["iso", "asme"]


@dataclass(frozen=True)
class Drafting:
    """The measures of dimensions on paper, in mm.

    Attributes:
        standard: `iso` writes along the dimension line, above it; `asme` writes upright into a gap of the line.
        height: of capitals in dimension texts.
        arrow: length of arrowheads; they are a third as wide.
        gap: between an outline and the witness line that begins at it.
        overshoot: of a witness line beyond the dimension line.
        first: distance of the nearest dimension line from the outline.
        step: distance between dimension lines.
    """

    standard: Standard = "iso"
    height: float = 3.5
    arrow: float = 3.0
    gap: float = 0.8
    overshoot: float = 1.8
    first: float = 10.0
    step: float = 8.0

    @property
    def lift(self) -> float:
        """From a dimension line to the baseline of the text above it."""
        return 0.3 * self.height
