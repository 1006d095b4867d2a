"""The files of the public DesignQA benchmark: a CSV a subset and a folder of pictures, as its scorer reads them.

Source: https://github.com/anniedoris/design_qa
"""

import shutil
from collections.abc import Mapping
from pathlib import Path

from dqgen.errors import ReleaseError
from dqgen.generators.draft import ProvedQuestion
from dqgen.release import reading
from dqgen.release.folders import COLUMNS, write_csv
from dqgen.release.package import read_manifest
from dqgen.release.tables import Row


def export(package: Path, folder: Path, replies: Mapping[str, str]) -> dict[str, Path]:
    """Write a package's questions, with a model's replies beside the truths.

    Args:
        package: to read.
        folder: to write `<kind>.csv` and `images/<kind>/` to; it is made.
        replies: by question id; a question without one gets an empty cell.

    Returns:
        The CSVs by kind.

    Raises:
        ReleaseError: the package cannot be read, has none of the six kinds, or the folder cannot be written.
    """
    manifest = read_manifest(package)
    groups: dict[str, list[Row]] = {}
    for question in reading.questions(package, manifest):
        if question.kind in COLUMNS:
            groups.setdefault(question.kind, []).append(_row(package, question))
    if not groups:
        raise ReleaseError("has no questions of the six kinds", str(package))
    try:
        for kind, rows in groups.items():
            for row in rows:
                if row.picture is not None:
                    (folder / "images" / kind).mkdir(parents=True, exist_ok=True)
                    shutil.copyfile(row.picture, folder / "images" / kind / row.picture.name)
            write_csv(rows, False, folder / f"{kind}.csv", replies)
    except OSError as error:
        raise ReleaseError(f"cannot be written ({error.strerror or error})", str(folder)) from None
    return {kind: folder / f"{kind}.csv" for kind in groups}


def _row(package: Path, question: ProvedQuestion) -> Row:
    picture = next((package / "images" / question.kind).glob(f"{question.id}.*"), None) if question.pictures else None
    return Row(
        question.id,
        question.kind,
        question.prompt,
        question.answer,
        question.synonyms,
        question.unit,
        question.explanation,
        question.cluster,
        question.tags,
        picture,
    )
