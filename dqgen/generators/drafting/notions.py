"""From the words around a limit to measures that it may be about: a lexicon of what can be measured.

Each notion is a pattern of words and a function that writes expressions for the parts named beside them. A notion knows
nothing of a design but the boxes of its parts; whether an expression holds is found by measuring.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from dqgen.generators.drafting.names import Named, Names, Node, plain, within
from dqgen.generators.drafting.vocabulary import content

X, Y, Z = 0, 1, 2


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
        view: that shows it.
        nodes: what it measures.
        weight: how surely the words mean it, 0 to 1.
    """

    name: str
    measure: str
    view: str
    nodes: tuple[Node, ...]
    weight: float


Notion = Callable[[Said, Names], Iterator[Guess]]
NOTIONS: list[Notion] = []
_UP = re.compile(r"\b(?:top|highest|upper|uppermost|higher|rises?|reach(?:es)? higher|tall)\b")
_DOWN = re.compile(r"\b(?:lowest|lower(?! than)|bottom|underside|clearance|below|beneath|lowermost)\b")
_MIDDLE = re.compile(
    r"\bat its (?:middle|centre|center|axis)\b|^(?:the )?(?:middle|centre|center|axis) of\b"
    r"|\b(?:its|the) (?:middle|centre|center|axis)(?: of [\w\s-]{3,40}?)? (?:must|shall|should|is|has)\b"
)
_GROUND = re.compile(
    r"\b(?:above|from|off|over|(?<!parallel )(?<!perpendicular )to)\s+(?:the\s+)?(?:level\s+)?ground\b"
    r"|\bground clearance\b"
)
_FORWARD = re.compile(r"\b(?:ahead of|in front of|forward of|forwards? (?:from|than))\b")
_BEHIND = re.compile(r"\b(?:behind|rearwards? of|aft of|rearwards? (?:from|than))\b")
_REACH = re.compile(r"\b(?:reach|extend|project|stick|protrude|overhang|any part|no part|nothing|further)\w*")
_BELOW = re.compile(r"\bbelow\b|\blower than\b|\bunder the\b")
_ABOVE = re.compile(r"\babove\b(?!\s+(?:the\s+)?ground)|\bhigher than\b")
_LOW_EDGE = re.compile(r"\b(?:lowest|lower (?:edge|end|face)|bottom|underside|lowermost)\b")
_BETWEEN = re.compile(r"\b(?:gaps?|clearance|distance|away from|apart|separated|spacing|from)\b")
_NOT_SOLID = re.compile(
    r"\b(?:hole|weld|bolt|fastener|radius|radii|bend|helmet|template|circle|travel|gap[s]? are|lug|sample"
    r"|sleeve|force|deflection|deflect|sag|load|speed|letter|number|sticker|cable|wire|label|laminate|punch|punctur"
    r"|flammab|strength|stiffness|weld(?:ed|ing)|driver's|line of)\w*"
)

_ANOTHER_QUANTITY = re.compile(
    r"\b(?:adjust|displace|movement|moved?\b|moving|stroke|play\b|volume|toleranc|deviat|vary|varies|variation)\w*"
    r"|\bareas?\b|\d\s*(?:mm|cm|in)?\s*[x×]\s*\d"
)
"""What makes other quantities of heights and widths: height adjustment, an area 200 mm wide, 100 x 200 mm."""
_SIDEWAYS = re.compile(
    r"\b(?:sideways|laterally|lateral|(?:inner|outer|inside|outside) faces?|(?:each|either|both) sides?)\b"
)
_LENGTHWAYS = re.compile(r"\b(?:lengthways|longitudinal|longitudinally|fore[ -/]and[ -/]aft|fore/aft)\b")
_UPRIGHT = re.compile(r"\b(?:vertical|vertically|in height)\b")


def notion(function: Notion) -> Notion:
    """Add a notion to the lexicon."""
    NOTIONS.append(function)
    return function


def guesses(said: Said, names: Names) -> list[Guess]:
    """All measures that a limit may be about."""
    if _NOT_SOLID.search(said.around) or _ANOTHER_QUANTITY.search(said.text):
        return []
    return [guess for each in NOTIONS for guess in each(said, names)]


