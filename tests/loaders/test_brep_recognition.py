"""What a file stores as splines is found again as what it is."""

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from OCP.BRepBuilderAPI import BRepBuilderAPI_NurbsConvert

from dqgen.geometry.features import catalogue
from dqgen.geometry.measure import measure
from dqgen.geometry.transforms import placed
from dqgen.loaders import brep
from dqgen.loaders.brep_recognition import SAMPLES, arc, straight
from dqgen.schemas.design import Curve, Solid, Surface
from tests.geometry.shapes import part, plate, rotation


def splines(shape: cq.Workplane) -> cq.Workplane:
    """The shape with all its surfaces and curves as B-splines."""
    return cq.Workplane(cq.Shape.cast(BRepBuilderAPI_NurbsConvert(shape.val().wrapped, True).Shape()))


def ring() -> cq.Workplane:
    profile = cq.Workplane("XZ").moveTo(20, 0).lineTo(30, 0).lineTo(30, 5).lineTo(25, 12).lineTo(20, 12).close()
    return profile.revolve(360, (0, 0, 0), (0, 1, 0)).edges(cq.selectors.RadiusNthSelector(1)).fillet(1)


SHAPES = {
    "plate": plate(),
    "ring": ring(),
    "ball on a cone": cq.Workplane(cq.Solid.makeCone(10, 4, 30)).union(cq.Workplane().sphere(7).translate((0, 0, 33))),
    "bend": cq.Workplane().circle(6).circle(4).revolve(75, (20, 0, 0), (20, 1, 0)),
}


def of(shape: cq.Workplane) -> Solid:
    solid = brep.solid("key", shape.val().wrapped, 0.2, None)
    assert solid is not None
    return solid


@pytest.mark.parametrize("name", SHAPES)
def test_surfaces_and_curves_are_what_they_were(name: str) -> None:
    exact, found = of(SHAPES[name]), of(splines(SHAPES[name]))
    assert Surface.OTHER not in exact.faces.kind
    assert np.array_equal(found.faces.kind, exact.faces.kind)
    assert found.volume == pytest.approx(exact.volume, rel=1e-5)
    assert np.abs(found.faces.second) == pytest.approx(np.abs(exact.faces.second), rel=1e-6, abs=1e-6)
    for column in ("area", "bounds"):
        assert getattr(found.faces, column) == pytest.approx(getattr(exact.faces, column), rel=1e-5, abs=1e-5), column
    flat, cones = exact.faces.kind == Surface.PLANE, exact.faces.kind == Surface.CONE
    outward = [np.where(one.faces.reversed, -1, 1)[:, None] * one.faces.axis for one in (exact, found)]
    assert outward[1][flat] == pytest.approx(outward[0][flat], abs=1e-9)
    assert found.faces.radius[~cones] == pytest.approx(exact.faces.radius[~cones], rel=1e-6)
    round_faces = ~flat & (exact.faces.kind != Surface.SPHERE)
    assert np.array_equal(found.faces.reversed[round_faces], exact.faces.reversed[round_faces])
    assert found.faces.sweep[round_faces] == pytest.approx(exact.faces.sweep[round_faces], abs=1.0)
    assert np.array_equal(found.edges.kind, exact.edges.kind)
    assert found.edges.radius == pytest.approx(exact.edges.radius, rel=1e-6)
    assert np.array_equal(found.edges.edge_class, exact.edges.edge_class)
    # Outward normals, on triangles that face outward.
    facing = np.cross(*(found.vertices[found.triangles[:, k]] - found.vertices[found.triangles[:, 0]] for k in (1, 2)))
    assert ((found.normals[found.triangles[:, 0]] * facing).sum(axis=1) > -1e-6).all()
    circles = found.edges.kind == Curve.CIRCLE
    for row in np.flatnonzero(circles):
        points = found.edges.polyline(int(row)) - found.edges.origin[row]
        assert np.linalg.norm(points, axis=1) == pytest.approx(found.edges.radius[row, 0], rel=1e-6)
        start, end = np.radians(found.edges.span[row])
        x_axis, axis = found.edges.x_axis[row], found.edges.axis[row]
        for angle, point in ((start, points[0]), (end, points[-1])):
            there = np.cos(angle) * x_axis + np.sin(angle) * np.cross(axis, x_axis)
            assert found.edges.radius[row, 0] * there == pytest.approx(point, abs=1e-5)


def test_holes_and_measures_are_those_of_the_exact_shape() -> None:
    exact, found = part(plate()), part(splines(plate()))
    before, after = (catalogue(placed(design)).holes for design in (exact, found))
    for one, other in zip(before, after, strict=True):
        assert (other.diameter, other.depth) == pytest.approx((one.diameter, one.depth))
        assert other.through == one.through
        assert (other.counterbore is None) == (one.counterbore is None)
    for expression in ("diameter('Part', inner=True, diameter=6.6)", "thickness('Part', along=z)", "extent('Part', x)"):
        assert measure(found, expression).value == pytest.approx(measure(exact, expression).value, abs=1e-6)
        assert measure(found, expression).exact


def test_free_forms_stay_free() -> None:
    curve = cq.Workplane("XZ").spline([(0, 0), (10, 4), (20, -3), (30, 6)]).lineTo(30, 20).lineTo(0, 20).close()
    solid = of(curve.extrude(15))
    assert (solid.faces.kind == Surface.OTHER).sum() == 1
    assert (solid.edges.kind == Curve.OTHER).sum() == 2
    nearly = cq.Workplane("XZ").ellipse(10, 10.01).extrude(5)
    assert (of(splines(nearly)).faces.kind == Surface.OTHER).sum() == 1


@given(
    st.floats(0.1, 1000),
    st.floats(1, 360),
    st.floats(0, 360),
    st.tuples(*[st.floats(-1, 1)] * 3).filter(lambda axis: np.linalg.norm(axis) > 0.1),
    st.tuples(*[st.floats(-500, 500)] * 3),
)
@settings(max_examples=100, deadline=None)
def test_arcs_through_points(
    radius: float, turn: float, start: float, axis: tuple[float, float, float], centre: tuple[float, float, float]
) -> None:
    angles = np.radians(np.linspace(start, start + turn, SAMPLES))
    flat = radius * np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    turned = rotation(axis, 77)[:3, :3]
    points = flat @ turned.T + centre
    found = arc(points)
    assert found is not None
    assert found.radius == pytest.approx(radius, rel=1e-5)
    assert found.centre == pytest.approx(np.array(centre), abs=1e-4 * radius + 1e-6)
    assert np.degrees(found.turn) == pytest.approx(turn, rel=1e-4)
    assert found.axis == pytest.approx(turned[:, 2], abs=1e-4)
    assert not straight(points)
    if turn > 30:  # of a short arc and a rise another arc can be made
        assert arc(points + np.outer(np.linspace(0, 1e-3 * radius, SAMPLES), turned[:, 2])) is None


def test_lines_through_points() -> None:
    along = np.linspace(0, 1, SAMPLES)[:, None]
    assert straight(along**2 * [3.0, 4.0, 5.0] + 100)
    assert arc(along * [3.0, 4.0, 5.0]) is None
    assert not straight(np.abs(along - 0.3) * [3.0, 4.0, 5.0])
    assert not straight(np.concatenate([along, along**2], axis=1) @ np.eye(3)[:2])
    assert not straight(np.zeros((SAMPLES, 3)))
    assert arc(np.zeros((SAMPLES, 3))) is None
