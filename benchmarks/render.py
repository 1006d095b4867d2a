"""Six views of an assembly by dqgen and by its peers: whole processes, side by side, in one run.

    python benchmarks/render.py --setup                  # once: a virtual environment for each peer
    python benchmarks/render.py --memory --json out.json

Every job starts a process that reads a file and writes six pictures of 1024 × 1024 pixels (dqgen: one sheet of as
many pixels, and its evidence). Jobs take turns, round after round, and the least time of each counts. CPU time is
that of the whole process tree; on a busy machine it is the steadier figure.

pyrender reads no STEP; it, and f3d once more, start from the very triangles that dqgen draws, written as GLB outside
the timing: that is where dqgen's warm cache starts. Cold, dqgen is held against peers that read the STEP file.
No peer here counts visible pixels, and f3d and pyrender draw no edges and smooth less.
"""

import argparse
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numpy as np

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
VENVS = HERE / ".venvs"
SIDE = 1024
VIEWS = 6
MEMORY_LIMIT = 1.2e9
PEERS = {
    # name: (what pip installs, script, whether it reads STEP)
    "f3d": (["f3d"], "f3d_views.py", True),
    "pyrender": (["pyrender", "numpy<2", "pillow"], "pyrender_views.py", False),
    "cadquery": (["cadquery>=2.8,<2.9"], "cadquery_views.py", True),
}


@dataclass
class Job:
    """One way to make the six views, and what it took, round by round."""

    name: str
    command: list[str]
    environment: dict[str, str]
    pixels: int
    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    peak: list[int] = field(default_factory=list)
    failure: str = ""


@dataclass
class Cost:
    """Seconds on the clock, seconds of CPU over the process tree, and the greatest process's peak memory in bytes."""

    wall: float
    cpu: float
    peak: int


def main() -> int:
    """Run what the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--setup", action="store_true", help="create the peers' virtual environments, and stop")
    parser.add_argument("--model", action="append", type=Path, help="a STEP file; default: the bundled car and more")
    parser.add_argument("--rounds", type=int, default=5, help="times that each job runs (default 5)")
    parser.add_argument("--memory", action="store_true", help="also measure memory on two million triangles")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    chosen = parser.parse_args()
    if chosen.setup:
        return setup()
    report: dict[str, object] = {"cores": os.cpu_count(), "rounds": chosen.rounds, "side": SIDE, "models": []}
    passed = True
    for model in chosen.model or models():
        result = compare(model, chosen.rounds)
        report["models"].append(result)  # type: ignore[attr-defined]
        passed &= bool(result["passed"])
    if chosen.memory:
        report["memory"] = [memory(kind) for kind in ("smooth", "rough")]
        passed &= all(bool(result["passed"]) for result in report["memory"])  # type: ignore[attr-defined]
    if chosen.json:
        chosen.json.write_text(json.dumps(report, indent=1) + "\n")
    return 0 if passed else 1


def setup() -> int:
    """A virtual environment for each peer; one that cannot be installed is named with pip's reason."""
    failed = 0
    for name, (packages, _, _) in PEERS.items():
        home = VENVS / name
        subprocess.run([sys.executable, "-m", "venv", "--clear", home], check=True)
        done = subprocess.run([home / "bin/pip", "install", "-q", *packages], capture_output=True, text=True)
        reason = done.stderr.strip().splitlines()[-1] if done.returncode and done.stderr.strip() else ""
        (home / "failure").write_text(reason) if done.returncode else (home / "failure").unlink(missing_ok=True)
        print(f"{name}: {reason or 'installed'}")
        failed += bool(done.returncode)
    return 1 if failed else 0


def models() -> list[Path]:
    """The car that comes with dqgen, and an assembly of 53 parts from the outside files if they are at hand."""
    sys.path.insert(0, str(ROOT))
    from dqgen.errors import SetupError
    from dqgen.samples import sample

    found = []
    if corpus := os.environ.get("DQGEN_CORPUS"):
        found.append(Path(corpus) / "step" / "amr__MMP.01.00.00.000_Cover_assembly.STEP")
    try:
        found.append(sample("formula"))
    except SetupError as error:
        print(error, file=sys.stderr)
    return found


