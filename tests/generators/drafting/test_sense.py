"""Whether a proposed check measures what its rule limits: rules in other words than those of any rulebook at hand."""

import pytest

from dqgen.generators.drafting.proposals import confidence_word

from .test_proposals import Proposal, proposed

RULES = """# Rules of sense

**1.1** The eyelets of the Seat must be at least 40 mm wide.

**1.2** The Seat must lie at least 12 mm inside the Side Floors, and its lowest point must be at least 50 mm above the \
ground.

**1.3** The gap between the Rear Wing and the rear tyres must be at least 15 mm sideways.

**1.4** A Trolley Seat must be at least 300 mm wide.

**1.5** Wheels must be at least 200 mm in diameter.

**1.6** The Head Restraint must have a height adjustment of at least 100 mm.

**1.7** The lashing strap must be at least 90 mm wide and be tied to the Seat.

**1.8** If it has a cushion, the Seat must be at least 320 mm wide.

**1.9** The Brake Light must be at least 90 mm wide and at least 10 mm high.

**1.10** The Firewall must have fasteners with a thickness of at least 1 mm.

**1.11** The Steering Wheel must not be more than 300 mm behind the towing eye of the trailer.

**1.12** The Dashboard must be at least 1.0 mm thick.

**1.13** The bead seat diameter of the rims must be at least 250 mm.

**1.14** The gap between a rear tyre and the Frame must be at least 30 mm.

**2** Holders

**2.1** Every attachment to the Firewall needs plates that are:

a. at least 1.2 mm thick

b. painted

**2.2** The Head Restraint must:

a. be at least 140 mm wide

b. be black

**3** Sizes

**3.1** The following sizes apply.

| What | Limit |
|---|---|
| Tie Rod, diameter | at least 11 mm |
| Jacking Bar, length | at least 250 mm |
| Mirror, width | at least 60 mm |
"""


@pytest.fixture(scope="module")
def sense(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Proposal]]:
    path = tmp_path_factory.mktemp("sense") / "rules.md"
    path.write_text(RULES)
    found: dict[str, list[Proposal]] = {}
    for proposal in proposed(path):
        found.setdefault(proposal.check.rule, []).append(proposal)
    return found


@pytest.mark.parametrize("rule", ["1.13", "1.14"])
def test_what_no_view_would_show_is_not_measured(sense: dict[str, list[Proposal]], rule: str) -> None:
    """A seat below the rim's flange; the gap of a tyre to a frame that is widest elsewhere, which is askew."""
    assert rule not in sense


@pytest.mark.parametrize("rule", ["1.1", "1.4", "1.6", "1.7", "1.10", "1.11", "2.1.a"])
def test_what_the_design_does_not_have_is_not_measured(sense: dict[str, list[Proposal]], rule: str) -> None:
    """Eyelets of a seat, a trolley's seat, an adjustment, a strap, fasteners, plates: the car has none of these."""
    assert rule not in sense


@pytest.mark.parametrize(
    ("rule", "measures"),
    [
        ("1.2", ["clearance('Seat', ground)"]),
        ("1.3", ["clearance('Rear wing', '*/Wheel RL/Tyre', along=x)"]),
        ("1.5", ["diameter('*/Wheel FL/Rim')"]),
        ("1.8", ["extent('Seat', x)"]),
        ("1.9", ["extent('Brake light', x)", "extent('Brake light', z)"]),
        ("1.12", ["thickness('Dashboard')"]),
        ("2.2.a", ["extent('Head restraint', x)"]),
        ("3.1", ["diameter('Tie rod FL')", "extent('Jacking bar', x)"]),
    ],
)
def test_what_is_limited_is_measured(sense: dict[str, list[Proposal]], rule: str, measures: list[str]) -> None:
    assert [proposal.check.measure for proposal in sense[rule]] == measures


def test_each_limit_goes_with_its_own_words(sense: dict[str, list[Proposal]]) -> None:
    assert [proposal.limit.value for proposal in sense["1.2"]] == [50]
    assert [proposal.limit.value for proposal in sense["1.9"]] == [90, 10]
    assert [proposal.limit.value for proposal in sense["3.1"]] == [11, 250]


def test_high_are_single_limits_without_condition(sense: dict[str, list[Proposal]]) -> None:
    words = {rule: {confidence_word(proposal.confidence) for proposal in found} for rule, found in sense.items()}
    assert words["1.12"] == words["2.2.a"] == {"high"}
    for rule in ("1.2", "1.8", "1.9"):
        assert "high" not in words[rule]
