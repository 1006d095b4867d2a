"""Options that several commands share."""

from collections.abc import Callable
from typing import Any

import click


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
                type=click.FloatRange(min=1),
                help="For one file.",
            ),
            click.option(
                "--memory",
                default=8192,
                metavar="MB",
                show_default=True,
                type=click.IntRange(min=256),
                help="For one process.",
            ),
        )
    ):
        function = option(function)
    return function


json_option = click.option("--json", "as_json", is_flag=True, help="Machine-readable output on stdout.")
