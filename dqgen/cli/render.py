"""`dqgen render`: models and drawings into pictures with evidence."""

import contextlib
import sys
import tempfile
from pathlib import Path
from typing import Any

import click

from dqgen.cli import drawing_options, sheet_options
from dqgen.cli.options import Number, example, json_option, loading, sheet_seconds
from dqgen.errors import DqgenError, UsageError


@click.command(
    "render",
    epilog=example(
        "dqgen render --view multiview part.step",
        "dqgen render car.step --view closeup --of '*steering wheel*' --context --highlight '*rack*'",
        "dqgen render bracket.step --view drawing --format png,pdf,dxf",
        "dqgen render *.stl --unit inch --view iso -o pictures/",
        "dqgen render plan.pdf --page all --ppi 100,200 -o plan/",
        "dqgen render plan.dxf --roi-of 'SECTION A-A' --without-layers HATCH -o part.svg",
    ),
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--view",
    default="multiview",
    show_default=True,
    metavar="VIEW",
    help="multiview, closeup, drawing, or one view: front, back, left, right, top, bottom, iso, iso-left, iso-back, "
    "iso-right.",
)
@click.option(
    "-o",
    "--output",
    metavar="PATH",
    help="Picture (x.png), or a folder for several; default <stem>.<view>.png here.",
)
@click.option("--views", metavar="A,B,…", help="Views of a multiview sheet or drawing, in order.")
@click.option("--of", multiple=True, metavar="PATTERN", help="closeup: what to frame.")
@click.option(
    "--from", "from_view", metavar="VIEW", help="closeup, bare drawing: the view; else the one that shows most of it."
)
@click.option(
    "--margin",
    show_default="0.3",
    type=Number(0, 10),
    help="closeup: room around, as a part of its size.",
)
@click.option("--context", is_flag=True, help="closeup, bare drawing: the six views below it.")
@click.option(
    "--highlight",
    multiple=True,
    metavar="PATTERN[=COLOUR]",
    help="Colour occurrences: pink first, then blue, or any #rrggbb or colour name.",
)
@click.option("--hide", multiple=True, metavar="PATTERN", help="Leave occurrences out.")
@click.option("--ghost", multiple=True, metavar="PATTERN", help="Draw occurrences translucent.")
@click.option("--only", multiple=True, metavar="PATTERN", help="Leave all others out.")
@click.option(
    "--size", default=2400, show_default=True, type=click.IntRange(200, 8000), help="Pixels of the long side."
)
@click.option(
    "--colors",
    default="neutral",
    show_default=True,
    type=click.Choice(["neutral", "source"]),
    help="Grey, or the file's own.",
)
@click.option("--background", default="white", show_default=True, type=click.Choice(["white", "transparent"]))
@click.option(
    "--fit",
    default="shared",
    show_default=True,
    type=click.Choice(["shared", "each"]),
    help="One scale for all views, or one each.",
)
@drawing_options.drawing
@sheet_options.sheet
@loading
@click.option("--jobs", type=click.IntRange(min=1), help="Files at a time; default: one a core.")
@json_option
def command(
    files: tuple[str, ...],
    output: str | None,
    highlight: tuple[str, ...],
    views: str | None,
    unit: str | None,
    up: str | None,
    timeout: float,
    memory: int,
    jobs: int | None,
    as_json: bool,
    **chosen: Any,
) -> int:
    """Draw models: a multiview sheet, a close-up, a single view, or a dimensioned drawing. Draw sheets (DXF, PDF):
    their pages. Each picture has its evidence beside it.

    PATTERN is a glob on an occurrence's path, label or product: * for anything, ? for one character, case ignored.
    It may be given again for more. Assemblies pick all that is in them. On sheets it picks texts.
    """
    from dqgen.renderers.batch import render_all, start

    with contextlib.ExitStack() as ending:
        scratch = ending.enter_context(tempfile.TemporaryDirectory(prefix="dqgen-"))
        # The worker starts up while we do; with more files there are more workers, which the batch starts.
        started = ending.enter_context(start(timeout, memory, scratch)) if len(files) == 1 else None
        from dqgen.schemas.render import RenderFailure

        tasks = _tasks(files, output, highlight, views, unit, up, chosen)
        timeout = sheet_seconds(timeout) if all(map(_is_sheet, files)) else timeout
        results: list[Any] = []
        code = 0
        for task, result in zip(tasks, render_all(tasks, jobs, timeout, memory, scratch, started), strict=True):
            if isinstance(result, DqgenError):
                code = code or result.exit_code
                results.append(RenderFailure(file=task.file, error=str(result)))
                click.echo(f"dqgen: {result}", err=True)
                continue
            results.append(result)
            for warning in result.warnings:
                click.echo(f"dqgen: {task.file}: {warning}", err=True)
            if not as_json:
                for picture, size in result.written:
                    click.echo(f"{picture}  {size[0]} × {size[1]}")
        if as_json:
            from dqgen.schemas.render import RenderReport

            sys.stdout.write(RenderReport(tuple(results)).model_dump_json(indent=1) + "\n")
        return code


