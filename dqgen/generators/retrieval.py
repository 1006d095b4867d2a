"""Retrieval: the words of a rule by its number."""

import html
import re
from collections import Counter
from functools import lru_cache

from dqgen.generators.draft import Draft, Generator, ProvedQuestion, Task
from dqgen.generators.prompts import fill
from dqgen.generators.rule_choice import chosen_rules, letters, wording
from dqgen.generators.sources import Sources
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Rule
from dqgen.schemas.spec import Spec

KIND = "retrieval"
SHORTEST = 40  # characters of title and text; shorter ones are hardly more than a name
RULES_A_TASK = 50
_CAPTION = re.compile(r"^(?:table|figure|fig)\b", re.IGNORECASE)


def plan(spec: Spec, sources: Sources) -> list[Task]:
    """Tasks of some rules each."""
    rules = asked(sources)
    tasks = []
    for start in range(0, len(rules), RULES_A_TASK):
        ids = [rule.id for rule in rules[start : start + RULES_A_TASK]]
        tasks.append(
            Task(KIND, f"{ids[0]} to {ids[-1]}", {"rules": ids}, ("rulebook",), len(ids), seconds=0.01 * len(ids))
        )
    return tasks


def asked(sources: Sources) -> list[Rule]:
    """Rules that become questions."""
    return [rule for rule in chosen_rules(sources) if len(wording(rule)) >= SHORTEST]


def run(task: Task, spec: Spec, sources: Sources) -> list[Draft]:
    """A question a rule."""
    drafts = []
    for rule_id in task.inputs["rules"]:
        rule = sources.rules[rule_id]
        drafts.append(
            Draft(
                kind=KIND,
                key=f"{KIND}/{rule.id}",
                prompt=fill(KIND, spec, rule=rule.id),
                answer=wording(rule),
                tags={"rule": rule.id, "section": split_id(rule.id)[0]},
                proof={
                    "method": "page words" if rule.spans else "source text",
                    "rule": rule.id,
                    "printed": rule.printed,
                    "spans": [span.model_dump(mode="json") for span in rule.spans],
                },
                needs=(rule.id,),
            )
        )
    return drafts


def prove(question: ProvedQuestion, spec: Spec, sources: Sources) -> str | None:
    """The answer read again: the words inside the rule's boxes on the page, or the source's own text.

    What else stands in the boxes may be notes, captions and labels of figures, which are no text of the rule: whole
    lines of the page, never words of a line.
    """
    answer, proof = str(question.answer), question.proof
    if question.tags.get("rule") != proof["rule"]:
        return f"the proof is of rule {proof['rule']}"
    if proof["method"] == "source text":
        return None if _in_source(answer, proof["printed"], sources.rulebook_text) else "not in the source as it stands"
    lines = [line for span in proof["spans"] for line in _lines(sources, span["page"], span["box"])]
    truth = letters(proof["printed"] + answer)
    page = letters("".join(lines))
    if truth == page or Counter(truth) == Counter(page):
        return None
    notes = letters("".join(sources.rules[proof["rule"]].notes)) if proof["rule"] in sources.rules else ""
    kept = [line for line in lines if not _CAPTION.match(line) and letters(line) not in notes]
    if Counter(truth) == Counter(letters("".join(kept))):
        return None
    rest = Counter(letters("".join(kept)))
    rest.subtract(Counter(truth))
    lacking, spare = sum(-n for n in rest.values() if n < 0), sum(n for n in rest.values() if n > 0)
    return f"{lacking} letters are not on the page, {spare} of the page are not in the answer"


def _lines(sources: Sources, page: int, box: list[float]) -> list[str]:
    """Words with their middle in a box (points), line by line as the page has them."""
    x0, y0, x1, y1 = box
    lines: list[str] = []
    last: float | None = None
    for (a, b, c, d), word in sources.page_words.get(page, []):
        if x0 - 1 <= (a + c) / 2 <= x1 + 1 and y0 - 0.5 <= (b + d) / 2 <= y1 + 0.5:
            if last is None or abs(d - last) > 0.4 * (d - b):
                lines.append(word)
            else:
                lines[-1] += f" {word}"
            last = d
    return lines


def _in_source(answer: str, printed: str, text: str) -> bool:
    """Whether the lines of an answer follow the rule's number in a source, each as it stands and in order."""
    plain = _source_letters(text)
    number, wanted = letters(printed), [letters(line) for line in answer.splitlines() if letters(line)]
    at = plain.find(number)
    while at >= 0:
        place, end = at + len(number), at + len(number) + 4 * sum(map(len, wanted)) + 200
        for line in wanted:
            found = plain.find(line, place, end)
            if found < 0:
                break
            place = found + len(line)
        else:
            return True
        at = plain.find(number, at + 1)
    return False


@lru_cache(maxsize=2)
def _source_letters(text: str) -> str:
    """Letters and figures of a source without tags, targets of links and entities."""
    return letters(html.unescape(re.sub(r"<[a-zA-Z/!][^<>]*>|(?<=\])\([^()\s]*\)|\[\[[^\]|]*\|", " ", text)))


GENERATOR = Generator(KIND, 1, plan, run, prove, proves_at_once=True)
