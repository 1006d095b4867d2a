"""Questions as Parquet: read by the scorer, and by Hugging Face `datasets` with the pictures as an image feature."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dqgen.schemas.question import KINDS

ROWS_A_GROUP = 64
"""Rows held in memory at once, with their pictures; also what a viewer fetches at once."""
_HIDDEN = ("answer", "synonyms", "explanation")
CONTEXT = "context_"
"""Column names of contexts: this and the kind of context."""


@dataclass(frozen=True)
class Row:
    """A question as it is written, its picture left on disk.

    Attributes:
        ident: opaque id.
        kind, prompt, answer, synonyms, unit, explanation, cluster, tags: as in `dqgen.schemas.question`.
        picture: the image file, or None.
        contexts: hash of the text by kind of context.
    """

    ident: str
    kind: str
    prompt: str
    answer: str | list[str] | float
    synonyms: tuple[str, ...]
    unit: str | None
    explanation: str | None
    cluster: str | None
    tags: Mapping[str, str]
    picture: Path | None
    contexts: Mapping[str, str] = field(default_factory=dict)


def write_questions(rows: Sequence[Row], canary: str, withhold: bool, path: Path) -> None:
    """Write one subset.

    Args:
        rows: of one kind, in the order wanted.
        canary: put into a column of its own.
        withhold: leave answers, synonyms and explanations empty.
        path: the Parquet file.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = _schema(rows)
    with pq.ParquetWriter(path, schema, compression="zstd", use_dictionary=True, store_schema=True) as writer:
        for at in range(0, len(rows), ROWS_A_GROUP):
            group = [_record(row, schema, canary, withhold) for row in rows[at : at + ROWS_A_GROUP]]
            writer.write_table(pa.Table.from_pylist(group, schema=schema))


def write_texts(texts: Iterator[Mapping[str, str]], columns: Sequence[str], path: Path) -> int:
    """Write a table of texts row group by row group; returns the number of rows.

    Raises:
        OSError: it cannot be written.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = pa.schema([(column, pa.string()) for column in columns])
    schema = schema.with_metadata(_features(schema))
    count = 0
    with pq.ParquetWriter(path, schema, compression="zstd", store_schema=True) as writer:
        group: list[Mapping[str, str]] = []
        for text in texts:
            group.append(text)
            count += 1
            if len(group) == ROWS_A_GROUP:
                writer.write_table(pa.Table.from_pylist(group, schema=schema))
                group = []
        if group or not count:
            writer.write_table(pa.Table.from_pylist(group, schema=schema))
    return count


def _schema(rows: Sequence[Row]) -> pa.Schema:
    answers = {"rules": pa.list_(pa.string()), "number": pa.float64()}
    kind = KINDS.get(rows[0].kind, "text")
    if kind == "text" and isinstance(rows[0].answer, list | float):
        kind = "rules" if isinstance(rows[0].answer, list) else "number"
    columns: list[tuple[str, pa.DataType]] = [
        ("id", pa.string()),
        ("kind", pa.string()),
        ("answer_type", pa.string()),
        ("prompt", pa.string()),
    ]
    if any(row.picture for row in rows):
        columns.append(("image", pa.struct([("bytes", pa.binary()), ("path", pa.string())])))
    columns.append(("answer", answers.get(kind, pa.string())))
    if any(row.synonyms for row in rows):
        columns.append(("synonyms", pa.list_(pa.string())))
    columns += [
        (name, pa.string()) for name in ("unit", "explanation", "cluster") if any(getattr(row, name) for row in rows)
    ]
    tags = sorted({tag for row in rows for tag in row.tags})
    if tags:
        columns.append(("tags", pa.struct([(tag, pa.string()) for tag in tags])))
    contexts = sorted({kind for row in rows for kind in row.contexts})
    columns += [(CONTEXT + kind, pa.string()) for kind in contexts]
    columns.append(("canary", pa.string()))
    schema = pa.schema(columns)
    return schema.with_metadata(_features(schema))


def _features(schema: pa.Schema) -> dict[str, str]:
    """What `datasets` reads of a Parquet file's metadata, so that `image` is decoded."""
    features = {name: _feature(name, schema.field(name).type) for name in schema.names}
    return {"huggingface": json.dumps({"info": {"features": features}})}


def _feature(name: str, kind: pa.DataType) -> Any:
    if name == "image":
        return {"_type": "Image"}
    if pa.types.is_list(kind):
        return {"_type": "Sequence", "feature": _feature("", kind.value_type)}
    if pa.types.is_struct(kind):
        return {kind.field(at).name: _feature("", kind.field(at).type) for at in range(kind.num_fields)}
    return {"_type": "Value", "dtype": "float64" if pa.types.is_floating(kind) else "string"}


def _record(row: Row, schema: pa.Schema, canary: str, withhold: bool) -> dict[str, Any]:
    values: dict[str, Any] = {
        "id": row.ident,
        "kind": row.kind,
        "answer_type": KINDS.get(row.kind, "text"),
        "prompt": row.prompt,
        "answer": row.answer,
        "synonyms": list(row.synonyms),
        "unit": row.unit,
        "explanation": row.explanation,
        "cluster": row.cluster,
        "tags": dict(row.tags),
        "canary": canary,
        **{CONTEXT + kind: name for kind, name in row.contexts.items()},
    }
    if row.picture is not None:
        values["image"] = {"bytes": row.picture.read_bytes(), "path": row.picture.name}
    if withhold:
        values.update(dict.fromkeys(_HIDDEN))
    return {name: values.get(name) for name in schema.names}
