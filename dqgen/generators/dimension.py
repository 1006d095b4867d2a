"""Dimension questions: a drawing above six views; does the design comply with a rule?"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy as np
from PIL import Image

from dqgen.errors import SpecError, UsageError
from dqgen.generators import dimension_variants as variants
from dqgen.generators import readings, studio
from dqgen.generators.closeups import random
from dqgen.generators.dimension_proof import prove
from dqgen.generators.dimension_variants import Answer, Target, Variant
from dqgen.generators.dimension_views import seen_from
from dqgen.generators.dimension_words import explanation
from dqgen.generators.draft import Draft, Generator, Task
from dqgen.generators.limits import limit_of
from dqgen.generators.occluders import bared
from dqgen.generators.prompts import fill
from dqgen.generators.sources import Sources
from dqgen.geometry.bounds import camera_box
from dqgen.geometry.measure import Measurement, measure
from dqgen.renderers.compose import Plan, Scene, compose
from dqgen.renderers.drawing.context import joined, laid_out
from dqgen.renderers.drawing.draw import Drawing, draw
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.views import VIEWS
from dqgen.rulebook.references import printed_number
from dqgen.schemas.drawing import DrawingOptions
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import PINK, Highlight, RenderOptions
from dqgen.schemas.spec import DimensionCheck, Limit, Spec

Kind = Literal["direct", "scale"]
Context = Literal["plain", "detailed"]
LADDER = (1.0, 5.0, 20.0)
"""Percent of the limit by which the steps of a ladder keep and break it."""
CLEAR = 2.0
"""A value read off by the scale bar lies as many times what a reader may be off away from the limit."""
WIDER = (1.2, 1.9)
"""If it does not, the scale bar gets designs of its own, so many times that far from the limit."""
DIRECT = (
    "All lengths in it are in {unit}. Use only dimensions that the drawing states, and assume that whatever it "
    "does not state complies."
)
SCALE_BAR = (
    "It states no dimensions: the arrow across its top is a scale bar, and the number on it is the length in {unit} "
    "that it stands for. Use it to find the dimensions that you need, and assume that whatever cannot be found so "
    "complies."
)
HIGHLIGHT = "Coloured pink in the six views: {name}."
# Said of every such picture: whether parts had to be hidden may depend on the design, and so on the answer.
HIDDEN = "Parts that would cover what is coloured may have been hidden there."
LEAST = 3e-4
"""Of a picture's pixels that show of what is highlighted in the view that shows most of it, if so many can."""
FEWEST = 150
"""Such pixels without which nobody sees what is coloured: then no question promises it."""
SECONDS = 5.5


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a check."""
    tasks = []
    names: dict[str, int] = {}
    for at, check in enumerate(spec.dimension):
        name = f"{check.rule}/{check.name}"
        names[name] = names.get(name, 0) + 1
        tasks.append(
            Task(
                kind="dimension",
                key=name if names[name] == 1 else f"{name}/{names[name]}",
                inputs={"check": check.model_dump(mode="json"), "seed": spec.seed},
                place=("dimension", at),
                questions=8 + (4 * len(LADDER) if check.ladder else 0),
                seconds=SECONDS + (20.0 if check.violations.parameter else 0.0),
            )
        )
    return tasks


@dataclass(frozen=True)
class _Shot:
    """A variant and what is asked about it."""

    name: str
    variant: Variant
    kinds: tuple[Kind, ...]


@dataclass(frozen=True)
class _Page:
    """A picture of a question with what it shows."""

    kind: Kind
    context: Context
    image: Image.Image
    evidence: Evidence

    @property
    def coloured(self) -> int:
        """Pixels of what is highlighted, in the view of the six that shows most of it."""
        shown = [part.views for part in self.evidence.occurrences if part.state == "highlighted"]
        counts = Counter[str]()
        for views in shown:
            counts.update({view: seen.pixels for view, seen in views.items()})
        return max(counts.values(), default=0)

    @property
    def hidden(self) -> frozenset[str]:
        """Paths of what its six views do not show."""
        return frozenset(part.path for part in self.evidence.occurrences if part.state == "hidden")


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """The questions of one check: on a complying and a violating design, dimensioned and with a scale bar, with the
    six views plain and with the measured components coloured; and the steps of its ladder, dimensioned.

    Raises:
        SpecError: the rule states no such limit, no edit breaks or keeps it, or the drawing cannot be made.
    """
    check = DimensionCheck.model_validate(task.inputs["check"])
    try:
        base = measure(sources.design(check.design), check.measure)
        stated = limit_of(check, sources, variants.unit_of(base))
        limit = stated.scaled()
        drafts: list[Draft] = []
        shots = _shots(check, spec, sources, limit, base)
        designs = {id(shot.variant.design): shot.variant.design for shot in shots}
        view, left_out = seen_from(check, sources, [*designs.values()])
        seen = check.model_copy(update={"view": view})
        pages = _all_pages(seen, spec, sources, shots, left_out)
    except UsageError as error:
        raise SpecError(error.what, error.where, error.mend) from None
    if any(page.context == "detailed" and page.coloured < FEWEST for _, page in pages):
        pages = [(shot, page) for shot, page in pages if page.context == "plain"]
    # One size for all pictures of a check: a changed design must not show in the size of its picture.
    size = max(page.image.width for _, page in pages), max(page.image.height for _, page in pages)
    for shot, page in pages:
        drafts.append(_draft(task, check, spec, sources, stated, shot, page, size, left_out))
    return drafts


def _shots(check: DimensionCheck, spec: Spec, sources: Sources, limit: Limit, base: Measurement) -> list[_Shot]:
    chance = random(spec.seed, "dimension", check.rule, check.name)
    found: list[_Shot] = []
    main = _pair(check, limit, base, sources, variants.distances(check.violations.percent, chance), chance)
    scale = _pixels_per_mm(check, spec, main[0])
    found += [_Shot(variant.target.answer, variant, ("direct",)) for variant in main]
    if not any(variant.text for variant in main):
        found = _with_scale_bar(check, limit, base, sources, found, scale, chance)
    if check.ladder:
        for percent in LADDER:
            steps = _pair(check, limit, base, sources, (percent, percent), chance)
            found += [_Shot(f"{variant.target.answer} {percent:g} %", variant, ("direct",)) for variant in steps]
    return found


def _pair(
    check: DimensionCheck,
    limit: Limit,
    base: Measurement,
    sources: Sources,
    percent: tuple[float, float],
    chance: np.random.Generator,
) -> list[Variant]:
    """A complying and a violating design, made in one way; of a range, at the end where that can be.

    Raises:
        SpecError: there are none.
    """
    refused: SpecError | None = None
    for sense in variants.ends(limit, chance):
        try:
            return _beside(check, limit, base, sources, variants.targets(limit, percent, sense))
        except SpecError as error:
            refused = refused or error
    assert refused is not None
    raise refused


def _beside(
    check: DimensionCheck, limit: Limit, base: Measurement, sources: Sources, wanted: tuple[Target, Target]
) -> list[Variant]:
    pair = [variants.reached(check, limit, target, base, sources) for target in wanted]
    if len({variant.text is None for variant in pair}) > 1:
        # One was edited and the other only got another text: then both get a text.
        text_only = check.model_copy(
            update={"violations": check.violations.model_copy(update={"edits": "none", "parameter": None})}
        )
        pair = [variants.reached(text_only, limit, target, base, sources) for target in wanted]
    return pair


def _with_scale_bar(
    check: DimensionCheck,
    limit: Limit,
    base: Measurement,
    sources: Sources,
    found: list[_Shot],
    scale: float,
    chance: np.random.Generator,
) -> list[_Shot]:
    """The shots with those for a scale bar: the same designs where a reader can tell, else designs further from the
    limit, and none where there are no such."""
    doubts = {shot.name: readings.doubt(shot.variant.measured, scale) for shot in found}
    if all(abs(limit.margin(shot.variant.value)) >= CLEAR * doubts[shot.name] for shot in found):
        return [replace(shot, kinds=("direct", "scale")) for shot in found]
    need = CLEAR * max(doubts.values())
    end = abs(found[0].variant.target.end) or 1.0
    percent = tuple(100 * need / end * float(part) for part in chance.uniform(*WIDER, 2))
    try:
        pair = _pair(check, limit, base, sources, (percent[0], percent[1]), chance)
    except (SpecError, UsageError):
        return found
    if any(variant.text or abs(limit.margin(variant.value)) < need for variant in pair):
        return found
    return found + [_Shot(f"{variant.target.answer} wide", variant, ("scale",)) for variant in pair]


def _pixels_per_mm(check: DimensionCheck, spec: Spec, variant: Variant) -> float:
    """Scale of a check's drawings, roughly: half the picture's width over what is drawn."""
    design = variant.design
    place = studio.studio(design)
    rows = place.rows(check.only) if check.only else range(len(place.leaves))
    box = camera_box([place.leaves[row] for row in rows], VIEWS[check.view or "left"].rotation)
    return 0.42 * spec.pictures.size / max(float(box[1, 0] - box[0, 0]), float(box[1, 1] - box[0, 1]))


def _all_pages(
    check: DimensionCheck, spec: Spec, sources: Sources, shots: Sequence[_Shot], left_out: tuple[str, ...]
) -> list[tuple[_Shot, _Page]]:
    """The pictures of all designs. What is hidden in the views of one is hidden in those of all: it would tell."""

    def made(hidden: frozenset[str]) -> list[tuple[_Shot, _Page]]:
        return [(shot, page) for shot in shots for page in _pages(check, spec, sources, shot, left_out, hidden)]

    pages = made(frozenset())
    hidden = {page.hidden for _, page in pages if page.context == "detailed"}
    return pages if len(hidden) == 1 else made(frozenset().union(*hidden))


def _pages(
    check: DimensionCheck,
    spec: Spec,
    sources: Sources,
    shot: _Shot,
    left_out: tuple[str, ...],
    hidden: frozenset[str],
) -> list[_Page]:
    """The pictures of a design.

    Args:
        check: with its view.
        spec: says how large they are.
        sources: of the spec.
        shot: the design.
        left_out: paths of what the drawing leaves out.
        hidden: paths of what the views do not show where parts are coloured.
    """
    place = studio.studio(shot.variant.design)
    source = sources.design_source(check.design)
    size, colors = spec.pictures.size, spec.pictures.colors
    coloured = check.highlight or tuple(place.leaves[row].path for row in shot.variant.measured.leaves)
    views = {
        "plain": RenderOptions(size=size, colors=colors, hide=source.hide),
        "detailed": RenderOptions(
            size=size,
            colors=colors,
            hide=(*source.hide, *(leaf.path for leaf in place.leaves if leaf.path in hidden)),
            highlight=tuple(Highlight(pattern=pattern, colour=PINK) for pattern in coloured),
        ),
    }
    drawn = place.scene(
        RenderOptions(
            size=size,
            view="drawing",
            only=check.only,
            hide=(*source.hide, *check.hide, *left_out),
            from_view=check.view,
        )
    )
    linework = Linework(drawn, False, False)

    def drawing(options: DrawingOptions, width: int) -> Drawing:
        sized = drawn.options.model_copy(update={"size": width, "drawing": options})
        return draw(replace(drawn, options=sized), linework)

    wanted = check.draw or (check.measure,)
    texts = (("d1", shot.variant.text),) if shot.variant.text is not None else ()
    options = {
        "direct": DrawingOptions(dimensions=wanted, texts=texts, sheet="none"),
        "scale": DrawingOptions(scale_bar="auto", sheet="none"),
    }
    pages: list[_Page] = []
    below: dict[tuple[str, int, int], tuple[Image.Image, Evidence]] = {}
    for kind in shot.kinds:
        made, layout = laid_out(place.scene(views["plain"]), partial(drawing, options[kind]))
        for context in ("plain", "detailed"):
            key = (context, layout.width, layout.height)
            if key not in below:
                scene = place.scene(views[context])
                if context == "detailed":
                    scene = _bared(place, scene, layout)
                below[key] = compose(scene, place.stage, layout)
            image, evidence = joined(made, *below[key])
            pages.append(_Page(kind, context, image, evidence))
    return pages


def _bared(place: studio.Studio, scene: Scene, layout: Plan) -> Scene:
    """The scene without what hides the highlighted parts in all views."""
    floor = round(LEAST * layout.width * layout.height)
    frames = [shot.frame for shot in layout.shots]
    shown = scene.rows("shown", "highlighted")
    found = bared(place.stage, place.leaves, frames, shown, scene.rows("highlighted"), floor)
    more = tuple(place.leaves[row].path for row in found.hidden)
    return place.scene(scene.options.model_copy(update={"hide": (*scene.options.hide, *more)}))


def _draft(
    task: Task,
    check: DimensionCheck,
    spec: Spec,
    sources: Sources,
    stated: Limit,
    shot: _Shot,
    page: _Page,
    size: tuple[int, int],
    left_out: tuple[str, ...],
) -> Draft:
    limit = stated.scaled()
    image = Image.new("RGB", size, (255, 255, 255))
    image.paste(page.image.convert("RGB"), (0, 0))
    evidence = page.evidence.model_copy(update={"width": size[0], "height": size[1]})
    variant, source = shot.variant, sources.design_source(check.design)
    answer: Answer = "yes" if limit.keeps(variant.value) else "no"
    assert evidence.drawing is not None
    printed = {one.expression: one.printed for one in evidence.drawing.dimensions} if page.kind == "direct" else None
    return Draft(
        kind="dimension",
        key=f"{task.key}/{page.kind}/{shot.name}/{page.context}",
        prompt=fill(
            "dimension",
            spec,
            title=source.title,
            rule=printed_number(check.rule),
            unit="mm",
            name=check.name,
            picture=(DIRECT if page.kind == "direct" else SCALE_BAR).format(unit="mm"),
            highlight=_highlight(check) if page.context == "detailed" else "",
        ),
        answer=answer,
        explanation=explanation(check, stated, variant.value, variant.measured, printed),
        cluster=f"dimension/{task.key}",
        tags={
            "dimension_type": page.kind,
            "context": page.context,
            "view": evidence.views[0].view,
            "rule": check.rule,
        },
        pictures=(studio.picture(image, evidence),),
        proof={
            "method": "measure",
            "check": check.model_dump(mode="json"),
            "made": dict(variant.made),
            "left_out": list(left_out),
            "measure": check.measure,
            "value": variant.value,
            "limit": limit.model_dump(mode="json"),
            "doubt": readings.doubt(variant.measured, evidence.views[0].pixels_per_mm),
        },
        needs=(check.rule,),
    )


def _highlight(check: DimensionCheck) -> str:
    """What the prompt says of the coloured parts."""
    said = HIGHLIGHT.format(name=check.highlight_name or "the parts that are measured")
    return f"{said} {HIDDEN}"


GENERATOR = Generator("dimension", 2, plan, run, prove)
