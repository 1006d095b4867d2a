"""Measures taken a second way: from the corners of triangles alone, without the exact surfaces that they stand for.

Axes are found as the line about which a part's outline is a circle, or as that of faces whose corners stand on a
cylinder; sizes as the spread of corners. What these lack of the exact values is the height of chords.
"""

import itertools
import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError, cKDTree

from dqgen.errors import UsageError
from dqgen.generators import patch_features as features
from dqgen.generators.patch_features import Choice, Line, Plane
from dqgen.generators.patches import Patches, patches
from dqgen.generators.readings import chosen
from dqgen.geometry.expressions import Binary, Call, Flag, Name, Negative, Node, Number, Text, parse
from dqgen.geometry.occurrences import glob, match
from dqgen.geometry.transforms import Placed, apply, placed
from dqgen.schemas.design import Design, Floats, walk

DIRECTIONS: dict[str, tuple[float, float, float]] = {
    "x": (1, 0, 0), "y": (0, 1, 0), "z": (0, 0, 1), "right": (1, 0, 0), "left": (-1, 0, 0),
    "back": (0, 1, 0), "front": (0, -1, 0), "up": (0, 0, 1), "down": (0, 0, -1),
}  # fmt: skip
SPACING = 2.0
"""Between the points that stand for surfaces where gaps are measured, mm."""
BEYOND = 15.0
"""How far past a gap's corners surfaces are sampled, mm."""
MOST_POINTS = 400_000
SIDES = 8
"""Corners that an outline has at least which may be a circle: those of a rectangle lie on one, too."""


class CannotRemeasureError(Exception):
    """An expression uses what triangles alone do not tell."""


@dataclass(frozen=True)
class _Cloud:
    corners: Floats
    rows: tuple[int, ...]


_Value = float | bool | Floats | _Cloud | Line | Plane
"""A number, a flag, a point or direction (3,), or a feature."""


def remeasure(design: Design, expression: str) -> float:
    """The value of an expression.

    Raises:
        CannotRemeasureError: it uses options or features that are not known here.
        UsageError: a pattern picks nothing.
    """
    value = _Taker(design).value(parse(expression))
    if isinstance(value, bool) or not isinstance(value, float):
        raise CannotRemeasureError(f"'{expression}' is no measure")
    return value


