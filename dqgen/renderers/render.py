"""`render`: one design, one picture and its evidence. Runs in a child process, see `worker`."""

from functools import lru_cache
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from dqgen.geometry.transforms import placed
from dqgen.renderers import closeup, multiview
from dqgen.renderers.compose import Scene, compose
from dqgen.renderers.selection import states
from dqgen.renderers.shaded import Stage, create_context
from dqgen.renderers.writers import sidecar_of, write_json, write_png
from dqgen.schemas.design import Design
from dqgen.schemas.render import RenderOptions, RenderSummary


def prepare(options: RenderOptions) -> None:
    """Start what drawing needs, while the model is still being read; raises SetupError if there is no driver."""
    if options.view != "drawing":
        _context()


def render(design: Design, file: str, picture: Path, options: RenderOptions) -> RenderSummary:
    """Draw a design, write the picture and its evidence beside it.

    Args:
        design: the model.
        file: its name, for the summary.
        picture: where the picture goes; the evidence takes its name with `.json`.
        options: what to draw.

    Raises:
        DqgenError: see `states`, the planners and the writers.
    """
    sidecar = sidecar_of(picture)
    if options.view == "drawing":
        return _render_drawing(design, file, picture, options)
    image, evidence = draw(_context(), design, options)
    evidence = evidence.model_copy(update={"picture": picture.name})
    write_png(image, picture)
    try:
        write_json(evidence, sidecar)
    except BaseException:
        picture.unlink(missing_ok=True)  # a picture without its evidence is half a result
        raise
    return RenderSummary(
        file=file,
        picture=str(picture),
        evidence=str(sidecar),
        size=(image.width, image.height),
        views=tuple(view.id for view in evidence.views),
        warnings=evidence.warnings,
    )


def _render_drawing(design: Design, file: str, target: Path, options: RenderOptions) -> RenderSummary:
    """Draw a drawing, write it in every format asked for, and its evidence."""
    from dqgen.renderers.drawing.write import write_drawing

    leaves = placed(design)
    written, evidence = write_drawing(Scene(design, leaves, states(leaves, options), options), target, _context)
    return RenderSummary(
        file=file,
        picture=str(written[0]),
        evidence=str(target.with_suffix(".json")),
        size=(evidence.width, evidence.height),
        views=tuple(view.id for view in evidence.views),
        warnings=evidence.warnings,
    )


def draw(context: moderngl.Context, design: Design, options: RenderOptions) -> Any:
    """The picture and evidence of a design; see `compose`."""
    leaves = placed(design)
    scene = Scene(design, leaves, states(leaves, options), options)
    centre = np.asarray(design.bounds.mean(axis=0))
    stage = Stage(context, leaves, centre, float(np.linalg.norm(design.bounds[1] - design.bounds[0])) / 2)
    try:
        return compose(scene, stage, closeup.plan(scene, stage) if options.view == "closeup" else multiview.plan(scene))
    finally:
        stage.release()


@lru_cache(maxsize=1)
def _context() -> moderngl.Context:
    return create_context()


def driver() -> str:
    """Name of the OpenGL driver that pictures are drawn with; raises SetupError if there is none."""
    info = _context().info
    return f"{info['GL_RENDERER']}, OpenGL {info['GL_VERSION']}"
