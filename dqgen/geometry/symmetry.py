"""Symmetric designs: which occurrences mirror each other in a plane x = const, and which move as one unit.

A pair is known by its names, alike but for a side word or a number, by its shapes, and by the plane between its two
boxes, in which most of the design mirrors itself.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.spatial import KDTree

from dqgen.geometry.bounds import placed_bounds
from dqgen.geometry.occurrences import glob
from dqgen.geometry.transforms import Placed

CLOSE = 5e-3
"""Boxes that differ by less than this part of their diagonal mirror each other: some are only of vertices."""
ALIKE = 1e-3
"""Volumes of like shapes differ by less than this part."""
SHARE = 0.5
"""Part of a design, by the diagonals of its leaves, that mirrors itself in a plane of symmetry."""
COMPACT = 1.6
"""An assembly is one unit with a part of it if the diagonal of its box is at most as many times the part's."""
SIDES = {
    word: kind
    for kind, words in {
        "side": "l r left right lh rh lhs rhs",
        "front": "fl fr lf rf",
        "rear": "rl rr lr bl br lb rb",
    }.items()
    for word in words.split()
}
"""Words that tell sides apart, with what is left of them without the side."""
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_]+")


@dataclass(frozen=True)
class Member:
    """An occurrence that is edited with others.

    Attributes:
        pattern: that names it.
        plane: x of the plane in which its edit mirrors the first one's, mm; None for the same edit.
    """

    pattern: str
    plane: float | None = None


@dataclass(frozen=True)
class _Node:
    """An occurrence: its path and those above it but the root, the rows [start, stop) of its leaves, its box."""

    path: str
    names: frozenset[str]
    above: tuple[str, ...]
    start: int
    stop: int
    middle: tuple[float, float, float]
    extent: tuple[float, float, float]

    @property
    def size(self) -> float:
        return float(np.linalg.norm(self.extent))

    def meets(self, other: "_Node") -> bool:
        return self.start < other.stop and other.start < self.stop


