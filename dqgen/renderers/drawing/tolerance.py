"""Tolerances of dimensions: as users write them, and as they are printed after ISO 14405-1 and ISO 129-1."""

import re
from dataclasses import dataclass, replace

from dqgen.errors import UsageError
from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.dimension import Label
from dqgen.renderers.drawing.display_list import Text, offset
from dqgen.renderers.drawing.numbers import Numbers

DEVIATION = 0.72
"""Height of stacked deviations, in heights of the number,"""
UPPER, LOWER = 0.72, -0.12
"""and where their baselines lie above its own."""
BESIDE = 0.3
"""Between the number and its deviations, in heights."""
MOST_DECIMALS = 5

_NUMBER = r"\d*\.?\d+"
_SYMMETRIC = re.compile(rf"(?P<expression>.*\S)\s+(?:±|\+/-)\s*(?P<size>{_NUMBER})\s*", re.S)
_DEVIATIONS = re.compile(
    rf"(?P<expression>.*\S)\s+(?P<upper>[+-]{_NUMBER}|0)\s*/\s*(?P<lower>[+-]{_NUMBER}|0)\s*", re.S
)
_ATTEMPT = re.compile(r"±|\+/-|\)\s*[+-]?[\d.]+\s*/\s*[+-]?[\d.]*\s*$")


@dataclass(frozen=True)
class Tolerance:
    """Permissible deviations from a nominal size, in mm or degrees; `lower` is less than `upper`."""

    upper: float
    lower: float


def split(text: str) -> tuple[str, Tolerance | None]:
    """A measure's expression and the tolerance behind it, in the unit it was written in.

    `EXPR ±0.1`, also written `EXPR +/-0.1`, or `EXPR +0.2/-0.1`: the upper deviation, then the lower.

    Raises:
        UsageError: the tolerance is written otherwise, or its upper deviation is not above the lower.
    """
    if found := _SYMMETRIC.fullmatch(text):
        size = float(found["size"])
        tolerance = Tolerance(size, -size)
    elif found := _DEVIATIONS.fullmatch(text):
        tolerance = Tolerance(float(found["upper"]), float(found["lower"]))
    elif _ATTEMPT.search(text):
        raise UsageError("this is no tolerance", f"--dimension {text}", "write EXPR ±0.1 or EXPR +0.2/-0.1")
    else:
        return text, None
    if tolerance.upper <= tolerance.lower:
        mend = "write the upper deviation first, such as +0.2/-0.1"
        raise UsageError("the upper deviation is not above the lower one", f"--dimension {text}", mend)
    return found["expression"], tolerance


def toleranced(label: Label, tolerance: Tolerance, numbers: Numbers) -> Label:
    """The label with its tolerance behind the number: equal deviations in one, others stacked, or in one line where
    more text follows."""
    upper, lower = _printed(tolerance, label.unit, numbers)
    limits = (tolerance.lower, tolerance.upper)
    head, tail = _around(label)
    if upper == lower:
        return replace(label, lines=(f"{head} ±{upper}{tail}", *label.lines[1:]), tolerance=limits)
    signed = _signed(tolerance.upper, upper), _signed(tolerance.lower, lower)
    if tail or len(label.lines) > 1:
        return replace(label, lines=(f"{head} {signed[0]}/{signed[1]}{tail}", *label.lines[1:]), tolerance=limits)
    return replace(label, deviations=signed, tolerance=limits)


def _around(label: Label) -> tuple[str, str]:
    """The first line up to the end of the number, and what follows."""
    line = label.lines[0]
    at = max((line.find(sign + label.printed) + len(sign) for sign in "⌀R" if sign + label.printed in line), default=-1)
    end = (at if at >= 0 else line.find(label.printed)) + len(label.printed)
    return line[:end], line[end:]


def _printed(tolerance: Tolerance, unit: str, numbers: Numbers) -> tuple[str, str]:
    """Both deviations without sign, with as many decimals as the longer one takes."""
    factor = 1.0 if unit == "deg" else numbers.mm_per_unit
    sizes = [abs(part) / factor for part in (tolerance.upper, tolerance.lower)]
    decimals = max(len(f"{size:.{MOST_DECIMALS}f}".rstrip("0").partition(".")[2]) for size in sizes)
    upper, lower = (f"{size:.{decimals}f}".replace(".", numbers.sign) for size in sizes)
    degrees = "°" if unit == "deg" else ""
    return upper + degrees, lower + degrees


def _signed(value: float, printed: str) -> str:
    return "0" if value == 0 else ("+" if value > 0 else "-") + printed


def width(label: Label, height: float) -> float:
    """Width in mm of a label's longest line with its deviations."""
    first, *others = (lettering.advance(line, height) for line in label.lines)
    return max(first + _stack(label, height), *others) if others else first + _stack(label, height)


def _stack(label: Label, height: float) -> float:
    if not label.deviations:
        return 0.0
    return BESIDE * height + max(lettering.advance(text, DEVIATION * height) for text in label.deviations)


def written(item: Text, label: Label) -> tuple[Text, ...]:
    """A label's first line as it is drawn: the number, and its deviations one above the other."""
    if not label.deviations:
        return (item,)
    high = item.height
    total = lettering.advance(item.text, high) + _stack(label, high)
    start = offset(item.at, item.angle, -total * {"left": 0.0, "middle": 0.5, "right": 1.0}[item.anchor], 0.0)
    beside = lettering.advance(item.text, high) + BESIDE * high
    stacked = (
        replace(
            item,
            at=offset(start, item.angle, beside, rise * high),
            text=text,
            height=DEVIATION * high,
            anchor="left",
        )
        for text, rise in zip(label.deviations, (UPPER, LOWER), strict=True)
    )
    return replace(item, at=start, anchor="left"), *stacked


def in_mm(tolerance: Tolerance, unit: str, numbers: Numbers) -> Tolerance:
    """A tolerance that was written in the printed unit."""
    factor = 1.0 if unit == "deg" else numbers.mm_per_unit
    return Tolerance(tolerance.upper * factor, tolerance.lower * factor)
