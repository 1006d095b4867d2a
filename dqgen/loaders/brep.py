"""Shapes of the Open CASCADE kernel into `Solid`: exact faces and edges, with a triangulation on their points."""

import dataclasses
import math
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OCP.Bnd import Bnd_Box
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve, BRepAdaptor_Surface
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepGProp import BRepGProp
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GeomAbs import (
    GeomAbs_Circle,
    GeomAbs_Cone,
    GeomAbs_Cylinder,
    GeomAbs_Ellipse,
    GeomAbs_Line,
    GeomAbs_Plane,
    GeomAbs_Sphere,
    GeomAbs_Torus,
)
from OCP.GProp import GProp_GProps
from OCP.StdPrs import StdPrs_ToolTriangulatedShape
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE, TopAbs_REVERSED, TopAbs_SHELL, TopAbs_SOLID
from OCP.TopExp import TopExp, TopExp_Explorer
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Face, TopoDS_Shape
from OCP.TopTools import (
    TopTools_IndexedDataMapOfShapeListOfShape,
    TopTools_IndexedMapOfShape,
    TopTools_ListOfShape,
)

from dqgen.geometry.bounds import placed_bounds, union
from dqgen.geometry.conics import edge_parameters
from dqgen.geometry.surfaces import surface_numbers
from dqgen.geometry.tessellation import beside_steps, encloses, links, triangle_normals, weld
from dqgen.geometry.transforms import is_axis_aligned, placed
from dqgen.schemas.design import (
    Colour,
    Curve,
    Design,
    EdgeClass,
    EdgeTable,
    FaceTable,
    Floats,
    Ints,
    Solid,
    Surface,
)

LINEAR_DEFLECTION = 0.0005
"""Chord height of the triangulation, as a part of the solid's diagonal."""
ANGULAR_DEFLECTION = 0.2
"""Radians between neighbouring facets: no banding under interpolated normals, and a circle of 32 sides."""
FINE_DEFLECTION, FINE_FACES = 0.1, 1000
"""Models of no more faces than this are shown larger, and can afford finer facets."""
SMOOTH_COSINE = math.cos(math.radians(2.0))
"""Faces whose normals differ by less than 2° along their whole edge are tangent there."""

CHORD_ROOM = 0.02
"""How far a face may reach beyond its triangles, as a part of its own diagonal: several times what chords cut off."""

_Run = tuple[int, NDArray[np.int64]]
FaceColour = Callable[[TopoDS_Shape], Colour | None]

_SURFACES = {
    GeomAbs_Plane: Surface.PLANE,
    GeomAbs_Cylinder: Surface.CYLINDER,
    GeomAbs_Cone: Surface.CONE,
    GeomAbs_Sphere: Surface.SPHERE,
    GeomAbs_Torus: Surface.TORUS,
}
_CURVES = {GeomAbs_Line: Curve.LINE, GeomAbs_Circle: Curve.CIRCLE, GeomAbs_Ellipse: Curve.ELLIPSE}


def angular_deflection(shapes: list[TopoDS_Shape]) -> float:
    """Radians between neighbouring facets, for a model of these shapes."""
    faces = sum(_count(shape, TopAbs_FACE) for shape in shapes)
    return FINE_DEFLECTION if faces <= FINE_FACES else ANGULAR_DEFLECTION


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
    meshes = [_FaceMesh(TopoDS.Face_s(faces.FindKey(i)), face_colour) for i in range(1, faces.Extent() + 1)]
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
    edges, runs = _edge_table(shape, faces, meshes)
    link_edge = _link_edges(point, ends, runs, starts)
    table = _face_table(meshes)
    bodies = _count(shape, TopAbs_SOLID)
    volume = _volume(shape) if bodies else 0.0
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
            _along(edges, runs, starts), edges.starts, triangles, paired, ends, link_edge, point
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


def matrix(location: TopLoc_Location) -> Floats:
    """A location as a (4, 4) matrix."""
    transform = location.Transformation()
    result = np.eye(4)
    for row in range(3):
        for column in range(4):
            result[row, column] = transform.Value(row + 1, column + 1)
    return result


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
        TopExp.MapShapes_s(shapes[leaf.occurrence.solid].Moved(_location(leaf.world), False), TopAbs_FACE, moved)
        exact = _bounds(moved, range(moved.Extent()))
        if exact is not None:
            boxes.append(exact)
    return dataclasses.replace(design, bounds=union(boxes))


