"""Options of `dqgen render --view drawing`."""

from collections.abc import Callable
from typing import Any

import click

from dqgen.cli.options import formats_of
from dqgen.errors import UsageError

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
FORMATS = ("png", "svg", "pdf", "dxf")

_OPTIONS = (
    click.option(
        "--sheet",
        default="auto",
        show_default=True,
        type=click.Choice(["auto", "A4", "A3", "A2", "A1", "A0", "fit", "none"], case_sensitive=False),
        help="drawing: auto is A3 or larger as needed; none with --dimension or --scale-bar: a bare view.",
    ),
    click.option("--scale", metavar="M:N", help="drawing: such as 1:2; else the largest standard scale that fits."),
    click.option(
        "--dimension",
        multiple=True,
        metavar="EXPR",
        help="drawing: draw this measure, and only what is asked; a tolerance may follow: ±0.1 or +0.2/-0.1.",
    ),
    click.option("--no-dimensions", is_flag=True, help="drawing: views alone."),
    click.option("--scale-bar", metavar="auto|LENGTH", help="drawing: a bar of stated length above the view."),
    click.option("--section", multiple=True, metavar="X=12", help="drawing: a cut across an axis, hatched."),
    click.option(
        "--detail", multiple=True, metavar="VIEW:X,Y,RADIUS[,M:N]", help="drawing: a part of a view, enlarged."
    ),
    click.option("--balloons", is_flag=True, help="drawing: item numbers and a parts list."),
    click.option(
        "--standard",
        default="iso",
        show_default=True,
        type=click.Choice(["iso", "asme"]),
        help="drawing: ISO 129 or ASME Y14.5.",
    ),
    click.option(
        "--projection",
        default="third",
        show_default=True,
        type=click.Choice(["third", "first"]),
        help="drawing: third or first angle.",
    ),
    click.option(
        "--hidden-lines",
        "hidden",
        default="auto",
        show_default=True,
        type=click.Choice(["auto", "on", "off"]),
        help="drawing: dashed; auto draws them for single parts on sheets.",
    ),
    click.option("--tangent-edges", "tangent", is_flag=True, help="drawing: edges between tangent faces, thin."),
    click.option(
        "--units",
        "drawn_unit",
        default="mm",
        show_default=True,
        type=click.Choice(["mm", "inch"]),
        help="drawing: of printed lengths.",
    ),
    click.option("--decimals", type=click.IntRange(0, 6), help="drawing: always so many; else as many as needed."),
    click.option("--decimal-sign", default=".", show_default=True, type=click.Choice([".", ","]), help="drawing."),
    click.option("--text-height", type=click.FloatRange(1, 20), metavar="MM", help="drawing: of dimensions, on paper."),
    click.option(
        "--text", "texts", multiple=True, metavar="ID=TEXT", help="drawing: print this in place of a dimension's text."
    ),
    click.option("--title", help="drawing: in the title block, instead of the model's name."),
    click.option("--material", help="drawing: in the title block."),
    click.option("--author", help="drawing: in the title block."),
    click.option("--format", "formats", metavar="A,B,…", help=f"drawing: {', '.join(FORMATS)}; default: png."),
    click.option("--force", is_flag=True, help="drawing: write it although lint finds faults."),
)
_NAMES = (
    "sheet",
    "scale",
    "dimension",
    "no_dimensions",
    "scale_bar",
    "section",
    "detail",
    "balloons",
    "standard",
    "projection",
    "hidden",
    "tangent",
    "drawn_unit",
    "decimals",
    "decimal_sign",
    "text_height",
    "texts",
    "title",
    "material",
    "author",
    "formats",
    "force",
)


def drawing(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of drawings."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def take(chosen: dict[str, Any], output: str | None) -> Any:
    """Take the options of drawings out of `chosen`, as `DrawingOptions`.

    Raises:
        UsageError: a format does not exist.
    """
    from dqgen.schemas.drawing import DrawingOptions

    own = {name: chosen.pop(name) for name in _NAMES}
    sheet = own["sheet"]
    return DrawingOptions(
        sheet=sheet if sheet in ("auto", "fit", "none") else sheet.upper(),
        scale=own["scale"],
        dimensions=own["dimension"],
        dimensioned=not own["no_dimensions"],
        scale_bar=own["scale_bar"],
        sections=own["section"],
        details=own["detail"],
        balloons=own["balloons"],
        standard=own["standard"],
        projection=own["projection"],
        hidden=own["hidden"],
        tangent=own["tangent"],
        unit=own["drawn_unit"],
        decimals=own["decimals"],
        decimal_sign=own["decimal_sign"],
        text_height=own["text_height"],
        texts=_texts(own["texts"]),
        title=own["title"],
        material=own["material"],
        author=own["author"],
        formats=formats_of(own["formats"], output, FORMATS, "drawings"),
        force=own["force"],
    )


def given() -> str | None:
    """The first option of drawings that the user gave on the command line, or None."""
    context = click.get_current_context()
    for name in _NAMES:
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            option = next(one for one in context.command.params if one.name == name)
            return option.opts[0]
    return None


def _texts(pairs: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not (name.strip() and equals and text.strip()):
            raise UsageError(f"'{pair}' says neither which text nor what", "--text", "write d1=120")
    return tuple((name.strip(), text.strip()) for name, _, text in (pair.partition("=") for pair in pairs))
