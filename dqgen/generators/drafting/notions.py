"""From the words around a limit to measures that it may be about: a lexicon of what can be measured.

Each notion is a pattern of words and a function that writes expressions for the parts named beside them. A notion knows
nothing of a design but the boxes of its parts; whether an expression holds is found by measuring.
"""

import re
from collections.abc import Callable, Iterator

from dqgen.generators.drafting.names import Named, Names, plain, within
from dqgen.generators.drafting.relations import fore_and_aft, gaps, one_below_another
from dqgen.generators.drafting.said import GROUND, Guess, Said, X, Y, Z, apart, quoted, wheels_of

_UP = re.compile(r"\b(?:top|highest|upper|uppermost|higher|rises?|reach(?:es)? higher|tall)\b")
_NOT_OUTER = re.compile(
    r"\b(?:bead seat|pitch|pitch circle|bolt circle|bore|inner|inside|internal) (?:diameters?|⌀|ø)|\bbore of\b"
)
"""Diameters that no outline shows, or not the outermost."""
_DOWN = re.compile(r"\b(?:lowest|lower(?! than)|bottom|underside|clearance|below|beneath|lowermost)\b")
_MIDDLE = re.compile(
    r"\bat its (?:middle|centre|center|axis)\b|^(?:the )?(?:middle|centre|center|axis) of\b"
    r"|\b(?:its|the) (?:middle|centre|center|axis)(?: of [\w\s-]{3,40}?)? (?:must|shall|should|is|has)\b"
)
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


def wheelbase_and_track(said: Said, names: Names) -> Iterator[Guess]:
    """Between the axes of front and rear wheels, and between the two wheels of an axle."""
    wheels = wheels_of(names)
    if wheels is None:
        return
    (front_left, front_right), (rear_left, rear_right) = wheels
    front, rear = (
        f"distance(centre({quoted(names, a)}), centre({quoted(names, b)}), along=x)"
        for a, b in ((front_left, front_right), (rear_left, rear_right))
    )
    every = (front_left, front_right, rear_left, rear_right)
    if re.search(r"\bwheel ?base\b", said.text):
        length = f"distance(axis({quoted(names, front_left)}), axis({quoted(names, rear_left)}), along=y)"
        yield Guess("wheelbase", length, (front_left, rear_left), 0.95)
    if not re.search(r"\btrack\b(?! rod| arm)", said.text):
        return
    if said.unit in ("%", "x", "1"):
        yield Guess("ratio of the tracks", f"min({front}, {rear}) / max({front}, {rear})", every, 0.8)
    elif re.search(r"\bdiffer", said.text):
        yield Guess("difference of the tracks", f"abs({front} - {rear})", every, 0.85)
    elif re.search(r"\bfront track\b", said.text):
        yield Guess("front track", front, (front_left, front_right), 0.95)
    elif re.search(r"\brear track\b", said.text):
        yield Guess("rear track", rear, (rear_left, rear_right), 0.95)


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
        yield Guess(f"overall {word}", f"extent('*', {axis})", (), 0.9)


def above_ground(said: Said, names: Names) -> Iterator[Guess]:
    """Heights: of an upper edge, a lower edge or the middle."""
    if not GROUND.search(said.text) or said.unit in ("%", "deg"):
        return
    for named in said.subjects[:1]:
        node = named.nodes[0]
        pattern = quoted(names, node)
        called = named.name
        before = said.text[: said.at]
        top = f"distance(extreme({pattern}, up), ground)"
        bottom = f"clearance({pattern}, ground)"
        middle = f"distance(centre({pattern}), ground, along=z)"
        if _MIDDLE.search(said.text):
            yield Guess(f"height of the middle of the {called}", middle, (node,), 0.8)
        elif _DOWN.search(before) and not re.search(r"\bno lower\b", before):
            yield Guess(f"height of the lowest point of the {called}", bottom, (node,), 0.85)
        elif _UP.search(before):
            yield Guess(f"height of the top of the {called}", top, (node,), 0.85)
        elif said.comparator == "maximum":
            yield Guess(f"height of the top of the {called}", top, (node,), 0.65)
        elif said.comparator == "minimum":
            yield Guess(f"height of the lowest point of the {called}", bottom, (node,), 0.7)


