"""Wording of prompts: a template a kind in the text files beside this one; the spec may replace each."""

import string
from importlib import resources

from dqgen.errors import SpecError
from dqgen.schemas.spec import Spec

FIELDS: dict[str, tuple[str, ...]] = {
    # kind: what its template may name in braces, beside {preamble}
    "preamble": ("title", "rulebook"),
    "retrieval": ("title", "rulebook", "rule"),
    "compilation": ("title", "rulebook", "term"),
    "definition": ("title", "rulebook", "colour", "hidden"),
    "presence": ("title", "rulebook", "component", "verb", "views"),
    "dimension": ("title", "rulebook", "rule", "unit", "picture", "highlight", "name"),
    "functional": ("title", "rulebook", "rule", "picture", "subject", "quantity"),
}
"""`title` is the design's, `rulebook` the benchmark's name."""

EXPLANATIONS: dict[str, tuple[str, ...]] = {
    # kind: what the explanation template of one of its checks may name
    "dimension": ("rule", "name", "value", "limit", "said", "verdict"),
    "functional": ("rule", "quantity", "value", "limit", "found", "verdict"),
}


def template(kind: str, spec: Spec) -> str:
    """The template of a kind, or the preamble: the spec's own or ours."""
    own: str | None = getattr(spec.prompts, kind, None)
    if own is not None:
        return own
    return resources.files(__name__).joinpath(f"{kind}.txt").read_text(encoding="utf-8").strip()


def fields_of(text: str) -> list[str]:
    """Names in braces of a template.

    Raises:
        ValueError: its braces do not match.
    """
    return [name for _, name, _, _ in string.Formatter().parse(text) if name is not None]


def fill(kind: str, spec: Spec, **fields: str) -> str:
    """A prompt: the template of a kind with its fields filled in, in plain text with single blanks in each line.

    Raises:
        SpecError: the spec's template names a field that there is not.
    """
    known = {"title": spec.designs[0].title if spec.designs else "design", "rulebook": spec.name, **fields}
    try:
        known["preamble"] = template("preamble", spec).format(**known)
        filled = template(kind, spec).format(**known)
    except (KeyError, IndexError, ValueError) as error:
        raise SpecError(f"the {kind} prompt cannot be filled in: {error}", mend=f"fields: {', '.join(known)}") from None
    lines = (" ".join(line.split()) for line in filled.strip().splitlines())
    return "\n".join(lines)
