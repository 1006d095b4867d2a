"""Points near a place, against all distances."""

import math

from hypothesis import given
from hypothesis import strategies as st

from dqgen.sheets.nearby import Nearby

PLACES = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


@given(st.lists(PLACES, max_size=40), PLACES, st.integers(0, 9))
def test_all_within_reach_are_found(points: list[tuple[int, int]], place: tuple[int, int], reach: int) -> None:
    wanted = [row for row, point in enumerate(points) if math.dist(point, place) <= reach]
    assert Nearby(points).within(place, reach) == wanted
