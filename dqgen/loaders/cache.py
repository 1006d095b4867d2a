"""Loaded designs and sheets, kept under the user's cache folder by what they were made from.

An entry's name is a hash of the file's bytes and of everything else that shapes the result, so that it can never be
stale. Entries are written elsewhere and renamed: parallel processes see whole entries or none.
"""

import contextlib
import hashlib
import json
import os
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from dqgen.loaders import archive

SUFFIX = ".design"
STAGED = "part-"
MAX_BYTES = 4 << 30
"""Least recently used entries are removed above this size (`DQGEN_CACHE_MB` sets another)."""


@dataclass(frozen=True)
class CacheInfo:
    """State of the cache: its folder, number of entries, bytes in use and the bound."""

    folder: Path
    entries: int
    bytes: int
    max_bytes: int


def folder() -> Path:
    """`DQGEN_CACHE` where it is set, else the platform's cache folder for this user."""
    if named := os.environ.get("DQGEN_CACHE"):
        return Path(named)
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", Path.home())) / "dqgen" / "cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "dqgen"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "dqgen"


def key(**parts: Any) -> str:
    """The name of an entry for these parts, in any order."""
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:40]


def get(name: str, kind: type[archive.Content]) -> archive.Content | None:
    """What is kept under that name, or None if nothing is; a corrupt entry is removed and counts as none."""
    path = folder() / (name + SUFFIX)
    try:
        content = archive.load(path, kind)
        os.utime(path)  # the least recently used go first
    except FileNotFoundError:
        return None
    except archive.CorruptArchiveError:
        with contextlib.suppress(OSError):
            path.unlink()
        return None
    except OSError:
        return None
    return content


def adopt(name: str, archive_file: Path) -> None:
    """Move a whole archive into the cache and bound it; where the cache cannot be written, nothing happens."""
    path = folder() / (name + SUFFIX)
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            archive_file.replace(path)
        except OSError:  # it lies on another disk
            part = path.with_name(f"{STAGED}{os.getpid()}-{name}")
            try:
                shutil.copyfile(archive_file, part)
                part.replace(path)
            finally:
                part.unlink(missing_ok=True)
        _bound(path.parent, keep=path)


def info() -> CacheInfo:
    """How full the cache is."""
    sizes = [size for _, size, _ in _entries(folder())]
    return CacheInfo(folder(), len(sizes), sum(sizes), _max_bytes())


def clear() -> int:
    """Remove every entry, and what killed programs left behind; returns how many entries."""
    for left in folder().glob(STAGED + "*"):
        with contextlib.suppress(OSError):
            left.unlink()
    removed = 0
    for _, _, path in _entries(folder()):
        with contextlib.suppress(OSError):
            path.unlink()
            removed += 1
    return removed


def _max_bytes() -> int:
    megabytes = os.environ.get("DQGEN_CACHE_MB", "")
    return int(megabytes) << 20 if megabytes.isdigit() else MAX_BYTES


def _entries(home: Path) -> list[tuple[float, int, Path]]:
    found = []
    if home.is_dir():
        for path in home.iterdir():
            if path.suffix == SUFFIX:
                with contextlib.suppress(OSError):
                    stat = path.stat()
                    found.append((stat.st_mtime, stat.st_size, path))
    return sorted(found)


def _bound(home: Path, keep: Path) -> None:
    entries = _entries(home)
    excess = sum(size for _, size, _ in entries) - _max_bytes()
    for _, size, path in entries:
        if excess <= 0:
            return
        if path != keep:
            with contextlib.suppress(OSError):
                path.unlink()
                excess -= size
