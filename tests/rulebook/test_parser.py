"""Titles, items, tables, notes and places of rules; what is on the page and no rule text stays out."""

from pathlib import Path

import pymupdf
import pytest

from dqgen.rulebook.document import parse
from dqgen.schemas.rulebook import Rule, Rulebook
from tests.rulebook.conftest import read_text
from tests.rulebook.sheets import PLAIN, Sheet


def _rule(book: Rulebook, rule_id: str) -> Rule:
    return next(rule for rule in book.rules if rule.id == rule_id)


@pytest.fixture
def sheet() -> Sheet:
    return Sheet(header="Cart Rules 2031", footer="Version 1.0   Page {page} of 3")


def test_rules_go_on_over_pages_without_header_and_footer(tmp_path: Path, sheet: Sheet) -> None:
    for number in range(1, 4):
        page = sheet.page()
        if number > 1:
            sheet.write(page, 120, 80, f"and end on page {number}.")
        for n in range(1, 7):
            sheet.write(page, 72, 80 + 25 * n, f"A{number}.{n}")
            sheet.write(page, 120, 80 + 25 * n, "The cart must begin here")
    rule = _rule(parse(sheet.save(tmp_path / "a.pdf")), "A1.6")
    assert rule.text == "The cart must begin here\nand end on page 2."
    assert [span.page for span in rule.spans] == [1, 2]
    assert rule.page_label == "1"


