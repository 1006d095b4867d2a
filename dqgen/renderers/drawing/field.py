"""What already lies on paper, asked by those who want to lie there too, many places at a time."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.renderers.drawing.contacts import (
    Boxed,
    Mask,
    Rows,
    crossing,
    entered,
    near,
    overlapping,
    quads_of,
    segments_of,
)
from dqgen.renderers.drawing.dimension import Drawn, Quad
from dqgen.renderers.drawing.display_list import Point
from dqgen.schemas.design import Floats

HARD = 1000.0
"""Cost of a fault that lint would find."""
TEXT_MARGIN = 0.7
"""Room around the text of a place, mm."""
ARROW_CROSSED = 40.0
"""Of an arrow that a dimension line or leader crosses,"""
ARROW_TOUCHED = 6.0
"""that a witness line crosses."""
ALONGSIDE = 15.0
CLOSE = 0.9
"""mm within which another line would run into a parallel dimension line or leader,"""
SHORT = 2.0
"""which is longer than this, mm,"""
ENDS = 0.8
"""this part of either end, mm, left out."""
PARALLEL = 0.15
"""Sine of the angle below which lines run along each other."""
LINE_CROSSED = 2.5
LENGTH_CROSSED = 1.5
"""Of a line of the geometry that a dimension line crosses,"""
LEADER_CROSSED = 1.3
"""that a leader crosses,"""
WITNESS_CROSSED = 0.25
"""that a witness line crosses."""

TEXT, ARROW, LANE, CORRIDOR, FIXED = range(5)
"""Kinds of rectangles. A corridor is the ground beside a dimension line or leader."""
LENGTH, LEADER, WITNESS, GEOMETRY = range(4)
"""Kinds of segments: dimension lines, leaders, witness lines, lines of the view."""


def _prices(rows: int, columns: int, told: dict[tuple[int, int], float]) -> Floats:
    table = np.zeros((rows, columns))
    for place, price in told.items():
        table[place] = price
    return table


QUAD_ON_QUAD = _prices(
    4,
    5,
    {(one, other): HARD for one in (TEXT, ARROW) for other in (TEXT, ARROW)}
    | {(LANE, LANE): HARD, (TEXT, FIXED): HARD},
)
"""What it costs a place that a rectangle of its own shares ground with one that lies there, by the kinds of both;"""
QUAD_ON_SEGMENT = _prices(
    4,
    4,
    dict.fromkeys(((TEXT, LENGTH), (TEXT, LEADER), (TEXT, WITNESS), (TEXT, GEOMETRY)), HARD)
    | {(ARROW, LENGTH): ARROW_CROSSED, (ARROW, LEADER): ARROW_CROSSED, (ARROW, WITNESS): ARROW_TOUCHED}
    | {(CORRIDOR, kind): ALONGSIDE for kind in (LENGTH, LEADER, WITNESS, GEOMETRY)},
)
"""that a segment enters one of its rectangles (a corridor: in parallel);"""
SEGMENT_ON_QUAD = _prices(
    3,
    5,
    {(kind, other): HARD for kind in (LENGTH, LEADER, WITNESS) for other in (TEXT, FIXED)}
    | {(LENGTH, ARROW): ARROW_CROSSED, (LEADER, ARROW): ARROW_CROSSED, (WITNESS, ARROW): ARROW_TOUCHED},
)
"""that one of its segments enters a rectangle;"""
SEGMENT_ON_SEGMENT = _prices(
    3,
    4,
    {(kind, other): LINE_CROSSED for kind in (LENGTH, LEADER) for other in (LENGTH, LEADER, WITNESS)}
    | {(WITNESS, LENGTH): LINE_CROSSED, (WITNESS, LEADER): LINE_CROSSED}
    | {(LENGTH, GEOMETRY): LENGTH_CROSSED, (LEADER, GEOMETRY): LEADER_CROSSED, (WITNESS, GEOMETRY): WITNESS_CROSSED},
)
"""that one of its segments crosses another."""


@dataclass(frozen=True)
class Marks:
    """Segments (n, 4) or rectangles (n, 4, 2) on paper, their boxes (4, n), the kind of each and the place it is of."""

    rows: Floats
    boxes: Floats
    kinds: Rows
    places: Rows

    @classmethod
    def of(cls, rows: Floats, kinds: Rows | int, places: Rows | int = 0) -> "Marks":
        """With their boxes; one kind or place may be given for all."""
        boxed = Boxed.of(rows)
        whole = np.zeros(len(rows), dtype=np.intp)
        return cls(rows, boxed.boxes, whole + kinds, whole + places)

    @classmethod
    def joined(cls, many: Sequence["Marks"]) -> "Marks":
        """All of several."""
        return cls(
            np.concatenate([one.rows for one in many]),
            np.concatenate([one.boxes for one in many], axis=1),
            np.concatenate([one.kinds for one in many]),
            np.concatenate([one.places for one in many]),
        )

    def where(self, mask: Mask) -> "Marks":
        """Some of them."""
        return Marks(self.rows[mask], self.boxes[:, mask], self.kinds[mask], self.places[mask])

    def at(self, place: int) -> "Marks":
        """The same, of another place."""
        return Marks(self.rows, self.boxes, self.kinds, np.full(len(self.rows), place))


NO_QUADS = Marks.of(np.zeros((0, 4, 2)), 0)
NO_SEGMENTS = Marks.of(np.zeros((0, 4)), 0)


@dataclass(frozen=True)
class Shapes:
    """What lies, or would lie, at several places: texts apart from other rectangles, and segments."""

    texts: Marks
    quads: Marks
    segments: Marks

    @classmethod
    def joined(cls, many: Sequence["Shapes"]) -> "Shapes":
        """Those of several tables, each of which becomes a place."""
        if not many:
            return NOTHING
        return cls(
            Marks.joined([one.texts.at(place) for place, one in enumerate(many)]),
            Marks.joined([one.quads.at(place) for place, one in enumerate(many)]),
            Marks.joined([one.segments.at(place) for place, one in enumerate(many)]),
        )

    def where(self, places: Mask) -> "Shapes":
        """Those of some places."""
        return Shapes(
            self.texts.where(places[self.texts.places]),
            self.quads.where(places[self.quads.places]),
            self.segments.where(places[self.segments.places]),
        )


NOTHING = Shapes(NO_QUADS, NO_QUADS, NO_SEGMENTS)


def shapes_of(choice: Iterable[Drawn], margin: float = TEXT_MARGIN) -> Shapes:
    """Dimensions on paper as one place, with so much room around their texts, in mm."""
    texts: list[Quad] = []
    arrows: list[Quad] = []
    lanes: list[Quad] = []
    segments, kinds = [np.zeros((0, 4))], [np.zeros(0, dtype=np.intp)]
    for drawn in choice:
        texts += [text.quad(margin) for text in drawn.texts]
        arrows += [arrow_quad(arrow.points) for arrow in drawn.arrows]
        lanes += [drawn.lane] if drawn.lane is not None else []
        for strokes, kind in ((drawn.lines, LEADER if drawn.lane is None else LENGTH), (drawn.witness, WITNESS)):
            segments.append(segments_of(strokes))
            kinds.append(np.full(len(segments[-1]), kind))
    lines = Marks.of(np.concatenate(segments), np.concatenate(kinds))
    beside = corridors(lines.rows[lines.kinds != WITNESS])
    rest = np.concatenate([quads_of(arrows), quads_of(lanes), beside.rows])
    return Shapes(
        Marks.of(quads_of(texts), TEXT),
        Marks.of(rest, np.repeat([ARROW, LANE, CORRIDOR], [len(arrows), len(lanes), len(beside.rows)])),
        lines,
    )


def corridors(lines: Floats, places: Rows | int = 0) -> Marks:
    """The ground close beside dimension lines or leaders (n, 4), each of a place, but for short ones."""
    steps = lines[:, 2:] - lines[:, :2]
    lengths = np.hypot(steps[:, 0], steps[:, 1])
    long = lengths >= SHORT
    along = steps[long] / lengths[long, None]
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) * CLOSE
    a, b = lines[long, :2] + along * ENDS, lines[long, 2:] - along * ENDS
    quads = np.stack([a - across, b - across, b + across, a + across], axis=1)
    return Marks.of(quads, CORRIDOR, places[long] if isinstance(places, np.ndarray) else places)


def arrow_quad(points: tuple[Point, ...]) -> Quad:
    """The rectangle of an arrowhead's body, its very tip left out: lines may end there."""
    tip, a, b = (np.array(point) for point in points[:3])
    back = (a + b) / 2
    front = tip + 0.25 * (back - tip)
    half = (a - b) / 2
    corners = (back - half, front - half, front + half, back + half)
    w, x, y, z = ((float(corner[0]), float(corner[1])) for corner in corners)
    return w, x, y, z


