"""What a loader fills while it reads a page: growing columns, in the order of drawing, then the page's tables.

Geometry is added in frames: the page's own coordinates, or those of a model seen through a viewport. Each frame is
brought to the page by a matrix when the tables are made, all points at once.
"""

from array import array
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from dqgen.schemas.design import Colour, Floats, Ints
from dqgen.schemas.sheet import EntityTable, ImageTable, PathTable, TextTable, Verb

Rgba = tuple[int, int, int, int]
CLEAR: Rgba = (0, 0, 0, 0)
FARTHEST = 1e15
"""Nothing that lies farther out, in the drawing's units, is kept."""
STRAY = 1000.0
"""What lies this many times farther from the middle than all else is stray and does not set the page's size."""


@dataclass(frozen=True)
class Ink:
    """How a path is drawn; dashes are lengths in the frame's units."""

    stroke: Rgba = CLEAR
    fill: Rgba = CLEAR
    width: float = 0.25
    dash: tuple[float, ...] = ()
    even_odd: bool = False


@dataclass(frozen=True)
class Place:
    """Where something belongs: rows of layer, entity and clip, and the frame that it is given in."""

    layer: int = -1
    entity: int = -1
    clip: int = -1
    frame: int = 0


@dataclass
class Entity:
    """A row of the table of entities, while it grows."""

    kind: str
    handle: str
    name: str
    layer: int
    colour: Colour
    parent: int
    viewport: int
    visible: bool
    content: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Run:
    """A run of text in its frame: origin, vectors along the baseline (its length) and up (height of capitals).

    `low` and `high` are the ink's ends across, in heights of capitals.
    """

    text: str
    origin: tuple[float, float]
    along: tuple[float, float]
    up: tuple[float, float]
    low: float
    high: float
    font: str
    bold: bool
    colour: Rgba
    place: Place


