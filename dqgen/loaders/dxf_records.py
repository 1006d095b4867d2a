"""What a DXF file says of its dimensions, inserts, tables and viewports beside how they look."""

from typing import Any

import numpy as np
from ezdxf.entities import Dimension, DXFEntity, Insert, Viewport
from ezdxf.lldxf.const import DXFError
from ezdxf.math import Matrix44, Vec3

from dqgen.loaders.dxf_measure import ANGLES, ARC, LARGE_RADIUS, kind_number
from dqgen.loaders.dxf_measure import measured as measured_by
from dqgen.loaders.dxf_text import decoded, plain_line, plain_paragraphs
from dqgen.loaders.sheet_builder import Entity
from dqgen.schemas import sheet
from dqgen.schemas.design import Floats

KINDS = {
    0: "linear",
    1: "aligned",
    2: "angular",
    3: "diameter",
    4: "radius",
    5: "angular",
    6: "ordinate",
    ARC: "arc",
    LARGE_RADIUS: "radius",
}
POINTS = {
    0: ("defpoint2", "defpoint3"),
    1: ("defpoint2", "defpoint3"),
    2: ("defpoint2", "defpoint3", "defpoint4", "defpoint"),
    3: ("defpoint", "defpoint4"),
    4: ("defpoint", "defpoint4"),
    5: ("defpoint4", "defpoint2", "defpoint3"),
    6: ("defpoint", "defpoint2"),
    ARC: ("defpoint2", "defpoint3"),
    LARGE_RADIUS: ("defpoint", "chord_point"),
}
"""By `kind_number`: the attributes with the points measured, in the order of `DimensionEntity.points`."""
ON_LINE = {2: "defpoint5", 3: "defpoint4", 4: "defpoint4", 6: "defpoint3"}
"""The attribute with a point on the dimension line, where it is not `defpoint`."""
Point = tuple[float, float]


def dimension(
    row: int, entity: Dimension, outer: Matrix44 | None, page: Floats, entities: list[Entity]
) -> sheet.DimensionEntity:
    """A dimension.

    Args:
        row: its row of the entities.
        entity: as ezdxf read it.
        outer: of the block that it lies in.
        page: (2, 3) from its frame to page millimetres.
        entities: of the page, with what the dimension says.
    """
    kind = kind_number(entity)
    style = _style(entity)
    factor = abs(_number(style.get("dimlfac", 1.0), 1.0)) or 1.0
    printed = "\n".join(entities[row].content)
    measured = measured_by(entity, printed)
    stored = _number(entity.dxf.get("actual_measurement"), np.nan)
    if kind in ANGLES:
        stored = float(np.degrees(stored))
    else:
        measured *= factor
    if np.isnan(measured):
        measured = stored
    toleranced = bool(style.get("dimtol", 0) or style.get("dimlim", 0))
    override = decoded(str(entity.dxf.get("text", "") or ""))
    return sheet.DimensionEntity(
        entity=row,
        kind=KINDS.get(kind, "linear"),
        measured=measured,
        stored=stored,
        override="" if override == "<>" else override,
        printed=printed,
        drawn=bool(printed),
        style=decoded(str(entity.dxf.get("dimstyle", ""))),
        upper=_number(style.get("dimtp", 0.0), 0.0) if toleranced else np.nan,
        lower=-_number(style.get("dimtm", 0.0), 0.0) if toleranced else np.nan,
        limits=bool(style.get("dimlim", 0)),
        angle=_turn(_number(entity.dxf.get("angle", 0.0), 0.0), outer, page) if kind == 0 else 0.0,
        points=tuple(_at(entity.dxf.get(name), outer, page) for name in POINTS.get(kind, ("defpoint",))),
        line=_at(entity.dxf.get(ON_LINE.get(kind, "defpoint")), outer, page),
        text_at=_at(entity.dxf.get("text_midpoint"), outer, page),
    )


def _style(entity: Dimension) -> Any:
    """What gives the values of its style; nothing where the style is not in the file."""
    try:
        return entity.override()
    except DXFError:
        return {}


def insert(
    row: int, entity: Insert, outer: Matrix44 | None, rows: list[int], page: Floats, entities: list[Entity]
) -> sheet.InsertEntity:
    """A block that stands on the page; `rows` are those of its attributes."""
    return sheet.InsertEntity(
        entity=row,
        block=decoded(str(entity.dxf.name)),
        point=_at(entity.ocs().to_wcs(Vec3(entity.dxf.insert)), outer, page),
        rotation=_turn(_number(entity.dxf.rotation, 0.0), outer, page),
        scale=(_number(entity.dxf.xscale, 1.0), _number(entity.dxf.yscale, 1.0)),
        rows=max(1, int(entity.dxf.row_count)),
        columns=max(1, int(entity.dxf.column_count)),
        attributes=tuple(
            (plain_line(str(attribute.dxf.tag)), "\n".join(entities[at].content))
            for at, attribute in zip(rows, list(entity.attribs) * len(rows), strict=False)
        ),
        rows_of=tuple(rows),
    )


