"""`dqgen render` on sheets: names, batches, refusals."""

import json
from pathlib import Path

import pytest

from dqgen.cli import run
from tests import sheet_files


@pytest.fixture(scope="module")
def drawing(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workshop drawing as a file."""
    path = tmp_path_factory.mktemp("sheet") / "workshop.dxf"
    sheet_files.workshop().saveas(path)
    return path


def test_models_and_sheets_in_one_batch(
    drawing: Path, models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [drawing, models / "block.step", tmp_path / "missing.dxf"]
    assert run(["render", *map(str, files), "-o", f"{tmp_path}/", "--size", "300", "--json"]) == 3
    report = json.loads(capsys.readouterr().out)
    assert [entry["file"] for entry in report] == [str(file) for file in files]
    assert report[0]["pages"][0]["name"] == "Model"
    assert report[1]["views"]
    assert "no such file" in report[2]["error"]
    assert (tmp_path / "workshop.png").is_file()
    assert (tmp_path / "workshop.json").is_file()
    assert (tmp_path / "block.multiview.png").is_file()


def test_pages_and_formats_are_named(drawing: Path, tmp_path: Path) -> None:
    target = tmp_path / "part.v2.svg"
    assert run(["render", str(drawing), "--page", "all", "--roi", "0%,0%,50%,50%", "-o", str(target)]) == 0
    names = {path.name for path in tmp_path.iterdir()}
    assert names == {f"part.v2.page{page}.{suffix}" for page in (1, 2) for suffix in ("svg", "json")}


def test_an_equals_sign_may_belong_to_the_text(drawing: Path, tmp_path: Path) -> None:
    target = tmp_path / "x.png"
    assert run(["render", str(drawing), "--highlight", "H = 100", "--highlight", "FIT=blue", "-o", str(target)]) == 0
    evidence = json.loads(target.with_suffix(".json").read_text())
    assert {text["text"] for text in evidence["texts"] if text["highlighted"]} == {"H = 100", "FIT"}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--view", "iso"], "--view goes with models"),
        (["--dimension", "x"], "--dimension goes with models"),
        (["--up", "z"], "--up goes with models"),
        (["--page", "0"], "is no page"),
        (["--page", "1", "--layout", "Model"], "both name a page"),
        (["--roi", "1,2,3"], "is no region"),
        (["--roi", "1,2,3,nan"], "is no region"),
        (["--ppi", "5"], "--ppi"),
        (["--format", "dxf"], "is no format of sheets"),
        (["-o", "x.dxf"], "pictures are written as"),
        (["--layers", ","], "no layer is named"),
        (["--layout", "nowhere"], "no page is named"),
    ],
)
def test_what_makes_no_sense_is_refused(
    drawing: Path, arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["render", str(drawing), *arguments]) == 2
    error = capsys.readouterr().err
    assert told in error
    assert len(error.splitlines()) == 1


def test_sheet_options_do_not_go_with_models(models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["render", str(models / "block.step"), "--page", "1"]) == 2
    assert "--page goes with sheets" in capsys.readouterr().err


def test_a_drawing_is_no_model(drawing: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["features", str(drawing)]) == 3
    assert "is a drawing (DXF), not a model" in capsys.readouterr().err
