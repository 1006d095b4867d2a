"""Components of a design for a spec: what its parts are called, and what a rulebook says of them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dqgen.generators.drafting.names import Named, Names, Node, plain, spoken
from dqgen.rulebook.terms import mention_pattern
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Component

MOST = 45
SMALLEST = 0.02  # of the design's diagonal; what is smaller hardly shows
SHOWING = 1.8e-3  # of the square of the design's length: area of boxes from one side that shows well in six views
LARGEST = 0.3  # share of the leaves; what has more is asked for in whole views only


@dataclass(frozen=True)
class Found:
    """A component and in how many rules it is named."""

    component: Component
    rules: int


def find_components(names: Names, rules: Sequence[Rule]) -> list[Found]:
    """Components, those that the rulebook names most first, then by size; at most `MOST`."""
    whole = names.nodes[0]
    diagonal = float(np.linalg.norm(whole.box[1] - whole.box[0]))
    texts = [f"{rule.title}\n{rule.text}" for rule in rules if rule.kind != "part"]
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
        said = {named.name: _rules_saying(texts, named.name) for named in group}
        group.sort(key=lambda named: (-said[named.name], len(named.name)))
        ranked.append((-said[group[0].name], -size, group, rows))
    ranked.sort(key=lambda entry: (entry[0], entry[1], entry[2][0].name))
    taken: set[str] = set()
    out = []
    for negative, _, group, rows in ranked:
        small = _area(group[0].nodes) < SHOWING * max(whole.size(axis) for axis in range(3)) ** 2
        component = _component(names, group, small, len(rows) > LARGEST * len(whole.rows))
        words = {word.casefold() for word in (component.name, *component.synonyms)}
        if not words & taken:
            taken |= words
            out.append(Found(component, -negative))
    return out[:MOST]


def _rules_saying(texts: Sequence[str], name: str) -> int:
    words = mention_pattern([name])
    return sum(bool(words.search(text.replace("-", " "))) for text in texts)


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
    if not many or name.endswith("s"):
        return name
    if name.endswith(("x", "ch", "sh")):
        return f"{name}es"
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2:-1] not in "aeiou" else f"{name}s"
