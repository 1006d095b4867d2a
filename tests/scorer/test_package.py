"""Packages: questions, keys, predictions, and what does not fit."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from dqgen.errors import ScoreError
from dqgen.scorer.package import read_package
from dqgen.scorer.run import run
from tests.scorer.packages import QUESTIONS, RIGHT, write_package, write_replies


def test_right_replies_score_1_in_every_subset(package: Path, right: Path) -> None:
    report = run(read_package(package, right), resamples=99).report
    assert {name: subset.score for name, subset in report.subsets.items()} == dict.fromkeys(QUESTIONS, 1.0)
    assert report.overall.score == 1
    assert report.overall.absent == []
    assert report.subsets["dimension"].bleu2 == pytest.approx(1)
    assert (report.benchmark, report.version) == ("Open Formula", "1.0.0")


@pytest.mark.parametrize("options", [{"parquet": True}, {"withhold": True}, {"parquet": True, "withhold": True}])
def test_every_layout_reads_the_same(tmp_path: Path, right: Path, options: dict[str, bool]) -> None:
    folder = write_package(tmp_path / "other", **options)
    assert run(read_package(folder, right), resamples=0).report.overall.score == 1


def test_a_withheld_key_may_come_from_elsewhere(tmp_path: Path, right: Path) -> None:
    folder = write_package(tmp_path / "public", withhold=True)
    key = tmp_path / "secret.jsonl"
    (folder / "key.jsonl").rename(key)
    with pytest.raises(ScoreError, match=r"the truth of 'r1' is withheld; give the key with --key FILE"):
        read_package(folder, right)
    assert run(read_package(folder, right, key), resamples=0).report.overall.score == 1


@pytest.mark.parametrize("kind", ["csv", "tsv", "json", "parquet", "jsonl"])
def test_predictions_come_in_any_table(tmp_path: Path, package: Path, kind: str) -> None:
    texts = {i: r if isinstance(r, str) else json.dumps(r) for i, r in RIGHT.items()}
    path = tmp_path / f"replies.{kind}"
    if kind in ("csv", "tsv"):
        with path.open("w", newline="", encoding="utf-8-sig") as stream:
            writer = csv.writer(stream, delimiter="," if kind == "csv" else "\t")
            writer.writerows([["Question_ID", "Model_Prediction"], *texts.items()])
    elif kind == "json":
        path.write_text(json.dumps([{"id": i, "response": r} for i, r in texts.items()]))
    elif kind == "jsonl":
        path.write_text("\n".join(json.dumps({"qid": i, "answer": r}) for i, r in texts.items()))
    else:
        import pyarrow as pa
        import pyarrow.parquet

        pyarrow.parquet.write_table(pa.table({"id": list(texts), "prediction": list(texts.values())}), path)
    assert run(read_package(package, path), resamples=0).report.overall.score == 1


def test_what_does_not_fit_is_told(tmp_path: Path, package: Path) -> None:
    path = tmp_path / "replies.jsonl"
    rows: list[dict[str, Any]] = [
        {"id": "r1", "prediction": RIGHT["r1"]},
        {"id": "p1", "prediction": "yes"},
        {"id": "p1", "prediction": "no"},
        {"id": "p2", "prediction": "no"},
        {"id": "p2", "prediction": "no"},
        {"id": "p3", "prediction": None},
        {"id": "zz", "prediction": "yes"},
    ]
    path.write_text("\n".join(json.dumps(row) for row in rows))
    report = run(read_package(package, path), resamples=0).report
    assert report.problems.duplicate == ["p1", "p2"]
    assert report.problems.unknown == ["zz"]
    assert report.problems.missing == ["r2", "c1", "d1", "p1", "m1", "n1", "n2"]
    assert list(report.subsets) == ["retrieval", "presence"]
    assert report.overall.absent == ["compilation", "definition", "dimension", "reading", "choosing"]
    presence = report.subsets["presence"]
    assert presence.score == pytest.approx(1 / 3)  # p1 counts for nothing: its two replies differ
    assert (presence.missing, presence.empty) == (pytest.approx(1 / 3), pytest.approx(1 / 3))


def test_a_path_out_of_the_package_is_refused(tmp_path: Path, right: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"id": "r1", "answer": "x"}\n')
    for number, name in enumerate(
        ["../secret.jsonl", "/etc/passwd", "data/../../secret.jsonl", "C:\\x", "a\\..\\b", ""]
    ):
        folder = write_package(tmp_path / f"p{number}", subsets={"retrieval": {"questions": name}})
        with pytest.raises(ScoreError, match=r"leaves the package|at least 1 character"):
            read_package(folder, right)


def test_a_link_out_of_the_package_is_refused(tmp_path: Path, right: Path) -> None:
    (tmp_path / "secret.jsonl").write_text('{"id": "r1", "answer": "x"}\n')
    folder = write_package(tmp_path / "p", subsets={"retrieval": {"questions": "data/link.jsonl"}})
    (folder / "data/link.jsonl").symlink_to(tmp_path / "secret.jsonl")
    with pytest.raises(ScoreError, match="leaves the package"):
        read_package(folder, right)


def test_a_changed_file_is_refused(package: Path, right: Path) -> None:
    path = package / "data/presence.jsonl"
    path.write_text(path.read_text().replace('"yes"', '"no"'))
    with pytest.raises(ScoreError, match=r"presence\.jsonl: changed since the package was made"):
        read_package(package, right)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ([{"id": "a", "answer": "maybe"}], "neither yes nor no"),
        ([{"id": "a", "answer": "yes"}, {"id": "a", "answer": "no"}], "question 'a' twice"),
        ([{"answer": "yes"}], "id: "),
        ([{"id": "a", "answer": "yes", "answer_type": "poem"}], "answer_type: "),
        ([{"id": "a", "answer": {"x": 1}}], "answer"),
    ],
)
def test_malformed_questions_are_told(tmp_path: Path, rows: list[dict[str, Any]], message: str) -> None:
    folder = write_package(tmp_path / "p", {"presence": rows})
    replies = write_replies(tmp_path / "r.jsonl", {"a": "yes"})
    with pytest.raises(ScoreError, match=message):
        run(read_package(folder, replies), resamples=0)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "not JSON"),
        ("[]", "manifest"),
        ('{"format": "other/1", "name": "x", "version": "1", "subsets": {}}', "format"),
        ("{" * 5000, "not JSON"),
    ],
)
def test_malformed_manifests_are_told(tmp_path: Path, right: Path, text: str, message: str) -> None:
    (tmp_path / "manifest.json").write_text(text)
    with pytest.raises(ScoreError, match=message):
        read_package(tmp_path, right)


def test_no_package_is_told(tmp_path: Path, right: Path) -> None:
    with pytest.raises(ScoreError, match="no package here"):
        read_package(tmp_path / "nowhere", right)


def test_unknown_ids_alone_are_refused(tmp_path: Path, package: Path) -> None:
    with pytest.raises(ScoreError, match="no id in it is a question of the package"):
        read_package(package, write_replies(tmp_path / "r.jsonl", {"other": "yes"}))
