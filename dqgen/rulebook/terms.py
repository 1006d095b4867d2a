"""Candidates for compilation and definition questions: defined terms, acronyms, frequent phrases."""

import re
from collections import Counter, defaultdict
from collections.abc import Sequence

from dqgen.rulebook.definitions import definitions
from dqgen.rulebook.nouns import key, mention_pattern
from dqgen.schemas.rulebook import Mention, Rule, Term

_ACRONYM = re.compile(
    r"(?P<words>(?:[A-Za-z][\w/’'-]*\s+){1,7}?[A-Za-z][\w/’'-]*)\s*(?:\((?P<inner>[A-Z][A-Za-z&/]{1,9}s?)\)|[-–—]\s(?P<dash>[A-Z]{2,9})\b)"
)
_REVERSED = re.compile(r"\b(?P<short>[A-Z][A-Z&]{1,8})\s*(?:\(|[:=–—-]\s)(?P<words>(?:[A-Z][\w’'-]*\s?){2,7})\)?")
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
        phrases.update(_phrases(_flat(rule.text)))
    for definition in definitions(rules):
        kinds.setdefault(definition.names[0], "defined")
        defined[definition.names[0]].append(definition.rule)
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
        probes = [re.split(r"[\s-]", name.lower())[0] for name in names]
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
    wanted = {key(name) for name in names}
    defining = [one.rule for one in definitions(rules) if wanted & {key(name) for name in one.names}]
    if defining:
        return "definition", [*dict.fromkeys(defining)]
    words = mention_pattern(names)
    said = [r.id for r in rules if r.kind != "part" and words.search(_flat(f"{r.title}\n{r.text}"))]
    return ("mentioned", said) if said else ("not_mentioned", [])


def _flat(text: str) -> str:
    return " ".join(text.split())


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


def _phrases(text: str) -> list[str]:
    found = []
    for match in _PHRASE.finditer(text):
        words = match.group().split()
        while words and words[0].lower() in _STOP:
            words = words[1:]
        if len(words) >= 2:
            found.append(" ".join(words))
    return found
