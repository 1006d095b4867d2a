"""Names, passages and refusals."""

import pytest

from dqgen.scorer.replies.reply import read_reply
from dqgen.scorer.replies.wording import is_refusal, read_name, read_passage


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Front wing", "Front wing"),
        ("Front wing.", "Front wing"),
        ('"ECU"', "ECU"),
        ("**Front wing**", "Front wing"),
        ("`front wing`", "front wing"),
        ("Answer: front wing", "front wing"),
        ("Answer:front wing", "front wing"),
        ("Name: main hoop", "main hoop"),
        ("Component: main hoop", "main hoop"),
        ("The answer is front wing.", "front wing"),
        ('{"component": "front wing"}', "front wing"),
        ("\\boxed{\\text{front wing}}", "front wing"),
        ("<think>a seat?</think>front wing", "front wing"),
        ("The main hoop.", "The main hoop"),
        ("It's the front wing.", "front wing"),
        ("This is a front wing.", "front wing"),
        ("This looks like a rear wing.", "rear wing"),
        ("The highlighted components are the roll hoops.", "roll hoops"),
        ("The components highlighted in pink appear to be the suspension arms.", "suspension arms"),
        ("The pink components are called uprights.", "uprights"),
        ("The component highlighted in pink is likely the steering rack", "steering rack"),
        ("Based on the image, the highlighted part is the main hoop.", "main hoop"),
        ("Pink highlighted component: rear wing", "rear wing"),
        ("Highlighted component(s): **main hoop**", "main hoop"),
        ("The component(s) highlighted in pink is/are the front hoop", "front hoop"),
        ("I believe the highlighted component is the firewall.", "firewall"),
        ("The component shown is a steering wheel, which is part of the steering system.", "steering wheel"),
        ("Main hoop is highlighted in pink.", "Main hoop"),
        ("Seat.\n\nExplanation: it is pink.", "Seat"),
        ("Anti-roll bar (sway bar)", "Anti-roll bar (sway bar)"),
        ("Answer: seat\nAnswer: firewall", None),
        ("Answer: Seat\nFinal answer: firewall", "firewall"),
    ],
)
def test_reads_the_name(text: str, name: str | None) -> None:
    assert read_name(read_reply(text))[0] == name


TEXT = "The vehicle must be open wheeled."


@pytest.mark.parametrize(
    "text",
    [
        TEXT,
        f"V.1.2 {TEXT}",
        f"V.1.2: {TEXT}",
        f"V.1.2. {TEXT}",
        f"**V.1.2** {TEXT}",
        f"Rule V.1.2: {TEXT}",
        f"Rule V.1.2 states: {TEXT}",
        f'Rule V.1.2 states: "{TEXT}"',
        f"Rule V.1.2 states exactly: '{TEXT}'",
        f"Rule V.1.2 of the FSAE rules states:\n\n{TEXT}",
        f"The text of rule V.1.2 is: {TEXT}",
        f"Here is the exact text of rule V.1.2:\n\n> {TEXT}",
        f"Sure! Here is the rule:\n{TEXT}",
        f"Answer: {TEXT}",
        f"```\n{TEXT}\n```",
        f'{{"text": "{TEXT}"}}',
        f"<answer>{TEXT}</answer>",
        f"<think>where is it</think>{TEXT}",
        f'"{TEXT}"',
    ],
)
def test_reads_the_passage(text: str) -> None:
    assert read_passage(read_reply(text), "V.1.2")[0] == TEXT


@pytest.mark.parametrize(
    "text",
    [
        "The vehicle must meet V.1.2",
        "V.1.2.1 The vehicle",
        "The amount of time is at the discretion of the officials.",
        "Only two answers are allowed: yes and no.",
        "The following are permitted:\n• Dry\n• Wet",
        "Teams must, according to V.3.1, stop.",
    ],
)
def test_leaves_a_rule_text_alone(text: str) -> None:
    assert read_passage(read_reply(text), "V.1.2")[0] == text


@pytest.mark.parametrize(
    ("text", "refused"),
    [
        (
            "I'm sorry, but I can't assist with identifying or making assumptions about content in images.",
            True,
        ),
        ("I’m sorry, but I can’t help with that.", True),
        ("I cannot provide the text of that rule.", True),
        ("I am unable to view the image.", True),
        ("As an AI language model, I cannot view images.", True),
        ("No image was provided.", True),
        ("Please upload the image.", True),
        ("I apologize, but I do not have access to the document.", True),
        ("Sorry, I could not find rule V.1.9.", True),
        ("Front wing", False),
        ("Teams must provide no less than two.", False),
        ("The driver can not open the door without help.", False),
        ("Yes", False),
        ("I'm sorry for the confusion. The component is the front wing.", False),
        ("The brake light must be visible. " * 40 + "I cannot assist.", False),
    ],
)
def test_tells_refusals(text: str, refused: bool) -> None:
    assert is_refusal(read_reply(text)) is refused
