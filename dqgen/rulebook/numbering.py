"""Which line starts are rule numbers: candidates, and the successor check that sifts them.

A line that begins with something like a number is a candidate. True numbers rise through the document; a
reference that a line break put at the start of a line, a running head, a quoted number or a measure mostly
does not. So the heaviest rising chain of candidates is sought, where the weight of each comes from how it is
set (column, space, type), and how that looks is learnt from the document itself in a first pass.
"""

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from dqgen.rulebook.candidates import Candidate, Numbers, candidates, figures_of
from dqgen.rulebook.lines import Line
from dqgen.rulebook.profile import Profile
from dqgen.rulebook.standards import STANDARDS

PART = re.compile(
    r"^(?:PART|Part|DIVISION|Division|BOOK|ANNEX|Annex|APPENDIX|Appendix|SECTION|Section|CHAPTER|Chapter)\s+"
    r"(?P<letter>[A-Z]{1,3})\b\s*[-–—:.]?\s*(?P<title>.*)$"
)
YEARS = range(1950, 2101)
_OPEN_ENDS = re.compile(
    r"(?:\b(?:see|per|to|and|or|in|of|with|by|from|under|meets?|meeting|rules?|section|sections|article|paragraph|the|"
    r"a|an|refer|comply|complies|requirements|requirement|also|than|least|approximately|be|is|are|for|at|between|"
    r"minimum|maximum|through|using|via|figure|table|than)|[,(–/&=<>±-])$",
    re.IGNORECASE,
)
# A number and a few words in capitals.
_HEADING = re.compile(
    r"^[<\[]?[A-Z]{0,4}[ .-]?\d+(?:\.\w{1,3})*[.:)>\]]{0,2}(?:\s+(?:[A-Z(&][\w()/&-]*|and|of|the|for)){1,8}$"
)


@dataclass(slots=True)
class Numbering:
    """The heads that were accepted, in reading order, and the look-alikes that were not, with the reason."""

    heads: list[Candidate] = field(default_factory=list)
    sections: list[Candidate] = field(default_factory=list)  # plain numbers above lettered rules, as in 9.2 over R5
    rejected: list[tuple[Candidate, str]] = field(default_factory=list)
    separator: str = ""
    parts: list[tuple[int, str, str]] = field(default_factory=list)  # line, letter, title of "PART B …" headings
    amendment: bool = False  # numbers of another document, in no order of their own


def number(lines: Sequence[Line], usual_lead: float, profile: Profile) -> Numbering:
    """Find the rule numbers of a document.

    Args:
        lines: the document in reading order.
        usual_lead: distance of baselines within a paragraph, in type sizes.
        profile: patterns and choices that replace what would be found out.
    """
    found = candidates(lines, re.compile(profile.id_pattern) if profile.id_pattern else None)
    result = Numbering(parts=_parts(lines, profile.part))
    found = _without_items(found, result.rejected)
    if profile.levels:
        found = [c for c in found if len(c.numbers) <= profile.levels]
    if profile.article:
        found = _with_articles(found, lines, re.compile(profile.article))
    _inherit(found, result.parts, profile.inherit)
    for candidate in found:
        candidate.evidence = _evidence(candidate, lines, usual_lead)
    lettered = _supported(
        [c for c in found if c.prefix], len([line for line in lines if line.role == "body"]), result.rejected
    )
    plain = [c for c in found if not c.prefix]
    heads = _chain(lettered, lines, result)
    numeric = _chain(_plain(plain, result.rejected), lines, result) if plain else []
    if not _credible(numeric, plain, lines):
        result.rejected += [(c, "no numbering of its own: a number at the start of a line") for c in numeric]
        numeric = []
    # An appendix A.1, A.2 … after 1.1 … 9.4 and an introduction 1.1 … 1.7 before T.1.1 have a place of their own.
    apart = _with_place(heads, numeric) + _with_place(numeric, heads)
    if len(heads) >= max(3, 0.25 * len(numeric)):
        result.heads = sorted({id(c): c for c in [*heads, *apart]}.values(), key=lambda c: c.line)
        rest = [c for c in numeric if all(c is not own for own in apart)]
        result.sections = _headings(rest, heads, lines, result.rejected)
    else:
        result.heads = sorted({id(c): c for c in [*numeric, *apart]}.values(), key=lambda c: c.line)
        rest = [c for c in heads if all(c is not own for own in apart)]
        result.rejected += [(c, "a number of another document") for c in rest]
    if not result.heads:
        result.heads = _quoted(found, result)
    result.separator = _separator(result.heads, lines) if profile.separator is None else profile.separator
    _occurrences(result.heads)
    return result


