"""Naive baselines: what a model scores that has read nothing, by the paper's definitions."""

import csv
import io
import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dqgen.errors import ScoreError
from dqgen.schemas.baseline import BaselineReport, BaselineSubset
from dqgen.schemas.question import KINDS, Question
from dqgen.schemas.report import Profile
from dqgen.scorer.aggregate import by_subset, mean, score_all
from dqgen.scorer.benchmark import Asked, read_designqa
from dqgen.scorer.metrics import yes_no_truth
from dqgen.scorer.package import read_questions
from dqgen.scorer.replies.choice import letters
from dqgen.scorer.replies.rules import normal_id
from dqgen.scorer.run import write_whole
from dqgen.scorer.tables import as_reply, read_table

LISTED = 10
"""Rules in a naive compilation answer."""

_MOST_FILES = 2000
_TERM = re.compile(r"`([^`]+)`")
_RULE = re.compile(r"\brule ([A-Za-z]{1,4}(?:\.\d+)+)\b")


@dataclass(frozen=True)
class Pool:
    """What naive answers are drawn from.

    Attributes:
        rules: rule ids.
        texts: rule texts.
        words: the words of the document, in order.
    """

    rules: list[str]
    texts: list[str]
    words: list[str]


def naive_reply(question: Question, pool: Pool, others: Sequence[Question], draw: random.Random) -> str:
    """A naive answer to one question.

    Text: the text of a random rule. Rules: ten random rule ids. Name: two consecutive random words of the
    document.
    Yes or no, and choice: at random. Number: the truth of a random question of the same unit.

    Args:
        question: what is asked.
        pool: what to draw from.
        others: all questions of its subset.
        draw: source of randomness.

    Raises:
        ScoreError: there is nothing to draw from.

    Source: DesignQA (Doris et al. 2024), its naive baselines; choice and number are our own.
    """
    match question.answer_type:
        case "text":
            return draw.choice(_some(pool.texts, "rule text", question))
        case "rules":
            rules = _some(pool.rules, "rule id", question)
            return ", ".join(draw.sample(rules, min(LISTED, len(rules))))
        case "name":
            words = _some(pool.words, "word of the document", question)
            at = draw.randrange(max(1, len(words) - 1))
            return " ".join(words[at : at + 2])
        case "yes_no":
            said = draw.choice(("yes", "no"))
            return f"Answer: {said}" if question.kind in ("dimension", "functional") else said
        case "choice":
            return draw.choice(letters(max(1, len(question.options))))
        case "number":
            alike = [other for other in others if other.unit == question.unit]
            return f"{draw.choice(alike).answer} {question.unit or ''}".strip()


def _some(values: list[str], what: str, question: Question) -> list[str]:
    if not values:
        raise ScoreError(
            f"no {what} to draw a naive answer from",
            where=f"question {question.id}",
            mend="give --rules FILE",
        )
    return values


def run_baseline(
    asked: Asked, pool: Pool, profile: Profile, repeats: int = 20, seed: int = 0
) -> tuple[BaselineReport, dict[str, str]]:
    """Score naive answers, several times over.

    Args:
        asked: questions; their replies are not read.
        pool: what to draw from.
        profile: by which answers are scored.
        repeats: how many times.
        seed: of the randomness.

    Returns:
        The report, and the answers of the first repeat by question id.
    """
    groups: dict[str, list[Question]] = {}
    for question in asked.questions:
        groups.setdefault(question.subset, []).append(question)
    scores: dict[str, list[float]] = {subset: [] for subset in groups}
    first: dict[str, str] = {}
    for repeat in range(repeats):
        draw = random.Random(f"{seed}/{repeat}")
        replies: dict[str, str | None] = {q.id: naive_reply(q, pool, groups[q.subset], draw) for q in asked.questions}
        if not first:
            first = {ident: reply for ident, reply in replies.items() if reply is not None}
        for subset, items in by_subset(score_all(replace(asked, replies=replies), profile)).items():
            scores[subset].append(mean([item.score for item in items]))
    subsets = {name: _spread(found, len(groups[name])) for name, found in scores.items()}
    overall = [mean([scores[name][repeat] for name in scores]) for repeat in range(repeats)]
    return (
        BaselineReport(
            profile=profile,
            benchmark=asked.name,
            repeats=repeats,
            seed=seed,
            subsets=subsets,
            overall=_spread(overall, len(asked.questions)),
            notes=list(asked.notes),
        ),
        first,
    )


