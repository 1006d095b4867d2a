"""Every field of a profile does what its line says."""

from pathlib import Path

import pytest

from dqgen.errors import RulebookError
from dqgen.rulebook.describe import describe
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import Profile, dump_profile, load_profile, page_set
from dqgen.schemas.rulebook import Rulebook
from tests.rulebook.conftest import CART, read_text
from tests.rulebook.sheets import Sheet, flowing


def _ids(book: Rulebook) -> list[str]:
    return [rule.id for rule in book.rules]


def _text(*lines: str) -> str:
    return "\n\n".join(lines) + "\n"


ROLL = _text("A1.1 It must roll.", "A1.2 It must stop.", "A1.3 It must turn.", "A1.4 It must carry.")


def _read(folder: Path, text: str, suffix: str = ".txt", **fields: object) -> Rulebook:
    return read_text(folder, text, suffix, Profile.model_validate(fields))


def test_match(tmp_path: Path) -> None:
    assert _read(tmp_path, ROLL, match="must ROLL")
    with pytest.raises(RulebookError, match="made for another document"):
        _read(tmp_path, ROLL, match="aeroplane")


def test_pages(tmp_path: Path) -> None:
    text = "A1.1 It must roll.\nA1.2 It must stop.\n\fA1.3 It must turn.\n\f"
    text += "A1.4 It must carry.\nA1.5 It must go.\n"
    assert _ids(_read(tmp_path, text, pages={"body": "1-2"})) == ["A1.1", "A1.2", "A1.3"]
    assert _ids(_read(tmp_path, text, pages={"skip": "2"})) == ["A1.1", "A1.2", "A1.4", "A1.5"]
    with pytest.raises(RulebookError, match="no page or range"):
        page_set("two")