class _FaceMesh:
    """One face: its surface, and its triangles in the solid's frame."""

    def __init__(self, face: TopoDS_Face, colour: FaceColour | None) -> None:
        self.face = face
        self.colour = colour(face) if colour else None
        self.location = TopLoc_Location()
        self.triangulation = BRep_Tool.Triangulation_s(face, self.location)
        self._read_surface()
        if self.triangulation is None:
            self.vertices = np.zeros((0, 3))
            self.normals = np.zeros((0, 3))
            self.triangles = np.zeros((0, 3), dtype=np.int64)
            return
        mesh = self.triangulation
        self.vertices = np.array([mesh.Node(i).Coord() for i in range(1, mesh.NbNodes() + 1)])
        self.triangles = np.array([mesh.Triangle(i).Get() for i in range(1, mesh.NbTriangles() + 1)]) - 1
        self.triangles = self.triangles.reshape(-1, 3)
        frame = None if self.location.IsIdentity() else matrix(self.location)
        if frame is not None:
            self.vertices = self.vertices @ frame[:3, :3].T + frame[:3, 3]
        if face.Orientation() == TopAbs_REVERSED:
            self.triangles = self.triangles[:, [0, 2, 1]]
        self.normals = self._normals(frame)

    def area(self) -> float:
        if self.tessellated:
            return float(triangle_normals(self.vertices, self.triangles.astype(np.int32))[1].sum())
        properties = GProp_GProps()
        BRepGProp.SurfaceProperties_s(self.face, properties)
        return float(properties.Mass())

    def _read_surface(self) -> None:
        self.kind = Surface.OTHER
        self.origin, self.axis = np.zeros(3), np.zeros(3)
        self.radius = self.second = self.sweep = 0.0
        flipped = self.face.Orientation() == TopAbs_REVERSED
        self.tessellated = BRep_Tool.Surface_s(self.face) is None
        if not self.tessellated:
            adaptor = BRepAdaptor_Surface(self.face, True)
            self.kind = _SURFACES.get(adaptor.GetType(), Surface.OTHER)
        if self.kind == Surface.OTHER:
            self.reversed = flipped
            return
        surface = {
            Surface.PLANE: adaptor.Plane,
            Surface.CYLINDER: adaptor.Cylinder,
            Surface.CONE: adaptor.Cone,
            Surface.SPHERE: adaptor.Sphere,
            Surface.TORUS: adaptor.Torus,
        }[self.kind]()
        position = surface.Position()
        self.origin, self.axis = _xyz(position.Location()), _xyz(position.Direction())
        # A left-handed frame turns the surface's parametric normal inward.
        self.reversed = flipped == position.Direct()
        if self.kind == Surface.CONE:
            self.radius, self.second = surface.RefRadius(), math.degrees(surface.SemiAngle())
        elif self.kind == Surface.TORUS:
            self.radius, self.second = surface.MajorRadius(), surface.MinorRadius()
        elif self.kind != Surface.PLANE:
            self.radius = surface.Radius()
        if self.kind != Surface.PLANE:
            self.sweep = math.degrees(adaptor.LastUParameter() - adaptor.FirstUParameter())

    def _normals(self, frame: Floats | None) -> Floats:
        """Exact outward unit normals at the vertices; the kernel's where the surface has no formula."""
        if self.kind == Surface.OTHER:
            if self.tessellated:
                self.triangulation.ComputeNormals()
            else:
                StdPrs_ToolTriangulatedShape.ComputeNormals_s(self.face, self.triangulation)
            read = [self.triangulation.Normal(i) for i in range(1, self.triangulation.NbNodes() + 1)]
            normals = np.array([(normal.X(), normal.Y(), normal.Z()) for normal in read])
            if frame is not None:
                normals = normals @ frame[:3, :3].T
            return -normals if self.reversed else normals
        if self.kind == Surface.PLANE:
            normals = np.broadcast_to(self.axis, self.vertices.shape)
        else:
            offset = self.vertices - self.origin
            along = offset @ self.axis
            radial = offset - along[:, None] * self.axis
            if self.kind == Surface.SPHERE:
                normals = offset
            elif self.kind == Surface.TORUS:
                normals = offset - self.radius * _unit(radial)
            elif self.kind == Surface.CONE:
                tilt = math.radians(self.second)
                # Beyond the apex the radius changes sign, and the outward side with it.
                side = np.sign(self.radius + along * math.tan(tilt))[:, None]
                normals = side * (math.cos(tilt) * _unit(radial)) - math.sin(tilt) * self.axis
            else:
                normals = radial
            normals = _unit(normals)
        return -normals if self.reversed else normals


