"""Multiple choice: which option a reply picks."""

import re
from collections.abc import Sequence

from dqgen.scorer.replies.reply import Reply
from dqgen.scorer.text import words

_LEAD = re.compile(
    r"^[\s\"'(\[{*]*(?:(?:option|choice|answer|letter)\s+)?[\"'(\[{]*([A-Za-z])(?:[\"')\]}]+|\s*[.:,)\-–—]|\s*$|"
    r"\s*\n)",
    re.I,
)
_NAMED = re.compile(r"\b(?:option|choice|letter)\s+[\"'(\[{]?([A-Za-z])\b|[(\[]([A-Z])[)\]]", re.I)
_ALONE = re.compile(r"(?<![\w'.-])([B-HJ-Z]|A(?=\s*[.,;:)!]|\s*$))(?![\w'-])")
_JOINED = re.compile(r"(?<![\w'.-])[(\[]?([A-Z])[)\]]?\s*(?:,|/|&|\band\b|\bor\b)\s*[(\[]?([A-Z])[)\]]?(?![\w'-])")


def letters(count: int) -> str:
    """The letters of so many options: A, B, C …"""
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:count]


def read_choice(reply: Reply, options: Sequence[str]) -> tuple[str | None, str]:
    """The letter of the option that a reply picks, and how it was read; None and why where it picks none or
    several.

    Args:
        reply: the reply taken apart.
        options: the options' texts; their letters are A, B, C in order.
    """
    known = letters(len(options))
    parts = [part for part in reply.answers if part.strip()] or [reply.text]
    picked = [letter for part in parts if (letter := _pick(part, known, options)) is not None]
    if "" in picked or len(set(picked)) > 1:
        return None, "several options picked"
    if not picked:
        return None, "no option picked"
    return picked[0], f"by {reply.mark}" if reply.mark else "stated"


def _pick(part: str, known: str, options: Sequence[str]) -> str | None:
    """The letter, None where there is none, an empty string where there are several."""
    part = part.strip()[:4000]
    if any(set(match.groups()) <= set(known) for match in _JOINED.finditer(part)):
        return ""
    lead = _LEAD.match(part)
    named: set[str] = {(m[1] or m[2]).upper() for m in _NAMED.finditer(part)} & set(known)
    if lead and lead[1].upper() in known:
        return str(lead[1]).upper()
    if len(named) > 1:
        return ""
    if named:
        return named.pop()
    said = [words(option) for option in options]
    heard = words(part)
    equal = [letter for letter, option in zip(known, said, strict=True) if option and option == heard]
    if len(equal) == 1:
        return equal[0]
    alone: set[str] = set(_ALONE.findall(part)) & set(known)
    if len(alone) == 1:
        return alone.pop()
    if len(alone) > 1:
        return ""
    joined = f" {' '.join(heard)} "
    within = {
        letter for letter, option in zip(known, said, strict=True) if option and f" {' '.join(option)} " in joined
    }
    # An option that is part of a longer one that is there too says nothing of its own.
    within = {
        x for x in within if not any(x != y and _inside(said[known.index(x)], said[known.index(y)]) for y in within)
    }
    return within.pop() if len(within) == 1 else ("" if within else None)


def _inside(part: list[str], whole: list[str]) -> bool:
    return f" {' '.join(part)} " in f" {' '.join(whole)} "