class PageBuilder:
    """The columns of one page."""

    def __init__(self) -> None:
        self.entities: list[Entity] = []
        self.runs: list[Run] = []
        self.run_orders: list[int] = []
        self.clips: list[tuple[int, Floats]] = []
        self.images: list[tuple[str, Floats, tuple[int, int], Place, int]] = []
        self.order = 0
        self.points = array("d")
        self.verbs = bytearray()
        self._point_starts = array("i", [0])
        self._verb_starts = array("i", [0])
        self._inks: list[Ink] = []
        self._places: list[Place] = []
        self._orders = array("i")

    def entity(self, entity: Entity) -> int:
        """Add a row and return its number."""
        self.entities.append(entity)
        return len(self.entities) - 1

    def clip(self, frame: int, polygon: Floats) -> int:
        """Add a polygon, (n, 2), outside which nothing shows, and return its row."""
        self.clips.append((frame, polygon))
        return len(self.clips) - 1

    def path(self, verbs: bytes, coordinates: Iterable[float], ink: Ink, place: Place) -> None:
        """Add a path: `Verb` by `Verb`, with x and y of each point one after another."""
        self.verbs += verbs
        self.points.extend(coordinates)
        self._close(ink, place)

    def segments(self, ends: Floats, ink: Ink, place: Place) -> None:
        """Add straight strokes, (n, 2, 2), as one path."""
        if len(ends):
            self.verbs += bytes([Verb.MOVE, Verb.LINE]) * len(ends)
            self.points.frombytes(np.ascontiguousarray(ends, dtype=np.float64).tobytes())
            self._close(ink, place)

    def _close(self, ink: Ink, place: Place) -> None:
        self._verb_starts.append(len(self.verbs))
        self._point_starts.append(len(self.points) // 2)
        self._inks.append(ink)
        self._places.append(place)
        self._orders.append(self.order)
        self.order += 1

    def text(self, run: Run) -> None:
        """Add a run of text."""
        self.runs.append(run)
        self.run_orders.append(self.order)
        self.order += 1

    def image(self, name: str, quad: Floats, pixels: tuple[int, int], place: Place) -> None:
        """Add a raster picture by its corners, (4, 2)."""
        self.images.append((name, quad, pixels, place, self.order))
        self.order += 1

    def extents(self, frames: Sequence[Floats], seen: Sequence[bool]) -> tuple[Floats | None, int]:
        """Box of all that is drawn on layers that are `seen`, and how many things lie astray and are left out.

        Args:
            frames: (2, 3) each, from a frame to the space that the box is wanted in.
            seen: of each layer.

        Returns:
            (4,) least x and y, greatest x and y, or None if nothing is drawn.
        """
        boxes = [self._path_boxes(self._placed(frames)), self._run_quads(frames), self._image_quads(frames)]
        places = [self._places, [run.place for run in self.runs], [image[3] for image in self.images]]
        flat = np.vstack([boxes[0], *(np.hstack([quad.min(axis=1), quad.max(axis=1)]) for quad in boxes[1:])])
        rows = [place for column in places for place in column]
        keep = np.isfinite(flat).all(axis=1) & (np.abs(flat) < FARTHEST).all(axis=1)
        keep &= np.array([place.layer < 0 or seen[place.layer] for place in rows], dtype=bool)
        clips = np.array([place.clip for place in rows], dtype=np.int32)
        limits = [_box(_moved(polygon, frames[frame])) for frame, polygon in self.clips]
        for row, limit in enumerate(limits):
            inside = clips == row
            flat[inside, :2] = np.maximum(flat[inside, :2], limit[:2])
            flat[inside, 2:] = np.minimum(flat[inside, 2:], limit[2:])
        keep &= (flat[:, 2:] >= flat[:, :2]).all(axis=1)
        flat = flat[keep]
        if not len(flat):
            return None, 0
        near = _near(flat)
        return np.concatenate([flat[near, :2].min(axis=0), flat[near, 2:].max(axis=0)]), int((~near).sum())

    def tables(
        self, frames: Sequence[Floats], dash_scales: Sequence[float]
    ) -> tuple[EntityTable, PathTable, TextTable, ImageTable, tuple[Floats, ...], int]:
        """The page's tables.

        Args:
            frames: (2, 3) each, from a frame to page millimetres.
            dash_scales: of each frame, millimetres to a unit of dashes.

        Returns:
            Tables of entities, paths, texts and images, clips, and how many paths and texts were dropped because
            their coordinates are no numbers or beyond all bounds.
        """
        clips = tuple(_moved(polygon, frames[frame]) for frame, polygon in self.clips)
        paths, bad = self._path_table(frames, dash_scales)
        texts, bad_texts = self._text_table(frames)
        images = self._image_table(frames)
        return self._entity_table(paths, texts, images, clips), paths, texts, images, clips, bad + bad_texts

    def _placed(self, frames: Sequence[Floats]) -> Floats:
        points = np.frombuffer(self.points, dtype=np.float64).reshape(-1, 2) if len(self.points) else np.zeros((0, 2))
        which = np.array([place.frame for place in self._places], dtype=np.int32)
        starts = np.frombuffer(self._point_starts, dtype=np.int32)
        counts = starts[1:] - starts[:-1]
        of_point = np.repeat(which, counts)
        placed = np.empty_like(points)
        with np.errstate(all="ignore"):  # what is no number is sorted out afterwards
            for number, matrix in enumerate(frames):
                here = of_point == number
                placed[here] = _moved(points[here], matrix)
        return placed

    def _path_boxes(self, points: Floats) -> Floats:
        starts = np.frombuffer(self._point_starts, dtype=np.int32)[:-1]
        if not len(starts):
            return np.zeros((0, 4))
        return np.hstack([np.minimum.reduceat(points, starts), np.maximum.reduceat(points, starts)])

    def _run_quads(self, frames: Sequence[Floats]) -> Floats:
        """(n, 4, 2) from the lower left as one reads."""
        if not self.runs:
            return np.zeros((0, 4, 2))
        origin = np.array([run.origin for run in self.runs])
        along = np.array([run.along for run in self.runs])
        up = np.array([run.up for run in self.runs])
        low = np.array([run.low for run in self.runs])[:, None] * up
        high = np.array([run.high for run in self.runs])[:, None] * up
        quads = np.stack([origin + low, origin + along + low, origin + along + high, origin + high], axis=1)
        return self._by_frame(quads, [run.place for run in self.runs], frames)

    def _image_quads(self, frames: Sequence[Floats]) -> Floats:
        if not self.images:
            return np.zeros((0, 4, 2))
        return self._by_frame(
            np.stack([image[1] for image in self.images]), [image[3] for image in self.images], frames
        )

    def _by_frame(self, points: Floats, places: list[Place], frames: Sequence[Floats]) -> Floats:
        which = np.array([place.frame for place in places], dtype=np.int32)
        placed = np.empty_like(points)
        with np.errstate(all="ignore"):
            for number, matrix in enumerate(frames):
                here = which == number
                placed[here] = _moved(points[here], matrix)
        return placed

    def _path_table(self, frames: Sequence[Floats], dash_scales: Sequence[float]) -> tuple[PathTable, int]:
        points = self._placed(frames)
        boxes = self._path_boxes(points)
        good = np.asarray(np.isfinite(boxes).all(axis=1) & (np.abs(boxes) < FARTHEST).all(axis=1))
        verb_starts = np.frombuffer(self._verb_starts, dtype=np.int32)
        point_starts = np.frombuffer(self._point_starts, dtype=np.int32)
        verb_counts, point_counts = np.diff(verb_starts), np.diff(point_starts)
        verbs = np.frombuffer(bytes(self.verbs), dtype=np.uint8)
        kept = np.flatnonzero(good)
        inks = [self._inks[row] for row in kept]
        places = [self._places[row] for row in kept]
        rows: dict[tuple[tuple[float, ...], float], int] = {}
        dash = [
            rows.setdefault((ink.dash, dash_scales[place.frame]), len(rows)) if ink.dash else -1
            for ink, place in zip(inks, places, strict=True)
        ]
        lengths = [[part * scale for part in pattern] for pattern, scale in rows]
        table = PathTable(
            verbs=verbs[np.repeat(good, verb_counts)],
            points=points[np.repeat(good, point_counts)],
            verb_starts=_starts(verb_counts[good]),
            point_starts=_starts(point_counts[good]),
            stroke=_bytes([ink.stroke for ink in inks], 4),
            fill=_bytes([ink.fill for ink in inks], 4),
            even_odd=np.array([ink.even_odd for ink in inks], dtype=bool),
            width=np.array([ink.width for ink in inks], dtype=np.float64),
            dash=_ints(dash),
            dash_starts=_starts(np.array([len(part) for part in lengths], dtype=np.int32)),
            dash_lengths=np.array([part for row in lengths for part in row], dtype=np.float64),
            layer=_ints([place.layer for place in places]),
            entity=_ints([place.entity for place in places]),
            clip=_ints([place.clip for place in places]),
            order=np.frombuffer(self._orders, dtype=np.int32)[good] if len(good) else _ints([]),
            box=boxes[good],
        )
        return table, int((~good).sum())

    def _text_table(self, frames: Sequence[Floats]) -> tuple[TextTable, int]:
        quads = self._run_quads(frames)
        good = np.isfinite(quads).all(axis=(1, 2)) & (np.abs(quads) < FARTHEST).all(axis=(1, 2))
        kept = [self.runs[row] for row in np.flatnonzero(good)]
        places = [run.place for run in kept]
        quads = quads[good]
        low = np.array([run.low for run in kept])[:, None]
        high = np.array([run.high for run in kept])[:, None]
        along = quads[:, 1] - quads[:, 0]
        up = (quads[:, 3] - quads[:, 0]) / (high - low)
        width = np.hypot(along[:, 0], along[:, 1])
        unit = along / np.where(width > 0, width, 1)[:, None]
        # On the page Y runs down: seen as one reads, up is 90 degrees counter-clockwise of along.
        height = -(unit[:, 0] * up[:, 1] - unit[:, 1] * up[:, 0])
        lean = (up * unit).sum(axis=1)
        table = TextTable(
            text=tuple(run.text for run in kept),
            origin=quads[:, 0] - low * up,
            rotation=-np.degrees(np.arctan2(along[:, 1], along[:, 0])) + 0.0,
            height=np.abs(height),
            width=width,
            quad=quads,
            oblique=np.degrees(np.arctan2(lean, np.abs(height))),
            font=tuple(run.font for run in kept),
            bold=np.array([run.bold for run in kept], dtype=bool),
            mirrored=height < 0,
            colour=_bytes([run.colour for run in kept], 4),
            layer=_ints([place.layer for place in places]),
            entity=_ints([place.entity for place in places]),
            clip=_ints([place.clip for place in places]),
            order=_ints([self.run_orders[row] for row in np.flatnonzero(good)]),
        )
        return table, int((~good).sum())

    def _image_table(self, frames: Sequence[Floats]) -> ImageTable:
        quads = self._image_quads(frames)
        good = np.flatnonzero(np.isfinite(quads).all(axis=(1, 2)) & (np.abs(quads) < FARTHEST).all(axis=(1, 2)))
        kept = [self.images[row] for row in good]
        return ImageTable(
            name=tuple(image[0] for image in kept),
            quad=quads[good],
            pixels=np.array([image[2] for image in kept], dtype=np.int32).reshape(-1, 2),
            layer=_ints([image[3].layer for image in kept]),
            entity=_ints([image[3].entity for image in kept]),
            clip=_ints([image[3].clip for image in kept]),
            order=_ints([image[4] for image in kept]),
        )

    def _entity_table(
        self, paths: PathTable, texts: TextTable, images: ImageTable, clips: tuple[Floats, ...]
    ) -> EntityTable:
        count = len(self.entities)
        box = np.tile([np.inf, np.inf, -np.inf, -np.inf], (count, 1))
        limits = np.array([_box(polygon) for polygon in clips]).reshape(-1, 4)
        image_boxes = np.hstack([images.quad.min(axis=1), images.quad.max(axis=1)]) if len(images) else np.zeros((0, 4))
        for table, boxes in ((paths, paths.box), (texts, texts.box), (images, image_boxes)):
            low, high = boxes[:, :2].copy(), boxes[:, 2:].copy()
            clipped = table.clip >= 0
            low[clipped] = np.maximum(low[clipped], limits[table.clip[clipped], :2])
            high[clipped] = np.minimum(high[clipped], limits[table.clip[clipped], 2:])
            own = (table.entity >= 0) & (high >= low).all(axis=1)
            np.minimum.at(box[:, :2], table.entity[own], low[own])
            np.maximum.at(box[:, 2:], table.entity[own], high[own])
        parent = _ints([entity.parent for entity in self.entities])
        for row in range(count - 1, -1, -1):  # children come after parents
            above = parent[row]
            if above >= 0:
                box[above, :2] = np.minimum(box[above, :2], box[row, :2])
                box[above, 2:] = np.maximum(box[above, 2:], box[row, 2:])
        box[np.isinf(box).any(axis=1)] = np.nan
        kinds: dict[str, int] = {}
        return EntityTable(
            kind=_ints([kinds.setdefault(entity.kind, len(kinds)) for entity in self.entities]),
            kinds=tuple(kinds),
            handle=tuple(entity.handle for entity in self.entities),
            name=tuple(entity.name for entity in self.entities),
            content=tuple("\n".join(entity.content) for entity in self.entities),
            layer=_ints([entity.layer for entity in self.entities]),
            colour=_bytes([entity.colour for entity in self.entities], 3),
            parent=parent,
            viewport=_ints([entity.viewport for entity in self.entities]),
            visible=np.array([entity.visible for entity in self.entities], dtype=bool),
            box=box,
        )


def _near(boxes: Floats) -> "np.ndarray[tuple[int], np.dtype[np.bool_]]":
    """Which boxes are not astray: at most a fifth may be, each `STRAY` times farther out than all the others."""
    middle = np.median((boxes[:, :2] + boxes[:, 2:]) / 2, axis=0)
    reach = np.maximum(np.abs(boxes[:, :2] - middle), np.abs(boxes[:, 2:] - middle)).max(axis=1)
    ranked = np.sort(reach)
    first = max(1, int(len(ranked) * 0.8))
    jumps = np.flatnonzero((ranked[first:] > STRAY * ranked[first - 1 : -1]) & (ranked[first - 1 : -1] > 0))
    limit = ranked[first - 1 + jumps[0]] if len(jumps) else np.inf
    return np.asarray(reach <= limit)


def _moved(points: Floats, matrix: Floats) -> Floats:
    return np.asarray(points @ matrix[:, :2].T + matrix[:, 2])


def _box(polygon: Floats) -> Floats:
    return np.concatenate([polygon.min(axis=0), polygon.max(axis=0)])


def _starts(counts: Ints) -> Ints:
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)


def _ints(values: list[int]) -> Ints:
    return np.array(values, dtype=np.int32)


def _bytes(values: Sequence[tuple[int, ...]], width: int) -> "np.ndarray[tuple[int, int], np.dtype[np.uint8]]":
    return np.array(values, dtype=np.uint8).reshape(-1, width)
