"""`dqgen inspect`: what a file holds."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option, loading, sheet_seconds
from dqgen.errors import DqgenError, UsageError

if TYPE_CHECKING:
    from dqgen.loaders.load import LoadOptions
    from dqgen.schemas.inspection import Inspection
    from dqgen.schemas.reading import SheetReading


@click.command(
    "inspect",
    epilog=example(
        "dqgen inspect gearbox.step bracket.stl --unit inch",
        "dqgen inspect gearbox.step --json",
        "dqgen inspect plan.pdf --dimensions --tables",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@loading
@json_option
@click.option("--text", "parts", flag_value="text", multiple=True, help="Of drawings: every line of text and note.")
@click.option("--dimensions", "parts", flag_value="dimensions", multiple=True, help="Of drawings: every dimension.")
@click.option("--tables", "parts", flag_value="tables", multiple=True, help="Of drawings: every table in full.")
def command(
    files: tuple[str, ...],
    unit: str | None,
    up: str | None,
    timeout: float,
    memory: int,
    as_json: bool,
    parts: tuple[str, ...],
) -> int:
    """Show what files hold.

    Models: tree, units, solids, faces, box, volume, PMI. Drawings (DXF, PDF): pages, layers, counts of entities, title
    block, tables, marks, dimensions and text.
    """
    from dqgen.loaders.formats import identify
    from dqgen.loaders.load import LoadOptions
    from dqgen.loaders.sandbox import Limits
    from dqgen.schemas.inspection import Inspection, InspectionFailure, InspectionReport
    from dqgen.schemas.reading import SheetReading

    of_models = LoadOptions(unit, up, Limits(timeout, memory))
    of_sheets = LoadOptions(unit, up, Limits(sheet_seconds(timeout), memory))
    results: list[Inspection | SheetReading | InspectionFailure] = []
    code = 0
    for file in files:
        try:
            inspect, options = (_sheet, of_sheets) if identify(Path(file)).sheet else (_model, of_models)
            report, lines = inspect(file, options, parts)
        except DqgenError as error:
            code = code or error.exit_code
            results.append(InspectionFailure(file=file, error=str(error)))
            click.echo(f"dqgen: {error}", err=True)
            continue
        results.append(report)
        if not as_json:
            click.echo("\n".join(lines))
    if as_json:
        sys.stdout.write(InspectionReport(tuple(results)).model_dump_json(indent=1, by_alias=True) + "\n")
    return code


def _model(file: str, options: "LoadOptions", parts: Sequence[str]) -> tuple["Inspection", Iterable[str]]:
    from dqgen.loaders.inspection import inspection, lines
    from dqgen.loaders.load import load

    if parts:
        raise UsageError("is a model: it has no text, dimensions or tables to list", f"{file} --{parts[0]}")
    report = inspection(file, load(Path(file), options))
    return report, lines(report)


def _sheet(file: str, options: "LoadOptions", parts: Sequence[str]) -> tuple["SheetReading", Iterable[str]]:
    from dqgen.loaders.load import load_sheet
    from dqgen.sheets.describe import lines
    from dqgen.sheets.read import sheet_reading

    report = sheet_reading(file, load_sheet(Path(file), options))
    return report, lines(report, parts)
