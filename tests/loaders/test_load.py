"""`load`: formats by content, options, the retry ladder, files that are none."""

import dataclasses
import os
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from dqgen.errors import LoadError, UsageError
from dqgen.geometry.transforms import UP_TURNS
from dqgen.loaders import formats as formats_module
from dqgen.loaders.formats import identify
from dqgen.loaders.load import LoadOptions, load
from dqgen.loaders.sandbox import Limits
from tests.conftest import Loader

TARGETS = "tests.loaders.sandbox_targets:"


@pytest.mark.parametrize(
    ("file", "kind"),
    [
        ("block.step", "step"),
        ("block.stl", "stl"),
        ("block.ascii.stl", "stl"),
        ("block.obj", "obj"),
        ("block.3mf", "3mf"),
        ("block.glb", "glb"),
    ],
)
def test_formats_are_known(models: Path, file: str, kind: str) -> None:
    assert identify(models / file).name == kind


@pytest.mark.parametrize(("file", "kind"), [("block.step", "step"), ("block.glb", "glb"), ("block.3mf", "3mf")])
def test_content_counts_for_more_than_the_suffix(models: Path, tmp_path: Path, file: str, kind: str) -> None:
    shutil.copy(models / file, tmp_path / "misnamed.stl")
    assert identify(tmp_path / "misnamed.stl").name == kind


@pytest.mark.parametrize("content", [b"\xef\xbb\xbfISO-10303-21;", b"\r\n  ISO-10303-21;"])
def test_step_files_with_a_byte_order_mark_or_blank_lines(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "odd.stp").write_bytes(content)
    assert identify(tmp_path / "odd.stp").name == "step"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("zero.step", b"", "is empty"),
        ("zero.stl", b"", "is empty"),
        ("text.step", b"Dear all,\nplease find the model attached.\n", "does not begin with ISO-10303-21"),
        ("notes.txt", b"Dear all\n", "no kind that can be loaded"),
        ("random.stl", bytes(range(256)) * 8, ""),
        ("short.stl", b"solid x\n facet normal 0 0", ""),
        ("bad.obj", b"v 1 2\nf 1 2 3\n", ""),
        ("bad.3mf", b"PK\3\4 nonsense", ""),
        ("bad.glb", b"glTF nonsense", ""),
        ("nan.obj", b"v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", ""),
        ("flat.obj", b"v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n", "holds no triangles with an area"),
    ],
)
def test_files_that_hold_nothing_are_refused_in_one_line(tmp_path: Path, name: str, content: bytes, words: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(LoadError) as caught:
        load(tmp_path / name, LoadOptions())
    assert words in str(caught.value)
    assert "\n" not in str(caught.value)
    assert name in str(caught.value)


def test_a_missing_file_and_a_folder(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        load(tmp_path / "none.step", LoadOptions())
    with pytest.raises(LoadError, match="is a folder"):
        load(tmp_path, LoadOptions())


def test_a_file_that_may_not_be_read(models: Path, tmp_path: Path) -> None:
    shutil.copy(models / "block.step", tmp_path / "secret.step")
    (tmp_path / "secret.step").chmod(0)
    (tmp_path / "sub").mkdir()
    code = (
        "import os, sys; from pathlib import Path; from dqgen.loaders.load import *\n"
        "if os.geteuid() == 0: os.seteuid(65534)\n"  # root may read anything
        "try: load(Path(sys.argv[1]), LoadOptions())\n"
        "except LoadError as error: print(error)"
    )
    for folder in (tmp_path, *list(tmp_path.parents)[:2]):
        folder.chmod(folder.stat().st_mode | 0o055)
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path / "secret.step"], capture_output=True, text=True, check=True
    )
    assert "cannot be read (Permission denied)" in done.stdout


