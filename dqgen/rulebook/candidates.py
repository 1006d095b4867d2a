"""Line starts that may be rule numbers: sound ones, damaged ones, and those in brackets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.rulebook.lines import Line

Numbers = tuple[float, ...]  # whole, but for 330A, which follows 330 and is 330.01

STRICT = re.compile(
    r"^(?P<open>[<\[(§*]?\s?)(?:(?P<word>Rule|RULE|Article|ARTICLE|Chapter|CHAPTER|Section|SECTION|Clause|CLAUSE)\s+)?"
    r"(?:(?P<prefix>[A-Z]{1,4})(?P<sep>[ .‑–-]{0,2}))?"
    r"(?P<numbers>\d{1,4}(?:\.\s?\d{1,3}(?!\d))*)"
    r"(?P<letter>(?<=\.\d{1})[A-D]|(?<=\.\d{2})[A-D]|(?<=\.\d{3})[A-D])?"
    r"(?P<tail>\s?[.:)>\]*–—-]{0,3})(?P<rest>\s.*|$)",
)
# What scanning, typing and file conversion make of a number: signs for digits, stray spaces, commas for
# points.
DAMAGED = re.compile(
    r"^(?P<prefix>[A-Z]{0,4}?)(?P<sep>[.]?)(?P<numbers>[\dlIO$!@#%&]{1,3}(?:\s?[.,]\s{0,2}[\dlIO$!@#%&]{1,3}){1,4})[.:)]?(?=\s|$)"
)
_SHIFTED = str.maketrans({"!": "1", "@": "2", "#": "3", "$": "4", "%": "5", "&": "7", "l": "1", "I": "1", "O": "0"})


@dataclass(slots=True)
class Candidate:
    """A line start that may be a rule number."""

    line: int
    prefix: str
    numbers: Numbers
    printed: str
    digits: str  # the numbers as written, leading zeros kept
    sep: str
    word: str  # "ARTICLE", "Chapter" … where one stands before the number
    rest: str
    marked: bool  # in brackets such as <R203>
    damaged: bool = False
    inherited: bool = False  # the prefix comes from the part around it
    evidence: float = 0.0
    occurrence: int = 1

    @property
    def key(self) -> tuple[str, Numbers]:
        return self.prefix, self.numbers


def candidates(lines: Sequence[Line], pattern: re.Pattern[str] | None = None) -> list[Candidate]:
    """All line starts that look like a rule number, damaged ones included.

    Args:
        lines: the document in reading order; only those with the role `body` are looked at.
        pattern: a profile's own pattern, with groups `prefix` (optional) and `numbers`.
    """
    found = []
    for index, line in enumerate(lines):
        if line.role != "body":
            continue
        candidate = _candidate(index, line.text, pattern)
        if candidate is not None:
            found.append(candidate)
    return found


def _candidate(index: int, text: str, pattern: re.Pattern[str] | None) -> Candidate | None:
    if pattern is not None:
        match = pattern.match(text)
        if match is None:
            return None
        groups = match.groupdict()
        digits = groups["numbers"]
        numbers = tuple(int(n) for n in re.findall(r"\d+", digits))
        rest = text[match.end() :].strip()
        sep = groups.get("sep") or ""
        return Candidate(index, groups.get("prefix") or "", numbers, match.group().strip(), digits, sep, "", rest, True)
    match = STRICT.match(text)
    if match:
        if _is_measure(match):
            return None
        digits = match["numbers"]
        if match["letter"]:  # 330A was put in after 330
            if not match["prefix"] or " " in digits:
                return None
            digits += match["letter"]
        # "B17. 3" is one number torn apart; "3. 2 tubes" is an item. Only with letters before it is it a
        # number.
        if " " in digits and match["prefix"]:
            whole = digits.replace(" ", "")
            return Candidate(
                index, match["prefix"], figures_of(whole), text[: match.end("numbers")], whole,
                match["sep"] or "", "", match["rest"].strip(), False, damaged=True,
            )  # fmt: skip
        rest = text[match.end("tail") :].strip()
        if " " in digits:
            digits, _, more = digits.partition(" ")
            digits, rest = digits.rstrip("."), more + match["tail"] + match["rest"]
        return Candidate(
            index, match["prefix"] or "", figures_of(digits), text[: match.end("tail")].strip(" *"), digits,
            (match["sep"] or "").strip() or (" " if match["sep"] else ""), match["word"] or "", rest,
            match["open"].strip() in ("<", "[") or match["tail"].strip().startswith("*"),
        )  # fmt: skip
    match = DAMAGED.match(text)
    if match and match["prefix"] and any(char.isdigit() for char in match["numbers"]):
        digits = re.sub(r"\s", "", match["numbers"].translate(_SHIFTED)).replace(",", ".")
        if re.fullmatch(r"\d+(\.\d+)+", digits):
            return Candidate(
                index, match["prefix"], figures_of(digits), match.group().strip(), digits, match["sep"], "",
                text[match.end() :].strip(), False, damaged=True,
            )  # fmt: skip
    return None


def figures_of(digits: str) -> Numbers:
    letter = digits[-1:] if digits[-1:].isalpha() else ""
    *above, last = (int(n) for n in digits.rstrip(letter or ".").split("."))
    return (*above, last + (ord(letter) - ord("@")) / 100 if letter else last)


_UNIT = re.compile(
    r"^\s*(?:%|°|mm\b|cm\b|m\b|kg\b|N\b|V\b|A\b|s\b|in\b|inch|ft\b|lbs?\b|hp\b|points?\b|x\s?\d|[”\"′'½¼¾/+=<>])"
)


def _is_measure(match: re.Match[str]) -> bool:
    """A number with a unit after it, or a year, a date, a time: no rule number."""
    if match["prefix"] or match["word"]:
        return False
    return bool(_UNIT.match(match["rest"])) and not match["tail"].strip()
