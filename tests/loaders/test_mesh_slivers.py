"""Meshes with triangles that have no area: whole ones stay whole."""

import numpy as np
import pytest
import trimesh

from dqgen.loaders.mesh_features import solid
from dqgen.schemas.design import Floats, Ints, Solid


def _with_slivers(mesh: trimesh.Trimesh, count: int, twice: bool) -> tuple[Floats, Ints]:
    """A mesh some of whose triangles are split at a side that their neighbours keep whole, with slivers between."""
    vertices, triangles = [list(row) for row in mesh.vertices], [list(row) for row in mesh.faces]
    for row in range(0, 7 * count, 7):
        a, b, c = triangles[row]
        first = len(vertices)
        vertices.append(((np.array(vertices[a]) + np.array(vertices[b])) / 2).tolist())
        if not twice:
            triangles[row] = [a, first, c]
            triangles += [[first, b, c], [a, b, first]]
            continue
        vertices.append(((np.array(vertices[a]) + np.array(vertices[first])) / 2).tolist())
        triangles[row] = [a, first + 1, c]
        triangles += [[first + 1, first, c], [first, b, c], [a, first, first + 1], [a, b, first]]
    return np.array(vertices, dtype=np.float64), np.array(triangles, dtype=np.int32)


def _made(vertices: Floats, triangles: Ints) -> Solid:
    made = solid("part", vertices, triangles)
    assert made is not None
    return made


@pytest.mark.parametrize("twice", [False, True])
def test_slivers_leave_no_slit(twice: bool) -> None:
    box = trimesh.creation.box((8, 4, 2)).subdivide().subdivide()
    whole = _made(np.asarray(box.vertices), np.asarray(box.faces, dtype=np.int32))
    made = _made(*_with_slivers(box, 12, twice))
    assert made.bodies == 1
    assert made.volume == pytest.approx(64.0)
    assert len(made.edges) == len(whole.edges) == 12
    assert (made.links[:, 1] >= 0).all()
    assert len(made.triangles) == len(box.faces) + 12 * (4 if twice else 2)


def test_a_mesh_of_slivers_alone_is_none() -> None:
    assert solid("part", np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([[0, 1, 2]], dtype=np.int32)) is None
