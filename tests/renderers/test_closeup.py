"""Close-ups: the view that shows most, the frame around what was asked for, context below."""

import moderngl
import numpy as np
import pytest

from dqgen.errors import UsageError
from dqgen.geometry.bounds import camera_box
from dqgen.geometry.transforms import placed
from dqgen.renderers.render import draw
from dqgen.renderers.shaded import Frame, Stage
from dqgen.renderers.views import SHEET, VIEWS
from dqgen.schemas.render import RenderOptions
from tests.conftest import Loader


@pytest.mark.parametrize("pattern", ["*axle[1]/left wheel", "Frame", "*axle[2]/wheel*"])
def test_the_view_with_most_pixels_is_taken(design: Loader, context: moderngl.Context, pattern: str) -> None:
    rover = design("rover.step")
    _, evidence = draw(context, rover, RenderOptions(view="closeup", of=(pattern,), size=400))
    chosen = evidence.views[0].view
    leaves = placed(rover)
    _, all_views = draw(context, rover, RenderOptions(size=400, view="front", only=(pattern,)))
    rows = [row for row, one in enumerate(all_views.occurrences) if one.state == "shown"]
    radius = float(np.linalg.norm(rover.bounds[1] - rover.bounds[0])) / 2
    stage = Stage(context, leaves, np.asarray(rover.bounds.mean(axis=0)), radius)
    seen = {}
    for name, view in VIEWS.items():
        ids = stage.ids(Frame(view, np.asarray(rover.bounds.mean(axis=0)), 4.0, 700, 700), list(range(len(leaves))))
        seen[name] = int(np.isin(ids, np.array(rows) + 1).sum())
    assert seen[chosen] >= 0.99 * max(seen.values())


def test_a_view_can_be_asked_for(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(
        context, design("rover.step"), RenderOptions(view="closeup", of=("Frame",), from_view="bottom", size=400)
    )
    assert [(view.view, view.role) for view in evidence.views] == [("bottom", "closeup")]


@pytest.mark.parametrize("margin", [0.0, 0.3, 1.0])
def test_the_margin_is_a_part_of_the_size(design: Loader, context: moderngl.Context, margin: float) -> None:
    rover = design("rover.step")
    options = RenderOptions(view="closeup", of=("Frame",), from_view="front", margin=margin, size=800)
    _, evidence = draw(context, rover, options)
    (view,) = evidence.views
    box = camera_box([placed(rover)[0]], VIEWS["front"].rotation)
    wide, high = (box[1] - box[0])[:2]
    room = 2 * margin * max(wide, high)
    _, _, width, height = view.viewport
    assert (wide + room) * view.pixels_per_mm <= width
    assert (high + room) * view.pixels_per_mm <= height
    used = max((wide + room) * view.pixels_per_mm / width, (high + room) * view.pixels_per_mm / height)
    assert used > 0.9
    middle = np.array(view.model_to_pixel) @ [*(VIEWS["front"].rotation.T @ box.mean(axis=0)), 1]
    left, top, _, _ = view.viewport
    assert middle[:2] == pytest.approx([left + width / 2, top + height / 2], abs=0.01)


@pytest.mark.parametrize("size", [400, 1000])
def test_context_puts_the_six_views_below(design: Loader, context: moderngl.Context, size: int) -> None:
    picture, evidence = draw(
        context, design("rover.step"), RenderOptions(view="closeup", of=("Frame",), context=True, size=size)
    )
    closeup, *below = evidence.views
    assert closeup.role == "closeup"
    assert [(view.view, view.role) for view in below] == [(name, "context") for name in SHEET]
    assert min(view.viewport[1] for view in below) >= closeup.viewport[1] + closeup.viewport[3]
    assert max(picture.size) <= size
    assert max(picture.size) >= 0.9 * size
    assert len({view.id for view in evidence.views}) == 7


def test_what_is_hidden_cannot_be_framed(design: Loader, context: moderngl.Context) -> None:
    with pytest.raises(UsageError, match="hidden"):
        draw(context, design("rover.step"), RenderOptions(view="closeup", of=("Frame",), hide=("Frame",)))
    with pytest.raises(UsageError, match="no occurrence matches"):
        draw(context, design("rover.step"), RenderOptions(view="closeup", of=("Engine",)))
    with pytest.raises(UsageError, match="what of"):
        draw(context, design("rover.step"), RenderOptions(view="closeup"))
