"""`dqgen spec check`: what a spec names is there, and fits."""

from pathlib import Path

import pytest
import yaml

from dqgen.generators.spec_check import check_spec

from ..support import assert_one_line, dqgen
from .texts import FORMULA

LEAST_ONE = "{comparator: minimum, value: 1, unit: mm}"
BROKEN = f"""name: Broken
seed: 4
sed: 4
rulebook:
  file: {FORMULA / "rulebook.md"}
  sections: [V, F, XX]
prompts:
  retrieval: "{{preamble}} Quote {{rul}}."
  compilation: "About {{term"
designs:
- name: car
  file: {FORMULA / "formula.step"}
  components:
  - {{name: front wing, pattern: Front wingg}}
  - {{name: main hoop, pattern: Main hoop, count: 3}}
- name: other
  file: nothing.step
terms:
  list: [Main Hoop, Zebra]
dimension:
- {{rule: V.1.1.99, name: a, measure: "extent('Seat', x)"}}
- {{rule: V.1.1.1, name: b, measure: "extent('Seet', x)"}}
- {{rule: V.1.1.1, name: c, measure: "extent('Seat', x)", limit: {{comparator: minimum, value: 1500}}}}
- {{rule: V.1.1.1, name: d, measure: "extent('Seat', x)", limit: {{comparator: minimum, value: 3, unit: kg}}}}
- {{rule: V.1.1.1, name: e, measure: "angle(axis('Main hoop brace L'), z, seen=x)"}}
- {{rule: V.1.1.1, name: f, measure: "extent('Seat', x)", view: leftish}}
- {{rule: V.1.1.1, name: g, measure: "extent('Seat', x)", design: cart}}
- {{rule: V.1.1.1, name: h, measure: "extent('Seat', x)", violations: {{parameter: width}}}}
- {{rule: V.3.6.2, name: i, measure: "thickness('Firewall')"}}
- {{rule: F.4.1.2, name: j, measure: "angle(axis('Main hoop brace L'), z, seen=x)", view: front}}
- {{rule: F.2.1.1.b, name: k, measure: "thickness('Main hoop brace L')", limit: {LEAST_ONE}}}
- {{rule: V.1.1.1, name: l, measure: "count('Seat')", limit: {{comparator: minimum, value: 1, unit: "1"}}}}
counts: {{presens: 3}}
"""
EXPECTED = [
    (3, "unknown field 'sed'", "did you mean 'seed'?"),
    (6, "no part or rule 'XX'", "known: G, V, F, S, A, E"),
    (8, "this text has no field {rul}", "did you mean 'rule'?"),
    (9, "the braces of this text do not match", ""),
    (14, "no occurrence matches 'Front wingg'", "near: 'Front wing'"),
    (15, "'main hoop' is 1 occurrences, not 3", ""),
    (16, "nothing.step: no such file", ""),
    (19, "no rule mentions 'Zebra'", ""),
    (21, "no rule 'V.1.1.99'", "did you mean 'V.1.1."),
    (22, "no occurrence matches 'Seet'", "near: 'Seat'"),
    (23, "dimension[2].limit lacks the field 'unit'", ""),
    (24, "the measure is in mm, the limit in kg", ""),
    (25, "rule V.1.1.1 states no limit in deg", ""),
    (26, "no view 'leftish'", "did you mean 'left'?"),
    (27, "no design 'cart'", "designs: car, other"),
    (28, "design 'car' is a file and has no parameters", ""),
    (29, "rule V.3.6.2 states several limits", "give the limit"),
    (30, "angle(axis('Main hoop brace L'), z, seen=x): the view 'front' foreshortens it", "draw it from left or right"),
    (31, "no view of the six shows it true", "measure what one of the six shows"),
    (32, "this measure has nothing that could be drawn", ""),
    (33, "no kind 'presens'", "did you mean 'presence'?"),
]


@pytest.fixture(scope="module")
def broken(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("spec") / "broken.yaml"
    path.write_text(BROKEN)
    return path


def test_all_mistakes_at_once(broken: Path) -> None:
    found = check_spec(broken)
    assert [fault.line for fault in found] == [line for line, _, _ in EXPECTED]
    for fault, (_, what, mend) in zip(found, EXPECTED, strict=True):
        assert what in fault.what
        assert mend in fault.mend


def test_the_command(broken: Path, tmp_path: Path) -> None:
    done = dqgen("spec", "check", broken)
    assert done.returncode == 9
    assert done.stdout.startswith("broken.yaml:3: unknown field 'sed'; did you mean 'seed'?\n")
    assert done.stdout.endswith(f"{broken}: 21 mistakes\n")
    assert done.stderr == ""
    assert_one_line(dqgen("build", broken, "-o", tmp_path / "out"), 9, "broken.yaml:3: unknown field 'sed'", "1 more")
    assert not (tmp_path / "out").exists()
    assert_one_line(dqgen("spec", "check", tmp_path / "none.yaml"), 9, "cannot be read")


def test_a_rulebook_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "b.yaml"
    path.write_text("name: x\nrulebook:\n  file: gone.pdf\ndimension:\n- {rule: V.1, name: a, measure: count('x')}\n")
    assert [(fault.line, fault.what.split(": ")[-1]) for fault in check_spec(path)] == [
        (3, "no such file"),
        (5, "no design is given"),
    ]


def test_the_sample_has_none(tmp_path: Path) -> None:
    """What needs no rebuilding of the car, which takes long."""
    data = yaml.safe_load((FORMULA / "benchmark.yaml").read_text())
    built = {design["name"] for design in data["designs"] if "source" in design}
    data["designs"] = [design for design in data["designs"] if design["name"] not in built]
    data["dimension"] = [check for check in data["dimension"] if check.get("design") not in built]
    data["rulebook"]["file"] = str(FORMULA / data["rulebook"]["file"])
    data["designs"][0]["file"] = str(FORMULA / data["designs"][0]["file"])
    path = tmp_path / "benchmark.yaml"
    path.write_text(yaml.safe_dump(data))
    assert check_spec(path) == []
