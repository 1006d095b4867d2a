"""Hand calculations, typeset: what is given, then step by step in symbols, in numbers, and the result."""

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PIL import Image

from dqgen.renderers.charts.style import INK, WIDTH_IN, draw, unit_sign

if TYPE_CHECKING:
    from matplotlib.figure import Figure

GIVEN_IN, STEP_IN, HEAD_IN, TITLE_IN, MARGIN_IN = 0.34, 0.92, 0.42, 0.7, 0.5
GREEK = frozenset(("alpha", "beta", "gamma", "delta", "eta", "mu", "rho", "sigma", "tau", "phi", "omega"))
UNIT_MATH = {
    "degC": r"{}^{\circ}\mathrm{C}", "deg": r"{}^{\circ}", "%": r"\%", "mm2": r"\mathrm{mm^2}", "m2": r"\mathrm{m^2}",
    "mm3": r"\mathrm{mm^3}", "mm4": r"\mathrm{mm^4}", "Nmm": r"\mathrm{N\,mm}", "Nm": r"\mathrm{N\,m}",
    "m/s2": r"\mathrm{m/s^2}", "1": "", "x": "",
}  # fmt: skip


@dataclass(frozen=True)
class Value:
    """A number with its symbol: given, or the result of a step with the expression that led to it."""

    symbol: str
    number: str
    unit: str
    name: str
    expression: str = ""


@dataclass(frozen=True)
class Calculation:
    """A calculation before it is drawn."""

    title: str
    givens: tuple[Value, ...]
    steps: tuple[Value, ...]


def draw_calculation(calculation: Calculation, size: int) -> tuple[Image.Image, dict[str, Any]]:
    """The picture, `size` pixels wide, and its evidence: all numbers as printed."""
    givens, steps = len(calculation.givens), len(calculation.steps)
    height = TITLE_IN + 2 * HEAD_IN + GIVEN_IN * givens + STEP_IN * steps + 0.3
    picture = draw(lambda figure: _paint(figure, calculation, height), size, height)
    evidence = {
        "chart": "calculation",
        "width": picture.width,
        "height": picture.height,
        "title": calculation.title,
        "givens": [vars(one) for one in calculation.givens],
        "steps": [vars(one) for one in calculation.steps],
    }
    return picture, evidence


def from_evidence(evidence: dict[str, Any]) -> Calculation:
    """The calculation that evidence tells of."""
    givens, steps = ([Value(**one) for one in evidence[key]] for key in ("givens", "steps"))
    return Calculation(evidence["title"], tuple(givens), tuple(steps))


def _paint(figure: "Figure", calculation: Calculation, height: float) -> None:
    """In inches from the upper left corner."""
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set_xlim(0, WIDTH_IN)
    axes.set_ylim(height, 0)
    axes.set_axis_off()

    def text(x: float, y: float, words: str, size: float, **more: Any) -> None:
        axes.text(x, y, words, fontsize=size, va="center", **{"color": INK, **more})

    text(WIDTH_IN / 2, TITLE_IN / 2, calculation.title, 12.5, ha="center")
    level = TITLE_IN
    text(MARGIN_IN, level + HEAD_IN / 2, "Given", 10.5, fontweight="bold")
    level += HEAD_IN
    for one in calculation.givens:
        text(MARGIN_IN + 0.15, level + GIVEN_IN / 2, f"${symbol(one.symbol)} = {_quantity(one)}$", 11.5)
        text(3.1, level + GIVEN_IN / 2, one.name, 10, color="#333333")
        level += GIVEN_IN
    text(MARGIN_IN, level + HEAD_IN / 2, "Calculation", 10.5, fontweight="bold")
    level += HEAD_IN
    numbers = {one.symbol: one.number for one in (*calculation.givens, *calculation.steps)}
    for one in calculation.steps:
        text(MARGIN_IN + 0.15, level + 0.14, one.name, 9.5, color="#444444")
        tree = ast.parse(one.expression, mode="eval").body
        formula = f"{symbol(one.symbol)} = {typeset(tree, None)} = {typeset(tree, numbers)} = {_quantity(one)}"
        text(MARGIN_IN + 0.15, level + 0.53, f"${formula}$", 12.5)
        level += STEP_IN


def symbol(name: str) -> str:
    """A symbol in mathtext: `sigma_max` with its Greek letter and an upright index."""
    letter, _, index = name.partition("_")
    head = rf"\{letter}" if letter in GREEK else letter if len(letter) == 1 else rf"\mathrm{{{letter}}}"
    return rf"{head}_{{\mathrm{{{index}}}}}" if index else head


def typeset(node: ast.expr, numbers: dict[str, str] | None) -> str:
    """An expression in mathtext, with its symbols or with numbers in their place.

    Raises:
        ValueError: it holds more than sums, products, quotients, powers and square roots.
    """
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float):
            return _grouped(f"{value:.10g}")
        case ast.Name(id="pi"):
            return r"\pi"
        case ast.Name(id=name):
            return symbol(name) if numbers is None else _grouped(numbers[name])
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return rf"\dfrac{{{typeset(left, numbers)}}}{{{typeset(right, numbers)}}}"
        case ast.BinOp(left=left, op=ast.Pow(), right=right):
            base = _bracketed(left, numbers, (ast.BinOp,))
            return f"{base}^{{{typeset(right, numbers)}}}"
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factors = [_bracketed(side, numbers, (ast.Add, ast.Sub)) for side in (left, right)]
            return rf"{factors[0]} \cdot {factors[1]}"
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as sign, right=right):
            second = _bracketed(right, numbers, (ast.Add, ast.Sub) if isinstance(sign, ast.Sub) else ())
            return f"{typeset(left, numbers)} {'+' if isinstance(sign, ast.Add) else '-'} {second}"
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return rf"\sqrt{{{typeset(inner, numbers)}}}"
    raise ValueError(f"cannot be typeset: {ast.unparse(node)}")


def _bracketed(node: ast.expr, numbers: dict[str, str] | None, kinds: tuple[type[ast.AST], ...]) -> str:
    """Part of an expression, in brackets if it is an operation of one of these kinds."""
    inner = typeset(node, numbers)
    is_such = isinstance(node, kinds) or (isinstance(node, ast.BinOp) and isinstance(node.op, kinds))
    return rf"\left({inner}\right)" if is_such else inner


def _quantity(one: Value) -> str:
    sign = UNIT_MATH.get(one.unit, rf"\mathrm{{{unit_sign(one.unit)}}}")
    gap = "" if one.unit == "deg" or not sign else r"\ "
    return f"{_grouped(one.number)}{gap}{sign}"


def _grouped(number: str) -> str:
    """Thin spaces between thousands: `381 600`."""
    whole, point, rest = number.partition(".")
    sign, digits = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    if len(digits) > 4:
        digits = r"\,".join(
            digits[max(0, at - 3) : at] for at in range(len(digits) - 3 * ((len(digits) - 1) // 3), len(digits) + 1, 3)
        )
    return f"{sign}{digits}{point}{rest}"
