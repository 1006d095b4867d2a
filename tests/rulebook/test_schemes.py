"""Numberings of further houses: letters among the figures, long prefixes, Roman parts, Article N alone."""

from pathlib import Path

import pytest

from dqgen.rulebook.document import parse
from tests.rulebook.conftest import read_text
from tests.rulebook.sheets import flowing

REGULATION = """8 Electrics
8.1 General
8.1.A Overview
The circuit must be fused as in 8.2.A.2, and no fault may hurt the driver.
8.1.B Voltage
No part may carry more than 60 V.
8.2 Battery
8.2.A Pack
8.2.A.1 Mass
The cells must not weigh more than 20 kg, see 8.2.B.
8.2.A.2 Fuses
Each branch needs a fuse, as described in
8.2.A.1 and 8.2.B of these rules.
8.2.B Case
The case must be closed."""
ROVER = """1. Event Rules
1.a. The event is held in June, see 2.b.ii for details.
1.b. A rover must drive alone.
1.b.i. It must return to its gate.
1.b.ii. It may not fly.
1.c. Power is provided.
2. Rover Rules
2.a. A rover must fit into its box.
2.b. A rover may use the bands named in
1.b. and 1.c. of these rules.
2.b.i. The band must not be wider than 8 MHz.
2.b.ii. Masts must be lower than 3 m."""
HYPHENS = """MECH-001: The craft must weigh less than 35 kg, see FLUID-002.
MECH-002: Its screws must be shrouded.
MECH-003: Sharp edges must be covered as told in
MECH-002 above.
FLUID-001: Lines must bear twice the pressure.
FLUID-002: The pressure must not exceed 3 bar.
SYS-EL-001: The fuse must be near the plug.
SYS-EL-002: The current must not exceed 30 A."""
ARTICLES = """Article 25: Design
a) The car must have three wheels or four.
b) It must be closed.
Article 26: Height
The ratio of height and track must be less than
1.25.
Article 27: Tanks
a) A tank must hold no more than 350 cc, in accordance with
Article 25 of these rules."""
ROMAN = """I. AIMS
I.1 Aim
The contest must be fair, see II.2.
I.2 Size
A robot must not be wider than 1 m.
II. SAFETY
II.1 Speed
A robot must not be faster than 5 mph, as told in
I.2 and II.2 above.
II.2 Stop
A button must stop the robot."""
SCHEMES = [
    # text, ids, a rule and the line that a reference opens in it
    (REGULATION, "8 8.1 8.1.A 8.1.B 8.2 8.2.A 8.2.A.1 8.2.A.2 8.2.B", "8.2.A.2", "8.2.A.1 and 8.2.B of these rules."),
    (ROVER, "1 1.a 1.b 1.b.i 1.b.ii 1.c 2 2.a 2.b 2.b.i 2.b.ii", "2.b", "1.b. and 1.c. of these rules."),
    (HYPHENS, "MECH-001 MECH-002 MECH-003 FLUID-001 FLUID-002 SYS-EL-001 SYS-EL-002", "MECH-003", "MECH-002 above."),
    (ARTICLES, "25 26 27", "27", "Article 25 of these rules."),
    (ROMAN, "I I.1 I.2 II II.1 II.2", "II.1", "I.2 and II.2 above."),
]


@pytest.mark.parametrize(("text", "ids", "holder", "line"), SCHEMES)
def test_ids_and_texts_of_further_houses(tmp_path: Path, text: str, ids: str, holder: str, line: str) -> None:
    rules = {rule.id: rule for rule in read_text(tmp_path, text, ".txt").rules}
    assert list(rules) == ids.split()
    assert rules[holder].text.endswith(f"\n{line}")


def test_references_to_numbers_with_letters(tmp_path: Path) -> None:
    rules = {rule.id: rule for rule in read_text(tmp_path, REGULATION, ".txt").rules}
    assert [ref.ids for ref in rules["8.2.A.2"].references] == [["8.2.A.1"], ["8.2.B"]]
    assert rules["8.2.A.1"].parent == "8.2.A"
    rover = {rule.id: rule for rule in read_text(tmp_path, ROVER, ".txt").rules}
    assert [ref.ids for ref in rover["1.a"].references] == [["2.b.ii"]]


def test_items_quoted_at_a_line_start_are_no_rules(tmp_path: Path) -> None:
    text = "\n".join(
        f"3.{n} The cart must be tied as told in\n3.{n % 4 + 1}.a and 3.{n}.b of this book." for n in range(1, 9)
    )
    assert [rule.id for rule in read_text(tmp_path, text, ".txt").rules] == [f"3.{n}" for n in range(1, 9)]


def test_a_rule_that_begins_with_the_article_a_is_no_current(tmp_path: Path) -> None:
    text = (
        "2.1.1 A drone must be small.\n2.1.2 In a race it must fly.\n2.2 A pilot must be near.\n2.3 A flag must be up."
    )
    assert [rule.id for rule in read_text(tmp_path, text, ".txt").rules] == ["2.1.1", "2.1.2", "2.2", "2.3"]


def test_a_quoted_rule_behind_per_is_no_head(tmp_path: Path) -> None:
    entries = [
        (f"T{a}.{b}", f"Tube {a} {b} must be checked by the jury before the race.") for a in (1, 2) for b in range(1, 9)
    ]
    entries[3] = (
        "T1.4",
        "A team that wants to choose other tubes than those must hand in a sheet of numbers per Rule T2.3.",
    )
    path = flowing(tmp_path / "t.pdf", entries)
    rules = {rule.id: rule for rule in parse(path).rules}
    assert len(rules) == 16
    assert rules["T1.4"].text.split()[-1] == "T2.3."
