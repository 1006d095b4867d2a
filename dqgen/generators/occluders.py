"""What stands before a component, found on id buffers, and taken away until enough of it shows."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dqgen.geometry.transforms import Placed
from dqgen.renderers.shaded import BACKGROUND_ID, Frame, Stage

NEARLY_ALL = 0.8


@dataclass(frozen=True)
class Bared:
    """What is hidden, and what shows then.

    Attributes:
        hidden: rows of leaves that were taken away.
        pixels: of the component, by frame.
    """

    hidden: tuple[int, ...]
    pixels: tuple[int, ...]


def bared(
    stage: Stage,
    leaves: list[Placed],
    frames: Sequence[Frame],
    shown: Sequence[int],
    component: Sequence[int],
    floor: int,
) -> Bared:
    """Hide what covers a component, and all of the same product with it, until enough of it shows in one frame.

    That frame is chosen in which least of the whole has to go.

    Args:
        stage: of the leaves.
        leaves: all of them.
        frames: in which it is looked at.
        shown: rows of what is drawn.
        component: rows of what must show; never hidden.
        floor: pixels that shall show in one of the frames; or, if not so many can, nearly all that can.

    Returns:
        What to hide: nothing if enough shows as it is.
    """
    wanted = np.array(sorted(component)) + 1
    as_it_is = [stage.ids(frame, list(shown), keep=True) for frame in frames]
    pixels = _pixels(as_it_is, wanted)
    if max(pixels) >= floor:
        return Bared((), pixels)
    size = np.sum([np.bincount(ids.ravel(), minlength=len(leaves) + 1)[1:] for ids in as_it_is], axis=0)
    alones = [np.isin(stage.ids(frame, list(component)), wanted) for frame in frames]
    floor = min(floor, round(NEARLY_ALL * max(int(alone.sum()) for alone in alones)))
    if max(pixels) >= floor:
        return Bared((), pixels)
    best: tuple[int, ...] | None = None
    for frame, ids, alone in zip(frames, as_it_is, alones, strict=True):
        if alone.sum() < floor:
            continue
        most = None if best is None else int(size[list(best)].sum())
        gone = _peeled(stage, leaves, frame, ids, alone, shown, set(component), floor, size, most)
        best = best if gone is None else gone
    if best is None:
        return Bared((), pixels)
    left = [row for row in shown if row not in set(best)]
    return Bared(best, _pixels([stage.ids(frame, left, keep=True) for frame in frames], wanted))


def _pixels(seen: Sequence[NDArray[np.uint32]], wanted: NDArray[np.int64]) -> tuple[int, ...]:
    return tuple(int(np.isin(ids, wanted).sum()) for ids in seen)


def _peeled(
    stage: Stage,
    leaves: list[Placed],
    frame: Frame,
    ids: NDArray[np.uint32],
    alone: NDArray[np.bool_],
    shown: Sequence[int],
    component: set[int],
    floor: int,
    size: NDArray[np.int64],
    most: int | None,
) -> tuple[int, ...] | None:
    """What has to go until a component shows on as many pixels of a frame: what covers most of it first; None if its
    size in all comes to `most`."""
    left, gone = list(shown), set[int]()
    while True:
        numbers, counts = np.unique(ids[alone], return_counts=True)
        covers: dict[str, int] = {}
        clear = 0
        for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
            if int(number) - 1 in component:
                clear += int(count)
            elif number != BACKGROUND_ID:
                product = leaves[int(number) - 1].occurrence.product
                covers[product] = covers.get(product, 0) + int(count)
        if clear >= floor or not covers:
            return tuple(sorted(gone))
        worst = max(covers, key=lambda product: (covers[product], product))
        gone |= {row for row in left if leaves[row].occurrence.product == worst and row not in component}
        if most is not None and size[list(gone)].sum() >= most:
            return None
        left = [row for row in left if row not in gone]
        ids = stage.ids(frame, left)
