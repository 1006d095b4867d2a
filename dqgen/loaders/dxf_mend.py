"""ASCII DXF whose pairs of code and value have come apart, brought back into step."""

INTEGERS = ((60, 99), (160, 179), (270, 289), (370, 389), (400, 409), (420, 429), (440, 459), (1060, 1071))
FLOATS = ((10, 59), (110, 149), (210, 239), (460, 469), (1010, 1059))
CODES = range(-5, 1072)


def in_step(data: bytes) -> tuple[bytes, int]:
    """The file without lines that stand where a group code must and are none, and without pairs whose value is no
    number where one must be; and how many lines that were.

    Reference: DXF Reference, Group Code Value Types.
    """
    lines = data.splitlines()
    kept: list[bytes] = []
    at = 0
    while at + 1 < len(lines):
        code = _integer(lines[at])
        if code is None or code not in CODES:
            at += 1
            continue
        if _fits(code, lines[at + 1]):
            kept += lines[at : at + 2]
        at += 2
    return b"\n".join([*kept, b"0", b"EOF", b""]), len(lines) - len(kept)


def _fits(code: int, value: bytes) -> bool:
    if any(low <= code <= high for low, high in INTEGERS):
        return _integer(value) is not None
    if any(low <= code <= high for low, high in FLOATS):
        try:
            float(value)
        except ValueError:
            return False
    return True


def _integer(text: bytes) -> int | None:
    try:
        return int(text)
    except ValueError:
        return None
