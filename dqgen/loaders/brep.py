"""Shapes of the Open CASCADE kernel into `Solid`: exact faces and edges, with a triangulation on their points."""

import dataclasses
import hashlib
import io
import math
from collections.abc import Iterable
from typing import Any

import numpy as np
from OCP.BinTools import BinTools, BinTools_FormatVersion
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GProp import GProp_GProps
from OCP.TopAbs import TopAbs_FACE, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Shape
from OCP.TopTools import (
    TopTools_IndexedMapOfShape,
)

from dqgen.geometry.bounds import placed_bounds, union
from dqgen.geometry.conics import edge_parameters
from dqgen.geometry.surfaces import surface_numbers
from dqgen.geometry.tessellation import beside_steps, encloses, links, weld
from dqgen.geometry.transforms import is_axis_aligned, placed
from dqgen.loaders.brep_edges import edge_table, link_edges, vertices_along
from dqgen.loaders.brep_faces import INTEGRATED, FaceColour, FaceMesh, box, face_table
from dqgen.loaders.brep_frames import location, xyz
from dqgen.schemas.design import (
    Design,
    Floats,
    Solid,
)

LINEAR_DEFLECTION = 0.0005
"""Chord height of the triangulation, as a part of the solid's diagonal."""
ANGULAR_DEFLECTION = 0.2
"""Radians between neighbouring facets: no banding under interpolated normals, and a circle of 32 sides."""
FINE_DEFLECTION, FINE_FACES = 0.1, 1000
"""Models of no more faces than this are shown larger, and can afford finer facets."""
CHORD_ROOM = 0.02
"""How far a face may reach beyond its triangles, as a part of its own diagonal: several times what chords cut off."""


def angular_deflection(shapes: list[TopoDS_Shape]) -> float:
    """Radians between neighbouring facets, for a model of these shapes."""
    faces = sum(_count(shape, TopAbs_FACE) for shape in shapes)
    return FINE_DEFLECTION if faces <= FINE_FACES else ANGULAR_DEFLECTION


def digest(shape: TopoDS_Shape, angular: float, face_colour: FaceColour | None) -> str:
    """Names the `Solid` that `solid` makes of the same arguments: equal for shapes that are equal to the last bit."""
    written = io.BytesIO()
    BinTools.Write_s(shape, written, False, False, BinTools_FormatVersion.BinTools_FormatVersion_CURRENT)
    colours = None
    if face_colour is not None:
        faces = TopTools_IndexedMapOfShape()
        TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
        colours = [face_colour(faces.FindKey(row)) for row in range(1, faces.Extent() + 1)]
    return hashlib.sha256(written.getvalue() + repr((angular, colours)).encode()).hexdigest()


def solid(key: str, shape: TopoDS_Shape, angular: float, face_colour: FaceColour | None) -> Solid | None:
    """The `Solid` of a shape, or None if it has no face that can be meshed.

    Args:
        key: its stable name in the file.
        shape: any shape; what is not a face is left out.
        angular: radians between neighbouring facets.
        face_colour: looks up the colour of a face, if the file has colours.
    """
    faces = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, TopAbs_FACE, faces)
    if not faces.Extent():
        return None
    rough = _bounds(faces, range(faces.Extent()), exact=False)
    if rough is None:
        return None
    deflection = max(float(np.linalg.norm(rough[1] - rough[0])) * LINEAR_DEFLECTION, 1e-5)
    BRepMesh_IncrementalMesh(shape, deflection, False, angular, True)
    meshes = [FaceMesh(TopoDS.Face_s(faces.FindKey(i)), face_colour) for i in range(1, faces.Extent() + 1)]
    if not any(len(mesh.triangles) for mesh in meshes):
        return None
    bounds = _bounds(faces, _outermost(meshes, deflection))
    if bounds is None:
        return None
    starts = np.concatenate([[0], np.cumsum([len(mesh.vertices) for mesh in meshes])])
    vertices = np.concatenate([mesh.vertices for mesh in meshes])
    triangles = np.concatenate([mesh.triangles + start for mesh, start in zip(meshes, starts, strict=False)])
    # The kernel gives the points that two faces share the same coordinates, up to rounding by their locations.
    point = weld(vertices, 1e-9 * max(1.0, float(np.abs(vertices).max())))
    triangles = triangles.astype(np.int32)
    paired, ends = links(triangles, point)
    edges, runs = edge_table(shape, faces, meshes)
    link_edge = link_edges(point, ends, runs, starts)
    table = face_table(meshes)
    bodies = _count(shape, TopAbs_SOLID)
    volume = _volume(shape, any(mesh.free for mesh in meshes)) if bodies else 0.0
    return Solid(
        key=key,
        vertices=vertices,
        normals=np.concatenate([mesh.normals for mesh in meshes]).astype(np.float32),
        triangles=triangles,
        triangle_face=np.repeat(np.arange(len(meshes)), [len(mesh.triangles) for mesh in meshes]).astype(np.int32),
        links=paired,
        link_vertices=ends,
        link_edge=link_edge,
        faces=table,
        face_surface=surface_numbers(table, float(np.abs(bounds).max()), fitted=False),
        edges=edges,
        step_vertices=beside_steps(
            vertices_along(edges, runs, starts), edges.starts, triangles, paired, ends, link_edge, point
        ),
        step_parameter=edge_parameters(edges),
        bounds=bounds,
        volume=volume,
        bodies=bodies,
        closed=encloses(vertices, triangles, volume),
        fitted=False,
    )


