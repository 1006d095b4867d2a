"""The commands: output for people and machines, one-line errors, nothing half-written."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.scorer.packages import RIGHT, write_replies


def dqgen(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "dqgen", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_score_prints_a_table_and_json(package: Path, right: Path) -> None:
    done = dqgen("score", package, right, "--resamples", "99")
    assert done.returncode == 0, done.stderr
    assert "Open Formula 1.0.0, profile robust" in done.stdout
    assert "overall: mean of 7 of 7 subsets" in done.stdout
    report = json.loads(dqgen("score", package, right, "--json", "--resamples", "99").stdout)
    assert report["subsets"]["presence"]["score"] == 1
    assert report["subsets"]["presence"]["by"]["mentions"]["definition"]["score"] == 1
    assert {"bleu2", "rouge_l", "similarity"} <= set(report["subsets"]["dimension"])
    assert report["format"] == "dqgen-report/1"


def test_score_writes_a_row_a_question(package: Path, right: Path, tmp_path: Path) -> None:
    path = tmp_path / "items.jsonl"
    assert dqgen("score", package, right, "--items", path).returncode == 0
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    assert {row["id"] for row in rows} == set(RIGHT)
    assert next(row for row in rows if row["id"] == "n1")["read"] == "1549.4 mm"


def test_score_and_compare_on_the_public_form(tmp_path: Path) -> None:
    for name, replies in {"a": ("Yes", "Answer: no"), "b": ("There is no doubt: yes", "yes")}.items():
        rows = [
            f"q{n},{truth},mentioned,{reply}"
            for n, (truth, reply) in enumerate(zip(("yes", "no"), replies, strict=True))
        ]
        (tmp_path / f"{name}.csv").write_text("\n".join(["question,ground_truth,mentions,model_prediction", *rows]))
    done = dqgen("score", "--designqa", f"presence={tmp_path / 'b.csv'}", "--diff")
    assert done.returncode == 0, done.stderr
    assert "the profiles differ on 1 questions" in done.stdout
    assert "official reads 'no'" in done.stdout
    for name in "ab":
        path = tmp_path / f"{name}.jsonl"
        assert dqgen("score", "--designqa", f"presence={tmp_path / f'{name}.csv'}", "--items", path).returncode == 0
    plot = tmp_path / "plot.svg"
    done = dqgen("compare", tmp_path / "a.jsonl", f"other={tmp_path / 'b.jsonl'}", "--plot", plot)
    assert done.returncode == 0, done.stderr
    assert "other - a" in done.stdout
    assert plot.read_text().startswith("<?xml")
    found = json.loads(dqgen("compare", tmp_path / "a.jsonl", tmp_path / "b.jsonl", "--json").stdout)
    assert found["pairs"][0]["difference"] == -0.5


def test_compare_on_a_package(package: Path, right: Path, tmp_path: Path) -> None:
    wrong = write_replies(tmp_path / "wrong.jsonl", {**RIGHT, "p1": "no", "p2": "yes"})
    found = json.loads(dqgen("compare", right, wrong, "--package", package, "--json").stdout)
    presence = next(pair for pair in found["pairs"] if pair["scope"] == "presence")
    assert presence["difference"] == pytest.approx(-2 / 3)
    assert presence["clusters"] == 2
    assert found["benchmark"] == "Open Formula 1.0.0"


def test_baseline(package: Path, tmp_path: Path) -> None:
    path = tmp_path / "naive.jsonl"
    done = dqgen("baseline", "naive", package, "--repeats", "3", "--write", path)
    assert done.returncode == 0, done.stderr
    assert "naive baseline, profile robust, 3 repeats" in done.stdout
    assert dqgen("score", package, path).returncode == 0
    report = json.loads(dqgen("baseline", "naive", package, "--json").stdout)
    assert report["repeats"] == 20


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["score"], 2, "a package and a file of predictions are needed"),
        (["score", "--designqa"], 2, "no file given"),
        (["score", "--designqa", "poems=x.csv"], 2, "no subset 'poems'"),
        (["score", "--designqa", "presence=none.csv"], 7, "none.csv: no such file"),
        (["score", "nowhere", "none.csv"], 7, "no package here"),
        (["score", "--profile", "x", "a", "b"], 2, "'x' is not one of"),
        (["compare", "one.jsonl"], 7, "no such file"),
        (["baseline", "naive"], 2, "one of PACKAGE and --designqa-data is needed"),
        (["baseline", "naive", "--designqa-data", "nowhere"], 7, "no such folder"),
    ],
)
def test_mistakes_are_one_line(arguments: list[str], code: int, message: str) -> None:
    done = dqgen(*arguments)
    assert done.returncode == code
    assert message in done.stderr
    assert done.stderr.count("\n") == 1
    assert done.stdout == ""


def test_items_that_cannot_be_written_leave_nothing(package: Path, right: Path, tmp_path: Path) -> None:
    done = dqgen("score", package, right, "--items", tmp_path / "none" / "items.jsonl")
    assert done.returncode == 7
    assert "cannot be written" in done.stderr
    assert done.stdout == ""
    assert not (tmp_path / "none").exists()


HEAVY = {"numpy", "scipy", "pandas", "pyarrow", "OCP", "cadquery", "vtk", "trimesh", "torch", "matplotlib", "fitz"}


def test_the_scorer_imports_no_heavy_library_and_no_other_part() -> None:
    code = "import sys, dqgen.scorer; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=60)
    loaded = set(done.stdout.split())
    assert not loaded & HEAVY
    assert {name.split(".")[1] for name in loaded if name.startswith("dqgen.")} <= {"scorer", "schemas", "errors"}
