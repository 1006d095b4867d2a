"""Checks found from a rule's words and a design: against those that were written by hand."""

from pathlib import Path

import pytest
import yaml

from dqgen.generators.drafting.names import Names
from dqgen.generators.drafting.proposals import Proposal, confidence_word, propose, without_repeats
from dqgen.generators.sources import Sources
from dqgen.generators.spec_check import check_spec
from dqgen.generators.spec_file import load_spec
from dqgen.geometry.measure import Measurer
from dqgen.schemas.spec import DesignSource

from ...support import assert_one_line, dqgen
from ..texts import FORMULA, sources_on


def proposed(rulebook: Path, profile: str = "auto") -> list[Proposal]:
    car = DesignSource(name="car", file=str(FORMULA / "formula.step"))
    sources: Sources = sources_on(rulebook, profile, designs=(car,))
    measurer = Measurer(sources.design("car"))
    return without_repeats(propose(sources, "car", measurer, Names(measurer.scene.leaves, {})))


@pytest.fixture(scope="module")
def sample() -> list[Proposal]:
    return proposed(FORMULA / "rulebook.pdf")


def test_most_of_what_was_written_by_hand_is_found(sample: list[Proposal]) -> None:
    """A check counts as found where rule and value on the car agree with the list made by hand."""
    written = yaml.safe_load((FORMULA / "rule_limits.yaml").read_text())["dimensions"]
    found = wrong = 0
    for proposal in sample:
        value = proposal.value * (100 if proposal.limit.unit == "%" else 1)
        same_rule = [check for check in written if check["rule"] == proposal.check.rule]
        agrees = any(abs(check["car"] - value) <= 0.01 * abs(check["car"]) + 0.1 for check in same_rule)
        found += agrees
        wrong += bool(same_rule) and not agrees
    assert found >= 94
    assert wrong <= 0.04 * found


def test_every_proposal_holds_on_the_car(sample: list[Proposal]) -> None:
    for proposal in sample:
        assert proposal.limit.scaled().keeps(proposal.value), proposal.check
        assert 0 < proposal.confidence <= 1
        assert proposal.check.view is None, "the build takes one that shows the changed designs, too"


def test_the_kinds_of_measure_are_there(sample: list[Proposal]) -> None:
    measures = {proposal.check.rule: proposal.check.measure for proposal in sample}
    assert measures["V.1.1.1"] == "distance(axis('*/Wheel FL/Tyre'), axis('*/Wheel RL/Tyre'), along=y)"
    assert measures["V.1.2.2"] == "extent('*', x)"
    assert measures["V.1.3.1"] == "clearance('Undertray', ground)"
    assert measures["F.2.1.3"] == "diameter('Main hoop')"
    assert measures["F.4.1.2"] == "angle(axis('Main hoop brace L'), z, seen=x)"
    assert measures["V.3.6.2"] == "thickness('Firewall')"
    assert measures["V.3.3.2"] == "extent('Seat', x)"
    assert measures["F.3.2.1"] == "distance(extreme('Main hoop', up), ground)"
    assert measures["V.5.1.3"] == "clearance('Jacking bar', 'Rear bulkhead', along=y)"
    assert measures["E.5.1.2"] == "clearance('Low-voltage battery', ground)"
    assert measures["F.7.1.1"] == "distance(extreme('Front bulkhead', front), axis('*/Wheel FL/Tyre'), along=y)"
    assert not {"S.1.2.3", "A.2.1.5", "A.3.1.3"} & set(measures)  # not of one part, in a zone, of no part by that name
    assert measures["A.3.1.1"].startswith("distance(extreme('Rear wing', back), extreme('*/Wheel RL/Tyre', back)")


def test_a_drafted_spec_has_no_mistakes(tmp_path: Path) -> None:
    out = tmp_path / "specs" / "benchmark.yaml"
    arguments = ("--rulebook", FORMULA / "rulebook.md", "--design", FORMULA / "formula.step", "-o", out)
    done = dqgen("spec", "init", *arguments)
    assert done.returncode == 0, done.stderr
    assert check_spec(out) == []
    spec, _ = load_spec(out)
    text = out.read_text()
    assert len(spec.designs[0].components) >= 31
    assert len(spec.terms.terms) == 30
    assert len(spec.dimension) >= 80
    assert text.count("# confirm") >= len(spec.dimension) + len(spec.designs[0].components)
    assert spec.designs[0].title == "formula student car"
    assert_one_line(dqgen("spec", "init", *arguments), 2, "is there already")
    text_only = tmp_path / "rules.yaml"
    assert dqgen("spec", "init", "--rulebook", FORMULA / "rulebook.md", "-o", text_only).returncode == 0
    assert check_spec(text_only) == []


@pytest.mark.corpus
def test_rules_of_another_hand(corpus: Path) -> None:
    found = proposed(corpus / "designqa" / "FSAE_Rules_2024_V1.pdf", "designqa")
    rules = {proposal.check.rule for proposal in found}
    sensible = {
        "V.1.2", "V.1.3.2", "V.4.1", "F.5.7.5", "F.5.9.4", "F.5.9.5", "F.6.3.4", "F.8.2.1.b", "F.8.4.2.a", "T.2.8.6.b",
        "T.2.8.6.c", "T.7.5.a", "T.7.5.b", "T.7.7.1.a", "T.7.7.1.c", "VE.2.1.2.h", "EV.7.10.3.b", "EV.7.10.4.b",
    }  # fmt: skip
    compound = {"F.6.4.4.b", "F.8.2.1.a", "F.8.4.2.b"}
    assert len(rules & sensible) >= 16
    assert len(rules - sensible) <= 4
    assert not any(confidence_word(p.confidence) == "high" for p in found if p.check.rule in compound)
    measures = {proposal.check.rule: proposal.check.measure for proposal in found}
    assert measures["V.4.1"] == "diameter('*/Wheel FL/Rim')"
    assert measures["EV.7.10.3.b"] == "extent('Side shutdown button L', z)"


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("rulebook", "sensible", "others"),
    [
        ("fsq__FS-Rules_2023_v1.1.pdf", "T2.7.6 T2.8.1 T2.9.1 T3.2.1 T3.10.3 T5.7.2#3 T8.2.3#1 T8.2.3#2 T11.4.3", 6),
        ("fsq__2013_FSAE_Rules.pdf", "T2.3 T2.4 T3.6 T3.12.5 T3.13.4 T3.14.4 T3.21.1.b T6.3.1 T9.2.1.b EV5.3.4", 7),
    ],
)
def test_rules_of_further_hands(corpus: Path, rulebook: str, sensible: str, others: int) -> None:
    rules = {proposal.check.rule for proposal in proposed(corpus / "rulebook" / rulebook)}
    assert rules >= set(sensible.split())
    assert len(rules) <= len(sensible.split()) + others
