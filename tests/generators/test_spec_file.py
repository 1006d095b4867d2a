"""Specs read from YAML: every mistake of form with its line."""

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dqgen.errors import SpecError
from dqgen.generators.spec_file import load_spec, read_document, usable, validated
from dqgen.schemas.export import json_schema
from dqgen.schemas.spec import Limit, Spec

from .texts import FORMULA

GOOD = """name: Rules
rulebook: {file: rules.md}
designs:
- name: car
  file: car.step
  components:
  - {name: wing, pattern: Wing}
  - name: hoop
    pattern: [Hoop, Brace]
dimension:
- rule: V.1
  name: width
  measure: extent('Wing', x)
  limit: {comparator: range, value: [1, 2], unit: mm}
"""


def mistakes(tmp_path: Path, text: str) -> list[tuple[int, str, str]]:
    path = tmp_path / "benchmark.yaml"
    path.write_text(text, encoding="utf-8")
    return [(fault.line, fault.what, fault.mend) for fault in validated(read_document(path))[1]]


def test_a_good_one(tmp_path: Path) -> None:
    assert mistakes(tmp_path, GOOD) == []
    spec, document = load_spec(tmp_path / "benchmark.yaml")
    assert spec.designs[0].components[1].pattern == ("Hoop", "Brace")
    assert spec.dimension[0].limit == Limit(comparator="range", value=(1, 2), unit="mm")
    assert document.line(("dimension", 0, "measure")) == 13
    assert document.line(("dimension", 0, "view")) == 11


def test_the_sample_is_good() -> None:
    spec, _ = load_spec(FORMULA / "benchmark.yaml")
    assert spec.name == "Open Formula Rules"


@pytest.mark.parametrize(
    ("old", "new", "line", "what", "mend"),
    [
        ("rule: V.1", "rul: V.1", 11, "unknown field 'rul'", "did you mean 'rule'?"),
        ("pattern: Wing}", "patern: Wing}", 7, "unknown field 'patern'", "did you mean 'pattern'?"),
        ("name: Rules", "name: 2024", 1, "name is read as 2024, not as text", "put it in quotes"),
        (", unit: mm", "", 14, "dimension[0].limit lacks the field 'unit'", ""),
        ("[1, 2]", "[2, 1]", 14, "dimension[0].limit: a range goes from the lower", ""),
        ("[1, 2]", "3", 14, "dimension[0].limit: a range has two values", ""),
        ("range", "about", 14, "dimension[0].limit.comparator: input should be 'minimum'", ""),
        ("file: car.step", "up: z", 4, "designs[0]: give either file or source", ""),
        ("  file: car.step", "  file: car.step\n  file: b.step", 6, "'file' is given twice", "keep one of them"),
        ("rulebook: {file: rules.md}", "seed: -1", 1, "the spec lacks the field 'rulebook'", ""),
        ("rulebook: {file: rules.md}", "rulebook: {file: rules.md}\nseed: x", 3, "seed: input should be a valid", ""),
    ],
)
def test_mistakes(tmp_path: Path, old: str, new: str, line: int, what: str, mend: str) -> None:
    found = mistakes(tmp_path, GOOD.replace(old, new, 1))
    assert any((at, hint) == (line, mend) and said.startswith(what) for at, said, hint in found), found


@pytest.mark.parametrize(
    ("text", "line", "what"),
    [
        ("name: [a\nb: c: d\n", 2, "is no YAML"),
        ("a: &x [*x]\n", 1, "an alias that holds itself"),
        ("- a\n- b\n", 1, "a spec is a mapping of fields"),
        ("", 1, "a spec is a mapping of fields"),
        ("name: x\n\tfile: y\n", 2, "is no YAML"),
    ],
)
def test_what_is_no_spec(tmp_path: Path, text: str, line: int, what: str) -> None:
    path = tmp_path / "b.yaml"
    path.write_text(text)
    with pytest.raises(SpecError) as told:
        load_spec(path)
    assert what in str(told.value)
    assert str(told.value).startswith(f"b.yaml:{line}: ")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(at=st.sampled_from([1, 2, 5, 9, 11, 12, 13, 14]), word=st.from_regex(r"zz[a-z]{3,8}", fullmatch=True))
def test_an_unknown_field_is_told_with_its_line(tmp_path: Path, at: int, word: str) -> None:
    lines = GOOD.splitlines()
    indent = len(lines[at - 1]) - len(lines[at - 1].lstrip(" -"))
    if at == 9:
        indent = 4
    lines.insert(at, f"{' ' * indent}{word}: 1")
    found = mistakes(tmp_path, "\n".join(lines) + "\n")
    assert (at + 1, f"unknown field '{word}'") in [(line, what) for line, what, _ in found]


def test_sound_entries_are_usable_beside_broken_ones(tmp_path: Path) -> None:
    path = tmp_path / "benchmark.yaml"
    path.write_text(GOOD.replace("pattern: Wing}", "pat: Wing}") + "- rule: V.2\n  name: x\n")
    spec, document, faults = usable(path)
    assert spec is not None
    assert [component.name for component in spec.designs[0].components] == ["hoop"]
    assert document.line(("designs", 0, "components", 0)) == 8
    assert [check.rule for check in spec.dimension] == ["V.1"]
    assert {fault.line for fault in faults} == {7, 15}


def test_the_schema_takes_what_the_models_take() -> None:
    import jsonschema

    schema = json_schema("spec")
    jsonschema.validate(yaml.safe_load((FORMULA / "benchmark.yaml").read_text()), schema)
    jsonschema.validate(yaml.safe_load(GOOD), schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(yaml.safe_load(GOOD.replace("rule: V.1", "rul: V.1")), schema)


@given(
    low=st.floats(-1e3, 1e3), width=st.floats(0.01, 1e3), value=st.floats(-1e4, 1e4), unit=st.sampled_from(["cm", "in"])
)
def test_a_limit_is_kept_alike_in_every_unit(low: float, width: float, value: float, unit: str) -> None:
    limit = Limit(comparator="range", value=(low, low + width), unit=unit)
    scale = {"cm": 10.0, "in": 25.4}[unit]
    if abs(limit.margin(value)) > 1e-6:
        assert limit.keeps(value) == limit.scaled().keeps(value * scale)
        assert limit.keeps(value) == (low <= value <= low + width)


def test_a_spec_survives_json() -> None:
    spec, _ = load_spec(FORMULA / "benchmark.yaml")
    assert Spec.model_validate(json.loads(spec.model_dump_json(by_alias=True))) == spec
