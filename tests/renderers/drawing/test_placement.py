"""Placement: dimensions keep off texts, lines and each other, and lie where they measure."""

import itertools
import math

import numpy as np
import pytest

from dqgen.renderers.drawing.contacts import Boxed, crossing, quads_overlap, segments_in_quad, segments_of
from dqgen.renderers.drawing.dimension import Corner, Drawn, Foot, Label, Ordinates, Request, Round, Span, Stop, Target
from dqgen.renderers.drawing.display_list import Arc, Polyline
from dqgen.renderers.drawing.drafting import VISIBLE, Drafting, Standard
from dqgen.renderers.drawing.field import HARD, Field
from dqgen.renderers.drawing.ordinate import spread
from dqgen.renderers.drawing.placement import place

FRAME = (0.0, 0.0, 120.0, 80.0)
OUTLINE = Polyline(((0, 0), (120, 0), (120, 80), (0, 80)), VISIBLE, closed=True)
SQUARE = ((0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0))


def label(name: str, text: str, value: float = 1.0, kind: str = "linear") -> Label:
    return Label(name, kind, value, "mm", (text,), "", (), text)  # type: ignore[arg-type]


def span(name: str, a: tuple[float, float], b: tuple[float, float], angle: float) -> Span:
    size = abs(b[0] - a[0]) if angle == 0 else abs(b[1] - a[1])
    return Span(label(name, f"{size:g}", size), (Foot(a, (*a, 0.0)),), (Foot(b, (*b, 0.0)),), angle)


def test_segments_and_rectangles() -> None:
    segments = Boxed.of(np.array([[-1.0, 1.0, 3.0, 1.0], [5.0, 5.0, 6.0, 6.0], [-1.0, 1.9, 1.9, 5.0]]))
    assert segments_in_quad(segments, SQUARE) == 1
    upright = np.broadcast_to(np.array([1.0, 0.0, 1.0, 3.0]), segments.rows.shape)
    assert crossing(upright, segments.rows).tolist() == [True, False, False]
    turned = ((1.0, -1.0), (3.0, 1.0), (1.0, 3.0), (-1.0, 1.0))
    assert quads_overlap(Boxed.of(np.array([turned])), SQUARE) == 1
    far = tuple((x + 2.6, y + 2.6) for x, y in turned)
    assert quads_overlap(Boxed.of(np.array([far])), SQUARE) == 0


def test_spreading_keeps_order_and_distance() -> None:
    wanted = [0.0, 1.0, 1.5, 20.0, 20.5]
    places = spread(wanted, 5.0)
    assert all(b - a >= 5.0 - 1e-9 for a, b in itertools.pairwise(places))
    assert sum(places[:3]) / 3 == pytest.approx(sum(wanted[:3]) / 3)
    assert spread([0.0, 10.0], 5.0) == [0.0, 10.0]


@pytest.fixture(params=["iso", "asme"])
def crowded(request: pytest.FixtureRequest) -> tuple[list[Drawn], Field, Standard]:
    """A plate with 24 holes and a dozen dimensions."""
    holes = [(x, y) for x in (10.0, 30.0, 50.0, 70.0, 90.0, 110.0) for y in (10.0, 30.0, 50.0, 70.0)]
    geometry = [OUTLINE, *(Arc(hole, 3.3, 0, 360, VISIBLE) for hole in holes)]
    wanted: list[Request] = [span(f"x{x}", (0, 0), (x, 10), 0.0) for x, y in holes if y == 10.0]
    wanted += [span(f"y{y}", (0, 0), (10, y), 90.0) for x, y in holes if x == 10.0]
    wanted += [
        span("wide", (0, 0), (120, 0), 0.0),
        span("high", (0, 0), (0, 80), 90.0),
        span("two", (118, 0), (120, 80), 0.0),
    ]
    wanted.append(Round(label("holes", "24× ⌀6.6", 6.6, "callout"), tuple(Target(hole, 3.3) for hole in holes)))
    apex, a, b = (Foot(at, (*at, 0.0)) for at in ((0.0, 80.0), (20.0, 80.0), (0.0, 100.0)))
    wanted.append(Corner(label("angle", "90°", 90.0, "angular"), apex, a, b))
    field = Field(segments_of(geometry))
    return place(wanted, field, FRAME, Drafting(request.param)), field, request.param


def test_nothing_lies_over_anything(crowded: tuple[list[Drawn], Field, Standard]) -> None:
    drawn, field, _ = crowded
    for one in drawn:
        field.remove(one)
        assert field.cost(one) < HARD, one.label.lines
        field.add(one)


def test_lengths_lie_where_they_measure(crowded: tuple[list[Drawn], Field, Standard]) -> None:
    drawn, _, _ = crowded
    for one in drawn:
        if one.label.kind != "linear":
            continue
        a, b = one.tips
        assert math.dist(a, b) == pytest.approx(one.label.value)
        for tip, foot in zip(one.tips, one.feet, strict=True):
            assert min(abs(tip[0] - foot[0]), abs(tip[1] - foot[1])) == pytest.approx(0.0, abs=1e-9)
        for line in one.witness:
            gap = min(math.dist(line.start, foot) for foot in one.feet)
            assert gap == pytest.approx(Drafting().gap)


def test_short_lengths_lie_nearer_than_long_ones(crowded: tuple[list[Drawn], Field, Standard]) -> None:
    drawn, _, _ = crowded
    below = [one for one in drawn if one.label.kind == "linear" and one.angle == 0 and one.tips[0][1] < 0]
    nested = [one for one in below if one.tips[0][0] == pytest.approx(0.0)]
    levels = [-one.tips[0][1] for one in sorted(nested, key=lambda one: one.label.value)]
    assert levels == sorted(levels)
    assert len(levels) > 2


def test_text_reads_from_below_or_from_the_right(crowded: tuple[list[Drawn], Field, Standard]) -> None:
    drawn, _, standard = crowded
    angles = {text.angle for one in drawn for text in one.texts}
    assert angles == ({0.0, 90.0} if standard == "iso" else {0.0})


def test_arrows_of_a_narrow_length_point_inwards() -> None:
    (one,) = place([span("d", (0, 0), (2, 0), 0.0)], Field(segments_of([OUTLINE])), FRAME, Drafting())
    left, right = sorted(one.arrows, key=lambda arrow: arrow.points[0][0])
    assert left.points[1][0] < left.points[0][0]
    assert right.points[1][0] > right.points[0][0]


def test_ordinates_make_room_for_each_other() -> None:
    stops = tuple(Stop(label(f"o{x}", f"{x}", x, "ordinate"), (float(x), 0.0)) for x in (0, 1, 2, 3, 60))
    drawn = place([Ordinates(stops, 0.0)], Field(segments_of([OUTLINE])), FRAME, Drafting())
    xs = [one.texts[0].at[0] for one in drawn]
    assert all(b - a > Drafting().height for a, b in itertools.pairwise(xs))
    assert {one.texts[0].angle for one in drawn} == {90.0}
