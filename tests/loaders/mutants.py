"""Sheets with something broken in them: each is read, drawn, or refused in one line.

`python -m tests.loaders.mutants [COUNT] [FIRST]` tries many DXF and PDF files and prints how they end.
"""

import random
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dqgen.errors import DqgenError
from dqgen.loaders import archive
from dqgen.loaders.sandbox import Child, ChildDiedError, Limits
from dqgen.schemas.sheet import Sheet
from dqgen.sheets.read import sheet_reading
from tests import sheet_files

Mutate = Callable[[bytes, int], bytes]
LIMITS = Limits(60, 2048)
DXF_NUMBERS = [b"nan", b"inf", b"-1", b"0", b"1e9", b"1e300"]
DXF_WORDS = [
    b"",
    b"*",
    b"\xff\xfe",
    b"{\\H9x;\\S1^2",
    b"0",
    b"330",
    b"99999",
    b"INSERT",
    b"ENDBLK",
    b"SECTION",
    b"AcDbText",
]
PDF_VALUES = [b"-1 ", b"1e38", b"9999999999", b"0 0 R", b"<<", b"]", b"null", b"NaN "]


def mutated_dxf(data: bytes, seed: int) -> bytes:
    """The file with values changed, and now and then lines lost, doubled or swapped, or its end cut off."""
    chance = random.Random(seed)
    lines = data.split(b"\n")
    numbers = [row for row in range(1, len(lines), 2) if b"." in lines[row]]
    for row in chance.sample(numbers, min(len(numbers), chance.choice([1, 20, 400]))):
        lines[row] = chance.choice(DXF_NUMBERS)
    for _ in range(chance.choice([0, 0, 1, 6])):
        row = chance.randrange(len(lines) - 8)
        kind = chance.randrange(5)
        if kind == 0:
            del lines[row : row + chance.randint(1, 8)]
        elif kind == 1:
            lines[row:row] = lines[row : row + chance.randint(1, 8)]
        elif kind == 2:
            lines[row] = chance.choice(DXF_WORDS)
        elif kind == 3:
            other = chance.randrange(len(lines))
            lines[row], lines[other] = lines[other], lines[row]
        elif chance.random() < 0.3:
            lines = lines[: max(row, 40)]
    return b"\n".join(lines)


def mutated_pdf(data: bytes, seed: int) -> bytes:
    """The file with some bytes changed, cut out, doubled or swapped for numbers that break things."""
    chance = random.Random(seed)
    out = bytearray(data)
    for _ in range(chance.randint(1, 12)):
        at = chance.randrange(max(len(out), 1))
        kind = chance.randrange(5)
        if kind == 0:
            out[at] = chance.randrange(256)
        elif kind == 1:
            del out[at : at + chance.randint(1, 400)]
        elif kind == 2:
            out[at:at] = out[at : at + chance.randint(1, 200)]
        elif kind == 3:
            out[at : at + 4] = chance.choice(PDF_VALUES)
        else:
            out = out[: max(at, 40)] if chance.random() < 0.2 else out
    return bytes(out)


TASKS: dict[str, dict[str, dict[str, Any]]] = {
    "dxf": {"load": {"version": "x", "rung": "read", "failures": [], "unit": ""}},
    "pdf": {"load": {"version": "x"}, "paint": {"page": 1, "clip": None, "layers": None, "ppi": 40}},
}
MUTATE: dict[str, Mutate] = {"dxf": mutated_dxf, "pdf": mutated_pdf}


def run_mutants(kind: str, seeds: range, originals: Sequence[bytes], folder: Path) -> Counter[str]:
    """How mutants of files end: by an answer, in one clear line or with a dead child.

    What must not be is told as `defect`: another error, no answer in time, a sheet that cannot be read further, a file
    left behind.
    """
    folder.mkdir(exist_ok=True)
    outcomes: Counter[str] = Counter()
    children: dict[str, Child] = {}
    path, output = folder / f"m.{kind}", folder / "out"
    for seed in seeds:
        path.write_bytes(MUTATE[kind](originals[seed % len(originals)], seed))
        for task, request in TASKS[kind].items():
            if task not in children:
                children[task] = Child(f"dqgen.loaders.{kind}:{task}", LIMITS)
            try:
                children[task].call(path=str(path), output=str(output), **request)
                outcomes[f"{task} done"] += 1
                if task == "load":
                    sheet_reading(path.name, archive.load(output, Sheet))
            except ChildDiedError as death:
                slow = "defect: " if "no answer" in death.how else ""
                outcomes[f"{slow}{task} {death.how}" + (f" at seed {seed}" if slow else "")] += 1
                children.pop(task).close()
            except DqgenError as error:
                good = error.exit_code in (3, 4)
                outcomes[f"{task} refused" if good else f"defect at seed {seed}: {error}"] += 1
            except Exception as error:  # of what is done with a sheet that was read
                outcomes[f"defect at seed {seed}: {type(error).__name__}: {error}"] += 1
    for child in children.values():
        child.close()
    strange = {left.name for left in folder.iterdir()} - {path.name, "out", "out.npy"}
    outcomes.update(f"defect: left {name}" for name in strange)
    return outcomes


def dxf_originals(folder: Path) -> list[bytes]:
    """A drawing with entities of many kinds."""
    path = folder / "original.dxf"
    sheet_files.workshop().saveas(path)
    data = path.read_bytes()
    path.unlink()
    return [data]


def main(count: int, first: int) -> int:
    """Try so many mutants of each kind and print how they end; whether any ended badly."""
    from tests.loaders.test_pdf import pdf_originals

    bad = False
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for kind, originals in (("dxf", dxf_originals(folder)), ("pdf", pdf_originals())):
            outcomes = run_mutants(kind, range(first, first + count), originals, folder / kind)
            for outcome, times in sorted(outcomes.items()):
                print(f"{kind} {times:6} {outcome}", flush=True)
            bad |= any("defect" in outcome for outcome in outcomes)
    return int(bad)


if __name__ == "__main__":
    numbers = [int(text) for text in sys.argv[1:]]
    sys.exit(main(*(numbers + [500, 0][len(numbers) :])))
