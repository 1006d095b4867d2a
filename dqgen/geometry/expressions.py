"""Measure expressions as text: read into a small tree, nothing evaluated. docs/measures.md has the grammar."""

import ast
import math
from dataclasses import dataclass

from dqgen.errors import UsageError

LONGEST = 2000
"""Characters of an expression."""
DEEPEST = 40
"""Levels of nesting."""


@dataclass(frozen=True)
class Number:
    """A number; `text` is the node's canonical text, here and below."""

    value: float
    text: str


@dataclass(frozen=True)
class Text:
    """A quoted pattern of occurrences."""

    value: str
    text: str


@dataclass(frozen=True)
class Flag:
    """True or False."""

    value: bool
    text: str


@dataclass(frozen=True)
class Name:
    """A bare word: a direction or the ground."""

    value: str
    text: str


@dataclass(frozen=True)
class Call:
    """A function with its arguments."""

    function: str
    arguments: tuple["Node", ...]
    options: tuple[tuple[str, "Node"], ...]
    text: str


@dataclass(frozen=True)
class Negative:
    """A node with a minus before it."""

    operand: "Node"
    text: str


@dataclass(frozen=True)
class Binary:
    """Two nodes with `+`, `-`, `*` or `/` between them."""

    operator: str
    left: "Node"
    right: "Node"
    text: str


Node = Number | Text | Flag | Name | Call | Negative | Binary
_OPERATORS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}


def parse(expression: str) -> Node:
    """The tree of an expression.

    Raises:
        UsageError: it is none.
    """
    where = _shown(expression)
    if len(expression) > LONGEST:
        raise UsageError(f"a measure has at most {LONGEST} characters", where)
    try:
        tree = ast.parse(expression.strip(), mode="eval").body
        return _node(tree, where, 0)
    except SyntaxError as error:
        at = f" at character {error.offset}" if error.offset else ""
        raise UsageError(f"is no measure ({error.msg}{at})", where, "see docs/measures.md") from None
    except (ValueError, RecursionError, MemoryError):
        raise UsageError("is no measure", where, "see docs/measures.md") from None


def _shown(expression: str) -> str:
    line = " ".join(expression.split())
    return f"measure {line if len(line) <= 80 else line[:77] + '...'}"


def _node(tree: ast.expr, where: str, depth: int) -> Node:
    if depth > DEEPEST:
        raise UsageError("is nested too deeply", where)
    text = ast.unparse(tree)
    match tree:
        case ast.Constant(value=bool() as flag):
            return Flag(flag, text)
        case ast.Constant(value=int() | float() as number) if math.isfinite(number):
            return Number(float(number), text)
        case ast.Constant(value=str() as pattern):
            return Text(pattern, text)
        case ast.Name(id=name):
            return Name(name, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _node(operand, where, depth + 1)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return Negative(_node(operand, where, depth + 1), text)
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            first, second = (_node(side, where, depth + 1) for side in (left, right))
            return Binary(_OPERATORS[type(operator)], first, second, text)
        case ast.Call(func=ast.Name(id=function), args=arguments, keywords=keywords):
            if any(keyword.arg is None for keyword in keywords):
                raise UsageError(f"'{text}' is not part of the language", where, "see docs/measures.md")
            return Call(
                function,
                tuple(_node(argument, where, depth + 1) for argument in arguments),
                tuple((str(keyword.arg), _node(keyword.value, where, depth + 1)) for keyword in keywords),
                text,
            )
    raise UsageError(f"'{text}' is not part of the language", where, "see docs/measures.md")
