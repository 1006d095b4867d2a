"""Components of a design for a spec: what its parts are called, and what a rulebook says of them."""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
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
    sayings = _Sayings(names, rules, called)
    groups: dict[frozenset[int], list[Named]] = {}
    for named in names.named.values():
        rows = frozenset().union(*(node.rows for node in named.nodes))
        if rows != whole.rows:
            groups.setdefault(rows, []).append(named)
    ranked = []
    for rows, group in groups.items():
        size = max(float(np.linalg.norm(node.box[1] - node.box[0])) for node in group[0].nodes)
        if size < SMALLEST * diagonal:
            continue
        said = {named.name: sayings.rules(named.name) for named in group}
        group.sort(key=lambda named: (-len(said[named.name]), len(named.name)))
        other = sayings.others(said)
        ranked.append((-len(frozenset().union(*said.values(), *other.values())), -size, group, rows, [*other]))
    ranked.sort(key=lambda entry: (entry[0], entry[1], entry[2][0].name))
    taken: set[str] = set()
    out = []
    for negative, _, group, rows, others in ranked:
        small = _area(group[0].nodes) < SHOWING * max(whole.size(axis) for axis in range(3)) ** 2
        component = _component(names, group, small, len(rows) > LARGEST * len(whole.rows))
        words = {key(word) for word in (component.name, *component.synonyms)}
        if not words & taken:
            further = [other for other in others if key(other) not in words | taken]
            spoken_so = ((plural if component.plural else str)(singular(other)) for other in further)
            component = component.model_copy(update={"synonyms": (*component.synonyms, *spoken_so)})
            taken |= words | {key(other) for other in further}
            out.append(Found(component, -negative))
    return out[:MOST]


class _Sayings:
    """What rules say of parts, and what they call those that a design calls otherwise.

    Args:
        names: of the design.
        rules: that may name parts.
        called: names that the rulebook gives to one thing.
    """

    def __init__(self, names: Names, rules: Sequence[Rule], called: Sequence[Sequence[str]]) -> None:
        self._own = {key(name) for name in names.named}
        self._texts = [f"{rule.title}\n{rule.text}" for rule in rules if rule.kind != "part"]
        self._called: dict[str, list[str]] = defaultdict(list)
        for group in called:
            for name in group:
                self._called[key(name)] += [other for other in group if key(other) != key(name)]

    def rules(self, name: str) -> frozenset[int]:
        """Which rules say a name."""
        words = mention_pattern([name])
        return frozenset(at for at, text in enumerate(self._texts) if words.search(text))

    def others(self, group: Iterable[str]) -> dict[str, frozenset[int]]:
        """Other names of a part with the rules that say them: those that its definition gives, and those with the
        rulebook's word for the design's where rules say them. Names that the design has for another part are none."""
        found: dict[str, tuple[str, frozenset[int]]] = {}
        for name in group:
            given = [_lowered(other) for other in self._called.get(key(name), ()) if len(other) >= SHORTEST]
            swapped = [re.sub(rf"\b{old}\b", new, name) for pair in EQUALS for old, new in (pair, pair[::-1])]
            for other in (*given, *swapped):
                if key(other) not in self._own and key(other) not in found:
                    said = self.rules(other)
                    if said or other in given:
                        found[key(other)] = other, said
        return dict(found.values())


def _lowered(name: str) -> str:
    """A name as it stands in the midst of a sentence: words with a capital first letter in small ones."""
    capital = re.compile(r"[A-Z][a-z’']+(?:-[A-Za-z][a-z]+)*")
    return " ".join(word.lower() if capital.fullmatch(word) else word for word in name.split())


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
