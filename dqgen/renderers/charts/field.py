"""A field on a deformed part, in bands of colour with a legend, its loads and supports marked."""

from dataclasses import dataclass
from typing import Any

import moderngl
import numpy as np
from PIL import Image, ImageDraw

from dqgen.fonts import font
from dqgen.geometry import tessellation
from dqgen.geometry.transforms import Placed
from dqgen.renderers.annotate import check_glyphs
from dqgen.renderers.shaded import Frame, Look, Stage
from dqgen.renderers.views import View
from dqgen.schemas.design import (
    Colour,
    Curve,
    EdgeClass,
    EdgeTable,
    FaceTable,
    Floats,
    Ints,
    Occurrence,
    Solid,
    Surface,
)

BANDS: tuple[Colour, ...] = (
    (38, 56, 160), (44, 104, 214), (40, 156, 226), (46, 196, 196), (70, 196, 122), (140, 206, 70), (216, 214, 50),
    (246, 178, 44), (238, 116, 36), (204, 38, 38),
)  # fmt: skip
"""From nothing to the highest value, in even steps."""
HEIGHT = 0.64
"""Of the picture, in parts of its width."""
PLOT = (0.20, 0.10, 0.985, 0.83)
"""Left, top, right and bottom of the part's place, in parts of the picture."""
FILL = 0.74
"""Part of that place that the part takes up; arrows need the rest."""
SAG = 0.05
"""The largest deflection is drawn as this part of the part's diagonal."""
SHADE = 0.72
"""How far shades are lifted: colours must be told from each other."""
RED: Colour = (190, 20, 40)
HOLD: Colour = (52, 56, 64)
GREY: Colour = (140, 144, 150)
INK: Colour = (20, 22, 26)
CREASE = 35.0
"""Degrees between facets at which an edge is drawn and shading breaks."""
SMOOTHING = 3
SAME = 0.012
"""Values this near to the highest, in parts of it, are as high: symmetric places differ by the mesh."""


@dataclass(frozen=True)
class Arrow:
    """A load: the facets (n,) that it acts on, and its direction (3,), or two points of a torque's axis (2, 3)."""

    facets: Ints
    direction: Floats | None
    axis: Floats | None = None


@dataclass(frozen=True)
class FieldPicture:
    """A field before it is drawn.

    Attributes:
        title: above the picture.
        name, unit: of the values.
        values: (n,) at the points; the legend runs from 0 to the largest.
        points: (n, 3) mm in the design's frame, without load.
        facets: (f, 3) triangles seen from outside.
        displacement: (n, 3) mm.
        arrows: loads.
        load_words: what the arrows stand for.
        held: facets (n,) for each support.
        notes: lines below the picture.
    """

    title: str
    name: str
    unit: str
    values: Floats
    points: Floats
    facets: Ints
    displacement: Floats
    arrows: tuple[Arrow, ...]
    load_words: str
    held: tuple[Ints, ...]
    notes: tuple[str, ...]


def legend_number(value: float) -> str:
    """A value of the legend, to four figures."""
    digits = max(0, 3 - int(np.floor(np.log10(abs(value)) + 1e-12))) if value else 0
    return f"{value:.{digits}f}"