def viewport(row: int, entity: Viewport, frame: Floats, page: Floats) -> sheet.Viewport:
    """A window onto the model; `frame` leads from the model to the layout, `page` from there to millimetres."""
    half_width, half_height = float(entity.dxf.width) / 2, float(entity.dxf.height) / 2
    x, y = float(entity.dxf.center.x), float(entity.dxf.center.y)
    corners = np.array([(x - half_width, y - half_height), (x + half_width, y + half_height)])
    placed = corners @ page[:, :2].T + page[:, 2]
    low, high = placed.min(axis=0), placed.max(axis=0)
    whole = composed(frame, page)
    return sheet.Viewport(
        entity=row,
        box=(float(low[0]), float(low[1]), float(high[0]), float(high[1])),
        scale=float(entity.get_scale()),
        matrix=((*map(float, whole[0]),), (*map(float, whole[1]),)),  # type: ignore[arg-type]
    )


def table(row: int, entity: DXFEntity, outer: Matrix44 | None, page: Floats) -> sheet.TableEntity | None:
    """A table; None if the file says nothing of its cells."""
    tags = next((tags for tags in entity.xtags.subclasses if tags and tags[0].value == "AcDbTable"), None)
    if tags is None:
        return None
    rows, columns = int(tags.get_first_value(91, 0)), int(tags.get_first_value(92, 0))
    if not 0 < rows * columns <= 100_000:
        return None
    heights = [_number(tag.value, 0.0) for tag in tags if tag.code == 141][:rows]
    widths = [_number(tag.value, 0.0) for tag in tags if tag.code == 142][:columns]
    origin = Vec3(entity.dxf.get("insert", (0, 0, 0)))
    along = Vec3(tags.get_first_value(11, (1, 0, 0)))
    along = along.normalize() if along.magnitude > 1e-12 else Vec3(1, 0, 0)
    down = Vec3(along.y, -along.x)
    cells = []
    for number, group in enumerate(_cells(tags)[: rows * columns]):
        at, column = divmod(number, columns)
        spans = max(1, int(group.get(176, 1))), max(1, int(group.get(175, 1)))
        left, top = sum(widths[:column]), sum(heights[:at])
        right, low = sum(widths[: column + spans[1]]), sum(heights[: at + spans[0]])
        corners = [origin + along * x + down * y for x in (left, right) for y in (top, low)]
        placed = np.array([_at(corner, outer, page) for corner in corners])
        if int(group.get(173, 0)) and not group["text"]:  # covered by a merged neighbour
            continue
        box = (*placed.min(axis=0).tolist(), *placed.max(axis=0).tolist())
        cells.append(sheet.TableCell(at, column, *spans, group["text"], box))
    return sheet.TableEntity(row, rows, columns, tuple(cells))


def _cells(tags: Any) -> list[dict[Any, Any]]:
    """Of each cell its plain text and its first value of each code."""
    groups: list[dict[Any, Any]] = []
    parts: list[list[str]] = []
    for tag in tags:
        if tag.code == 171:
            groups.append({})
            parts.append([])
        elif groups:
            # Long texts come in chunks: 2, 2, … 1 or 3, 3, … 1 up to R2004, 303, 303, … 302 afterwards.
            if tag.code in (1, 2, 3, 302, 303):
                parts[-1].append(str(tag.value))
            groups[-1].setdefault(tag.code, tag.value)
    for group, part in zip(groups, parts, strict=True):
        # R2007 and later say it twice, as a value and as a format: the first that says anything counts.
        group["text"] = plain_paragraphs("".join(dict.fromkeys(part)))
    return groups


def composed(first: Floats, second: Floats) -> Floats:
    """(2, 3) that leads where `first` and then `second` lead."""
    with np.errstate(all="ignore"):  # what is no number is sorted out with what it places
        return np.column_stack([second[:, :2] @ first[:, :2], second[:, :2] @ first[:, 2] + second[:, 2]])


def _at(point: Any, outer: Matrix44 | None, page: Floats) -> Point:
    if point is None:
        return (float("nan"), float("nan"))
    point = Vec3(point)
    if outer is not None:
        point = outer.transform(point)
    with np.errstate(all="ignore"):
        x, y = page[:, :2] @ np.array([point.x, point.y]) + page[:, 2]
    return (float(x), float(y))


def _turn(angle: float, outer: Matrix44 | None, page: Floats) -> float:
    """A direction on the page, degrees counter-clockwise as one sees it."""
    direction = Vec3.from_deg_angle(angle)
    if outer is not None:
        direction = outer.transform_direction(direction)
    x, y = page[:, :2] @ np.array([direction.x, direction.y])
    return float(np.degrees(np.arctan2(-y, x)))


def _number(value: Any, otherwise: float) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        return otherwise
