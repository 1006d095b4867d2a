"""Occurrences by pattern."""

import difflib
import re
from collections.abc import Iterable

from dqgen.errors import UsageError
from dqgen.geometry.transforms import Placed


def match(leaves: list[Placed], pattern: str) -> set[int]:
    """Rows of the leaves that a pattern picks, by themselves or through an assembly above them.

    `*` stands for any characters and `?` for one; brackets are literal, since paths number twins as `Wheel[2]`.
    The whole of a path, label or product must fit; case does not matter.

    Raises:
        UsageError: nothing fits; the message names what comes near.
    """
    expression = glob(pattern)
    found = {
        row
        for row, leaf in enumerate(leaves)
        for node in (*leaf.ancestors, leaf.occurrence)
        if any(expression.fullmatch(name) for name in (node.path, node.label, node.product))
    }
    if not found:
        raise UsageError(f"no occurrence matches '{pattern}'", mend=suggestion(leaves, pattern))
    return found


def match_any(leaves: list[Placed], patterns: Iterable[str]) -> set[int]:
    """Rows of the leaves that any of the patterns picks; each pattern must pick something."""
    return {row for pattern in patterns for row in match(leaves, pattern)}


def glob(pattern: str) -> re.Pattern[str]:
    """A pattern as a regular expression for the whole of a name."""
    return re.compile(
        "".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in pattern.strip()),
        re.IGNORECASE | re.DOTALL,
    )


def suggestion(leaves: list[Placed], pattern: str) -> str:
    """Names that come near a pattern that picks nothing."""
    names: dict[str, None] = {}
    for leaf in leaves:
        for node in (*leaf.ancestors, leaf.occurrence):
            names |= dict.fromkeys((node.label, node.product))
    plain = pattern.strip("*? /").rsplit("/", 1)[-1].casefold()
    by_fold = {name.casefold(): name for name in names}
    near = [by_fold[fold] for fold in by_fold if plain and plain in fold]
    near += [by_fold[fold] for fold in difflib.get_close_matches(plain, by_fold, n=5, cutoff=0.4)]
    chosen = list(dict.fromkeys(near))[:5] or list(names)[:5]
    return f"near: {', '.join(repr(name) for name in chosen)}" if near else f"there are: {', '.join(map(repr, chosen))}"
