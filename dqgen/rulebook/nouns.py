"""Singular and plural of English nouns, and names compared whatever their number, hyphens and case."""

import re
from collections.abc import Iterable

HYPHENS = "‐‑-"  # the two of Unicode that typesetters use and the plain one, which comes last in a class of signs
_IRREGULAR = {
    "foot": "feet", "tooth": "teeth", "axis": "axes", "vertex": "vertices", "half": "halves", "shelf": "shelves",
    "knife": "knives", "leaf": "leaves", "person": "persons", "chassis": "chassis", "apparatus": "apparatus",
    "lens": "lenses", "gas": "gases", "bus": "buses", "analysis": "analyses", "matrix": "matrices", "index": "indices",
}  # fmt: skip
_MASS = re.compile(
    r"(?:bracing|padding|tubing|wiring|piping|bodywork|equipment|[^\W\d_]ics|series|means)$", re.IGNORECASE
)
"""Nouns of one number: `bracing`, `bodywork`, `aerodynamics`."""
_SINGULAR = {many: one for one, many in _IRREGULAR.items()}


def plural(name: str) -> str:
    """A name with its last word in the plural; one that stands in it is kept."""
    head, word = _last(name)
    low = word.lower()
    if low in _IRREGULAR:
        return head + word[:1] + _IRREGULAR[low][1:]
    if low in _SINGULAR or singular(word) != word or _MASS.search(low):
        return name
    if re.search(r"(?:s|x|z|ch|sh)$", low):
        return f"{name}es"
    return f"{name[:-1]}ies" if re.search(r"[^aeiou]y$", low) else f"{name}s"


def singular(name: str) -> str:
    """A name with its last word in the singular; one that stands in it is kept."""
    head, word = _last(name)
    low = word.lower()
    if low in _SINGULAR:
        return head + word[:1] + _SINGULAR[low][1:]
    if (
        low in _IRREGULAR
        or _MASS.search(low)
        or not re.search(r"[^su]s$|ses$", low)
        or len(low) < 4
        or low.endswith("is")
    ):
        return name
    if re.search(r"[^aeiou]ies$", low) and len(low) > 4:
        return f"{name[:-3]}y"
    return name[:-2] if re.search(r"(?:ss|x|zz|ch|sh)es$", low) else name[:-1]


def key(name: str) -> str:
    """What two ways to write a name have in common: in lower case and in the singular, without hyphens and brackets."""
    bare = re.sub(rf"\([^)]*\)|[“”\"]|[{HYPHENS}]", " ", name.lower())
    return singular(" ".join(bare.split()))


def mention_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Whole words of any of the names, in singular or plural, with hyphens or spaces between them, whatever the case
    and the line breaks."""
    pieces: dict[str, None] = {}
    for name in names:
        words = re.split(rf"[\s{HYPHENS}]+", name.strip().strip(HYPHENS))
        if not words[0]:
            continue
        start = "".join(re.escape(word) + rf"(?:\s+|[{HYPHENS}]\s?)" for word in words[:-1])
        last = {words[-1], singular(words[-1]), plural(singular(words[-1]))}
        ends = "|".join(re.escape(word) for word in sorted(last, key=lambda word: (-len(word), word)))
        # `(s)` is how rules write one or several
        pieces[rf"{start}(?:{ends})(?:\(e?s\))?"] = None
    inner = "|".join(sorted(pieces, key=lambda piece: (-len(piece), piece)))
    return re.compile(rf"(?<!\w)(?:{inner or '(?!)'})(?!\w)", re.IGNORECASE)


def _last(name: str) -> tuple[str, str]:
    """What stands before the last word, and that word."""
    cut = max(name.rfind(sign) for sign in f" {HYPHENS}") + 1
    return name[:cut], name[cut:]
