"""Designs set up to be drawn: one OpenGL context a process, and a stage a design."""

import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import moderngl
import numpy as np
from PIL import Image

from dqgen.errors import SpecError, UsageError
from dqgen.generators.draft import Picture
from dqgen.geometry.occurrences import match_any
from dqgen.geometry.transforms import Placed, placed
from dqgen.renderers.compose import Scene
from dqgen.renderers.selection import states
from dqgen.renderers.shaded import Stage, create_context
from dqgen.renderers.writers import PNG_LEVEL
from dqgen.schemas.design import Design
from dqgen.schemas.evidence import Evidence
from dqgen.schemas.render import RenderOptions
from dqgen.schemas.spec import DesignSource


@lru_cache(maxsize=1)
def context() -> moderngl.Context:
    """The context of this process; raises SetupError if there is no driver."""
    return create_context()


@dataclass(frozen=True)
class Studio:
    """A design on the graphics side.

    Attributes:
        design: the model.
        leaves: its leaves, in file order.
        stage: ready to draw them.
    """

    design: Design
    leaves: list[Placed]
    stage: Stage

    def scene(self, options: RenderOptions) -> Scene:
        """The design in the states that follow from options; raises UsageError if a pattern picks nothing."""
        return Scene(self.design, self.leaves, states(self.leaves, options), options)

    def rows(self, patterns: Iterable[str]) -> list[int]:
        """Rows of the leaves that any of the patterns picks; raises UsageError if one picks nothing."""
        return sorted(match_any(self.leaves, patterns))


def studio(design: Design) -> Studio:
    """A design ready to be drawn. The last one is kept; it can no longer be used when another is asked for."""
    if not _last or _last[0].design is not design:
        leaves = placed(design)
        low, high = design.bounds
        middle = np.asarray((low + high) / 2)
        former = _last[0].stage if _last else None
        stage = Stage(context(), leaves, middle, float(np.linalg.norm(high - low)) / 2, former)
        _last[:] = [Studio(design, leaves, stage)]
    return _last[0]


_last: list[Studio] = []


def component_rows(place: Studio, patterns: Iterable[str], source: DesignSource, name: str) -> list[int]:
    """Rows of what a component is made of, without what its design never shows.

    Raises:
        SpecError: there are none.
    """
    try:
        found = place.rows(patterns)
        never = set(place.rows(source.hide))
    except UsageError as error:
        raise SpecError(f"'{name}': {error.what}", mend=error.mend) from None
    kept = [row for row in found if row not in never]
    if not kept:
        raise SpecError(f"'{name}' is hidden wherever design '{source.name}' is shown", mend="hide less of the design")
    return kept


def picture(image: Image.Image, evidence: Evidence | None) -> Picture:
    """An image as PNG without metadata, with its evidence."""
    held = io.BytesIO()
    image.save(held, format="PNG", compress_level=PNG_LEVEL)
    told: dict[str, Any] = {} if evidence is None else evidence.model_dump(mode="json", by_alias=True)
    return Picture(held.getvalue(), told)
