"""The part that a quantity plays: a limit on what complies, or only a condition, a test, a definition,
information.

A quantity after must, shall, may … is a limit; before the verb, behind if, when or that, it says which things
the rule is about. Forces that something must bear are tests. Without such a verb, a stated minimum is a
limit, too.
"""

import re

from dqgen.rulebook.comparatives import LESS, MORE
from dqgen.rulebook.measures import Measure
from dqgen.schemas.rulebook import QuantityRole

MODAL = re.compile(
    r"\b(?:must|shall|may|should|will|can(?=\s+(?:be|not|only|have|use)\b)|cannot|requires?|needs?\s+to|need\s+not|"
    r"ha(?:s|ve)\s+to|(?:is|are|be)\s+(?:not\s+)?(?:permitted|allowed|accepted|required|prohibited|limited|restricted|forbidden)|"
    r"(?:is|are)\s+to\s+be)\b",
    re.IGNORECASE,
)
_CONDITION = re.compile(
    r"\b(?:if|when|whenever|where|wherever|unless|while|until|during|in\s+case|in\s+the\s+event|as\s+long\s+as(?!\s*$|\s+\d)|"
    r"once(?!\s*,|\s+(?:but|and|or|per|an?|every|more)\b)|provided|after|before|upon)\b",
    re.IGNORECASE,
)
# "is permitted if the angle is limited to 6°": what is allowed under a bound is bound by it.
_ALLOWED_IF = re.compile(
    r"\b(?:permitted|allowed|accepted|acceptable)\b(?:\s+(?:only\s+)?(?:if|when|where|as\s+long\s+as)\b|[^.]{0,200}?\bprovided\b)",
    re.IGNORECASE,
)
_ONLY_WHEN = re.compile(r"\b(?:if|when|whenever|where|unless)\b[^.]*:\s*$", re.IGNORECASE)
_TEST = re.compile(
    r"\b(?:test(?:s|ed|ing)?|probe|tilt(?:ed)?|withstand(?:s|ing)?|template\s+will|inserted|applied|established\s+at|"
    r"simulat\w+|impact(?:ing)?\s+(?:speed|velocity)|dropped\s+from)\b",
    re.IGNORECASE,
)
_BEARS = re.compile(r"\b(?:withstand|probe|appl(?:y|ied)|subjected|tested)\b", re.IGNORECASE)
_FORCES = {"N", "kN", "MN", "lbf"}
_LOADS = re.compile(r"\b(?:load|force|withstand|support|carry|strength|appl(?:y|ied)|pull|tension|preload)\w*", re.I)
_DEFINITION = re.compile(
    r"\bdefined\s+(?:as|by)\b|\bdefinitions?\b|"
    r"(?<!by )(?<!only )(?<!other )\bmeans\b(?!\s+(?:of|to|by)\b)|\brefers\s+to\b",
    re.IGNORECASE,
)
_INFORMATION = re.compile(
    r"\b(?:for\s+example|e\.\s?g\.|such\s+as|examples?|typical(?:ly)?|rounded|nearest|penalt(?:y|ies)|\d\s+points|"
    r"informative|for\s+information|score[sd]?)(?!\w)",
    re.IGNORECASE,
)
_PENALTY = re.compile(r"[\s-]*(?:time\s+)?penalt", re.IGNORECASE)
_STATED = re.compile(r"\b(?:minimum|maximum)\b[^.;]{0,120}\b(?:is|are|of)\b|\bthere\s+(?:is|are)\b", re.IGNORECASE)
BOUND = re.compile(
    r"\b(?:minimum|maximum|min\.|max\.|at\s+least|at\s+most|no\s+more|not\s+more|no\s+less|not\s+exceed|limit)\b",
    re.I,
)
_BOUND_AGAIN = re.compile(
    r"\b(?:and|or|but)\s+(?:(?:must|shall|may|should)\s+)?(?:be\s+)?"
    rf"(?:at\s+(?:least|most)|(?:not?\s+)?(?:{MORE}|{LESS})\s+than|not\s+exceed(?:ing)?|up\s+to)\s*$",
    re.IGNORECASE,
)
_IS_FORCE = re.compile(r"\b(?:force|load|tension|pull|effort)s?\b(?!.*\b(?:under|with|by)\b)", re.IGNORECASE)
_ONLY_BOUND = re.compile(
    rf"\s*(?:(?:not|never|no|be|become|get)\s+){{0,3}}(?:exceed|at\s+most|limited\s+to|(?:{MORE}|{LESS})\s+than)\s*$",
    re.IGNORECASE,
)
_NEXT_CLAUSE = re.compile(r"[^,]*,\s+(?:and|but|or|nor|while|whereas)\b", re.IGNORECASE)
_MEASURED = re.compile(r"\bmeasured\s+(?:at|with|under|over)\s+(?:[\w-]+\s+){0,5}$", re.IGNORECASE)
_STATE = re.compile(r"\W*(?:at|under|with)\b[^,.;]*$", re.IGNORECASE)  # "At an angle of 45° no oil may leak"
_NO_MORE = re.compile(rf"\W*not?\s+(?:{MORE}|{LESS})\s+than\s*$", re.IGNORECASE)  # "No more than 2 l may leak"
# "No holes larger than 4 mm may be drilled"
_NO_SUCH = re.compile(rf"\W*No\b[^,.;:]{{1,60}}?\b(?:{MORE}|{LESS})\s+than\s*$", re.IGNORECASE)
_NEGATED = re.compile(rf"\bnot?\s+(?:(?:{MORE}|{LESS})\s+than|exceeding)\s*$", re.IGNORECASE)
_NORMATIVE = re.compile(rf"(?:{_NEGATED.pattern}|\bat\s+(?:least|most)\s*$)", re.IGNORECASE)
_BRACKETED = re.compile(r"\((?:max|min)(?:imum)?\.?:?\s*$", re.IGNORECASE)
_PROVIDED = re.compile(
    r"[^.;]{0,90}?\b(?:(?:must|shall)\s+be\s+(?:provided|maintained|kept|fitted|installed|placed|used|left|available)(?!\s+(?:with|by|for|from))|"
    r"(?:is|are)\s+required)\b",
    re.IGNORECASE,
)
_PROHIBITED = re.compile(
    r"[^,.;]{0,60}?\b(?:(?:is|are)\s+(?:not\s+(?:allowed|permitted|accepted|acceptable)|prohibited|forbidden)|"
    r"(?:may|must|shall)\s+not\s+be\s+used)\b",
    re.IGNORECASE,
)
# The thing compared, and no place or state of it: "Glue at a place hotter than 80 °C is not accepted" is a condition.
_SUBJECT = re.compile(
    rf"\W*(?:(?!(?:at|in|with|on|of|for|from|under|if|when|where|while|whose)\b)[\w-]+\s+){{1,3}}(?:(?:{MORE}|{LESS})\s+than|above|over|below|under|"
    r"exceeding|in\s+excess\s+of)\s*$",
    re.IGNORECASE,
)
_AT_VALUE = re.compile(
    r"\b(?:at|from)\s+(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:distance|speed|velocity|height|temperature|pressure|frequency|rate|"
    r"voltage|current|load|force)\s+of\s+$|\bwith\s+(?:an?|the)\s+(?:[\w-]+\s+){0,2}?(?:driver|rider|person|load|weight|force)"
    r"\s+of\s+$",
    re.IGNORECASE,
)
_AFTER_VALUE = re.compile(r"\d\s?[A-Za-z°%Ω]{1,8}\s+(?:at|@)\s+$")  # "10 Ah at 12 V"
_FROM_SPEED = re.compile(r"\d\s?[A-Za-z]{1,8}\s+from\s+(?:a\s+speed\s+of\s+)?$")  # "stop within 10 m from 40 km/h"
_SPEEDS = {"km/h", "mph", "m/s", "ft/s"}
_POINT = re.compile(r"\b(?:points?|lines?|planes?|positions?)\s+(?:lying|located|situated)\s+$", re.IGNORECASE)
_TO_WORD = re.compile(r"\s+(?:and|to)\s+(?!\d)")
_THERE = re.compile(r"\bthere\s+(?:is|are)\b", re.IGNORECASE)
_COMPARED = re.compile(
    rf"\b(?:{MORE}|{LESS})\s+than\b|"
    r"\b(?:exceed(?:s|ing)?|above|over|below|under)\b|[<>≤≥]",
    re.IGNORECASE,
)
_THIS_PART = re.compile(r"\b(?:the|this|that|these|those|its|their|same|only)\s+$", re.IGNORECASE)
_SENTENCE = re.compile(r"(?<!\be\.g)(?<!\bi\.e)[.;?!]\s+(?=[A-Z(“\"])|\n(?=(?:NOTE|Note)\b)")


