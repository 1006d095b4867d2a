"""Rows from CSV, JSONL, JSON and Parquet files, with one clear line for whatever is wrong with them."""

import csv
import io
import json
import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dqgen.errors import ScoreError, SetupError
from dqgen.scorer.text import printable

_DELIMITERS = ",;\t|"
_BOMS = ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe", "utf-16"), (b"\xfe\xff", "utf-16"))
_SURROGATES = re.compile("[\ud800-\udfff]")
_MAX_BYTES = 2_000_000_000


@dataclass(frozen=True)
class Table:
    """A file's rows.

    Attributes:
        path: the file.
        columns: the names of the columns, as in the file.
        rows: one mapping a row; values as in the file, None for null.
        places: where each row stands (`line 7`, `row 3`).
        notes: what was odd about the file.
    """

    path: Path
    columns: list[str]
    rows: list[dict[str, Any]]
    places: list[str]
    notes: list[str] = field(default_factory=list)


def read_table(path: Path, columns: Sequence[str] | None = None) -> Table:
    """Read a table by the suffix of its file: .csv, .tsv, .txt, .jsonl, .ndjson, .json or .parquet.

    Args:
        path: the file.
        columns: for Parquet, the columns to read if they are there; all by default.

    Raises:
        ScoreError: the file cannot be read as a table, or is empty.
        SetupError: Parquet without pyarrow.
    """
    path = Path(path)
    if path.is_dir():
        raise ScoreError("is a folder", where=str(path), mend="give a file of predictions")
    if not path.is_file():
        raise ScoreError("no such file", where=str(path))
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        return _read_parquet(path, columns)
    if suffix not in (".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json"):
        raise ScoreError(
            f"unknown kind of table '{suffix}'", where=str(path), mend="give .csv, .jsonl, .json or .parquet"
        )
    try:
        size = path.stat().st_size
        if size > _MAX_BYTES:
            raise ScoreError(f"larger than {_MAX_BYTES // 10**9} GB", where=str(path))
        data = path.read_bytes()
    except OSError as error:
        raise ScoreError(f"cannot be read ({error.strerror})", where=str(path)) from None
    notes: list[str] = []
    text = _decode(data, path, notes)
    if not text.strip():
        raise ScoreError("the file is empty", where=str(path))
    read = _read_csv if suffix in (".csv", ".tsv", ".txt") else _read_json
    table = read(path, text, notes)
    if not table.rows:
        raise ScoreError("no rows", where=str(path))
    return table


def _decode(data: bytes, path: Path, notes: list[str]) -> str:
    encoding = next((name for mark, name in _BOMS if data.startswith(mark)), "utf-8")
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        if encoding == "utf-8" and b"\0" not in data:
            notes.append(f"{path.name} is not UTF-8 (byte {error.start}); read as Windows-1252")
            return data.decode("cp1252", errors="replace")
        raise ScoreError(f"not a text in {encoding}", where=str(path), mend="save it as UTF-8") from None


def _read_csv(path: Path, text: str, notes: list[str]) -> Table:
    delimiter = _delimiter(text)
    if delimiter != ",":
        notes.append(f"{path.name} is separated by {delimiter!r}; the official scorer reads commas only")
    if "\0" in text:
        notes.append(f"{path.name} holds NUL characters; they were left out")
        text = text.replace("\0", "")
    old = csv.field_size_limit(len(text) + 1)
    try:
        reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
        header = [name.strip() for name in next(_filled(reader), [])]
        _check_header(path, header)
        rows, places = [], []
        for cells in _filled(reader):
            if len(cells) > len(header) and any(cell.strip() for cell in cells[len(header) :]):
                raise ScoreError(
                    f"{len(cells)} cells for {len(header)} columns",
                    where=f"{path}, line {reader.line_num}",
                    mend="quote cells that hold the separator or line ends",
                )
            row: dict[str, Any] = dict.fromkeys(header)
            row.update(zip(header, cells, strict=False))
            rows.append(row)
            places.append(f"line {reader.line_num}")
    except csv.Error as error:
        raise ScoreError(f"not a CSV table ({error})", where=str(path)) from None
    finally:
        csv.field_size_limit(old)
    return Table(path, header, rows, places, notes)


