"""The multiview sheet: several named views of a design side by side, and the picture of one view."""

import numpy as np

from dqgen.geometry.bounds import camera_box
from dqgen.geometry.transforms import Placed
from dqgen.renderers import layout
from dqgen.renderers.compose import Plan, Scene, Shot
from dqgen.renderers.layout import Metrics
from dqgen.renderers.shaded import Frame
from dqgen.renderers.views import SHEET, View, view
from dqgen.schemas.design import Floats


def plan(scene: Scene) -> Plan:
    """The tiles of a multiview sheet, or of the one view that the options name.

    Raises:
        UsageError: a view does not exist.
    """
    options = scene.options
    names = (options.views or SHEET) if options.view == "multiview" else (options.view,)
    views = [view(name) for name in names]
    metrics = Metrics.for_size(options.size)
    boxes = [camera_box(framed(scene), one.rotation) for one in views]
    sheet = layout.sheet([extent(box) for box in boxes], options.size, metrics, each=options.fit == "each")
    shots = tuple(
        Shot("view", tile, frame(one, box, tile)) for one, box, tile in zip(views, boxes, sheet.tiles, strict=True)
    )
    return Plan(sheet.width, sheet.height, metrics, shots)


def framed(scene: Scene) -> list[Placed]:
    """The leaves that decide what a view shows: all, so that hiding some moves nothing; with `only`, just those."""
    rows = scene.rows("shown", "highlighted", "ghosted") if scene.options.only else range(len(scene.leaves))
    return [scene.leaves[row] for row in rows]


def extent(box: Floats) -> tuple[float, float]:
    """Width and height in mm of a box in camera axes."""
    return float(box[1, 0] - box[0, 0]), float(box[1, 1] - box[0, 1])


def frame(one: View, box: Floats, tile: layout.Tile) -> Frame:
    """The frame that puts the middle of a box in camera axes at the middle of a tile's viewport."""
    centre: Floats = one.rotation.T @ np.asarray(box.mean(axis=0))
    return Frame(one, centre, tile.scale, tile.viewport.width, tile.viewport.height)
