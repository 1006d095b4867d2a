"""Dimensions that the user asks for: each drawn from its measure, in a view that shows it true."""

from collections import defaultdict
from collections.abc import Iterator

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.expressions import parse
from dqgen.geometry.measure import Measurement, measure
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.dimension import Corner, Kind, Label, Request, Round, Span, Target
from dqgen.renderers.drawing.display_list import Point
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import Subject
from dqgen.renderers.drawing.tolerance import Tolerance, split
from dqgen.renderers.views import VIEWS, View, view
from dqgen.schemas.design import Floats

PREFERENCE = ("front", "left", "top", "right", "back", "bottom")
LEANING = 0.9
"""Cosine between an axis and the line of sight from which a cylinder is seen end-on rather than from the side."""
COMPOSED = ("sum", "difference", "product", "ratio", "minimum", "maximum")


def measurements(scene: Scene) -> list[Measurement]:
    """The measures that a drawing should show; those that are made of others as the others.

    Raises:
        UsageError: an expression cannot be evaluated or has nothing to draw.
    """
    found: list[Measurement] = []
    for expression in scene.options.drawing.dimensions:
        expression, tolerance = split(expression)
        parts = drawn_parts(measure(scene.design, expression))
        if tolerance is not None and parts[0].expression != parse(expression).text:
            raise UsageError("a measure made of others takes no tolerance", expression, "give it to one of them")
        found += [part for part in parts if part.expression not in {one.expression for one in found}]
    return found


def tolerances(expressions: tuple[str, ...]) -> dict[str, Tolerance]:
    """The tolerances behind measures, by expression, in the printed unit.

    Raises:
        UsageError: one is malformed, or what stands before it is no expression.
    """
    pairs = (split(text) for text in expressions)
    return {parse(expression).text: tolerance for expression, tolerance in pairs if tolerance is not None}


def drawn_parts(whole: Measurement) -> list[Measurement]:
    """The measures that stand in a drawing for this one: those that it is made of, or itself.

    Raises:
        UsageError: it has nothing to draw.
    """
    parts = _parts(whole)
    if not parts:
        raise UsageError("this measure has nothing that could be drawn", whole.expression)
    return parts


def _parts(whole: Measurement) -> list[Measurement]:
    if whole.kind in COMPOSED:
        return [part for one in whole.parts for part in _parts(one)]
    return [] if whole.witnesses is None and whole.arms is None else [whole]


def shows_true(one: Measurement, camera: View, slack: float = 0.0) -> bool:
    """Whether a view shows a measure at its true size; angles to `slack` degrees."""
    towards = camera.rotation[2]
    if one.kind == "angle":
        if one.axis is None or one.arms is None:
            return False
        if abs(float(towards @ one.axis)) > 1 - 1e-6:
            return True
        (ax, ay), (bx, by) = one.arms @ camera.rotation[:2].T
        seen = np.degrees(np.arctan2(abs(ax * by - ay * bx), ax * bx + ay * by))
        return bool(abs(float(seen) - one.value) < slack)
    if one.kind in ("diameter", "radius") and one.axis is not None:
        along = abs(float(towards @ one.axis))
        # From the side, the outlines of a cylinder are a diameter apart however its axis leans.
        return along > 1 - 1e-6 or (one.kind == "diameter" and along < LEANING)
    direction = _direction(one)
    return direction is not None and abs(float(towards @ direction)) < 1e-6


def angle_slack(numbers: Numbers) -> float:
    """Degrees by which an angle may be foreshortened unseen: a fifth of the last printed decimal."""
    return 0.2 * 10.0 ** -(1 if numbers.decimals is None else numbers.decimals)


def choose_view(wanted: list[Measurement], asked: str | None, slack: float) -> View:
    """One view that shows all these measures true: the one asked for, the first of the usual order, or an auxiliary one
    that looks at them squarely.

    Raises:
        UsageError: the view foreshortens one of them, or no view shows all.
    """
    for name in [view(asked).name] if asked else PREFERENCE:
        if all(shows_true(one, VIEWS[name], slack) for one in wanted):
            return VIEWS[name]
    if asked:
        refuse(next(one for one in wanted if not shows_true(one, view(asked), slack)), view(asked).name)
    for camera in _auxiliary(wanted):
        if all(shows_true(one, camera, slack) for one in wanted):
            return camera
    raise UsageError("no view shows all these measures at their true size", "--dimension", "draw them apart")


def _auxiliary(wanted: list[Measurement]) -> Iterator[View]:
    """Views along the axes of angles and circles, and square to lengths; the design's z axis points up in them."""
    for one in wanted:
        direction = _direction(one)
        along = one.axis if one.axis is not None else None if direction is None else _level_normal(direction)
        if along is None:
            continue
        towards = along if along @ np.array([0.3, -1.0, 0.5]) > 0 else -along
        up = np.array([0.0, 0.0, 1.0]) if abs(towards[2]) < 0.999 else np.array([0.0, 1.0, 0.0])
        right = np.cross(up, towards)
        right /= np.linalg.norm(right)
        up = np.cross(towards, right)
        yield View("auxiliary", (*right.tolist(),), (*up.tolist(),))


