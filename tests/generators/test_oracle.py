"""Whoever knows how a question was made answers it rightly, without having seen the answer."""

import pytest

from tests.generators.desk import Desk
from tests.generators.oracle import prediction


@pytest.mark.parametrize("kind", ["definition", "presence", "dimension"])
def test_what_proves_an_answer_tells_it(bench: Desk, kind: str) -> None:
    drafts = bench.drafts(kind)
    assert drafts
    for draft in drafts:
        told = prediction(kind, draft.proof, draft.pictures[0].evidence, bench.sources)
        assert told.removeprefix("Explanation: by what was drawn.\nAnswer: ") == draft.answer, draft.key
