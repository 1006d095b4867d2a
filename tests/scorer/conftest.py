"""A package and right replies to it."""

from pathlib import Path

import pytest

from tests.scorer.packages import RIGHT, write_package, write_replies


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package of ten questions."""
    return write_package(tmp_path / "package")


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """Right replies to it, in many forms."""
    return write_replies(tmp_path / "right.jsonl", RIGHT)
