"""Drawings by dqgen and by its peers, side by side, in one run.

    python benchmarks/drawing.py --setup                 # once: a virtual environment for draftwright
    python benchmarks/drawing.py --json out.json
    python benchmarks/drawing.py --only views --model screw.step --view front

Views: one view of an assembly, visible and hidden lines, by dqgen and by two algorithms of the Open CASCADE kernel: the
exact one, and Poly, which works on triangles. Models are read and triangulated outside the timing (with the same chord
height and angle for Poly as for dqgen); the kernel's edges are converted to points, as a drawing needs them. dqgen's
first view holds all that it makes of a model, a further one what is left for the next view.

Sheet: a plate with 40 holes becomes a dimensioned sheet as PDF, by dqgen with a warm and an empty cache and by
draftwright: whole processes.

All take turns, round after round, and the least time of each counts. On a busy machine CPU time is the steadier figure.
"""

import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command line does; read when numpy is imported

import numpy as np
from OCP.Bnd import Bnd_Box
from OCP.BRepAdaptor import BRepAdaptor_Curve
from OCP.BRepBndLib import BRepBndLib
from OCP.BRepLib import BRepLib
from OCP.BRepMesh import BRepMesh_IncrementalMesh
from OCP.GeomAbs import GeomAbs_Line
from OCP.gp import gp_Ax2, gp_Dir, gp_Pnt
from OCP.HLRAlgo import HLRAlgo_Projector
from OCP.HLRBRep import HLRBRep_Algo, HLRBRep_HLRToShape, HLRBRep_PolyAlgo, HLRBRep_PolyHLRToShape
from OCP.STEPControl import STEPControl_Reader
from OCP.TopAbs import TopAbs_EDGE, TopAbs_SOLID
from OCP.TopExp import TopExp_Explorer
from OCP.TopoDS import TopoDS, TopoDS_Shape
from render import ROOT, VENVS, Job, our_environment, run_job

sys.path.insert(0, str(ROOT))

from dqgen.geometry.hidden_lines import HiddenLines
from dqgen.geometry.transforms import placed
from dqgen.loaders.brep import LINEAR_DEFLECTION, angular_deflection
from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.views import view
from dqgen.samples import sample
from dqgen.schemas.design import Floats

PEER = "draftwright"


@dataclass
class Way:
    """One way to make a view, and what it took, round by round."""

    name: str
    run: Callable[[], int]
    curves: int = 0
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)

    def time(self) -> None:
        """Once more."""
        cpu, wall = time.process_time(), time.perf_counter()
        self.curves = self.run()
        self.wall.append(time.perf_counter() - wall)
        self.cpu.append(time.process_time() - cpu)


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--setup", action="store_true", help="create draftwright's virtual environment, and stop")
    parser.add_argument("--peers", type=Path, default=VENVS, help="folder of the peers' virtual environments")
    parser.add_argument("--only", choices=("views", "sheet"))
    parser.add_argument("--model", type=Path, help="a STEP file for the views; default: the bundled car")
    parser.add_argument("--view", action="append", help="default: iso, front and top")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    options = parser.parse_args()
    if options.setup:
        return setup(options.peers)
    report: dict[str, object] = {}
    if options.only != "sheet":
        model = options.model or sample("formula")
        report["views"] = [views(model, name, options.rounds) for name in options.view or ("iso", "front", "top")]
    if options.only != "views":
        report["sheet"] = sheet(options.peers / PEER, options.rounds)
    if options.json:
        options.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0


def setup(peers: Path) -> int:
    """draftwright needs another version of the kernel's bindings: it gets an environment of its own."""
    home = peers / PEER
    subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
    return subprocess.run([home / "bin/pip", "install", "-q", PEER]).returncode


# --- Views ------------------------------------------------------------------------------------------------------


