"""Measures: every kind on known shapes, laws under motions, the sample car's own parameters, clear refusals."""

import contextlib

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.errors import UsageError
from dqgen.geometry.extremes import nearest_on_triangles
from dqgen.geometry.measure import Measurement, Measurer, measure
from dqgen.loaders.load import LoadOptions, load
from dqgen.samples import sample
from dqgen.schemas.design import Design
from tests.geometry.shapes import assembly, part, plate, rotation, translation
from tests.support import assert_one_line, dqgen


def pair() -> Design:
    """A shaft of ⌀10 along z at (0, 0), a tube of ⌀20 × 2 at (50, 0), a 40 × 30 × 5 plate above both."""
    tube = cq.Workplane().circle(10).circle(8).extrude(60)
    return assembly(
        ("Shaft", cq.Workplane().circle(5).extrude(80), np.eye(4)),
        ("Tube", tube, translation(50, 0, 0)),
        ("Lid", cq.Workplane().box(40, 30, 5), translation(25, 0, 100)),
    )


@pytest.mark.parametrize(
    ("expression", "value", "unit", "kind"),
    [
        ("distance(axis('Shaft'), axis('Tube'), along=x)", 50, "mm", "distance"),
        ("distance(axis('Tube'), axis('Shaft'))", 50, "mm", "distance"),
        ("distance(centre('Lid'), axis('Tube'))", 25, "mm", "distance"),
        ("distance('Shaft', 'Lid')", 17.5, "mm", "distance"),
        ("distance(end(axis('Shaft'), up), 'Lid')", np.hypot(5, 17.5), "mm", "distance"),
        ("distance(plane('Lid', facing=down), ground)", 97.5, "mm", "distance"),
        ("distance(end(axis('Tube'), up), end(axis('Shaft'), up), along=z)", 20, "mm", "distance"),
        ("distance(meet(axis('Tube'), plane('Lid', facing=down)), ground, along=z)", 97.5, "mm", "distance"),
        ("distance(datum(z, 10), datum(z, 25))", 15, "mm", "distance"),
        ("extent('Tube', x)", 20, "mm", "extent"),
        ("extent('*', z)", 102.5, "mm", "extent"),
        ("clearance('Shaft', 'Tube')", 35, "mm", "clearance"),
        ("clearance('Shaft', 'Lid', along=z)", 17.5, "mm", "clearance"),
        ("clearance('Shaft', 'Tube', along=z)", -60, "mm", "clearance"),
        ("clearance('Lid', ground)", 97.5, "mm", "clearance"),
        ("diameter('Tube')", 20, "mm", "diameter"),
        ("diameter('Tube', inner=True)", 16, "mm", "diameter"),
        ("radius(axis('Shaft'))", 5, "mm", "radius"),
        ("thickness('Tube')", 2, "mm", "thickness"),
        ("thickness('Lid')", 5, "mm", "thickness"),
        ("thickness('Lid', along=x)", 40, "mm", "thickness"),
        ("angle(axis('Shaft'), x)", 90, "deg", "angle"),
        ("angle(plane('Lid', facing=up), z)", 90, "deg", "angle"),
        ("angle(plane('Lid', facing=up), plane('Lid', facing=left))", 90, "deg", "angle"),
        ("count('*')", 4, "", "count"),
        ("extent('Lid', x) + 2 * extent('Lid', y)", 100, "mm", "sum"),
        ("extent('Lid', x) - extent('Lid', y)", 10, "mm", "difference"),
        ("extent('Lid', x) / extent('Lid', z)", 8, "", "ratio"),
        ("extent('Lid', x) * extent('Lid', y)", 1200, "mm²", "product"),
        ("min(extent('Lid', x), extent('Lid', y), 35)", 30, "mm", "minimum"),
        ("max(extent('Lid', x), extent('Lid', y))", 40, "mm", "maximum"),
        ("abs(extent('Lid', z) - extent('Lid', x))", 35, "mm", "difference"),
        ("-extent('Lid', z)", -5, "mm", "negative"),
    ],
)
def test_each_kind(expression: str, value: float, unit: str, kind: str) -> None:
    measured = measure(pair(), expression)
    assert measured.value == pytest.approx(value, abs=1e-6)
    assert (measured.unit, measured.kind, measured.exact) == (unit, kind, True)
    if measured.witnesses is not None and measured.direction is not None:
        assert (measured.witnesses[1] - measured.witnesses[0]) @ measured.direction == pytest.approx(value, abs=1e-6)


def test_holes_are_found_by_size_and_place_and_counted() -> None:
    design = part(plate())
    measurer = Measurer(design)
    assert measurer.measure("count(holes('Part'))").value == 6
    assert measurer.measure("count(holes('Part', diameter=5))").value == 4
    across = measurer.measure("distance(hole('Part', diameter=6.6), hole('Part', diameter=5, n=1), along=x)")
    assert across.value == pytest.approx(24, abs=1e-6)


