"""Definition questions: six views with a component highlighted; what is it called?"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from dqgen.errors import SpecError
from dqgen.generators import studio
from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.occluders import Bared, bared
from dqgen.generators.prompts import fill
from dqgen.generators.recount import Rays
from dqgen.generators.sources import Sources
from dqgen.renderers import multiview
from dqgen.renderers.compose import Scene, compose
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.terms import mention_type
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import PINK, Highlight, RenderOptions
from dqgen.schemas.spec import Component, DesignSource, Spec

COLOUR = "pink"
LEAST, CLEAR = 1e-4, 3e-4
"""Of a picture's pixels that must show of the component in the view that shows most of it, and that shall."""
HIDDEN = "Parts that would cover it have been hidden."
AGREED = 0.97
"""Of the floor that the recount must reach: either may count pixels whose centre lies on an edge."""
SECONDS = 1.3


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a component."""
    return [
        Task(
            kind="definition",
            key=f"{design.name}/{component.name}",
            inputs={"design": design.name, "component": component.name},
            place=("designs", number, "components", at),
            seconds=SECONDS,
        )
        for number, design in enumerate(spec.designs)
        for at, component in enumerate(design.components)
        if "definition" in component.kinds
    ]


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
    if max(found.pixels) < floor:
        raise SpecError(
            f"'{component.name}' shows on {max(found.pixels)} pixels at best, {floor} are needed",
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
                "floor": floor,
            },
            terms=names,
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
    if max(counts) < AGREED * question.proof["floor"]:
        return f"rays find it on {max(counts)} pixels at best, fewer than {question.proof['floor']}"
    return None


def recount(place: studio.Studio, evidence: Evidence, paths: set[str]) -> list[int]:
    """Pixels that leaves cover in each view of a picture, by rays."""
    states = {one.path: one.state for one in evidence.occurrences}
    shown = [row for row, leaf in enumerate(place.leaves) if states[leaf.path] in ("shown", "highlighted")]
    wanted = [row for row, leaf in enumerate(place.leaves) if leaf.path in paths]
    rays = Rays(place.leaves, shown)
    return [
        int(np.isin(rays.seen(view), wanted).sum()) for view in evidence.views if view.silhouette_pixels is not None
    ]


def _bared(place: studio.Studio, scene: Scene, rows: Sequence[int]) -> tuple[int, Bared]:
    sheet = multiview.plan(scene)
    floor = round(LEAST * sheet.width * sheet.height)
    frames = [shot.frame for shot in sheet.shots]
    clear = max(floor, round(CLEAR * sheet.width * sheet.height))
    return floor, bared(place.stage, place.leaves, frames, scene.rows("shown", "highlighted"), rows, clear)


def _asked(inputs: Mapping[str, Any], sources: Sources) -> tuple[DesignSource, Component]:
    design = sources.design_source(inputs["design"])
    return design, next(one for one in design.components if one.name == inputs["component"])


GENERATOR = Generator("definition", 2, plan, run, prove)
