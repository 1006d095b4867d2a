"""`load` and `load_sheet`: a file into a `Design` or a `Sheet`, by way of the cache and a sandboxed loader.

`formats` registers what is known.
"""

import dataclasses
import hashlib
import os
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from dqgen.errors import LoadError, UsageError
from dqgen.geometry.bounds import design_bounds
from dqgen.geometry.transforms import UP_TURNS
from dqgen.loaders import archive, cache, sandbox, step_text
from dqgen.loaders.formats import Format, identify
from dqgen.loaders.units import NAMES
from dqgen.schemas.design import Design, Occurrence
from dqgen.schemas.sheet import Sheet


@dataclass(frozen=True)
class LoadOptions:
    """How to read a file.

    Attributes:
        unit: length unit for formats that carry none, and for sheets in place of what they state; None to assume
            millimetres and say so.
        up: the file's own up axis (`z`, `-y`, …); None for the format's own.
        limits: for the loader's process.
    """

    unit: str | None = None
    up: str | None = None
    limits: sandbox.Limits = dataclasses.field(default_factory=sandbox.Limits)


def load(path: Path, options: LoadOptions) -> Design:
    """Read a model.

    Raises:
        LoadError: the file cannot be read, is not of a known kind, is broken, or holds no geometry.
        UsageError: an option does not exist.
    """
    _check_unit(options.unit)
    if options.up is not None and options.up not in UP_TURNS:
        raise UsageError(f"unknown axis '{options.up}'", "--up", f"use one of {', '.join(UP_TURNS)}")
    format_ = identify(path)
    if format_.sheet:
        raise LoadError(f"is a drawing ({format_.name.upper()}), not a model", str(path))
    extra = {}
    if format_.name != "step":
        extra = {"kind": format_.name, "unit": "" if format_.carries_unit else NAMES[(options.unit or "mm").lower()]}
    design = _read(path, format_, extra, options.limits, Design)
    notes = []
    if not format_.carries_unit and options.unit is None:
        notes.append(f"{format_.name.upper()} states no unit: millimetres assumed (--unit names another)")
    elif format_.carries_unit and options.unit is not None:
        notes.append(f"{format_.name.upper()} states its own unit ({design.source.units}): --unit is not used")
    if format_.up != "z" and options.up is None:
        notes.append(
            f"{format_.name.upper()} is {format_.up.upper()} up by its standard: turned to Z up (--up names another)"
        )
    design = dataclasses.replace(design, warnings=(*design.warnings, *notes))
    return _turned(design, options.up or format_.up)


def load_written(path: Path, limits: sandbox.Limits, run: Callable[..., object]) -> Design:
    """Read a STEP file that was written a moment ago and will not be seen again: past the cache.

    Args:
        path: the file.
        limits: of the loader's process.
        run: asks that process, as `sandbox.run` does.

    Raises:
        LoadError: as `load`.
    """
    return _loaded(path, identify(path), {}, limits, Design, run=run)


def load_sheet(path: Path, options: LoadOptions) -> Sheet:
    """Read a drawing.

    Raises:
        LoadError: the file cannot be read, is no drawing, or is broken.
        UsageError: an option does not exist or has no meaning for drawings.
    """
    _check_unit(options.unit)
    if options.up is not None:
        raise UsageError("drawings have no up axis", "--up", "leave it out")
    format_ = identify(path)
    if not format_.sheet:
        raise LoadError(f"is a model ({format_.name.upper()}), not a drawing", str(path))
    extra = {"unit": NAMES[options.unit.lower()] if options.unit else ""}
    return _read(path, format_, extra, options.limits, Sheet)


def _check_unit(unit: str | None) -> None:
    if unit is not None and unit.lower() not in NAMES:
        raise UsageError(f"unknown unit '{unit}'", "--unit", f"use one of {', '.join(sorted(NAMES))}")


def _fingerprint(path: Path, follow: bool) -> list[str]:
    """Hashes of the file and, if `follow`, of the files beside it that it refers to."""
    hashes: list[str] = []
    waiting, seen = [path], {path.name}
    while waiting:
        file = waiting.pop(0)
        try:
            with file.open("rb") as stream:
                hashes.append(hashlib.file_digest(stream, "sha256").hexdigest())
            references = step_text.referenced_files(file.read_bytes()) if follow else []
        except OSError as error:
            raise LoadError(f"cannot be read ({error.strerror or error})", str(file)) from None
        for name in references:
            if name not in seen and (path.parent / name).is_file():
                seen.add(name)
                waiting.append(path.parent / name)
    return hashes


def _read(
    path: Path, format_: Format, extra: dict[str, Any], limits: sandbox.Limits, kind: type[archive.Content]
) -> archive.Content:
    """From the cache, or anew by the format's loader, which is given `extra` too."""
    name = cache.key(
        content=_fingerprint(path, follow=format_.name == "step"),
        loader=format_.version,
        layout=archive.layout(kind),
        stem=path.name,
        **extra,
    )
    known = cache.get(name, kind)
    if known is not None:
        return known
    return _loaded(path, format_, extra, limits, kind, lambda archived: cache.adopt(name, archived))


def _loaded(
    path: Path,
    format_: Format,
    extra: dict[str, Any],
    limits: sandbox.Limits,
    kind: type[archive.Content],
    keep: Callable[[Path], object] = lambda archived: None,
    run: Callable[..., object] = sandbox.run,
) -> archive.Content:
    """By the first rung of the format's loader that leads there; `keep` is given the archive, `run` asks a child."""
    failures: list[str] = []
    deadline = time.monotonic() + limits.seconds
    with tempfile.TemporaryDirectory(dir=os.environ.get(sandbox.SCRATCH), prefix="dqgen-") as folder:
        output = Path(folder) / "content"
        for rung in format_.rungs:
            left = deadline - time.monotonic()
            if left <= 0:
                break
            try:
                request = {
                    "path": str(path.resolve()),
                    "output": str(output),
                    "version": format_.version,
                    "rung": rung,
                    **extra,
                }
                rest = sandbox.Limits(left, limits.memory_mb)
                run(format_.target, rest, scratch=folder, **request, failures=failures)
            except sandbox.ChildDiedError as death:
                failures.append(f"{rung} {death.how}")
                continue
            content = archive.load(output, kind)
            keep(output)
            return content
    raise LoadError(f"cannot be loaded: {', then '.join(failures)}", str(path), "export it again or raise the limits")


def _turned(design: Design, up: str) -> Design:
    """The design with its own up axis brought to +Z."""
    if up == "z":
        return design
    root = dataclasses.replace(design.root, transform=UP_TURNS[up] @ design.root.transform)
    return rebased(dataclasses.replace(design, source=dataclasses.replace(design.source, up=up)), root)


def rebased(design: Design, root: Occurrence) -> Design:
    """The design with another root, and the box that follows from it."""
    moved = dataclasses.replace(design, root=root)
    return dataclasses.replace(moved, bounds=np.asarray(design_bounds(moved)))
