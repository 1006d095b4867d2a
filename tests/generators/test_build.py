"""`dqgen build`: the same bytes however it runs, and a line for each thing that goes wrong."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ..support import assert_one_line, dqgen
from .texts import FORMULA

SPEC = f"""name: Test rules
seed: 5
rulebook:
  file: {FORMULA / "rulebook.md"}
  sections: [V, S]
terms: {{list: [Jacking Bar, Seat], auto: 4}}
"""
MISCHIEF = """
import os, time
from dqgen.errors import SpecError
from dqgen.generators.draft import Draft, Generator, Task


def plan(spec, sources):
    kinds = ["good", "dies", "hangs", "refuses", "tells", "wrong", "better", "stumbles"]
    return [Task("mischief", key, {}, ("terms",), seconds=1) for key in kinds]


DONE = []


def run(task, spec, sources):
    if task.key == "dies" or (task.key == "stumbles" and DONE):
        os.abort()
    DONE.append(task)
    if task.key == "hangs":
        time.sleep(600)
    if task.key == "refuses":
        raise SpecError("the wing is off", mend="put it on")
    said = "seven" if task.key == "tells" else ""
    return [Draft(kind="mischief", key=task.key, prompt=f"How many, {task.key}? {said}", answer="seven")]


def prove(question, spec, sources):
    return "it is eight" if question.key == "wrong" else None


GENERATOR = Generator("mischief", 1, plan, run, prove, proves_at_once=True)
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    path = tmp_path / "benchmark.yaml"
    path.write_text(SPEC)
    return path


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_bytes_after_kills_and_with_one_or_two_jobs(spec: Path, tmp_path: Path) -> None:
    done = dqgen("build", spec, "-o", tmp_path / "a", "--jobs", "2", "--json")
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert summary["questions"]["compilation"] == 6
    assert summary["questions"]["retrieval"] > 100
    assert summary["failures"] == []
    for wait in (0.8, 1.5, 2.2):
        build = subprocess.Popen(
            [sys.executable, "-m", "dqgen", "build", str(spec), "-o", str(tmp_path / "b"), "--jobs", "1"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(wait)
        build.send_signal(signal.SIGKILL)
        build.wait()
    again = dqgen("build", spec, "-o", tmp_path / "b", "--jobs", "1")
    assert again.returncode == 0, again.stderr
    assert contents(tmp_path / "a") == contents(tmp_path / "b")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    third = json.loads(dqgen("build", spec, "-o", tmp_path / "b", "--json").stdout)
    assert third["reused"] == sum(summary["questions"].values())


def test_what_changes_is_made_again_and_nothing_else(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace(", auto: 4", ""))
    assert dqgen("build", spec, "-o", tmp_path / "a").returncode == 0
    spec.write_text(SPEC.replace("Seat], auto: 4", "Dashboard]").replace("seed: 5", "version: 1.1.0\nseed: 5"))
    done = json.loads(dqgen("build", spec, "-o", tmp_path / "a", "--json").stdout)
    assert done["version"] == "1.1.0"
    assert done["reused"] == sum(done["questions"].values()) - 1


def test_counts_limits_and_dry_runs(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC + "counts: {retrieval: 30, compilation: 0}\n")
    planned = json.loads(dqgen("build", spec, "-o", tmp_path / "a", "--dry-run", "--json").stdout)
    assert 30 <= planned["questions"]["retrieval"] < 100
    assert "compilation" not in planned["questions"]
    assert not (tmp_path / "a.work").exists()
    assert json.loads(dqgen("build", spec, "-o", tmp_path / "a", "--json").stdout)["questions"] == {"retrieval": 30}
    some = json.loads(dqgen("build", spec, "-o", tmp_path / "b", "--limit", "7", "--json").stdout)
    assert some["questions"] == {"retrieval": 7}
    assert some["version"] == "1.0.0+partial"
    assert_one_line(dqgen("build", spec, "-o", tmp_path / "c", "--only", "riddles"), 9, "no kind 'riddles'")


@pytest.fixture
def mischief(tmp_path: Path) -> dict[str, str]:
    """An environment with another package's maker of questions installed."""
    site = tmp_path / "site"
    info = site / "mischief-1.0.dist-info"
    info.mkdir(parents=True)
    (site / "mischief.py").write_text(MISCHIEF)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: mischief\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[dqgen.generators]\nmischief = mischief:GENERATOR\n")
    return {"PYTHONPATH": os.pathsep.join([str(site), os.environ.get("PYTHONPATH", "")])}


def test_each_failure_is_told_and_the_rest_is_safe(spec: Path, tmp_path: Path, mischief: dict[str, str]) -> None:
    arguments = ("build", spec, "-o", tmp_path / "a", "--only", "mischief", "--jobs", "2", "--timeout", "15")
    done = dqgen(*arguments, env=mischief)
    assert done.returncode == 10, done.stderr
    assert "Traceback" not in done.stderr
    told = done.stderr.splitlines()
    assert any("benchmark.yaml:6: dies: the process that makes it crashed (SIGABRT)" in line for line in told)
    assert any("benchmark.yaml:6: hangs: the process that makes it gave no answer in 15 s" in line for line in told)
    assert any("benchmark.yaml:6: refuses: the wing is off; put it on" in line for line in told)
    assert any("'tells' is left out: its prompt says 'seven'" in line for line in told)
    assert any("'wrong' is left out: it is eight" in line for line in told)
    assert any("'stumbles' was made twice: its process crashed (SIGABRT)" in line for line in told)
    assert told[-1] == "dqgen: 3 questions could not be made; the package holds the others"
    assert "+partial, 3 mischief" in done.stdout


def test_stop_ends_at_the_first_failure(spec: Path, tmp_path: Path, mischief: dict[str, str]) -> None:
    arguments = ("build", spec, "-o", tmp_path / "a", "--only", "mischief", "--jobs", "1", "--stop")
    assert_one_line(dqgen(*arguments, env=mischief), 10, "benchmark.yaml:6: ", "--keep-going")
    assert not (tmp_path / "a").exists()


def test_two_makers_of_one_kind(spec: Path, tmp_path: Path, mischief: dict[str, str]) -> None:
    info = tmp_path / "site" / "mischief-1.0.dist-info" / "entry_points.txt"
    info.write_text("[dqgen.generators]\nretrieval = mischief:GENERATOR\n")
    assert_one_line(dqgen("build", spec, "-o", tmp_path / "a", env=mischief), 5, "two makers of 'retrieval'")


def test_a_missing_rulebook(spec: Path, tmp_path: Path) -> None:
    spec.write_text(SPEC.replace("rulebook.md", "gone.md"))
    assert_one_line(dqgen("build", spec, "-o", tmp_path / "a"), 3, "benchmark.yaml:4: ", "gone.md", "cannot be read")
    assert not (tmp_path / "a").exists()
