"""Many files at once: each worker process draws one after another, and is replaced if it dies.

This module imports little, so that a worker can start while its caller still imports and checks.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dqgen.errors import DqgenError, RenderError
from dqgen.loaders.sandbox import Child, ChildDiedError, Limits

if TYPE_CHECKING:
    from dqgen.schemas.render import RenderOptions, RenderSummary, SheetSummary
    from dqgen.schemas.sheet_render import SheetOptions

TARGET = "dqgen.renderers.worker:work"


@dataclass(frozen=True)
class Task:
    """One file to draw: see `worker.work`."""

    file: str
    picture: str
    options: RenderOptions | SheetOptions
    unit: str | None
    up: str | None


def start(seconds: float, memory_mb: int, scratch: str) -> Child:
    """A worker for `render_all`, with the same limits and scratch folder; the caller closes it."""
    # The loader inside has the time by itself; as much again is for drawing.
    return Child(TARGET, Limits(seconds * 2 + 60, memory_mb), scratch)


def render_all(
    tasks: list[Task], jobs: int | None, seconds: float, memory_mb: int, scratch: str, started: Child | None = None
) -> Iterator[RenderSummary | SheetSummary | DqgenError]:
    """Draw the tasks; results come in their order, each as soon as it and those before it are there.

    Args:
        tasks: what to draw.
        jobs: worker processes; None for one a core, at most one a task.
        seconds: limit on one task's time.
        memory_mb: limit on one process's memory.
        scratch: an empty folder for temporary files, removed by the caller: workers may be killed.
        started: a worker from `start`, if one is under way.
    """
    from tqdm import tqdm

    jobs = min(jobs or os.cpu_count() or 1, len(tasks))
    if jobs > 1:
        # The software rasteriser would start a thread a core in each process.
        os.environ.setdefault("LP_NUM_THREADS", "1")
    crew = _Crew(Limits(seconds, memory_mb), scratch, started)
    pool = ThreadPoolExecutor(jobs)
    try:
        futures = [pool.submit(crew.draw, task) for task in tasks]
        for future in tqdm(futures, unit="file", disable=None if len(tasks) > 1 else True, leave=False):
            yield future.result()
    finally:
        crew.dismiss()
        pool.shutdown(cancel_futures=True)


class _Crew:
    """A worker process for each thread that asks."""

    def __init__(self, limits: Limits, scratch: str, started: Child | None) -> None:
        self._limits = limits
        self._scratch = scratch
        self._ready = [started] if started else []
        self._mine = threading.local()
        self._all: list[Child] = []

    def draw(self, task: Task) -> RenderSummary | SheetSummary | DqgenError:
        from dqgen.schemas.render import RenderSummary, SheetSummary

        child: Child | None = getattr(self._mine, "child", None)
        if child is None:
            limits = self._limits
            child = self._ready.pop() if self._ready else start(limits.seconds, limits.memory_mb, self._scratch)
            self._mine.child = child
            self._all.append(child)
        try:
            answer = child.call(
                file=task.file,
                picture=task.picture,
                options=task.options.model_dump(mode="json"),
                unit=task.unit,
                up=task.up,
                seconds=self._limits.seconds,
                memory_mb=self._limits.memory_mb,
            )
        except DqgenError as error:
            return error
        except ChildDiedError as death:
            self._mine.child = None
            return RenderError(f"the renderer {death.how}", task.file, "see dqgen doctor")
        return (SheetSummary if "pages" in answer else RenderSummary).model_validate(answer)

    def dismiss(self) -> None:
        for child in self._all:
            child.close()
