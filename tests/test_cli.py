"""The command line as a whole: help, one-line errors, exit codes."""

import subprocess
import sys


def dqgen(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "dqgen", *arguments], capture_output=True, text=True, timeout=60
    )


def test_help_loads_no_heavy_library() -> None:
    code = (
        "import sys; from dqgen.cli import run; run(['--help']); "
        "print(*sorted({'numpy', 'pydantic', 'OCP', 'moderngl', 'PIL', 'trimesh', 'fitz'} & set(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert "Commands:" in done.stdout
    assert done.stdout.splitlines()[-1] == ""


def test_unknown_command_is_one_line_and_exit_2() -> None:
    done = dqgen("rendre")
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "rendre" in done.stderr
