"""What changed between two packages, and whether scores on them can be compared.

Versions are semantic: the first number is raised when old scores no longer compare, the second when questions
are added, the third when only what surrounds them changed.
"""

import hashlib
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from dqgen.release import reading
from dqgen.release.package import read_manifest
from dqgen.release.tables import CONTEXT

Step = Literal["none", "patch", "minor", "major"]
STEPS: tuple[Step, ...] = ("none", "patch", "minor", "major")


@dataclass(frozen=True)
class Changes:
    """The difference of two packages.

    Attributes:
        old, new: versions.
        added, removed: ids of questions.
        changed: what differs by id of a question that both have: prompt, picture, answer, explanation, contexts, tags.
        surroundings: names of other files that differ.
        needed: the least step of the version that these changes ask for.
        taken: the step that was taken; none also where the number went back.
    """

    old: str
    new: str
    added: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    changed: dict[str, list[str]] = field(default_factory=dict)
    surroundings: list[str] = field(default_factory=list)
    needed: Step = "none"
    taken: Step = "none"

    @property
    def honest(self) -> bool:
        """Whether the version says at least what changed."""
        return STEPS.index(self.taken) >= STEPS.index(self.needed)

    @property
    def comparable(self) -> Literal["all", "common", "no"]:
        """Which scores compare: all, those on the questions that both have, or none."""
        if self.needed == "major":
            return "no"
        return "common" if self.needed == "minor" else "all"


def compare(old: Path, new: Path) -> Changes:
    """Compare two packages question by question.

    Raises:
        ReleaseError: one of them cannot be read.
    """
    before, after = (_questions(folder) for folder in (old, new))
    manifests = [read_manifest(folder) for folder in (old, new)]
    changed = {
        name: [part for part in before[name] if before[name][part] != after[name][part]]
        for name in sorted(before.keys() & after.keys())
        if before[name] != after[name]
    }
    added, removed = sorted(after.keys() - before.keys()), sorted(before.keys() - after.keys())
    files = [{name: entry.sha256 for name, entry in manifest.files.items()} for manifest in manifests]
    surroundings = sorted(
        name
        for name in files[0].keys() | files[1].keys()
        if files[0].get(name) != files[1].get(name) and not name.startswith(("data/", "csv/", "images/"))
    )
    graded = {"kind", "prompt", "picture", "answer", "explanation", "contexts"}
    if removed or any(graded & {*parts} for parts in changed.values()):
        needed: Step = "major"
    elif added or changed:
        needed = "minor"
    else:
        needed = "patch" if surroundings else "none"
    was, now = (manifest.version for manifest in manifests)
    return Changes(was, now, added, removed, changed, surroundings, needed, step(was, now))


def step(old: str, new: str) -> Step:
    """Which number of a semantic version was raised first."""
    numbers = [[int(part) for part in re.findall(r"\d+", version.partition("+")[0])[:3]] for version in (old, new)]
    steps: tuple[Step, ...] = ("major", "minor", "patch")
    for name, before, after in zip(steps, *numbers, strict=False):
        if after != before:
            return name if after > before else "none"
    return "none"


def _questions(folder: Path) -> dict[str, dict[str, Any]]:
    manifest = read_manifest(folder)
    hidden = reading.key(folder, manifest)
    found = {}
    for entry in manifest.subsets.values():
        for row in reading.rows(folder, entry.questions):
            row = {**row, **hidden.get(row["id"], {})}
            image = row.get("image")
            found[row["id"]] = {
                "kind": row["kind"],
                "prompt": row["prompt"],
                "picture": hashlib.sha256(image["bytes"]).hexdigest() if image else None,
                "answer": (row["answer"], row.get("synonyms") or [], row.get("unit")),
                "explanation": row.get("explanation"),
                "contexts": {name: value for name, value in row.items() if name.startswith(CONTEXT) and value},
                "tags": {name: value for name, value in (row.get("tags") or {}).items() if value is not None},
            }
    return found
