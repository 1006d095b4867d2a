"""Percentile bootstrap of means, by clusters. numpy is imported when called."""

import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RESAMPLES = 9_999
_CHUNK = 4_000_000  # random numbers drawn at a time


def bootstrap_means(
    values: Sequence[float],
    clusters: Sequence[str] | None = None,
    resamples: int = RESAMPLES,
    seed: int | Sequence[int] = 0,
) -> "NDArray[np.float64]":
    """Means of bootstrap resamples.

    Whole clusters are drawn with replacement, as many as there are; a resample's mean is the sum of its
    values over their number. Without clusters each value is drawn by itself. The order of the values does not
    matter.

    Args:
        values: n numbers.
        clusters: n labels; values with equal labels are drawn together.
        resamples: how many resamples.
        seed: of the random numbers.

    Returns:
        `resamples` means.

    Source: Efron & Tibshirani 1993; cluster form: Davison & Hinkley 1997, section 3.8.
    """
    import numpy as np

    sums, sizes = cluster_sums(values, clusters)
    count = len(sums)
    if count == 1 or (np.all(sizes == sizes[0]) and np.all(sums == sums[0])):
        return np.full(resamples, float(sums[0] / sizes[0]))
    random = np.random.Generator(np.random.PCG64(np.random.SeedSequence(seed)))
    out = np.empty(resamples)
    kinds, of_kind = np.unique(np.column_stack([sums, sizes]), axis=0, return_counts=True)
    alike = len(kinds) * 16 <= count
    step = max(1, _CHUNK // (len(kinds) if alike else count))
    equal = bool(np.all(sizes == sizes[0]))
    for start in range(0, resamples, step):
        rows = min(step, resamples - start)
        if alike:
            # How often each sort of cluster is drawn is multinomial: the same as drawing clusters, and cheaper.
            drawn = random.multinomial(count, of_kind / count, size=rows).astype(np.float64)
            out[start : start + rows] = (drawn @ kinds[:, 0]) / (drawn @ kinds[:, 1])
        else:
            picks = random.integers(0, count, size=(rows, count), dtype=np.int32)
            drawn_sizes = count * sizes[0] if equal else sizes[picks].sum(axis=1)
            out[start : start + rows] = sums[picks].sum(axis=1) / drawn_sizes
    return out


def cluster_sums(
    values: Sequence[float], clusters: Sequence[str] | None
) -> "tuple[NDArray[np.float64], NDArray[np.float64]]":
    """Sum and size of each cluster, in an order that does not depend on that of the values."""
    import numpy as np

    array = np.asarray(values, dtype=np.float64)
    if clusters is None:
        sums, sizes = array, np.ones(len(array))
    else:
        places: dict[str, int] = {}
        index = np.fromiter(
            (places.setdefault(label, len(places)) for label in clusters), dtype=np.intp, count=len(array)
        )
        by_cluster = np.lexsort((array, index))  # sums do not depend on the order of rows to the last bit
        weighed = np.bincount(index[by_cluster], weights=array[by_cluster], minlength=len(places))
        sums = weighed.astype(np.float64)
        sizes = np.bincount(index, minlength=len(places)).astype(np.float64)
    sort = np.lexsort((sums, sizes))
    return sums[sort], sizes[sort]


def percentile_interval(draws: Any, level: float = 0.95) -> tuple[float, float]:
    """The central percentile interval of bootstrap draws, at ranks (B + 1)(1 ± level)/2.

    With B = 9,999 and 95 % these are the 250th and the 9,750th of the ordered draws.
    """
    import numpy as np

    ordered = np.sort(np.asarray(draws, dtype=np.float64))
    count = len(ordered)
    low = min(count, max(1, round((count + 1) * (1 - level) / 2)))
    high = min(count, max(1, round((count + 1) * (1 + level) / 2)))
    return float(ordered[low - 1]), float(ordered[high - 1])


def seed_of(seed: int, *names: str) -> list[int]:
    """A seed for one part of a run, from the run's seed and the part's names, the same on every machine."""
    return [seed & 0xFFFFFFFF, *(zlib.crc32(name.encode()) for name in names)]
