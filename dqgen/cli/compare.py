"""`dqgen compare`: models side by side."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option

if TYPE_CHECKING:
    from dqgen.schemas.report import Profile

EPILOG = example(
    "dqgen compare a.jsonl b.jsonl --package out/package",
    "dqgen compare small=s.jsonl medium=m.jsonl large=l.jsonl --package out/package --order small,medium,large",
    "dqgen score --designqa presence=gpt4.csv --items gpt4.jsonl",
    "dqgen score --designqa presence=llava.csv --items llava.jsonl",
    "dqgen compare gpt4.jsonl llava.jsonl --plot scores.png",
)


@click.command(epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="[NAME=]FILE...")
@click.option(
    "--package",
    type=click.Path(path_type=Path),
    help="The package that the predictions answer. Without it the files are those that 'dqgen score --items' wrote.",
)
@click.option("--key", type=click.Path(path_type=Path), help="File with the truths of a package that withholds them.")
@click.option(
    "--profile",
    type=click.Choice(["robust", "designqa"]),
    default="robust",
    show_default=True,
    help="By which predictions are scored.",
)
@click.option(
    "--order",
    default="",
    help="Models, comma-separated, in the order in which scores should rise: Page's trend test.",
)
@click.option("--plot", type=click.Path(path_type=Path), help="Draw the scores with intervals: .png, .svg or .pdf.")
@click.option(
    "--resamples",
    type=click.IntRange(0, 1_000_000),
    default=9999,
    show_default=True,
    help="Bootstrap resamples; 0 for no intervals.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the bootstrap.")
@json_option
def command(
    files: tuple[str, ...],
    package: Path | None,
    key: Path | None,
    profile: "Profile",
    order: str,
    plot: Path | None,
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Compare two models or more on the questions that all of them have.

    Paired differences with 95 % bootstrap intervals; Wilcoxon's signed-rank test with rank-biserial effect
    and Benjamini-Hochberg correction; Friedman's test over three or more; the minimum detectable difference.
    """
    from dqgen.scorer.compare import compare, comparison_json, read_models
    from dqgen.scorer.show import comparison_lines

    models, paths, benchmark = read_models(files, package, profile, key)
    names = [name.strip() for name in order.split(",") if name.strip()]
    found = compare(models, paths, benchmark, profile if package else "as in the items", names, resamples, seed)
    if plot is not None:
        from dqgen.scorer.plot import plot_comparison

        plot_comparison(found, plot)
    click.echo(comparison_json(found) if as_json else "\n".join(comparison_lines(found)))
