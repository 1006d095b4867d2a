"""The evidence of a picture of a page: its texts and dimensions in pixels."""

from collections.abc import Collection

import numpy as np

from dqgen import __version__
from dqgen.renderers.sheet.ink import near, on_shown
from dqgen.renderers.sheet.selection import View
from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import DimensionEntity, Page, Sheet
from dqgen.schemas.sheet_evidence import (
    PageEvidence,
    SheetDimensionEvidence,
    SheetEvidence,
    SheetSourceEvidence,
    SheetTextEvidence,
)
from dqgen.sheets.read import page_reading

Row = tuple[float, float, float]


def evidence(
    sheet: Sheet,
    page: Page,
    view: View,
    shown: tuple[bool, ...],
    highlighted: Collection[int],
    picture: str,
    warnings: tuple[str, ...],
) -> SheetEvidence:
    """The sidecar of one picture.

    Args:
        sheet: the drawing.
        page: the page that is shown.
        view: the part of it, and the picture's pixels.
        shown: of each layer.
        highlighted: rows of texts.
        picture: file name of the picture.
        warnings: of this picture and of the file.
    """
    source = sheet.source
    to_pixel = np.array([[view.scale, 0.0, -view.left], [0.0, view.scale, -view.top]])
    from_drawing = np.column_stack(
        [to_pixel[:, :2] @ page.matrix[:, :2], to_pixel[:, :2] @ page.matrix[:, 2] + to_pixel[:, 2]]
    )
    return SheetEvidence(
        picture=picture,
        width=view.width,
        height=view.height,
        ppi=view.ppi,
        source=SheetSourceEvidence(
            name=source.name,
            sha256=source.sha256,
            format=source.format,
            schema=source.schema,
            units=source.units,
            mm_per_unit=source.mm_per_unit,
            units_from=source.units_from,
            loader=source.loader,
            rung=source.rung,
        ),
        page=PageEvidence(
            number=page.number,
            count=len(sheet.pages),
            name=page.name,
            kind=page.kind,
            width_mm=page.width,
            height_mm=page.height,
            scale=page.scale,
            region_mm=view.region,
            page_to_pixel=_rows(to_pixel),
            drawing_to_pixel=_rows(from_drawing),
            layers=tuple(layer.name for layer, on in zip(sheet.layers, shown, strict=True) if on),
        ),
        texts=tuple(_texts(sheet, page, view, shown, highlighted)),
        dimensions=tuple(_read(sheet, page, view) if page.kind == "page" else _dimensions(sheet, page, view, shown)),
        renderer=f"dqgen {__version__}",
        warnings=warnings,
    )


def _texts(
    sheet: Sheet, page: Page, view: View, shown: tuple[bool, ...], highlighted: Collection[int]
) -> list[SheetTextEvidence]:
    texts, entities = page.texts, page.entities
    seen = np.flatnonzero(on_shown(texts.layer, shown) & near(texts.box, view.region, np.zeros(len(texts))))
    quads = view.pixels(texts.quad.reshape(-1, 2)).reshape(-1, 4, 2)
    found = []
    for row in seen.tolist():
        entity = int(texts.entity[row])
        quad = quads[row]
        box = _box(quad)
        found.append(
            SheetTextEvidence(
                text=texts.text[row],
                height_mm=float(texts.height[row]),
                angle=float(texts.rotation[row]),
                quad=tuple((float(x), float(y)) for x, y in quad),
                box=box,
                whole=box[0] >= 0 and box[1] >= 0 and box[2] <= view.width and box[3] <= view.height,
                layer=_layer(sheet, int(texts.layer[row])),
                kind=entities.kind_of(entity) if entity >= 0 else "",
                handle=entities.handle[entity] if entity >= 0 else "",
                block="/".join(entities.block_path(entity)) if entity >= 0 else "",
                highlighted=row in highlighted,
            )
        )
    return found


def _dimensions(sheet: Sheet, page: Page, view: View, shown: tuple[bool, ...]) -> list[SheetDimensionEvidence]:
    letters: dict[int, list[int]] = {}
    for row, entity in enumerate(page.texts.entity.tolist()):
        letters.setdefault(entity, []).append(row)
    left, top, right, bottom = view.region
    found = []
    for item in page.dimensions:
        layer = int(page.entities.layer[item.entity])
        box = page.entities.box[item.entity]
        on = (layer < 0 or shown[layer]) and not np.isnan(box).any()
        if not on or box[2] < left or box[0] > right or box[3] < top or box[1] > bottom:
            continue
        rows = letters.get(item.entity, [])
        text_box = _box(view.pixels(page.texts.quad[rows].reshape(-1, 2))) if rows else None
        points = np.array([point for point in item.points if not np.isnan(point).any()]).reshape(-1, 2)
        found.append(
            SheetDimensionEvidence(
                kind=item.kind,
                value=None if np.isnan(item.measured) else item.measured,
                unit=_unit(sheet, item),
                text=item.printed,
                override=item.override,
                box=_box(view.pixels(box.reshape(2, 2))),
                text_box=text_box,
                points=tuple((float(x), float(y)) for x, y in view.pixels(points)),
                layer=_layer(sheet, layer),
                handle=page.entities.handle[item.entity],
                source="entity",
            )
        )
    return found


def _read(sheet: Sheet, page: Page, view: View) -> list[SheetDimensionEvidence]:
    """Dimensions read off a page whose file holds none as such."""
    left, top, right, bottom = view.region
    found = []
    for item in page_reading(page, sheet).dimensions:
        box = item.box
        if box[2] < left or box[0] > right or box[3] < top or box[1] > bottom:
            continue
        pixels = _box(view.pixels(np.array(box).reshape(2, 2)))
        points = view.pixels(np.array(item.points, dtype=np.float64).reshape(-1, 2))
        found.append(
            SheetDimensionEvidence(
                kind=item.kind,
                value=item.value,
                unit=item.unit,
                text=item.text,
                override=item.override,
                box=pixels,
                text_box=pixels,
                points=tuple((float(x), float(y)) for x, y in points),
                layer="",
                handle="",
                source="text",
                confidence=item.confidence,
            )
        )
    return found


def _unit(sheet: Sheet, item: DimensionEntity) -> str:
    return "degree" if item.kind == "angular" else sheet.source.units


def _layer(sheet: Sheet, row: int) -> str:
    return sheet.layers[row].name if row >= 0 else ""


def _box(points: Floats) -> tuple[float, float, float, float]:
    low, high = points.min(axis=0), points.max(axis=0)
    return (float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _rows(matrix: Floats) -> tuple[Row, Row]:
    first, second = matrix.tolist()
    return (first[0], first[1], first[2]), (second[0], second[1], second[2])
