"""The `designqa` profile: the rules of the paper's own scorer, exactly, faults included.

Where that scorer stops with an error, the item says so in `stops` and scores 0; whoever reports decides what
to do.
Source: the public DesignQA repository (Doris et al. 2024), its metrics as of the published figures.
"""

import ast
import re

from dqgen.schemas.question import KINDS, Question
from dqgen.scorer.item import ItemScore
from dqgen.scorer.overlap import official_bleu2, official_f1, official_rouge_l
from dqgen.scorer.text import official_normal, official_words

_NAMES = {"text": "word_f1", "rules": "rule_f1", "name": "character_f1", "yes_no": "yes_no_accuracy"}

# What pandas' read_csv takes for a missing value; it then is no text, and the official scorer stops or slips.
PANDAS_BLANK = frozenset(
    ["", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>",
     "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null"]
)  # fmt: skip


def is_blank(raw: str | None) -> bool:
    """Whether the official scorer, through pandas, sees no reply here."""
    return raw is None or raw in PANDAS_BLANK


def score_item(question: Question, raw: str | None, before: list[str] | None = None) -> ItemScore:
    """Score one reply by the official rules.

    Args:
        question: with its truth; its kind is one of the paper's six.
        raw: the reply as the file has it; None for a blank.
        before: compilation only: the pieces of the row before, which the official scorer uses for a blank
            row.
    """
    if question.kind not in KINDS:
        return _item(question, 0.0, stops=f"the official scorer has no rule for the kind '{question.kind}'")
    if question.kind == "compilation":
        return _compilation(question, raw, before)
    if is_blank(raw):
        return _item(
            question,
            0.0,
            stops="a blank reply stops the official scorer (AttributeError: 'float' has no 'lower')",
        )
    assert raw is not None
    if question.kind == "retrieval":
        score = official_f1(official_words(raw), official_words(str(question.answer)))
        return _item(question, score, read=raw, why="whole reply")
    if question.kind == "definition":
        return _definition(question, raw)
    if question.kind == "presence":
        verdict = first_yes_no(raw)
        return _item(question, _agrees(question, verdict), read=verdict, why="first yes or no word")
    return _explained(question, raw)


def compilation_pieces(raw: str | None) -> list[str] | None:
    """A rule list cut at exactly comma and blank.

    None where the official scorer falls back on the row before.
    """
    return None if is_blank(raw) or raw is None else raw.split(", ")


def rule_literal(text: str) -> list[str] | None:
    """A truth that is a list literal; None if it is none."""
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
    return [str(rule) for rule in value] if isinstance(value, list | tuple) else None


def first_yes_no(text: str) -> str:
    """The first `yes` or `no` among the normalised words; empty if there is none."""
    return next((word for word in official_words(text) if word in ("yes", "no")), "")


def split_reply(raw: str) -> tuple[str, str]:
    """Answer and explanation as the official scorer cuts them.

    The last word with `explanation:` in it and the last with `answer:` are the marks; the answer is at most
    the three words after its mark.
    """
    words = raw.split()
    explanation_at = answer_at = None
    for index, word in enumerate(raw.lower().split()):
        if "explanation:" in word:
            explanation_at = index
        if "answer:" in word:
            answer_at = index
    explanation = " ".join(words[explanation_at + 1 : answer_at]) if explanation_at is not None else ""
    answer = " ".join(words[answer_at + 1 : answer_at + 4]) if answer_at is not None else ""
    return answer, explanation


def _compilation(question: Question, raw: str | None, before: list[str] | None) -> ItemScore:
    pieces = compilation_pieces(raw)
    why = "cut at ', '"
    if pieces is None:
        if before is None:
            return _item(question, 0.0, stops="a blank first row stops the official scorer (UnboundLocalError)")
        pieces, why = before, "blank: the row before counts again"
    truth = question.answer if isinstance(question.answer, list) else []
    return _item(question, official_f1(pieces, truth), read=", ".join(pieces), why=why)


def _definition(question: Question, raw: str) -> ItemScore:
    prediction = list(official_normal(raw).replace(" ", ""))
    # The official scorer leaves a lone truth as it is, so its capitals never match.
    truths = [official_normal(truth) for truth in question.truths] if question.synonyms else [str(question.answer)]
    score = max(official_f1(prediction, list(truth.replace(" ", ""))) for truth in truths)
    return _item(question, score, read=raw, why="whole reply")


def _explained(question: Question, raw: str) -> ItemScore:
    answer, explanation = split_reply(raw)
    verdict = first_yes_no(answer)
    score = _agrees(question, verdict)
    why = "first yes or no in three words after 'answer:'" if answer else "nothing after a word with 'answer:'"
    if question.kind == "dimension" and question.tags.get("dimension_type") != "direct":
        return _item(question, score, read=verdict, why=why)
    if explanation == "":
        return _item(question, score, verdict, why, explanation="", bleu=0.0, rouge=0.0)
    if question.explanation is None:
        return _item(question, 0.0, stops="a blank reference explanation stops the official scorer")
    try:
        rouge = official_rouge_l(question.explanation, explanation)
    except ValueError:
        return _item(question, 0.0, stops="an explanation of full stops alone stops the official scorer (ValueError)")
    bleu = official_bleu2(question.explanation, explanation)
    return _item(question, score, verdict, why, explanation=explanation, bleu=bleu, rouge=rouge)


def stopped(question: Question, why: str) -> ItemScore:
    """An item at which the official scorer stops, for a reason that lies outside its row."""
    return _item(question, 0.0, stops=why)


def _agrees(question: Question, verdict: str) -> float:
    return official_f1([verdict or "noanswer"], official_words(str(question.answer)))


def _item(
    question: Question,
    score: float,
    read: str = "",
    why: str = "",
    explanation: str | None = None,
    bleu: float | None = None,
    rouge: float | None = None,
    stops: str = "",
) -> ItemScore:
    truth = str(question.answer).strip().lower() if question.answer_type == "yes_no" else ""
    answered = read != "" or question.answer_type in ("text", "name")
    return ItemScore(
        id=question.id,
        subset=question.subset,
        kind=question.kind,
        metric=_NAMES.get(question.answer_type, question.answer_type),
        score=score,
        status="answered" if answered and not stops else "unparsed",
        read=read,
        why=stops or why,
        truth=truth if truth in ("yes", "no") else "",
        explanation=explanation,
        bleu2=bleu,
        rouge_l=rouge,
        stops=stops,
        cluster=question.cluster or question.id,
        tags=question.tags,
    )


_FLOAT = re.compile(r"\s*[-+]?(?:\d+\.?\d*(?:[eE][-+]?\d+)?|\.\d+(?:[eE][-+]?\d+)?|inf|infinity)\s*", re.I)


def read_as_numbers(replies: list[str | None]) -> bool:
    """Whether pandas would take a whole column of replies for numbers or truth values.

    Which stops the official scorer.
    """
    said = [reply for reply in replies if not is_blank(reply)]
    if not said:
        return False
    if all(reply in ("True", "False", "TRUE", "FALSE", "true", "false") for reply in said):
        return True
    return all(_FLOAT.fullmatch(reply or "") for reply in said)
