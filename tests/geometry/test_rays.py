"""Rays: both ways to ask Embree give the same answers."""

import ctypes

import numpy as np
import pytest

from dqgen.geometry import rays
from dqgen.geometry.hidden_lines import hidden_lines
from dqgen.renderers.views import VIEWS
from tests.geometry.shapes import leaves_of, plate

DOWN = np.array([0.0, 0.0, -1.0])


def test_both_ways_give_the_same_hits() -> None:
    solid = leaves_of(plate())[0].solid
    low, high = solid.bounds
    where = np.random.default_rng(5).uniform(low - 2, high + 2, (5000, 3))
    where[:, 2] = high[2] + 1
    vertices = np.pad(solid.vertices, [(0, 0), (0, 1)]).astype(np.float32)
    triangles = solid.triangles.astype(np.uint32)
    for direction in (DOWN, np.array([0.6, 0.0, -0.8])):
        packed = rays.PacketScene(vertices, triangles).first_hits(where, direction)
        plain = rays.PlainScene(vertices, triangles).first_hits(where, direction)
        assert (packed[0] == plain[0]).all()
        assert 0 < (packed[0] < 0).sum() < len(where)  # some miss
        assert packed[1] == pytest.approx(plain[1], rel=1e-6)


@pytest.mark.parametrize("missing", [OSError, AttributeError])
def test_a_library_that_is_not_found_changes_no_view(
    monkeypatch: pytest.MonkeyPatch, missing: type[Exception], recwarn: pytest.WarningsRecorder
) -> None:
    looking = VIEWS["iso"].rotation
    usual = hidden_lines(leaves_of(plate()), looking)

    def not_found(*_: object) -> ctypes.CDLL:
        raise missing("rtcNewDevice")

    monkeypatch.setattr(rays, "_embree", not_found)
    other = hidden_lines(leaves_of(plate()), looking)
    assert [(curve.kind, curve.visible, curve.edge) for curve in other] == [
        (curve.kind, curve.visible, curve.edge) for curve in usual
    ]
    assert all(np.allclose(a.points, b.points, atol=1e-6) for a, b in zip(usual, other, strict=True))
    assert not recwarn


def test_a_scene_may_go_before_it_is_ready() -> None:
    vertices = np.random.default_rng(1).uniform(size=(30_000, 4)).astype(np.float32)
    triangles = np.arange(len(vertices), dtype=np.uint32).reshape(-1, 3)
    for _ in range(50):
        rays.PacketScene(vertices.copy(), triangles.copy())
    scene = rays.PacketScene(vertices, triangles)
    above = np.column_stack([vertices[:100, :2], np.full(100, 2.0)]).astype(np.float64)
    assert (scene.first_hits(above, DOWN)[0] >= 0).any()
