"""Line starts that may be rule numbers: sound ones, damaged ones, and those in brackets."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.rulebook.lines import Line

Numbers = tuple[float, ...]  # whole, but for 330A, which follows 330 and is 330.01, and letters: A is 1.5

STRICT = re.compile(
    r"^(?P<open>[<\[(§*]?\s?)(?:(?P<word>Rule|RULE|Article|ARTICLE|Chapter|CHAPTER|Section|SECTION|Clause|CLAUSE)\s+)?"
    r"(?:(?P<prefix>(?:[A-Z]{2,8}[-_])*(?:[A-Z]{5,8}(?=[-_]\d)|[A-Z]{1,4}))(?P<sep>[ .‑–_-]{0,2}))?"
    r"(?P<numbers>\d{1,4}(?:\.\s?\d{1,3}(?!\d))*)"
    r"(?P<letter>(?<=\.\d{1})[A-D]|(?<=\.\d{2})[A-D]|(?<=\.\d{3})[A-D])?"
    r"(?P<tail>\s?[.:)>\]*–—-]{0,3})(?P<rest>\s.*|$)",
)
# What scanning, typing and file conversion make of a number: signs for digits, stray spaces, commas for
# points.
DAMAGED = re.compile(
    r"^(?P<prefix>[A-Z]{0,4}?)(?P<sep>[.]?)(?P<numbers>[\dlIO$!@#%&]{1,3}(?:\s?[.,]\s{0,2}[\dlIO$!@#%&]{1,3}){1,4})[.:)]?(?=\s|$)"
)
# Letters among the figures: 8.3.A.9, 1.b.ii.
_LETTER = r"(?:[A-Z]|[a-z]|[ivx]{2,5})(?![A-Za-z])"
MIXED = re.compile(
    rf"^(?P<numbers>\d{{1,3}}(?:\.\d{{1,3}})*\.{_LETTER}(?:\.(?:\d{{1,3}}|{_LETTER}))*)(?P<tail>[.:)]{{0,2}})(?=\s|$)"
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

    @property
    def mixed(self) -> bool:
        """Whether letters stand among the figures, as in 8.3.A.9."""
        return bool(re.search(r"\.[A-Za-z]", self.digits))


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
    _read_letters([candidate for candidate in found if candidate.mixed])
    return found


def _read_letters(mixed: Sequence[Candidate]) -> None:
    """Give numbers with letters their values: i, ii, iii at one depth are Roman numbers, h, i, j are letters."""
    by_depth: dict[int, set[str]] = {}
    for candidate in mixed:
        for depth, figure in enumerate(candidate.digits.split(".")):
            by_depth.setdefault(depth, set()).add(figure)
    for candidate in mixed:
        numbers: list[float] = []
        for depth, figure in enumerate(candidate.digits.split(".")):
            letters = {other for other in by_depth[depth] if other.isalpha()}
            if figure.isdigit():
                numbers.append(int(figure))
            elif figure.islower() and all(set(other) <= set("ivx") for other in letters):
                numbers.append(roman(figure) + 0.5)
            else:
                numbers.append(ord(figure[0].upper()) - ord("@") + 0.5)
        candidate.numbers = tuple(numbers)


def roman(label: str) -> int:
    """The value of a Roman number of the signs i, v and x."""
    values = [{"i": 1, "v": 5, "x": 10}[char] for char in label]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


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
    match = MIXED.match(text) if text[:1].isdigit() else None
    if match:
        rest = text[match.end() :].strip()
        return Candidate(index, "", (), match.group(), match["numbers"], "", "", rest, False)
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
            match["open"].strip() in ("<", "[", "§") or match["tail"].strip().startswith("*"),
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
    if match["prefix"] or match["word"] or match["numbers"].count(".") > 1:
        return False
    if re.match(r"\s*A\s+[a-z]", match["rest"]) and "." in match["numbers"]:
        return False  # "2.1 A drone must …"
    return bool(_UNIT.match(match["rest"])) and not match["tail"].strip()
