"""Presence questions on the bench."""

import io
from collections import Counter

import numpy as np
from PIL import Image

from dqgen.generators import closeups
from dqgen.schemas.evidence import Evidence
from tests.generators.desk import Desk


def test_each_component_is_asked_for_once_present_and_once_absent(bench: Desk) -> None:
    drafts = bench.drafts("presence")
    asked = Counter((draft.proof["component"], draft.answer) for draft in drafts)
    names = {"posts", "wheel", "core", "knob", "rail", "cover"}
    assert asked == Counter({(name, answer): 1 for name in names for answer in ("yes", "no")})


def test_each_picture_has_one_yes_and_one_no(bench: Desk) -> None:
    answers: dict[bytes, list[str]] = {}
    for draft in bench.drafts("presence"):
        answers.setdefault(draft.pictures[0].data, []).append(str(draft.answer))
    assert all(sorted(pair) == ["no", "yes"] for pair in answers.values())


def test_evidence_says_what_is_seen(bench: Desk) -> None:
    for draft in bench.drafts("presence"):
        evidence = Evidence.model_validate(draft.pictures[0].evidence)
        assert [view.role for view in evidence.views] == ["closeup", *["context"] * 6]
        component = next(one for one in bench.spec.designs[0].components if one.name == draft.proof["component"])
        pattern = component.pattern[0].rstrip("?").strip()
        seen = sum(
            one.views[evidence.views[0].id].pixels for one in evidence.occurrences if one.label.startswith(pattern)
        )
        assert seen == draft.proof["pixels"]
        assert seen >= draft.proof["floor"] if draft.answer == "yes" else seen == 0
        assert evidence.views[0].view in {view.view for view in evidence.views[1:]}


def test_pictures_are_of_one_size(bench: Desk) -> None:
    told = [draft.pictures[0].evidence for draft in bench.drafts("presence")]
    assert len({(one["width"], one["height"]) for one in told}) == 1
    for draft, one in zip(bench.drafts("presence"), told, strict=True):
        assert Image.open(io.BytesIO(draft.pictures[0].data)).size == (one["width"], one["height"])


def test_proofs_hold_and_notice_the_other_answer(bench: Desk) -> None:
    for draft in bench.drafts("presence"):
        assert bench.prove(draft) is None
        other = "no" if draft.answer == "yes" else "yes"
        assert "rays find it" in str(bench.prove(draft, answer=other))


def test_choices_depend_on_the_words_alone() -> None:
    first = closeups.random(3, "close-up", "knob").random(4)
    assert np.array_equal(first, closeups.random(3, "close-up", "knob").random(4))
    assert not np.array_equal(first, closeups.random(4, "close-up", "knob").random(4))
