"""`dqgen doctor`: whether this machine has what the program needs."""

import json
import platform
from importlib import metadata
from typing import Any

import click

from dqgen import __version__
from dqgen.cli.options import example, json_option

PACKAGES = (
    "cadquery",
    "cadquery-ocp",
    "embreex",
    "matplotlib",
    "moderngl",
    "numpy",
    "pillow",
    "pydantic",
    "trimesh",
)


@click.command("doctor", epilog=example("dqgen doctor"))
@json_option
def command(as_json: bool) -> int:
    """Check Python, libraries, the CAD kernel, the OpenGL driver and the cache."""
    from dqgen.errors import SetupError
    from dqgen.loaders import cache

    state = cache.info()
    kernel, kernel_ok = _probe("dqgen.loaders.step:kernel")
    driver, driver_ok = _probe("dqgen.renderers.render:driver")
    facts: dict[str, Any] = {
        "dqgen": __version__,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": {name: _version(name) for name in PACKAGES},
        "kernel": kernel,
        "opengl": driver,
        "cache": {"folder": str(state.folder), "entries": state.entries, "bytes": state.bytes},
        "healthy": kernel_ok and driver_ok and all(_version(name) for name in PACKAGES),
    }
    if as_json:
        click.echo(json.dumps(facts, indent=1))
    else:
        click.echo(f"dqgen    {__version__} on Python {facts['python']}, {facts['platform']}")
        for name, version in facts["packages"].items():
            click.echo(f"package  {name} {version or 'MISSING: pip install ' + name}")
        click.echo(f"kernel   {kernel}")
        click.echo(f"OpenGL   {driver}")
        click.echo(f"cache    {state.folder}: {state.entries} models, {state.bytes / 1e6:.1f} MB")
        click.echo("all is well" if facts["healthy"] else "something is missing: see above")
    return 0 if facts["healthy"] else SetupError.exit_code


def _probe(target: str) -> tuple[str, bool]:
    """What a child says of itself, and whether it lived to say so."""
    from dqgen.errors import DqgenError
    from dqgen.loaders.sandbox import SYSTEM_LIBRARIES, ChildDiedError, Limits, run

    try:
        return str(run(target, Limits(seconds=60))), True
    except DqgenError as error:
        return str(error), False
    except ChildDiedError as death:
        return f"{death.how}; {SYSTEM_LIBRARIES}", False


def _version(name: str) -> str | None:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None
