"""`dqgen export`: a package in the form of another evaluation harness."""

from pathlib import Path

import click

from dqgen.cli.options import example


@click.group(epilog=example("dqgen export designqa out/package -o designqa"))
def command() -> None:
    """Write a package in the form of another evaluation harness."""


@command.command(
    epilog=example(
        "dqgen export designqa out/package -o designqa",
        "dqgen export designqa out/package -o designqa --predictions replies.jsonl",
        "dqgen score --designqa retrieval=designqa/retrieval.csv presence=designqa/presence.csv",
    )
)
@click.argument("package", type=click.Path(path_type=Path))
@click.option("-o", "--output", required=True, type=click.Path(path_type=Path), help="Folder to write to.")
@click.option(
    "--predictions",
    type=click.Path(path_type=Path),
    help="Replies to put beside the truths; those of the naive baseline if left out.",
)
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Seed of the naive baseline.")
def designqa(package: Path, output: Path, predictions: Path | None, seed: int) -> None:
    """Write the CSVs and picture folders that the public DesignQA scorer reads."""
    from dqgen.release.adapters.designqa import export
    from dqgen.scorer import baseline
    from dqgen.scorer.package import read_package

    if predictions is not None:
        replies = {ident: reply or "" for ident, reply in read_package(package, predictions).replies.items()}
    else:
        asked = baseline.package_questions(package, None)
        pool = baseline.package_pool(asked.questions)
        replies = baseline.run_baseline(asked, pool, "designqa", 1, seed)[1]
    for kind, path in export(package, output, replies).items():
        click.echo(f"{kind}: {path}")
