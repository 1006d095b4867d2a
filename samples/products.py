"""Products and where they are placed: the little that the models need on top of `cadquery.Assembly`.

Every node of an assembly has two names. The *instance* name is the assembly's own name ("Wheel FL"); the
*product* name ("Wheel") is kept in its metadata. `step_writer` writes both.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

import cadquery as cq

Colour: TypeAlias = tuple[float, float, float]  # sRGB, each 0 to 1

PRODUCT = "product"


@dataclass(frozen=True)
class Part:
    """One solid under its product name. Place the same `Part` often: the shape is stored once."""

    product: str
    shape: cq.Solid
    colour: Colour


def group(product: str, name: str | None = None) -> cq.Assembly:
    """An empty assembly of that product name; its instance name is the same unless `name` says otherwise."""
    return cq.Assembly(name=name or product, metadata={PRODUCT: product})


def leaf(part: Part, name: str | None = None) -> cq.Assembly:
    """The part as an assembly of one solid."""
    return cq.Assembly(
        part.shape, name=name or part.product, color=cq.Color(*part.colour), metadata={PRODUCT: part.product}
    )


def place(
    parent: cq.Assembly, child: Part | cq.Assembly, name: str | None = None, at: cq.Location | None = None
) -> None:
    """Put a part or a group into `parent` as the instance `name` (by default its product name) at `at`."""
    node = leaf(child) if isinstance(child, Part) else child
    parent.add(node, name=name or node.name, loc=at or cq.Location())


def leaves(
    assembly: cq.Assembly, path: str = "", at: cq.Location | None = None
) -> Iterator[tuple[str, str, cq.Solid, cq.Location]]:
    """Path, product name, solid (in its own frame) and placement in the root's frame of each placed part."""
    path = f"{path}/{assembly.name}"
    at = (at or cq.Location()) * assembly.loc
    if isinstance(assembly.obj, cq.Solid):
        yield path, assembly.metadata[PRODUCT], assembly.obj, at
    for child in assembly.children:
        yield from leaves(child, path, at)
