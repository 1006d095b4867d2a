"""One picture of several views, and the evidence of what each shows."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from dqgen import __version__
from dqgen.geometry.transforms import Placed
from dqgen.renderers.annotate import annotate
from dqgen.renderers.layout import Metrics, Tile
from dqgen.renderers.selection import look
from dqgen.renderers.shaded import BACKGROUND_ID, Frame, Stage
from dqgen.schemas.design import Colour, Design, Floats
from dqgen.schemas.evidence import (
    Evidence,
    OccurrenceEvidence,
    OccurrenceInView,
    SourceEvidence,
    State,
    ViewEvidence,
)
from dqgen.schemas.render import RenderOptions

WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Shot:
    """A view in its tile."""

    role: Literal["view", "closeup", "context"]
    tile: Tile
    frame: Frame


@dataclass(frozen=True)
class Plan:
    """A picture before it is drawn: its size, its lengths, its shots."""

    width: int
    height: int
    metrics: Metrics
    shots: tuple[Shot, ...]


@dataclass(frozen=True)
class Scene:
    """What a picture is made of: the design, its leaves and the state of each.

    Attributes:
        design: the model.
        leaves: its leaves, in file order.
        states: for each leaf, its state and highlight colour.
        options: what the user asked for.
    """

    design: Design
    leaves: list[Placed]
    states: list[tuple[State, Colour | None]]
    options: RenderOptions

    def rows(self, *wanted: State) -> list[int]:
        """Rows of the leaves in any of these states."""
        return [row for row, (state, _) in enumerate(self.states) if state in wanted]


def compose(scene: Scene, stage: Stage, plan: Plan) -> tuple[Image.Image, Evidence]:
    """Draw a plan.

    Returns:
        The picture (RGB, or RGBA on a transparent background) and its evidence, with `picture` left empty.
    """
    opaque = scene.options.background == "white"
    picture = Image.new("RGBA", (plan.width, plan.height), (*WHITE, 255 if opaque else 0))
    looks = {
        row: look(scene.leaves[row], *scene.states[row], scene.options.colors)
        for row in scene.rows("shown", "highlighted", "ghosted")
    }
    hiding = scene.rows("shown", "highlighted")
    views: list[ViewEvidence] = []
    counts: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    for shot in plan.shots:
        port = shot.tile.viewport
        pixels = stage.picture(shot.frame, looks, plan.metrics.line_width, WHITE if opaque else None)
        picture.paste(Image.fromarray(pixels), (port.x, port.y))
        ids = stage.ids(shot.frame, hiding, keep=True)
        pixel_counts, boxes = count(ids, len(scene.leaves))
        boxes[:, [0, 2]] += port.x
        boxes[:, [1, 3]] += port.y
        counts.append((pixel_counts, boxes))
        views.append(_view_evidence(shot, _unique_id(shot, views), int(pixel_counts.sum())))
    for shot in plan.shots:
        annotate(picture, shot.tile, shot.frame.view, plan.metrics, ruled=shot.role == "closeup")
    occurrences = tuple(
        _occurrence_evidence(scene, row, looks.get(row), views, counts) for row in range(len(scene.leaves))
    )
    evidence = Evidence(
        picture="",
        width=plan.width,
        height=plan.height,
        source=source_evidence(scene.design),
        design=scene.design.name,
        bounding_box_mm=corners(scene.design.bounds),
        views=tuple(views),
        occurrences=occurrences,
        renderer=f"dqgen {__version__}",
        backend=stage.backend,
        warnings=(*scene.design.warnings, *_unseen(views, occurrences)),
    )
    return picture.convert("RGB") if opaque else picture, evidence


def _unseen(views: list[ViewEvidence], occurrences: tuple[OccurrenceEvidence, ...]) -> list[str]:
    """What a reader of the picture should be told: views and highlights in which nothing shows."""
    notes = [f"nothing shows in view {view.id}" for view in views if not view.silhouette_pixels]
    for one in occurrences:
        if one.state == "highlighted" and not any(seen.pixels for seen in one.views.values()):
            notes.append(f"highlighted {one.path} shows in no view")
    return notes


def count(ids: NDArray[np.uint32], leaves: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Pixels (leaves,) of each leaf on an id buffer, and their boxes (leaves, 4): left, top, right, bottom, zeros
    where it has none; right and bottom are excluded."""
    high, wide = ids.shape
    flat = ids.ravel()
    # Runs of one id along a row: there are far fewer than pixels.
    breaks = np.empty(flat.shape, dtype=np.bool_)
    breaks[0] = True
    np.not_equal(flat[1:], flat[:-1], out=breaks[1:])
    breaks[::wide] = True
    starts = np.flatnonzero(breaks)
    lengths = np.diff(starts, append=flat.size)
    shown = np.flatnonzero(flat[starts] != BACKGROUND_ID)
    starts, lengths = starts[shown], lengths[shown]
    leaf = flat[starts].astype(np.int64) - 1
    top, left = np.divmod(starts, wide)
    pixels = np.bincount(leaf, weights=lengths, minlength=leaves).astype(np.int64)
    boxes = np.zeros((leaves, 4), dtype=np.int64)
    boxes[:, 0], boxes[:, 1] = wide, high
    np.minimum.at(boxes[:, 0], leaf, left)
    np.minimum.at(boxes[:, 1], leaf, top)
    np.maximum.at(boxes[:, 2], leaf, left + lengths)
    np.maximum.at(boxes[:, 3], leaf, top + 1)
    boxes[pixels == 0] = 0
    return pixels, boxes


