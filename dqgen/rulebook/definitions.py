"""What a rulebook defines, and the names that it gives to one thing."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from dqgen.rulebook.nouns import key
from dqgen.schemas.rulebook import Rule

_SECTION = re.compile(r"\b(?:definitions?|glossary|terminology|vocabulary)\b|^terms\b", re.IGNORECASE)
_LEADS_IN = re.compile(r"^(?:the )?following (?:terms|definitions)\b|\bfollowing definitions apply\b", re.IGNORECASE)
_MODAL = r"(?:must|shall|should|may|will|can|cannot)"
_DETERMINED = re.compile(r"(?:an?|the|any|all|every|each|one|those|that|both)\b|[a-z]", re.IGNORECASE)
_WORDS = r"[\w’'/&-]+(?:[ ][\w’'/&()-]+){0,6}?"
_OPEN, _CLOSE = '[“"‘]', '[”"’]'
_SHORT = r"[A-Z][A-Za-z0-9&/-]{0,6}[A-Z0-9]s?"
_HEAD = re.compile(
    rf"^{_OPEN}?(?P<term>(?:\d+[ -])?[A-Z]{_WORDS}){_CLOSE}?\s*(?:\((?P<short>{_SHORT})\)|\([^)]*\))?"
    r"\s*(?:[–—]\s?|\s[-\ufffd]\s|(?P<colon>:)\s)\s*(?P<rest>\S.*)"
)
_QUOTED = re.compile(
    rf"(?:^|\b(?:the|an?|and|or)\s){_OPEN}(?P<term>{_WORDS}){_CLOSE}(?:,?\s(?:or|and)\s{_OPEN}(?P<second>{_WORDS}){_CLOSE},?)?"
    r"\s(?:shall\smean|means?|refers?\sto|denotes?|designates?|describes?|(?:is|are)\s(?:an?|the|any|all|defined)\b)",
    re.IGNORECASE,
)
_MEANS = re.compile(
    rf"^(?:(?P<article>the|an?|any)\s+)?(?P<term>[A-Za-z]{_WORDS})(?:\sof\sthe\s\w+)?\s"
    r"(?:(?:shall\smean|means)(?=\s(?:an?|the|any|all|every|each|those|one|both|either)\b)|(?:is|are)\s(?:hereby\s)?defined\sas|(?:is|are)\sunderstood\s(?:to\sbe|as))\s",
    re.IGNORECASE,
)
_IS_A = re.compile(rf"^An?\s(?P<term>{_WORDS})\sis\s(?:an?|any)\s\w")
_REVERSED = re.compile(
    r"^(?:The|An?)\s.{4,}\s(?:is|are)\s(?:called\s)?(?:the|an?)\s(?P<term>[A-Z][\w’'-]*(?:\s[A-Z][\w’'-]*){0,3})\.?$"
)
_CALLED = r"(?:called|known\sas|referred\sto\sas|named|termed)"
_PRONOUN = re.compile(
    rf"^(?:It|They|This|These|Those)\s(?:is|are|may\sbe|can\sbe)\s(?:(?:also|sometimes|often|commonly|otherwise)\s)?{_CALLED}\s"
    r"(?P<others>.+)"
)
_ASIDE = re.compile(
    rf"\s*[(,–—-]?\s*(?:(?:also|sometimes|often|commonly|otherwise|previously)\s{_CALLED}|\ba\.?k\.?a\.?)\s(?P<others>[^,;)]+)[,)]?"
    rf"|\s*\((?:or|also)\s(?P<quoted>{_OPEN}[^)]*?{_CLOSE})\)",
    re.IGNORECASE,
)
_ENDS = re.compile(r"\b(?:where|when|if|which|that|because|since|in|for|by|on|at|as|but|is|are|with)\b|[.;:()]")
_NO_TERM = {
    "a", "an", "the", "this", "these", "those", "that", "there", "any", "all", "each", "no", "such", "it", "they",
    "which", "what", "if", "when", "whenever", "in", "for", "at", "to", "of", "on", "as", "by", "with", "during", "and",
    "or", "not", "be", "is", "must", "see", "refer", "teams", "note", "example", "examples",
}  # fmt: skip
_PIECE = re.compile(r"(?<=[.;])\s+(?=[A-Z“\"(])")
_MARKER = re.compile(r"^(?:[•▪◦·\ufffd*-]|\(?[a-z0-9]{1,3}[.)])\s+")
_BOUND = re.compile(
    r"\b(?:the|an?|any|each|every|all|no|of|to|with|in|on|by|from|be|is|are|has|have|and|or)\s|[,.;:(]\s*",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"\b(?:that|which|who|whose)\b")
LONGEST = 4  # words of another name


@dataclass(frozen=True)
class Definition:
    """What a rule defines.

    Attributes:
        rule: its id.
        names: the term, then the other names that the rule gives it.
    """

    rule: str
    names: tuple[str, ...]


def definitions(rules: Sequence[Rule]) -> list[Definition]:
    """The terms that rules define, in the order of the rules.

    In a section of definitions a rule's title and what stands before a dash or a colon are terms; elsewhere a term is
    what the words `means`, `is defined as` or `A … is a …` follow, or a dash and a phrase that asks for nothing.
    """
    above: dict[str, Rule] = {}
    for rule in rules:
        above.setdefault(rule.id, rule)
    found = []
    for rule in rules:
        parent = above.get(rule.parent or "")
        owner = parent.title if parent is not None else ""
        listed = bool(_LEADS_IN.search(rule.text[:200])) or _under_definitions(rule, above)
        found += [Definition(rule.id, names) for names in _defined(rule.title, rule.text, listed, owner)]
    return found


def other_names(rules: Sequence[Rule]) -> list[tuple[str, ...]]:
    """Names of one thing: those of each definition that gives several, and those that other rules give in passing."""
    found = [one.names for one in definitions(rules) if len(one.names) > 1]
    for rule in rules:
        for sentence in (piece for paragraph in _paragraphs(rule.text, False) for piece in _PIECE.split(paragraph)):
            found += _asides(sentence)
    return list(dict.fromkeys(found))


def _under_definitions(rule: Rule, above: dict[str, Rule]) -> bool:
    seen: Rule | None = rule
    for _ in range(8):
        if seen is None:
            return False
        if _SECTION.search(seen.title):
            return True
        seen = above.get(seen.parent or "")
    return False


@lru_cache(maxsize=8192)
def _defined(title: str, text: str, listed: bool, owner: str) -> tuple[tuple[str, ...], ...]:
    """Names of what a rule defines; kept, since every question of a build asks for those of all rules."""
    found: dict[str, list[str]] = {}
    last = ""

    def add(names: Sequence[str]) -> None:
        nonlocal last
        names = [_clean(name) for name in names]
        if re.fullmatch("definition", names[0], re.IGNORECASE):
            names = [owner]  # the rule `Definition` of the section on a thing
        words = names[0].lower().split()
        if len(names[0]) < 2 or _NO_TERM & {words[0], words[-1]} or _SECTION.search(names[0]):
            return
        if re.search(rf"\b{_MODAL}\b", names[0]):
            return
        last = key(names[0])
        found.setdefault(last, []).extend(name for name in names if name and name not in found[last])

    paragraphs = _paragraphs(text, listed)
    if listed and title and paragraphs and not re.match(rf"{_MODAL}\b", paragraphs[0], re.IGNORECASE):
        add(_named(title))
    for paragraph in paragraphs:
        for at, sentence in enumerate(_PIECE.split(paragraph)):
            asides = _asides(sentence)
            plain = " ".join(_ASIDE.sub(" ", sentence).split())
            head = (_HEAD.match(sentence) or _HEAD.match(plain)) if at == 0 else None
            if head is not None and _defines(head, listed):
                add([*_named(head["term"]), *([head["short"]] if head["short"] else [])])
                plain = head["rest"]
            for match in _QUOTED.finditer(plain):
                add([match["term"], match["second"] or ""])
            term = _term_of(plain, listed)
            if term:
                add(_named(term))
            called = _PRONOUN.match(sentence)
            if last and called is not None:
                found[last].extend(name for name in _split(called["others"]) if name not in found[last])
            for name, *others in asides:
                if key(name) in found:
                    found[key(name)].extend(other for other in others if other not in found[key(name)])
    return tuple(tuple(names) for names in found.values())


def _term_of(sentence: str, listed: bool) -> str:
    """What a sentence without quotes defines in words: `The … is defined as`, `A … is a …`; empty if nothing."""
    if (means := _MEANS.match(sentence)) and (means["article"] or means["term"][0].isupper()):
        return means["term"]
    if (kind := _IS_A.match(sentence)) and not re.search(rf"\b{_MODAL}\b", _CLAUSE.split(sentence)[0]):
        return kind["term"]
    if listed and (turned := _REVERSED.match(sentence)):
        return turned["term"]
    return ""


def _defines(head: re.Match[str], listed: bool) -> bool:
    """Whether what stands before a dash or colon is a term that the rest defines."""
    rest = head["rest"]
    if re.match(rf"{_MODAL}\b|see\b", rest, re.IGNORECASE) or re.search(rf"\b{_MODAL}$", head["term"]):
        return False
    if listed:
        return True
    return (
        not head["colon"] and bool(_DETERMINED.match(rest)) and not re.search(rf"\b{_MODAL}\b", _PIECE.split(rest)[0])
    )


def _paragraphs(text: str, listed: bool) -> list[str]:
    """Paragraphs and items without markers, each on one line; in lists of definitions a short line before one that
    begins with an article is a heading: `Triangulation` before `An arrangement of …`."""
    out: list[str] = []
    lines = [line.strip() for line in text.split("\n") if re.search(r"[^\W_]", line)]
    fresh = True
    for at, line in enumerate(lines):
        bare = _MARKER.sub("", line)
        following = lines[at + 1] if at + 1 < len(lines) else ""
        heading = (
            listed
            and re.fullmatch(r"[A-Z][^.;:]*", line) is not None
            and len(line.split()) <= 6
            and re.match(r"(?:An?|The|Any|All)\s", following) is not None
        )
        if fresh or heading or bare != line:
            out.append(bare)
        else:
            out[-1] = f"{out[-1]} {line}"
        if heading:
            out[-1] += " –"
        fresh = line[-1] in ".:;" and not heading
    return [" ".join(paragraph.split()) for paragraph in out]


def _asides(sentence: str) -> list[tuple[str, ...]]:
    """Names that a sentence gives in passing: X and Y of `X (also called Y)`."""
    found = []
    for match in _ASIDE.finditer(sentence):
        before = sentence[: match.start()].rstrip()
        bound = max((stop.end() for stop in _BOUND.finditer(before)), default=0)
        name, others = _clean(before[bound:]), _split(match["quoted"] or match["others"])
        one_of_several = re.search(r"\b(?:and|or)\s$", before[:bound])
        words = name.lower().split()
        if words and words[0] not in _NO_TERM and others and not one_of_several and len(words) <= LONGEST + 1:
            found.append((name, *others))
    return found


def _named(term: str) -> list[str]:
    """A heading's term and its short form: `Low Voltage - LV`, `Buckling Modulus (EI)`."""
    match = re.match(rf"^(.*?)\s*(?:\(({_SHORT})\)|\s[–—\ufffd-]\s*({_SHORT}))$", term)
    if match:
        return [match[1], match[2] or match[3]]
    return re.split(r",?\sor\s", term)


def _split(others: str) -> list[str]:
    """The names of a list: `a wishbone or an A-arm`."""
    quoted = re.findall(rf"{_OPEN}([^”\"’]+){_CLOSE}", others)
    if quoted and re.match(rf"\s*(?:the|an?)?\s*{_OPEN}", others):
        return [name for name in map(_clean, quoted) if len(name.split()) <= LONGEST]
    cut = _ENDS.search(others)
    names = re.split(r",?\s(?:or|and)\s|,\s", others[: cut.start()] if cut else others)
    clean = (re.sub(r"^(?:the|an?|its|their)\s+", "", _clean(name), flags=re.IGNORECASE) for name in names)
    return [name for name in clean if name and len(name.split()) <= LONGEST]


def _clean(name: str) -> str:
    bare = re.sub(r"\((?:e?s)\)|[“”\"]", "", name)
    return " ".join(bare.split()).strip(" ,.;:‘’–—-")