@notion
def wheelbase_and_track(said: Said, names: Names) -> Iterator[Guess]:
    """Between the axes of front and rear wheels, and between the two wheels of an axle."""
    wheels = _wheels(names)
    if wheels is None:
        return
    (front_left, front_right), (rear_left, rear_right) = wheels
    front, rear = (
        f"distance(centre({_quoted(names, a)}), centre({_quoted(names, b)}), along=x)"
        for a, b in ((front_left, front_right), (rear_left, rear_right))
    )
    every = (front_left, front_right, rear_left, rear_right)
    if re.search(r"\bwheel ?base\b", said.text):
        length = f"distance(axis({_quoted(names, front_left)}), axis({_quoted(names, rear_left)}), along=y)"
        yield Guess("wheelbase", length, "left", (front_left, rear_left), 0.95)
    if not re.search(r"\btrack\b(?! rod| arm)", said.text):
        return
    if said.unit in ("%", "x", "1"):
        yield Guess("ratio of the tracks", f"min({front}, {rear}) / max({front}, {rear})", "top", every, 0.8)
    elif re.search(r"\bdiffer", said.text):
        yield Guess("difference of the tracks", f"abs({front} - {rear})", "top", every, 0.85)
    elif re.search(r"\bfront track\b", said.text):
        yield Guess("front track", front, "front", (front_left, front_right), 0.95)
    elif re.search(r"\brear track\b", said.text):
        yield Guess("rear track", rear, "back", (rear_left, rear_right), 0.95)


@notion
def overall(said: Said, names: Names) -> Iterator[Guess]:
    """Of the whole design, which is longer than it is wide."""
    whole = names.nodes[0]
    called = "|".join(
        map(re.escape, ["car", "vehicle", "assembly", *({plain(whole.label), *within(whole.label)} - {""})])
    )
    found = re.search(rf"\boverall (length|width|height)\b|\b(length|width|height) of the (?:{called})\b", said.text)
    if found:
        word = found[1] or found[2]
        length, width = ("x", "y") if whole.size(X) > whole.size(Y) else ("y", "x")
        axis = {"length": length, "width": width, "height": "z"}[word]
        yield Guess(f"overall {word}", f"extent('*', {axis})", "left" if axis == "y" else "front", (), 0.9)


@notion
def above_ground(said: Said, names: Names) -> Iterator[Guess]:
    """Heights: of an upper edge, a lower edge or the middle."""
    if not _GROUND.search(said.text) or said.unit in ("%", "deg"):
        return
    for named in said.subjects[:1]:
        node = named.nodes[0]
        pattern = _quoted(names, node)
        called = named.name
        before = said.text[: said.at]
        top = f"distance(extreme({pattern}, up), ground)"
        bottom = f"clearance({pattern}, ground)"
        middle = f"distance(centre({pattern}), ground, along=z)"
        if _MIDDLE.search(said.text):
            yield Guess(f"height of the middle of the {called}", middle, "front", (node,), 0.8)
        elif _DOWN.search(before) and not re.search(r"\bno lower\b", before):
            yield Guess(f"height of the lowest point of the {called}", bottom, "front", (node,), 0.85)
        elif _UP.search(before):
            yield Guess(f"height of the top of the {called}", top, "front", (node,), 0.85)
        elif said.comparator == "maximum":
            yield Guess(f"height of the top of the {called}", top, "front", (node,), 0.65)
        elif said.comparator == "minimum":
            yield Guess(f"height of the lowest point of the {called}", bottom, "front", (node,), 0.7)


