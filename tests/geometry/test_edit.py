"""Edits, and the search for those that break or keep a limit by a margin."""

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.errors import UsageError
from dqgen.geometry.edit import Edit, copied, edited, moved, removed, rotated, scaled
from dqgen.geometry.measure import measure
from dqgen.geometry.solve import solve
from dqgen.geometry.violations import Allowed, Limit, comply, ladder, violate
from dqgen.schemas.design import Design, walk
from tests.geometry.shapes import assembly, rotation, translation


def cart() -> Design:
    wheel = cq.Workplane("YZ").circle(20).extrude(8)
    return assembly(
        ("Front wheel", wheel, translation(0, 0, 20)),
        ("Rear wheel", wheel, translation(0, 150, 20)),
        ("Floor", cq.Workplane().box(60, 160, 4), translation(0, 75, 30)),
        frame=rotation((0, 0, 1), 30),
    )


SPACE = "distance(axis('Front wheel'), axis('Rear wheel'))"


def test_a_move_is_made_in_the_design_s_own_axes_and_the_box_follows() -> None:
    before = cart()
    after = moved(before, "Floor", np.array([0.0, 0.0, 500.0]))
    assert after.bounds[1, 2] == pytest.approx(before.bounds[1, 2] + 500 - 8, abs=0.1)
    assert measure(after, "clearance('Floor', ground)").value == pytest.approx(528)
    assert before.root.children[2].transform[2, 3] == 30  # nothing changed in place
    assert after.solids is before.solids


def test_turns_scales_copies_and_removals() -> None:
    design = cart()
    turned = rotated(design, "Floor", np.array([0.0, 0.0, 1.0]), -30)
    assert measure(turned, "extent('Floor', x)").value == pytest.approx(60)
    grown = scaled(design, "Floor", 2)
    assert measure(grown, "thickness('Floor')").value == pytest.approx(8)
    twice = copied(design, "Floor", np.array([0.0, 0.0, 50.0]))
    assert measure(twice, "count('Floor*')").value == 2
    assert measure(twice, "clearance('/All/Floor', 'Floor copy')").value == pytest.approx(46)
    paths = [node.path for node in walk(copied(twice, "Floor", np.zeros(3)).root)]
    assert len(set(paths)) == len(paths) == 7
    fewer = removed(design, "*wheel")
    assert [node.label for node in fewer.root.children] == ["Floor"]


@pytest.mark.parametrize(
    "edit",
    [
        Edit("move", "Nothing", (1, 0, 0)),
        Edit("remove", "*"),
        Edit("scale", "Floor", factor=0),
        Edit("scale", "Floor", factor=float("nan")),
        Edit("rotate", "Flor", degrees=3),
    ],
)
def test_impossible_edits_are_refused(edit: Edit) -> None:
    with pytest.raises(UsageError):
        edited(cart(), edit)


@given(st.tuples(*[st.floats(-200, 200)] * 3))
@settings(max_examples=20, deadline=None)
def test_a_move_and_its_opposite_cancel(way: tuple[float, float, float]) -> None:
    there = moved(cart(), "Rear wheel", np.array(way))
    back = moved(there, "Rear wheel", -np.array(way))
    assert measure(back, SPACE).value == pytest.approx(150, abs=1e-6)


@given(st.floats(20, 400), st.floats(0.1, 15), st.sampled_from(["min", "max"]), st.booleans())
@settings(max_examples=25, deadline=None)
def test_the_margin_is_reached(limit: float, margin: float, sense: str, breaks: bool) -> None:
    find = violate if breaks else comply
    variant = find(cart(), SPACE, Limit(limit, sense), margin)  # type: ignore[arg-type]
    assert variant.margin == pytest.approx(-margin if breaks else margin, abs=1e-6)
    assert variant.complies is not breaks
    assert measure(variant.design, SPACE).value == pytest.approx(variant.after.value, abs=1e-9)


@pytest.mark.parametrize(
    ("expression", "limit", "kind"),
    [
        ("clearance('Floor', ground)", Limit(25, "min"), "move"),
        ("diameter('Front wheel')", Limit(38, "min"), "scale"),
        ("thickness('Floor')", Limit(5, "max"), "scale"),
        ("angle(axis('Front wheel'), axis('Rear wheel'))", Limit(5, "max"), "rotate"),
        (f"{SPACE} - extent('Floor', z)", Limit(120, "min"), "move"),
        (f"{SPACE} / diameter('Rear wheel')", Limit(3, "min"), "move"),
    ],
)
def test_the_fitting_kind_of_edit_is_chosen(expression: str, limit: Limit, kind: str) -> None:
    start = moved(cart(), "Floor", np.array([0.0, 0.0, 5.0]))
    if kind == "rotate":
        start = rotated(start, "Rear wheel", np.array([0.0, 0.0, 1.0]), 2.0)
    variant = violate(start, expression, limit, 0.5)
    (edit,) = variant.edits
    assert variant.margin == pytest.approx(-0.5, abs=1e-6)
    if kind != "move":
        assert edit.kind == kind


@pytest.mark.parametrize(
    ("limit", "margin", "kinds"),
    [
        (Limit(4, "min"), 1, []),
        (Limit(4, "min"), 2, ["remove"]),
        (Limit(4, "min"), 3, ["remove", "remove"]),
        (Limit(4, "max"), 2, ["copy"] * 3),
    ],
)
def test_counts_change_by_as_many_occurrences_as_it_takes(limit: Limit, margin: float, kinds: list[str]) -> None:
    seat = cq.Workplane().box(10, 10, 10)
    row = assembly(*[(f"Seat {k}", seat, translation(20 * k, 0, 0)) for k in range(3)], ("Floor", seat, np.eye(4)))
    variant = violate(row, "count('Seat *')", limit, margin)
    assert [edit.kind for edit in variant.edits] == kinds
    assert variant.margin == -margin
    assert measure(variant.design, "count('Seat *')").value == variant.after.value


def test_a_count_that_cannot_be_reached_is_refused() -> None:
    with pytest.raises(UsageError, match="a count is a whole number"):
        violate(cart(), "count('*wheel')", Limit(2, "min"), 0.5)
    with pytest.raises(UsageError, match="cannot be -1"):
        violate(cart(), "count('*wheel')", Limit(2, "min"), 3)
    with pytest.raises(UsageError, match="no edit brings"):
        violate(cart(), "count('*wheel')", Limit(2, "min"), 1, [Allowed("remove", "Floor")])


def test_allowed_edits_alone_are_tried() -> None:
    allowed = [Allowed("move", "Floor", (1, 0, 0))]
    with pytest.raises(UsageError, match="no edit brings"):
        violate(cart(), SPACE, Limit(100, "min"), 5, allowed)
    with pytest.raises(UsageError, match="above zero"):
        violate(cart(), SPACE, Limit(100, "min"), 0)


def test_a_ladder_steps_around_the_limit() -> None:
    steps = ladder(cart(), SPACE, Limit(140, "min"))
    assert [round(step.margin, 6) for step in steps] == [-28, -7, -1.4, 1.4, 7, 28]
    assert [step.complies for step in steps] == [False] * 3 + [True] * 3


def test_solve_meets_kinks_and_gives_up_on_the_impossible() -> None:
    assert solve(lambda x: max(x, 3.0), 0.0, 5.0, 1.0) == pytest.approx(5)
    assert solve(lambda x: x**3, 1.0, 27.0, 0.5) == pytest.approx(3)
    assert solve(lambda x: 1.0 / (1.0 + x * x), 0.0, 2.0, 1.0) is None
