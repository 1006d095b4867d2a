"""Proof of dimension questions by a second way: the limit searched in the rule's words, the measure retaken on the
triangles of the design as it was edited, and what a reader takes from the picture."""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dqgen.errors import UsageError
from dqgen.generators import dimension_variants as variants
from dqgen.generators import readings
from dqgen.generators.dimension_views import parts_of, shown_in
from dqgen.generators.draft import ProvedQuestion
from dqgen.generators.legibility import ACROSS, Sight, sides
from dqgen.generators.recount import Rays
from dqgen.generators.remeasure import CannotRemeasureError, remeasure
from dqgen.generators.sources import Sources
from dqgen.geometry.measure import measure
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.transforms import placed
from dqgen.schemas.design import Design, Floats
from dqgen.schemas.evidence import Evidence, ViewEvidence
from dqgen.schemas.spec import DimensionCheck, Limit, Spec

CHORD = 0.35
"""By how much the triangles may differ from the surfaces that they stand for, mm, degrees, or in parts of a ratio's
hundredth."""
ARROWS_OFF = 1.0
"""Pixels by which a dimension's arrows may be off its printed length."""


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """Derive the answer again."""
    proof = question.proof
    check = DimensionCheck.model_validate(proof["check"])
    limit = Limit.model_validate(proof["limit"])
    evidence = Evidence.model_validate(question.pictures[0].evidence)
    fault = _limit_in_words(check, limit, sources)
    if fault is not None:
        return fault
    design = variants.rebuilt(check, proof["made"], sources)
    if "text" not in proof["made"]:
        try:
            value = remeasure(design, check.measure)
        except (CannotRemeasureError, UsageError) as error:
            return f"the measure cannot be retaken: {error}"
        if abs(value - proof["value"]) > _slack(limit):
            return f"retaken on triangles it is {value:.6g}, not {proof['value']:.6g}"
        if not _sure(limit, value, question.answer, _slack(limit)):
            return f"retaken on triangles it is {value:.6g}, too near the limit to say '{question.answer}'"
    key = json.dumps([proof["made"], proof["check"], proof["left_out"], evidence.views[0].view], sort_keys=True)
    fault = _cannot_be_found(_Sought(key, design, check, tuple(proof["left_out"]), evidence.views[0], sources))
    if fault is not None:
        return fault
    if question.tags["dimension_type"] == "direct":
        return _direct(question, check, limit, evidence)
    return _scale_bar(question, check, limit, evidence, measure(design, check.measure))


@dataclass(frozen=True)
class _Sought:
    """What is to be found in a drawing; questions that differ in other things alone share the answer."""

    key: str
    design: Design = field(compare=False)
    check: DimensionCheck = field(compare=False)
    left_out: tuple[str, ...] = field(compare=False)
    view: ViewEvidence = field(compare=False)
    sources: Sources = field(compare=False)


@lru_cache(maxsize=8)
def _cannot_be_found(sought: _Sought) -> str | None:
    """Whether all that is measured can be found in the drawing, by rays through its pixels, coarsely."""
    design, check = sought.design, sought.check
    leaves = placed(design)
    shown = shown_in(leaves, check, sought.sources.design_source(check.design), sought.left_out)
    coarse = _coarse(sought.view)

    def look(rows: Sequence[int]) -> NDArray[np.int64]:
        return Rays(leaves, rows).seen(coarse) + 1

    everything = Rays(leaves, shown)
    for part in parts_of(design, check):
        wanted = sides(leaves, part, shown)
        missing = sorted({row for side in wanted for row in side.rows} - set(shown))
        if missing:
            return f"'{leaves[missing[0]].path}' is measured and not drawn"
        if not wanted:
            continue
        sight = Sight(look, leaves, shown, wanted)
        if sight.hidden(np.array(coarse.model_to_pixel), everything.seen(coarse, within=sight.places) + 1):
            return f"in the drawing it cannot be found where '{part.expression}' is taken"
    return None


def _coarse(view: ViewEvidence) -> ViewEvidence:
    """A drawing's view by itself, `ACROSS` pixels large."""
    left, top, width, height = view.viewport
    factor = ACROSS / max(width, height)
    matrix = np.array(view.model_to_pixel)
    matrix[:2, 3] -= left, top
    matrix[:2] *= factor
    size = (0, 0, math.ceil(width * factor), math.ceil(height * factor))
    rows = tuple(tuple(row) for row in matrix.tolist())
    changes = {"viewport": size, "pixels_per_mm": view.pixels_per_mm * factor, "model_to_pixel": rows}
    return view.model_copy(update=changes)


def _slack(limit: Limit) -> float:
    return 0.01 * CHORD if limit.unit == "1" else CHORD


def _sure(limit: Limit, value: float, answer: object, slack: float) -> bool:
    """Whether a value answers so; if it lies nearer to the limit than the slack, it must at least lie that side."""
    return limit.keeps(value) == (answer == "yes") or abs(limit.margin(value)) < slack


