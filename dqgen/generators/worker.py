"""The child process that makes questions, one task after another."""

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import Any

from dqgen.errors import SpecError
from dqgen.generators.contexts import Library, with_contexts
from dqgen.generators.draft import Draft, ProvedQuestion, Task
from dqgen.generators.hygiene import told
from dqgen.generators.registry import generator
from dqgen.generators.sources import Sources
from dqgen.generators.store import Store
from dqgen.loaders.sandbox import Limits
from dqgen.schemas.spec import Spec

SPEC = "spec.json"


def work(
    folder: str, spec_file: str, digest: str, task: dict[str, Any], seconds: float, memory_mb: int
) -> dict[str, Any]:
    """Do one task and keep what it gives.

    Args:
        folder: of the store; it holds the spec.
        spec_file: where the spec was read from; its files are relative to it.
        digest: under which the result is kept.
        task: the fields of a `Task`.
        seconds: limit on the time of a process that loads a design.
        memory_mb: limit on its memory.

    Returns:
        How many `questions`, and `faults`: pairs of key and reason.

    Raises:
        DqgenError: the task cannot be done.
    """
    desk = _desk(folder, spec_file, seconds, memory_mb)
    job = Task(**{**task, "place": tuple(task["place"])})
    maker = generator(job.kind)
    spec, sources = desk.sources.spec, desk.sources
    kept: list[Draft] = []
    faults: list[tuple[str, str]] = []
    for draft in maker.run(job, spec, sources):
        said = told(draft)
        if said is None and maker.proves_at_once:
            said = maker.prove(_question(draft), spec, sources)
        if said is None:
            kept.append(draft)
        else:
            faults.append((draft.key, said))
    if not kept and not faults:
        raise SpecError(f"{job.key} gives no question")
    desk.store.save(digest, with_contexts(kept, desk.library, sources), faults)
    return {"questions": len(kept), "faults": faults}


@dataclasses.dataclass(frozen=True)
class _Desk:
    sources: Sources
    library: Library
    store: Store


@lru_cache(maxsize=1)
def _desk(folder: str, spec_file: str, seconds: float, memory_mb: int) -> _Desk:
    spec = Spec.model_validate_json((Path(folder) / SPEC).read_bytes())
    sources = Sources(spec, Path(spec_file), limits=Limits(seconds, memory_mb), store=Path(folder))
    return _Desk(sources, Library(sources.rulebook.rules, spec.contexts, spec.seed), Store(Path(folder)))


def _question(draft: Draft) -> ProvedQuestion:
    fields = {field.name: getattr(draft, field.name) for field in dataclasses.fields(draft)}
    return ProvedQuestion(id=draft.key, **fields)
