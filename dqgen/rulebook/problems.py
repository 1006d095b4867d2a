"""What a reader of the table should know: gaps, repeats, damaged numbers, empty pages, dead references."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from dqgen.rulebook.lines import Line
from dqgen.rulebook.numbering import Numbering
from dqgen.rulebook.parser import format_id
from dqgen.rulebook.profile import Profile
from dqgen.rulebook.references import split_id
from dqgen.schemas.rulebook import Problem, Rulebook

TITLE_PAGE = 80  # words that a title page may have
_FRONT = re.compile(
    r"\W*(?:table of )?(?:contents|foreword|preface|acknowledge?ments|copyright|disclaimer|imprint|"
    r"(?:rules? )?(?:change ?log|changes|revisions?|revision (?:history|log|table)|document history|version history|"
    r"release notes|amendments?|errata)|list of (?:changes|figures|tables|abbreviations))\b[^.]{0,40}$",
    re.IGNORECASE,
)


def find_problems(
    book: Rulebook, numbering: Numbering, lines: Sequence[Line], pages: int, profile: Profile
) -> list[Problem]:
    """All problems of a parsed document, by kind and then in reading order."""
    return [
        *_amendment(book, numbering),
        *_gaps(book),
        *_order(book),
        *_repeats(book),
        *_damaged(numbering, lines),
        *_empty_pages(lines, pages, book),
        *_unresolved(book),
        *_signs(book),
        *_unexpected(book, profile),
    ]


def _amendment(book: Rulebook, numbering: Numbering) -> Iterator[Problem]:
    if numbering.amendment:
        yield Problem(
            code="amendment",
            what="the numbers follow no order of their own: this reads like an amendment of another document",
        )


def _gaps(book: Rulebook) -> Iterator[Problem]:
    """Numbers missing between siblings, or before the first."""
    children: dict[tuple[str, tuple[int, ...]], dict[int, tuple[str, int]]] = defaultdict(dict)
    for rule in book.rules:
        prefix, figures = split_id(rule.id)
        if rule.kind != "part" and figures and not re.search(r"\d\.[A-Za-z]", rule.id):
            children[(prefix, figures[:-1])].setdefault(figures[-1], (rule.id, rule.page))
    for (_, above), family in children.items():
        numbers = sorted(family)
        start = 1 if above else numbers[0]
        before = start - 1 if numbers[0] > start else numbers[0]
        for number in numbers:
            if number > before + 1 and (above or number - before < 20):
                rule_id, page = family[number]
                stem = rule_id[: len(rule_id) - len(str(number))]
                first, last = f"{stem}{before + 1}", f"{stem}{number - 1}"
                missing = first if first == last else f"{first} to {last}"
                yield Problem(code="gap", what=f"{missing} missing before {rule_id}", rule=rule_id, page=page)
            before = number


def _order(book: Rulebook) -> Iterator[Problem]:
    before: dict[str, tuple[tuple[int, ...], str]] = {}
    for rule in book.rules:
        prefix, figures = split_id(rule.id)
        if rule.kind == "part" or not figures or re.search(r"\d\.[A-Za-z]", rule.id):
            continue
        if prefix in before and figures < before[prefix][0] and rule.occurrence == 1:
            yield Problem(
                code="out-of-order",
                what=f"{rule.id} stands after {before[prefix][1]}",
                rule=rule.id,
                page=rule.page,
            )
        before[prefix] = (max(figures, before[prefix][0]) if prefix in before else figures, rule.id)


def _repeats(book: Rulebook) -> Iterator[Problem]:
    for rule in book.rules:
        if rule.occurrence > 1:
            what = f"{rule.id} is used again (occurrence {rule.occurrence})"
            yield Problem(code="duplicate", what=what, rule=rule.id, page=rule.page)


def _damaged(numbering: Numbering, lines: Sequence[Line]) -> Iterator[Problem]:
    for head in numbering.heads:
        if head.damaged:
            rule_id = format_id(head, numbering.separator)
            yield Problem(
                code="damaged",
                what=f"'{head.printed}' was read as {rule_id}",
                rule=rule_id,
                page=lines[head.line].page,
            )
    for head, reason in numbering.rejected:
        if head.damaged:
            what = f"'{head.printed}' looks like a damaged number and was left as text: {reason}"
            yield Problem(code="damaged", what=what, page=lines[head.line].page)


def _empty_pages(lines: Sequence[Line], pages: int, book: Rulebook) -> Iterator[Problem]:
    covered = {span.page for rule in book.rules for span in rule.spans}
    words: Counter[int] = Counter()
    for line in lines:
        if line.role not in ("furniture", "contents", "skipped"):
            words[line.page] += len(line.text.split())
    front = _front_matter(lines, words, min(covered, default=1))
    for page in range(1, pages + 1):
        if page not in covered and words[page] and page not in front:
            yield Problem(code="empty-page", what=f"page {page} has text ({words[page]} words) and no rule", page=page)


def _front_matter(lines: Sequence[Line], words: Counter[int], first: int) -> set[int]:
    """Pages before the first rule that need none: those of few words, and all behind a heading of front matter."""
    opened = {line.page for line in lines if line.page < first and _FRONT.match(line.text)}
    start = min(opened, default=first)
    return {page for page in range(1, first) if words[page] <= TITLE_PAGE or page >= start}


def _unresolved(book: Rulebook) -> Iterator[Problem]:
    for rule in book.rules:
        for ref in rule.references:
            if not ref.resolved and not ref.document:
                what = f"{rule.id} refers to {', '.join(ref.ids)}, which is not there"
                yield Problem(code="unresolved", what=what, rule=rule.id, page=rule.page)


def _signs(book: Rulebook) -> Iterator[Problem]:
    lost = [rule for rule in book.rules if "\ufffd" in rule.text or "\ufffd" in rule.title]
    if lost:
        what = f"{len(lost)} rules hold signs that the file has lost (shown as \ufffd)"
        yield Problem(code="text", what=what, rule=lost[0].id, page=lost[0].page)


def _unexpected(book: Rulebook, profile: Profile) -> Iterator[Problem]:
    ids = [rule.id for rule in book.rules if rule.kind != "part"]
    expected = profile.expected
    if expected.count is not None and expected.count != len(set(ids)):
        yield Problem(code="expected", what=f"{len(set(ids))} ids where the profile expects {expected.count}")
    for name, want, have in (("first", expected.first, ids[:1]), ("last", expected.last, ids[-1:])):
        if want and have and have[0] != want:
            yield Problem(code="expected", what=f"the {name} id is {have[0]} where the profile expects {want}")