def _face_table(meshes: list[_FaceMesh]) -> FaceTable:
    boxes = [_box(mesh) if len(mesh.vertices) else np.zeros((2, 3)) for mesh in meshes]
    return FaceTable(
        kind=np.array([mesh.kind for mesh in meshes], dtype=np.uint8),
        origin=np.array([mesh.origin for mesh in meshes]),
        axis=np.array([mesh.axis for mesh in meshes]),
        radius=np.array([mesh.radius for mesh in meshes]),
        second=np.array([mesh.second for mesh in meshes]),
        sweep=np.array([mesh.sweep for mesh in meshes]),
        reversed=np.array([mesh.reversed for mesh in meshes], dtype=np.bool_),
        area=np.array([mesh.area() for mesh in meshes]),
        bounds=np.array(boxes),
        colour=np.array([(*mesh.colour, 255) if mesh.colour else (0, 0, 0, 0) for mesh in meshes], dtype=np.uint8),
    )


def _edge_table(
    shape: TopoDS_Shape, faces: TopTools_IndexedMapOfShape, meshes: list[_FaceMesh]
) -> tuple[EdgeTable, list[_Run]]:
    """The edges, and for each the face and the rows of that face's vertices along it (if it was meshed)."""
    owners = TopTools_IndexedDataMapOfShapeListOfShape()
    TopExp.MapShapesAndAncestors_s(shape, TopAbs_EDGE, TopAbs_FACE, owners)
    rows: list[tuple[Any, ...]] = []
    lines: list[Floats] = []
    along: list[_Run] = []
    for i in range(1, owners.Extent() + 1):
        edge = TopoDS.Edge_s(owners.FindKey(i))
        if BRep_Tool.Degenerated_s(edge):
            continue
        beside = [faces.FindIndex(face) - 1 for face in _listed(owners.FindFromIndex(i))]
        if not beside:
            continue
        runs = [(row, run) for row in beside if (run := _run(edge, meshes[row])) is not None]
        line = meshes[runs[0][0]].vertices[runs[0][1]] if runs else _sampled(edge)
        distinct = list(dict.fromkeys(beside))
        if len(distinct) == 1:
            seam = BRep_Tool.IsClosed_s(edge, meshes[distinct[0]].face)
            edge_class = EdgeClass.SEAM if seam else EdgeClass.FREE
        else:
            edge_class = EdgeClass.SMOOTH if _tangent(runs, meshes) else EdgeClass.SHARP
        first, second = (*distinct, -1)[:2]
        rows.append((*_curve(edge), (first, second), edge_class))
        lines.append(line)
        along.append(runs[0] if runs else (beside[0], np.zeros(0, dtype=np.int64)))
    columns = list(zip(*rows, strict=True)) if rows else [()] * 8
    table = EdgeTable(
        kind=np.array(columns[0], dtype=np.uint8),
        origin=np.array(columns[1], dtype=np.float64).reshape(-1, 3),
        axis=np.array(columns[2], dtype=np.float64).reshape(-1, 3),
        x_axis=np.array(columns[3], dtype=np.float64).reshape(-1, 3),
        radius=np.array(columns[4], dtype=np.float64).reshape(-1, 2),
        span=np.array(columns[5], dtype=np.float64).reshape(-1, 2),
        faces=np.array(columns[6], dtype=np.int32).reshape(-1, 2),
        edge_class=np.array(columns[7], dtype=np.uint8),
        points=np.concatenate(lines) if lines else np.zeros((0, 3)),
        starts=np.concatenate([[0], np.cumsum([len(line) for line in lines])]).astype(np.int32),
    )
    return table, along


def _link_edges(point: NDArray[np.int64], ends: Ints, runs: list[_Run], starts: NDArray[np.int64]) -> Ints:
    """The edge that each mesh edge is a part of, -1 for none; see `Solid.link_edge`."""
    count = int(point.max()) + 1
    result = np.full(len(ends), -1, dtype=np.int32)
    steps = [point[run + starts[face]] for face, run in runs]
    if not steps:
        return result
    pieces = np.concatenate([np.stack([step[:-1], step[1:]], axis=1) for step in steps])
    owner = np.repeat(np.arange(len(runs)), [max(len(step) - 1, 0) for step in steps])
    keys = pieces.min(axis=1) * count + pieces.max(axis=1)
    order = np.argsort(keys, kind="stable")
    wanted = point[ends].min(axis=1) * count + point[ends].max(axis=1)
    at = np.searchsorted(keys[order], wanted)
    hit = at < len(keys)
    hit[hit] = keys[order[at[hit]]] == wanted[hit]
    result[hit] = owner[order[at[hit]]]
    return result


