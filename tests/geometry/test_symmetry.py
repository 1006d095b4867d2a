"""What mirrors each other is edited together, and moves as one unit."""

import dataclasses
from functools import cache, reduce
from pathlib import Path

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.geometry.bounds import placed_bounds
from dqgen.geometry.edit import Edit, edited, mirrored
from dqgen.geometry.measure import measure
from dqgen.geometry.symmetry import Member, Symmetry, neutral
from dqgen.geometry.transforms import placed
from dqgen.geometry.violations import Limit, Variant, comply, violate
from dqgen.loaders.load import LoadOptions, load
from dqgen.schemas.design import Design, Occurrence
from tests.geometry.shapes import assembly, rotation, translation

FORMULA = Path(__file__).parents[2] / "samples" / "formula" / "formula.step"
PLANE = 40.0
"""x of the rig's plane of symmetry."""


@cache
def car() -> Design:
    return load(FORMULA, LoadOptions())


def rig(left: str = "Side L", right: str = "Side R", lean: float = 20.0) -> Design:
    """A beam, and on each side a stay and a foot that are one unit, and a leg that leans; mirrored in x = 40."""
    stay, leg = cq.Workplane().box(10, 10, 60), cq.Workplane().circle(4).extrude(80)
    foot = cq.Workplane("YZ").circle(15).circle(4).extrude(6)
    flat = assembly(
        ("Beam", cq.Workplane().box(200, 30, 20), translation(PLANE, 0, 100)),
        ("Stay", stay, translation(PLANE + 60, 0, 60)),
        ("Foot", foot, translation(PLANE + 57, 0, 15)),
        ("Leg", leg, translation(PLANE + 80, 0, 10) @ rotation((1, 0, 0), lean)),
        ("Stay", stay, translation(PLANE - 60, 0, 60)),
        ("Foot", foot, translation(PLANE - 63, 0, 15)),
        ("Leg", leg, translation(PLANE - 80, 0, 10) @ rotation((1, 0, 0), lean)),
    )
    beam, *rest = flat.root.children

    def side(name: str, parts: list[Occurrence]) -> Occurrence:
        path = f"/All/{name}"
        inside = tuple(dataclasses.replace(part, path=f"{path}/{part.label}") for part in parts)
        return Occurrence(path, name, "Side", "instance", None, np.eye(4), None, inside)

    def own(part: Occurrence, name: str) -> Occurrence:
        return dataclasses.replace(part, path=f"/All/{name} leg", label=f"{name} leg")

    children = (beam, side(left, rest[:2]), own(rest[2], left), side(right, rest[3:5]), own(rest[5], right))
    return dataclasses.replace(flat, root=dataclasses.replace(flat.root, children=children))


def patterns(variant: Variant) -> list[str]:
    return [edit.pattern.removeprefix("/All/").removeprefix("/Formula student car/") for edit in variant.edits]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("/Car/Wheel FL/Tyre", "/Car/Wheel FR/Tyre"),
        ("/Car/Wheel RL/Tyre", "/Car/Wheel RR/Tyre"),
        ("/Car/LR wheel", "/Car/RR wheel"),
        ("/Car/LeftWheel_v2", "/Car/RightWheel_v3"),
        ("/Car/left side/arm-lh", "/Car/right side/arm-rh"),
        ("/Car/Bolt", "/Car/Bolt[2]"),
        ("/Car/armL:1", "/Car/armR:1"),
    ],
)
def test_names_of_partners_are_alike(one: str, other: str) -> None:
    assert neutral(one) == neutral(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [("/A/Wheel FL", "/A/Wheel RL"), ("/A/Seat L", "/A/Post R"), ("/A/Lower arm", "/A/Upper arm"), ("/A/Rack", "/A/R")],
)
def test_other_names_are_not(one: str, other: str) -> None:
    assert neutral(one) != neutral(other)


