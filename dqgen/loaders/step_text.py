"""What a STEP file says in plain text: its schema, its strings in their own script, the files it refers to.

The kernel decodes every string as UTF-8, which ruins names in other code pages. So a file that holds such strings
is handed to it as a copy in which each stands as an ASCII token; the tokens are exchanged for the real text later.
Escapes after ISO 10303-21:2016, 6.4.3: `\\X2\\`, `\\X4\\`, `\\X\\`, `\\S\\`, `\\P?\\`. Raw bytes above 127 are not
allowed there, yet CAD systems write them: UTF-8 where it is valid, else the code page that reads best.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

HEAD = b"ISO-10303-21"
BOM = b"\xef\xbb\xbf"
TAIL = b"END-ISO-10303-21"
TOKEN = "~dq{}~"
_TOKEN = re.compile(r"~dq(\d+)~")

# A string, or a comment (which may hold an apostrophe), or the start of a statement that names a file.
_PIECE = re.compile(
    rb"/\*.*?\*/|'((?:[^']|'')*)'|\b(DOCUMENT_FILE|APPLIED_EXTERNAL_IDENTIFICATION_ASSIGNMENT)\b|;", re.S
)
_SPECIAL = re.compile(rb"[\x80-\xff\\]")
_HIGH = re.compile(rb"[\x80-\xff]")
_WORD = re.compile(r"[^\x00-\x40\[-`{-\x7f]+")  # letters, and whatever is not ASCII
_RAW_WORD = re.compile(_WORD.pattern.encode("latin-1"))
_RAW_BREAK = re.compile(rb"([\x00-\x40\[-`{-\x7f]+)")
_ESCAPE = re.compile(
    rb"\\X2\\((?:[0-9A-Fa-f]{4})*)\\X0\\|\\X4\\((?:[0-9A-Fa-f]{8})*)\\X0\\|\\X\\([0-9A-Fa-f]{2})"
    rb"|\\S\\(.)|\\P([A-I])\\|(\\\\)|(\\N\\)|('')",
    re.S,
)
_SCHEMA = re.compile(rb"FILE_SCHEMA\s*\(\s*\(\s*'([^']*)'", re.S)
_DOCUMENT = re.compile(rb"\bDOCUMENT_FILE\s*\(\s*'((?:[^']|'')*)'\s*,\s*'((?:[^']|'')*)'", re.S)

# Tried in this order; on equal plausibility the first wins. The multi-byte ones stand behind the single-byte ones.
CODE_PAGES = ("cp1252", "cp1251", "cp866", "koi8_r", "cp1250", "cp1253", "cp932", "gb18030", "cp949", "big5")
_MULTI_BYTE = {"cp932", "gb18030", "cp949", "big5"}
_LATIN = {"cp1252", "cp1250"}
_CYRILLIC = {"cp1251", "cp866", "koi8_r"}
_COMMON_CYRILLIC = set("оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё")
_PLAIN_SYMBOLS = "°±×µØ²³–—№"


@dataclass(frozen=True)
class Texts:
    """A staged file's tokens and the text each stands for."""

    by_token: tuple[str, ...]

    def restore(self, text: str) -> str:
        """`text` with its tokens exchanged for what the file says."""
        return _TOKEN.sub(lambda found: self.by_token[int(found[1])], text)


def schema(data: bytes) -> str:
    """The first schema that the header names, without its object identifier; empty if there is none."""
    found = _SCHEMA.search(data[:65536])
    return found[1].decode("latin-1").split("{")[0].strip() if found else ""


def referenced_files(data: bytes) -> list[str]:
    """Names of the model files that the file refers to, without folders, in file order."""
    if b"DOCUMENT_FILE" not in data:
        return []
    names = []
    for first, second in _DOCUMENT.findall(data):
        for raw in (first, second):
            name = _base_name(raw)
            # Other documents about the model, such as its drawing, are no parts of it.
            if name and Path(name).suffix.lower() in ("", ".stp", ".step", ".p21") and name not in names:
                names.append(name)
    return names


