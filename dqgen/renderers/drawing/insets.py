"""Sections and details: views that show a cut, or a part of another view enlarged, and the marks that tell where."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.hidden_lines import HiddenLines, LineOptions
from dqgen.geometry.sections import section
from dqgen.geometry.transforms import Placed
from dqgen.geometry.view_curves import ViewCurve
from dqgen.renderers.drawing import sheet as sheets
from dqgen.renderers.drawing.composition import Role
from dqgen.renderers.drawing.contacts import Boxed, segments_in_quad, segments_of
from dqgen.renderers.drawing.dimension import arrowhead
from dqgen.renderers.drawing.display_list import Arc, Hatch, Item, Line, Point, Polyline, Stroke, Text, offset
from dqgen.renderers.drawing.drafting import CUT, CUT_THROUGH, DIMENSION, HATCHING, VISIBLE, Drafting
from dqgen.renderers.drawing.projection import Projection, strokes
from dqgen.renderers.views import VIEWS, View, view
from dqgen.schemas.design import Floats

LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
LETTER = 5.0
SEEN_FROM = {"x": "right", "y": "front", "z": "top"}
"""The view that a section across an axis is looked at from."""
BEYOND = 5.0
"""How far the line of a cut reaches beyond the outline, mm."""
ARROW = 7.0
"""Length of its arrows, mm."""
SPACING = 2.6
FINE = 0.02
"""mm on paper within which clipped curves are followed."""


@dataclass(frozen=True)
class Inset:
    """A section or detail, about the place of the design's origin.

    Attributes:
        projection: its view, scale and curves; the id is the letters it is called by.
        items: its lines and hatching.
        title: what stands below it.
        parent: id of the view that shows where it is, None if none does.
        marks: what is drawn there.
        role: `section` or `detail`.
        side: of a section, to which side of its parent it may stand in line with it in third angle, as steps across
            and up; None if it cannot.
    """

    projection: Projection
    items: tuple[Stroke | Hatch, ...]
    title: str
    parent: str | None
    marks: tuple[Item, ...]
    role: Role
    side: tuple[int, int] | None = None


def sections(
    asked: tuple[str, ...], leaves: list[Placed], projections: tuple[Projection, ...], scale: float, drafting: Drafting
) -> list[Inset]:
    """The sections that a user asked for, such as `X=12`.

    Raises:
        UsageError: it is written otherwise, or the plane meets nothing.
    """
    return [
        _section(text, f"{LETTERS[row]}–{LETTERS[row]}", leaves, projections, scale, drafting)
        for row, text in enumerate(asked)
    ]


def _section(
    text: str, name: str, leaves: list[Placed], projections: tuple[Projection, ...], scale: float, drafting: Drafting
) -> Inset:
    axis, value = _plane(text)
    row = "xyz".index(axis)
    camera = VIEWS[SEEN_FROM[axis]]
    depth = float(camera.rotation[2][row]) * value
    loops = section(leaves, camera.rotation, depth)
    if not loops:
        raise UsageError("the plane meets nothing", f"--section {text}", "cut where the design is")
    behind = HiddenLines(leaves).view(camera.rotation, LineOptions(hidden=False, depth=depth))
    projection = Projection(name, camera, scale, tuple(behind))
    items: list[Stroke | Hatch] = list(strokes(projection, lambda curve: VISIBLE if curve.visible else None))
    for number, leaf in enumerate(dict.fromkeys(loop.leaf for loop in loops)):
        outlines = tuple(tuple(projection.flat(point) for point in loop.points) for loop in loops if loop.leaf == leaf)
        angle = (45.0, 135.0, 60.0, 120.0)[number % 4]
        spacing = SPACING * (1.0, 0.75, 1.4)[number // 4 % 3]
        items.append(Hatch(outlines, angle, spacing, HATCHING, projection.owner))
        items += [Polyline(outline, VISIBLE, True, projection.owner) for outline in outlines]
    across = np.eye(3)[row]
    parent = next((one for one in projections if one.in_plane(across)), None)
    marks = () if parent is None else tuple(_cut_line(parent, across, value, camera.rotation[2], name[0], drafting))
    if parent is None:
        return Inset(projection, tuple(items), name, None, (), "section")
    return Inset(projection, tuple(items), name, parent.id, marks, "section", _side(parent, camera))


def _side(parent: Projection, camera: View) -> tuple[int, int] | None:
    """To which side of its parent a section stands in line with it, in third angle."""
    right, up, _ = parent.view.rotation
    towards = camera.rotation[2]
    if np.allclose(up, camera.rotation[1]):
        return round(float(towards @ right)), 0
    if np.allclose(right, camera.rotation[0]):
        return 0, round(float(towards @ up))
    return None


def _plane(text: str) -> tuple[str, float]:
    axis, _, number = text.partition("=")
    axis = axis.strip().lower()
    try:
        value = float(number)
    except ValueError:
        value = math.nan
    if axis not in SEEN_FROM or not math.isfinite(value):
        raise UsageError(f"'{text}' is no section", "--section", "write X=12, Y=0 or Z=-3.5, in mm")
    return axis, value


def _cut_line(
    parent: Projection, across: Floats, value: float, towards: Floats, letter: str, drafting: Drafting
) -> Iterator[Item]:
    """The line of a cut through a view, thick at its ends, with its letter and arrows in the direction in which it is
    looked at: they end at the line after ISO 128, begin at it after ASME Y14.3."""
    rows = [points for curve in parent.curves if curve.visible for points in curve.points]
    low, high = np.min(rows, axis=0), np.max(rows, axis=0)
    normal = parent.view.rotation[:2] @ across
    upright = abs(normal[0]) > 0.5
    place = value * float(normal[0] if upright else normal[1])
    corners = ((place, low[1]), (place, high[1])) if upright else ((low[0], place), (high[0], place))
    start, end = (parent.flat(np.array(corner)) for corner in corners)
    along = np.array(end) - np.array(start)
    along /= np.linalg.norm(along)
    looking = -(parent.view.rotation[:2] @ towards)
    a, b = np.array(start) - BEYOND * along, np.array(end) + BEYOND * along
    owner = f"section:{letter}"
    yield Line(start, end, CUT_THROUGH, owner)
    yield Line((float(a[0]), float(a[1])), start, CUT, owner)
    yield Line(end, (float(b[0]), float(b[1])), CUT, owner)
    behind = drafting.standard == "iso"
    angle = math.degrees(math.atan2(looking[1], looking[0]))
    for spot, outward in ((a, -along), (b, along)):
        tail = spot - ARROW * looking if behind else spot
        tip = tail + ARROW * looking
        yield Line((float(tail[0]), float(tail[1])), (float(tip[0]), float(tip[1])), DIMENSION, owner)
        yield arrowhead((float(tip[0]), float(tip[1])), angle, drafting, owner)
        at = spot + outward * (0.8 * LETTER) + (-2.5 if behind else 2.5) * looking
        yield Text(
            (float(at[0]), float(at[1]) - LETTER / 2), letter, LETTER, "middle", bold=True, owner=owner, role="label"
        )


def details(asked: tuple[str, ...], first: int, projections: tuple[Projection, ...], scale: float) -> list[Inset]:
    """The details that a user asked for, such as `front:10,20,8` or `front:10,20,8,5:1`; `first` letters are taken.

    Raises:
        UsageError: it is written otherwise, its view is not on the sheet, or it shows nothing.
    """
    return [_detail(text, LETTERS[first + row], projections, scale) for row, text in enumerate(asked)]


def _detail(text: str, name: str, projections: tuple[Projection, ...], scale: float) -> Inset:
    where = f"--detail {text}"
    view_name, _, numbers = text.partition(":")
    parts = numbers.split(",")
    try:
        x, y, radius = (float(part) for part in parts[:3])
    except ValueError:
        radius = math.nan
    if not radius > 0 or not math.isfinite(radius) or len(parts) not in (3, 4):
        raise UsageError("this is no detail", where, "write VIEW:X,Y,RADIUS, in mm of the model, such as front:10,20,8")
    wanted = view(view_name).name
    parent = next((one for one in projections if one.id == wanted), None)
    if parent is None:
        raise UsageError(f"the view '{wanted}' is not on the sheet", where, "name one that is, or add it with --views")
    own = sheets.parse_scale(parts[3]) if len(parts) == 4 else _enlarged(scale)
    centre = np.array([x, y])
    curves = tuple(piece for curve in parent.curves for piece in _clipped(curve, centre, radius, FINE / own))
    if not any(curve.visible for curve in curves):
        raise UsageError("there is nothing to be seen", where, "take another place or a larger radius")
    projection = Projection(name, parent.view, own, curves)
    items: list[Stroke | Hatch] = list(strokes(projection, lambda curve: VISIBLE if curve.visible else None))
    middle = projection.flat(centre)
    items.append(Arc(middle, radius * own, 0.0, 360.0, DIMENSION, projection.owner))
    spot = parent.flat(centre)
    owner = f"detail:{name}"
    reach = radius * parent.scale
    marks = (Arc(spot, reach, 0.0, 360.0, DIMENSION, owner), _letter(parent, spot, reach, name, owner))
    return Inset(projection, tuple(items), f"{name} ({sheets.scale_text(own)})", parent.id, marks, "detail")


def _letter(parent: Projection, spot: Point, reach: float, name: str, owner: str) -> Text:
    """The letter of a detail, beside its circle where it meets the fewest lines."""
    lines = Boxed.of(segments_of(strokes(parent, lambda curve: VISIBLE)))
    choices = []
    for rank, turn in enumerate((45, 135, 225, 315, 90, 0, 180, 270)):
        for further in (1.0, 4.0, 9.0, 15.0):
            x, y = offset(spot, turn, reach + further + 0.7 * LETTER, 0.0)
            text = Text((x, y - LETTER / 2), name, LETTER, "middle", bold=True, owner=owner, role="label")
            choices.append((segments_in_quad(lines, text.quad(0.5)), further, rank, text))
    return min(choices, key=lambda choice: choice[:3])[3]


def _enlarged(scale: float) -> float:
    """The next standard scale that is at least twice as large."""
    return min((one for one in sheets.SERIES if one >= 2 * scale - 1e-9), default=2 * scale)


def _clipped(curve: ViewCurve, centre: Floats, radius: float, tolerance: float) -> Iterator[ViewCurve]:
    """What of a curve lies within a circle, as polylines."""
    points = curve.polyline(tolerance)
    run: list[Floats] = []
    for a, b in pairwise(points):
        inside = _within(a - centre, b - a, radius)
        if inside is None:
            if len(run) > 1:
                yield _piece(curve, run)
            run = []
            continue
        start, stop = inside
        if start > 0 or not run:
            if len(run) > 1:
                yield _piece(curve, run)
            run = [a + start * (b - a)]
        run.append(a + stop * (b - a))
        if stop < 1:
            yield _piece(curve, run)
            run = []
    if len(run) > 1:
        yield _piece(curve, run)


def _within(gap: Floats, step: Floats, radius: float) -> tuple[float, float] | None:
    """The part of a segment that lies within a circle about the origin, as parameters; None if none does."""
    a, b, c = float(step @ step), 2 * float(gap @ step), float(gap @ gap) - radius**2
    root = b * b - 4 * a * c
    if a == 0 or root <= 0:
        return None
    start, stop = max((-b - math.sqrt(root)) / (2 * a), 0.0), min((-b + math.sqrt(root)) / (2 * a), 1.0)
    return (start, stop) if start < stop else None


def _piece(curve: ViewCurve, run: list[Floats]) -> ViewCurve:
    return curve._replace(kind="line" if len(run) == 2 else "polyline", points=np.array(run))
