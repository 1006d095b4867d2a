"""A `Design` in figures, for `dqgen inspect`."""

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from dqgen.geometry.transforms import Placed, placed
from dqgen.schemas.design import Design, Occurrence
from dqgen.schemas.inspection import Inspection, PmiItem, TreeNode


def inspection(file: str, design: Design) -> Inspection:
    """All that `inspect` says of a design that was read from `file`."""
    leaves = placed(design)
    source = design.source
    low, high = ((float(x), float(y), float(z)) for x, y, z in design.bounds)
    return Inspection(
        file=file,
        sha256=source.sha256,
        format=source.format,
        schema=source.schema,
        units=source.units,
        mm_per_unit=source.mm_per_unit,
        loader=source.loader,
        rung=source.rung,
        leaf_occurrences=len(leaves),
        solids=sum(solid.bodies for solid in design.solids),
        solid_instances=sum(leaf.solid.bodies for leaf in leaves),
        faces=sum(len(leaf.solid.faces) for leaf in leaves),
        triangles=sum(len(leaf.solid.triangles) for leaf in leaves),
        bounding_box_mm=(high[0] - low[0], high[1] - low[1], high[2] - low[2]),
        bounding_box_corners_mm=(low, high),
        volume_mm3=_volume(leaves),
        fitted=any(solid.fitted for solid in design.solids),
        pmi_count=len(design.pmi),
        pmi=tuple(PmiItem(kind=item.kind, type=item.type, name=item.name, values=item.values) for item in design.pmi),
        tree=_tree(design, design.root),
        warnings=design.warnings,
    )


def lines(report: Inspection) -> Iterator[str]:
    """The report for people: a line a figure, then the tree with counts of like siblings."""
    box = " × ".join(f"{length:.6g}" for length in report.bounding_box_mm)
    yield report.file
    yield f"  format      {report.format}{f' ({report.schema_})' if report.schema_ else ''}, read by {report.rung}"
    yield f"  units       {report.units} ({report.mm_per_unit:g} mm)"
    yield f"  occurrences {report.leaf_occurrences} leaves"
    yield f"  solids      {report.solids} distinct, {report.solid_instances} over instances"
    yield f"  faces       {report.faces}{', found on the mesh' if report.fitted else ''}; {report.triangles} triangles"
    yield f"  box         {box} mm"
    known = "unknown: nothing is closed" if report.volume_mm3 is None else f"{report.volume_mm3:.6g} mm³"
    yield f"  volume      {known}"
    if report.pmi_count:
        yield f"  PMI         {report.pmi_count} items"
    for warning in report.warnings:
        yield f"  warning     {warning}"
    yield f"  {_named(report.tree)}"
    yield from _branches(report.tree, "  ")


def _volume(leaves: list[Placed]) -> float | None:
    """Volume in mm³ of all closed leaves as they stand; None if there is none."""
    closed = [leaf for leaf in leaves if leaf.solid.bodies]
    if not closed:
        return None
    return sum(leaf.solid.volume * abs(float(np.linalg.det(leaf.world[:3, :3]))) for leaf in closed)


def _branches(node: TreeNode, indent: str) -> Iterator[str]:
    groups = [list(group) for _, group in groupby(node.children, key=lambda child: (child.product, _shape(child)))]
    for number, group in enumerate(groups):
        last = number == len(groups) - 1
        times = f" ×{len(group)}" if len(group) > 1 else ""
        yield f"{indent}{'└─' if last else '├─'} {group[0].product + times if times else _named(group[0])}"
        yield from _branches(group[0], indent + ("   " if last else "│  "))


def _named(node: TreeNode) -> str:
    name = node.label if node.label == node.product else f"{node.label} ({node.product})"
    return " ".join(name.split())


def _shape(node: TreeNode) -> tuple[object, ...]:
    return (node.solid, *(_shape(child) for child in node.children))


def _tree(design: Design, node: Occurrence) -> TreeNode:
    return TreeNode(
        path=node.path,
        label=node.label,
        product=node.product,
        named_by=node.named_by,
        solid=None if node.solid is None else design.solids[node.solid].key,
        colour=node.colour,
        children=tuple(_tree(design, child) for child in node.children),
    )