def _limit_in_words(check: DimensionCheck, limit: Limit, sources: Sources) -> str | None:
    """Whether each end of the limit stands in the words of its rule."""
    rule, item = sources.rule(check.rule)
    text = " ".join([rule.text, *(one.text for one in rule.items if item is None or one.id.startswith(item.id))])
    if item is not None:
        text = f"{item.text} {' '.join(item.cells)} {rule.text}"
    said = {float(number.replace(",", "")) for number in re.findall(r"\d+(?:[.,]\d+)*", text) if _is_number(number)}
    given = check.limit if isinstance(check.limit, Limit) else None
    ends = given.bounds if given is not None else limit.bounds
    for end in ends:
        if end is None:
            continue
        spoken = [end, 100 * end, end / 10, end / 25.4, end / 1000]
        if not any(abs(number - one) <= 1e-6 * max(abs(one), 1) for number in said for one in spoken):
            return f"rule {check.rule} does not say {end:g}"
    return None


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ""))
    except ValueError:
        return False
    return True


def _direct(question: ProvedQuestion, check: DimensionCheck, limit: Limit, evidence: Evidence) -> str | None:
    """The answer by the printed numbers, and the arrows of lengths held against them."""
    assert evidence.drawing is not None
    printed: dict[str, float] = {}
    for one in evidence.drawing.dimensions:
        printed[one.expression] = float(one.printed.rstrip("°").replace(",", "."))
        view = next(view for view in evidence.views if view.id == one.view)
        if one.kind == "linear" and not one.edited and len(one.tips) == 2:
            along = np.array([np.cos(np.radians(one.angle)), -np.sin(np.radians(one.angle))])
            apart = abs(float((np.array(one.tips[1]) - np.array(one.tips[0])) @ along))
            if abs(apart - printed[one.expression] * view.pixels_per_mm) > ARROWS_OFF:
                return f"its arrows stand {apart / view.pixels_per_mm:.6g} mm apart, it says {one.printed}"
    try:
        value = readings.computed(check.measure, lambda text: printed[text])
    except KeyError as error:
        if not check.draw:
            return f"the drawing does not state {error.args[0]}"
        return None
    if limit.keeps(value) != (question.answer == "yes"):
        return f"the printed numbers give {value:.6g}, which {'keeps' if limit.keeps(value) else 'breaks'} the limit"
    return None


def _scale_bar(
    question: ProvedQuestion, check: DimensionCheck, limit: Limit, evidence: Evidence, measured: Measurement
) -> str | None:
    """The answer by lengths in pixels, held against the bar as it is read off the picture."""
    assert evidence.drawing is not None
    bar, view = evidence.drawing.scale_bar, evidence.views[0]
    if bar is None:
        return "there is no scale bar"
    if evidence.drawing.dimensions:
        return "a dimension stands beside the scale bar"
    try:
        mm_per_pixel = float(bar.text) / readings.bar_length(question.pictures[0].data, bar)
    except ValueError as error:
        return str(error)
    matrix = np.array(view.model_to_pixel)[:2]
    seen: dict[str, float] = {}

    def read(one: Measurement) -> None:
        for part in one.parts:
            read(part)
        if one.parts or one.kind in ("number", "count"):
            return
        if one.kind == "angle":
            assert one.arms is not None
            a, b = (matrix[:, :3] @ arm for arm in one.arms)
            cosine = abs(float(a @ b)) / float(np.linalg.norm(a) * np.linalg.norm(b))
            seen[one.expression] = float(np.degrees(np.arccos(min(cosine, 1.0))))
        elif one.witnesses is not None:
            reach = matrix[:, :3] @ _as_seen(one, np.cross(matrix[0, :3], matrix[1, :3]))
            if one.direction is not None and one.axis is None:
                along = matrix[:, :3] @ one.direction
                reach = (reach @ along) / float(along @ along) * along
            seen[one.expression] = float(np.linalg.norm(reach)) * mm_per_pixel

    read(measured)
    try:
        value = readings.computed(check.measure, lambda text: seen[text])
    except KeyError as error:
        return f"{error.args[0]} cannot be read off the picture"
    if limit.keeps(value) != (question.answer == "yes"):
        return f"by the scale bar it is {value:.6g}, which {'keeps' if limit.keeps(value) else 'breaks'} the limit"
    if abs(value - question.proof["value"]) > question.proof["doubt"]:
        return f"by the scale bar it is {value:.6g}, not {question.proof['value']:.6g}"
    return None


def _as_seen(one: Measurement, sight: Floats) -> Floats:
    """From one end of a length to the other, mm (3,): of a diameter or radius that is not seen along its axis, from the
    axis towards the outline, which is as far from it however the axis leans."""
    assert one.witnesses is not None
    whole: Floats = one.witnesses[1] - one.witnesses[0]
    if one.axis is None:
        return whole
    across = np.cross(one.axis, sight / np.linalg.norm(sight))
    size = float(np.linalg.norm(across))
    return whole if size < 1e-6 else across / size * float(np.linalg.norm(whole))
