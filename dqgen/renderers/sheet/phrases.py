"""Which texts of a page a pattern means: runs, whole texts of several lines, and phrases over several runs."""

import re
from collections.abc import Iterator, Sequence
from fnmatch import translate

import numpy as np

from dqgen.schemas.design import Floats
from dqgen.schemas.sheet import Page, TextTable

GLOB = re.compile(r"[*?\[]")
BEHIND = 2.2  # heights of capitals: how far behind a run the next one of a line begins
BELOW = (1.0, 2.7)  # heights of capitals between the baselines of two lines of one phrase
LIKE = 1.6  # of two heights in one phrase
SMALL = 0.35  # height of stacked tolerances to that of what they stand behind, at least
DRAWN = re.compile("[⌀°]")  # signs that many sheets draw instead of writing them
MOST_RUNS = 40  # of one phrase


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern picks a text: a glob on the whole of it, or a part of it where there is no `*`, `?` or `[`."""
    text, pattern = _plain(text), _plain(pattern)
    if GLOB.search(pattern):
        return re.match(translate(pattern), text) is not None
    return pattern in text


def texts_of(page: Page, pattern: str, shown: Sequence[bool]) -> list[tuple[int, ...]]:
    """Rows of the page's texts that a pattern picks, together those that make one text, in the page's order.

    Runs alone and phrases over several runs of a line or over lines below each other; else texts of several lines as
    a whole, with all their runs.
    """
    texts, entities = page.texts, page.entities
    rows = [row for row in range(len(texts)) if texts.layer[row] < 0 or shown[texts.layer[row]]]
    alone = [row for row in rows if matches(pattern, texts.text[row])]
    groups = _by_entity(texts, alone)
    taken = set(alone)
    found = list(_Phrases(texts, [row for row in rows if row not in taken]).reading(pattern))
    groups += [group for group in found if not taken & set(group)]
    if not groups:
        whole = {
            row for row in range(len(entities)) if entities.content[row] and matches(pattern, entities.content[row])
        }
        groups = _by_entity(texts, [row for row in rows if int(texts.entity[row]) in whole])
    if not groups and _plain(bare := DRAWN.sub("", pattern)) and bare != pattern:
        return texts_of(page, bare, shown)
    return sorted(groups)


def _by_entity(texts: TextTable, rows: Sequence[int]) -> list[tuple[int, ...]]:
    groups: dict[tuple[int, int], list[int]] = {}
    for row in rows:
        entity = int(texts.entity[row])
        groups.setdefault((entity, -1 if entity >= 0 else row), []).append(row)
    return [tuple(group) for group in groups.values()]


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()


class _Phrases:
    """Texts read on from run to run, along their line and into the line below."""

    def __init__(self, texts: TextTable, rows: Sequence[int]) -> None:
        self.rows = np.array(rows, dtype=np.int64)
        self.said = [_plain(texts.text[row]) for row in rows]
        self.quads = texts.quad[self.rows]
        self.height = texts.height[self.rows]
        self.turn = texts.rotation[self.rows]

    def reading(self, pattern: str) -> Iterator[tuple[int, ...]]:
        """Rows of each phrase of two or more runs that a pattern picks."""
        wanted = _plain(pattern)
        is_glob = GLOB.search(wanted) is not None
        test = re.compile(translate(wanted))
        for start, said in enumerate(self.said):
            if is_glob:
                chain = self._line(start)
                found = chain if len(chain) > 1 and test.match(" ".join(self.said[at] for at in chain)) else None
            else:
                # A phrase begins with the end of its first run, and goes on through whole runs.
                sizes = [size for size in range(1, len(said) + 1) if wanted.startswith(said[-size:])]
                ways = (self._onward([start], wanted[size:].lstrip()) for size in reversed(sizes))
                found = next((way for way in ways if way), None)
            if found:
                yield tuple(int(self.rows[at]) for at in found)

    def _onward(self, chain: list[int], rest: str) -> list[int] | None:
        if not rest:
            return chain if len(chain) > 1 else None
        if len(chain) >= MOST_RUNS:
            return None
        for at in (*self._behind(chain[-1]), *self._below(chain)):
            said = self.said[at]
            if at in chain or not said:
                continue
            if said.startswith(rest):
                return [*chain, at]
            if rest.startswith(said) and (found := self._onward([*chain, at], rest[len(said) :].lstrip())):
                return found
        return None

    def _line(self, start: int) -> list[int]:
        chain = [start]
        while len(chain) < MOST_RUNS and (ahead := [at for at in self._behind(chain[-1]) if at not in chain]):
            chain.append(ahead[0])
        return chain

    def _seen_from(self, at: int) -> tuple[Floats, Floats, Floats, Floats]:
        """Of all runs where they begin and end along the baseline of one, how far below it they stand, and their
        height to its own; NaN for that of runs that are turned otherwise."""
        turn = np.radians(self.turn[at])
        along = np.array([np.cos(turn), -np.sin(turn)])
        down = np.array([np.sin(turn), np.cos(turn)])
        moved = self.quads - self.quads[at, 0]
        u = moved @ along
        v = (moved @ down)[:, :2].mean(axis=1)
        turned = np.abs((self.turn - self.turn[at] + 180) % 360 - 180) > 1
        turned[at] = True  # nothing follows itself
        ratio = np.where(turned, np.nan, self.height / max(float(self.height[at]), 1e-9))
        return u.min(axis=1), u.max(axis=1), v, ratio

    def _behind(self, at: int) -> list[int]:
        """Runs next on the line, nearest first."""
        begin, _, below, ratio = self._seen_from(at)
        height = float(self.height[at])
        length = float(np.hypot(*(self.quads[at, 1] - self.quads[at, 0])))
        gap = begin - length
        level = (np.abs(below) < 0.35 * height) & (ratio > 1 / LIKE) & (ratio < LIKE)
        stacked = (np.abs(below + 0.25 * height) < height) & (ratio > SMALL) & (ratio < 0.9)
        hits = np.flatnonzero((level | stacked) & (gap > -0.6 * height) & (gap < BEHIND * height))
        return [int(hit) for hit in hits[np.argsort(gap[hits], kind="stable")]]

    def _below(self, chain: Sequence[int]) -> list[int]:
        """Runs on the line below that lie under the phrase so far, nearest and leftmost first."""
        begin, end, below, ratio = self._seen_from(chain[-1])
        height = float(self.height[chain[-1]])
        left, right = begin[list(chain)].min(), end[list(chain)].max()
        over = (begin < right + height) & (end > left - height)
        like = (ratio > 1 / LIKE) & (ratio < LIKE)
        hits = np.flatnonzero(like & over & (below > BELOW[0] * height) & (below < BELOW[1] * height))
        return sorted((int(hit) for hit in hits), key=lambda hit: (round(float(below[hit]), 1), float(begin[hit])))
