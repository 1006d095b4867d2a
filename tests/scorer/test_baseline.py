"""Naive baselines on packages and on the public benchmark's files."""

import csv
import random
from pathlib import Path

import pytest

from dqgen.errors import ScoreError
from dqgen.schemas.question import Question
from dqgen.scorer.baseline import (
    Pool,
    designqa_pool,
    naive_reply,
    package_pool,
    package_questions,
    pool_from_rules,
    read_designqa_data,
    run_baseline,
    with_document,
    write_replies,
)
from dqgen.scorer.benchmark import read_designqa
from dqgen.scorer.package import read_package
from dqgen.scorer.run import run
from tests.scorer.packages import QUESTIONS, write_package

POOL = Pool([f"T.{n}" for n in range(1, 31)], ["one rule text", "another"], ["the", "words", "of", "a", "document"])


def question(kind: str, answer: object, **values: object) -> Question:
    return Question.model_validate({"id": "q", "kind": kind, "answer": answer, **values})


def test_answers_are_the_papers() -> None:
    draw = random.Random(0)
    for _ in range(50):
        assert naive_reply(question("retrieval", "x"), POOL, [], draw) in POOL.texts
        rules = naive_reply(question("compilation", ["T.1"]), POOL, [], draw).split(", ")
        assert len(set(rules)) == 10
        assert set(rules) <= set(POOL.rules)
        name = naive_reply(question("definition", "x"), POOL, [], draw)
        assert name in " ".join(POOL.words)
        assert len(name.split()) == 2
        assert naive_reply(question("presence", "yes"), POOL, [], draw) in ("yes", "no")
        assert naive_reply(question("dimension", "yes"), POOL, [], draw) in ("Answer: yes", "Answer: no")


def test_choices_and_numbers_have_baselines_too() -> None:
    draw = random.Random(0)
    choice = question("x", "B", answer_type="choice", options=["a", "b", "c"])
    assert {naive_reply(choice, POOL, [], draw) for _ in range(50)} == {"A", "B", "C"}
    numbers = [question("x", value, answer_type="number", unit="mm") for value in (1, 2)]
    assert {naive_reply(numbers[0], POOL, numbers, draw) for _ in range(50)} == {"1.0 mm", "2.0 mm"}


def test_nothing_to_draw_from_is_told() -> None:
    with pytest.raises(ScoreError, match="no rule text to draw"):
        naive_reply(question("retrieval", "x"), Pool([], [], []), [], random.Random(0))


def test_it_runs_on_a_package_and_repeats(tmp_path: Path) -> None:
    asked = package_questions(write_package(tmp_path / "p"), None)
    pool = package_pool(asked.questions)
    report, replies = run_baseline(asked, pool, "robust", repeats=5, seed=1)
    assert set(report.subsets) == set(QUESTIONS)
    assert all(0 <= s.lowest <= s.mean <= s.highest <= 1 for s in report.subsets.values())
    assert run_baseline(asked, pool, "robust", repeats=5, seed=1) == (report, replies)
    assert set(replies) == {q.id for q in asked.questions}
    path = tmp_path / "naive.jsonl"
    write_replies(path, asked, replies)
    assert run(read_package(tmp_path / "p", path), resamples=0).report.problems.missing == []


def test_many_yes_no_questions_come_near_one_half() -> None:
    from dqgen.scorer.benchmark import Asked

    rows = [
        Question.model_validate({"id": f"q{n}", "kind": "presence", "answer": "yes" if n % 2 else "no"})
        for n in range(400)
    ]
    report, _ = run_baseline(Asked("x", None, rows, {}, ["presence"]), POOL, "robust", repeats=10)
    assert report.subsets["presence"].mean == pytest.approx(0.5, abs=0.03)


def write_data(folder: Path) -> Path:
    folder.mkdir()
    asked, prompt = ["question", "ground_truth"], "What does rule T.{} state exactly?"
    drawn = [*asked, "image", "dimension_type", "explanation"]
    files = {
        "rule_retrieval_qa.csv": [asked, [prompt.format(1), "one tube"], [prompt.format(2), "two walls"]],
        "retrieval_dev.csv": [["rule", "ground_truth"], ["T.1", "one tube"], ["T.3", "three hoops"]],
        "rule_compilation_qa.csv": [asked, ["List rules on `tube`", "['T.1', 'T.2']"]],
        "rule_numbers.csv": [["rule_num"], *[[f"T.{n}"] for n in range(1, 21)]],
        "presence.csv": [[*asked, "image", "mentions"], ["x", "yes", "1.jpg", "definition"]],
        "dimension_context.csv": [drawn, ["x", "no", "a.jpg", "direct", "too short"]],
        "dimension_detailed.csv": [drawn, ["y", "no", "a.jpg", "direct", "too short"]],
        "other.csv": [["a"], ["b"]],
    }
    for name, rows in files.items():
        with (folder / name).open("w", newline="", encoding="utf-8") as stream:
            csv.writer(stream).writerows(rows)
    return folder


def test_the_public_files_are_found_and_joined(tmp_path: Path) -> None:
    folder = write_data(tmp_path / "data")
    asked = read_designqa_data(folder)
    assert [q.id for q in asked.questions if q.subset == "retrieval"] == [f"retrieval-000{n}" for n in (1, 2, 3)]
    assert sum(q.subset == "dimension" for q in asked.questions) == 2
    pool = designqa_pool(folder, asked)
    assert len(pool.rules) == 20
    assert sorted(pool.texts) == ["one tube", "three hoops", "two walls"]
    report, replies = run_baseline(asked, pool, "designqa", repeats=3)
    assert list(report.subsets) == ["retrieval", "compilation", "presence", "dimension"]
    write_replies(tmp_path / "out", asked, replies)
    files = [(name, tmp_path / "out" / f"{name}.csv") for name in report.subsets]
    first = run(read_designqa(files), profile="designqa", resamples=0).report
    assert {name: s.n for name, s in first.subsets.items()} == {n: s.n for n, s in report.subsets.items()}


def test_pools_from_a_rule_table_and_a_document(tmp_path: Path) -> None:
    rules = tmp_path / "rules.jsonl"
    rules.write_text('{"id": "T", "text": ""}\n{"id": "T.1", "text": "one tube"}\n{"id": "T.2", "text": null}\n')
    pool = pool_from_rules(rules)
    assert pool == Pool(["T.1", "T.2"], ["one tube"], ["one", "tube"])
    text = tmp_path / "book.txt"
    text.write_text("all the words")
    assert with_document(pool, text).words == ["all", "the", "words"]
    with pytest.raises(ScoreError, match="cannot be read"):
        with_document(pool, tmp_path / "none.txt")


def test_a_folder_without_data_is_told(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="no file with questions"):
        read_designqa_data(tmp_path)
    with pytest.raises(ScoreError, match="no such folder"):
        read_designqa_data(tmp_path / "none")
