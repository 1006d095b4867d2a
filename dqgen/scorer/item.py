"""The score of one question, and what was read in its reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from dqgen.schemas.report import Status


@dataclass(frozen=True, slots=True)
class ItemScore:
    """One question's score.

    Attributes:
        id, subset, kind: which question.
        metric: the metric's name.
        score: in [0, 1]; 0 for a reply that gives no answer.
        status: how the reply came out.
        read: what was read as the answer; empty if nothing.
        why: how it was read, or why nothing was.
        hedged: a yes or no that the same answer doubts.
        truth: the true yes or no, for the balance of yes/no subsets; empty otherwise.
        explanation: the explanation that was scored; None where none is asked for.
        bleu2, rouge_l, similarity: the explanation's scores; None where none is asked for or computed.
        stops: why the official scorer stops at this row; empty where it does not.
        cluster: the design or picture that the question shares with others; its own id otherwise.
        tags: the question's properties.
    """

    id: str
    subset: str
    kind: str
    metric: str
    score: float
    status: Status
    read: str = ""
    why: str = ""
    hedged: bool = False
    truth: str = ""
    explanation: str | None = None
    bleu2: float | None = None
    rouge_l: float | None = None
    similarity: float | None = None
    stops: str = ""
    cluster: str = ""
    tags: Mapping[str, str] = field(default_factory=dict)
