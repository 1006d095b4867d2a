"""Specs and questions on the sample rulebook that several test modules share."""

import dataclasses
from pathlib import Path
from typing import Any

from dqgen.generators.draft import Draft, ProvedQuestion
from dqgen.generators.sources import Sources
from dqgen.schemas.spec import RulebookSource, Spec

FORMULA = Path(__file__).resolve().parents[2] / "samples" / "formula"


def sources_on(
    rulebook: Path, profile: str = "auto", sections: tuple[str, ...] = (), without: tuple[str, ...] = (), **spec: Any
) -> Sources:
    """Sources of a spec that asks about one rulebook."""
    source = RulebookSource(file=str(rulebook), profile=profile, sections=sections, without=without)
    return Sources(Spec(name="Test rules", rulebook=source, **spec), rulebook.parent / "benchmark.yaml")


def as_read(draft: Draft, **changes: Any) -> ProvedQuestion:
    """A draft as it comes back from a package, perhaps with something changed on the way."""
    fields = {field.name: getattr(draft, field.name) for field in dataclasses.fields(draft)}
    return ProvedQuestion(id="q-1", **{**fields, **changes})
