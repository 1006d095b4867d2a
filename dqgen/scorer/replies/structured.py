"""Markup and structure in replies: JSON, LaTeX boxes, Markdown, tables, undone into plain text."""

import ast
import json
import re
from typing import Any

_ANSWER_KEYS = (
    *("final_answer", "finalanswer", "answer", "answers", "prediction", "verdict", "decision", "conclusion"),
    *("result", "response", "output", "value", "choice", "option", "compliant", "complies", "compliance"),
    *("is_compliant", "visible", "present", "component", "component_name", "name", "components", "rules"),
    *("rule_numbers", "relevant_rules", "rule_ids", "text", "rule_text", "rule", "rule_id"),
    *("rule_number", "id"),
)
_EXPLANATION_KEYS = (
    "explanation",
    "reasoning",
    "rationale",
    "justification",
    "reason",
    "analysis",
    "thought",
)
_FENCE = re.compile(r"```[ \t]*([\w+-]*)[ \t]*\n?(.*?)(?:```|\Z)", re.S)
_JSON_LIMIT = 200_000  # characters; nothing longer is an answer in JSON

_BOX = re.compile(r"\\(?:boxed|fbox|framebox)\s*\{")
_TEX_WRAPPER = re.compile(
    r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mathit|mathsf|operatorname|emph|boxed|fbox)\s*\{([^{}]*)\}"
)
_TEX_DEPTH = 6  # wrappers within wrappers
_TEX_FRACTION = re.compile(r"\\[dt]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}")
_TEX_SIGNS = (
    (re.compile(r"\^\s*\{?\s*\\circ\s*\}?"), "°"),
    (re.compile(r"\\(?:degree|degrees)\b"), "°"),
    (re.compile(r"\\times\b"), "×"),
    (re.compile(r"\\cdot\b"), "·"),
    (re.compile(r"\\pm\b"), "±"),
    (re.compile(r"\\approx\b|\\sim\b"), "~"),
    (re.compile(r"\\leq?\b"), "≤"),
    (re.compile(r"\\geq?\b"), "≥"),
    (re.compile(r"\\mu\b"), "µ"),
    (re.compile(r"\\[,;:! ]|\\quad\b|\\qquad\b"), " "),
    (re.compile(r"\\([%$#&_{}])"), r"\1"),
    (re.compile(r"\\[()\[\]]|\${1,2}(?!\d)|(?<=\d)\$"), ""),
)
_TABLE_ROW = re.compile(r"^ ?\|(.+)\| ?$")
_HTML = re.compile(r"</?(?:b|i|em|strong|p|div|span|code|pre|u|h[1-6]|ul|ol|li|center)\b[^<>]{0,80}>", re.I)
_BREAK = re.compile(r"<br\s*/?>", re.I)
_HEADER = re.compile(r"^[ \t]{0,3}#{1,6}[ \t]*", re.M)
_QUOTE_LINE = re.compile(r"^[ \t]*(?:>[ \t]?)+", re.M)
_RULER = re.compile(r"^[ \t]*(?:[-=_*][ \t]*){3,}$", re.M)
_STARS = re.compile(r"(?<!\d)\*{2,}|\*{2,}(?!\d)|(?<![\w*])\*(?=[^\s*])|(?<=[^\s*])\*(?![\w*])|(?<=[:.,!?])\*(?=\w)")
_SCORES = re.compile(r"(?<!\w)_{1,3}(?=\S)|(?<=\S)_{1,3}(?!\w)")


def read_json(text: str) -> tuple[str, str] | None:
    """Answer and explanation of a reply that is JSON, or ends in a fenced JSON block; None if it is neither.

    A list is given back as its items joined by commas, true and false as yes and no.
    """
    if len(text) > _JSON_LIMIT:
        return None
    value = _load(text.strip())
    if value is None and "{" in text:
        for language, block in reversed(_FENCE.findall(text)):
            if language.lower() in ("", "json", "json5", "jsonc", "python"):
                value = _load(block.strip())
                if value is not None:
                    break
    if value is None and "{" in text:
        value = _embedded(text)
    if isinstance(value, list):
        if all(isinstance(item, dict) for item in value) and value:
            value = value[-1] if len(value) == 1 else {"rules": [_of(item, _ANSWER_KEYS) or "" for item in value]}
        else:
            return _flat(value), ""
    if not isinstance(value, dict):
        return None
    answer = _of(value, _ANSWER_KEYS)
    if answer is None and len(value) == 1:
        answer = _flat(next(iter(value.values())))
    return None if answer is None else (answer, _of(value, _EXPLANATION_KEYS) or "")


