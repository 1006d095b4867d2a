"""Occurrences by pattern, and what follows for each: shown, hidden, highlighted or ghosted."""

import difflib
import re
from collections.abc import Iterable

from dqgen.errors import UsageError
from dqgen.geometry.transforms import Placed
from dqgen.renderers.shaded import Look
from dqgen.schemas.design import Colour
from dqgen.schemas.evidence import State
from dqgen.schemas.render import RenderOptions

NEUTRAL: Colour = (199, 202, 207)
GHOST: Colour = (120, 140, 175)
HIGHLIGHT_FLOOR = 0.55
"""Highlighted faces are lit more than others: their colour must not sink into shade."""


def match(leaves: list[Placed], pattern: str) -> set[int]:
    """Rows of the leaves that a pattern picks, by themselves or through an assembly above them.

    `*` stands for any characters and `?` for one; brackets are literal, since paths number twins as `Wheel[2]`.
    The whole of a path, label or product must fit; case does not matter.

    Raises:
        UsageError: nothing fits; the message names what comes near.
    """
    expression = re.compile(
        "".join(".*" if char == "*" else "." if char == "?" else re.escape(char) for char in pattern.strip()),
        re.IGNORECASE | re.DOTALL,
    )
    found = {
        row
        for row, leaf in enumerate(leaves)
        for node in (*leaf.ancestors, leaf.occurrence)
        if any(expression.fullmatch(name) for name in (node.path, node.label, node.product))
    }
    if not found:
        raise UsageError(f"no occurrence matches '{pattern}'", mend=_suggestion(leaves, pattern))
    return found


def match_any(leaves: list[Placed], patterns: Iterable[str]) -> set[int]:
    """Rows of the leaves that any of the patterns picks; each pattern must pick something."""
    return {row for pattern in patterns for row in match(leaves, pattern)}


def states(leaves: list[Placed], options: RenderOptions) -> list[tuple[State, Colour | None]]:
    """The state of each leaf, and its highlight colour if it has one.

    `only` leaves nothing else; `hide` takes away; a highlight shows what would be a ghost.

    Raises:
        UsageError: a pattern picks nothing, or nothing is left to show.
    """
    kept = match_any(leaves, options.only) if options.only else set(range(len(leaves)))
    hidden = match_any(leaves, options.hide)
    ghosts = match_any(leaves, options.ghost)
    colours: dict[int, Colour] = {}
    for highlight in options.highlight:
        colours |= dict.fromkeys(match(leaves, highlight.pattern), highlight.colour)
    result: list[tuple[State, Colour | None]] = []
    for row in range(len(leaves)):
        if row in hidden or row not in kept:
            result.append(("hidden", None))
        elif row in colours:
            result.append(("highlighted", colours[row]))
        else:
            result.append(("ghosted" if row in ghosts else "shown", None))
    if all(state == "hidden" for state, _ in result):
        raise UsageError("nothing is left to show", mend="hide less")
    return result


def look(leaf: Placed, state: State, highlight: Colour | None, colors: str) -> Look:
    """How a leaf in that state is drawn."""
    if highlight is not None:
        return Look(highlight, floor=HIGHLIGHT_FLOOR)
    if state == "ghosted":
        return Look(GHOST, ghost=True)
    if colors == "source":
        return Look(leaf.colour or NEUTRAL, face_colours=True)
    return Look(NEUTRAL)


def _suggestion(leaves: list[Placed], pattern: str) -> str:
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
