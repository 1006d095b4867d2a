"""Tiles: inside the picture, side by side, as large as they can be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.renderers.layout import Box, Metrics, columns, sheet, single

EXTENT = st.tuples(*[st.floats(1e-3, 1e5)] * 2)
EXTENTS = st.lists(EXTENT, min_size=1, max_size=10)
SIZES = st.integers(600, 8000)


def overlap(one: Box, other: Box) -> tuple[int, int]:
    wide = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    high = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return wide, high


@given(EXTENTS, SIZES, st.booleans())
def test_tiles_stay_inside_and_share_no_more_than_their_borders(
    extents: list[tuple[float, float]], size: int, each: bool
) -> None:
    metrics = Metrics.for_size(size)
    laid = sheet(extents, size, metrics, each)
    assert len(laid.tiles) == len(extents)
    for number, tile in enumerate(laid.tiles):
        box, port = tile.box, tile.viewport
        assert box.x >= 0
        assert box.y >= 0
        assert box.x + box.width <= laid.width
        assert box.y + box.height <= laid.height
        # The viewport lies within the border, below the title.
        assert port.x == box.x + metrics.border
        assert port.y == box.y + metrics.border + metrics.strip
        assert port.x + port.width == box.x + box.width - metrics.border
        assert port.y + port.height == box.y + box.height - metrics.border
        for other in laid.tiles[:number]:
            wide, high = overlap(box, other.box)
            assert min(wide, high) <= metrics.border
            assert min(overlap(port, other.viewport)) <= 0


@given(EXTENTS, SIZES, st.booleans())
def test_views_fit_their_tiles(extents: list[tuple[float, float]], size: int, each: bool) -> None:
    laid = sheet(extents, size, Metrics.for_size(size), each)
    for (wide, high), tile in zip(extents, laid.tiles, strict=True):
        assert wide * tile.scale <= tile.viewport.width + 1
        assert high * tile.scale <= tile.viewport.height + 1
    if not each:
        assert len({tile.scale for tile in laid.tiles}) == 1


# Views of one solid: width, depth and height can be anything, but they are the same three in every view.
@given(st.tuples(*[st.floats(1, 20)] * 3), SIZES)
def test_the_long_side_is_the_size(lengths: tuple[float, float, float], size: int) -> None:
    x, y, z = lengths
    extents = [(x, y), (x, z), (0.71 * (x + y), 0.41 * (x + y) + 0.82 * z), (x, y), (x, z), (y, z)]
    metrics = Metrics.for_size(size)
    laid = sheet(extents, size, metrics)
    assert max(laid.width, laid.height) == size


@given(EXTENT, SIZES, st.floats(0.3, 1))
def test_a_single_view_fills_its_picture(extent: tuple[float, float], size: int, aspect: float) -> None:
    metrics = Metrics.for_size(size)
    laid = single(extent, size, round(size * aspect), metrics)
    (tile,) = laid.tiles
    assert (laid.width, laid.height) == (tile.box.width, tile.box.height) == (size, round(size * aspect))
    room = tile.viewport.width - 2 * metrics.padding, tile.viewport.height - 2 * metrics.padding
    used = extent[0] * tile.scale / room[0], extent[1] * tile.scale / room[1]
    assert max(used) == pytest.approx(1)


@pytest.mark.parametrize(("count", "across"), [(1, 1), (2, 2), (3, 3), (4, 2), (5, 3), (6, 3), (10, 5)])
def test_columns(count: int, across: int) -> None:
    assert columns(count) == across


def test_lengths_grow_with_the_picture() -> None:
    small, large = Metrics.for_size(1600), Metrics.for_size(6400)
    assert large.line_width == pytest.approx(4 * small.line_width)
    assert large.font == pytest.approx(4 * small.font, abs=3)
    assert large.strip == pytest.approx(4 * small.strip, abs=3)
