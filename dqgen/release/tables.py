"""Questions as Parquet: read by the scorer, and by Hugging Face `datasets` with the pictures as an image feature."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dqgen.schemas.question import KINDS

ROWS_A_GROUP = 32
"""Rows of a row group: what is held in memory at once, with its pictures, and what one process proves at a time."""
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


class Texts:
    """A Parquet table of texts that is written as they come; of one id the first counts, and no row makes no file.

    Args:
        path: of the file.
        columns: all of text; one is `id`.
    """

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._path = path
        schema = pa.schema([(column, pa.string()) for column in columns])
        self._schema = schema.with_metadata(_features(schema))
        self._writer: pq.ParquetWriter | None = None
        self._waiting: list[Mapping[str, str]] = []
        self._seen: set[str] = set()

    def __len__(self) -> int:
        return len(self._seen)

    def add(self, row: Mapping[str, str]) -> None:
        """Write a row; raises OSError where that fails."""
        if row["id"] in self._seen:
            return
        self._seen.add(row["id"])
        self._waiting.append(row)
        if len(self._waiting) == ROWS_A_GROUP:
            self._flush()

    def close(self) -> None:
        """Write what is left; raises OSError where that fails."""
        self._flush()
        if self._writer is not None:
            self._writer.close()

    def _flush(self) -> None:
        if not self._waiting:
            return
        if self._writer is None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._writer = pq.ParquetWriter(self._path, self._schema, compression="zstd")
        self._writer.write_table(pa.Table.from_pylist(self._waiting, schema=self._schema))
        self._waiting = []


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
