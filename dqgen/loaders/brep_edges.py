"""The edges of a shape of the Open CASCADE kernel: exact curves, polylines on the triangles of their faces."""

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray
from OCP.BRep import BRep_Tool
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.GeomAbs import GeomAbs_Circle, GeomAbs_Ellipse, GeomAbs_Line
from OCP.TopAbs import TopAbs_EDGE, TopAbs_FACE
from OCP.TopExp import TopExp
from OCP.TopoDS import TopoDS, TopoDS_Edge, TopoDS_Shape
from OCP.TopTools import (
    TopTools_IndexedDataMapOfShapeListOfShape,
    TopTools_IndexedMapOfShape,
    TopTools_ListOfShape,
)

from dqgen.geometry.tessellation import unit
from dqgen.loaders.brep_faces import FaceMesh
from dqgen.loaders.brep_frames import xyz
from dqgen.loaders.brep_recognition import FREE_CURVES, arc, sampled, straight
from dqgen.schemas.design import Curve, EdgeClass, EdgeTable, Floats, Ints

SMOOTH_COSINE = math.cos(math.radians(2.0))
"""Faces whose normals differ by less than 2° along their whole edge are tangent there."""
Run = tuple[int, NDArray[np.int64]]
"""A face, and the rows of its vertices along an edge."""
_CURVES = {GeomAbs_Line: Curve.LINE, GeomAbs_Circle: Curve.CIRCLE, GeomAbs_Ellipse: Curve.ELLIPSE}


def edge_table(
    shape: TopoDS_Shape, faces: TopTools_IndexedMapOfShape, meshes: list[FaceMesh]
) -> tuple[EdgeTable, list[Run]]:
    """The edges, and for each the face and the rows of that face's vertices along it (if it was meshed)."""
    owners = TopTools_IndexedDataMapOfShapeListOfShape()
    TopExp.MapShapesAndAncestors_s(shape, TopAbs_EDGE, TopAbs_FACE, owners)
    rows: list[tuple[Any, ...]] = []
    lines: list[Floats] = []
    along: list[Run] = []
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


def link_edges(point: NDArray[np.int64], ends: Ints, runs: list[Run], starts: NDArray[np.int64]) -> Ints:
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


def vertices_along(edges: EdgeTable, runs: list[Run], starts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Rows of the vertices under the points of edges, -1 for none."""
    rows = np.full(len(edges.points), -1)
    for begin, (face, run) in zip(edges.starts.tolist(), runs, strict=False):
        rows[begin : begin + len(run)] = run + starts[face]
    return rows


def _run(edge: TopoDS_Edge, mesh: FaceMesh) -> NDArray[np.int64] | None:
    """Rows of a face's vertices along an edge."""
    if mesh.triangulation is None:
        return None
    polygon = BRep_Tool.PolygonOnTriangulation_s(edge, mesh.triangulation, mesh.location)
    if polygon is None:
        return None
    return np.array([polygon.Node(i) for i in range(1, polygon.NbNodes() + 1)], dtype=np.int64) - 1


def _tangent(runs: list[Run], meshes: list[FaceMesh]) -> bool:
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
        start, end = xyz(adaptor.Value(span[0])), xyz(adaptor.Value(span[1]))
        return (
            kind,
            start,
            unit((end - start)[None])[0],
            none,
            (0.0, 0.0),
            (0.0, float(np.linalg.norm(end - start))),
        )
    if kind == Curve.OTHER:
        if adaptor.GetType() in FREE_CURVES:
            points = sampled(adaptor)
            if straight(points):
                size = float(np.linalg.norm(points[-1] - points[0]))
                return Curve.LINE, points[0], (points[-1] - points[0]) / size, none, (0.0, 0.0), (0.0, size)
            found = arc(points)
            if found is not None:
                span = (0.0, math.degrees(found.turn))
                return Curve.CIRCLE, found.centre, found.axis, found.x_axis, (found.radius,) * 2, span
        return kind, none, none, none, (0.0, 0.0), span
    conic = adaptor.Circle() if kind == Curve.CIRCLE else adaptor.Ellipse()
    radii = (conic.Radius(),) * 2 if kind == Curve.CIRCLE else (conic.MajorRadius(), conic.MinorRadius())
    frame = conic.Position()
    origin, axis, x_axis = xyz(frame.Location()), xyz(frame.Direction()), xyz(frame.XDirection())
    return kind, origin, axis, x_axis, radii, (math.degrees(span[0]), math.degrees(span[1]))


def _sampled(edge: TopoDS_Edge, count: int = 17) -> Floats:
    """Points along an edge whose faces were not meshed."""
    if BRep_Tool.Curve_s(edge, 0.0, 1.0) is None:
        return np.zeros((0, 3))
    adaptor = BRepAdaptor_Curve(edge)
    at = np.linspace(adaptor.FirstParameter(), adaptor.LastParameter(), count)
    return np.array([xyz(adaptor.Value(float(t))) for t in at])


def _listed(shapes: TopTools_ListOfShape) -> list[TopoDS_Shape]:
    """A list of the kernel's as ours; iterating over it costs far more than asking for its two ends."""
    size = shapes.Size()
    return list(shapes) if size > 2 else [shapes.First(), shapes.Last()][:size] if size else []
