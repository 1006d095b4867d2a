"""The public DesignQA benchmark's own files.

CSVs that hold questions, truths and a model's replies together.
"""

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dqgen.errors import ScoreError, UsageError
from dqgen.schemas.question import KINDS, Question
from dqgen.scorer import designqa
from dqgen.scorer.replies.rules import find_ids
from dqgen.scorer.tables import Table, as_reply, column, read_table
from dqgen.scorer.text import printable

PREDICTION = (
    "model_prediction",
    "prediction",
    "response",
    "reply",
    "model_response",
    "model_answer",
    "output",
)
_TRUTH = ("ground_truth", "truth", "answer")
_TAGS = ("mentions", "dimension_type", "context")
_RULE = re.compile(r"\brule ([A-Z]{1,3}(?:\.\d+)+)\b")


@dataclass(frozen=True)
class Asked:
    """Questions with the replies that belong to them.

    Attributes:
        name, version: the benchmark's.
        questions: in file order; ids are unique.
        replies: by question id; absent where there is none, None where it is blank.
        subsets: every subset that the benchmark has, with or without replies.
        missing, duplicate, unknown: ids that did not fit.
        places: where a question or its reply stands, by id.
        notes: what was odd.
    """

    name: str
    version: str | None
    questions: list[Question]
    replies: dict[str, str | None]
    subsets: list[str]
    missing: list[str] = field(default_factory=list)
    duplicate: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    places: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)


def parse_assignments(pairs: Sequence[str]) -> list[tuple[str, Path]]:
    """`retrieval=FILE` and the like, checked.

    Raises:
        UsageError: the form is wrong, or the subset is none of the paper's.
    """
    found = []
    for pair in pairs:
        name, sign, path = pair.partition("=")
        name = {"functional_performance": "functional", "dimensions": "dimension"}.get(name, name)
        if not sign or not path:
            raise UsageError(
                f"'{pair}' is not SUBSET=FILE",
                where="--designqa",
                mend="write for example retrieval=answers.csv",
            )
        if name not in KINDS:
            raise UsageError(f"no subset '{name}'", where="--designqa", mend=f"choose from {', '.join(KINDS)}")
        if (name, Path(path)) in found:
            raise UsageError(f"'{pair}' is given twice", where="--designqa", mend="give each file once")
        found.append((name, Path(path)))
    return found


def read_designqa(files: Sequence[tuple[str, Path]]) -> Asked:
    """Read result files of the public benchmark.

    A subset may come in several files (the paper's dimension questions come in two); their rows count
    together.

    Args:
        files: subset and file.

    Raises:
        ScoreError: a file cannot be read or lacks a column that its subset needs.
    """
    questions: list[Question] = []
    replies: dict[str, str | None] = {}
    places: dict[str, str] = {}
    notes: list[str] = []
    counts: Counter[str] = Counter()
    order = list(KINDS)
    for subset, path in sorted(files, key=lambda pair: order.index(pair[0])):
        table = read_table(path)
        notes += table.notes
        if subset in ("definition", "presence") and "mentions" not in {c.strip().lower() for c in table.columns}:
            notes.append(f"{path.name} has no column 'mentions', without which the official scorer stops (KeyError)")
        prediction, truth = column(table, PREDICTION, "model's replies"), column(table, _TRUTH, "truth")
        for row, place in zip(table.rows, table.places, strict=True):
            counts[subset] += 1
            question = _question(subset, f"{subset}-{counts[subset]:04d}", row, truth, table, place)
            questions.append(question)
            replies[question.id] = as_reply(row[prediction])
            places[question.id] = f"{path.name}, {place}"
    return Asked("DesignQA", None, questions, replies, list(KINDS), places=places, notes=notes)


def _question(subset: str, ident: str, row: Mapping[str, Any], truth_column: str, table: Table, place: str) -> Question:
    where = f"{table.path}, {place}"
    truth = as_reply(row[truth_column])
    if truth is None or not truth.strip():
        raise ScoreError("no truth", where=where, mend="fill the ground_truth")
    named = {name.strip().lower(): name for name in table.columns}
    needed = {"dimension": ("dimension_type",), "functional": ("explanation",)}.get(subset, ())
    for name in needed:
        if name not in named:
            raise ScoreError(f"no column '{name}', which {subset} needs", where=str(table.path))

    def cell(name: str) -> str:
        return (as_reply(row[named[name]]) or "").strip() if name in named else ""

    prompt, image = cell("question"), cell("image")
    answer, synonyms = _truth(subset, truth, where)
    tags = {name: cell(name) for name in _TAGS if cell(name)}
    if subset == "dimension":
        tags.setdefault("context", "detailed" if "highlighted in" in prompt else "plain")
    rule = _RULE.search(prompt)
    if rule and subset == "retrieval":
        tags["rule"] = rule[1]
    explained = subset == "functional" or tags.get("dimension_type") == "direct"
    explanation = as_reply(row[named["explanation"]]) if "explanation" in named else None
    return Question(
        id=ident,
        kind=subset,
        subset=subset,
        answer_type=KINDS[subset],
        prompt=prompt,
        answer=answer,
        synonyms=synonyms,
        explanation=explanation if explained and not designqa.is_blank(explanation) else None,
        cluster=f"{subset}/{image}" if image else None,
        tags=tags,
    )


def _truth(subset: str, truth: str, where: str) -> tuple[str | list[str], list[str]]:
    if subset == "compilation":
        rules = designqa.rule_literal(truth)
        if rules is None:
            try:
                loaded = json.loads(truth)
                rules = [str(rule) for rule in loaded] if isinstance(loaded, list) else None
            except (ValueError, RecursionError):
                rules = None
        rules = rules if rules is not None else find_ids(truth)
        if not rules:
            raise ScoreError("the truth is no list of rule ids", where=where, mend="write it as ['T.1.2', 'T.1.3']")
        return rules, []
    if subset == "definition":
        first, *others = truth.split(";")
        return first, others
    if subset in ("presence", "dimension", "functional") and truth.strip().rstrip(".").lower() not in (
        "yes",
        "no",
    ):
        raise ScoreError(f"the truth '{printable(truth.strip()[:40])}' is neither yes nor no", where=where)
    return truth, []