@pytest.mark.parametrize(
    ("measured", "other", "kind", "changed"),
    [
        (
            "distance(axis('*/Wheel FL/Tyre'), axis('*/Wheel RL/Tyre'), along=y)",
            "distance(axis('*/Wheel FR/Tyre'), axis('*/Wheel RR/Tyre'), along=y)",
            "move",
            ["Wheel RL", "Wheel RR"],
        ),
        (
            "distance(extreme('Front wing', front), extreme('*/Wheel FL/Tyre', front), along=y)",
            "distance(extreme('Front wing', front), extreme('*/Wheel FR/Tyre', front), along=y)",
            "move",
            ["Wheel FL", "Wheel FR"],
        ),
        (
            "diameter('Main hoop brace L')",
            "diameter('Main hoop brace R')",
            "scale",
            ["Frame/Main hoop brace L", "Frame/Main hoop brace R"],
        ),
        (
            "angle(axis('Main hoop brace L'), z, seen=x)",
            "angle(axis('Main hoop brace R'), z, seen=x)",
            "rotate",
            ["Frame/Main hoop brace L", "Frame/Main hoop brace R"],
        ),
        ("diameter('*/Wheel FL/Tyre')", "diameter('*/Wheel FR/Tyre')", "scale", ["Wheel FL/Tyre", "Wheel FR/Tyre"]),
        (
            "clearance('*/Wheel FL/Tyre', 'Frame', along=x)",
            "clearance('*/Wheel FR/Tyre', 'Frame', along=x)",
            "move",
            ["Wheel FL", "Wheel FR"],
        ),
    ],
)
def test_both_sides_of_a_car_hold_one_value(measured: str, other: str, kind: str, changed: list[str]) -> None:
    value = measure(car(), measured).value
    for find, limit in ((violate, 1.05 * value), (comply, 0.95 * value)):
        variant = find(car(), measured, Limit(limit, "min"), 0.01 * value)
        assert abs(variant.margin) == pytest.approx(0.01 * value, abs=1e-6)
        assert {edit.kind for edit in variant.edits} == {kind}
        assert patterns(variant) == changed
        assert measure(variant.design, other).value == pytest.approx(variant.after.value, abs=1e-4)
        again = reduce(edited, variant.edits, car())
        assert measure(again, measured).value == variant.after.value


def test_a_track_grows_on_both_sides() -> None:
    track = "distance(centre('*/Wheel FL/Tyre'), centre('*/Wheel FR/Tyre'), along=x)"
    variant = violate(car(), track, Limit(1220, "max"), 7.3)
    assert variant.after.value == pytest.approx(1227.3, abs=1e-6)
    for wheel in ("FL", "FR"):
        assert measure(variant.design, f"distance(centre('*/Wheel {wheel}/Tyre'), datum(x, 0))").value == pytest.approx(
            613.65, abs=1e-4
        )
        assert measure(variant.design, f"distance(axis('*/Wheel {wheel}/Tyre'), axis('*/Wheel {wheel}/Rim'))").value < 1


@pytest.mark.parametrize(
    ("pattern", "measured", "unit"),
    [
        ("Accumulator container", ["Accumulator container"], "Accumulator"),
        ("Accumulator container", ["Accumulator container", "Battery segment 1"], "Accumulator container"),
        ("Front wing main plane", ["Front wing main plane"], "Front wing"),
        ("Main hoop", ["Main hoop"], "Main hoop"),  # the frame is far larger
        ("Seat", ["Seat"], "Seat"),
    ],
)
def test_units_are_compact_and_hold_nothing_else_that_is_measured(pattern: str, measured: list[str], unit: str) -> None:
    leaves = placed(car())
    rows = [row for row, leaf in enumerate(leaves) if leaf.occurrence.label in measured]
    first = Symmetry(leaves).ways(pattern, rows, True, False)[0]
    assert [member.pattern.rsplit("/", 1)[-1] for member in first] == [unit]


def test_parts_move_with_their_unit_and_are_scaled_alone() -> None:
    # The sides are what the rig stands on: as units they stay as high above the ground, so their stays move.
    above = violate(rig(), "distance(centre('*/Side L/Stay'), ground, along=z)", Limit(70, "min"), 4)
    assert patterns(above) == ["Side L/Stay", "Side R/Stay"]
    aside = violate(rig(), "distance(centre('*/Side L/Stay'), centre('*/Side R/Stay'))", Limit(130, "min"), 5)
    assert patterns(aside) == ["Side R", "Side L"]
    assert [edit.vector[0] for edit in aside.edits] == pytest.approx([-2.5, 2.5])
    small = violate(rig(), "extent('*/Side L/Stay', z)", Limit(55, "max"), 1)
    assert patterns(small) == ["Side L/Stay", "Side R/Stay"]


