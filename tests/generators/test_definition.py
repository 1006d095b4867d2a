"""Definition questions on the bench."""

import pytest

from dqgen.errors import SpecError
from dqgen.generators.registry import generator
from dqgen.schemas.spec import Spec
from tests.generators.desk import Desk


def test_each_component_is_asked_for_once(bench: Desk) -> None:
    drafts = bench.drafts("definition")
    assert [draft.answer for draft in drafts] == ["posts", "wheel", "core", "knob", "rail", "cover"]
    assert drafts[1].synonyms == ("disc",)
    assert {draft.tags["mentions"] for draft in drafts} == {"definition", "mentioned", "not_mentioned"}


def test_no_prompt_names_what_it_asks_for(bench: Desk) -> None:
    for draft in bench.drafts("definition"):
        assert str(draft.answer).rstrip("s") not in draft.prompt.lower()


def test_what_hides_a_component_is_taken_away_and_said(bench: Desk) -> None:
    core = next(draft for draft in bench.drafts("definition") if draft.answer == "core")
    hidden = [one["label"] for one in core.pictures[0].evidence["occurrences"] if one["state"] == "hidden"]
    assert hidden in (["Cover"], ["Base plate"])
    assert "hidden" in core.prompt
    knob = next(draft for draft in bench.drafts("definition") if draft.answer == "knob")
    assert "hidden" not in knob.prompt
    assert all(one["state"] != "hidden" for one in knob.pictures[0].evidence["occurrences"])


def test_proofs_hold_and_notice_other_answers(bench: Desk) -> None:
    for draft in bench.drafts("definition"):
        assert bench.prove(draft) is None
    core = bench.drafts("definition")[2]
    assert "core" in str(bench.prove(core, answer="knob"))
    shy = {**core.proof, "floor": 10**7}
    assert "pixels" in str(bench.prove(core, proof=shy))


def test_a_component_too_small_to_see_is_refused(bench: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dqgen.generators.definition.LEAST", 0.2)
    task = bench.tasks("definition")[3]
    with pytest.raises(SpecError, match="'knob' shows on"):
        generator("definition").run(task, bench.spec, bench.sources)


def test_the_same_task_gives_the_same_bytes(bench: Desk) -> None:
    task = bench.tasks("definition")[2]
    again = generator("definition").run(task, bench.spec, bench.sources)
    assert again[0].pictures[0].data == bench.drafts("definition")[2].pictures[0].data


def test_a_title_that_is_the_answer_is_refused(bench: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    data = bench.spec.model_dump()
    data["designs"][0]["title"] = "wheel"
    spec = Spec.model_validate(data)
    monkeypatch.setattr(bench.sources, "spec", spec)
    with pytest.raises(SpecError, match="names what it asks for"):
        generator("definition").run(bench.tasks("definition")[1], spec, bench.sources)
