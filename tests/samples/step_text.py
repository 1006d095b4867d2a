"""Reading a STEP file as text, for the samples' tests."""

import re

_STRING = re.compile(r"'((?:[^']|'')*)'")
_NUMBER = re.compile(r"-?\d+\.\d*(?:E[-+]?\d+)?")


def data_records(text: str) -> list[str]:
    """The records of the DATA section, white space removed outside of strings."""
    data = text[text.index("DATA;") + 5 : text.rindex("ENDSEC;")]
    parts = re.split(r"('(?:[^']|'')*')", data)
    parts[::2] = [re.sub(r"\s+", "", part) for part in parts[::2]]
    parts[1::2] = [re.sub(r"\n", "", part) for part in parts[1::2]]
    return "".join(parts).split(";")[:-1]


def strings(records: list[str], kind: str) -> list[list[str]]:
    """The strings of each record of that kind."""
    return [_STRING.findall(record) for record in records if f"={kind}(" in record]


def differences(ours: str, theirs: str) -> list[str]:
    """Records that differ in more than the last digits of a number, which may depend on the processor."""
    a, b = data_records(ours), data_records(theirs)
    if len(a) != len(b):
        return [f"{len(a)} records against {len(b)}"]
    return [f"{x} / {y}" for x, y in zip(a, b, strict=True) if x != y and not _alike(x, y)]


def _alike(x: str, y: str) -> bool:
    if _NUMBER.sub("~", x) != _NUMBER.sub("~", y):
        return False
    pairs = zip(_NUMBER.findall(x), _NUMBER.findall(y), strict=True)
    return all(abs(float(m) - float(n)) <= 1e-7 * max(1.0, abs(float(m))) for m, n in pairs)
