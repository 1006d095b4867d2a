"""`dqgen spec`: drafting and checking the spec of a benchmark."""

import json
from pathlib import Path

import click

from dqgen.cli.options import Number, example, json_option
from dqgen.errors import SpecError, UsageError

_TIMEOUT = click.option(
    "--timeout",
    default=600.0,
    metavar="SECONDS",
    show_default=True,
    type=Number(min=1, max=1_000_000),
    help="For reading one design.",
)


@click.group(epilog=example("dqgen spec init --rulebook rules.pdf --design car.step -o benchmark.yaml"))
def command() -> None:
    """Draft or check the spec of a benchmark (docs/spec.md)."""


@command.command(epilog=example("dqgen spec check benchmark.yaml"))
@click.argument("spec", type=click.Path(path_type=Path))
@_TIMEOUT
@json_option
def check(spec: Path, timeout: float, as_json: bool) -> int:
    """Find every mistake of SPEC: unknown fields, rules, patterns, measures, limits, terms.

    Ends with code 9 if there are any.
    """
    from dqgen.generators.spec_check import check_spec
    from dqgen.loaders.sandbox import Limits

    faults = check_spec(spec, Limits(timeout))
    if as_json:
        told = [{"line": fault.line, "what": fault.what, "mend": fault.mend} for fault in faults]
        click.echo(json.dumps({"spec": str(spec), "faults": told}, ensure_ascii=False, indent=1))
    else:
        for fault in faults:
            click.echo(fault.text(spec.name))
        click.echo(f"{spec}: {len(faults) or 'no'} mistake{'s' * (len(faults) != 1)}")
    return SpecError.exit_code if faults else 0


@command.command(
    epilog=example(
        "dqgen spec init --rulebook rules.pdf --design car.step -o benchmark.yaml",
        "dqgen spec init --rulebook rules.pdf --design model.py --design gearbox.step -o benchmark.yaml",
    )
)
@click.option("--rulebook", required=True, type=click.Path(path_type=Path), help="PDF, Markdown, reST, HTML or text.")
@click.option("--profile", default="auto", metavar="NAME|FILE", help="Profile of the rulebook.")
@click.option(
    "--design", "designs", multiple=True, type=click.Path(path_type=Path), help="CAD file or CadQuery source."
)
@click.option("--up", metavar="AXIS", help="The designs' own up axis.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="The YAML file to write.")
@click.option("--force", is_flag=True, help="Replace a file that is there.")
@_TIMEOUT
def init(
    rulebook: Path, profile: str, designs: tuple[Path, ...], up: str | None, out: Path, force: bool, timeout: float
) -> None:
    """Draft a spec: components from the designs, terms from the rulebook, checks where a limit meets a measure.

    What has been guessed is marked with `# confirm`.
    """
    from dqgen.generators.spec_draft import draft_spec
    from dqgen.loaders.sandbox import Limits

    if out.exists() and not force:
        raise UsageError("is there already", str(out), "name another file, or give --force")
    summary = draft_spec(rulebook, profile, designs, up, out, Limits(timeout))
    click.echo(f"written: {out} ({summary})")
