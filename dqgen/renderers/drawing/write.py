"""Drawings to disk: every format that is asked for, and one evidence for all."""

from collections.abc import Callable
from pathlib import Path

import moderngl
from PIL import Image

from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.draw import draw
from dqgen.renderers.drawing.formats.pdf import pdf, pixels
from dqgen.renderers.drawing.formats.svg import svg
from dqgen.renderers.writers import write_bytes, write_json, write_png
from dqgen.schemas.evidence import Evidence


def write_drawing(
    scene: Scene, target: Path, context: Callable[[], moderngl.Context]
) -> tuple[tuple[Path, ...], Evidence]:
    """Draw a scene and write it beside `target`, one file a format, and the evidence.

    Args:
        scene: what to draw.
        target: its suffix is replaced by that of each format.
        context: gives an OpenGL context, called only where shaded views are asked for.

    Returns:
        The pictures' paths and the evidence.

    Raises:
        DqgenError: see `draw`, `with_context` and the writers; nothing is left behind.
    """
    formats = scene.options.drawing.formats
    evidence: Evidence
    picture: Image.Image | None = None
    if scene.options.context:
        from dqgen.renderers.drawing.context import with_context

        picture, evidence, drawing = with_context(scene, formats, context)
    else:
        drawing = draw(scene)
        evidence = drawing.evidence
    paths = [target.with_suffix(f".{kind}") for kind in formats]
    evidence = evidence.model_copy(update={"picture": paths[0].name})
    page = drawing.composition.page
    written: list[Path] = []
    try:
        for kind, path in zip(formats, paths, strict=True):
            if kind == "png":
                write_png(picture or pixels(page, evidence.width, evidence.height), path)
            elif kind == "dxf":
                from dqgen.renderers.drawing.formats.dxf import dxf  # ezdxf takes half a second to import

                write_bytes(dxf(drawing.composition), path)
            else:
                write_bytes(pdf(page) if kind == "pdf" else svg(page), path)
            written.append(path)
        write_json(evidence, target.with_suffix(".json"))
    except BaseException:
        for path in written:  # a picture without its evidence is half a result
            path.unlink(missing_ok=True)
        raise
    return tuple(paths), evidence
