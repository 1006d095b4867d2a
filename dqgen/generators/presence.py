"""Presence questions: a close-up above six whole views; is a component visible in it?"""

from dataclasses import dataclass, replace

import numpy as np
from PIL import Image

from dqgen.errors import SpecError
from dqgen.generators import closeups, studio
from dqgen.generators.closeups import CloseUp, Subject
from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.prompts import fill
from dqgen.generators.recount import Rays
from dqgen.generators.sources import Sources
from dqgen.geometry.bounds import camera_box
from dqgen.geometry.occurrences import glob
from dqgen.renderers import closeup
from dqgen.renderers.compose import Plan, compose
from dqgen.renderers.views import SHEET, VIEWS
from dqgen.rulebook.terms import mention_type
from dqgen.schemas.design import Design
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import RenderOptions
from dqgen.schemas.spec import Component, DesignSource, Spec

RIM = 2
"""Pixels around a close-up in which rays must not find an absent component either: edges are drawn that wide."""
AGREED = 0.97
"""Of the floor that the recount of a visible component must reach."""
SECONDS = 0.5


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a close-up, with two questions each.

    Raises:
        SpecError: a design has a single component to ask about.
    """
    tasks = []
    for number, design in enumerate(spec.designs):
        asked = [component for component in design.components if "presence" in component.kinds]
        if len(asked) == 1:
            raise SpecError(
                f"design '{design.name}' has one component for presence questions",
                sources.where(("designs", number, "components", 0)),
                "name two or more",
            )
        tasks += [
            Task(
                kind="presence",
                key=f"{design.name}/{component.name}",
                inputs={"design": design.name, "component": component.name},
                place=("designs", number, "components", design.components.index(component)),
                questions=2,
                seconds=SECONDS,
            )
            for component in asked
        ]
    return tasks


@dataclass(frozen=True)
class _Session:
    """The close-ups of a design and what is asked about each.

    Attributes:
        components: those asked about.
        subjects: the same, as rows.
        shots: their close-ups; None where it shows in none.
        absent: by close-up, the row of the component that is asked for and absent; None if there is none.
        plan: of a picture, all but the close-up's own frame.
        context: the picture with nothing but the six views, and what is known of them.
    """

    components: tuple[Component, ...]
    subjects: tuple[Subject, ...]
    shots: tuple[CloseUp | None, ...]
    absent: tuple[int | None, ...]
    plan: Plan
    context: tuple[Image.Image, Evidence]


def _called(component: Component) -> str:
    """A component's name with its synonyms: `undertray (also called floor)`."""
    *others, last = component.synonyms or ("",)
    if not last:
        return component.name
    return f"{component.name} (also called {', '.join(others)}{' or ' if others else ''}{last})"


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """The close-up of a component with its two questions.

    Raises:
        SpecError: the component shows in no close-up, or another in all of them.
    """
    design = sources.design_source(task.inputs["design"])
    place = studio.studio(sources.design(design.name))
    session = _session(spec, design, place)
    at = [component.name for component in session.components].index(task.inputs["component"])
    shot, subject = session.shots[at], session.subjects[at]
    if shot is None:
        raise SpecError(
            f"'{subject.name}' shows in no close-up, whatever is hidden",
            mend="check its pattern, or leave it to other kinds (kinds: [])",
        )
    other = session.absent[at]
    if other is None:
        raise SpecError(
            f"'{subject.name}' shows in too many close-ups to be asked for where it is absent",
            mend="name more components elsewhere, or leave it to other kinds (kinds: [definition])",
        )
    options = _options(spec, design, [place.leaves[row].path for row in shot.hidden])
    first = replace(session.plan.shots[0], frame=shot.frame)
    image, evidence = compose(place.scene(options), place.stage, replace(session.plan, shots=(first,)))
    # The six whole views show the whole design; only the close-up lacks what is hidden.
    below, context = session.context
    whole = below.copy()
    whole.paste(image.crop((0, 0, image.width, first.tile.box.height)), (0, 0))
    evidence = _joined(evidence, context)
    picture = studio.picture(whole, evidence)
    close = evidence.views[0].id
    area = shot.frame.width * shot.frame.height
    drafts = []
    for answer, asked in (("yes", at), ("no", other)):
        component, rows = session.components[asked], session.subjects[asked].rows
        mention, _ = mention_type(sources.rulebook.rules, component.name, component.synonyms)
        drafts.append(
            Draft(
                kind="presence",
                key=f"{task.key}/{'present' if answer == 'yes' else 'absent'}",
                prompt=fill(
                    "presence",
                    spec,
                    title=design.title,
                    component=_called(component),
                    verb="are" if component.plural else "is",
                    views=f"{', '.join(SHEET[:-1])} and {SHEET[-1]}",
                ),
                answer=answer,
                cluster=f"presence/{task.key}",
                tags={"mentions": mention, "view": shot.frame.view.name, "hidden": "yes" if shot.hidden else "no"},
                pictures=(picture,),
                proof={
                    "method": "pixels",
                    "design": design.name,
                    "component": component.name,
                    "pixels": sum(evidence.occurrences[row].views[close].pixels for row in rows),
                    "floor": round(closeups.LEAST_SHARE * area),
                },
                terms=(component.name, *component.synonyms),
            )
        )
    return drafts


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """Recount the component's pixels in the close-up by rays: above the floor for yes, none for no."""
    evidence = Evidence.model_validate(question.pictures[0].evidence)
    proof = question.proof
    design = sources.design_source(proof["design"])
    place = studio.studio(sources.design(design.name))
    component = next((one for one in design.components if one.name == proof["component"]), None)
    if component is None:
        return f"no component '{proof['component']}' in design '{design.name}'"
    rows = studio.component_rows(place, component.pattern, design, component.name)
    states = {one.path: one.state for one in evidence.occurrences}
    shown = [row for row, leaf in enumerate(place.leaves) if states[leaf.path] == "shown"]
    view = evidence.views[0]
    seen = np.isin(Rays(place.leaves, shown).seen(view, pad=RIM), rows)
    inside = int(seen[RIM:-RIM, RIM:-RIM].sum())
    if question.answer == "yes" and inside < AGREED * proof["floor"]:
        return f"rays find it on {inside} pixels, fewer than {proof['floor']}"
    if question.answer == "no" and seen.any():
        return f"rays find it on {int(seen.sum())} pixels"
    return None if question.answer in ("yes", "no") else f"'{question.answer}' is neither yes nor no"


