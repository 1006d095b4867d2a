"""Models side by side."""

import random
from pathlib import Path

import pytest

from dqgen.errors import ScoreError, UsageError
from dqgen.scorer.compare import compare, read_models
from dqgen.scorer.item import ItemScore
from dqgen.scorer.plot import plot_comparison


def items(scores: list[float], subset: str = "presence", clusters: int = 0) -> list[ItemScore]:
    return [
        ItemScore(
            f"{subset}{n}",
            subset,
            subset,
            "m",
            score,
            "answered",
            cluster=f"c{n % clusters}" if clusters else f"{n}",
        )
        for n, score in enumerate(scores)
    ]


RANDOM = random.Random(1)
WEAK = [float(RANDOM.random() < 0.4) for _ in range(120)]
STRONG = [max(w, float(RANDOM.random() < 0.5)) for w in WEAK]


def test_a_better_model_is_found() -> None:
    found = compare({"weak": items(WEAK), "strong": items(STRONG)})
    assert [model.scores["overall"] for model in found.models] == [sum(WEAK) / 120, sum(STRONG) / 120]
    overall, presence = found.pairs
    assert (overall.scope, presence.scope) == ("overall", "presence")
    assert presence.difference == pytest.approx(sum(STRONG) / 120 - sum(WEAK) / 120)
    assert presence.interval is not None
    assert 0 < presence.interval.low < presence.difference < presence.interval.high
    assert presence.p < 0.001
    assert presence.effect == 1
    assert presence.detectable is not None
    assert found.friedman == found.page == []


def test_swapping_turns_the_sign() -> None:
    one = compare({"a": items(WEAK), "b": items(STRONG)}).pairs[1]
    other = compare({"b": items(STRONG), "a": items(WEAK)}).pairs[1]
    assert one.difference == pytest.approx(-other.difference)
    assert one.effect == -other.effect
    assert one.p == other.p


@pytest.mark.parametrize("scores", [[0.0] * 10, [1.0] * 10, [0.5] * 10])
def test_constant_scores_have_defined_results(scores: list[float]) -> None:
    found = compare({"a": items(scores), "b": items(scores), "c": items(scores)}, order=["a", "b", "c"])
    for pair in found.pairs:
        assert (pair.difference, pair.p, pair.q, pair.effect, pair.detectable) == (0, 1, 1, 0, None)
        assert pair.interval is not None
        assert (pair.interval.low, pair.interval.high) == (0, 0)
    assert all((test.p, test.effect) == (1, 0) for test in found.friedman)
    assert all(test.p == 1 for test in found.page)


def test_trend_in_an_order_given_in_advance() -> None:
    best = [1.0] * 120
    models = {"a": items(WEAK), "b": items(STRONG), "c": items(best)}
    assert compare(models, order=["a", "b", "c"]).page[0].p < 1e-6
    assert compare(models, order=["c", "b", "a"]).page[0].p > 0.99
    assert compare(models).friedman[0].p < 1e-6


def test_clusters_count_as_units() -> None:
    found = compare({"a": items(WEAK, clusters=20), "b": items(STRONG, clusters=20)}).pairs[1]
    assert (found.n, found.clusters) == (120, 20)


def test_overall_weighs_subsets_alike() -> None:
    one = [*items([0.0] * 90), *items([0.0] * 10, "definition")]
    other = [*items([1.0] * 90), *items([0.0] * 10, "definition")]
    found = compare({"a": one, "b": other})
    assert found.pairs[0].difference == 0.5
    assert found.models[1].scores == {"presence": 1, "definition": 0, "overall": 0.5}


def test_correction_is_within_families() -> None:
    models = {name: [*items(WEAK), *items(STRONG, "definition")] for name in "ab"}
    models["b"] = [*items(STRONG), *items(STRONG, "definition")]
    pairs = compare(models).pairs
    by_scope = {pair.scope: pair for pair in pairs}
    assert by_scope["overall"].q == by_scope["overall"].p
    assert by_scope["presence"].q == pytest.approx(min(1, 2 * by_scope["presence"].p))


