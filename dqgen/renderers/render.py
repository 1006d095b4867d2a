"""`render`: one file, one picture and its evidence. Runs in a child process, which may serve many files in turn."""

from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from pathlib import Path
from typing import Any

import moderngl
import numpy as np

from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.loaders.sandbox import Limits
from dqgen.renderers import closeup, multiview
from dqgen.renderers.compose import Scene, compose
from dqgen.renderers.selection import states
from dqgen.renderers.shaded import Stage, create_context
from dqgen.renderers.writers import write_json, write_png
from dqgen.schemas.design import Design
from dqgen.schemas.render import RenderOptions, RenderSummary


def render(
    file: str,
    picture: str,
    options: dict[str, Any],
    unit: str | None,
    up: str | None,
    seconds: float,
    memory_mb: int,
) -> dict[str, Any]:
    """Load a file, draw it, write the picture and its evidence beside it.

    Args:
        file: the model.
        picture: where the PNG goes; the evidence takes its name with `.json`.
        options: of `RenderOptions`.
        unit: see `LoadOptions`.
        up: see `LoadOptions`.
        seconds: limit on the loader's time.
        memory_mb: limit on the loader's memory.

    Returns:
        A `RenderSummary`, as plain data.

    Raises:
        DqgenError: see `load`, `states`, the planners and the writers.
    """
    wanted = RenderOptions.model_validate(options)
    if wanted.view == "drawing":
        design = load(Path(file), LoadOptions(unit, up, Limits(seconds, memory_mb)))
        return _render_drawing(design, file, Path(picture), wanted)
    with ThreadPoolExecutor(1) as pool:
        loading = pool.submit(load, Path(file), LoadOptions(unit, up, Limits(seconds, memory_mb)))
        context = _context()  # the driver starts while the kernel reads
        design = loading.result()
    target = Path(picture)
    image, evidence = draw(context, design, wanted)
    evidence = evidence.model_copy(update={"picture": target.name})
    sidecar = target.with_suffix(".json")
    write_png(image, target)
    try:
        write_json(evidence, sidecar)
    except BaseException:
        target.unlink(missing_ok=True)  # a picture without its evidence is half a result
        raise
    return RenderSummary(
        file=file,
        picture=picture,
        evidence=str(sidecar),
        size=(image.width, image.height),
        views=tuple(view.id for view in evidence.views),
        warnings=evidence.warnings,
    ).model_dump(mode="json")


def _render_drawing(design: Design, file: str, target: Path, options: RenderOptions) -> dict[str, Any]:
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
    ).model_dump(mode="json")


def draw(context: moderngl.Context, design: Design, options: RenderOptions) -> Any:
    """The picture and evidence of a design; see `compose`."""
    leaves = placed(design)
    scene = Scene(design, leaves, states(leaves, options), options)
    centre = np.asarray(design.bounds.mean(axis=0))
    stage = Stage(context, leaves, centre, float(np.linalg.norm(design.bounds[1] - design.bounds[0])) / 2)
    plan = closeup.plan(scene, stage) if options.view == "closeup" else multiview.plan(scene)
    return compose(scene, stage, plan)


@lru_cache(maxsize=1)
def _context() -> moderngl.Context:
    return create_context()


def driver() -> str:
    """Name of the OpenGL driver that pictures are drawn with; raises SetupError if there is none."""
    info = _context().info
    return f"{info['GL_RENDERER']}, OpenGL {info['GL_VERSION']}"
