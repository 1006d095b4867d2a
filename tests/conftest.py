"""What all tests share: where the outside files are, and the skip where there are none."""

import os
from pathlib import Path

import pytest


def _corpus() -> Path | None:
    folder = os.environ.get("DQGEN_CORPUS")
    return Path(folder) if folder and Path(folder).is_dir() else None


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
