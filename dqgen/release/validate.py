"""Is a package whole, and does each answer hold when it is derived again?"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pydantic import ValidationError

from dqgen.errors import ReleaseError
from dqgen.release import reading
from dqgen.release.package import MANIFEST, content_hash, file_hash, read_manifest
from dqgen.release.tables import CONTEXT, Row
from dqgen.schemas.package import Manifest
from dqgen.schemas.question import Question


@dataclass(frozen=True)
class Problem:
    """Something that does not hold: where, and what."""

    where: str
    what: str


def check(folder: Path) -> tuple[Manifest, list[Problem]]:
    """Check hashes, schema and references.

    Raises:
        ReleaseError: there is no manifest to check against.
    """
    manifest = read_manifest(folder)
    problems = [*_files(folder, manifest)]
    if not problems:  # what is damaged cannot be looked into
        try:
            problems += _questions(folder, manifest)
        except ReleaseError as error:
            problems.append(Problem(error.where or str(folder), error.what))
    return manifest, problems


def _files(folder: Path, manifest: Manifest) -> Iterator[Problem]:
    if not manifest.files:
        yield Problem(MANIFEST, "lists no files: nothing tells whether they are whole")
    for name, entry in manifest.files.items():
        try:
            path = reading.inside(folder, name)
        except ReleaseError as error:
            yield Problem(name, error.what)
            continue
        if not path.is_file():
            if manifest.key is None or not name.startswith(manifest.key.split("/")[0] + "/"):
                yield Problem(name, "is missing")
        elif entry.bytes is not None and path.stat().st_size != entry.bytes:
            yield Problem(name, f"has {path.stat().st_size} bytes, {entry.bytes} when it was made")
        elif file_hash(path) != entry.sha256:
            yield Problem(name, "changed since it was made (sha256 differs)")
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and name != MANIFEST and name not in manifest.files:
            yield Problem(name, "is not listed in the manifest")


def _questions(folder: Path, manifest: Manifest) -> Iterator[Problem]:
    hidden = reading.key(folder, manifest)
    contexts = {row["id"] for row in reading.rows(folder, manifest.contexts, ["id"])} if manifest.contexts else set()
    seen: dict[str, Row] = {}
    pictures: dict[str, str] = {}
    for name, subset in manifest.subsets.items():
        proofs = {row["id"]: json.loads(row["proof"]) for row in reading.rows(folder, subset.evidence or "")}
        count = 0
        for row in reading.rows(folder, subset.questions):
            count += 1
            where = f"{subset.questions}, {row.get('id')}"
            row = {**row, **hidden.get(row["id"], {})}
            try:
                question = Question.model_validate({"subset": name, **{k: v for k, v in row.items() if v is not None}})
            except ValidationError as error:
                yield Problem(where, str(error.errors()[0]["msg"]))
                continue
            if question.id in seen:
                yield Problem(where, "its id is used twice")
            if question.answer is None:
                yield Problem(where, "has no answer, and the key has none either")
            if not proofs.get(question.id, {}).get("method"):
                yield Problem(where, "has no proof")
            image = row.get("image")
            path = None
            if image:
                path = folder / "images" / question.kind / image["path"]
                reading.image_size(image["bytes"])
                if not path.is_file() or path.read_bytes() != image["bytes"]:
                    yield Problem(where, f"its picture is not the one in images/{question.kind}/")
                    continue
                pictures[question.id] = file_hash(path)
            named = {k.removeprefix(CONTEXT): v for k, v in row.items() if k.startswith(CONTEXT) and v is not None}
            for kind in sorted(kind for kind, text in named.items() if text not in contexts):
                yield Problem(where, f"its context '{kind}' is not in {manifest.contexts}")
            seen[question.id] = Row(
                question.id,
                question.kind,
                question.prompt,
                question.answer if question.answer is not None else "",
                tuple(question.synonyms),
                question.unit,
                question.explanation,
                question.cluster,
                question.tags,
                path,
                named,
            )
        if subset.count is not None and count != subset.count:
            yield Problem(subset.questions, f"has {count} questions, the manifest says {subset.count}")
    if manifest.content_sha256 is not None and content_hash(seen.values(), pictures) != manifest.content_sha256:
        yield Problem(MANIFEST, "content_sha256 is not that of the questions")
