"""Writes the parts' STEP files: `python samples/parts/make.py [OUTDIR]`, by default beside this script."""

import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a script: the repository is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from samples.parts import bracket, flange, shaft
from samples.step_writer import write_step


def main(folder: Path) -> None:
    """Build each part and write it into `folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, module in (("bracket", bracket), ("flange", flange), ("shaft", shaft)):
        write_step(module.build(), folder / f"{name}.step")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parent)
