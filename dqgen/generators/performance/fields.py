"""A check's simulation: solved once, since all is linear, then scaled to keep or to break the limit."""

import dataclasses
from typing import Any

import numpy as np
from PIL import Image

from dqgen.errors import SpecError
from dqgen.generators import studio
from dqgen.generators.draft import Picture
from dqgen.generators.performance.result import ATTEMPTS, Result, aim, plain, printed, source
from dqgen.geometry.transforms import apply, placed
from dqgen.renderers.charts.field import BANDS, Arrow, FieldPicture, draw_field, legend_number
from dqgen.renderers.charts.style import encoded
from dqgen.renderers.views import VIEWS
from dqgen.schemas.design import Design, Floats, Ints
from dqgen.schemas.performance import FieldChart, Place
from dqgen.schemas.spec import FunctionalCheck, Limit
from dqgen.simulation.elastic import Solution
from dqgen.simulation.study import Part, find_part, limited, region, result, study

FINER = 1.3
"""By which the second mesh is finer."""
AGREE = 0.05
"""Of the result by two meshes."""
BALANCE = 1e-6
"""Forces and energies agree to this part."""
_STRENGTH = "with a yield strength{shear} of {strength} MPa"
FOUND = {
    "stress share": f"The highest stress is {{highest}} MPa; {_STRENGTH} that is {{value}}.",
    "stress factor": f"The highest stress is {{highest}} MPa; {_STRENGTH} the safety factor is {{value}}.",
    "shear factor": f"The highest shear stress is {{highest}} MPa; {_STRENGTH} the safety factor is {{value}}.",
    "deflection": "The highest deflection is {value}.",
}


@dataclasses.dataclass(frozen=True)
class Case:
    """One version of a simulation: what its load, strength and modulus are, and how the solved field scales."""

    load: float
    strength: float | None
    modulus: float
    scale: float


def make_field(
    check: FunctionalCheck,
    limit: Limit,
    keeps: bool,
    seed: tuple[object, ...],
    size: int,
    part: Part,
    solution: Solution,
) -> Result:
    """A simulation that keeps or breaks a limit.

    Raises:
        SpecError: no load, strength or modulus makes it do so.
    """
    chart = check.field
    assert chart is not None
    values, name, unit = result(chart, solution)
    highest = float(values.max())
    for attempt in range(ATTEMPTS):
        draw = source(*seed, keeps, attempt)
        goal = aim(limit, keeps, check.percent, draw)
        case = _case(chart, highest, goal.value)
        shown = float(legend_number(highest * case.scale))
        value = limited(chart, shown, case.strength)
        if goal.met_by((value,)):
            break
    else:
        raise SpecError(f"the simulation never shows {goal.value:.4g} {limit.unit}, as rounded")
    picture = _picture(check.title, chart, case, part, solution, values * case.scale, name, unit)
    image, evidence = draw_field(picture, studio.context(), VIEWS[chart.view], size)
    found = FOUND[chart.result].replace("{highest}", legend_number(shown))
    found = found.replace("{shear}", " in shear" if chart.result == "shear factor" else "")
    found = found.replace("{strength}", f"{case.strength:g}" if case.strength else "")
    facts = {"load": case.load, "strength": case.strength, "modulus": case.modulus}
    return Result(Picture(encoded(image), evidence), (value,), found, {"shown": shown, **facts})


def resolved(check: FunctionalCheck, design: Design, proof: dict[str, Any]) -> tuple[float, str]:
    """The result by a finer mesh at the stated load, strength and modulus; and what is wrong with it, if anything."""
    chart = check.field
    assert chart is not None
    stated = {key: proof[key] for key in ("load", "strength", "modulus")}
    chart = chart.model_copy(update=stated)
    solution = study(find_part(placed(design), chart.part), chart, FINER)
    values, _, _ = result(chart, solution)
    highest = float(values.max())
    value = limited(chart, highest, chart.strength)
    largest = max(float(np.abs(solution.applied).max()), 1e-9)
    if np.abs(solution.applied + solution.reaction).max() > max(BALANCE * largest, 1e-4):
        return value, "loads and reactions do not balance"
    if abs(solution.work - solution.energy) > BALANCE * solution.work:
        return value, "work and energy do not balance"
    if abs(highest / proof["shown"] - 1) > AGREE:
        return value, f"a finer mesh gives {highest:.4g} instead of {proof['shown']:.4g}"
    return value, ""