def _tasks(
    files: tuple[str, ...],
    output: str | None,
    highlight: tuple[str, ...],
    views: str | None,
    unit: str | None,
    up: str | None,
    chosen: dict[str, Any],
) -> list[Any]:
    """What to draw, each file by its kind.

    Raises:
        UsageError: an option goes with no file, or a name is not that of a picture.
    """
    from dqgen.renderers.batch import Task

    sheets = [_is_sheet(file) for file in files]
    if not any(sheets) and (flag := sheet_options.given()):
        raise UsageError(f"{flag} goes with sheets (DXF, PDF)", mend="leave it out")
    if all(sheets) and (flag := sheet_options.given(_OF_MODELS) or _given_drawing()):
        raise UsageError(f"{flag} goes with models", mend="leave it out")
    highlights = _highlights(highlight, of_texts=all(sheets))
    pages = sheet_options.take(chosen, highlights, chosen["formats"] if any(sheets) else None, output)
    if all(sheets):
        _check_target(output, files, sheet_options.FORMATS)
        model, name = None, ""
    else:
        model = _model_options(chosen, highlights, views, output)
        name = model.view
        _check_target(output, files, drawing_options.FORMATS if name == "drawing" else ("png",))
    endings = [
        f".{pages.formats[0]}" if is_sheet or model is None else f".{name}.{model.drawing.formats[0]}"
        for is_sheet in sheets
    ]
    return [
        Task(file, str(picture), pages if is_sheet or model is None else model, unit, up)
        for file, picture, is_sheet in zip(files, _pictures(files, endings, output), sheets, strict=True)
    ]


def _model_options(chosen: dict[str, Any], highlights: tuple[Any, ...], views: str | None, output: str | None) -> Any:
    from dqgen.schemas.render import RenderOptions

    name = chosen["view"].strip().lower()
    margin = chosen.pop("margin")
    if margin is not None:
        if name != "closeup":
            raise UsageError("--margin goes with --view closeup", mend="add it")
        chosen["margin"] = margin
    if name != "drawing" and (flag := drawing_options.given()):
        raise UsageError(f"{flag} goes with --view drawing", mend="add it")
    drawing = drawing_options.take(chosen, output)
    options = RenderOptions(
        **{
            **chosen,
            "view": name,
            "drawing": drawing,
            "views": tuple(part for part in (views or "").split(",") if part.strip()),
            "highlight": highlights,
        }
    )
    _check_use(options)
    return options


_OF_MODELS = (
    "view",
    "views",
    "of",
    "from_view",
    "margin",
    "context",
    "hide",
    "ghost",
    "only",
    "size",
    "colors",
    "background",
    "fit",
    "up",
)


def _given_drawing() -> str | None:
    flag = drawing_options.given()
    return None if flag == "--format" else flag


def _is_sheet(file: str) -> bool:
    """Whether a file holds a drawing; what cannot be opened is told of by whoever reads it."""
    from dqgen.loaders.formats import identify

    try:
        return identify(Path(file)).sheet
    except DqgenError:
        return False


def _highlights(patterns: tuple[str, ...], of_texts: bool) -> tuple[Any, ...]:
    """Patterns and colours; what follows an equals sign may be part of a text."""
    from PIL import ImageColor

    from dqgen.schemas.render import BLUE, PALETTE, PINK, Highlight

    named = {"pink": PINK, "blue": BLUE}
    result = []
    for number, text in enumerate(patterns):
        pattern, equals, colour = text.rpartition("=")
        if not equals:
            result.append(Highlight(pattern=text, colour=PALETTE[number % len(PALETTE)]))
        elif colour.lower() in named:
            result.append(Highlight(pattern=pattern, colour=named[colour.lower()]))
        else:
            try:
                red, green, blue = ImageColor.getrgb(colour)[:3]
            except ValueError:
                if of_texts:
                    result.append(Highlight(pattern=text, colour=PALETTE[number % len(PALETTE)]))
                    continue
                raise UsageError(
                    f"'{colour}' is no colour", "--highlight", "use pink, blue, #rrggbb or a name"
                ) from None
            result.append(Highlight(pattern=pattern, colour=(red, green, blue)))
    return tuple(result)


def _check_use(options: Any) -> None:
    """Refuse combinations that would be ignored in silence, before anything is loaded."""
    from dqgen.renderers.views import view

    if options.view not in ("multiview", "closeup", "drawing"):
        view(options.view, "multiview", "closeup", "drawing")
    for name in (*options.views, *([options.from_view] if options.from_view else [])):
        view(name)
    if options.view != "closeup" and options.of:
        raise UsageError("--of goes with --view closeup", mend="add it")
    if options.view not in ("closeup", "drawing"):
        for given, flag in ((options.from_view, "--from"), (options.context, "--context")):
            if given:
                raise UsageError(f"{flag} goes with --view closeup or drawing", mend="add it")
    elif options.view == "closeup" and not options.of:
        raise UsageError("a close-up needs to know what of", mend="add --of PATTERN")
    if options.views and options.view not in ("multiview", "drawing") and not options.context:
        raise UsageError("--views goes with --view multiview, drawing or --context")


def _check_target(output: str | None, files: tuple[str, ...], known: tuple[str, ...]) -> None:
    """Refuse a name that no picture can have, before anything is loaded."""
    if output is not None and Path(output).suffix and not output.endswith("/"):
        suffix = Path(output).suffix
        if suffix[1:].lower() not in known:
            names = ", ".join(known).upper()
            raise UsageError(f"pictures are written as {names}, not {suffix}", output, f"name it x.{known[0]}")
        if len(files) > 1:
            raise UsageError("several files need a folder to go to", output, "end -o in a folder's name")


def _pictures(files: tuple[str, ...], endings: list[str], output: str | None) -> list[Path]:
    """Where each file's picture goes."""
    if output is not None and Path(output).suffix and not output.endswith("/"):
        return [Path(output)]
    pictures = [Path(output or ".") / (Path(file).stem + ending) for file, ending in zip(files, endings, strict=True)]
    for number, picture in enumerate(pictures):
        if picture in pictures[:number]:
            twins = f"{files[pictures.index(picture)]} and {files[number]}"
            raise UsageError(f"{twins} would both be written to {picture}", mend="render them apart, with -o")
    return pictures
