"""What is said of a limit, what it may mean, and what notions have in common."""

import re
from dataclasses import dataclass

from dqgen.generators.drafting.names import Named, Names, Node
from dqgen.generators.drafting.vocabulary import content

X, Y, Z = 0, 1, 2
GROUND = re.compile(
    r"\b(?:above|from|off|over|(?<!parallel )(?<!perpendicular )to)\s+(?:the\s+)?(?:level\s+)?ground\b"
    r"|\bground clearance\b"
)


@dataclass(frozen=True)
class Said:
    """The words around a limit.

    Attributes:
        text: what belongs to the limit of its sentence, in lower case.
        at, end: where the number stands in it.
        comparator, unit: of the limit.
        subjects: the part that is limited, then others that the words name, in their order.
        places: where in the text parts are named, with what is meant.
        around: the whole sentence and what leads in to it, in lower case.
    """

    text: str
    at: int
    end: int
    comparator: str
    unit: str
    subjects: tuple[Named, ...]
    places: tuple[tuple[int, Named], ...] = ()
    around: str = ""

    def beyond(self, place: int) -> Named | None:
        """What `behind` and `below` are said of at a place in the text: the part that is named next, if no other thing
        stands before it; the second of all parts if that is named elsewhere: `below its top`."""
        start, named = next(((start, named) for start, named in self.places if start >= place), (len(self.text), None))
        if content(self.text[place:start]):
            return None
        return named or (self.subjects[1] if len(self.subjects) > 1 else None)


@dataclass(frozen=True)
class Guess:
    """A measure that a limit may be about.

    Attributes:
        name: in words: `width of the seat`.
        measure: an expression.
        nodes: what it measures.
        weight: how surely the words mean it, 0 to 1.
    """

    name: str
    measure: str
    nodes: tuple[Node, ...]
    weight: float


def apart(said: Said) -> bool:
    """Whether the words are about a distance between things."""
    return bool(re.search(r"\b(?:gap|clearance|distance|apart|away from)\b", said.text))


def quoted(names: Names, node: Node) -> str:
    pattern = names.pattern(node)
    return f"'{pattern}'" if "'" not in pattern else f'"{pattern}"'


def wheels_of(names: Names) -> tuple[tuple[Node, Node], tuple[Node, Node]] | None:
    """Front left and right, rear left and right: of the four tyres, else of the four wheels."""
    for word in ("tyre", "tire", "wheel"):
        for name, named in sorted(names.named.items(), key=lambda pair: (len(pair[0]), pair[0])):
            nodes = named.nodes
            if name.split()[-1] != word or len(nodes) != 4:
                continue
            along = sorted(nodes, key=lambda node: node.middle(Y))
            front, rear = (sorted(pair, key=lambda node: -node.middle(X)) for pair in (along[:2], along[2:]))
            if rear[0].middle(Y) - front[0].middle(Y) > front[0].size(Y) / 2:
                return (front[0], front[1]), (rear[0], rear[1])
    return None
