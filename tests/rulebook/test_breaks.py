"""What the end of a page or column parts, and what stands at its foot."""

from pathlib import Path

import pymupdf

from dqgen.rulebook.document import parse
from tests.rulebook.sheets import PROSE, Sheet

EDGES = (72, 252, 342, 432)


def _row(
    sheet: Sheet, page: pymupdf.Page, top: float, cells: list[list[str]], left: float = 0, share: float = 1
) -> float:
    """Draw a row with strokes around its cells, each of some lines; give the height where it ends."""
    bottom = top + 12 * max(map(len, cells)) + 8
    xs = [left + 72 + share * (x - 72) for x in EDGES]
    for y in (top, bottom):
        page.draw_line((xs[0], y), (xs[-1], y))
    for x in xs:
        page.draw_line((x, top), (x, bottom))
    for x, cell in zip(xs, cells, strict=False):
        for n, line in enumerate(cell):
            sheet.write(page, x + 4, top + 14 + 12 * n, line)
    return bottom


def test_the_last_row_of_a_table_beyond_a_page_break(tmp_path: Path) -> None:
    sheet = Sheet(header="Cart rules", footer="Page {page}")
    page = sheet.page()
    for n in range(1, 9):
        sheet.write(page, 72, 80 + 20 * n, f"A1.{n} A cart must carry its seat and must be made of wood.")
    sheet.write(page, 72, 700, "A1.9 Each tube must have one of these sizes:")
    y = _row(sheet, page, 710, [["Use"], ["Minimum", "wall"], ["Mass"]])
    y = _row(sheet, page, y, [["Hoop and its", "braces"], ["2.0 mm"], ["4 kg"]])
    page = sheet.page()
    _row(sheet, page, 70, [["Front floor and", "its braces"], ["1.2 mm"], ["3 kg"]])
    sheet.write(page, 72, 140, "A1.10 A wheel must be round and made of steel.")
    rules = {rule.id: rule for rule in parse(sheet.save(tmp_path / "a.pdf")).rules}
    (table,) = rules["A1.9"].tables
    assert table.header == ["Use", "Minimum wall", "Mass"]
    assert table.rows == [["Hoop and its braces", "2.0 mm", "4 kg"], ["Front floor and its braces", "1.2 mm", "3 kg"]]
    assert [(q.comparator, q.value) for q in rules["A1.9"].quantities if q.role == "limit"] == [
        ("minimum", 2.0),
        ("minimum", 1.2),
    ]


def test_a_cell_that_the_end_of_a_page_cuts_in_two(tmp_path: Path) -> None:
    sheet = Sheet(header="Cart rules", footer="Page {page}")
    page = sheet.page()
    for n in range(1, 9):
        sheet.write(page, 72, 80 + 20 * n, f"A1.{n} A cart must carry its seat and must be made of wood.")
    sheet.write(page, 72, 690, "A1.9 The score is made up of:")
    y = _row(sheet, page, 700, [["Part"], ["Points"], ["What"]])
    y = _row(sheet, page, y, [["Cost"], ["40"], ["Of the cart"]])
    _row(sheet, page, y, [["Talk"], ["20"], ["The team must"]])
    page = sheet.page()
    y = _row(sheet, page, 70, [[], [], ["tell its plan."]])
    _row(sheet, page, y, [["Total"], ["60"], []])
    sheet.write(page, 72, 170, "A1.10 A wheel must be round and made of steel.")
    (table,) = {rule.id: rule for rule in parse(sheet.save(tmp_path / "a.pdf")).rules}["A1.9"].tables
    assert table.rows[1:] == [["Talk", "20", "The team must tell its plan."], ["Total", "60", ""]]


def test_a_number_in_the_other_column_ends_no_table(tmp_path: Path) -> None:
    sheet = Sheet(header="Cart rules", footer="Page {page}")
    rows = [
        [["Use"], ["Wall"], ["Mass"]],
        [["Hoop and", "Main Brace"], ["2 mm"], ["4 kg"]],
        [["Floor and", "Side Bar"], ["1 mm"], ["3 kg"]],
    ]
    for first in (1, 51):
        page = sheet.page()
        for n in range(36):
            sheet.write(page, 72, 80 + 18 * n, f"A1.{first + n} The frame must carry the seat.")
        for n in range(20):
            sheet.write(page, 310, 80 + 12 * n, " ".join(PROSE[n : n + 7]))
        sheet.write(page, 310, 326, f"A1.{first + 36} A tube must have one of these sizes:")
        y = 336.0
        for cells in rows:
            y = _row(sheet, page, y, cells, 238, 0.6)
        for n in range(1, 4):
            sheet.write(page, 310, y + 14 + 18 * n, f"A1.{first + 36 + n} A wheel must be round and made of steel.")
    rules = {rule.id: rule for rule in parse(sheet.save(tmp_path / "a.pdf")).rules}
    for holder in ("A1.37", "A1.87"):
        (table,) = rules[holder].tables
        assert [table.header, *table.rows] == [[" ".join(cell) for cell in row] for row in rows]


def test_a_footer_of_two_halves_on_pages_with_and_without_columns(tmp_path: Path) -> None:
    sheet = Sheet()

    def foot() -> pymupdf.Page:
        page = sheet.page()
        sheet.write(page, 72, 810, "Cart club, all rights reserved")
        sheet.write(page, 470, 810, f"Page {page.number + 1} of 2")
        return page

    page = foot()
    for n, text in enumerate(["Contents", f"1 Wheels {'.' * 32} 2", f"2 Seats {'.' * 32} 2"]):
        sheet.write(page, 72, 80 + 20 * n, text)
    page = foot()
    for chapter, column in ((1, 72), (2, 310)):
        sheet.write(page, column, 80, f"{chapter} Wheels", bold=True)
        for n in range(15):
            sheet.write(page, column, 110 + 40 * n, f"{chapter}.{n + 1} The frame of this cart must carry")
            sheet.write(page, column, 122 + 40 * n, "the seat and the box with all the wheels.")
    rules = parse(sheet.save(tmp_path / "a.pdf")).rules
    assert len(rules) == 32
    assert all("Cart club" not in rule.text and "Page" not in rule.text for rule in rules)
    assert all(rule.text.endswith("all the wheels.") for rule in rules if "." in rule.id)