class Symmetry:
    """Pairs and units of one design.

    Args:
        leaves: of `placed(design)`.
    """

    def __init__(self, leaves: Sequence[Placed]) -> None:
        boxes = np.stack([placed_bounds(leaf) for leaf in leaves])
        self._volumes = np.array([leaf.solid.volume * leaf.scale**3 for leaf in leaves])
        self._places = np.hstack([boxes.mean(axis=1), boxes[:, 1] - boxes[:, 0]])
        self._sizes = np.linalg.norm(self._places[:, 3:], axis=1)
        self._tree = KDTree(self._places)
        self._shares: dict[float, tuple[float, float]] = {}
        self._partners: dict[str, tuple[_Node, float] | None] = {}
        self._nodes = _nodes(leaves, boxes)
        self._kin: dict[tuple[str, ...], list[_Node]] = {}
        for node in self._nodes.values():
            self._kin.setdefault(neutral(node.path), []).append(node)

    def ways(self, pattern: str, measured: Collection[int], whole: bool, sideways: bool) -> list[tuple[Member, ...]]:
        """How what a pattern names may be edited, the best way first and last just as the pattern says.

        Args:
            pattern: of occurrences.
            measured: rows of the leaves that are measured.
            whole: whether units are edited first, and their parts after.
            sideways: whether the edit's mirror image is another edit.
        """
        picked = self._picked(pattern)
        found = []
        if whole:
            rest = set(measured) - {row for node in picked for row in range(node.start, node.stop)}
            found.append(self._paired([self._unit(node, rest) for node in picked]))
        found.append(self._paired(picked))
        # Where a pattern names just what is edited, and all of it alike, it says so itself.
        paths = {node.path for node in picked}
        plain = (Member(pattern),)
        ways = [
            plain
            if {member.pattern for member in members} == paths
            and not (sideways and any(member.plane is not None for member in members))
            else members
            for members in found
        ]
        return list(dict.fromkeys((*ways, plain)))

    def astride(self, pattern: str) -> bool:
        """Whether all that a pattern names lies in the middle of the design, on a plane of symmetry."""
        picked = self._picked(pattern)
        return bool(picked) and all(self._share(node.middle[0])[0] >= SHARE for node in picked)

    def _picked(self, pattern: str) -> list[_Node]:
        """The topmost nodes that a pattern names."""
        expression = glob(pattern)
        hits = [node for node in self._nodes.values() if any(expression.fullmatch(name) for name in node.names)]
        paths = {node.path for node in hits}
        return [node for node in hits if not paths.intersection(node.above)]

    def _paired(self, nodes: Sequence[_Node]) -> tuple[Member, ...]:
        """Nodes, each with its partner behind it."""
        taken: list[_Node] = []
        members: list[Member] = []
        for node in nodes:
            if any(node.meets(other) for other in taken):
                continue
            taken.append(node)
            members.append(Member(node.path))
            partner, plane = self._partner(node) or (node, 0.0)
            if not any(partner.meets(other) for other in taken):
                taken.append(partner)
                members.append(Member(partner.path, plane))
        return tuple(members)

    def _unit(self, node: _Node, rest: Collection[int]) -> _Node:
        """The topmost compact assembly around a node without the rest of what is measured; paired if the node is."""
        found, paired = node, self._partner(node) is not None
        for path in reversed(node.above):
            whole = self._nodes[path]
            if whole.size > COMPACT * node.size or whole.stop - whole.start == len(self._places):
                break
            if any(whole.start <= row < whole.stop for row in rest):
                break
            if (self._partner(whole) is not None) == paired:
                found = whole
        return found

    def _partner(self, node: _Node) -> tuple[_Node, float] | None:
        """The node that mirrors another, with x of the plane; where several do, that of the design's best plane."""
        if node.path not in self._partners:
            found: tuple[float, _Node, float] | None = None
            for other in self._kin[neutral(node.path)]:
                if self._mirrors(node, other):
                    share, plane = self._share((node.middle[0] + other.middle[0]) / 2)
                    if share >= SHARE and (found is None or share > found[0] + 1e-9):
                        found = share, other, plane
            self._partners[node.path] = None if found is None else found[1:]
        return self._partners[node.path]

    def _mirrors(self, node: _Node, other: _Node) -> bool:
        """Whether two nodes have like leaves in places that mirror each other in the plane between them."""
        slack = CLOSE * node.size
        if node.meets(other) or node.stop - node.start != other.stop - other.start:
            return False
        if abs(node.middle[0] - other.middle[0]) <= slack:
            return False
        pairs = zip((*node.middle[1:], *node.extent), (*other.middle[1:], *other.extent), strict=True)
        if any(abs(a - b) > slack for a, b in pairs):
            return False
        mine, theirs = slice(node.start, node.stop), slice(other.start, other.stop)
        there = _mirrored(self._places[mine], (node.middle[0] + other.middle[0]) / 2)
        apart, rows = KDTree(self._places[theirs]).query(there, p=np.inf)
        volumes = self._volumes[mine], self._volumes[theirs][rows]
        return bool((apart <= slack).all() and np.allclose(*volumes, rtol=ALIKE, atol=0.0))

    def _share(self, plane: float) -> tuple[float, float]:
        """Which part of the design mirrors itself in a plane x = const, and x of that plane more exactly."""
        key = round(plane, 3)
        if key not in self._shares:
            apart, rows = self._tree.query(_mirrored(self._places, key), p=np.inf)
            same = apart <= CLOSE * self._sizes
            share = float(self._sizes[same].sum() / max(self._sizes.sum(), 1e-9))
            middles = (self._places[same, 0] + self._places[rows[same], 0]) / 2
            self._shares[key] = share, float(np.median(middles)) if same.any() else plane
        return self._shares[key]


def neutral(path: str) -> tuple[str, ...]:
    """The words of a path without numbers and sides: the same for `Wheel FL/Tyre[2]` and `Wheel FR/Tyre`."""
    words = (word.casefold() for word in _WORD.findall(path))
    return tuple(SIDES.get(word, word) for word in words)


def _nodes(leaves: Sequence[Placed], boxes: np.ndarray) -> dict[str, _Node]:
    """All occurrences but the root by path, in the order of their leaves."""
    rows: dict[str, list[int]] = {}
    known: dict[str, tuple[frozenset[str], tuple[str, ...]]] = {}
    for row, leaf in enumerate(leaves):
        chain = (*leaf.ancestors, leaf.occurrence)[1:]
        for depth, node in enumerate(chain):
            rows.setdefault(node.path, []).append(row)
            if node.path not in known:
                above = tuple(one.path for one in chain[:depth])
                known[node.path] = frozenset((node.path, node.label, node.product)), above
    found = {}
    for path, (names, above) in known.items():
        start, stop = rows[path][0], rows[path][-1] + 1
        low, high = boxes[start:stop, 0].min(axis=0), boxes[start:stop, 1].max(axis=0)
        middle, extent = (low + high) / 2, high - low
        found[path] = _Node(path, names, above, start, stop, tuple(middle.tolist()), tuple(extent.tolist()))
    return found


def _mirrored(places: np.ndarray, plane: float) -> np.ndarray:
    """Middles and extents (n, 6) of boxes, mirrored in x = plane."""
    there = places.copy()
    there[:, 0] = 2 * plane - there[:, 0]
    return there
