"""Work on files that no one vouches for happens in a child process with limits on time and memory.

A child is given the name of one function of ours and answers requests, one at a time, over pipes: a JSON line in,
a JSON line out. If it crashes, hangs or runs out of memory, only the request it held is lost. A child dies with its
parent: it asks the kernel to be killed then (Linux), and leaves when its standard input closes (elsewhere).
"""

import contextlib
import ctypes
import dataclasses
import importlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import traceback
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dqgen import errors

PR_SET_PDEATHSIG = 1  # linux/prctl.h
SYSTEM_LIBRARIES = "on Debian or Ubuntu: apt-get install libegl1 libgl1 libgl1-mesa-dri libx11-6"
STDERR_KEPT = 4000  # characters of a dead child's last words


@dataclasses.dataclass(frozen=True)
class Limits:
    """What one child may use: seconds a request, and MiB of its own memory in all."""

    seconds: float = 600.0
    memory_mb: int = 8192


class ChildDiedError(Exception):
    """The child crashed, was killed, or overstayed its time.

    Attributes:
        how: a clause for the user, such as `crashed (SIGSEGV)`.
        words: the end of what it printed on stderr.
    """

    def __init__(self, how: str, words: str = "") -> None:
        super().__init__(how)
        self.how = how
        self.words = words


class Child:
    """A process that runs `target` (`package.module:function`) on each request.

    The function takes the request as keyword arguments and returns something JSON can hold. A `DqgenError` that
    it raises is raised again here.
    """

    def __init__(self, target: str, limits: Limits) -> None:
        self._limits = limits
        self._words: list[str] = []
        self._closed = False
        answers_read, answers_write = os.pipe()
        # Popen closes every other descriptor in the child; ours is passed on by number.
        self._process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "dqgen.loaders.sandbox",
                target,
                str(answers_write),
                str(limits.memory_mb),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            pass_fds=(answers_write,),
            env=_environment(),
            start_new_session=True,
        )
        os.close(answers_write)
        self._answers: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._listen, args=(answers_read,), daemon=True).start()
        threading.Thread(target=self._hear, daemon=True).start()

    def call(self, **request: Any) -> Any:
        """Answer one request.

        Raises:
            DqgenError: raised by the function.
            ChildDiedError: no answer came; the child is gone.
        """
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it is dead: the missing answer tells how
            self._process.stdin.write(json.dumps(request).encode() + b"\n")
            self._process.stdin.flush()
        try:
            line = self._answers.get(timeout=self._limits.seconds)
        except queue.Empty:
            self.close()
            raise ChildDiedError(f"gave no answer in {self._limits.seconds:g} s") from None
        if not line:
            raise self._obituary()
        answer = json.loads(line)
        if "error" in answer:
            kind, what, where, mend = answer["error"]
            raise getattr(errors, kind)(what, where, mend)
        if "defect" in answer:
            raise RuntimeError(answer["defect"])
        return answer["result"]

    def close(self) -> None:
        """End the child, and whatever it started itself, at once; again, nothing happens."""
        if self._closed:
            return
        self._closed = True
        # It leads its own session, so its process group is all that it started and did not detach.
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        if self._process.stdin:
            with contextlib.suppress(BrokenPipeError):
                self._process.stdin.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _listen(self, descriptor: int) -> None:
        with os.fdopen(descriptor, "rb") as pipe:
            for line in pipe:
                self._answers.put(line)
        self._answers.put(b"")

    def _hear(self) -> None:
        assert self._process.stderr is not None
        with self._process.stderr as pipe:
            for line in pipe:
                self._words.append(line.decode(errors="replace"))
                del self._words[:-50]

    def _obituary(self) -> ChildDiedError:
        code = self._process.wait()
        self.close()
        words = "".join(self._words)[-STDERR_KEPT:]
        if code < 0:
            name = signal.Signals(-code).name
            if name == "SIGABRT" and "bad_alloc" in words:
                return ChildDiedError(f"ran out of memory (limit {self._limits.memory_mb} MB)", words)
            return ChildDiedError(f"crashed ({name})", words)
        return ChildDiedError(f"ended with code {code}", words)


def run(target: str, limits: Limits, **request: Any) -> Any:
    """One request in a child of its own; see `Child`."""
    with Child(target, limits) as child:
        return child.call(**request)


def _environment() -> dict[str, str]:
    """The parent's, with our package found first and no buffering surprises."""
    environment = dict(os.environ)
    here = str(Path(__file__).resolve().parents[2])
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, [here, environment.get("PYTHONPATH", "")]))
    environment["PYTHONHASHSEED"] = "0"
    # Products of tables with matrices of three by three: threads would only wait for each other, busily.
    environment.setdefault("OPENBLAS_NUM_THREADS", "1")
    environment.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # else it looks through all installed packages
    return environment


def _answer(function: Callable[..., Any], line: bytes, memory_mb: int) -> dict[str, Any]:
    try:
        return {"result": function(**json.loads(line))}
    except errors.DqgenError as error:
        return {"error": [type(error).__name__, error.what, error.where, error.mend]}
    except MemoryError:
        return {"error": ["LoadError", f"needs more memory than {memory_mb} MB", "", "raise --memory"]}
    except Exception as error:  # carried to the parent, which has the user's ear
        return {"defect": f"{type(error).__name__}: {error}\n{traceback.format_exc()}"}


def _function(target: str) -> Callable[..., Any]:
    module, name = target.split(":")
    try:
        function: Callable[..., Any] = getattr(importlib.import_module(module), name)
    except ImportError as error:
        problem = errors.SetupError(f"a library cannot be loaded ({error})", mend=SYSTEM_LIBRARIES)

        def explain(**_: Any) -> None:
            raise problem

        return explain
    return function


def _serve(target: str, descriptor: int, memory_mb: int) -> None:
    """The child's life: limits first, then requests until standard input closes."""
    parent = os.getppid()
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() != parent:  # it died before we asked
            os._exit(1)
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_DATA, (memory_mb << 20, memory_mb << 20))
    function = _function(target)
    with os.fdopen(descriptor, "wb") as pipe:
        for line in sys.stdin.buffer:
            pipe.write(json.dumps(_answer(function, line, memory_mb)).encode() + b"\n")
            pipe.flush()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the parent's to handle: it ends us
    _serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
