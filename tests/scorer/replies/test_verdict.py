"""Yes and no in replies of every form that models give."""

import pytest

from dqgen.scorer.replies.reply import read_reply
from dqgen.scorer.replies.verdict import read_verdict

SEEN = "Looking at the close-up view, is any part of the front hoop visible? Answer simply with yes or no."
COMPLIES = "Based on the engineering drawing, does our design comply with rule V.1.2? First explain, then answer."
USE = "Based on the results, can we use the motor mount in the vehicle?"

PLAIN = [
    ("Yes", "yes"),
    ("No.", "no"),
    ("yes", "yes"),
    ("NO", "no"),
    ("YES!!!", "yes"),
    ('"Yes"', "yes"),
    ("'no'", "no"),
    ("(Yes)", "yes"),
    ("[No]", "no"),
    (" \n Yes \n", "yes"),
    ("yes\n", "yes"),
    ("Y", "yes"),
    ("n", "no"),
    ("Yep.", "yes"),
    ("Nope", "no"),
    ("True", "yes"),
    ("false", "no"),
    ("Correct.", "yes"),
    ("✅", "yes"),
    ("✅ Yes", "yes"),
    ("❌ No", "no"),
    ("Ｙｅｓ", "yes"),
    ("\u202eYes\u202c", "yes"),
    ("Y\u200be\u200bs", "yes"),
    ("\ufeffNo", "no"),
    ("Yes\x00", "yes"),
    ("Yes, the endplates are visible in the close-up view.", "yes"),
    ("No, it does not comply.", "no"),
    ("No - the frame fails", "no"),
    ("No — nothing is shown.", "no"),
    ("Yes; the hoop is shown.", "yes"),
    ("No it does not", "no"),
    ("No because the hoop is hidden", "no"),
    ("Yes it is", "yes"),
    ("Well, yes.", "yes"),
    ("I would say yes.", "yes"),
    ("It is a clear yes.", "yes"),
    ("So, no.", "no"),
    ("Yes (the tube is 25.4 mm)", "yes"),
    ("No\n\nThe front hoop is not part of the close-up.", "no"),
]

MARKED = [
    ("Answer: Yes", "yes"),
    ("answer: no", "no"),
    ("ANSWER: YES", "yes"),
    ("Answer:yes", "yes"),
    ("Answer:No.", "no"),
    ("Answer - Yes", "yes"),
    ("Answer – No", "no"),
    ("Answer = yes", "yes"),
    ("Answer：Yes", "yes"),
    ("'Answer: Yes'", "yes"),
    ("(Answer: No)", "no"),
    ("Final Answer: No\n", "no"),
    ("Final answer (yes/no): Yes", "yes"),
    ("My answer: yes", "yes"),
    ("Short answer: no.", "no"),
    ("Answer to the question: yes", "yes"),
    ("The answer is yes.", "yes"),
    ("The answer is (no)", "no"),
    ("The answer is: **No**", "no"),
    ("the answer would be 'no.'", "no"),
    ("The final answer is: \\boxed{no}", "no"),
    ("The correct answer is Yes, as 1549 > 1525.", "yes"),
    ("**Answer:** Yes", "yes"),
    ("**Answer**: No", "no"),
    ("**Answer:Yes**", "yes"),
    ("**Answer:**Yes", "yes"),
    ("__Answer:__ no", "no"),
    ("*Answer:* _Yes_", "yes"),
    ("### Answer\nYes", "yes"),
    ("## Answer:\n\n**No**\n\nThe design is too narrow.", "no"),
    ("Answer\n------\nYes", "yes"),
    ("> Answer: No", "no"),
    ("- Answer: Yes", "yes"),
    ("• Answer: No", "no"),
    ("1. **Explanation:** it is wide enough.\n2. **Answer:** Yes", "yes"),
    ("`Answer: No`", "no"),
    ("```\nAnswer: Yes\n```", "yes"),
    ("Explanation: there is no gap, so it holds. Answer: Yes", "yes"),
    ("Explanation: 1549 > 1525.\nAnswer:\n\nYes", "yes"),
    ("Answer: Yes\nExplanation: there is no part that violates it.", "yes"),
    ("Answer: Yes, no part violates it", "yes"),
    ("Answer: No, you cannot omit insulation around the gearbox.", "no"),
    ("Verdict: no", "no"),
    ("Conclusion: Yes, it complies.", "yes"),
    ("Compliant: No", "no"),
    ("| Explanation | Answer |\n|---|---|\n| long text | No |", "no"),
    ("| Answer | Yes |\n|---|---|", "yes"),
    ("<answer>no</answer>", "no"),
    ("<explanation>no gap</explanation><answer>Yes</answer>", "yes"),
    ("<b>Answer:</b> Yes", "yes"),
    ("Answer: Yes<br>Done", "yes"),
    ("\\boxed{Yes}", "yes"),
    ("$\\boxed{\\text{No}}$", "no"),
    ("\\[\\boxed{\\textbf{Yes}}\\]", "yes"),
    ("\\(\\boxed{yes}\\)", "yes"),
    ("<|begin_of_box|>No<|end_of_box|>", "no"),
    ('{"answer": "no", "explanation": "a yes would need 1525"}', "no"),
    ('{"Answer": "Yes"}', "yes"),
    ('```json\n{"answer": true}\n```', "yes"),
    ("{'answer': 'No'}", "no"),
    ('{"complies": false}', "no"),
    ('{"result": {"answer": "yes"}}', "yes"),
    ('Here is my answer:\n```json\n{"explanation": "x", "answer": "No"}\n```', "no"),
    ('[{"answer": "yes"}]', "yes"),
    ('Sure. {"final_answer": "no"} Hope this helps!', "no"),
    ("Answer: Yes. Final answer: No", "no"),
    ("Yes.\nExplanation: no gap; the answer would be no if it were narrower.", "yes"),
    ("No\n\nReasoning: some would say yes.", "no"),
    ("Yes/No Answer: No", "no"),
    ("Explanation-\nit holds\nAnswer-\nNo", "no"),
    ("Explanation: it holds.\nAnswer: It does.", "yes"),
    ("Answer: <yes>", "yes"),
    ("Answer: Yes\n\nIn short.\n\nAnswer: Yes", "yes"),
    ("Begin it with 'Answer:'. Answer: no", "no"),
]

