"""`dqgen features`: what can be measured on a model."""

import sys
from pathlib import Path

import click

from dqgen.cli.options import example, json_option, loading


@click.command(
    "features",
    epilog=example("dqgen features plate.step", "dqgen features car.step --of 'Brake disc' --json"),
)
@click.argument("file", metavar="FILE")
@click.option("--of", "patterns", multiple=True, metavar="PATTERN", help="Only these occurrences (repeatable).")
@loading
@json_option
def command(
    file: str,
    patterns: tuple[str, ...],
    unit: str | None,
    up: str | None,
    timeout: float,
    memory: int,
    as_json: bool,
) -> None:
    """List axes, holes (size, depth, pattern), planes and extents, exact or fitted."""
    from dqgen.geometry.features import catalogue
    from dqgen.geometry.occurrences import match_any
    from dqgen.geometry.reports import feature_lines, features_report
    from dqgen.geometry.transforms import placed
    from dqgen.loaders.load import LoadOptions, load
    from dqgen.loaders.sandbox import Limits

    design = load(Path(file), LoadOptions(unit, up, Limits(timeout, memory)))
    leaves = placed(design)
    if patterns:
        leaves = [leaves[row] for row in sorted(match_any(leaves, patterns))]
    found = catalogue(leaves)
    if as_json:
        sys.stdout.write(features_report(file, design, leaves, found).model_dump_json(indent=1) + "\n")
        return
    click.echo("\n".join(feature_lines(leaves, found)))