def _load(text: str) -> Any:
    fence = _FENCE.fullmatch(text)
    if fence:
        text = fence[2].strip()
    if text[:1] not in ("{", "[") or text[-1:] not in ("}", "]"):
        return None
    for parse in (json.loads, ast.literal_eval):
        try:
            value = parse(text)
        except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
            continue
        # Two texts side by side are one to Python, and two to whoever wrote the list: such lists are left as text.
        if isinstance(value, dict) or (isinstance(value, list) and (parse is json.loads or _apart(value, text))):
            return value
    return None


def _apart(items: list[Any], text: str) -> bool:
    return not all(isinstance(item, str) for item in items) or text.count("'") + text.count('"') == 2 * len(items)


def _embedded(text: str) -> Any:
    """The last object with an answer key within prose."""
    decoder, at = json.JSONDecoder(), text.rfind("{")
    for _ in range(20):
        if at < 0:
            return None
        try:
            value, _ = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            value = None
        if isinstance(value, dict) and _of(value, _ANSWER_KEYS) is not None:
            return value
        at = text.rfind("{", 0, at)
    return None


def _of(value: dict[Any, Any], keys: tuple[str, ...]) -> str | None:
    named = {re.sub(r"[\s-]+", "_", str(key).strip().lower()): item for key, item in value.items()}
    for key in keys:
        if key in named and named[key] is not None:
            return _flat(named[key])
    return None


def _flat(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list | tuple):
        return ", ".join(_flat(item) for item in value)
    if isinstance(value, dict):
        inner = _of(value, _ANSWER_KEYS)
        if inner is not None and "unit" in value:
            return f"{inner} {value['unit']}"
        return inner if inner is not None else ", ".join(_flat(item) for item in value.values())
    return "" if value is None else str(value)


def boxed(text: str) -> list[str]:
    r"""Contents of `\boxed{…}`, braces balanced; one that never closes runs to the end of its line."""
    found, at = [], 0
    while match := _BOX.search(text, at):
        at = _closing(text, match.end())
        found.append(text[match.end() : at])
    return found


def _closing(text: str, start: int) -> int:
    depth, limit = 1, min(len(text), start + 2000)
    for at in range(start, limit):
        if text[at] == "{":
            depth += 1
        elif text[at] == "}":
            depth -= 1
            if depth == 0:
                return at
    line_end = text.find("\n", start)
    return line_end if line_end >= 0 else len(text)


def plain(text: str) -> str:
    """The text without LaTeX, Markdown and HTML, keeping its words and lines."""
    if "\\" in text or "$" in text:
        text = _without_tex(text)
    if "`" in text:
        text = re.sub(r"^[ \t]*```[\w+-]*[ \t]*$", "", text, flags=re.M)
        text = text.replace("`", "")
    if "<" in text:
        text = _HTML.sub("", _BREAK.sub("\n", text))
    if "|" in text:
        text = _without_tables(text)
    text = _QUOTE_LINE.sub("", text) if ">" in text else text
    text = _RULER.sub("", text)
    text = _HEADER.sub("", text) if "#" in text else text
    text = _STARS.sub("", text) if "*" in text else text
    text = _SCORES.sub("", text) if "_" in text else text
    return text.strip()


def _without_tex(text: str) -> str:
    for _ in range(_TEX_DEPTH):
        inner = _TEX_FRACTION.sub(r"\1/\2", _TEX_WRAPPER.sub(r"\1", text))
        if inner == text:
            break
        text = inner
    for pattern, sign in _TEX_SIGNS:
        text = pattern.sub(sign, text)
    return text


def _without_tables(text: str) -> str:
    """Two-column rows become `first: second`; wider tables become `header: cell` lines."""
    lines, header, out = text.split("\n"), list[str](), list[str]()
    for index, line in enumerate(lines):
        row = _TABLE_ROW.match(line)
        if not row:
            header = []
            out.append(line)
            continue
        if _is_table_rule(line):
            continue
        cells = [cell.strip() for cell in row[1].split("|")]
        if index + 1 < len(lines) and _is_table_rule(lines[index + 1]):
            header = cells
            if len(cells) > 2 or _labels(cells):
                continue
        elif header and _labels(header) and len(cells) == len(header):
            out += [f"{name}: {cell}" for name, cell in zip(header, cells, strict=True)]
            continue
        out.append(f"{cells[0]}: {cells[1]}" if len(cells) == 2 else " ".join(cells))
    return "\n".join(out)


def _is_table_rule(line: str) -> bool:
    return "--" in line and set(line) <= set("|:- \t")


def _labels(cells: list[str]) -> bool:
    plain_cells = [cell.strip("* _`").lower() for cell in cells]
    return any(cell in ("answer", "final answer", "verdict", "explanation") for cell in plain_cells[1:]) or (
        len(cells) > 2 and plain_cells[0] in ("answer", "final answer")
    )
