"""The evidence of a drawing, in pixels of its picture."""

import math

import numpy as np

from dqgen import __version__
from dqgen.renderers.compose import Scene, corners, source_evidence
from dqgen.renderers.drawing.composition import Composition, ScaleBar
from dqgen.renderers.drawing.contacts import Boxed, entered, segments_of
from dqgen.renderers.drawing.dimension import Drawn
from dqgen.renderers.drawing.display_list import Page, Point, Stroke, Text
from dqgen.renderers.drawing.projection import Projection
from dqgen.schemas.evidence import (
    DimensionEvidence,
    DrawingEvidence,
    Evidence,
    OccurrenceEvidence,
    PartsListRow,
    ScaleBarEvidence,
    SheetEvidence,
    TextEvidence,
    ViewEvidence,
)

BACKEND = "vector"
TOUCHED = 0.15
"""mm by which a line may reach into the box of a text and still not run through it."""


def drawing_evidence(scene: Scene, composition: Composition, width: int, height: int) -> Evidence:
    """The evidence of a drawing of that size in pixels, with `picture` left empty."""
    page = composition.page
    pixels = width / page.width
    options = scene.options.drawing
    drawing = DrawingEvidence(
        sheet=SheetEvidence(
            name=composition.sheet,
            width_mm=page.width,
            height_mm=page.height,
            pixels_per_mm=pixels,
            scale=composition.scale,
            standard=options.standard,
            projection=options.projection,
        ),
        dimensions=tuple(_dimension(view, drawn, page, pixels) for view, drawn in composition.dimensions),
        texts=_texts(page, pixels),
        scale_bar=_scale_bar(composition.scale_bar, composition.scale, page, pixels),
        parts_list=tuple(
            PartsListRow(item=row.item, count=len(row.paths), name=row.name, paths=row.paths)
            for row in composition.parts_list
        ),
    )
    occurrences = tuple(
        OccurrenceEvidence(
            path=leaf.path,
            label=leaf.occurrence.label,
            product=leaf.occurrence.product,
            state=state,
            colour=colour,
            views={},
        )
        for leaf, (state, colour) in zip(scene.leaves, scene.states, strict=True)
    )
    return Evidence(
        picture="",
        width=width,
        height=height,
        source=source_evidence(scene.design),
        design=scene.design.name,
        bounding_box_mm=corners(scene.design.bounds),
        views=tuple(_view(one, page, pixels, composition) for one in composition.projections),
        occurrences=occurrences,
        drawing=drawing,
        renderer=f"dqgen {__version__}",
        backend=BACKEND,
        warnings=(*scene.design.warnings, *composition.warnings),
    )


def _pixel(point: Point, page: Page, pixels: float) -> Point:
    return round(point[0] * pixels, 4), round((page.height - point[1]) * pixels, 4)


def _view(projection: Projection, page: Page, pixels: float, composition: Composition) -> ViewEvidence:
    left, bottom, right, top = composition.frames[projection.id]
    x, y = _pixel((left, top), page, pixels)
    scale = projection.scale * pixels
    right_row, up_row, towards = projection.view.rotation
    zero = _pixel(projection.shift, page, pixels)
    matrix = np.array([[*(right_row * scale), zero[0]], [*(-up_row * scale), zero[1]], [*towards, 0.0]])
    return ViewEvidence(
        id=projection.id,
        view=projection.view.name,
        role=composition.roles.get(projection.id, "drawing"),
        viewport=(math.floor(x), math.floor(y), math.ceil((right - left) * pixels), math.ceil((top - bottom) * pixels)),
        pixels_per_mm=scale,
        model_to_pixel=tuple((float(a), float(b), float(c), float(d)) for a, b, c, d in matrix),
        silhouette_pixels=None,
    )


def _dimension(view: str, drawn: Drawn, page: Page, pixels: float) -> DimensionEvidence:
    label = drawn.label
    number = label.printed.rstrip("°").replace(",", ".")
    return DimensionEvidence(
        id=label.id,
        kind=label.kind,
        view=view,
        expression=label.expression,
        value=label.value,
        unit=label.unit,
        text=label.text,
        printed=label.printed,
        decimals=len(number.partition(".")[2]),
        count=label.count,
        exact=label.exact,
        edited=label.edited,
        tolerance=label.tolerance,
        model_points=label.points,
        feet=tuple(_pixel(point, page, pixels) for point in drawn.feet),
        tips=tuple(_pixel(point, page, pixels) for point in drawn.tips),
        arrows=tuple(tuple(_pixel(point, page, pixels) for point in arrow.points) for arrow in drawn.arrows),
        angle=drawn.angle,
    )


def _texts(page: Page, pixels: float) -> tuple[TextEvidence, ...]:
    """All texts, with the lines that run through them."""
    lines = Boxed.of(segments_of([item for item in page.items if isinstance(item, Stroke)]))
    found = []
    for item in page.items:
        if isinstance(item, Text):
            quad = item.quad(-TOUCHED)
            near = lines.near(quad)
            over = int(entered(lines.rows[near], np.repeat([quad], len(near), axis=0)).sum()) if len(near) else 0
            found.append(_text(item, over, page, pixels))
    return tuple(found)


def _text(item: Text, over: int, page: Page, pixels: float) -> TextEvidence:
    a, b, c, d = (_pixel(point, page, pixels) for point in item.quad())
    xs, ys = zip(a, b, c, d, strict=True)
    return TextEvidence(
        text=item.text,
        role=item.role,
        belongs_to=item.owner,
        height_mm=item.height,
        angle=item.angle,
        quad=(a, b, c, d),
        box=(min(xs), min(ys), max(xs), max(ys)),
        over_lines=over,
    )


def _scale_bar(bar: ScaleBar | None, scale: float, page: Page, pixels: float) -> ScaleBarEvidence | None:
    if bar is None:
        return None
    return ScaleBarEvidence(
        length_mm=bar.length,
        text=bar.text,
        start=_pixel(bar.start, page, pixels),
        end=_pixel(bar.end, page, pixels),
        pixels_per_mm=scale * pixels,
    )
