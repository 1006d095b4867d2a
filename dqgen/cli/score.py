"""`dqgen score`: score a model's replies."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option
from dqgen.errors import UsageError

if TYPE_CHECKING:
    from dqgen.schemas.report import Profile

EPILOG = example(
    "dqgen score out/package replies.jsonl",
    "dqgen score --designqa retrieval=retrieval.csv presence=presence.csv",
    "dqgen score --designqa dimension=plain.csv dimension=detailed.csv --diff",
    "dqgen score out/package replies.csv --json --items items.jsonl > report.json",
)


@click.command(epilog=EPILOG)
@click.argument("files", nargs=-1, metavar="PACKAGE PREDICTIONS | SUBSET=FILE...")
@click.option(
    "--designqa",
    "public",
    is_flag=True,
    help="Score result files of the public DesignQA "
    "benchmark: retrieval=, compilation=, definition=, "
    "presence=, dimension=, functional=, in any subset.",
)
@click.option(
    "--profile",
    type=click.Choice(["robust", "designqa"]),
    default="robust",
    show_default=True,
    help="robust: replies read soundly. designqa: the official scorer's rules, faults included.",
)
@click.option("--key", type=click.Path(path_type=Path), help="File with the truths of a package that withholds them.")
@click.option(
    "--similarity/--no-similarity",
    default=None,
    help="Sentence similarity of explanations; by default where its extra is installed and explanations are scored.",
)
@click.option("--diff", is_flag=True, help="List the questions on which the two profiles differ, and why.")
@click.option("--items", type=click.Path(path_type=Path), help="Write one row a question to this JSONL file.")
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
    public: bool,
    profile: "Profile",
    key: Path | None,
    similarity: bool | None,
    diff: bool,
    items: Path | None,
    resamples: int,
    seed: int,
    as_json: bool,
) -> None:
    """Score replies against the truth, with 95 % intervals.

    PREDICTIONS is CSV, JSONL, JSON or Parquet with the columns id and prediction. Missing, duplicate and
    unknown ids are reported.
    """
    from dqgen.scorer.run import read_inputs, run, write_items
    from dqgen.scorer.show import report_lines

    if public and not files:
        raise UsageError("no file given", where="--designqa", mend="write for example retrieval=answers.csv")
    if not public and len(files) != 2:
        raise UsageError("a package and a file of predictions are needed", mend="see 'dqgen score --help'")
    asked, names = read_inputs(files, public, key)
    outcome = run(asked, names, profile, resamples=resamples, seed=seed, similarity=similarity, diff=diff)
    if items is not None:
        write_items(items, outcome.items, profile)
    if as_json:
        click.echo(json.dumps(outcome.report.model_dump(mode="json"), ensure_ascii=False, indent=1))
    else:
        click.echo("\n".join(report_lines(outcome.report)))
