"""Pixels of the shaded picture: what is hidden leaves none, what is highlighted is pink, what is empty is empty."""

import dataclasses

import moderngl
import numpy as np
import pytest
from PIL import Image

from dqgen.geometry.edit import moved
from dqgen.geometry.transforms import placed
from dqgen.renderers.render import draw
from dqgen.renderers.shaded import Frame, Look, Stage, create_context
from dqgen.renderers.views import VIEWS, view
from dqgen.schemas.design import Design, Occurrence
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import PINK, Highlight, RenderOptions
from tests.conftest import Loader
from tests.support import RED_FRAME


def pixels(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture).astype(int)


def without(design: Design, label: str) -> Design:
    """The design with the leaves of that label taken out of its tree; its box stays, and so does the framing."""

    def pruned(node: Occurrence) -> Occurrence:
        children = tuple(pruned(child) for child in node.children if child.label != label)
        return dataclasses.replace(node, children=children)

    return dataclasses.replace(design, root=pruned(design.root))


def stage(context: moderngl.Context, design: Design) -> Stage:
    radius = float(np.linalg.norm(design.bounds[1] - design.bounds[0])) / 2
    return Stage(context, placed(design), np.asarray(design.bounds.mean(axis=0)), radius)


@pytest.mark.parametrize("name", ["front", "top", "iso", "iso-back"])
def test_a_hidden_part_leaves_nothing_behind(design: Loader, context: moderngl.Context, name: str) -> None:
    rover = design("rover.step")
    frame = Frame(view(name), np.asarray(rover.bounds.mean(axis=0)), 2.0, 320, 320)
    kept = [row for row, leaf in enumerate(placed(rover)) if leaf.occurrence.label != "Left wheel"]
    hidden = stage(context, rover).picture(frame, {row: Look((200, 200, 200)) for row in kept}, 1.5, (255, 255, 255))
    pruned = without(rover, "Left wheel")
    assert len(placed(pruned)) == len(kept)
    absent = stage(context, pruned).picture(
        frame, {row: Look((200, 200, 200)) for row in range(len(kept))}, 1.5, (255, 255, 255)
    )
    # Their numbers differ, so only ties between parts that share a plane may fall otherwise.
    assert (np.abs(hidden.astype(int) - absent.astype(int)).max(axis=2) > 8).sum() <= 3
    whole = stage(context, rover).picture(
        frame, {row: Look((200, 200, 200)) for row in range(len(placed(rover)))}, 1.5, (255, 255, 255)
    )
    assert (whole != hidden).any()


def test_hide_on_a_sheet_equals_the_model_without_the_part(design: Loader, context: moderngl.Context) -> None:
    secrets = design("enclosed.step")
    with_hide, _ = draw(context, secrets, RenderOptions(size=400, hide=("Core",)))
    whole, _ = draw(context, secrets, RenderOptions(size=400))
    # Nobody can see the core, so hiding it changes not one pixel.
    assert with_hide.tobytes() == whole.tobytes()


def where(evidence: Evidence, label: str, name: str) -> tuple[slice, slice]:
    box = next(one for one in evidence.occurrences if one.label == label).views[name].box
    assert box is not None
    left, top, right, bottom = box
    return slice(top, bottom), slice(left, right)


def is_pink(colours: np.ndarray) -> np.ndarray:
    red, green, blue = colours[..., 0], colours[..., 1], colours[..., 2]
    return (red > 140) & (green < 0.55 * red) & (blue > 0.5 * red) & (blue > green)


