"""Answers in words: component names, rule texts, refusals."""

import re

from dqgen.scorer.replies.reply import Reply
from dqgen.scorer.replies.rules import normal_id
from dqgen.scorer.text import words

_REFUSAL = re.compile(
    r"\b(?:i(?:'m| am)? (?:very |so |deeply )?sorry|apologi[sz]e|apologies|sorry)\b[^.\n]{0,30}?(?:,| but| for| i |"
    r"\.)[^.\n]{0,120}?\b(?:can't|cannot|can not|unable|not able|couldn't|could not|won't|will not|don't|do not|"
    r"doesn't|does not|isn't|not possible|no )\b"
    r"|\bi (?:can't|cannot|can not|won't|will not|am unable to|am not able to|'m unable to|'m not able to|do not|"
    r"don't) (?:\w+ ){0,2}?(?:assist|help|provide|fulfil|fulfill|comply with|answer|identify|view|see|access|"
    r"process|analy[sz]e|interpret|open|do that|have access|have the ability|feel comfortable|continue|complete)\b"
    r"|\bi'm (?:unable|not able) to (?:\w+ ){0,2}?(?:assist|help|provide|answer|identify|view|see|access|process|"
    r"analy[sz]e|interpret|open|determine)\b"
    r"|\bas an? (?:ai|artificial intelligence|language model|text-based)\b[^.\n]{0,80}\b(?:can't|cannot|unable|"
    r"not able|don't|do not)\b"
    r"|\bno (?:image|picture|document|file|attachment)s? (?:was|were|is|are|has been|have been)?\s*(?:attached|"
    r"provided|included|uploaded|visible to me|found)\b"
    r"|\b(?:please|could you) (?:upload|attach|provide|share|re-?upload) (?:the |an? |your )?(?:image|picture|"
    r"document|file|rules?)",
    re.I,
)
_REFUSAL_LENGTH = 700  # a longer reply has said something, whatever it regrets
_REFUSAL_PLACE = 160

_FRAME = re.compile(
    r"^(?:(?:it's|that's|this is) (?:the |an? )|"
    r"(?:(?:based on|according to|from|looking at|in|as shown in)[^,\n]{1,80},\s*)?(?:the|this|these|that|those|it|"
    r"they|there|what|i)?\b[^.:;\n]{0,120}?\b(?:highlighted|pink|blue|components?(?:\(s\))?|parts?|item|element|"
    r"shown|indicated|marked|it|this|these|they|name)(?!\w)[^.:;\n]{0,80}?\b(?:(?:is|"
    r"are)(?:/(?:is|are))?|appears? to be|seems? to be|looks? like|would be|represents?|corresponds? to|shows?|"
    r"is called|are called)\b(?!/)[ \t]*:?[ \t]*(?:most likely |likely |probably |clearly |called |named |known as |"
    r"labell?ed |part of )*(?:as )?(?:the vehicle's |your vehicle's |the |an? )?)",
    re.I,
)
_HEADING = re.compile(
    r"^[^:.\n]{0,60}\b(?:components?|parts?|names?|items?|elements?)(?:\(s\))?[^:.\n]{0,30}:\s*", re.I
)
_REMARK = re.compile(
    r",? (?:which|that) (?:is|are|was|were|has|have|can|form|forms|connects?|supports?)\b.*$", re.I | re.S
)
_TAIL = re.compile(
    r" (?:is|are) (?:the )?(?:components? )?(?:highlighted|shown|marked|colou?red)(?: in \w+)?\.?$", re.I
)
_PREAMBLE_LINE = re.compile(
    r"^(?:sure|certainly|of course|okay|ok|here (?:is|are)|here's|"
    r"the (?:exact |full |verbatim )?(?:text|wording) of)\b[^\n]{0,200}?:[ \t]*\n?",
    re.I,
)
_ID = r"[A-Za-z]{1,4}[. ]?\d+(?:\.\d+)*|\d+(?:\.\d+)*"
_SAYS = r"(?:states?|reads?|says?|specifies|stipulates)\b[ \t]*(?:exactly|verbatim|that|as follows)?[ \t]*:?"
_ANNOUNCED = re.compile(
    rf"^[\"']?(?:[^\n]{{0,120}}?\b(?:rule|section|clause)[ \t]+)?({_ID})[\"')]?(?:[ \t]+(?:of|in|"
    rf"from)[ \t]+the[ \t]+[\w ]{{1,40}}?)?[ \t]+(?:exactly[ \t]+)?{_SAYS}\s*"
    rf"|^[^\n]{{0,60}}?\b(?:text|wording)\b[^\n]{{0,60}}?\b({_ID})[^\n:]{{0,40}}?(?:\b(?:is|"
    rf"are)\b[ \t]*(?:as follows)?[ \t]*:?|\b{_SAYS}|:)\s*",
    re.I,
)
_OWN_NUMBER = re.compile(rf"^[\"'(\[]?(?:(?:rule|section|clause)[ \t]+)?({_ID})(?!\w)[\"')\]]?[ \t]*[.:–—-]?\s*", re.I)
_QUOTES = "\"'"
_LABEL_LENGTH = 40


