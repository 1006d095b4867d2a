"""Whether a reader can find in a drawing what is measured: the ends of a length, both sides of what has a middle, a
good part of a tube. What covers them is taken away."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.ndimage import binary_dilation

from dqgen.geometry.bounds import corners, placed_bounds
from dqgen.geometry.expressions import Binary, Call, Name, Negative, Node, Text, parse
from dqgen.geometry.handles import Occurrences
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.occurrences import match as picked
from dqgen.geometry.transforms import Placed, apply
from dqgen.renderers.shaded import BACKGROUND_ID, Frame, Stage
from dqgen.renderers.views import View
from dqgen.schemas.design import Floats

Mask = NDArray[np.bool_]

ACROSS = 900
"""Pixels of the longer side of the pictures on which this is judged."""
BAND = 2.0
"""Pixels within which something is at an end."""
NEAR = 6.0
"""Pixels around a point in the midst of a part in which it must show."""
NEIGHBOURHOOD, SAME = 4, 0.04
"""Pixels around a part within which its like must not stick out, and by how much of it, in pixels, they may differ."""
ROOM, FEW = 0.2, 40
"""By which part a drawing shows more than its proof asks for, and pixels of an end of which it shows that part."""
LIKE = 1.0
"""Millimetres by which boxes of parts that look the same may differ."""
SMALL = 12
"""Pixels of a part that is too small on such a picture to be judged."""
SHARES = {"middle": 0.6, "part": 0.3, "end": 0.3}
"""Of a part's pixels that must show: an arc tells a centre where its ends do not, a stretch tells a tube's width and
what part it is that ends here; and of those near a point in its midst."""


@dataclass(frozen=True)
class Side:
    """One of the things that a measure is taken on.

    Attributes:
        rows: of the leaves that it is.
        need: what of it must show: the place where the measure ends, the whole to find its middle, or some part.
        at: (3,) mm, where the measure ends on it; None for a part.
        along: (3,) unit, direction of the measure; None for a part.
    """

    rows: tuple[int, ...]
    need: Literal["end", "middle", "part"]
    at: Floats | None = None
    along: Floats | None = None


def sides(leaves: list[Placed], measured: Measurement, shown: Sequence[int]) -> list[Side]:
    """What a single measure (none that is made of others) is taken on; the ground is what stands on it, if that is
    among the leaves shown."""
    node = parse(measured.expression)
    while isinstance(node, Negative):
        node = node.operand
    if not isinstance(node, Call):
        return []
    if (
        measured.witnesses is None
        or measured.direction is None
        or node.function not in ("distance", "clearance", "extent")
    ):
        return [Side(rows, "part") for argument in node.arguments if (rows := _rows(leaves, argument))]
    ends = list(measured.witnesses)
    along = measured.direction
    if node.function == "extent":
        rows = _rows(leaves, node.arguments[0])
        return [Side(rows, "end", end, along) for end in ends]
    found = []
    for argument, end in zip(node.arguments, ends, strict=True):
        if isinstance(argument, Name):
            low = tuple(row for row in _lowest(leaves) if row in shown)
            if low:
                found.append(Side(low, "end", min(ends, key=lambda point: float(point[2])), along))
            continue
        rows = _rows(leaves, argument)
        if not rows:
            continue
        if isinstance(argument, Text):  # either end may be the one that lies on it
            end = min(ends, key=lambda point: _off(leaves, rows, point))
        middle = isinstance(argument, Call) and argument.function in ("axis", "centre", "center", "hole")
        found.append(Side(rows, "middle" if middle else "end", end, along))
    return found


def _rows(leaves: list[Placed], node: Node) -> tuple[int, ...]:
    """The leaves that the patterns in an expression pick."""
    match node:
        case Text():
            return tuple(sorted(picked(leaves, node.value)))
        case Negative():
            return _rows(leaves, node.operand)
        case Binary():
            return (*_rows(leaves, node.left), *_rows(leaves, node.right))
        case Call():
            return tuple(dict.fromkeys(row for argument in node.arguments for row in _rows(leaves, argument)))
    return ()


def _lowest(leaves: list[Placed]) -> tuple[int, ...]:
    """The leaves that reach down to the ground."""
    scene = Occurrences(leaves)
    low = [float(box[0, 2]) for box in (scene.box([row]) for row in range(len(leaves)))]
    return tuple(row for row, value in enumerate(low) if value < min(low) + 1.0)


def _off(leaves: list[Placed], rows: Sequence[int], point: Floats) -> float:
    return min(
        float(np.linalg.norm(apply(leaves[row].world, leaves[row].solid.vertices) - point, axis=1).min())
        for row in rows
    )


def lacking(side: Side, to_pixels: Floats, visible: Mask, alone: Mask, others: Mask, room: float = 0.0) -> Mask | None:
    """Pixels of a side that would have to show, or None if enough of it does.

    Args:
        side: what is looked for.
        to_pixels: (2, 4) or more rows, from mm to pixels right and down from the picture's upper left corner.
        visible: (height, width), where it shows.
        alone: where it would show with nothing before it.
        others: where the other sides show: a tube that ends inside another ends where it goes in.
        room: by which part more must show than what is just enough: pictures counted in two ways differ a little.
    """
    total = int(alone.sum())
    if total < SMALL:
        return None
    share, band_width = visible.sum() / total / (1 + room), BAND / (1 + room)

    def shows(band: Mask) -> bool:
        count = int((band & visible).sum())
        return count > min(room * FEW, band.sum() / 3) if room else count > 0

    if side.need == "part" or side.at is None or side.along is None:
        return None if share >= SHARES["part"] else alone & ~visible
    if side.need == "end" and share < SHARES["part"]:
        return alone & ~visible
    along = to_pixels[:2, :3] @ side.along
    along = along / max(float(np.linalg.norm(along)), 1e-12)
    rows, columns = np.indices(alone.shape)
    place = along[0] * (columns + 0.5) + along[1] * (rows + 0.5)
    low, high = float(place[alone].min()), float(place[alone].max())
    if side.need == "middle":
        if share >= SHARES["middle"]:
            return None
        bands = [alone & (np.abs(place - end) <= band_width) for end in (low, high)]
        hidden = [band for band in bands if not shows(band)]
        return np.logical_or.reduce(hidden) if hidden else None
    at = to_pixels[:2, :3] @ side.at + to_pixels[:2, 3]
    own = float(along @ at)
    if min(abs(own - low), abs(own - high)) <= BAND:
        needed = alone & (np.abs(place - own) <= band_width)
        return None if shows(needed) else needed
    needed = alone & (np.hypot(columns + 0.5 - at[0], rows + 0.5 - at[1]) <= NEAR)
    return (
        None if (needed & (visible | others)).sum() >= (1 + room) * SHARES["end"] * needed.sum() else needed & ~visible
    )


Look = Callable[[Sequence[int]], NDArray[np.integer]]
"""For leaves that hide each other, the row that each pixel of a frame shows, plus one; 0 where there is none."""


class Sight:
    """Sides of a measure in one frame.

    Args:
        look: into the frame.
        leaves: of the design.
        shown: rows of those that are drawn.
        wanted: the sides that should be found.
        room: see `lacking`.
    """

    def __init__(
        self, look: Look, leaves: list[Placed], shown: Sequence[int], wanted: Sequence[Side], room: float = 0.0
    ) -> None:
        self._room = room
        self._look = look
        self._leaves = leaves
        self._wanted = wanted
        self.kept = {row for side in wanted for row in side.rows}
        self._alone: dict[tuple[int, ...], Mask] = {}
        self._twins = {side.rows: self._twins_of(side.rows, shown) for side in wanted}

    @property
    def places(self) -> Mask:
        """Where the sides would show with nothing before them."""
        places: Mask = np.logical_or.reduce([self._by_itself(side.rows) for side in self._wanted])
        return places

    def hidden(self, to_pixels: Floats, ids: NDArray[np.integer]) -> list[Mask]:
        """Of each side that cannot be found on a picture, the pixels where it should show."""
        shows = {side.rows: _among(ids, (*side.rows, *self._twins[side.rows])) for side in self._wanted}
        masks = []
        for side in self._wanted:
            rest = [mask for rows, mask in shows.items() if rows != side.rows]
            others = np.logical_or.reduce(rest) if rest else np.zeros(ids.shape, dtype=bool)
            alone = self._by_itself(side.rows)
            masks.append(lacking(side, to_pixels, shows[side.rows] & alone, alone, others, self._room))
        return [mask for mask in masks if mask is not None]

    def share(self, ids: NDArray[np.integer]) -> float:
        """How much shows of the side that shows least, of 1."""
        return min((self._shows(ids, side.rows, side.rows) for side in self._wanted), default=1.0)

    def behind(self, ids: NDArray[np.integer]) -> bool:
        """Whether a side hides behind its like."""
        return any(
            self._shows(ids, side.rows, twins) > self._shows(ids, side.rows, side.rows)
            for side in self._wanted
            if (twins := self._twins[side.rows])
        )

    def _shows(self, ids: NDArray[np.integer], place: tuple[int, ...], rows: tuple[int, ...]) -> float:
        """Of the pixels of a side, the part on which leaves show."""
        alone = self._by_itself(place)
        return float((_among(ids, rows) & alone).sum() / max(alone.sum(), 1))

    def _by_itself(self, rows: tuple[int, ...]) -> Mask:
        if rows not in self._alone:
            self._alone[rows] = _among(self._look(rows), rows)
        return self._alone[rows]

    def _twins_of(self, rows: tuple[int, ...], shown: Sequence[int]) -> tuple[int, ...]:
        """Leaves that look the same in the same place: of a pair seen from its side, the one before the other."""
        alone = self._by_itself(rows)
        around = binary_dilation(alone, iterations=NEIGHBOURHOOD)
        products = {self._leaves[row].occurrence.product for row in rows}
        alike = tuple(row for row in shown if row not in rows and self._leaves[row].occurrence.product in products)
        candidates = [alike] if alike else []
        if len(rows) == 1:
            candidates += [(row,) for row in self._like_sized(rows[0], shown)]
        for candidate in candidates:
            other = self._by_itself(candidate) & around
            if np.logical_xor(other, alone).sum() <= SAME * alone.sum():
                return candidate
        return ()

    def _like_sized(self, row: int, shown: Sequence[int]) -> list[int]:
        """Other leaves whose shapes have a box of the same size."""
        size = np.ptp(self._leaves[row].solid.bounds, axis=0)
        sizes = np.ptp([self._leaves[other].solid.bounds for other in shown], axis=1)
        alike = np.abs(sizes - size).max(axis=1) < LIKE
        return [other for other, like in zip(shown, alike, strict=True) if like and other != row]


def _among(ids: NDArray[np.integer], rows: Sequence[int]) -> Mask:
    return np.isin(ids, np.array(rows) + 1)


def frame_around(boxes: Sequence[Floats], camera: View) -> Frame:
    """A frame with all that boxes (2, 3) hold."""
    seen = np.concatenate([corners(box) for box in boxes]) @ camera.rotation.T
    low, high = seen.min(axis=0), seen.max(axis=0)
    scale = (ACROSS - 4 * BAND) / max(float((high - low)[:2].max()), 1e-9)
    width, height = (int(np.ceil((high - low)[k] * scale + 4 * BAND)) for k in (0, 1))
    return Frame(camera, camera.rotation.T @ ((low + high) / 2), scale, width, height)


@dataclass(frozen=True)
class Cleared:
    """A drawing in which what is measured can be found.

    Attributes:
        gone: rows of leaves that are left out of it.
        share: of what is measured, how much shows of the side that shows least.
        behind: whether only the like of a side shows, in its place: the one of a pair that is nearer.
    """

    gone: tuple[int, ...]
    share: float
    behind: bool


def cleared(
    stage: Stage, leaves: list[Placed], camera: View, shown: Sequence[int], wanted: Sequence[Side]
) -> Cleared | None:
    """What has to be left out of a drawing so that the sides of its measures can be found: what covers most of them
    first, all of the same product with it. None if it cannot be done."""
    frame = frame_around([placed_bounds(leaves[row]) for row in shown], camera)
    sight = Sight(lambda rows: stage.ids(frame, list(rows)), leaves, shown, wanted, ROOM)
    if not sight.kept <= set(shown):
        return None
    left, gone = list(shown), set[int]()
    while True:
        ids = stage.ids(frame, left, keep=not gone)
        hidden = sight.hidden(frame.to_pixels(), ids)
        if not hidden:
            return Cleared(tuple(sorted(gone)), sight.share(ids), sight.behind(ids))
        numbers, counts = np.unique(ids[np.logical_or.reduce(hidden)], return_counts=True)
        covers: dict[str, int] = {}
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            if number != BACKGROUND_ID and number - 1 not in sight.kept:
                product = leaves[number - 1].occurrence.product
                covers[product] = covers.get(product, 0) + count
        if not covers:
            return None
        worst = max(covers, key=lambda product: (covers[product], product))
        gone |= {row for row in left if leaves[row].occurrence.product == worst and row not in sight.kept}
        left = [row for row in left if row not in gone]
