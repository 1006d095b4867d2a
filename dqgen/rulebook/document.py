"""A file to a whole rulebook: the steps in their order."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dqgen.collector import without_collector
from dqgen.errors import RulebookError
from dqgen.rulebook import furniture
from dqgen.rulebook.grid import Grid
from dqgen.rulebook.layout import document_lines
from dqgen.rulebook.lines import Line
from dqgen.rulebook.numbering import Numbering, number
from dqgen.rulebook.parser import build_rules, format_id
from dqgen.rulebook.problems import find_problems
from dqgen.rulebook.profile import Profile, page_set
from dqgen.rulebook.quantities import add_quantities
from dqgen.rulebook.reader import Source, read
from dqgen.rulebook.references import add_references
from dqgen.rulebook.roles import MODAL
from dqgen.rulebook.tables import find_tables
from dqgen.rulebook.units import Units
from dqgen.schemas.rulebook import LookAlike, Rulebook, SourceFile

FEWEST_SENTENCES = 0.25  # share of entries with text; in rulebooks it is 0.8 and more, in schedules 0.2 at most
SENTENCE_ENDS = (".", ":", ";", "!", "?", ".)", ".”", '."', "।", "؟", "۔")
SPARSEST = 0.02  # numbers a line below which a document is no rulebook but, say, a drawing with part numbers


@dataclass(slots=True)
class Reading:
    """The lines of a document with their roles, before they become rules."""

    lines: list[Line]
    grids: list[Grid]
    usual_lead: float
    numbering: Numbering


def parse(path: Path, profile: Profile | None = None) -> Rulebook:
    """Read a rulebook file into rules with items, tables, references and quantities.

    Args:
        path: a PDF, Markdown, reST, HTML or text file.
        profile: what is odd about the document; everything is found out by default.

    Raises:
        LoadError: the file cannot be read.
        RulebookError: no numbered rules are in it, or the profile is made for another document.
    """
    with without_collector():
        return _parse(path, profile or Profile())


def _parse(path: Path, profile: Profile) -> Rulebook:
    source = read(path)
    reading = read_lines(source, profile)
    numbering = reading.numbering
    labels = {page.number: page.label for page in source.pages}
    rules = build_rules(reading.lines, numbering, reading.grids, labels, reading.usual_lead, profile)
    said = [rule.text for rule in rules if rule.text]
    if sum(map(_is_sentence, said)) < FEWEST_SENTENCES * len(said) or not said:
        raise RulebookError(
            "the numbers in it have no sentences behind them: a drawing, a schedule or a list of parts, no rulebook",
            str(path),
            "give a document whose numbered entries say what must or may be",
        )
    add_references(rules, profile)
    add_quantities(rules, Units.of(profile.units))
    book = Rulebook(
        source=SourceFile.model_validate(
            {
                "name": path.name,
                "format": source.kind,
                "sha256": source.sha256,
                "pages": len(source.pages) or max((line.page for line in reading.lines), default=0),
            }
        ),
        profile=profile.name,
        scheme=_example(numbering),
        rules=rules,
        look_alikes=[
            LookAlike(
                printed=head.printed,
                page=reading.lines[head.line].page,
                reason=reason,
                text=reading.lines[head.line].text[:80],
            )
            for head, reason in sorted(numbering.rejected, key=lambda pair: pair[0].line)
        ],
    )
    book.problems = find_problems(book, numbering, reading.lines, len(source.pages), profile)
    return book


def read_lines(source: Source, profile: Profile) -> Reading:
    """Lines with roles, tables and numbers of a source.

    Raises:
        RulebookError: no numbering was found, or the profile does not match the document.
    """
    grids: list[Grid] = []
    if source.kind == "pdf":
        lines = document_lines(source.pages, profile.columns)
        _check_match(source, lines, profile)
        _apply(profile, lines, {page.number: page.height for page in source.pages})
        furniture.mark_furniture(source.pages, lines)
        furniture.mark_contents(lines)
        furniture.mark_footnotes(source.pages, lines)
        furniture.mark_figures(source.pages, lines)
        usual_lead = _usual_lead(lines)
    else:
        from dqgen.rulebook.markup import USUAL_LEAD, markup_lines

        lines, grids = markup_lines(source)
        _check_match(source, lines, profile)
        _apply(profile, lines, {})
        furniture.mark_repeats_of_text(lines)
        furniture.mark_contents(lines)
        usual_lead = USUAL_LEAD
    furniture.mark_captions(lines, usual_lead, [re.compile(pattern) for pattern in profile.captions])
    numbering = number(lines, usual_lead, profile)
    body = sum(line.role == "body" for line in lines)
    if not numbering.heads or len(numbering.heads) < SPARSEST * body:
        raise RulebookError(
            "no numbered rules were found",
            str(source.path),
            "if it is a rulebook, describe its numbers in a profile (id_pattern); see docs/rulebook.md",
        )
    if source.kind in ("pdf", "txt") and profile.tables == "auto":
        grids = find_tables(source.pages, lines, {head.line for head in [*numbering.heads, *numbering.sections]})
    return Reading(lines, grids, usual_lead, numbering)


def _is_sentence(text: str) -> bool:
    """Whether a text says something in whole words, in any language, and does not only name a thing."""
    whole = len(text.split()) >= 4 and text.rstrip().endswith(SENTENCE_ENDS) and not text.isupper()
    return bool(MODAL.search(text)) or whole or any(end in text for end in "。！？")


def _usual_lead(lines: Sequence[Line]) -> float:
    """The distance of baselines within a paragraph, in type sizes: the closest that is common."""
    leads = Counter(round(line.lead, 1) for line in lines if line.role == "body" and 0.9 <= line.lead < 2.5)
    total = sum(leads.values())
    common = [lead for lead, n in leads.items() if n >= 0.12 * total]
    return min(common, default=1.2) + 0.05


def _check_match(source: Source, lines: Sequence[Line], profile: Profile) -> None:
    if not profile.match:
        return
    head = "\n".join([source.path.name, *(line.text for line in lines if line.page <= 1)][:400])
    if not re.search(profile.match, head, re.IGNORECASE):
        raise RulebookError(
            f"profile '{profile.name}' is made for another document (match: {profile.match})",
            str(source.path),
            "use --profile auto, or correct the field match",
        )


def _apply(profile: Profile, lines: list[Line], heights: dict[int, float]) -> None:
    """What the profile says about pages, bands, patterns and replacements."""
    body, skip = page_set(profile.pages.body), page_set(profile.pages.skip)
    patterns = [re.compile(pattern) for pattern in profile.furniture]
    for at, line in enumerate(lines):
        for old, new in profile.replacements.items():
            if old in line.text:
                line = lines[at] = replace(
                    line,
                    text=line.text.replace(old, new),
                    cells=[(x0, x1, text.replace(old, new)) for x0, x1, text in line.cells],
                )
        if (body and line.page not in body) or line.page in skip:
            line.role = "skipped"
        elif any(pattern.search(line.text) for pattern in patterns) or (
            line.page in heights
            and (line.box[3] <= profile.header or line.box[1] >= heights[line.page] - profile.footer)
        ):
            line.role = "furniture"


def _example(numbering: Numbering) -> str:
    deepest = max(numbering.heads, key=lambda head: (len(head.numbers), -head.line))
    return format_id(deepest, numbering.separator)
