"""Close-ups of a design's components, and for each component one that shows it and one that does not.

There is one close-up a component. It is asked about twice: whether its own component is visible, and whether another is
that it does not show. So each picture has one question to be answered with yes and one with no, and so has each
component: neither alone tells the answer.
"""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from dqgen.generators.occluders import bared
from dqgen.generators.studio import Studio
from dqgen.geometry.bounds import camera_box
from dqgen.renderers.shaded import BACKGROUND_ID, Frame
from dqgen.renderers.views import SHEET, VIEWS
from dqgen.schemas.design import Floats

LEAST_SHARE = 0.008
"""Of a close-up's pixels that a component must cover to count as visible."""
SPARE = 1.4
"""By how much a framing must beat that share to be chosen before something is hidden."""
NARROWEST, WIDEST = 0.14, 0.42
"""Width of a close-up, as a part of the design's greatest extent: smaller parts show with their neighbours, of larger
ones a piece shows."""
ROOM = 1.7
"""Width of a close-up, as a part of what it is of."""
JITTER = 0.2
"""How far from the middle a component may stand, as a part of the close-up: what is asked for is not always there."""
RIM = 0.03
"""Around a close-up, as a part of it, in which what is absent must not show either."""
OVERVIEW = 1600
"""Pixels of the longest side of the buffers in which framings are sought."""
TRIES = 6
"""Framings sought in each view."""
FAR = 4.0
"""Close-up widths beyond which an absent component is no more plausible."""
IMPOSSIBLE = 1e6


@dataclass(frozen=True)
class Subject:
    """A component as close-ups see it.

    Attributes:
        name: of the component.
        rows: leaves that it is made of.
        groups: the same leaves, by topmost node: one wheel of four.
        alike: leaves that must not show either where it is absent; its own included.
        hidden: leaves that are hidden in its close-up in any case.
    """

    name: str
    rows: tuple[int, ...]
    groups: tuple[tuple[int, ...], ...]
    alike: frozenset[int]
    hidden: tuple[int, ...]


@dataclass(frozen=True)
class CloseUp:
    """A close-up of a component.

    Attributes:
        frame: camera and size in pixels.
        hidden: rows of leaves that are hidden in it.
        pixels: by leaf, how many it covers.
        rim: by leaf, how many it covers with the rim around.
    """

    frame: Frame
    hidden: tuple[int, ...]
    pixels: NDArray[np.int64]
    rim: NDArray[np.int64]


def close_ups(
    place: Studio, shown: Sequence[int], subjects: Sequence[Subject], size: tuple[int, int], seed: int
) -> list[CloseUp | None]:
    """One close-up a component; None for those that show in none whatever is hidden.

    Args:
        place: the design.
        shown: rows of the leaves that are drawn.
        subjects: the components.
        size: width and height in pixels.
        seed: of the choice between framings that show enough.
    """
    extent = float((place.design.bounds[1] - place.design.bounds[0]).max())
    overviews = {name: _overview(place, shown, name, extent) for name in SHEET}
    return [_close_up(place, shown, subject, size, seed, extent, overviews) for subject in subjects]


def absent(subjects: Sequence[Subject], shots: Sequence[CloseUp | None], place: Studio, seed: int) -> list[int | None]:
    """For each close-up the component that it does not show and that is asked for; each component once.

    Near ones are taken before far ones: what stands just outside is plausible. Where no such choice exists, components
    that show in most close-ups are left out, with their close-ups: theirs is None.
    """
    costs = np.full((len(shots), len(subjects)), IMPOSSIBLE)
    for at, shot in enumerate(shots):
        for other, subject in enumerate(subjects):
            if shot is None or shots[other] is None or at == other:
                continue
            gone = set(shot.hidden) & (subject.alike | set(subject.rows))
            if not gone and not shot.rim[list(subject.alike)].sum():
                chance = random(seed, "absent", subjects[at].name, subject.name).random()
                costs[at, other] = min(_away(place, shot.frame, subject), FAR) + 0.4 * chance
    left = [at for at, shot in enumerate(shots) if shot is not None]
    chosen: list[int | None] = [None] * len(shots)
    while len(left) > 1:
        among = costs[np.ix_(left, left)]
        rows, columns = linear_sum_assignment(among)
        if (among[rows, columns] < IMPOSSIBLE).all():
            for row, column in zip(rows, columns, strict=True):
                chosen[left[int(row)]] = left[int(column)]
            break
        possible = among < IMPOSSIBLE
        del left[int(np.minimum(possible.sum(axis=0), possible.sum(axis=1)).argmin())]
    return chosen


