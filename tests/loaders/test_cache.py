"""The store of loaded designs: hits without the kernel, corruption, bounds, folders that cannot be written."""

import os
import shutil
from pathlib import Path

import pytest

from dqgen.loaders import cache, sandbox
from dqgen.loaders.load import LoadOptions, load
from tests.loaders.test_archive import same


@pytest.fixture
def own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of the test's own."""
    folder = tmp_path / "own cache"
    monkeypatch.setenv("DQGEN_CACHE", str(folder))
    return folder


@pytest.fixture
def no_children(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on no loader may run."""

    def refuse(*_: object, **__: object) -> None:
        pytest.fail("a loader was started although the design is cached")

    monkeypatch.setattr(sandbox, "run", refuse)


def entries(folder: Path) -> list[Path]:
    return sorted(folder.glob("*" + cache.SUFFIX))


def test_a_second_load_starts_no_loader(own: Path, models: Path, request: pytest.FixtureRequest) -> None:
    first = load(models / "block.stl", LoadOptions())
    request.getfixturevalue("no_children")
    assert same(load(models / "block.stl", LoadOptions()), first)
    assert [path.name for path in own.iterdir()] == [entries(own)[0].name]  # nothing half-done beside it


def test_a_changed_file_is_another_entry(own: Path, models: Path, tmp_path: Path) -> None:
    shutil.copy(models / "block.stl", tmp_path / "part.stl")
    before = load(tmp_path / "part.stl", LoadOptions())
    shutil.copy(models / "cylinder.stl", tmp_path / "part.stl")
    after = load(tmp_path / "part.stl", LoadOptions())
    assert len(entries(own)) == 2
    assert before.source.sha256 != after.source.sha256


def test_a_changed_reference_is_another_entry(own: Path, tmp_path: Path, models: Path) -> None:
    data = (models / "block.step").read_bytes()
    reference = b"#9000=DOCUMENT_FILE('child.stp','','',$,'','');\n"
    (tmp_path / "root.stp").write_bytes(data.replace(b"ENDSEC;\nEND-ISO", reference + b"ENDSEC;\nEND-ISO"))
    shutil.copy(models / "disc.step", tmp_path / "child.stp")
    load(tmp_path / "root.stp", LoadOptions())
    shutil.copy(models / "ring.step", tmp_path / "child.stp")
    load(tmp_path / "root.stp", LoadOptions())
    assert len(entries(own)) == 2


def test_units_do_not_share_an_entry(own: Path, models: Path) -> None:
    for unit in ("mm", "inch", "mm"):
        load(models / "block.stl", LoadOptions(unit=unit))
    assert len(entries(own)) == 2


@pytest.mark.parametrize("damage", [b"", b"garbage", None])
def test_a_corrupt_entry_is_rebuilt(own: Path, models: Path, damage: bytes | None) -> None:
    first = load(models / "block.stl", LoadOptions())
    (entry,) = entries(own)
    whole = entry.read_bytes()
    entry.write_bytes(whole[:-1] + b"\xff" if damage is None else damage)
    assert same(load(models / "block.stl", LoadOptions()), first)
    assert entry.read_bytes() == whole


def test_the_least_recently_used_go_first(own: Path, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = []
    for age, unit in enumerate(("mm", "cm", "inch")):
        load(models / "block.stl", LoadOptions(unit=unit))
        (new,) = set(entries(own)) - set(kept)
        kept.append(new)
        os.utime(new, (1000 + age, 1000 + age))
    load(models / "block.stl", LoadOptions(unit="mm"))  # used again: now the youngest
    half = 1 << 19
    for path in kept:
        path.write_bytes(path.read_bytes().ljust(half, b"\0"))
    stamps = {kept[0]: 3000, kept[1]: 1000, kept[2]: 2000}
    for path, stamp in stamps.items():
        os.utime(path, (stamp, stamp))
    monkeypatch.setenv("DQGEN_CACHE_MB", "1")
    load(models / "block.stl", LoadOptions(unit="metre"))
    left = set(entries(own))
    assert kept[1] not in left
    assert kept[0] in left
    assert cache.info().bytes <= 1 << 20


def test_using_an_entry_makes_it_young(own: Path, models: Path) -> None:
    load(models / "block.stl", LoadOptions())
    (entry,) = entries(own)
    os.utime(entry, (1000, 1000))
    load(models / "block.stl", LoadOptions())
    assert entry.stat().st_mtime > 1000


def test_clear_and_info(own: Path, models: Path) -> None:
    assert cache.info().entries == 0
    load(models / "block.stl", LoadOptions())
    (own / "load-killed").mkdir()
    (own / "load-killed" / "design").write_bytes(b"half")
    (own / "not ours").write_text("kept")
    state = cache.info()
    assert (state.folder, state.entries, state.bytes) == (own, 1, entries(own)[0].stat().st_size)
    assert cache.clear() == 1
    assert [path.name for path in own.iterdir()] == ["not ours"]


def test_a_cache_that_cannot_be_made_does_no_harm(
    models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("DQGEN_CACHE", str(tmp_path / "file" / "cache"))
    assert len(load(models / "block.stl", LoadOptions()).solids) == 1
    assert cache.info().entries == 0
    assert cache.clear() == 0


def test_keys_depend_on_every_part_and_not_on_their_order() -> None:
    assert cache.key(a=1, b=2) == cache.key(b=2, a=1)
    assert cache.key(a=1, b=2) != cache.key(a=2, b=2)
