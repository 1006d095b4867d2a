"""`dqgen validate`: is a package whole, and does each answer hold?"""

import json
from pathlib import Path

import click

from dqgen.cli.options import Number, example, json_option
from dqgen.errors import ReleaseError


@click.command(
    "validate",
    epilog=example(
        "dqgen validate out/package",
        "dqgen validate out/package --prove",
        "dqgen validate out/package --prove --spec benchmark.yaml --json",
    ),
)
@click.argument("package", type=click.Path(path_type=Path))
@click.option("--prove", is_flag=True, help="Derive every answer again from the sources, by a second way.")
@click.option("--spec", type=click.Path(path_type=Path), help="The spec it was built from, if it carries no sources.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; one a core if left out.")
@click.option(
    "--timeout",
    default=1200.0,
    show_default=True,
    metavar="SECONDS",
    type=Number(min=1, max=1_000_000),
    help="For a group of 32 questions.",
)
@json_option
def command(package: Path, prove: bool, spec: Path | None, jobs: int | None, timeout: float, as_json: bool) -> None:
    """Check a package's hashes, schema and references, and with --prove its answers.

    Ends with code 11 if anything does not hold.
    """
    from dqgen.release.validate import check

    manifest, problems = check(package)
    questions = sum(entry.count or 0 for entry in manifest.subsets.values())
    proved = 0
    if prove and not problems:
        from tqdm import tqdm

        from dqgen.loaders.sandbox import Limits
        from dqgen.release.proof import prove as prove_all

        with tqdm(total=questions, unit="question", disable=None, leave=False) as bar:
            for count, differing in prove_all(package, spec, jobs, Limits(timeout)):
                proved += count - len(differing)
                problems += differing
                bar.update(count)
    problems.sort(key=lambda problem: (problem.where, problem.what))
    if as_json:
        told = [{"where": problem.where, "what": problem.what} for problem in problems]
        summary = {"name": manifest.name, "version": manifest.version, "questions": questions}
        click.echo(json.dumps({**summary, "proved": proved if prove else None, "problems": told}, indent=1))
    else:
        for problem in problems:
            click.echo(f"{problem.where}: {problem.what}")
        if not problems:
            click.echo(
                f"{manifest.name} {manifest.version}: whole, {questions} questions"
                + (f", {proved} answers proved" if prove else "")
            )
    if problems or (prove and proved < questions):
        raise ReleaseError(
            f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
            + (f", {questions - proved} of {questions} answers unproved" if prove else ""),
            str(package),
        )