def _spread(scores: Sequence[float], n: int) -> BaselineSubset:
    centre = mean(scores)
    spread = (
        (mean([(s - centre) ** 2 for s in scores]) * len(scores) / (len(scores) - 1)) ** 0.5 if len(scores) > 1 else 0.0
    )
    return BaselineSubset(n=n, mean=centre, sd=spread, lowest=min(scores), highest=max(scores))


def read_designqa_data(folder: Path) -> Asked:
    """Questions with truths from a folder of the public benchmark's files, searched to any depth.

    A CSV belongs to the subset that its name holds and needs a column `ground_truth`; replies in it are
    ignored. The same question in several files counts once.

    Raises:
        ScoreError: the folder holds no such file.
    """
    found: dict[str, dict[tuple[str, str], Question]] = {kind: {} for kind in KINDS}
    for path in _csvs(folder):
        kind = _kind_of(path.name)
        if kind is None:
            continue
        for question in _truths(kind, path):
            found[kind].setdefault(_key(question), question)
    questions = [
        question.model_copy(update={"id": f"{kind}-{number:04d}"})
        for kind, group in found.items()
        for number, question in enumerate(group.values(), 1)
    ]
    if not questions:
        raise ScoreError(
            "no file with questions and a ground_truth",
            where=str(folder),
            mend="give the DesignQA data folder",
        )
    return Asked("DesignQA", None, questions, {}, list(KINDS))


def _csvs(folder: Path) -> list[Path]:
    if not Path(folder).is_dir():
        raise ScoreError("no such folder", where=str(folder))
    paths = sorted(Path(folder).rglob("*.csv"))
    if len(paths) > _MOST_FILES:
        raise ScoreError(f"more than {_MOST_FILES} CSV files", where=str(folder), mend="give the data's own folder")
    return paths


def _kind_of(name: str) -> str | None:
    name = name.lower()
    # functional first: the public files are called dimension_functional_performance_…
    return next(
        (k for k in ("functional", "retrieval", "compilation", "definition", "presence", "dimension") if k in name),
        None,
    )


def _truths(kind: str, path: Path) -> list[Question]:
    table = read_table(path)
    named = {name.strip().lower(): name for name in table.columns}
    if "ground_truth" not in named or (kind == "dimension" and "dimension_type" not in named):
        return []
    lines = []
    for row in table.rows:
        values = {name: as_reply(row[column]) or "" for name, column in named.items()}
        if not values["ground_truth"].strip():
            return []
        if "question" not in values:
            values["question"] = f"rule {values['rule']}" if "rule" in values else f"`{values.get('term', '')}`"
        values.setdefault("explanation", "")
        values["model_prediction"] = ""
        lines.append(json.dumps(values))
    return _as_questions(kind, lines)


def _as_questions(kind: str, lines: list[str]) -> list[Question]:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        path.write_text("\n".join(lines), encoding="utf-8")
        return read_designqa([(kind, path)]).questions


def _key(question: Question) -> tuple[str, str]:
    rule, term = _RULE.search(question.prompt), _TERM.search(question.prompt)
    if question.kind == "retrieval" and rule:
        return rule[1], ""
    if question.kind == "compilation" and term:
        return term[1], ""
    return question.prompt, question.cluster or ""