def source_evidence(design: Design) -> SourceEvidence:
    """A design's source, as evidence."""
    source = design.source
    return SourceEvidence(
        name=source.name,
        sha256=source.sha256,
        format=source.format,
        schema=source.schema,
        units=source.units,
        mm_per_unit=source.mm_per_unit,
        loader=source.loader,
        rung=source.rung,
        up=source.up,
    )


def _view_evidence(shot: Shot, name: str, silhouette: int) -> ViewEvidence:
    port = shot.tile.viewport
    matrix = shot.frame.to_pixels()
    matrix[0, 3] += port.x
    matrix[1, 3] += port.y
    return ViewEvidence(
        id=name,
        view=shot.frame.view.name,
        role=shot.role,
        viewport=(port.x, port.y, port.width, port.height),
        pixels_per_mm=shot.frame.scale,
        model_to_pixel=tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in matrix),
        silhouette_pixels=silhouette,
    )


def _unique_id(shot: Shot, views: list[ViewEvidence]) -> str:
    name = shot.frame.view.name
    again = sum(view.view == name for view in views)
    return f"{name}#{again + 1}" if again else name


def _occurrence_evidence(
    scene: Scene,
    row: int,
    drawn: object,
    views: list[ViewEvidence],
    counts: list[tuple[NDArray[np.int64], NDArray[np.int64]]],
) -> OccurrenceEvidence:
    leaf = scene.leaves[row]
    seen: dict[str, OccurrenceInView] = {}
    for view, (pixels, boxes) in zip(views, counts, strict=True):
        left, top, right, bottom = (int(value) for value in boxes[row])
        seen[view.id] = OccurrenceInView(
            pixels=int(pixels[row]), box=(left, top, right, bottom) if pixels[row] else None
        )
    return OccurrenceEvidence(
        path=leaf.path,
        label=leaf.occurrence.label,
        product=leaf.occurrence.product,
        state=scene.states[row][0],
        colour=getattr(drawn, "colour", None),
        views=seen,
    )


def corners(bounds: Floats) -> tuple[tuple[float, float, float], tuple[float, float, float]]:
    """A box as plain numbers."""
    low, high = ((float(x), float(y), float(z)) for x, y, z in bounds)
    return low, high