def is_refusal(reply: Reply) -> bool:
    """Whether a reply declines to answer: it says so near its start and is short."""
    text = reply.text.strip()
    if len(text) > _REFUSAL_LENGTH:
        return False
    match = _REFUSAL.search(text)
    return match is not None and match.start() <= _REFUSAL_PLACE


def read_name(reply: Reply) -> tuple[str | None, str]:
    """The component's name that a reply gives, and how it was read; None and why where marked answers differ.

    Labels, quotes and a sentence around the name go (`The highlighted component is the front wing.`); what is
    left is taken as it stands.
    """
    parts = [part for part in reply.answers if part.strip()]
    if not parts:
        return _bare_name(reply.text), "as it stands"
    names = [_bare_name(part.split("\n\n")[0]) for part in parts]
    if len({tuple(words(name)) for name in names}) > 1:
        return None, "answers contradict each other"
    return names[-1], f"by {reply.mark}"


def _bare_name(part: str) -> str:
    part = part.strip().strip(_QUOTES).strip()
    frame, heading = _FRAME.match(part), _HEADING.match(part)
    if heading and part[heading.end() :].strip():
        part = part[heading.end() :]
    elif frame and part[frame.end() :].strip(" .\"'"):
        part = _REMARK.sub("", part[frame.end() :])
    part = _TAIL.sub("", part)
    return part.strip().strip(_QUOTES).rstrip(".").strip(_QUOTES).strip()


def read_passage(reply: Reply, rule: str) -> tuple[str, str]:
    """The text that a reply quotes, and how it was read.

    An announcement (`Here is the text of rule V.1.2:`), the rule's own number at the start and outer quotes
    go.

    Args:
        reply: the reply taken apart.
        rule: the id of the rule that was asked for; empty if unknown.
    """
    part, how = reply.text, "as it stands"
    answers = [part for part in reply.answers if part.strip()]
    if answers and (reply.mark in ("JSON", "final") or _opens_with_label(reply, answers[0])):
        part, how = answers[-1], f"by {reply.mark}"
    part = part.strip()
    if rule:
        for pattern, name in ((_ANNOUNCED, "announced"), (_OWN_NUMBER, "number left out")):
            match = pattern.match(part)
            named = match and next(group for group in match.groups() if group)
            if match and named and normal_id(named) == normal_id(rule) and part[match.end() :].strip():
                part, how = part[match.end() :], name
                break
    line = _PREAMBLE_LINE.match(part)
    if line and part[line.end() :].strip():
        part, how = part[line.end() :], "announced"
    part = part.strip()
    if len(part) > 1 and part[0] in _QUOTES and part[-1] == part[0]:
        part = part[1:-1]
    return part.strip(), how


def _opens_with_label(reply: Reply, first: str) -> bool:
    """Whether the label of the only answer opens the reply.

    Within a rule's text the same word is no label.
    """
    return reply.mark == "label" and len(reply.answers) == 1 and 0 < len(reply.text) - len(first) < _LABEL_LENGTH
