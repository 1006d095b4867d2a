"""Patterns, and the state that each occurrence gets from them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.errors import UsageError
from dqgen.geometry.occurrences import match, match_any
from dqgen.geometry.transforms import placed
from dqgen.renderers.selection import states
from dqgen.schemas.render import BLUE, PINK, Highlight, RenderOptions
from tests.conftest import Loader

FRAME, FIRST_LEFT, FIRST_RIGHT, SECOND_LEFT, SECOND_RIGHT = range(5)


@pytest.mark.parametrize(
    ("pattern", "rows"),
    [
        ("Frame", {FRAME}),
        ("FRAME", {FRAME}),
        ("колесо", {1, 2, 3, 4}),
        ("КОЛЕСО", {1, 2, 3, 4}),
        ("車軸", {1, 2, 3, 4}),
        ("車?", {1, 2, 3, 4}),
        ("*left*", {FIRST_LEFT, SECOND_LEFT}),
        ("Wheel / right", {FIRST_RIGHT, SECOND_RIGHT}),
        ("/rover/axle[2]", {SECOND_LEFT, SECOND_RIGHT}),
        ("/Rover/Axle[1]/Left wheel", {FIRST_LEFT}),
        ("*", {0, 1, 2, 3, 4}),
        ("Rover", {0, 1, 2, 3, 4}),
    ],
)
def test_patterns(design: Loader, pattern: str, rows: set[int]) -> None:
    assert match(placed(design("rover.step")), pattern) == rows


@pytest.mark.parametrize("pattern", ["Fram", "rame", "Axle[3]", "", "[a-z]*", "Left  wheel"])
def test_the_whole_name_must_fit(design: Loader, pattern: str) -> None:
    with pytest.raises(UsageError):
        match(placed(design("rover.step")), pattern)


def test_near_names_are_suggested(design: Loader) -> None:
    leaves = placed(design("rover.step"))
    with pytest.raises(UsageError, match="near: 'Left wheel'"):
        match(leaves, "Left weel")
    with pytest.raises(UsageError, match=r"near: .*'Frame'"):
        match(leaves, "rame")  # the suggestion comes from what is inside a name
    with pytest.raises(UsageError, match="there are: 'Rover'"):
        match(leaves, "qqqqqq")


def test_each_pattern_must_pick_something(design: Loader) -> None:
    with pytest.raises(UsageError, match="'nothing'"):
        match_any(placed(design("rover.step")), ["Frame", "nothing"])


def test_states_and_their_order(design: Loader) -> None:
    leaves = placed(design("rover.step"))
    options = RenderOptions(
        highlight=(Highlight(pattern="Left wheel"), Highlight(pattern="*Axle[2]/Left*", colour=BLUE)),
        ghost=("*wheel*",),
        hide=("Frame",),
    )
    assert states(leaves, options) == [
        ("hidden", None),
        ("highlighted", PINK),
        ("ghosted", None),
        ("highlighted", BLUE),
        ("ghosted", None),
    ]


def test_only_leaves_nothing_else(design: Loader) -> None:
    leaves = placed(design("rover.step"))
    found = states(leaves, RenderOptions(only=("Axle",), hide=("Left wheel",)))
    assert [state for state, _ in found] == ["hidden", "hidden", "shown", "hidden", "shown"]


def test_something_must_be_left(design: Loader) -> None:
    with pytest.raises(UsageError, match="nothing is left"):
        states(placed(design("rover.step")), RenderOptions(hide=("*",)))


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_any_pattern_is_answered(pattern: str) -> None:
    with pytest.raises(UsageError) as caught:
        match([], pattern)
    assert "\n" not in str(caught.value)
