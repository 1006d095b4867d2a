"""A bare view with its dimensions: a frame with centring arrows, a triad, a scale bar, and nothing else.

Frame and scale bar lie on whole pixels of the picture, and the scale is such that the bar's printed length is exact.
"""

import math
from dataclasses import replace

import numpy as np

from dqgen.errors import RenderError, UsageError
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing import explicit, lettering, triad
from dqgen.renderers.drawing.composition import Composition, ScaleBar
from dqgen.renderers.drawing.contacts import Boxed, segments_in_quad, segments_of
from dqgen.renderers.drawing.dimension import Drawn, arrowhead, shifted
from dqgen.renderers.drawing.display_list import (
    Arc,
    Item,
    Line,
    Page,
    Point,
    Polyline,
    Stroke,
    Text,
    extent,
)
from dqgen.renderers.drawing.drafting import DIMENSION, RULE, WITNESS, Drafting
from dqgen.renderers.drawing.field import Field
from dqgen.renderers.drawing.linework import Linework
from dqgen.renderers.drawing.lint import LEAST_PIXELS
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.panels import drafting_of, labels_of, numbers_of
from dqgen.renderers.drawing.placement import place
from dqgen.renderers.drawing.projection import Projection
from dqgen.renderers.drawing.sheet import Rect
from dqgen.renderers.views import view

WIDTH = 297.0
"""Of the page, mm."""
FLATTEST, TALLEST = 0.5, 1.0
"""Height of the page to its width: that of the view, within these."""
EDGE = 0.036
"""Of the page's width, between its edge and the frame."""
PAD = 7.0
TRIES = 14
SHRINK = 0.94
TEXT_HEIGHT = 4.5
NOTE_HEIGHT = 3.0


def compose_bare(scene: Scene, pixels: int, linework: Linework | None = None) -> Composition:
    """Compose a bare view for a picture that many pixels wide, from the scene's linework if that is known.

    Raises:
        RenderError: nothing is to be seen.
        UsageError: a dimension cannot be shown, or more than one view is asked for.
    """
    options = scene.options.drawing
    wanted = explicit.measurements(scene) if options.dimensions else []
    if len(scene.options.views) > 1:
        raise UsageError("a drawing without a sheet has one view", "--views", "name it with --from")
    asked = scene.options.from_view or (scene.options.views[0] if scene.options.views else None)
    numbers = numbers_of(scene.options)
    slack = explicit.angle_slack(numbers)
    camera = explicit.choose_view(wanted, asked, slack) if wanted else view(asked or "left")
    linework = linework or Linework(scene, options.hidden == "on", options.tangent)
    curves = linework.curves(camera, options.hidden == "on")
    whole = extent(linework.strokes(Projection(camera.name, camera, 1.0, curves)))
    if whole is None:
        raise RenderError(f"the view '{camera.name}' is empty")
    aspect = (whole[3] - whole[1]) / max(whole[2] - whole[0], 1e-9)
    per_mm = pixels / WIDTH
    page = Page(WIDTH, round(pixels * min(max(aspect, FLATTEST), TALLEST)) / per_mm, ())
    edge = round(EDGE * pixels) / per_mm
    frame = (edge, edge, round(WIDTH * per_mm - edge * per_mm) / per_mm, page.height - edge)
    least = math.ceil(1e3 * LEAST_PIXELS / per_mm) / 1e3  # small pictures have larger lettering
    height = options.text_height or max(TEXT_HEIGHT, least)
    sight = max(triad.HEIGHT, least)
    drafting = drafting_of(
        scene.options.model_copy(update={"drawing": options.model_copy(update={"text_height": height})})
    )
    bar_room = 2.2 * height + drafting.arrow if options.scale_bar else 0.0
    room = (frame[0] + PAD, frame[1] + PAD, frame[2] - PAD, frame[3] - PAD - bar_room)
    corner = (frame[2] - 1.0, frame[3] - 1.0 - bar_room)
    extras: list[Item] = [*_frame(page, frame), *triad.triad(camera, corner, sight)]
    taken = [triad.room(camera, corner, sight)]
    if options.unit == "inch":
        at, size = (frame[0] + 3.0, frame[1] + 3.0), max(NOTE_HEIGHT, least)
        note = Text(at, "Dimensions in inches", size, layer="SHEET", owner="sheet")
        extras.append(note)
        taken.append((*at, at[0] + lettering.advance(note.text, size), at[1] + size))
    scale = min((room[2] - room[0]) / (whole[2] - whole[0]), (room[3] - room[1]) / (whole[3] - whole[1]))
    for _ in range(TRIES):
        scale = _exact(scale, frame, options.scale_bar, numbers)
        projection = Projection(camera.name, camera, scale, curves)
        labels = labels_of(scene.options)
        told = [explicit.request(labels, projection, one) for one in wanted]
        lines = linework.strokes(projection)
        outline = extent(lines)
        assert outline is not None
        drawn = place(told, Field(segments_of(lines)), outline, drafting)
        box = extent([*lines, *(item for one in drawn for item in one.items())])
        assert box is not None
        shift = _shift(box, room, taken, [item for one in drawn for item in one.items()], lines)
        if shift is not None:
            break
        scale *= SHRINK
    else:
        raise RenderError("the dimensions find no room around the view", mend="draw fewer at a time")
    bar = None
    if options.scale_bar:
        bar, written = scale_bar(frame, scale, options.scale_bar, numbers, drafting, per_mm)
        extras += written
    return _finish(page, frame, projection, lines, drawn, shift, extras, bar)


