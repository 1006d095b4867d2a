"""A line of a document, the one shape that every source format is brought into."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from dqgen.rulebook.reader import Box

Role = Literal["body", "furniture", "contents", "figure", "caption", "note", "table", "skipped"]

# What symbol fonts leave behind where a file does not say which sign it meant.
_SYMBOLS = {
    "\uf0b7": "•", "\uf0a7": "▪", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0a8": "□", "\uf06f": "□", "\uf0b0": "°",
    "\uf0b1": "±", "\uf0a3": "≤", "\uf0b3": "≥", "\uf0b4": "×", "\uf057": "Ω", "\uf06d": "µ", "\uf044": "Δ",
    "\uf02d": "-", "\u00a0": " ", "\u2007": " ", "\u202f": " ", "\u2009": " ", "\u200b": "", "\ufeff": "",
    "\u2011": "-", "\u2010": "-", "\t": " ", "\x0b": " ", "\x0c": " ",
}  # fmt: skip
# The Adobe Symbol font in the private area: its figures and signs stand at their ASCII places, its letters
# are Greek, and the pieces of tall brackets say nothing in running text.
_GREEK = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ"
_SYMBOLS |= {chr(0xF000 + n): chr(n) for n in range(0x20, 0x40) if chr(0xF000 + n) not in _SYMBOLS}
_SYMBOLS |= {chr(0xF041 + n): _SYMBOLS.get(chr(0xF041 + n), letter) for n, letter in enumerate(_GREEK)}
_SYMBOLS |= {chr(0xF061 + n): _SYMBOLS.get(chr(0xF061 + n), letter.lower()) for n, letter in enumerate(_GREEK)}
_SYMBOLS |= {chr(n): "" for n in [*range(0xF0E6, 0xF0F0), *range(0xF0F6, 0xF0FF), *range(0xF8E6, 0xF8FF)]}
_TRANSLATION = str.maketrans(_SYMBOLS)
_LIGATURES = str.maketrans(
    {"ﬀ": "ff", "ﬁ": "fi", "ﬂ": "fl", "ﬃ": "ffi", "ﬄ": "ffl", "ﬅ": "ft", "ﬆ": "st"},
)


@dataclass(slots=True)
class Line:
    """One printed line. `cells` are its runs of text where wide gaps part them; `lead` is the distance from
    the baseline before in type sizes (large at the top of a page or column)."""

    text: str
    page: int  # 1-based; 0 where the source has no pages
    box: Box
    size: float = 10.0
    bold: bool = False
    lead_bold: bool = False
    lead: float = 9.0
    cells: list[tuple[float, float, str]] = field(default_factory=list)
    heading: int = 0  # level of a heading in markup, 0 elsewhere
    role: Role = "body"
    table: int = -1  # index of the table that the line belongs to

    @property
    def x(self) -> float:
        """Where the text begins, in points or characters."""
        return self.box[0]


def clean(text: str) -> str:
    """Resolve ligatures, symbol-font bullets and odd spaces; collapse white space. Idempotent."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_TRANSLATION).translate(_LIGATURES)
    return " ".join(text.split())


def usual_size(lines: Iterable[Line]) -> float:
    """The type size of most letters, 10 where there are none."""
    sizes: Counter[float] = Counter()
    for line in lines:
        sizes[line.size] += len(line.text)
    return sizes.most_common(1)[0][0] if sizes else 10.0


def join_words(text: str, more: str) -> str:
    """Two pieces of running text as one, a soft hyphen between them resolved."""
    if text.endswith("\xad"):
        return text[:-1] + more
    return f"{text} {more}".strip()