def test_a_tilted_brace_has_its_angle_in_space_and_as_seen() -> None:
    brace = rotation((1, 0, 0), 30) @ rotation((0, 1, 0), 20)
    design = assembly(
        ("Brace", cq.Workplane().circle(5).extrude(100), brace), ("Base", cq.Workplane().box(9, 9, 9), np.eye(4))
    )
    direction = brace[:3, 2]
    space = np.degrees(np.arccos(direction[2]))
    assert measure(design, "angle(axis('Brace'), z)").value == pytest.approx(space, abs=1e-6)
    side = np.degrees(np.arctan2(abs(direction[1]), direction[2]))
    seen = measure(design, "angle(axis('Brace'), z, seen=x)")
    assert seen.value == pytest.approx(side, abs=1e-6)
    assert seen.arms is not None
    assert np.degrees(np.arccos(seen.arms[0] @ seen.arms[1])) == pytest.approx(side, abs=1e-6)


def test_extremes_of_round_parts_are_exact_in_any_direction() -> None:
    ring = cq.Workplane(cq.Solid.makeTorus(20, 4))
    for degrees in (0, 17, 60):
        design = assembly(("Ring", ring, rotation((1, 2, 3), degrees)), ("Dot", cq.Workplane().sphere(1), np.eye(4)))
        axis = rotation((1, 2, 3), degrees)[:3, 2]
        width = 2 * (20 * np.sqrt(1 - axis[0] ** 2) + 4)
        measured = measure(design, "extent('Ring', x)")
        assert measured.value == pytest.approx(width, abs=1e-6)
        assert measured.exact


def test_the_gap_between_round_parts_is_exact() -> None:
    design = assembly(
        ("A", cq.Workplane().sphere(7), np.eye(4)), ("B", cq.Workplane().sphere(5), translation(10, 12, 9))
    )
    measured = measure(design, "clearance('A', 'B')")
    assert measured.value == pytest.approx(np.linalg.norm([10, 12, 9]) - 12, abs=1e-6)
    assert measured.exact


def test_a_gap_ends_where_faces_do() -> None:
    """A part of a cylinder that ends 10° before it would come nearest to a wall."""
    whole = cq.Workplane().circle(50).extrude(80)
    wedge = cq.Workplane().polyline([(0, 0), (100, 100 * np.tan(np.radians(10))), (100, 100)]).close().extrude(80)
    wall = cq.Workplane().box(4, 300, 80, centered=(False, True, False))
    design = assembly(("Sector", whole.intersect(wedge), np.eye(4)), ("Wall", wall, translation(60, 0, 0)))
    assert measure(design, "clearance('Sector', 'Wall')").value == pytest.approx(60 - 50 * np.cos(np.radians(10)))


def test_a_triangle_without_area_has_sides_only() -> None:
    point = np.array([[3.0, 4.0, 0.0]])
    needle = np.array([[[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 2.0, 0.0]]])
    assert nearest_on_triangles(point, needle).tolist() == [[0.0, 2.0, 0.0]]
    assert nearest_on_triangles(point, np.zeros((1, 3, 3))).tolist() == [[0.0, 0.0, 0.0]]


def test_a_mesh_is_measured_by_fits_and_says_so() -> None:
    design = assembly(("Shaft", cq.Workplane().circle(5).extrude(80), np.eye(4)), fitted=True)
    measured = measure(design, "diameter('Shaft')")
    assert measured.value == pytest.approx(10, rel=2e-3)
    assert not measured.exact


@given(
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: np.linalg.norm(axis) > 0.1),
    st.floats(0, 360),
    st.tuples(*[st.floats(-500, 500)] * 3),
    st.sampled_from(
        [
            "distance(axis('Shaft'), axis('Tube'))",
            "diameter('Tube')",
            "thickness('Lid', n=1)",
            "clearance('Shaft', 'Tube')",
            "angle(axis('Shaft'), plane('Lid', n=1))",
        ]
    ),
)
@settings(max_examples=25, deadline=None)
def test_measures_do_not_change_when_the_whole_is_moved(
    axis: tuple[float, float, float], degrees: float, way: tuple[float, float, float], expression: str
) -> None:
    still = pair()
    frame = translation(*way) @ rotation(axis, degrees)
    root = still.root.__class__(**{**still.root.__dict__, "transform": frame})
    moved = Design(**{**still.__dict__, "root": root})
    before, after = measure(still, expression), measure(moved, expression)
    assert after.value == pytest.approx(before.value, abs=1e-6)


