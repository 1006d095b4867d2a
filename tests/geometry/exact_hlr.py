"""The kernel's exact hidden-line removal, to compare with: slow, and right on single parts."""

from pathlib import Path

import numpy as np
from OCP.BRep import BRep_Builder
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepLib import BRepLib
from OCP.GCPnts import GCPnts_QuasiUniformDeflection
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_EDGE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Compound, TopoDS_Shape

from dqgen.geometry.view_curves import ViewCurve
from dqgen.schemas.design import Floats


def read(path: Path) -> TopoDS_Shape:
    """The solids of a STEP file; curves and sheets that annotate them are left out."""
    reader = STEPControl_Reader()
    reader.ReadFile(str(path))
    reader.TransferRoots()
    builder, solids = BRep_Builder(), TopoDS_Compound()
    builder.MakeCompound(solids)
    explorer = TopExp_Explorer(reader.OneShape(), TopAbs_SOLID)
    while explorer.More():
        builder.Add(solids, explorer.Current())
        explorer.Next()
    return solids


def visible(shape: TopoDS_Shape, rotation: Floats, deflection: float) -> list[Floats]:
    """Polylines (n, 2) of the visible sharp edges and outlines, in view millimetres."""
    right, toward = rotation[0], rotation[2]
    axes = gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(*map(float, toward)), gp_Dir(*map(float, right)))
    algorithm = HLRBRep_Algo()
    algorithm.Add(shape)
    algorithm.Projector(HLRAlgo_Projector(axes))
    algorithm.Update()
    algorithm.Hide()
    answer = HLRBRep_HLRToShape(algorithm)
    lines = []
    for compound in (answer.VCompound(), answer.OutLineVCompound()):
        if compound is None:
            continue
        BRepLib.BuildCurves3d_s(compound)
        explorer = TopExp_Explorer(compound, TopAbs_EDGE)
        while explorer.More():
            curve = BRepAdaptor_Curve(TopoDS.Edge_s(explorer.Current()))
            points = GCPnts_QuasiUniformDeflection(curve, deflection)
            if points.IsDone():
                found = [points.Value(i) for i in range(1, points.NbPoints() + 1)]
                lines.append(np.array([(point.X(), point.Y()) for point in found]))
            explorer.Next()
    return lines


def coverage(lines: list[Floats], others: list[Floats], tolerance: float) -> float:
    """The part of the length of polylines (n, 2) that lies within a tolerance of others."""
    from scipy.spatial import cKDTree

    there = cKDTree(np.concatenate([_resampled(line, tolerance / 4)[0] for line in others]))
    total = near = 0.0
    for line in lines:
        points, weight = _resampled(line, tolerance / 4)
        total += weight * len(points)
        near += weight * int((there.query(points)[0] <= tolerance).sum())
    return near / total


def ours(curves: list[ViewCurve], tolerance: float) -> list[Floats]:
    return [curve.polyline(tolerance / 20) for curve in curves if curve.visible]


def _resampled(line: Floats, step: float) -> tuple[Floats, float]:
    length = np.concatenate([[0.0], np.cumsum(np.linalg.norm(np.diff(line, axis=0), axis=1))])
    count = max(2, int(np.ceil(length[-1] / step)) + 1)
    at = np.linspace(0, length[-1], count)
    points = np.stack([np.interp(at, length, line[:, k]) for k in (0, 1)], axis=1)
    return points, float(length[-1]) / count
