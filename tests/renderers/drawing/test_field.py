"""Many places asked about at once cost what each costs alone, and leaders' arrays are what is drawn."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.renderers.drawing import leader
from dqgen.renderers.drawing.contacts import (
    Boxed,
    crossing,
    entered,
    near,
    overlapping,
    quads_of,
    quads_overlap,
    segments_in_quad,
)
from dqgen.renderers.drawing.dimension import Foot, Label, Pointer, Request, Round, Span, Target
from dqgen.renderers.drawing.display_list import Arc, Line, Point, offset
from dqgen.renderers.drawing.drafting import VISIBLE, Drafting, Standard
from dqgen.renderers.drawing.field import CORRIDOR, Field, Shapes, segments_of, shapes_of
from dqgen.renderers.drawing.linear import candidates
from dqgen.renderers.drawing.places import Places, cheapest_first

COORDINATES = st.floats(-20, 20).map(lambda value: round(value, 2))
POINTS = st.tuples(COORDINATES, COORDINATES)


@st.composite
def quads(draw: st.DrawFn) -> tuple[Point, Point, Point, Point]:
    """A rectangle, turned."""
    corner, angle = draw(POINTS), draw(st.sampled_from((0.0, 90.0, 30.0, -57.0)))
    wide, high = draw(st.floats(1, 15)), draw(st.floats(1, 15))
    a, b, c, d = (offset(corner, angle, x, y) for x, y in ((0, 0), (wide, 0), (wide, high), (0, high)))
    return a, b, c, d


def label(kind: str = "diameter", *lines: str) -> Label:
    return Label("d1", kind, 6.6, "mm", lines or ("4× ⌀6.6",), "", (), "6.6")  # type: ignore[arg-type]


@given(st.lists(st.tuples(POINTS, POINTS), min_size=1, max_size=6), st.lists(quads(), min_size=1, max_size=6))
def test_pairs_agree_with_points_within(lines: list[tuple[Point, Point]], rects: list[tuple[Point, ...]]) -> None:
    """Against points sampled along the lines, and against each other one by one."""
    segments = np.array([(*a, *b) for a, b in lines])
    ground = np.array(rects)
    for row, segment in enumerate(segments):
        for column, quad in enumerate(ground):
            part = np.linspace(0, 1, 301)[:, None]
            points = segment[:2] + part * (segment[2:] - segment[:2])
            along, up = quad[1] - quad[0], quad[3] - quad[0]
            x, y = (points - quad[0]) @ along / (along @ along), (points - quad[0]) @ up / (up @ up)
            deep = (x > 0.01) & (x < 0.99) & (y > 0.01) & (y < 0.99)
            close = (x > -0.01) & (x < 1.01) & (y > -0.01) & (y < 1.01)
            met = bool(entered(segments[[row]], ground[[column]])[0])
            if deep.sum() > 1 and segment[:2].tolist() != segment[2:].tolist():
                assert met
            if not close.any() and np.hypot(*(segment[2:] - segment[:2])) < 0.5:
                assert not met
    boxed = Boxed.of(segments)
    for quad in rects:
        rows, columns = near(boxed.boxes, Boxed.of(quads_of([quad])).boxes)  # type: ignore[list-item]
        assert columns.max(initial=0) == 0
        assert segments_in_quad(boxed, quad) == entered(segments[rows], ground[[rects.index(quad)] * len(rows)]).sum()  # type: ignore[arg-type]


@given(quads(), quads())
def test_rectangles_overlap_both_ways(one: tuple[Point, ...], other: tuple[Point, ...]) -> None:
    a, b = np.array([one]), np.array([other])
    assert overlapping(a, b).tolist() == overlapping(b, a).tolist()
    assert overlapping(a, a).all()
    assert quads_overlap(Boxed.of(a), other) == int(overlapping(a, b)[0])  # type: ignore[arg-type]
    assert not overlapping(a, a + 60.0).any()


@given(POINTS, POINTS, POINTS, POINTS)
def test_lines_cross_both_ways(a: Point, b: Point, c: Point, d: Point) -> None:
    one, other = np.array([(*a, *b)]), np.array([(*c, *d)])
    assert crossing(one, other).tolist() == crossing(other, one).tolist()
    assert not crossing(one, one).any()


@pytest.fixture
def busy() -> Field:
    """Geometry, a text that lies still, and dimensions."""
    geometry = segments_of([Arc((x, y), 3.3, 0, 360, VISIBLE) for x in (0.0, 20.0, 40.0) for y in (0.0, 15.0)])
    field = Field(np.concatenate([geometry, [(-10, -10, 60, -10), (-10, 30, 60, 30)]]), quads_of([SQUARE]))
    for number, at in enumerate((-10.0, 0.0, 20.0)):
        feet = [Foot((x, 0.0), (x, 0.0, 0.0)) for x in (at, at + 17.0)]
        one = next(candidates(Span(named(f"x{number}"), (feet[0],), (feet[1],), 0.0), FRAME, Drafting()))
        field.add(one)
    return field


FRAME = (-10.0, -10.0, 60.0, 30.0)
SQUARE = ((25.0, 18.0), (31.0, 18.0), (31.0, 24.0), (25.0, 24.0))


def named(name: str) -> Label:
    return Label(name, "linear", 17.0, "mm", ("17",), "", (), "17")


REQUESTS: dict[str, Request] = {
    "callout": Round(label("callout"), (Target((0.0, 0.0), 3.3), Target((20.0, 0.0), 3.3))),
    "radius": Round(label("radius", "R12"), (Target((40.0, 15.0), 12.0, 20.0, 110.0),)),
    "two lines": Round(label("callout", "2× ⌀6.6 ↧8", "⊔ ⌀11 ↧6"), (Target((40.0, 0.0), 3.3),)),
    "note": Pointer(label("note", "2 × 45°"), ((0.0, 15.0), (40.0, 15.0))),
}


def places_of(request: Request, standard: Standard) -> Places:
    drafting = Drafting(standard)
    if isinstance(request, Round):
        return leader.round_places(request, drafting)
    assert isinstance(request, Pointer)
    return leader.note_places(request, drafting)


@pytest.mark.parametrize("standard", ["iso", "asme"])
@pytest.mark.parametrize("name", list(REQUESTS))
def test_leaders_cost_at_once_what_each_costs_when_drawn(busy: Field, name: str, standard: Standard) -> None:
    places = places_of(REQUESTS[name], standard)
    assert (np.diff(places.own) >= 0).all()
    rows = np.arange(0, len(places.own), 7)
    shapes, count = places.shapes(rows), len(rows)
    together = busy.text_cost(shapes, count) + busy.line_cost(shapes, count) + busy.others(shapes, count)
    assert len(set(np.round(together, 3).tolist())) > 10
    for row, cost in zip(rows.tolist(), together.tolist(), strict=True):
        (drawn,) = places.drawn(row)
        assert drawn.cost == places.own[row]
        assert busy.cost(drawn) == pytest.approx(drawn.cost + cost)
        own, told = places.shapes(np.array([row])), shapes_of([drawn])
        for mine, theirs in zip(_tables(own), _tables(told), strict=True):
            assert np.allclose(mine, theirs, atol=1e-9)


def _tables(shapes: Shapes) -> list[np.ndarray]:
    corridor = shapes.quads.kinds == CORRIDOR
    return [shapes.texts.rows, shapes.quads.rows[~corridor], shapes.quads.rows[corridor], shapes.segments.rows]


def test_a_radius_is_told_from_the_centre_too_where_the_leader_is_long_enough() -> None:
    places = places_of(REQUESTS["radius"], "iso")
    sides = set()
    for row in range(len(places.own)):
        line = places.drawn(row)[0].lines[0]
        assert isinstance(line, Line)
        tip, end = (np.array(point) - (40.0, 15.0) for point in (line.start, line.end))
        assert np.hypot(*tip) == pytest.approx(12.0)
        outwards = bool((end - tip) @ tip > 0)
        assert outwards or np.hypot(*(end - tip)) > 12.0
        sides.add(outwards)
    assert sides == {True, False}


def test_of_equal_costs_the_last_comes_first() -> None:
    assert cheapest_first(np.array([2.0, 1.0, 2.0, 1.0])).tolist() == [3, 1, 2, 0]
