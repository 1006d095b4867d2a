"""Rule ids in a reply, and their normal form."""

import re
from collections.abc import Sequence

from dqgen.scorer.replies.reply import Reply

# EV.5.2, EV5.2, EV 5.2, T.7.1.1a, T.7.1.1.a, ev.5.2; a blank is accepted only before a dotted number.
_LETTERED = re.compile(
    r"(?<![\w.])(?:([A-Za-z]{1,4})[.-]?(\d{1,4}(?:\.\d{1,4}){0,7})|"
    r"([A-Z]{1,4})[ \xa0]\.?(\d{1,4}(?:\.\d{1,4}){1,7}))(?:\.?\(?([a-z])\)?(?![\w]))?(?![\w]|\.\d)"
)
_NUMBERED = re.compile(r"(?<![\w.])()(\d{1,4}(?:\.\d{1,4}){0,7})()()(?:\.?\(?([a-z])\)?(?![\w]))?(?![\w]|\.\d)")
_RANGE = re.compile(r"[ \t]*(?:-|–|—|\bto\b|\bthrough\b|\bthru\b|\buntil\b)[ \t]*(?:rules?[ \t]+)?", re.I)
_SHORT_END = re.compile(r"\s?[-–—]\s?\.?(\d{1,3})(?![\w.]*\w)")
_NOT_RULES = frozenset(["VOL", "REV", "VER", "FIG", "NO", "PP"])
_NONE = re.compile(r"^\W*(?:none|no (?:relevant )?rules?|there are no|n/a|nothing|\[\s*\]|empty)\b", re.I)
_LONGEST_RANGE = 60


def normal_id(rule: str) -> str:
    """Normal form of a rule id: letters, numbers and item letter joined by full stops.

    `EV5.2`, `EV 5.2`, `ev.5.2.` and `EV.5.2` are all EV.5.2; `T.7.1.1a` and `T.7.1.1(a)` are T.7.1.1.a.
    """
    parts = re.findall(r"[A-Za-z]+|\d+", rule)
    if not parts:
        return rule.strip()
    head = [parts[0].upper()] if parts[0].isalpha() else [str(int(parts[0]))]
    return ".".join(head + [str(int(p)) if p.isdigit() else p.lower() for p in parts[1:]])


def find_ids(text: str, lettered: bool = True) -> list[str]:
    """The rule ids of a text in normal form and order, each once.

    Separators and prose between them do not matter. `T.1.2 to T.1.5` and `T.1.2-5` stand for all four.

    Args:
        text: a list in any form, or prose.
        lettered: ids start with letters (EV.5.2); otherwise with a number (5.2).
    """
    found: dict[str, None] = {}
    pattern = _LETTERED if lettered else _NUMBERED
    last_end, last = -1, ""
    for match in pattern.finditer(text):
        prefix, number = match[1] or match[3] or "", match[2] or match[4]
        if prefix.upper() in _NOT_RULES or (lettered and not _plausible(match, prefix, number)):
            continue
        rule = normal_id(f"{prefix}.{number}.{match[5] or ''}")
        if last and match.start() - last_end <= 24 and _RANGE.fullmatch(text, last_end, match.start()):
            found.update(dict.fromkeys(_between(last, rule)))
        found[rule] = None
        last, last_end = rule, match.end()
        short = _SHORT_END.match(text, match.end())
        if short and not match[5] and "." in number:
            end = rule.rpartition(".")[0] + "." + str(int(short[1]))
            if _in_order(rule, end):
                found.update(dict.fromkeys([*_between(rule, end), end]))
    return list(found)


def _plausible(match: re.Match[str], prefix: str, number: str) -> bool:
    """Glued lower-case words and bare letter-number names such as M6 are not rules."""
    if "." not in match[0].strip("."):
        return False
    return prefix.isupper() or match[0][len(prefix) : len(prefix) + 1] == "."


def _in_order(first: str, last: str) -> bool:
    """Whether two ids differ in their last number only, and the second is a little higher."""
    (head, _, low), (tail, _, high) = first.rpartition("."), last.rpartition(".")
    return head == tail and low.isdigit() and high.isdigit() and 0 < int(high) - int(low) <= _LONGEST_RANGE


def _between(first: str, last: str) -> list[str]:
    """The ids strictly between two that are in order."""
    if not _in_order(first, last):
        return []
    (head, _, low), (_, _, high) = first.rpartition("."), last.rpartition(".")
    return [f"{head}.{n}" for n in range(int(low) + 1, int(high))]


def read_rules(reply: Reply, truth: Sequence[str]) -> tuple[list[str] | None, str]:
    """The rule ids that a reply lists, and how they were read; None and why where it lists none.

    A reply that says in words that there are none gives an empty list.

    Args:
        reply: the reply taken apart.
        truth: the true ids; they tell which form ids have here.
    """
    if reply.mark == "JSON" and not reply.answers:
        return [], "says none"
    lettered = not truth or any(rule[:1].isalpha() for rule in truth)
    marked = [ids for part in reply.answers if (ids := find_ids(part, lettered))]
    if marked:
        # What a reply lists under several labels is one list in parts.
        return list(dict.fromkeys(rule for ids in marked for rule in ids)), f"by {reply.mark}"
    if reply.answers and any(_NONE.match(part) for part in reply.answers if part.strip()):
        return [], "says none"
    ids = find_ids(reply.text, lettered)
    if ids:
        return ids, "listed"
    if _NONE.match(reply.text):
        return [], "says none"
    return None, "no rule id"
