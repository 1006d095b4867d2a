"""Compilation: the rules of a term by two ways, and terms chosen from a rulebook."""

from pathlib import Path

import pytest

from dqgen.errors import SpecError
from dqgen.generators import compilation
from dqgen.generators.sources import Sources
from dqgen.generators.term_choice import FEWEST, MOST, choose_terms
from dqgen.schemas.spec import Terms

from .texts import FORMULA, as_read, sources_on


def test_truths_of_both_profiles_agree_with_a_plain_scan() -> None:
    for profile in ("strict", "designqa"):
        sources = sources_on(FORMULA / "rulebook.md", terms=Terms(auto=30, profile=profile))
        tasks = compilation.plan(sources.spec, sources)
        assert len(tasks) == 30
        for task in tasks:
            (draft,) = compilation.run(task, sources.spec, sources)
            assert compilation.prove(as_read(draft), sources.spec, sources) is None, draft.key
            assert isinstance(draft.answer, list)
            fewer = as_read(draft, answer=draft.answer[1:] if draft.answer[0] not in draft.answer[1:] else ["V.1"])
            assert compilation.prove(fewer, sources.spec, sources)
            assert compilation.prove(as_read(draft, answer=[*draft.answer, "Z.9"]), sources.spec, sources)


def test_a_known_term() -> None:
    sources = sources_on(FORMULA / "rulebook.md", terms=Terms(terms=("Jacking Bar",)))
    (task,) = compilation.plan(sources.spec, sources)
    (draft,) = compilation.run(task, sources.spec, sources)
    assert isinstance(draft.answer, list)
    assert {"V.5.1.2", "V.5.1.3"} <= {*draft.answer}
    assert "`Jacking Bar`" in draft.prompt


def test_a_term_that_is_not_there() -> None:
    sources = sources_on(FORMULA / "rulebook.md", terms=Terms(terms=("Zebra",)))
    (task,) = compilation.plan(sources.spec, sources)
    with pytest.raises(SpecError, match="no rule mentions 'Zebra'"):
        compilation.run(task, sources.spec, sources)


def test_chosen_terms_differ_and_have_truths_to_check(formula: Sources) -> None:
    terms = choose_terms(formula, 25, taken=["Main Hoop"])
    assert len(terms) == 25
    assert not any("hoop" in term.lower() and "main" in term.lower() for term in terms)
    for at, term in enumerate(terms):
        assert not any(term in other or other in term for other in terms[:at])
        assert FEWEST <= len(compilation.truth(formula, term, "strict")) <= MOST
    assert terms == choose_terms(formula, 25, taken=["Main Hoop"])


@pytest.mark.corpus
def test_terms_of_designqa(corpus: Path) -> None:
    for profile in ("strict", "designqa"):
        terms = Terms(auto=30, profile=profile)
        sources = sources_on(corpus / "designqa" / "FSAE_Rules_2024_V1.pdf", "designqa", terms=terms)
        for task in compilation.plan(sources.spec, sources):
            (draft,) = compilation.run(task, sources.spec, sources)
            assert compilation.prove(as_read(draft), sources.spec, sources) is None, draft.key
