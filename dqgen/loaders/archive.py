"""A design as one file: a JSON header and the raw bytes of its arrays, checked by a CRC. Nothing in it is executed.

Layout: magic, CRC-32 of all that follows it, length of the header, header, padding to 64 bytes, arrays each
aligned to 64 bytes. In the header an array stands as `{"$": [offset, dtype, shape]}`.
"""

import dataclasses
import hashlib
import json
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from dqgen.schemas.design import Design, EdgeTable, FaceTable, Occurrence, Pmi, Solid, Source, colour_of

MAGIC = b"dqgenD1\n"
_FRONT = struct.Struct("<8sIQ")
_ALIGN = 64
LAYOUT = hashlib.sha256(
    repr(
        [
            [f.name for f in dataclasses.fields(kind)]
            for kind in (Design, Source, Occurrence, Solid, FaceTable, EdgeTable, Pmi)
        ]
    ).encode()
).hexdigest()[:8]
"""Names the fields that archives of this version hold; part of what cache entries are found by."""
_DTYPES = {np.dtype(code).str for code in ("<f8", "<f4", "<i4", "|u1", "|b1")}


class CorruptArchiveError(ValueError):
    """The file is not a whole archive of this version."""


def dump(design: Design) -> bytes:
    """The archive's bytes; equal designs give equal bytes."""
    blobs: list[bytes] = []
    size = 0

    def plain(value: Any) -> Any:
        nonlocal size
        if isinstance(value, np.ndarray):
            data = np.ascontiguousarray(value)
            entry = {"$": [size, data.dtype.str, list(data.shape)]}
            raw = data.tobytes()
            padding = -len(raw) % _ALIGN
            blobs.append(raw + bytes(padding))
            size += len(raw) + padding
            return entry
        if dataclasses.is_dataclass(value):
            return {f.name: plain(getattr(value, f.name)) for f in dataclasses.fields(value)}
        if isinstance(value, tuple):
            return [plain(item) for item in value]
        return value

    header = json.dumps(plain(design), separators=(",", ":"), ensure_ascii=False).encode()
    header += b" " * (-(_FRONT.size + len(header)) % _ALIGN)
    length = struct.pack("<Q", len(header))
    crc = zlib.crc32(length + header)
    for blob in blobs:
        crc = zlib.crc32(blob, crc)
    return b"".join([MAGIC, struct.pack("<I", crc), length, header, *blobs])


def load(path: Path) -> Design:
    """Read an archive.

    Raises:
        CorruptArchiveError: the file is cut short, altered, or of another version.
        OSError: the file cannot be read.
    """
    data = path.read_bytes()
    if len(data) < _FRONT.size:
        raise CorruptArchiveError("shorter than its own header")
    magic, crc, length = _FRONT.unpack_from(data)
    if magic != MAGIC or zlib.crc32(memoryview(data)[len(MAGIC) + 4 :]) != crc:
        raise CorruptArchiveError("wrong magic or checksum")
    base = _FRONT.size + length

    def array(entry: dict[str, Any]) -> Any:
        offset, dtype, shape = entry["$"]
        if dtype not in _DTYPES:
            raise CorruptArchiveError(f"unexpected array type {dtype}")
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(data, dtype=dtype, count=count, offset=base + offset).reshape(shape)

    def table(kind: Any, entry: dict[str, Any]) -> Any:
        return kind(**{key: array(value) if isinstance(value, dict) else value for key, value in entry.items()})

    def occurrence(entry: dict[str, Any]) -> Occurrence:
        return Occurrence(
            path=entry["path"],
            label=entry["label"],
            product=entry["product"],
            named_by=entry["named_by"],
            colour=None if entry["colour"] is None else colour_of(entry["colour"]),
            transform=array(entry["transform"]),
            solid=entry["solid"],
            children=tuple(occurrence(child) for child in entry["children"]),
        )

    def solid(entry: dict[str, Any]) -> Solid:
        tables = {
            "faces": table(FaceTable, entry.pop("faces")),
            "edges": table(EdgeTable, entry.pop("edges")),
        }
        fields = {key: array(value) if isinstance(value, dict) else value for key, value in entry.items()}
        return Solid(**fields, **tables)

    header = json.loads(data[_FRONT.size : base])
    return Design(
        name=header["name"],
        source=Source(**header["source"]),
        root=occurrence(header["root"]),
        solids=tuple(solid(entry) for entry in header["solids"]),
        bounds=array(header["bounds"]),
        pmi=tuple(Pmi(**{**entry, "values": tuple(entry["values"])}) for entry in header["pmi"]),
        warnings=tuple(header["warnings"]),
    )
