"""Candidates for compilation and definition questions: defined terms, acronyms, frequent phrases."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache

from dqgen.schemas.rulebook import Mention, Rule, Term

_ACRONYM = re.compile(
    r"(?P<words>(?:[A-Za-z][\w/’'-]*\s+){1,7}?[A-Za-z][\w/’'-]*)\s*(?:\((?P<inner>[A-Z][A-Za-z&/]{1,9}s?)\)|[-–—]\s(?P<dash>[A-Z]{2,9})\b)"
)
_REVERSED = re.compile(r"\b(?P<short>[A-Z][A-Z&]{1,8})\s*(?:\(|[:=–—-]\s)(?P<words>(?:[A-Z][\w’'-]*\s?){2,7})\)?")
_DEFINED = re.compile(
    r"^[“\"]?(?P<term>[A-Z][\w’'/-]*(?:[ ][\w’'/()-]+){0,6}?)[”\"]?\s*"
    r"(?:[–—:]\s|-\s|\s(?:is|are)\s+defined\s+as\s|\smeans\s)"
)
_PHRASE = re.compile(
    r"\b(?:[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?)(?:[ ](?:[A-Z][a-z]+(?:-[A-Z]?[a-z]+)?|of(?=[ ][A-Z]))){1,4}\b"
)
_STOP = {
    "the",
    "this",
    "any",
    "all",
    "each",
    "if",
    "when",
    "a",
    "an",
    "in",
    "for",
    "it",
    "must",
    "no",
    "see",
    "refer",
    "these",
    "teams",
    "note",
    "at",
    "to",
    "of",
    "and",
    "or",
    "be",
    "is",
    "not",
    "on",
    "as",
    "by",
}


def find_terms(rules: Sequence[Rule], minimum: int = 3) -> list[Term]:
    """Terms with the rules that mention them, the most mentioned first.

    Args:
        rules: the whole rulebook in reading order.
        minimum: mentions below which a phrase that is not defined is left out.
    """
    kinds: dict[str, str] = {}
    defined: dict[str, list[str]] = defaultdict(list)
    expansions: dict[str, str] = {}
    phrases: Counter[str] = Counter()
    for rule in rules:
        whole = _flat(f"{rule.title}\n{rule.text}")
        for short, words in _acronyms(whole):
            expansions.setdefault(short, words)
            defined[short].append(rule.id)
        for term in _definitions(rule):
            kinds.setdefault(term, "defined")
            defined[term].append(rule.id)
        phrases.update(_phrases(_flat(rule.text)))
    for short in expansions:
        kinds[short] = "acronym"
    for phrase, count in phrases.items():
        if count >= minimum:
            kinds.setdefault(phrase, "phrase")
    flat = [(rule.id, _flat(f"{rule.title}\n{rule.text}")) for rule in rules if rule.kind != "part"]
    terms = []
    for term, kind in kinds.items():
        names = [term, expansions[term]] if term in expansions else [term]
        pattern = mention_pattern(names)
        probes = [name.lower().split()[0] for name in names]
        counts = {
            i: n for i, text in flat if any(p in text.lower() for p in probes) and (n := len(pattern.findall(text)))
        }
        total = sum(counts.values())
        if total >= (minimum if kind == "phrase" else 1):
            terms.append(
                Term.model_validate(
                    {
                        "term": term, "kind": kind, "expansion": expansions.get(term, ""), "count": total,
                        "rules": [*counts], "defined_in": [*dict.fromkeys(defined[term])],
                    }
                )
            )  # fmt: skip
    return sorted(terms, key=lambda term: (-term.count, term.term))


def mention_type(rules: Sequence[Rule], term: str, synonyms: Sequence[str] = ()) -> tuple[Mention, list[str]]:
    """Whether the document defines a term, only mentions it, or does neither, and in which rules."""
    names = [term, *synonyms]
    wanted = {_key(name) for name in names}
    defining = [
        rule.id
        for rule in rules
        if wanted & {_key(name) for name in _definitions(rule)}
        or wanted & _acronym_keys(_flat(f"{rule.title}\n{rule.text}"))
    ]
    if defining:
        return "definition", defining
    pattern = mention_pattern(names)
    said = [r.id for r in rules if r.kind != "part" and pattern.search(_flat(f"{r.title}\n{r.text}"))]
    return ("mentioned", said) if said else ("not_mentioned", [])


def mention_pattern(names: Iterable[str]) -> re.Pattern[str]:
    """Whole words of any of the names, in singular or plural, whatever the case and the line breaks."""
    pieces = []
    for name in sorted({" ".join(name.split()) for name in names if name.strip()}, key=lambda n: (-len(n), n)):
        words = [re.escape(word) for word in name.split(" ")]
        pieces.append(r"\s+".join(words) + r"(?:e?s)?")
    return re.compile(rf"(?<!\w)(?:{'|'.join(pieces) or '(?!)'})(?!\w)", re.IGNORECASE)


def _flat(text: str) -> str:
    return " ".join(text.split())


def _key(name: str) -> str:
    return re.sub(r"(?:e?s)$", "", " ".join(re.sub(r"\([^)]*\)", "", name).lower().split()))


def _acronyms(text: str) -> list[tuple[str, str]]:
    """Acronyms with their expansion, where the first letters agree."""
    found = []
    for match in _ACRONYM.finditer(text):
        short = match["inner"] or match["dash"]
        words = match["words"].split()
        letters = [char for char in short.rstrip("s") if char.isupper()]
        for count in range(1, len(words) + 1):
            tail = words[-count:]
            initials = "".join(word[0] for word in tail if word.lower() not in ("of", "and", "the", "for")).upper()
            if len(letters) >= 2 and initials == "".join(letters):
                found.append((short, " ".join(tail)))
                break
    for match in _REVERSED.finditer(text):
        words = match["words"].split()
        initials = "".join(word[0] for word in words if word.lower() not in ("of", "and", "the", "for")).upper()
        if initials[: len(match["short"])] == match["short"]:
            found.append((match["short"], " ".join(words[: len(match["short"])])))
    return found


@lru_cache(maxsize=4096)
def _acronym_keys(text: str) -> frozenset[str]:
    """Kept, since every question of a build asks for those of all rules."""
    return frozenset(_key(word) for pair in _acronyms(text) for word in pair)


def _definitions(rule: Rule) -> list[str]:
    """Terms that a rule defines: at the start of its text or of its paragraphs and items."""
    found = []
    starts = [rule.text, *(item.text for item in rule.items), *rule.text.split("\n")[1:]]
    for text in starts:
        match = _DEFINED.match(text)
        if match and match["term"].split()[0].lower() not in _STOP and len(match["term"]) > 2:
            found.append(_flat(re.sub(r"\s*\([^)]*\)", "", match["term"])))
    if (
        rule.title
        and re.match(r"^(?:any|an?|the|all)\b", rule.text, re.I)
        and re.search(r"\bdefin", rule.parent or "", re.I)
    ):
        found.append(rule.title)
    return [*dict.fromkeys(term for term in found if term)]


def _phrases(text: str) -> list[str]:
    found = []
    for match in _PHRASE.finditer(text):
        words = match.group().split()
        while words and words[0].lower() in _STOP:
            words = words[1:]
        if len(words) >= 2:
            found.append(" ".join(words))
    return found
