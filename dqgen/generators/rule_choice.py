"""Which rules questions are asked about, and what their words are."""

from collections import Counter
from collections.abc import Iterable

from dqgen.generators.sources import Sources
from dqgen.rulebook.profile import BUILT_IN
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Spec

RUNS_ON = (".", ":", "–", "—", "-", ",", ";", "”", '"')
"""What follows a title that is the first words of the rule's text, and not a line of its own above it."""


def sections(spec: Spec) -> tuple[str, ...]:
    """The parts or rules that are asked about; empty for all. The profile's own if the spec names none."""
    profile = BUILT_IN.get(spec.rulebook.profile)
    return spec.rulebook.sections or (tuple(profile.parts) if profile else ())


def within(rule_id: str, names: Iterable[str]) -> bool:
    """Whether a rule is one of those named, stands below one, or belongs to a part so called."""
    part = split_id(rule_id)[0]
    return any(rule_id == name or part == name or rule_id.startswith(f"{name}.") for name in names)


def chosen_rules(sources: Sources) -> list[Rule]:
    """Rules of the sections asked about, in reading order; numbers that are used twice say nothing and are left out."""
    spec = sources.spec
    wanted, unwanted = sections(spec), spec.rulebook.without
    times = Counter(rule.id for rule in sources.rulebook.rules if rule.kind != "part")
    return [
        rule
        for rule in sources.rulebook.rules
        if rule.kind != "part"
        and times[rule.id] == 1
        and (not wanted or within(rule.id, wanted))
        and not within(rule.id, unwanted)
    ]


def wording(rule: Rule) -> str:
    """Title and text of a rule as they stand there; a title that opens the text is not said twice."""
    title, text = rule.title.strip(), rule.text.strip()
    if not title or not text:
        return title or text
    if text.splitlines()[0].strip() == title:
        return text
    plain, head = " ".join(text.split()), " ".join(title.split())
    rest = plain[len(head) :] if plain.startswith(head) else None
    if rest is not None and (not rest or rest.lstrip(" ").startswith(RUNS_ON) or title.endswith((".", ":"))):
        return text
    return f"{title}\n{text}"


def letters(text: str) -> str:
    """Letters and figures alone, whatever the case: what two extractions of one text must share."""
    return "".join(char for char in text.casefold() if char.isalnum())
