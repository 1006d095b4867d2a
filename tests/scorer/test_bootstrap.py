"""The bootstrap: against direct computation, and its coverage by simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from dqgen.scorer.bootstrap import bootstrap_means, percentile_interval, seed_of

SCORES = st.lists(st.floats(0, 1), min_size=1, max_size=30)


@given(SCORES, st.integers(0, 5))
def test_means_lie_within_the_values_and_repeat(values: list[float], seed: int) -> None:
    means = bootstrap_means(values, resamples=50, seed=seed)
    assert means.shape == (50,)
    assert min(values) - 1e-12 <= means.min()
    assert means.max() <= max(values) + 1e-12
    assert np.array_equal(means, bootstrap_means(values, resamples=50, seed=seed))


@given(
    st.lists(st.tuples(st.floats(0, 1), st.sampled_from("abcd")), min_size=2, max_size=20),
    st.randoms(use_true_random=False),
)
def test_order_changes_nothing(rows: list[tuple[float, str]], shuffle) -> None:  # type: ignore[no-untyped-def]
    mixed = rows[:]
    shuffle.shuffle(mixed)
    one = bootstrap_means([v for v, _ in rows], [c for _, c in rows], 40)
    assert np.array_equal(one, bootstrap_means([v for v, _ in mixed], [c for _, c in mixed], 40))


def test_constant_values_give_a_point() -> None:
    assert percentile_interval(bootstrap_means([0.5] * 7, resamples=99)) == (0.5, 0.5)
    assert percentile_interval(bootstrap_means([0.25], resamples=99)) == (0.25, 0.25)


def test_percentiles_are_the_250th_and_the_9750th() -> None:
    assert percentile_interval(np.arange(1, 10_000)) == (250, 9750)


def test_it_agrees_with_scipys() -> None:
    values = np.random.default_rng(3).beta(2, 3, 80)
    low, high = percentile_interval(bootstrap_means(values.tolist()))
    other = stats.bootstrap((values,), np.mean, n_resamples=9999, method="percentile", rng=1).confidence_interval
    assert low == pytest.approx(other.low, abs=0.004)
    assert high == pytest.approx(other.high, abs=0.004)


@pytest.mark.parametrize("share", [0.3, 0.9])
def test_drawing_sorts_is_drawing_values(share: float) -> None:
    # 400 values of two sorts go the multinomial way, whose means are binomial.
    ones = round(400 * share)
    means = bootstrap_means([1.0] * ones + [0.0] * (400 - ones))
    assert means.mean() == pytest.approx(share, abs=0.002)
    assert means.std() == pytest.approx((share * (1 - share) / 400) ** 0.5, rel=0.05)


def test_clusters_widen_the_interval() -> None:
    random = np.random.default_rng(5)
    groups = random.random(30)
    values = np.repeat(groups, 8).tolist()
    labels = [str(i // 8) for i in range(240)]
    alone = bootstrap_means(values).std()
    together = bootstrap_means(values, labels).std()
    assert together == pytest.approx(alone * 8**0.5, rel=0.1)


def coverage(clusters: int, size: int, repeats: int = 400) -> float:
    random = np.random.default_rng(11)
    hits = 0
    for repeat in range(repeats):
        centres = np.clip(random.normal(0.6, 0.2, clusters), 0, 1)
        values = (random.random((clusters, size)) < centres[:, None]).astype(float)
        labels = [str(i) for i in range(clusters) for _ in range(size)]
        low, high = percentile_interval(bootstrap_means(values.ravel().tolist(), labels, 999, repeat))
        truth = 0.6 - 0.0009  # the mean of the clipped normal
        hits += low <= truth <= high
    return hits / repeats


@pytest.mark.parametrize(("clusters", "size"), [(60, 1), (60, 4), (150, 3)])
def test_intervals_cover_the_truth_as_often_as_they_say(clusters: int, size: int) -> None:
    assert 0.91 <= coverage(clusters, size) <= 0.98


def test_clusters_ignored_would_cover_too_seldom() -> None:
    random = np.random.default_rng(2)
    hits = 0
    for repeat in range(200):
        values = np.repeat(random.random(40) < 0.6, 6).astype(float).tolist()
        low, high = percentile_interval(bootstrap_means(values, None, 499, repeat))
        hits += low <= 0.6 <= high
    assert hits / 200 < 0.75


def test_seeds_differ_by_name() -> None:
    assert seed_of(0, "a", "b") != seed_of(0, "b", "a")
    assert seed_of(0, "a") == seed_of(0, "a")
