"""Designs made on the spot from CadQuery shapes, without a file."""

import cadquery as cq
import numpy as np

from dqgen.geometry.bounds import design_bounds
from dqgen.geometry.transforms import Placed, placed
from dqgen.loaders import brep, mesh_features
from dqgen.schemas.design import Design, Floats, Occurrence, Source

SOURCE = Source("test", "0" * 64, "step", "", "millimetre", 1.0, "test/1", "test", "z")


def translation(x: float, y: float, z: float) -> Floats:
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def rotation(axis: tuple[float, float, float], degrees: float) -> Floats:
    matrix = np.eye(4)
    x, y, z = np.array(axis) / np.linalg.norm(axis)
    cross = np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])
    t = np.radians(degrees)
    matrix[:3, :3] = np.eye(3) + np.sin(t) * cross + (1 - np.cos(t)) * cross @ cross
    return matrix


def assembly(*parts: tuple[str, cq.Workplane, Floats], fitted: bool = False, frame: Floats | None = None) -> Design:
    """A design of named parts; `frame` places the whole."""
    solids, children = [], []
    for name, shape, transform in parts:
        solid = brep.solid(name, shape.val().wrapped, 0.2, None)
        assert solid is not None
        if fitted:
            solid = mesh_features.solid(name, solid.vertices.astype(np.float32).astype(np.float64), solid.triangles)
            assert solid is not None
        solids.append(solid)
        children.append(Occurrence(f"/All/{name}", name, name, "instance", None, transform, len(solids) - 1))
    root = Occurrence(
        "/All", "All", "All", "product", None, np.eye(4) if frame is None else frame, None, tuple(children)
    )
    design = Design("All", SOURCE, root, tuple(solids), np.zeros((2, 3)))
    return Design("All", SOURCE, root, tuple(solids), design_bounds(design))


def part(shape: cq.Workplane, fitted: bool = False) -> Design:
    return assembly(("Part", shape, np.eye(4)), fitted=fitted)


def leaves_of(shape: cq.Workplane, fitted: bool = False) -> list[Placed]:
    return placed(part(shape, fitted))


def plate() -> cq.Workplane:
    """60 × 40 × 10, with four through holes, a counterbored one in the middle and a blind one in a side."""
    made = cq.Workplane().box(60, 40, 10).edges("|Z").fillet(3)
    made = made.faces(">Z").workplane().rect(48, 28, forConstruction=True).vertices().hole(5.0)
    made = made.faces(">Z").workplane().cboreHole(6.6, 11.0, 4.0)
    return made.faces(">X").workplane(centerOption="CenterOfBoundBox").hole(4.0, 12.0)