@notion
def one_below_another(said: Said, names: Names) -> Iterator[Guess]:
    """Differences of height between two parts."""
    if len(said.subjects) < 2 or said.unit in ("%", "deg") or _GROUND.search(said.text):
        return
    said_of = ((word, said.beyond(word.end())) for word in re.finditer(f"{_ABOVE.pattern}|{_BELOW.pattern}", said.text))
    word, second = next(((word, named) for word, named in said_of if named), (None, None))
    first = said.subjects[0]
    if word is None or second is None or first.nodes[0] is second.nodes[0]:
        return
    a, b = first.nodes[0], second.nodes[0]
    if re.search(r"\battach|\bjoin|\bmeet|\bconnect", said.text):
        (lower, low), (upper, high) = sorted(((first, a), (second, b)), key=lambda pair: float(pair[1].box[1, Z]))
        end = f"end(axis({_quoted(names, low)}), up)"
        said_name = f"distance from the top of the {upper.name} down to the {lower.name}"
        measure = f"distance(extreme({_quoted(names, high)}, up), {end}, along=z)"
        yield Guess(said_name, measure, "left", (low, high), 0.85)
    edges = ["down" if _LOW_EDGE.search(words) else "up" for words in _beside(said.text, word)]
    tops = [float(node.box[0 if edge == "down" else 1, Z]) for node, edge in zip((a, b), edges, strict=True)]
    ends = [(first, a, edges[0]), (second, b, edges[1])]
    (upper, high, edge), (lower, low, under) = ends if tops[0] >= tops[1] else ends[::-1]
    called = {"up": "top", "down": "lowest point"}
    one, two = (f"extreme({_quoted(names, node)}, {way})" for node, way in ((high, edge), (low, under)))
    yield Guess(
        f"height of the {called[edge]} of the {upper.name} above the {called[under]} of the {lower.name}",
        f"distance({one}, {two}, along=z)",
        "front",
        (low, high),
        0.75 if re.search(r"\btop|highest|upper|lowest", said.text) else 0.55,
    )


def _beside(text: str, word: re.Match[str]) -> tuple[str, str]:
    """What is said of the edges before and after a relation; nothing of the `lowest point of the top surface`."""
    behind = text[word.end() : word.end() + 40]
    return text[: word.start()], "" if re.search(r"\btop\b", behind) else behind


@notion
def fore_and_aft(said: Said, names: Names) -> Iterator[Guess]:
    """How far one part lies or reaches ahead of or behind another."""
    ahead, behind = _FORWARD.search(said.text), _BEHIND.search(said.text)
    if not (ahead or behind) or said.unit in ("%", "deg") or re.search(r"\bsum\b|\btogether\b|\badded\b", said.text):
        return
    word = ahead or behind
    assert word is not None
    way, direction = ("ahead of", "front") if ahead else ("behind", "back")
    wheels = _wheels(names)
    after = said.text[word.end() : word.end() + 60]
    axle = re.search(r"\b(front|rear) (?:wheel|tyre|tire|axle)s?", after)
    candidates = [named for named in said.subjects if not re.search(r"^(?:front |rear )?(?:wheel|tyre)$", named.name)]
    if axle and wheels:
        wheel = wheels[0][0] if axle[1] == "front" else wheels[1][0]
        reference = f"the {axle[1]} wheels"
        whole = re.search(r"\bnothing|any(?:thing| part of the (?:car|vehicle))", said.text)
        parts: list[tuple[str, Node] | None] = [*_reaching(candidates, direction)] or ([None] if whole else [])
        for part in parts[:1]:
            pattern = "'*'" if part is None else _quoted(names, part[1])
            name = "the car" if part is None else f"the {part[0]}"
            nodes = (wheel,) if part is None else (part[1], wheel)
            edge = f"extreme({pattern}, {direction})"
            if said.comparator == "minimum" and not _REACH.search(said.text):
                measure = f"clearance({pattern}, {_quoted(names, wheel)}, along=y)"
            elif re.search(r"\baxis|\baxle|\bcentre|\bcenter", after):
                measure = f"distance({edge}, axis({_quoted(names, wheel)}), along=y)"
            else:
                measure = f"distance({edge}, extreme({_quoted(names, wheel)}, {direction}), along=y)"
            yield Guess(f"reach of {name} {way} {reference}", measure, "left", nodes, 0.85)
        return
    first, second = next(iter(candidates), None), said.beyond(word.end())
    if first and second and first.nodes[0] is not second.nodes[0]:
        a, b = first.nodes[0], second.nodes[0]
        name = f"distance of the {first.name} {way} the {second.name}"
        measure = f"clearance({_quoted(names, a)}, {_quoted(names, b)}, along=y)"
        if _REACH.search(said.text) and "less than" not in said.text:
            edges = f"extreme({_quoted(names, a)}, {direction}), extreme({_quoted(names, b)}, {direction})"
            measure = f"distance({edges}, along=y)"
        elif re.match(r"\s*(?:the )?ax[ei]s\b", after):
            facing = "back" if ahead else "front"
            measure = f"distance(extreme({_quoted(names, a)}, {facing}), axis({_quoted(names, b)}), along=y)"
        yield Guess(name, measure, "left", (a, b), 0.75)


