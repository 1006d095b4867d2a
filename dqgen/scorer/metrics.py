"""The metrics of the `robust` profile: one for each sort of answer, in a small registry."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dqgen.errors import ScoreError
from dqgen.schemas.question import Question
from dqgen.schemas.report import Status
from dqgen.scorer.overlap import token_f1
from dqgen.scorer.replies.choice import letters, read_choice
from dqgen.scorer.replies.quantity import read_number
from dqgen.scorer.replies.reply import Reply
from dqgen.scorer.replies.rules import normal_id, read_rules
from dqgen.scorer.replies.verdict import read_verdict
from dqgen.scorer.replies.wording import is_refusal, read_name, read_passage
from dqgen.scorer.text import characters, words


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a metric makes of a reply: a score in [0, 1] and what it read; an unread reply scores 0."""

    score: float
    read: str
    why: str
    status: Status = "answered"
    hedged: bool = False


Judge = Callable[[Question, Reply], Judgement]


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its name, the sort of answer it scores, and the function that does."""

    name: str
    answer_type: str
    judge: Judge


METRICS: dict[str, Metric] = {}
"""The metric of each sort of answer."""


def metric(name: str, answer_type: str) -> Callable[[Judge], Judge]:
    """Register a function as the metric of a sort of answer.

    Raises:
        ValueError: the name or the sort of answer is taken.
    """

    def register(judge: Judge) -> Judge:
        if answer_type in METRICS or name in {known.name for known in METRICS.values()}:
            raise ValueError(f"metric '{name}' for '{answer_type}' is registered already")
        METRICS[answer_type] = Metric(name, answer_type, judge)
        return judge

    return register


def _unread(reply: Reply, why: str) -> Judgement:
    if is_refusal(reply):
        return Judgement(0.0, "", "declines to answer", "refused")
    return Judgement(0.0, "", why, "unparsed")


def best_f1(prediction: str, truths: Sequence[str], cut: Callable[[str], Sequence[str]] = words) -> float:
    """The highest token F1 of a prediction over several truths, so that a synonym never lowers a score.

    Args:
        prediction: the answer.
        truths: the right answers; at least one.
        cut: cuts a text into tokens: `words` or `characters`.
    """
    tokens = cut(prediction)
    return max(token_f1(tokens, cut(truth)) for truth in truths)


def numeric_accuracy(
    value: float, truth: float, tolerance: float | None = None, relative_tolerance: float | None = None
) -> float:
    """1 where |value − truth| ≤ max(tolerance, relative tolerance · |truth|), 0 otherwise.

    Without either tolerance the two must agree to a relative 1e-6, which forgives rounding of decimals alone.

    Args:
        value, truth: in the same unit.
        tolerance: absolute, in that unit.
        relative_tolerance: as a share of the truth.
    """
    if not (math.isfinite(value) and math.isfinite(truth)):
        return 0.0
    if tolerance is None and relative_tolerance is None:
        relative_tolerance = 1e-6
    margin = max(tolerance or 0.0, (relative_tolerance or 0.0) * abs(truth))
    # A limit that decimals cannot hold exactly (25.1 − 25 > 0.1) is still within.
    return float(abs(value - truth) <= margin + 1e-12 * max(abs(truth), abs(value), 1e-300))


@metric("word_f1", "text")
def judge_text(question: Question, reply: Reply) -> Judgement:
    """Token F1 on bags of words, best over synonyms."""
    if is_refusal(reply):
        return _unread(reply, "")
    passage, how = read_passage(reply, question.tags.get("rule", ""))
    if not words(passage):
        return Judgement(0.0, "", "no words", "unparsed")
    return Judgement(best_f1(passage, question.truths), passage, how)


@metric("character_f1", "name")
def judge_name(question: Question, reply: Reply) -> Judgement:
    """Token F1 on bags of characters, best over synonyms."""
    if is_refusal(reply):
        return _unread(reply, "")
    name, how = read_name(reply)
    if name is None or not characters(name):
        return Judgement(0.0, "", how if name is None else "no words", "unparsed")
    return Judgement(best_f1(name, question.truths, characters), name, how)


@metric("rule_f1", "rules")
def judge_rules(question: Question, reply: Reply) -> Judgement:
    """Token F1 on sets of rule ids in normal form."""
    truth = rule_list(question)
    listed, how = read_rules(reply, truth)
    if listed is None:
        return _unread(reply, how)
    return Judgement(token_f1(listed, list(dict.fromkeys(map(normal_id, truth)))), ", ".join(listed), how)


def rule_list(question: Question) -> list[str]:
    """The true rule ids of a question.

    Raises:
        ScoreError: the truth is not a list.
    """
    if not isinstance(question.answer, list):
        raise ScoreError("the truth is not a list of rule ids", where=f"question {question.id}")
    return question.answer


@metric("yes_no_accuracy", "yes_no")
def judge_yes_no(question: Question, reply: Reply) -> Judgement:
    """1 where the reply says the true one of yes and no."""
    verdict = read_verdict(reply, question.prompt)
    if verdict.value is None:
        return _unread(reply, verdict.why)
    return Judgement(float(verdict.value == yes_no_truth(question)), verdict.value, verdict.why, hedged=verdict.hedged)


def yes_no_truth(question: Question) -> str:
    """The true yes or no of a question.

    Raises:
        ScoreError: the truth is neither.
    """
    truth = str(question.answer).strip().rstrip(".").lower()
    if truth not in ("yes", "no"):
        raise ScoreError(f"the truth '{truth[:40]}' is neither yes nor no", where=f"question {question.id}")
    return truth


@metric("choice_accuracy", "choice")
def judge_choice(question: Question, reply: Reply) -> Judgement:
    """1 where the reply picks the true option."""
    known, truth = letters(len(question.options)), str(question.answer).strip().upper()
    if len(known) < 2 or truth not in known:
        raise ScoreError(f"the truth '{truth[:40]}' is none of its options' letters", where=f"question {question.id}")
    letter, how = read_choice(reply, question.options)
    if letter is None:
        return _unread(reply, how)
    return Judgement(float(letter == truth), letter, how)


@metric("numeric_accuracy", "number")
def judge_number(question: Question, reply: Reply) -> Judgement:
    """1 where the reply's value, in the question's unit, lies within the tolerance."""
    try:
        truth = float(question.answer)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        raise ScoreError(
            f"the truth '{str(question.answer)[:40]}' is no number", where=f"question {question.id}"
        ) from None
    value, how = read_number(reply, question.unit)
    if value is None:
        wrong_kind = how.startswith("a number in a unit of another kind")
        return Judgement(0.0, "", how) if wrong_kind else _unread(reply, how)
    score = numeric_accuracy(value, truth, question.tolerance, question.relative_tolerance)
    return Judgement(score, f"{value:g}{' ' + question.unit if question.unit else ''}", how)
