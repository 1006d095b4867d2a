"""Reports: order of rows, rates, balance, breakdowns, marks."""

import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dqgen.schemas.question import Question
from dqgen.scorer.benchmark import Asked
from dqgen.scorer.metrics import METRICS, metric
from dqgen.scorer.package import read_package
from dqgen.scorer.run import run
from tests.scorer.packages import RIGHT, write_package, write_replies


def ask(rows: list[tuple[str, str | None]], **values: Any) -> Asked:
    questions = [
        Question.model_validate({"id": f"q{n}", "kind": "presence", "subset": "presence", "answer": truth, **values})
        for n, (truth, _) in enumerate(rows)
    ]
    replies = {f"q{n}": reply for n, (_, reply) in enumerate(rows) if reply is not None}
    return Asked("test", None, questions, replies, ["presence"])


def test_rates_and_balance() -> None:
    rows = [
        ("yes", "Yes"),
        ("yes", "Yes"),
        ("yes", "No"),
        ("no", "Yes"),
        ("no", "I'm sorry, but I can't assist."),
        ("no", " "),
    ]
    rows += [("yes", "Maybe"), ("no", "No (though I cannot confirm it)")]
    subset = run(ask([*rows, ("yes", None)]), resamples=99).report.subsets["presence"]
    assert subset.n == 9
    assert subset.score == pytest.approx(3 / 9)
    assert [subset.unparsed, subset.refused, subset.empty, subset.missing, subset.hedged] == pytest.approx([1 / 9] * 5)
    assert subset.balanced_accuracy == pytest.approx((2 / 5 + 1 / 4) / 2)
    assert subset.share_yes == pytest.approx(3 / 5)
    assert subset.share_yes_truth == pytest.approx(5 / 9)
    assert subset.small


def test_always_yes_has_balanced_accuracy_one_half() -> None:
    subset = run(ask([("yes", "yes")] * 30 + [("no", "yes")] * 10), resamples=99).report.subsets["presence"]
    assert (subset.score, subset.balanced_accuracy, subset.share_yes) == (0.75, 0.5, 1)
    assert not subset.small


def test_intervals_hold_the_score() -> None:
    subset = run(ask([("yes", "yes")] * 12 + [("no", "yes")] * 8)).report.subsets["presence"]
    assert subset.interval is not None
    assert subset.interval.low < subset.score < subset.interval.high


@given(order=st.randoms(use_true_random=False))
@settings(max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_order_of_questions_and_replies_changes_nothing(tmp_path_factory: Any, order: random.Random) -> None:
    rows = [("yes", "yes"), ("no", "yes"), ("no", "no"), ("yes", "maybe"), ("no", "")]
    asked = ask(rows, tags={"mentions": "x"})
    questions = asked.questions[:]
    order.shuffle(questions)
    replies = list(asked.replies.items())
    order.shuffle(replies)
    mixed = Asked("test", None, questions, dict(replies), ["presence"])
    assert run(mixed, resamples=99).report == run(asked, resamples=99).report


def test_tags_break_scores_down(package: Path, right: Path) -> None:
    report = run(read_package(package, right), resamples=99).report
    by = report.subsets["presence"].by["mentions"]
    assert {value: group.n for value, group in by.items()} == {"definition": 2, "mentioned": 1}
    assert report.subsets["presence"].clusters == 2
    assert report.subsets["presence"].by["mentions"]["definition"].clusters == 2


def test_a_tag_with_many_values_is_no_group() -> None:
    rows = [
        Question.model_validate({"id": f"q{n}", "kind": "presence", "answer": "yes", "tags": {"rule": f"T.{n}"}})
        for n in range(50)
    ]
    asked = Asked("test", None, rows, {q.id: "yes" for q in rows}, ["presence"])
    assert run(asked, resamples=0).report.subsets["presence"].by == {}


def test_the_same_seed_gives_the_same_report(package: Path, right: Path) -> None:
    asked = read_package(package, right)
    assert run(asked, seed=3) == run(asked, seed=3)


def test_wrong_replies_score_0(tmp_path: Path) -> None:
    folder = write_package(tmp_path / "p")
    wrong = {
        **dict.fromkeys(RIGHT, "zzz"),
        "n1": "1600 mm",
        "n2": "A",
        "p1": "no",
        "p2": "yes",
        "p3": "yes",
        "m1": "yes",
    }
    report = run(read_package(folder, write_replies(tmp_path / "r.jsonl", wrong)), resamples=0).report
    assert report.overall.score == 0


def test_the_registry_rejects_duplicates() -> None:
    known = dict(METRICS)
    for name, answer_type in [("word_f1", "poem"), ("other", "text")]:
        with pytest.raises(ValueError, match="registered already"):
            metric(name, answer_type)(METRICS["text"].judge)
    assert known == METRICS


def test_every_sort_of_answer_has_a_metric() -> None:
    from dqgen.schemas.question import ANSWER_TYPES

    assert set(METRICS) == set(ANSWER_TYPES)
