"""Whether the end of a limit itself complies is read from the rule's words."""

import pytest

from dqgen.generators.limits import _limit
from dqgen.rulebook.quantities import read_quantities


@pytest.mark.parametrize(
    ("text", "excluded"),
    [
        ("The stress must stay below 80 %.", True),
        ("Its axis must be more than 120 mm and less than 220 mm above the Ground.", True),
        ("They must be joined by a resistance of less than 0.3 ohm.", True),
        ("The mass must be at least 165 kg and must not exceed 290 kg.", False),
        ("The edge must be no more than 650 mm above the Ground.", False),
        ("The distances must not differ by more than 5 mm.", False),
        ("No part of it may be less than 10 mm behind the plate.", False),
        ("The wheelbase must be at least 1500 mm.", False),
    ],
)
def test_ends_that_the_words_exclude(text: str, excluded: bool) -> None:
    limits = [_limit(one, text) for one in read_quantities(text) if one.role == "limit"]
    assert limits
    assert [limit.open for limit in limits] == [excluded] * len(limits)
