"""Finished work in a folder: results of tasks, their pictures and texts, each under the hash of what it is.

A file is written under another name and renamed, so that what is there is whole, whenever a run was killed.
"""

import dataclasses
import errno
import fcntl
import hashlib
import json
import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from dqgen.errors import BuildError
from dqgen.generators.draft import Answer, Draft, Picture

UNFINISHED = ".part"


@dataclass(frozen=True)
class Entry:
    """What is known of a finished draft without reading its pictures and texts.

    Attributes:
        kind, key, prompt, answer, tags: see `Draft`.
        pictures: sha256 of each.
        task: the digest under which it is kept.
        at: its place in that task.
    """

    kind: str
    key: str
    prompt: str
    answer: Answer
    tags: dict[str, str]
    pictures: tuple[str, ...]
    task: str
    at: int


@dataclass(frozen=True)
class Result:
    """What a task gave: its drafts, and those that were left out with the reason (key, what)."""

    entries: tuple[Entry, ...]
    faults: tuple[tuple[str, str], ...]


class Store:
    """Results by the digest of their task.

    Args:
        folder: for nothing else; made when it is first written to.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._text = lru_cache(maxsize=64)(self._read_text)

    def save(self, digest: str, drafts: Iterable[Draft], faults: Iterable[tuple[str, str]] = ()) -> None:
        """Keep what a task gave.

        Raises:
            BuildError: it cannot be written.
        """
        rows = []
        for draft in drafts:
            row = {
                field.name: getattr(draft, field.name)
                for field in dataclasses.fields(draft)
                if field.name not in ("pictures", "contexts")
            }
            row["pictures"] = [
                {"sha256": self._keep("pictures", picture.data), "evidence": picture.evidence}
                for picture in draft.pictures
            ]
            row["contexts"] = {kind: self._keep("texts", text.encode()) for kind, text in draft.contexts.items()}
            rows.append(row)
        data = json.dumps({"drafts": rows, "faults": list(faults)}, ensure_ascii=False, default=_plain)
        write_whole(self._file("tasks", digest), data.encode())

    def result(self, digest: str) -> Result | None:
        """What a task gave, or None if that is not here whole."""
        data = self._read(digest)
        if data is None:
            return None
        entries = []
        for at, row in enumerate(data["drafts"]):
            pictures = tuple(picture["sha256"] for picture in row["pictures"])
            if not all(self._is_whole("pictures", name) for name in pictures):
                return None
            if not all(self._file("texts", name).is_file() for name in row["contexts"].values()):
                return None
            entries.append(
                Entry(row["kind"], row["key"], row["prompt"], row["answer"], row["tags"], pictures, digest, at)
            )
        return Result(tuple(entries), tuple((key, what) for key, what in data["faults"]))

    def drafts(self, entries: Iterable[Entry]) -> Iterator[Draft]:
        """The drafts of entries, one after another."""
        digest, data = "", None
        for entry in entries:
            if entry.task != digest:
                digest, data = entry.task, self._read(entry.task)
            if data is None:
                raise BuildError("a result of the build is gone", str(self.folder), "build again")
            row = dict(data["drafts"][entry.at])
            row["pictures"] = tuple(
                Picture(self._file("pictures", picture["sha256"]).read_bytes(), picture["evidence"])
                for picture in row["pictures"]
            )
            row["contexts"] = {kind: self._text(name) for kind, name in row["contexts"].items()}
            for name in ("synonyms", "needs", "terms"):
                row[name] = tuple(row[name])
            yield Draft(**row)

    def clear(self) -> None:
        """Remove all that is here.

        Raises:
            BuildError: it cannot be removed, or the folder holds other things.
        """
        if self.folder.exists():
            foreign = {path.name for path in self.folder.iterdir()} - {
                "tasks",
                "pictures",
                "texts",
                "lock",
                "spec.json",
            }
            foreign = {name for name in foreign if not name.startswith("rulebook-")}
            if foreign:
                raise BuildError(f"holds other things ({sorted(foreign)[0]})", str(self.folder), "name another output")
            for path in self.folder.iterdir():
                if path.is_dir():
                    shutil.rmtree(path)
                elif path.name != "lock":
                    path.unlink()

    def prune(self, digests: set[str]) -> None:
        """Remove results of other tasks than these, with their pictures and texts, and what was left unfinished."""
        kept: dict[str, set[str]] = {"pictures": set(), "texts": set()}
        for path in self._files("tasks"):
            data = self._read(path.stem) if path.stem in digests else None
            if data is None:
                path.unlink()
                continue
            for row in data["drafts"]:
                kept["pictures"] |= {picture["sha256"] for picture in row["pictures"]}
                kept["texts"] |= set(row["contexts"].values())
        for kind, names in kept.items():
            for path in self._files(kind):
                if path.name not in names:
                    path.unlink()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other builds out of the folder meanwhile.

        Raises:
            BuildError: one is at work there, or the folder cannot be made.
        """
        with _telling(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
            lock = (self.folder / "lock").open("w")
        with lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise BuildError("another build is at work here", str(self.folder), "wait for it, or end it") from None
            for kind in ("tasks", "pictures", "texts"):
                for path in self._files(kind):
                    if path.name.endswith(UNFINISHED):
                        path.unlink()
            yield

    def _files(self, kind: str) -> list[Path]:
        folder = self.folder / kind
        return sorted(folder.iterdir()) if folder.is_dir() else []

    def _file(self, kind: str, name: str) -> Path:
        return self.folder / kind / (f"{name}.json" if kind == "tasks" else name)

    def _keep(self, kind: str, data: bytes) -> str:
        name = hashlib.sha256(data).hexdigest()
        if not self._is_whole(kind, name, len(data)):
            write_whole(self._file(kind, name), data)
        return name

    def _is_whole(self, kind: str, name: str, size: int | None = None) -> bool:
        path = self._file(kind, name)
        if not path.is_file():
            return False
        if size is not None:
            return path.stat().st_size == size
        return hashlib.sha256(path.read_bytes()).hexdigest() == name

    def _read(self, digest: str) -> dict[str, Any] | None:
        try:
            data: dict[str, Any] = json.loads(self._file("tasks", digest).read_bytes())
        except (OSError, ValueError):
            return None
        return data

    def _read_text(self, name: str) -> str:
        return self._file("texts", name).read_bytes().decode()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file so that it is there whole or not at all.

    Raises:
        BuildError: it cannot be written.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}{UNFINISHED}")
    with _telling(path):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)


@contextmanager
def _telling(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise BuildError("the disk is full", str(path.parent), "free some space; what is done is kept") from None
        raise BuildError(f"cannot be written ({error.strerror or error})", str(path.parent)) from None


def _plain(value: Any) -> Any:
    if isinstance(value, tuple | set | frozenset):
        return list(value)
    if hasattr(value, "tolist"):  # numpy's numbers and arrays
        return value.tolist()
    if hasattr(value, "items"):
        return dict(value.items())
    raise TypeError(f"{type(value).__name__} is no JSON")
