"""Token F1, BLEU-2 and ROUGE-L: properties, and agreement with the packages that the official scorer uses."""

import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk.translate.bleu_score import sentence_bleu
from rouge import Rouge

from dqgen.scorer.metrics import best_f1, numeric_accuracy
from dqgen.scorer.overlap import (
    bleu2,
    bleu_tokens,
    official_bleu2,
    official_f1,
    official_rouge_l,
    rouge_l,
    token_f1,
)
from dqgen.scorer.text import characters, official_words, words

TOKENS = st.lists(st.sampled_from("abcdef"), max_size=12)
TEXTS = st.lists(
    st.sampled_from(["tube", "a", "wall", "25.4", "mm", "is", "The", "Rule", "V.1.2", "a. b", "."]),
    max_size=14,
).map(" ".join)


def test_known_values() -> None:
    assert token_f1(["a", "b", "c"], ["b", "c", "d"]) == pytest.approx(2 / 3)
    assert token_f1(["a"], ["b"]) == 0
    assert token_f1([], []) == 1
    assert official_f1([], []) == 0
    assert token_f1([], ["a"]) == 0
    assert bleu2("a b c d", "a b c d") == 1
    assert bleu2("a b c d", "a b") == pytest.approx(2.718281828 ** (1 - 4 / 2))
    assert rouge_l("a b c d", "a c") == pytest.approx(2 * 1 * 0.5 / 1.5)
    assert rouge_l("", "") == 1
    assert bleu2("", "a") == rouge_l("a", "") == 0


@given(TOKENS, TOKENS)
def test_f1_is_symmetric_and_within_bounds(one: list[str], other: list[str]) -> None:
    score = token_f1(one, other)
    assert 0 <= score <= 1
    assert score == pytest.approx(token_f1(other, one))
    assert (score == 1) == (sorted(one) == sorted(other))


@given(TOKENS, TOKENS, st.randoms(use_true_random=False))
def test_f1_ignores_order(one: list[str], other: list[str], shuffle: random.Random) -> None:
    mixed = one[:]
    shuffle.shuffle(mixed)
    assert token_f1(mixed, other) == token_f1(one, other)


@given(TEXTS, TEXTS)
def test_scores_are_within_bounds(one: str, other: str) -> None:
    for score in (bleu2, rouge_l, official_bleu2):
        assert 0 <= score(one, other) <= 1 + 1e-12


@given(st.text(max_size=80).filter(lambda t: t.replace(".", " ").split()))
def test_equal_texts_score_1(text: str) -> None:
    assert bleu2(text, text) == pytest.approx(1)
    assert rouge_l(text, text) == pytest.approx(1)
    if words(text):
        assert best_f1(text, [text]) == 1
        assert best_f1(text, [text], characters) == 1


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4), TEXTS)
def test_a_synonym_never_lowers_a_score(prediction: str, truths: list[str], extra: str) -> None:
    for cut in (words, characters):
        assert best_f1(prediction, [*truths, extra], cut) >= best_f1(prediction, truths, cut)


@given(TEXTS, TEXTS)
def test_bleu_agrees_with_nltk(reference: str, hypothesis: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        want = sentence_bleu([bleu_tokens(reference)], bleu_tokens(hypothesis), (0.5, 0.5))
    assert official_bleu2(reference, hypothesis) == pytest.approx(want, abs=1e-15)


LOOSE = st.lists(st.sampled_from(["a", "b", "c", "d", " ", ".", ". ", "  ", "e f", "\n"]), max_size=24).map(" ".join)


@given(LOOSE | TEXTS, LOOSE | TEXTS)
def test_rouge_agrees_with_the_package(reference: str, hypothesis: str) -> None:
    try:
        want = Rouge(metrics=["rouge-l"]).get_scores(reference, hypothesis, avg=True)["rouge-l"]["f"]
    except ValueError:
        with pytest.raises(ValueError, match="without words"):
            official_rouge_l(reference, hypothesis)
        return
    assert official_rouge_l(reference, hypothesis) == pytest.approx(want, abs=1e-15)
    assert rouge_l(reference, hypothesis) == pytest.approx(want, abs=1e-7) or " . " in f" {reference} {hypothesis} "


@given(st.floats(-1e6, 1e6), st.floats(0, 1e3))
def test_numeric_accuracy_holds_at_its_limit(truth: float, tolerance: float) -> None:
    assert numeric_accuracy(truth, truth) == 1
    assert numeric_accuracy(truth + tolerance, truth, tolerance=tolerance) == 1
    assert numeric_accuracy(truth + tolerance * 1.01 + 1e-3, truth, tolerance=tolerance) == 0


def test_numeric_accuracy_takes_the_wider_tolerance() -> None:
    assert numeric_accuracy(25.1, 25, tolerance=0.1) == 1
    assert numeric_accuracy(26, 25, tolerance=0.1, relative_tolerance=0.05) == 1
    assert numeric_accuracy(25.001, 25) == 0
    assert numeric_accuracy(float("nan"), 25, tolerance=1) == 0


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("The driver's tube is 25.4 mm", ["drivers", "tube", "is", "25.4", "mm"]),
        ("driver’s", ["drivers"]),
        ("formula-style", ["formula", "style"]),
        ("formula–style", ["formula", "style"]),
        ("1,525 mm", ["1525", "mm"]),
        ("≥ 25°", ["≥", "25°"]),
        ("• Dry\n• Wet", ["dry", "wet"]),
        ("ﬁrewall", ["firewall"]),
        ("Straße", ["strasse"]),
        ("and/or", ["and", "or"]),
        ("", []),
    ],
)
def test_words_are_cut_soundly(text: str, cut: list[str]) -> None:
    assert words(text) == cut


def test_official_words_keep_their_faults() -> None:
    assert official_words("The driver's tube is 25.4 mm") == ["drivers", "tube", "is", "254", "mm"]
    assert official_words("driver’s • a.") == ["driver’s", "•"]


@given(st.text(max_size=200))
def test_any_text_has_words(text: str) -> None:
    found = words(text)
    assert words(" ".join(found)) == [w for w in found if w not in ("a", "an", "the")]
