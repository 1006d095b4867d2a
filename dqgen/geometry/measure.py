"""Measures: small declarative expressions on features of occurrences, evaluated on exact parameters where they exist.

`distance(axis('Wheel FL'), axis('Wheel RL'), along=y)` is one; docs/measures.md has the grammar.
"""

import dataclasses
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry import gauges
from dqgen.geometry.expressions import Binary, Call, Flag, Name, Negative, Node, Number, Text, parse
from dqgen.geometry.features import Hole, catalogue
from dqgen.geometry.handles import (
    PARALLEL,
    Candidate,
    Direction,
    Flat,
    Handle,
    Line,
    Occurrences,
    Point,
    Round,
    Shape,
    choose,
    only,
    place_text,
)
from dqgen.geometry.measurement import Measurement, Unit
from dqgen.geometry.occurrences import glob
from dqgen.geometry.transforms import placed
from dqgen.schemas.design import Design, Floats, Surface, walk

__all__ = ["Measurement", "Measurer", "Unit", "measure"]

DIRECTIONS: dict[str, tuple[float, float, float]] = {
    "x": (1, 0, 0),
    "y": (0, 1, 0),
    "z": (0, 0, 1),
    "right": (1, 0, 0),
    "left": (-1, 0, 0),
    "back": (0, 1, 0),
    "front": (0, -1, 0),
    "up": (0, 0, 1),
    "down": (0, 0, -1),
}
"""As the named views see the design: front looks along +y with x to the right."""
GROUND = "ground"
SAME = 5e-3
"""A diameter that picks a feature may differ from it by this part."""

Value = Measurement | Handle | tuple[Hole, ...] | bool
Evaluated = Callable[["Measurer", str, list[Any], dict[str, Any]], Value]


def measure(design: Design, expression: str) -> Measurement:
    """Evaluate one expression; `Measurer` shares work between several.

    Raises:
        UsageError: it is not an expression of this language, names nothing, or names too much: the message lists the
            candidates.
    """
    return Measurer(design).measure(expression)


class Measurer:
    """Evaluates expressions on one design."""

    def __init__(self, design: Design) -> None:
        self.design = design
        self.scene = Occurrences(placed(design))

    def measure(self, expression: str) -> Measurement:
        """Evaluate one expression.

        Raises:
            UsageError: see `measure`.
        """
        value = self._value(parse(expression))
        if not isinstance(value, Measurement):
            raise UsageError(f"{expression.strip()} is a feature, not a measure", mend="see docs/measures.md")
        return value

    def _value(self, node: Node) -> Any:
        match node:
            case Number():
                return _number(node.value, node.text)
            case Text():
                return dataclasses.replace(self.scene.shape(node.value), text=node.text)
            case Flag():
                return node.value
            case Name():
                return self._name(node)
            case Negative():
                inner = self._value(node.operand)
                if isinstance(inner, Direction):
                    return Direction(-inner.vector, node.text)
                return _combined(node.text, "-", _number(0.0, "0"), _measured(inner, node.text), kind="negative")
            case Binary():
                left, right = (_measured(self._value(side), side.text) for side in (node.left, node.right))
                return _combined(node.text, node.operator, left, right)
            case Call():
                return self._call(node)

    def _name(self, node: Name) -> Handle:
        if node.value in DIRECTIONS:
            return Direction(np.array(DIRECTIONS[node.value], dtype=np.float64), node.text)
        if node.value == GROUND:
            return self.ground()
        known = ", ".join((*DIRECTIONS, GROUND))
        raise UsageError(
            f"unknown word '{node.value}' in a measure", mend=f"known are {known}; patterns stand in quotes"
        )

    def ground(self) -> Flat:
        """What the design stands on: the horizontal plane through its lowest point."""
        everything = Shape(tuple(range(len(self.scene.leaves))), GROUND)
        low = self.scene.extreme(everything, np.array([0.0, 0.0, -1.0]), GROUND)
        return Flat(low.at, np.array([0.0, 0.0, 1.0]), (), low.exact, GROUND)

    def _call(self, node: Call) -> Value:
        if node.function not in FUNCTIONS:
            raise UsageError(
                f"unknown function '{node.function}' in a measure", mend=f"known are {', '.join(FUNCTIONS)}"
            )
        function, least, most, options = FUNCTIONS[node.function]
        if not least <= len(node.arguments) <= most:
            wanted = str(least) if least == most else f"{least} to {most}" if most < MANY else f"{least} or more"
            raise UsageError(f"{node.text}: {node.function} takes {wanted} arguments, not {len(node.arguments)}")
        given: dict[str, Any] = {}
        for name, value in node.options:
            if name not in options:
                raise UsageError(
                    f"{node.text}: {node.function} has no option '{name}'",
                    mend=f"it has {', '.join(options) or 'none'}",
                )
            given[name] = _option(name, self._value(value), node.text)
        if node.function == "count" and isinstance(node.arguments[0], Text):
            return _count_nodes(self, node.text, node.arguments[0].value)
        return function(self, node.text, [self._value(argument) for argument in node.arguments], given)