def stage(path: Path, data: bytes, folder: Path) -> tuple[Path, Texts, list[str]]:
    """Make a file ready for the kernel.

    Args:
        path: the file.
        data: its bytes.
        folder: an empty folder for copies, removed by the caller.

    Returns:
        The path to read, the texts behind the tokens, and the names of referenced files that are not there.
        Only files right beside `path` are followed, wherever a reference points.
    """
    waiting = [(path, data)]
    seen = {path.name}
    staged: list[tuple[str, Path, bytes | None]] = []
    missing: list[str] = []
    texts: list[str] = []
    while waiting:
        file, content = waiting.pop(0)
        plain = content.removeprefix(BOM)
        rewritten = _tokenised(plain, texts)
        if rewritten is None and plain is not content:
            rewritten = plain
        staged.append((file.name, file, rewritten))
        for name in referenced_files(content):
            beside = path.parent / name
            if name == file.name:
                missing.append(f"{name} (itself)")
            if name in seen:
                continue
            seen.add(name)
            if beside.is_file():
                waiting.append((beside, beside.read_bytes()))
            else:
                missing.append(name)
    if len(staged) == 1 and staged[0][2] is None:
        return path, Texts(()), missing
    for name, file, rewritten in staged:
        if rewritten is None:
            (folder / name).symlink_to(file.resolve())
        else:
            (folder / name).write_bytes(rewritten)
    return folder / path.name, Texts(tuple(texts)), missing


def decode(raw: bytes, page: str = "") -> str:
    """The text of one string literal (without its quotes).

    Args:
        raw: the literal's bytes.
        page: the code page for raw bytes above 127 that are not UTF-8; the likeliest for this string if empty.
    """
    parts: list[str] = []
    alphabet = "iso8859_1"  # \P?\ chooses the part of ISO 8859 that \S\ refers to
    at = 0
    plain = raw
    for found in _ESCAPE.finditer(raw):
        parts.append(_decode_bytes(raw[at : found.start()], page))
        at = found.end()
        two, four, one, shifted, part, backslash, newline, quote = found.groups()
        if two is not None:
            parts.append(bytes.fromhex(two.decode()).decode("utf-16-be", "replace"))
        elif four is not None:
            parts.append(bytes.fromhex(four.decode()).decode("utf-32-be", "replace"))
        elif one is not None:
            parts.append(bytes.fromhex(one.decode()).decode("iso8859_1"))
        elif shifted is not None:
            parts.append(bytes([shifted[0] | 0x80]).decode(alphabet, "replace"))
        elif part is not None:
            alphabet = f"iso8859_{part[0] - ord('A') + 1}"
        elif backslash is not None:
            parts.append("\\")
        elif newline is not None:
            parts.append("\n")
        elif quote is not None:
            parts.append("'")
    if not at:
        return _decode_bytes(plain, page)
    parts.append(_decode_bytes(raw[at:], page))
    return "".join(parts)


def likely_page(strings: Iterable[bytes]) -> str:
    """The code page in which these strings, taken together, read best."""
    joined = [raw for raw in strings if _HIGH.search(raw)]
    return max(CODE_PAGES, key=lambda page: sum(_plausibility(raw, page) for raw in joined)) if joined else "cp1252"


def _tokenised(data: bytes, texts: list[str]) -> bytes | None:
    """The file with each special string as a token, its text appended to `texts`; None if it has none."""
    if not _SPECIAL.search(data) and not _DOCUMENT.search(data):
        return None
    special: list[tuple[int, int, bytes]] = []
    references: dict[int, str] = {}
    names_file = False
    for found in _PIECE.finditer(data):
        if found[2] is not None:
            names_file = True
        elif found[0] == b";":
            names_file = False
        elif found[1] is not None and names_file and re.search(rb"[\\/]", found[1]):
            # Wherever it points, only a file of that name beside this one is read.
            references[len(special)] = _base_name(found[1])
            special.append((found.start(1), found.end(1), b""))
        elif found[1] is not None and not names_file and _SPECIAL.search(found[1]):
            special.append((found.start(1), found.end(1), found[1]))
    page = likely_page(raw for _, _, raw in special if not _is_utf8(raw))
    pieces: list[bytes] = []
    at = 0
    for number, (start, end, raw) in enumerate(special):
        if number in references:
            pieces += [data[at:start], references[number].encode()]
        else:
            pieces += [data[at:start], TOKEN.format(len(texts)).encode()]
            texts.append(decode(raw, page))
        at = end
    return b"".join([*pieces, data[at:]]) if special else None


