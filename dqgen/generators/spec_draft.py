"""A spec drafted from a rulebook and designs: whole enough to build, what was guessed marked to be confirmed."""

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import yaml

from dqgen.errors import DqgenError, SpecError, UsageError
from dqgen.generators import definition, dimension, presence
from dqgen.generators.drafting.components import Found, find_components
from dqgen.generators.drafting.names import Names, spoken, within
from dqgen.generators.drafting.proposals import Proposal, confidence_word, propose, without_repeats
from dqgen.generators.rule_choice import chosen_rules
from dqgen.generators.sources import Sources
from dqgen.generators.spec_check import check_spec
from dqgen.generators.term_choice import choose_terms
from dqgen.geometry.measure import Measurer
from dqgen.loaders.sandbox import Limits
from dqgen.rulebook.definitions import other_names
from dqgen.rulebook.nouns import mention_pattern
from dqgen.rulebook.profile import BUILT_IN
from dqgen.rulebook.reader import title
from dqgen.rulebook.references import split_id
from dqgen.rulebook.terms import find_terms
from dqgen.schemas.spec import Component, DesignSource, RulebookSource, Spec

TERMS = 30
MOST_STEPS_UP = 3  # `..` in a path; with more of them an absolute one says more
FEW_COMPONENTS = 12  # of so many it is tried whether their questions can be made; of more it takes long and all can
FEWEST_COMPONENTS = 2  # a close-up without a component shows another one


def draft_spec(rulebook: Path, profile: str, designs: Sequence[Path], up: str | None, out: Path, limits: Limits) -> str:
    """Write a spec.

    Args:
        rulebook: the document.
        profile: of it: a name, or a file.
        designs: CAD files and CadQuery sources.
        up: the designs' own up axis.
        out: the file to write.
        limits: of processes that read designs.

    Returns:
        What is in it, in words.

    Raises:
        DqgenError: a file cannot be read, or the spec cannot be written.
    """
    spec = Spec(
        name=_title(rulebook),
        version="0.1.0",
        rulebook=RulebookSource(
            file=str(rulebook.resolve()),
            profile=profile if profile in BUILT_IN else str(Path(profile).resolve()),
        ),
        designs=tuple(_entry(path, at, designs, up) for at, path in enumerate(designs)),
    )
    sources = Sources(spec, out.resolve(), limits=limits)
    acronyms = {term.term: term.expansion for term in find_terms(sources.rulebook.rules) if term.expansion}
    alike = other_names(sources.rulebook.rules)
    components: dict[str, list[Found]] = {}
    proposals: list[Proposal] = []
    titled = []
    for entry in spec.designs:
        measurer = Measurer(sources.design(entry.name))
        names = Names(measurer.scene.leaves, acronyms)
        found = find_components(names, chosen_rules(sources), alike)
        called = _title_beside([_lowered(sources.design(entry.name).root.label), entry.title], found)
        titled.append(entry.model_copy(update={"title": called}))
        components[entry.name] = found if len(found) >= FEWEST_COMPONENTS else []
        if len(found) <= FEW_COMPONENTS:
            components[entry.name] = _that_can_be_shown(components[entry.name], titled[-1], spec, out, limits)
        proposals += propose(sources, entry.name, measurer, names)
    proposals = [
        proposal
        for proposal in without_repeats(proposals)
        if proposal.unit != "deg" or _can_be_drawn(proposal, spec, out, limits)
    ]
    terms = choose_terms(sources, TERMS)
    spec = spec.model_copy(update={"designs": tuple(titled)})
    folder = out.resolve().parent
    lines = [
        *_head(spec, sources, folder),
        *_designs(spec, components, folder),
        *_terms(terms),
        *_checks(proposals, sources),
    ]
    try:
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")
    except OSError as error:
        raise UsageError(f"cannot be written ({error.strerror})", str(out), "choose another place") from None
    faults = check_spec(out, limits)
    if faults:
        raise SpecError(f"the draft has mistakes, the first: {faults[0].what}", f"{out}:{faults[0].line}", "mend them")
    parts = sum(map(len, components.values()))
    return f"{parts} components, {len(terms)} terms, {len(proposals)} checks; what is marked confirm was guessed"


def _can_be_drawn(proposal: Proposal, spec: Spec, out: Path, limits: Limits) -> bool:
    """Whether its questions can be made; asked of angles, whose sides a drawing may not reach."""
    alone = spec.model_copy(update={"dimension": (proposal.check,)})
    sources = Sources(alone, out.resolve(), limits=limits)
    try:
        for task in dimension.plan(alone, sources):
            dimension.run(task, alone, sources)
    except DqgenError:
        return False
    return True


def _that_can_be_shown(
    found: Sequence[Found], entry: DesignSource, spec: Spec, out: Path, limits: Limits
) -> list[Found]:
    """The components with the kinds of question that can be made of them: where there are few, close-ups that lack one
    may be wanting."""
    design = entry.model_copy(update={"components": tuple(one.component for one in found)})
    alone = spec.model_copy(update={"designs": (design,)})
    sources = Sources(alone, out.resolve(), limits=limits)
    kinds: list[set[str]] = [set() for _ in found]
    for maker in (definition.GENERATOR, presence.GENERATOR):
        with suppress(DqgenError):
            for task in maker.plan(alone, sources):
                with suppress(DqgenError):
                    maker.run(task, alone, sources)
                    kinds[int(task.place[-1])].add(maker.kind)
    return [
        Found(
            one.component.model_copy(update={"kinds": tuple(kind for kind in one.component.kinds if kind in made)}),
            one.rules,
        )
        for one, made in zip(found, kinds, strict=True)
        if made
    ]


