"""Overlap of a prediction with its truth: F1 on bags, BLEU-2 and ROUGE-L.

Pure functions on lists and strings.
"""

import math
import re
import sys
from collections import Counter
from collections.abc import Hashable, Sequence

_PARTS = re.compile(r"\s|\.")


def token_f1(prediction: Sequence[Hashable], truth: Sequence[Hashable]) -> float:
    """F1 of two bags of tokens: words, characters or ids.

    With c the size of the multiset intersection, P = c/|prediction|, R = c/|truth|, F1 = 2PR/(P + R); 0 where
    c = 0. Two empty bags are equal and score 1 (the official scorer gives 0; `designqa` keeps that).

    Source: SQuAD v1.1 evaluation (Rajpurkar et al. 2016); DesignQA (Doris et al. 2024).
    """
    if not prediction and not truth:
        return 1.0
    return official_f1(prediction, truth)


def official_f1(prediction: Sequence[Hashable], truth: Sequence[Hashable]) -> float:
    """`token_f1` as the official scorer has it: no common token gives 0, even where both bags are empty."""
    common = sum((Counter(prediction) & Counter(truth)).values())
    if common == 0:
        return 0.0
    precision = common / len(prediction)
    recall = common / len(truth)
    return 2 * precision * recall / (precision + recall)


def bleu_tokens(text: str) -> list[str]:
    """Tokens for BLEU: parts between white space and full stops, case kept.

    Source: ScienceQA's evaluation.
    """
    return [part for part in _PARTS.split(text) if part]


def bleu2(reference: str, hypothesis: str) -> float:
    """Sentence BLEU with weights (½, ½) on one reference.

    BP·√(p₁·p₂), with clipped n-gram precisions pₙ and brevity penalty BP = min(1, exp(1 − r/h)), r and h
    being the token counts. Where a text has a single token, p₁ alone counts, so that equal texts always score
    1.

    Source: Papineni et al. 2002.
    """
    want, got = bleu_tokens(reference), bleu_tokens(hypothesis)
    if not got or not want:
        return float(got == want)
    first = _precision(want, got, 1)
    if min(len(want), len(got)) < 2:
        return _brevity(len(want), len(got)) * first
    return _brevity(len(want), len(got)) * math.sqrt(first * _precision(want, got, 2))


def official_bleu2(reference: str, hypothesis: str) -> float:
    """BLEU-2 as NLTK's `sentence_bleu(…, (½, ½))` gives it without smoothing.

    It differs from `bleu2` for single tokens, and by some 1e-154 where no pair of words agrees.
    """
    want, got = bleu_tokens(reference), bleu_tokens(hypothesis)
    first = _precision(want, got, 1)
    if first == 0:
        return 0.0
    second = _precision(want, got, 2) or sys.float_info.min
    logs = (0.5 * math.log(first), 0.5 * math.log(second))
    return _brevity(len(want), len(got)) * math.exp(math.fsum(logs))


def _precision(want: list[str], got: list[str], n: int) -> float:
    grams = Counter(zip(*(got[i:] for i in range(n)), strict=False))
    known = Counter(zip(*(want[i:] for i in range(n)), strict=False))
    return sum((grams & known).values()) / max(1, sum(grams.values()))


def _brevity(reference: int, hypothesis: int) -> float:
    return 1.0 if hypothesis > reference else math.exp(1 - reference / hypothesis)


def rouge_l(reference: str, hypothesis: str) -> float:
    """ROUGE-L of two texts, summary level on distinct words.

    Sentences end at full stops. With u the number of distinct words in the union of the longest common
    subsequences of all sentence pairs, P = u/|words of hypothesis|, R = u/|words of reference|, both
    distinct; F = 2PR/(P + R).

    Source: Lin 2004, in the variant of the PyPI package `rouge` 1.0.1 that DesignQA uses, without its 1e-8.
    """
    want, got = _sentences(reference), _sentences(hypothesis)
    if not want or not got:
        return float(want == got)
    common, in_want, in_got = _union_lcs(want, got)
    return 2 * common / (in_want + in_got)


def official_rouge_l(reference: str, hypothesis: str) -> float:
    """ROUGE-L as `rouge` 1.0.1 gives it, which adds 1e-8 to the denominator.

    Raises:
        ValueError: one of the texts has no sentence, which the package refuses too.
    """
    want, got = _stops(reference), _stops(hypothesis)
    if not want or not got:
        raise ValueError("a text without words")
    common, in_want, in_got = _union_lcs(want, got)
    precision, recall = common / in_want, common / in_got
    return 2.0 * ((precision * recall) / (precision + recall + 1e-8))


def _stops(text: str) -> list[list[str]]:
    # A blank between two stops is a sentence with one empty word, as in the package.
    return [" ".join(part.split()).split(" ") for part in text.split(".") if part]


def _sentences(text: str) -> list[list[str]]:
    return [sentence for part in text.split(".") if (sentence := part.split())]


def _union_lcs(want: list[list[str]], got: list[list[str]]) -> tuple[int, int, int]:
    union: set[str] = set()
    for sentence in got:
        for other in want:
            union |= _lcs_words(sentence, other)
    return len(union), len({w for s in want for w in s}), len({w for s in got for w in s})


def _lcs_words(long: list[str], short: list[str]) -> set[str]:
    """The distinct words of one longest common subsequence, ties broken as in the package.

    Words of `short` that `long` lacks never change the way back, and a row of `long` without a match equals
    the row before, so only the cells of common words are computed.
    """
    common = set(long) & set(short)
    if not common:
        return set()
    if len(common) == 1:
        return common
    short = [word for word in short if word in common]
    width = len(short)
    rows = [[0] * (width + 1)]
    for word in long:
        above = rows[-1]
        if word not in common:
            rows.append(above)
            continue
        row, left = [0], 0
        for j, other in enumerate(short):
            left = above[j] + 1 if other == word else max(above[j + 1], left)
            row.append(left)
        rows.append(row)
    found: set[str] = set()
    i, j = len(long), width
    while i and j:
        if long[i - 1] == short[j - 1]:
            found.add(long[i - 1])
            i, j = i - 1, j - 1
        elif rows[i - 1][j] > rows[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found
