"""What stands before a component, found on id buffers, and taken away until enough of it shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.transforms import Placed
from dqgen.renderers.shaded import BACKGROUND_ID, Frame, Stage


@dataclass(frozen=True)
class Bared:
    """What is hidden, and what shows then.

    Attributes:
        hidden: rows of leaves that were taken away.
        pixels: of the component, by frame.
    """

    hidden: tuple[int, ...]
    pixels: tuple[int, ...]


@dataclass(frozen=True)
class Floor:
    """Pixels that must show: in all frames together, and in the one that shows most."""

    total: int
    best: int

    def met(self, pixels: Sequence[int]) -> bool:
        """Whether as many show."""
        return sum(pixels) >= self.total and max(pixels) >= self.best


def bared(
    stage: Stage,
    leaves: list[Placed],
    frames: Sequence[Frame],
    shown: Sequence[int],
    component: Sequence[int],
    floor: Floor,
) -> Bared:
    """Hide what covers most of a component, and all others of its product with it, until enough pixels show.

    Args:
        stage: of the leaves.
        leaves: all of them.
        frames: in which it is looked at.
        shown: rows of what is drawn.
        component: rows of what must show; never hidden.
        floor: what is enough.

    Returns:
        What to hide: nothing if enough shows as it is; all that covers it if even that does not do.
    """
    wanted = np.array(sorted(component)) + 1
    alone = [np.isin(stage.ids(frame, list(component)), wanted) for frame in frames]
    left = [row for row in shown]
    hidden: list[int] = []
    while True:
        seen = [stage.ids(frame, left) for frame in frames]
        pixels = tuple(int(np.isin(ids, wanted).sum()) for ids in seen)
        if floor.met(pixels):
            return Bared(tuple(sorted(hidden)), pixels)
        covers = _covers(seen, alone, set(component), leaves)
        if not covers:
            return Bared(tuple(sorted(hidden)), pixels)
        worst = max(covers, key=lambda product: (covers[product], product))
        gone = [row for row in left if leaves[row].occurrence.product == worst and row not in set(component)]
        hidden += gone
        left = [row for row in left if row not in set(gone)]


def _covers(
    seen: Sequence[NDArray[np.uint32]],
    alone: Sequence[NDArray[np.bool_]],
    component: set[int],
    leaves: list[Placed],
) -> dict[str, int]:
    """Pixels of a component that each product covers: those of the frame in which most would come free count."""
    best: dict[str, int] = {}
    for ids, mask in zip(seen, alone, strict=True):
        numbers, counts = np.unique(ids[mask & (ids != BACKGROUND_ID)], return_counts=True)
        here: dict[str, int] = {}
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            row = int(number) - 1
            if row not in component:
                product = leaves[row].occurrence.product
                here[product] = here.get(product, 0) + int(count)
        for product, count in here.items():
            best[product] = max(best.get(product, 0), count)
    return best
