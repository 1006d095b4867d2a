"""Edits that make a variant of a design: occurrences moved, turned, scaled, removed or copied. Nothing is changed in
place: an edit returns a new `Design` that shares the solids, with its box taken anew."""

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from dqgen.errors import UsageError
from dqgen.geometry.bounds import design_bounds, placed_bounds, union
from dqgen.geometry.occurrences import glob, suggestion
from dqgen.geometry.transforms import placed
from dqgen.schemas.design import Design, Floats, Occurrence, walk

Kind = Literal["move", "rotate", "scale", "remove", "copy"]
Change = Callable[[Occurrence, Floats], tuple[Occurrence, ...]]
"""What stands in place of a node, given the node and its parent's frame in the design (4, 4)."""


@dataclass(frozen=True)
class Edit:
    """One edit, as it is recorded.

    Attributes:
        kind: `move`, `rotate`, `scale`, `remove` or `copy`.
        pattern: which occurrences; the topmost nodes that it names are edited, with all below them.
        vector: mm that they are moved, or that the copy stands away.
        axis: unit direction that they are turned about.
        degrees: by how much they are turned.
        factor: by how much they are scaled.
        centre: point about which they are turned or scaled; None for the middle of their box.
    """

    kind: Kind
    pattern: str
    vector: tuple[float, float, float] = (0.0, 0.0, 0.0)
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    degrees: float = 0.0
    factor: float = 1.0
    centre: tuple[float, float, float] | None = None

    def __str__(self) -> str:
        about = "" if self.centre is None else f" about ({', '.join(f'{value:.6g}' for value in self.centre)})"
        way = ", ".join(f"{value:.6g}" for value in self.vector)
        turn = ", ".join(f"{value:.6g}" for value in self.axis)
        return {
            "move": f"move '{self.pattern}' by ({way}) mm",
            "rotate": f"turn '{self.pattern}' by {self.degrees:.6g}° around ({turn}){about}",
            "scale": f"scale '{self.pattern}' by {self.factor:.6g}{about}",
            "remove": f"remove '{self.pattern}'",
            "copy": f"copy '{self.pattern}', ({way}) mm away",
        }[self.kind]


def mirrored(edit: Edit, pattern: str, plane: float) -> Edit:
    """The edit of other occurrences that mirrors one in the plane x = plane: what was symmetric stays so.

    A turn mirrored is one about the mirrored axis by the opposite angle, and so about its opposite by the same.
    """
    (x, y, z), (a, b, c) = edit.vector, edit.axis
    axis = (a, 0.0 - b, 0.0 - c) if edit.kind == "rotate" else edit.axis
    centre = None if edit.centre is None else (2 * plane - edit.centre[0], *edit.centre[1:])
    return dataclasses.replace(edit, pattern=pattern, vector=(0.0 - x, y, z), axis=axis, centre=centre)


def edited(design: Design, edit: Edit) -> Design:
    """The design after an edit.

    Raises:
        UsageError: the pattern picks nothing or the whole design, nothing would be left, or a factor is not positive.
    """
    if edit.kind == "move":
        return moved(design, edit.pattern, np.array(edit.vector))
    if edit.kind == "copy":
        return copied(design, edit.pattern, np.array(edit.vector))
    if edit.kind == "remove":
        return removed(design, edit.pattern)
    centre = None if edit.centre is None else np.array(edit.centre)
    if edit.kind == "rotate":
        return rotated(design, edit.pattern, np.array(edit.axis), edit.degrees, centre)
    return scaled(design, edit.pattern, edit.factor, centre)


def moved(design: Design, pattern: str, vector: Floats) -> Design:
    """Occurrences moved by a vector (3,) in mm."""
    motion = np.eye(4)
    motion[:3, 3] = vector
    return _transformed(design, pattern, motion)


def rotated(design: Design, pattern: str, axis: Floats, degrees: float, centre: Floats | None = None) -> Design:
    """Occurrences turned about an axis (3,) through a point, the middle of their box if None (Rodrigues' formula)."""
    x, y, z = axis / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    angle = np.radians(degrees)
    turn = np.eye(3) + np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return _transformed(design, pattern, _about(turn, _middle(design, pattern) if centre is None else centre))


