"""Hidden lines: which curves of a design a view shows, and which lie behind something."""

from dataclasses import dataclass

from dqgen.geometry.transforms import Placed
from dqgen.geometry.view_curves import ViewCurve
from dqgen.schemas.design import Floats


@dataclass(frozen=True)
class LineOptions:
    """Which curves to put out.

    Attributes:
        hidden: also those that lie behind something.
        tangent: also edges where faces meet smoothly, marked `tangent`.
    """

    hidden: bool = True
    tangent: bool = False


class HiddenLines:
    """The curves of a list of leaves, ready for any number of views.

    What does not depend on the view is done once: triangles for the rays, edges with the faces beside them.
    """

    def __init__(self, leaves: list[Placed], occluders: list[Placed] | None = None) -> None:
        """
        Args:
            leaves: whose curves are wanted; `ViewCurve.leaf` counts in this list.
            occluders: what can hide them, the leaves themselves if None.
        """
        raise NotImplementedError

    def view(self, rotation: Floats, options: LineOptions | None = None) -> list[ViewCurve]:
        """The curves of one view, in a fixed order.

        Args:
            rotation: (3, 3) rows right, up and towards the viewer.
            options: visible and hidden sharp edges and silhouettes if None.
        """
        raise NotImplementedError


def hidden_lines(leaves: list[Placed], rotation: Floats, options: LineOptions | None = None) -> list[ViewCurve]:
    """The curves of one view of leaves; see `HiddenLines`, which shares work between views."""
    return HiddenLines(leaves).view(rotation, options)
