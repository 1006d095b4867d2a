"""What every set of questions must keep: no answer in a prompt, no question twice, yes and no in balance."""

import hashlib
import math
import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from dqgen.generators.draft import Draft
from dqgen.generators.store import Entry
from dqgen.rulebook.nouns import HYPHENS, key, mention_pattern

YES_NO = ("yes", "no")
SKEWED = 0.05
"""Share by which yes may be off one half in a kind; in a group of a tag, what chance would give once in a hundred."""
SMALLEST_GROUP = 10


def told(draft: Draft) -> str | None:
    """What of its answer a prompt gives away, if anything."""
    if isinstance(draft.answer, str) and draft.answer not in YES_NO:
        prompt = " ".join(re.sub(rf"[{HYPHENS}]", " ", draft.prompt.lower()).split())
        for name in (draft.answer, *draft.synonyms):
            # A pattern of whole words is dear, so it is asked only where the letters are there, but for those that the
            # plural may change.
            if name.strip() and key(name)[:-3] in prompt and mention_pattern([name]).search(draft.prompt):
                return f"its prompt says '{name}', which is the answer"
    if isinstance(draft.answer, list) and draft.answer and all(name in draft.prompt.split() for name in draft.answer):
        return "its prompt lists the answer"
    return None


def without_twins(entries: Sequence[Entry]) -> tuple[list[Entry], list[tuple[Entry, str]]]:
    """Questions that look different, and those left out with the reason.

    Of questions with one prompt and the same pictures the first is kept; none is if their answers differ.
    """
    alike: dict[tuple[str, tuple[str, ...]], list[Entry]] = defaultdict(list)
    for entry in entries:
        alike[entry.prompt, entry.pictures].append(entry)
    kept, out = [], []
    for entry in entries:
        group = alike[entry.prompt, entry.pictures]
        if any(_plain(other) != _plain(entry) for other in group):
            other = next(other for other in group if _plain(other) != _plain(entry))
            out.append((entry, f"looks like '{other.key}', whose answer is another"))
        elif entry is not group[0]:
            out.append((entry, f"is the same question as '{group[0].key}'"))
        else:
            kept.append(entry)
    return kept, out


def drawn(entries: Sequence[Entry], count: int, seed: int) -> list[Entry]:
    """So many of the questions, yes and no in turn, drawn by the seed; in the order given."""
    if len(entries) <= count:
        return list(entries)
    by_answer: dict[str, list[Entry]] = defaultdict(list)
    for entry in sorted(entries, key=lambda entry: draw_key(seed, entry.key)):
        by_answer[entry.answer if isinstance(entry.answer, str) and entry.answer in YES_NO else ""].append(entry)
    chosen: list[Entry] = []
    for turn in range(len(entries)):
        for answer in sorted(by_answer):
            if turn < len(by_answer[answer]) and len(chosen) < count:
                chosen.append(by_answer[answer][turn])
    taken = {(entry.kind, entry.key) for entry in chosen}
    return [entry for entry in entries if (entry.kind, entry.key) in taken]


def draw_key(seed: int, key: str) -> str:
    """Where something stands in a draw."""
    return hashlib.sha256(f"{seed}/{key}".encode()).hexdigest()


def imbalances(entries: Sequence[Entry]) -> list[str]:
    """Where yes and no are out of balance: in a kind, or among questions that share a tag."""
    found = []
    asked = [entry for entry in entries if isinstance(entry.answer, str) and entry.answer in YES_NO]
    for kind, group in _groups(asked, lambda entry: [entry.kind]).items():
        share = _share(group)
        if len(group) >= SMALLEST_GROUP and abs(share - 0.5) > SKEWED:
            found.append(f"{kind}: {share:.0%} of {len(group)} answers are yes")
        tags = _groups(group, lambda entry: [f"{name} {value}" for name, value in entry.tags.items()])
        for tag, some in tags.items():
            chance = 0.5 + 2.58 * 0.5 / math.sqrt(len(some))  # normal approximation, two-sided 1 %
            if len(some) >= SMALLEST_GROUP and abs(_share(some) - 0.5) > chance - 0.5:
                found.append(f"{kind}, {tag}: {_share(some):.0%} of {len(some)} answers are yes")
    return found


def _groups(entries: Sequence[Entry], names: Callable[[Entry], list[str]]) -> dict[str, list[Entry]]:
    groups: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        for name in names(entry):
            groups[name].append(entry)
    return groups


def _share(entries: Sequence[Entry]) -> float:
    return sum(entry.answer == "yes" for entry in entries) / len(entries)


def _plain(entry: Entry) -> str:
    return repr(entry.answer)