def _options(spec: Spec, design: DesignSource, hidden: list[str]) -> RenderOptions:
    return RenderOptions(
        view="closeup",
        context=True,
        size=spec.pictures.size,
        colors=spec.pictures.colors,
        hide=(*design.hide, *hidden),
    )


def _session(spec: Spec, design: DesignSource, place: studio.Studio) -> _Session:
    """Close-ups of all components of a design. The last ones are kept: tasks of one design follow each other."""
    key = spec, design, place.design
    if not _last or any(mine is not theirs for mine, theirs in zip(_last[0][0], key, strict=True)):
        _last[:] = [(key, _made(spec, design, place))]
    return _last[0][1]


_last: list[tuple[tuple[Spec, DesignSource, Design], _Session]] = []


def _made(spec: Spec, design: DesignSource, place: studio.Studio) -> _Session:
    """All at once, since which component is asked for where depends on all of them."""
    scene = place.scene(_options(spec, design, []))
    layout = closeup.over_context(scene, VIEWS["top"], camera_box(place.leaves, VIEWS["top"].rotation))
    first = layout.shots[0].frame
    components = tuple(component for component in design.components if "presence" in component.kinds)
    subjects = tuple(_subject(place, design, component) for component in components)
    shots = tuple(closeups.close_ups(place, scene.rows("shown"), subjects, (first.width, first.height), spec.seed))
    absent = closeups.absent(subjects, shots, place, spec.seed)
    context = compose(scene, place.stage, replace(layout, shots=layout.shots[1:]))
    return _Session(components, subjects, shots, tuple(absent), layout, context)


def _subject(place: studio.Studio, design: DesignSource, component: Component) -> Subject:
    rows = studio.component_rows(place, component.pattern, design, component.name)
    groups: dict[str, list[int]] = {}
    for row in rows:
        groups.setdefault(_topmost(place, row, component), []).append(row)
    alike = {*rows, *place.rows(component.avoid)}
    return Subject(
        component.name,
        tuple(rows),
        tuple(tuple(group) for group in groups.values()),
        frozenset(alike),
        tuple(place.rows(component.hide)),
    )


def _topmost(place: studio.Studio, row: int, component: Component) -> str:
    """Path of the topmost node above a leaf that a component's patterns name."""
    leaf = place.leaves[row]
    expressions = [glob(pattern) for pattern in component.pattern]
    for node in (*leaf.ancestors, leaf.occurrence):
        if any(one.fullmatch(name) for one in expressions for name in (node.path, node.label, node.product)):
            return node.path
    return leaf.path


def _joined(close: Evidence, context: Evidence) -> Evidence:
    """The evidence of a close-up with that of the six views below it; a view shown twice gets a number."""
    taken = {view.id for view in close.views}
    names = {view.id: f"{view.id}#2" if view.id in taken else view.id for view in context.views}
    views = (*close.views, *(view.model_copy(update={"id": names[view.id]}) for view in context.views))
    occurrences = tuple(
        one.model_copy(update={"views": {**one.views, **{names[name]: seen for name, seen in other.views.items()}}})
        for one, other in zip(close.occurrences, context.occurrences, strict=True)
    )
    return close.model_copy(update={"views": views, "occurrences": occurrences})


GENERATOR = Generator("presence", 2, plan, run, prove)
