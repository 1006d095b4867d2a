import csv
import json

from tests.support import dqgen

KINDS = ("retrieval", "compilation", "definition", "presence", "dimension", "functional")


def test_the_public_form_is_scored(package, tmp_path):
    done = dqgen("export", "designqa", package, "-o", tmp_path / "public")
    assert done.returncode == 0, done.stderr
    for kind in KINDS:
        rows = list(csv.DictReader((tmp_path / f"public/{kind}.csv").open(encoding="utf-8")))
        assert len(rows) == 4
        assert all(row["model_prediction"] and row["ground_truth"] for row in rows)
        if "image" in rows[0]:
            assert all((tmp_path / "public/images" / kind / row["image"]).is_file() for row in rows)
    files = [f"{kind}={tmp_path}/public/{kind}.csv" for kind in KINDS]
    scored = dqgen("score", "--designqa", *files, "--resamples", "0", "--json", "--no-similarity")
    assert scored.returncode == 0, scored.stderr
    assert {*json.loads(scored.stdout)["subsets"]} == {*KINDS}


def test_replies_stand_beside_the_truths(package, tmp_path):
    asked = list(csv.DictReader((package / "csv/presence.csv").open(encoding="utf-8")))
    lines = [json.dumps({"id": row["id"], "prediction": f"said {row['id']}"}) for row in asked]
    (tmp_path / "replies.jsonl").write_text("\n".join(lines))
    done = dqgen("export", "designqa", package, "-o", tmp_path / "public", "--predictions", tmp_path / "replies.jsonl")
    assert done.returncode == 0, done.stderr
    rows = csv.DictReader((tmp_path / "public/presence.csv").open(encoding="utf-8"))
    assert all(row["model_prediction"] == f"said {row['id']}" for row in rows)