@notion
def thickness(said: Said, names: Names) -> Iterator[Guess]:
    """Of plates and walls."""
    words = re.search(r"\bthick(?:ness)?\b|\bgauge\b|\bwall\b(?!.*\b(?:behind|ahead|above|below|from)\b)", said.text)
    if words and said.unit == "mm" and not _apart(said):
        for named in said.subjects[:1]:
            node = named.nodes[0]
            if len(node.rows) > 1:
                continue
            yield Guess(
                f"thickness of the {named.name}", f"thickness({_quoted(names, node)})", _flat_view(node), (node,), 0.85
            )


@notion
def diameter(said: Said, names: Names) -> Iterator[Guess]:
    """Of tubes, discs and wheels; of what is made of several parts, by its extent."""
    if not re.search(r"\bdiameters?\b|⌀|\bø", said.text) or said.unit != "mm" or _apart(said):
        return
    for named in said.subjects[:1]:
        named = _rim(named, names) or named
        node = named.nodes[0]
        pattern = _quoted(names, node)
        sizes = sorted(range(3), key=node.size)
        view = {X: "left", Y: "front", Z: "top"}[sizes[0]]
        if len(node.rows) == 1:
            yield Guess(f"diameter of the {named.name}", f"diameter({pattern})", view, (node,), 0.85)
        if abs(node.size(sizes[1]) - node.size(sizes[2])) < 0.005 * node.size(sizes[2]):
            across = "xyz"[sizes[2]]
            yield Guess(f"diameter of the {named.name}", f"extent({pattern}, {across})", view, (node,), 0.7)


@notion
def angles(said: Said, names: Names) -> Iterator[Guess]:
    """Of straight parts from the vertical or the horizontal, seen from the side they lean to."""
    if said.unit != "deg" or not said.subjects:
        return
    straight = [
        named for named in said.subjects if re.search(r"brace|bracing|rod|support|strut|arm|column", named.name)
    ]
    named = (straight or list(said.subjects))[0]
    node = named.nodes[0]
    flat = re.search(r"\bhorizontal|\bground\b", said.text)
    if not (flat or straight or re.search(r"\bvertical|\bincline|\blean", said.text)):
        return
    against, way = ("y", "horizontal") if flat else ("z", "vertical")
    yield Guess(
        f"angle of the {named.name} from the {way}, seen from the side",
        f"angle(axis({_quoted(names, node)}), {against}, seen=x)",
        "left",
        (node,),
        0.8 if straight else 0.5,
    )


@notion
def sizes(said: Said, names: Names) -> Iterator[Guess]:
    """Width across, length along, height up."""
    if said.unit != "mm" or not said.subjects or _GROUND.search(said.text):
        return
    if _apart(said):
        return
    after = re.sub(r"^\s*(?:\([^)]*\))?[\s,]*", "", said.text[said.end :])
    whole = names.nodes[0]
    length, width = ("x", "y") if whole.size(X) > whole.size(Y) else ("y", "x")
    for noun, adjective, axis, called in (
        (r"\b(?:width|span)\b", r"\b(?:wide|wider)\b", width, "width"),
        (r"\blength\b", r"\b(?:long|longer)\b", length, "length"),
        (r"\bheight\b", r"\b(?:high|tall|taller)\b", "z", "height"),
    ):
        beside = re.match(rf"(?:or (?:more|less|greater) |minimum |maximum )*(?:in )?(?:{noun}|{adjective})", after)
        before = re.search(rf"(?:(?<!any )(?<!same ){noun}|{adjective}(?= than)|as {adjective})", said.text[: said.at])
        if not (beside or before):
            continue
        named = said.subjects[0]
        node = named.nodes[0]
        along = re.search(r"\b(?:along|length of) the (?:car|vehicle)\b", said.text)
        if called == "length" and not along and node.size(X) > 3 * node.size(Y) and node.size(X) > 3 * node.size(Z):
            axis = "x"  # a bar across the car: its length is its longest side
        weight = 0.85 if beside or (before and said.at - before.end() < 60) else 0.6
        view = "left" if axis == "y" else "front"
        yield Guess(f"{called} of the {named.name}", f"extent({_quoted(names, node)}, {axis})", view, (node,), weight)