def _title_beside(titles: Sequence[str], found: Sequence[Found]) -> str:
    """The first title that names no component: prompts must not say what they ask for."""
    names = [word for one in found for word in (one.component.name, *one.component.synonyms)]
    return next((title for title in titles if title and not (names and mention_pattern(names).search(title))), "design")


def _entry(path: Path, at: int, designs: Sequence[Path], up: str | None) -> DesignSource:
    stems = [other.stem for other in designs]
    name = path.stem if stems.count(path.stem) == 1 else f"{path.stem} {at + 1}"
    origin: dict[str, Any] = {"source" if path.suffix.lower() == ".py" else "file": str(path.resolve())}
    return DesignSource(name=name, title=spoken(path.stem.replace("-", " ")) or "design", up=up, **origin)


def _lowered(label: str) -> str:
    """What a design is called in its file, for the midst of a sentence; empty if that is no word."""
    for words in (spoken(label), *within(label)):
        if re.fullmatch(r"[^\W\d_]{3,}(?: [^\W\d_]+)*", words):
            return words
    return ""


def _beside(path: str, folder: Path) -> str:
    """A path relative to the spec's folder, with `/`; absolute where there is hardly a way from one to the other."""
    try:
        relative = Path(os.path.relpath(path, folder))
    except ValueError:  # on another drive
        return Path(path).as_posix()
    return Path(path).as_posix() if relative.parts.count("..") > MOST_STEPS_UP else relative.as_posix()


def _title(rulebook: Path) -> str:
    """What the rulebook calls itself, else what its file is called."""
    return title(rulebook) or " ".join(re.sub(r"[_-]+", " ", rulebook.stem).split())


def _head(spec: Spec, sources: Sources, folder: Path) -> Iterator[str]:
    yield "# Drafted by `dqgen spec init`; docs/spec.md explains the fields. What is marked `confirm` was guessed."
    yield f"name: {_flow(spec.name)}  # confirm: prompts call the rules so"
    yield f"version: {spec.version}"
    yield f"licence: {spec.licence}  # confirm"
    yield f"seed: {spec.seed}"
    yield "rulebook:"
    yield f"  file: {_flow(_beside(spec.rulebook.file, folder))}"
    if spec.rulebook.profile != "auto":
        profile = spec.rulebook.profile
        yield f"  profile: {_flow(profile if profile in BUILT_IN else _beside(profile, folder))}"
    parts = list(dict.fromkeys(split_id(rule.id)[0] for rule in chosen_rules(sources)))
    if all(parts):
        yield f"  sections: {_flow(parts)}  # confirm: {len(chosen_rules(sources))} rules"


def _designs(spec: Spec, components: dict[str, list[Found]], folder: Path) -> Iterator[str]:
    if spec.designs:
        yield "designs:"
    for design in spec.designs:
        yield f"- name: {_flow(design.name)}"
        yield f"  title: {_flow(design.title)}  # confirm: prompts call it so"
        yield f"  {'file' if design.file else 'source'}: {_flow(_beside(design.file or design.source or '', folder))}"
        if design.up is not None:
            yield f"  up: {_flow(design.up)}"
        if components[design.name]:
            yield "  components:"
        for found in components[design.name]:
            said = f"named in {found.rules} rules" if found.rules else "not named in the rules"
            yield f"  - {_flow(_short(found.component))}  # confirm: {said}"


def _terms(terms: Sequence[str]) -> Iterator[str]:
    if terms:
        yield "terms:"
        yield "  list:  # confirm"
        yield from (f"  - {_flow(term)}" for term in terms)


def _checks(proposals: Sequence[Proposal], sources: Sources) -> Iterator[str]:
    if proposals:
        yield "dimension:"
    for proposal in proposals:
        check = proposal.check
        rule, item = sources.rule(check.rule)
        words = " ".join((item.text if item is not None and item.text else rule.text).split())
        low, high = proposal.limit.bounds
        ends = f"{low:g} to {high:g}" if low is not None and high is not None else f"{low if high is None else high:g}"
        bound = f"{proposal.limit.comparator} {ends} {proposal.limit.unit}"
        yield f"# {words if len(words) <= 150 else words[:149] + '…'}"
        yield (
            f"- rule: {_flow(check.rule)}  # confirm, {confidence_word(proposal.confidence)} confidence: "
            f"measures {proposal.value:.4g} {proposal.unit}".rstrip()
            + f"; {bound}"
        )
        given = check.model_dump(mode="json", exclude_defaults=True, exclude={"rule"})
        if len(sources.spec.designs) == 1:
            given.pop("design", None)
        for field, value in given.items():
            yield f"  {field}: {_flow(value)}"


def _short(component: Component) -> dict[str, Any]:
    """The fields of a component that differ from their defaults, single texts without a list about them."""
    given = component.model_dump(mode="json", exclude_defaults=True)
    return {
        field: value[0] if field in ("pattern", "synonyms", "avoid") and len(value) == 1 else value
        for field, value in given.items()
    }


def _flow(value: Any) -> str:
    """A value as YAML on one line."""
    text: str = yaml.safe_dump(value, default_flow_style=True, allow_unicode=True, sort_keys=False, width=100_000)
    return text.removesuffix("\n").removesuffix("\n...")
