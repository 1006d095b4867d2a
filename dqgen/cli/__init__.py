"""The ``dqgen`` command. Each subcommand lives in a module of its own, imported only when it is called.

The command modules import nothing heavy at their top, so that ``--help`` answers at once.
"""

import importlib
import io
import os
import signal
import sys
import traceback

import click

from dqgen import __version__
from dqgen.errors import DqgenError, InternalError, RenderError

COMMANDS: dict[str, tuple[str, str]] = {
    # name: (module with a click command `command`, line shown by `dqgen --help`)
    "demo": ("dqgen.cli.demo", "Draw the sample models: the main job at a glance."),
    "inspect": ("dqgen.cli.inspect", "Show what models and drawings hold: tree, faces, box; dimensions, tables."),
    "features": ("dqgen.cli.features", "List axes, holes, planes and extents of a model."),
    "measure": ("dqgen.cli.measure", "Measure features of a model: distances, clearances, diameters, angles."),
    "render": ("dqgen.cli.render", "Draw model files, with evidence beside each picture."),
    "lint": ("dqgen.cli.lint", "Look for faults in finished drawings."),
    "spec": ("dqgen.cli.spec", "Draft or check the spec of a benchmark."),
    "build": ("dqgen.cli.build", "Build a benchmark from a spec."),
    "rulebook": ("dqgen.cli.rulebook", "Read a rulebook into rules, references and limits."),
    "validate": ("dqgen.cli.validate", "Check a package, and prove its answers again."),
    "release": ("dqgen.cli.release", "Compare versions of a package."),
    "export": ("dqgen.cli.export", "Write a package in the form of another evaluation harness."),
    "score": ("dqgen.cli.score", "Score a model's replies."),
    "compare": ("dqgen.cli.compare", "Compare models by paired statistics."),
    "baseline": ("dqgen.cli.baseline", "Score naive baselines."),
    "schema": ("dqgen.cli.schema", "Print the JSON Schema of an output."),
    "cache": ("dqgen.cli.cache", "Show or empty the store of models that were read before."),
    "doctor": ("dqgen.cli.doctor", "Check that this machine has what is needed."),
}

ENDING_SIGNALS = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
INTERRUPTED = 130  # what shells report for a program ended by Ctrl-C


class LazyGroup(click.Group):
    """A click group that imports a subcommand's module when that subcommand is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(COMMANDS[cmd_name][0]).command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, short) for name, (_, short) in COMMANDS.items()])


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="Start with: dqgen demo",
)
@click.version_option(__version__, prog_name="dqgen")
def cli() -> None:
    """Turn CAD files and a rulebook into a benchmark whose every answer is proved."""


def main() -> None:
    """Run the command line; a user's mistake ends in one line on stderr and an exit code of its own."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a file name may hold what the terminal cannot show
    for number in ENDING_SIGNALS:
        signal.signal(number, _end)
    # Products of three columns are no work for two threads: sharing them takes longer than doing them.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    sys.exit(run(sys.argv[1:]))


def _end(number: int, frame: object) -> None:
    """Leave through the `finally` clauses, which end children and remove temporary files."""
    sys.exit(128 + number)


def run(arguments: list[str]) -> int:
    """Run one command line and return its exit code."""
    try:
        result = cli.main(args=arguments, prog_name="dqgen", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except DqgenError as error:
        return _complain(str(error), error.exit_code)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.ctx.get_help() if error.ctx else error.format_message(), err=True)
        return error.exit_code
    except click.UsageError as error:
        called = error.ctx.command_path if error.ctx else "dqgen"
        message = " ".join(error.format_message().split()).rstrip(".")
        return _complain(f"{message}; see '{called} --help'", error.exit_code)
    except click.ClickException as error:
        return _complain(error.format_message(), error.exit_code)
    except (KeyboardInterrupt, click.Abort):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output (head, less) has left: nothing to say, and nothing more to flush.
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115, PTH123
        return 0
    except OSError as error:  # ours are translated where they arise: what is left is standard output
        return _complain(f"output cannot be written ({error.strerror or error})", RenderError.exit_code)
    except Exception as error:  # the last line of defence: a defect of ours, told in one line
        if os.environ.get("DQGEN_TRACEBACK"):
            traceback.print_exc()
        kind = type(error).__name__
        return _complain(f"internal error, {kind}: {error}; DQGEN_TRACEBACK=1 shows where", InternalError.exit_code)


def _complain(line: str, code: int) -> int:
    click.echo(f"dqgen: {' '.join(line.split())}", err=True)
    return code
