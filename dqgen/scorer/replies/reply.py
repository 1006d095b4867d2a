"""A model's reply taken apart: reasoning removed, markup undone, answer and explanation found.

What marks an answer, in falling order of trust: a whole reply in JSON; a box, an answer tag or a label that
says "final"; a label (`Answer: yes`); a phrase (`the answer is yes`); a lesser label (`Verdict: yes`). The
highest kind that is there counts, all its places together; whoever reads them decides whether they agree.
"""

import re
from dataclasses import dataclass

from dqgen.scorer.replies import structured
from dqgen.scorer.text import clean


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply's parts.

    Attributes:
        text: what the reply says, without reasoning tags and markup.
        answers: the marked answers, in order; empty where nothing is marked.
        mark: what marked them: `JSON`, `final`, `label`, `phrase`, `lesser label`; `opening` for
            what stands before the explanation's label; or empty.
        explanation: the text that explains; empty where there is none.
        open_reasoning: the reply broke off within its reasoning.
    """

    text: str
    answers: tuple[str, ...]
    mark: str
    explanation: str
    open_reasoning: bool = False


_REASONING_TAGS = r"think|thinking|thought|reasoning|reflection|scratchpad|analysis"
_REASONING_END = re.compile(rf"</(?:{_REASONING_TAGS})>|\[/THINK\]|◁/think▷", re.I)
_REASONING_START = re.compile(rf"<(?:{_REASONING_TAGS})>|\[THINK\]|◁think▷", re.I)
_CHANNEL_FINAL = re.compile(r"<\|channel\|>\s*final\s*<\|message\|>")
_CHANNEL = re.compile(r"<\|channel\|>")
_BOX_TOKEN = re.compile(r"<\|begin_of_box\|>(.*?)(?:<\|end_of_box\|>|\Z)", re.S)
_OPENING = 200  # characters; what stands before a label `Explanation:` answers if it is short
_STOP = re.compile(r"<\|(?:im_end|eot_id|endoftext|end|return|eom_id)\|>|</s>|<end_of_turn>|<eos>")
_NEXT_TURN = re.compile(r"\n[ \t>*#]*(?:user|human|question|instruction)\b[*: \t]*:", re.I)
_ANSWER_TAG = re.compile(r"<(answer|final_answer|final-answer|finalanswer)>(.*?)(?:</\1>|\Z)", re.S | re.I)
_EXPLANATION_TAG = re.compile(r"<(explanation|rationale|justification)>(.*?)(?:</\1>|\Z)", re.S | re.I)

_START = (
    r"(?:^|(?<=[.!?;:)\]\"'|>,])[ \t]*|(?<=[.!?;:]))[ \t]*(?:[-*•·‣▪●–—]|\(?\d{1,2}[.)]|step \d+:?)?[ \t]*[\"'(\[]?"
)
_NOTE = r"(?:[ \t]*\([^()\n]{0,40}\)|[ \t]+(?:to|for) (?:the |this |your )?question[^:\n]{0,12})?"
_COLON = r"[\"')\]]?[ \t]*(?::|=|–|—|[ \t]-[ \t])[ \t]*[\"']?"
_OWN = (
    r"(?:(?:the|my|our|your|so|a|thus,?|hence,?|therefore,?|short|direct|correct|overall|summary|yes/no|"
    r"yes or no)[ \t]+){0,3}"
)
_FINAL = re.compile(
    rf"{_START}{_OWN}final[ \t]+(?:answer|verdict|decision|response|result|conclusion){_NOTE}(?:{_COLON}|[ \t]*$)"
    rf"|\bfinal answer (?:is|would be|=)[ \t]*:?",
    re.I | re.M,
)
_LABEL = re.compile(rf"{_START}{_OWN}(?:answers?|ans|ans\.){_NOTE}(?:{_COLON}|[ \t]*$)", re.I | re.M)
_PHRASE = re.compile(
    r"\b(?:(?:the|my|our|correct|best|right)[ \t]+){0,3}(?:answer|option|"
    r"choice)(?:[ \t]+to[ \t]+[^.:\n]{1,80}?)?[ \t]+(?:is|are|would be|must be|should be|will be|has to be|"
    r"therefore is|is therefore|is thus)\b[ \t]*:?",
    re.I,
)
_LESSER = re.compile(
    rf"{_START}{_OWN}(?:verdict|conclusion|decision|determination|result|response|compliance|compliant|"
    rf"in conclusion|in summary|summary|tl;dr|relevant rules|rules|rule numbers|component|component name|name|"
    rf"output){_NOTE}(?:{_COLON}|[ \t]*$)",
    re.I | re.M,
)
_EXPLANATION = re.compile(
    rf"{_START}(?:(?:the|my|a|brief|short|detailed)[ \t]+){{0,2}}(?:explanations?|reasoning|rationale|justification|"
    rf"reasons?|analysis|chain of thought|steps?){_NOTE}(?:{_COLON}|[ \t]*$)",
    re.I | re.M,
)
_LABELS = (
    # pattern, what it marks, and words of which one must be there: most replies hold none, and skip the pattern
    (_FINAL, "final", ("final",)),
    (_LABEL, "label", ("ans",)),
    (_PHRASE, "phrase", ("answer", "option", "choice")),
    (
        _LESSER,
        "lesser label",
        (
            *("verdict", "conclusion", "decision", "determination", "result", "response", "complian", "summary"),
            *("tl;dr", "rules", "rule numbers", "component", "name", "output"),
        ),
    ),
    (
        _EXPLANATION,
        "explanation",
        ("explanation", "reason", "rationale", "justification", "analysis", "chain of thought", "step"),
    ),
)
_ECHO = re.compile(r"\(?\bbegin(?:ning)? (?:it )?with ['\"](?:explanation|answer):?['\"]\)?", re.I)
_CONDITION = re.compile(r"\b(?:if|unless|assuming|provided that|whether|suppose|otherwise|in case)\b", re.I)
_CONDITION_AFTER = re.compile(r"\b(?:if|unless|otherwise)\b", re.I)
_SENTENCE_START = re.compile(r"[.!?\n](?=\s|$)|\n")


_BLANKS = re.compile(r"[ \t]{2,}")
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


def read_reply(raw: str) -> Reply:
    """Take a reply apart.

    Args:
        raw: the reply as the model gave it; any text, of any size.
    """
    text = _BLANK_LINES.sub("\n\n", _BLANKS.sub(" ", clean(raw)))  # also keeps every later pattern linear
    text, open_reasoning = _without_reasoning(text)
    found = structured.read_json(text)
    if found is not None:
        answer, explanation = found
        return Reply(text=answer or "", answers=(answer,) if answer else (), mark="JSON", explanation=explanation)
    finals: list[str] = [match[1] for match in _BOX_TOKEN.finditer(text)]
    text = _BOX_TOKEN.sub(r"\1", text)
    finals += structured.boxed(text)
    finals += [match[2] for match in _ANSWER_TAG.finditer(text)]
    explained_in_tag = " ".join(match[2] for match in _EXPLANATION_TAG.finditer(text))
    text = structured.plain(text)
    finals = [plain for part in finals if (plain := structured.plain(part).strip())]
    if not finals:
        text = _first_turn(text)
    return _by_labels(_ECHO.sub("", text), finals, explained_in_tag, open_reasoning)


def _without_reasoning(text: str) -> tuple[str, bool]:
    """The text without reasoning tags and special tokens; true where the reasoning has no end."""
    if "<|channel|>" in text:
        final = _CHANNEL_FINAL.split(text)
        if len(final) > 1:
            text = final[-1]
        else:
            return "", bool(_CHANNEL.search(text))
    ends = list(_REASONING_END.finditer(text))
    start = _REASONING_START.search(text, ends[-1].end() if ends else 0)
    if start:
        return text[ends[-1].end() if ends else 0 : start.start()].strip(), True
    if ends:  # an end may lack its start: chat templates often hold the opening tag themselves
        after = text[ends[-1].end() :]
        first = _REASONING_START.search(text)
        text = after if after.strip() or not first else text[: first.start()]
    stop = _STOP.search(text)
    if stop and text[: stop.start()].strip():
        text = text[: stop.start()]
    return _STOP.sub("", text).strip(), False


def _first_turn(text: str) -> str:
    """Cut off the further turns that some models invent after their answer."""
    for turn in _NEXT_TURN.finditer(text):
        if _LABEL.search(text, 0, turn.start()):
            return text[: turn.start()]
    return text


def _by_labels(text: str, finals: list[str], explained_in_tag: str, open_reasoning: bool) -> Reply:
    places = _label_places(text)
    parts: dict[str, list[str]] = {}
    spans: list[tuple[str, int, int]] = []
    for index, (start, end, kind) in enumerate(places):
        stop = places[index + 1][0] if index + 1 < len(places) else len(text)
        parts.setdefault(kind, []).append(text[end:stop].strip())
        spans.append((kind, start, stop))
    mark, answers = "", list[str]()
    if finals or parts.get("final"):
        mark, answers = "final", [*finals, *parts.get("final", [])]
    else:
        for kind in ("label", "phrase", "lesser label"):
            if parts.get(kind):
                mark, answers = kind, parts[kind]
                break
        else:
            opening = text[: places[0][0]].strip() if places else ""
            if opening and len(opening) <= _OPENING:
                mark, answers = "opening", [opening]
    explanation = explained_in_tag or "\n".join(parts.get("explanation", []))
    if not explanation.strip():
        explanation = _unlabelled_explanation(text, spans, mark)
    return Reply(text, tuple(answers), mark, explanation.strip(), open_reasoning)


def _label_places(text: str) -> list[tuple[int, int, str]]:
    """Where labels stand: start, end and kind, in order, without overlaps; conditional phrases left out."""
    found: list[tuple[int, int, str]] = []
    lowered = text.lower()
    for pattern, kind, hints in _LABELS:
        if not any(hint in lowered for hint in hints):
            continue
        for match in pattern.finditer(text):
            if kind in ("phrase", "final") and _conditional(text, match.start(), match.end()):
                continue
            found.append((match.start(), match.end(), kind))
    order = {"final": 0, "label": 1, "phrase": 2, "lesser label": 3, "explanation": 4}
    kept: list[tuple[int, int, str]] = []
    for start, end, kind in sorted(found, key=lambda place: (place[0], order[place[2]])):
        if kept and start < kept[-1][1]:
            if order[kind] < order[kept[-1][2]]:
                kept[-1] = (kept[-1][0], max(end, kept[-1][1]), kind)
            continue
        kept.append((start, end, kind))
    return kept


def _conditional(text: str, start: int, end: int) -> bool:
    """Whether what is said at a place hangs on a condition in the same sentence."""
    before = text[max(0, start - 300) : start]
    cut = max((match.end() for match in _SENTENCE_START.finditer(before)), default=0)
    stop = _SENTENCE_START.search(text, end, end + 300)
    return bool(
        _CONDITION.search(before[cut:]) or _CONDITION_AFTER.search(text[end : stop.start() if stop else end + 300])
    )


def _unlabelled_explanation(text: str, spans: list[tuple[str, int, int]], mark: str) -> str:
    """What explains where no label says so.

    The text before the answer, or else what follows its first line.
    """
    if not spans or mark in ("", "lesser label"):
        return text
    answer_spans = [span for span in spans if span[0] == mark]
    if not answer_spans:
        return text
    before = text[: answer_spans[0][1]].strip()
    if len(before.split()) > 3:
        return before
    _, _, rest = text[answer_spans[0][1] : answer_spans[-1][2]].strip().partition("\n")
    after = text[answer_spans[-1][2] :].strip()
    joined = "\n".join(part for part in (rest.strip(), after) if part)
    if joined:
        return joined
    return before or text[answer_spans[0][1] :].strip()
