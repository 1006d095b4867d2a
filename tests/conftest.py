"""What all tests share: a cache of their own, the small models, a graphics context, the outside files."""

import fcntl
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path

import moderngl
import pytest

from dqgen.loaders.load import LoadOptions, load
from dqgen.renderers.shaded import create_context
from dqgen.schemas.design import Design

ROOT = Path(__file__).resolve().parent.parent
SHARED = "DQGEN_TESTS"  # the session's folder, which workers and children inherit
Loader = Callable[..., Design]


def _corpus() -> Path | None:
    folder = os.environ.get("DQGEN_CORPUS")
    return Path(folder) if folder and Path(folder).is_dir() else None


def pytest_configure(config: pytest.Config) -> None:
    if hasattr(config, "workerinput"):
        return
    folder = tempfile.mkdtemp(prefix="dqgen-tests-")
    os.environ[SHARED] = folder
    os.environ["DQGEN_CACHE"] = str(Path(folder) / "cache")
    os.environ["LP_NUM_THREADS"] = "1"
    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    os.environ.pop("DQGEN_TRACEBACK", None)


def pytest_unconfigure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and SHARED in os.environ:
        shutil.rmtree(os.environ.pop(SHARED), ignore_errors=True)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    if _corpus() is None:
        for item in items:
            if "corpus" in item.keywords:
                item.add_marker(pytest.mark.skip(reason="DQGEN_CORPUS does not point at the outside files"))


@pytest.fixture(scope="session")
def corpus() -> Path:
    """The folder of outside files; tests that ask for it carry the mark `corpus`."""
    folder = _corpus()
    assert folder is not None, "a test that reads the corpus must be marked with pytest.mark.corpus"
    return folder


@pytest.fixture(scope="session")
def models() -> Path:
    """The folder of small models, written by whichever worker comes first."""
    folder = Path(os.environ[SHARED]) / "models"
    with (folder.parent / "models.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.is_dir():
            part = folder.with_suffix(".part")
            part.mkdir(exist_ok=True)
            subprocess.run(
                [sys.executable, "-m", "tests.models", part], check=True, cwd=ROOT, stdout=subprocess.DEVNULL
            )
            part.rename(folder)
    return folder


@pytest.fixture(scope="session")
def design(models: Path) -> Loader:
    """Loads a small model by its name, or any file by its path."""

    @lru_cache(maxsize=64)
    def read(file: str | Path, unit: str | None = None, up: str | None = None) -> Design:
        path = models / file
        # One worker loads, the others find it in the cache.
        with (models.parent / f"{path.name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            return load(path, LoadOptions(unit, up))

    return read


@pytest.fixture(scope="session")
def context() -> Iterator[moderngl.Context]:
    """An OpenGL context; workers keep one each."""
    made = create_context()
    yield made
    made.release()
