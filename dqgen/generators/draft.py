"""Questions before they are numbered, the work that makes them, and the makers of each kind."""

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dqgen.generators.sources import Sources
    from dqgen.schemas.spec import Spec

Answer = str | list[str] | float


@dataclass(frozen=True)
class Picture:
    """A picture and what is known of it.

    Attributes:
        data: an encoded image without text chunks or times.
        evidence: JSON-able; the same as `dqgen render` writes beside a picture.
    """

    data: bytes
    evidence: dict[str, Any]


@dataclass(frozen=True, kw_only=True)
class Draft:
    """A question with its truth and its proof, not yet numbered.

    Attributes:
        kind: retrieval, compilation, definition, presence, dimension, functional, or one of a plugin's own.
        key: unique in the kind and stable: `presence/steering wheel/absent/front`. Never shown to a model.
        prompt: the words for the model.
        answer: as `dqgen.schemas.question.Question.answer`.
        synonyms: other right answers.
        unit: of a number.
        explanation: reference explanation, where one is asked for.
        cluster: questions that share it are not independent: the design, the picture, the section.
        tags: properties for the breakdown of scores.
        pictures: what the model sees, in order.
        contexts: by kind (whole, chunks, guaranteed, empty) the text that goes with the prompt; filled in from
            `needs` and `terms` for a maker that leaves it empty.
        proof: JSON-able: `method`, and all that a second way needs to derive the answer again.
        needs: ids of rules that a guaranteed context must hold.
        terms: names whose definition or mentions it must hold, where no rule is needed.
    """

    kind: str
    key: str
    prompt: str
    answer: Answer
    synonyms: tuple[str, ...] = ()
    unit: str | None = None
    explanation: str | None = None
    cluster: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    pictures: tuple[Picture, ...] = ()
    contexts: Mapping[str, str] = field(default_factory=dict)
    proof: Mapping[str, Any] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    terms: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ProvedQuestion(Draft):
    """A question as read back from a package, with its evidence and proof.

    Attributes:
        id: in the package.
    """

    id: str


@dataclass(frozen=True)
class Task:
    """A piece of work that one process does alone: from plain inputs to drafts.

    Attributes:
        kind: of the questions.
        key: unique in the kind and stable; drafts' keys begin with it.
        inputs: JSON-able; all that shapes the result: parts of the spec, hashes of files, seeds.
        place: where in the spec it comes from: `("dimension", 3)`; names the line of a failure.
        questions: how many drafts it is expected to give.
        seconds: rough time that it takes, for the order of work and the time left.
    """

    kind: str
    key: str
    inputs: Mapping[str, Any]
    place: tuple[str | int, ...] = ()
    questions: int = 1
    seconds: float = 0.01

    @property
    def digest(self) -> str:
        """sha256 of kind, key and inputs: the name of the result, for resuming."""
        text = json.dumps([self.kind, self.key, self.inputs], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()


@dataclass(frozen=True)
class Generator:
    """The maker of one kind of question.

    Attributes:
        kind: its name, the subset's name in a package.
        version: raised when the same inputs give other drafts; enters each task's hash.
        plan: from a spec to tasks; cheap, and knows the counts.
        run: from a task to drafts; pure: the same inputs, the same bytes.
        prove: derives the answer again by a second way; None if it holds, else what differs.
        proves_at_once: whether that costs so little that each draft is proved when it is made.
    """

    kind: str
    version: int
    plan: Callable[["Spec", "Sources"], list[Task]]
    run: Callable[[Task, "Spec", "Sources"], list[Draft]]
    prove: Callable[[ProvedQuestion, "Spec", "Sources"], str | None]
    proves_at_once: bool = False
