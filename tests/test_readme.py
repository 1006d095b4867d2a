"""What README promises: its commands run, its pictures are what they make, CI runs its test command."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = [
    line for block in re.findall(r"```console\n(.*?)```", TEXT, re.S) for line in block.splitlines() if line.strip()
]
OURS = [line for line in COMMANDS if line.startswith("dqgen ")]


@pytest.mark.parametrize("line", OURS, ids=range(len(OURS)))
def test_commands_run_and_make_the_pictures(line: str, tmp_path: Path) -> None:
    words = [word.replace("docs/pictures/", f"{tmp_path}/") for word in shlex.split(line)[1:]]
    done = subprocess.run(
        [sys.executable, "-m", "dqgen", *words], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    for made in tmp_path.glob("*.png"):
        with Image.open(made) as new, Image.open(ROOT / "docs/pictures" / made.name) as old:
            assert new.size == old.size
            # Another driver may round differently along edges; another picture would differ by far more.
            difference = np.abs(
                np.asarray(new.convert("RGB"), dtype=float) - np.asarray(old.convert("RGB"), dtype=float)
            )
            assert difference.mean() < 1.0


SCRIPTS = re.findall(r"```sh\n(.*?)```", TEXT, re.S)


@pytest.mark.parametrize("script", SCRIPTS, ids=range(len(SCRIPTS)))
def test_scripts_run_line_by_line(script: str, tmp_path: Path) -> None:
    for line in script.splitlines():
        words = [word.replace("out/", f"{tmp_path}/") for word in shlex.split(line)]
        words = [f"{tmp_path}/{word}" if word == "replies.jsonl" else word for word in words]
        if words[:2] == ["dqgen", "build"]:
            words += ["--limit", "2"]  # the same command on fewer questions
        done = subprocess.run(
            [sys.executable, "-m", *words], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
        )
        assert done.returncode == 0, done.stderr


def test_its_first_picture_stands_over_the_command_that_makes_it() -> None:
    picture = re.search(r"!\[[^\]]*\]\(([^)]+)\)", TEXT)
    assert picture is not None
    assert f"-o {picture[1]}" in COMMANDS[0]


def test_pictures_are_there() -> None:
    for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT):
        assert (ROOT / name).is_file(), name


def test_ci_runs_its_test_command() -> None:
    assert "pip install '.[test]' && pytest" in COMMANDS
    assert "pip install '.[test]' && pytest" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
