"""Every answer derived again from the sources, by a second way, in processes that may die without harm."""

import os
import queue
import tempfile
import threading
from collections.abc import Iterator
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any

from dqgen.errors import DqgenError
from dqgen.generators.registry import generator
from dqgen.generators.sources import Sources
from dqgen.loaders.sandbox import Child, ChildDiedError, Limits
from dqgen.release import originals, reading
from dqgen.release.package import read_manifest
from dqgen.release.validate import Problem
from dqgen.schemas.package import Manifest

TARGET = "dqgen.release.proof:prove_group"
TOGETHER = 32
"""Questions that a process is given at a time."""


def prove(package: Path, spec: Path | None, jobs: int | None, limits: Limits) -> Iterator[tuple[int, list[Problem]]]:
    """Derive each answer of a package again.

    Args:
        package: that is whole (see `validate.check`).
        spec: the spec that it was built from; None for the copy in the package, or one below the current folder.
        jobs: processes; None for one a core.
        limits: of a process, and of the time for a group of questions.

    Returns:
        For each group of questions how many they are, and those that do not hold.

    Raises:
        SpecError: the spec is wrong.
        ReleaseError: its sources are not at hand, or are not those that it was built from.
    """
    manifest = read_manifest(package)
    spec = originals.opened(package, manifest, spec).file
    work: queue.Queue[tuple[str, reading.Places]] = queue.Queue()
    for name in manifest.subsets:
        for group in _groups(package, manifest, name):
            work.put((name, group))
    done: queue.Queue[tuple[int, list[Problem]]] = queue.Queue()
    groups = work.qsize()
    jobs = min(jobs or os.cpu_count() or 1, groups)
    if jobs > 1:
        os.environ.setdefault("LP_NUM_THREADS", "0")  # the software rasteriser would start a thread a core in each
    with tempfile.TemporaryDirectory(prefix="dqgen-") as scratch:
        for _ in range(jobs):
            arguments = (work, done, str(package.resolve()), str(spec.resolve()), limits, scratch)
            threading.Thread(target=_worker, args=arguments, daemon=True).start()
        for _ in range(groups):
            yield done.get()


def _groups(package: Path, manifest: Manifest, subset: str) -> Iterator[reading.Places]:
    """Questions of a subset, some at a time, in the order of their keys: those on one design follow each other, and
    share what is made of it."""
    entry = manifest.subsets[subset]
    keys = {}
    if entry.evidence is not None:  # else each question is told to have no proof
        keys = {row["id"]: row["key"] for row in reading.rows(package, entry.evidence, ["id", "key"])}
    places = reading.places(package, entry.questions)
    found = sorted((keys.get(name, ""), name, group) for group, names in places for name in names)
    for start in range(0, len(found), TOGETHER):
        chunk = sorted((group, name) for _, name, group in found[start : start + TOGETHER])
        yield [(group, [name for _, name in ones]) for group, ones in groupby(chunk, key=itemgetter(0))]


def prove_group(package: str, spec: str, subset: str, group: reading.Places) -> list[Any]:
    """Prove some questions of a subset; runs in a child.

    Returns:
        The number of questions, and pairs of a question and what differs.
    """
    sources = _sources(package, spec)
    manifest = read_manifest(Path(package))
    count, differing = 0, []
    for question in sorted(reading.questions(Path(package), manifest, subset, group), key=lambda one: one.key):
        count += 1
        try:
            said = generator(question.kind).prove(question, sources.spec, sources)
        except DqgenError as error:
            said = f"cannot be proved: {error}"
        if said is not None:
            differing.append([f"{question.id} ({question.key})", said])
    return [count, differing]


@lru_cache(maxsize=1)
def _sources(package: str, spec: str) -> Sources:
    return originals.opened(Path(package), read_manifest(Path(package)), Path(spec))


def _worker(
    work: "queue.Queue[tuple[str, reading.Places]]",
    done: "queue.Queue[tuple[int, list[Problem]]]",
    package: str,
    spec: str,
    limits: Limits,
    scratch: str,
) -> None:
    child: Child | None = None
    while True:
        try:
            subset, group = work.get_nowait()
        except queue.Empty:
            break
        child = child or Child(TARGET, limits, scratch)
        try:
            count, differing = child.call(package=package, spec=spec, subset=subset, group=group)
            done.put((count, [Problem(where, what) for where, what in differing]))
        except ChildDiedError as death:
            child = None
            names = [name for _, names in group for name in names]
            done.put((0, [Problem(f"{subset}, one of {', '.join(names)}", f"the process that proves it {death.how}")]))
        except DqgenError as error:
            done.put((0, [Problem(error.where or subset, error.what)]))
    if child is not None:
        child.close()