class Field:
    """Geometry that lies still, and dimensions that come and go."""

    def __init__(self, geometry: Floats, fixed: Floats | None = None) -> None:
        """
        Args:
            geometry: (n, 4) segments of the view's lines, which texts must not touch.
            fixed: (n, 4, 2) rectangles where nothing may be written.
        """
        self._still = (
            Marks.of(np.zeros((0, 4, 2)) if fixed is None else fixed, FIXED),
            Marks.of(geometry, GEOMETRY),
        )
        self._drawn: dict[str, Shapes] = {}
        self._moving: tuple[Marks, Marks] | None = None

    def add(self, drawn: Drawn) -> None:
        """Put a dimension down."""
        self._drawn[drawn.label.id] = shapes_of([drawn], 0.0)
        self._moving = None

    def remove(self, drawn: Drawn) -> None:
        """Take a dimension away."""
        del self._drawn[drawn.label.id]
        self._moving = None

    def cost(self, drawn: Drawn) -> float:
        """What it costs to lie where this one would: its own cost, crossings, and a thousand for each fault."""
        shapes = shapes_of([drawn])
        return drawn.cost + float((self.text_cost(shapes, 1) + self.line_cost(shapes, 1) + self.others(shapes, 1))[0])

    def text_cost(self, shapes: Shapes, count: int) -> Floats:
        """What texts at each of so many places cost against what lies still."""
        return _quads_cost(shapes.texts, self._still, count)

    def line_cost(self, shapes: Shapes, count: int) -> Floats:
        """What all else at each of so many places costs against what lies still."""
        return _quads_cost(shapes.quads, self._still, count) + _segments_cost(shapes.segments, self._still, count)

    def others(self, shapes: Shapes, count: int) -> Floats:
        """What each of so many places costs against the dimensions that have been put down."""
        if self._moving is None:
            drawn = list(self._drawn.values())
            quads = [one.texts for one in drawn] + [one.quads.where(one.quads.kinds != CORRIDOR) for one in drawn]
            segments = [one.segments for one in drawn]
            self._moving = Marks.joined([NO_QUADS, *quads]), Marks.joined([NO_SEGMENTS, *segments])
        quads_cost = _quads_cost(Marks.joined([shapes.texts, shapes.quads]), self._moving, count)
        return quads_cost + _segments_cost(shapes.segments, self._moving, count)