def random(seed: int, *words: str) -> np.random.Generator:
    """A generator that depends on nothing but its arguments."""
    digest = hashlib.sha256("\0".join((str(seed), *words)).encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:8], "big"))


@dataclass(frozen=True)
class _Overview:
    """A whole view at one scale: which leaf shows where.

    Attributes:
        frame: camera and size.
        pixels: numbers of the pixels, row by row, those of the first leaf first; each leaf's in rising order.
        starts: where each leaf's begin, and where the last one's end.
    """

    frame: Frame
    pixels: NDArray[np.int32]
    starts: NDArray[np.int64]

    def places(self, leaves: Sequence[int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Rows and columns of the pixels that show any of the leaves, in rising order."""
        shown = [self.pixels[self.starts[leaf] : self.starts[leaf + 1]] for leaf in leaves]
        down, across = np.divmod(np.sort(np.concatenate(shown)).astype(np.int64), self.frame.width)
        return down, across


def _overview(place: Studio, shown: Sequence[int], name: str, extent: float) -> _Overview:
    view = VIEWS[name]
    box = camera_box(place.leaves, view.rotation)
    scale = OVERVIEW / extent
    wide, high = (math.ceil(float(box[1, axis] - box[0, axis]) * scale) for axis in (0, 1))
    frame = Frame(view, np.asarray(view.rotation.T @ box.mean(axis=0)), scale, wide, high)
    ids = place.stage.ids(frame, list(shown)).ravel()
    drawn = np.flatnonzero(ids != BACKGROUND_ID).astype(np.int32)
    order = np.argsort(ids[drawn], kind="stable")
    starts = np.searchsorted(ids[drawn][order], np.arange(1, len(place.leaves) + 2))
    return _Overview(frame, drawn[order], starts)


def _close_up(
    place: Studio,
    shown: Sequence[int],
    subject: Subject,
    size: tuple[int, int],
    seed: int,
    extent: float,
    overviews: dict[str, _Overview],
) -> CloseUp | None:
    chance = random(seed, "close-up", subject.name)
    left = [row for row in shown if row not in set(subject.hidden)]
    if not subject.hidden:
        framings = []
        for name in SHEET:
            for _ in range(TRIES):
                found = _framing(place, subject, overviews[name], size, extent, chance)
                if found is not None:
                    framings.append(found)
        best = max((share for share, _ in framings), default=0.0)
        good = [frame for share, frame in framings if share >= max(SPARE * LEAST_SHARE, best / 3)]
        for at in chance.permutation(len(good)):
            shot = _taken(place, left, (), good[int(at)])
            if _shows(shot, subject):
                return shot
    # Hidden behind others: the view and piece of which most is there to be bared.
    floor = round(SPARE * LEAST_SHARE * size[0] * size[1])
    options = []
    for name in SHEET:
        for group in subject.groups:
            frame = _around(place, group, overviews[name].frame, size, extent, chance)
            alone = place.stage.ids(frame, list(subject.rows))
            options.append((int((alone != BACKGROUND_ID).sum()), frame))
    for most, frame in sorted(options, key=lambda option: -option[0]):
        if most < floor:
            break
        bare = bared(place.stage, place.leaves, [frame], left, subject.rows, floor)
        gone = (*subject.hidden, *bare.hidden)
        shot = _taken(place, [row for row in shown if row not in set(gone)], gone, frame)
        if _shows(shot, subject):
            return shot
    return None


def _shows(shot: CloseUp, subject: Subject) -> bool:
    share = shot.pixels[list(subject.rows)].sum() / (shot.frame.width * shot.frame.height)
    return bool(share >= LEAST_SHARE * 1.1)


def _taken(place: Studio, left: Sequence[int], hidden: tuple[int, ...], frame: Frame) -> CloseUp:
    """A close-up with what shows in it and around it."""
    pad = round(RIM * frame.width)
    wide = replace(frame, width=frame.width + 2 * pad, height=frame.height + 2 * pad)
    ids = place.stage.ids(wide, list(left))
    many = len(place.leaves) + 1
    rim = np.bincount(ids.ravel(), minlength=many)[1:]
    inner = np.bincount(ids[pad:-pad, pad:-pad].ravel(), minlength=many)[1:]
    return CloseUp(frame, tuple(sorted(hidden)), inner.astype(np.int64), rim.astype(np.int64))


def _framing(
    place: Studio,
    subject: Subject,
    overview: _Overview,
    size: tuple[int, int],
    extent: float,
    chance: np.random.Generator,
) -> tuple[float, Frame] | None:
    """A framing of a visible piece of a component, and the share of it that the component covers."""
    scale = overview.frame.scale
    group = subject.groups[int(chance.integers(len(subject.groups)))]
    down, across = overview.places(group)
    if not len(down):
        return None
    wide = _width(place, group, overview.frame, size, extent) * scale
    high = wide * size[1] / size[0]
    at = int(chance.integers(len(down)))
    near = (np.abs(across - across[at]) < wide / 2) & (np.abs(down - down[at]) < high / 2)
    shift = chance.uniform(-JITTER, JITTER, 2)
    x, y = float(across[near].mean()) + shift[0] * wide, float(down[near].mean()) + shift[1] * high
    inside = (np.abs(across - x) < wide / 2) & (np.abs(down - y) < high / 2)
    view = overview.frame.view
    offset = np.array([(x - overview.frame.width / 2) / scale, (overview.frame.height / 2 - y) / scale, 0.0])
    centre = np.asarray(overview.frame.centre + view.rotation.T @ offset)
    return float(inside.sum() / (wide * high)), Frame(view, centre, size[0] / (wide / scale), *size)


def _around(
    place: Studio,
    group: tuple[int, ...],
    whole: Frame,
    size: tuple[int, int],
    extent: float,
    chance: np.random.Generator,
) -> Frame:
    """A framing around the middle of a piece."""
    view = whole.view
    box = camera_box([place.leaves[row] for row in group], view.rotation)
    wide = _width(place, group, whole, size, extent)
    shift = chance.uniform(-JITTER, JITTER, 2) / 2 * np.array([wide, wide * size[1] / size[0]])
    centre = box.mean(axis=0) + np.array([shift[0], shift[1], 0.0])
    return Frame(view, np.asarray(view.rotation.T @ centre), size[0] / wide, *size)


def _width(place: Studio, group: tuple[int, ...], whole: Frame, size: tuple[int, int], extent: float) -> float:
    """Width of a close-up of a piece, mm."""
    box = camera_box([place.leaves[row] for row in group], whole.view.rotation)
    wide, high = (float(box[1, axis] - box[0, axis]) for axis in (0, 1))
    return min(max(ROOM * max(wide, high * size[0] / size[1]), NARROWEST * extent), WIDEST * extent)


def _away(place: Studio, frame: Frame, subject: Subject) -> float:
    """How far the nearest piece of a component stands from a close-up's middle, in half widths and heights beyond its
    edge; a half where it stands within, behind something."""
    half = np.array([frame.width, frame.height]) / 2 / frame.scale
    middle: Floats = frame.view.rotation @ frame.centre
    best = math.inf
    for group in subject.groups:
        box = camera_box([place.leaves[row] for row in group], frame.view.rotation)
        gap = np.maximum(np.maximum(box[0, :2] - middle[:2], middle[:2] - box[1, :2]), 0.0) / half
        outside = float(gap.max()) - 1.0
        best = min(best, outside if outside > 0 else 0.5)
    return best