def parts(shape: TopoDS_Shape) -> list[TopoDS_Shape]:
    """The solids in a shape, then the shells outside any solid, then the faces outside any shell."""
    found = []
    for kind, outside in ((TopAbs_SOLID, None), (TopAbs_SHELL, TopAbs_SOLID), (TopAbs_FACE, TopAbs_SHELL)):
        explorer = TopExp_Explorer(shape, kind) if outside is None else TopExp_Explorer(shape, kind, outside)
        while explorer.More():
            found.append(explorer.Current())
            explorer.Next()
    return found


def exact_bounds(design: Design, shapes: list[TopoDS_Shape]) -> Design:
    """The design with its box exact also where instances are turned askew.

    Args:
        design: with the box of the triangulation there.
        shapes: the kernel's shape of each solid.
    """
    leaves = placed(design)
    askew = [leaf for leaf in leaves if not is_axis_aligned(leaf.world)]
    if not askew:
        return design
    boxes = [placed_bounds(leaf) for leaf in leaves]
    least = union(boxes)
    for leaf in askew:
        box = placed_bounds(leaf)
        # Chords lie inside their arcs by at most this part of the radius, so only these can reach out further.
        slack = (1 - math.cos(ANGULAR_DEFLECTION / 2)) * float(np.linalg.norm(box[1] - box[0]))
        if (box[0] - slack >= least[0]).all() and (box[1] + slack <= least[1]).all():
            continue
        assert leaf.occurrence.solid is not None
        moved = TopTools_IndexedMapOfShape()
        TopExp.MapShapes_s(shapes[leaf.occurrence.solid].Moved(location(leaf.world), False), TopAbs_FACE, moved)
        exact = _bounds(moved, range(moved.Extent()))
        if exact is not None:
            boxes.append(exact)
    return dataclasses.replace(design, bounds=union(boxes))


def _bounds(faces: TopTools_IndexedMapOfShape, rows: Iterable[int], exact: bool = True) -> Floats | None:
    """Box (2, 3) over faces; curves and points that hang about count for nothing.

    Args:
        faces: all faces.
        rows: which of them count, from 0.
        exact: else it may be somewhat larger, and is found far sooner.
    """
    box = Bnd_Box()
    for row in rows:
        face = TopoDS.Face_s(faces.FindKey(row + 1))
        # A tessellated face has triangles and no surface.
        tessellated = BRep_Tool.Surface_s(face) is None
        if exact:
            BRepBndLib.AddOptimal_s(face, box, tessellated, False)
        else:
            BRepBndLib.Add_s(face, box, tessellated)
    if box.IsVoid():
        return None
    box.SetGap(0.0)
    low, high = box.CornerMin(), box.CornerMax()
    return np.stack([xyz(low), xyz(high)])


def _outermost(meshes: list[FaceMesh], deflection: float) -> list[int]:
    """Rows of the faces that can reach the box around all, judged by their triangles with room for what chords cut
    off: exact boxes of faces are slow, and those inside decide nothing."""
    boxes = np.array([box(mesh) for mesh in meshes if len(mesh.vertices)])
    least = union(list(boxes))
    reach = iter(boxes)
    rows = []
    for row, mesh in enumerate(meshes):
        if not len(mesh.vertices):  # not meshed: nothing is known of it
            rows.append(row)
            continue
        low, high = next(reach)
        slack = max(CHORD_ROOM * float(np.linalg.norm(high - low)), 4 * deflection)
        if (low - slack <= least[0]).any() or (high + slack >= least[1]).any():
            rows.append(row)
    return rows


def _volume(shape: TopoDS_Shape, free: bool) -> float:
    """mm³; integrated with care where surfaces are free, for which the kernel's usual way errs by up to a hundredth."""
    properties = GProp_GProps()
    if free:
        BRepGProp.VolumeProperties_s(shape, properties, INTEGRATED)
    else:
        BRepGProp.VolumeProperties_s(shape, properties)
    return abs(float(properties.Mass()))


def _count(shape: TopoDS_Shape, kind: Any) -> int:
    found = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, kind, found)
    return int(found.Extent())
