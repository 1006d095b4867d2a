"""Time the rulebook parser against pdfplumber's text extraction alone, in one run.

    python benchmarks/rulebook.py rules.pdf

Each side runs in a process of its own, so that its start and its peak memory count. The two take turns, and the
best run of each counts, for a busy machine stretches some runs and not others. Prints seconds by the clock and of
processor time (all processes of a side together), the peak memory of one process, and the ratios.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PLUMBER = """
import sys, pdfplumber
with pdfplumber.open(sys.argv[1]) as document:
    print(sum(len(page.extract_text() or "") for page in document.pages), "characters")
"""


def measure(command: list[str]) -> tuple[float, float, float]:
    """Seconds by the clock, seconds of processor time and peak memory in MB of a command."""
    start = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(runs: list[tuple[float, float, float]]) -> tuple[float, float, float]:
    """The least of each time, and the most memory."""
    seconds, processor, memory = zip(*runs, strict=True)
    return min(seconds), min(processor), max(memory)


def main() -> None:
    """Run both sides and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a rulebook as PDF")
    parser.add_argument("--rounds", type=int, default=3, help="turns, each of three runs of ours and one of theirs")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder) / "rules.jsonl")
        ours = [sys.executable, "-m", "dqgen", "rulebook", "parse", str(given.file), "-o", out]
        theirs = [sys.executable, "-c", PLUMBER, str(given.file)]
        turns = [([measure(ours) for _ in range(3)], measure(theirs)) for _ in range(given.rounds)]
    quick = best([run for runs, _ in turns for run in runs])
    slow = best([run for _, run in turns])
    for name, (seconds, processor, memory) in (
        ("dqgen rulebook parse, all", quick),
        ("pdfplumber, text", slow),
    ):
        print(f"{name:28}{seconds:7.2f} s  {processor:7.2f} s of processor  {memory:6.0f} MB")
    print(f"{'ratio':28}{slow[0] / quick[0]:7.1f} x  {slow[1] / quick[1]:7.1f} x")


if __name__ == "__main__":
    main()
