import pytest

from dqgen.generators.sources import Sources

from .texts import FORMULA, sources_on


@pytest.fixture(scope="session")
def formula() -> Sources:
    """The sample rulebook as PDF."""
    return sources_on(FORMULA / "rulebook.pdf", seed=7)