class _Taker:
    def __init__(self, design: Design) -> None:
        self._design = design
        self._leaves: list[Placed] = placed(design)

    def value(self, node: Node) -> _Value:
        match node:
            case Number():
                return node.value
            case Flag():
                return node.value
            case Text():
                return self._cloud(node.value)
            case Name():
                if node.value == "ground":
                    low = min(float(self._corners(row)[:, 2].min()) for row in range(len(self._leaves)))
                    return Plane(np.array([0.0, 0.0, low]), np.array([0.0, 0.0, 1.0]))
                return np.array(DIRECTIONS[node.value], dtype=np.float64)
            case Negative():
                inner = self.value(node.operand)
                return -inner if isinstance(inner, float | np.ndarray) else _refuse(node)
            case Binary():
                return self._combined(node)
            case Call():
                return self._call(node)

    def _choice(self, node: Call) -> Choice:
        """A call's options."""
        given: dict[str, Any] = {name: self.value(value) for name, value in node.options}
        if "n" in given:
            given["n"] = int(given["n"])
        return Choice(node.text, **given)

    def _combined(self, node: Binary) -> float:
        left, right = self._number(node.left), self._number(node.right)
        match node.operator:
            case "+":
                return left + right
            case "-":
                return left - right
            case "*":
                return left * right
        return left / right

    def _number(self, node: Node) -> float:
        value = self.value(node)
        return value if isinstance(value, float) else _refuse(node)

    def _call(self, node: Call) -> _Value:
        if node.function in ("min", "max", "abs"):
            return chosen(node.function, [self._number(argument) for argument in node.arguments])
        if node.function == "count":
            return self._count(node)
        choice = self._choice(node)
        given = [self.value(argument) for argument in node.arguments]
        match node.function, given:
            case "axis", [_Cloud() as cloud]:
                return self._axis(cloud, choice)
            case "hole", [_Cloud() as cloud]:
                return features.hole(self._patches(cloud), choice)
            case "plane", [_Cloud() as cloud]:
                return features.plane(self._patches(cloud), choice)
            case "meet", [Line() as line, Plane() as plane]:
                far = float((plane.at - line.at) @ plane.normal) / float(line.along @ plane.normal)
                return np.asarray(line.at + far * line.along)
            case "meet", [Line() as line, Line() as other]:
                return line.nearest(other)
            case "centre" | "center", [_Cloud() as cloud]:
                return np.asarray((cloud.corners.min(axis=0) + cloud.corners.max(axis=0)) / 2)
            case "centre" | "center", [Line() as line]:
                return line.middle
            case "extreme", [_Cloud() as cloud, np.ndarray() as direction]:
                return np.asarray(cloud.corners[(cloud.corners @ direction).argmax()])
            case "end", [Line() as line, np.ndarray() as direction]:
                side = 1 if line.along @ direction > 0 else 0
                return np.asarray(line.at + line.along * line.reach[side])
            case "datum", [np.ndarray() as direction, float() as far]:
                return Plane(direction * far, direction)
            case "extent", [_Cloud() as cloud, np.ndarray() as direction]:
                return float(np.ptp(cloud.corners @ direction))
            case "diameter" | "radius", [Line() | _Cloud() as one]:
                radius = one.radius if isinstance(one, Line) else self._radius(one, choice)
                return 2 * radius if node.function == "diameter" else radius
            case "thickness", [_Cloud() as cloud]:
                return features.thickness(self._patches(cloud), choice)
            case "angle", [first, second]:
                sides = [self._axis(one, Choice(node.text)) if isinstance(one, _Cloud) else one for one in given]
                return _angle(sides[0], sides[1], choice.seen, node)
            case "distance", [first, second]:
                return self._distance(first, second, choice.along, node)
            case "clearance", [first, second]:
                return self._clearance(first, second, choice.along, node)
        return _refuse(node)

    def _distance(self, first: _Value, second: _Value, along: Floats | None, node: Node) -> float:
        if isinstance(along, np.ndarray):
            return abs(float((_place(second, node) - _place(first, node)) @ along))
        if isinstance(first, _Cloud) or isinstance(second, _Cloud):
            return max(self._clearance(first, second, None, node), 0.0)
        for one, other in ((first, second), (second, first)):
            if isinstance(one, Plane):
                return abs(float((_place(other, node) - one.at) @ one.normal))
        gap = _place(second, node) - _place(first, node)
        lines = [one for one in (first, second) if isinstance(one, Line)]
        if len(lines) == 2:
            normal = np.cross(lines[0].along, lines[1].along)
            if np.linalg.norm(normal) > 1e-3:
                return abs(float(gap @ normal)) / float(np.linalg.norm(normal))
        if lines:
            gap = gap - (gap @ lines[0].along) * lines[0].along
        return float(np.linalg.norm(gap))

    def _clearance(self, first: _Value, second: _Value, along: Floats | None, node: Node) -> float:
        for one, other in ((first, second), (second, first)):
            if isinstance(one, Plane) and isinstance(other, _Cloud):
                return float(((other.corners - one.at) @ one.normal).min())
            if isinstance(one, np.ndarray) and isinstance(other, _Cloud):
                point = _Cloud(one[None], ())
                near = self._sampled(other, point, float(cKDTree(other.corners).query(one)[0]))
                return float(cKDTree(near).query(one)[0])
        if not (isinstance(first, _Cloud) and isinstance(second, _Cloud)):
            return _refuse(node)
        if isinstance(along, np.ndarray):
            a, b = first.corners @ along, second.corners @ along
            return float(max(b.min() - a.max(), a.min() - b.max()))
        rough = float(cKDTree(first.corners).query(second.corners)[0].min())
        points = [self._sampled(one, other, rough) for one, other in ((first, second), (second, first))]
        return float(cKDTree(points[0]).query(points[1])[0].min())

    def _sampled(self, cloud: _Cloud, other: _Cloud, rough: float) -> Floats:
        """Points on those triangles of a cloud that may lie as near to another as its nearest corner does."""
        low, high = other.corners.min(axis=0) - rough - BEYOND, other.corners.max(axis=0) + rough + BEYOND
        found: list[Floats] = [cloud.corners]
        for row in cloud.rows:
            leaf = self._leaves[row]
            triangles = apply(leaf.world, leaf.solid.vertices)[leaf.solid.triangles]
            near = (triangles.max(axis=1) >= low).all(axis=1) & (triangles.min(axis=1) <= high).all(axis=1)
            triangles = triangles[near]
            sides = np.linalg.norm(triangles - np.roll(triangles, 1, axis=1), axis=2).max(axis=1, initial=0.0)
            for steps in np.unique(np.ceil(sides / SPACING).astype(int)):
                some = triangles[np.ceil(sides / SPACING).astype(int) == steps]
                if steps > 1:
                    shares = [
                        (i / steps, j / steps, (steps - i - j) / steps)
                        for i, j in itertools.product(range(steps + 1), repeat=2)
                        if i + j <= steps
                    ]
                    if len(shares) * len(some) > MOST_POINTS:
                        raise CannotRemeasureError("its surfaces are too large to be sampled")
                    found.append(np.einsum("sk,tkd->std", np.array(shares), some).reshape(-1, 3))
        return np.concatenate(found)

    def _patches(self, cloud: _Cloud) -> list[Patches]:
        return [patches(self._leaves[row], row) for row in cloud.rows]

    def _axis(self, cloud: _Cloud, choice: Choice) -> Line:
        """That of round faces; if they do not tell, the line about which the whole outline is a circle."""
        try:
            return features.axis(self._patches(cloud), choice)
        except UsageError:
            if choice.free:
                return _outline(cloud.corners)
            raise

    def _radius(self, cloud: _Cloud, choice: Choice) -> float:
        """That of round faces or of the tube that all faces form; if they do not tell, that of the outline."""
        radius = features.radius(self._patches(cloud), choice)
        return _outline(cloud.corners).radius if radius is None else radius

    def _count(self, node: Call) -> float:
        match node.arguments:
            case (Call(function="holes", arguments=(Text(value=pattern),)) as holes,):
                choice = self._choice(holes)
                return float(len(features.holes(self._patches(self._cloud(pattern)), choice)))
            case (Text(value=pattern),):
                expression = glob(pattern)
                return float(
                    sum(
                        any(expression.fullmatch(name) for name in (one.path, one.label, one.product))
                        for one in walk(self._design.root)
                    )
                )
        return _refuse(node)

    def _cloud(self, pattern: str) -> _Cloud:
        rows = tuple(sorted(match(self._leaves, pattern)))
        return _Cloud(np.concatenate([self._corners(row) for row in rows]), rows)

    def _corners(self, row: int) -> Floats:
        leaf = self._leaves[row]
        return apply(leaf.world, leaf.solid.vertices[np.unique(leaf.solid.triangles)])


