"""`dqgen baseline`: what a model scores that has read nothing."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from dqgen.cli.options import example, json_option
from dqgen.errors import UsageError

if TYPE_CHECKING:
    from dqgen.schemas.report import Profile

EPILOG = example(
    "dqgen baseline naive out/package",
    "dqgen baseline naive out/package --write naive.jsonl",
    "dqgen baseline naive --designqa-data DesignQA/dataset --repeats 100 --json",
)


@click.group(epilog=EPILOG)
def command() -> None:
    """Score baselines that need no model."""


@command.command(epilog=EPILOG)
@click.argument("package", required=False, type=click.Path(path_type=Path))
@click.option(
    "--designqa-data",
    type=click.Path(path_type=Path),
    help="Folder with the public DesignQA files, instead of a package.",
)
@click.option("--key", type=click.Path(path_type=Path), help="File with the truths of a package that withholds them.")
@click.option(
    "--rules",
    type=click.Path(path_type=Path),
    help="Rule table to draw from: JSONL or CSV with id and text, as 'dqgen rulebook parse' writes.",
)
@click.option(
    "--rulebook-text",
    type=click.Path(path_type=Path),
    help="Text file to draw words from; by default the rules' texts.",
)
@click.option(
    "--profile",
    type=click.Choice(["robust", "designqa"]),
    help="By which answers are scored; designqa for its data, otherwise robust.",
)
@click.option("--repeats", type=click.IntRange(1, 100_000), default=20, show_default=True, help="How many times.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the randomness.")
@click.option(
    "--write",
    type=click.Path(path_type=Path),
    help="Write the first repeat's answers: a JSONL file, or a folder of CSVs with --designqa-data.",
)
@json_option
def naive(
    package: Path | None,
    designqa_data: Path | None,
    key: Path | None,
    rules: Path | None,
    rulebook_text: Path | None,
    profile: "Profile | None",
    repeats: int,
    seed: int,
    write: Path | None,
    as_json: bool,
) -> None:
    """Score random answers, as the DesignQA paper defines them.

    Retrieval: a random rule's text. Compilation: ten random rules. Definition: two consecutive random words
    of the document. Yes or no, and choices: at random.
    """
    from dqgen.scorer import baseline
    from dqgen.scorer.show import baseline_lines

    if (package is None) == (designqa_data is None):
        raise UsageError("one of PACKAGE and --designqa-data is needed", mend="see 'dqgen baseline naive --help'")
    if designqa_data is not None:
        asked = baseline.read_designqa_data(designqa_data)
        pool = baseline.designqa_pool(designqa_data, asked)
    else:
        assert package is not None
        asked = baseline.package_questions(package, key)
        pool = baseline.package_pool(asked.questions)
    if rules is not None:
        pool = baseline.pool_from_rules(rules)
    if rulebook_text is not None:
        pool = baseline.with_document(pool, rulebook_text)
    chosen = profile or ("designqa" if designqa_data is not None else "robust")
    report, replies = baseline.run_baseline(asked, pool, chosen, repeats, seed)
    if write is not None:
        baseline.write_replies(write, asked, replies)
    click.echo(report.model_dump_json(indent=1) if as_json else "\n".join(baseline_lines(report)))
