"""The named views: orthographic cameras that look at the middle of what is shown."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from dqgen.errors import UsageError
from dqgen.schemas.design import Floats


@dataclass(frozen=True)
class View:
    """An orthographic camera.

    Attributes:
        name: as users type it and as tiles are titled.
        right: unit vector of the design that points right in the picture.
        up: unit vector that points up.
    """

    name: str
    right: tuple[float, float, float]
    up: tuple[float, float, float]

    @cached_property
    def rotation(self) -> Floats:
        """(3, 3) rows right, up and towards the viewer: from the design's frame to the camera's."""
        right, up = np.array(self.right), np.array(self.up)
        return np.stack([right, up, np.cross(right, up)])

    @property
    def axis_aligned(self) -> bool:
        """Whether it looks along one of the design's axes."""
        return not self.name.startswith("iso")


def _iso(name: str, x: int, y: int) -> View:
    """From the upper octant on the side (x, y): all three axes foreshortened alike."""
    towards = np.array([x, y, 1.0]) / np.sqrt(3)
    right = np.cross([0.0, 0.0, 1.0], towards)
    right /= np.linalg.norm(right)
    up = np.cross(towards, right)
    return View(name, (*right.tolist(),), (*up.tolist(),))


VIEWS = {
    view.name: view
    for view in (
        View("front", (1, 0, 0), (0, 0, 1)),
        View("back", (-1, 0, 0), (0, 0, 1)),
        View("left", (0, -1, 0), (0, 0, 1)),
        View("right", (0, 1, 0), (0, 0, 1)),
        View("top", (1, 0, 0), (0, 1, 0)),
        View("bottom", (1, 0, 0), (0, -1, 0)),
        _iso("iso", 1, -1),
        _iso("iso-left", -1, -1),
        _iso("iso-back", -1, 1),
        _iso("iso-right", 1, 1),
    )
}
"""Front looks along +Y. `iso` stands at the front, right and top; the other three follow clockwise from above:
`iso-left` at the front left, `iso-back` at the back left, `iso-right` at the back right."""

SHEET = ("top", "front", "iso", "bottom", "back", "left")
"""The six views of a multiview sheet: the first three above the others."""


def view(name: str, *others: str) -> View:
    """A view by its name; `others` are names that the caller takes besides, for the message.

    Raises:
        UsageError: there is none of that name.
    """
    try:
        return VIEWS[name.strip().lower()]
    except KeyError:
        raise UsageError(f"unknown view '{name}'", mend=f"use one of {', '.join((*others, *VIEWS))}") from None
