"""Helpers that several test modules share."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

RED_FRAME = (200, 40, 30)
BLUE_WHEEL = (30, 60, 180)
PINK = (0xFF, 0x2E, 0xC4)
SIX = ("front", "back", "left", "right", "top", "bottom")


def dqgen(
    *arguments: str | Path, env: dict[str, str] | None = None, cwd: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """Run the command line as users do, in a process of its own."""
    return subprocess.run(
        [sys.executable, "-m", "dqgen", *map(str, arguments)],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **(env or {})},
        cwd=cwd,
    )


def assert_one_line(done: subprocess.CompletedProcess[str], code: int, *words: str) -> None:
    """The command failed as promised: that exit code, one line on stderr that says so, no traceback."""
    assert done.returncode == code, done.stderr
    assert done.stderr.endswith("\n")
    assert done.stderr.count("\n") == 1, done.stderr
    assert done.stderr.startswith("dqgen: ")
    assert "Traceback" not in done.stderr + done.stdout
    assert "internal error" not in done.stderr
    for word in words:
        assert word in done.stderr


def everything(folder: Path) -> set[str]:
    """All files below a folder, hidden ones too."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def leaves(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Leaves of a tree as `dqgen inspect --json` gives it."""
    if not node["children"]:
        yield node
    for child in node["children"]:
        yield from leaves(child)
