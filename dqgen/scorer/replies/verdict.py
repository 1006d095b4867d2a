"""Yes or no: what a reply says, where it says so without doubt."""

import re
from dataclasses import dataclass

from dqgen.scorer.replies.reply import Reply

YES, NO = "yes", "no"


@dataclass(frozen=True, slots=True)
class Verdict:
    """A reply read as yes or no.

    Attributes:
        value: `yes`, `no`, or None where the reply says neither for sure.
        why: how it was read, or why it was not.
        hedged: the reply says yes or no and doubts it in the same answer.
    """

    value: str | None
    why: str
    hedged: bool = False


_TEMPLATE = re.compile(r"[\[(<{\"']*\b(?:yes\s*(?:/|\||\bor\b)\s*no|no\s*(?:/|\||\bor\b)\s*yes)\b[\])>}\"']*", re.I)
_TICKS = re.compile("[✓✔✅☑]\ufe0f?")
_CROSSES = re.compile("[✗✘❌✖]\ufe0f?")
_YES = re.compile(r"(?<![\w-])(?:yes|yep|yeah|yup)(?![\w-])", re.I)
_NO = re.compile(r"(?<![\w-])(?:no|nope)(?!\w|-\w)", re.I)
_WHOLE_YES = {"y", "true", "correct", "affirmative", "compliant", "complies", "pass", "passes", "passed"}
_WHOLE_YES |= {"visible", "present", "it does", "it is", "they are"}
_WHOLE_NO = {"n", "false", "incorrect", "negative", "noncompliant", "non-compliant", "not compliant", "fail"}
_WHOLE_NO |= {"fails", "failed", "does not comply", "it does not comply", "it does not", "not visible"}
_WHOLE_NO |= {"not present", "absent", "it is not", "they are not"}
_AFTER_NO = re.compile(  # what may follow a `no` that answers, rather than one that counts nouns
    r"(?:\s*$|\s*[,.;:!?)\"'\]}>|…*]|\s+[-–—]|\s*[–—]|\s*\n|\s*[(\[]|"
    r"\s+(?:it|this|that|these|those|they|the|we|you|he|she|our|your|its|there|because|since|as|based|according|due|"
    r"given|i|is|are|would)\b)",
    re.I,
)
_NUMBER_SIGN = re.compile(r"\s*\.?\s*\d")
_BEFORE_NUMBER = re.compile(
    r"\b(?:rule|part|drawing|item|figure|fig|serial|section|model|ref|reference|clause)\.?\s+$", re.I
)
_CLAUSE_START = re.compile(r"[.,;:!?\n()–—]|\bbut\b|\bso\b", re.I)
_NEGATION = re.compile(
    r"\b(?:not|never|cannot|can't|couldn't|wouldn't|won't|isn't|don't|doesn't|neither|nor|rather than|instead of|"
    r"unable|without|impossible|difficult|hard)\b",
    re.I,
)
_CONDITION = re.compile(
    r"\b(?:if|unless|assuming|provided that|providing|whether|suppose|otherwise|in case|were it|depends|depending|"
    r"might|could be|either|would only)\b",
    re.I,
)
_FILLER = re.compile(
    r"(?:[\s\"'.,:;!*_>\-–—\[(]|(?:well|so|ok|okay|sure|hmm|oh|thus|therefore|hence|clearly|indeed|absolutely|"
    r"definitely|certainly|simply|overall|again|and|my answer is|i would say|i'd say|i say|it is|it's|is|that|a)\b)*",
    re.I,
)
_TELL = (
    "determine|conclude|say|tell|verify|confirm|assess|judge|answer|know|decide|establish|ascertain|evaluate|provide|"
    "give|be certain|be sure|state"
)
_TOLD = (
    "determined?|concluded?|conclusively|definitively|verif(?:y|ied)|confirm(?:ed)?|assess(?:ed)?|judged?|know|"
    "ascertain(?:ed)?|tell|say|answer(?:ed)?|decided?|evaluated?"
)
_FACTS = "information|data|detail|details|evidence|context|measurements?|dimensions?"
_HEDGE = re.compile(
    rf"\b(?:unable|not able|impossible|not possible|isn't possible|difficult|hard) to (?:\w+ ){{0,2}}(?:{_TELL})"
    rf"|\b(?:cannot|can not|can't|could not|couldn't|unable to|not|don't) (?:be )?(?:\w+ ){{0,2}}(?:{_TOLD})\b"
    rf"|\b(?:insufficient|not enough|inadequate|lack of) (?:\w+ ){{0,3}}(?:{_FACTS})"
    rf"|\bwithout (?:more|further|additional|explicit|precise|specific|exact) (?:\w+ ){{0,3}}(?:{_FACTS})"
    r"|\b(?:unclear|unknown|uncertain|inconclusive|indeterminate|undetermined|maybe|perhaps|possibly|not sure|unsure|"
    r"it depends|not applicable|not available|either way)\b|(?<!\w)n/a(?!\w)",
    re.I,
)
_REVERSED = re.compile(
    r"\b(?:not true|not the case|not non|not fail|not violat\w*|doesn't fail|does not fail|not in violation|doubt|"
    r"unlikely|no (?:evidence|indication|sign|reason|information|way to)|false that|would|could|should it)\b",
    re.I,
)
_NO_DOUBT = re.compile(
    r"\b(?:there (?:is|can be) )?(?:no |without (?:a |any )?|beyond (?:a |any )?)doubt\b|\bundoubtedly\b", re.I
)
_QUESTION_REVERSED = re.compile(
    r"\b(?:violat|breach|fail|non-?complian|not (?:comply|compliant|visible)|absent|hidden)\w*", re.I
)
_AGAINST_COMPLIANCE = re.compile(
    r"\b(?:do(?:es)? not|doesn't|don't|did not|fails? to|failed to) (?:\w+ )?(?:comply|conform|meet|satisfy|fulfil|"
    r"adhere)"
    r"|\b(?:is|are|be) (?:not|n't) (?:\w+ )?(?:in compliance|compliant)"
    r"|\b(?:isn't|aren't) (?:\w+ )?(?:in compliance|compliant)|\bnon-?complian\w*|\bnot compliant|\bviolates?\b"
    r"|\bin violation\b|\bbreaches\b|\bin breach\b",
    re.I,
)
_FOR_COMPLIANCE = re.compile(
    r"\b(?:complies|conforms|meets|satisfies|fulfils|adheres|is compliant|are compliant|is in compliance|"
    r"does comply|comply with)\b",
    re.I,
)
_AGAINST_SIGHT = re.compile(
    r"\b(?:is|are|was|were|be|can|could|do|does)?\s*(?:not|n't|never) (?:\w+ ){0,2}(?:visible|present|shown|seen|"
    r"appear)"
    r"|\b(?:isn't|aren't|can't|cannot) (?:be )?(?:\w+ )?(?:visible|present|shown|seen)"
    r"|\b(?:no|none of(?: the)?) (?:\w+ ){0,8}?(?:is|are|can be) (?:\w+ )?(?:visible|present|shown|seen)"
    r"|\bno (?:(?!that\b|is\b|are\b)\w+ ){1,6}(?:visible|present|shown|seen)",
    re.I,
)
_FOR_SIGHT = re.compile(r"\b(?:is|are|can be) (?:\w+ )?(?:visible|present|shown|seen)\b|\bis visible\b", re.I)
_ASKS_COMPLIANCE = re.compile(r"\b(?:compl(?:y|ies|iant|iance)|conform|meets?|satisf(?:y|ies))\b", re.I)
_ASKS_SIGHT = re.compile(r"\b(?:visible|present|shown|seen|appear)\b", re.I)
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CONCLUDES = re.compile(
    r"^\W*(?:therefore|thus|hence|so|in conclusion|overall|consequently|to conclude|in summary|accordingly)\b",
    re.I,
)
_PART_LIMIT = 2000  # characters at either end of a marked answer that are read
_PROSE_LIMIT = 400  # characters up to which a lone yes or no anywhere in an unlabelled reply counts