def role_of(words: str, one: Measure, lead: str, title: str, column: str | None) -> QuantityRole:
    """The role of a quantity.

    Args:
        words: the stretch of text that it stands in.
        one: the quantity with its comparator.
        lead: what leads in to the list that the stretch is an item of.
        title: the title of the rule.
        column: the head of the column, for a cell of a table; None elsewhere.
    """
    if column is not None:
        return "limit" if BOUND.search(words) or says_bound(column) or MODAL.search(lead) else "information"
    left, right = _sentence(words, one)
    if one.comparator == "approximately" or _PENALTY.match(words, one.end) or _informs(left):
        return "information"
    named = (one.comparator == "exactly" and re.match(r"\s[a-z]", right)) or re.match(r"\s+limit\b", right)
    if named and _THIS_PART.search(left):
        return "information"  # "the 120 A breaker" names a part, "the 10 bar limit" a limit set elsewhere
    if one.comparator == "exactly" and _MEASURED.search(left):
        return "test"
    modals = [*MODAL.finditer(left)]
    bounded = one.comparator == "maximum" and modals and _IS_FORCE.search(left[: modals[-1].start()])
    if bounded and not _BEARS.search(left) and _ONLY_BOUND.match(left[modals[-1].end() :]):
        return "limit"  # "the peak force must not exceed 100 kN"
    if one.unit in _FORCES and _LOADS.search(f"{lead} {left} {right}"):
        return "test"
    if one.comparator == "exactly" and _POINT.search(left):
        return "condition"  # "behind a point lying 150 mm forward of the axle"
    if one.comparator == "exactly" and re.search(r"\d", left) and _is_circumstance(left, right, one.unit):
        return "condition"
    led = [*MODAL.finditer(lead)]
    if _DEFINITION.search(left) or (not modals and _DEFINITION.search(lead)):
        return "definition"
    if modals or led:
        tail = _own_bound(left[modals[-1].end() :]) if modals else left
        if not modals and _ONLY_WHEN.search(lead[led[-1].end() :]):
            return "condition"
        if _CONDITION.search(tail) and not _THERE.search(left) and not _ALLOWED_IF.search(left):
            return "condition"
        later = MODAL.search(right)
        until = right[: later.start()] if later else ""
        own = not modals or ("," in until and not _NEXT_CLAUSE.match(until))
        if later and own and _selects(_last_phrase(tail) if modals else left):
            return "condition"
        return "test" if _tests(lead, left, right, one) else "limit"
    if _THERE.search(left) and BOUND.search(left):
        return "limit"
    if MODAL.search(right):
        if _NO_MORE.match(left) or _NO_SUCH.match(left) or is_prohibited(left, right):
            return "limit"
        if _NEGATED.search(left) and _PROVIDED.match(right) and not _CONDITION.search(left):
            return "limit"  # "A landing not less than 1 m long shall be provided"
        states = one.comparator == "exactly" and _STATE.match(left)
        return "condition" if states or _selects(left) else "test" if _tests(lead, left, right, one) else "limit"
    if _CONDITION.search(f"{lead} {left}") and not _STATED.search(f"{lead} {left}"):
        return "condition"
    if _tests(lead, left, right, one):
        return "test"
    return _plain_role(left, right, lead, one, title)


