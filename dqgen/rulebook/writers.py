"""Rulebooks to files, and rules found in them by id."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

from dqgen.errors import LoadError, RulebookError, UsageError
from dqgen.schemas.rulebook import Item, Quantity, Rule, Rulebook

COLUMNS = [
    "id",
    "occurrence",
    "parent",
    "kind",
    "title",
    "text",
    "page",
    "page_label",
    "items",
    "references",
    "limits",
]


def writer_of(path: Path) -> Callable[[Rulebook], str]:
    """The function that turns a rulebook into the text of a file with this suffix.

    Raises:
        UsageError: no format has this suffix.
    """
    writers: dict[str, Callable[[Rulebook], str]] = {".jsonl": _jsonl, ".json": _json, ".csv": _csv}
    if path.suffix.lower() not in writers:
        raise UsageError("no such format", str(path), f"give a name that ends in {', '.join(writers)}")
    return writers[path.suffix.lower()]


def write_rules(book: Rulebook, path: Path) -> None:
    """Write a rulebook as .jsonl (a rule a line), .json (all of it) or .csv.

    Raises:
        UsageError: the suffix is unknown.
        LoadError: the file cannot be written.
    """
    text = writer_of(path)(book)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise LoadError(f"cannot be written: {error.strerror}", str(path), "choose another place") from error


def _jsonl(book: Rulebook) -> str:
    return "".join(json.dumps(rule.model_dump(), ensure_ascii=False) + "\n" for rule in book.rules)


def _json(book: Rulebook) -> str:
    return json.dumps(book.model_dump(), ensure_ascii=False, indent=1) + "\n"


def _csv(book: Rulebook) -> str:
    out = io.StringIO()
    rows = csv.writer(out)
    rows.writerow(COLUMNS)
    for rule in book.rules:
        limits = [_limit(quantity) for quantity in rule.quantities if quantity.role == "limit"]
        rows.writerow(
            [
                rule.id, rule.occurrence, rule.parent or "", rule.kind, rule.title, rule.text, rule.page,
                rule.page_label, len(rule.items), "; ".join(i for ref in rule.references for i in ref.ids),
                "; ".join(limits),
            ]
        )  # fmt: skip
    return out.getvalue()


def _limit(quantity: Quantity) -> str:
    values = quantity.value if isinstance(quantity.value, list) else [quantity.value]
    return f"{quantity.comparator} {'..'.join(f'{value:g}' for value in values)} {quantity.unit}"


def find_rule(book: Rulebook, wanted: str) -> tuple[list[Rule], Item | None]:
    """All occurrences of a rule by id or as printed; for an item's address, its rule and the item.

    Raises:
        RulebookError: the document has no such rule or item.
    """
    key = _key(wanted)
    found = [rule for rule in book.rules if _key(rule.id) == key or _key(rule.printed) == key]
    if found:
        return found, None
    for rule in book.rules:
        for item in rule.items:
            if _key(item.id) == key:
                return [rule], item
    near = [rule.id for rule in book.rules if key and _key(rule.id).startswith(key[: max(1, len(key) - 2)])][:4]
    hint = f"near it are {', '.join(near)}" if near else f"ids look like {book.scheme}"
    raise RulebookError(f"has no rule {wanted}", book.source.name, hint)


def _key(text: str) -> str:
    return "".join(text.split()).strip(".:)<>[]*").lower()


def rules_below(book: Rulebook, rule_id: str) -> list[Rule]:
    """All descendants of a rule in reading order."""
    inside = {rule_id}
    below = []
    for rule in book.rules:
        if rule.parent in inside:
            inside.add(rule.id)
            below.append(rule)
    return below