def _base_name(raw: bytes) -> str:
    """A file's name without its folders, however the writer's system divides them."""
    return re.split(r"[\\/]", decode(raw))[-1].strip()


def _is_utf8(raw: bytes) -> bool:
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _decode_bytes(raw: bytes, page: str) -> str:
    """Bytes without escapes: UTF-8 where valid, else the page, else (a string may mix pages) the best for a word."""
    if _is_utf8(raw):
        return raw.decode("utf-8")
    page = page or likely_page([raw])
    if page in _MULTI_BYTE:
        return raw.decode(page, "replace")
    return "".join(_word(word, page) for word in _RAW_BREAK.split(raw))


def _word(word: bytes, page: str) -> str:
    if not _HIGH.search(word):
        return word.decode("ascii")
    if _plausibility(word, page) < 0:
        page = max((page, *CODE_PAGES), key=lambda other: _plausibility(word, other))
    return word.decode(page, "replace")


def _plausibility(raw: bytes, page: str) -> float:
    """How well `raw` reads in `page`: above 0 for words that a person would write, below for debris."""
    if page in _MULTI_BYTE:
        try:
            text = raw.decode(page)
        except UnicodeDecodeError:
            return -5.0 * len(raw)
        return sum(_east_asian_score(word, page) for word in _WORD.findall(text))
    return sum(_alphabetic_score(word, page) for word in _RAW_WORD.findall(raw) if _HIGH.search(word))


def _alphabetic_score(raw: bytes, page: str) -> float:
    """Letters count for a word; odd case, mixed scripts, symbols and control characters count against it."""
    try:
        word = raw.decode(page)
    except UnicodeDecodeError:
        return -2.0 * len(raw)
    score = 0.0
    high = [char for char in word if ord(char) > 0x7F]
    if any(not char.isalpha() and char not in _PLAIN_SYMBOLS for char in high):
        return -1.5 * len(high)
    for char in high:
        if not char.isalpha():
            score += 0.2
        elif page in _CYRILLIC:
            score += 1.0 if char.lower() in _COMMON_CYRILLIC else -1.0
        else:
            score += 1.2 if char in "Øø" else 0.9  # the diameter sign of many drawings
    letters = [char for char in word if char.isalpha()]
    if len(letters) > 1 and not (word.islower() or word.isupper() or "".join(letters[1:]).islower()):
        score -= 1.5
    latin = sum(char.isascii() for char in letters)
    if page in _LATIN:
        if len(high) > 2 and len(high) > len(letters) / 2:
            score -= len(high)  # accents are few among plain letters
    else:
        score -= min(latin, len(high))
    return score


def _east_asian_score(word: str, page: str) -> float:
    """By bytes, since two of them make a letter; a letter stuck to a Latin one is most likely an accent misread."""
    score = 0.0
    high = [char for char in word if ord(char) > 0x7F]
    for char in high:
        lead = char.encode(page)[0]
        if page == "gb18030":  # first level of GB 2312: the 3,755 characters in daily use
            score += 2.0 if 0xB0 <= lead <= 0xD7 and char.encode(page)[-1] >= 0xA1 else -2.0
        elif page == "cp949":  # the Hangul block of KS X 1001
            score += 2.05 if 0xB0 <= lead <= 0xC8 and char.encode(page)[-1] >= 0xA1 else -2.0
        elif page == "big5":  # the 5,401 frequent characters
            score += 1.95 if 0xA4 <= lead <= 0xC6 else -2.0
        elif "\uff61" <= char <= "\uff9f":  # half-width kana: what the letters of other pages turn into
            score -= 0.5
        else:
            score += 2.0 if "\u3000" <= char <= "\u9fff" else -2.0
    if len(high) < 3 and any(char.isascii() for char in word):
        score -= 3.0 * len(high)
    return score