def draw_field(
    picture: FieldPicture, context: moderngl.Context, view: View, size: int
) -> tuple[Image.Image, dict[str, Any]]:
    """The picture, `size` pixels wide, and its evidence: the legend's values, what is written, the colours' pixels."""
    wide, high = size, round(HEIGHT * size)
    left, top, right, bottom = (round(part * side) for part, side in zip(PLOT, (wide, high, wide, high), strict=True))
    most = float(picture.values.max())
    moved = float(np.linalg.norm(picture.displacement, axis=1).max())
    diagonal = float(np.linalg.norm(np.ptp(picture.points, axis=0)))
    factor = SAG * diagonal / moved if moved > 0 else 0.0
    factor = float(f"{factor:.2g}") if factor < 1 or moved < 0.02 * diagonal else 1.0
    points = picture.points + factor * picture.displacement
    frame = _frame(view, np.vstack([points, picture.points]), right - left, bottom - top)
    solid = _banded(points, picture.facets, picture.values, most)
    leaf = Placed(Occurrence("/part", "part", "part", "file", None, np.eye(4), 0), (), solid, np.eye(4))
    stage = Stage(context, [leaf], points.mean(axis=0), diagonal)
    look = Look(colour=(200, 200, 200), face_colours=True, floor=SHADE)
    try:
        pixels = stage.picture(frame, {0: look}, max(1.0, size / 1600), None)
    finally:
        stage.release()
    canvas = Image.new("RGB", (wide, high), (255, 255, 255))
    _paste_outline(canvas, picture, frame, (left, top), size)
    part = Image.fromarray(pixels)
    canvas.paste(part, (left, top), part)
    _marks(canvas, picture, frame, (left, top), points, size)
    _peak_mark(canvas, picture, frame, (left, top), points, size)
    boxes = _legend(canvas, picture, most, size)
    _words(canvas, picture, factor, size)
    evidence = {
        "chart": "field",
        "width": wide,
        "height": high,
        "title": picture.title,
        "name": picture.name,
        "unit": picture.unit,
        "legend": [legend_number(most * at / len(BANDS)) for at in range(len(BANDS) + 1)],
        "legend_boxes": boxes,
        "part_box": [left, top, right, bottom],
        "notes": list(picture.notes),
        "deformation": factor,
    }
    return canvas, evidence


def _frame(view: View, points: Floats, wide: int, high: int) -> Frame:
    seen = points @ view.rotation.T
    low, top = seen.min(axis=0), seen.max(axis=0)
    scale = FILL * min(wide / (top[0] - low[0]), high / (top[1] - low[1]))
    return Frame(view, view.rotation.T @ ((low + top) / 2), scale, wide, high)


def _banded(points: Floats, facets: Ints, values: Floats, most: float) -> Solid:
    """The surface cut along the limits of the bands, a face a band, with its creases as edges."""
    normals, _ = tessellation.triangle_normals(points, facets)
    smooth = _smooth_normals(points, facets, normals)
    share = np.clip(values[facets] / most, 0, 1) * len(BANDS)
    corners: list[Floats] = []
    bands: list[int] = []
    for at in range(len(facets)):
        patch = np.column_stack([points[facets[at]], smooth[at], share[at]])
        for band in range(int(share[at].min()), min(len(BANDS) - 1, int(share[at].max())) + 1):
            piece = _cut(_cut(patch, band, 1.0), band + 1, -1.0) if np.ptp(share[at]) > 1e-12 else patch
            for turn in range(1, len(piece) - 1):
                corners.append(piece[[0, turn, turn + 1], :6])
                bands.append(band)
    stacked = np.concatenate(corners)
    vertices = stacked[:, :3].copy()
    triangles = np.arange(len(vertices), dtype=np.int32).reshape(-1, 3)
    pairs, ends = tessellation.links(triangles, tessellation.weld(vertices, 1e-5))
    flat, areas = tessellation.triangle_normals(vertices, triangles)
    second = np.where(pairs[:, 1] < 0, pairs[:, 0], pairs[:, 1])
    crease = np.einsum("ij,ij->i", flat[pairs[:, 0]], flat[second]) < np.cos(np.radians(CREASE))
    crease |= areas[second] * areas[pairs[:, 0]] < 0
    bounds = np.stack([vertices.min(axis=0), vertices.max(axis=0)])
    volume = tessellation.enclosed_volume(vertices, triangles)
    return Solid(
        key="field", vertices=vertices, normals=stacked[:, 3:6].astype(np.float32), triangles=triangles,
        triangle_face=np.array(bands, dtype=np.int32), links=pairs, link_vertices=ends,
        link_edge=np.where(crease, 0, -1).astype(np.int32),
        faces=_band_faces(bounds, float(areas.sum())), face_surface=np.zeros(len(BANDS), dtype=np.int32),
        edges=_one_edge(bounds), step_vertices=np.full((2, 2, 2), -1, dtype=np.int32),
        step_parameter=np.arange(2.0), bounds=bounds,
        volume=volume, bodies=1, closed=volume > 0, fitted=True,
    )  # fmt: skip


