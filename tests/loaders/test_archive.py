"""Archives of designs: round trips, equal bytes, damage."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dqgen.loaders import archive
from dqgen.schemas.design import Design, Occurrence, Pmi, Source
from tests.conftest import Loader


def same(one: Any, other: Any) -> bool:
    """Deep equality of designs, arrays by type, shape and bits."""
    if isinstance(one, np.ndarray):
        return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()
    if dataclasses.is_dataclass(one):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def back(design: Design, folder: Path) -> Design:
    path = folder / "design"
    path.write_bytes(archive.dump(design))
    return archive.load(path, Design)


@pytest.mark.parametrize("file", ["rover.step", "plate.step", "pair.glb", "annulus.stl"])
def test_a_design_comes_back_as_it_was(design: Loader, tmp_path: Path, file: str) -> None:
    read = design(file)
    again = back(read, tmp_path)
    assert same(again, read)
    assert archive.dump(again) == archive.dump(read)


NAME = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
FINITE = st.floats(allow_nan=False, width=64)
COLOUR = st.none() | st.tuples(*[st.integers(0, 255)] * 3)
MATRIX = st.lists(FINITE, min_size=16, max_size=16).map(lambda values: np.array(values).reshape(4, 4))


def nodes(children: st.SearchStrategy[tuple[Occurrence, ...]]) -> st.SearchStrategy[Occurrence]:
    solid = st.none() | st.integers(0, 9)
    return st.builds(Occurrence, NAME, NAME, NAME, NAME, COLOUR, MATRIX, solid, children)


TREE = st.recursive(nodes(st.just(())), lambda below: nodes(st.lists(below, max_size=3).map(tuple)), max_leaves=6)
SOURCE = st.builds(Source, NAME, NAME, NAME, NAME, NAME, FINITE, NAME, NAME, NAME)
PMI = st.builds(Pmi, NAME, NAME, NAME, st.lists(FINITE, max_size=3).map(tuple))
BOUNDS = st.lists(FINITE, min_size=6, max_size=6).map(lambda values: np.array(values).reshape(2, 3))
DESIGN = st.builds(
    Design, NAME, SOURCE, TREE, st.just(()), BOUNDS, st.lists(PMI, max_size=3).map(tuple), st.tuples(NAME, NAME)
)


@given(DESIGN)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_any_tree_comes_back(tmp_path: Path, made: Design) -> None:
    assert same(back(made, tmp_path), made)


@given(where=st.floats(0, 1, exclude_max=True), bit=st.integers(0, 7))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_a_flipped_bit_anywhere_is_noticed(design: Loader, tmp_path: Path, where: float, bit: int) -> None:
    data = bytearray(archive.dump(design("block.step")))
    data[int(where * len(data))] ^= 1 << bit
    (tmp_path / "damaged").write_bytes(data)
    with pytest.raises(archive.CorruptArchiveError):
        archive.load(tmp_path / "damaged", Design)


@pytest.mark.parametrize("part", [0, 0.001, 0.5, 0.9999])
def test_a_cut_archive_is_noticed(design: Loader, tmp_path: Path, part: float) -> None:
    data = archive.dump(design("block.step"))
    (tmp_path / "cut").write_bytes(data[: int(len(data) * part)])
    with pytest.raises(archive.CorruptArchiveError):
        archive.load(tmp_path / "cut", Design)