def test_highlights_are_pink_wherever_they_show(design: Loader, context: moderngl.Context) -> None:
    rover = design("rover.step")
    plain, _ = draw(context, rover, RenderOptions(size=1000, views=tuple(VIEWS)))
    picture, evidence = draw(
        context,
        rover,
        RenderOptions(size=1000, views=tuple(VIEWS), highlight=(Highlight(pattern="*axle[1]/left wheel"),)),
    )
    (one,) = [one for one in evidence.occurrences if one.state == "highlighted"]
    assert one.colour == PINK
    assert sum(seen.pixels > 100 for seen in one.views.values()) >= 6
    before, pink = is_pink(pixels(plain)), is_pink(pixels(picture))
    for tile in evidence.views:
        left, top, width, height = tile.viewport
        assert not before[top : top + height, left : left + width].any()  # the triad is outside
        here = pink[top : top + height, left : left + width].sum()
        shown = one.views[tile.id].pixels
        # Its edges are drawn dark over it, and its neighbours' outlines.
        assert 0.55 * shown <= here <= 1.1 * shown + 5, tile.id


def test_shades_of_a_highlight_stay_bright(design: Loader, context: moderngl.Context) -> None:
    picture, evidence = draw(
        context, design("ball.step"), RenderOptions(view="front", size=400, highlight=(Highlight(pattern="*"),))
    )
    rows, columns = where(evidence, "ball", "front")
    inner = pixels(picture)[rows, columns]
    height, width = inner.shape[:2]
    middle = inner[height // 4 : 3 * height // 4, width // 4 : 3 * width // 4]
    assert is_pink(middle).all()
    assert np.abs(middle.mean(axis=(0, 1)) - PINK).max() < 50


def test_a_second_highlight_has_a_colour_of_its_own(design: Loader, context: moderngl.Context) -> None:
    blue = (42, 107, 255)
    _, evidence = draw(
        context,
        design("rover.step"),
        RenderOptions(size=400, highlight=(Highlight(pattern="Frame"), Highlight(pattern="Left wheel", colour=blue))),
    )
    assert {one.label: one.colour for one in evidence.occurrences if one.state == "highlighted"} == {
        "Frame": PINK,
        "Left wheel": blue,
    }


def test_a_transparent_background_is_transparent_and_nothing_else_is(design: Loader, context: moderngl.Context) -> None:
    options = {"view": "iso", "size": 400}
    clear, evidence = draw(context, design("ring.step"), RenderOptions(**options, background="transparent"))
    white, _ = draw(context, design("ring.step"), RenderOptions(**options))
    assert (clear.mode, white.mode) == ("RGBA", "RGB")
    (tile,) = evidence.views
    left, top, width, height = tile.viewport
    alpha = pixels(clear)[top : top + height, left : left + width, 3]
    assert (alpha == 0).sum() > 0.2 * alpha.size
    assert alpha[0, 0] == 0
    solid, part = (alpha == 255).sum(), ((alpha > 0) & (alpha < 255)).sum()
    # Lines lie half outside the silhouette; anti-aliased pixels lie along it.
    assert abs(solid + part - tile.silhouette_pixels) < 0.06 * tile.silhouette_pixels
    over = Image.new("RGBA", clear.size, (255, 255, 255, 255))
    over.alpha_composite(clear)
    assert np.abs(pixels(over.convert("RGB")) - pixels(white)).max() <= 3


def test_a_ghost_lets_what_is_behind_it_show_through(design: Loader, context: moderngl.Context) -> None:
    options = RenderOptions(view="front", size=400, ghost=("Shell",), highlight=(Highlight(pattern="Core"),))
    picture, evidence = draw(context, design("enclosed.step"), options)
    rows, columns = where(evidence, "Core", "front")
    inside = pixels(picture)[rows, columns]
    assert (inside[..., 0] - inside[..., 1] > 60).mean() > 0.7  # pink through the ghost


def test_source_colours_are_the_files_own(design: Loader, context: moderngl.Context) -> None:
    picture, evidence = draw(context, design("rover.step"), RenderOptions(view="top", size=400, colors="source"))
    frame = next(one for one in evidence.occurrences if one.label == "Frame")
    assert frame.colour == pytest.approx(RED_FRAME, abs=1)
    rows, columns = where(evidence, "Frame", "top")
    inner = pixels(picture)[rows, columns]
    red = (inner[..., 0] > 1.5 * inner[..., 1]) & (inner[..., 0] > 1.5 * inner[..., 2])
    assert red.mean() > 0.7


@pytest.mark.parametrize("file", ["plate.step", "disc.step", "ring.step"])
def test_the_same_stage_draws_the_same_bytes(design: Loader, context: moderngl.Context, file: str) -> None:
    read = design(file)
    frame = Frame(view("iso"), np.asarray(read.bounds.mean(axis=0)), 4.0, 300, 300)
    one, other = stage(context, read), stage(context, read)
    looks = {0: Look((200, 200, 200))}
    first = one.picture(frame, looks, 1.5, None).tobytes()
    one.picture(Frame(view("top"), frame.centre, 1.0, 50, 70), looks, 3.0, (255, 255, 255))  # no state is left over
    assert one.picture(frame, looks, 1.5, None).tobytes() == first
    assert other.picture(frame, looks, 1.5, None).tobytes() == first
    assert one.ids(frame, [0]).tobytes() == other.ids(frame, [0]).tobytes()


def test_cylinders_show_no_bands(design: Loader, context: moderngl.Context) -> None:
    picture, evidence = draw(context, design("disc.step"), RenderOptions(view="front", size=1000))
    rows, columns = where(evidence, "disc", "front")
    band = pixels(picture)[rows, columns].sum(axis=2)
    line = band[band.shape[0] // 2, 30:-30]
    assert np.abs(np.diff(line)).max() <= 9  # three steps of 1 a channel and then some: no facet can be told


def test_a_stage_that_takes_over_draws_as_a_new_one(design: Loader, context: moderngl.Context) -> None:
    rover = design("rover.step")
    shifted = moved(rover, "Left wheel", np.array([0.0, 0.0, 40.0]))
    frame = Frame(view("iso"), np.asarray(rover.bounds.mean(axis=0)), 2.0, 320, 320)
    rows = list(range(len(placed(rover))))
    few = {row: Look((200, 200, 200) if row % 2 else (250, 40, 190)) for row in rows[1:]}
    every = {row: Look((200, 200, 200)) for row in rows}
    middle, radius = np.asarray(rover.bounds.mean(axis=0)), float(np.ptp(rover.bounds, axis=0).max())
    expected = {}
    for name, model in (("as it is", rover), ("shifted", shifted)):
        for which, looks in (("every", every), ("few", few)):
            fresh = Stage(context, placed(model), middle, radius)
            expected[name, which] = (
                fresh.picture(frame, looks, 1.5, (255, 255, 255)).tobytes(),
                fresh.ids(frame, list(looks)).tobytes(),
            )
    assert len({picture for picture, _ in expected.values()}) == 4
    former = None
    for name, model in (("as it is", rover), ("shifted", shifted), ("as it is", rover)):
        former = Stage(context, placed(model), middle, radius, former)
        for which, looks in (("every", every), ("few", few), ("every", every)):
            picture = former.picture(frame, looks, 1.5, (255, 255, 255)).tobytes()
            assert (picture, former.ids(frame, list(looks), keep=True).tobytes()) == expected[name, which]


def test_stages_of_other_contexts_do_not_disturb_one(design: Loader, context: moderngl.Context) -> None:
    read = design("plate.step")
    frame = Frame(view("iso"), np.asarray(read.bounds.mean(axis=0)), 4.0, 300, 300)
    one, looks = stage(context, read), {0: Look((200, 200, 200))}
    first, driver = one.picture(frame, looks, 1.5, None).tobytes(), one.backend
    assert "OpenGL" in driver
    second = create_context()
    other = stage(second, read)
    assert other.picture(frame, looks, 1.5, None).tobytes() == first
    assert one.picture(frame, looks, 1.5, None).tobytes() == first
    other.release()
    second.release()
    assert one.backend == driver
    assert one.picture(frame, looks, 3.0, None).tobytes() != first
    assert one.picture(frame, looks, 1.5, None).tobytes() == first
