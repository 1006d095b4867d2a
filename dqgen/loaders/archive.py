"""A design or a sheet as one file: a JSON header and the raw bytes of its arrays, checked by a CRC.

Nothing in it is executed. Layout: magic, CRC-32 of all that follows it, length of the header, header, padding to 64
bytes, arrays each aligned to 64 bytes. In the header an array stands as `{"$": [offset, dtype, shape]}`. What a
field holds is told by its dataclass.
"""

import dataclasses
import hashlib
import json
import struct
import types
import typing
import zlib
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from dqgen.schemas.design import Design
from dqgen.schemas.sheet import Sheet

MAGIC = b"dqgenD1\n"
_FRONT = struct.Struct("<8sIQ")
_ALIGN = 64
_DTYPES = {np.dtype(code).str for code in ("<f8", "<f4", "<i4", "|u1", "|b1")}
Content = TypeVar("Content", Design, Sheet)


class CorruptArchiveError(ValueError):
    """The file is not a whole archive of this version."""


def layout(kind: type[Design] | type[Sheet]) -> str:
    """Names the fields that archives of a kind hold in this version; part of what cache entries are found by."""
    seen: dict[str, list[str]] = {}

    def visit(hint: Any) -> None:
        if isinstance(hint, type) and dataclasses.is_dataclass(hint) and hint.__name__ not in seen:
            hints = typing.get_type_hints(hint)
            seen[hint.__name__] = [f"{name}: {hints[name]}" for name in hints]
            for inner in hints.values():
                visit(inner)
        for inner in typing.get_args(hint):
            visit(inner)

    visit(kind)
    return hashlib.sha256(repr(seen).encode()).hexdigest()[:8]


def dump(content: Design | Sheet) -> bytes:
    """The archive's bytes; equal contents give equal bytes."""
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

    # A file's strings may hold halves of surrogate pairs, which UTF-8 has no bytes for.
    header = json.dumps(plain(content), separators=(",", ":"), ensure_ascii=False).encode(errors="surrogatepass")
    header += b" " * (-(_FRONT.size + len(header)) % _ALIGN)
    length = struct.pack("<Q", len(header))
    crc = zlib.crc32(length + header)
    for blob in blobs:
        crc = zlib.crc32(blob, crc)
    return b"".join([MAGIC, struct.pack("<I", crc), length, header, *blobs])


def load(path: Path, kind: type[Content]) -> Content:
    """Read an archive of a kind.

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
    header = json.loads(data[_FRONT.size : base].decode(errors="surrogatepass"))
    content: Content = _table_reader(kind)(header, _Arrays(data, base))
    return content


@dataclasses.dataclass(frozen=True)
class _Arrays:
    """The bytes that arrays lie in, from `base` on."""

    data: bytes
    base: int

    def get(self, entry: dict[str, Any]) -> Any:
        offset, dtype, shape = entry["$"]
        if dtype not in _DTYPES:
            raise CorruptArchiveError(f"unexpected array type {dtype}")
        count = int(np.prod(shape, dtype=np.int64))
        return np.frombuffer(self.data, dtype=dtype, count=count, offset=self.base + offset).reshape(shape)


_Reader = Callable[[Any, _Arrays], Any]


@cache
def _reader(hint: Any) -> _Reader:
    """What turns a header's value into one of a field's type."""
    if dataclasses.is_dataclass(hint):
        return _table_reader(typing.cast(type, hint))
    origin, arguments = typing.get_origin(hint), typing.get_args(hint)
    if origin is np.ndarray:
        return lambda value, arrays: arrays.get(value)
    if origin in (types.UnionType, typing.Union):
        inner = _reader(next(part for part in arguments if part is not types.NoneType))
        return lambda value, arrays: None if value is None else inner(value, arrays)
    if origin is tuple:
        item = _reader(arguments[0])
        if item is _as_it_is:
            return lambda value, arrays: tuple(value)
        return lambda value, arrays: tuple(item(part, arrays) for part in value)
    return _as_it_is


def _as_it_is(value: Any, arrays: _Arrays) -> Any:
    return value


def _table_reader(kind: type) -> _Reader:
    readers: dict[str, _Reader] = {}

    def read(value: Any, arrays: _Arrays) -> Any:
        if not readers:  # not before: a tree's node holds nodes
            readers.update({name: _reader(hint) for name, hint in typing.get_type_hints(kind).items()})
        return kind(**{name: readers[name](part, arrays) for name, part in value.items()})

    return read
