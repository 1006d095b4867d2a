"""All questions of a spec: planned, made in processes that may die, and kept until they are packed."""

import os
import queue
import tempfile
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from dqgen.errors import BuildError, DqgenError, SpecError
from dqgen.generators import hygiene
from dqgen.generators.draft import Draft, Task
from dqgen.generators.registry import generator, kinds
from dqgen.generators.sources import Sources
from dqgen.generators.store import Entry, Store, write_whole
from dqgen.generators.worker import SPEC
from dqgen.loaders.sandbox import Child, ChildDiedError, Limits
from dqgen.schemas.spec import Spec

TARGET = "dqgen.generators.worker:work"


@dataclass(frozen=True)
class Failure:
    """Questions that could not be made.

    Attributes:
        where: `benchmark.yaml:41`.
        what: what went wrong, and how to mend it.
        questions: how many are lacking.
    """

    where: str
    what: str
    questions: int = 1

    def __str__(self) -> str:
        return " ".join(f"{self.where}: {self.what}".split())


@dataclass
class Outcome:
    """What a run gave.

    Attributes:
        entries: the questions, in the order of kind and key.
        failures: what could not be made.
        reused: questions that an earlier run had made.
        remarks: what is not as it should be, such as yes and no out of balance.
    """

    entries: list[Entry] = field(default_factory=list)
    failures: list[Failure] = field(default_factory=list)
    reused: int = 0
    remarks: list[str] = field(default_factory=list)


def plan(
    spec: Spec, sources: Sources, only: Sequence[str] = (), limit: int | None = None
) -> tuple[list[Task], list[Failure]]:
    """The tasks of a spec, kind by kind, no more than its counts ask for.

    Args:
        spec: what is wanted.
        sources: its files.
        only: kinds to make; all of them if empty.
        limit: most questions of a kind.

    Returns:
        The tasks, and the kinds that cannot be planned.

    Raises:
        SpecError: a kind is unknown.
        DqgenError: the rulebook cannot be read.
    """
    known = kinds()
    for kind in (*only, *spec.counts):
        if kind not in known:
            raise SpecError(f"no kind '{kind}'", mend=f"kinds: {', '.join(known)}")
    tasks: list[Task] = []
    failures: list[Failure] = []
    try:
        _ = sources.rulebook  # nothing can be asked without it
    except DqgenError as error:
        where = f"{sources.where(('rulebook', 'file'))}: {error.where}"
        raise type(error)(error.what, where, error.mend) from None
    for kind in known:
        if not spec.wants(kind) or (only and kind not in only):
            continue
        try:
            found = generator(kind).plan(spec, sources)
        except DqgenError as error:
            failures.append(Failure(sources.where((kind,)), f"no {kind} questions: {error}", 0))
            continue
        once: dict[str, Task] = {}
        for task in found:
            if once.setdefault(task.key, task) is not task:
                failures.append(Failure(sources.where(task.place), f"two {kind} tasks are called '{task.key}'"))
        tasks += _enough([*once.values()], most(spec, kind, limit), spec.seed)
    return tasks, failures


def most(spec: Spec, kind: str, limit: int | None) -> int | None:
    """Most questions of a kind; None if there is no bound."""
    bounds = [bound for bound in (spec.counts.get(kind), limit) if bound is not None]
    return min(bounds) if bounds else None


def _enough(tasks: list[Task], count: int | None, seed: int) -> list[Task]:
    if count is None:
        return tasks
    chosen: set[str] = set()
    questions = 0
    for task in sorted(tasks, key=lambda task: hygiene.draw_key(seed, task.key)):
        if questions >= count:
            break
        chosen.add(task.key)
        questions += task.questions
    return [task for task in tasks if task.key in chosen]


