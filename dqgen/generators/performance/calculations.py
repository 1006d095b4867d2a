"""A check's hand calculation: one given is chosen so that the last step keeps or breaks the limit."""

import ast
import math
from collections.abc import Mapping
from typing import Any

from scipy.optimize import brentq

from dqgen.errors import SpecError
from dqgen.generators.draft import Picture
from dqgen.generators.performance.result import ATTEMPTS, Result, aim, plain, source
from dqgen.renderers.charts.calculation import Calculation, Value, draw_calculation
from dqgen.renderers.charts.style import encoded
from dqgen.schemas.performance import CalculationChart
from dqgen.schemas.spec import FunctionalCheck, Limit

STEP_DIGITS = 4
"""Figures that results of steps are rounded to, and go on with."""
REACH = 30.0
"""The deciding given is sought from this part of its value to this multiple."""


def make_calculation(check: FunctionalCheck, limit: Limit, keeps: bool, seed: tuple[object, ...], size: int) -> Result:
    """A calculation that keeps or breaks a limit.

    Raises:
        SpecError: an expression is wrong, or no value of the given brings the result there.
    """
    wanted = check.calculation
    assert wanted is not None
    result = wanted.result or wanted.steps[-1].symbol
    for attempt in range(ATTEMPTS):
        draw = source(*seed, keeps, attempt)
        goal = aim(limit, keeps, check.percent, draw)
        try:
            start = _solved(wanted, result, goal.value)
            calculation = _carried_out(check.title, wanted, start)
        except (ValueError, KeyError, ZeroDivisionError, SyntaxError) as error:
            raise SpecError(f"the calculation cannot be carried out: {error}") from None
        value = float(next(one.number for one in (*calculation.givens, *calculation.steps) if one.symbol == result))
        if goal.met_by((value,)):
            break
    else:
        raise SpecError(f"the calculation never shows {goal.value:.4g} {limit.unit}, as rounded")
    image, evidence = draw_calculation(calculation, size)
    name = next(one.name for one in (*calculation.givens, *calculation.steps) if one.symbol == result)
    words = f"{name[0].lower()}{name[1:]}"
    found = f"The calculation {'starts from' if result in wanted.givens else 'ends with'} {{value}} for the {words}."
    return Result(Picture(encoded(image), evidence), (value,), found, {"result": result})


def recalculated(evidence: Mapping[str, Any], result: str) -> tuple[float, str]:
    """A calculation's result from its printed givens alone, and what is wrong with its printed steps, if anything.

    Unlike the drawing's, no step is rounded on the way: Python's own arithmetic evaluates each expression.
    """
    known = {one["symbol"]: float(one["number"]) for one in evidence["givens"]}
    for one in evidence["steps"]:
        code = compile(ast.parse(one["expression"], mode="eval"), one["symbol"], "eval")
        known[one["symbol"]] = float(eval(code, {"__builtins__": {}, "pi": math.pi, "sqrt": math.sqrt}, dict(known)))
        if abs(known[one["symbol"]] - float(one["number"])) > 0.005 * abs(known[one["symbol"]]):
            return known[one["symbol"]], f"step {one['symbol']} is printed as {one['number']}"
    return known[result], ""


def value_of(node: ast.expr, known: Mapping[str, float]) -> float:
    """The value of an expression of sums, products, quotients, powers and square roots.

    Raises:
        ValueError: it holds something else.
        KeyError: a symbol is unknown.
    """
    match node:
        case ast.Constant(value=value) if isinstance(value, int | float):
            return float(value)
        case ast.Name(id="pi"):
            return math.pi
        case ast.Name(id=name):
            return known[name]
        case ast.BinOp(left=left, op=sign, right=right):
            a, b = value_of(left, known), value_of(right, known)
            match sign:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.Div():
                    return a / b
                case ast.Pow():
                    return float(a**b)
        case ast.Call(func=ast.Name(id="sqrt"), args=[inner]):
            return math.sqrt(value_of(inner, known))
    raise ValueError(f"'{ast.unparse(node)}' is none of + - * / ** sqrt pi")


def _solved(wanted: CalculationChart, result: str, target: float) -> dict[str, float]:
    """The givens at which the result is the target, before any rounding."""
    givens = {name: given.value for name, given in wanted.givens.items()}
    trees = [(step.symbol, ast.parse(step.expression, mode="eval").body) for step in wanted.steps]

    def off(logarithm: float) -> float:
        known = {**givens, wanted.vary: math.exp(logarithm)}
        for name, tree in trees:
            known[name] = value_of(tree, known)
        return known[result] - target

    middle = math.log(givens[wanted.vary])
    low, high = middle - math.log(REACH), middle + math.log(REACH)
    if off(low) * off(high) > 0:
        raise ValueError(f"no value of {wanted.vary} brings {result} to {target:.4g}")
    return {**givens, wanted.vary: math.exp(float(brentq(off, low, high)))}


def _carried_out(title: str, wanted: CalculationChart, start: Mapping[str, float]) -> Calculation:
    """All numbers as printed; each step starts from the rounded ones before it."""
    givens = []
    known: dict[str, float] = {}
    for name, given in wanted.givens.items():
        text = plain(start[name], given.digits) if name == wanted.vary else f"{given.value:.10g}"
        known[name] = float(text)
        givens.append(Value(name, text, given.unit, given.name))
    steps = []
    for step in wanted.steps:
        text = plain(value_of(ast.parse(step.expression, mode="eval").body, known), STEP_DIGITS)
        known[step.symbol] = float(text)
        steps.append(Value(step.symbol, text, step.unit, step.name, step.expression))
    return Calculation(title, tuple(givens), tuple(steps))
