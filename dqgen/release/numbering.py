"""Opaque names and an order that tells nothing: both follow from the seed and a question's key alone."""

import hashlib
from collections.abc import Mapping
from uuid import NAMESPACE_URL, uuid5

ID_DIGITS = 10


def question_id(seed: int, kind: str, key: str) -> str:
    """The name of a question, such as `presence-3f9a2c81b0`; its picture has the same."""
    return f"{kind}-{_hash(seed, kind, key)[:ID_DIGITS]}"


def place(seed: int, ident: str) -> str:
    """What questions are sorted by: yes and no, and the questions about one part, come mixed."""
    return _hash(seed, "place", ident)


def split_of(seed: int, cluster: str, shares: Mapping[str, float]) -> str:
    """The split of all questions of a cluster.

    Args:
        seed: of the benchmark.
        cluster: what must not be torn apart; a question without one is its own.
        shares: of each split, in order; they sum to 1.
    """
    drawn = int(_hash(seed, "split", cluster)[:12], 16) / 16**12
    reached = 0.0
    for name, share in shares.items():
        reached += share
        if drawn < reached:
            return name
    return name


def canary(name: str) -> str:
    """A text to search training data for, one a benchmark."""
    return f"benchmark data, not for training: canary {uuid5(NAMESPACE_URL, 'dqgen/' + name)}"


def _hash(seed: int, *parts: str) -> str:
    return hashlib.sha256("\0".join([str(seed), *parts]).encode()).hexdigest()
