"""Sheets share the views at a scale, and know which of them would leave a drawing small."""

import itertools
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from dqgen.geometry.features import catalogue
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.drawing import panels
from dqgen.renderers.drawing.composition import Composition
from dqgen.renderers.drawing.draw import draw
from dqgen.renderers.drawing.labels import Labels
from dqgen.renderers.drawing.numbers import Numbers
from dqgen.renderers.drawing.sheet import arrange
from dqgen.renderers.drawing.sheet_drawing import SheetDrawings, smallness
from dqgen.renderers.drawing.subject import ALIGNED, SAME, Subject
from dqgen.samples import sample
from dqgen.schemas.design import Design
from tests.renderers.drawing.conftest import scene_of


@pytest.fixture(scope="module")
def flange() -> Design:
    return load(Path(sample("flange")), LoadOptions())


def how_small(composition: Composition) -> float:
    views = zip(composition.projections, composition.frames.values(), strict=True)
    return smallness(views, len(composition.dimensions))


def test_a_small_drawing_is_known_before_anything_is_dimensioned(
    flange: Design, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: Counter[tuple[str, float]] = Counter()
    dimensioned = panels.Panels._with_dimensions

    def counted(self: panels.Panels, panel: panels.Panel) -> panels.Panel:
        asked[panel.id, panel.projection.scale] += 1
        return dimensioned(self, panel)

    monkeypatch.setattr(panels.Panels, "_with_dimensions", counted)
    sheets = SheetDrawings(scene_of(flange))
    assert sheets.compose("A3", small=False) is None
    before = set(asked)
    small = sheets.compose("A3")
    assert small is not None
    assert how_small(small) > 0
    assert not any(scale == small.scale for _, scale in before)
    large = sheets.compose("A2", small=False)
    assert large is not None
    assert how_small(large) == 0
    assert large.scale > small.scale
    assert set(asked.values()) == {1}
    assert draw(scene_of(flange)).composition.page == large.page


def test_axes_on_one_line_are_found_together(flange: Design) -> None:
    leaves = placed(flange)
    subject = Subject(leaves, catalogue(leaves), (), Labels(Numbers()))
    axes = subject.catalogue.axes
    alone = 0
    for one in axes:
        together = []
        for other in axes:
            gap = other.origin - one.origin
            off = np.linalg.norm(np.cross(gap, one.direction))
            if abs(one.direction @ other.direction) >= ALIGNED and off < SAME * 2:
                together.append(other)
        assert [id(axis) for axis in subject.along(one)] == [id(axis) for axis in together]
        alone += len(together) < len(axes)
    assert alone > 0


def test_more_views_than_corners_stand_side_by_side() -> None:
    names = ("front", "right", "top", "iso", "A", "B", "C", "D", "E", "F")
    boxes = dict.fromkeys(names, (-20.0, -10.0, 20.0, 10.0))
    spots = arrange(boxes, (0.0, 0.0, 800.0, 500.0), (), third_angle=True)
    assert spots is not None
    for one, other in itertools.combinations(spots.values(), 2):
        assert abs(one[0] - other[0]) >= 40.0 or abs(one[1] - other[1]) >= 20.0