def scaled(design: Design, pattern: str, factor: float, centre: Floats | None = None) -> Design:
    """Occurrences scaled evenly about a point, the middle of their box if None.

    Raises:
        UsageError: the factor is not a finite number above zero.
    """
    if not (np.isfinite(factor) and factor > 0):
        raise UsageError(f"a factor must be above zero, not {factor:g}")
    stretch = factor * np.eye(3)
    return _transformed(design, pattern, _about(stretch, _middle(design, pattern) if centre is None else centre))


def removed(design: Design, pattern: str) -> Design:
    """The design without occurrences.

    Raises:
        UsageError: nothing would be left.
    """
    return _rebuilt(design, _changed(design, pattern, lambda node, frame: ()), f"removing '{pattern}'")


def copied(design: Design, pattern: str, vector: Floats) -> Design:
    """The design with a copy of occurrences beside each, moved by a vector (3,) in mm and named `… copy`."""
    taken = {node.path for node in walk(design.root)}

    def twice(node: Occurrence, frame: Floats) -> tuple[Occurrence, ...]:
        parent = node.path.rsplit("/", 1)[0]
        name = f"{node.path.rsplit('/', 1)[1]} copy"
        path, number = f"{parent}/{name}", 2
        while path in taken:
            path, number = f"{parent}/{name}[{number}]", number + 1
        taken.add(path)
        motion = np.eye(4)
        motion[:3, 3] = np.linalg.inv(frame[:3, :3]) @ vector
        twin = dataclasses.replace(
            _renamed(node, node.path, path), label=f"{node.label} copy", transform=motion @ node.transform
        )
        return node, twin

    return _rebuilt(design, _changed(design, pattern, twice), f"copying '{pattern}'")


def _renamed(node: Occurrence, old: str, new: str) -> Occurrence:
    children = tuple(_renamed(child, old, new) for child in node.children)
    return dataclasses.replace(node, path=new + node.path[len(old) :], children=children)


def _transformed(design: Design, pattern: str, motion: Floats) -> Design:
    """Occurrences under a motion (4, 4) of the design's frame."""

    def change(node: Occurrence, frame: Floats) -> tuple[Occurrence, ...]:
        return (dataclasses.replace(node, transform=np.linalg.inv(frame) @ motion @ frame @ node.transform),)

    return _rebuilt(design, _changed(design, pattern, change), f"editing '{pattern}'")


def _changed(design: Design, pattern: str, change: Change) -> Occurrence:
    """The tree with the topmost nodes that a pattern names changed; the root itself is not an occurrence to edit."""
    expression = glob(pattern)
    hits = 0

    def descend(node: Occurrence, frame: Floats) -> tuple[Occurrence, ...]:
        nonlocal hits
        if any(expression.fullmatch(name) for name in (node.path, node.label, node.product)):
            hits += 1
            return change(node, frame)
        return (within(node, frame),)

    def within(node: Occurrence, frame: Floats) -> Occurrence:
        if not node.children:
            return node
        own = frame @ node.transform
        children = tuple(changed for child in node.children for changed in descend(child, own))
        return dataclasses.replace(node, children=children)

    if not design.root.children:
        raise UsageError("a design of a single part has no occurrence to edit", mend="edit an assembly")
    root = within(design.root, np.eye(4))
    if not hits:
        raise UsageError(f"no occurrence to edit matches '{pattern}'", mend=suggestion(placed(design), pattern))
    return root


def _rebuilt(design: Design, root: Occurrence, doing: str) -> Design:
    if not any(node.solid is not None for node in walk(root)):
        raise UsageError(f"{doing} leaves nothing")
    fresh = dataclasses.replace(design, root=root)
    return dataclasses.replace(fresh, bounds=design_bounds(fresh))


def _middle(design: Design, pattern: str) -> Floats:
    expression = glob(pattern)
    boxes = [
        placed_bounds(leaf)
        for leaf in placed(design)
        if any(
            expression.fullmatch(name)
            for node in (*leaf.ancestors[1:], leaf.occurrence)
            for name in (node.path, node.label, node.product)
        )
    ]
    if not boxes:
        raise UsageError(f"no occurrence to edit matches '{pattern}'", mend=suggestion(placed(design), pattern))
    middle: Floats = union(boxes).mean(axis=0)
    return middle


def _about(linear: Floats, centre: Floats) -> Floats:
    motion = np.eye(4)
    motion[:3, :3] = linear
    motion[:3, 3] = centre - linear @ centre
    return motion
