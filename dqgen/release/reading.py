"""A package's questions read back, with what proves them."""

import contextlib
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa
import pyarrow.compute as compute
import pyarrow.parquet as pq
from PIL import Image

from dqgen.errors import ReleaseError
from dqgen.generators.draft import Picture, ProvedQuestion
from dqgen.release.tables import CONTEXT
from dqgen.schemas.package import Manifest, SubsetEntry

Places = Sequence[tuple[int, Sequence[str]]]
"""Row groups of a subset's questions, and ids in each."""


def questions(
    folder: Path, manifest: Manifest, subset: str | None = None, wanted: Places | None = None
) -> Iterator[ProvedQuestion]:
    """Each question with its picture, contexts, evidence and proof; held at a time is a row group, or what is wanted.

    Args:
        folder: the package.
        manifest: its table of contents.
        subset: of one subset only.
        wanted: of these questions of that subset only.

    Raises:
        ReleaseError: a file is missing or damaged, or a question has no proof.
    """
    hidden = key(folder, manifest)
    contexts = {row["id"]: row["text"] for row in rows(folder, manifest.contexts)} if manifest.contexts else {}
    for name in manifest.subsets if subset is None else [subset]:
        entry = manifest.subsets[name]
        for part in [[place] for place in places(folder, entry.questions)] if wanted is None else [wanted]:
            asked = [row for place in part for row in rows(folder, entry.questions, only=place)]
            proofs = _proofs(folder, entry, [row["id"] for row in asked])
            for row in asked:
                if row["id"] not in proofs:
                    raise ReleaseError(f"no proof of '{row['id']}'", str(folder / (entry.evidence or "")))
                yield _question({**row, **hidden.get(row["id"], {})}, proofs[row["id"]], contexts)


def places(folder: Path, name: str) -> Places:
    """Where the rows of one of a package's tables are.

    Raises:
        ReleaseError: it is missing, damaged or outside the package.
    """
    with _opened(folder, name) as table:
        groups = range(table.num_row_groups)
        return [(at, table.read_row_group(at, columns=["id"])["id"].to_pylist()) for at in groups]


def rows(
    folder: Path, name: str, columns: list[str] | None = None, only: tuple[int, Sequence[str]] | None = None
) -> Iterator[dict[str, Any]]:
    """Rows of one of a package's tables, or of one row group of it those with some ids.

    Raises:
        ReleaseError: it is missing, damaged or outside the package.
    """
    with _opened(folder, name) as table:
        known = None if columns is None else [column for column in columns if column in table.schema_arrow.names]
        if only is None:
            for at in range(table.num_row_groups):
                yield from table.read_row_group(at, columns=known).to_pylist()
        else:
            group = table.read_row_group(only[0], columns=known)
            yield from group.filter(compute.is_in(group["id"], pa.array(only[1], pa.string()))).to_pylist()


@contextlib.contextmanager
def _opened(folder: Path, name: str) -> Iterator[pq.ParquetFile]:
    path = inside(folder, name)
    try:
        with pq.ParquetFile(path) as table:
            yield table
    except (OSError, pa.ArrowException) as error:
        said = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ReleaseError(f"cannot be read ({said})", str(path), "fetch the package anew") from None


def inside(folder: Path, name: str) -> Path:
    """The path of one of a package's files.

    Raises:
        ReleaseError: it leads out of the package.
    """
    path = folder / name
    unsafe = PurePosixPath(name).is_absolute() or "\\" in name or ".." in PurePosixPath(name).parts or "\0" in name
    if unsafe or not path.resolve().is_relative_to(folder.resolve()):
        raise ReleaseError(f"the path '{name[:80]}' leaves the package", str(folder))
    return path


def key(folder: Path, manifest: Manifest) -> dict[str, dict[str, Any]]:
    """Withheld truths by question id; empty where questions carry their own.

    Raises:
        ReleaseError: the key is not there or is malformed.
    """
    if manifest.key is None:
        return {}
    path = inside(folder, manifest.key)
    try:
        truths = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
        return {truth.pop("id"): truth for truth in truths}
    except OSError:
        raise ReleaseError("the key is withheld", str(path), "put it back to work on truths") from None
    except (ValueError, KeyError, AttributeError):
        raise ReleaseError("is no key", str(path)) from None


def _proofs(folder: Path, entry: SubsetEntry, wanted: list[str]) -> dict[str, dict[str, Any]]:
    if entry.evidence is None:
        raise ReleaseError(f"names no evidence of {entry.questions}", str(folder))
    found = [(at, list({*wanted}.intersection(ids))) for at, ids in places(folder, entry.evidence)]
    return {row["id"]: row for place in found if place[1] for row in rows(folder, entry.evidence, only=place)}


def _question(row: Mapping[str, Any], proof: Mapping[str, Any], contexts: Mapping[str, str]) -> ProvedQuestion:
    try:
        evidence = json.loads(proof["evidence"])
        image = row.get("image")
        return ProvedQuestion(
            id=row["id"],
            kind=row["kind"],
            key=proof["key"],
            prompt=row["prompt"],
            answer=row["answer"],
            synonyms=tuple(row.get("synonyms") or ()),
            unit=row.get("unit"),
            explanation=row.get("explanation"),
            cluster=row.get("cluster"),
            tags={name: value for name, value in (row.get("tags") or {}).items() if value is not None},
            pictures=(Picture(image["bytes"], evidence[0]),) if image else (),
            contexts={
                name.removeprefix(CONTEXT): contexts[value]
                for name, value in row.items()
                if name.startswith(CONTEXT) and value is not None
            },
            proof=json.loads(proof["proof"]),
        )
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise ReleaseError(f"'{row.get('id')}' is malformed ({type(error).__name__}: {error})") from None


def image_size(data: bytes) -> tuple[int, int]:
    """Width and height of an encoded image in pixels; it is decoded whole.

    Raises:
        ReleaseError: it is damaged.
    """
    try:
        with Image.open(io.BytesIO(data)) as picture:
            picture.load()
            return picture.size
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        raise ReleaseError(f"a picture is damaged ({error})") from None
