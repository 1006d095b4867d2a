"""Tests on paired scores. Pure functions; numpy and scipy are imported when called."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dqgen.scorer.bootstrap import cluster_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

_EXACT = 50  # differences up to which the signed-rank test is exact
_NOISE = 1e-12  # scores this close are equal: they differ by rounding alone


@dataclass(frozen=True, slots=True)
class SignedRank:
    """Wilcoxon's signed-rank test.

    Sum of positive ranks, two-sided p, rank-biserial correlation, and how many differ.
    """

    statistic: float
    p: float
    effect: float
    nonzero: int


@dataclass(frozen=True, slots=True)
class Screen:
    """A test statistic with its p and, for Friedman's, Kendall's W."""

    statistic: float
    p: float
    effect: float | None = None


def wilcoxon_signed_rank(differences: Sequence[float]) -> SignedRank:
    """Wilcoxon's signed-rank test, two-sided, with the matched-pairs rank-biserial correlation.

    Zeros are dropped, ties get mean ranks. Up to 50 differences the null distribution of W⁺ = Σ rᵢBᵢ, Bᵢ fair
    coins, is counted exactly, ties included; above it is normal with mean Σrᵢ/2 and variance Σrᵢ²/4, without
    continuity correction. The effect is (W⁺ − W⁻)/(W⁺ + W⁻). All differences zero: statistic 0, p 1, effect
    0.

    Source: Wilcoxon 1945; Pratt & Gibbons 1981 for ties; Kerby 2014 for the effect.
    """
    import numpy as np
    from scipy.special import ndtr
    from scipy.stats import rankdata

    array = np.asarray(differences, dtype=np.float64)
    array = array[np.abs(array) > _NOISE]
    if array.size == 0:
        return SignedRank(0.0, 1.0, 0.0, 0)
    ranks = rankdata(np.round(np.abs(array), 12))
    positive, total = float(ranks[array > 0].sum()), float(ranks.sum())
    if array.size <= _EXACT:
        p = _exact_p(np.rint(2 * ranks).astype(int), round(2 * positive))
    else:
        z = (positive - total / 2) / math.sqrt(float((ranks**2).sum()) / 4)
        p = min(1.0, 2 * float(ndtr(-abs(z))))
    return SignedRank(positive, p, (2 * positive - total) / total, int(array.size))


def _exact_p(doubled: "NDArray[np.int_]", observed: int) -> float:
    import numpy as np

    ways = np.zeros(int(doubled.sum()) + 1)
    ways[0] = 1.0
    for rank in doubled:
        ways[rank:] = (ways[rank:] + ways[: len(ways) - rank]) / 2
        ways[:rank] /= 2
    below, above = float(ways[: observed + 1].sum()), float(ways[observed:].sum())
    return min(1.0, 2 * min(below, above))


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """p-values adjusted for the false discovery rate over m tests: qᵢ = min over j ≥ i of p₍ⱼ₎·m/j, at most
    1.

    Source: Benjamini & Hochberg 1995.
    """
    order = sorted(range(len(p)), key=lambda index: p[index])
    adjusted, lowest = [1.0] * len(p), 1.0
    for rank in range(len(p), 0, -1):
        lowest = min(lowest, p[order[rank - 1]] * len(p) / rank)
        adjusted[order[rank - 1]] = lowest
    return adjusted


def friedman(scores: "ArrayLike") -> Screen:
    """Friedman's test that k models score alike on n units, with Kendall's W as effect.

    χ² = (k − 1) Σⱼ (Rⱼ − n(k + 1)/2)² / Σᵢⱼ (rᵢⱼ − (k + 1)/2)², with mean ranks rᵢⱼ within units and their
    column sums Rⱼ, which holds with ties; p from χ² with k − 1 degrees; W = χ²/(n(k − 1)). All ties: 0, p 1,
    W 0.

    Args:
        scores: n × k.

    Source: Friedman 1937; tie correction: Conover 1999.
    """
    import numpy as np
    from scipy.special import chdtrc

    ranks = _ranks(scores)
    n, k = ranks.shape
    spread = float(((ranks - (k + 1) / 2) ** 2).sum())
    if spread == 0:
        return Screen(0.0, 1.0, 0.0)
    between = float(((ranks.sum(axis=0) - n * (k + 1) / 2) ** 2).sum())
    statistic = (k - 1) * between / spread
    return Screen(statistic, float(chdtrc(k - 1, statistic)), float(np.clip(statistic / (n * (k - 1)), 0, 1)))


def page_trend(scores: "ArrayLike") -> Screen:
    """Page's test that scores rise along an order of models given in advance, one-sided.

    L = Σⱼ j·Rⱼ with column sums Rⱼ of mean ranks within units. Given the ties, L has mean n·k(k + 1)²/4 and
    variance Σⱼ(j − j̄)²/(k − 1) · Σᵢⱼ(rᵢⱼ − r̄)²; p is normal. All ties: p 1.

    Args:
        scores: n × k, columns in the expected rising order.

    Source: Page 1963; variance with ties by permutation within units.
    """
    import numpy as np
    from scipy.special import ndtr

    ranks = _ranks(scores)
    n, k = ranks.shape
    places = np.arange(1, k + 1)
    statistic = float((places * ranks.sum(axis=0)).sum())
    variance = float(((places - (k + 1) / 2) ** 2).sum() / (k - 1) * ((ranks - (k + 1) / 2) ** 2).sum())
    if variance == 0:
        return Screen(statistic, 1.0)
    z = (statistic - n * k * (k + 1) ** 2 / 4) / math.sqrt(variance)
    return Screen(statistic, float(ndtr(-z)))


def _ranks(scores: "ArrayLike") -> "NDArray[np.float64]":
    import numpy as np
    from scipy.stats import rankdata

    table = np.asarray(scores, dtype=np.float64)
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise ValueError("scores must be units × models, with two models or more")
    return np.asarray(rankdata(np.round(table, 12), axis=1), dtype=np.float64)


def standard_error(values: Sequence[float], clusters: Sequence[str] | None = None) -> float | None:
    """Standard error of a mean, by clusters: √(C/(C − 1) · Σ_c (s_c − m·n_c)²)/N.

    With sums s_c and sizes n_c of the C clusters, mean m and N values. None for a single cluster.
    """
    sums, sizes = cluster_sums(values, clusters)
    count = len(sums)
    if count < 2:
        return None
    residuals = sums - sums.sum() / sizes.sum() * sizes
    return math.sqrt(count / (count - 1) * float((residuals**2).sum())) / float(sizes.sum())


def detectable_difference(
    differences: Sequence[float],
    clusters: Sequence[str] | None = None,
    alpha: float = 0.05,
    power: float = 0.8,
) -> float | None:
    """The smallest true mean difference that a two-sided test at `alpha` finds with this power: (z₁₋α/₂ +
    z_power)·SE.

    None where the differences do not vary, or there is one cluster: then nothing can be said.
    """
    return detectable_at(standard_error(differences, clusters), alpha, power)


def detectable_at(error: float | None, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """`detectable_difference` from a known standard error; None where that is None or zero."""
    from scipy.special import ndtri

    if error is None or error <= _NOISE:
        return None
    return float((ndtri(1 - alpha / 2) + ndtri(power)) * error)