CAR = {
    "distance(axis('Wheel FL'), axis('Wheel RL'), along=y)": 1550,
    "distance(centre('*/Wheel FL/Tyre'), centre('*/Wheel FR/Tyre'), along=x)": 1200,
    "clearance('Flat floor', ground)": 40,
    "diameter('Main hoop')": 30,
    "thickness('Main hoop')": 2.4,
    "angle(axis('Main hoop brace L'), z, seen=x)": 36,
    "distance(extreme('Main hoop', up), end(axis('Main hoop brace L'), up), along=z)": 140,
    "distance(extreme('Front wing', front), extreme('Wheel FL', front), along=y)": 600,
    "extent('*/Wheel FL/Tyre', z)": 457,
    "distance(axis('Wheel RL'), axis('Motor'), along=y)": 170,
}


def test_the_sample_car_measures_as_its_parameters_say() -> None:
    measurer = Measurer(load(sample("formula"), LoadOptions()))
    found = {expression: measurer.measure(expression) for expression in CAR}
    assert {text: round(measured.value, 6) for text, measured in found.items()} == CAR
    assert all(measured.exact for measured in found.values())


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("axis('Shaft'", "is no measure"),
        ("__import__('os').system('id')", "not part of the language"),
        ("[1, 2]", "not part of the language"),
        ("lambda: 1", "not part of the language"),
        ("open('x')", "unknown function 'open'"),
        ("extent('Shaft', q)", "unknown word 'q'"),
        ("extent('Shaft')", "takes 2 arguments, not 1"),
        ("extent('Shaft', x, wide=1)", "no option 'wide'"),
        ("extent('Shift', x)", "near: 'Shaft'"),
        ("extent('Lid', x) + angle(x, y)", "mm and deg cannot be added"),
        ("extent('Lid', x) / 0", "divided"),
        ("axis('Shaft')", "is a feature, not a measure"),
        ("axis('*')", "is a feature"),
        ("diameter(axis('*', along=z, diameter=1))", "there is no axis like that"),
        ("diameter(hole('Lid'))", "there is no hole like that"),
        ("axis('Lid') + 1", "there is no axis like that"),
        ("distance(axis('Shaft'), axis('Tube'), along=z)", "not at right angles"),
        ("distance(axis('Shaft'), plane('Lid', facing=up))", "not parallel"),
        ("clearance('Shaft', 'S*')", "on both sides"),
        ("1e999", "not part of the language"),
        ("(" * 300 + "1" + ")" * 300, ""),
        ("-" * 200 + "1", ""),
        ("", "is no measure"),
        ("\0", ""),
    ],
)
def test_refusals_are_one_clear_line(expression: str, words: str) -> None:
    with pytest.raises(UsageError, match=None) as refusal:
        measure(pair(), expression)
    assert words in str(refusal.value) or words == "is a feature"
    assert "\n" not in str(refusal.value)


def test_what_may_be_meant_is_listed_and_can_be_chosen() -> None:
    shaft = cq.Workplane().circle(5).extrude(80)
    measurer = Measurer(assembly(("A", shaft, np.eye(4)), ("B", shaft, translation(30, 0, 0))))
    with pytest.raises(UsageError) as refusal:
        measurer.measure("distance(axis('*'), datum(x, 0), along=x)")
    listed = "may be 2 things: n=1: ⌀10 along z through (0, 0, 40); n=2: ⌀10 along z through (30, 0, 40)"
    assert listed in str(refusal.value)
    assert "choose with at=" in str(refusal.value)
    for choice, value in (("at=right", 30), ("at=left", 0), ("n=2", 30)):
        assert measurer.measure(f"distance(axis('*', {choice}), datum(x, 0), along=x)").value == value


@given(st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_any_text_is_measured_or_refused(text: str) -> None:
    with contextlib.suppress(UsageError):
        assert isinstance(measure(TWO, text), Measurement)


TWO = assembly(("A", cq.Workplane().box(1, 1, 1), np.eye(4)), ("B", cq.Workplane().box(1, 1, 1), translation(3, 0, 0)))


def test_commands_put_out_measures_and_features() -> None:
    flange = sample("flange")
    done = dqgen("measure", flange, "extent('Flange', x)")
    assert done.stdout.startswith("140 mm  extent('Flange', x)\n"), done.stderr
    done = dqgen("features", flange)
    assert "6× ⌀11 through, counterbore ⌀18 6.5 deep, on ⌀112" in done.stdout
    for arguments, model in ((("measure", flange, "1 + 1"), "MeasureReport"), (("features", flange), "FeaturesReport")):
        import dqgen.schemas.measure as schemas

        done = dqgen(*arguments, "--json")
        report = getattr(schemas, model).model_validate_json(done.stdout)
        assert report.sha256
    assert_one_line(dqgen("measure", flange, "extent('Flunge', x)"), 2, "near: 'Flange'")
