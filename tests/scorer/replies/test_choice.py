"""The option that a reply picks."""

import pytest

from dqgen.scorer.replies.choice import read_choice
from dqgen.scorer.replies.reply import read_reply

OPTIONS = ["25 mm", "30 mm", "It complies", "none of these"]


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("b", "B"),
        ("(B)", "B"),
        ("[b]", "B"),
        ("B.", "B"),
        ("B)", "B"),
        ("B) 30 mm", "B"),
        ("B. 30 mm", "B"),
        ("B: 30 mm", "B"),
        ("**B**", "B"),
        ("**B.** 30 mm", "B"),
        ("The answer is (B)", "B"),
        ("The answer is B.", "B"),
        ("The correct option is B: 30 mm", "B"),
        ("Answer: B", "B"),
        ("Answer:B", "B"),
        ("Answer: (b)", "B"),
        ("Answer: Option B", "B"),
        ("option b", "B"),
        ("I choose option (B).", "B"),
        ("\\boxed{B}", "B"),
        ("$\\boxed{\\text{B}}$", "B"),
        ("<answer>B</answer>", "B"),
        ('{"choice": "B"}', "B"),
        ('{"answer": "B) 30 mm"}', "B"),
        ("30 mm", "B"),
        ("The value is 30 mm.", "B"),
        ("it complies", "C"),
        ("None of these", "D"),
        ("A", "A"),
        ("A.", "A"),
        ("Explanation: A is too short, C says nothing.\nAnswer: B", "B"),
        ("B\n\nA is too short.", "B"),
        ("<think>A? C?</think>B", "B"),
        ("I think it is C because A is wrong.", "C"),
        ("Both A and B", None),
        ("A or B", None),
        ("A, B", None),
        ("B/C", None),
        ("Answer: B\nAnswer: C", None),
        ("E", None),
        ("A bolt is shown", None),
        ("Answer: A bolt", None),
        ("25 mm or 30 mm", None),
        ("", None),
        ("I'm sorry, I can't.", None),
    ],
)
def test_reads_the_option(text: str, letter: str | None) -> None:
    found, why = read_choice(read_reply(text), OPTIONS)
    assert found == letter
    assert why


def test_an_option_within_a_longer_one_is_not_meant() -> None:
    assert read_choice(read_reply("the front wing endplate"), ["front wing", "front wing endplate"])[0] == "B"
