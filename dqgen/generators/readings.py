"""What a reader takes from a drawing: printed numbers, or lengths in pixels held against the scale bar."""

import io
from collections.abc import Callable, Sequence

import numpy as np
from PIL import Image

from dqgen.geometry.expressions import Binary, Call, Negative, Node, Number, parse
from dqgen.geometry.measure import Measurement
from dqgen.schemas.evidence import ScaleBarEvidence

INK = 235
"""Grey below which a pixel is ink: thin lines are smoothed over two rows."""
PIXELS_OFF = 2.0
"""How far a careful reader may be off, at both ends of a length together."""
DEGREES_OFF = 1.0


def computed(expression: str, reading: Callable[[str], float]) -> float:
    """An expression with the value of each single measure in it as it was read, by the measure's own text.

    Raises:
        KeyError: `reading` does not know one of them.
    """
    return _computed(parse(expression), reading)


def _computed(node: Node, reading: Callable[[str], float]) -> float:
    match node:
        case Number():
            return node.value
        case Negative():
            return -_computed(node.operand, reading)
        case Binary():
            left, right = _computed(node.left, reading), _computed(node.right, reading)
            match node.operator:
                case "+":
                    return left + right
                case "-":
                    return left - right
                case "*":
                    return left * right
            return left / right
        case Call(function="min" | "max" | "abs"):
            return chosen(node.function, [_computed(argument, reading) for argument in node.arguments])
        case Call():
            return reading(node.text)
    raise KeyError(node.text)


def chosen(function: str, values: Sequence[float]) -> float:
    """The least, the greatest, or the size of the only one of some numbers."""
    if function == "abs":
        return abs(values[0])
    return min(values) if function == "min" else max(values)


def written(expression: str, printed: Callable[[str], str]) -> str:
    """An expression with printed numbers in place of its single measures: `1198.4 − 699.2`."""
    return _written(parse(expression), printed, 0)


RANK = {"+": 1, "-": 1, "*": 2, "/": 2}
SIGNS = {"+": "+", "-": "−", "*": "×", "/": "/"}


def _written(node: Node, printed: Callable[[str], str], outer: int) -> str:
    match node:
        case Number():
            return f"{node.value:g}"
        case Negative():
            return f"−{_written(node.operand, printed, 3)}"
        case Binary():
            rank = RANK[node.operator]
            left = _written(node.left, printed, rank)
            right = _written(node.right, printed, rank + (node.operator in "-/"))
            text = f"{left} {SIGNS[node.operator]} {right}"
            return f"({text})" if rank < outer else text
        case Call(function="min" | "max"):
            inner = ", ".join(_written(argument, printed, 0) for argument in node.arguments)
            return f"{'least' if node.function == 'min' else 'greatest'} of {inner}"
        case Call(function="abs"):
            return f"|{_written(node.arguments[0], printed, 0)}|"
    return printed(node.text)


def doubt(measured: Measurement, pixels_per_mm: float) -> float:
    """By how much a value may be misread on a picture, in its own unit."""
    parts = [doubt(part, pixels_per_mm) for part in measured.parts]
    match measured.kind:
        case "sum" | "difference":
            return sum(parts)
        case "minimum" | "maximum":
            return max(parts)
        case "product" | "ratio":
            shares = [off / abs(part.value) for off, part in zip(parts, measured.parts, strict=True) if part.value != 0]
            return abs(measured.value) * sum(shares)
        case "angle":
            return DEGREES_OFF
        case "count" | "number":
            return 0.0
    return PIXELS_OFF / pixels_per_mm


def bar_length(png: bytes, bar: ScaleBarEvidence) -> float:
    """Length of the scale bar in pixels, read off the picture: from the first to the last ink of its arrows.

    Raises:
        ValueError: there is no ink where it should be.
    """
    grey = np.asarray(Image.open(io.BytesIO(png)).convert("L"))
    y = round((bar.start[1] + bar.end[1]) / 2)
    left, right = round(bar.start[0]), round(bar.end[0])
    # Just inside the frame, whose own lines may stand at the ends.
    inked = np.flatnonzero((grey[y - 1 : y + 2, left : right + 1] < INK).any(axis=0))
    if len(inked) < 0.3 * (right - left):
        raise ValueError("no scale bar is to be seen")
    return float(inked[-1] - inked[0] + 1)
