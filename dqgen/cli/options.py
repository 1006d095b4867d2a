"""Options that several commands share."""

from collections.abc import Callable, Sequence
from typing import Any

import click

from dqgen.errors import UsageError


class Number(click.FloatRange):
    """A number in a range; what is no number, such as `nan`, lies in none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        number = super().convert(value, param, ctx)
        if number != number:
            self.fail(f"{value} is not a number", param, ctx)
        return number


def example(*lines: str) -> str:
    """An epilog with examples, each on a line of its own."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)


def loading(function: Callable[..., Any]) -> Callable[..., Any]:
    """How files are read: `--unit`, `--up`, `--timeout`, `--memory`."""
    for option in reversed(
        (
            click.option(
                "--unit",
                metavar="UNIT",
                help="Length unit of formats that carry none (STL, OBJ): mm, inch, …",
            ),
            click.option("--up", metavar="AXIS", help="The file's own up axis: z, y, x, -z, -y or -x."),
            click.option(
                "--timeout",
                default=600.0,
                metavar="SECONDS",
                show_default=True,
                type=Number(min=1, max=1_000_000),
                help="For one file; for a drawing (DXF, PDF) 120 if not given.",
            ),
            click.option(
                "--memory",
                default=8192,
                metavar="MB",
                show_default=True,
                type=click.IntRange(min=256, max=1 << 20),
                help="For one process.",
            ),
        )
    ):
        function = option(function)
    return function


SHEET_SECONDS = 120.0


def sheet_seconds(timeout: float) -> float:
    """The limit on one sheet: what the user gave, else far less than models may take."""
    given = click.get_current_context().get_parameter_source("timeout")
    return SHEET_SECONDS if given == click.core.ParameterSource.DEFAULT else timeout


json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on stdout.")


def formats_of(text: str | None, output: str | None, known: Sequence[str], kind: str) -> tuple[str, ...]:
    """The formats to write: those listed, else that of the output's name, else PNG.

    Args:
        text: the list, as `--format` has it.
        output: the output's name.
        known: formats that can be written.
        kind: of picture, in words: drawings.

    Raises:
        UsageError: one of them is unknown, or none is named.
    """
    if text is None:
        suffix = (output or "").rpartition(".")[2].lower()
        return (suffix,) if suffix in known else ("png",)
    names = tuple(dict.fromkeys(part.strip().lower() for part in text.split(",") if part.strip()))
    for name in names:
        if name not in known:
            raise UsageError(f"'{name}' is no format of {kind}", "--format", f"use {', '.join(known)}")
    if not names:
        raise UsageError("no format is named", "--format", f"use {', '.join(known)}")
    return names