def _filled(reader: Iterator[list[str]]) -> Iterator[list[str]]:
    # pandas skips lines without anything; a line of separators alone is a row.
    return (cells for cells in reader if cells and (len(cells) > 1 or cells[0].strip()))


def _delimiter(text: str) -> str:
    first = next((line for line in text[:65536].splitlines() if line.strip()), "")
    counts = {sign: first.count(sign) for sign in _DELIMITERS}
    best = max(counts, key=lambda sign: counts[sign])
    return best if counts[best] else ","


def _check_header(path: Path, header: list[str]) -> None:
    named = [name for name in header if name]
    twice = sorted({name for name in named if named.count(name) > 1})
    if not named:
        raise ScoreError("no column names in the first line", where=str(path))
    if twice:
        raise ScoreError(f"column '{printable(twice[0][:60])}' twice", where=str(path), mend="rename or drop one")


def _read_json(path: Path, text: str, notes: list[str]) -> Table:
    values: list[tuple[str, Any]] = []
    if text.lstrip()[0] == "[":
        try:
            loaded = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise ScoreError(f"not JSON ({error})", where=str(path)) from None
        values = [(f"item {n}", value) for n, value in enumerate(loaded, 1)]
    else:
        for number, line in enumerate(text.split("\n"), 1):
            if line.strip():
                try:
                    values.append((f"line {number}", json.loads(line)))
                except (ValueError, RecursionError) as error:
                    reason = str(error).split(":")[0]
                    raise ScoreError(
                        f"not JSON ({reason})", where=f"{path}, line {number}", mend="write one object a line"
                    ) from None
    for place, value in values:
        if not isinstance(value, dict):
            raise ScoreError("not an object with named values", where=f"{path}, {place}")
    columns = list(dict.fromkeys(key for _, value in values for key in value))
    return Table(path, columns, [value for _, value in values], [place for place, _ in values], notes)


def _read_parquet(path: Path, columns: Sequence[str] | None) -> Table:
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        raise SetupError(
            "Parquet needs pyarrow", where=str(path), mend="pip install pyarrow, or give CSV or JSONL"
        ) from None
    try:
        with parquet.ParquetFile(path) as file:
            names = list(file.schema_arrow.names)
            wanted = [name for name in names if columns is None or name in columns]
            rows = file.read(columns=wanted).to_pylist()
    except (OSError, ValueError, NotImplementedError) as error:  # pyarrow's own errors derive from these
        reason = str(error).splitlines()[0][:120] if str(error) else type(error).__name__
        raise ScoreError(f"not a Parquet file ({reason})", where=str(path)) from None
    if not rows:
        raise ScoreError("no rows", where=str(path))
    return Table(path, names, rows, [f"row {n}" for n in range(1, len(rows) + 1)])


def as_reply(value: Any) -> str | None:
    """A cell as a reply.

    Text as it is, null and NaN as None, numbers, truth values and lists as JSON writes them.
    """
    if value is None:
        return None
    if isinstance(value, str):
        # A lone surrogate, which JSON can hold, can be neither written nor printed.
        return value if value.isascii() or not _SURROGATES.search(value) else _SURROGATES.sub("\ufffd", value)
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, bytes):
        return value.decode("utf-8", errors="replace")
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        return str(value)


def column(table: Table, names: Sequence[str], what: str) -> str:
    """The table's column that has one of some names, case aside, the first that fits.

    Raises:
        ScoreError: there is none.
    """
    known = {name.strip().lower(): name for name in table.columns}
    for name in names:
        if name in known:
            return known[name]
    have = ", ".join(printable(str(name)[:40]) or "(unnamed)" for name in table.columns[:12])
    raise ScoreError(
        f"no column with the {what}",
        where=str(table.path),
        mend=f"name it '{names[0]}'; its columns are {have}",
    )
