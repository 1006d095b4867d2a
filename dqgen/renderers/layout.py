"""Where tiles stand on a picture: boxes in pixels, from what the views measure in millimetres."""

from dataclasses import dataclass
from itertools import accumulate, pairwise

STRIP = 0.048
"""Height of a tile's title strip, as a part of the picture's long side."""
BORDER = 1 / 800
PADDING = 0.012
LEAST_TILE = 0.13
"""A tile is at least this wide, so that its title and triad find room."""


@dataclass(frozen=True)
class Metrics:
    """Lengths in pixels that follow from the picture's size."""

    strip: int
    border: int
    padding: int
    least_tile: int
    font: int
    line_width: float

    @classmethod
    def for_size(cls, size: int) -> "Metrics":
        """For a picture of that long side."""
        return cls(
            strip=max(30, round(STRIP * size)),
            border=max(1, round(BORDER * size)),
            padding=max(4, round(PADDING * size)),
            least_tile=max(90, round(LEAST_TILE * size)),
            font=max(11, round(0.014 * size)),
            line_width=max(1.0, size / 1250),
        )


@dataclass(frozen=True)
class Box:
    """A rectangle in pixels."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True)
class Tile:
    """A bordered box, with the viewport inside it below the title strip, and the viewport's scale in pixels a mm."""

    box: Box
    viewport: Box
    scale: float


@dataclass(frozen=True)
class Sheet:
    """Tiles on a picture."""

    width: int
    height: int
    tiles: tuple[Tile, ...]


def columns(count: int) -> int:
    """Tiles beside each other: one row up to three, two rows above."""
    return count if count <= 3 else (count + 1) // 2


def sheet(extents: list[tuple[float, float]], size: int, metrics: Metrics, each: bool = False, width: int = 0) -> Sheet:
    """Lay out tiles for views of these extents.

    Args:
        extents: width and height in mm of what each view shows.
        size: pixels of the long side.
        metrics: from the size of the whole picture.
        each: every view fills its tile at a scale of its own; else all share one.
        width: if not 0, the sheet is just so wide, and as high as it comes out.

    Returns:
        The sheet; its tiles overlap by their borders.
    """
    across = columns(len(extents))
    rows = [extents[start : start + across] for start in range(0, len(extents), across)]
    edge, pad = metrics.border, metrics.padding
    if each:
        wide = [1.0] * across
        high = [0.75] * len(rows)
    else:
        wide = [max(row[i][0] for row in rows if i < len(row)) for i in range(across)]
        high = [max(extent[1] for extent in row) for row in rows]
    floor = metrics.least_tile - edge - 2 * pad
    fixed_high = edge + len(rows) * (edge + metrics.strip + 2 * pad)
    scale = _scale(wide, (width or size) - edge - across * (edge + 2 * pad), floor)
    if not width:
        scale = min(scale, max(size - fixed_high, 1) / max(sum(high), 1e-12))
    spans_x = [span + 2 * pad for span in _whole([max(extent * scale, floor) for extent in wide])]
    spans_y = [span + 2 * pad for span in _whole([max(extent * scale, 1) for extent in high])]
    if width:
        spans_x[-1] += width - edge - sum(span + edge for span in spans_x)
    tiles = []
    y = 0
    for row, span_y in zip(rows, spans_y, strict=True):
        x = 0
        for extent, span_x in zip(row, spans_x, strict=False):
            box = Box(x, y, span_x + 2 * edge, metrics.strip + span_y + 2 * edge)
            viewport = Box(x + edge, y + edge + metrics.strip, span_x, span_y)
            own = min((span_x - 2 * pad) / max(extent[0], 1e-12), (span_y - 2 * pad) / max(extent[1], 1e-12))
            tiles.append(Tile(box, viewport, own if each else scale))
            x += span_x + edge
        y += metrics.strip + span_y + edge
    return Sheet(edge + sum(span + edge for span in spans_x), y + edge, tuple(tiles))


def single(extent: tuple[float, float], width: int, height: int, metrics: Metrics) -> Sheet:
    """One tile that fills a picture, its view fitted to it."""
    edge, pad = metrics.border, metrics.padding
    viewport = Box(edge, edge + metrics.strip, width - 2 * edge, height - 2 * edge - metrics.strip)
    scale = min(
        (viewport.width - 2 * pad) / max(extent[0], 1e-12),
        (viewport.height - 2 * pad) / max(extent[1], 1e-12),
    )
    return Sheet(width, height, (Tile(Box(0, 0, width, height), viewport, scale),))


def _whole(lengths: list[float]) -> list[int]:
    """Whole pixels that sum to the rounded sum of the lengths, so that a full picture is neither short nor over."""
    ends = [round(end) for end in accumulate(lengths)]
    return [end - start for start, end in pairwise([0, *ends])]


def _scale(wide: list[float], room: int, floor: int) -> float:
    """The scale at which columns, none narrower than `floor` pixels, fill the room."""
    narrow: set[int] = set()
    while True:
        stretch = sum(extent for i, extent in enumerate(wide) if i not in narrow)
        scale = max(room - floor * len(narrow), 1) / max(stretch, 1e-12)
        more = {i for i, extent in enumerate(wide) if i not in narrow and extent * scale < floor}
        if not more or len(narrow | more) == len(wide):
            return scale
        narrow |= more
