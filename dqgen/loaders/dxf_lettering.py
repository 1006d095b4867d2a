"""Lettering of DXF files: how wide text runs in fonts that are not there.

The text is drawn with the bundled font, fitted to the width that it has in the file's own font. That width is known
for no font of the file, so it is judged by the font's kind: the machine's own fonts play no part.
"""

from ezdxf.addons.drawing.text_renderer import TextRenderer
from ezdxf.fonts import fonts
from ezdxf.fonts.font_measurements import FontMeasurements

from dqgen.fonts import em, measure

NARROWER = (
    ("narrow", 0.73),
    ("condensed", 0.75),
    ("isocp", 0.86),
    ("courier", 1.2),
    ("mono", 1.2),
    ("txt", 1.1),
    ("simplex", 1.05),
    ("romans", 1.05),
)
"""Width of the letters of fonts whose name holds a word, to that of DejaVu Sans with capitals as high."""
OUTLINE, STROKED = 0.89, 1.05
"""The same for other outline fonts (Arial, Helvetica) and for stroked ones (`.shx`)."""
X_HEIGHT, DESCENDER = 0.7, 0.3
"""In heights of capitals."""


def ratio(face: fonts.FontFace) -> float:
    """Width of a font's letters to that of the bundled font with capitals as high."""
    name = (face.filename or face.family).lower()
    for word, width in NARROWER:
        if word in name:
            return width
    return STROKED if name.endswith((".shx", ".shp")) or ("." not in name and face.filename) else OUTLINE


def width_of(text: str, face: fonts.FontFace, height: float) -> float:
    """Length along the baseline, in the unit of `height`, which is that of capitals."""
    return measure(text, face.is_bold)[0] * em(height) * ratio(face)


class Engine(TextRenderer):  # type: ignore[misc]
    """Measures text; it draws none."""

    def get_font_measurements(self, font_face: fonts.FontFace, cap_height: float = 1.0) -> FontMeasurements:
        """Heights of a font's letters."""
        return FontMeasurements(0.0, cap_height, X_HEIGHT * cap_height, DESCENDER * cap_height)

    def get_text_line_width(self, text: str, font_face: fonts.FontFace, cap_height: float = 1.0) -> float:
        """Width of a line."""
        return width_of(text, font_face, cap_height)

    def is_stroke_font(self, font_face: fonts.FontFace) -> bool:
        """No font is drawn by strokes."""
        return False

    def get_text_path(self, text: str, font_face: fonts.FontFace, cap_height: float = 1.0) -> None:
        """Nothing: letters are drawn by whoever draws the page."""
        raise NotImplementedError

    get_text_glyph_paths = get_text_path


class MeasuredFont(fonts.AbstractFont):  # type: ignore[misc]
    """A font at one size, for the layout of paragraphs."""

    def __init__(self, face: fonts.FontFace, height: float, width_factor: float) -> None:
        super().__init__(Engine().get_font_measurements(face, height))
        self._face = face
        self._height = height
        self._width_factor = width_factor

    def text_width(self, text: str) -> float:
        """Width of a line."""
        return width_of(text, self._face, self._height) * self._width_factor

    def space_width(self) -> float:
        """Width between words."""
        return self.text_width(" ")
