"""A package on disk: all of it or none."""

import errno
import hashlib
import io
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from dqgen import __version__
from dqgen.errors import ReleaseError
from dqgen.generators.draft import Draft
from dqgen.generators.sources import Sources
from dqgen.release import numbering, originals
from dqgen.release.card import card
from dqgen.release.croissant import croissant
from dqgen.release.folders import write_csv
from dqgen.release.preview import contact_sheet
from dqgen.release.tables import Row, Texts, write_questions
from dqgen.schemas.package import FORMAT, FileEntry, Manifest, SourceEntry, SubsetEntry
from dqgen.schemas.spec import Spec

MANIFEST = "manifest.json"
PRIVATE = "private/"
"""Folder of what is withheld."""
PARTIAL = "+partial"
"""Added to the version of a package that does not hold all that its spec asks for."""


def write(
    drafts: Iterable[Draft],
    spec: Spec,
    sources: Sources,
    folder: Path,
    *,
    withhold: bool = False,
    partial: bool = False,
) -> Manifest:
    """Write a package.

    The pictures of one draft are held at a time, and the words of all.

    Args:
        drafts: in the order of kind and key; the bytes of the package follow from them and the spec.
        spec: that they come from.
        sources: its files, which are copied into the package.
        folder: of the package; one of another content and version is replaced.
        withhold: keep truths, evidence and sources in a folder of their own.
        partial: whether questions of the spec are left out; marked in the version.

    Raises:
        ReleaseError: there are no questions, two have one name, the folder holds another thing or another
            content under this version, or the disk is full.
    """
    folder = folder.resolve()
    stage, old = (folder.parent / f".{folder.name}.{state}" for state in ("part", "old"))
    version = spec.version + (PARTIAL if partial else "")
    try:
        if old.exists() and not folder.exists():  # a run was stopped between two renames
            old.rename(folder)
        before = _present(folder)
        for left in (stage, old):
            shutil.rmtree(left, ignore_errors=True)
        stage.mkdir(parents=True)
        manifest = _fill(stage, drafts, spec, sources, version, withhold)
        _refuse_silent_change(before, manifest, folder)
        if folder.exists():
            folder.rename(old)
        stage.rename(folder)
        shutil.rmtree(old, ignore_errors=True)
    except OSError as error:
        said = "the disk is full" if error.errno == errno.ENOSPC else f"cannot be written ({error.strerror or error})"
        raise ReleaseError(said, str(folder), "nothing was changed there") from None
    finally:
        shutil.rmtree(stage, ignore_errors=True)
    return manifest


def read_manifest(folder: Path) -> Manifest:
    """A package's table of contents.

    Raises:
        ReleaseError: there is none, or it is malformed.
    """
    path = folder / MANIFEST
    try:
        return Manifest.model_validate_json(path.read_bytes())
    except OSError as error:
        raise ReleaseError(f"no package here ({error.strerror})", str(path), "give a package's folder") from None
    except ValueError as error:
        raise ReleaseError(f"is no manifest ({str(error).splitlines()[0]})", str(path)) from None