def test_columns(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    for n in range(1, 5):
        sheet.write(page, 72, 60 + 40 * n, f"A1.{n} It must roll.")
        sheet.write(page, 320, 60 + 40 * n, f"A2.{n} It must stop.")
    path = sheet.save(tmp_path / "a.pdf")
    assert _ids(parse(path, Profile(columns=2)))[:5] == ["A1.1", "A1.2", "A1.3", "A1.4", "A2.1"]
    assert _ids(parse(path, Profile(columns=1))) == ["A1.1", "A1.2", "A1.3", "A1.4"]


def test_header_and_footer_bands_and_furniture(tmp_path: Path) -> None:
    entries = [(f"A1.{n}", "The cart must be fit for use.") for n in range(1, 5)]
    path = flowing(tmp_path / "a.pdf", entries, footer="odd foot {page}")
    assert "odd foot" in parse(path).rules[-1].text
    assert "odd foot" not in parse(path, Profile(footer=60)).rules[-1].text
    assert "odd foot" not in parse(path, Profile(furniture=["^odd"])).rules[-1].text
    assert _ids(parse(path, Profile(header=85)))[0] == "A1.2"


def test_id_pattern_and_separator(tmp_path: Path) -> None:
    text = _text("Req-7-1: It must roll.", "Req-7-2: It must stop.", "Req-7-3: It must turn.")
    book = _read(tmp_path, text, id_pattern=r"(?P<prefix>Req)-(?P<numbers>\d+-\d+):", separator="/")
    assert _ids(book) == ["Req/7-1", "Req/7-2", "Req/7-3"]
    assert book.rules[0].text == "It must roll."
    assert _ids(_read(tmp_path, ROLL, separator="."))[0] == "A.1.1"


def test_levels(tmp_path: Path) -> None:
    text = _text("1 Frame", "1.1 It must be", "1.1.1 steel", "1.2 It must roll", "1.2.1 well", "1.3 It must stop")
    assert _ids(_read(tmp_path, text, levels=2)) == ["1", "1.1", "1.2", "1.3"]


def test_part_article_and_inherit(tmp_path: Path) -> None:
    body = [
        "Heft A: Karren",
        "Absatz 1 Rahmen",
        "1.1 Er muss rollen.",
        "1.2 Er muss halten.",
        "1.3 Er muss tragen.",
    ]
    text = _text(*body, "Heft B: Raeder", "Absatz 1 Felgen", "1.1 Sie muss rund sein.", "1.2 Sie muss fest sein.")
    fields = {
        "part": r"Heft (?P<letter>[A-Z]): (?P<title>.*)",
        "article": r"Absatz (?P<numbers>\d+)",
        "inherit": True,
    }
    book = _read(tmp_path, text, **fields)
    assert _ids(book) == ["A", "A.1", "A.1.1", "A.1.2", "A.1.3", "B", "B.1", "B.1.1", "B.1.2"]
    assert [rule.title for rule in book.rules if rule.kind in ("part", "chapter")] == [
        "Karren", "Rahmen", "Raeder", "Felgen",
    ]  # fmt: skip
    again = _text(
        "PART A: CART",
        "1.1 It must roll.",
        "1.2 It must stop.",
        "PART B: WHEEL",
        "1.1 It must turn.",
        "1.2 It is.",
    )
    assert "B.1.1" in _ids(_read(tmp_path, again))
    assert "B.1.1" not in _ids(_read(tmp_path, again, inherit=False))


def test_stop(tmp_path: Path) -> None:
    text = ROLL + "\nEnd of rules\n\nThank you.\n"
    assert "Thank you" in _read(tmp_path, text).rules[-1].text
    assert _read(tmp_path, text, stop="^End of rules").rules[-1].text == "It must carry."


def test_titles(tmp_path: Path) -> None:
    text = _text(*(f"A1.{n} Wheel Size\n\nThe wheel must be round." for n in range(1, 5)))
    assert _read(tmp_path, text).rules[0].title == "Wheel Size"
    assert _read(tmp_path, text, titles="heading").rules[0].title == ""
    assert _read(tmp_path, "# A1 Wheel\n\n" + text, ".md", titles="none").rules[0].title == ""


def test_list_markers(tmp_path: Path) -> None:
    text = ROLL + "\n\n§ a seat\n\n§ a box\n"
    assert _read(tmp_path, text).rules[-1].items == []
    assert [item.id for item in _read(tmp_path, text, list_markers="§").rules[-1].items] == [
        "A1.4#1",
        "A1.4#2",
    ]


def test_captions(tmp_path: Path) -> None:
    text = ROLL + "\n\nBild 3 Der Karren\n"
    assert "Bild" in _read(tmp_path, text).rules[-1].text
    assert "Bild" not in _read(tmp_path, text, captions=["^Bild \\d"]).rules[-1].text


def test_tables_off(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    for n in range(1, 4):
        sheet.write(page, 72, 60 + 100 * n, f"A1.{n} It must be one of:")
        for k in range(3):
            sheet.write(page, 125, 80 + 20 * k + 100 * n, f"Size {k}")
            sheet.write(page, 325, 80 + 20 * k + 100 * n, f"{k} mm")
        for k in range(4):
            page.draw_line((120, 66 + 20 * k + 100 * n), (420, 66 + 20 * k + 100 * n))
    path = sheet.save(tmp_path / "a.pdf")
    assert len(parse(path).rules[0].tables) == 1
    assert parse(path, Profile(tables="off")).rules[0].tables == []


def test_hyphenation(tmp_path: Path) -> None:
    text = "A1.1 The equip-\nment must be fit.\n\n" + ROLL.replace("A1.1", "A1.5") + "\nThe equipment is new.\n"
    assert "equipment\nmust" in _read(tmp_path, text).rules[0].text
    assert "equip-\nment" in _read(tmp_path, text, hyphenation="keep").rules[0].text


def test_replacements(tmp_path: Path) -> None:
    book = _read(tmp_path, ROLL.replace("A1.3", "A1·3"), replacements={"A1·": "A1.", "roll": "glide"})
    assert _ids(book) == ["A1.1", "A1.2", "A1.3", "A1.4"]
    assert book.rules[0].text == "It must glide."


def test_reference_external_and_amends(tmp_path: Path) -> None:
    text = ROLL + "\n\nA1.5 See case Q77, ABC 123 and A9.9.\n"
    refs = (
        _read(tmp_path, text, reference=r"case (?P<id>Q\d+)", external=["ABC"], amends="Rules 2030")
        .rules[-1]
        .references
    )
    assert [(ref.ids, ref.document) for ref in refs] == [(["Q77"], ""), ([], "ABC"), (["A9.9"], "Rules 2030")]


def test_units(tmp_path: Path) -> None:
    text = ROLL + "\n\nA1.5 It must be at least 3 Ellen long.\n"
    assert _read(tmp_path, text).rules[-1].quantities == []
    (found,) = _read(tmp_path, text, units={"Ellen": "ell"}).rules[-1].quantities
    assert (found.value, found.unit, found.comparator) == (3, "ell", "minimum")


def test_expected(tmp_path: Path) -> None:
    good = {"count": 4, "first": "A1.1", "last": "A1.4"}
    assert _read(tmp_path, ROLL, expected=good).problems == []
    bad = _read(tmp_path, ROLL, expected={"count": 5, "first": "A1.0", "last": "A1.9"}).problems
    assert [problem.code for problem in bad] == ["expected"] * 3


def test_yaml_round_trip(tmp_path: Path) -> None:
    made = Profile(name="cart", units={"Ellen": "ell"}, stop="^End", captions=["^Bild \\d"])
    path = tmp_path / "p.yaml"
    path.write_text(dump_profile(made), encoding="utf-8")
    assert load_profile(str(path)) == made


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("colour: red", "colour"),
        ("columns: 4", "columns"),
        ("stop: '('", "regular expression"),
        ("a: [", "no YAML"),
    ],
)
def test_wrong_profiles_say_what_is_wrong(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "p.yaml"
    path.write_text(text)
    with pytest.raises(RulebookError, match=said):
        load_profile(str(path))
    with pytest.raises(RulebookError, match="no such profile"):
        load_profile("nowhere")


def test_a_described_profile_changes_nothing(tmp_path: Path) -> None:
    path = flowing(
        tmp_path / "a.pdf",
        [(f"A1.{n}", "The cart must be fit for use, all of it. " * 4) for n in range(1, 90)],
    )
    found = describe(path)
    assert found.expected.count == 89
    assert [rule.text for rule in parse(path, found).rules] == [rule.text for rule in parse(path).rules]
    assert parse(path, found).problems == []
    (tmp_path / "rules.md").write_text(CART)
    assert describe(tmp_path / "rules.md").separator == "."
