"""Results on disk: whole or not there, and the same when they come back."""

import errno
from pathlib import Path
from typing import Any

import pytest

from dqgen.errors import BuildError
from dqgen.generators.draft import Draft, Picture
from dqgen.generators.store import Store

DRAFTS = [
    Draft(
        kind="presence",
        key=f"presence/{at}",
        prompt="Is it «there»?",
        answer="yes",
        synonyms=("a", "b"),
        tags={"view": "top"},
        pictures=(Picture(b"\x89PNG" + bytes([at]) * 100, {"views": [1, 2]}),),
        contexts={"whole": "text\r\nof rules", "empty": ""},
        proof={"method": "pixels"},
        needs=("V.1",),
    )
    for at in range(3)
]


@pytest.fixture
def store(tmp_path: Path) -> Store:
    made = Store(tmp_path / "out.work")
    made.save("d1", DRAFTS, [("presence/9", "does not show")])
    return made


def test_what_is_kept_comes_back(store: Store) -> None:
    result = store.result("d1")
    assert result is not None
    assert result.faults == (("presence/9", "does not show"),)
    assert [*store.drafts(result.entries)] == DRAFTS
    assert store.result("d2") is None


@pytest.mark.parametrize("kind", ["tasks", "pictures", "texts"])
@pytest.mark.parametrize("damage", ["gone", "cut"])
def test_a_damaged_result_is_none(store: Store, kind: str, damage: str) -> None:
    files = sorted((store.folder / kind).iterdir(), key=lambda path: -path.stat().st_size)
    if damage == "gone" or kind == "texts":
        files[0].unlink()
    else:
        files[0].write_bytes(files[0].read_bytes()[:-9])
    assert store.result("d1") is None
    store.save("d1", DRAFTS)
    assert store.result("d1") is not None


def test_leftovers_and_other_results_go(store: Store) -> None:
    store.save("d2", [DRAFTS[0]])
    part = store.folder / "pictures" / ".x.123.part"
    part.write_bytes(b"half")
    with store.locked():
        assert not part.exists()
        store.prune({"d2"})
    assert store.result("d1") is None
    assert store.result("d2") is not None
    assert len([*(store.folder / "pictures").iterdir()]) == 1


def test_two_builds_do_not_share_a_folder(store: Store) -> None:
    with store.locked(), pytest.raises(BuildError, match="another build is at work"), Store(store.folder).locked():
        pass


def test_a_folder_with_other_things_is_not_emptied(store: Store) -> None:
    (store.folder / "thesis.txt").write_text("years of work")
    with pytest.raises(BuildError, match="holds other things"):
        store.clear()
    assert (store.folder / "thesis.txt").exists()


def test_a_full_disk_is_one_clear_line(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(self: Path, data: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(BuildError) as told:
        store.save("d3", [Draft(kind="presence", key="x", prompt="?", answer="no", contexts={"whole": "new"})])
    assert "the disk is full" in str(told.value)
    monkeypatch.undo()
    assert store.result("d3") is None
    assert not [path for path in store.folder.rglob("*") if path.name.endswith(".part")]
