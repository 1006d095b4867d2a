"""Compilation: all rules that bear on a term."""

import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import Literal

from dqgen.errors import SpecError
from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.prompts import fill
from dqgen.generators.rule_choice import sections, within
from dqgen.generators.sources import Sources
from dqgen.generators.term_choice import choose_terms
from dqgen.rulebook.compilation import rules_about
from dqgen.rulebook.nouns import HYPHENS, plural, singular
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Spec

KIND = "compilation"
_HYPHEN = re.compile(rf"(?<=\w)[{HYPHENS}]\s?(?=\w)")
_WORD = re.compile(r"\w+|[^\w\s]")


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """A task a term: those of the spec, then those chosen."""
    given = spec.terms.terms
    chosen = choose_terms(sources, spec.terms.auto, [*given])
    return [
        Task(
            KIND,
            term,
            {"term": term, "profile": spec.terms.profile},
            ("terms", "list", at) if at < len(given) else ("terms",),
            seconds=0.1,
        )
        for at, term in enumerate([*given, *chosen])
    ]


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """One question.

    Raises:
        SpecError: no rule mentions the term.
    """
    term, profile = task.inputs["term"], task.inputs["profile"]
    answer = truth(sources, term, profile)
    if not answer:
        raise SpecError(f"no rule mentions '{term}'", mend="take it out, or write it as the rulebook does")
    return [
        Draft(
            kind=KIND,
            key=f"{KIND}/{term}",
            prompt=fill(KIND, spec, term=term),
            answer=answer,
            tags={"term": term, "length": _length(len(answer))},
            proof={"method": "scan", "term": term, "profile": profile},
            terms=tuple(term.split("/")),
        )
    ]


def truth(sources: Sources, term: str, profile: Literal["strict", "designqa"]) -> list[str]:
    """Rules that bear on a term; strict ones of the sections asked about, with what these refer to."""
    spec = sources.spec
    wanted, unwanted = sections(spec), spec.rulebook.without
    rules = [rule for rule in sources.rulebook.rules if not within(rule.id, unwanted)]
    parts = [split_id(rule.id)[0] for rule in rules if wanted and within(rule.id, wanted)]
    return rules_about(rules, term, profile=profile, parts=[*dict.fromkeys(parts)])


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """The list made again by a plain scan: words compared one by one, families climbed upwards, numbers looked up."""
    unwanted, wanted = spec.rulebook.without, sections(spec)
    rules = [rule for rule in sources.rulebook.rules if rule.kind != "part" and not within(rule.id, unwanted)]
    inside = [rule for rule in rules if not wanted or within(rule.id, {split_id(name)[0] for name in wanted})]
    names = [name for name in question.proof["term"].split("/") if name.strip()]
    if question.proof["profile"] == "designqa":
        found = _substrings(inside, names)
    else:
        found = _whole_words(rules, inside, names)
    answer = question.answer if isinstance(question.answer, list) else [str(question.answer)]
    lacking, spare = set(found) - set(answer), set(answer) - set(found)
    if lacking or spare:
        return f"lacks {sorted(lacking)[:5]}, has {sorted(spare)[:5]} too many".replace("lacks [], ", "")
    return None


def _substrings(inside: Sequence[Rule], names: Sequence[str]) -> list[str]:
    texts = {rule.id: " ".join(f"{rule.title} {rule.text}".split()) for rule in inside if rule.occurrence == 1}
    found: list[str] = []
    for name in names:
        needle = " ".join(name.split()).casefold()
        own = {rule_id for rule_id, text in texts.items() if needle in text.casefold()}
        family = {rule_id for rule_id in texts if own & _above(rule_id)} | own
        said = {number for rule_id in family for number in _dotted(texts[rule_id])}
        found += [*family, *said]
    return found


def _dotted(text: str) -> list[str]:
    """Numbers of a letter or two and two or three levels, cut from longer ones as the paper's script cuts them."""
    found = []
    for match in re.finditer(r"(?<!\w)([A-Z]{1,2})((?:\.\d+)+)", text):
        levels = match[2].split(".")[1:]
        if len(levels) >= 2:
            found.append(".".join([match[1], *levels[:3]]))
    return found


def _above(rule_id: str) -> set[str]:
    steps = rule_id.split(".")
    return {".".join(steps[:count]) for count in range(1, len(steps))}


def _whole_words(rules: Sequence[Rule], inside: Sequence[Rule], names: Sequence[str]) -> list[str]:
    parents = {rule.id: rule.parent for rule in rules}
    own = {rule.id for rule in inside if any(_says(f"{rule.title}\n{rule.text}", name) for name in names)}
    family = set(own)
    for rule in inside:
        above = parents.get(rule.id)
        while above and above not in own:
            above = parents.get(above)
        if above:
            family.add(rule.id)
    texts: dict[str, list[Rule]] = defaultdict(list)
    for rule in rules:
        texts[rule.id].append(rule)
    said = set()
    for rule_id in family:
        for rule in texts[rule_id]:
            for ref in rule.references:
                if ref.resolved and rule.text[ref.start : ref.end].split() == ref.text.split():
                    said |= {_owner(name, texts.keys()) for name in ref.ids}
    return [*family, *(said - {""})]


def _owner(name: str, ids: Collection[str]) -> str:
    while name and name not in ids:
        cut = max(name.rfind("."), name.rfind("#"))
        name = name[:cut] if cut >= 0 else ""
    return name


def _says(text: str, name: str) -> bool:
    said, wanted = (_WORD.findall(_HYPHEN.sub(" ", words.casefold())) for words in (text, name))
    if not wanted:
        return False
    *first, last = wanted
    ends = {last, singular(last), plural(singular(last))}
    return any(
        said[at : at + len(first)] == first and said[at + len(first)] in ends for at in range(len(said) - len(first))
    )


def _length(rules: int) -> str:
    return "up to 10" if rules <= 10 else "11 to 30" if rules <= 30 else "over 30"


GENERATOR = Generator(KIND, 2, plan, run, prove, proves_at_once=True)
