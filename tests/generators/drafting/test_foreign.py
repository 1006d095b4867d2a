"""A draft for a design and rules of another trade: part numbers for names, few parts, one of them all around."""

import json
from pathlib import Path

import cadquery as cq
import yaml

from ...support import dqgen

RULES = """# Pump housing requirements

**1.1** The overall length of the pump must not exceed 300 mm.

**1.2** The overall width of the pump must be at least 90 mm.

**2.1** Each cover plate must be at least 4 mm thick. The cover plate must be flat.

**2.2** The outer diameter of the flange must be at least 50 mm and must not be painted.

**2.3** The base plate carries the flange and the cover plate; the base plate must be at least 8 mm thick.
"""


def pump() -> cq.Assembly:
    made = cq.Assembly(name="PX.100.000 Pump")
    parts = {
        "PX.100.001 Base plate_00": (cq.Workplane().box(200, 100, 10), (0, 0, 5)),
        "PX.100.002 Cover plate_00": (cq.Workplane().box(60, 70, 5), (-60, 0, 12.5)),
        "Flange DIN 2573 - A 3.2": (cq.Workplane().circle(30).circle(15).extrude(12), (60, 0, 10)),
    }
    for name, (shape, place) in parts.items():
        made.add(shape, name=name, loc=cq.Location(cq.Vector(*place)))
    return made


def test_a_draft_builds_without_edits(tmp_path: Path) -> None:
    (tmp_path / "rules.md").write_text(RULES)
    pump().export(str(tmp_path / "px100.step"))
    spec = tmp_path / "benchmark.yaml"
    done = dqgen("spec", "init", "--rulebook", tmp_path / "rules.md", "--design", tmp_path / "px100.step", "-o", spec)
    assert done.returncode == 0, done.stderr
    drafted = yaml.safe_load(spec.read_text())
    assert drafted["name"] == "Pump housing requirements"
    assert drafted["designs"][0]["title"] == "pump"
    assert {component["name"] for component in drafted["designs"][0]["components"]} >= {"cover plate", "flange"}
    measures = {check["rule"]: check["measure"] for check in drafted["dimension"]}
    assert measures["1.1"] == "extent('*', x)"
    assert measures["1.2"] == "extent('*', y)"
    assert measures["2.1"].startswith("thickness(")
    assert measures["2.2"].startswith("diameter(")
    built = dqgen("build", spec, "-o", tmp_path / "out", "--json")
    assert built.returncode == 0, built.stderr
    assert json.loads(built.stdout)["questions"]["dimension"] >= 20
    proved = dqgen("validate", tmp_path / "out", "--prove")
    assert proved.returncode == 0, proved.stdout + proved.stderr
