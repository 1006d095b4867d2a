"""Components of a design for a spec: what its parts are called, and what a rulebook says of them."""

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dqgen.generators.drafting.names import EQUALS, Named, Names, Node, plain, spoken
from dqgen.rulebook.nouns import key, mention_pattern, plural, singular
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Component

MOST = 45
SMALLEST = 0.02  # of the design's diagonal; what is smaller hardly shows
SHOWING = 1.8e-3  # of the square of the design's length: area of boxes from one side that shows well in six views
SHORTEST = 3  # letters of another name: shorter acronyms may be common words
LARGEST = 0.3  # share of the leaves; what has more is asked for in whole views only


@dataclass(frozen=True)
class Found:
    """A component and in how many rules it is named."""

    component: Component
    rules: int


def find_components(names: Names, rules: Sequence[Rule], called: Sequence[Sequence[str]]) -> list[Found]:
    """Components, those that the rulebook names most first, then by size; at most `MOST`.

    Args:
        names: of the design.
        rules: that may name components.
        called: names that the rulebook gives to one thing, of any number of things.
    """
    whole = names.nodes[0]
    diagonal = float(np.linalg.norm(whole.box[1] - whole.box[0]))
    texts = [f"{rule.title}\n{rule.text}" for rule in rules if rule.kind != "part"]
    groups: dict[frozenset[int], list[Named]] = {}
    for named in names.named.values():
        rows = frozenset().union(*(node.rows for node in named.nodes))
        if rows != whole.rows:
            groups.setdefault(rows, []).append(named)
    also = _OtherNames(names, texts, called)
    ranked = []
    for rows, group in groups.items():
        size = max(float(np.linalg.norm(node.box[1] - node.box[0])) for node in group[0].nodes)
        if size < SMALLEST * diagonal:
            continue
        said = {named.name: _rules_saying(texts, named.name) for named in group}
        group.sort(key=lambda named: (-said[named.name], len(named.name)))
        others = also.of([named.name for named in group])
        ranked.append((-_rules_saying(texts, *said, *others), -size, group, rows, others))
    ranked.sort(key=lambda entry: (entry[0], entry[1], entry[2][0].name))
    taken: set[str] = set()
    out = []
    for negative, _, group, rows, others in ranked:
        small = _area(group[0].nodes) < SHOWING * max(whole.size(axis) for axis in range(3)) ** 2
        component = _component(names, group, small, len(rows) > LARGEST * len(whole.rows))
        words = {key(word) for word in (component.name, *component.synonyms)}
        if not words & taken:
            further = [other for other in others if key(other) not in words | taken]
            component = component.model_copy(update={"synonyms": (*component.synonyms, *_numbered(further, component))})
            taken |= words | {key(other) for other in further}
            out.append(Found(component, -negative))
    return out[:MOST]


class _OtherNames:
    """What a rulebook calls parts of a design that the design calls otherwise.

    Args:
        names: of the design.
        texts: of the rules.
        called: names that the rulebook gives to one thing.
    """

    def __init__(self, names: Names, texts: Sequence[str], called: Sequence[Sequence[str]]) -> None:
        self._own = {key(name) for name in names.named}
        self._texts = texts
        self._called: dict[str, list[str]] = defaultdict(list)
        for group in called:
            for name in group:
                self._called[key(name)] += [other for other in group if key(other) != key(name)]

    def of(self, group: Sequence[str]) -> list[str]:
        """Those of a part of these names: as its definition has them, and with the rulebook's word for the design's
        where rules say it. Names that the design has for another part are none."""
        found: dict[str, str] = {}
        for name in group:
            swapped = [re.sub(rf"\b{old}\b", new, name) for pair in EQUALS for old, new in (pair, pair[::-1])]
            variants = [other for other in swapped if other != name and _rules_saying(self._texts, other)]
            for other in (*(_lowered(other) for other in self._called.get(key(name), ())), *variants):
                if key(other) not in self._own and len(other) >= SHORTEST:
                    found.setdefault(key(other), other)
        return list(found.values())


def _rules_saying(texts: Sequence[str], *names: str) -> int:
    words = mention_pattern(names)
    return sum(bool(words.search(text)) for text in texts)


def _lowered(name: str) -> str:
    """A name as it stands in the midst of a sentence: words with a capital first letter in small ones."""
    return " ".join(
        word.lower() if re.fullmatch(r"[A-Z][a-z’'-]+(?:-[A-Z][a-z]+)*", word) else word for word in name.split()
    )


def _numbered(names: Sequence[str], component: Component) -> list[str]:
    return [plural(singular(name)) if component.plural else name for name in names]


def _area(nodes: Sequence[Node]) -> float:
    """Area of the boxes (mm²) from the side that they show most of."""
    return max(sum(node.size(a) * node.size(b) for node in nodes) for a, b in ((0, 1), (0, 2), (1, 2)))


def _component(names: Names, group: Sequence[Named], small: bool, large: bool) -> Component:
    first = group[0]
    many = len(first.nodes) > 1
    called = _spoken(first, many)
    others = dict.fromkeys(_spoken(named, many) for named in group[1:])
    rows = frozenset().union(*(node.rows for node in first.nodes))
    avoid: dict[str, None] = {}
    for named in names.named.values():
        alike = f" {first.name} " in f" {named.name} " or f" {named.name} " in f" {first.name} "
        if alike and not any(node.rows & rows for node in named.nodes):
            avoid |= dict.fromkeys(names.patterns(named.nodes))
    return Component(
        name=called,
        synonyms=tuple(other for other in others if other != called),
        pattern=tuple(names.patterns(first.nodes)),
        plural=many,
        avoid=tuple(avoid),
        kinds=("presence",) if small else ("definition",) if large else ("definition", "presence"),
    )


def _spoken(named: Named, many: bool) -> str:
    """A name as the design writes it, without side and number; in the plural if there are several."""
    node = named.nodes[0]
    name = next((spoken(label) for label in (node.label, node.product) if plain(label) == named.name), named.name)
    return plural(name) if many else name