def _option(name: str, value: Any, text: str) -> Any:
    """An option's value in the form that functions want: a vector, a number, a whole number or a flag."""
    wants: dict[str, tuple[type, str]] = {
        "along": (Direction, "a direction"),
        "at": (Direction, "a direction"),
        "facing": (Direction, "a direction"),
        "seen": (Direction, "a direction"),
        "diameter": (Measurement, "a number"),
        "n": (Measurement, "a number"),
        "inner": (bool, "True or False"),
    }
    kind, wording = wants[name]
    if not isinstance(value, kind):
        raise UsageError(f"{text}: {name}= takes {wording}")
    if isinstance(value, Direction):
        return value.vector
    if isinstance(value, Measurement):
        return int(value.value) if name == "n" else value.value
    return value


def _number(value: float, text: str) -> Measurement:
    return Measurement(text, "number", value, "", None, None, None, None, None, (), True, ())


def _measured(value: Any, text: str) -> Measurement:
    if not isinstance(value, Measurement):
        raise UsageError(f"{text} is a feature, not a measure: it cannot be calculated with")
    return value


def _combined(text: str, operator: str, a: Measurement, b: Measurement, kind: str | None = None) -> Measurement:
    """A sum, difference, product or ratio; plain numbers take the other side's unit in sums and differences."""
    kinds = {"+": "sum", "-": "difference", "*": "product", "/": "ratio"}
    unit: Unit
    if operator in "+-":
        if a.unit != b.unit and "number" not in (a.kind, b.kind):
            raise UsageError(f"{text}: {a.unit or 'a number'} and {b.unit or 'a number'} cannot be added")
        unit = a.unit or b.unit
        value = a.value + b.value if operator == "+" else a.value - b.value
    elif operator == "*":
        if a.unit and b.unit and (a.unit, b.unit) != ("mm", "mm"):
            raise UsageError(f"{text}: {a.unit} and {b.unit} cannot be multiplied")
        unit = "mm²" if a.unit and b.unit else a.unit or b.unit
        value = a.value * b.value
    else:
        if b.value == 0:
            raise UsageError(f"{text}: {b.expression} is 0, by which nothing can be divided")
        if a.unit == b.unit:
            unit = ""
        elif not b.unit:
            unit = a.unit
        elif (a.unit, b.unit) == ("mm²", "mm"):
            unit = "mm"
        elif (a.unit, b.unit) == ("", "mm"):
            unit = "1/mm"
        else:
            raise UsageError(f"{text}: {a.unit or 'a number'} cannot be divided by {b.unit}")
        value = a.value / b.value
    if not math.isfinite(value):
        raise UsageError(f"{text}: the result is too large")
    leaves = tuple(dict.fromkeys(a.leaves + b.leaves))
    parts = (b,) if kind == "negative" else (a, b)
    named = kind or kinds[operator]
    return Measurement(text, named, value + 0.0, unit, None, None, None, None, None, leaves, a.exact and b.exact, parts)


def _shape(value: Any, text: str) -> Shape:
    if not isinstance(value, Shape):
        raise UsageError(f"{text}: takes an occurrence's pattern in quotes")
    return value


def _direction(value: Any, text: str) -> Floats:
    if not isinstance(value, Direction):
        raise UsageError(f"{text}: takes a direction such as x, -y or up")
    return value.vector


def _feature(value: Any, text: str) -> Handle:
    if not isinstance(value, Shape | Direction | Point | Flat | Line):
        raise UsageError(f"{text}: takes features, not measures")
    return value


