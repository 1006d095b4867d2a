"""Where each leaf of the tree stands in the world."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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

    @cached_property
    def scale(self) -> float:
        """The cube root of how much its transform enlarges volumes."""
        a, b, c = self.world[:3, :3].tolist()  # of nine numbers, Python's own arithmetic takes a fraction of the time
        determinant = (
            a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0])
        )
        return float(abs(determinant) ** (1 / 3))

    @cached_property
    def even(self) -> bool:
        """Whether its transform keeps angles: turns, mirrors and scales alike in all directions."""
        square = self.scale**2
        a, b, c = self.world[:3, :3].tolist()
        sides = max(abs(_dot(a, a) - square), abs(_dot(b, b) - square), abs(_dot(c, c) - square))
        return bool(max(sides, abs(_dot(a, b)), abs(_dot(b, c)), abs(_dot(c, a))) <= 1e-6 * square)

    def turned(self, normals: NDArray[np.float32]) -> NDArray[np.float32]:
        """Unit normals (n, 3) of surfaces of the solid, in the design's frame; zero ones stay zero."""
        linear = self.world[:3, :3]
        if self.even:
            turned: NDArray[np.float32] = normals @ (linear.T / self.scale).astype(np.float32)
            return turned
        moved: NDArray[np.float32] = normals @ np.linalg.inv(linear).astype(np.float32)
        length = np.sqrt(np.einsum("ij,ij->i", moved, moved))[:, None]
        return (moved / np.where(length > 0, length, 1)).astype(np.float32)

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


def _dot(a: list[float], b: list[float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


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
