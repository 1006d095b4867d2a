"""Cleaning of replies and the two ways of cutting text into words: the official one and the sound one."""

import re
import string
import unicodedata
from functools import lru_cache

_OFFICIAL_DELETED = str.maketrans("", "", string.punctuation)
_OFFICIAL_ARTICLES = re.compile(r"\b(a|an|the)\b")

_INVISIBLE = re.compile(
    # controls except tab and newline; zero-width, joining and direction marks; byte order mark; lone
    # surrogates
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ud800-\udfff]"
)
_VULGAR = re.compile("[¼-¾⅐-⅞]")
_RAISED = re.compile("[⁻⁺]?[⁰¹²³⁴-⁹]+")
_RAISED_PLAIN = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_SIGNS = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ´", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒−﹣－", "-"),
        **dict.fromkeys("\u2028\u2029\x0b\x0c", "\n"),
    }
)
_HAS_ODD = re.compile(r"[^\t\n -~]")


def official_normal(text: str) -> str:
    """Normal form of the official scorer, after SQuAD's.

    Lower case; ASCII punctuation deleted; the words a, an, the replaced by a space; white space collapsed.

    Source: SQuAD v1.1 evaluation script (Rajpurkar et al. 2016), as DesignQA uses it.
    """
    return " ".join(_OFFICIAL_ARTICLES.sub(" ", text.lower().translate(_OFFICIAL_DELETED)).split())


def official_words(text: str) -> list[str]:
    """Words of `official_normal`."""
    return official_normal(text).split()


def clean(text: str) -> str:
    """Text without what cannot be seen, with one spelling for each sign.

    Control, zero-width and direction characters go; line ends become \\n; typographic quotes, hyphens and
    minus signs become ASCII; ½ becomes 1/2, ² becomes ^2, full-width and ligature forms become plain (NFKC).
    """
    if "\\n" in text and "\n" not in text:  # a reply that was written out by repr or JSON
        text = _ESCAPED_LINE.sub("\n", text)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not _HAS_ODD.search(text):
        return text
    text = _INVISIBLE.sub("", text.translate(_SIGNS))
    text = _VULGAR.sub(lambda m: " " + unicodedata.normalize("NFKC", m[0]).replace("⁄", "/"), text)
    text = _RAISED.sub(lambda m: "^" + m[0].translate(_RAISED_PLAIN), text)
    # NFKC may bring back typographic forms (as ʹ for ΄); the second pass makes cleaning stable.
    return unicodedata.normalize("NFKC", text).replace("⁄", "/").translate(_SIGNS)


def printable(text: str) -> str:
    """Text that a terminal shows and does not obey: control and direction characters become �."""
    return "".join(char if char.isprintable() else " " if char.isspace() else "�" for char in text)


_ESCAPED_LINE = re.compile(r"\\n(?![a-z])")  # not \neq and its like
_DECIMAL = re.compile(r"(?<=\d)\.(?=\d)")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_ARTICLES = frozenset({"a", "an", "the"})
_KEPT_SIGNS = frozenset("°±≤≥<>=+%⌀Ω\x00")
_SPACING = frozenset("-–—/\\_|~")


@lru_cache(maxsize=4096)
def _place(char: str) -> str:
    """What becomes of a character in a word: itself, a space or nothing."""
    if char.isalnum() or char in _KEPT_SIGNS or char.isspace():
        return char
    if char in _SPACING:
        return " "
    return "" if unicodedata.category(char)[0] in "PSC" else char


class _Places(dict[int, str]):
    def __missing__(self, code: int) -> str:
        self[code] = place = _place(chr(code))
        return place


_PLACES = _Places()


def words(text: str) -> list[str]:
    """Words in the sound way, for bags of words.

    As `official_words`, but on cleaned, case-folded text; all punctuation counts, not ASCII's alone; a
    decimal point stays (25.4 is not 254) and a thousands comma goes; hyphens, dashes and slashes part words.
    """
    text = clean(text).casefold()
    text = _THOUSANDS.sub("", _DECIMAL.sub("\x00", text)).translate(_PLACES).replace("\x00", ".")
    return [word for word in text.split() if word not in _ARTICLES]


def characters(text: str) -> list[str]:
    """The characters of `words` without spaces, for bags of characters."""
    return list("".join(words(text)))