def read_verdict(reply: Reply, prompt: str = "") -> Verdict:
    """Read a reply as yes or no, or say why it is neither.

    A yes or no counts where it stands as an answer. It does not where it is a template (`yes/no`), a
    determiner (`no doubt`, `no part of`), a number sign (`rule no. 5`), negated (`can't say yes`) or
    conditional (`if …, yes`). Clauses that state the question's own predicate (`does not comply`, `is
    visible`) count where no yes or no does. Marked answers that contradict each other give no verdict.

    Args:
        reply: the reply taken apart.
        prompt: the question, for its predicate; may be empty.
    """
    if reply.answers:
        unsure = reply.mark == "opening"
        read = [_read_part(part, prompt) for part in reply.answers if part.strip()]
        told = [one for one in read if one.value or one.why != "neither yes nor no"]
        values = {one.value for one in told}
        if len(values) == 1 and told:
            return Verdict(told[0].value, f"{told[0].why}, by {reply.mark}", any(one.hedged for one in told))
        if len(values) > 1:
            return Verdict(None, "answers contradict each other")
        if not unsure:
            return Verdict(None, "nothing after the answer's label" if not read else "neither yes nor no")
    return _read_unmarked(reply.text, prompt)


def _read_part(part: str, prompt: str) -> Verdict:
    if len(part) > 2 * _PART_LIMIT:
        part = part[:_PART_LIMIT] + "\n" + part[-_PART_LIMIT:]
    part = _TEMPLATE.sub(" ", _CROSSES.sub(" no ", _TICKS.sub(" yes ", part)))
    whole = " ".join(part.lower().strip(" \t\n.!,;:\"'()[]{}*").split())
    if whole in _WHOLE_YES or whole in _WHOLE_NO:
        return Verdict(YES if whole in _WHOLE_YES else NO, f"'{whole}'")
    said = _spoken(part)
    hedge = _HEDGE.search(part)
    if said:
        values = {value for value, _ in said}
        if len(values) > 1:
            return Verdict(None, "says both yes and no")
        lead = _FILLER.match(part)
        leads = lead is not None and said[0][1] == lead.end()
        if hedge and not leads:
            return Verdict(None, f"hedged: '{_quote(hedge)}'")
        return Verdict(said[0][0], "stated", bool(hedge))
    if hedge:
        return Verdict(None, f"hedged: '{_quote(hedge)}'")
    return _read_clause(part, prompt)