def thickness(said: Said, names: Names) -> Iterator[Guess]:
    """Of plates and walls."""
    words = re.search(r"\bthick(?:ness)?\b|\bgauge\b|\bwall\b(?!.*\b(?:behind|ahead|above|below|from)\b)", said.text)
    if words and said.unit == "mm" and not apart(said):
        for named in said.subjects[:1]:
            node = named.nodes[0]
            if len(node.rows) > 1:
                continue
            yield Guess(f"thickness of the {named.name}", f"thickness({quoted(names, node)})", (node,), 0.85)


def diameter(said: Said, names: Names) -> Iterator[Guess]:
    """Of tubes, discs and wheels; of what is made of several parts, by its extent."""
    if not re.search(r"\bdiameters?\b|⌀|\bø", said.text) or said.unit != "mm" or apart(said):
        return
    if _NOT_OUTER.search(said.text):
        return
    for named in said.subjects[:1]:
        named = _rim(named, names) or named
        node = named.nodes[0]
        pattern = quoted(names, node)
        sizes = sorted(range(3), key=node.size)
        if len(node.rows) == 1:
            yield Guess(f"diameter of the {named.name}", f"diameter({pattern})", (node,), 0.85)
        if abs(node.size(sizes[1]) - node.size(sizes[2])) < 0.005 * node.size(sizes[2]):
            across = "xyz"[sizes[2]]
            yield Guess(f"diameter of the {named.name}", f"extent({pattern}, {across})", (node,), 0.7)


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
        f"angle(axis({quoted(names, node)}), {against}, seen=x)",
        (node,),
        0.8 if straight else 0.5,
    )


def sizes(said: Said, names: Names) -> Iterator[Guess]:
    """Width across, length along, height up."""
    if said.unit != "mm" or not said.subjects or GROUND.search(said.text):
        return
    if apart(said):
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
        yield Guess(f"{called} of the {named.name}", f"extent({quoted(names, node)}, {axis})", (node,), weight)


def off_centre(said: Said, names: Names) -> Iterator[Guess]:
    """Distance of a part's middle from the plane of symmetry."""
    if re.search(r"\b(?:centre|center|middle|symmetr\w+|median) ?(?:plane|line|about)", said.text) and said.subjects:
        if not re.search(r"\boff\b|\bdistance\b|\bfrom\b|\bwithin\b", said.text) or said.unit != "mm":
            return
        named = said.subjects[0]
        node = named.nodes[0]
        measure = f"distance(centre({quoted(names, node)}), datum(x, 0), along=x)"
        yield Guess(f"distance of the {named.name} from the centre plane", measure, (node,), 0.75)


def _rim(named: Named, names: Names) -> Named | None:
    """Of wheels with tyres, the rims: the size of a wheel is theirs."""
    for rim in names.named.values() if named.name.split()[-1] == "wheel" else ():
        inside = [node for node in rim.nodes if any(node.path.startswith(f"{wheel.path}/") for wheel in named.nodes)]
        if rim.name.split()[-1] == "rim" and inside:
            return Named(rim.name, tuple(inside))
    return None


NOTIONS: tuple[Callable[[Said, Names], Iterator[Guess]], ...] = (
    wheelbase_and_track,
    overall,
    above_ground,
    one_below_another,
    fore_and_aft,
    thickness,
    diameter,
    angles,
    sizes,
    off_centre,
    gaps,
)
"""Of guesses that are as sure, those of the first are taken."""


def guesses(said: Said, names: Names) -> list[Guess]:
    """All measures that a limit may be about."""
    if _NOT_SOLID.search(said.around) or _ANOTHER_QUANTITY.search(said.text):
        return []
    return [guess for notion in NOTIONS for guess in notion(said, names)]
