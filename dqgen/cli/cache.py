"""`dqgen cache`: the store of models that were read before."""

import json

import click

from dqgen.cli.options import example, json_option


@click.group("cache", epilog=example("dqgen cache info", "dqgen cache clear"))
def command() -> None:
    """Show or empty the store of models that were read before."""


@command.command("info", epilog=example("dqgen cache info --json"))
@json_option
def info(as_json: bool) -> None:
    """Show where the cache is and how full."""
    from dqgen.loaders import cache

    state = cache.info()
    if as_json:
        fields = {
            "folder": str(state.folder),
            "entries": state.entries,
            "bytes": state.bytes,
            "max_bytes": state.max_bytes,
        }
        click.echo(json.dumps(fields, indent=1))
    else:
        click.echo(f"{state.folder}: {state.entries} models, {state.bytes / 1e6:.1f} of {state.max_bytes / 1e6:.0f} MB")


@command.command("clear", epilog=example("dqgen cache clear"))
def clear() -> None:
    """Remove every entry."""
    from dqgen.loaders import cache

    click.echo(f"{cache.clear()} entries removed from {cache.folder()}")
