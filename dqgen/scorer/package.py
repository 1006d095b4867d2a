"""Packages of dqgen's own: questions from the package, replies from a file, joined by question id."""

import hashlib
import json
from collections import Counter
from pathlib import Path, PurePosixPath
from typing import Any

from pydantic import ValidationError

from dqgen.errors import ScoreError
from dqgen.schemas.package import Manifest
from dqgen.schemas.question import Question
from dqgen.scorer.benchmark import PREDICTION, Asked
from dqgen.scorer.tables import Table, as_reply, column, read_table

_IDS = ("id", "question_id", "qid")
_REPLIES = (*PREDICTION, "answer", "text")
_READ = tuple(Question.model_fields)
_MANIFEST_LIMIT = 64_000_000


def read_manifest(folder: Path) -> Manifest:
    """Read a package's `manifest.json`.

    Raises:
        ScoreError: there is none, or it is not of a known format.
    """
    path = Path(folder) / "manifest.json"
    try:
        data = path.read_bytes()
        if len(data) > _MANIFEST_LIMIT:
            raise ScoreError("too large for a manifest", where=str(path))
        return Manifest.model_validate(json.loads(data))
    except OSError as error:
        raise ScoreError(
            f"no package here ({error.strerror})", where=str(path), mend="give a package's folder"
        ) from None
    except ValidationError as error:
        raise ScoreError(
            _first(error), where=str(path), mend="the format is dqgen-package/1, docs/package.md"
        ) from None
    except (ValueError, RecursionError):
        raise ScoreError("not JSON", where=str(path)) from None


def _first(error: ValidationError) -> str:
    one = error.errors()[0]
    return f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}"


def inside(folder: Path, name: str) -> Path:
    """The path of a package's file.

    Raises:
        ScoreError: the name leads out of the package, by itself or by a link.
    """
    parts = PurePosixPath(name).parts
    outside = name.startswith("/") or "\\" in name or ":" in name or "\0" in name or ".." in parts or not parts
    path = Path(folder) / name if not outside else Path(folder)
    if outside or not path.resolve().is_relative_to(Path(folder).resolve()):
        raise ScoreError(f"the path '{name[:80]}' leaves the package", where=f"{folder}/manifest.json")
    return path


def read_questions(folder: Path, key: Path | None = None) -> tuple[Manifest, list[Question]]:
    """Read a package's questions with their truths.

    Args:
        folder: the package.
        key: a key file from elsewhere, where the package's own is withheld.

    Raises:
        ScoreError: a file is missing, damaged or outside the package; a question is malformed; truths are
            withheld.
    """
    manifest = read_manifest(folder)
    truths = _read_key(folder, manifest, key)
    questions: list[Question] = []
    seen: set[str] = set()
    for subset, entry in manifest.subsets.items():
        path = _checked(folder, manifest, entry.questions)
        table = read_table(path, columns=_READ)
        if entry.count is not None and entry.count != len(table.rows):
            raise ScoreError(f"{len(table.rows)} questions where the manifest says {entry.count}", where=str(path))
        for row, place in zip(table.rows, table.places, strict=True):
            question = _question(
                {"subset": subset, **_some(row), **truths.get(str(row.get("id")), {})}, f"{path}, {place}"
            )
            if question.id in seen:
                raise ScoreError(f"question '{question.id}' twice", where=f"{path}, {place}")
            if question.answer is None:
                raise ScoreError(
                    f"the truth of '{question.id}' is withheld",
                    where=f"{path}, {place}",
                    mend="give the key with --key FILE",
                )
            seen.add(question.id)
            questions.append(question)
    return manifest, questions


def _some(row: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if value is not None}


def _question(values: dict[str, Any], where: str) -> Question:
    try:
        return Question.model_validate(values)
    except ValidationError as error:
        raise ScoreError(_first(error), where=where) from None
    except (ValueError, TypeError, RecursionError):
        raise ScoreError("malformed question", where=where) from None


def _checked(folder: Path, manifest: Manifest, name: str) -> Path:
    path = inside(folder, name)
    entry = manifest.files.get(name)
    if entry is not None and path.is_file():
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
        if found != entry.sha256:
            raise ScoreError(
                "changed since the package was made (sha256 differs)",
                where=str(path),
                mend="fetch the package anew",
            )
    return path


def _read_key(folder: Path, manifest: Manifest, key: Path | None) -> dict[str, dict[str, Any]]:
    if key is None and manifest.key is not None:
        path = _checked(folder, manifest, manifest.key)
        key = path if path.is_file() else None  # withheld: told when a question lacks its truth
    if key is None:
        return {}
    table = read_table(key)
    name = column(table, _IDS, "question ids")
    kept = ("answer", "synonyms", "explanation", "tolerance", "relative_tolerance", "unit")
    return {
        str(row.get(name)): {field: row[field] for field in kept if row.get(field) is not None} for row in table.rows
    }


def read_package(folder: Path, predictions: Path, key: Path | None = None) -> Asked:
    """Read a package and a model's replies to it.

    Args:
        folder: the package.
        predictions: CSV, JSONL, JSON or Parquet with a column `id` and a column `prediction`.
        key: a key file, where the truths are withheld.

    Raises:
        ScoreError: either cannot be read, or no reply belongs to a question.
    """
    manifest, questions = read_questions(folder, key)
    table = read_table(predictions)
    replies, duplicate, unknown = _join(questions, table)
    if not replies:
        raise ScoreError("no id in it is a question of the package", where=str(predictions), mend="check the ids")
    return Asked(
        manifest.name,
        manifest.version,
        questions,
        replies,
        list(dict.fromkeys(question.subset for question in questions)),
        missing=[question.id for question in questions if question.id not in replies],
        duplicate=duplicate,
        unknown=unknown,
        places={},
        notes=table.notes,
    )


def _join(questions: list[Question], table: Table) -> tuple[dict[str, str | None], list[str], list[str]]:
    """Replies by question id.

    Of an id's several rows none counts unless they agree: nothing tells which is meant.
    """
    ident = column(table, _IDS, "question ids")
    reply = column(table, _REPLIES, "replies")
    known = {question.id for question in questions}
    found: dict[str, str | None] = {}
    differing: set[str] = set()
    counts: Counter[str] = Counter()
    unknown: dict[str, None] = {}
    for row in table.rows:
        name = as_reply(row.get(ident))
        name = name.strip() if name is not None else ""
        if name not in known:
            unknown[name or "(blank)"] = None
            continue
        text = as_reply(row.get(reply))
        counts[name] += 1
        if name in found and found[name] != text:
            differing.add(name)
        found[name] = text
    for name in differing:
        del found[name]
    return found, [name for name, count in counts.items() if count > 1], list(unknown)
