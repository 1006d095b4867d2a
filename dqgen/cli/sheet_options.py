"""Options of `dqgen render` for drawings that others made (DXF, PDF)."""

from collections.abc import Callable
from typing import Any

import click

from dqgen.cli.options import Number, formats_of
from dqgen.errors import UsageError

FORMATS = ("png", "svg", "pdf")
LEAST_PPI, MOST_PPI = 10.0, 2400.0


class PpiList(click.ParamType[tuple[float, ...]]):
    """Pixels an inch, one number or several parted by commas."""

    name = "ppi"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[float, ...]:
        """The numbers, each once."""
        if isinstance(value, tuple):
            return value
        number = Number(LEAST_PPI, MOST_PPI)
        return tuple(dict.fromkeys(number.convert(part.strip(), param, ctx) for part in str(value).split(",")))


_OPTIONS = (
    click.option("--page", metavar="N|all", help="sheet: a page by its number; default: the first."),
    click.option("--layout", metavar="NAME", help="sheet: a page by its name."),
    click.option(
        "--ppi", default="100", show_default=True, metavar="N,…", type=PpiList(), help="sheet: pixels an inch of paper."
    ),
    click.option("--roi", metavar="X0,Y0,X1,Y1", help="sheet: a part, in mm or % from the upper left corner."),
    click.option("--roi-of", metavar="TEXT", help="sheet: the surroundings of this text."),
    click.option("--layers", metavar="A,B,…", help="sheet: these layers alone."),
    click.option("--without-layers", metavar="C,…", help="sheet: all but these layers."),
)
NAMES = ("page", "layout", "ppi", "roi", "roi_of", "layers", "without_layers")


def sheet(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options of sheets."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def take(chosen: dict[str, Any], highlight: tuple[Any, ...], formats: str | None, output: str | None) -> Any:
    """Take the options of sheets out of `chosen`, as `SheetOptions`.

    Raises:
        UsageError: a value cannot be understood.
    """
    from dqgen.schemas.sheet_render import SheetOptions

    own = {name: chosen.pop(name) for name in NAMES}
    if own["page"] is not None and own["layout"] is not None:
        raise UsageError("--page and --layout both name a page", mend="leave one out")
    if own["roi"] is not None and own["roi_of"] is not None:
        raise UsageError("--roi and --roi-of both name a part", mend="leave one out")
    return SheetOptions(
        page=_page(own["page"]),
        layout=own["layout"],
        ppi=own["ppi"],
        roi=_region(own["roi"]),
        roi_of=own["roi_of"],
        layers=_names(own["layers"], "--layers"),
        without_layers=_names(own["without_layers"], "--without-layers"),
        highlight=highlight,
        formats=formats_of(formats, output, FORMATS, "sheets"),
    )


def given(names: tuple[str, ...] = NAMES) -> str | None:
    """The first of these options that the user gave on the command line, or None."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            option = next(one for one in context.command.params if one.name == name)
            return option.opts[-1] if option.opts[-1].startswith("--") else option.opts[0]
    return None


def _page(text: str | None) -> Any:
    if text is None or text.strip().lower() == "all":
        return None if text is None else "all"
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise UsageError(f"'{text}' is no page", "--page", "write a number from 1, or all")
    return number


def _region(text: str | None) -> Any:
    from dqgen.schemas.sheet_render import Region

    if text is None:
        return None
    parts = [part.strip() for part in text.split(",")]
    try:
        edges = [float(part.removesuffix("%").removesuffix("mm")) for part in parts]
    except ValueError:
        edges = []
    if len(edges) != 4 or not all(abs(edge) < 1e9 for edge in edges):
        raise UsageError(f"'{text}' is no region", "--roi", "write left,top,right,bottom: 10,10,120,80")
    percent = [part.endswith("%") for part in parts]
    return Region(edges=tuple(edges), percent=tuple(percent))


def _names(text: str | None, flag: str) -> tuple[str, ...]:
    if text is None:
        return ()
    names = tuple(part.strip() for part in text.split(",") if part.strip())
    if not names:
        raise UsageError("no layer is named", flag)
    return names
