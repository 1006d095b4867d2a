"""Functions that the sandbox's tests run in children: well-behaved ones, and every kind of misbehaviour."""

import ctypes
import os
import signal
import subprocess
import sys
from typing import Any

from dqgen.errors import LoadError, SetupError


def echo(**request: Any) -> dict[str, Any]:
    print("noise on stdout, as kernels make it")
    return {"pid": os.getpid(), **request}


def refuse(what: str) -> None:
    raise SetupError(what, "somewhere", "mend it")


def segfault() -> None:
    ctypes.string_at(0)


def abort() -> None:
    print("terminate called: the last words", file=sys.stderr, flush=True)
    os.abort()


def leave(code: int) -> None:
    os._exit(code)


def hang() -> None:
    signal.pause()


def eat(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def defect() -> None:
    raise ZeroDivisionError("a defect of ours")


def parent_a_sleeper() -> int:
    """Start a process that outlives the call; returns its id."""
    return subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"]).pid


def hang_in_a_grandchild(note: str) -> None:
    child = subprocess.Popen([sys.executable, "-c", "import signal; signal.pause()"])
    with open(note, "w") as file:  # noqa: PTH123
        file.write(str(child.pid))
    signal.pause()


def segfault_load(path: str, output: str, rung: str, failures: list[str], **_: str) -> None:
    segfault()


def hang_load(path: str, output: str, rung: str, failures: list[str], **_: str) -> None:
    hang()


def eat_load(path: str, output: str, rung: str, failures: list[str], **_: str) -> None:
    eat(1 << 20)


def second_rung_load(path: str, output: str, rung: str, failures: list[str], **_: str) -> None:
    """Crash on the first rung; on the second refuse with what was passed on about the first."""
    if rung == "first":
        segfault()
    raise LoadError(f"rung {rung} after {failures}", path)


def draw_or_crash(file: str, picture: str, **_: Any) -> dict[str, Any]:
    """A renderer that dies on some files and says which process drew the others."""
    if "crash" in file:
        segfault()
    if "refuse" in file:
        raise LoadError("is refused", file)
    return {
        "file": file,
        "picture": picture,
        "evidence": str(os.getpid()),
        "size": [1, 1],
        "views": [],
        "warnings": [],
    }