class Build:
    """A run over tasks.

    Args:
        sources: of the spec.
        store: where results are kept.
        jobs: processes; None for one a core.
        limits: of a process: seconds a task, and memory.
        stop: whether the first failure ends the run.
    """

    def __init__(self, sources: Sources, store: Store, jobs: int | None, limits: Limits, stop: bool = False) -> None:
        self._sources = sources
        self._store = store
        self._jobs = jobs or os.cpu_count() or 1
        self._limits = limits
        self._stop = stop
        self._repeated: list[str] = []

    def run(
        self, tasks: Sequence[Task], limit: int | None = None, progress: Callable[[int], object] = lambda count: None
    ) -> Outcome:
        """Do what is not done yet, and gather all.

        Args:
            tasks: from `plan`.
            limit: most questions of a kind, as in `plan`.
            progress: told how many questions more are settled.

        Raises:
            BuildError: results cannot be kept, or the first task failed and that was to end the run.
        """
        spec, outcome = self._sources.spec, Outcome()
        write_whole(self._store.folder / SPEC, spec.model_dump_json(by_alias=True).encode())
        frame = self._sources.fingerprint()
        digests = [_digest(task, frame) for task in tasks]
        waiting = []
        for task, digest in zip(tasks, digests, strict=True):
            done = self._store.result(digest)
            if done is None:
                waiting.append((task, digest))
            else:
                outcome.reused += len(done.entries)
                progress(task.questions)
        failed: dict[str, Failure] = {}
        # The longest first, so that no process is left alone with one at the end.
        waiting.sort(key=lambda pair: -pair[0].seconds)
        with closing(self._settled(waiting)) as settled:
            for task, digest, failure in settled:
                progress(task.questions)
                if failure is not None:
                    failed[digest] = failure
                    if self._stop:
                        mend = "what is done is kept; --keep-going does the rest"
                        raise BuildError(failure.what, failure.where, mend)
        entries: list[Entry] = []
        for digest in digests:
            if digest in failed:
                outcome.failures.append(failed[digest])
                continue
            result = self._store.result(digest)
            if result is None:
                raise BuildError("a result of the build is gone", str(self._store.folder), "build again")
            entries += result.entries
            outcome.remarks += [f"'{key}' is left out: {what}" for key, what in result.faults]
        outcome.remarks += sorted(self._repeated)
        self._gather(entries, outcome, spec, limit)
        return outcome

    def drafts(self, outcome: Outcome) -> Iterator[Draft]:
        """The questions of a run, read one at a time."""
        return self._store.drafts(outcome.entries)

    def digests(self, tasks: Sequence[Task]) -> set[str]:
        """Names of the results of tasks."""
        frame = self._sources.fingerprint()
        return {_digest(task, frame) for task in tasks}

    def _gather(self, entries: list[Entry], outcome: Outcome, spec: Spec, limit: int | None) -> None:
        entries.sort(key=lambda entry: (entry.kind, entry.key))
        kept, twins = hygiene.without_twins(entries)
        for entry, why in twins:
            outcome.remarks.append(f"'{entry.key}' is left out: it {why}")
        for kind in dict.fromkeys(entry.kind for entry in kept):
            of_kind = [entry for entry in kept if entry.kind == kind]
            count = most(spec, kind, limit)
            outcome.entries += of_kind if count is None else hygiene.drawn(of_kind, count, spec.seed)
        outcome.remarks += hygiene.imbalances(outcome.entries)

    def _settled(self, waiting: Sequence[tuple[Task, str]]) -> Generator[tuple[Task, str, Failure | None], None, None]:
        """Tasks as they are done, in any order."""
        if not waiting:
            return
        jobs = min(self._jobs, len(waiting))
        if jobs > 1:
            os.environ.setdefault("LP_NUM_THREADS", "0")  # the software rasteriser would start a thread a core in each
        work: queue.SimpleQueue[tuple[Task, str]] = queue.SimpleQueue()
        for pair in waiting:
            work.put(pair)
        done: queue.SimpleQueue[tuple[Task, str, Failure | None] | BaseException] = queue.SimpleQueue()
        children: list[Child] = []
        ended = threading.Event()
        with tempfile.TemporaryDirectory(prefix="dqgen-") as scratch:
            try:
                for _ in range(jobs):
                    threading.Thread(
                        target=self._serve, args=(work, done, children, ended, scratch), daemon=True
                    ).start()
                for _ in waiting:
                    answer = done.get()
                    if isinstance(answer, BaseException):
                        raise answer
                    yield answer
            finally:
                ended.set()
                for child in list(children):
                    child.close()

    def _serve(
        self,
        work: "queue.SimpleQueue[tuple[Task, str]]",
        done: "queue.SimpleQueue[tuple[Task, str, Failure | None] | BaseException]",
        children: list[Child],
        ended: threading.Event,
        scratch: str,
    ) -> None:
        """One thread's life: it keeps a process, and starts another if that dies."""
        child: Child | None = None
        while not ended.is_set():
            try:
                task, digest = work.get_nowait()
            except queue.Empty:
                break
            try:
                fresh = child is None
                failure: Failure | None = None
                while True:
                    if child is None:
                        child = Child(TARGET, self._limits, scratch)
                        children.append(child)
                    try:
                        self._call(child, task, digest)
                    except ChildDiedError as death:
                        child = None
                        if not fresh:  # what earlier tasks left behind may have been too much: once more, alone
                            fresh = True
                            self._repeated.append(f"'{task.key}' was made twice: its process {death.how}")
                            continue
                        failure = self._failure(task, f"{task.key}: the process that makes it {death.how}")
                    except BuildError:
                        raise
                    except DqgenError as error:
                        failure = self._failure(task, f"{task.key}: {error}")
                    break
                done.put((task, digest, failure))
            except BaseException as error:
                done.put(error)
                break
        if child is not None:
            child.close()

    def _call(self, child: Child, task: Task, digest: str) -> Any:
        return child.call(
            folder=str(self._store.folder.resolve()),
            spec_file=str(self._sources.file.resolve()),
            digest=digest,
            task=asdict(task),
            seconds=self._limits.seconds,
            memory_mb=self._limits.memory_mb,
        )

    def _failure(self, task: Task, what: str) -> Failure:
        return Failure(self._sources.where(task.place), what, task.questions)


def _digest(task: Task, frame: str) -> str:
    inputs = {**task.inputs, "frame": frame, "version": generator(task.kind).version}
    return Task(task.kind, task.key, inputs).digest


def work_folder(out: Path) -> Path:
    """Where the results of a build are kept: beside its package."""
    out = out.resolve()
    return out.with_name(f"{out.name}.work")