def designqa_pool(folder: Path, asked: Asked) -> Pool:
    """What to draw from where only the public benchmark's data is there: its rule numbers, and its rules'
    texts.

    Rule ids come from a CSV with a column `rule_num`; texts and words from the retrieval truths.
    """
    rules: dict[str, None] = {}
    for path in _csvs(folder):
        table = read_table(path)
        if "rule_num" in table.columns:
            rules.update(dict.fromkeys(str(row["rule_num"]).strip() for row in table.rows if row["rule_num"]))
    return _pool_of(list(rules), asked.questions)


def package_pool(questions: Sequence[Question]) -> Pool:
    """What to draw from where only a package is there: the rules that its questions name and quote."""
    return _pool_of([], questions)


def _pool_of(rules: list[str], questions: Sequence[Question]) -> Pool:
    texts = [str(question.answer) for question in questions if question.answer_type == "text"]
    if not rules:
        named = [question.tags.get("rule", "") for question in questions]
        listed = [rule for question in questions if isinstance(question.answer, list) for rule in question.answer]
        rules = [rule for rule in dict.fromkeys([*named, *map(normal_id, listed)]) if rule]
    return Pool(rules, texts, " ".join(texts).split())


def pool_from_rules(path: Path) -> Pool:
    """What to draw from a rule table, as `dqgen rulebook parse` writes it: rows with `id` and `text`."""
    table = read_table(path)
    rows = [(str(row.get("id") or ""), str(row.get("text") or "")) for row in table.rows]
    rules = [ident for ident, _ in rows if "." in ident]
    texts = [text for ident, text in rows if text.strip() and "." in ident]
    return Pool(list(dict.fromkeys(rules)), texts, " ".join(text for _, text in rows).split())


def with_document(pool: Pool, path: Path) -> Pool:
    """The pool with the words of a text file in place of its own."""
    try:
        words = Path(path).read_text(encoding="utf-8", errors="replace").split()
    except OSError as error:
        raise ScoreError(f"cannot be read ({error.strerror})", where=str(path)) from None
    if len(words) < 2:
        raise ScoreError("fewer than two words", where=str(path))
    return replace(pool, words=words)


def package_questions(folder: Path, key: Path | None) -> Asked:
    """A package's questions, without replies."""
    manifest, questions = read_questions(folder, key)
    subsets = list(dict.fromkeys(question.subset for question in questions))
    return Asked(manifest.name, manifest.version, questions, {}, subsets)


def write_replies(path: Path, asked: Asked, replies: Mapping[str, str]) -> None:
    """Write replies where `dqgen score` reads them: JSONL for a package, a folder of CSVs for the public
    benchmark.

    Raises:
        ScoreError: a file cannot be written.
    """
    if asked.name != "DesignQA":
        rows = [{"id": q.id, "prediction": replies[q.id]} for q in asked.questions]
        write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())
        return
    try:
        Path(path).mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ScoreError(f"cannot be made ({error.strerror})", where=str(path)) from None
    groups: dict[str, list[Question]] = {}
    for question in asked.questions:
        groups.setdefault(question.subset, []).append(question)
    for subset, questions in groups.items():
        stream = io.StringIO(newline="")
        names = [
            "question",
            "ground_truth",
            "image",
            "mentions",
            "dimension_type",
            "explanation",
            "model_prediction",
        ]
        writer = csv.writer(stream)
        writer.writerow(names)
        for q in questions:
            image = (q.cluster or "").partition("/")[2]
            tags = [q.tags.get(tag, "") for tag in ("mentions", "dimension_type")]
            writer.writerow([q.prompt, _written(q), image, *tags, q.explanation or "", replies[q.id]])
        write_whole(Path(path) / f"{subset}.csv", stream.getvalue().encode())


def _written(question: Question) -> str:
    if question.answer_type == "rules":
        return str(question.answer)
    if question.answer_type == "name":
        return ";".join(question.truths)
    return yes_no_truth(question) if question.answer_type == "yes_no" else str(question.answer)
