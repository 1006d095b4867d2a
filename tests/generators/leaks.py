"""A trivial classifier: can yes be told from no by what has nothing to do with the question?

Ridge regression on ±1 (A. E. Hoerl and R. W. Kennard, 1970), cross-validated with all questions of a cluster in one
fold, and decision stumps; each held against the same on shuffled answers.
"""

import io
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PIL import Image

from dqgen.generators.draft import Draft
from dqgen.release.numbering import question_id

FOLDS = 5
RIDGE = 3.0
SHUFFLES = 400
QUANTILE = 0.995
GREYS = 8


@dataclass(frozen=True)
class Verdict:
    """How often the classifier is right, and how often it must be to count as better than chance."""

    accuracy: float
    bound: float
    stump: float
    stump_bound: float
    best: str

    @property
    def leaks(self) -> bool:
        return self.accuracy > self.bound or self.stump > self.stump_bound


def features(drafts: Sequence[Draft], seed: int = 0) -> tuple[np.ndarray, list[str]]:
    """Numbers (n, f) that a lazy solver could go by: the words and length of a prompt, the size, bytes, colours and
    greys of a picture, the digits of its name."""
    words = sorted({word for draft in drafts for word in _words(draft.prompt)})
    names = [
        "prompt length", "bytes", "width", "height", "red", "green", "blue", "white", "pink",
        *(f"grey {at}" for at in range(GREYS)), *(f"digit {at}" for at in range(10)), *(f"word {w}" for w in words),
    ]  # fmt: skip
    rows = []
    for draft in drafts:
        data = draft.pictures[0].data
        pixels = np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))
        high, wide = pixels.shape[:2]
        pixels = pixels[::3, ::3].astype(float)
        mean = pixels.mean(axis=(0, 1))
        grey = np.histogram(pixels.mean(axis=2), bins=GREYS, range=(0, 256))[0] / pixels[..., 0].size
        pink = ((pixels[..., 0] > 180) & (pixels[..., 1] < 90) & (pixels[..., 2] > 120)).mean()
        ident = question_id(seed, draft.kind, draft.key).rsplit("-", 1)[1]
        said = _words(draft.prompt)
        white = (pixels > 250).all(axis=2).mean()
        rows.append([len(draft.prompt), len(data), wide, high, *mean, white, pink, *grey])
        rows[-1] += [*(int(char, 16) for char in ident[:10]), *(said.count(word) for word in words)]
    return np.array(rows, dtype=float), names


def judged(values: np.ndarray, names: Sequence[str], answers: np.ndarray, clusters: Sequence[str]) -> Verdict:
    """Try to tell ±1 answers by features; answers are shuffled for the bounds."""
    spread = values.std(axis=0)
    kept = spread > 1e-12
    table = (values[:, kept] - values[:, kept].mean(axis=0)) / spread[kept]
    chosen = [name for name, keep in zip(names, kept, strict=True) if keep]
    chance = np.random.default_rng(1)
    labels = np.stack([answers, *(chance.permutation(answers) for _ in range(SHUFFLES))], axis=1)
    right = _cross_validated(table, labels, clusters)
    stumps, best = _stumps(table, labels)
    return Verdict(
        float(right[0]),
        float(np.quantile(right[1:], QUANTILE)),
        float(stumps[0]),
        float(np.quantile(stumps[1:], QUANTILE)),
        chosen[best],
    )


def _cross_validated(table: np.ndarray, labels: np.ndarray, clusters: Sequence[str]) -> np.ndarray:
    groups = sorted(set(clusters))
    fold = {name: at % FOLDS for at, name in enumerate(np.random.default_rng(0).permutation(groups).tolist())}
    folds = np.array([fold[name] for name in clusters])
    right = np.zeros(labels.shape[1])
    for at in range(FOLDS):
        test, train = folds == at, folds != at
        if not test.any():
            continue
        some = table[train]
        weights = some.T @ np.linalg.solve(some @ some.T + RIDGE * np.eye(len(some)), labels[train])
        right += (np.sign(table[test] @ weights + 1e-12) == labels[test]).sum(axis=0)
    return right / len(labels)


def _stumps(table: np.ndarray, labels: np.ndarray) -> tuple[np.ndarray, int]:
    """Accuracy of the best threshold on the best feature, for each column of labels; the best feature of the first."""
    best = np.zeros(labels.shape[1])
    chosen = 0
    for at in range(table.shape[1]):
        order = np.argsort(table[:, at], kind="stable")
        steps = np.flatnonzero(np.diff(table[order, at]) > 1e-12)
        below = np.cumsum(labels[order] > 0, axis=0)[steps]
        count = (steps + 1)[:, None]
        positives = (labels > 0).sum(axis=0)
        right = below + (len(labels) - count) - (positives - below)  # yes below the threshold, no above
        top = np.maximum(right, len(labels) - right).max(axis=0, initial=0) / len(labels)
        if top[0] > best[0]:
            chosen = at
        best = np.maximum(best, top)
    return best, chosen


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z]+", text.lower())