def test_only_shared_questions_count() -> None:
    found = compare({"a": items(WEAK), "b": items(STRONG[:100])})
    assert found.pairs[1].n == 100
    assert found.notes == ["20 questions of a left out: not every model has them"]


def test_the_same_seed_gives_the_same_comparison() -> None:
    models = {"a": items(WEAK), "b": items(STRONG)}
    assert compare(models, seed=2) == compare(models, seed=2)


@pytest.mark.parametrize("order", [["a", "b"], ["a", "b", "z"], ["a", "a", "b"]])
def test_wrong_orders_are_told(order: list[str]) -> None:
    with pytest.raises(UsageError):
        compare({"a": items(WEAK), "b": items(STRONG), "c": items(WEAK)}, order=order)


def test_too_few_models_and_no_shared_question_are_told() -> None:
    with pytest.raises(UsageError, match="two models or more"):
        compare({"a": items(WEAK)})
    with pytest.raises(ScoreError, match="share no question"):
        compare({"a": items(WEAK), "b": items(WEAK, "definition")})


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "a", "prediction": "yes"}', "no 'kind' in it"),
        ('{"id": "a", "subset": "x", "kind": "x", "score": 2}', "no score from 0 to 1"),
        ('{"id": "a", "subset": "x", "kind": "x", "score": null}', "no score from 0 to 1"),
        ('{"id": "a", "subset": "x", "kind": "x", "score": NaN}', "no score from 0 to 1"),
        ('{"id": "a", "subset": "x", "kind": "x", "score": 1}\n' * 2, "question 'a' twice"),
    ],
)
def test_wrong_item_files_are_told(tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "i.jsonl"
    path.write_text(text)
    with pytest.raises(ScoreError, match=message):
        read_models([str(path)], None)


def test_two_files_of_one_name_need_names(tmp_path: Path) -> None:
    row = '{"id": "a", "subset": "x", "kind": "x", "score": 1}'
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "i.jsonl").write_text(row)
    paths = [str(tmp_path / folder / "i.jsonl") for folder in ("one", "two")]
    with pytest.raises(UsageError, match="NAME=FILE"):
        read_models(paths, None)
    models, files, _ = read_models([f"a={paths[0]}", f"b={paths[1]}"], None)
    assert list(models) == ["a", "b"]
    assert files == {"a": "i.jsonl", "b": "i.jsonl"}


def test_items_of_different_profiles_are_not_compared(tmp_path: Path) -> None:
    for profile in ("robust", "designqa"):
        row = f'{{"id": "a", "subset": "x", "kind": "x", "score": 1, "profile": "{profile}"}}'
        (tmp_path / f"{profile}.jsonl").write_text(row)
    with pytest.raises(ScoreError, match="different profiles"):
        read_models([str(tmp_path / "robust.jsonl"), str(tmp_path / "designqa.jsonl")], None)


@pytest.mark.parametrize("suffix", [".png", ".svg", ".pdf"])
def test_plots_repeat_to_the_byte(tmp_path: Path, suffix: str) -> None:
    found = compare({"a $x$": items(WEAK), "b": items(STRONG)}, resamples=99)
    paths = [tmp_path / f"{n}{suffix}" for n in (1, 2)]
    for path in paths:
        plot_comparison(found, path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    assert sorted(p.name for p in tmp_path.iterdir()) == [p.name for p in paths]


def test_a_plot_that_cannot_be_is_told(tmp_path: Path) -> None:
    found = compare({"a": items(WEAK), "b": items(STRONG)}, resamples=0)
    with pytest.raises(ScoreError, match="cannot draw"):
        plot_comparison(found, tmp_path / "x.gif")
    with pytest.raises(ScoreError, match="cannot be written"):
        plot_comparison(found, tmp_path / "none" / "x.png")