def _without_items(found: Sequence[Candidate], rejected: list[tuple[Candidate, str]]) -> list[Candidate]:
    """Keep numbers with letters in them, as 8.3.A.9, where they are a numbering; else they name items of rules."""
    mixed = [c for c in found if c.mixed]
    keys = {c.numbers for c in found if not c.prefix}
    distinct = {c.numbers for c in mixed}
    followed = sum(_follows(numbers, keys) and numbers[:-1] in keys for numbers in distinct)
    if len(distinct) >= 4 and followed >= 0.7 * len(distinct):
        return list(found)
    rejected += [(c, "an item of a rule, quoted") for c in mixed]
    return [c for c in found if not c.mixed]


def _with_place(heads: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """Those heads whose letter numbers a stretch of the document with none of the others in it."""
    places = [c.line for c in others]
    found = []
    for prefix in {c.prefix: None for c in heads}:
        group = [c for c in heads if c.prefix == prefix]
        keys = {c.numbers for c in group}
        between = bisect_left(places, group[-1].line) - bisect_left(places, group[0].line)
        dotted = sum(len(numbers) > 1 for numbers in keys) >= 0.5 * len(keys)
        followed = sum(_follows(numbers, keys) for numbers in keys) >= 0.8 * len(keys)
        if len(keys) >= 4 and not between and dotted and followed:
            found += group
    return found


def _with_articles(found: list[Candidate], lines: Sequence[Line], pattern: re.Pattern[str]) -> list[Candidate]:
    """Add the headings that a profile's pattern of an article matches."""
    articles = []
    for index, line in enumerate(lines):
        match = pattern.match(line.text) if line.role == "body" else None
        if match:
            digits = match["numbers"]
            articles.append(
                Candidate(
                    index, "", figures_of(digits), match.group().strip(), digits, "", "ARTICLE",
                    line.text[match.end() :].strip(), True,
                )
            )  # fmt: skip
    at = {article.line for article in articles}
    return sorted([*articles, *(c for c in found if c.line not in at)], key=lambda c: c.line)


def _parts(lines: Sequence[Line], own: str = "") -> list[tuple[int, str, str]]:
    """Headings of lettered parts; a profile's own pattern needs no further sign of a heading."""
    pattern = re.compile(own) if own else PART
    parts: list[tuple[int, str, str]] = []
    for index, line in enumerate(lines):
        match = pattern.match(line.text) if line.role == "body" and len(line.text) < 90 else None
        if match and (own or line.bold or line.heading or line.text.isupper() or line.lead > 1.6):
            title = match.groupdict().get("title") or ""
            parts.append((index, match["letter"], title.strip()))
    return parts


def _inherit(found: list[Candidate], parts: Sequence[tuple[int, str, str]], forced: bool | None) -> None:
    """Give numbers the letter of the part around them, where they start again in each part; and give
    "ARTICLE 2" the letter of the rules below it."""
    dotted = [c for c in found if not c.prefix and len(c.numbers) > 1]
    starts = [index for index, _, _ in parts]

    def part_of(candidate: Candidate) -> str:
        at = bisect_left(starts, candidate.line)
        return parts[at - 1][1] if at else ""

    if parts and dotted:
        whole = len(_rising(dotted, lambda c: (0, c.numbers), lambda c: 1.0))
        zones: dict[str, list[Candidate]] = defaultdict(list)
        for candidate in dotted:
            zones[part_of(candidate)].append(candidate)
        apart = sum(len(_rising(zone, lambda c: (0, c.numbers), lambda c: 1.0)) for zone in zones.values())
        if forced or (forced is None and apart > 1.3 * whole):
            for candidate in found:
                if not candidate.prefix and part_of(candidate):
                    candidate.prefix = part_of(candidate)
                    candidate.inherited = True
    for position, candidate in enumerate(found):
        if candidate.prefix or candidate.word.lower() not in ("article", "chapter", "section"):
            continue
        below = [c for c in found[position + 1 : position + 12] if c.prefix and c.numbers[0] == candidate.numbers[0]]
        if below:
            candidate.prefix, candidate.inherited = below[0].prefix, True
        elif any(c.prefix for c in found) and part_of(candidate):
            candidate.prefix, candidate.inherited = part_of(candidate), True


def _evidence(candidate: Candidate, lines: Sequence[Line], usual_lead: float) -> float:
    """How much the setting of a line speaks for a rule number, the learnt columns left aside."""
    line = lines[candidate.line]
    before = next((lines[i] for i in range(candidate.line - 1, -1, -1) if lines[i].role == "body"), None)
    score = 0.0
    runs_on = before is not None and _runs_on(before, line, usual_lead)
    if line.heading or candidate.marked or (candidate.word and not runs_on):
        score += 2
    if line.bold or line.lead_bold:
        # Markup in bold is a deliberate mark; on a printed page references are often bold, too.
        score += 0.5 if line.page else 2
    first = line.cells[0][2] if len(line.cells) > 1 else ""
    if first and len(first) <= len(candidate.printed) + 2:
        score += 1
    if line.lead > usual_lead * 1.1:
        score += 1
    rest = candidate.rest
    closed = runs_on and candidate.printed.endswith(".")  # a number that ends a sentence
    if (not rest and not closed) or rest[:1].isupper() or rest[:1] in tuple('[“"*‘<'):
        score += 0.5
    elif rest[:1].islower() or rest[:1] in tuple(",;)/&+="):
        score -= 1.5
    if re.match(r"^(?:and|or|to|through|for|above|below|as|is|are|in|of|must|shall|does|do|if|by|when)\b", rest):
        score -= 1
    if runs_on:
        score -= 1.5
    if candidate.damaged:
        score -= 0.5
    if candidate.inherited and not candidate.word and len(candidate.numbers) == 1:
        score -= 0.5
    return score


def _runs_on(before: Line, line: Line, usual_lead: float) -> bool:
    """Whether the words of the line before ask for more; "3. Communication Rules" above 3.1 is a heading."""
    broken = line.page != before.page or line.box[1] < before.box[1]  # by the end of a page or column
    if (line.lead >= usual_lead * 1.25 and not broken) or not _OPEN_ENDS.search(before.text[-24:]):
        return False
    loud = before.heading or (before.bold and not line.bold) or before.text.isupper()
    return not (loud or _HEADING.match(before.text))


def _supported(found: list[Candidate], body: int, rejected: list[tuple[Candidate, str]]) -> list[Candidate]:
    """Keep the letters that carry a numbering of their own: ISO 7040 or M6 at a line start do not."""
    kept = []
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        groups[candidate.prefix].append(candidate)
    for prefix, group in groups.items():
        keys = {c.numbers for c in group if not c.damaged}
        followed = sum(_follows(numbers, keys) for numbers in keys)
        settled = sum(c.evidence >= 0.5 for c in group)
        listed = len(keys) >= 2 and followed >= 0.5 * len(keys) and settled >= 0.3 * len(group)
        if (listed or _is_even(group, body) or _is_spread(group)) and prefix not in STANDARDS:
            kept += group
        else:
            rejected += [(c, f"{prefix} has no numbering of its own here") for c in group]
    return sorted(kept, key=lambda c: c.line)


def _is_even(group: Sequence[Candidate], body: int) -> bool:
    """Whether numbers with gaps rise all the same, and open a good part of the lines: an extract."""
    if len(group) < max(8, 0.3 * body):
        return False
    return len(_rising(group, lambda c: (0, c.numbers), lambda c: 1.0)) >= 0.85 * len(group)


def _is_spread(group: Sequence[Candidate]) -> bool:
    """Whether dotted numbers with gaps, as 23.301, 23.303, 23.305, are set as heads and rise throughout."""
    if len(group) < 8 or sum(len(c.numbers) > 1 for c in group) < 0.9 * len(group):
        return False
    heads = [c for c in group if c.evidence >= 1]
    rising = _rising(heads, lambda c: (0, c.numbers), lambda c: 1.0)
    return len(heads) >= 0.6 * len(group) and len(rising) >= 0.9 * len(heads)


def _by_prefix(found: Iterable[Candidate]) -> dict[str, set[Numbers]]:
    keys: dict[str, set[Numbers]] = defaultdict(set)
    for candidate in found:
        keys[candidate.prefix].add(candidate.numbers)
    return keys


def _follows(numbers: Numbers, keys: set[Numbers]) -> bool:
    """Whether a number continues another: its last figure one less, or it is a first child."""
    *above, last = numbers
    if (*above, last - 1) in keys or (above and tuple(above) in keys):
        return True
    if last % 1 == 0.5:  # a letter
        return last == 1.5
    if last % 1:  # 330A
        return (*above, int(last)) in keys or (*above, round(last - 0.01, 2)) in keys
    return last <= 1 or (len(numbers) == 1 and last % 100 <= 1)


def _plain(found: list[Candidate], rejected: list[tuple[Candidate, str]]) -> list[Candidate]:
    """Of plain numbers, keep dotted ones, and whole numbers that open the dotted ones below them."""
    dotted = [c for c in found if len(c.numbers) > 1]
    flat = [c for c in found if len(c.numbers) == 1 and (c.word or c.evidence >= 1)]
    if 3 * sum(c.evidence > 0 for c in dotted) < sum(c.evidence >= 1 for c in flat):  # "1.25" wrapped to a line start
        rejected += [(c, "a decimal number beside whole ones") for c in dotted]
        return flat
    if not dotted:
        return flat
    kept = []
    for position, candidate in enumerate(found):
        if len(candidate.numbers) > 1:
            kept.append(candidate)
            continue
        # Wrapped references stand between; those that are set like text do not count.
        below = next((c for c in found[position + 1 :] if len(c.numbers) > 1 and c.evidence > 0), None)
        above = next((c for c in reversed(found[:position]) if len(c.numbers) > 1 and c.evidence > 0), None)
        opens = below is not None and below.numbers[0] == candidate.numbers[0] and below.numbers[1] < 2
        fresh = above is None or above.numbers[0] != candidate.numbers[0]
        again = any(
            c.numbers == candidate.numbers and c.evidence >= candidate.evidence
            for c in found[position + 1 : position + 6]
        )
        if opens and fresh and not again and candidate.evidence > 0:
            kept.append(candidate)
        else:
            rejected.append((candidate, "a whole number that opens no section"))
    return kept


def _chain(found: list[Candidate], lines: Sequence[Line], result: Numbering) -> list[Candidate]:
    """The heaviest rising chain, sought twice: how its numbers are set is learnt from the first."""
    if not found:
        return []
    rank = _ranks(found)

    def order(candidate: Candidate) -> tuple[int, Numbers]:
        return rank[candidate.prefix], candidate.numbers

    def first_weight(candidate: Candidate) -> float:
        return max(0.2, 1 + candidate.evidence)

    columns = _columns(_rising(found, order, first_weight), lines)
    for candidate in found:
        candidate.evidence += _column_evidence(candidate, lines, columns)
    chain = _rising(found, order, lambda c: max(0.05, 1 + c.evidence))
    chosen = {id(c) for c in chain}
    accepted, keys = [], _by_prefix(chain)
    kin = Counter(key for c in chain for key in {(c.prefix, c.numbers[:1]), (c.prefix, c.numbers[:-1])})
    for candidate in chain:
        follows = _follows(candidate.numbers, keys[candidate.prefix])
        alone = kin[(candidate.prefix, candidate.numbers[:1])] < 2 and len(candidate.numbers) > 1
        if alone and not follows:
            result.rejected.append((candidate, "stands alone and continues no number"))
        elif candidate.evidence >= 1.5 or (follows and candidate.evidence >= 0):
            if candidate.damaged and not follows:
                result.rejected.append((candidate, "looks damaged and continues no number"))
            else:
                accepted.append(candidate)
        else:
            result.rejected.append((candidate, "a reference at the start of a line"))
    rest = [c for c in found if id(c) not in chosen]
    return _rescue(accepted, rest, result)


def _ranks(found: Sequence[Candidate]) -> dict[str, int]:
    """Order of the letters by where the weight of their numbers lies."""
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        groups[candidate.prefix].append(candidate)
    places: dict[str, list[int]] = {}
    for prefix, group in groups.items():
        usual = sorted(c.evidence for c in group)[len(group) // 2]
        places[prefix] = [c.line for c in group if c.evidence >= min(1.0, usual)]
    middles = {prefix: sorted(at)[len(at) // 2] for prefix, at in places.items()}
    return {prefix: i for i, prefix in enumerate(sorted(middles, key=lambda p: (middles[p], p)))}


def _rising(
    found: Sequence[Candidate],
    order: Callable[[Candidate], tuple[int, Numbers]],
    weight: Callable[[Candidate], float],
) -> list[Candidate]:
    """The heaviest strictly rising subsequence, by a Fenwick tree of running maxima."""
    keys = sorted({order(c) for c in found})
    place = {key: i + 1 for i, key in enumerate(keys)}
    tree: list[tuple[float, int]] = [(0.0, -1)] * (len(keys) + 1)
    before: list[int] = []
    best: list[float] = []
    for index, candidate in enumerate(found):
        at = place[order(candidate)]
        top = (0.0, -1)
        slot = at - 1
        while slot > 0:
            if tree[slot] > top:
                top = tree[slot]
            slot -= slot & -slot
        best.append(top[0] + weight(candidate))
        before.append(top[1])
        here = (best[index], index)
        slot = at
        while slot <= len(keys):
            if tree[slot] < here:
                tree[slot] = here
            slot += slot & -slot
    if not best:
        return []
    chain = []
    index = max(range(len(best)), key=lambda i: (best[i], -i))
    while index >= 0:
        chain.append(found[index])
        index = before[index]
    return chain[::-1]


def _columns(chain: Sequence[Candidate], lines: Sequence[Line]) -> dict[int, float]:
    """Where numbers stand: left edges in points and the share of the chain there."""
    counts: Counter[int] = Counter()
    for candidate in chain:
        counts[round(lines[candidate.line].x / 2)] += 1
    return {x: n / len(chain) for x, n in counts.items()}


def _column_evidence(candidate: Candidate, lines: Sequence[Line], columns: dict[int, float]) -> float:
    x = round(lines[candidate.line].x / 2)
    share = sum(columns.get(x + step, 0.0) for step in (-1, 0, 1))
    if share >= 0.04:
        return 1.0
    return -1.5 if share < 0.01 else -0.5


def _rescue(accepted: list[Candidate], rest: Sequence[Candidate], result: Numbering) -> list[Candidate]:
    """Take back numbers out of order or given twice, where they are set like numbers among their like."""
    by_line = [c.line for c in accepted]
    keys = _by_prefix(accepted)
    taken = list(accepted)
    for candidate in rest:
        at = bisect_left(by_line, candidate.line)
        around = [c for c in accepted[max(0, at - 1) : at + 1] if c.prefix == candidate.prefix]
        parent = candidate.numbers[:-1]
        kin = any(c.numbers[: len(parent)] == parent for c in around) and bool(parent)
        twin = any(c.key == candidate.key for c in around)
        known = candidate.numbers in keys[candidate.prefix]
        follows = _follows(candidate.numbers, keys[candidate.prefix])
        if candidate.damaged and (known or not follows):
            result.rejected.append((candidate, "looks damaged and continues no number"))
        elif (kin or twin) and candidate.evidence >= 2 and (known or follows):
            taken.append(candidate)
        else:
            reason = "a number used elsewhere, quoted" if known else "out of order: a reference or a quoted number"
            result.rejected.append((candidate, reason))
    return sorted(taken, key=lambda c: c.line)


def _credible(chain: Sequence[Candidate], found: Sequence[Candidate], lines: Sequence[Line]) -> bool:
    """Whether plain numbers form a numbering: most continue another, or they open most of the lines."""
    if chain and all(lines[c.line].heading for c in chain):
        return True
    if len(chain) < 3:
        return False
    if all(c.marked for c in chain):
        return True
    keys = {c.numbers for c in chain}
    if all(len(numbers) == 1 for numbers in keys) and min(keys) > (1,) and not all(c.word for c in chain):
        return False  # the rest of some list
    followed = sum(_follows(numbers, keys) for numbers in keys)
    body = sum(line.role == "body" for line in lines)
    return followed >= 0.6 * len(keys) or (len(chain) >= 8 and len(chain) >= 0.3 * body)


def _headings(
    chain: Sequence[Candidate],
    heads: Sequence[Candidate],
    lines: Sequence[Line],
    rejected: list[tuple[Candidate, str]],
) -> list[Candidate]:
    """Plain numbers beside lettered rules count only as headings with lettered rules below them."""
    kept = []
    plain = not any(line.heading or line.bold for line in lines)  # a text without any type
    for candidate in chain:
        line = lines[candidate.line]
        if line.heading or line.bold or (plain and _HEADING.match(line.text)):
            kept.append(candidate)
        else:
            rejected.append((candidate, "a plain number beside lettered rules, and no heading"))
    years = [c for c in kept if c.numbers[0] in YEARS and len(c.numbers) == 1]
    if len(years) == 1:  # "2031 Cart Rules" is a title
        kept.remove(years[0])
        rejected.append((years[0], "a year"))
    if not kept:
        return []
    places = [head.line for head in heads]
    ends = [*(c.line for c in kept[1:]), len(lines)]
    filled = sum(bisect_left(places, c.line) < bisect_left(places, end) for c, end in zip(kept, ends, strict=True))
    if filled < 0.4 * len(kept):
        rejected += [(c, "a plain number with no lettered rule below it") for c in kept]
        return []
    return kept


def _quoted(found: Sequence[Candidate], result: Numbering) -> list[Candidate]:
    """An amendment quotes the numbers of another document: take those that are set as headings, in any
    order."""
    heads = [c for c in found if c.prefix and len(c.numbers) > 1 and c.evidence >= 1.5 and not c.damaged]
    if len(heads) < 2:
        return []
    chosen = {id(c) for c in heads}
    result.amendment = True
    result.rejected = [(c, reason) for c, reason in result.rejected if id(c) not in chosen]
    return heads


def _separator(heads: Sequence[Candidate], lines: Sequence[Line]) -> str:
    """What stands between letters and figures in most of the numbers; a space counts as nothing."""
    counts = Counter(c.sep.strip() for c in heads if c.prefix and not c.inherited)
    if not counts and any(c.inherited for c in heads):
        # The letter is never printed before the number: look how references write it.
        letters = "|".join(sorted({re.escape(c.prefix) for c in heads if c.prefix}))
        pattern = re.compile(rf"(?<![A-Za-z])(?:{letters})(\.?) ?\d+\.\d")
        written = Counter(sep for line in lines for sep in pattern.findall(line.text))
        return max((".", ""), key=lambda sep: written[sep])  # where they are even, the point
    return counts.most_common(1)[0][0] if counts else ""


def _occurrences(heads: Sequence[Candidate]) -> None:
    seen: Counter[tuple[str, Numbers]] = Counter()
    for head in heads:
        seen[head.key] += 1
        head.occurrence = seen[head.key]
