"""Functional questions of the sample: pairs that keep and break a limit, each proved from its picture."""

import dataclasses
import io
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from dqgen.errors import SpecError
from dqgen.generators import functional
from dqgen.generators.draft import Draft, Picture, ProvedQuestion, Task
from dqgen.generators.sources import Sources
from dqgen.generators.spec_file import load_spec
from dqgen.schemas.spec import Limit

from .texts import FORMULA

SOME = ("E.3.2.1 time", "S.4.3.3 curve", "G.4.5.1 table", "F.2.2.3 calculation", "A.1.1.3 field/2")


@pytest.fixture(scope="module")
def sources() -> Sources:
    path = Path(FORMULA / "benchmark.yaml").resolve()
    spec = load_spec(path)[0]
    small = spec.model_copy(update={"pictures": spec.pictures.model_copy(update={"size": 1200})})
    return Sources(small, path)


@pytest.fixture(scope="module")
def tasks(sources: Sources) -> dict[str, Task]:
    return {task.key: task for task in functional.plan(sources.spec, sources)}


class Made(dict[str, list[Draft]]):
    """Pairs by task, made when they are asked for."""

    def __init__(self, sources: Sources, tasks: dict[str, Task]) -> None:
        super().__init__()
        self.sources, self.tasks = sources, tasks

    def __missing__(self, key: str) -> list[Draft]:
        self[key] = functional.run(self.tasks[key], self.sources.spec, self.sources)
        return self[key]


@pytest.fixture(scope="module")
def drafts(sources: Sources, tasks: dict[str, Task]) -> dict[str, list[Draft]]:
    return Made(sources, tasks)


def proved(draft: Draft, sources: Sources, **changed: object) -> str | None:
    fields = {field.name: getattr(draft, field.name) for field in dataclasses.fields(draft)} | changed
    return functional.prove(ProvedQuestion(**fields, id="fun-0"), sources.spec, sources)


def test_the_sample_asks_of_enough_limits(sources: Sources, tasks: dict[str, Task]) -> None:
    assert sum(task.questions for task in tasks.values()) >= 40
    rules = {check.rule for check in sources.spec.functional}
    assert len(rules) >= 40
    assert {check.chart for check in sources.spec.functional} == {
        "force-displacement", "time", "curve", "table", "calculation", "field"
    }  # fmt: skip


@pytest.mark.parametrize("key", SOME)
def test_each_answer_is_proved_and_no_other(key: str, drafts: dict[str, list[Draft]], sources: Sources) -> None:
    kept, broken = drafts[key]
    assert (kept.answer, broken.answer) == ("yes", "no")
    assert kept.prompt == broken.prompt
    if "field" not in key:  # solved again for each
        assert proved(kept, sources) is None
    assert proved(broken, sources) is None
    assert proved(broken, sources, answer="yes") is not None


@pytest.mark.parametrize("key", SOME[:4])
def test_a_picture_of_the_other_answer_is_found_out(key: str, drafts: dict[str, list[Draft]], sources: Sources) -> None:
    kept, broken = drafts[key]
    swapped = Picture(broken.pictures[0].data, kept.pictures[0].evidence)
    assert proved(kept, sources, pictures=(swapped,)) is not None


def test_pairs_share_all_but_the_result(drafts: dict[str, list[Draft]]) -> None:
    for kept, broken in map(drafts.__getitem__, SOME[:4]):
        first, second = (one.pictures[0].evidence for one in (kept, broken))
        for shared in ("width", "height", "title", "x", "y", "columns"):
            assert first.get(shared) == second.get(shared)
        images = [Image.open(io.BytesIO(one.pictures[0].data)) for one in (kept, broken)]
        assert images[0].size == images[1].size
        assert not images[0].info
        assert abs(len(kept.pictures[0].data) / len(broken.pictures[0].data) - 1) < 0.2


def test_neither_prompt_nor_picture_states_the_limit(drafts: dict[str, list[Draft]]) -> None:
    for kept, _ in map(drafts.__getitem__, SOME[:4]):
        for words in (" 60 V", "5 s", "290", "165", "1.25", "20 mm"):
            assert words not in kept.prompt


def test_the_same_task_gives_the_same_bytes(
    sources: Sources, tasks: dict[str, Task], drafts: dict[str, list[Draft]]
) -> None:
    again = functional.run(tasks[SOME[0]], sources.spec, sources)
    assert [one.pictures[0].data for one in again] == [one.pictures[0].data for one in drafts[SOME[0]]]


def test_margins_are_alike_for_both_answers(sources: Sources, tasks: dict[str, Task]) -> None:
    margins: dict[str, list[float]] = {"yes": [], "no": []}
    for key in ("E.3.1.2 table", "S.1.2.4 table", "F.7.3.3 table", "G.4.5.2 table", "S.3.3.2 calculation"):
        check = sources.spec.functional[int(tasks[key].place[1])]
        limit = functional.limit_of(check, sources, check.unit)
        ends = [end for end in limit.bounds if end is not None]
        for draft in functional.run(tasks[key], sources.spec, sources):
            margins[str(draft.answer)].append(abs(limit.margin(draft.proof["values"][0])) / ends[0] / check.percent)
    for found in margins.values():
        assert min(found) > 0.004
        assert max(found) < 0.016
    assert np.mean(margins["yes"]) == pytest.approx(np.mean(margins["no"]), rel=0.35)


def test_a_limit_that_the_rule_does_not_state_is_not_proved(
    drafts: dict[str, list[Draft]], sources: Sources, tasks: dict[str, Task]
) -> None:
    checks = list(sources.spec.functional)
    at = int(tasks["G.4.5.1 table"].place[1])
    checks[at] = checks[at].model_copy(update={"limit": Limit(comparator="maximum", value=280, unit="kg")})
    other = Sources(sources.spec.model_copy(update={"functional": tuple(checks)}), sources.file)
    kept = drafts["G.4.5.1 table"][0]
    fields = {field.name: getattr(kept, field.name) for field in dataclasses.fields(kept)}
    said = functional.prove(ProvedQuestion(**fields, id="fun-0"), other.spec, other)
    assert said == "rule G.4.5.1 does not say at most 280 kg"


def test_a_limit_in_another_unit_is_one_clear_error(sources: Sources, tasks: dict[str, Task]) -> None:
    task = tasks["G.4.5.1 table"]
    check = {**task.inputs["check"], "unit": "N"}
    with pytest.raises(SpecError, match=r"rule G\.4\.5\.1 states no limit in N"):
        functional.run(dataclasses.replace(task, inputs={**task.inputs, "check": check}), sources.spec, sources)
