"""The multiview sheet and single views."""

import moderngl
import pytest

from dqgen.renderers.render import draw
from dqgen.renderers.views import SHEET, VIEWS
from dqgen.schemas.render import RenderOptions
from tests.conftest import Loader


def test_the_usual_sheet(design: Loader, context: moderngl.Context) -> None:
    picture, evidence = draw(context, design("rover.step"), RenderOptions(size=600))
    assert [view.view for view in evidence.views] == list(SHEET)
    tops = [view.viewport[1] for view in evidence.views]
    assert len(set(tops[:3])) == len(set(tops[3:])) == 1
    assert tops[0] < tops[3]
    assert picture.size == (evidence.width, evidence.height)
    assert max(picture.size) == 600
    # Views above each other share their columns: top over bottom, front over back, iso over left.
    for above, below in zip(evidence.views[:3], evidence.views[3:], strict=True):
        assert above.viewport[0] == below.viewport[0]
        assert above.viewport[2] == below.viewport[2]


def test_other_views_in_any_order(design: Loader, context: moderngl.Context) -> None:
    names = ("right", "iso-back", "top")
    _, evidence = draw(context, design("block.step"), RenderOptions(size=400, views=names))
    assert tuple(view.view for view in evidence.views) == names


@pytest.mark.parametrize("name", VIEWS)
def test_every_view_alone(design: Loader, context: moderngl.Context, name: str) -> None:
    picture, evidence = draw(context, design("block.step"), RenderOptions(size=300, view=name))
    assert [view.view for view in evidence.views] == [name]
    assert evidence.views[0].silhouette_pixels > 1000
    assert max(picture.size) <= 300
