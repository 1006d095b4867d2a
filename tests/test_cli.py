"""The command line as a whole: help, outputs and their schemas, bad use in one line, interruption."""

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest
from PIL import Image

from dqgen.cli import COMMANDS
from dqgen.schemas.export import SCHEMAS
from tests.loaders.test_sandbox import wait_for_end
from tests.support import assert_one_line, dqgen, everything

USAGE, LOAD, RENDER, SETUP = 2, 3, 4, 5
SMALL = ("--size", "400")


def schema(name: str) -> dict[str, Any]:
    done = dqgen("schema", name)
    assert done.returncode == 0
    found: dict[str, Any] = json.loads(done.stdout)
    jsonschema.Draft202012Validator.check_schema(found)
    return found


def validate(value: Any, name: str) -> None:
    jsonschema.validate(value, schema(name), cls=jsonschema.Draft202012Validator)


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from dqgen.cli import run; run(['--help']); "
        "print(*sorted({'numpy', 'pydantic', 'OCP', 'moderngl', 'PIL', 'trimesh', 'fitz'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert "Commands:" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


@pytest.mark.parametrize("command", [*COMMANDS, "cache info", "cache clear"])
def test_each_commands_help_has_an_example_and_loads_no_heavy_library(command: str) -> None:
    code = (
        "import sys; from dqgen.cli import run; code = run([*sys.argv[1:], '--help']); "
        "print(*sorted({'numpy', 'OCP', 'moderngl', 'PIL', 'trimesh'} & set(sys.modules))); sys.exit(code)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command.split()], capture_output=True, text=True, timeout=60, check=True
    )
    assert "Example:" in done.stdout
    assert f"  dqgen {command.split()[0]}" in done.stdout.split("Example:")[1]
    assert done.stdout.splitlines()[-1] == ""


def test_unknown_command_is_one_line_and_exit_2() -> None:
    assert_one_line(dqgen("rendre"), USAGE, "rendre")


