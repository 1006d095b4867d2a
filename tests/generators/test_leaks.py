"""Nothing but the question itself tells yes from no, and the classifier that says so would notice."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from dqgen.generators.draft import Draft
from tests.generators.desk import SPEC, Desk, desk_of
from tests.generators.leaks import Verdict, features, judged


@dataclass(frozen=True)
class Table:
    """What a lazy solver could go by."""

    values: np.ndarray
    names: list[str]
    answers: np.ndarray
    clusters: list[str]


def tabled(drafts: list[Draft]) -> Table:
    values, names = features(drafts)
    answers = np.array([1.0 if draft.answer == "yes" else -1.0 for draft in drafts])
    return Table(values, names, answers, [draft.cluster or draft.key for draft in drafts])


def verdict(table: Table, plant: str = "") -> Verdict:
    values = table.values.copy()
    if plant:
        column = table.names.index(plant)
        values[:, column] += table.answers * max(values[:, column].std(), 1.0)
    return judged(values, table.names, table.answers, table.clusters)


def presence(bench: Desk) -> list[Draft]:
    """Questions by several seeds: one alone is too few to learn from."""
    drafts = []
    for seed in range(4):
        folder = bench.sources.file.parent / f"seed {seed}"
        desk = desk_of(folder, {**SPEC, "seed": seed, "pictures": {"size": 600}}, bench.sources.design())
        for draft in desk.drafts("presence"):
            drafts.append(replace(draft, cluster=f"{draft.cluster}/{seed}", key=f"{draft.key}/{seed}"))
    return drafts


@pytest.fixture(scope="module", params=["presence", "dimension"])
def table(request: pytest.FixtureRequest, bench: Desk) -> Table:
    return tabled(presence(bench) if request.param == "presence" else bench.drafts("dimension"))


def test_answers_do_not_leak(table: Table) -> None:
    found = verdict(table)
    assert not found.leaks, found


@pytest.mark.parametrize("plant", ["bytes", "prompt length", "width"])
def test_a_planted_leak_is_found(table: Table, plant: str) -> None:
    assert verdict(table, plant).leaks
