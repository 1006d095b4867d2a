"""The display list: points, extents, hatching."""

import itertools
import math

import pytest

from dqgen.renderers.drawing.display_list import (
    Arc,
    Ellipse,
    Hatch,
    Line,
    Pen,
    Polyline,
    Text,
    extent,
    flatten,
    hatch_lines,
    offset,
)

PEN = Pen("VISIBLE", 0.5)


def test_offset_is_exact_at_right_angles() -> None:
    assert offset((1.0, 2.0), 90, 3.0, 1.0) == (0.0, 5.0)
    assert offset((0.0, 0.0), 180, 3.0, 0.0) == (-3.0, 0.0)


def test_flattened_arc_stays_within_its_tolerance() -> None:
    points = flatten(Arc((0, 0), 50, 0, 360, PEN), tolerance=0.02)
    for a, b in itertools.pairwise(points):
        middle = math.hypot((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        assert 50 - 0.021 < middle <= 50


def test_ellipse_runs_from_its_major_axis() -> None:
    points = flatten(Ellipse((10, 10), (0, 4), 0.5, 0, 90, PEN))
    assert points[0] == pytest.approx((10, 14))
    assert points[-1] == pytest.approx((8, 10))


def test_extent_of_mixed_items() -> None:
    items = [Line((0, 0), (5, 1), PEN), Polyline(((2, -3), (4, 8)), PEN)]
    assert extent(items) == (0, -3, 5, 8)
    assert extent([]) is None


def test_text_box_turns_with_the_text() -> None:
    level = Text((0, 0), "H", 3.5).quad()
    upright = Text((0, 0), "H", 3.5, angle=90.0).quad()
    assert level[2][1] == pytest.approx(3.5, abs=0.02)
    assert upright[2][0] == pytest.approx(-3.5, abs=0.02)


def test_hatching_leaves_holes_out() -> None:
    outer = ((0.0, 0.0), (10.0, 0.0), (10.0, 10.0), (0.0, 10.0))
    hole = ((4.0, 4.0), (6.0, 4.0), (6.0, 6.0), (4.0, 6.0))
    lines = hatch_lines(Hatch((outer, hole), 0.0, 1.0, PEN))
    drawn = sum(b[0] - a[0] for a, b in lines)
    assert drawn == pytest.approx(10 * 8 + 8 * 2, abs=12)
    assert all(not (4 < (a[0] + b[0]) / 2 < 6 and 4 < a[1] < 6) for a, b in lines)


def test_moving_shifts_everything() -> None:
    assert Line((0, 0), (1, 0), PEN).moved(2, 3) == Line((2, 3), (3, 3), PEN)
    assert Arc((0, 0), 1, 0, 90, PEN).moved(1, 1).centre == (1, 1)
