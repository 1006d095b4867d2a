"""No answer in a prompt, no question twice, yes and no in balance."""

from collections import Counter
from typing import Any

import pytest

from dqgen.generators.draft import Draft
from dqgen.generators.hygiene import drawn, imbalances, told, without_twins
from dqgen.generators.store import Entry


def entry(key: str, answer: Any = "yes", prompt: str = "", pictures: tuple[str, ...] = (), **tags: str) -> Entry:
    return Entry("presence", key, prompt or key, answer, tags, pictures, "t", 0)


@pytest.mark.parametrize(
    ("prompt", "answer", "synonyms", "tells"),
    [
        ("What is highlighted in the front wing?", "front wing", (), True),
        ("What are the Wing  mirrors?", "mirror", ("wing mirror",), True),
        ("What is highlighted?", "front wing", ("wing",), False),
        ("What is beside the anti-intrusion plate?", "anti intrusion plates", (), True),
        ("What of the Side Impact Diagonal?", "diagonals", (), True),
        ("What is in front?", "front wing", (), False),
        ("Is it there, yes or no?", "yes", (), False),
        ("Do V.1, V.2 apply? V.1 V.2", ["V.1", "V.2"], (), True),
        ("Rules about V.1 please", ["V.1", "V.2"], (), False),
    ],
)
def test_prompts_that_tell(prompt: str, answer: Any, synonyms: tuple[str, ...], tells: bool) -> None:
    draft = Draft(kind="definition", key="a", prompt=prompt, answer=answer, synonyms=synonyms)
    assert bool(told(draft)) == tells


def test_twins() -> None:
    a = entry("a", "yes", "Is it?", ("1",))
    same, other, alone = (
        entry("b", "yes", "Is it?", ("1",)),
        entry("c", "no", "Is it?", ("2",)),
        entry("d", "yes", "Is it?", ("2",)),
    )
    kept, out = without_twins([a, same, other, alone])
    assert kept == [a]
    assert [one.key for one, _ in out] == ["b", "c", "d"]
    assert "answer is another" in out[1][1]


def test_a_draw_is_balanced_and_repeats() -> None:
    entries = [entry(f"{at:03}", "yes" if at % 4 else "no") for at in range(100)]
    some = drawn(entries, 40, seed=3)
    assert Counter(one.answer for one in some) == {"yes": 20, "no": 20}
    assert some == drawn(entries, 40, seed=3)
    assert some != drawn(entries, 40, seed=4)
    assert [one.key for one in some] == sorted(one.key for one in some)
    assert drawn(entries, 200, seed=3) == entries


def test_imbalance_of_a_kind_and_of_a_tag() -> None:
    even = [entry(str(at), "yes" if at % 2 else "no", view="top" if at % 2 else "left") for at in range(40)]
    assert {line.split(":")[0] for line in imbalances(even)} == {"presence, view top", "presence, view left"}
    skewed = [entry(str(at), "yes" if at % 3 else "no", view="top") for at in range(30)]
    assert imbalances(skewed)[0] == "presence: 67% of 30 answers are yes"
    assert imbalances([entry(str(at), "yes" if at % 2 else "no", view="top") for at in range(40)]) == []
