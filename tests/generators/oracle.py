"""Answers from what proves them alone: a question's proof, its picture's evidence and the sources, never its answer."""

import re
from collections.abc import Mapping
from typing import Any

from dqgen.generators import studio
from dqgen.generators.functional import plan as functional_tasks
from dqgen.generators.limits import limit_of
from dqgen.generators.retrieval import _lines
from dqgen.generators.sources import Sources
from dqgen.rulebook.compilation import rules_about
from dqgen.schemas.spec import Limit

FURNITURE = re.compile(r"^(?:Table|Figure) \d+:")
NOTE = re.compile(r"^Note:")


def prediction(kind: str, proof: Mapping[str, Any], evidence: Mapping[str, Any] | None, sources: Sources) -> str:
    """What someone would reply who knows how the question was made."""
    match kind:
        case "retrieval":
            return _read_again(proof, sources)
        case "compilation":
            return ", ".join(rules_about(sources.rulebook.rules, proof["term"], profile=proof["profile"]))
        case "definition":
            assert evidence is not None
            return _named(proof["design"], evidence, sources)
        case "presence":
            return "yes" if proof["pixels"] >= proof["floor"] else "no"
        case "dimension":
            return _judged(Limit.model_validate(proof["limit"]).keeps(proof["value"]))
        case "functional":
            task = next(task for task in functional_tasks(sources.spec, sources) if task.key == proof["task"])
            check = sources.spec.functional[int(task.place[1])]
            limit = limit_of(check, sources, check.unit)
            return _judged(all(limit.keeps(value) for value in proof["values"]))
    raise ValueError(kind)


def _judged(complies: bool) -> str:
    return f"Explanation: by what was drawn.\nAnswer: {'yes' if complies else 'no'}"


def _read_again(proof: Mapping[str, Any], sources: Sources) -> str:
    """The words in a rule's boxes on its pages, without its number, captions and notes."""
    lines = [line for span in proof["spans"] for line in _lines(sources, span["page"], span["box"])]
    kept: list[str] = []
    for line in lines:
        if NOTE.match(line):
            break
        if not FURNITURE.match(line):
            kept.append(line)
    return " ".join(kept).removeprefix(proof["printed"]).strip()


def _named(design: str, evidence: Mapping[str, Any], sources: Sources) -> str:
    """The component whose occurrences are those that are highlighted."""
    lit = {one["path"] for one in evidence["occurrences"] if one["state"] == "highlighted"}
    place, source = studio.studio(sources.design(design)), sources.design_source(design)
    for component in source.components:
        rows = studio.component_rows(place, component.pattern, source, component.name)
        if {place.leaves[row].path for row in rows} == lit:
            return component.name
    raise ValueError("nothing known is highlighted")
