"""Tables from hostile and odd files: read, or refused in one clear line."""

import json
from contextlib import nullcontext
from pathlib import Path

import pytest

from dqgen.errors import DqgenError, ScoreError
from dqgen.scorer.benchmark import parse_assignments, read_designqa
from dqgen.scorer.package import read_package
from dqgen.scorer.run import run, write_items
from dqgen.scorer.show import report_lines
from dqgen.scorer.tables import as_reply, read_table
from tests.scorer.packages import write_package

HEAD = "question,ground_truth,mentions,model_prediction\n"


def write(path: Path, data: bytes | str) -> Path:
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return path


@pytest.mark.parametrize(
    "data",
    [
        b"id,prediction\r\na,yes\r\nb,no\r\n",
        b"\xef\xbb\xbfid,prediction\na,yes\nb,no\n",
        b"id;prediction\na;yes\nb;no\n",
        b"id\tprediction\na\tyes\nb\tno\n",
        b"id|prediction\na|yes\nb|no",
        "id,prediction\na,yes\nb,no\n".encode("utf-16"),
        b"\n id , prediction \n\na,yes\n\nb,no\n\n",
        b'"id","prediction"\n"a","yes"\n"b","no"\n',
    ],
)
def test_csv_of_any_make(tmp_path: Path, data: bytes) -> None:
    table = read_table(write(tmp_path / "t.csv", data))
    assert [(row["id"], row["prediction"]) for row in table.rows] == [("a", "yes"), ("b", "no")]


def test_quoted_cells_keep_lines_quotes_and_commas(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "t.csv", 'id,prediction\na,"one, ""two""\nthree"\n'))
    assert table.rows[0]["prediction"] == 'one, "two"\nthree'


def test_other_encodings_are_noted(tmp_path: Path) -> None:
    table = read_table(write(tmp_path / "t.csv", "id,prediction\na,25°\n".encode("cp1252")))
    assert table.rows[0]["prediction"] == "25°"
    assert "Windows-1252" in table.notes[0]


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("t.csv", b"", "the file is empty"),
        ("t.csv", b" \n \n", "the file is empty"),
        ("t.csv", b"id,prediction\n", "no rows"),
        ("t.csv", b"id,id\na,b\n", "column 'id' twice"),
        ("t.csv", b",\na,b\n", "no column names"),
        ("t.csv", b"id,prediction\na,b,c,d\n", "line 2: 4 cells for 2 columns"),
        ("t.csv", b"\x00\x01\x02\xff\xfe", "not a text in utf-8"),
        ("t.jsonl", b"{\n", "line 1: not JSON"),
        ("t.jsonl", b'{"id": 1}\nnope\n', "line 2: not JSON"),
        ("t.jsonl", b"3\n", "line 1: not an object"),
        ("t.json", b"[1, 2]", "item 1: not an object"),
        ("t.json", b"[", "not JSON"),
        ("t.jsonl", b"[" * 100_000, "not JSON"),
        ("t.parquet", b"PAR1nothing", "not a Parquet file"),
        ("t.xlsx", b"PK", "unknown kind of table '.xlsx'"),
    ],
)
def test_bad_files_are_refused(tmp_path: Path, name: str, data: bytes, message: str) -> None:
    with pytest.raises(ScoreError) as caught:
        read_table(write(tmp_path / name, data))
    assert message in str(caught.value)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="no such file"):
        read_table(tmp_path / "none.csv")
    with pytest.raises(ScoreError, match="is a folder"):
        read_table(tmp_path)


def test_odd_ids_are_told_without_harm(tmp_path: Path) -> None:
    folder = write_package(tmp_path / "p", {"presence": [{"id": "a", "answer": "yes"}]})
    rows = [
        {"id": "a", "prediction": "yes \ud800"},
        *({"id": i, "prediction": 1} for i in ("\x1b[31m", "\ud800", "\u202e", None)),
    ]
    path = write(tmp_path / "r.jsonl", "\n".join(json.dumps(row) for row in rows))
    outcome = run(read_package(folder, path), resamples=0)
    assert outcome.report.overall.score == 1
    assert len(outcome.report.problems.unknown) == 4
    text = "\n".join(report_lines(outcome.report))
    assert text.replace("\n", "").isprintable()
    write_items(tmp_path / "items.jsonl", outcome.items, "robust")


