"""Which rules a term is about: the true answer of a compilation question.

The profile `designqa` follows the paper's published method, oddities included; the strict one is for new
benchmarks.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Literal

from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Rule

_MENTION = re.compile(r"\b[A-Z]{1,2}\.\d+\.\d+(?:\.\d+)?")  # two or three dotted levels, as the paper's script has it


def rules_about(
    rules: Sequence[Rule],
    term: str,
    synonyms: Sequence[str] = (),
    profile: Literal["designqa", "strict"] = "strict",
    parts: Sequence[str] = (),
) -> list[str]:
    """Ids of all rules relevant to a term.

    Args:
        rules: the whole rulebook in reading order.
        term: the term; in the profile `designqa`, `A/B` gives synonyms.
        synonyms: further words for it.
        profile: `designqa`: case-insensitive substrings, each synonym handled alone and appended, then
            descendants, then every number mentioned, whether it is there or not. `strict`: whole words, all
            synonyms as one query, then descendants, then references that resolve; in reading order without
            repeats.
        parts: letters of the parts to search; all of them if none is given. References may lead outside.
    """
    inside = [rule for rule in rules if not parts or split_id(rule.id)[0] in parts]
    names = [name.strip() for name in [*term.split("/"), *synonyms] if name.strip()]
    if profile == "designqa":
        return [rule_id for name in names for rule_id in _designqa(inside, name)]
    return _strict(rules, inside, names)


def _designqa(rules: Sequence[Rule], name: str) -> list[str]:
    numbered = [rule for rule in rules if rule.kind != "part" and rule.occurrence == 1]
    texts = {rule.id: f"{rule.title}\n{rule.text}" for rule in numbered}
    said = [rule_id for rule_id, text in texts.items() if _contains(text, name)]
    below = [rule_id for parent in said for rule_id in texts if rule_id.startswith(f"{parent}.")]
    chosen = [*dict.fromkeys([*said, *below])]
    mentioned = [number for rule_id in chosen for number in _MENTION.findall(texts[rule_id])]
    return [*dict.fromkeys([*chosen, *mentioned])]


def _contains(text: str, name: str) -> bool:
    return " ".join(name.lower().split()) in " ".join(text.lower().split())


def _strict(rules: Sequence[Rule], inside: Sequence[Rule], names: Iterable[str]) -> list[str]:
    pattern = mention_pattern(names)
    said = {rule.id for rule in inside if rule.kind != "part" and pattern.search(f"{rule.title}\n{rule.text}")}
    parents = {rule.id: rule.parent for rule in rules}
    chosen = set(said)
    for rule in inside:
        above = rule.parent
        while above is not None:
            if above in said:
                chosen.add(rule.id)
                break
            above = parents.get(above)
    ids = {rule.id for rule in rules if rule.kind != "part"}
    mentioned = {
        target
        for rule in rules
        if rule.id in chosen
        for ref in rule.references
        if ref.resolved
        for target in (_rule_of(name, ids) for name in ref.ids)
        if target
    }
    order = {rule.id: rule.order for rule in reversed(rules)}
    return sorted(chosen | mentioned, key=lambda rule_id: order[rule_id])


def _rule_of(name: str, ids: set[str]) -> str:
    """The rule that an id or an item's address belongs to."""
    while name and name not in ids:
        name = re.sub(r"[.#]?[^.#]*$", "", name)
    return name