def test_a_picture_and_its_evidence_lie_beside_each_other(models: Path, tmp_path: Path) -> None:
    done = dqgen("render", models / "rover.step", *SMALL, "--json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert everything(tmp_path) == {"rover.multiview.png", "rover.multiview.json"}
    report = json.loads(done.stdout)
    validate(report, "render")
    evidence = json.loads((tmp_path / "rover.multiview.json").read_text())
    validate(evidence, "evidence")
    with Image.open(tmp_path / "rover.multiview.png") as picture:
        assert picture.size == (evidence["width"], evidence["height"]) == tuple(report[0]["size"])
    assert evidence["picture"] == "rover.multiview.png"


def test_json_reports_hold_failures_too(models: Path, tmp_path: Path) -> None:
    files = [models / "block.step", tmp_path / "none.step", models / "pair.glb"]
    done = dqgen("inspect", *files, "--json")
    assert done.returncode == LOAD
    report = json.loads(done.stdout)
    validate(report, "inspect")
    assert ["error" in entry for entry in report] == [False, True, False]
    done = dqgen("render", *files, *SMALL, "--view", "iso", "--json", "-o", tmp_path / "out")
    assert done.returncode == LOAD
    report = json.loads(done.stdout)
    validate(report, "render")
    assert ["error" in entry for entry in report] == [False, True, False]
    assert len(everything(tmp_path / "out")) == 4


def test_inspect_says_what_a_file_holds(models: Path) -> None:
    done = dqgen("inspect", models / "rover.step", "--json")
    (entry,) = json.loads(done.stdout)
    validate([entry], "inspect")
    wanted = {"leaf_occurrences": 5, "solids": 2, "solid_instances": 5, "faces": 22, "units": "millimetre"}
    assert {key: entry[key] for key in wanted} == wanted
    assert entry["tree"]["children"][1]["children"][0]["label"] == "Left wheel"
    done = dqgen("inspect", models / "rover.step")
    assert "Колесо ×2" in done.stdout
    assert "車軸 ×2" in done.stdout


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas(name: str) -> None:
    assert schema(name)["$schema"].startswith("https://json-schema.org/")


def test_schema_names_are_listed_and_unknown_ones_refused() -> None:
    assert all(name in dqgen("schema").stdout for name in SCHEMAS)
    assert_one_line(dqgen("schema", "nothing"), USAGE, "unknown schema 'nothing'")


def test_doctor_and_cache_speak_json() -> None:
    facts = json.loads(dqgen("doctor", "--json").stdout)
    assert facts["healthy"] is True
    assert "OpenGL" in facts["opengl"]
    state = json.loads(dqgen("cache", "info", "--json").stdout)
    assert state["folder"] == os.environ["DQGEN_CACHE"]


def test_cache_clear(models: Path, tmp_path: Path) -> None:
    env = {"DQGEN_CACHE": str(tmp_path / "cache")}
    dqgen("inspect", models / "block.stl", env=env)
    assert dqgen("cache", "clear", env=env).stdout.startswith("1 entries removed")
    assert everything(tmp_path / "cache") == set()


USES: list[tuple[list[str], int, str]] = [
    (["none.step"], LOAD, "no such file"),
    (["."], LOAD, "is a folder"),
    (["zero.step"], LOAD, "is empty"),
    (["zero.stl"], LOAD, "is empty"),
    (["text.step"], LOAD, "does not begin with ISO-10303-21"),
    (["cut.step"], LOAD, "is cut short"),
    (["block.step", "--view", "rear"], USAGE, "unknown view 'rear'"),
    (["block.step", "--views", "front,rear"], USAGE, "unknown view 'rear'"),
    (["block.step", "--view", "closeup"], USAGE, "--of"),
    (["block.step", "--view", "closeup", "--of", "Block", "--from", "rear"], USAGE, "unknown view 'rear'"),
    (["block.step", "--view", "closeup", "--of", "Blok"], USAGE, "near: 'Block'"),
    (["block.step", "--of", "Block"], USAGE, "--view closeup"),
    (["block.step", "--context"], USAGE, "--view closeup"),
    (["block.step", "--view", "front", "--views", "top"], USAGE, "--views goes with"),
    (["block.step", "--highlight", "Blok"], USAGE, "near: 'Block'"),
    (["block.step", "--hide", "Blok"], USAGE, "near: 'Block'"),
    (["block.step", "--ghost", "Blok"], USAGE, "near: 'Block'"),
    (["block.step", "--only", "Blok"], USAGE, "near: 'Block'"),
    (["block.step", "--hide", "*"], USAGE, "nothing is left to show"),
    (["block.step", "--highlight", "Block=mauve"], USAGE, "'mauve' is no colour"),
    (["block.step", "--highlight", "Block=#12345"], USAGE, "'#12345' is no colour"),
    (["block.step", "--colors", "loud"], USAGE, "loud"),
    (["block.step", "--background", "black"], USAGE, "black"),
    (["block.step", "--unit", "furlong"], USAGE, "unknown unit 'furlong'"),
    (["block.step", "--up", "w"], USAGE, "unknown axis 'w'"),
    (["block.step", "--size", "5"], USAGE, "5"),
    (["block.step", "--jobs", "0"], USAGE, "0"),
    (["block.step", "--margin", "-1"], USAGE, "-1"),
    (["block.step", "-o", "x.jpg"], USAGE, "PNG"),
    (["block.step", "block.step"], USAGE, "both be written"),
    (["block.step", "disc.step", "-o", "x.png"], USAGE, "folder"),
    (["block.step", "-o", "file/x.png"], RENDER, "cannot be written"),
    (["block.step", "-o", "file/"], RENDER, "cannot be written"),
    (["block.step", "-o", "taken.png"], RENDER, "cannot be written"),
    (["block.step", "-o", "sidecar.png"], RENDER, "is not the evidence of a picture"),
    ([], USAGE, "FILE"),
]


@pytest.fixture
def workplace(models: Path, tmp_path: Path) -> Path:
    """A folder with files of all kinds, good and bad."""
    for name in ("block.step", "disc.step"):
        shutil.copy(models / name, tmp_path)
    data = (models / "block.step").read_bytes()
    (tmp_path / "cut.step").write_bytes(data[: len(data) // 2])
    (tmp_path / "zero.step").touch()
    (tmp_path / "zero.stl").touch()
    (tmp_path / "text.step").write_text("Dear all,\n")
    (tmp_path / "file").write_text("a file where a folder should be")
    (tmp_path / "taken.png").mkdir()
    (tmp_path / "sidecar.json").mkdir()
    return tmp_path


@pytest.mark.parametrize(("arguments", "code", "words"), USES, ids=[" ".join(use[0]) or "nothing" for use in USES])
def test_bad_use_is_answered_in_one_line(workplace: Path, arguments: list[str], code: int, words: str) -> None:
    before = everything(workplace)
    done = dqgen("render", *arguments, *([] if "--size" in arguments else SMALL), cwd=workplace)
    assert_one_line(done, code, words)
    assert everything(workplace) == before


@pytest.mark.parametrize("name", ["sparse.step", "sparse.stl"])
def test_a_sparse_gigabyte_is_refused(tmp_path: Path, name: str) -> None:
    with (tmp_path / name).open("wb") as file:
        file.truncate(1 << 30)
    done = dqgen("render", name, *SMALL, "--memory", "3000", cwd=tmp_path)
    assert_one_line(done, LOAD, name)
    assert everything(tmp_path) == {name}


def test_a_step_file_of_a_gigabyte_of_nothing_is_refused(models: Path, tmp_path: Path) -> None:
    shutil.copy(models / "block.step", tmp_path / "long.step")
    with (tmp_path / "long.step").open("r+b") as file:
        file.seek(200)
        file.truncate(1 << 30)
    assert_one_line(dqgen("inspect", "long.step", cwd=tmp_path), LOAD, "long.step", "cut short")
    assert everything(tmp_path) == {"long.step"}


def test_without_opengl_it_is_a_matter_of_setup(models: Path, tmp_path: Path) -> None:
    nothing = str(tmp_path / "nonexistent")
    env = {
        "__EGL_VENDOR_LIBRARY_FILENAMES": nothing,
        "LIBGL_DRIVERS_PATH": nothing,
        "DISPLAY": "",
        "WAYLAND_DISPLAY": "",
    }
    done = dqgen("render", models / "block.step", *SMALL, cwd=tmp_path, env=env)
    assert_one_line(done, SETUP, "no OpenGL driver", "libegl1")
    assert everything(tmp_path) == set()
    done = dqgen("doctor", env=env)
    assert done.returncode == SETUP
    assert "libegl1" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def bytes_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_same_input_same_bytes(models: Path, tmp_path: Path) -> None:
    files = [models / name for name in ("rover.step", "plate.step", "pair.glb", "annulus.stl")]
    runs = {
        "cold, one job": ("--jobs", "1"),
        "warm, one job": ("--jobs", "1"),
        "warm, two jobs": ("--jobs", "2"),
    }
    results = []
    for name, jobs in runs.items():
        env = {"DQGEN_CACHE": str(tmp_path / "cache"), "LP_NUM_THREADS": ""}
        done = dqgen("render", *files, *SMALL, *jobs, "--highlight", "*", "-o", f"{tmp_path / name}/", env=env)
        assert done.returncode == 0, done.stderr
        results.append(bytes_of(tmp_path / name))
    env = {"DQGEN_CACHE": str(tmp_path / "another cache")}
    dqgen("render", *files, *SMALL, "--jobs", "2", "--highlight", "*", "-o", f"{tmp_path / 'cold, two jobs'}/", env=env)
    results.append(bytes_of(tmp_path / "cold, two jobs"))
    assert len(results[0]) == 8
    assert all(result == results[0] for result in results)


def test_one_bad_file_spoils_no_other(models: Path, tmp_path: Path) -> None:
    (tmp_path / "bad.step").write_text("nothing")
    done = dqgen("render", models / "block.step", "bad.step", models / "disc.step", *SMALL, "--jobs", "1", cwd=tmp_path)
    assert done.returncode == LOAD
    assert done.stderr.count("\n") == 1
    assert len(done.stdout.splitlines()) == 2
    assert everything(tmp_path) == {
        "bad.step",
        *(f"{name}.multiview.{kind}" for name in ("block", "disc") for kind in ("png", "json")),
    }


def descendants(pid: int) -> set[int]:
    """All processes below one."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            except (OSError, IndexError):
                continue
    found = {pid}
    while more := {child for child, parent in parents.items() if parent in found} - found:
        found |= more
    return found - {pid}


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("to_group", [True, False], ids=["to the group", "to the parent alone"])
def test_an_interrupt_leaves_no_child_behind(models: Path, tmp_path: Path, to_group: bool) -> None:
    # The loader blocks on a pipe that never speaks, so the interrupt surely meets it at work.
    os.mkfifo(tmp_path / "endless.step")
    running = subprocess.Popen(
        [sys.executable, "-m", "dqgen", "render", models / "block.step", tmp_path / "endless.step", *SMALL],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=tmp_path,
        start_new_session=True,
    )
    assert running.stdout is not None
    running.stdout.readline()  # the first picture is done: the second is being read
    children = descendants(running.pid)
    assert children
    if to_group:
        os.killpg(running.pid, signal.SIGINT)
    else:
        running.send_signal(signal.SIGINT)
    _, words = running.communicate(timeout=60)
    assert running.returncode == 130
    assert words.splitlines()[-1:] == ["dqgen: interrupted"]
    assert "Traceback" not in words
    assert all(wait_for_end(child) for child in children)
    assert {name for name in everything(tmp_path) if name.endswith(".part")} == set()


def test_output_to_a_closed_pipe_is_no_error(models: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m dqgen inspect {models / 'rover.step'} | true", shell=True, capture_output=True, text=True
    )
    assert "Traceback" not in done.stderr


def test_options_reach_the_picture(models: Path, tmp_path: Path) -> None:
    done = dqgen(
        "render",
        models / "rover.step",
        *(*SMALL, "--view", "closeup", "--of", "*axle[1]*", "--from", "iso", "--context", "--fit", "each"),
        *("--highlight", "Frame", "--highlight", "Left wheel", "--highlight", "*right=#00ff00"),
        *("--hide", "/rover/axle[2]/left wheel", "--background", "transparent", "--colors", "source"),
        *("-o", tmp_path / "x.png"),
    )
    assert done.returncode == 0, done.stderr
    evidence = json.loads((tmp_path / "x.json").read_text())
    states = {one["path"]: (one["state"], one["colour"]) for one in evidence["occurrences"]}
    assert states["/Rover/Frame"] == ("highlighted", [255, 46, 196])
    assert states["/Rover/Axle[1]/Left wheel"] == ("highlighted", [42, 107, 255])
    assert states["/Rover/Axle[1]/Wheel ∕ right"] == ("highlighted", [0, 255, 0])
    assert states["/Rover/Axle[2]/Left wheel"] == ("hidden", None)
    with Image.open(tmp_path / "x.png") as picture:
        assert (np.asarray(picture)[..., 3] == 0).any()
