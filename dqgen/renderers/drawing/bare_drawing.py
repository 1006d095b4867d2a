"""A bare view with its dimensions: a frame with centring arrows, a triad, a scale bar, and nothing else.

Frame and scale bar lie on whole pixels of the picture, and the scale is such that the bar's printed length is exact.
"""

import numpy as np

from dqgen.errors import RenderError, UsageError
from dqgen.geometry.features import catalogue
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing import explicit, triad
from dqgen.renderers.drawing.composition import Composition, ScaleBar
from dqgen.renderers.drawing.dimension import Drawn, Request, arrowhead, shifted
from dqgen.renderers.drawing.display_list import Item, Line, Page, Point, Polyline, Text, extent, moved
from dqgen.renderers.drawing.drafting import DIMENSION, RULE, Drafting
from dqgen.renderers.drawing.field import Field, segments_of
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.placement import place
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect
from dqgen.renderers.drawing.sheet_drawing import drafting_of, numbers_of
from dqgen.renderers.drawing.subject import Subject
from dqgen.renderers.views import view

WIDTH = 297.0
"""Of the page, mm."""
ASPECT = 0.5
"""Height of the page to its width."""
EDGE = 0.036
"""Of the page's width, between its edge and the frame."""
PAD = 7.0
TRIES = 14
SHRINK = 0.94
TEXT_HEIGHT = 4.5


def compose_bare(scene: Scene, pixels: int) -> Composition:
    """Compose a bare view for a picture that many pixels wide.

    Raises:
        RenderError: nothing is to be seen.
        UsageError: a dimension cannot be shown, or more than one view is asked for.
    """
    options = scene.options.drawing
    wanted = explicit.measurements(scene) if options.dimensions else []
    if len(scene.options.views) > 1:
        raise UsageError("a drawing without a sheet has one view", "--views", "name it with --from")
    asked = scene.options.from_view or (scene.options.views[0] if scene.options.views else None)
    camera = view(explicit.choose_view(wanted, asked) if wanted else asked or "left")
    linework = Linework(scene, options.hidden == "on", options.tangent)
    curves = linework.curves(camera, options.hidden == "on")
    per_mm = pixels / WIDTH
    page = Page(WIDTH, round(pixels * ASPECT) / per_mm, ())
    edge = round(EDGE * pixels) / per_mm
    frame = (edge, edge, round(WIDTH * per_mm - edge * per_mm) / per_mm, page.height - edge)
    height = options.text_height or TEXT_HEIGHT
    drafting = drafting_of(
        scene.options.model_copy(update={"drawing": options.model_copy(update={"text_height": height})})
    )
    numbers = numbers_of(scene.options)
    bar_room = 2.2 * height + drafting.arrow if options.scale_bar else 0.0
    room = (frame[0] + PAD, frame[1] + PAD, frame[2] - PAD, frame[3] - PAD - bar_room)
    corner = (frame[2] - 1.0, frame[3] - 1.0 - bar_room)
    whole = extent(linework.strokes(Projection(camera.name, camera, 1.0, curves)))
    if whole is None:
        raise RenderError(f"the view '{camera.name}' is empty")
    scale = min((room[2] - room[0]) / (whole[2] - whole[0]), (room[3] - room[1]) / (whole[3] - whole[1]))
    features = catalogue([]) if not linework.leaves else None
    for _ in range(TRIES):
        scale = _exact(scale, frame, options.scale_bar, numbers)
        projection = Projection(camera.name, camera, scale, curves)
        told: list[Request] = []
        subject = Subject(linework.leaves, features, (projection,), numbers)  # type: ignore[arg-type]
        told = [explicit.request(subject, projection, one) for one in wanted]
        lines = linework.strokes(projection)
        outline = extent(lines)
        assert outline is not None
        drawn = place(told, Field(segments_of(lines), np.zeros((0, 4, 2))), outline, drafting)
        box = extent([*lines, *(item for one in drawn for item in one.items())])
        assert box is not None
        shift = _shift(box, room, triad.room(corner), [item for one in drawn for item in one.items()], lines)
        if shift is not None:
            break
        scale *= SHRINK
    else:
        raise RenderError("the dimensions find no room around the view", mend="draw fewer at a time")
    return _finish(page, frame, camera.name, projection, lines, drawn, shift, corner, options.scale_bar, numbers, drafting)
