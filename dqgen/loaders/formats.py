"""The formats that are known, and which of them a file is.

To add one, write a module with a `load` function and register it in `FORMATS`.
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from dqgen.errors import LoadError

HEAD_BYTES = 1024
STEP = b"ISO-10303-21"


@dataclass(frozen=True)
class Format:
    """One kind of file.

    Attributes:
        name: short name.
        suffixes: lower case, with the dot.
        sniff: whether a file's first bytes are of this kind.
        target: its loader, `module:function`, run in a child.
        version: of the loader, raised when its results change; part of the cache key.
        rungs: what the loader is asked to try, in order, when it crashes.
        carries_unit: whether the format states its length unit.
        up: the up axis that the format's standard fixes.
        sheet: whether it holds drawings instead of models.
    """

    name: str
    suffixes: tuple[str, ...]
    sniff: Callable[[bytes], bool]
    target: str
    version: str
    rungs: tuple[str, ...]
    carries_unit: bool
    up: str = "z"
    sheet: bool = False


def _is_dxf(head: bytes) -> bool:
    lines = [line.strip() for line in head.lstrip(b"\xef\xbb\xbf \t\r\n").splitlines()]
    while len(lines) > 2 and lines[0] == b"999":  # remarks
        lines = lines[2:]
    return head.startswith(b"AutoCAD Binary DXF") or lines[:2] == [b"0", b"SECTION"]


def _is_ascii_stl(head: bytes) -> bool:
    return head.lstrip()[:5].lower() == b"solid" and (b"facet" in head.lower() or b"endsolid" in head.lower())


FORMATS = (
    Format(
        "step",
        (".step", ".stp", ".p21", ".stpnc"),
        lambda head: head.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(STEP),
        "dqgen.loaders.step:load",
        "step/7",
        ("xcaf+pmi", "xcaf", "plain"),
        True,
    ),
    Format("stl", (".stl",), _is_ascii_stl, "dqgen.loaders.mesh:load", "mesh/6", ("trimesh",), False),
    Format(
        "3mf",
        (".3mf",),
        lambda head: head[:4] == b"PK\3\4",
        "dqgen.loaders.mesh:load",
        "mesh/6",
        ("trimesh",),
        True,
    ),
    Format("obj", (".obj",), lambda head: False, "dqgen.loaders.mesh:load", "mesh/6", ("trimesh",), False),
    Format(
        "glb",
        (".glb",),
        lambda head: head[:4] == b"glTF",
        "dqgen.loaders.mesh:load",
        "mesh/6",
        ("trimesh",),
        True,
        "y",
    ),
    Format("dxf", (".dxf",), _is_dxf, "dqgen.loaders.dxf:load", "dxf/2", ("read", "recover"), True, sheet=True),
    Format(
        "pdf", (".pdf",), lambda head: b"%PDF-" in head, "dqgen.loaders.pdf:load", "pdf/2", ("read",), True, sheet=True
    ),
)


def identify(path: Path) -> Format:
    """The format of a file: by its first bytes, then by its suffix.

    Raises:
        LoadError: it is missing, a folder, unreadable, empty, or of no known kind.
    """
    try:
        if path.is_dir():
            raise LoadError("is a folder", str(path), "name the files in it")
        if path.exists() and not path.is_file():
            raise LoadError("is no regular file", str(path))
        with path.open("rb") as file:
            head = file.read(HEAD_BYTES)
    except FileNotFoundError:
        raise LoadError("no such file", str(path)) from None
    except OSError as error:
        raise LoadError(f"cannot be read ({error.strerror or error})", str(path)) from None
    except ValueError:  # a name that no file can have
        raise LoadError("no such file", str(path)) from None
    if not head:
        raise LoadError("is empty (0 bytes)", str(path), "export it again")
    for format_ in FORMATS:
        if format_.sniff(head):
            return format_
    suffix = path.suffix.lower()
    for format_ in FORMATS:
        if suffix in format_.suffixes:
            if format_.name == "step":
                raise LoadError(
                    "is named like a STEP file but does not begin with ISO-10303-21",
                    str(path),
                    "export it again",
                )
            return format_
    known = ", ".join(suffix for format_ in FORMATS for suffix in format_.suffixes)
    raise LoadError("is of no kind that can be loaded", str(path), f"known are {known}")
