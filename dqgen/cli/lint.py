"""`dqgen lint`: faults of finished drawings, found in their evidence."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option
from dqgen.errors import LoadError

if TYPE_CHECKING:
    from dqgen.schemas.evidence import Evidence

FAULTY = 8
"""Exit code where a drawing has faults."""


@click.command("lint", epilog=example("dqgen lint bracket.drawing.json", "dqgen lint drawings/*.json --json"))
@click.argument("files", nargs=-1, required=True, metavar="EVIDENCE...")
@json_option
def command(files: tuple[str, ...], as_json: bool) -> int:
    """Look for faults in drawings: overlapping, clipped, small or unprintable texts, values that are not the measured
    ones, dimensions off their geometry, arrows over arrows. EVIDENCE is the file beside a drawing's picture.

    Exits with 8 if there are faults. Pictures that are no drawings have none.
    """
    from dqgen.renderers.drawing.lint import lint

    found = {file: lint(_read(file)) for file in files}
    if as_json:
        plain = {file: [finding.model_dump() for finding in findings] for file, findings in found.items()}
        sys.stdout.write(json.dumps(plain, indent=1, ensure_ascii=False) + "\n")
    else:
        for file, findings in found.items():
            for finding in findings:
                click.echo(f"{file}: {finding.message} ({finding.rule})")
            if not findings:
                click.echo(f"{file}: no faults")
    return FAULTY if any(found.values()) else 0


def _read(file: str) -> "Evidence":
    from pydantic import ValidationError

    from dqgen.schemas.evidence import Evidence

    try:
        return Evidence.model_validate_json(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise LoadError(error.strerror or str(error), file) from None
    except (ValidationError, UnicodeDecodeError):
        raise LoadError("this is no evidence of a picture", file, "give the .json beside a drawing") from None
