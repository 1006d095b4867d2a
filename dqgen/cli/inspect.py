"""`dqgen inspect`: what a file holds."""

import sys
from pathlib import Path

import click

from dqgen.cli.options import example, json_option, loading
from dqgen.errors import DqgenError


@click.command(
    "inspect",
    epilog=example("dqgen inspect gearbox.step bracket.stl --unit inch", "dqgen inspect gearbox.step --json"),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@loading
@json_option
def command(
    files: tuple[str, ...], unit: str | None, up: str | None, timeout: float, memory: int, as_json: bool
) -> int:
    """Show what model files hold: tree, units, solids, faces, box, volume, PMI, warnings."""
    from dqgen.loaders.inspection import inspection, lines
    from dqgen.loaders.load import LoadOptions, load
    from dqgen.loaders.sandbox import Limits
    from dqgen.schemas.inspection import Inspection, InspectionFailure, InspectionReport

    options = LoadOptions(unit, up, Limits(timeout, memory))
    results: list[Inspection | InspectionFailure] = []
    code = 0
    for file in files:
        try:
            report = inspection(file, load(Path(file), options))
        except DqgenError as error:
            code = code or error.exit_code
            results.append(InspectionFailure(file=file, error=str(error)))
            click.echo(f"dqgen: {error}", err=True)
            continue
        results.append(report)
        if not as_json:
            click.echo("\n".join(lines(report)))
    if as_json:
        sys.stdout.write(InspectionReport(tuple(results)).model_dump_json(indent=1, by_alias=True) + "\n")
    return code
