"""The close-up: chosen occurrences fill the picture, from the view that shows most of them."""

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.bounds import camera_box
from dqgen.geometry.occurrences import match_any
from dqgen.renderers import layout, multiview
from dqgen.renderers.compose import Plan, Scene, Shot
from dqgen.renderers.layout import Box, Metrics, Tile
from dqgen.renderers.shaded import BACKGROUND_ID, Frame, Stage
from dqgen.renderers.views import SHEET, VIEWS, View, view
from dqgen.schemas.design import Floats

ASPECT = 0.5625
"""Height of a close-up, as a part of its width."""
TRIAL_PIXELS = 480
"""Side of the pictures on which views are compared."""
LEAST_EXTENT = 1e-3
"""A part seen edge-on is framed as if it were this much of its depth wide."""


def plan(scene: Scene, stage: Stage) -> Plan:
    """The tile of a close-up, and with `context` the six views below it.

    Raises:
        UsageError: no pattern is given, one picks nothing, all that it picks is hidden, or a view does not exist.
    """
    options = scene.options
    if not options.of:
        raise UsageError("a close-up needs to know what of", mend="--of PATTERN")
    drawn = set(scene.rows("shown", "highlighted", "ghosted"))
    rows = sorted(match_any(scene.leaves, options.of) & drawn)
    if not rows:
        raise UsageError("all that --of picks is hidden", mend="hide less, or frame something else")
    metrics = Metrics.for_size(options.size)
    chosen = view(options.from_view) if options.from_view else _best_view(scene, stage, rows)
    box = camera_box([scene.leaves[row] for row in rows], chosen.rotation)
    if not options.context:
        sheet = layout.single(_roomy(box, options.margin), options.size, round(options.size * ASPECT), metrics)
        tile = sheet.tiles[0]
        return Plan(sheet.width, sheet.height, metrics, (Shot("closeup", tile, multiview.frame(chosen, box, tile)),))
    return over_context(scene, chosen, box)


def over_context(scene: Scene, chosen: View, box: Floats) -> Plan:
    """A close-up of a box in camera axes (2, 3), above the whole views."""
    options = scene.options
    metrics = Metrics.for_size(options.size)
    views = [view(name) for name in options.views or SHEET]
    boxes = [camera_box(multiview.framed(scene), one.rotation) for one in views]
    extents = [multiview.extent(one) for one in boxes]
    gap = metrics.padding
    # The sheet's height follows from its width; narrow both until close-up and sheet fit the long side together.
    width = options.size
    for _ in range(8):
        below = layout.sheet(extents, options.size, metrics, each=options.fit == "each", width=width)
        high = round(below.width * ASPECT)
        if high + gap + below.height <= options.size:
            break
        width = int(width * options.size / (high + gap + below.height))
    above = layout.single(_roomy(box, options.margin), below.width, high, metrics).tiles[0]
    shots = [Shot("closeup", above, multiview.frame(chosen, box, above))]
    for one, one_box, tile in zip(views, boxes, below.tiles, strict=True):
        lowered = Tile(_lowered(tile.box, high + gap), _lowered(tile.viewport, high + gap), tile.scale)
        shots.append(Shot("context", lowered, multiview.frame(one, one_box, lowered)))
    return Plan(below.width, high + gap + below.height, metrics, tuple(shots))


def _lowered(box: Box, by: int) -> Box:
    return Box(box.x, box.y + by, box.width, box.height)


def _roomy(box: Floats, margin: float) -> tuple[float, float]:
    """Width and height to show: the box and a margin on either side of its greater extent."""
    wide, high = multiview.extent(box)
    room = 2 * margin * max(wide, high, LEAST_EXTENT * float(box[1, 2] - box[0, 2]), 1e-9)
    return wide + room, high + room


def _best_view(scene: Scene, stage: Stage, rows: list[int]) -> View:
    """The view in which most pixels of the leaves show, all views at one scale; the first of equals."""
    leaves = [scene.leaves[row] for row in rows]
    boxes = {name: camera_box(leaves, one.rotation) for name, one in VIEWS.items()}
    reach = max(max(multiview.extent(box)) for box in boxes.values())
    scale = TRIAL_PIXELS / max(reach, 1e-9)
    hiding = scene.rows("shown", "highlighted")
    seen = {}
    for name, one in VIEWS.items():
        centre: Floats = one.rotation.T @ np.asarray(boxes[name].mean(axis=0))
        ids = stage.ids(Frame(one, centre, scale, TRIAL_PIXELS, TRIAL_PIXELS), hiding)
        seen[name] = int(np.isin(ids[ids != BACKGROUND_ID], np.array(rows) + 1).sum())
    return VIEWS[max(seen, key=lambda name: seen[name])]
