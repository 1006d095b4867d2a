"""DXF files into ezdxf documents, with what had to be mended."""

import io
import logging
from collections import Counter
from dataclasses import dataclass

import ezdxf
from ezdxf import recover
from ezdxf.document import Drawing
from ezdxf.lldxf import const

from dqgen.errors import LoadError
from dqgen.loaders.dxf_mend import in_step

BINARY = b"AutoCAD Binary DXF"
BROKEN = (
    const.DXFError,
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    EOFError,
    ArithmeticError,
    AssertionError,
)
"""What ezdxf raises on broken files."""
RELEASES = {
    "AC1006": "R10",
    "AC1009": "R12",
    "AC1012": "R13",
    "AC1014": "R14",
    "AC1015": "R2000",
    "AC1018": "R2004",
    "AC1021": "R2007",
    "AC1024": "R2010",
    "AC1027": "R2013",
    "AC1032": "R2018",
}


@dataclass(frozen=True)
class Reading:
    """A document, how it was read (`read` or `recover`), the version that it states, and what was mended."""

    document: Drawing
    rung: str
    schema: str
    warnings: tuple[str, ...]


def read(data: bytes, name: str, rung: str) -> Reading:
    """Read a document.

    Args:
        data: the file's bytes.
        name: of the file, for errors.
        rung: `read` to try a plain read first, `recover` to mend at once.

    Raises:
        LoadError: it is no DXF, or too broken to mend.
    """
    logging.getLogger("ezdxf").setLevel(logging.CRITICAL)
    reason = "the reader crashed on it"
    if rung == "read":
        try:
            document = _plain(data)
        except BROKEN as error:
            reason = _short(error)
        else:
            # It is not audited: that would remove what can still be drawn.
            return Reading(document, "read", _schema(data, document), ())
    warnings = [f"broken ({reason}): read by recovery"]
    try:
        document, auditor = recover.read(io.BytesIO(data))
    except BROKEN as error:
        stepped, dropped = in_step(data)
        if data.startswith(BINARY) or len(stepped) < len(data) / 2:
            raise LoadError(f"is broken beyond mending ({_short(error)})", name, "export it again") from None
        warnings.append(f"mended: {dropped} lines out of step are left out")
        try:
            document, auditor = recover.read(io.BytesIO(stepped))
        except BROKEN:
            raise LoadError(f"is broken beyond mending ({_short(error)})", name, "export it again") from None
    return Reading(document, "recover", _schema(data, document), (*warnings, *_mended(auditor)))


def _plain(data: bytes) -> Drawing:
    if data.startswith(BINARY):
        from ezdxf.lldxf.tagger import binary_tags_loader

        return Drawing.load(binary_tags_loader(data))
    from ezdxf.filemanagement import dxf_stream_info

    text = io.TextIOWrapper(io.BytesIO(data), encoding="cp1252", errors="surrogateescape", newline=None)
    info = dxf_stream_info(text)
    text = io.TextIOWrapper(io.BytesIO(data), encoding=info.encoding, errors="surrogateescape", newline=None)
    return ezdxf.read(text)


def _mended(auditor: recover.Auditor) -> list[str]:
    """A line for each kind of fault that was found."""
    lines = []
    for verb, faults in (("mended", auditor.fixes), ("left as it is", auditor.errors)):
        counts = Counter(fault.code for fault in faults)
        first = {fault.code: fault.message for fault in reversed(faults)}
        for code, count in counts.items():
            more = f" (and {count - 1} more of the kind)" if count > 1 else ""
            lines.append(f"{verb}: {' '.join(str(first[code]).split())[:160]}{more}")
    return lines


def _schema(data: bytes, document: Drawing) -> str:
    """The version that the file states: older ones are raised when they are read."""
    at = data.find(b"$ACADVER", 0, 4000)
    window = data[at : at + 40] if at >= 0 else b""
    version = next((code for code in RELEASES if code.encode() in window), None)
    if version is None:
        version = "AC1009" if at < 0 else document.dxfversion
    kind = ", binary" if data.startswith(BINARY) else ""
    return f"{version} ({RELEASES.get(version, 'unknown')}{kind})"


def _short(error: Exception) -> str:
    return " ".join(str(error).split())[:120] or type(error).__name__
