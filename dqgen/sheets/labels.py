"""Labels of title blocks in several languages, and what each stands for; the words are in labels.toml."""

import re
import tomllib
import unicodedata
from pathlib import Path


def plain(text: str) -> str:
    """Lower case without accents, full stops, colons and double spaces, as labels are compared."""
    text = text.replace("ß", "ss").replace("№", " no ").lower().replace("ё", "е").replace("й", "\0")
    text = "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).replace("\0", "й")
    return " ".join(re.sub(r"[.:;/\\|_'’`,()\[\]–-]+", " ", text).split())


_FILE = tomllib.loads(Path(__file__).with_name("labels.toml").read_text(encoding="utf-8"))
_KEYS = {plain(word): key for key, words in _FILE["keys"].items() for word in words}
_LONGEST = max(len(word.split()) for word in _KEYS)
_UNSPECIFIC = frozenset(_FILE["other"]["unspecific"])
_HEADINGS = frozenset(plain(word) for word in _FILE["other"]["headings"])


def key_of(text: str) -> str | None:
    """What a label stands for, or None if the whole text is no label."""
    cleaned = plain(text)
    return _KEYS.get(cleaned) or _KEYS.get(cleaned.removesuffix(" no").removesuffix(" nr"))


def is_heading(text: str) -> bool:
    """Whether a text is a word that heads a column of a list of parts or revisions."""
    return plain(text).rstrip("# ") in _HEADINGS or plain(text) in _HEADINGS


def is_specific(text: str) -> bool:
    """Whether a label says by itself that it stands in a title block."""
    return plain(text) not in _UNSPECIFIC


def split(text: str) -> tuple[str, str, str] | None:
    """Key, label and value of a text that holds both, such as `Scale: 1:10` or `Maßstab 1:10`."""
    head, colon, tail = text.partition(":")
    if colon and tail.strip() and not head[-1:].isdigit() and (key := key_of(head)):
        return key, head.strip(), tail.strip()
    words = text.split()
    for count in range(min(_LONGEST, len(words) - 1), 0, -1):
        head, tail = " ".join(words[:count]), " ".join(words[count:])
        key = key_of(head)
        if key in ("scale", "sheet", "sheets", "revision", "date", "mass", "size") and _fits(key, tail):
            return key, head, tail
    return None


SCALE = re.compile(
    r"^\(?(?:\d+(?:[.,]\d+)?\s*[:/]\s*\d+(?:[.,]\d+)?(?:[;,\s]\s*\(?\d+\s*:\s*\d+\)?)*"
    r"|none|nts|n\.t\.s\.?|not to scale|as (?:noted|shown)|full(?: size)?|half"
    r"|\d+(?:\s?\d/\d+|/\d+)?\"\s*=\s*\d+'(?:\s*-?\s*\d*\"?)?)\)?$",
    re.IGNORECASE,
)
DATE = re.compile(
    r"^(?:\d{1,2}[./-]\s?\d{1,2}[./-]\s?(?:\d{4}|\d{2})|\d{4}[./-]\d{1,2}[./-]\d{1,2}|\d{1,2}\.?\s?[A-Za-zä]{3,9}\.?,?\s?\d{2,4}"
    r"|[A-Za-z]{3,9}\.?\s\d{1,2},?\s\d{4}|[A-Za-z]{3,9}\.?\s\d{4}|\d{1,2}[./-]\d{4})$"
)


def _fits(key: str, value: str) -> bool:
    """Whether a value can be what a label without a colon introduces."""
    value = value.strip()
    if key == "scale":
        return bool(SCALE.match(value))
    if key == "date":
        return bool(DATE.match(value))
    if key == "mass":
        return bool(re.match(r"^\d+(?:[.,]\d+)?\s*(?:kg|g|lbs?|t)?$", value))
    if key == "size":
        return bool(re.match(r"^(?:[AА]\s?\d|[A-E]|ANSI\s?[A-E]|ARCH\s?[A-F]\d?)$", value, re.IGNORECASE))
    if key == "revision":
        return bool(re.match(r"^(?:[A-Z]{1,2}\d?|\d{1,3}(?:\.\d+)?)$", value))
    return bool(re.match(r"^[A-Z]{0,2}-?\d{1,4}[A-Za-z]?(?:\s*(?:/|of|von|od|из|de|di)\s*\d{1,4})?$", value, re.I))
