"""What the parts of a design are called, and where a text speaks of them."""

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dqgen.generators.drafting.vocabulary import OPENING
from dqgen.geometry.bounds import placed_bounds, union
from dqgen.geometry.occurrences import glob
from dqgen.geometry.transforms import Placed
from dqgen.schemas.design import Floats, Occurrence

_SIDE = re.compile(r"(?:[ _-]+(?:FL|FR|RL|RR|LF|RF|LR|LH|RH|L|R|left|right|\d+)|\[\d+\])+$")
_CAD = re.compile(r"[_]+|(?<=[a-z])(?=[A-Z])")
_CODE = re.compile(r"(?=.*\d)(?:.*[^\W\d_].*|.*\..*|.*\d.*\d.*\d.*)")
"""A part number or a size: digits with letters or points among them, or three of them."""
STANDARDS = frozenset({"din", "iso", "en", "гост", "gost", "ansi", "asme", "jis", "gb", "gb/t", "bs", "uni", "nf"})
EQUALS = (
    ("tube", "member"), ("throttle", "accelerator"), ("disc", "rotor"), ("tyre", "tire"), ("pad", "padding"),
    ("brace", "bracing"), ("endplate", "end plate"), ("light", "lamp"), ("damper", "shock absorber"),
)  # fmt: skip
"""Words of which rulebooks use the one and CAD the other."""
_ANOTHER = re.compile(
    r"[\s-]+(?:mounting|mount|plate|bracket|attachment|support|bracing|brace|tab|hole|bolt|pad|padding|wire|cover|tube"
    r"|member|structure|insulation|harness|opening|travel|force|rim|hub|nut|arm|angle)s?\b",
    re.IGNORECASE,
)
"""After a name, these make another thing of it: main hoop mounting plates."""
CLASSES = {
    "aerodynamic device": ("wing", "diffuser", "undertray"),
    "roll hoop": ("hoop",),
    "roll bar": ("hoop",),
}
"""What a rulebook calls things of several names, and the last words of these."""


@dataclass(frozen=True, eq=False)
class Node:
    """An occurrence.

    Attributes:
        path, label, product: its names.
        rows: of the leaves that it is made of.
        box: (2, 3) corners in mm.
    """

    path: str
    label: str
    product: str
    rows: frozenset[int]
    box: Floats

    def middle(self, axis: int) -> float:
        """The middle of its box along an axis."""
        return float(self.box[:, axis].mean())

    def size(self, axis: int) -> float:
        """The extent of its box along an axis."""
        return float(self.box[1, axis] - self.box[0, axis])


@dataclass(frozen=True)
class Named:
    """Occurrences of one name.

    Attributes:
        name: in lower case, without sides and numbers: `main hoop brace`.
        nodes: that are called so, in the order of the tree.
    """

    name: str
    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Mention:
    """A place in a text that speaks of named occurrences; where a name has several readings, the likeliest first."""

    start: int
    end: int
    named: tuple[Named, ...]


