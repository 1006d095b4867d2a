"""Slivers beside round faces of meshes, which belong to them."""

import numpy as np
import pytest

from dqgen.loaders.mesh_absorption import absorbed
from dqgen.schemas.design import FaceTable, Surface

RADIUS, HEIGHT, SECTORS = 5.0, 8.0, 24


def strip() -> tuple[np.ndarray, np.ndarray]:
    """A tube about z: vertices of two rings, and two triangles a sector."""
    angle = 2 * np.pi * np.arange(SECTORS) / SECTORS
    ring = RADIUS * np.column_stack([np.cos(angle), np.sin(angle), np.zeros(SECTORS)])
    vertices = np.concatenate([ring, ring + np.array([0, 0, HEIGHT])])
    low = np.arange(SECTORS)
    after = (low + 1) % SECTORS
    first = np.column_stack([low, after, after + SECTORS])
    second = np.column_stack([low, after + SECTORS, low + SECTORS])
    return vertices, np.stack([first, second], axis=1).reshape(-1, 3).astype(np.int32)


def faces(kinds: list[int], areas: list[float], radii: list[float]) -> FaceTable:
    count = len(kinds)
    return FaceTable(
        kind=np.array(kinds, dtype=np.uint8),
        origin=np.zeros((count, 3)),
        axis=np.tile([0.0, 0.0, 1.0], (count, 1)),
        radius=np.array(radii),
        second=np.zeros(count),
        reversed=np.zeros(count, dtype=np.bool_),
        sweep=np.full(count, 360.0),
        area=np.array(areas),
        bounds=np.zeros((count, 2, 3)),
        colour=np.zeros((count, 4), dtype=np.uint8),
    )


def neighbours(count: int) -> np.ndarray:
    return np.column_stack([np.arange(count), (np.arange(count) + 1) % count]).astype(np.int32)


@pytest.mark.parametrize("lifted", [0.0, 0.2])
def test_a_sliver_on_the_cylinder_is_taken_in_and_one_off_it_is_not(lifted: float) -> None:
    vertices, triangles = strip()
    face = np.zeros(len(triangles), dtype=np.int32)
    face[4:6] = 1
    own = np.unique(triangles[4:6])
    middle = vertices[own].mean(axis=0) * [1, 1, 0]
    fresh = np.concatenate([vertices, vertices[own] + lifted * middle / np.linalg.norm(middle)])
    triangles[4:6] = len(vertices) + np.searchsorted(own, triangles[4:6])  # faces share no vertices
    table = faces([Surface.CYLINDER, Surface.PLANE], [240.0, 10.0], [RADIUS, 0.0])
    found = absorbed(fresh, triangles, face, table, neighbours(len(triangles)))
    assert found.max() == (1 if lifted else 0)


def test_a_triangle_that_cuts_through_the_cylinder_stays_apart() -> None:
    vertices, triangles = strip()
    across = np.array([[0, SECTORS // 3, SECTORS]], dtype=np.int32)  # all corners on it, the sides far inside
    triangles = np.concatenate([triangles, across])
    face = np.zeros(len(triangles), dtype=np.int32)
    face[-1] = 1
    table = faces([Surface.CYLINDER, Surface.PLANE], [240.0, 10.0], [RADIUS, 0.0])
    pairs = np.array([[0, len(triangles) - 1]], dtype=np.int32)
    assert absorbed(vertices, triangles, face, table, pairs).tolist() == face.tolist()


def test_what_lies_beyond_a_sliver_is_reached_through_it_and_a_larger_face_is_never_taken() -> None:
    vertices, triangles = strip()
    sector = np.arange(len(triangles)) // 2
    face = np.select([sector < 2, sector < 4], [1, 2], 0).astype(np.int32)
    chain = np.array([[4 * 2, 3], [3, 4]], dtype=np.int32)  # the large face meets 1, 1 meets 2
    table = faces([Surface.CYLINDER, Surface.PLANE, Surface.PLANE], [200.0, 20.0, 20.0], [RADIUS, 0.0, 0.0])
    assert absorbed(vertices, triangles, face, table, chain).max() == 0
    table = faces([Surface.CYLINDER, Surface.PLANE, Surface.PLANE], [200.0, 20.0, 300.0], [RADIUS, 0.0, 0.0])
    assert absorbed(vertices, triangles, face, table, chain).max() == 1
