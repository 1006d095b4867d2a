"""`draw`: a scene as a drawing, in every format asked for, with its evidence; and lint before anything is written."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dqgen.errors import RenderError, UsageError
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.bare_drawing import compose_bare
from dqgen.renderers.drawing.composition import Composition
from dqgen.renderers.drawing.evidence import drawing_evidence
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.lint import LEAST_PIXELS, lint
from dqgen.renderers.drawing.panels import LABEL_HEIGHT
from dqgen.renderers.drawing.sheet_drawing import SheetDrawings, smallness
from dqgen.schemas.evidence import Evidence, LintFinding

GROWING = ("A3", "A2", "A1", "A0")
"""The sheets that `auto` tries in turn, until one takes the views and shows no fault."""


@dataclass(frozen=True)
class Drawing:
    """A composed drawing and the evidence of its picture of `size` pixels."""

    composition: Composition
    evidence: Evidence


def draw(scene: Scene, linework: Linework | None = None) -> Drawing:
    """Compose a drawing and look for faults.

    Args:
        scene: what to draw.
        linework: its lines, where several drawings of one scene share them; bare views alone use it.

    Raises:
        RenderError: it fits no sheet, or has faults and is not forced; see the composers.
        UsageError: see the composers.
    """
    options = scene.options.drawing
    bare = options.sheet == "none" or (
        options.sheet == "auto" and (bool(options.dimensions) or options.scale_bar is not None)
    )
    if bare:
        return _accepted(scene, [_with_evidence(scene, compose_bare(scene, scene.options.size, linework))])
    return _accepted(scene, _tried(scene, GROWING if options.sheet == "auto" else (options.sheet,)))


def _tried(scene: Scene, names: Sequence[str]) -> list[Drawing]:
    """Drawings on sheets of those names, in turn, until one has no fault and is not small; sheets on which it would be
    small come last."""
    sheets = SheetDrawings(scene)
    tried: dict[str, Drawing] = {}
    refused: dict[str, RenderError] = {}
    waiting = [(name, name == names[-1]) for name in names]
    while waiting:
        name, small = waiting.pop(0)
        try:
            composition = sheets.compose(name, small)
        except RenderError as error:
            refused[name] = error
            continue
        if composition is None:
            waiting.append((name, True))
            continue
        tried[name] = _with_evidence(scene, composition)
        if not _findings(tried[name]) and _smallness(tried[name]) == 0:
            break
    if not tried:
        raise refused[names[-1]]
    return [tried[name] for name in names if name in tried]


def _with_evidence(scene: Scene, composition: Composition) -> Drawing:
    page = composition.page
    long = max(page.width, page.height)
    size = scene.options.size
    if composition.sheet != "none":
        size = max(size, math.ceil(LEAST_PIXELS / LABEL_HEIGHT * long) + 1)
    width, height = round(size * page.width / long), round(size * page.height / long)
    evidence = drawing_evidence(scene, composition, width, height)
    assert evidence.drawing is not None
    found = lint(evidence)
    drawing = evidence.drawing.model_copy(update={"findings": found})
    return Drawing(composition, evidence.model_copy(update={"drawing": drawing}))


def _smallness(drawing: Drawing) -> float:
    composition = drawing.composition
    return smallness(
        zip(composition.projections, composition.frames.values(), strict=True), len(composition.dimensions)
    )


def _findings(drawing: Drawing) -> tuple[LintFinding, ...]:
    assert drawing.evidence.drawing is not None
    return drawing.evidence.drawing.findings


def _accepted(scene: Scene, tried: list[Drawing]) -> Drawing:
    """The drawing with the fewest faults; it must have none unless forced.

    Raises:
        RenderError: it has faults.
        UsageError: a text is to be changed that is not there.
    """
    known = {drawn.label.id for _, drawn in tried[0].composition.dimensions}
    for name, _ in scene.options.drawing.texts:
        if name not in known:
            mend = f"there are {', '.join(sorted(known, key=lambda one: int(one[1:])))}" if known else ""
            raise UsageError(f"there is no dimension '{name}'", "--text", mend)
    best = min(tried, key=lambda drawing: (len(_findings(drawing)), _smallness(drawing)))
    found = _findings(best)
    if not found:
        return best
    if not scene.options.drawing.force:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise RenderError(
            f"the drawing has faults: {found[0].message} ({found[0].rule}){more}",
            mend="try another sheet or scale, or --force to write it all the same",
        )
    assert best.evidence.drawing is not None
    marked = best.evidence.drawing.model_copy(update={"forced": True})
    return Drawing(best.composition, best.evidence.model_copy(update={"drawing": marked}))
