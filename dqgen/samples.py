"""The sample models that come with the program."""

from pathlib import Path

from dqgen.errors import SetupError

FILES = {
    "formula": "formula/formula.step",
    "bracket": "parts/bracket.step",
    "flange": "parts/flange.step",
    "shaft": "parts/shaft.step",
}


def sample(name: str) -> Path:
    """Path of a sample: inside the installed package, or in the source tree.

    Raises:
        SetupError: it is in neither.
    """
    here = Path(__file__).parent
    for folder in (here / "samples_data", here.parent / "samples"):
        path = folder / FILES[name]
        if path.is_file():
            return path
    raise SetupError(f"the sample '{name}' is not installed", mend="reinstall dqgen")
