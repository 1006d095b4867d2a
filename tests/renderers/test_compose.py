"""Evidence: pixels, boxes, states, matrices, and that it tells the truth about the picture."""

import json

import moderngl
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from dqgen.geometry.transforms import apply, placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.compose import count
from dqgen.renderers.render import draw
from dqgen.renderers.views import VIEWS
from dqgen.samples import sample
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import Highlight, RenderOptions
from tests.conftest import Loader
from tests.rays import disagreements, open_part
from tests.support import SIX

IDS = arrays(np.uint32, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.integers(0, 5))


@given(IDS)
def test_count_against_the_obvious_way(ids: np.ndarray) -> None:
    pixels, boxes = count(ids, 5)
    for row in range(5):
        y, x = np.nonzero(ids == row + 1)
        assert pixels[row] == len(x)
        wanted = [x.min(), y.min(), x.max() + 1, y.max() + 1] if len(x) else [0, 0, 0, 0]
        assert boxes[row].tolist() == wanted


def states(evidence: Evidence) -> dict[str, str]:
    return {one.path: one.state for one in evidence.occurrences}


@pytest.mark.parametrize("file", ["rover.step", "enclosed.step", "plate.step", "ring.step", "annulus.stl", "pair.glb"])
@pytest.mark.parametrize("view", ["multiview", "iso-back"])
def test_pixels_agree_with_rays(design: Loader, context: moderngl.Context, file: str, view: str) -> None:
    read = design(file)
    _, evidence = draw(context, read, RenderOptions(view=view, size=500))
    assert disagreements(read, evidence) == []
    assert open_part(read, evidence) < 0.02


def test_pixels_agree_with_rays_on_the_sample_car(context: moderngl.Context) -> None:
    car = load(sample("formula"), LoadOptions())
    _, evidence = draw(context, car, RenderOptions(size=500, views=("iso", "left")))
    assert disagreements(car, evidence) == []
    assert open_part(car, evidence) < 0.02


def test_what_is_wholly_enclosed_counts_nothing(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(context, design("enclosed.step"), RenderOptions(views=tuple(VIEWS), size=600))
    seen = {one.label: one.views for one in evidence.occurrences}
    assert {view.pixels for view in seen["Core"].values()} == {0}
    assert {view.box for view in seen["Core"].values()} == {None}
    assert seen["Plate"]["front"].pixels == 0  # behind the box from there
    assert seen["Plate"]["back"].pixels > 0


def test_hiding_what_encloses_shows_what_was_inside(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(context, design("enclosed.step"), RenderOptions(size=400, hide=("Shell",)))
    seen = {one.label: one for one in evidence.occurrences}
    assert seen["Shell"].state == "hidden"
    assert seen["Shell"].colour is None
    assert {view.pixels for view in seen["Shell"].views.values()} == {0}
    assert seen["Core"].views["front"].pixels > 0


def test_a_ghost_hides_nothing_and_counts_nothing(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(context, design("enclosed.step"), RenderOptions(size=400, ghost=("Shell",)))
    seen = {one.label: one for one in evidence.occurrences}
    assert seen["Shell"].state == "ghosted"
    assert {view.pixels for view in seen["Shell"].views.values()} == {0}
    assert all(seen["Core"].views[name].pixels > 0 for name in ("front", "left", "top"))


def test_views_are_numbered_where_they_come_again(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(context, design("block.step"), RenderOptions(size=400, views=("front", "iso", "front")))
    assert [view.id for view in evidence.views] == ["front", "iso", "front#2"]
    assert set(evidence.occurrences[0].views) == {"front", "iso", "front#2"}


def test_the_matrix_leads_from_millimetres_to_pixels(design: Loader, context: moderngl.Context) -> None:
    block = design("block.step")
    _, evidence = draw(context, block, RenderOptions(size=800, views=tuple(VIEWS)))
    corners = np.array([[x, y, z] for x in (0, 30) for y in (0, 20) for z in (0, 10)], dtype=float)
    for view in evidence.views:
        box = evidence.occurrences[0].views[view.id].box
        assert box is not None
        x, y = (np.array(view.model_to_pixel) @ np.column_stack([corners, np.ones(8)]).T)[:2]
        assert [x.min(), y.min(), x.max(), y.max()] == pytest.approx(box, abs=1)
        left, top, width, height = view.viewport
        assert x.min() >= left
        assert y.min() >= top
        assert x.max() <= left + width
        assert y.max() <= top + height


def test_views_share_one_scale_unless_each_is_fitted(design: Loader, context: moderngl.Context) -> None:
    for fit in ("shared", "each"):
        _, evidence = draw(context, design("block.step"), RenderOptions(size=800, fit=fit))
        scales = {round(view.pixels_per_mm, 6) for view in evidence.views}
        assert (len(scales) == 1) == (fit == "shared")


def test_opposite_views_see_mirrored_silhouettes(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(context, design("rover.step"), RenderOptions(views=SIX, size=600))
    silhouettes = {view.id: view.silhouette_pixels for view in evidence.views}
    for one, other in (("front", "back"), ("left", "right"), ("top", "bottom")):
        assert silhouettes[one] == pytest.approx(silhouettes[other], rel=0.02)


def test_evidence_survives_json(design: Loader, context: moderngl.Context) -> None:
    _, evidence = draw(
        context, design("rover.step"), RenderOptions(size=400, highlight=(Highlight(pattern="Left wheel"),))
    )
    text = evidence.model_dump_json(by_alias=True)
    assert Evidence.model_validate_json(text) == evidence
    assert json.loads(text)["source"]["schema"] == "AUTOMOTIVE_DESIGN"
    assert states(evidence)["/Rover/Axle[1]/Left wheel"] == "highlighted"
    assert [one.path for one in evidence.occurrences] == [leaf.path for leaf in placed(design("rover.step"))]


def test_framing_does_not_move_when_parts_are_hidden(design: Loader, context: moderngl.Context) -> None:
    rover = design("rover.step")
    _, whole = draw(context, rover, RenderOptions(size=400))
    _, without = draw(context, rover, RenderOptions(size=400, hide=("Axle",)))
    assert [view.model_to_pixel for view in without.views] == [view.model_to_pixel for view in whole.views]


def test_only_frames_what_is_left(design: Loader, context: moderngl.Context) -> None:
    rover = design("rover.step")
    _, evidence = draw(context, rover, RenderOptions(size=600, view="front", only=("*axle[1]/left wheel",)))
    (view,) = evidence.views
    (leaf,) = [leaf for leaf in placed(rover) if leaf.path.endswith("Axle[1]/Left wheel")]
    points = apply(leaf.world, leaf.solid.vertices)
    across = np.ptp(points[:, 0]) * view.pixels_per_mm
    high = np.ptp(points[:, 2]) * view.pixels_per_mm
    _, _, width, height = view.viewport
    assert max(across / width, high / height) > 0.9
    assert sorted(states(evidence).values()) == ["hidden"] * 4 + ["shown"]