def _level_normal(direction: Floats) -> Floats:
    """A unit vector at right angles to a direction, level if it can be."""
    normal = np.cross(direction, [0.0, 0.0, 1.0])
    size = float(np.linalg.norm(normal))
    level: Floats = np.array([0.0, -1.0, 0.0]) if size < 1e-6 else normal / size
    return level


def refuse(one: Measurement, name: str) -> None:
    """Say that a view foreshortens a measure, and which views do not."""
    good = [other for other in PREFERENCE if shows_true(one, VIEWS[other])]
    mend = f"draw it from {', '.join(good)}" if good else "draw it without --from and --sheet, in a view of its own"
    raise UsageError(f"the view '{name}' foreshortens it", one.expression, mend)


def requests(scene: Scene, subject: Subject) -> dict[str, list[Request]]:
    """The asked-for dimensions, by the id of the view that shows each.

    Raises:
        UsageError: none of the views shows one of them true.
    """
    told: dict[str, list[Request]] = defaultdict(list)
    slack = angle_slack(subject.numbers)
    for one in measurements(scene):
        chosen = next((each for each in subject.projections if shows_true(one, each.view, slack)), None)
        if chosen is None:
            refuse(one, ", ".join(each.id for each in subject.projections))
        assert chosen is not None
        told[chosen.id].append(request(subject.labels, chosen, one))
    return told


def request(labels: Labels, projection: Projection, one: Measurement) -> Request:
    """A measure as a dimension of a view that shows it true."""
    numbers = labels.numbers
    if one.kind == "angle":
        return _corner(labels, projection, one)
    number = numbers.length(one.value)
    if one.kind in ("diameter", "radius") and one.axis is not None and one.centre is not None:
        sign = "⌀" if one.kind == "diameter" else "R"
        radius = one.value / 2 if one.kind == "diameter" else one.value
        label = _label(labels, one, "diameter" if one.kind == "diameter" else "radius", sign + number, number)
        if projection.end_on(one.axis):
            return Round(label, (Target(projection.page(one.centre), radius * projection.scale),))
        normal = np.cross(projection.view.rotation[2], one.axis)
        normal /= np.linalg.norm(normal)
        feet = [projection.foot(np.asarray(one.centre + side * radius * normal)) for side in (-1, 1)]
        return Span(label, (feet[0],), (feet[1],), _level(projection.bearing(normal)))
    assert one.witnesses is not None
    direction = _direction(one)
    assert direction is not None
    label = _label(labels, one, "linear", number, number)
    a, b = (projection.foot(point) for point in one.witnesses)
    return Span(label, (a,), (b,), _level(projection.bearing(direction)))


def _direction(one: Measurement) -> Floats | None:
    if one.direction is not None:
        return one.direction
    if one.witnesses is None:
        return None
    reach: Floats = one.witnesses[1] - one.witnesses[0]
    size = float(np.linalg.norm(reach))
    return reach / size if size > 1e-9 else None


def _level(angle: float) -> float:
    """An angle between 0 and 180, right ones exact."""
    turned = angle % 180
    for exact in (0.0, 90.0, 180.0):
        if abs(turned - exact) < 1e-6:
            return exact % 180
    return turned


def _corner(labels: Labels, projection: Projection, one: Measurement) -> Corner:
    """The angle between two sides, from the one clockwise of the other."""
    assert one.centre is not None
    assert one.arms is not None
    text = labels.numbers.angle(one.value)
    label = _label(labels, one, "angular", text, text)
    apex = projection.foot(one.centre)
    arms, lengths = one.arms, np.zeros(2)
    if one.witnesses is not None:
        lengths = np.einsum("ij,ij->i", one.witnesses - one.centre, arms)
        if lengths.sum() < 0:  # the sides lie beyond the apex: their angle there is the same
            arms, lengths = -arms, -lengths
    least = 0.5 / projection.scale  # a side without a place of its own is drawn from the apex
    reach = np.where(lengths > 1e-6, lengths, least)[:, None]
    a, b = (projection.foot(point) for point in one.centre + reach * arms)
    turn = _turn(apex.at, a.at, b.at)
    return Corner(label, apex, a, b) if turn > 0 else Corner(label, apex, b, a)


def _turn(apex: Point, a: Point, b: Point) -> float:
    """Above zero if `b` lies counter-clockwise of `a` about the apex."""
    return (a[0] - apex[0]) * (b[1] - apex[1]) - (a[1] - apex[1]) * (b[0] - apex[0])


def _label(labels: Labels, one: Measurement, kind: Kind, text: str, printed: str) -> Label:
    points = () if one.witnesses is None else tuple(one.witnesses)
    return labels.make(kind, one.value, (text,), one.expression, points, printed, 1, one.exact)
