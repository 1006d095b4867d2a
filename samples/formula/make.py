"""Writes the car's files: `python samples/formula/make.py [OUTDIR]`, by default beside this script.

`formula.step` is AP242 with names and colours; `formula.stl` is its binary STL twin, without names or units.
"""

import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a script: the repository is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from samples.formula.model import build
from samples.step_writer import write_step, write_stl


def main(folder: Path) -> None:
    """Build the car and write both files into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    car = build()
    write_step(car, folder / "formula.step")
    write_stl(car, folder / "formula.stl")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
