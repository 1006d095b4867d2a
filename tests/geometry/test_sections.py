"""Section cuts: areas, holes, orientation."""

import cadquery as cq
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.geometry.sections import section
from dqgen.renderers.views import VIEWS
from tests.geometry.shapes import leaves_of, plate


def test_a_tube_is_cut_into_an_outline_and_a_hole() -> None:
    tube = leaves_of(cq.Workplane().circle(10).circle(6).extrude(30))
    outline, hole = section(tube, VIEWS["top"].rotation, 12.0)
    assert outline.area == pytest.approx(np.pi * 100, rel=0.01)
    assert hole.area == pytest.approx(-np.pi * 36, rel=0.01)
    assert outline.closed
    assert hole.closed


@pytest.mark.parametrize("view", VIEWS)
def test_material_lies_to_the_left_in_every_view(view: str) -> None:
    rotation = VIEWS[view].rotation
    loops = section(leaves_of(cq.Workplane().box(10, 10, 10)), rotation, 0.3)
    assert len(loops) == 1
    assert loops[0].area > 0


@given(st.floats(-4.9, 4.9))
@settings(max_examples=20, deadline=None)
def test_a_plate_keeps_its_area_at_every_depth_that_misses_its_features(depth: float) -> None:
    loops = section(leaves_of(cq.Workplane().box(60, 40, 10)), VIEWS["top"].rotation, depth)
    assert [loop.area for loop in loops] == [pytest.approx(2400)]


def test_a_cut_along_a_face_or_past_the_part_is_sound() -> None:
    leaves = leaves_of(plate())
    assert section(leaves, VIEWS["top"].rotation, 9.0) == []
    for depth in (5.0, -5.0, 1.0):  # the faces of the plate and of the counterbore
        assert all(loop.closed for loop in section(leaves, VIEWS["top"].rotation, depth))
