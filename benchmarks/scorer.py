"""Time and memory of scoring: 1,449 predictions in under a second, 100,000 in under a minute and a gigabyte.

    python benchmarks/scorer.py [COUNT...]

Each count is scored in a process of its own by the command line, start included, on made-up questions in the paper's
proportions. Prints a line a count; ends with 1 where a limit is passed. Processor time is judged: scoring runs on one
core, and a busy machine stretches the clock.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

LIMITS = {1_449: (1.0, 1.0), 100_000: (60.0, 1.0)}  # count: seconds, gigabytes
SHARES = {"retrieval": 1192, "compilation": 30, "definition": 31, "presence": 62, "dimension": 120, "functional": 16}
WORDS = ["the", "tube", "wall", "hoop", "must", "be", "at", "least", "mm", "vehicle", "driver", "brake", "frame", "and"]
WORDS += ["or", "with", "rule", "inspection", "steel", "25.4", "1525"]


def make(folder: Path, count: int) -> None:
    """Write a package of so many questions and a file of replies."""
    draw = random.Random(0)

    def text(low: int, high: int) -> str:
        return " ".join(draw.choices(WORDS, k=draw.randint(low, high)))

    subsets, replies = {}, []
    for kind, share in SHARES.items():
        number = max(1, round(count * share / sum(SHARES.values())))
        rows = []
        for n in range(number):
            row: dict[str, object] = {
                "id": f"{kind}-{n}",
                "tags": {"mentions": draw.choice(["definition", "mentioned"])},
            }
            if kind == "retrieval":
                row["answer"] = text(10, 120)
                reply = f"V.1.{n} {row['answer']} {text(0, 60)}"
            elif kind == "compilation":
                row["answer"] = [f"T.{draw.randint(1, 9)}.{draw.randint(1, 99)}" for _ in range(50)]
                reply = ", ".join(draw.sample(row["answer"], 20))
            elif kind == "definition":
                row["answer"], row["synonyms"] = text(1, 3), [text(1, 3)]
                reply = f"The highlighted component is the {text(1, 3)}."
            else:
                row["answer"] = draw.choice(["yes", "no"])
                row["cluster"] = f"{kind}-{n // 2}"
                reply = draw.choice(["Yes", "No.", "**No**"])
                if kind != "presence":
                    row["explanation"] = text(15, 40)
                    row["tags"] = {"dimension_type": "direct"}
                    reply = f"Explanation: {text(80, 200)}\n\nAnswer: {reply}"
            rows.append(row)
            replies.append({"id": row["id"], "prediction": reply})
        (folder / f"{kind}.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
        subsets[kind] = {"questions": f"{kind}.jsonl"}
    manifest = {"format": "dqgen-package/1", "name": "made up", "version": "1.0.0", "subsets": subsets}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    (folder / "replies.jsonl").write_text("\n".join(json.dumps(row) for row in replies))


def measure(count: int) -> tuple[float, float, float]:
    """Processor seconds, clock seconds and gigabytes of one run."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make(folder, count)
        command = [
            sys.executable,
            "-m",
            "dqgen",
            "score",
            str(folder),
            str(folder / "replies.jsonl"),
            "--no-similarity",
        ]
        start = time.perf_counter()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
        if status:
            sys.exit(f"dqgen score ended with {status}")
        return usage.ru_utime + usage.ru_stime, seconds, usage.ru_maxrss / 1024**2


if __name__ == "__main__":
    passed = True
    for count in [int(argument) for argument in sys.argv[1:]] or list(LIMITS):
        busy, clock, gigabytes = measure(count)
        limit = LIMITS.get(count)
        line = f"{count:>7} predictions: {busy:6.2f} s of processor, {clock:6.2f} s by the clock, {gigabytes:.2f} GB"
        print(line + (f" (limits {limit[0]:g} s, {limit[1]:g} GB)" if limit else ""))
        passed &= limit is None or (busy < limit[0] and gigabytes < limit[1])
    sys.exit(not passed)
