"""Sheets of random parts say what is known of them; `random_sheets` tries as many as one likes."""

import pytest

from tests.renderers.drawing.random_parts import random_part
from tests.renderers.drawing.random_sheets import faults

SEEDS = (6, 16, 57, 62, 10, 45, 51, 83, 4, 14, 28, 99)
"""Two or three of each family: crossing holes, cross-drilled bores, slopes, countersinks, slots, pockets, bosses."""


@pytest.mark.parametrize("seed", SEEDS)
def test_a_sheet_is_free_of_faults_and_wrong_numbers(seed: int) -> None:
    part = random_part(seed)
    assert faults(part, "inch" if seed % 4 else "mm") == []


def test_a_wrong_part_is_found_out() -> None:
    """The check itself: a hole more than is known, and a coordinate that is not."""
    part = random_part(6)
    size = next(iter(part.holes))
    part.holes[size] += 1
    found = faults(part, "mm")
    assert any(fault.startswith("holes: missing") for fault in found)
    other = random_part(10)
    other.places[0].clear()
    other.places[0].update({0.123, 7.89})
    assert any(fault.startswith("wrong value") for fault in faults(other, "mm"))