def _along(edges: EdgeTable, runs: list[_Run], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of the vertices under the points of edges, -1 for none."""
    rows = np.full(len(edges.points), -1)
    for begin, (face, run) in zip(edges.starts.tolist(), runs, strict=False):
        rows[begin : begin + len(run)] = run + starts[face]
    return rows


def _run(edge: TopoDS_Edge, mesh: _FaceMesh) -> NDArray[np.int64] | None:
    """Rows of a face's vertices along an edge."""
    if mesh.triangulation is None:
        return None
    polygon = BRep_Tool.PolygonOnTriangulation_s(edge, mesh.triangulation, mesh.location)
    if polygon is None:
        return None
    return np.array([polygon.Node(i) for i in range(1, polygon.NbNodes() + 1)], dtype=np.int64) - 1


def _tangent(runs: list[_Run], meshes: list[_FaceMesh]) -> bool:
    if len(runs) != 2 or len(runs[0][1]) != len(runs[1][1]):
        return False
    first, second = (meshes[row].normals[run] for row, run in runs)
    return bool((np.einsum("ij,ij->i", first, second) > SMOOTH_COSINE).all())


def _curve(
    edge: TopoDS_Edge,
) -> tuple[Curve, Floats, Floats, Floats, tuple[float, float], tuple[float, float]]:
    """Kind, origin, axis, x axis, radii and span of an edge's curve; see `EdgeTable`."""
    none = np.zeros(3)
    if BRep_Tool.Curve_s(edge, 0.0, 1.0) is None:  # it lives on its surface alone
        return Curve.OTHER, none, none, none, (0.0, 0.0), (0.0, 0.0)
    adaptor = BRepAdaptor_Curve(edge)
    kind = _CURVES.get(adaptor.GetType(), Curve.OTHER)
    span = (adaptor.FirstParameter(), adaptor.LastParameter())
    if kind == Curve.LINE:
        start, end = _xyz(adaptor.Value(span[0])), _xyz(adaptor.Value(span[1]))
        return (
            kind,
            start,
            _unit((end - start)[None])[0],
            none,
            (0.0, 0.0),
            (0.0, float(np.linalg.norm(end - start))),
        )
    if kind == Curve.OTHER:
        return kind, none, none, none, (0.0, 0.0), span
    conic = adaptor.Circle() if kind == Curve.CIRCLE else adaptor.Ellipse()
    radii = (conic.Radius(),) * 2 if kind == Curve.CIRCLE else (conic.MajorRadius(), conic.MinorRadius())
    frame = conic.Position()
    origin, axis, x_axis = _xyz(frame.Location()), _xyz(frame.Direction()), _xyz(frame.XDirection())
    return kind, origin, axis, x_axis, radii, (math.degrees(span[0]), math.degrees(span[1]))


def _sampled(edge: TopoDS_Edge, count: int = 17) -> Floats:
    """Points along an edge whose faces were not meshed."""
    if BRep_Tool.Curve_s(edge, 0.0, 1.0) is None:
        return np.zeros((0, 3))
    adaptor = BRepAdaptor_Curve(edge)
    at = np.linspace(adaptor.FirstParameter(), adaptor.LastParameter(), count)
    return np.array([_xyz(adaptor.Value(float(t))) for t in at])


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
    return np.stack([_xyz(low), _xyz(high)])


def _outermost(meshes: list[_FaceMesh], deflection: float) -> list[int]:
    """Rows of the faces that can reach the box around all, judged by their triangles with room for what chords cut
    off: exact boxes of faces are slow, and those inside decide nothing."""
    boxes = np.array([_box(mesh) for mesh in meshes if len(mesh.vertices)])
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


def _box(mesh: _FaceMesh) -> Floats:
    return np.stack([mesh.vertices.min(axis=0), mesh.vertices.max(axis=0)])


def _listed(shapes: TopTools_ListOfShape) -> list[TopoDS_Shape]:
    """A list of the kernel's as ours; iterating over it costs far more than asking for its two ends."""
    size = shapes.Size()
    return list(shapes) if size > 2 else [shapes.First(), shapes.Last()][:size] if size else []


def _volume(shape: TopoDS_Shape) -> float:
    properties = GProp_GProps()
    BRepGProp.VolumeProperties_s(shape, properties)
    return abs(float(properties.Mass()))


def _count(shape: TopoDS_Shape, kind: Any) -> int:
    found = TopTools_IndexedMapOfShape()
    TopExp.MapShapes_s(shape, kind, found)
    return int(found.Extent())


def _location(world: Floats) -> TopLoc_Location:
    from OCP.gp import gp_Trsf

    transform = gp_Trsf()
    transform.SetValues(*(float(value) for value in world[:3].ravel()))
    return TopLoc_Location(transform)


def _xyz(triple: Any) -> Floats:
    return np.array([triple.X(), triple.Y(), triple.Z()])


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Floats = vectors / np.where(length > 0, length, 1)
    return unit
