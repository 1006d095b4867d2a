"""Terms, mention types, and the rules that a term is about."""

from dqgen.rulebook.compilation import rules_about
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.terms import find_terms, mention_type
from dqgen.schemas.rulebook import Rulebook


def test_terms_are_defined_or_acronyms(cart: Rulebook) -> None:
    terms = {term.term: term for term in find_terms(cart.rules)}
    assert terms["GFD"].kind == "acronym"
    assert terms["GFD"].expansion == "Ground Fault Detector"
    assert terms["GFD"].rules == ["T.2.3"]
    assert terms["Brake Light"].kind == "defined"
    assert terms["Brake Light"].rules == ["T.2.1", "T.2.2"]


def test_mention_types(cart: Rulebook) -> None:
    assert mention_type(cart.rules, "Brake Light") == ("definition", ["T.2.1"])
    assert mention_type(cart.rules, "steel tube")[0] == "mentioned"
    assert mention_type(cart.rules, "antenna") == ("not_mentioned", [])


def test_whole_words_in_singular_and_plural() -> None:
    pattern = mention_pattern(["brake light"])
    assert pattern.search("The Brake\nLights must")
    assert not pattern.search("handbrake lighting")


def test_strict_compilation_takes_children_and_references(cart: Rulebook) -> None:
    assert rules_about(cart.rules, "steel") == ["T.1.1.1", "T.1.2.1"]
    assert rules_about(cart.rules, "frame") == [
        "T.1", "T.1.1", "T.1.1.1", "T.1.1.2", "T.1.1.3", "T.1.2", "T.1.2.1", "T.2.1", "T.2.2", "T.2.3",
    ]  # fmt: skip
    assert rules_about(cart.rules, "steel", parts=["Z"]) == []


def test_designqa_compilation_keeps_its_oddities(cart: Rulebook) -> None:
    """Substrings count, each synonym is handled alone and appended, and dead references are kept."""
    found = rules_about(cart.rules, "40 kg/axle", profile="designqa")
    assert found == ["T.1.1.3", "T.9.9", "T.1.1.3", "T.9.9"] or found[:1] == ["T.1.1.3"]
    assert found.count("T.1.1.3") == 2
