"""Notions of how two parts lie to each other: above, below, ahead, behind, apart."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from dqgen.generators.drafting.names import Named, Names, Node
from dqgen.generators.drafting.said import GROUND, Guess, Said, Y, Z, quoted, wheels_of
from dqgen.schemas.design import Floats

_FORWARD = re.compile(r"\b(?:ahead of|in front of|forward of|forwards? (?:from|than))\b")
_BEHIND = re.compile(r"\b(?:behind|rearwards? of|aft of|rearwards? (?:from|than))\b")
_REACH = re.compile(r"\b(?:reach|extend|project|stick|protrude|overhang|any part|no part|nothing|further)\w*")
_BELOW = re.compile(r"\bbelow\b|\blower than\b|\bunder the\b")
_ABOVE = re.compile(r"\babove\b(?!\s+(?:the\s+)?ground)|\bhigher than\b")
_LOW_EDGE = re.compile(r"\b(?:lowest|lower (?:edge|end|face)|bottom|underside|lowermost)\b")
_BETWEEN = re.compile(r"\b(?:gaps?|clearance|distance|away from|apart|separated|spacing|from)\b")
_SIDEWAYS = re.compile(
    r"\b(?:sideways|laterally|lateral|(?:inner|outer|inside|outside) faces?|(?:each|either|both) sides?)\b"
)
_LENGTHWAYS = re.compile(r"\b(?:lengthways|longitudinal|longitudinally|fore[ -/]and[ -/]aft|fore/aft)\b")
SAME = 1.0
"""Millimetres by which gaps may differ that are taken between the same parts."""
_UPRIGHT = re.compile(r"\b(?:vertical|vertically|in height)\b")


def one_below_another(said: Said, names: Names) -> Iterator[Guess]:
    """Differences of height between two parts."""
    if len(said.subjects) < 2 or said.unit in ("%", "deg") or GROUND.search(said.text):
        return
    said_of = ((word, said.beyond(word.end())) for word in re.finditer(f"{_ABOVE.pattern}|{_BELOW.pattern}", said.text))
    word, second = next(((word, named) for word, named in said_of if named), (None, None))
    first = said.subjects[0]
    if word is None or second is None or first.nodes[0] is second.nodes[0]:
        return
    a, b = first.nodes[0], second.nodes[0]
    if re.search(r"\battach|\bjoin|\bmeet|\bconnect", said.text):
        (lower, low), (upper, high) = sorted(((first, a), (second, b)), key=lambda pair: float(pair[1].box[1, Z]))
        end = f"end(axis({quoted(names, low)}), up)"
        said_name = f"distance from the top of the {upper.name} down to the {lower.name}"
        measure = f"distance(extreme({quoted(names, high)}, up), {end}, along=z)"
        yield Guess(said_name, measure, (low, high), 0.85)
    edges = ["down" if _LOW_EDGE.search(words) else "up" for words in _beside(said.text, word)]
    tops = [float(node.box[0 if edge == "down" else 1, Z]) for node, edge in zip((a, b), edges, strict=True)]
    ends = [(first, a, edges[0]), (second, b, edges[1])]
    (upper, high, edge), (lower, low, under) = ends if tops[0] >= tops[1] else ends[::-1]
    called = {"up": "top", "down": "lowest point"}
    one, two = (f"extreme({quoted(names, node)}, {way})" for node, way in ((high, edge), (low, under)))
    yield Guess(
        f"height of the {called[edge]} of the {upper.name} above the {called[under]} of the {lower.name}",
        f"distance({one}, {two}, along=z)",
        (low, high),
        0.75 if re.search(r"\btop|highest|upper|lowest", said.text) else 0.55,
    )


def _beside(text: str, word: re.Match[str]) -> tuple[str, str]:
    """What is said of the edges before and after a relation; nothing of the `lowest point of the top surface`."""
    behind = text[word.end() : word.end() + 40]
    return text[: word.start()], "" if re.search(r"\btop\b", behind) else behind


def fore_and_aft(said: Said, names: Names) -> Iterator[Guess]:
    """How far one part lies or reaches ahead of or behind another."""
    ahead, behind = _FORWARD.search(said.text), _BEHIND.search(said.text)
    if not (ahead or behind) or said.unit in ("%", "deg") or re.search(r"\bsum\b|\btogether\b|\badded\b", said.text):
        return
    word = ahead or behind
    assert word is not None
    way, direction = ("ahead of", "front") if ahead else ("behind", "back")
    wheels = wheels_of(names)
    after = said.text[word.end() : word.end() + 60]
    axle = re.search(r"\b(front|rear) (?:wheel|tyre|tire|axle)s?", after)
    candidates = [named for named in said.subjects if not re.search(r"^(?:front |rear )?(?:wheel|tyre)$", named.name)]
    if axle and wheels:
        wheel = wheels[0][0] if axle[1] == "front" else wheels[1][0]
        reference = f"the {axle[1]} wheels"
        whole = re.search(r"\bnothing|any(?:thing| part of the (?:car|vehicle))", said.text)
        parts: list[tuple[str, Node] | None] = [*_reaching(candidates, direction)] or ([None] if whole else [])
        for part in parts[:1]:
            pattern = "'*'" if part is None else quoted(names, part[1])
            name = "the car" if part is None else f"the {part[0]}"
            nodes = (wheel,) if part is None else (part[1], wheel)
            edge = f"extreme({pattern}, {direction})"
            if said.comparator == "minimum" and not _REACH.search(said.text):
                measure = f"clearance({pattern}, {quoted(names, wheel)}, along=y)"
            elif re.search(r"\baxis|\baxle|\bcentre|\bcenter", after):
                measure = f"distance({edge}, axis({quoted(names, wheel)}), along=y)"
            else:
                measure = f"distance({edge}, extreme({quoted(names, wheel)}, {direction}), along=y)"
            yield Guess(f"reach of {name} {way} {reference}", measure, nodes, 0.85)
        return
    first, second = next(iter(candidates), None), said.beyond(word.end())
    if first and second and first.nodes[0] is not second.nodes[0]:
        a, b = first.nodes[0], second.nodes[0]
        name = f"distance of the {first.name} {way} the {second.name}"
        measure = f"clearance({quoted(names, a)}, {quoted(names, b)}, along=y)"
        if _REACH.search(said.text) and "less than" not in said.text:
            edges = f"extreme({quoted(names, a)}, {direction}), extreme({quoted(names, b)}, {direction})"
            measure = f"distance({edges}, along=y)"
        elif re.match(r"\s*(?:the )?ax[ei]s\b", after):
            facing = "back" if ahead else "front"
            measure = f"distance(extreme({quoted(names, a)}, {facing}), axis({quoted(names, b)}), along=y)"
        yield Guess(name, measure, (a, b), 0.75)


def gaps(said: Said, names: Names) -> Iterator[Guess]:
    """Between two parts, or two of one name."""
    if not _BETWEEN.search(said.text) or said.unit != "mm" or GROUND.search(said.text):
        return
    if _FORWARD.search(said.text) or _BEHIND.search(said.text) or _BELOW.search(said.text) or _ABOVE.search(said.text):
        return
    if len(said.subjects) > 1:
        a, b = _nearest_pair(said.subjects[0], said.subjects[1])
        name = f"{said.subjects[0].name} and {said.subjects[1].name}"
    elif said.subjects and len(said.subjects[0].nodes) >= 2 and re.search(r"\bapart\b|\bbetween\b", said.text):
        a, b = said.subjects[0].nodes[:2]
        name = f"two of the {said.subjects[0].name}s"
    else:
        return
    if a.rows & b.rows:
        return
    one, two = quoted(names, a), quoted(names, b)
    lies = [max(a.box[0, axis] - b.box[1, axis], b.box[0, axis] - a.box[1, axis]) for axis in range(3)]
    apart = max(range(3), key=lambda axis: lies[axis])
    if lies[apart] < 0:
        return
    said_along = [axis for axis, words in enumerate((_SIDEWAYS, _LENGTHWAYS, _UPRIGHT)) if words.search(said.text)]
    along = said_along[0] if said_along else apart
    if re.search(r"\baxes\b|\baxis\b|\bcent(?:re|er)s?\b", said.text):
        measure = f"distance(centre({one}), centre({two}), along={'xyz'[along]})"
        yield Guess(f"distance between the middles of {name}", measure, (a, b), 0.75)
        return
    facing = _face(names.boxes(a), names.boxes(b), apart, lies[apart])
    # what lies between parts that face each other is seen along this direction
    option = f", along={'xyz'[along]}" if said_along or facing else ""
    measure = f"clearance({one}, {two}{option})"
    yield Guess(f"gap between {name}", measure, (a, b), 0.8 if facing else 0.75)


def _face(first: Sequence[Floats], second: Sequence[Floats], along: int, gap: float) -> bool:
    """Whether the boxes (2, 3) of two parts between which the gap along an axis is taken stand before each other."""
    for a in first:
        for b in second:
            lies = np.maximum(a[0] - b[1], b[0] - a[1])
            if lies[along] <= gap + SAME and all(lies[axis] < 0 for axis in range(3) if axis != along):
                return True
    return False


def _nearest_pair(first: Named, second: Named) -> tuple[Node, Node]:
    """Of parts of two names, the two whose boxes lie nearest to each other; the first of those that are alike."""

    def apart(a: Node, b: Node) -> float:
        gaps = [max(a.box[0, i] - b.box[1, i], b.box[0, i] - a.box[1, i], 0.0) for i in range(3)]
        return round(float(sum(gap * gap for gap in gaps)), 3)

    return min(((a, b) for a in first.nodes for b in second.nodes), key=lambda pair: apart(*pair))


def _reaching(named: Sequence[Named], direction: str) -> list[tuple[str, Node]]:
    """Of all parts named, the one that reaches farthest that way first."""
    nodes = [(each.name, node) for each in named for node in each.nodes]
    return sorted(nodes, key=lambda pair: pair[1].box[0, Y] if direction == "front" else -pair[1].box[1, Y])
