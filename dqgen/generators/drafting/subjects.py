"""Which parts of a design a clause is about: the grammatical subject of a limit.

A sentence's subject is what stands before its verb: `the width of the Seat` must be. Of `ball joints of an Upright`
the ball joints are limited, and a design without ball joints has nothing to measure. What has no subject of its own, an
item of a list or a sentence about `it`, is about that of the words before.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dqgen.generators.drafting.clauses import Clause
from dqgen.generators.drafting.names import Mention, Named, Names, plain
from dqgen.generators.drafting.vocabulary import DIMENSIONS, KINDS, MEASURES, content

Y = 1
_REFERRING = re.compile(
    r"\s*(?:the|this|these|each|its|their)\s+(?:tube|plate|bar|panel|button|pad|padding|device|structure|component|element"
    r"|item|light|assembly|part|housing|body|unit|piece)s?\s*",
    re.IGNORECASE,
)
_PRONOUN = re.compile(r"\b(?:it|its|they|their|this|these|those)\b", re.IGNORECASE)
_VERB = re.compile(r"\b(?:must|shall|should|may|can|cannot|will|is|are|has|have|requires?|needs?)\b", re.IGNORECASE)
_OF_IT = re.compile(r"\b(?:from|of|to|behind|above|below|than|and) (?:it|them)\b")
_BEGINNING = re.compile(
    r"^(?:[^,]{0,12}\b)?(?:in|on|at|with|when|if|for|from|where|while|during|after|before|unless|as|however|whatever)\b[^,]{2,90},\s+",
    re.IGNORECASE,
)
_IN_VIEW = re.compile(r"^in (?:the |a )?(?:side|front|rear|top|plan) view(?: of the \w+)?,?\s+", re.IGNORECASE)
_PREPOSITION = re.compile(
    r"^(?:in|on|at|with|outside|inside|forward|rearward|behind|above|below|between|within|from|for|of|over|under|to)\b",
    re.IGNORECASE,
)
_MARKER = re.compile(r"^\s*(?:\([a-z0-9]{1,3}\)|[a-z]{1,2}[.)]|\d{1,2}[.)]|[•▪◦–\ufffd-])\s+")
_LINK = re.compile(
    r"\b(?:of|between|in|on|over|at|from|to|for|with|by|above|below|behind|ahead|under|inside|across|along|around|that"
    r"|which|who|where|as|serves?|acts?|formed|measured|used|located|mounted|within|per)\b|[,(:]",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"\b(?:includes?|contains?|have|has|requires?|needs?|uses?|consists? of|comprises?"
    r"|be (?:fitted|equipped|provided|protected|covered|supported) (?:with|by))\s+([^.:;]{3,60}?)\s+(?:that|which)\b",
    re.IGNORECASE,
)
_OWNS = re.compile(rf"\b(?:with|having|of)\s+an?\s+(?:[\w-]+\s+){{0,3}}?{DIMENSIONS}\b", re.IGNORECASE)


@dataclass(frozen=True)
class About:
    """What a limit is about.

    Attributes:
        parts: the subject first, then others that the words near the limit name, in their order.
        places: of the mentions in `Clause.near`, with what they mean.
        own: whether the subject is the grammatical one of the sentence or of what leads in to it.
    """

    parts: tuple[Named, ...]
    places: tuple[tuple[int, Named], ...]
    own: bool


def about(names: Names, clause: Clause) -> About:
    """The parts that a limit is about; none if the subject is no part of the design."""
    places = tuple((start, named) for start, named in _named(names, clause.near, clause))
    others = [named for _, named in places]
    if _OF_IT.search(clause.near):
        earlier = ([named for _, named in _named(names, text, clause)] for text in clause.before)
        others += next(filter(None, earlier), [])
    for text, holds in _subjects(clause):
        found = _heads(names, text, clause)
        if found is None:
            if holds and others and not _PRONOUN.search(text):
                return About(_unique(others), places, True)
            continue
        if not found:
            return About((), (), False)
        return About(_unique([*found, *others]), places, True)
    if others:
        return About(_unique(others), places, False)
    for title in clause.above:
        titled = [named for _, named in _named(names, title, clause)]
        if titled:
            return About(_unique(titled), places, False)
    return About((), places, False)


def _unique(parts: list[Named]) -> tuple[Named, ...]:
    out: list[Named] = []
    for named in parts:
        if not any(named.nodes == other.nodes for other in out):
            out.append(named)
    return tuple(out)


def _subjects(clause: Clause) -> Iterator[tuple[str, bool]]:
    """The words that may name the subject, the nearest first, and whether the sentence itself has them."""
    start, _ = clause.part
    text, at = clause.text, clause.at
    owner = max(_OWNS.finditer(text, 0, at), key=lambda m: m.start(), default=None)
    if owner and not _VERB.search(text, owner.end(), at):
        phrase = _last_phrase(text[: owner.start()])
        if not re.match(r"be\b", phrase):  # what must be a tube of a diameter is itself the tube
            yield phrase, False
    if start and _VERB.search(text, start, at):
        yield subject_phrase(text[start:at]), True
    phrase = clause.row or subject_phrase(text)
    yield phrase, bool(phrase) or not clause.lead
    beginning = _BEGINNING.match(text)
    if beginning and _PRONOUN.search(phrase):
        yield subject_phrase(re.sub(r"^\w+\s+", "", beginning.group())), True
    for sentence in filter(None, (clause.lead, *clause.before[:2])):
        yield subject_phrase(sentence), False


def subject_phrase(sentence: str) -> str:
    """What stands before the verb; of `must include a button that is`, the button. Empty if there is no verb."""
    text = _MARKER.sub("", sentence.strip())
    held = _HOLDS.search(text)
    if held:
        return held[1]
    text = _IN_VIEW.sub("", _BEGINNING.sub("", text))
    relative = re.compile(r"\b(?:that|which|who)\s+$")
    verb = next((m for m in _VERB.finditer(text) if not relative.search(text[: m.start()])), None)
    if verb is None:
        return text[:-1].strip() if text.endswith(":") and _VERB.search(text) else ""
    phrase = text[: verb.start()].strip()
    if _PREPOSITION.match(phrase):
        return "it" if re.search(r"\b(?:it|they)$", phrase) else ""
    return phrase


def _last_phrase(text: str) -> str:
    """The noun before `with a diameter of`."""
    pieces = [piece for piece in re.split(rf"{_VERB.pattern}|{_LINK.pattern}", text, flags=re.IGNORECASE) if piece]
    return pieces[-1].strip() if pieces else ""


def _heads(names: Names, phrase: str, clause: Clause) -> list[Named] | None:
    """The parts that a noun phrase is about: none of another thing; None if it says nothing of what it is about."""
    mentions = list(_spans(names, phrase, clause))
    at = 0
    while at < len(phrase):
        links = (m for m in _LINK.finditer(phrase, at) if not any(s <= m.start() < e for s, e, _ in mentions))
        link = next(links, None)
        end = link.start() if link else len(phrase)
        chunk = phrase[at:end]
        within = [(s - at, e - at, named) for s, e, named in mentions if at <= s < end]
        measure = link is not None and link.group() == "of" and re.search(r"(\w+)\s*$", chunk.lower())
        if measure and measure[1] in MEASURES:  # whatever kind of width it is, it is that of what follows
            at = link.end() if link else at
            continue
        heads = None if not within and _refers_back(names, chunk, clause) else _conjuncts(chunk, within)
        if heads is not None:
            return heads
        at = link.end() if link else len(phrase)
    return None


def _refers_back(names: Names, chunk: str, clause: Clause) -> bool:
    """Whether it names something said before by its last word: the tube, or the restraint of a head restraint."""
    if _REFERRING.fullmatch(chunk):
        return True
    word = re.fullmatch(r"\s*(?:the|this|these|each|its|their)\s+(\w+)\s*", chunk, re.IGNORECASE)
    texts = (clause.lead, *clause.before, *clause.above)
    earlier = (named for text in texts for _, named in _named(names, text, clause))
    return word is not None and any(
        named.name.split()[-1] in (word[1].lower(), word[1].lower().removesuffix("s")) for named in earlier
    )


def _conjuncts(chunk: str, within: list[tuple[int, int, Named]]) -> list[Named] | None:
    heads, foreign = [], False
    masked = "".join(
        "_" if any(s <= i < e for s, e, _ in within) and not letter.isspace() else letter
        for i, letter in enumerate(chunk)
    )
    for piece in re.finditer(r".+?(?:\b(?:and|or)\b|[&/]|$)", masked):
        inside = [entry for entry in within if piece.start() <= entry[0] < piece.end()]
        behind = chunk[inside[-1][1] : piece.end()] if inside else piece.group()
        rest = [*content(behind), *(content(chunk[piece.start() : inside[0][0]])[-1:] if inside else [])]
        if inside and not all(map(_says_which, rest)):
            foreign = True
        elif inside:
            heads += [named for _, _, named in inside[-1:]]
        elif rest:
            foreign = True
    return heads if heads or foreign else None


def _says_which(word: str) -> bool:
    """Whether a word before a name says which of its kind is meant, not what it belongs to: custom, not charger."""
    return word in KINDS or bool(re.search(r"(?:able|ible|ous|ive|ary|ic|al|ed)$", word))


def _named(names: Names, text: str, clause: Clause) -> list[tuple[int, Named]]:
    return [(start, named) for start, _, named in _spans(names, text, clause)]


def _spans(names: Names, text: str, clause: Clause) -> Iterator[tuple[int, int, Named]]:
    around = " ".join((clause.text, clause.lead, *clause.above))
    said = f"{clause.text} {clause.lead}"
    for mention in names.mentions(text):
        named = _of_side(_as_labelled(_likeliest(mention, around), said), text[: mention.start])
        of = re.search(r"(\w+)\s+(?:of|on)\s+(?:the|each|every|an?)\s+$", text[: mention.start])
        its_part = _part_of(names, named, of[1]) if of else None
        if of and its_part:
            yield of.start(), mention.end, its_part
            continue
        yield mention.start, mention.end, named
        its = re.match(r"\W+(?:and|or|from|to)\s+(?:its|their)\s+(\w+)", text[mention.end :])
        of_it = _part_of(names, named, its[1]) if its else None
        if its and of_it:
            yield mention.end + its.start(1), mention.end + its.end(), of_it


def _part_of(names: Names, named: Named, word: str) -> Named | None:
    """What is called a word of a named part: an endplate of the rear wing, the main hoop and its braces."""
    forms = (word.lower(), word.lower().removesuffix("s"))
    return next((names.named[of] for of in (f"{named.name} {form}" for form in forms) if of in names.named), None)


def _likeliest(mention: Mention, around: str) -> Named:
    """Of several readings, the one whose other words are said near by; the shortest if none is."""
    words = set(re.findall(r"\w+", around.lower()))
    return max(mention.named, key=lambda named: (sum(word in words for word in named.name.split()), -len(named.name)))


def _as_labelled(named: Named, said: str) -> Named:
    """Of parts of one name, those whose labels the words around agree with best: the button on each `side`."""
    words = {form for word in re.findall(r"\w+", said.lower()) for form in (word, word.removesuffix("s"))}
    score = {node.path: sum(word in words for word in plain(node.label).split()) for node in named.nodes}
    most = max(score.values(), default=0)
    return replace(named, nodes=tuple(node for node in named.nodes if score[node.path] == most))


def _of_side(named: Named, before: str) -> Named:
    """Of several parts along the design, the front or the rear ones if that is said: `rear tyres`."""
    said = re.search(r"\b(front|rear)[\s-]+$", before.lower())
    low = min((node.middle(Y) for node in named.nodes), default=0.0)
    high = max((node.middle(Y) for node in named.nodes), default=0.0)
    if said is None or said[1] in named.name.split() or high - low < 1:
        return named
    half = (low + high) / 2
    kept = tuple(node for node in named.nodes if (node.middle(Y) < half) == (said[1] == "front"))
    return Named(f"{said[1]} {named.name}", kept)
