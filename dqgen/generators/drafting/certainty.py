"""How sure a proposal can be at most, by the words around its limit."""

import re

from dqgen.generators.drafting.clauses import Clause
from dqgen.generators.drafting.subjects import About

SUREST, LEAST = 0.75, 0.55
"""Confidence from which a proposal is called high, and below which it is dropped."""
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|unless|except(?:ions?)?|otherwise|depending|in case|without|provided|as long as"
    r"|in (?:every|any|all) positions?|that (?:is|are|lies?) (?:located|not|no more|more|less))",
    re.IGNORECASE,
)
_ZONE = re.compile(
    r"\b(?:zones?|envelope|volume|region|entirely|located|outboard|inboard|intersects?"
    r"|for (?:an?|the) (?:minimum |maximum )?(?:distance|length|height|width) of|over (?:an?|the) (?:minimum )?length"
    r"|parallel to the ground|vertical planes?|one of (?:the|these))\b",
    re.IGNORECASE,
)


def certainty(clause: Clause, subject: About) -> float:
    """The highest confidence that a clause allows.

    High only if the sentence's own subject is measured, no other limit of this unit stands beside it and it holds
    without condition; low where it holds in a zone only or is one of several that may be met.
    """
    around = f"{clause.lead} {clause.text}"
    sure = 1.0 if subject.own or not subject.parts else SUREST - 0.03
    if any(other.unit == clause.quantity.unit for other in clause.others):
        sure = min(sure, SUREST - 0.01)
    if _CONDITION.search(around) or any(other.role == "condition" for other in clause.others):
        sure = min(sure, SUREST - 0.03) - 0.04
    if _ZONE.search(around):
        sure = min(sure, SUREST - 0.03) - 0.12
    return sure
