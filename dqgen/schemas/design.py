"""`Design`: a 3-D model that needs no CAD kernel to be looked at, measured or drawn.

Loaders make it, everything else reads it. Lengths are millimetres, angles degrees, axes right-handed with Z up.
Tables hold a column an attribute, as numpy arrays: a model of a hundred thousand faces stays light.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Bytes = NDArray[np.uint8]

Colour = tuple[int, int, int]
"""sRGB, 0 to 255."""


class Surface(IntEnum):
    """The kinds of surface that a face can lie on."""

    OTHER = 0
    PLANE = 1
    CYLINDER = 2
    CONE = 3
    SPHERE = 4
    TORUS = 5


class Curve(IntEnum):
    """The kinds of curve that an edge can lie on."""

    OTHER = 0
    LINE = 1
    CIRCLE = 2
    ELLIPSE = 3


class EdgeClass(IntEnum):
    """How the two faces meet at an edge."""

    SHARP = 0
    SMOOTH = 1  # tangent faces
    SEAM = 2  # a face that meets itself, such as the line along a cylinder
    FREE = 3  # one face only


@dataclass(frozen=True)
class FaceTable:
    """The faces of a solid, F rows.

    Attributes:
        kind: (F,) `Surface`.
        origin: (F, 3) a point on the plane; the centre of a sphere or torus; a point on the axis of a cylinder
            or cone (for a cone, where the radius is `radius`).
        axis: (F, 3) unit normal of the plane (of the surface, not turned outward), else the unit axis; zero if none.
        radius: (F,) of a cylinder, sphere or cone at `origin`; major radius of a torus; 0 if none.
        second: (F,) half angle of a cone in degrees; minor radius of a torus; 0 if none.
        sweep: (F,) degrees around the axis that the face covers; 0 where it has no meaning.
        reversed: (F,) true where material lies on the side that the surface's own normal points to
            (for a cylinder, that is a hole).
        area: (F,) mm².
        bounds: (F, 2, 3) least and greatest corner.
        colour: (F, 4) sRGB and 255 where the file gives the face a colour of its own, else zeros.
    """

    kind: Bytes
    origin: Floats
    axis: Floats
    radius: Floats
    second: Floats
    sweep: Floats
    reversed: NDArray[np.bool_]
    area: Floats
    bounds: Floats
    colour: Bytes

    def __len__(self) -> int:
        return len(self.kind)


@dataclass(frozen=True)
class EdgeTable:
    """The edges of a solid, E rows, with their sampled polylines, P points in all.

    Attributes:
        kind: (E,) `Curve`.
        origin: (E, 3) centre of a circle or ellipse, first point of a line.
        axis: (E, 3) unit direction of a line, unit normal of a circle or ellipse; zero if none.
        x_axis: (E, 3) unit direction from which the parameter of a circle or ellipse counts; zero if none.
        radius: (E, 2) major and minor radius; equal for a circle; 0 if none.
        span: (E, 2) first and last parameter: mm along a line, degrees on a circle or ellipse.
        faces: (E, 2) rows of the two faces, -1 for none.
        edge_class: (E,) `EdgeClass`.
        points: (P, 3) polylines, one after another.
        starts: (E + 1,) where each polyline begins in `points`.
    """

    kind: Bytes
    origin: Floats
    axis: Floats
    x_axis: Floats
    radius: Floats
    span: Floats
    faces: Ints
    edge_class: Bytes
    points: Floats
    starts: Ints

    def __len__(self) -> int:
        return len(self.kind)

    def polyline(self, edge: int) -> Floats:
        """Points of one edge, (n, 3)."""
        return self.points[self.starts[edge] : self.starts[edge + 1]]


@dataclass(frozen=True)
class Solid:
    """The shape of one part, stored once however often it stands in the design.

    Attributes:
        key: stable name of the shape within the file.
        vertices: (V, 3) mm; vertices are not shared between faces.
        normals: (V, 3) unit outward normals (zero where undefined).
        triangles: (T, 3) rows of `vertices`, counter-clockwise seen from outside.
        triangle_face: (T,) the face each triangle belongs to.
        links: (L, 2) pairs of triangles that share a mesh edge; the second is -1 on a border.
        link_vertices: (L, 2) the ends of that mesh edge, rows of `vertices`.
        link_edge: (L,) the edge (row of `edges`) that the mesh edge is a part of, -1 inside a face.
        faces: the faces.
        face_surface: (F,) number of the surface that each face lies on (see `geometry.surfaces.surface_numbers`).
        edges: the edges.
        step_vertices: (P, 2, 2) rows of the vertices beside each step from a point of the edges' polylines to the next:
            of the triangle on its left, seen from outside, and on its right, at its two ends. The same twice where
            there is one triangle only, -1 where there is no step or no triangle.
        step_parameter: (P,) parameter of each point of these: degrees on a circle or ellipse, without a jump, else the
            point's number in its polyline.
        bounds: (2, 3) least and greatest corner, exact where the loader had a kernel.
        volume: mm³, 0 for open shapes.
        bodies: how many closed solids the part is made of; 0 for sheets.
        closed: true where the triangles enclose the volume from outside, so that none is ever seen from behind.
        fitted: true where faces and edges were found on a mesh instead of read from exact geometry.
    """

    key: str
    vertices: Floats
    normals: NDArray[np.float32]
    triangles: Ints
    triangle_face: Ints
    links: Ints
    link_vertices: Ints
    link_edge: Ints
    faces: FaceTable
    face_surface: Ints
    edges: EdgeTable
    step_vertices: Ints
    step_parameter: Floats
    bounds: Floats
    volume: float
    bodies: int
    closed: bool
    fitted: bool


@dataclass(frozen=True)
class Occurrence:
    """One node of the assembly tree.

    Attributes:
        path: unique in the design, such as `/Rover/Front axle/Wheel[2]`.
        label: name of the instance as the file gives it, else the product's.
        product: name of the part or assembly.
        named_by: where the label comes from: `instance`, `product`, `parent` or `file`.
        colour: sRGB, inherited from the assembly above where the file says nothing nearer; None if it says nothing.
        transform: (4, 4) from this node's frame to its parent's.
        solid: row of `Design.solids` for a leaf, else None.
        children: the nodes below.
    """

    path: str
    label: str
    product: str
    named_by: str
    colour: Colour | None
    transform: Floats
    solid: int | None = None
    children: tuple["Occurrence", ...] = ()


@dataclass(frozen=True)
class Pmi:
    """A dimension, tolerance or datum that the file attaches to the model, kept as it was read.

    Attributes:
        kind: `dimension`, `tolerance` or `datum`.
        type: the kernel's name for it, such as `Size_Diameter`.
        name: its name in the file.
        values: numbers as read and in that order: degrees, and mm, though kernels leave the nominal size of some
            dimensions in the unit of the file.
    """

    kind: str
    type: str
    name: str
    values: tuple[float, ...] = ()


@dataclass(frozen=True)
class Source:
    """Where a design comes from and how it was read.

    Attributes:
        name: file name without its folder.
        sha256: of the file's bytes; of the code, where that made the design.
        format: `step`, `stl`, `3mf`, `obj` or `glb`.
        schema: the application protocol or dialect that the file states; empty if none.
        units: the length unit as read or declared, such as `inch`.
        mm_per_unit: its length in millimetres.
        loader: loader and its version, such as `step/1`.
        rung: the rung of the retry ladder that gave the result.
        up: the file's own up axis, `z` if it was not turned.
    """

    name: str
    sha256: str
    format: str
    schema: str
    units: str
    mm_per_unit: float
    loader: str
    rung: str
    up: str


@dataclass(frozen=True)
class Design:
    """A model: its tree, its solids, what else the file says, and what was noticed while reading it."""

    name: str
    source: Source
    root: Occurrence
    solids: tuple[Solid, ...]
    bounds: Floats
    pmi: tuple[Pmi, ...] = ()
    warnings: tuple[str, ...] = field(default=())


def walk(node: Occurrence) -> Iterator[Occurrence]:
    """All nodes of a tree, parents before children, in file order."""
    yield node
    for child in node.children:
        yield from walk(child)


def colour_of(values: Any) -> Colour:
    """Three numbers as a `Colour`, for readers of stored designs."""
    red, green, blue = (int(value) for value in values)
    return red, green, blue