def _quads_cost(own: Marks, there: tuple[Marks, Marks], count: int) -> Floats:
    """What rectangles of each of so many places cost against rectangles and segments that lie there."""
    quads, segments = there
    a, b, prices = _pairs(own, quads, QUAD_ON_QUAD)
    total = _summed(own.places[a], prices * overlapping(own.rows[a], quads.rows[b]), count)
    a, b, prices = _pairs(own, segments, QUAD_ON_SEGMENT)
    lines, ground = segments.rows[b], own.rows[a]
    met = entered(lines, ground) & ((own.kinds[a] != CORRIDOR) | _along(lines, ground))
    return total + _summed(own.places[a], prices * met, count)


def _segments_cost(own: Marks, there: tuple[Marks, Marks], count: int) -> Floats:
    """What segments of each of so many places cost against rectangles and segments that lie there."""
    quads, segments = there
    a, b, prices = _pairs(own, quads, SEGMENT_ON_QUAD)
    total = _summed(own.places[a], prices * entered(own.rows[a], quads.rows[b]), count)
    a, b, prices = _pairs(own, segments, SEGMENT_ON_SEGMENT)
    return total + _summed(own.places[a], prices * crossing(own.rows[a], segments.rows[b]), count)


def _pairs(own: Marks, other: Marks, prices: Floats) -> tuple[Rows, Rows, Floats]:
    """Pairs of marks that may meet at a price, and that price."""
    a, b = near(own.boxes, other.boxes)
    price = prices[own.kinds[a], other.kinds[b]]
    costly = price > 0
    return a[costly], b[costly], price[costly]


def _along(lines: Floats, corridors: Floats) -> Mask:
    """Whether each segment (n, 4) runs along its corridor (n, 4, 2)."""
    along = corridors[:, 1] - corridors[:, 0]
    along = along / np.maximum(np.hypot(along[:, 0], along[:, 1]), 1e-12)[:, None]
    steps = lines[:, 2:] - lines[:, :2]
    sizes = np.maximum(np.hypot(steps[:, 0], steps[:, 1]), 1e-12)
    parallel: Mask = np.abs(steps[:, 0] * along[:, 1] - steps[:, 1] * along[:, 0]) < PARALLEL * sizes
    return parallel


def _summed(places: Rows, costs: NDArray[np.float64], count: int) -> Floats:
    """The sum of costs at each place, free of the order in which they were added."""
    return np.round(np.bincount(places, costs, count), 6)
