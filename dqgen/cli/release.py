"""`dqgen release`: work on versions of a package."""

import dataclasses
import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option
from dqgen.errors import ReleaseError

if TYPE_CHECKING:
    from dqgen.release.changes import Changes

_SHOWN = 20


@click.group(epilog=example("dqgen release diff out/formula-1.0 out/formula-1.1"))
def command() -> None:
    """Work on versions of a package."""


@command.command(epilog=example("dqgen release diff out/formula-1.0 out/formula-1.1", "dqgen release diff a b --json"))
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
@json_option
def diff(old: Path, new: Path, as_json: bool) -> None:
    """Say what changed, and whether scores stay comparable.

    Ends with code 11 where the version says less than what changed.
    """
    from dqgen.release.changes import compare

    changes = compare(old, new)
    if as_json:
        told = {**dataclasses.asdict(changes), "comparable": changes.comparable, "honest": changes.honest}
        click.echo(json.dumps(told, indent=1))
    else:
        for line in _lines(changes):
            click.echo(line)
    if not changes.honest:
        raise ReleaseError(
            f"version {changes.new} follows {changes.old}, but a {changes.needed} step is needed",
            str(new),
            "raise `version` in the spec",
        )


def _lines(changes: "Changes") -> list[str]:
    scores = {"all": "scores stay comparable", "common": "scores compare on the questions that both have"}
    lines = [f"{changes.old} to {changes.new}: {scores.get(changes.comparable, 'scores do not compare')}"]
    lines.append(f"{len(changes.added)} added, {len(changes.removed)} removed, {len(changes.changed)} changed")
    told = [
        *(f"+ {ident}" for ident in changes.added),
        *(f"- {ident}" for ident in changes.removed),
        *(f"~ {ident}: {', '.join(parts)}" for ident, parts in changes.changed.items()),
        *(f"  {name}" for name in changes.surroundings),
    ]
    more = [f"… and {len(told) - _SHOWN} more (--json lists all)"] if len(told) > _SHOWN else []
    return lines + told[:_SHOWN] + more
