"""Replies taken apart."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.scorer.replies.reply import read_reply
from dqgen.scorer.replies.rules import read_rules
from dqgen.scorer.replies.verdict import read_verdict
from dqgen.scorer.replies.wording import is_refusal, read_name, read_passage

WHY = "The wheelbase of 1549.4 mm is more than 1525 mm."


@pytest.mark.parametrize(
    "text",
    [
        f"Explanation: {WHY}\nAnswer: Yes",
        f"Explanation:{WHY} Answer:Yes",
        f"**Explanation:** {WHY}\n\n**Answer:** Yes",
        f"### Explanation\n{WHY}\n\n### Answer\nYes",
        f"Answer: Yes\nExplanation: {WHY}",
        f"**Answer: Yes**\n\n**Explanation:** {WHY}",
        f"Reasoning: {WHY}\nAnswer: Yes",
        f'{{"explanation": "{WHY}", "answer": "Yes"}}',
        f'```json\n{{"answer": true, "reasoning": "{WHY}"}}\n```',
        f"<explanation>{WHY}</explanation>\n<answer>Yes</answer>",
        f"{WHY}\nAnswer: Yes",
        f"Answer: Yes\n{WHY}",
        f"<think>hm</think>Explanation: {WHY}\nAnswer: Yes",
        f"| Explanation | Answer |\n|---|---|\n| {WHY} | Yes |",
    ],
)
def test_finds_explanation_and_answer_in_any_order(text: str) -> None:
    reply = read_reply(text)
    assert reply.explanation == WHY
    assert read_verdict(reply).value == "yes"


def test_reasoning_without_end_is_told() -> None:
    assert read_reply("<think>so the answer").open_reasoning
    assert not read_reply("<think>so</think>yes").open_reasoning


@given(st.text(max_size=400))
def test_any_text_is_read_without_error(text: str) -> None:
    reply = read_reply(text)
    read_verdict(reply, "does it comply?")
    read_rules(reply, [])
    read_name(reply)
    read_passage(reply, "V.1.2")
    is_refusal(reply)


SIGNS = st.text(alphabet="<>{}[]()\\|`*_#-:. \nanswerthinkboxedyesno\"'", max_size=300)


@given(SIGNS)
def test_any_markup_is_read_without_error(text: str) -> None:
    read_verdict(read_reply(text))


LENGTH = 300_000  # characters; time grows with length alone


UNITS = [
    *("yes ", "no ", "not ", "if ", "x", "é", "-", "=", "½", "²", "(", "'", '"', ".", ":", " ", "\n", "\t", " \n"),
    *("Answer: yes\n", "the answer is ", "final answer: ", "Explanation: ", "A or ", "ex. ans", "I'm sorry "),
    *("<think>", "</think>", "[THINK]", "<answer>", "<|channel|>", "<|begin_of_box|>", "\u202e", "\x00"),
    *("{", "[", '{"a":', "```", "```json\n{", "\\boxed{", "\\frac{", "\\text{", "$"),
    *("|", "| a |\n", "|--|\n", "*", "_", "# ", "#", "- ", "> "),
    *("T.1.2 ", "T.1.", "rule V.1.2 ", "1.2", "1,234", "1/", "12 ", "5 ft "),
]


@pytest.mark.parametrize("unit", UNITS)
def test_a_huge_reply_is_read_in_time(unit: str) -> None:
    text = "x " + unit * (LENGTH // len(unit)) + " y"
    start = time.perf_counter()
    reply = read_reply(text)
    read_verdict(reply, "does it comply?")
    read_rules(reply, ["T.1.2"])
    read_name(reply)
    read_passage(reply, "V.1.2")
    is_refusal(reply)
    assert time.perf_counter() - start < 15