# --- Speed ------------------------------------------------------------------------------------------------------


def compare(model: Path, rounds: int) -> dict[str, object]:
    """Time every job on a model and print a table."""
    with tempfile.TemporaryDirectory(prefix="dqgen-bench-") as scratch:
        place = Path(scratch)
        print(f"\n{model.name}", flush=True)
        size, triangles, leaves = prepare(model, place)
        kernel = {
            "cold": kernel_files(model, place, size, warm=False),
            "warm": kernel_files(model, place, size, warm=True),
        }
        jobs = all_jobs(model, place, size)
        for _ in range(rounds):
            for job in jobs:
                if not job.failure:
                    if job.name == "dqgen cold":
                        shutil.rmtree(place / "cold", ignore_errors=True)
                    run_job(job)
    result = {
        "model": model.name,
        "leaves": leaves,
        "triangles": triangles,
        "kernel_libraries_loaded": kernel,
        "jobs": [asdict(job) for job in jobs],
    }
    result |= verdict(jobs, kernel)
    show(result, jobs)
    return result


def prepare(model: Path, place: Path) -> tuple[int, int, int]:
    """Fill the warm cache, write the triangles for peers that read no STEP, find the sheet's size.

    Returns:
        The `--size` at which the sheet has at least the peers' pixels, and the model's triangles and leaves.
    """
    (place / "out").mkdir()
    script = HERE / "peers" / "to_glb.py"
    environment = our_environment(place / "warm")
    run = subprocess.run(
        [sys.executable, script, model, place / "model.glb"],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    triangles, leaves = map(int, run.stdout.split())
    guess = 3 * SIDE
    command = [*dqgen(model, place, guess), "--json"]
    done = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    wide, high = json.loads(done.stdout)[0]["size"]
    return math.ceil(guess * math.sqrt(VIEWS * SIDE * SIDE / (wide * high))), triangles, leaves


def all_jobs(model: Path, place: Path, size: int) -> list[Job]:
    """dqgen warm and cold, and every peer, runnable or not."""
    command = dqgen(model, place, size)
    pixels = VIEWS * SIDE * SIDE
    jobs = [
        Job("dqgen warm", command, our_environment(place / "warm"), pixels),
        Job("dqgen cold", command, our_environment(place / "cold"), pixels),
    ]
    environment = {**os.environ, "VTK_DEFAULT_OPENGL_WINDOW": "vtkEGLRenderWindow"}
    for name, (_, script, reads_step) in PEERS.items():
        python, folder = VENVS / name / "bin/python", place / name
        folder.mkdir()
        starts = (
            [model]
            if reads_step and name != "f3d"
            else [model, place / "model.glb"]
            if reads_step
            else [place / "model.glb"]
        )
        for start in starts:
            kind = "STEP" if start == model else "GLB"
            peer = [str(python), str(HERE / "peers" / script), str(start), str(folder), str(SIDE)]
            job = Job(f"{name}, from {kind}", peer, environment, pixels)
            if not python.exists():
                job.failure = "not installed: run with --setup"
            elif (VENVS / name / "failure").exists():
                job.failure = f"cannot be installed: {(VENVS / name / 'failure').read_text()}"
            jobs.append(job)
    return jobs


def dqgen(model: Path, place: Path, size: int) -> list[str]:
    """Our command line."""
    command = [sys.executable, "-m", "dqgen", "render", str(model), "--view", "multiview"]
    return [*command, "--size", str(size), "-o", str(place / "out" / "sheet.png")]


def our_environment(cache: Path) -> dict[str, str]:
    """The environment of our processes, with a cache of their own."""
    return {**os.environ, "DQGEN_CACHE": str(cache), "PYTHONPATH": str(ROOT)}


def run_job(job: Job) -> None:
    """Run a job once and note what it took."""
    try:
        cost = run(job.command, job.environment)
    except RuntimeError as error:
        job.failure = str(error)
        return
    job.wall.append(cost.wall)
    job.cpu.append(cost.cpu)
    job.peak.append(cost.peak)


def run(command: list[str], environment: dict[str, str]) -> Cost:
    """One process from start to end.

    Raises:
        RuntimeError: it failed; the last line it wrote tells why.
    """
    with tempfile.TemporaryFile() as words:
        start = time.perf_counter()
        process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=words)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            words.seek(0)
            lines = words.read().decode(errors="replace").strip().splitlines()
            raise RuntimeError(f"exit {process.returncode}: {lines[-1] if lines else ''}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


def kernel_files(model: Path, place: Path, size: int, warm: bool) -> int:
    """How many libraries of the Open CASCADE kernel the whole process tree opens, as the dynamic loader tells."""
    log = place / ("linker-warm" if warm else "linker-cold")
    log.mkdir()
    environment = our_environment(place / ("warm" if warm else "linker-cache"))
    environment |= {"LD_DEBUG": "files", "LD_DEBUG_OUTPUT": str(log / "process")}
    subprocess.run(dqgen(model, place, size), env=environment, check=True, capture_output=True)
    names: set[str] = set()
    for part in log.iterdir():
        for line in part.read_text(errors="replace").splitlines():
            if "generating link map" in line or "calling init:" in line:
                names.add(Path(line.split()[-1]).name if "init:" in line else line.split("file=")[1].split()[0])
    return sum(Path(name).name.startswith(("libTK", "OCP")) for name in names)


def verdict(jobs: list[Job], kernel: dict[str, int]) -> dict[str, object]:
    """Our times against the fastest peer's: of those that start from the model itself, and of all."""
    best = {job.name: min(job.wall) for job in jobs if job.wall and not job.failure}
    cpu = {job.name: min(job.cpu) for job in jobs if job.cpu and not job.failure}
    peers = {name: value for name, value in best.items() if not name.startswith("dqgen")}
    from_step = {name: value for name, value in peers.items() if name.endswith("STEP")}
    result: dict[str, object] = {"passed": False, "ratios": {}}
    if from_step and len(best) - len(peers) == 2:
        fastest = min(from_step, key=lambda name: from_step[name])
        fastest_of_all = min(peers, key=lambda name: peers[name])
        result["fastest_peer"], result["fastest_peer_of_all"] = fastest, fastest_of_all
        result["ratios"] = {
            "warm_wall": best[fastest] / best["dqgen warm"],
            "warm_cpu": cpu[fastest] / cpu["dqgen warm"],
            "warm_wall_of_all": best[fastest_of_all] / best["dqgen warm"],
            "warm_cpu_of_all": min(cpu[name] for name in peers) / cpu["dqgen warm"],
            "cold_wall": best[fastest] / best["dqgen cold"],
            "cold_cpu": cpu[fastest] / cpu["dqgen cold"],
        }
        fast = best["dqgen warm"] * 2 <= best[fastest_of_all] and best["dqgen cold"] <= best[fastest]
        result["passed"] = fast and kernel["warm"] == 0 < kernel["cold"]
    return result


def show(result: dict[str, object], jobs: list[Job]) -> None:
    """Print a model's table."""
    print(f"{result['leaves']} parts, {result['triangles']:,} triangles; six views of {SIDE}² pixels, least of rounds")
    heads = {"job": -22, "wall s": 9, "a view": 9, "CPU s": 9, "peak MB": 9, "× warm": 9, "× cold": 9, "CPU × warm": 12}
    print("".join(head.ljust(-width) if width < 0 else head.rjust(width) for head, width in heads.items()))
    warm, cold = (min(job.wall, default=math.nan) for job in jobs[:2])
    warm_cpu = min(jobs[0].cpu, default=math.nan)
    for job in jobs:
        if job.failure:
            print(f"{job.name:<22} did not run: {job.failure}")
            continue
        wall = min(job.wall)
        figures = f"{wall:>9.2f}{wall / VIEWS:>9.2f}{min(job.cpu):>9.2f}{max(job.peak) / 1e6:>9.0f}"
        print(f"{job.name:<22}{figures}{wall / warm:>9.2f}{wall / cold:>9.2f}{min(job.cpu) / warm_cpu:>12.2f}")
    kernel = result["kernel_libraries_loaded"]
    assert isinstance(kernel, dict)
    print(f"kernel libraries opened by dqgen: cold {kernel['cold']}, warm {kernel['warm']}")
    print("passed" if result["passed"] else "NOT passed", flush=True)


# --- Memory -----------------------------------------------------------------------------------------------------


def memory(kind: str) -> dict[str, object]:
    """Peak memory of every process while two million triangles become a sheet, cold."""
    with tempfile.TemporaryDirectory(prefix="dqgen-bench-") as scratch:
        place = Path(scratch)
        (place / "out").mkdir()
        model = place / f"{kind}.stl"
        count = write_stl(model, rough=kind == "rough")
        watch = Watch()
        process = subprocess.Popen(
            dqgen(model, place, 2400), env=our_environment(place / "cache"), stdout=subprocess.DEVNULL
        )
        watch.start(process.pid)
        start = time.perf_counter()
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        watch.stop()
    result = {
        "model": kind,
        "triangles": count,
        "exit_code": process.returncode,
        "seconds": wall,
        "cpu": usage.ru_utime + usage.ru_stime,
        "greatest_process": usage.ru_maxrss * 1024,
        "greatest_sum": watch.greatest_sum,
        "passed": process.returncode == 0 and usage.ru_maxrss * 1024 <= MEMORY_LIMIT,
    }
    print(
        f"\n{count:,} triangles, {kind}: greatest process {usage.ru_maxrss * 1024 / 1e6:.0f} MB, "
        f"all together {watch.greatest_sum / 1e6:.0f} MB, {wall:.1f} s"
        f" ({'passed' if result['passed'] else 'NOT passed'})",
        flush=True,
    )
    return result


def write_stl(path: Path, rough: bool, steps: int = 1000) -> int:
    """A closed, wavy ring of two million triangles as a binary STL; rough, as a noisy scan has it, or smooth."""
    u, v = np.meshgrid(*[np.arange(steps) * (2 * np.pi / steps)] * 2, indexing="ij")
    bump = 3 * np.sin(9 * u) * np.sin(7 * v)
    if rough:
        bump += np.random.default_rng(2).normal(0, 0.05, u.shape)
    tube = 30 + bump
    ring = 100 + tube * np.cos(v)
    points = np.stack([ring * np.cos(u), ring * np.sin(u), tube * np.sin(v)], axis=-1).reshape(-1, 3)
    here = np.arange(steps * steps).reshape(steps, steps)
    right, below = np.roll(here, -1, axis=0), np.roll(here, -1, axis=1)
    across = np.roll(right, -1, axis=1)
    triangles = np.concatenate(
        [np.stack(corner, axis=-1).reshape(-1, 3) for corner in ((here, right, across), (here, across, below))]
    )
    record = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("note", "<u2")])
    record["corners"] = points[triangles]
    path.write_bytes(bytes(80) + np.uint32(len(record)).tobytes() + record.tobytes())
    return len(record)


class Watch:
    """The memory of a process and all its descendants together, sampled from /proc (resident, shared pages once)."""

    def __init__(self, interval: float = 0.02) -> None:
        self.greatest_sum = 0
        self._interval = interval
        self._over = threading.Event()

    def start(self, root: int) -> None:
        """Begin to watch."""
        self._thread = threading.Thread(target=self._watch, args=(root,), daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """End watching."""
        self._over.set()
        self._thread.join()

    def _watch(self, root: int) -> None:
        while not self._over.wait(self._interval):
            self.greatest_sum = max(self.greatest_sum, sum(map(_proportional, _tree(root))))


def _tree(root: int) -> list[int]:
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except OSError:
                continue
    found = [root]
    for pid in found:
        found += [child for child, parent in parents.items() if parent == pid]
    return found


def _proportional(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next((int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:")), 0)
    except OSError:
        return 0


if __name__ == "__main__":
    sys.exit(main())
