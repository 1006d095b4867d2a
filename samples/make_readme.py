"""Renews the parameter tables in samples/README.md: `python samples/make_readme.py`."""

import re
import sys
from pathlib import Path

if __package__ in (None, ""):  # run as a script: the repository is not on the path yet
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from samples.formula.parameters import Parameters
from samples.parameter_table import as_markdown
from samples.parts import bracket, flange, shaft

TABLES: dict[str, type[object]] = {
    "formula": Parameters,
    "bracket": bracket.Parameters,
    "flange": flange.Parameters,
    "shaft": shaft.Parameters,
}


def renewed(text: str) -> str:
    """The README with the table behind each `<!-- table NAME -->` line replaced."""
    for name, table in TABLES.items():
        head, mark, rest = text.partition(f"<!-- table {name} -->\n")
        rest = re.sub(r"\A(\|.*\n)*", "", rest)
        text = f"{head}{mark}{as_markdown(table)}\n{rest}"
    return text


if __name__ == "__main__":
    readme = Path(__file__).resolve().parent / "README.md"
    readme.write_text(renewed(readme.read_text("utf-8")), "utf-8")
