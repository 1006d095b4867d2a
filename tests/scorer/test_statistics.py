"""Tests on paired scores: against scipy, against permutation, and where nothing varies."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dqgen.scorer.statistics import (
    benjamini_hochberg,
    detectable_difference,
    friedman,
    page_trend,
    standard_error,
    wilcoxon_signed_rank,
)

SEEDS = st.integers(0, 10_000)


@given(SEEDS, st.integers(3, 50))
def test_wilcoxon_agrees_with_scipys_exact(seed: int, n: int) -> None:
    values = np.random.default_rng(seed).normal(0.2, 1, n)
    want = stats.wilcoxon(values, method="exact")
    got = wilcoxon_signed_rank(values.tolist())
    assert got.p == pytest.approx(want.pvalue, rel=1e-9)
    assert min(got.statistic, n * (n + 1) / 2 - got.statistic) == pytest.approx(want.statistic)


@given(SEEDS, st.integers(60, 200))
def test_wilcoxon_agrees_with_scipys_normal_with_ties_and_zeros(seed: int, n: int) -> None:
    values = np.random.default_rng(seed).integers(-3, 5, n) / 4
    if np.count_nonzero(values) <= 50:
        return
    want = stats.wilcoxon(values, zero_method="wilcox", correction=False, method="asymptotic")
    assert wilcoxon_signed_rank(values.tolist()).p == pytest.approx(want.pvalue, rel=1e-9)


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=9))
def test_wilcoxon_with_ties_agrees_with_all_sign_flips(values: list[float]) -> None:
    kept = np.array([v for v in values if v])
    got = wilcoxon_signed_rank(values)
    if not kept.size:
        assert (got.p, got.effect, got.nonzero) == (1, 0, 0)
        return
    ranks = stats.rankdata(np.abs(kept))
    flips = [
        sum(r for r, s in zip(ranks, signs, strict=True) if s) for signs in itertools.product([0, 1], repeat=kept.size)
    ]
    seen = ranks[kept > 0].sum()
    p = min(1, 2 * min(np.mean([f <= seen + 1e-9 for f in flips]), np.mean([f >= seen - 1e-9 for f in flips])))
    assert got.p == pytest.approx(p)


@given(st.lists(st.floats(-1, 1), min_size=1, max_size=30))
def test_wilcoxons_effect_turns_with_the_sign(values: list[float]) -> None:
    one, other = wilcoxon_signed_rank(values), wilcoxon_signed_rank([-v for v in values])
    assert -1 <= one.effect <= 1
    assert one.effect == pytest.approx(-other.effect)
    assert one.p == pytest.approx(other.p)
    assert 0 < one.p <= 1


def test_wilcoxon_where_all_agree_in_sign() -> None:
    got = wilcoxon_signed_rank([0.5] * 8)
    assert got.effect == 1
    assert got.p == pytest.approx(2 / 2**8)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_benjamini_hochberg_agrees_with_scipy(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p).tolist())


def test_benjamini_hochberg_of_nothing() -> None:
    assert benjamini_hochberg([]) == []


@given(SEEDS, st.integers(3, 30), st.integers(3, 5), st.booleans())
def test_friedman_agrees_with_scipy(seed: int, n: int, k: int, tied: bool) -> None:
    random = np.random.default_rng(seed)
    scores = random.integers(0, 3, (n, k)) / 2 if tied else random.random((n, k))
    want = stats.friedmanchisquare(*scores.T)
    got = friedman(scores)
    if np.isnan(want.statistic):
        assert (got.statistic, got.p, got.effect) == (0, 1, 0)
        return
    assert got.statistic == pytest.approx(want.statistic)
    assert got.p == pytest.approx(want.pvalue)


def test_friedman_where_nothing_varies() -> None:
    got = friedman(np.full((5, 3), 0.5))
    assert (got.statistic, got.p, got.effect) == (0, 1, 0)


def test_friedmans_effect_is_1_where_all_agree() -> None:
    assert friedman([[1, 2, 3]] * 6).effect == pytest.approx(1)


@given(SEEDS, st.integers(12, 40), st.integers(3, 5))
def test_page_agrees_with_scipy(seed: int, n: int, k: int) -> None:
    scores = np.random.default_rng(seed).random((n, k)) + np.linspace(0, 0.2, k)
    want = stats.page_trend_test(scores, method="asymptotic")
    got = page_trend(scores)
    assert got.statistic == pytest.approx(want.statistic)
    assert got.p == pytest.approx(want.pvalue)


def test_page_with_ties_agrees_with_permutation() -> None:
    random = np.random.default_rng(4)
    scores = random.integers(0, 3, (25, 3)) / 2 + np.array([0, 0, 0.5])
    got = page_trend(scores)
    ranks = stats.rankdata(scores, axis=1)
    drawn = np.array([(np.arange(1, 4) * random.permuted(ranks, axis=1).sum(axis=0)).sum() for _ in range(20_000)])
    assert got.p == pytest.approx(float(np.mean(drawn >= got.statistic - 1e-9)), abs=0.01)


def test_page_where_nothing_varies() -> None:
    assert page_trend(np.zeros((4, 3))).p == 1


def test_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match="units × models"):
        friedman([1, 2, 3])


def test_standard_error_is_the_usual_one_without_clusters() -> None:
    values = np.random.default_rng(1).random(40)
    assert standard_error(values.tolist()) == pytest.approx(stats.sem(values))


def test_standard_error_of_equal_clusters_is_that_of_their_means() -> None:
    values = np.random.default_rng(1).random((12, 5))
    labels = [str(i) for i in range(12) for _ in range(5)]
    assert standard_error(values.ravel().tolist(), labels) == pytest.approx(stats.sem(values.mean(axis=1)))


def test_detectable_difference_is_found_with_its_power() -> None:
    random = np.random.default_rng(8)
    sample = random.normal(0, 0.3, 100)
    size = detectable_difference(sample.tolist())
    assert size == pytest.approx(2.8016 * stats.sem(sample), rel=1e-4)
    found = np.mean([stats.ttest_1samp(random.normal(2.8016 * 0.03, 0.3, 100), 0).pvalue < 0.05 for _ in range(2000)])
    assert found == pytest.approx(0.8, abs=0.03)


@pytest.mark.parametrize("values", [[0.0] * 5, [0.25] * 5, [0.5]])
def test_nothing_can_be_detected_where_nothing_varies(values: list[float]) -> None:
    assert detectable_difference(values) is None
