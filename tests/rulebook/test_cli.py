"""The commands, as a user calls them."""

import csv
import json
from pathlib import Path

import jsonschema
import pytest

from dqgen.cli import run
from dqgen.cli.rulebook import command
from dqgen.schemas.rulebook import Edge, Rule, Rulebook, Term
from tests.rulebook.conftest import CART
from tests.rulebook.sheets import PROSE, Sheet, flowing, wrap


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "cart.md"
    path.write_text(CART, encoding="utf-8")
    return path


def _json(capsys: pytest.CaptureFixture[str], *arguments: object) -> object:
    assert run(["rulebook", *map(str, arguments), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_parse_writes_what_its_schema_says(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "rules.jsonl"
    assert run(["rulebook", "parse", str(file), "-o", str(out)]) == 0
    assert "numbered like T.1.1.1" in capsys.readouterr().out
    rows = [json.loads(line) for line in out.read_text().splitlines()]
    for row in rows:
        jsonschema.validate(row, Rule.model_json_schema())
    whole = tmp_path / "rules.json"
    assert run(["rulebook", "parse", str(file), "-o", str(whole)]) == 0
    jsonschema.validate(json.loads(whole.read_text()), Rulebook.model_json_schema())
    assert json.loads(whole.read_text())["rules"] == rows
    table = tmp_path / "rules.csv"
    assert run(["rulebook", "parse", str(file), "-o", str(table)]) == 0
    assert [row["id"] for row in csv.DictReader(table.open(newline=""))] == [row["id"] for row in rows]


def test_parse_twice_gives_the_same_bytes(file: Path, tmp_path: Path) -> None:
    for name in ("a.json", "b.json"):
        run(["rulebook", "parse", str(file), "-o", str(tmp_path / name)])
    assert (tmp_path / "a.json").read_bytes() == (tmp_path / "b.json").read_bytes()


def test_json_of_every_command(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.validate(_json(capsys, "parse", file), Rulebook.model_json_schema())
    found = _json(capsys, "check", file)
    assert isinstance(found, dict)
    assert [problem["code"] for problem in found["problems"]] == ["unresolved"]
    rules = _json(capsys, "show", file, "T.1.1.2")
    assert isinstance(rules, list)
    jsonschema.validate(rules[0], Rule.model_json_schema())
    limits = _json(capsys, "limits", file)
    assert isinstance(limits, list)
    assert {row["rule"]: row["value"] for row in limits}["T.2.2"] == 15
    for row in _json(capsys, "refs", file):  # type: ignore[attr-defined]
        jsonschema.validate(row, Edge.model_json_schema())
    for row in _json(capsys, "terms", file):  # type: ignore[attr-defined]
        jsonschema.validate(row, Term.model_json_schema())
    about = _json(capsys, "terms", file, "--about", "Brake Light")
    assert isinstance(about, dict)
    assert (about["mention"], about["method"]) == ("definition", "strict")
    profile = _json(capsys, "profile", file)
    assert isinstance(profile, dict)
    assert profile["separator"] == "."


def test_check_is_strict_on_request(file: Path) -> None:
    assert run(["rulebook", "check", str(file)]) == 0
    assert run(["rulebook", "check", str(file), "--strict"]) == 1


@pytest.mark.parametrize(
    ("pages", "code"),
    [
        ([["Cart Rules", "Edition of 2031", "The Cart Club"]], 0),
        ([["Change Log", *PROSE * 5], PROSE * 5], 0),  # goes on to a second page
        ([["Cart Rules"], PROSE * 5], 1),
    ],
)
def test_front_matter_is_no_problem(tmp_path: Path, pages: list[list[str]], code: int) -> None:
    sheet = Sheet()
    for front in pages:
        page = sheet.page()
        lines = front[:3] if len(front) < 9 else [front[0], *wrap(" ".join(front[1:]), 400)]
        for n, line in enumerate(lines):
            sheet.write(page, 72, 80 + 12 * n, line)
    page = sheet.page()
    for n in range(1, 9):
        sheet.write(page, 72, 80 + 20 * n, f"A1.{n} The frame of the cart must be made of {n} tubes.")
    path = sheet.save(tmp_path / "a.pdf")
    assert run(["rulebook", "check", str(path), "--strict"]) == code


def test_show_items_children_and_the_unknown(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "show", str(file), "T.1.2.1.b"]) == 0
    assert "b. B | 1.2 mm | 25 mm" in capsys.readouterr().out
    assert run(["rulebook", "show", str(file), "t.1.1", "--children"]) == 0
    assert "T.1.1.3" in capsys.readouterr().out
    assert run(["rulebook", "show", str(file), "T.1.9"]) == 6
    assert "has no rule T.1.9; near it are" in capsys.readouterr().err


def test_show_writes_the_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = flowing(tmp_path / "a.pdf", [(f"A1.{n}", "The cart must be fit for use.") for n in range(1, 9)])
    out = tmp_path / "page.png"
    assert run(["rulebook", "show", str(path), "A1.2", "--page-image", str(out)]) == 0
    assert out.read_bytes().startswith(b"\x89PNG")
    assert run(["rulebook", "show", str(path), "A1.2", "--page-image", str(tmp_path / "x.jpg")]) == 2
    assert "ends in .png" in capsys.readouterr().err


def test_plain_listings(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, said in [
        ("limits", "T.1.1.2.b  maximum 900 mm"),
        ("refs", "T.1.1.3 -> T.9.9  (not found)"),
        ("terms", "GFD = Ground Fault Detector  [acronym]"),
        ("profile", "separator: .  # Normal form"),
    ]:
        assert run(["rulebook", name, str(file)]) == 0
        assert said in capsys.readouterr().out


def test_wrong_calls(file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["rulebook", "parse", str(file), "-o", str(tmp_path / "x.xlsx")]) == 2
    assert run(["rulebook", "parse", str(tmp_path / "none.pdf")]) == 3
    assert run(["rulebook", "parse", str(file), "--profile", "none"]) == 6
    assert run(["rulebook", "terms", str(file), "--about", "/"]) == 2
    lines = capsys.readouterr().err.strip().split("\n")
    assert len(lines) == 4
    assert all(line.startswith("dqgen: ") for line in lines)


def test_every_command_has_an_example() -> None:
    for name, sub in command.commands.items():  # type: ignore[attr-defined]
        assert f"Example:\n  dqgen rulebook {name} " in (sub.epilog or "")
