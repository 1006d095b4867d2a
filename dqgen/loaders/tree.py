"""From the loaders' raw nodes to the tree of occurrences: names, unique paths, inherited colours, bounds."""

import dataclasses
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from dqgen.geometry.bounds import design_bounds
from dqgen.schemas.design import Colour, Design, Floats, Occurrence, Pmi, Solid, Source


@dataclass
class Node:
    """A node as a loader finds it; empty names where the file gives none worth showing.

    Attributes:
        instance: name of this use of the product.
        product: name of the product.
        transform: (4, 4) to the parent's frame.
        colour: sRGB, None where the file says nothing here.
        solid: row of the solid, for a leaf.
        children: nodes below.
    """

    instance: str
    product: str
    transform: Floats
    colour: Colour | None
    solid: int | None
    children: list["Node"] = field(default_factory=list)


def finish(name: str, source: Source, root: Node, solids: list[Solid], pmi: list[Pmi], warnings: list[str]) -> Design:
    """The design of a tree of raw nodes.

    A part whose file wraps its one shape in a nameless node of its own becomes one leaf. Nameless products take
    the name of the assembly above.
    """
    root = _unwrapped(root)
    title = root.product or root.instance or name
    tree = _occurrence(root, "/" + _segment(title), title, "product" if root.product else "file", None, name)
    design = Design(name, source, tree, tuple(solids), np.zeros((2, 3)), tuple(pmi), tuple(warnings))
    return dataclasses.replace(design, bounds=design_bounds(design))


def _unwrapped(node: Node) -> Node:
    if len(node.children) == 1:
        only = node.children[0]
        if not only.product and not only.children:
            return Node(
                node.instance,
                node.product,
                node.transform @ only.transform,
                only.colour or node.colour,
                only.solid,
            )
    return dataclasses.replace(node, children=[_unwrapped(child) for child in node.children])


def _occurrence(
    node: Node, path: str, label: str, named_by: str, above: Colour | None, parent_product: str
) -> Occurrence:
    colour = node.colour or above
    product = node.product or node.instance or parent_product
    titles = [_title(child, product) for child in node.children]
    segments = _unique([_segment(title) for title, _ in titles])
    children = tuple(
        _occurrence(child, f"{path}/{segment}", title, by, colour, product)
        for child, segment, (title, by) in zip(node.children, segments, titles, strict=True)
    )
    return Occurrence(path, label, product, named_by, colour, node.transform, node.solid, children)


def _title(node: Node, parent_product: str) -> tuple[str, str]:
    if node.instance:
        return node.instance, "instance"
    if node.product:
        return node.product, "product"
    return parent_product, "parent"


def _segment(title: str) -> str:
    """A name as a part of a path: one line, and no slash that looks like a step down."""
    return " ".join(title.split()).replace("/", "\u2215") or "unnamed"


def _unique(names: list[str]) -> list[str]:
    """Names that occur more than once get `[1]`, `[2]`, … in order; never a name that is taken."""
    count = Counter(names)
    taken = {name for name in names if count[name] == 1}
    number: Counter[str] = Counter()
    result = []
    for name in names:
        if count[name] > 1:
            while True:
                number[name] += 1
                numbered = f"{name}[{number[name]}]"
                if numbered not in taken:
                    break
            taken.add(numbered)
            name = numbered
        result.append(name)
    return result