REASONED = [
    ("<think>No, wait. No.</think>Yes", "yes"),
    ("<think>\nhmm, yes?\n</think>\n\nAnswer: No", "no"),
    ("the user asks... yes no yes</think>\nNo", "no"),
    ("<thinking>Answer: yes</thinking> Answer: no", "no"),
    ("[THINK]yes[/THINK]No", "no"),
    ("◁think▷yes◁/think▷No", "no"),
    (
        "<|channel|>analysis<|message|>no?<|end|><|start|>assistant<|channel|>final<|message|>Yes<|return|>",
        "yes",
    ),
    ("Yes<|im_end|>\n<|im_start|>user\nno", "yes"),
    ("No</s>", "no"),
    ("Answer: yes\nQuestion: is it red? Answer: no", "yes"),
    ("Yes <think>was that right? no</think>", "yes"),
]

HARD = [
    ("There is no doubt: yes", "yes"),
    ("Without a doubt, yes.", "yes"),
    ("No question about it: yes.", "yes"),
    ("There are no visible parts of the front hoop, so no.", "no"),
    ("See rule no. 5. Yes.", "yes"),
    ("Part No. 12 is shown: yes", "yes"),
    ("Yes, if the wall is 2 mm thick", "yes"),
    ("Yes, there is no gap.", "yes"),
    ("It has no gap. Yes.", "yes"),
    ('the answer is "No" because, based on the image, we cannot determine it', "no"),
    ("Answer: No (based on the information provided, we cannot conclusively determine compliance)", "no"),
]

NEITHER = [
    "",
    " \n\t",
    "Yes and no",
    "Yes, no",
    "No, yes",
    "yes/no",
    "[Yes/No]",
    "Answer: [Yes/No]",
    "Answer: yes or no",
    "Answer:",
    "Explanation: it is wide.\nAnswer:",
    "Answer: Yes\nAnswer: No",
    "Answer: Yes\n\n...\n\nAnswer: No",
    "\\boxed{yes} or \\boxed{no}",
    "Final answer: yes. Final answer: no.",
    "It's not possible to say",
    "It is not possible to determine compliance from the image.",
    "Answer: Unable to determine",
    "Answer: Cannot determine compliance from the provided drawing.",
    "Answer: Insufficient information to determine compliance.",
    "Answer: Unknown",
    "Answer: N/A",
    "Answer: Not yes",
    "Maybe",
    "Perhaps yes",
    "It depends.",
    "Unclear; no dimension is shown",
    "I cannot say yes or no.",
    "I can't say yes",
    "neither yes nor no",
    "I cannot give a definitive yes.",
    "no doubt",
    "no-go area",
    "No dimension is given.",
    "No information about this.",
    "Rule no. 5",
    "If the length is above 1525, the answer would be yes; otherwise, it would be no.",
    "If the measured length exceeds 2 mm, the answer is yes.",
    "Unless it is welded, no.",
    "<think>Let me see. No",
    "<think>yes",
    "I'm sorry, but I can't assist with that.",
    "Ja",
    "yesterday nobody knew",
    "The hoop",
    "12",
    "<|channel|>analysis<|message|>yes it is",
]