def _refuse(node: Node) -> "_Never":
    raise CannotRemeasureError(f"'{node.text}' is not known here")


_Never = float  # what `_refuse` never returns fits wherever a number is asked for


def _place(value: _Value, node: Node) -> Floats:
    if isinstance(value, np.ndarray):
        return value
    if isinstance(value, Line | Plane):
        return value.at
    return np.full(3, _refuse(node))


def _angle(first: _Value, second: _Value, seen: Floats | None, node: Node) -> float:
    cosine = abs(float(_slant(first, seen, node) @ _slant(second, seen, node)))
    angle = math.degrees(math.acos(min(cosine, 1.0)))
    one_flat = isinstance(first, Plane) != isinstance(second, Plane)
    return 90.0 - angle if one_flat and seen is None else angle


def _slant(value: _Value, seen: Floats | None, node: Node) -> Floats:
    """The unit direction of a line or of a plane's normal; looked at along `seen`, of the line that either shows as."""
    if isinstance(value, Plane):
        bearing = value.normal if seen is None else np.cross(value.normal, seen)
    elif isinstance(value, Line):
        bearing = value.along
    else:
        bearing = value if isinstance(value, np.ndarray) else np.full(3, _refuse(node))
    if seen is not None:
        bearing = bearing - float(bearing @ seen) * seen
    slant: Floats = bearing / np.linalg.norm(bearing)
    return slant


def _outline(corners: Floats) -> Line:
    """The line about which the outline of points is most nearly a circle, along a principal axis or an axis of the
    design. The circle goes through the outline's corners (least squares, I. Kåsa 1976).

    Raises:
        UsageError: no outline is a circle.
    """
    middle = corners.mean(axis=0)
    _, _, principal = np.linalg.svd(corners - middle, full_matrices=False)
    best: tuple[float, Line] | None = None
    for along in (*np.eye(3), *principal):
        across = np.linalg.svd(along[None, :])[2][1:]
        flat = (corners - middle) @ across.T
        try:
            hull = flat[ConvexHull(flat).vertices]
        except QhullError:
            continue
        if len(hull) < SIDES:
            continue
        system = np.column_stack([2 * hull, np.ones(len(hull))])
        (x, y, rest), *_ = np.linalg.lstsq(system, (hull**2).sum(axis=1), rcond=None)
        radius = math.sqrt(max(float(rest + x * x + y * y), 0.0))
        off = float(np.abs(np.hypot(hull[:, 0] - x, hull[:, 1] - y) - radius).max()) / max(radius, 1e-9)
        at = middle + np.array([x, y]) @ across
        reach = (corners - at) @ along
        line = Line(np.asarray(at), np.asarray(along), radius, (float(reach.min()), float(reach.max())))
        if best is None or off < best[0] - 1e-6:
            best = off, line
    if best is None or best[0] > 0.2:
        raise UsageError("no outline of it is a circle")
    return best[1]