def says_bound(head: str) -> bool:
    """Whether the head of a column or row says that its cells are bounds: "Max weight", but not "Time (min)"."""
    return bool(BOUND.search(head) or re.search(r"(?<!\()\b(?:[Mm]ax|MAX|[Mm]in|MIN)\b(?!\))", head))


def is_prohibited(left: str, right: str) -> bool:
    """Whether what a comparison names must not be: "Voltages above 60 V are prohibited"."""
    return bool(_PROHIBITED.match(right)) and bool(_SUBJECT.match(left))


def _is_circumstance(left: str, right: str, unit: str) -> bool:
    """Whether a value tells where or how another one is taken: "at least 60 dB at a distance of 2 m", "between
    50 km/h and standstill"."""
    if _AT_VALUE.search(left) or _AFTER_VALUE.search(left) or (unit in _SPEEDS and _FROM_SPEED.search(left)):
        return True
    return bool(re.search(r"\b(?:between|from)\s+$", left) and _TO_WORD.match(right))


def _plain_role(left: str, right: str, lead: str, one: Measure, title: str) -> QuantityRole:
    """The role where nothing says must, may or when."""
    if _STATED.search(f"{lead} {left}") and not re.search(r"\b(?:is|are)\s+(?:a\s+)?(?:minimum|maximum)\b", left):
        return "limit"
    if BOUND.search(title):
        return "limit"
    if _BRACKETED.search(left) or (_NORMATIVE.search(left) and not re.search(r"\b(?:is|are)\b", right)):
        return "limit"  # "a battery (max. 17 V)", "A run lasts no longer than 3 minutes"
    bound = one.comparator in ("minimum", "maximum", "range")
    verb = re.search(r"\b(?:is|are|was|were|has|have|any|an?|the)\b", left, re.IGNORECASE)
    if bound and (not verb or re.match(r"^\W*no\b", left, re.IGNORECASE)):
        return "limit"  # a bare entry: "Steel 0.9 mm minimum thickness"
    return "definition" if bound else "information"


