"""`dqgen measure`: lengths, angles and counts of a model."""

import sys
from pathlib import Path

import click

from dqgen.cli.options import example, json_option, loading


@click.command(
    "measure",
    epilog=example(
        "dqgen measure car.step \"distance(axis('Wheel FL'), axis('Wheel RL'), along=y)\"",
        "dqgen measure car.step \"clearance('Undertray', ground)\" \"diameter('Main hoop')\" --json",
    ),
)
@click.argument("file", metavar="FILE")
@click.argument("expressions", nargs=-1, required=True, metavar="EXPR...")
@loading
@json_option
def command(
    file: str,
    expressions: tuple[str, ...],
    unit: str | None,
    up: str | None,
    timeout: float,
    memory: int,
    as_json: bool,
) -> None:
    """Measure features of occurrences: distance, extent, clearance, diameter, angle, …

    docs/measures.md has the language.
    """
    from dqgen.geometry.measure import Measurer
    from dqgen.geometry.reports import measure_lines, measure_report
    from dqgen.loaders.load import LoadOptions, load
    from dqgen.loaders.sandbox import Limits

    design = load(Path(file), LoadOptions(unit, up, Limits(timeout, memory)))
    measurer = Measurer(design)
    measures = [measurer.measure(expression) for expression in expressions]
    if as_json:
        report = measure_report(file, design, measurer.scene.leaves, measures)
        sys.stdout.write(report.model_dump_json(indent=1) + "\n")
        return
    for measured in measures:
        click.echo("\n".join(measure_lines(measured)))