def _exact(scale: float, frame: Rect, bar: str | None, numbers: Numbers) -> float:
    """The scale, made slightly smaller so that a bar across the frame stands for just the length that it prints."""
    if bar != "auto":
        return scale
    wide = frame[2] - frame[0]
    step = 10.0 ** -(1 if numbers.decimals is None else numbers.decimals) * numbers.mm_per_unit
    return wide / (math.ceil(wide / scale / step - 1e-9) * step)


def _shift(box: Rect, room: Rect, taken: list[Rect], written: list[Item], lines: tuple[Stroke, ...]) -> Point | None:
    """How to move what is drawn into the middle of the room, or lower or to the left if what stands in corners is
    in the way."""
    spare = (room[2] - room[0] - (box[2] - box[0]), room[3] - room[1] - (box[3] - box[1]))
    if min(spare) < 0:
        return None
    segments = segments_of([*lines, *(item for item in written if isinstance(item, Line | Arc))])
    quads = [item.quad() for item in written if isinstance(item, Text)]
    rows = Boxed.of(np.concatenate([segments, np.array([(*a, *c) for a, _, c, _ in quads]).reshape(-1, 4)]))
    for part_x, part_y in ((0.5, 0.5), (0.5, 0.25), (0.3, 0.5), (0.5, 0.0), (0.0, 0.5), (0.25, 0.25), (0.0, 0.0)):
        dx = room[0] + part_x * spare[0] - box[0]
        dy = room[1] + part_y * spare[1] - box[1]
        moved = ((left - dx, bottom - dy, right - dx, top - dy) for left, bottom, right, top in taken)
        if not any(segments_in_quad(rows, ((x, y), (u, y), (u, v), (x, v))) for x, y, u, v in moved):
            return dx, dy
    return None


def _frame(page: Page, frame: Rect) -> list[Item]:
    """A rectangle with arrows that point at its middles from outside, as drawings are centred for copying."""
    left, bottom, right, top = frame
    corners = ((left, bottom), (right, bottom), (right, top), (left, top))
    items: list[Item] = [Polyline(corners, RULE, closed=True, owner="sheet")]
    x, y = (left + right) / 2, (bottom + top) / 2
    for (tip_x, tip_y), (dx, dy) in (((x, top), (0, 1)), ((left, y), (-1, 0)), ((right, y), (1, 0))):
        back = (tip_x + 2.6 * dx, tip_y + 2.6 * dy)
        head = ((tip_x, tip_y), (back[0] - 1.3 * dy, back[1] + 1.3 * dx), (back[0] + 1.3 * dy, back[1] - 1.3 * dx))
        items.append(Polyline(head, RULE, closed=True, owner="sheet"))
        items.append(Line((tip_x, tip_y), (tip_x + 4.2 * dx, tip_y + 4.2 * dy), RULE, "sheet"))
    return items


def scale_bar(
    frame: Rect, scale: float, asked: str, numbers: Numbers, drafting: Drafting, per_mm: float
) -> tuple[ScaleBar, list[Item]]:
    """A bar like a dimension at the top of the frame: across all of it, or of the length asked for, from whole pixel
    to whole pixel.

    Raises:
        UsageError: the length is no number, or does not fit.
    """
    wide = frame[2] - frame[0]
    if asked == "auto":
        length, start, end = wide / scale, frame[0], frame[2]
        digits = 1 if numbers.decimals is None else numbers.decimals
        text = Numbers(numbers.unit, digits, numbers.sign).length(length)
    else:
        length = numbers.parse_length(asked, "--scale-bar")
        if length * scale > wide:
            raise UsageError(
                f"a bar of {asked} is longer than the picture is wide", "--scale-bar", "take a shorter one"
            )
        start = round(((frame[0] + frame[2]) / 2 - length * scale / 2) * per_mm) / per_mm
        end = start + length * scale
        text = numbers.length(length)
    y = frame[3] - 1.1 * drafting.height - 1.0
    middle = (start + end) / 2
    half = lettering.advance(text, drafting.height) / 2 + 1.2
    items: list[Item] = [
        Text((middle, y - drafting.height / 2), text, drafting.height, "middle", 0.0, "DIMENSION", owner="scale-bar")
    ]
    if end - start > 2 * half + 2 * drafting.arrow:
        items += [
            Line((start, y), (middle - half, y), DIMENSION, "scale-bar"),
            Line((middle + half, y), (end, y), DIMENSION, "scale-bar"),
        ]
    else:
        raise UsageError("the scale bar is too short to write on", "--scale-bar", "take a longer one")
    items += [arrowhead((start, y), 180, drafting, "scale-bar"), arrowhead((end, y), 0, drafting, "scale-bar")]
    if asked != "auto":
        items += [
            Line((x, y - drafting.overshoot), (x, y + drafting.overshoot), WITNESS, "scale-bar") for x in (start, end)
        ]
    return ScaleBar(length, text, (start, y), (end, y)), items


def _finish(
    page: Page,
    frame: Rect,
    projection: Projection,
    lines: tuple[Stroke, ...],
    drawn: list[Drawn],
    shift: Point,
    extras: list[Item],
    bar: ScaleBar | None,
) -> Composition:
    placed = [shifted(one, *shift) for one in drawn]
    items: list[Item] = [stroke.moved(*shift) for stroke in lines]
    items += [item for one in placed for item in one.items()]
    items += extras
    outline = extent([stroke.moved(*shift) for stroke in lines])
    assert outline is not None
    return Composition(
        Page(page.width, page.height, tuple(items)),
        "none",
        projection.scale,
        (replace(projection, shift=shift),),
        {projection.id: outline},
        tuple((projection.id, one) for one in placed),
        bar,
    )