def _quote(match: re.Match[str]) -> str:
    return " ".join(match[0].split())[:60]


def _spoken(part: str) -> list[tuple[str, int]]:
    """Each yes and no that stands as an answer, with its place."""
    found = [(YES, m.start()) for m in _YES.finditer(part) if _counts(part, m.start())]
    for match in _NO.finditer(part):
        after = part[match.end() : match.end() + 40]
        if _NUMBER_SIGN.match(after) and match[0].lower() == "no":
            continue
        if not _AFTER_NO.match(after) or _BEFORE_NUMBER.search(part[max(0, match.start() - 20) : match.start()]):
            continue
        if _counts(part, match.start()):
            found.append((NO, match.start()))
    return sorted(found, key=lambda place: place[1])


def _counts(part: str, at: int) -> bool:
    before = part[max(0, at - 300) : at]
    sentence = _SENTENCE.split(before)[-1]
    if _CONDITION.search(sentence):
        return False
    clause = sentence[max((m.end() for m in _CLAUSE_START.finditer(sentence)), default=0) :]
    return not _NEGATION.search(clause)


def _read_clause(part: str, prompt: str) -> Verdict:
    part = _NO_DOUBT.sub(" ", part)
    none = Verdict(None, "neither yes nor no")
    if _QUESTION_REVERSED.search(_last_question(prompt)) or _REVERSED.search(part) or _CONDITION.search(part):
        return none
    for asks, against, favour in (
        (_ASKS_COMPLIANCE, _AGAINST_COMPLIANCE, _FOR_COMPLIANCE),
        (_ASKS_SIGHT, _AGAINST_SIGHT, _FOR_SIGHT),
    ):
        if prompt and not asks.search(prompt):
            continue
        no = against.search(part)
        yes = favour.search(against.sub(" ", part))
        if no and yes:
            return Verdict(None, "clauses contradict each other")
        if no or yes:
            match = no or yes
            assert match is not None
            return Verdict(NO if no else YES, f"clause '{_quote(match).strip()}'")
    return none


def _last_question(prompt: str) -> str:
    questions = [s for s in re.split(r"(?<=[.!?])\s+", prompt) if s.rstrip().endswith("?")]
    return questions[-1] if questions else prompt[-300:]


def _read_unmarked(text: str, prompt: str) -> Verdict:
    """A reply without any mark: its first or last sentence answers, or the whole of a short one."""
    sentences = [s for s in _SENTENCE.split(text) if s.strip()]
    if not sentences:
        return Verdict(None, "neither yes nor no")
    if len(text) <= _PROSE_LIMIT:
        return _read_part(text, prompt)
    first, last = _lead(sentences[0]), _lead(sentences[-1])
    if first and last and first != last:
        return Verdict(None, "first and last sentence contradict each other")
    if first or last:
        hedged = bool(_HEDGE.search((sentences[0] if first else sentences[-1])[:_PART_LIMIT]))
        return Verdict(first or last, "first sentence" if first else "last sentence", hedged)
    ending = " ".join(sentences[-2:] if _CONCLUDES.match(sentences[max(0, len(sentences) - 2)]) else sentences[-1:])
    ending = ending[-_PART_LIMIT:]
    verdict = _read_part(ending, prompt)
    if verdict.value and (_spoken(ending) or _CONCLUDES.match(ending)):
        return Verdict(verdict.value, f"last sentence, {verdict.why}", verdict.hedged)
    return Verdict(None, verdict.why if verdict.value is None else "a long reply without a marked answer")


def _lead(sentence: str) -> str | None:
    """The yes or no with which a sentence opens."""
    sentence = sentence[:_PART_LIMIT]
    sentence = _TEMPLATE.sub(" ", _CROSSES.sub(" no ", _TICKS.sub(" yes ", sentence)))
    lead = _FILLER.match(sentence)
    said = _spoken(sentence)
    if not said or lead is None or said[0][1] != lead.end() or len({value for value, _ in said}) > 1:
        return None
    return said[0][0]