def _sentence(words: str, one: Measure) -> tuple[str, str]:
    """What stands before and after a quantity in its sentence."""
    left, right = words[: one.start], words[one.end :]
    cuts = [match.end() for match in _SENTENCE.finditer(left)]
    end = _SENTENCE.search(right)
    return left[cuts[-1] :] if cuts else left, right[: end.start()] if end else right


def _own_bound(tail: str) -> str:
    """What belongs to the last of several bounds: in "must be at least 4 mm if of steel, or at least 6 mm if of
    wood" the first condition says nothing about the second value."""
    again = _BOUND_AGAIN.search(tail)
    conditions = [*_CONDITION.finditer(tail, 0, again.start())] if again else []
    if again is None or not conditions:
        return tail
    first, between = tail[: conditions[0].start()], tail[conditions[0].end() : again.start()]
    alike = (BOUND.search(first) or _COMPARED.search(first)) and re.search(r"\d", first)
    return tail[again.start() :] if alike and not re.search(r"\d", between) else tail


def _last_phrase(text: str) -> str:
    return re.split(r"[,.]\s", text)[-1]


def _informs(left: str) -> bool:
    """Whether words just before say that what follows is an example, a score or a rounding."""
    tail = re.split(r"[.;:]\s|\bmust\b|\bshall\b", left)[-1]
    found = [*_INFORMATION.finditer(tail)]
    return bool(found) and not BOUND.search(tail[found[-1].end() :])


def _selects(left: str) -> bool:
    """Whether words before the verb of a sentence only say which things the sentence is about."""
    if _CONDITION.search(left):
        return True
    compared = [*_COMPARED.finditer(left)]
    near = bool(compared) and len(left) - compared[-1].end() < 30
    return near or (bool(re.search(r"\b(?:that|which|who|whose)\b", left)) and not BOUND.search(left))


def _tests(lead: str, left: str, right: str, one: Measure) -> bool:
    if one.unit in ("%", "x"):
        return False
    if re.match(r"[^.;]{0,60}\btest\s+probe\b", right):
        return True
    modals = [*MODAL.finditer(left)]
    bound = one.comparator in ("minimum", "maximum", "range")
    if modals and bound and not _BEARS.search(left[modals[-1].end() :]):
        return False  # "the distance of the test supports must be at least 400 mm"
    # "withstand 50 N and not deflect more than 25 mm": the second bound is one on the thing itself.
    joined = re.split(r"\band\b|[,;]", left)
    own = joined[-1] if len(joined) > 1 and (_COMPARED.search(joined[-1]) or BOUND.search(joined[-1])) else left[-160:]
    return bool(_TEST.search(lead) or _TEST.search(own))
