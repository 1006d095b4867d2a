"""Contexts: what of the rulebook goes with a question. The whole, what a simple search finds, what surely holds all
that is needed, or nothing."""

import dataclasses
import hashlib
import math
import random
import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from dqgen.generators.draft import Draft
from dqgen.generators.prompts import fill
from dqgen.generators.rule_choice import wording
from dqgen.generators.sources import Sources
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.terms import mention_type
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Contexts

Stretch = tuple[int, int]
"""Characters of the whole text, end excluded."""

GAP = "\n\n"  # between pieces that do not stand together in the document
K1, B = 1.2, 0.75  # of BM25, as Robertson and Zaragoza (2009) have them
COMPLIANCE = ("dimension", "functional")
SMALLEST_PIECE = 40  # characters; shorter random pieces would be no text
_TOKEN = re.compile(r"\w+(?:\.\w+)*|[^\w\s]")
_WORD = re.compile(r"\w+(?:\.\w+)*")


class Library:
    """The rulebook as a text, cut into chunks, for one process.

    Args:
        rules: in reading order.
        settings: sizes.
        seed: of all random places.
    """

    def __init__(self, rules: Sequence[Rule], settings: Contexts, seed: int) -> None:
        self.rules = rules
        self._settings = settings
        self._seed = seed
        self._places: dict[str, Stretch] = {}
        pieces: list[str] = []
        at = 0
        for rule in rules:
            piece = f"{rule.printed} {wording(rule)}\n"
            self._places.setdefault(rule.id, (at, at + len(piece) - 1))
            pieces.append(piece)
            at += len(piece)
        self.text = "".join(pieces)
        self._index: _Index | None = None
        self._guaranteed: dict[tuple[tuple[str, ...], tuple[str, ...]], str] = {}

    def place(self, name: str) -> Stretch:
        """Where a rule stands in the text; for an item, the rule that it belongs to.

        Raises:
            KeyError: there is no such rule.
        """
        rule_id = name
        while rule_id and rule_id not in self._places:
            rule_id = rule_id[: max(rule_id.rfind("."), rule_id.rfind("#"), 0)]
        if not rule_id:
            raise KeyError(name)
        return self._places[rule_id]

    def chunks(self, query: str, count: int) -> str:
        """The chunks that a search finds, the best first."""
        if self._index is None:
            settings = self._settings
            self._index = _Index(_cut(self.text, settings.chunk_tokens, settings.chunk_overlap))
        return GAP.join(self._index.search(query, count))

    def guaranteed(self, needs: Sequence[str], terms: Sequence[str]) -> str:
        """A context of fixed length that holds what is needed, at a place drawn by the seed.

        Whole rules if any are needed, then the rules that these refer to as far as they fit; else the rules that define
        one of the terms; else equal windows around its mentions; else anything.
        """
        length = self._settings.guaranteed_characters
        if len(self.text) <= length:
            return self.text
        asked = (tuple(needs), tuple(terms))
        if asked not in self._guaranteed:
            rng = random.Random(hashlib.sha256(repr((self._seed, *asked)).encode()).digest())
            self._guaranteed[asked] = fixed(self.text, self._needed(needs, terms, length), length, rng)
        return self._guaranteed[asked]

    def _needed(self, needs: Sequence[str], terms: Sequence[str], length: int) -> list[Stretch]:
        if needs:
            return self._with_references([self.place(name) for name in needs], length)
        if terms:
            how, where = mention_type(self.rules, terms[0], terms[1:])
            if how == "definition":
                defining = [self._places[rule_id] for rule_id in where if rule_id in self._places]
                return _as_fit([], defining, length) or [_around(defining[0], length)]
            mentions = [match.span() for match in mention_pattern(terms).finditer(self.text)]
            if mentions:
                most = max(1, length // (SMALLEST_PIECE + len(GAP)))
                step = max(1, math.ceil(len(mentions) / most))
                chosen = mentions[::step]
                window = length // len(chosen) - len(GAP)
                return [_inside(_around(span, max(window, span[1] - span[0])), len(self.text)) for span in chosen]
        return []

    def _with_references(self, whole: list[Stretch], length: int) -> list[Stretch]:
        if _length(whole) > length:  # a rule longer than the context: as much of each as there is room for
            window = length // len(whole) - len(GAP)
            return [(start, min(end, start + window)) for start, end in whole]
        mentioned = [
            self.place(name)
            for rule in self.rules
            if self._places[rule.id] in whole
            for ref in rule.references
            if ref.resolved
            for name in ref.ids
        ]
        return _as_fit(whole, mentioned, length)


def fixed(text: str, needed: Sequence[Stretch], length: int, rng: random.Random) -> str:
    """Exactly so many characters: the needed stretches in their order, and random ones before, between and after.

    Args:
        text: longer than `length`.
        needed: stretches, in all no longer than `length` with gaps between them.
        length: of the result, in characters.
        rng: where the random stretches come from, and how long each is.
    """
    kept = _merged(needed)
    if not kept:
        start = rng.randrange(len(text) - length + 1)
        return text[start : start + length]
    room = length - _length(kept)
    out: list[str] = []
    for slot, share in enumerate(_shares(room, len(kept) + 1, rng)):
        before, after = GAP * (slot > 0), GAP * (slot < len(kept))
        if share:
            # Between two kept pieces one gap is there anyhow, so each filler brings one more.
            filler = _random_piece(text, kept, max(share - len(GAP), 0), rng)
            out.append((before + filler + after)[: share + len(GAP) * bool(before and after)])
        elif before and after:
            out.append(GAP)
        out += [text[start:end] for start, end in kept[slot : slot + 1]]
    return "".join(out)


def _shares(room: int, slots: int, rng: random.Random) -> list[int]:
    """Room dealt out to some of the slots, none of them hardly any; all to the last one if there is little."""
    shares = [0] * slots
    filled = min(slots, room // (4 * SMALLEST_PIECE))
    if filled == 0:
        shares[-1] = room
        return shares
    spare = room - filled * SMALLEST_PIECE
    cuts = sorted(rng.randrange(spare + 1) for _ in range(filled - 1))
    for slot, low, high in zip(sorted(rng.sample(range(slots), filled)), [0, *cuts], [*cuts, spare], strict=True):
        shares[slot] = SMALLEST_PIECE + high - low
    return shares


def with_contexts(drafts: Sequence[Draft], library: Library, sources: Sources) -> list[Draft]:
    """Drafts with the contexts of the spec filled in, where their maker left them empty."""
    spec = sources.spec
    settings = spec.contexts
    preamble = fill("preamble", spec)
    done = []
    for draft in drafts:
        texts: dict[str, str] = {}
        query = draft.prompt.replace(preamble, "")
        count = settings.chunks_compliance if draft.kind in COMPLIANCE else settings.chunks
        for kind in settings.kinds:
            if kind == "whole":
                texts[kind] = library.text
            elif kind == "chunks":
                texts[kind] = library.chunks(query, count)
            elif kind == "guaranteed":
                texts[kind] = library.guaranteed(draft.needs, draft.terms)
            else:
                texts[kind] = ""
        done.append(draft if draft.contexts else dataclasses.replace(draft, contexts=texts))
    return done


class _Index:
    """BM25 over chunks."""

    def __init__(self, chunks: Sequence[str]) -> None:
        self._chunks = chunks
        words = [Counter(_words(chunk)) for chunk in chunks]
        lengths = [count.total() for count in words]
        mean = sum(lengths) / max(1, len(lengths))
        self._postings: dict[str, list[tuple[int, float]]] = defaultdict(list)
        for at, count in enumerate(words):
            for word, times in count.items():
                weight = times * (K1 + 1) / (times + K1 * (1 - B + B * lengths[at] / mean))
                self._postings[word].append((at, weight))

    def search(self, query: str, count: int) -> list[str]:
        scores = [0.0] * len(self._chunks)
        for word in dict.fromkeys(_words(query)):
            found = self._postings.get(word, [])
            rarity = math.log(1 + (len(scores) - len(found) + 0.5) / (len(found) + 0.5))
            for at, weight in found:
                scores[at] += rarity * weight
        best = sorted(range(len(scores)), key=lambda at: (-scores[at], at))[:count]
        return [self._chunks[at] for at in best]


def _words(text: str) -> list[str]:
    return [word.casefold() for word in _WORD.findall(text)]


def _cut(text: str, tokens: int, overlap: int) -> list[str]:
    """Chunks of so many words and signs, each beginning with the last ones of the chunk before."""
    spans = [match.span() for match in _TOKEN.finditer(text)]
    starts = range(0, max(1, len(spans) - overlap), tokens - overlap)
    return [text[spans[at][0] : spans[min(at + tokens, len(spans)) - 1][1]] for at in starts if spans]


def _merged(stretches: Sequence[Stretch]) -> list[Stretch]:
    out: list[Stretch] = []
    for start, end in sorted(stretches):
        if out and start <= out[-1][1]:
            out[-1] = (out[-1][0], max(end, out[-1][1]))
        else:
            out.append((start, end))
    return out


def _length(stretches: Sequence[Stretch]) -> int:
    merged = _merged(stretches)
    return sum(end - start for start, end in merged) + len(GAP) * max(0, len(merged) - 1)


def _as_fit(kept: list[Stretch], more: Sequence[Stretch], length: int) -> list[Stretch]:
    for stretch in more:
        if _length([*kept, stretch]) <= length:
            kept = [*kept, stretch]
    return kept


def _around(span: Stretch, size: int) -> Stretch:
    middle = (span[0] + span[1]) // 2
    start = middle - size // 2
    return start, start + size


def _inside(span: Stretch, size: int) -> Stretch:
    """The stretch moved to lie within the text."""
    shift = max(0, -span[0]) - max(0, span[1] - size)
    return max(0, span[0] + shift), min(size, span[1] + shift)


def _random_piece(text: str, kept: Sequence[Stretch], size: int, rng: random.Random) -> str:
    """A piece of the text that overlaps none of the kept ones if that can be had."""
    free = [
        (low, high - size)
        for low, high in zip([0, *(end for _, end in kept)], [*(start for start, _ in kept), len(text)], strict=True)
        if high - low >= size
    ]
    if not free:
        start = rng.randrange(len(text) - size + 1)
        return text[start : start + size]
    at = rng.randrange(sum(high - low + 1 for low, high in free))
    for low, high in free:
        if at <= high - low:
            return text[low + at : low + at + size]
        at -= high - low + 1
    raise AssertionError("the draw lies in one of the stretches")
