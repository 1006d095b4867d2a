"""Packages and predictions that the tests write."""

import hashlib
import json
from pathlib import Path
from typing import Any

QUESTIONS: dict[str, list[dict[str, Any]]] = {
    "retrieval": [
        {
            "id": "r1",
            "prompt": "What does rule V.1.2 state?",
            "answer": "The wheelbase is 1525 mm.",
            "tags": {"rule": "V.1.2"},
        },
        {
            "id": "r2",
            "prompt": "What does rule V.1.3 state?",
            "answer": "The track is wide.",
            "tags": {"rule": "V.1.3"},
        },
    ],
    "compilation": [{"id": "c1", "answer": ["V.1.2", "V.1.3"]}],
    "definition": [
        {
            "id": "d1",
            "answer": "front wing",
            "synonyms": ["front aerofoil"],
            "tags": {"mentions": "mentioned"},
        }
    ],
    "presence": [
        {"id": "p1", "answer": "yes", "cluster": "picture-1", "tags": {"mentions": "mentioned"}},
        {"id": "p2", "answer": "no", "cluster": "picture-1", "tags": {"mentions": "definition"}},
        {"id": "p3", "answer": "no", "cluster": "picture-2", "tags": {"mentions": "definition"}},
    ],
    "dimension": [
        {
            "id": "m1",
            "answer": "no",
            "explanation": "1500 mm is too short.",
            "tags": {"dimension_type": "direct"},
        }
    ],
    "reading": [
        {
            "id": "n1",
            "kind": "reading",
            "answer_type": "number",
            "answer": 1549.4,
            "unit": "mm",
            "tolerance": 0.5,
        },
    ],
    "choosing": [
        {
            "id": "n2",
            "kind": "choosing",
            "answer_type": "choice",
            "answer": "B",
            "options": ["25 mm", "30 mm"],
        },
    ],
}

RIGHT: dict[str, Any] = {
    "r1": "V.1.2 The wheelbase is 1525 mm.",
    "r2": "The track is wide.",
    "c1": ["V.1.3", "V.1.2"],
    "d1": "The highlighted component is the front aerofoil.",
    "p1": "**Yes**",
    "p2": "No, it is not.",
    "p3": "no",
    "m1": '{"explanation": "1500 mm is too short.", "answer": false}',
    "n1": "154.94 cm",
    "n2": "(B)",
}


def write_package(
    folder: Path,
    questions: dict[str, list[dict[str, Any]]] | None = None,
    parquet: bool = False,
    withhold: bool = False,
    **manifest: Any,
) -> Path:
    """Write a package: `manifest.json`, a file a subset, and a key file where truths are withheld."""
    questions = QUESTIONS if questions is None else questions
    (folder / "data").mkdir(parents=True)
    kept = ("answer", "synonyms", "explanation")
    names: dict[str, str] = {}
    key: list[dict[str, Any]] = []
    for subset, rows in questions.items():
        key += [{"id": row.get("id"), **{k: row[k] for k in kept if k in row}} for row in rows]
        shown = [{k: v for k, v in row.items() if not (withhold and k in kept)} for row in rows]
        if parquet:
            import pyarrow as pa
            import pyarrow.parquet

            names[subset] = f"data/{subset}.parquet"
            table = pa.Table.from_pylist([{**row, "image": b"\x89PNG"} for row in shown])
            pyarrow.parquet.write_table(table, folder / names[subset])
        else:
            names[subset] = f"data/{subset}.jsonl"
            (folder / names[subset]).write_text("".join(json.dumps(row) + "\n" for row in shown), encoding="utf-8")
    if withhold:
        (folder / "key.jsonl").write_text("".join(json.dumps(row) + "\n" for row in key), encoding="utf-8")
    files = {name: {"sha256": hashlib.sha256((folder / name).read_bytes()).hexdigest()} for name in names.values()}
    content = {
        "format": "dqgen-package/1",
        "name": "Open Formula",
        "version": "1.0.0",
        "subsets": {s: {"questions": name, "count": len(questions[s])} for s, name in names.items()},
        "files": files,
        "key": "key.jsonl" if withhold else None,
        "seed": 7,
        **manifest,
    }
    (folder / "manifest.json").write_text(json.dumps(content), encoding="utf-8")
    return folder


def write_replies(path: Path, replies: dict[str, Any]) -> Path:
    """Write replies as JSONL."""
    rows = [{"id": ident, "prediction": reply} for ident, reply in replies.items()]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path
