"""Where each leaf of the tree stands in the world."""

from dataclasses import dataclass

import numpy as np

from dqgen.schemas.design import Colour, Design, Floats, Occurrence, Solid


@dataclass(frozen=True)
class Placed:
    """A leaf occurrence in the design's frame.

    Attributes:
        occurrence: the leaf.
        ancestors: nodes above it, root first.
        solid: its shape.
        world: (4, 4) from the solid's frame to the design's.
    """

    occurrence: Occurrence
    ancestors: tuple[Occurrence, ...]
    solid: Solid
    world: Floats

    @property
    def path(self) -> str:
        """The leaf's path."""
        return self.occurrence.path

    @property
    def colour(self) -> Colour | None:
        """The leaf's colour."""
        return self.occurrence.colour


def placed(design: Design) -> list[Placed]:
    """All leaves in file order, with their world transforms."""
    found: list[Placed] = []

    def descend(node: Occurrence, above: tuple[Occurrence, ...], frame: Floats) -> None:
        world = frame @ node.transform
        if node.solid is not None:
            found.append(Placed(node, above, design.solids[node.solid], world))
        for child in node.children:
            descend(child, (*above, node), world)

    descend(design.root, (), np.eye(4))
    return found


def apply(matrix: Floats, points: Floats) -> Floats:
    """Points (n, 3) under a (4, 4) affine transform."""
    return points @ matrix[:3, :3].T + matrix[:3, 3]


def is_axis_aligned(matrix: Floats) -> bool:
    """Whether a transform maps boxes onto boxes: each axis onto an axis, whatever the scale."""
    turned = np.abs(matrix[:3, :3])
    return bool(((turned > 1e-9 * turned.max()).sum(axis=0) == 1).all())


UP_TURNS: dict[str, Floats] = {
    "z": np.eye(4),
    "-z": np.diag([1.0, -1.0, -1.0, 1.0]),
    "y": np.array([[1, 0, 0, 0], [0, 0, -1, 0], [0, 1, 0, 0], [0, 0, 0, 1]], dtype=np.float64),
    "-y": np.array([[1, 0, 0, 0], [0, 0, 1, 0], [0, -1, 0, 0], [0, 0, 0, 1]], dtype=np.float64),
    "x": np.array([[0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float64),
    "-x": np.array([[0, 0, 1, 0], [0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 0, 1]], dtype=np.float64),
}
"""Rotations that bring a file's own up axis to +Z."""
