"""Lists of rule ids in replies of every form."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dqgen.scorer.replies.reply import read_reply
from dqgen.scorer.replies.rules import find_ids, normal_id, read_rules

TWO = ["T.1.2", "T.1.3"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("T.1.2, T.1.3", TWO),
        ("T.1.2,T.1.3", TWO),
        ("T.1.2;T.1.3", TWO),
        ("T.1.2 T.1.3", TWO),
        ("T.1.2\nT.1.3", TWO),
        ("T.1.2/T.1.3", TWO),
        ("T.1.2 | T.1.3", TWO),
        ("- T.1.2\n- T.1.3\n", TWO),
        ("* T.1.2\n* T.1.3\n", TWO),
        ("• T.1.2\n• T.1.3", TWO),
        ("1. T.1.2\n2. T.1.3", TWO),
        ("1) T.1.2 2) T.1.3", TWO),
        ('["T.1.2", "T.1.3"]', TWO),
        ("['T.1.2', 'T.1.3']", TWO),
        ('{"rules": ["T.1.2", "T.1.3"]}', TWO),
        ('```json\n["T.1.2", "T.1.3"]\n```', TWO),
        ('[{"rule": "T.1.2"}, {"rule": "T.1.3"}]', TWO),
        ("rules T.1.2 and T.1.3", TWO),
        ("The rules are T.1.2 & T.1.3.", TWO),
        ("The relevant rules are: T.1.2, T.1.3.", TWO),
        ("(T.1.2) (T.1.3)", TWO),
        ("**T.1.2**, **T.1.3**", TWO),
        ("`T.1.2`, `T.1.3`", TWO),
        ("$T.1.2$, $T.1.3$", TWO),
        ("| Rule | Text |\n|---|---|\n| T.1.2 | x |\n| T.1.3 | y |", TWO),
        ("T.1.2 - General\nT.1.3 - Tubes", TWO),
        ("T.1.2: what it says. T.1.3: more.", TWO),
        ("t.1.2, t.1.3", TWO),
        ("T1.2, T1.3", TWO),
        ("T 1.2 and T 1.3", TWO),
        ("T-1.2, T-1.3", TWO),
        ("T.1.2., T.1.3.", TWO),
        ("T.1.2, T.1.3, T.1.2", TWO),
        ("\\boxed{T.1.2, T.1.3}", TWO),
        ("Answer: T.1.2, T.1.3\nExplanation: not T.9.9", TWO),
        ("Explanation: T.9.9 is about noise.\nAnswer: T.1.2, T.1.3", TWO),
        ("<think>T.9.9?</think>T.1.2, T.1.3", TWO),
        ("T.1.2 to T.1.3", TWO),
        ("T.1.2-3", TWO),
        ("T.1.2 to T.1.5", ["T.1.2", "T.1.3", "T.1.4", "T.1.5"]),
        ("T.1.2 through T.1.4", ["T.1.2", "T.1.3", "T.1.4"]),
        ("T.1.2–T.1.4", ["T.1.2", "T.1.3", "T.1.4"]),
        ("EV.7.1.1 - EV.7.1.3", ["EV.7.1.1", "EV.7.1.2", "EV.7.1.3"]),
        ("IC.9, EV.7.", ["IC.9", "EV.7"]),
        ("EV.4.7.1, EV.", ["EV.4.7.1"]),
        ("EV5.2; EV 5.3", ["EV.5.2", "EV.5.3"]),
        ("T.7.1.1a, T.7.1.1.b, T.7.1.1(c)", ["T.7.1.1.a", "T.7.1.1.b", "T.7.1.1.c"]),
        ("FSAE 2024 rules, version 1.0, table 3.1, M6: T.1.2", ["T.1.2"]),
        ("['T.1.2' 'T.1.3']", TWO),
        ("T.1.2\\nT.1.3", TWO),
        ("T.1.2, T.1.3\nReasoning: T.9.9 is about noise", TWO),
        ("None", []),
        ("No relevant rules.", []),
        ("There are no rules about it.", []),
        ("Answer: none", []),
        ("[]", []),
        ("I don't know", None),
        ("M6 and A4", None),
        ("", None),
        ("T.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1.1", None),
    ],
)
def test_reads_rules(text: str, ids: list[str] | None) -> None:
    assert read_rules(read_reply(text), ["T.1.2"])[0] == ids


def test_ids_may_be_numbers_alone() -> None:
    assert read_rules(read_reply("Clauses 5.2.1, 5.2.2 and 5.3 apply."), ["5.2.1"])[0] == [
        "5.2.1",
        "5.2.2",
        "5.3",
    ]


@pytest.mark.parametrize(
    ("rule", "normal"),
    [
        ("EV5.2", "EV.5.2"),
        ("ev.5.2.", "EV.5.2"),
        ("EV 5.2", "EV.5.2"),
        ("T.7.1.1(a)", "T.7.1.1.a"),
        ("5.02", "5.2"),
        ("", ""),
    ],
)
def test_normal_form(rule: str, normal: str) -> None:
    assert normal_id(rule) == normal


IDS = st.builds(
    lambda letters, numbers: ".".join([letters, *map(str, numbers)]),
    st.sampled_from(["V", "T", "EV", "IC", "GR"]),
    st.lists(st.integers(1, 30), min_size=1, max_size=4),
)


@given(
    st.lists(IDS, min_size=1, max_size=12, unique=True),
    st.sampled_from([", ", ",", "; ", "\n", "\n- ", " | "]),
)
def test_any_separator_gives_the_list_back(ids: list[str], separator: str) -> None:
    assert find_ids(separator.join(ids)) == ids


@given(st.lists(IDS, min_size=1, max_size=6))
def test_normal_form_is_stable(ids: list[str]) -> None:
    assert [normal_id(normal_id(rule)) for rule in ids] == [normal_id(rule) for rule in ids]
