"""The table of measures in docs/measures.md is what the program gives."""

import re
from pathlib import Path

from dqgen.geometry.measure import Measurer
from dqgen.loaders.load import LoadOptions, load
from dqgen.samples import sample

PAGE = Path(__file__).resolve().parents[2] / "docs" / "measures.md"


def test_the_table_of_measures_holds() -> None:
    rows = re.findall(r"^\| [^|]+ \| `([^`]+)` \| ([^|]+) \|$", PAGE.read_text(), flags=re.MULTILINE)
    assert len(rows) >= 20
    measurer = Measurer(load(sample("formula"), LoadOptions()))
    for expression, printed in rows:
        measured = measurer.measure(expression)
        unit = {"deg": "°", "mm": " mm", "": ""}[measured.unit]
        assert f"{measured.value:.6g}{unit}" == printed.strip(), expression
