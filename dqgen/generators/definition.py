"""Definition questions: six views with a component highlighted; what is it called?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dqgen.errors import SpecError
from dqgen.generators import studio
from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.occluders import Bared, Floor, bared
from dqgen.generators.prompts import fill
from dqgen.generators.rays import Rays
from dqgen.generators.sources import Sources
from dqgen.renderers import multiview
from dqgen.renderers.compose import Scene, compose
from dqgen.rulebook.terms import mention_pattern, mention_type
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import PINK, Highlight, RenderOptions
from dqgen.schemas.spec import Component, DesignSource, Spec

COLOUR = "pink"
TOTAL = 2e-4
"""Of a picture's pixels that must show of the component in all views together,"""
BEST = 1e-4
"""and in the view that shows most of it."""
HIDDEN = "Some parts have been hidden so that it can be seen."
RAY_STEP = 2
"""Rays recount every second pixel, across and down."""
AGREED = 0.9
"""Of the floor that the recount must reach: it samples a quarter of the pixels."""
SECONDS = 2.5


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a component."""
    return [
        Task(
            kind="definition",
            key=f"definition/{design.name}/{component.name}",
            inputs={
                "design": design.name,
                "component": at,
                **component_inputs(spec, sources, design, component),
            },
            place=("designs", number, "components", at),
            seconds=SECONDS,
        )
        for number, design in enumerate(spec.designs)
        for at, component in enumerate(design.components)
        if "definition" in component.kinds
    ]


def component_inputs(
    spec: Spec, sources: Sources, design: DesignSource, component: Component | None = None
) -> dict[str, Any]:
    """What shapes the pictures of a design's components, or of one of them, for a task's hash."""
    leave_out = {"components"} if component is not None else set()
    return {
        "source": design.model_dump(mode="json", exclude=leave_out),
        "file": sources.design_hash(design.name),
        "rulebook": sources.sha256(spec.rulebook.file),
        "profile": spec.rulebook.profile,
        "prompts": spec.prompts.model_dump(mode="json"),
        "name": spec.name,
        "pictures": spec.pictures.model_dump(mode="json"),
        **({"asked": component.model_dump(mode="json")} if component is not None else {}),
    }


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """The question about one component.

    Raises:
        SpecError: the component shows in too few pixels whatever is hidden, or the prompt would name it.
    """
    design, component = _asked(task.inputs, sources)
    place = studio.studio(sources.design(design.name))
    rows = studio.component_rows(place, component.pattern, design, component.name)
    options = RenderOptions(
        size=spec.pictures.size,
        colors=spec.pictures.colors,
        highlight=tuple(Highlight(pattern=pattern, colour=PINK) for pattern in component.pattern),
        hide=(*design.hide, *component.hide),
    )
    scene = place.scene(options)
    floor, found = _bared(place, scene, rows)
    if not floor.met(found.pixels):
        raise SpecError(
            f"'{component.name}' shows in {max(found.pixels)} pixels of one view and {sum(found.pixels)} of all, "
            f"{floor.best} and {floor.total} are needed",
            mend="name more occurrences, take larger pictures, or leave it out",
        )
    if found.hidden:
        more = tuple(place.leaves[row].path for row in found.hidden)
        scene = place.scene(options.model_copy(update={"hide": (*options.hide, *more)}))
    image, evidence = compose(scene, place.stage, multiview.plan(scene))
    prompt = fill(
        "definition", spec, title=design.title, colour=COLOUR, hidden=HIDDEN if found.hidden or component.hide else ""
    )
    names = (component.name, *component.synonyms)
    told = mention_pattern(names).search(prompt)
    if told is not None:
        raise SpecError(f"the prompt names what it asks for: '{told.group()}'", mend="reword the prompt or the title")
    mention, _ = mention_type(sources.rulebook.rules, component.name, component.synonyms)
    pixels = {view.id: count for view, count in zip(evidence.views, found.pixels, strict=True)}
    return [
        Draft(
            kind="definition",
            key=task.key,
            prompt=prompt,
            answer=component.name,
            synonyms=component.synonyms,
            cluster=design.name,
            tags={"mentions": mention, "hidden": "yes" if found.hidden or component.hide else "no"},
            pictures=(studio.picture(image, evidence),),
            proof={
                "method": "pixels",
                "design": design.name,
                "paths": [place.leaves[row].path for row in rows],
                "pixels": pixels,
                "floor": {"total": floor.total, "best": floor.best},
            },
        )
    ]


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """Recount the highlighted pixels by rays, and find the component's name in the spec by what is highlighted."""
    evidence = Evidence.model_validate(question.pictures[0].evidence)
    place = studio.studio(sources.design(question.proof["design"]))
    highlighted = {one.path for one in evidence.occurrences if one.state == "highlighted"}
    design = sources.design_source(question.proof["design"])
    meant = [
        component
        for component in design.components
        if {place.leaves[row].path for row in studio.component_rows(place, component.pattern, design, component.name)}
        == highlighted
    ]
    if question.answer not in [component.name for component in meant]:
        return f"what is highlighted is {' or '.join(one.name for one in meant) or 'nothing known'}"
    counts = recount(place, evidence, highlighted)
    if (
        sum(counts) < AGREED * question.proof["floor"]["total"]
        or max(counts) < AGREED * question.proof["floor"]["best"]
    ):
        return f"rays find it on {max(counts)} pixels of one view and {sum(counts)} of all"
    return None


def recount(place: studio.Studio, evidence: Evidence, paths: set[str]) -> list[int]:
    """Pixels that leaves cover in each view of a picture, by rays."""
    states = {one.path: one.state for one in evidence.occurrences}
    shown = [row for row, leaf in enumerate(place.leaves) if states[leaf.path] in ("shown", "highlighted")]
    wanted = [row for row, leaf in enumerate(place.leaves) if leaf.path in paths]
    rays = Rays(place.leaves, shown)
    return [
        int(np.isin(rays.seen(view, step=RAY_STEP), wanted).sum()) * RAY_STEP**2
        for view in evidence.views
        if view.silhouette_pixels is not None
    ]


def _bared(place: studio.Studio, scene: Scene, rows: Sequence[int]) -> tuple[Floor, Bared]:
    sheet = multiview.plan(scene)
    pixels = sheet.width * sheet.height
    floor = Floor(total=round(TOTAL * pixels), best=round(BEST * pixels))
    frames = [shot.frame for shot in sheet.shots]
    shown = scene.rows("shown", "highlighted")
    return floor, bared(place.stage, place.leaves, frames, shown, rows, floor)


def _asked(inputs: Mapping[str, Any], sources: Sources) -> tuple[DesignSource, Component]:
    design = sources.design_source(inputs["design"])
    return design, design.components[inputs["component"]]


GENERATOR = Generator("definition", 1, plan, run, prove)
