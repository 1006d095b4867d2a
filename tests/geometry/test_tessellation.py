"""Welding and linking, against the obvious way of doing it."""

from collections import Counter

import cadquery as cq
import numpy as np
import pytest
import trimesh
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dqgen.geometry.tessellation import enclosed_volume, links, triangle_normals, weld
from dqgen.geometry.transforms import placed
from tests.geometry.shapes import assembly

GRID = arrays(
    np.float64, st.tuples(st.integers(1, 40), st.just(3)), elements=st.sampled_from([-1.0, -0.0, 0.0, 1.0, 2.5])
)
TRIANGLES = arrays(np.int32, st.tuples(st.integers(0, 25), st.just(3)), elements=st.integers(0, 9))


@given(GRID, st.sampled_from([0.0, 0.1]))
def test_weld_numbers_equal_points_alike(vertices: np.ndarray, tolerance: float) -> None:
    point = weld(vertices, tolerance)
    same = (vertices[:, None] == vertices[None]).all(axis=2)
    assert ((point[:, None] == point[None]) == same).all()
    assert set(point) == set(range(int(point.max()) + 1))


def test_weld_forgives_rounding() -> None:
    point = weld(np.array([[1, 2, 3], [1 + 1e-9, 2, 3 - 1e-9], [1, 2, 3.1]]), 1e-6)
    assert point[0] == point[1] != point[2]


@given(TRIANGLES)
def test_links_hold_every_mesh_edge_once_a_pair(triangles: np.ndarray) -> None:
    pairs, ends = links(triangles, np.arange(10))
    uses: Counter[tuple[int, int]] = Counter()
    owners: dict[tuple[int, int], list[int]] = {}
    for number, triangle in enumerate(triangles.tolist()):
        for a, b in ((0, 1), (1, 2), (2, 0)):
            if triangle[a] != triangle[b]:
                key = tuple(sorted((triangle[a], triangle[b])))
                uses[key] += 1
                owners.setdefault(key, []).append(number)
    found: Counter[tuple[int, int]] = Counter()
    for (first, second), end in zip(pairs.tolist(), ends.tolist(), strict=True):
        key = tuple(sorted(end))
        found[key] += 1 if second < 0 else 2
        assert first in owners[key]
        assert second < 0 or second in owners[key]
    assert found == uses
    borders = Counter(tuple(sorted(end)) for end in ends[pairs[:, 1] < 0].tolist())
    assert borders == Counter({key: 1 for key, count in uses.items() if count % 2})


@pytest.mark.parametrize(
    "mesh", [trimesh.creation.box([1, 2, 3]), trimesh.creation.icosphere(), trimesh.creation.annulus(1, 2, 3)]
)
def test_closed_meshes(mesh: trimesh.Trimesh) -> None:
    pairs, _ = links(mesh.faces.astype(np.int32), np.arange(len(mesh.vertices)))
    assert sorted(map(sorted, pairs.tolist())) == sorted(map(sorted, mesh.face_adjacency.tolist()))
    assert enclosed_volume(mesh.vertices + 100, mesh.faces) == pytest.approx(mesh.volume)
    normals, areas = triangle_normals(mesh.vertices, mesh.faces)
    assert normals == pytest.approx(mesh.face_normals)
    assert areas == pytest.approx(mesh.area_faces)


@pytest.mark.parametrize("fitted", [False, True])
def test_what_lies_beside_a_step_has_the_left_first(fitted: bool) -> None:
    plate = cq.Workplane().box(40, 30, 6).faces(">Z").workplane().hole(12).edges("|Z").fillet(4)
    solid = placed(assembly(("plate", plate, np.eye(4)), fitted=fitted))[0].solid
    first = np.setdiff1d(np.arange(len(solid.edges.points)), solid.edges.starts[1:] - 1)
    assert len(first)
    ends = np.stack([solid.edges.points[first], solid.edges.points[first + 1]], axis=1)[:, None]
    assert np.allclose(solid.vertices[solid.step_vertices[first]], ends, atol=1e-5)
    left, right = solid.normals[solid.step_vertices[first]].sum(axis=2).transpose(1, 0, 2)
    along = (ends[:, 0, 1] - ends[:, 0, 0]).astype(np.float32)
    turn = np.einsum("ij,ij->i", np.cross(left, right), along)
    assert turn.min() > -1e-4  # a plate with a hole has no hollow corner
    assert (turn > 1e-2).sum() > len(turn) / 2
    last = solid.edges.starts[1:] - 1
    assert (solid.step_vertices[last] == -1).all()
