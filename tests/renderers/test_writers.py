"""Pictures and sidecars: whole or not at all."""

import os
from pathlib import Path

import pytest
from PIL import Image

from dqgen.errors import RenderError
from dqgen.renderers.writers import sidecar_of, whole, write_json, write_png
from dqgen.schemas.render import Highlight


def test_a_picture_and_a_model_are_written(tmp_path: Path) -> None:
    write_png(Image.new("RGB", (4, 3), (1, 2, 3)), tmp_path / "new" / "a.png")
    write_json(Highlight(pattern="車*"), tmp_path / "new" / "a.json")
    with Image.open(tmp_path / "new" / "a.png") as picture:
        assert (picture.size, picture.getpixel((0, 0)), picture.info) == ((4, 3), (1, 2, 3), {})
    text = (tmp_path / "new" / "a.json").read_text(encoding="utf-8")
    assert Highlight.model_validate_json(text).pattern == "車*"
    assert {path.name for path in (tmp_path / "new").iterdir()} == {"a.png", "a.json"}


def test_permissions_follow_the_umask(tmp_path: Path) -> None:
    write_json(Highlight(pattern="*"), tmp_path / "a.json")
    mask = os.umask(0)
    os.umask(mask)
    assert (tmp_path / "a.json").stat().st_mode & 0o777 == 0o666 & ~mask


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_a_write_that_breaks_off_leaves_the_old_file_and_no_part(tmp_path: Path, error: BaseException) -> None:
    target = tmp_path / "a.json"
    target.write_text("old")

    def breaks(part: str) -> None:
        Path(part).write_text("half")
        raise error

    with pytest.raises((RenderError, KeyboardInterrupt)) as caught:
        whole(target, breaks)
    if isinstance(error, OSError):
        assert "No space left on device" in str(caught.value)
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert target.read_text() == "old"


def test_a_place_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(RenderError, match="cannot be written"):
        whole(tmp_path / "file" / "a.png", lambda part: None)
    (tmp_path / "folder.png").mkdir()
    with pytest.raises(RenderError, match="cannot be written"):
        whole(tmp_path / "folder.png", lambda part: Path(part).write_text("x"))
    assert {path.name for path in tmp_path.iterdir()} == {"file", "folder.png"}


@pytest.mark.parametrize("text", ["{}", '{"name": "my settings"}', "[1, 2]", "not even JSON"])
def test_a_file_that_is_no_evidence_is_not_overwritten(tmp_path: Path, text: str) -> None:
    (tmp_path / "part.json").write_text(text)
    with pytest.raises(RenderError, match="not the evidence of a picture"):
        sidecar_of(tmp_path / "part.png")


def test_evidence_may_be_written_again(tmp_path: Path) -> None:
    assert sidecar_of(tmp_path / "part.png") == tmp_path / "part.json"
    (tmp_path / "part.json").write_text('{"picture": "part.png", "renderer": "dqgen 1.0"}')
    assert sidecar_of(tmp_path / "part.png") == tmp_path / "part.json"