def _cut(patch: Floats, level: float, side: float) -> Floats:
    """The part of a convex patch whose last column is on one side of a level."""
    if len(patch) < 3:
        return patch[:0]
    off = side * (patch[:, -1] - level)
    kept: list[Floats] = []
    for at in range(len(patch)):
        after = (at + 1) % len(patch)
        if off[at] >= 0:
            kept.append(patch[at])
        if (off[at] >= 0) != (off[after] >= 0):
            # From the same end for both neighbours of an edge, so that they cut it at the same point.
            first, last = sorted((at, after), key=lambda row: tuple(patch[row, :3]))
            part = off[first] / (off[first] - off[last])
            kept.append(patch[first] + part * (patch[last] - patch[first]))
    return np.array(kept) if len(kept) > 2 else patch[:0]


def _smooth_normals(points: Floats, facets: Ints, normals: Floats) -> Floats:
    """(f, 3, 3) at each facet's corners: the mean of the facets around that lie nearly as it does."""
    around: list[list[int]] = [[] for _ in range(len(points))]
    for at, three in enumerate(facets.tolist()):
        for corner in three:
            around[corner].append(at)
    made = np.empty((len(facets), 3, 3))
    least = np.cos(np.radians(CREASE))
    for at, three in enumerate(facets.tolist()):
        for corner, point in enumerate(three):
            near = normals[around[point]]
            mean = near[near @ normals[at] > least].sum(axis=0)
            made[at, corner] = mean / np.linalg.norm(mean)
    return made


def _band_faces(bounds: Floats, area: float) -> FaceTable:
    count = len(BANDS)
    zeros = np.zeros(count)
    colour = np.array([(*band, 255) for band in BANDS], dtype=np.uint8)
    return FaceTable(
        np.full(count, Surface.OTHER, dtype=np.uint8), np.zeros((count, 3)), np.zeros((count, 3)), zeros, zeros, zeros,
        np.zeros(count, dtype=np.bool_), np.full(count, area), np.repeat(bounds[None], count, axis=0), colour,
    )  # fmt: skip


def _one_edge(bounds: Floats) -> EdgeTable:
    """All creases as one sharp edge."""
    return EdgeTable(
        np.array([Curve.OTHER], dtype=np.uint8), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 3)), np.zeros((1, 2)),
        np.zeros((1, 2)), np.array([[0, -1]], dtype=np.int32), np.array([EdgeClass.SHARP], dtype=np.uint8),
        bounds, np.array([0, 2], dtype=np.int32),
    )  # fmt: skip


