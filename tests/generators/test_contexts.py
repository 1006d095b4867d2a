"""Contexts: the guaranteed one holds what it must at its fixed length, whatever that is."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dqgen.generators.contexts import GAP, Library, fixed, with_contexts
from dqgen.generators.draft import Draft
from dqgen.generators.sources import Sources
from dqgen.rulebook.nouns import mention_pattern
from dqgen.schemas.spec import Contexts

TEXT = "".join(f"{number} " for number in range(4000))  # each place of it is unlike any other


@pytest.fixture(scope="module")
def library(formula: Sources) -> Library:
    return Library(formula.rulebook.rules, formula.spec.contexts, formula.spec.seed)


@settings(max_examples=300, deadline=None)
@given(
    length=st.integers(500, 9000),
    starts=st.lists(st.integers(0, len(TEXT) - 1200), max_size=12),
    sizes=st.lists(st.integers(1, 1200), min_size=12, max_size=12),
    seed=st.integers(0, 99),
)
def test_fixed_length_holds_all_that_fits(length: int, starts: list[int], sizes: list[int], seed: int) -> None:
    needed: list[tuple[int, int]] = []
    for start, size in zip(starts, sizes, strict=False):
        if sum(b - a + len(GAP) for a, b in needed) + size <= length:
            needed.append((start, start + size))
    context = fixed(TEXT, needed, length, random.Random(seed))
    assert len(context) == length
    for start, end in needed:
        assert TEXT[start:end] in context


def test_every_rule_is_in_its_guaranteed_context(library: Library, formula: Sources) -> None:
    for rule in formula.rulebook.rules:
        if rule.kind != "part":
            context = library.guaranteed([rule.id], [])
            start, end = library.place(rule.id)
            assert len(context) == 8716
            assert library.text[start:end] in context, rule.id


def test_what_a_rule_refers_to_is_there_too(library: Library) -> None:
    context = library.guaranteed(["V.3.5.2"], [])  # "the position of the bar is set by F.6.1"
    start, end = library.place("F.6.1")
    assert library.text[start:end] in context


def test_an_item_brings_its_rule(library: Library) -> None:
    start, end = library.place("F.2.1.1.a")
    assert (start, end) == library.place("F.2.1.1")
    assert library.text[start:end] in library.guaranteed(["F.2.1.1.a"], [])


@pytest.mark.parametrize(
    ("names", "least"), [(["Impact Attenuator"], 1), (["Steering Wheel"], 10), (["frame"], 3), (["no such thing"], 0)]
)
def test_definitions_and_mentions(library: Library, names: list[str], least: int) -> None:
    context = library.guaranteed([], names)
    assert len(context) == 8716
    assert len(mention_pattern(names).findall(context)) >= least


def test_where_the_needed_stands_is_drawn(library: Library, formula: Sources) -> None:
    start, end = library.place("V.1.1.1")
    rule = library.text[start:end]
    places = set()
    for seed in range(12):
        drawn = Library(formula.rulebook.rules, formula.spec.contexts, seed).guaranteed(["V.1.1.1"], [])
        places.add(drawn.find(rule) // 1000)
    assert len(places) >= 4
    assert library.guaranteed(["V.1.1.1"], []) == library.guaranteed(["V.1.1.1"], [])


def test_chunks_are_those_that_speak_of_it(library: Library, formula: Sources) -> None:
    found = library.chunks("Quote rule V.5.1.3 of the document: the gap between the Jacking Bar and the bulkhead", 2)
    start, end = library.place("V.5.1.3")
    assert library.text[start:end] in found
    small = Library(formula.rulebook.rules, Contexts(chunk_tokens=50, chunk_overlap=10), 0)
    assert len(small.chunks("jacking bar", 3)) < len(found)


def test_each_draft_gets_each_kind(library: Library, formula: Sources) -> None:
    draft = Draft(kind="dimension", key="a", prompt="Does it comply with V.1.1.1?", answer="yes", needs=("V.1.1.1",))
    own = Draft(kind="dimension", key="b", prompt="Does it?", answer="no", contexts={"empty": ""})
    first, second = with_contexts([draft, own], library, formula)
    assert {*first.contexts} == {"whole", "chunks", "guaranteed", "empty"}
    assert first.contexts["whole"] == library.text
    assert first.contexts["empty"] == ""
    assert second.contexts == {"empty": ""}
