"""Pieces of work shared by two processes: the same list as a plain loop gives, sooner.

The caller and one forked process take the numbers of pieces from a pipe until none is left. Who does which
makes no difference to the result. Whatever the forked process does not hand over (it fails, or is killed) the
caller does itself, so an error arises where it would without a fork.
"""

import contextlib
import os
import pickle
import signal
import struct
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

T = TypeVar("T")

FEWEST = 24  # pieces below which a second process costs more than it saves
MOST = 8192  # numbers that surely fit into a pipe at once
_NUMBER = struct.Struct("<i")


def in_two(count: int, work: Callable[[int], T]) -> list[T]:
    """``[work(n) for n in range(count)]``, by two processes where that is safe and pays.

    Args:
        count: number of pieces.
        work: a function without side effects; its results can be pickled.
    """
    if not FEWEST <= count <= MOST or not _can_fork():
        return [work(number) for number in range(count)]
    take, put = os.pipe()
    store = os.memfd_create("pieces")
    try:
        os.write(put, b"".join(map(_NUMBER.pack, range(count))))
        os.close(put)
        child = os.fork()
        if child == 0:
            _serve(take, store, work)
        try:
            done = {number: work(number) for number in _numbers(take)}
        except BaseException:
            os.kill(child, signal.SIGKILL)
            raise
        finally:
            os.waitpid(child, 0)
        done |= _handed_over(store)
    finally:
        os.close(take)
        os.close(store)
    return [done[number] if number in done else work(number) for number in range(count)]


def _can_fork() -> bool:
    """Whether a second processor is there and a copy of this process is sound: no other thread may run."""
    return sys.platform == "linux" and threading.active_count() == 1 and len(os.sched_getaffinity(0)) > 1


def _numbers(take: int) -> Iterator[int]:
    while raw := os.read(take, _NUMBER.size):
        yield _NUMBER.unpack(raw)[0]


def _serve(take: int, store: int, work: Callable[[int], T]) -> None:
    """What the forked process does; it ends here, whatever happens, without the caller's clean-up."""
    try:
        done = {number: work(number) for number in _numbers(take)}
        with open(store, "wb", closefd=False) as file:
            pickle.dump(done, file, pickle.HIGHEST_PROTOCOL)
    finally:
        os._exit(0)


def _handed_over(store: int) -> dict[int, Any]:
    """What the forked process has written; nothing if it did not come to its end."""
    done: dict[int, Any] = {}
    with contextlib.suppress(EOFError, pickle.UnpicklingError), open(store, "rb", closefd=False) as file:
        file.seek(0)
        done = pickle.load(file)
    return done
