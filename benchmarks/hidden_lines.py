"""One view of the sample car: our hidden lines, the kernel's exact ones, and its polygon ones, side by side.

`python benchmarks/hidden_lines.py [--exact] [--view NAME] [--runs N]`. The exact algorithm takes minutes on the car: it
runs with `--exact`. Reading the file is left out everywhere; the kernel's times hold the conversion of its edges to
points, Poly's also its own meshing, and ours the making of everything that the view needs.
"""

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepLib import BRepLib
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GeomAbs import GeomAbs_Line
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape, HLRBRep_PolyAlgo, HLRBRep_PolyHLRToShape
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_EDGE
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Shape

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dqgen.geometry.hidden_lines import HiddenLines
from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.views import view
from dqgen.samples import sample
from dqgen.schemas.design import Floats

DEFLECTION, ANGLE = 0.5, 0.3


def projector(rotation: Floats) -> HLRAlgo_Projector:
    """The kernel's camera for a view."""
    right, toward = rotation[0], rotation[2]
    return HLRAlgo_Projector(gp_Ax2(gp_Pnt(0, 0, 0), gp_Dir(*map(float, toward)), gp_Dir(*map(float, right))))


def exact(shape: TopoDS_Shape, rotation: Floats) -> int:
    """The kernel's exact algorithm; how many edges it gives."""
    algorithm = HLRBRep_Algo()
    algorithm.Add(shape)
    algorithm.Projector(projector(rotation))
    algorithm.Update()
    algorithm.Hide()
    answer = HLRBRep_HLRToShape(algorithm)
    return polylines(answer.VCompound(), answer.OutLineVCompound(), answer.HCompound(), answer.OutLineHCompound())


def poly(shape: TopoDS_Shape, rotation: Floats) -> int:
    """The kernel's algorithm on its own triangulation."""
    BRepMesh_IncrementalMesh(shape, DEFLECTION, False, ANGLE, False)
    algorithm = HLRBRep_PolyAlgo()
    algorithm.Load(shape)
    algorithm.Projector(projector(rotation))
    algorithm.Update()
    answer = HLRBRep_PolyHLRToShape()
    answer.Update(algorithm)
    return polylines(answer.VCompound(), answer.OutLineVCompound(), answer.HCompound(), answer.OutLineHCompound())


def polylines(*compounds: TopoDS_Shape | None) -> int:
    """All edges as points, as a drawing needs them."""
    count = 0
    for compound in compounds:
        if compound is None:
            continue
        BRepLib.BuildCurves3d_s(compound)
        explorer = TopExp_Explorer(compound, TopAbs_EDGE)
        while explorer.More():
            curve = BRepAdaptor_Curve(TopoDS.Edge_s(explorer.Current()))
            points = 2 if curve.GetType() == GeomAbs_Line else 17
            for t in np.linspace(curve.FirstParameter(), curve.LastParameter(), points):
                curve.Value(float(t))
            count += 1
            explorer.Next()
    return count


def timed(run: Callable[[], int], runs: int) -> tuple[float, int]:
    """The least time of a few runs, and what the last returned."""
    best, result = float("inf"), 0
    for _ in range(runs):
        start = time.perf_counter()
        result = run()
        best = min(best, time.perf_counter() - start)
    return best, result


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--view", default="iso")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--exact", action="store_true")
    parser.add_argument("--file", type=Path, default=sample("formula"))
    options = parser.parse_args()
    rotation = view(options.view).rotation
    leaves = placed(load(options.file, LoadOptions()))

    def read() -> TopoDS_Shape:
        reader = STEPControl_Reader()
        reader.ReadFile(str(options.file))
        reader.TransferRoots()
        return reader.OneShape()

    meshed = read()
    shared = HiddenLines(leaves)
    shared.view(rotation)
    rows = [
        ("ours, first view", *timed(lambda: len(HiddenLines(leaves).view(rotation)), options.runs)),
        ("ours, a further view", *timed(lambda: len(shared.view(rotation)), options.runs)),
        ("Poly HLR, meshed anew", *timed(lambda: poly(meshed, rotation), 1)),
    ]
    if options.exact:
        unmeshed = read()
        rows.append(("exact HLR", *timed(lambda: exact(unmeshed, rotation), 1)))
    first = rows[0][1]
    print(f"{options.file.name}, {options.view}, {len(leaves)} leaves")
    for name, seconds, count in rows:
        print(f"  {name:24} {seconds:8.2f} s   {seconds / first:6.1f}×   {count} curves")


if __name__ == "__main__":
    main()
