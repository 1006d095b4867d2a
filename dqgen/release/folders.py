"""Questions as the public DesignQA benchmark has them: a CSV a subset, and a folder of pictures."""

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path

from dqgen.release.tables import Row

COLUMNS: dict[str, tuple[str, ...]] = {
    "retrieval": ("question", "ground_truth"),
    "compilation": ("question", "ground_truth"),
    "definition": ("question", "ground_truth", "image", "mentions"),
    "presence": ("question", "ground_truth", "image", "mentions"),
    "dimension": ("question", "ground_truth", "image", "dimension_type", "explanation"),
    "functional": ("question", "ground_truth", "image", "explanation"),
}
"""Columns of the public files by kind; other kinds have those of `functional`. An `id` is added in front."""


def write_csv(rows: Sequence[Row], withhold: bool, path: Path, replies: Mapping[str, str] | None = None) -> None:
    """Write one subset as the public scorer reads it.

    Args:
        rows: of one kind.
        withhold: leave truths and explanations empty.
        path: the CSV file.
        replies: by question id; they fill a column `model_prediction`.

    Raises:
        OSError: it cannot be written.
    """
    columns = ("id", *COLUMNS.get(rows[0].kind, COLUMNS["functional"]))
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow([*columns, *(["model_prediction"] if replies is not None else [])])
    for row in rows:
        cells = {
            "id": row.ident,
            "question": row.prompt,
            "ground_truth": "" if withhold else _truth(row),
            "image": row.picture.name if row.picture else "",
            "explanation": "" if withhold else row.explanation or "",
            **{tag: row.tags.get(tag, "") for tag in ("mentions", "dimension_type")},
        }
        reply = [replies.get(row.ident, "")] if replies is not None else []
        writer.writerow([cells[column] for column in columns] + reply)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(stream.getvalue(), encoding="utf-8", newline="")


def _truth(row: Row) -> str:
    if row.kind == "definition":
        return ";".join([str(row.answer), *row.synonyms])
    return str(row.answer)
