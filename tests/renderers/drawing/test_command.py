"""`dqgen render --view drawing` and `dqgen lint`, as users call them."""

import json
from pathlib import Path

import pytest

from dqgen.samples import sample
from tests.support import assert_one_line, dqgen, everything


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("drawings")
    done = dqgen("render", sample("bracket"), "--view", "drawing", "--format", "png,svg,pdf,dxf", "-o", f"{out}/")
    assert done.returncode == 0, done.stderr
    return out


def test_every_format_and_one_evidence_are_written(folder: Path) -> None:
    kinds = ("png", "svg", "pdf", "dxf", "json")
    assert everything(folder) == {f"bracket.drawing.{kind}" for kind in kinds}
    evidence = json.loads((folder / "bracket.drawing.json").read_text())
    assert evidence["picture"] == "bracket.drawing.png"
    assert evidence["drawing"]["forced"] is False


def test_lint_reads_the_evidence_again(folder: Path, tmp_path: Path) -> None:
    path = folder / "bracket.drawing.json"
    done = dqgen("lint", path)
    assert (done.returncode, done.stderr) == (0, "")
    evidence = json.loads(path.read_text())
    evidence["drawing"]["dimensions"][0]["value"] += 1
    broken = tmp_path / "broken.json"
    broken.write_text(json.dumps(evidence))
    done = dqgen("lint", broken, "--json")
    assert done.returncode == 8
    assert "value" in {finding["rule"] for finding in json.loads(done.stdout)[str(broken)]}


def test_lint_of_something_else_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("{}")
    assert_one_line(dqgen("lint", tmp_path / "x.json"), 3, "no evidence")
    assert_one_line(dqgen("lint", tmp_path / "gone.json"), 3, "gone.json")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--view", "front", "--sheet", "A3"], ["--sheet", "--view drawing"]),
        (["--view", "drawing", "--format", "gif"], ["'gif' is no format"]),
        (["--view", "drawing", "--dimension", "width"], ["width"]),
        (["--view", "drawing", "--scale-bar", "long"], ["'long' is no length"]),
        (["--view", "drawing", "--scale-bar", "1e9"], ["longer than the picture"]),
        (["--view", "drawing", "--from", "inside"], ["unknown view 'inside'"]),
        (["--view", "drawing", "--title", "漢"], ["no glyph"]),
        (["--view", "drawing", "--context", "--format", "pdf"], ["PNG"]),
    ],
)
def test_bad_use_is_answered_in_one_line(tmp_path: Path, arguments: list[str], words: list[str]) -> None:
    done = dqgen("render", sample("bracket"), *arguments, cwd=tmp_path)
    assert done.returncode in (2, 4)
    assert_one_line(done, done.returncode, *words)
    assert everything(tmp_path) == set()


@pytest.mark.parametrize("view", ["left", "right", "bottom"])
def test_the_views_below_a_drawing_hold_its_own(tmp_path: Path, view: str) -> None:
    picture = tmp_path / "bracket.png"
    options = ["--view", "drawing", "--from", view, "--scale-bar", "50", "--context", "-o", picture]
    assert dqgen("render", sample("bracket"), *options).returncode == 0
    drawn, *below = json.loads(picture.with_suffix(".json").read_text())["views"]
    assert drawn["view"] == view
    assert len(below) == 6
    assert view in [one["view"] for one in below]
