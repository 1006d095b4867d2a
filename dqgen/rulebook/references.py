"""Mentions of rules in rules: single numbers, ranges, lists, items, section titles, and standards outside."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dqgen.rulebook.profile import Profile
from dqgen.rulebook.standards import STANDARDS
from dqgen.schemas.rulebook import Edge, Reference, Rule

_CUE = re.compile(
    r"(?:\b(?:rules?|sections?|articles?|chapters?|parts?|clauses?|paragraphs?|subsections?|requirements?|items?)|§+)\s*$",
    re.IGNORECASE,
)
_SOFT_CUE = re.compile(
    r"\b(?:see|per|with|of|in|to|and|or|under|by|meets?|meeting|from|refer to|comply|via|also)\s*[(\[]?\s*$",
    re.I,
)
_RANGE = re.compile(r"\s*(?:to|through|thru|until|[-–—])\s*")
_ITEM = r"(?:\.(?:[a-z]|[ivx]{1,4})(?![\w])|\.?\s?\((?:[a-z]|[ivx]{1,4}|\d{1,2})\)|[a-z](?![\w]))"
_TITLED = re.compile(
    r"\b(?:see|refer to|per|sections?|rule|article|chapter|under)\s+(?:the\s+)?(?:section\s+)?"
    r"[“\"'‘]?(?=[A-Z])",
    re.I,
)
# Tables and figures have numbers of their own: Table A-1 is no rule A.1. Those of three figures follow the rules.
_OWN_NUMBER = r"[.–-]?\d+(?:[.–-]\d+)?(?![.–-]?\d)"
_CAPTION = re.compile(
    rf"\b(?i:tables?|figures?|figs?\.?|equations?|annex(?:es)?|appendi(?:x|ces))\s+(?P<letters>[A-Z]{{0,3}}){_OWN_NUMBER}"
    rf"(?:(?:\s*,\s*|\s+(?:and|or|to|through)\s+|\s?[–-]\s?)(?P=letters){_OWN_NUMBER})*"
)
_MIXED = re.compile(r"\d\.[A-Za-z]")  # 8.3.A.9
_BEFORE = re.compile(
    r"\b(?:the\s+)?(?:previous|preceding|above)\s+(?:rule|section|paragraph|clause)\b|"
    r"\b(?:the\s+)?(?:rule|section|paragraph|clause)\s+above\b|\bthe\s+above\s+(?:rule|section|paragraph)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[Pp]revious|[Pp]receding|[Aa]bove|PREVIOUS|PRECEDING|ABOVE")  # sought sooner than the whole
_AFTER_DOCUMENT = re.compile(
    r"\s*(?:of|in)\s+(?:the\s+)?(?P<name>[A-Z][\w.-]*(?:\s+[A-Z0-9][\w.-]*){0,4}\s+(?:Rules|Handbook|Code|Standard|Manual))"
)


@dataclass(slots=True)
class _Index:
    """What the document holds, for look-up."""

    ids: dict[str, int]  # id to order
    items: set[str]
    titles: dict[str, str]
    pattern: re.Pattern[str]
    prefixes: set[str]
    separator: str
    external: re.Pattern[str]
    profile: Profile


def add_references(rules: Sequence[Rule], profile: Profile) -> None:
    """Fill in the references of all rules."""
    index = _index(rules, profile)
    for rule in rules:
        rule.references = sorted(_references(rule, rules, index), key=lambda ref: (ref.start, ref.end))


def edges(rules: Sequence[Rule]) -> list[Edge]:
    """The graph of references, one edge a rule and target, in reading order."""
    seen: set[tuple[str, str]] = set()
    out = []
    for rule in rules:
        for ref in rule.references:
            for target in ref.ids or [f"{ref.document} {ref.text}".strip()]:
                if (rule.id, target) not in seen:
                    seen.add((rule.id, target))
                    out.append(
                        Edge(
                            source=rule.id,
                            target=target,
                            text=ref.text,
                            document=ref.document,
                            resolved=ref.resolved,
                        )
                    )
    return out


@lru_cache(8192)
def split_id(rule_id: str) -> tuple[str, tuple[int, ...]]:
    """Letters and figures of an id: V.1.4.2 is V and (1, 4, 2)."""
    match = re.match(r"([A-Za-z]*)[^0-9]*(.*)$", rule_id)
    assert match is not None
    return match[1], tuple(int(n) for n in re.findall(r"\d+", match[2]))


def printed_number(address: str) -> str:
    """The number of a rule or item as the document has it: bullets, which `#` counts in an address, have none, so it is
    that of what they stand in."""
    return address.partition("#")[0]


def _index(rules: Sequence[Rule], profile: Profile) -> _Index:
    ids: dict[str, int] = {}
    for rule in rules:
        ids.setdefault(rule.id, rule.order)
    titles: dict[str, str] = {}
    doubled: set[str] = set()
    for rule in rules:
        name = rule.title.lower()
        if rule.kind != "rule" and len(name.split()) >= 2:
            if name in titles and titles[name] != rule.id:
                doubled.add(name)
            titles[name] = rule.id
    lettered = [rule.id for rule in rules if rule.kind != "part" and rule.id[:1].isalpha()]
    prefixes = {split_id(rule_id)[0] for rule_id in lettered}
    counts = [re.match(r"[A-Za-z]+([^A-Za-z0-9]?)", rule_id) for rule_id in lettered]
    separator = next((m[1] for m in counts if m), "")
    letters = "|".join(sorted(map(re.escape, prefixes), key=lambda p: (-len(p), p)))
    figures = r"\d{1,4}(?:\.\d{1,3})*"
    if any(rule_id[-1] in "ABCD" and rule_id[-2:-1].isdigit() for rule_id in ids):
        figures += r"(?:[A-D](?![A-Za-z]))?"
    if any(_MIXED.search(rule_id) for rule_id in ids):
        figures = r"\d{1,4}(?:\.(?:\d{1,3}|[A-Za-z](?![A-Za-z])|[ivx]{2,5}(?![A-Za-z])))*"
    own = (
        [rf"(?<![A-Za-z0-9])(?P<prefix>{letters})[ .‑-]?\s?(?P<figures>{figures})(?![\d])(?P<item>{_ITEM})?"]
        if letters
        else []
    )
    own.append(rf"(?<![\w.,/$€£-])(?P<plain>{figures})(?!\d|[.,]\d)(?P<inner>{_ITEM})?")
    words = "|".join(map(re.escape, [*profile.external, *STANDARDS]))
    external = re.compile(
        rf"(?<![A-Za-z])(?P<body>{words})(?:[/ ](?:{words}))*[\s-]?"
        r"(?:Specs?|Specification|Standard|Std\.?|Grade|Part|TS|TR|[A-Z]{1,3})?"
        rf"[\s-]?(?P<figures>[A-Z]{{0,3}}-?\d[\w.\-/:]*\w|\d)(?:\s+(?:Grade|Class|Type)\s+[\w.]+)?"
    )
    return _Index(
        ids, {item.id for rule in rules for item in rule.items},
        {name: rule_id for name, rule_id in titles.items() if name not in doubled},
        re.compile("|".join(own)), prefixes, separator, external, profile,
    )  # fmt: skip


def _references(rule: Rule, rules: Sequence[Rule], index: _Index) -> Iterator[Reference]:
    text = rule.text
    taken: list[tuple[int, int]] = []

    def free(start: int, end: int) -> bool:
        return all(end <= a or start >= b for a, b in taken)

    for outside in index.external.finditer(text):
        if outside["body"] in index.prefixes and _normal(outside["body"], outside["figures"], index) in index.ids:
            continue
        taken.append(outside.span())
        document = outside["body"]
        yield Reference(
            text=outside.group(), start=outside.start(), end=outside.end(), document=document, resolved=False
        )
    if index.profile.reference:
        for own in re.finditer(index.profile.reference, text):
            if free(*own.span()):
                target = own.groupdict().get("id") or own.group()
                taken.append(own.span())
                yield Reference(
                    text=own.group(),
                    start=own.start(),
                    end=own.end(),
                    ids=[target],
                    resolved=target in index.ids,
                )
    taken += [caption.span() for caption in _CAPTION.finditer(text)]
    position = 0
    while match := index.pattern.search(text, position):
        position = match.end()
        if not free(*match.span()):
            continue
        found = _one(match, text, index)
        if found is None:
            continue
        ids, end = found, match.end()
        gap = _RANGE.match(text, end)
        second = index.pattern.match(text, gap.end()) if gap else None
        if second is not None:
            last = _one(second, text, index, cued=True)
            between = _between(ids[0], last[0], index) if last else []
            if between:
                ids, end = between, second.end()
                position = end
        document, end = _elsewhere(text, end, index)
        resolved = not document and all(target in index.ids or target in index.items for target in ids)
        if not resolved and not document and index.profile.amends:
            document = index.profile.amends
        if rule.id not in ids or len(ids) > 1:
            taken.append((match.start(), end))
            yield Reference(
                text=text[match.start() : end],
                start=match.start(),
                end=end,
                ids=ids,
                document=document,
                resolved=resolved,
            )
    yield from _named(rule, rules, index, free)


def _elsewhere(text: str, end: int, index: _Index) -> tuple[str, int]:
    match = _AFTER_DOCUMENT.match(text, end)
    return (match["name"], match.end()) if match else ("", end)


def _normal(prefix: str, figures: str, index: _Index) -> str:
    return f"{prefix}{index.separator if prefix else ''}{figures}"


def _one(match: re.Match[str], text: str, index: _Index, cued: bool = False) -> list[str] | None:
    """The id that a match means, or None if it is no reference."""
    groups = match.groupdict()
    figures = groups.get("figures")
    if figures is not None:
        prefix = groups["prefix"]
        target = _normal(prefix, figures, index)
        item = _item_name(groups.get("item"))
        flat = "." not in figures
        if flat and index.separator and target not in index.ids:
            return None
        if target not in index.ids and (flat or not _deep(index, prefix)):
            return None
        return [f"{target}.{item}" if item and _has_items(target, item, index) else target]
    plain = groups["plain"]
    before = text[max(0, match.start() - 60) : match.start()]
    cue = cued or bool(_CUE.search(before))
    known = plain in index.ids
    depth = plain.count(".") + 1
    if not known and not (cue and depth >= 2 and not index.prefixes):
        return None
    soft = bool(_SOFT_CUE.search(before))
    if not (cue or (depth >= 3 and known) or (depth == 2 and known and soft and not index.prefixes)):
        return None
    item = _item_name(groups.get("inner"))
    return [f"{plain}.{item}" if item and _has_items(plain, item, index) else plain]


def _deep(index: _Index, prefix: str) -> bool:
    return any("." in rule_id[len(prefix) + 1 :] for rule_id in index.ids if rule_id.startswith(prefix))


def _item_name(text: str | None) -> str:
    return re.sub(r"[^\w]", "", text) if text else ""


def _has_items(target: str, item: str, index: _Index) -> bool:
    return f"{target}.{item}" in index.items or any(i.startswith(f"{target}.") for i in index.items)


def _between(first: str, last: str, index: _Index) -> list[str]:
    """All siblings from one id to another, both included; nothing if they are no siblings in order."""
    prefix, start = split_id(first)
    other, end = split_id(last)
    if prefix != other or len(start) != len(end) or start[:-1] != end[:-1] or end[-1] <= start[-1]:
        return []
    if end[-1] - start[-1] > 200 or first not in index.ids or last not in index.ids:
        return []
    stem = first[: len(first) - len(str(start[-1]))]
    return [f"{stem}{n}" for n in range(start[-1], end[-1] + 1) if f"{stem}{n}" in index.ids]


def _named(rule: Rule, rules: Sequence[Rule], index: _Index, free: object) -> Iterator[Reference]:
    """References by title ("see Side Impact Structure") and by place ("the rule above")."""
    for match in _TITLED.finditer(rule.text):
        words = re.split(r"(\s+)", rule.text[match.end() : match.end() + 90])
        for count in range(min(len(words), 15), 2, -1):
            said = "".join(words[:count])
            name = " ".join(said.split()).strip("”\"'’.,;:() ").lower()
            if name in index.titles and index.titles[name] != rule.id:
                trimmed = said.rstrip("”\"'’.,;:() \n")
                yield Reference(
                    text=trimmed,
                    start=match.end(),
                    end=match.end() + len(trimmed),
                    ids=[index.titles[name]],
                    resolved=True,
                )
                break
    for match in _BEFORE.finditer(rule.text) if _PLACE.search(rule.text) else ():
        before = next(
            (r.id for r in reversed(rules[: rule.order]) if r.parent == rule.parent and r.kind == rule.kind),
            None,
        )
        if before:
            yield Reference(text=match.group(), start=match.start(), end=match.end(), ids=[before], resolved=True)
