"""Dimensions that the user asks for: each drawn from its measure, in a view that shows it true."""

from collections import defaultdict

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.measure import Measurement, measure
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.dimension import Corner, Foot, Kind, Label, Request, Round, Span, Target
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.subject import Subject
from dqgen.renderers.views import VIEWS, View, view
from dqgen.schemas.design import Floats

PREFERENCE = ("front", "left", "top", "right", "back", "bottom")
LENGTHS = ("distance", "extent", "clearance", "thickness")
COMPOSED = ("sum", "difference", "product", "ratio", "minimum", "maximum")


def measurements(scene: Scene) -> list[Measurement]:
    """The measures that a drawing should show; those that are made of others as the others.

    Raises:
        UsageError: an expression cannot be evaluated or has nothing to draw.
    """
    found: list[Measurement] = []
    for expression in scene.options.drawing.dimensions:
        parts = _parts(measure(scene.design, expression))
        if not parts:
            raise UsageError("this measure has nothing that could be drawn", expression)
        found += [part for part in parts if part.expression not in {one.expression for one in found}]
    return found


def _parts(whole: Measurement) -> list[Measurement]:
    if whole.kind in COMPOSED:
        return [part for one in whole.parts for part in _parts(one)]
    return [] if whole.witnesses is None and whole.arms is None else [whole]


def shows_true(one: Measurement, camera: View) -> bool:
    """Whether a view shows a measure at its true size."""
    towards = camera.rotation[2]
    if one.kind == "angle":
        return one.axis is not None and abs(float(towards @ one.axis)) > 1 - 1e-6
    if one.kind in ("diameter", "radius") and one.axis is not None:
        along = abs(float(towards @ one.axis))
        return along > 1 - 1e-6 or (one.kind == "diameter" and along < 1e-6)
    direction = _direction(one)
    return direction is not None and abs(float(towards @ direction)) < 1e-6


def choose_view(wanted: list[Measurement], asked: str | None) -> str:
    """One view that shows all these measures true: the one asked for, or the first of the usual order.

    Raises:
        UsageError: the view foreshortens one of them, or no view shows all.
    """
    names = [view(asked).name] if asked else list(PREFERENCE)
    for name in names:
        if all(shows_true(one, VIEWS[name]) for one in wanted):
            return name
    if asked:
        refuse(next(one for one in wanted if not shows_true(one, VIEWS[names[0]])), names[0])
    raise UsageError("no view shows all these measures at their true size", "--dimension", "draw them apart")


def refuse(one: Measurement, name: str) -> None:
    """Say that a view foreshortens a measure, and which views do not."""
    good = [other for other in PREFERENCE if shows_true(one, VIEWS[other])]
    mend = f"draw it from {', '.join(good)}" if good else "no orthographic view shows it at its true size"
    raise UsageError(f"the view '{name}' foreshortens it", one.expression, mend)


def requests(scene: Scene, subject: Subject) -> dict[str, list[Request]]:
    """The asked-for dimensions, by the id of the view that shows each.

    Raises:
        UsageError: none of the views shows one of them true.
    """
    told: dict[str, list[Request]] = defaultdict(list)
    for one in measurements(scene):
        chosen = next((each for each in subject.projections if shows_true(one, each.view)), None)
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
    apex = projection.page(one.centre)
    reach = 20.0 / projection.scale
    ends: list[Foot] = []
    for row, arm in enumerate(one.arms):
        point = one.centre + reach * arm
        if one.witnesses is not None:
            length = float((one.witnesses[row] - one.centre) @ arm)
            if length > 1e-6:
                point = one.centre + length * arm
        ends.append(projection.foot(np.asarray(point)))
    a, b = ends[0].at, ends[1].at
    turn = (a[0] - apex[0]) * (b[1] - apex[1]) - (a[1] - apex[1]) * (b[0] - apex[0])
    return Corner(label, apex, a, b) if turn > 0 else Corner(label, apex, b, a)


def _label(labels: Labels, one: Measurement, kind: Kind, text: str, printed: str) -> Label:
    points = () if one.witnesses is None else tuple(one.witnesses)
    return labels.make(kind, one.value, (text,), one.expression, points, printed, 1, one.exact)
