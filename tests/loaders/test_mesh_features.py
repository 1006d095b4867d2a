"""Faces and edges found on bare meshes."""

import math

import numpy as np
import pytest
import trimesh

from dqgen.loaders.mesh_features import solid
from dqgen.schemas.design import Curve, EdgeClass, Solid, Surface


def found(mesh: trimesh.Trimesh) -> Solid:
    result = solid("m", np.asarray(mesh.vertices), np.asarray(mesh.faces, dtype=np.int32))
    assert result is not None
    return result


def turned(mesh: trimesh.Trimesh, askew: bool) -> tuple[trimesh.Trimesh, np.ndarray]:
    matrix = trimesh.transformations.euler_matrix(0.5, -0.7, 1.1) if askew else np.eye(4)
    matrix[:3, 3] = [11, -7, 3] if askew else 0
    return mesh.copy().apply_transform(matrix), matrix


@pytest.mark.parametrize("askew", [False, True])
def test_a_box_has_six_planes_and_twelve_lines(askew: bool) -> None:
    mesh, _ = turned(trimesh.creation.box([3, 2, 1]), askew)
    box = found(mesh)
    assert box.faces.kind.tolist() == [Surface.PLANE] * 6
    assert sorted(box.faces.area) == pytest.approx([2, 2, 3, 3, 6, 6])
    assert box.edges.kind.tolist() == [Curve.LINE] * 12
    assert box.edges.edge_class.tolist() == [EdgeClass.SHARP] * 12
    assert sorted(box.edges.span[:, 1]) == pytest.approx([1] * 4 + [2] * 4 + [3] * 4)
    assert box.fitted
    assert (box.bodies, box.volume) == (1, pytest.approx(6))
    # Outward: from the middle of the box to each face.
    outward = box.faces.origin - mesh.vertices.mean(axis=0)
    assert (np.einsum("ij,ij->i", outward, box.faces.axis) > 0).all()


@pytest.mark.parametrize("again", [(0, 1, 2), (1, 2, 0), (2, 1, 0)])
def test_triangles_that_are_there_twice_count_once(again: tuple[int, int, int]) -> None:
    mesh = trimesh.creation.cylinder(4, 10, sections=48)
    twice = found(trimesh.Trimesh(mesh.vertices, np.concatenate([mesh.faces, mesh.faces[:, again]]), process=False))
    once = found(mesh)
    assert (twice.triangles == once.triangles).all()
    assert (twice.bodies, twice.volume) == (1, pytest.approx(once.volume))
    assert twice.edges.kind.tolist() == once.edges.kind.tolist()


def test_bodies_that_touch_keep_both_faces() -> None:
    upper = trimesh.creation.box([2, 2, 2])
    lower = upper.copy().apply_transform(np.diag([1, 1, -1, 1])).apply_translation([0, 0, -2])
    pair = found(trimesh.util.concatenate([upper, lower]))
    assert len(pair.triangles) == 24


@pytest.mark.parametrize("askew", [False, True])
def test_a_tube_has_its_cylinders_and_circles(askew: bool) -> None:
    mesh, matrix = turned(trimesh.creation.annulus(r_min=5, r_max=15, height=8, sections=64), askew)
    tube = found(mesh)
    rows = np.flatnonzero(tube.faces.kind == Surface.CYLINDER)
    hole, outside = sorted(rows, key=lambda row: tube.faces.radius[row])
    assert tube.faces.radius[[hole, outside]] == pytest.approx([5, 15], rel=1e-3)
    assert tube.faces.reversed[[hole, outside]].tolist() == [True, False]
    assert tube.faces.sweep[rows] == pytest.approx(360)
    assert np.abs(tube.faces.axis[rows] @ matrix[:3, 2]) == pytest.approx(1, abs=1e-6)
    offset = tube.faces.origin[hole] - matrix[:3, 3]
    assert np.linalg.norm(np.cross(offset, matrix[:3, 2])) < 1e-3
    circles = np.flatnonzero(tube.edges.kind == Curve.CIRCLE)
    assert sorted(tube.edges.radius[circles, 0]) == pytest.approx([5, 5, 15, 15], rel=1e-3)
    assert len(tube.faces) == 4


def test_a_sphere_is_one() -> None:
    ball = found(trimesh.creation.icosphere(subdivisions=3, radius=7).apply_translation([1, 2, 3]))
    assert ball.faces.kind.tolist() == [Surface.SPHERE]
    assert ball.faces.radius[0] == pytest.approx(7, rel=1e-3)
    assert ball.faces.origin[0] == pytest.approx([1, 2, 3], abs=1e-3)
    assert len(ball.edges) == 0
    outward = ball.vertices - [1, 2, 3]
    assert (np.einsum("ij,ij->i", outward, ball.normals) > 0).all()


@pytest.mark.parametrize("sections", [16, 24, 64])
@pytest.mark.parametrize(("radius", "height"), [(3, 8), (8, 3), (5, 5)])
def test_a_cone_is_one_however_coarse(sections: int, radius: float, height: float) -> None:
    cone = found(trimesh.creation.cone(radius=radius, height=height, sections=sections))
    (row,) = np.flatnonzero(cone.faces.kind == Surface.CONE)
    assert cone.faces.second[row] == pytest.approx(math.degrees(math.atan(radius / height)), abs=1e-4)
    assert not cone.faces.reversed[row]


def test_triangles_keep_their_face_and_vertices_are_not_shared_between_faces() -> None:
    tube = found(trimesh.creation.annulus(r_min=5, r_max=15, height=8, sections=24))
    owner: dict[int, int] = {}
    for triangle, face in zip(tube.triangles.tolist(), tube.triangle_face.tolist(), strict=True):
        for vertex in triangle:
            assert owner.setdefault(vertex, face) == face
    assert tube.faces.area.sum() == pytest.approx(trimesh.creation.annulus(5, 15, 8, sections=24).area)


def test_links_between_faces_lie_on_edges() -> None:
    tube = found(trimesh.creation.annulus(r_min=5, r_max=15, height=8, sections=24))
    between = tube.triangle_face[tube.links[:, 0]] != tube.triangle_face[tube.links[:, 1]]
    assert ((tube.link_edge >= 0) == between).all()
    assert ((tube.vertices[tube.link_vertices[between]] ** 2).sum(axis=2) > 0).all()
    for row in np.flatnonzero(between):
        line = tube.edges.polyline(tube.link_edge[row])
        ends = tube.vertices[tube.link_vertices[row]]
        assert np.linalg.norm(line[:, None] - ends, axis=2).min(axis=0).max() < 1e-9


def test_nothing_without_an_area() -> None:
    line = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]])
    assert solid("m", line, np.array([[0, 1, 2]], dtype=np.int32)) is None
    assert solid("m", line, np.zeros((0, 3), dtype=np.int32)) is None
