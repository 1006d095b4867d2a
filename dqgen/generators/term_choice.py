"""Terms for compilation questions, chosen from the rulebook and the names of components."""

import re
from collections.abc import Sequence

from dqgen.generators.rule_choice import chosen_rules, sections
from dqgen.generators.sources import Sources
from dqgen.rulebook.compilation import rules_about
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.references import split_id
from dqgen.rulebook.terms import find_terms
from dqgen.schemas.rulebook import Term

FEWEST, MOST = 3, 60  # rules of a truth: fewer are no compilation, more are no list that anyone would check
MOST_SAYING = 0.08  # share of the rules that mention a term, above which it is no subject but a common word
CAPITAL_WITHIN = 4  # times that one word must stand capital in the midst of a sentence
_SIGNS = re.compile(r"\d|[()\[\]“”\"]")
_INDEXED = re.compile(r"\bT[a-z]+ T[a-z]+\b")  # variables of formulas
_VAGUE = re.compile(
    r"^(?:the|this|these|each|any|all|no|see|team|teams|rule|rules|section|table|figure|version|page)\b", re.IGNORECASE
)


def choose_terms(sources: Sources, count: int, taken: Sequence[str] = ()) -> list[str]:
    """Terms that several rules bear on, spread over often and rarely mentioned ones; `short/long` for acronyms.

    Args:
        sources: the rulebook.
        count: how many.
        taken: terms that are asked about already.
    """
    if count == 0:
        return []
    asked = chosen_rules(sources)
    flat = [" ".join(rule.text.split()) for rule in asked]
    parts = " / ".join(rule.title for rule in sources.rulebook.rules if rule.kind == "part")
    pool: list[str] = []
    for term in find_terms(asked):
        name = f"{term.term}/{term.expansion}" if term.expansion else term.term
        if (
            2 <= len(term.rules) <= MOST_SAYING * len(asked)
            and _sensible(term, flat)
            and not mention_pattern(name.split("/")).search(parts)  # else the whole part would be about it
            and not _alike(name, [*taken, *pool])
        ):
            pool.append(name)
    return _spread(pool, count, sources)


def _spread(pool: Sequence[str], count: int, sources: Sources) -> list[str]:
    """As many of a pool, which runs from the most to the least mentioned, from all along it, with truths to check."""
    parts = [*dict.fromkeys(split_id(name)[0] for name in sections(sources.spec))]
    fits: dict[str, bool] = {}
    chosen: dict[str, None] = {}
    steps = max(count, 1)
    for tried in range(len(pool)):  # the first of each stretch, then the second of each, …
        for step in range(steps):
            stretch = pool[step * len(pool) // steps : (step + 1) * len(pool) // steps]
            if len(chosen) == count or tried >= len(stretch) or stretch[tried] in fits:
                continue
            term = stretch[tried]
            about = rules_about(sources.rulebook.rules, term, parts=parts)
            fits[term] = FEWEST <= len(about) <= MOST
            if fits[term] and (tried == 0 or len(chosen) < count):
                chosen[term] = None
        if len(chosen) == count:
            break
    return [term for term in pool if term in chosen]


def _sensible(term: Term, texts: Sequence[str]) -> bool:
    """Whether it names a thing: an acronym, some words, or one word that is capital within sentences."""
    words = term.term.split()
    if _VAGUE.match(term.term) or len(term.term) < 3 or len(words) > 4 or _SIGNS.search(term.term):
        return False
    if term.kind == "acronym":
        return True
    if len(words) > 1:
        return not term.term.isupper() and all(len(word) > 2 for word in words) and not _INDEXED.search(term.term)
    within = re.compile(rf"[a-z,] {re.escape(term.term)}(?:e?s)?\b")
    return term.term[:1].isupper() and sum(len(within.findall(text)) for text in texts) >= CAPITAL_WITHIN


def _alike(name: str, others: Sequence[str]) -> bool:
    """Whether one name holds the other, or they share their last words."""
    for other in others:
        for one in name.split("/"):
            for two in other.split("/"):
                if mention_pattern([one]).search(two) or mention_pattern([two]).search(one):
                    return True
    return False