def content_hash(rows: Iterable[Row], pictures: Mapping[str, str]) -> str:
    """sha256 of all that a model sees and of all truths.

    Args:
        rows: of the package, in any order.
        pictures: sha256 of the image by question id.
    """
    lines = sorted(
        json.dumps(
            [
                row.ident,
                row.kind,
                row.prompt,
                row.answer,
                list(row.synonyms),
                row.unit,
                row.explanation,
                dict(sorted(row.tags.items())),
                dict(sorted(row.contexts.items())),
                pictures.get(row.ident),
            ],
            ensure_ascii=False,
        )
        for row in rows
    )
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def file_hash(path: Path) -> str:
    """sha256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _present(folder: Path) -> Manifest | None:
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return None
    if not (folder / MANIFEST).is_file():
        raise ReleaseError("is no package and not empty", str(folder), "name another folder")
    return read_manifest(folder)


def _refuse_silent_change(before: Manifest | None, after: Manifest, folder: Path) -> None:
    if before is None or before.content_sha256 == after.content_sha256 or PARTIAL in before.version:
        return
    if PARTIAL in after.version:
        raise ReleaseError("holds a whole package, this one is a part", str(folder), "name another folder with -o")
    if before.version == after.version and "-" not in after.version:
        raise ReleaseError(
            f"holds version {before.version} with other content",
            str(folder),
            "raise `version` in the spec (or work on one such as 1.1.0-dev)",
        )


def _fill(stage: Path, drafts: Iterable[Draft], spec: Spec, sources: Sources, version: str, withhold: bool) -> Manifest:
    private = PRIVATE if withhold else ""
    contexts = Texts(stage / "contexts/contexts.parquet", ("id", "text"))
    proofs: dict[str, Texts] = {}
    rows: list[Row] = []
    for draft in drafts:
        row, evidence = _row(draft, spec.seed, stage, contexts)
        rows.append(row)
        if draft.kind not in proofs:
            proofs[draft.kind] = Texts(
                stage / f"{private}evidence/{draft.kind}.parquet", ("id", "key", "evidence", "proof")
            )
        proofs[draft.kind].add(
            {"id": row.ident, "key": draft.key, "evidence": evidence, "proof": _json(dict(draft.proof))}
        )
    for texts in (contexts, *proofs.values()):
        texts.close()
    _check_names(rows)
    canary = numbering.canary(spec.name)
    subsets: dict[str, SubsetEntry] = {}
    for (kind, split), group in _groups(rows, spec):
        name = kind if split == "test" or len(spec.splits) == 1 else f"{kind}.{split}"
        table = f"data/{kind}/{split}.parquet"
        write_questions(group, canary, withhold, stage / table)
        write_csv(group, withhold, stage / f"csv/{name}.csv")
        subsets[name] = SubsetEntry(
            questions=table,
            count=len(group),
            kind=kind,
            split=split,
            evidence=f"{private}evidence/{kind}.parquet",
        )
    if withhold:
        _write_key(rows, stage / f"{private}key.jsonl")
    pictures = {row.ident: file_hash(row.picture) for row in rows if row.picture}
    manifest = Manifest(
        format=FORMAT,
        name=spec.name,
        version=version,
        licence=spec.licence,
        generator=f"dqgen {__version__}",
        seed=spec.seed,
        canary=canary,
        spec_sha256=hashlib.sha256(originals.canonical(spec).encode()).hexdigest(),
        content_sha256=content_hash(rows, pictures),
        subsets=subsets,
        contexts="contexts/contexts.parquet" if len(contexts) else None,
        key=f"{private}key.jsonl" if withhold else None,
        sources=_copied(spec, sources, stage, private),
    )
    tables = {
        path: file_hash(stage / path)
        for path in [*(entry.questions for entry in subsets.values()), manifest.contexts]
        if path is not None
    }
    described = spec.description or f"Questions on engineering requirements: {spec.name}"
    (stage / "croissant.json").write_text(
        json.dumps(croissant(manifest, tables, stage, described), indent=1, ensure_ascii=False) + "\n", encoding="utf-8"
    )
    preview = contact_sheet([row for _, group in _groups(rows, spec) for row in group], stage / "preview.png")
    (stage / "README.md").write_text(card(spec, manifest, rows, preview), encoding="utf-8")
    manifest = manifest.model_copy(update={"files": _files(stage)})
    (stage / MANIFEST).write_text(manifest.model_dump_json(indent=1) + "\n", encoding="utf-8")
    return manifest


def _row(draft: Draft, seed: int, stage: Path, contexts: Texts) -> tuple[Row, str]:
    ident = numbering.question_id(seed, draft.kind, draft.key)
    picture = None
    if len(draft.pictures) > 1:
        raise ReleaseError("has more than one picture", f"{draft.kind} question '{draft.key}'")
    for drawn in draft.pictures:
        picture = stage / f"images/{draft.kind}/{ident}.{_suffix(drawn.data, draft)}"
        picture.parent.mkdir(parents=True, exist_ok=True)
        picture.write_bytes(drawn.data)
    named = {}
    for kind, text in sorted(draft.contexts.items()):
        named[kind] = hashlib.sha256(text.encode()).hexdigest()[:16]
        contexts.add({"id": named[kind], "text": text})
    row = Row(
        ident=ident,
        kind=draft.kind,
        prompt=draft.prompt,
        answer=draft.answer,
        synonyms=draft.synonyms,
        unit=draft.unit,
        explanation=draft.explanation,
        cluster=numbering.question_id(seed, "cluster", draft.cluster) if draft.cluster else None,
        tags=draft.tags,
        picture=picture,
        contexts=named,
    )
    return row, _json([drawn.evidence for drawn in draft.pictures])


def _suffix(data: bytes, draft: Draft) -> str:
    with Image.open(io.BytesIO(data)) as picture:
        if picture.info.keys() - {"dpi", "gamma", "transparency"}:
            raise ReleaseError("its picture carries metadata", f"{draft.kind} question '{draft.key}'")
        return (picture.format or "png").lower()


def _check_names(rows: Sequence[Row]) -> None:
    if not rows:
        raise ReleaseError("no questions: nothing to release")
    seen: set[str] = set()
    for row in rows:
        if row.ident in seen:
            raise ReleaseError(
                f"two questions have the name {row.ident}", mend="their keys are equal, or change the seed"
            )
        seen.add(row.ident)


def _groups(rows: Sequence[Row], spec: Spec) -> Iterator[tuple[tuple[str, str], list[Row]]]:
    """Rows by kind and split, mixed within."""
    shares = {split.name: split.share for split in spec.splits}
    groups: dict[tuple[str, str], list[Row]] = {
        (kind, split): [] for kind in dict.fromkeys(row.kind for row in rows) for split in shares
    }
    for row in rows:
        groups[row.kind, numbering.split_of(spec.seed, row.cluster or row.ident, shares)].append(row)
    for name, group in groups.items():
        if group:
            yield name, sorted(group, key=lambda row: numbering.place(spec.seed, row.ident))


def _write_key(rows: Sequence[Row], path: Path) -> None:
    lines = [
        _json(
            {
                "id": row.ident,
                "answer": row.answer,
                "synonyms": list(row.synonyms),
                "explanation": row.explanation,
            }
        )
        for row in sorted(rows, key=lambda row: row.ident)
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _copied(spec: Spec, sources: Sources, stage: Path, private: str) -> dict[str, SourceEntry]:
    entries = {}
    for name, path in originals.copy(spec, sources, stage / f"{private}sources").items():
        entries[name] = SourceEntry(sha256=file_hash(path), path=path.relative_to(stage).as_posix())
    for design in spec.designs:
        if design.source is not None:
            entries[design.source] = SourceEntry(sha256=sources.design_hash(design.name), path=None)
    return entries


def _files(stage: Path) -> dict[str, FileEntry]:
    paths = sorted(path for path in stage.rglob("*") if path.is_file())
    return {
        path.relative_to(stage).as_posix(): FileEntry(sha256=file_hash(path), bytes=path.stat().st_size)
        for path in paths
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
