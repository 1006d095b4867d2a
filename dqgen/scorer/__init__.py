"""Scoring of replies against the truth. It imports `schemas` and `errors` alone, and no heavy library.

The pure functions that make it up, on plain strings and lists:

- overlap: `token_f1`, `bleu2`, `rouge_l`, and `best_f1` over synonyms;
- accuracy: `numeric_accuracy`;
- reading: `read_reply`, then `read_verdict`, `read_choice`, `read_number`, `read_rules`, `read_name` or
  `read_passage`;
- one question: `score_robust` and `score_designqa`, the two profiles;
- a run: `read_designqa` or `read_package`, then `run`;
- similarity: `sentence_similarity`, with the extra `similarity`.

Uncertainty is in `dqgen.scorer.bootstrap`, tests on paired scores in `dqgen.scorer.statistics`.
"""

from dqgen.scorer.benchmark import read_designqa
from dqgen.scorer.designqa import score_item as score_designqa
from dqgen.scorer.item import ItemScore
from dqgen.scorer.metrics import METRICS, best_f1, metric, numeric_accuracy
from dqgen.scorer.overlap import bleu2, rouge_l, token_f1
from dqgen.scorer.package import read_package
from dqgen.scorer.replies.choice import read_choice
from dqgen.scorer.replies.quantity import read_number
from dqgen.scorer.replies.reply import Reply, read_reply
from dqgen.scorer.replies.rules import read_rules
from dqgen.scorer.replies.verdict import Verdict, read_verdict
from dqgen.scorer.replies.wording import read_name, read_passage
from dqgen.scorer.robust import score_item as score_robust
from dqgen.scorer.run import run
from dqgen.scorer.similarity import sentence_similarity

__all__ = [
    "METRICS",
    "ItemScore",
    "Reply",
    "Verdict",
    "best_f1",
    "bleu2",
    "metric",
    "numeric_accuracy",
    "read_choice",
    "read_designqa",
    "read_name",
    "read_number",
    "read_package",
    "read_passage",
    "read_reply",
    "read_rules",
    "read_verdict",
    "rouge_l",
    "run",
    "score_designqa",
    "score_robust",
    "sentence_similarity",
    "token_f1",
]
