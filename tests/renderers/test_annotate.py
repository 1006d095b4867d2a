"""Titles, borders and axis triads."""

import numpy as np
import pytest
from PIL import Image

from dqgen.errors import RenderError
from dqgen.fonts import font
from dqgen.renderers.annotate import AXIS_COLOURS, INK, annotate, check_glyphs, title, triad
from dqgen.renderers.layout import Metrics, single
from dqgen.renderers.views import VIEWS

METRICS = Metrics.for_size(1600)


def axis_pixels(picture: Image.Image, name: str) -> np.ndarray:
    """Rows (y, x) of the pixels in an axis's own colour."""
    values = np.asarray(picture).astype(int)
    return np.argwhere((np.abs(values[..., :3] - AXIS_COLOURS[name]).max(axis=2) < 12) & (values[..., 3] > 200))


@pytest.mark.parametrize("name", VIEWS)
def test_triads_point_where_the_camera_sees_their_axes(name: str) -> None:
    view = VIEWS[name]
    mark = triad(view, 400, METRICS)
    found = {axis: axis_pixels(mark, axis).mean(axis=0)[::-1] for axis in "XYZ"}
    directions = {axis: view.rotation[:2, number] * [1, -1] for number, axis in enumerate("XYZ")}
    for one, other in (("X", "Y"), ("Y", "Z"), ("X", "Z")):
        wanted = directions[one] - directions[other]
        got = found[one] - found[other]
        # From the middle of one arrow to that of the other leads where the axes' difference points.
        cosine = wanted @ got / np.linalg.norm(wanted) / np.linalg.norm(got)
        assert cosine > 0.8, (one, other)


def test_titles_are_in_a_bundled_font_with_all_its_glyphs() -> None:
    assert font(20).getname() == ("DejaVu Sans", "Book")
    assert title(VIEWS["iso-left"]) == "Iso-left"
    check_glyphs("Вид спереди ⌀ ± °", 20)
    with pytest.raises(RenderError, match=r"no glyph for '歯' \(U\+6B6F\)"):
        check_glyphs("歯車", 20)


def test_border_and_title_stay_out_of_the_viewport() -> None:
    (tile,) = single((10, 10), 1600, 900, METRICS).tiles
    picture = Image.new("RGBA", (1600, 900), (255, 255, 255, 255))
    annotate(picture, tile, VIEWS["front"], METRICS, ruled=False)
    values = np.asarray(picture)[..., :3]
    port = tile.viewport
    assert (values[port.y : port.y + port.height, port.x : port.x + port.width] == 255).all()
    assert (values[0, 0] == INK).all()
    assert (values[-1, -1] == INK).all()
    strip = values[METRICS.border : port.y, : 1600 // 2]
    assert (strip < 128).all(axis=2).sum() > 50
