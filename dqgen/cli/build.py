"""`dqgen build`: a spec to a package."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dqgen.cli.options import Number, example, json_option
from dqgen.errors import BuildError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dqgen.generators.draft import Task


@click.command(
    "build",
    epilog=example(
        "dqgen build benchmark.yaml -o out",
        "dqgen build benchmark.yaml -o out --dry-run",
        "dqgen build benchmark.yaml -o sketch --only dimension --limit 10",
    ),
)
@click.argument("spec", type=click.Path(path_type=Path))
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="Folder of the package.")
@click.option("--jobs", type=click.IntRange(1, 256), help="Processes; one a core if left out.")
@click.option("--only", multiple=True, metavar="KIND", help="Make this kind of question; may be given again.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Most questions of a kind.")
@click.option("--dry-run", is_flag=True, help="Count questions and estimate the time; make nothing.")
@click.option("--resume/--no-resume", default=True, help="Whether to take up what an earlier run has done.")
@click.option("--keep-going/--stop", default=True, help="Whether failures are told at the end, or the first ends it.")
@click.option("--withhold", type=click.Choice(["answers"]), help="Keep the truths in a folder of their own.")
@click.option(
    "--timeout",
    default=600.0,
    metavar="SECONDS",
    show_default=True,
    type=Number(min=1, max=1_000_000),
    help="For one piece of work.",
)
@click.option(
    "--memory",
    default=8192,
    metavar="MB",
    show_default=True,
    type=click.IntRange(256, 1 << 20),
    help="For one process.",
)
@json_option
def command(
    spec: Path,
    out: Path,
    jobs: int | None,
    only: tuple[str, ...],
    limit: int | None,
    dry_run: bool,
    resume: bool,
    keep_going: bool,
    withhold: str | None,
    timeout: float,
    memory: int,
    as_json: bool,
) -> int:
    """Build the benchmark that SPEC describes into the folder OUT.

    What is done is kept in OUT.work; a run that was stopped goes on from there and gives the same bytes. Ends with
    code 10 if questions could not be made: the package then holds the others, and its version says so.
    """
    from tqdm import tqdm

    from dqgen.generators.runner import Build, plan, work_folder
    from dqgen.generators.sources import Sources
    from dqgen.generators.spec_file import load_spec
    from dqgen.generators.store import Store
    from dqgen.loaders.sandbox import Limits
    from dqgen.release.package import write

    wanted, document = load_spec(spec)
    lines = document.lines
    store = Store(work_folder(out))
    limits = Limits(timeout, memory)
    if dry_run:
        tasks, failures = plan(wanted, Sources(wanted, spec, lines, limits), only, limit)
        _tell_plan(tasks, jobs, as_json)
        for failure in failures:
            click.echo(f"dqgen: {failure}", err=True)
        return BuildError.exit_code if failures else 0
    with store.locked():
        if not resume:
            store.clear()
        sources = Sources(wanted, spec, lines, limits, store.folder)
        tasks, unplanned = plan(wanted, sources, only, limit)
        if unplanned and not keep_going:
            raise BuildError(unplanned[0].what, unplanned[0].where)
        build = Build(sources, store, jobs, limits, stop=not keep_going)
        total = sum(task.questions for task in tasks)
        with tqdm(total=total, unit="question", disable=None, leave=False, smoothing=0.05) as bar:
            outcome = build.run(tasks, limit, bar.update)
        outcome.failures[:0] = unplanned
        lacking = bool(outcome.failures)
        if not outcome.entries:
            first = outcome.failures[0] if outcome.failures else None
            raise BuildError(f"no question could be made{f': {first}' if first else ''}", str(spec))
        manifest = write(
            build.drafts(outcome),
            wanted,
            sources,
            out,
            withhold=withhold is not None,
            partial=bool(lacking or only or limit),
        )
        if not (only or limit):
            store.prune(build.digests(tasks))
    summary: dict[str, Any] = {
        "package": str(out),
        "name": manifest.name,
        "version": manifest.version,
        "questions": {name: entry.count for name, entry in manifest.subsets.items()},
        "reused": outcome.reused,
        "failures": [{"where": failure.where, "what": failure.what} for failure in outcome.failures],
        "remarks": outcome.remarks,
    }
    if as_json:
        click.echo(json.dumps(summary, ensure_ascii=False, indent=1))
    else:
        counts = ", ".join(f"{count} {name}" for name, count in summary["questions"].items())
        click.echo(f"{out}: {manifest.name} {manifest.version}, {counts}")
    for remark in outcome.remarks:
        click.echo(f"remark: {remark}", err=True)
    for failure in outcome.failures:
        click.echo(f"dqgen: {failure}", err=True)
    if lacking:
        number = sum(failure.questions for failure in outcome.failures)
        click.echo(f"dqgen: {number} questions could not be made; the package holds the others", err=True)
    sys.stdout.flush()
    return BuildError.exit_code if lacking else 0


def _tell_plan(tasks: "Sequence[Task]", jobs: int | None, as_json: bool) -> None:
    import os

    counts: dict[str, int] = {}
    for task in tasks:
        counts[task.kind] = counts.get(task.kind, 0) + task.questions
    seconds = sum(task.seconds for task in tasks) / (jobs or os.cpu_count() or 1)
    if as_json:
        click.echo(json.dumps({"questions": counts, "tasks": len(tasks), "seconds": round(seconds, 1)}, indent=1))
        return
    for kind, count in counts.items():
        click.echo(f"{count:6} {kind}")
    click.echo(f"{sum(counts.values()):6} in all, about {_spoken(seconds)}")


def _spoken(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} min"
