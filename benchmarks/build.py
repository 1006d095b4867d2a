"""Throughput of builds: pictures a minute with one and two processes, time and memory against the number of questions.

`python benchmarks/build.py [--spec FILE] [--kind KIND] [--limit N]`, or `--whole` for the whole spec with an empty
cache. Each process reads and builds its designs for itself, so two gain less in small builds than in whole ones.

A time is that of a whole `dqgen build`, from the start of Python to the package on disk: rulebook, planning, making
and packing. No run finds results of an earlier one. Designs that are files are read once before, so that their
reading is in no time, but for `--whole`, where it is; variants of parametric designs are built in every run. Proving
(`dqgen validate --prove`) is in none. Pictures that two questions share count once. CPU seconds are of all processes.
The software rasteriser starts no threads, so that one process takes one core. Peaks of memory are of the largest
process, by polling /proc (Linux).
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
POLL = 0.2  # seconds


@dataclass(frozen=True)
class Run:
    """One build."""

    questions: int
    pictures: int
    seconds: float
    cpu: float
    largest_mb: float

    def __str__(self) -> str:
        each, rate = self.questions / self.seconds * 60, self.pictures / self.seconds * 60
        return (
            f"{self.questions} questions and {self.pictures} pictures in {self.seconds:.1f} s ({self.cpu:.1f} s CPU):"
            f" {each:.1f} and {rate:.1f} a minute, largest process {self.largest_mb:.0f} MB"
        )


def build(spec: Path, jobs: int, *options: str, cache: str | None = None) -> Run:
    """Build from nothing; with the designs in a cache of its own if one is given."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LP_NUM_THREADS": "0"}
    if cache:
        environment["DQGEN_CACHE"] = cache
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dqgen", "build", str(spec), "-o", f"{folder}/out", "--json", *options]
        start, spent = time.perf_counter(), cpu()
        process = subprocess.Popen(
            [*command, "--jobs", str(jobs)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment,
            cwd=ROOT,
        )
        largest = 0.0
        while process.poll() is None:
            largest = max(largest, *(peak(child) for child in below(process.pid)))
            time.sleep(POLL)
        seconds = time.perf_counter() - start
        assert process.stdout is not None
        summary = json.loads(process.stdout.read())
        files = json.loads(Path(f"{folder}/out/manifest.json").read_text())["files"]
    pictures = {entry["sha256"] for name, entry in files.items() if name.startswith("images/")}
    return Run(sum(summary["questions"].values()), len(pictures), seconds, cpu() - spent, largest)


def cpu() -> float:
    """CPU seconds of all processes that were started and have ended."""
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    return ended.ru_utime + ended.ru_stime


def below(parent: int) -> list[int]:
    """A process and all that it started, directly or not."""
    found = [parent]
    for pid in found:
        for listed in Path(f"/proc/{pid}/task").glob("*/children"):
            try:
                found += map(int, listed.read_text().split())
            except OSError:
                continue
    return found


def peak(pid: int) -> float:
    """MB that a process held at most so far; 0 if it is gone."""
    try:
        lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM")), 0.0)


def main() -> None:
    """Time and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", type=Path, default=ROOT / "samples" / "formula" / "benchmark.yaml")
    parser.add_argument("--kind", action="append", help="kinds with pictures")
    parser.add_argument("--limit", type=int, default=24, help="questions of a kind")
    parser.add_argument("--whole", action="store_true", help="the whole spec, each time with an empty cache")
    given = parser.parse_args()
    if given.whole:
        runs = []
        for jobs in (1, 2):
            with tempfile.TemporaryDirectory() as cache:
                runs.append(build(given.spec, jobs, cache=cache))
            print(f"all of {given.spec.name}, empty cache, --jobs {jobs}: {runs[-1]}", flush=True)
        print(f"2 processes: {runs[0].seconds / runs[1].seconds:.2f}× as fast")
        return
    kinds = [word for kind in given.kind or ["definition", "presence", "dimension"] for word in ("--only", kind)]
    build(given.spec, 1, *kinds, "--limit", "2")  # reads the designs into the cache
    one, two = (build(given.spec, jobs, *kinds, "--limit", str(given.limit)) for jobs in (1, 2))
    print(f"1 process: {one}")
    print(f"2 processes: {two}")
    print(f"2 processes: {one.seconds / two.seconds:.2f}× as fast")
    print("questions  pictures   seconds   CPU s a question   largest process")
    for share in (4, 2, 1):
        few = str(max(2, given.limit // share))
        run = one if share == 1 else build(given.spec, 1, *kinds, "--limit", few)
        rate = run.cpu / run.questions
        print(f"{run.questions:9} {run.pictures:9} {run.seconds:9.1f} {rate:18.2f} {run.largest_mb:14.0f} MB")


if __name__ == "__main__":
    main()
