"""Pictures and sidecars to disk: whole or not at all."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

from PIL import Image
from pydantic import BaseModel

from dqgen.errors import RenderError

PNG_LEVEL = 3
"""Of zlib: on these pictures 3 is several times faster than the default and hardly larger."""


def write_png(picture: Image.Image, path: Path) -> None:
    """Write a picture without any metadata.

    Raises:
        RenderError: the place cannot be written.
    """
    whole(path, lambda part: picture.save(part, format="PNG", compress_level=PNG_LEVEL))


def write_bytes(data: bytes, path: Path) -> None:
    """Write a file as it is.

    Raises:
        RenderError: the place cannot be written.
    """
    whole(path, lambda part: Path(part).write_bytes(data))


def write_json(model: BaseModel, path: Path) -> None:
    """Write a model as JSON, one line a list of numbers would waste.

    Raises:
        RenderError: the place cannot be written.
    """
    text = model.model_dump_json(indent=1, by_alias=True) + "\n"
    whole(path, lambda part: Path(part).write_text(text, encoding="utf-8"))


def sidecar_of(picture: Path) -> Path:
    """Where the evidence of a picture goes: beside it, as `.json`.

    Raises:
        RenderError: another file has that name.
    """
    path = picture.with_suffix(".json")
    if path.exists() and not _is_evidence(path):
        raise RenderError(
            "this is not the evidence of a picture, and would be overwritten by it",
            str(path),
            "move it away, or give the picture another name with -o",
        )
    return path


def _is_evidence(path: Path) -> bool:
    try:
        found = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return False
    return isinstance(found, dict) and str(found.get("renderer", "")).startswith("dqgen ") and "picture" in found


def whole(path: Path, write: Callable[[str], object]) -> None:
    """Let `write` fill a temporary file beside `path`, then rename it: a reader never sees half a file.

    Raises:
        RenderError: the place cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, part = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".part")
    except OSError as error:
        raise RenderError(f"cannot be written ({error.strerror or error})", str(path)) from None
    os.close(handle)
    try:
        write(part)
        Path(part).chmod(0o666 & ~_umask())  # mkstemp's 0600 would shut others out
        Path(part).replace(path)
    except OSError as error:
        raise RenderError(f"cannot be written ({error.strerror or error})", str(path)) from None
    finally:
        Path(part).unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
