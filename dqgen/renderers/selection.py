"""What follows for each occurrence from the patterns that pick it: shown, hidden, highlighted or ghosted."""

from dqgen.errors import UsageError
from dqgen.geometry.occurrences import match, match_any
from dqgen.geometry.transforms import Placed
from dqgen.renderers.shaded import Look
from dqgen.schemas.design import Colour
from dqgen.schemas.evidence import State
from dqgen.schemas.render import RenderOptions

NEUTRAL: Colour = (199, 202, 207)
GHOST: Colour = (120, 140, 175)
HIGHLIGHT_FLOOR = 0.55
"""Highlighted faces are lit more than others: their colour must not sink into shade."""


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