def test_titles_of_bold_heads_and_of_short_lines(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    y = 80
    for number, title, text in [
        ("A1", "FRAME", ""),
        ("A1.1", "Tubes of the Frame", ""),
        ("A1.1.1", "", "A tube must be made of steel."),
        ("A1.1.2", "Wall Thickness", "A wall must be thick."),
        ("A1.1.3", "", "Seat – The part on which the driver sits."),
    ]:
        sheet.write(page, 72, y, number, bold=not text)
        sheet.write(page, 120, y, title or text, bold=not text)
        y += 20
        if title and text:
            sheet.write(page, 120, y, text)
            sheet.write(page, 120, y + 12, "This holds for every wall.")
            y += 32
    book = parse(sheet.save(tmp_path / "a.pdf"))
    assert [(rule.title, rule.text) for rule in book.rules] == [
        ("FRAME", ""),
        ("Tubes of the Frame", ""),
        ("", "A tube must be made of steel."),
        ("Wall Thickness", "A wall must be thick.\nThis holds for every wall."),
        ("Seat", "Seat – The part on which the driver sits."),
    ]
    assert [rule.kind for rule in book.rules] == ["chapter", "section", "rule", "rule", "rule"]
    assert [rule.parent for rule in book.rules] == [None, "A1", "A1.1", "A1.1", "A1.1"]


def test_items_nest_and_have_addresses(cart: Rulebook) -> None:
    rule = _rule(cart, "T.1.1.2")
    assert [(item.id, item.level) for item in rule.items] == [
        ("T.1.1.2.a", 0),
        ("T.1.1.2.b", 0),
        ("T.1.1.2.c", 0),
        ("T.1.1.2.c#1", 1),
        ("T.1.1.2.c#2", 1),
    ]
    assert rule.items[1].text == "Be no more than 900 mm long"
    assert rule.text.startswith("Each tube must:\na. Have a minimum")


def test_lettered_rows_of_a_table_are_items(cart: Rulebook) -> None:
    rule = _rule(cart, "T.1.2.1")
    assert rule.tables[0].header == ["Size", "Minimum Wall", "Outside"]
    assert rule.tables[0].rows == [["a. A", "2.0 mm", "25 mm"], ["b. B", "1.2 mm", "25 mm"]]
    assert [(item.id, item.cells) for item in rule.items] == [
        ("T.1.2.1.a", ["a. A", "2.0 mm", "25 mm"]),
        ("T.1.2.1.b", ["b. B", "1.2 mm", "25 mm"]),
    ]


def test_a_drawn_table_is_read_row_by_row(tmp_path: Path, sheet: Sheet) -> None:
    page = sheet.page()
    sheet.write(page, 72, 80, "A1.1")
    sheet.write(page, 120, 80, "A tube must have one of these sizes:")
    for x, head in ((125, "Size"), (225, "Wall"), (325, "Outside")):
        sheet.write(page, x, 112, head)
    for n, letter in enumerate("abc"):
        for x, cell in ((125, f"{letter}. Size {n}"), (225, f"{n + 1}.0 mm"), (325, f"{20 + n} mm")):
            sheet.write(page, x, 132 + 20 * n, cell)
    for n in range(5):
        page.draw_line((120, 98 + 20 * n), (420, 98 + 20 * n))
    sheet.write(page, 72, 220, "A1.2")
    sheet.write(page, 120, 220, "A wheel must be round.")
    sheet.write(page, 72, 240, "A1.3")
    sheet.write(page, 120, 240, "A seat must be soft.")
    rule = _rule(parse(sheet.save(tmp_path / "a.pdf")), "A1.1")
    assert rule.tables[0].header == ["Size", "Wall", "Outside"]
    assert rule.tables[0].rows[1] == ["b. Size 1", "2.0 mm", "21 mm"]
    assert rule.items[2].id == "A1.1.c"
    assert rule.text.split("\n")[1:3] == ["Size Wall Outside", "a. Size 0 1.0 mm 20 mm"]


def test_a_tinted_head_row_is_no_note(tmp_path: Path) -> None:
    sheet = Sheet(header="Cart rules", footer="Page {page}")
    page = sheet.page()
    page.draw_rect(pymupdf.Rect(72, 200, 523, 222), color=None, fill=(0.85, 0.88, 0.95))
    page.draw_rect(pymupdf.Rect(72, 300, 523, 340), color=(0, 0, 0), fill=(0.85, 0.88, 0.95))
    for y in (200, 222, 240, 258):
        page.draw_line((72, y), (523, y), width=0.5)
    texts = [
        f"A.1.{n} The frame of the cart must be made of steel or aluminum and carry the seat." for n in range(1, 6)
    ]
    for n, text in enumerate([*texts, "A.1.6 Each tube must have one of these sizes:"]):
        sheet.write(page, 72, 80 + 20 * n, text)
    rows = [
        ("Use", "Wall, minimum", "Length, maximum"),
        ("a. Hoop", "2.2 mm", "900 mm"),
        ("b. Brace", "1.5 mm", "700 mm"),
    ]
    for y, row in zip((214, 235, 253), rows, strict=True):
        for x, cell in zip((76, 254, 394), row, strict=True):
            sheet.write(page, x, y, cell)
    sheet.write(page, 76, 318, "Weigh each tube before it is cut: the scales of the yard are open all day,")
    sheet.write(page, 76, 332, "and a tube that is too light has walls that are too thin for its use here.")
    sheet.write(page, 72, 380, "A.1.7 The seat must be at least 300 mm wide and be made of wood or of steel.")
    rules = {rule.id: rule for rule in parse(sheet.save(tmp_path / "a.pdf")).rules}
    assert rules["A.1.6"].tables[0].header == list(rows[0])
    assert [note[:10] for note in rules["A.1.6"].notes] == ["Weigh each"]
    bounds = [(q.comparator, q.value, q.role, q.item) for q in rules["A.1.6"].quantities]
    assert bounds[:2] == [("minimum", 2.2, "limit", "A.1.6.a"), ("maximum", 900, "limit", "A.1.6.a")]


def test_captions_and_figure_labels_stay_out(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    for n in range(1, 5):
        y = 60 + 160 * n
        sheet.write(page, 72, y, f"A1.{n}")
        sheet.write(page, 120, y, "The hoop must be as shown in the figure.")
        for k in range(8):
            page.draw_circle((200 + 6 * k, y + 50), 20 + k)
        sheet.write(page, 205, y + 52, "hoop", size=7)
        page.insert_text((300, y + 60), "50 mm", fontsize=7, rotate=90)
        sheet.write(page, 150, y + 100, f"Figure {n}: The hoop of a cart", size=9)
    for rule in parse(sheet.save(tmp_path / "a.pdf")).rules:
        assert rule.text == "The hoop must be as shown in the figure."


def test_contents_are_no_rules(tmp_path: Path, sheet: Sheet) -> None:
    page = sheet.page()
    sheet.write(page, 72, 80, "Contents", bold=True)
    for n in range(1, 7):
        sheet.write(page, 72, 80 + 20 * n, f"A{n} Heading of Chapter {n} " + ". " * 30 + f" {n}")
    page = sheet.page()
    for n in range(1, 7):
        sheet.write(page, 72, 60 + 60 * n, f"A{n}  Heading of Chapter {n}", bold=True)
        sheet.write(page, 72, 85 + 60 * n, f"A{n}.1  The cart must be fit for use.")
    rules = parse(sheet.save(tmp_path / "a.pdf")).rules
    assert [rule.id for rule in rules] == [f"A{n}{rest}" for n in range(1, 7) for rest in ("", ".1")]
    assert {rule.page for rule in rules} == {2}


def test_superscripts_stay_with_their_word(tmp_path: Path, sheet: Sheet) -> None:
    page = sheet.page()
    words = "The area must be 15 mm"
    for n in range(1, 5):
        sheet.write(page, 72, 60 + 40 * n, f"A1.{n}")
        sheet.write(page, 120, 60 + 40 * n, words)
        sheet.write(page, 120.5 + PLAIN.text_length(words, fontsize=10), 56 + 40 * n, "2", size=6)
    rule = _rule(parse(sheet.save(tmp_path / "a.pdf")), "A1.3")
    assert rule.text == "The area must be 15 mm2"
    assert (rule.quantities[0].value, rule.quantities[0].unit) == (15, "mm2")


def test_hyphens_at_line_ends(tmp_path: Path) -> None:
    text = "A1.1 The equip-\nment must be self-\nclosing. The equipment is tested.\n\n"
    text += "\n\n".join(f"A1.{n} A self-closing door must close." for n in range(2, 6))
    assert _rule(read_text(tmp_path, text, ".txt"), "A1.1").text == (
        "The equipment\nmust be self-\nclosing. The equipment is tested."
    )


def test_an_appendix_ends_the_last_rule(tmp_path: Path) -> None:
    text = "# A1 Frame\n\n" + "".join(f"A1.{n} The cart must roll.\n\n" for n in range(1, 6))
    book = read_text(tmp_path, text + "# APPENDIX B\n\nWords of the appendix.\n")
    assert book.rules[-1].text == "The cart must roll."


def test_quoted_text_is_a_note(cart: Rulebook) -> None:
    rule = _rule(cart, "T.2.2")
    assert rule.notes == ["Fit it high."]
    assert "Fit" not in rule.text


def test_orders_and_ids_are_deterministic(tmp_path: Path, cart: Rulebook) -> None:
    assert [rule.order for rule in cart.rules] == list(range(len(cart.rules)))
    assert parse(tmp_path / "rules.md") == cart