def _rounds(of: "Measurer", shape: Shape, given: dict[str, Any]) -> list[Round]:
    """Round bands of a shape that fit the options `inner`, `along` and `diameter`."""
    found = of.scene.rounds(shape)
    if "inner" in given:
        found = only(found, lambda band: band.inner == given["inner"])
    if "along" in given:
        found = only(found, lambda band: bool(abs(band.axis @ given["along"]) > PARALLEL))
    if "diameter" in given:
        wanted = given["diameter"]

        def fits(band: Round) -> bool:
            sizes = {band.tube, band.radius + band.tube} if band.kind == Surface.TORUS else {band.radius}
            return any(abs(2 * size - wanted) <= SAME * wanted for size in sizes)

        found = only(found, fits)
    return found


def _axis(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Line:
    shape = _shape(arguments[0], text)
    lines = of.scene.lines(_rounds(of, shape, given), text)
    return choose(lines, text, "axis", given.get("at"), given.get("n"), "at=, along=, diameter=, inner= or n=")


def _fitting_holes(of: Measurer, shape: Shape, given: dict[str, Any]) -> tuple[Hole, ...]:
    found = catalogue([of.scene.leaves[row] for row in shape.rows]).holes
    kept = []
    for hole in found:
        fits = "diameter" not in given or abs(hole.diameter - given["diameter"]) <= SAME * given["diameter"]
        if fits and ("along" not in given or abs(hole.direction @ given["along"]) > PARALLEL):
            kept.append(dataclasses.replace(hole, leaf=shape.rows[hole.leaf]))
    return tuple(kept)


def _holes(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> tuple[Hole, ...]:
    return _fitting_holes(of, _shape(arguments[0], text), given)


def _hole(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Line:
    candidates = []
    for hole in _fitting_holes(of, _shape(arguments[0], text), given):
        end = hole.position + hole.depth * hole.direction
        band = Round(
            leaf=hole.leaf,
            middle=(hole.position + end) / 2,
            axis=hole.direction,
            half=hole.depth / 2,
            radius=hole.diameter / 2,
            tube=0.0,
            kind=Surface.CYLINDER,
            inner=True,
            area=math.pi * hole.diameter * hole.depth,
            exact=hole.exact,
        )
        line = Line(hole.position, hole.direction, (hole.position, end), (band,), (hole.leaf,), hole.exact, text)
        named = f"⌀{hole.diameter:.6g} at {place_text(hole.position)}"
        candidates.append((Candidate(1.0, hole.position, named), line))
    return choose(candidates, text, "hole", given.get("at"), given.get("n"), "at=, diameter=, along= or n=")


def _plane(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Flat:
    flats = of.scene.flats(_shape(arguments[0], text), given.get("facing"), text)
    return choose(flats, text, "flat face", given.get("at"), given.get("n"), "facing=, at= or n=")


def _datum(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Flat:
    normal = _direction(arguments[0], text)
    return Flat(_measured(arguments[1], text).value * normal, normal, (), True, text)


def _centre(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Point:
    if isinstance(arguments[0], Line):
        return Point(arguments[0].at, arguments[0].leaves, arguments[0].exact, text)
    return of.scene.middle(_shape(arguments[0], text), text)


def _extreme(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Point:
    return of.scene.extreme(_shape(arguments[0], text), _direction(arguments[1], text), text)


def _end(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Point:
    line, direction = arguments[0], _direction(arguments[1], text)
    if not isinstance(line, Line):
        raise UsageError(f"{text}: takes an axis and a direction")
    low, high = line.ends
    if abs(float((high - low) @ direction)) < 1e-9:
        raise UsageError(f"{text}: both ends are equally far along that direction")
    return Point(high if (high - low) @ direction > 0 else low, line.leaves, line.exact, text)


def _meet(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Point:
    return gauges.meet(text, _feature(arguments[0], text), _feature(arguments[1], text))


def _distance(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    first, second = (_feature(value, text) for value in arguments)
    return gauges.distance(of.scene, text, first, second, given.get("along"))


def _clearance(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    first, second = (_feature(value, text) for value in arguments)
    return gauges.clearance(of.scene, text, first, second, given.get("along"))


def _extent(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    return gauges.extent(of.scene, text, _shape(arguments[0], text), _direction(arguments[1], text))


def _across(of: Measurer, text: str, value: Any, given: dict[str, Any], half: bool) -> Measurement:
    found = list(value.rounds) if isinstance(value, Line) else _rounds(of, _shape(value, text), given)
    if "inner" not in given and any(not band.inner for band in found):
        found = only(found, lambda band: not band.inner)
    plain = only(found, lambda band: band.kind == Surface.CYLINDER)
    return gauges.diameter(text, plain or found, given.get("at"), given.get("n"), half)


def _diameter(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    return _across(of, text, arguments[0], given, False)


def _radius(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    return _across(of, text, arguments[0], given, True)


def _thickness(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    return gauges.thickness(of.scene, text, _shape(arguments[0], text), given.get("along"), given.get("n"))


def _angle(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    sides = [
        _axis(of, f"axis({value.text})", [value], {}) if isinstance(value, Shape) else _feature(value, text)
        for value in arguments
    ]
    return gauges.angle(text, sides[0], sides[1], given.get("seen"))


def _count_nodes(of: Measurer, text: str, pattern: str) -> Measurement:
    """How many occurrences a pattern names, assemblies counted once and not their parts."""
    rows = of.scene.shape(pattern).rows
    expression = glob(pattern)
    count = sum(
        any(expression.fullmatch(name) for name in (node.path, node.label, node.product))
        for node in walk(of.design.root)
    )
    return Measurement(text, "count", float(count), "", None, None, None, None, None, rows, True, ())


def _count(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    if not isinstance(arguments[0], tuple):
        raise UsageError(f"{text}: counts a pattern in quotes, or holes(…)")
    rows = tuple(dict.fromkeys(hole.leaf for hole in arguments[0]))
    exact = all(hole.exact for hole in arguments[0])
    return Measurement(text, "count", float(len(arguments[0])), "", None, None, None, None, None, rows, exact, ())


def _least(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any], sign: float = 1.0) -> Measurement:
    parts = [_measured(value, text) for value in arguments]
    if len({part.unit for part in parts if part.kind != "number"}) > 1:
        raise UsageError(f"{text}: its arguments have different units")
    chosen = min(parts, key=lambda part: sign * part.value)
    unit: Unit = next((part.unit for part in parts if part.unit), "")
    exact = all(part.exact for part in parts)
    named = "minimum" if sign > 0 else "maximum"
    return dataclasses.replace(chosen, expression=text, kind=named, unit=unit, exact=exact, parts=tuple(parts))


def _most(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    return _least(of, text, arguments, given, -1.0)


def _absolute(of: Measurer, text: str, arguments: list[Any], given: dict[str, Any]) -> Measurement:
    inner = _measured(arguments[0], text)
    if inner.value >= 0:
        return dataclasses.replace(inner, expression=text)
    flipped = None if inner.direction is None else -inner.direction
    return dataclasses.replace(inner, expression=text, value=-inner.value, direction=flipped)


MANY = 1000
PICK = ("at", "n")
ROUND = ("inner", "along", "diameter", *PICK)
FUNCTIONS: dict[str, tuple[Evaluated, int, int, tuple[str, ...]]] = {
    # name: (what evaluates it, fewest and most arguments, options)
    "axis": (_axis, 1, 1, ROUND),
    "hole": (_hole, 1, 1, ("along", "diameter", *PICK)),
    "holes": (_holes, 1, 1, ("along", "diameter")),
    "plane": (_plane, 1, 1, ("facing", *PICK)),
    "datum": (_datum, 2, 2, ()),
    "centre": (_centre, 1, 1, ()),
    "center": (_centre, 1, 1, ()),
    "extreme": (_extreme, 2, 2, ()),
    "end": (_end, 2, 2, ()),
    "meet": (_meet, 2, 2, ()),
    "distance": (_distance, 2, 2, ("along",)),
    "clearance": (_clearance, 2, 2, ("along",)),
    "extent": (_extent, 2, 2, ()),
    "diameter": (_diameter, 1, 1, ROUND),
    "radius": (_radius, 1, 1, ROUND),
    "thickness": (_thickness, 1, 1, ("along", "n")),
    "angle": (_angle, 2, 2, ("seen",)),
    "count": (_count, 1, 1, ()),
    "min": (_least, 1, MANY, ()),
    "max": (_most, 1, MANY, ()),
    "abs": (_absolute, 1, 1, ()),
}