@pytest.mark.parametrize(("text", "value"), [*PLAIN, *MARKED, *REASONED, *HARD])
@pytest.mark.parametrize("prompt", ["", SEEN, COMPLIES])
def test_says_yes_or_no(text: str, value: str, prompt: str) -> None:
    assert read_verdict(read_reply(text), prompt).value == value


@pytest.mark.parametrize("text", NEITHER)
@pytest.mark.parametrize("prompt", ["", SEEN, COMPLIES])
def test_says_neither(text: str, prompt: str) -> None:
    verdict = read_verdict(read_reply(text), prompt)
    assert verdict.value is None
    assert verdict.why


@pytest.mark.parametrize(
    ("prompt", "text", "value"),
    [
        (COMPLIES, "The design complies with rule V.1.2.", "yes"),
        (COMPLIES, "The design does not comply with rule V.1.2.", "no"),
        (COMPLIES, "Answer: Compliant", "yes"),
        (COMPLIES, "Answer: Not compliant", "no"),
        (COMPLIES, "Answer: non-compliant", "no"),
        (COMPLIES, "Answer: It violates the rule.", "no"),
        (COMPLIES, "Answer: the design meets the requirement.", "yes"),
        (COMPLIES, "Answer: it fails to meet the rule", "no"),
        (COMPLIES, "Answer: it complies with V.1.2 but does not comply with V.1.3", None),
        (COMPLIES, "It is unlikely that the design complies.", None),
        (COMPLIES, "It is not true that it complies.", None),
        (COMPLIES, "The hoop is visible.", None),
        (SEEN, "No part of the front hoop is visible in the close-up view.", "no"),
        (SEEN, "The front hoop is not visible.", "no"),
        (SEEN, "The front hoop isn't visible in this view.", "no"),
        (SEEN, "The front hoop cannot be seen.", "no"),
        (SEEN, "There is no front hoop visible in the close-up view.", "no"),
        (SEEN, "There is no doubt that the front hoop is visible.", "yes"),
        (SEEN, "The front hoop is visible.", "yes"),
        (SEEN, "The front hoop can be seen at the top.", "yes"),
        (SEEN, "It complies.", None),
        (USE, "The motor mount is visible.", None),
        ("Does the design violate rule V.1.2?", "The design does not comply.", None),
        ("Is the hoop hidden?", "The hoop is visible.", None),
    ],
)
def test_clauses_of_the_question_count(prompt: str, text: str, value: str | None) -> None:
    assert read_verdict(read_reply(text), prompt).value == value


def test_doubt_beside_an_answer_is_told() -> None:
    verdict = read_verdict(read_reply("Answer: No (we cannot conclusively determine compliance)"))
    assert verdict.value == "no"
    assert verdict.hedged
    assert not read_verdict(read_reply("Answer: No")).hedged


LONG = "The drawing shows the hoop from the side and gives several measures in millimetres. " * 8


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Yes. " + LONG, "yes"),
        (LONG + "\n\nNo.", "no"),
        (LONG + "\nTherefore, the answer would be yes.", "yes"),
        (LONG + "\nThus, no.", "no"),
        ("Yes. " + LONG + "\nNo.", None),
        (LONG + " Some would say yes here. " + LONG, None),
        (LONG, None),
        (LONG + "\nTherefore the design does not comply with the rule.", "no"),
        (LONG + "\nTherefore it cannot be determined.", None),
    ],
)
def test_long_replies_answer_at_an_end(text: str, value: str | None) -> None:
    assert read_verdict(read_reply(text), COMPLIES).value == value
