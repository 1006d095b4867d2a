"""The outside rulebooks against keys: ids by two ways, texts, limits and compilations of DesignQA."""

import ast
import csv
import json
import re
import string
from collections import Counter
from pathlib import Path

import pytest

from dqgen.rulebook.compilation import rules_about
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import load_profile
from dqgen.rulebook.terms import mention_type
from dqgen.rulebook.writers import find_rule
from dqgen.schemas.rulebook import Rulebook

pytestmark = pytest.mark.corpus
KEYS = Path(__file__).parent / "keys"
PARTS = {"V", "F", "T", "VE", "IC", "EV", "IN", "S", "D"}
# The reference table of DesignQA lacks these rules, which hold a table or a formula.
LACKING = {
    "D.10.4.2", "D.11.4.2", "D.12.13.2", "D.13.4.4", "D.13.4.6", "D.14.3.4", "D.6.1.1", "D.6.2.3", "D.9.4.2",
    "EV.5.8.4", "EV.6.5.5", "EV.6.5.7", "F.10.5.7", "F.3.2.1", "F.3.4.1", "F.7.9.2", "F.8.5.2",
}  # fmt: skip
# Its texts of these hold labels of figures ("mm 082") or dropped words.
FLAWED = {"F.5.7.7", "F.7.8.1", "T.1.1.4", "T.1.3.1", "T.2.5.6", "T.8.2.5"}
# Its compilations lack these: rules that the table lacks, and rules whose text in it is torn.
UNLISTED = {"F.7.8.1", "F.10.1.4", "EV.6.5.5", "F.8.5.2", "F.8.6.1"}


@pytest.fixture(scope="module")
def fsae(corpus: Path) -> Rulebook:
    return parse(corpus / "designqa" / "FSAE_Rules_2024_V1.pdf")


def _rows(path: Path) -> list[dict[str, str]]:
    csv.field_size_limit(10**8)
    with path.open(newline="", encoding="utf-8-sig") as file:
        return list(csv.DictReader(file))


def _words(text: str) -> list[str]:
    """The words that the official scorer compares."""
    text = "".join(char for char in text.lower() if char not in string.punctuation)
    return re.sub(r"\b(a|an|the)\b", " ", text).split()


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("fsq__FS-Rules_2023_v1.1.pdf", "fs_rules_2023"),
        ("fsq__2013_FSAE_Rules.pdf", "fsae_2013"),
        ("frc__section_9.rst", "frc_section_9"),
    ],
)
def test_ids(corpus: Path, name: str, key: str) -> None:
    found = [rule.id for rule in parse(corpus / "rulebook" / name).rules if rule.kind != "part"]
    assert found == (KEYS / f"{key}.txt").read_text().split()


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("fsae26__FSAE_Rules_2026_V1.md", "text"),
        ("fsq__2023-Gray-Area-Document.pdf", "amendment"),
        ("fsq__FS_2022_CV_Hybrid_Rules.pdf", "empty-page"),
    ],
)
def test_damaged_and_amending_documents_say_what_is_wrong(corpus: Path, name: str, code: str) -> None:
    assert code in {problem.code for problem in parse(corpus / "rulebook" / name).problems}


def test_designqa_ids(corpus: Path, fsae: Rulebook) -> None:
    found = {r.id for r in fsae.rules if r.kind != "part" and r.id.split(".")[0] in PARTS}
    listed = {row["rule_num"] for row in _rows(corpus / "designqa" / "rule_numbers.csv")}
    assert found - listed == LACKING
    assert listed - found == set()


def test_designqa_texts(corpus: Path, fsae: Rulebook) -> None:
    rules = {rule.id: rule for rule in fsae.rules}
    different = set()
    for row in _rows(corpus / "designqa" / "retrieval_dev.csv"):
        rule = rules[row["rule"]]
        if _words(row["ground_truth"]) not in (_words(rule.text), _words(f"{rule.title}\n{rule.text}")):
            different.add(rule.id)
    assert different == FLAWED


def test_designqa_tables(fsae: Rulebook) -> None:
    (rule,), item = find_rule(fsae, "F.3.4.1.b")
    assert rule.tables[0].header[1] == "Minimum Area Moment of Inertia"
    assert item is not None
    assert item.cells == [
        "b. Size B",
        "8509 mm4",
        "114 mm2",
        "25.0 mm",
        "1.2 mm",
        "1.0” x 0.065” 25.4 x 1.6 mm",
    ]
    (sizes,), _ = find_rule(fsae, "F.3.2.1")
    assert [row[0][:2] for row in sizes.tables[0].rows] == [f"{letter}." for letter in "abcdefghijklmno"]


def test_no_furniture_in_any_rule(fsae: Rulebook) -> None:
    foreign = re.compile(r"Formula SAE® Rules 2024|© 2023|Page \d+ of 140|Version 1\.0 |^Figure\b", re.MULTILINE)
    assert [rule.id for rule in fsae.rules if foreign.search(rule.text)] == []


def test_designqa_limits(corpus: Path, fsae: Rulebook) -> None:
    rules = {rule.id: rule for rule in fsae.rules}
    hits = misses = extras = 0
    for entry in json.loads((corpus / "designqa" / "quantities_dev.json").read_text())["rules"]:
        found = [q for q in rules[entry["rule"]].quantities if q.role == "limit"]
        for want in entry["quantities"]:
            if want["role"] != "limit":
                continue
            accepted = want.get("accept") or [want["comparator"]]
            same = [
                q for q in found
                if (q.value, q.unit) == (want["value"], want["unit"]) and q.comparator in accepted
            ]  # fmt: skip
            hits += bool(same)
            misses += not same
            if same:
                found.remove(same[0])
        extras += len(found)
    assert hits / (hits + extras) >= 0.95
    assert hits / (hits + misses) >= 0.95


def test_designqa_compilations(corpus: Path, fsae: Rulebook) -> None:
    parts = load_profile("designqa").parts
    scores = []
    for row in _rows(corpus / "designqa" / "compilation_dev.csv"):
        truth = Counter(ast.literal_eval(row["ground_truth"]))
        found = Counter(rules_about(fsae.rules, row["term"], profile="designqa", parts=parts))
        assert truth - found == Counter()
        assert set(found - truth) <= UNLISTED
        common = (truth & found).total()
        scores.append(2 * common / (truth.total() + found.total()))
    assert sum(scores) / len(scores) >= 0.99


def test_mentions_as_in_designqa(fsae: Rulebook, corpus: Path) -> None:
    """Its column agrees but for a name that joins two parts, which no rule says in one."""
    rows = {row["ground_truth"]: row["mentions"] for row in _rows(corpus / "designqa" / "qa_rule_definition_qa.csv")}
    names = {truth: [name.strip() for name in truth.split(";")] for truth in rows}
    found = {truth: mention_type(fsae.rules, first, rest)[0] for truth, (first, *rest) in names.items()}
    other = [truth for truth in rows if found[truth] != rows[truth]]
    assert len(rows) == 31
    assert other == ["nosecone and body panels"]
