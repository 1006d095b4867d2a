import pytest

from dqgen.release.package import write

from .drafts import drafts, sources


@pytest.fixture
def package(tmp_path):
    """A package of 24 questions."""
    origin = sources(tmp_path)
    write(drafts(), origin.spec, origin, tmp_path / "out")
    return tmp_path / "out"
