"""The shaded six views below a drawing."""

from collections.abc import Callable
from dataclasses import replace

import moderngl
import numpy as np
from PIL import Image

from dqgen.errors import UsageError
from dqgen.geometry.bounds import camera_box
from dqgen.renderers import layout, multiview
from dqgen.renderers.compose import Plan, Scene, Shot, compose
from dqgen.renderers.drawing.draw import Drawing, draw
from dqgen.renderers.drawing.formats.pdf import pixels
from dqgen.renderers.layout import Box, Metrics, Tile
from dqgen.renderers.shaded import Stage
from dqgen.renderers.views import SHEET, view
from dqgen.schemas.evidence import Evidence


def with_context(
    scene: Scene, formats: tuple[str, ...], context: Callable[[], moderngl.Context]
) -> tuple[Image.Image, Evidence, Drawing]:
    """A drawing as a picture with the shaded views below it, their evidence, and the drawing alone.

    Raises:
        UsageError: another format than PNG is asked for.
    """
    if formats != ("png",):
        raise UsageError("--context makes pictures, which are PNG", "--format", "leave one of the two out")
    drawing, plan = laid_out(scene, lambda width: draw(_sized(scene, width)))
    bounds = scene.design.bounds
    stage = Stage(
        context(), scene.leaves, np.asarray(bounds.mean(axis=0)), float(np.linalg.norm(bounds[1] - bounds[0])) / 2
    )
    try:
        picture, shaded = compose(scene, stage, plan)
    finally:
        stage.release()
    return (*joined(drawing, picture, shaded), drawing)


def laid_out(scene: Scene, drawn: Callable[[int], Drawing]) -> tuple[Drawing, Plan]:
    """A drawing, and the plan of the shaded views of a scene below it, both as wide as the picture's long side lets
    them be.

    Args:
        scene: of the shaded views.
        drawn: gives the drawing that many pixels wide.
    """
    size = scene.options.size
    metrics = Metrics.for_size(size)
    width = size
    drawing = drawn(width)
    views = [view(name) for name in _around(drawing.evidence.views[0].view)]
    boxes = [camera_box(multiview.framed(scene), one.rotation) for one in views]
    extents = [multiview.extent(box) for box in boxes]
    gap = metrics.padding
    below = layout.sheet(extents, size, metrics, each=scene.options.fit == "each", width=width)
    for _ in range(8):
        whole = round(drawing.evidence.height * width / drawing.evidence.width) + gap + below.height
        if whole <= size:
            break
        width = int(width * size / whole)
        below = layout.sheet(extents, size, metrics, each=scene.options.fit == "each", width=width)
    if below.width != drawing.evidence.width:
        drawing = drawn(below.width)
    high = drawing.evidence.height
    shots = []
    for one, box, tile in zip(views, boxes, below.tiles, strict=True):
        lowered = Tile(_lowered(tile.box, high + gap), _lowered(tile.viewport, high + gap), tile.scale)
        shots.append(Shot("context", lowered, multiview.frame(one, box, lowered)))
    return drawing, Plan(below.width, high + gap + below.height, metrics, tuple(shots))


def _around(drawn: str) -> tuple[str, ...]:
    """The views below a drawing: a sheet's, among which is the drawing's own, if need be in place of its opposite."""
    if drawn in SHEET or not view(drawn).axis_aligned:
        return SHEET
    behind = -view(drawn).rotation[2]
    return tuple(drawn if np.allclose(view(name).rotation[2], behind) else name for name in SHEET)


def joined(drawing: Drawing, picture: Image.Image, shaded: Evidence) -> tuple[Image.Image, Evidence]:
    """A drawing put above the shaded views of a plan of `laid_out`, and the evidence of both."""
    whole = picture.copy()
    whole.paste(pixels(drawing.composition.page, drawing.evidence.width, drawing.evidence.height), (0, 0))
    return whole, _joined(drawing.evidence, shaded)


def _sized(scene: Scene, width: int) -> Scene:
    return replace(scene, options=scene.options.model_copy(update={"size": width}))


def _joined(drawn: Evidence, shaded: Evidence) -> Evidence:
    """The evidence of both; a shaded view that has the name of a drawn one gets a number."""
    taken = {one.id for one in drawn.views}
    renamed = {one.id: f"{one.id}#2" if one.id in taken else one.id for one in shaded.views}
    views = tuple(one.model_copy(update={"id": renamed[one.id]}) for one in shaded.views)
    occurrences = tuple(
        one.model_copy(update={"views": {renamed[name]: seen for name, seen in one.views.items()}})
        for one in shaded.occurrences
    )
    return shaded.model_copy(
        update={"views": (*drawn.views, *views), "occurrences": occurrences, "drawing": drawn.drawing}
    )


def _lowered(box: Box, by: int) -> Box:
    return Box(box.x, box.y + by, box.width, box.height)
