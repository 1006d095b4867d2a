"""The `robust` profile: the paper's metrics on replies that are read soundly."""

from collections.abc import Callable

from dqgen.errors import ScoreError
from dqgen.schemas.question import Question
from dqgen.scorer.item import ItemScore
from dqgen.scorer.metrics import METRICS, Judgement, yes_no_truth
from dqgen.scorer.overlap import bleu2, rouge_l
from dqgen.scorer.replies.reply import Reply, read_reply

_NO_ANSWER = {"empty": "blank reply", "missing": "no reply"}


def score_item(question: Question, raw: str | None) -> ItemScore:
    """Score one reply.

    Args:
        question: with its truth.
        raw: the reply; None where there is none.

    Raises:
        ScoreError: the question has no truth, or one that its sort of answer cannot have.
    """
    if question.answer is None:
        raise ScoreError("the question has no truth", where=f"question {question.id}", mend="give the key file")
    chosen = METRICS[question.answer_type]
    reply = read_reply(raw) if raw is not None else Reply("", (), "", "")
    judged = _judge(question, raw, reply)
    explained = question.explanation is not None and question.explanation.strip() != ""
    explanation = reply.explanation if explained and judged.status != "refused" else ""
    return ItemScore(
        id=question.id,
        subset=question.subset,
        kind=question.kind,
        metric=chosen.name,
        score=judged.score,
        status=judged.status,
        read=judged.read,
        why=judged.why,
        hedged=judged.hedged,
        truth=yes_no_truth(question) if question.answer_type == "yes_no" else "",
        explanation=explanation if explained else None,
        bleu2=_compare(bleu2, question, explanation) if explained else None,
        rouge_l=_compare(rouge_l, question, explanation) if explained else None,
        cluster=question.cluster or question.id,
        tags=question.tags,
    )


def _judge(question: Question, raw: str | None, reply: Reply) -> Judgement:
    if raw is None:
        return Judgement(0.0, "", _NO_ANSWER["missing"], "missing")
    if reply.open_reasoning and not reply.text:
        return Judgement(0.0, "", "breaks off while reasoning", "unparsed")
    if reply.mark != "JSON" and not any(char.isalnum() or char in "✓✔✅☑✗✘❌✖" for char in reply.text):
        return Judgement(0.0, "", _NO_ANSWER["empty"], "empty")
    return METRICS[question.answer_type].judge(question, reply)


def _compare(score: Callable[[str, str], float], question: Question, explanation: str) -> float:
    return score(question.explanation or "", explanation) if explanation.strip() else 0.0