@notion
def off_centre(said: Said, names: Names) -> Iterator[Guess]:
    """Distance of a part's middle from the plane of symmetry."""
    if re.search(r"\b(?:centre|center|middle|symmetr\w+|median) ?(?:plane|line|about)", said.text) and said.subjects:
        if not re.search(r"\boff\b|\bdistance\b|\bfrom\b|\bwithin\b", said.text) or said.unit != "mm":
            return
        named = said.subjects[0]
        node = named.nodes[0]
        measure = f"distance(centre({_quoted(names, node)}), datum(x, 0), along=x)"
        yield Guess(f"distance of the {named.name} from the centre plane", measure, "front", (node,), 0.75)


@notion
def gaps(said: Said, names: Names) -> Iterator[Guess]:
    """Between two parts, or two of one name."""
    if not _BETWEEN.search(said.text) or said.unit != "mm" or _GROUND.search(said.text):
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
    one, two = _quoted(names, a), _quoted(names, b)
    lies = [max(a.box[0, axis] - b.box[1, axis], b.box[0, axis] - a.box[1, axis]) for axis in range(3)]
    apart = max(range(3), key=lambda axis: lies[axis])
    if lies[apart] < 0:
        return
    said_along = [axis for axis, words in enumerate((_SIDEWAYS, _LENGTHWAYS, _UPRIGHT)) if words.search(said.text)]
    along = said_along[0] if said_along else apart
    view = {X: "front", Y: "left", Z: "left"}[along]
    if re.search(r"\baxes\b|\baxis\b|\bcent(?:re|er)s?\b", said.text):
        measure = f"distance(centre({one}), centre({two}), along={'xyz'[along]})"
        yield Guess(f"distance between the middles of {name}", measure, view, (a, b), 0.75)
        return
    facing = all(lies[axis] < 0 for axis in range(3) if axis != apart)
    # what lies between parts that face each other is seen along this direction
    option = f", along={'xyz'[along]}" if said_along or facing else ""
    measure = f"clearance({one}, {two}{option})"
    yield Guess(f"gap between {name}", measure, view, (a, b), 0.8 if facing else 0.75)


def _nearest_pair(first: Named, second: Named) -> tuple[Node, Node]:
    """Of parts of two names, the two whose boxes lie nearest to each other; the first of those that are alike."""

    def apart(a: Node, b: Node) -> float:
        gaps = [max(a.box[0, i] - b.box[1, i], b.box[0, i] - a.box[1, i], 0.0) for i in range(3)]
        return round(float(sum(gap * gap for gap in gaps)), 3)

    return min(((a, b) for a in first.nodes for b in second.nodes), key=lambda pair: apart(*pair))


def _apart(said: Said) -> bool:
    """Whether the words are about a distance between things."""
    return bool(re.search(r"\b(?:gap|clearance|distance|apart|away from)\b", said.text))


def _rim(named: Named, names: Names) -> Named | None:
    """Of wheels with tyres, the rims: the size of a wheel is theirs."""
    for rim in names.named.values() if named.name.split()[-1] == "wheel" else ():
        inside = [node for node in rim.nodes if any(node.path.startswith(f"{wheel.path}/") for wheel in named.nodes)]
        if rim.name.split()[-1] == "rim" and inside:
            return Named(rim.name, tuple(inside))
    return None


def _quoted(names: Names, node: Node) -> str:
    pattern = names.pattern(node)
    return f"'{pattern}'" if "'" not in pattern else f'"{pattern}"'


def _wheels(names: Names) -> tuple[tuple[Node, Node], tuple[Node, Node]] | None:
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


def _reaching(named: Sequence[Named], direction: str) -> list[tuple[str, Node]]:
    """Of all parts named, the one that reaches farthest that way first."""
    nodes = [(each.name, node) for each in named for node in each.nodes]
    return sorted(nodes, key=lambda pair: pair[1].box[0, Y] if direction == "front" else -pair[1].box[1, Y])


def _flat_view(node: Node) -> str:
    thin = min(range(3), key=node.size)
    return {X: "front", Y: "left", Z: "front"}[thin]
