"""Throughput of builds: pictures a minute with one and two processes, time and memory against the number of questions.

`python benchmarks/build.py [--spec FILE] [--kind KIND] [--limit N]`. Each run starts without results of earlier ones;
designs are read once before, so that their reading is in none. Peaks of memory are of the largest process, by polling
/proc (Linux).
"""

import argparse
import json
import os
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
    seconds: float
    largest_mb: float


def build(spec: Path, kinds: list[str], limit: int, jobs: int) -> Run:
    """Build some questions of some kinds from nothing."""
    only = [word for kind in kinds for word in ("--only", kind)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "dqgen", "build", str(spec), "-o", f"{folder}/out", "--json", *only]
        start = time.perf_counter()
        process = subprocess.Popen(
            [*command, "--limit", str(limit), "--jobs", str(jobs)],
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
    return Run(sum(summary["questions"].values()), seconds, largest)


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
    given = parser.parse_args()
    kinds = given.kind or ["definition", "presence", "dimension"]
    build(given.spec, kinds, 2, 1)  # reads the designs into the cache
    one, two = (build(given.spec, kinds, given.limit, jobs) for jobs in (1, 2))
    for jobs, run in ((1, one), (2, two)):
        print(f"{jobs} process(es): {run.questions} questions, {60 * run.questions / run.seconds:.1f} a minute")
    print(f"2 processes: {one.seconds / two.seconds:.2f}× as fast")
    print("questions   seconds   s a question   largest process")
    for share in (4, 2, 1):
        run = one if share == 1 else build(given.spec, kinds, max(2, given.limit // share), 1)
        rate = run.seconds / run.questions
        print(f"{run.questions:9} {run.seconds:9.1f} {rate:14.2f} {run.largest_mb:12.0f} MB")


if __name__ == "__main__":
    main()