def test_cells_become_replies() -> None:
    assert as_reply("x") == "x"
    assert as_reply(None) is None
    assert as_reply(float("nan")) is None
    assert as_reply(25) == "25"
    assert as_reply(True) == "true"
    assert as_reply(["T.1", "T.2"]) == '["T.1", "T.2"]'
    assert as_reply({"answer": "ja"}) == '{"answer": "ja"}'
    assert as_reply(b"yes\xff") == "yes\ufffd"


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        (
            "presence",
            "question,ground_truth,mentions\nx,yes,definition\n",
            "no column with the model's replies",
        ),
        ("presence", "question,mentions,model_prediction\nx,definition,yes\n", "no column with the truth"),
        ("presence", HEAD + "x,,definition,yes\n", "line 2: no truth"),
        ("presence", HEAD + "x,maybe,definition,yes\n", "line 2: the truth 'maybe' is neither yes nor no"),
        (
            "compilation",
            "question,ground_truth,model_prediction\nx,nothing,T.1\n",
            "the truth is no list of rule ids",
        ),
        ("dimension", "question,ground_truth,model_prediction\nx,yes,yes\n", "no column 'dimension_type'"),
        ("functional", "question,ground_truth,model_prediction\nx,yes,yes\n", "no column 'explanation'"),
    ],
)
def test_wrong_columns_and_truths_are_told(tmp_path: Path, kind: str, text: str, message: str) -> None:
    with pytest.raises(ScoreError) as caught:
        read_designqa([(kind, write(tmp_path / "f.csv", text))])
    assert message in str(caught.value)


@pytest.mark.parametrize("pair", ["retrieval", "retrieval=", "poems=x.csv", "=x.csv"])
def test_wrong_assignments_are_told(pair: str) -> None:
    with pytest.raises(DqgenError):
        parse_assignments([pair])


def test_a_truth_is_never_run(tmp_path: Path) -> None:
    mark = tmp_path / "mark"
    text = f"question,ground_truth,model_prediction\nx,\"__import__('pathlib').Path('{mark}').touch()\",T.1\n"
    with pytest.raises(ScoreError):
        read_designqa([("compilation", write(tmp_path / "c.csv", text))])
    deep = "question,ground_truth,model_prediction\nx," + "[" * 50_000 + ",T.1\n"
    with pytest.raises(ScoreError):
        read_designqa([("compilation", write(tmp_path / "d.csv", deep))])
    assert not mark.exists()


STOPPING = ["NaN", "nan", "1e999", "12345"]
HOSTILE = [
    "NaN",
    "nan",
    "1e999",
    "12345",
    "\x00\x01\x02yes\x07",
    "\u202esey :rewsnA\u202c",
    "نعم",
    "答案：是",
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "{{7*7}} ${x} %s %n {0}",
    "yes " * 100_000,
    "T.1.2, " * 100_000,
    "\ud83d\ude00" * 10,
    "a" * 1_000_000,
    "(" * 50_000,
    "\\boxed{" * 20_000,
]


@pytest.mark.parametrize("reply", HOSTILE, ids=lambda r: ascii(r[:12]))
@pytest.mark.parametrize("kind", ["retrieval", "compilation", "definition", "presence", "dimension", "functional"])
@pytest.mark.parametrize("profile", ["robust", "designqa"])
def test_hostile_replies_score_without_error(tmp_path: Path, reply: str, kind: str, profile: str) -> None:
    truth = {"retrieval": "the tube", "compilation": "['T.1.2']", "definition": "tube;pipe"}.get(kind, "yes")
    row = {"question": "x", "ground_truth": truth, "dimension_type": "direct", "explanation": "It holds."}
    path = write(tmp_path / "h.jsonl", json.dumps({**row, "model_prediction": reply}))
    asked = read_designqa([(kind, path)])
    official = profile == "designqa"
    with pytest.raises(ScoreError, match="official scorer") if official and reply in STOPPING else nullcontext():
        report = run(asked, profile="designqa" if official else "robust", resamples=9).report
        assert 0 <= report.subsets[kind].score <= 1
    assert sorted(p.name for p in tmp_path.iterdir()) == ["h.jsonl"]
