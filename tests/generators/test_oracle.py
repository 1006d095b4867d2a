"""Whoever knows how a question was made answers it rightly, without having seen the answer."""

import pytest

from tests.generators.desk import Desk
from tests.generators.oracle import prediction


@pytest.mark.parametrize("kind", ["compilation", "definition", "presence", "dimension"])
def test_what_proves_an_answer_tells_it(bench: Desk, kind: str) -> None:
    drafts = bench.drafts(kind)
    assert drafts
    for draft in drafts:
        evidence = draft.pictures[0].evidence if draft.pictures else None
        said = prediction(kind, draft.proof, evidence, bench.sources)
        told = (
            said.split(", ")
            if kind == "compilation"
            else said.removeprefix("Explanation: by what was drawn.\nAnswer: ")
        )
        assert told == (list(draft.answer) if kind == "compilation" else draft.answer), draft.key
