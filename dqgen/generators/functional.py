"""Functional performance: results of a test, a calculation or a simulation, in a version that keeps a rule's limit and
in one that breaks it."""

import io
from collections import Counter

from PIL import Image

from dqgen.errors import SpecError, UsageError
from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.limits import fits, limit_of
from dqgen.generators.performance.calculations import make_calculation, recalculated
from dqgen.generators.performance.curves import make_curve, reread
from dqgen.generators.performance.fields import highest_band_shows, make_field, resolved
from dqgen.generators.performance.result import Result, bound, figures
from dqgen.generators.performance.tables import evaluate, make_table
from dqgen.generators.prompts import fill
from dqgen.generators.sources import Sources
from dqgen.geometry.transforms import placed
from dqgen.renderers.charts import calculation, table
from dqgen.renderers.charts.style import with_unit
from dqgen.rulebook.references import printed_number, split_id
from dqgen.schemas.spec import FunctionalCheck, Limit, Spec
from dqgen.simulation.study import find_part, study

KIND = "functional"
SECONDS = {"field": 5.0}
"""Of a check's two pictures, where that is not the usual."""
USUAL_SECONDS = 0.3
SAME_READING = 0.02
"""By how much of it a value read back from pixels may differ from the one that was drawn."""
EXPLANATION = "By rule {rule}, {quantity} must be {limit}. {found} {verdict}"
DIFFERENCE_FIGURES, READ_FIGURES, EXACT_FIGURES = 2, 3, 4
"""Of a difference of two values that are read off a curve, of one such value, and of one that is printed or follows
from what is printed."""


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a check."""
    names = Counter[str]()
    tasks = []
    for at, check in enumerate(spec.functional):
        name = f"{check.rule} {check.chart}"
        names[name] += 1
        inputs = {"check": check.model_dump(mode="json"), "seed": spec.seed, "size": spec.pictures.size}
        if check.field is not None:
            inputs["design"] = sources.design_hash(check.field.design)
        tasks.append(
            Task(
                KIND,
                key=name if names[name] == 1 else f"{name}/{names[name]}",
                inputs=inputs,
                place=("functional", at),
                questions=2,
                seconds=SECONDS.get(check.chart, USUAL_SECONDS),
            )
        )
    return tasks


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """The two questions of a check.

    Raises:
        SpecError: the rule states no such limit, or the chart cannot show it kept and broken.
    """
    check = FunctionalCheck.model_validate(task.inputs["check"])
    limit = limit_of(check, sources, check.unit)
    if not fits(limit, check.unit):
        raise SpecError(f"the limit is in {limit.unit}, the result in {check.unit}")
    try:
        results = _results(check, limit, (spec.seed, task.key), spec.pictures.size, sources)
    except UsageError as error:
        raise SpecError(error.what, error.where, error.mend) from None
    return [_draft(task, check, limit, result, keeps, spec) for keeps, result in results]


def _results(
    check: FunctionalCheck, limit: Limit, seed: tuple[object, ...], size: int, sources: Sources
) -> list[tuple[bool, Result]]:
    both = (True, False)
    if check.curve is not None:
        return [(keeps, make_curve(check, limit, keeps, seed, size)) for keeps in both]
    if check.table is not None:
        return [(keeps, make_table(check, limit, keeps, seed, size)) for keeps in both]
    if check.calculation is not None:
        return [(keeps, make_calculation(check, limit, keeps, seed, size)) for keeps in both]
    assert check.field is not None
    part = find_part(placed(sources.design(check.field.design)), check.field.part)
    solution = study(part, check.field)
    return [(keeps, make_field(check, limit, keeps, seed, size, part, solution)) for keeps in both]


def _draft(task: Task, check: FunctionalCheck, limit: Limit, result: Result, keeps: bool, spec: Spec) -> Draft:
    number = figures(result.values[0], limit, _figures(check))
    value = with_unit(number, limit.unit)
    decimals = len(number.partition(".")[2])
    off = with_unit(f"{abs(limit.margin(float(number))):.{decimals}f}", limit.unit)
    off = off.replace(" %", " percentage points")
    verdict = (
        f"That stays within the limit by {off}, so the design complies."
        if keeps
        else f"That misses the limit by {off}, so the design does not comply."
    )
    number = printed_number(check.rule)
    words = {"rule": number, "quantity": check.quantity, "value": value, "limit": bound(limit), "verdict": verdict}
    try:
        explanation = (check.explanation or EXPLANATION).format(found=result.found.format(**words), **words)
    except (KeyError, IndexError, ValueError) as error:
        raise SpecError(f"the explanation cannot be filled in: {error}", mend=f"fields: {', '.join(words)}") from None
    return Draft(
        kind=KIND,
        key=f"{KIND}/{task.key}/{'kept' if keeps else 'broken'}",
        prompt=fill(KIND, spec, rule=number, picture="", subject=check.subject, quantity=check.quantity),
        answer="yes" if keeps else "no",
        explanation=explanation,
        cluster=f"{KIND}/{task.key}",
        tags={
            "chart": check.chart,
            "rule": check.rule,
            "section": split_id(check.rule)[0],
            "comparator": limit.comparator,
        },
        pictures=(result.picture,),
        proof={"method": check.chart, "task": task.key, "values": list(result.values), **result.proof},
        needs=(check.rule,),
    )


def _figures(check: FunctionalCheck) -> int:
    if check.curve is None:
        return EXACT_FIGURES
    return DIFFERENCE_FIGURES if check.curve.reading == "drop" else READ_FIGURES


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """The answer from what the picture shows and the rule's own words.

    Curves are read back from the picture's pixels; a table's cells are read again and redrawn; a calculation is carried
    out again from its givens and redrawn; a simulation is solved again on a finer mesh, its balance checked.
    """
    proof, picture = question.proof, question.pictures[0]
    check = next(
        (spec.functional[int(task.place[1])] for task in plan(spec, sources) if task.key == proof["task"]), None
    )
    if check is None:
        return f"the spec has no check '{proof['task']}'"
    limit = limit_of(check, sources, check.unit)
    if not _in_words(check, limit, sources):
        return f"rule {check.rule} does not say {bound(limit)}"
    image = Image.open(io.BytesIO(picture.data)).convert("RGB")
    evidence = picture.evidence
    wrong = ""
    values: tuple[float, ...]
    if check.curve is not None:
        try:
            values = reread(image, evidence, dict(proof))
        except ValueError as error:
            return str(error)
    elif check.table is not None:
        values = evaluate(proof["layout"], evidence["rows"], evidence["note"])
        redrawn, _ = table.draw_table(table.from_evidence(evidence), evidence["width"])
        wrong = "" if redrawn.tobytes() == image.tobytes() else "the picture is not of the table"
    elif check.calculation is not None:
        value, wrong = recalculated(evidence, proof["result"])
        values = (value,)
        redrawn, _ = calculation.draw_calculation(calculation.from_evidence(evidence), evidence["width"])
        wrong = wrong or ("" if redrawn.tobytes() == image.tobytes() else "the picture is not of the calculation")
    else:
        assert check.field is not None
        value, wrong = resolved(check, sources.design(check.field.design), dict(proof))
        values = (value,)
        wrong = wrong or ("" if highest_band_shows(image, evidence) else "the picture does not reach its highest band")
    if wrong:
        return wrong
    decisive = min(values, key=limit.margin)
    stated = float(proof["values"][0])
    allowed = max(SAME_READING * abs(stated), 0.25 * abs(limit.margin(stated)))
    if check.field is None and abs(decisive - stated) > allowed:
        return f"the picture shows {decisive:.5g} instead of {stated:.5g}"
    answer = "yes" if all(limit.keeps(value) for value in values) else "no"
    return None if answer == question.answer else f"{decisive:.5g} {limit.unit} means {answer}"


def _in_words(check: FunctionalCheck, limit: Limit, sources: Sources) -> bool:
    """Whether the rule (or its item) names these values in this unit, whatever part they were found to play."""
    rule, item = sources.rule(check.rule)
    ends = list(limit.value) if isinstance(limit.value, tuple) else [limit.value]
    named: list[float] = []
    for quantity in rule.quantities:
        if quantity.unit == limit.unit and (item is None or quantity.item == item.id):
            named += quantity.value if isinstance(quantity.value, list) else [quantity.value]
    return all(any(abs(end - one) < 1e-9 for one in named) for end in ends)


GENERATOR = Generator(KIND, 2, plan, run, prove)
