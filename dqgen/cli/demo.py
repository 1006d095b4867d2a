"""`dqgen demo`: the main job on the samples."""

import tempfile

import click

from dqgen.cli.options import example
from dqgen.errors import DqgenError


@click.command("demo", epilog=example("dqgen demo", "dqgen demo pictures/"))
@click.argument("folder", default="dqgen-demo", metavar="[DIR]")
def command(folder: str) -> int:
    """Draw the sample models into DIR (default: dqgen-demo): sheets, a highlighted sheet, a close-up."""
    from pathlib import Path

    from dqgen.renderers.batch import Task, render_all
    from dqgen.samples import sample
    from dqgen.schemas.render import Highlight, RenderOptions

    pictures = {
        "formula.multiview.png": ("formula", RenderOptions()),
        "formula.highlight.png": ("formula", RenderOptions(highlight=(Highlight(pattern="*Pedal box*"),))),
        "formula.closeup.png": (
            "formula",
            RenderOptions(view="closeup", of=("*Steering wheel*",), context=True, margin=1.0),
        ),
        "formula.colours.png": ("formula", RenderOptions(view="iso", colors="source")),
        "bracket.multiview.png": ("bracket", RenderOptions()),
        "flange.multiview.png": ("flange", RenderOptions()),
        "shaft.multiview.png": ("shaft", RenderOptions()),
    }
    tasks = [
        Task(str(sample(name)), str(Path(folder) / file), options, None, None)
        for file, (name, options) in pictures.items()
    ]
    code = 0
    with tempfile.TemporaryDirectory(prefix="dqgen-") as scratch:
        for result in render_all(tasks, None, 600, 8192, scratch):
            if isinstance(result, DqgenError):
                code = code or result.exit_code
                click.echo(f"dqgen: {result}", err=True)
            else:
                for picture, size in result.written:
                    click.echo(f"{picture}  {size[0]} × {size[1]}, evidence beside it")
    return code
