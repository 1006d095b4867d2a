"""A plate whose sizes are known, as the drawings' subject."""

from pathlib import Path

import pytest

from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.compose import Scene
from dqgen.renderers.drawing.draw import Drawing, draw
from dqgen.renderers.selection import states
from dqgen.schemas.design import Design
from dqgen.schemas.drawing import DrawingOptions
from dqgen.schemas.render import RenderOptions


@pytest.fixture(scope="session")
def plate(tmp_path_factory: pytest.TempPathFactory) -> Design:
    """120 × 80 × 12 mm, corners R10, four holes ⌀6.6 at (±50, ±30), a bore ⌀30, a blind hole ⌀5 at (35, 0)."""
    import cadquery as cq

    body = cq.Workplane().box(120, 80, 12, centered=(True, True, False)).edges("|Z").fillet(10)
    body = body.faces(">Z").workplane().rect(100, 60, forConstruction=True).vertices().hole(6.6)
    body = body.faces(">Z").workplane().hole(30)
    body = body.cut(cq.Workplane(origin=(35, 0, 12)).circle(2.5).extrude(-8))
    path: Path = tmp_path_factory.mktemp("plate") / "plate.step"
    cq.exporters.export(body, str(path))
    return load(path, LoadOptions())


GENERAL = ("from_view", "views", "size", "context", "only")
"""Options of all renders, not of drawings alone."""


def scene_of(design: Design, **chosen: object) -> Scene:
    """A scene with options of drawings; `from_view`, `views` and `size` are those of all renders."""
    general = {name: chosen.pop(name) for name in GENERAL if name in chosen}
    options = RenderOptions(view="drawing", drawing=DrawingOptions(**chosen), **general)  # type: ignore[arg-type]
    leaves = placed(design)
    return Scene(design, leaves, states(leaves, options), options)


def drawn(design: Design, **chosen: object) -> Drawing:
    """A drawing with these options."""
    return draw(scene_of(design, **chosen))
