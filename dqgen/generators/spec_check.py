"""Whether all that a spec names is there and fits together, before a long build: every mistake with its line."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from dqgen.errors import DqgenError, SpecError, UsageError
from dqgen.generators.dimension_views import drawn_from
from dqgen.generators.limits import fits, limit_of
from dqgen.generators.prompts import EXPLANATIONS, FIELDS, fields_of
from dqgen.generators.registry import kinds
from dqgen.generators.rule_choice import within
from dqgen.generators.sources import Sources
from dqgen.generators.spec_file import Fault, Place, near, usable
from dqgen.geometry.edit import Edit, edited
from dqgen.geometry.measure import Measurer
from dqgen.geometry.occurrences import glob, match
from dqgen.loaders.parametric import defaults
from dqgen.loaders.sandbox import Limits
from dqgen.renderers.drawing.explicit import drawn_parts
from dqgen.renderers.views import VIEWS
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.references import split_id
from dqgen.schemas.design import Design
from dqgen.schemas.spec import DimensionCheck, FunctionalCheck, Limit
from dqgen.simulation.study import find_part

Report = Callable[[Place, str, str], None]
"""Takes a place in the spec, what is wrong there, and how to mend it."""


def check_spec(path: Path, limits: Limits | None = None) -> list[Fault]:
    """All mistakes of a spec, in the order of lines.

    Args:
        path: of the YAML file.
        limits: of processes that read designs.

    Raises:
        SpecError: it cannot be read, or is no YAML.
    """
    spec, document, faults = usable(path)
    if spec is None:
        return faults
    sources = Sources(spec, path, document.lines, limits)

    def report(place: Place, what: str, mend: str = "") -> None:
        faults.append(Fault(document.line(place), what, mend))

    _check_prompts(sources, report)
    for kind in spec.counts:
        if kind not in kinds():
            report(("counts", kind), f"no kind '{kind}'", near(kind, kinds()))
    has_book = _told(lambda: sources.rulebook, ("rulebook", "file"), report) is not None
    if has_book:
        _check_sections(sources, report)
        _check_terms(sources, report)
    benches = {}
    for at, entry in enumerate(spec.designs):
        design = _told(partial(sources.design, entry.name), ("designs", at), report)
        if design is not None:
            benches[entry.name] = Bench(design)
            _check_design(sources, at, benches[entry.name], report)
    for at, check in enumerate(spec.dimension):
        _check_dimension(sources, check, ("dimension", at), benches, has_book, report)
    for at, performance in enumerate(spec.functional):
        _check_functional(sources, performance, ("functional", at), benches, has_book, report)
    return sorted(set(faults))


class Bench:
    """A design ready to be measured.

    Args:
        design: of the spec.
    """

    def __init__(self, design: Design) -> None:
        self.design = design
        self.measurer = Measurer(design)

    def check_patterns(self, patterns: Sequence[str], place: Place, report: Report) -> None:
        """Report patterns that name nothing."""
        for at, pattern in enumerate(patterns):
            try:
                match(self.measurer.scene.leaves, pattern)
            except UsageError as error:
                report((*place, at), error.what, error.mend)


def _told(get: Callable[[], Any], place: Place, report: Report) -> Any:
    """What a function gives, or None with its error reported."""
    try:
        return get()
    except DqgenError as error:
        report(place, f"{error.where}: {error.what}" if error.where else error.what, error.mend)
        return None


def _check_prompts(sources: Sources, report: Report) -> None:
    texts: list[tuple[Place, str | None, tuple[str, ...]]] = [
        (("prompts", kind), getattr(sources.spec.prompts, kind), ("preamble", *FIELDS[kind])) for kind in FIELDS
    ]
    for kind, fields in EXPLANATIONS.items():
        texts += [
            ((kind, at, "explanation"), c.explanation, fields) for at, c in enumerate(getattr(sources.spec, kind))
        ]
    for place, text, known in texts:
        if text is None:
            continue
        try:
            used = fields_of(text)
        except ValueError as error:
            report(place, f"the braces of this text do not match ({error})", "write {{ and }} for braces themselves")
            continue
        for name in used:
            if name not in known:
                report(place, f"this text has no field {{{name}}}", near(name, known))


def _check_sections(sources: Sources, report: Report) -> None:
    rules = [rule for rule in sources.rulebook.rules if rule.kind != "part"]
    parts = list(dict.fromkeys(split_id(rule.id)[0] for rule in rules))
    for field, names in (
        ("sections", sources.spec.rulebook.sections),
        ("without", sources.spec.rulebook.without),
    ):
        for at, name in enumerate(names):
            if not any(within(rule.id, [name]) for rule in rules):
                report(("rulebook", field, at), f"no part or rule '{name}'", near(name, parts))


def _check_terms(sources: Sources, report: Report) -> None:
    texts = [f"{rule.title}\n{rule.text}" for rule in sources.rulebook.rules if rule.kind != "part"]
    for at, term in enumerate(sources.spec.terms.terms):
        pattern = mention_pattern(term.split("/"))
        loose = [name.strip().casefold() for name in term.split("/")]
        said = any(pattern.search(text) for text in texts)
        if sources.spec.terms.profile == "designqa":
            said = said or any(name in text.casefold() for name in loose for text in texts)
        if not said:
            report(("terms", "list", at), f"no rule mentions '{term}'", "write it as the rulebook does")


def _check_design(sources: Sources, at: int, bench: Bench, report: Report) -> None:
    entry = sources.spec.designs[at]
    place: Place = ("designs", at)
    bench.check_patterns(entry.hide, (*place, "hide"), report)
    names: dict[str, str] = {}
    for number, component in enumerate(entry.components):
        here: Place = (*place, "components", number)
        for field in ("pattern", "hide", "avoid"):
            bench.check_patterns(getattr(component, field), (*here, field), report)
        if component.count is not None:
            found = sum(_count(bench.design, pattern) for pattern in component.pattern)
            if found and found != component.count:
                report((*here, "count"), f"'{component.name}' is {found} occurrences, not {component.count}", "")
        for name in (component.name, *component.synonyms):
            if name.casefold() in names:
                report((*here, "name"), f"'{name}' is a name of '{names[name.casefold()]}', too", "give others")
            names.setdefault(name.casefold(), component.name)


def _count(design: Design, pattern: str) -> int:
    """Topmost occurrences that a pattern names."""
    expression = glob(pattern)

    def below(node: Any) -> int:
        if any(expression.fullmatch(name) for name in (node.path, node.label, node.product)):
            return 1
        return sum(below(child) for child in node.children)

    return below(design.root)


def _check_dimension(
    sources: Sources,
    check: DimensionCheck,
    place: Place,
    benches: dict[str, Bench],
    has_book: bool,
    report: Report,
) -> None:
    if check.view is not None and check.view not in VIEWS:
        report((*place, "view"), f"no view '{check.view}'", near(check.view, [*VIEWS]))
    known_rule = has_book and _told(lambda: _rule(sources, check.rule), (*place, "rule"), report) is not None
    entry = _told(lambda: sources.design_source(check.design), (*place, "design"), report)
    bench = benches.get(entry.name) if entry is not None else None
    if bench is None:
        return
    value = _told(partial(bench.measurer.measure, check.measure), (*place, "measure"), report)
    drawn = [
        _told(partial(bench.measurer.measure, expression), (*place, "draw", at), report)
        for at, expression in enumerate(check.draw)
    ] or [value]
    if all(drawn) and (check.view is None or check.view in VIEWS):
        field = "view" if check.view else "draw" if check.draw else "measure"
        _told(
            lambda: drawn_from([part for whole in drawn for part in drawn_parts(whole)], check.view),
            (*place, field),
            report,
        )
    bench.check_patterns(check.highlight, (*place, "highlight"), report)
    bench.check_patterns(check.hide, (*place, "hide"), report)
    changes = check.violations
    if isinstance(changes.edits, tuple):
        for at, edit in enumerate(changes.edits):
            tried = partial(edited, bench.design, Edit("move", edit.pattern))
            _told(tried, (*place, "violations", "edits", at), report)
    if changes.parameter is not None:
        if entry.source is None:
            report(
                (*place, "violations", "parameter"),
                f"design '{entry.name}' is a file and has no parameters",
                "give it as a source",
            )
        else:
            source = sources.path(entry.source)
            known = _told(partial(defaults, source), (*place, "violations", "parameter"), report)
            if known is not None and changes.parameter not in known:
                report(
                    (*place, "violations", "parameter"),
                    f"no parameter '{changes.parameter}'",
                    near(changes.parameter, [*known]),
                )
    if value is None or not (known_rule or isinstance(check.limit, Limit)):
        return
    limit = _told(lambda: limit_of(check, sources, value.unit), (*place, "limit"), report)
    if limit is not None and not fits(limit, value.unit):
        report(
            (*place, "limit"),
            f"the measure is in {value.unit or 'plain numbers'}, the limit in {limit.unit}",
            "give the limit in a unit of that sort",
        )


def _check_functional(
    sources: Sources,
    check: FunctionalCheck,
    place: Place,
    benches: dict[str, Bench],
    has_book: bool,
    report: Report,
) -> None:
    if has_book:
        _told(lambda: _rule(sources, check.rule), (*place, "rule"), report)
        limit = _told(lambda: limit_of(check, sources, check.unit), (*place, "limit"), report)
        if limit is not None and not fits(limit, check.unit):
            report(
                (*place, "limit"),
                f"the result is in {check.unit}, the limit in {limit.unit}",
                "give both in one unit",
            )
    if check.field is not None:
        field, pattern = check.field, (*place, "field", "part")
        entry = _told(lambda: sources.design_source(field.design), (*place, "field", "design"), report)
        bench = benches.get(entry.name) if entry is not None else None
        if bench is not None:
            leaves = bench.measurer.scene.leaves
            _told(lambda: find_part(leaves, field.part), pattern, report)


def _rule(sources: Sources, name: str) -> Any:
    try:
        return sources.rule(name)
    except SpecError as error:
        ids = [*sources.rules, *(item.id for rule in sources.rules.values() for item in rule.items)]
        raise SpecError(error.what, mend=near(name, ids)) from None