@pytest.mark.parametrize(
    ("option", "words"), [(LoadOptions(unit="furlong"), "unknown unit"), (LoadOptions(up="w"), "unknown axis")]
)
def test_unknown_options_are_named(models: Path, option: LoadOptions, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        load(models / "block.stl", option)


def test_a_unit_scales_formats_that_carry_none(design: Loader) -> None:
    for unit, factor in (("inch", 25.4), ("cm", 10), ("Metre", 1000), ("mm", 1)):
        low, high = design("block.stl", unit=unit).bounds
        assert high - low == pytest.approx([30 * factor, 20 * factor, 10 * factor])


def test_an_assumed_unit_is_said_aloud(design: Loader) -> None:
    assert any("millimetres assumed" in warning for warning in design("block.stl").warnings)
    assert not any("assumed" in warning for warning in design("block.stl", unit="mm").warnings)


def test_a_unit_does_not_overrule_the_files_own(design: Loader) -> None:
    read = design("block.step", unit="inch")
    assert read.bounds[1] - read.bounds[0] == pytest.approx([30, 20, 10])
    assert any("--unit is not used" in warning for warning in read.warnings)


@pytest.mark.parametrize("up", UP_TURNS)
def test_the_files_up_axis_becomes_z(design: Loader, up: str) -> None:
    turn = UP_TURNS[up][:3, :3]
    assert np.linalg.det(turn) == pytest.approx(1)
    assert turn @ turn.T == pytest.approx(np.eye(3))
    axis = np.eye(3)["xyz".index(up[-1])] * (-1 if up.startswith("-") else 1)
    assert turn @ axis == pytest.approx([0, 0, 1])
    read = design("block.step", up=up)
    turned = turn @ np.array([[0, 0, 0], [30, 20, 10]]).T
    assert read.bounds == pytest.approx(np.sort(turned, axis=1).T)
    assert read.source.up == up


def test_the_same_block_from_every_format(design: Loader) -> None:
    for file in ("block.step", "block.stl", "block.ascii.stl", "block.obj", "block.3mf"):
        read = design(file)
        assert read.bounds == pytest.approx(np.array([[0, 0, 0], [30, 20, 10]])), file
        (solid,) = read.solids
        assert (solid.bodies, len(solid.faces)) == (1, 6)
        assert solid.volume == pytest.approx(6000, rel=1e-5)
    (glb,) = design("block.glb", up="z").solids  # the format's unit is the metre
    assert glb.volume == pytest.approx(6000e9, rel=1e-5)


def ladder(monkeypatch: pytest.MonkeyPatch, target: str, *rungs: str) -> None:
    """Make a loader of a test's own answer for STL files."""
    formats = tuple(
        dataclasses.replace(format_, target=TARGETS + target, rungs=rungs) if format_.name == "stl" else format_
        for format_ in formats_module.FORMATS
    )
    monkeypatch.setattr(formats_module, "FORMATS", formats)


def file(folder: Path) -> Path:
    path = folder / "strange.stl"
    path.write_bytes(os.urandom(200))  # never seen before by the cache
    return path


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("segfault_load", r"one crashed \(SIGSEGV\), then two crashed"),
        ("hang_load", "loaded: one gave no answer in 1 s; export"),
    ],
)
def test_a_loader_that_dies_on_every_rung_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, target: str, words: str
) -> None:
    ladder(monkeypatch, target, "one", "two")
    seconds = 1 if target == "hang_load" else 60
    with pytest.raises(LoadError, match=words) as caught:
        load(file(tmp_path), LoadOptions(limits=Limits(seconds=seconds)))
    assert "\n" not in str(caught.value)


def test_a_loader_that_eats_memory_is_one_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ladder(monkeypatch, "eat_load", "one")
    with pytest.raises(LoadError, match="needs more memory than 512 MB"):
        load(file(tmp_path), LoadOptions(limits=Limits(memory_mb=512)))


def test_a_rung_knows_how_those_above_it_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ladder(monkeypatch, "second_rung_load", "first", "second")
    with pytest.raises(LoadError, match=r"rung second after \['first crashed \(SIGSEGV\)'\]"):
        load(file(tmp_path), LoadOptions())


def test_a_failed_load_leaves_nothing_in_the_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DQGEN_CACHE", str(tmp_path / "cache"))
    ladder(monkeypatch, "segfault_load", "one")
    with pytest.raises(LoadError):
        load(file(tmp_path), LoadOptions())
    assert not list(tmp_path.glob("cache/*"))
