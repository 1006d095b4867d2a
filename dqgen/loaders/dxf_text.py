"""Strings of DXF files as plain Unicode: code points, control codes of TEXT, inline codes of MTEXT."""

import re

MIF_PAGES = {"1": "cp932", "2": "cp950", "3": "cp949", "4": "johab", "5": "gbk"}
"""Code pages of `\\M+nXXXX`."""
PERCENT = {"c": "Ø", "d": "°", "p": "±", "%": "%"}
SPECIAL = re.compile(r"\\U\+([0-9A-Fa-f]{4})|\\M\+([1-5])([0-9A-Fa-f]{4})|%%(\d{3}|[cdpCDP%])")
SWITCH = re.compile(r"%%[kouKOU]")
"""Strike through, overline and underline of TEXT: they add no signs."""
CARET = re.compile(r"\^(.)", re.DOTALL)
STACK = re.compile(r"\\S((?:\\.|[^;\\])*);?", re.DOTALL)
INLINE = re.compile(
    r"\\S(?P<stack>(?:\\.|[^;\\])*);?"
    r"|\\(?P<escaped>[\\{}])"
    r"|\\(?P<line>[PNX])"
    r"|\\(?P<space>~)"
    r"|\\[LlOoKk]"
    r"|\\[fFHCcTQWAp][^;]*;"
    r"|[{}]",
    re.DOTALL,
)


def clean(text: str) -> str:
    """A string without halves of surrogate pairs: bytes that no code page explained are read as Windows' Latin."""
    if text.isascii() or not any("\ud800" <= char <= "\udfff" for char in text):
        return text
    return "".join(
        bytes([ord(char) - 0xDC00]).decode("cp1252", errors="replace")
        if "\udc80" <= char <= "\udcff"
        else "\ufffd"
        if "\ud800" <= char <= "\udfff"
        else char
        for char in text
    )


def decoded(text: str) -> str:
    """A string with code points (`\\U+2205`, `\\M+1B0A1`) and percent codes (`%%c`, `%%176`) as the signs they name."""
    text = clean(text)
    return SPECIAL.sub(_sign, text) if "%%" in text or "\\U+" in text or "\\M+" in text else text


def _sign(match: re.Match[str]) -> str:
    point, page, pair, percent = match.groups()
    if point:
        char = chr(int(point, 16))
        return match[0] if "\ud800" <= char <= "\udfff" else char
    if page:
        try:
            return bytes.fromhex(pair).decode(MIF_PAGES[page])
        except UnicodeDecodeError:
            return match[0]
    if percent.isdigit():
        number = int(percent)
        return bytes([number]).decode("cp1252", errors="replace") if 32 <= number < 256 else ""
    return PERCENT[percent.lower()]


def plain_line(text: str) -> str:
    """What a TEXT, ATTRIB or ATTDEF says, on one line."""
    return _controls(SWITCH.sub("", decoded(text))).replace("\n", " ").replace("\r", " ")


def laid_out(text: str) -> str:
    """An MTEXT's string for a layout engine: signs decoded, inline codes kept, carets that part stacks set off.

    A caret that another sign follows is a control code, but in a stack it parts upper from lower.
    """
    return STACK.sub(lambda match: "\\S" + re.sub(r"\^(?! )", "^ ", match[1]) + ";", decoded(text))


def plain_paragraphs(text: str) -> str:
    """What an MTEXT says: lines parted by line feeds; stacks as `1/2`, tolerances as `+0.1 -0.2`."""
    text = decoded(text)
    parts: list[str] = []
    at = 0
    for match in INLINE.finditer(text):
        parts.append(_controls(text[at : match.start()]))
        at = match.end()
        kind = match.lastgroup
        if kind == "stack":
            parts.append(_stack(match["stack"]))
        elif kind == "escaped":
            parts.append(match["escaped"])
        elif kind == "line":
            parts.append("\n")
        elif kind == "space":
            parts.append(" ")
    parts.append(_controls(text[at:]))
    return "\n".join(line.rstrip() for line in "".join(parts).split("\n")).strip("\n")


def _stack(text: str) -> str:
    for sign, between in (("^", " "), ("/", "/"), ("#", "/")):
        upper, found, lower = text.partition(sign)
        if found:
            upper, lower = upper.strip(), lower.strip()
            return f"{upper}{between}{lower}" if upper and lower else upper + lower
    return text.replace("\\", "")


def _controls(text: str) -> str:
    if "^" in text:
        text = CARET.sub(_control, text)
    return text.replace("\t", " ")


def _control(match: re.Match[str]) -> str:
    sign = match[1]
    if sign == " ":
        return "^"
    if sign in "JM":
        return "\n" if sign == "J" else ""
    if sign == "I":
        return " "
    return "" if "@" <= sign <= "_" else match[0]
