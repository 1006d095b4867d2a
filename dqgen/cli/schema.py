"""`dqgen schema`: JSON Schemas of what the program reads and writes."""

import json

import click

from dqgen.cli.options import example


@click.command("schema", epilog=example("dqgen schema evidence > evidence.schema.json"))
@click.argument("name", required=False)
def command(name: str | None) -> None:
    """Print the JSON Schema NAME; without one, list the names."""
    from dqgen.schemas.export import SCHEMAS, json_schema

    if name is None:
        for key, (_, _, what) in SCHEMAS.items():
            click.echo(f"{key:<12} {what}")
    else:
        click.echo(json.dumps(json_schema(name), indent=1))
