"""Variants that share what they have in common."""

import dataclasses

import numpy as np

from dqgen.geometry.edit import moved
from dqgen.geometry.sharing import sharing
from dqgen.loaders import archive
from tests.conftest import Loader


def test_equal_solids_become_one_and_nothing_changes(design: Loader) -> None:
    rover = design("rover.step")
    other = dataclasses.replace(
        moved(rover, "Left wheel", np.array([0.0, 0.0, 40.0])),
        solids=tuple(
            dataclasses.replace(solid, vertices=solid.vertices + (1.0 if row == 0 else 0.0))
            for row, solid in enumerate(rover.solids)
        ),
    )
    shared = sharing(other, rover)
    assert archive.dump(shared) == archive.dump(other)
    assert [mine is theirs for mine, theirs in zip(shared.solids, rover.solids, strict=True)] == [
        row > 0 for row in range(len(rover.solids))
    ]
    assert not np.shares_memory(shared.solids[0].vertices, other.solids[0].vertices)