def views(model: Path, name: str, rounds: int) -> dict[str, object]:
    """Time every way to one view, and print a table."""
    rotation = view(name).rotation
    design = load(model, LoadOptions())
    leaves = placed(design)
    shared = HiddenLines(leaves)
    shared.view(rotation)
    reader = STEPControl_Reader()
    reader.ReadFile(str(model))
    reader.TransferRoots()
    shape = reader.OneShape()
    triangulate(shape)

    def first() -> int:
        copies = [dataclasses.replace(solid) for solid in design.solids]  # of which nothing is known yet
        anew = placed(dataclasses.replace(design, solids=tuple(copies)))
        return len(HiddenLines(anew).view(rotation))

    ways = [
        Way("dqgen, first view", first),
        Way("dqgen, a further view", lambda: len(shared.view(rotation))),
        Way("Poly HLR", lambda: poly(shape, rotation)),
        Way("exact HLR", lambda: exact(shape, rotation)),
    ]
    for _ in range(rounds):
        for way in ways:
            way.time()
    print(
        f"\n{model.name}, {name}: {len(leaves)} parts, {sum(len(leaf.solid.triangles) for leaf in leaves):,} triangles"
    )
    print(f"{'':24}{'wall s':>9}{'CPU s':>9}{'curves':>9}{'× first':>9}{'× further':>11}{'CPU × first':>13}")
    walls, cpus = [min(way.wall) for way in ways], [min(way.cpu) for way in ways]
    for way, wall, cpu in zip(ways, walls, cpus, strict=True):
        ratios = f"{wall / walls[0]:>9.1f}{wall / walls[1]:>11.1f}{cpu / cpus[0]:>13.1f}"
        print(f"{way.name:24}{wall:>9.3f}{cpu:>9.3f}{way.curves:>9}{ratios}", flush=True)
    return {
        "model": model.name,
        "view": name,
        "ways": [{"name": way.name, "curves": way.curves, "wall": way.wall, "cpu": way.cpu} for way in ways],
    }


def triangulate(shape: TopoDS_Shape) -> None:
    """Each solid as finely as the loader does."""
    explorer, solids = TopExp_Explorer(shape, TopAbs_SOLID), []
    while explorer.More():
        solids.append(explorer.Current())
        explorer.Next()
    angle = angular_deflection(solids)
    for solid in solids:
        box = Bnd_Box()
        BRepBndLib.Add_s(solid, box)
        BRepMesh_IncrementalMesh(solid, LINEAR_DEFLECTION * float(np.sqrt(box.SquareExtent())), False, angle, True)


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
    """The kernel's algorithm on triangles; how many edges it gives."""
    algorithm = HLRBRep_PolyAlgo()
    algorithm.Load(shape)
    algorithm.Projector(projector(rotation))
    algorithm.Update()
    answer = HLRBRep_PolyHLRToShape()
    answer.Update(algorithm)
    return polylines(answer.VCompound(), answer.OutLineVCompound(), answer.HCompound(), answer.OutLineHCompound())


def polylines(*compounds: TopoDS_Shape | None) -> int:
    """All edges as points: the two ends of a line, 17 along anything else."""
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


# --- Sheet ------------------------------------------------------------------------------------------------------


def sheet(peer: Path, rounds: int) -> dict[str, object]:
    """Time whole processes from a STEP file to a dimensioned sheet, and print a table."""
    with tempfile.TemporaryDirectory(prefix="dqgen-bench-") as scratch:
        place = Path(scratch)
        model = place / "plate.step"
        write_plate(model)
        ours = [sys.executable, "-m", "dqgen", "render", str(model), "--view", "drawing", "--format", "pdf"]
        ours += ["-o", str(place / "ours")]
        theirs = [str(peer / "bin" / PEER), str(model), "--out-dir", str(place / "theirs")]
        jobs = [
            Job("dqgen, warm cache", ours, our_environment(place / "warm"), 0),
            Job("dqgen, empty cache", ours, our_environment(place / "cold"), 0),
            Job(PEER, theirs, dict(our_environment(place / "none"), PYTHONPATH=""), 0),
        ]
        if not (peer / "bin" / PEER).exists():
            jobs[2].failure = "not installed: run with --setup"
        run_job(Job("fill the cache", ours, our_environment(place / "warm"), 0))
        for _ in range(rounds):
            for job in jobs:
                shutil.rmtree(place / "cold", ignore_errors=True)
                if not job.failure:
                    run_job(job)
    print(f"\n{'plate with 40 holes':24}{'wall s':>9}{'CPU s':>9}{'× warm':>9}{'× cold':>9}{'CPU × warm':>12}")
    warm, cold = min(jobs[0].wall), min(jobs[1].wall)
    for job in jobs:
        if job.failure:
            print(f"{job.name:24} did not run: {job.failure}")
            continue
        wall, cpu = min(job.wall), min(job.cpu)
        ratios = f"{wall / warm:>9.1f}{wall / cold:>9.1f}{cpu / min(jobs[0].cpu):>12.1f}"
        print(f"{job.name:24}{wall:>9.2f}{cpu:>9.2f}{ratios}", flush=True)
    return {"jobs": [dataclasses.asdict(job) | {"command": [], "environment": {}} for job in jobs]}


def write_plate(path: Path) -> None:
    """A rounded plate with 40 through holes in five rows."""
    import cadquery as cq

    plate = cq.Workplane().box(240, 160, 12).edges("|Z").fillet(10)
    cq.exporters.export(plate.faces(">Z").workplane().rarray(26, 32, 8, 5).hole(6.6), str(path))


if __name__ == "__main__":
    sys.exit(main())
