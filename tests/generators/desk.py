"""A small bench with its own rules, and the questions that are made on it, once a session."""

import dataclasses
import fcntl
import pickle
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import yaml

from dqgen.generators.draft import Draft, ProvedQuestion, Task
from dqgen.generators.registry import generator
from dqgen.generators.sources import Sources
from dqgen.schemas.design import Design
from dqgen.schemas.spec import Spec

HERE = Path(__file__).parent
SPEC = {
    "name": "Bench Rules",
    "seed": 7,
    "rulebook": {"file": "bench.md"},
    "designs": [
        {
            "name": "bench",
            "title": "test bench",
            "source": "bench.py",
            "components": [
                {"name": "posts", "pattern": "Post ?", "plural": True, "count": 2},
                {"name": "wheel", "synonyms": ["disc"], "pattern": "Wheel"},
                {"name": "core", "pattern": "Core"},
                {"name": "knob", "pattern": "Knob"},
                {"name": "rail", "pattern": "Rail"},
                {"name": "cover", "pattern": "Cover"},
            ],
        }
    ],
    "dimension": [
        {
            "rule": "B.1.1.1",
            "name": "gap between the posts",
            "measure": "clearance('Post L', 'Post R', along=x)",
            "view": "front",
            "violations": {"parameter": "post_gap", "text": False, "percent": 20},
        },
        {
            "rule": "B.1.1.2",
            "name": "height of a post's upper edge",
            "measure": "distance(extreme('Post L', up), ground)",
            "view": "front",
            "violations": {"edits": [{"kind": "move", "pattern": "Post ?"}], "text": False, "percent": 12},
            "ladder": True,
        },
        {
            "rule": "B.1.2.1",
            "name": "outer diameter of the wheel",
            "measure": "diameter('Wheel')",
            "view": "left",
            "only": ["Wheel", "Axle"],
            "violations": {"text": False, "percent": 9},
        },
        {
            "rule": "B.1.3.1",
            "name": "distance of the knob ahead of the axle",
            "measure": "distance(centre('Knob'), axis('Axle'), along=y)",
            "view": "left",
            "violations": {"edits": "none", "percent": 12},
        },
        {
            "rule": "B.1.3.2",
            "name": "sum of the lengths of cover and rail",
            "measure": "extent('Cover', x) + extent('Rail', x)",
            "view": "top",
            "violations": {"edits": [{"kind": "scale", "pattern": "Rail"}], "text": False, "percent": 12},
        },
        {
            "rule": "B.1.3.3",
            "name": "ratio of the widths of rail and base plate",
            "measure": "extent('Rail', x) / extent('Base plate', x)",
            "view": "top",
            "violations": {"edits": [{"kind": "scale", "pattern": "Rail"}], "text": False, "percent": 15},
        },
    ],
    "pictures": {"size": 1500},
}


@dataclasses.dataclass(frozen=True)
class Desk:
    """A spec with its files, and the drafts of each kind."""

    spec: Spec
    sources: Sources
    drafts: Callable[[str], list[Draft]]
    tasks: Callable[[str], list[Task]]

    def prove(self, draft: Draft, **changes: object) -> str | None:
        """What the proof of a draft says after some of its fields were changed."""
        fields = {field.name: getattr(draft, field.name) for field in dataclasses.fields(Draft)}
        question = ProvedQuestion(**{**fields, **changes}, id="q")  # type: ignore[arg-type]
        return generator(draft.kind).prove(question, self.spec, self.sources)


def desk_of(folder: Path, data: dict[str, object], design: Design | None = None) -> Desk:
    """A desk for a spec; its files are put into a folder, and its design is known already if one is given."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("bench.py", "bench.md"):
        shutil.copy(HERE / name, folder / name)
    file = folder / "benchmark.yaml"
    file.write_text(yaml.safe_dump(data))
    spec = Spec.model_validate(data)
    sources = Sources(spec, file)
    if design is not None:
        sources.design = lambda name=None, parameters=None: design  # type: ignore[method-assign]

    @cache
    def tasks(kind: str) -> list[Task]:
        return generator(kind).plan(spec, sources)

    @cache
    def drafts(kind: str) -> list[Draft]:
        kept = folder / f"{kind}.pickle"
        with (folder / f"{kind}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not kept.is_file():
                made = [draft for task in tasks(kind) for draft in generator(kind).run(task, spec, sources)]
                kept.write_bytes(pickle.dumps(made))
        found: list[Draft] = pickle.loads(kept.read_bytes())
        return found

    return Desk(spec, sources, drafts, tasks)