class Names:
    """The names of a design.

    Args:
        leaves: of the design.
        acronyms: short forms with what they stand for, from the rulebook.
    """

    def __init__(self, leaves: Sequence[Placed], acronyms: Mapping[str, str]) -> None:
        self._leaves = leaves
        self.nodes = _nodes(leaves)
        self._rows_of: dict[str, frozenset[int]] = {}
        named: dict[str, dict[str, Node]] = defaultdict(dict)
        for node in self.nodes[1:]:
            labels = dict.fromkeys((node.label, node.product))
            for name in dict.fromkeys(name for label in labels for name in (plain(label), *within(label))):
                if name:
                    named[name][node.path] = node
        self.named = {name: Named(name, _topmost(list(nodes.values()))) for name, nodes in named.items()}
        self._modifiers = {word for name in self.named for word in name.split()[:-1]} - {"the", "of", "and"}
        self._aliases = self._all_aliases(acronyms)
        words = sorted(self._aliases, key=lambda alias: (-len(alias), alias))
        pieces = "|".join(re.escape(word).replace(r"\ ", r"[\s-]+") for word in words)
        self._pattern = re.compile(rf"(?<!\w)(?:{pieces or '(?!)'})(?:e?s)?(?!\w)")

    def mentions(self, text: str) -> list[Mention]:
        """Where a text names parts, the longest names first, in the order of the text."""
        found = []
        for match in self._pattern.finditer(text.lower()):
            said = " ".join(re.split(r"[\s-]+", match.group()))
            key = next((k for k in (said, said[:-1], said[:-2]) if k in self._aliases), None)
            if key is None or _ANOTHER.match(text, match.end()) or re.match(r"-\w", text[match.end() :]):
                continue
            if key in self._tails and key not in self.named and self._goes_on(text[: match.start()]):
                continue
            found.append(Mention(match.start(), match.end(), self._aliases[key]))
        return found

    def _goes_on(self, before: str) -> bool:
        """Whether the words before belong to the name: `side` before `impact structure` makes another thing of it."""
        word = re.search(r"([\w’'-]+)[\s-]+$", before)
        if word is None:
            return False
        return (word[1][:1].isupper() and word[1].lower() not in OPENING) or word[1].lower() in self._modifiers

    def boxes(self, node: Node) -> list[Floats]:
        """The boxes (2, 3) of the leaves of an occurrence."""
        return [placed_bounds(self._leaves[row]) for row in sorted(node.rows)]

    def pattern(self, node: Node) -> str:
        """The shortest glob that names this occurrence alone."""
        steps = node.path.split("/")
        tails = ["*/" + "/".join(steps[-count:]) for count in range(1, len(steps) - 1)]
        for candidate in (node.label, node.product, *tails, node.path):
            if self._picks(candidate) == node.rows:
                return candidate
        return node.path

    def patterns(self, nodes: Sequence[Node]) -> list[str]:
        """Globs that name these occurrences and no others: one if a label or product does it, else one each."""
        rows = frozenset().union(*(node.rows for node in nodes))
        common = [nodes[0].product, nodes[0].label]
        prefix = _common_start([node.label for node in nodes])
        if len(nodes) > 1 and len(prefix) > 3:
            common.append(f"{prefix}*")
        for candidate in common:
            if self._picks(candidate) == rows:
                return [candidate]
        return [self.pattern(node) for node in nodes]

    def _picks(self, pattern: str) -> frozenset[int]:
        if pattern not in self._rows_of:
            expression = glob(pattern)
            self._rows_of[pattern] = frozenset(
                row
                for row, leaf in enumerate(self._leaves)
                if any(
                    expression.fullmatch(name)
                    for node in (*leaf.ancestors, leaf.occurrence)
                    for name in (node.path, node.label, node.product)
                )
            )
        return self._rows_of[pattern]

    def _all_aliases(self, acronyms: Mapping[str, str]) -> dict[str, tuple[Named, ...]]:
        aliases: dict[str, tuple[Named, ...]] = {name: (named,) for name, named in self.named.items()}
        for name, named in self.named.items():
            for one, two in EQUALS:
                for old, new in ((one, two), (two, one)):
                    swapped = re.sub(rf"\b{old}\b", new, name)
                    if swapped != name:
                        aliases.setdefault(swapped, (named,))
        tails: dict[str, list[Named]] = defaultdict(list)
        for name, named in self.named.items():
            words = name.split()
            for start in range(1, len(words) - 1):
                tails[" ".join(words[start:])].append(named)
        for tail, owners in tails.items():
            aliases.setdefault(tail, tuple(sorted(owners, key=lambda named: (len(named.name), named.name))))
        self._tails = set(tails)
        for general, endings in CLASSES.items():
            members = [named for name, named in self.named.items() if name.split()[-1] in endings]
            if members:
                aliases.setdefault(general, tuple(members))
        for short, long in acronyms.items():
            key = plain(long)
            if key in aliases:
                aliases.setdefault(short.lower(), aliases[key])
        return aliases


def plain(name: str) -> str:
    """A label as a rulebook would say it: lower case, without side, number and signs that CAD files use."""
    spaced = " ".join(_CAD.sub(" ", _SIDE.sub("", name.strip())).split())
    return _SIDE.sub("", spaced).replace("-", " ").lower()


def within(label: str) -> list[str]:
    """The names that stand between part numbers, sizes and standards: `washer` in `Washer DIN 125 - A 3.2`, `cover
    flange` in `MMP.01.002 Cover flange_00`. None of a label without these."""
    tokens = re.split(r"[\s_()]+", label)
    coded = [bool(_CODE.fullmatch(token)) or token.casefold() in STANDARDS for token in tokens]
    if not any(coded):
        return []
    kept = [
        " " if code or not re.search(r"[^\W\d_]{2}", token) else token
        for token, code in zip(tokens, coded, strict=True)
    ]
    names = (plain(run.strip()) for run in re.split(r" {2,}", f"{' '.join(kept)} "))
    return [name for name in dict.fromkeys(names) if re.search(r"[^\W\d_]{3}", name)]


def spoken(label: str) -> str:
    """A label without side and number, its capital first letter lowered where the next is small."""
    bare = _SIDE.sub("", " ".join(label.replace("_", " ").split())).strip()
    return bare[:1].lower() + bare[1:] if len(bare) > 1 and not bare[1].isupper() else bare


def _nodes(leaves: Sequence[Placed]) -> list[Node]:
    rows: dict[str, list[int]] = defaultdict(list)
    seen: dict[str, Occurrence] = {}
    for row, leaf in enumerate(leaves):
        for node in (*leaf.ancestors, leaf.occurrence):
            rows[node.path].append(row)
            seen.setdefault(node.path, node)
    boxes = [placed_bounds(leaf) for leaf in leaves]
    return [
        Node(path, node.label, node.product, frozenset(rows[path]), union([boxes[row] for row in rows[path]]))
        for path, node in seen.items()
    ]


def _topmost(nodes: Sequence[Node]) -> tuple[Node, ...]:
    """Those that stand below none of the others."""
    paths = {node.path for node in nodes}
    return tuple(
        node for node in nodes if not any(node.path.startswith(f"{path}/") for path in paths if path != node.path)
    )


def _common_start(labels: Sequence[str]) -> str:
    start = labels[0]
    for label in labels[1:]:
        while not label.startswith(start):
            start = start[:-1]
    return start