@pytest.mark.parametrize(("left", "right"), [("Side left", "Side right"), ("Side 1", "Side 2"), ("side-l", "side-r")])
def test_partners_may_be_named_in_many_ways(left: str, right: str) -> None:
    variant = violate(rig(left, right), f"angle(axis('{left} leg'), z)", Limit(25, "min"), 2)
    assert patterns(variant) == [f"{left} leg", f"{right} leg"]
    assert measure(variant.design, f"angle(axis('{right} leg'), z)").value == pytest.approx(23, abs=1e-6)


def test_what_has_no_partner_is_edited_alone_as_it_was_named() -> None:
    other = violate(rig("Blue", "Red"), "diameter('Blue leg')", Limit(9, "min"), 0.5)
    assert patterns(other) == ["Blue leg"]
    apart = edited(rig(), Edit("move", "Side R leg", (0, 25, 0)))
    assert patterns(violate(apart, "diameter('Side L leg')", Limit(9, "min"), 0.5)) == ["Side L leg"]
    thick = edited(rig(), Edit("scale", "Side R leg", factor=1.1))
    assert patterns(violate(thick, "diameter('Side L leg')", Limit(9, "min"), 0.5)) == ["Side L leg"]
    lonely = edited(rig(), Edit("move", "Beam", (150, 0, 0)))  # then the legs are no longer most of a symmetric design
    lonely = reduce(
        edited, [Edit("move", f"*/Side {side}/*", (0, step, 0)) for side, step in (("L", 40), ("R", 60))], lonely
    )
    assert patterns(violate(lonely, "diameter('Side L leg')", Limit(9, "min"), 0.5)) == ["Side L leg"]


def test_what_tells_the_sides_apart_changes_one_of_them() -> None:
    offset = "distance(centre('Side L leg'), centre('Side R leg'), along=y)"
    variant = violate(rig(), offset, Limit(3, "max"), 1)
    assert len(variant.edits) == 1
    assert variant.after.value == pytest.approx(4, abs=1e-6)


def test_what_lies_in_the_middle_stays_there_if_something_else_can_be_moved() -> None:
    variant = violate(rig(), "distance(centre('Side L leg'), centre('Beam'), along=x)", Limit(90, "min"), 4)
    assert patterns(variant) == ["Side L leg", "Side R leg"]
    assert [edit.vector[0] for edit in variant.edits] == pytest.approx([6, -6])


def test_a_pattern_for_both_sides_keeps_them_symmetric() -> None:
    ways = Symmetry(placed(rig())).ways
    assert ways("Side ? leg", (), False, False) == [(Member("Side ? leg"),)]
    first, last = ways("Side ? leg", (), False, True)
    assert [member.plane for member in first] == [None, pytest.approx(PLANE, abs=1e-6)]
    assert last == (Member("Side ? leg"),)


VECTORS = st.tuples(*[st.floats(-30, 30)] * 3)


@given(
    st.one_of(
        st.builds(Edit, st.just("move"), st.just("Side L leg"), vector=VECTORS),
        st.builds(Edit, st.just("scale"), st.just("Side L leg"), factor=st.floats(0.5, 2)),
        st.builds(
            Edit,
            st.just("rotate"),
            st.just("Side L leg"),
            axis=VECTORS.filter(lambda v: np.linalg.norm(v) > 1),
            degrees=st.floats(-90, 90),
            centre=st.none() | VECTORS,
        ),
    )
)
@settings(max_examples=25, deadline=None)
def test_an_edit_and_its_mirror_image_keep_a_design_symmetric(edit: Edit) -> None:
    # Upright legs are their own mirror images, whichever way they lean after.
    start = rig(lean=0.0)
    after = edited(edited(start, edit), mirrored(edit, "Side R leg", PLANE))
    left, right = (placed_bounds(leaf) for leaf in placed(after) if leaf.path.endswith("leg"))
    assert right[:, 1:] == pytest.approx(left[:, 1:], abs=0.2)
    assert 2 * PLANE - right[::-1, 0] == pytest.approx(left[:, 0], abs=0.2)