def highest_band_shows(picture: Image.Image, evidence: dict[str, Any]) -> bool:
    """Whether the legend's colours stand beside it and the part reaches its highest band."""
    pixels = np.asarray(picture.convert("RGB")).astype(int)
    for box, band in zip(evidence["legend_boxes"], BANDS, strict=True):
        left, top, right, bottom = box
        if np.abs(pixels[(top + bottom) // 2, (left + right) // 2] - band).max() > 2:
            return False
    left, top, right, bottom = evidence["part_box"]
    part = pixels[top:bottom, left:right]
    red = (part[..., 0] > 130) & (part[..., 1] < 80) & (part[..., 2] < 80)
    return bool(red.sum() > 10)


def _case(chart: FieldChart, highest: float, target: float) -> Case:
    """What has to be stated so that the field's highest value, which was solved for the chart's own numbers, makes the
    result the target."""
    load, strength, modulus = chart.load, chart.strength, chart.modulus
    now = limited(chart, highest, strength)
    falls = chart.result in ("stress factor", "shear factor")
    more = now / target if falls else target / now  # of stress or deflection
    if chart.vary == "load":
        load = float(plain(load * more, 3))
        return Case(load, strength, modulus, load / chart.load)
    if chart.vary == "modulus":
        modulus = float(plain(modulus / more, 3))
        return Case(load, strength, modulus, chart.modulus / modulus)
    assert strength is not None
    return Case(load, float(plain(strength / more, 3)), modulus, 1.0)


def _picture(
    title: str, chart: FieldChart, case: Case, part: Part, solution: Solution, values: Floats, name: str, unit: str
) -> FieldPicture:
    turn = part.frame[:3, :3]
    points = apply(part.frame, solution.points)
    box = np.array([solution.points.min(axis=0), solution.points.max(axis=0)])
    middles = solution.points[solution.facets].mean(axis=1)

    def there(place: Place) -> Ints:
        """Facets in a place."""
        return np.flatnonzero(region(place).holds(middles, box)).astype(np.int32)

    axis = apply(part.frame, box.mean(axis=0) + np.array([[0, 0, 0], [0, 0, 1]]))
    ways = axis[1] - axis[0]
    arrows = []
    for load in chart.loads:
        where = there(load.place)
        if load.direction is not None:
            arrows.append(Arrow(where, turn @ np.array(load.direction)))
        else:
            foot = axis[0] + ways * float(((apply(part.frame, middles[where]) - axis[0]) @ ways).mean())
            arrows.append(Arrow(where, None, np.array([foot, foot + ways])))
    torque = chart.loads[0].direction is None
    notes = [f"Material: {chart.material}", f"E = {case.modulus:g} MPa, ν = {chart.poisson:g}"]
    if case.strength is not None:
        shear = " in shear" if chart.result == "shear factor" else ""
        notes.append(f"Yield strength{shear}: {case.strength:g} MPa")
    factor = case.scale
    return FieldPicture(
        title, name, unit, _steady(values), _steady(points), solution.facets.astype(np.int32),
        _steady(factor * solution.displacement @ turn.T),
        tuple(arrows), f"{chart.load_name}: {printed(case.load, 'Nm' if torque else 'N')}",
        tuple(there(held.place) for held in chart.supports), tuple(notes),
    )  # fmt: skip


def _steady(values: Floats) -> Floats:
    """Rounded to a millionth of the largest: what the last bits of a solver differ by is not to be seen."""
    largest = float(np.abs(values).max())
    if largest == 0:
        return values
    step = 10.0 ** (np.floor(np.log10(largest)) - 6)
    made: Floats = np.round(values / step) * step
    return made
