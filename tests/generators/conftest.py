import os
from pathlib import Path

import pytest

from dqgen.generators.sources import Sources

from ..conftest import SHARED
from .desk import SPEC, Desk, desk_of
from .texts import FORMULA, sources_on


@pytest.fixture(scope="session")
def formula() -> Sources:
    """The sample rulebook as PDF."""
    return sources_on(FORMULA / "rulebook.pdf", seed=7)


@pytest.fixture(scope="session")
def bench() -> Desk:
    """The bench's questions: each kind is made by whichever worker asks first, and read by the others."""
    return desk_of(Path(os.environ[SHARED]) / "bench", SPEC)