class _Brush:
    """Lines and shapes drawn larger and averaged, laid over the picture."""

    def __init__(self, canvas: Image.Image) -> None:
        self._canvas = canvas
        many = (canvas.width * SMOOTHING, canvas.height * SMOOTHING)
        self._layer = Image.new("RGBA", many, (255, 255, 255, 0))
        self.draw = ImageDraw.Draw(self._layer)

    def line(self, points: Floats, colour: Colour, width: float) -> None:
        """A polyline in pixels of the picture."""
        spread = [(float(x), float(y)) for x, y in points * SMOOTHING]
        self.draw.line(spread, fill=(*colour, 255), width=max(1, round(width * SMOOTHING)), joint="curve")

    def polygon(self, points: Floats, colour: Colour) -> None:
        """A filled polygon."""
        self.draw.polygon([(float(x), float(y)) for x, y in points * SMOOTHING], fill=(*colour, 255))

    def done(self) -> None:
        """Lay it over the picture, as far as anything is drawn."""
        drawn = self._layer.getbbox()
        if drawn is None:
            return
        left, top = drawn[0] // SMOOTHING, drawn[1] // SMOOTHING
        right, bottom = -(-drawn[2] // SMOOTHING), -(-drawn[3] // SMOOTHING)
        part = self._layer.crop((left * SMOOTHING, top * SMOOTHING, right * SMOOTHING, bottom * SMOOTHING))
        small = part.resize((right - left, bottom - top), Image.Resampling.BOX)
        # Transparent white: the average's colours are mixed with it, so the cover is what matters.
        self._canvas.paste(_full(small), (left, top), small.getchannel("A"))


def _full(layer: Image.Image) -> Image.Image:
    pixels = np.asarray(layer).astype(np.float64)
    cover = pixels[..., 3:] / 255
    colour = 255 - (255 - pixels[..., :3]) / np.maximum(cover, 1 / 255)
    return Image.fromarray(np.clip(np.rint(colour), 0, 255).astype(np.uint8))


def _seen(points: Floats, frame: Frame, corner: tuple[int, int]) -> Floats:
    """Pixels (n, 2) of points (n, 3)."""
    matrix = frame.to_pixels()
    made: Floats = (points @ matrix[:, :3].T + matrix[:, 3])[:, :2] + np.array(corner)
    return made


def _paste_outline(
    canvas: Image.Image, picture: FieldPicture, frame: Frame, corner: tuple[int, int], size: int
) -> None:
    """Creases and outlines of the part without load, in grey behind the deformed one."""
    normals, _ = tessellation.triangle_normals(picture.points, picture.facets)
    pairs, ends = tessellation.links(picture.facets, np.arange(len(picture.points)))
    first, second = normals[pairs[:, 0]], normals[pairs[:, 1]]
    towards = frame.view.rotation[2]
    drawn = np.einsum("ij,ij->i", first, second) < np.cos(np.radians(CREASE))
    drawn |= ((first @ towards) > 0) != ((second @ towards) > 0)
    seen = _seen(picture.points, frame, corner)
    brush = _Brush(canvas)
    for pair in ends[drawn]:
        brush.line(seen[pair], GREY, size / 1500)
    brush.done()


def _marks(
    canvas: Image.Image, picture: FieldPicture, frame: Frame, corner: tuple[int, int], points: Floats, size: int
) -> None:
    """Arrows of loads and triangles of supports, at the side of the part that they come from."""
    brush = _Brush(canvas)
    middles = points[picture.facets].mean(axis=1)
    for held in picture.held:
        seen = _seen(middles[held], frame, corner)
        for at in _spread(seen, 3 if np.ptp(seen[:, 0]) > 0.08 * size else 1, 0.006 * size):
            base = at[1] + 0.018 * size
            triangle = np.array([[at[0], at[1]], [at[0] - 0.011 * size, base], [at[0] + 0.011 * size, base]])
            brush.polygon(triangle, HOLD)
            ground = np.array([[at[0] - 0.015 * size, base], [at[0] + 0.015 * size, base]])
            brush.line(ground, HOLD, size / 700)
    for arrow in picture.arrows:
        if arrow.direction is not None:
            _force(brush, middles[arrow.facets], arrow.direction, frame, corner, size)
        elif arrow.axis is not None:
            _torque(brush, middles[arrow.facets], arrow.axis, frame, corner, size)
    brush.done()


def _spread(seen: Floats, count: int, reach: float) -> list[Floats]:
    """The lowest pixel of a support in its middle, or at several places along it."""
    left, right = seen[:, 0].min(), seen[:, 0].max()
    found = []
    for place in np.linspace(left, right, count + 2)[1:-1]:
        aside = np.abs(seen[:, 0] - place)
        near = seen[aside <= max(reach, float(aside.min()))]
        found.append(np.array([place, near[:, 1].max()]))
    return found


def _force(brush: _Brush, points: Floats, direction: Floats, frame: Frame, corner: tuple[int, int], size: int) -> None:
    """Arrows that end on the part, as many as the load is long."""
    way = _seen(np.vstack([np.zeros(3), direction / np.linalg.norm(direction)]), frame, corner)
    way = (way[1] - way[0]) / frame.scale
    # Along the line of sight there is nothing to see: drawn from the upper right, as if it came past the viewer.
    way = way / np.linalg.norm(way) if np.linalg.norm(way) > 0.15 else np.array([-0.6, 0.8])
    pixels = _seen(points, frame, corner)
    middle = pixels.mean(axis=0)
    _, _, axes = np.linalg.svd(pixels - middle, full_matrices=False)
    along = (pixels - middle) @ axes[0]
    many = 5 if np.ptp(along) > 0.15 * size and abs(axes[0] @ way) < 0.9 else 1
    places = np.linspace(along.min(), along.max(), many + 2)[1:-1] if many > 1 else [float(np.median(along))]
    across = np.array([-way[1], way[0]])
    for place in places:
        centre = middle + axes[0] * place
        aside = np.abs((pixels - centre) @ across)
        near = pixels[aside <= max(0.008 * size, float(aside.min()) + 1)]
        back = float(((near - centre) @ -way).max())
        tip = centre - way * (back + 0.004 * size)
        _arrow(brush, tip - way * (0.06 if many > 1 else 0.085) * size, tip, size)


def _arrow(brush: _Brush, start: Floats, tip: Floats, size: int) -> None:
    way = (tip - start) / np.linalg.norm(tip - start)
    side = np.array([-way[1], way[0]])
    head = 0.016 * size
    neck = tip - way * head
    brush.line(np.stack([start, neck]), RED, size / 420)
    brush.polygon(np.stack([tip, neck + side * head * 0.42, neck - side * head * 0.42]), RED)


def _torque(brush: _Brush, points: Floats, axis: Floats, frame: Frame, corner: tuple[int, int], size: int) -> None:
    """Three quarters of a circle around the axis, with a head."""
    foot, tip = axis
    along = (tip - foot) / np.linalg.norm(tip - foot)
    first = np.cross(along, frame.view.rotation[2])
    first /= np.linalg.norm(first)
    second = np.cross(along, first)
    offset = points - foot
    radius = 2.2 * float(np.linalg.norm(offset - np.outer(offset @ along, along), axis=1).max())
    angle = np.radians(np.linspace(-100, 170, 60))
    circle = foot + radius * (np.cos(angle)[:, None] * first + np.sin(angle)[:, None] * second)
    seen = _seen(circle, frame, corner)
    brush.line(seen[:-5], RED, size / 420)
    _arrow(brush, seen[-7], seen[-1], size)


def _peak_mark(
    canvas: Image.Image, picture: FieldPicture, frame: Frame, corner: tuple[int, int], points: Floats, size: int
) -> None:
    """Where the highest value is, with a line to its number; said if that side cannot be seen."""
    normals, areas = tessellation.triangle_normals(points, picture.facets)
    outward = np.zeros_like(points)
    for side in range(3):
        np.add.at(outward, picture.facets[:, side], normals * areas[:, None])
    facing = outward @ frame.view.rotation[2]
    facing /= np.maximum(np.linalg.norm(outward, axis=1), 1e-12)
    # Of places that are alike by symmetry, the one that faces the viewer most.
    alike = np.flatnonzero(picture.values >= (1 - SAME) * picture.values.max())
    row = int(alike[np.argmax(facing[alike])])
    at = _seen(points[row][None], frame, corner)[0]
    words = f"max {legend_number(float(picture.values.max()))} {picture.unit}"
    words += "" if facing[row] > 0.05 else " (far side)"
    letters = font(round(0.0155 * size), bold=True)
    brush = _Brush(canvas)
    label, near = _free_place(canvas, at, letters.getlength(words), frame, corner, size)
    brush.line(np.stack([near, at]), INK, size / 1500)
    turn = np.radians(np.linspace(0, 360, 25))
    ring = at + 0.0045 * size * np.column_stack([np.cos(turn), np.sin(turn)])
    brush.line(ring, (255, 255, 255), size / 350)  # a support may stand behind it
    brush.line(ring, INK, size / 900)
    brush.done()
    ImageDraw.Draw(canvas).text(tuple(label), words, font=letters, fill=INK, anchor="mm")


def _free_place(
    canvas: Image.Image, at: Floats, length: float, frame: Frame, corner: tuple[int, int], size: int
) -> tuple[Floats, Floats]:
    """The middle of a white place for words as near to a point as there is, and where a line to them ends."""
    pixels = np.asarray(canvas.convert("L"))
    half = np.array([length / 2 + 0.008 * size, 0.014 * size])
    low = np.array(corner) + half
    high = np.array([corner[0] + frame.width, corner[1] + frame.height]) - half
    best: tuple[float, Floats] | None = None
    for x in np.linspace(low[0], high[0], 36):
        for y in np.linspace(low[1], high[1], 30):
            place = np.array([x, y])
            left, top = (place - half).astype(int)
            right, bottom = (place + half).astype(int)
            away = float(np.linalg.norm((place - at) / [1.6, 1.0]))
            if (best is None or away < best[0]) and pixels[top:bottom, left:right].min() > 250:
                best = away, place
    place = low if best is None else best[1]
    near = np.clip(at, place - half * 0.9, place + half * 0.9)
    return place, near


def _legend(canvas: Image.Image, picture: FieldPicture, most: float, size: int) -> list[list[int]]:
    """Bands from the lowest below to the highest above, with the values between them."""
    draw = ImageDraw.Draw(canvas)
    small = font(round(0.0145 * size))
    left, wide = round(0.035 * size), round(0.030 * size)
    top, each = round(0.135 * size), round(0.0345 * size)
    check_glyphs(picture.name + picture.unit, round(0.0145 * size))
    draw.text(
        (left, round(0.083 * size)), picture.name, font=font(round(0.0155 * size), bold=True), fill=INK, anchor="lm"
    )
    draw.text((left, round(0.108 * size)), f"in {picture.unit}", font=small, fill=INK, anchor="lm")
    boxes = []
    for at in range(len(BANDS)):
        level = top + each * (len(BANDS) - 1 - at)
        box = [left, level, left + wide, level + each]
        draw.rectangle(box, fill=BANDS[at], outline=INK, width=max(1, round(size / 1600)))
        boxes.append(box)
    for at in range(len(BANDS) + 1):
        level = top + each * (len(BANDS) - at)
        draw.text(
            (left + wide + round(0.008 * size), level),
            legend_number(most * at / len(BANDS)),
            font=small,
            fill=INK,
            anchor="lm",
        )
    return boxes


def _words(canvas: Image.Image, picture: FieldPicture, factor: float, size: int) -> None:
    """Title above, key and notes below."""
    draw = ImageDraw.Draw(canvas)
    draw.text(
        (canvas.width / 2, round(0.032 * size)), picture.title, font=font(round(0.0205 * size)), fill=INK, anchor="mm"
    )
    small = font(round(0.0145 * size))
    foot, step = round(0.552 * size), round(0.0235 * size)
    brush = _Brush(canvas)
    x = round(0.035 * size)
    _arrow(brush, np.array([x, foot], dtype=float), np.array([x + 0.04 * size, foot]), size)
    y = foot + step
    brush.polygon(
        np.array(
            [
                [x + 0.02 * size, y - 0.007 * size],
                [x + 0.011 * size, y + 0.007 * size],
                [x + 0.029 * size, y + 0.007 * size],
            ]
        ),
        HOLD,
    )
    brush.done()
    for row, words in enumerate(
        (picture.load_words, "held", f"deflection drawn × {factor:g}; grey lines: without load")
    ):
        check_glyphs(words, 12)
        at = x + (round(0.052 * size) if row < 2 else 0)
        draw.text((at, foot + row * step), words, font=small, fill=INK, anchor="lm")
    for row, words in enumerate(picture.notes):
        check_glyphs(words, 12)
        draw.text((round(0.50 * size), foot + row * step), words, font=small, fill=INK, anchor="lm")
