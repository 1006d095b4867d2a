"""A file that cannot be read is refused in one line that says why and what to do."""

from pathlib import Path

import pymupdf
import pytest

from dqgen.errors import DqgenError, LoadError, RulebookError
from dqgen.rulebook.document import parse
from dqgen.rulebook.reader import page_image, read, title
from tests.rulebook.sheets import Sheet


def _pdf(path: Path, text: str = "", **options: object) -> Path:
    document = pymupdf.open()
    page = document.new_page()
    if text:
        page.insert_text((72, 72), text)
    document.save(path, **options)
    return path


def _scan(path: Path) -> Path:
    picture = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 60, 80))
    picture.clear_with(230)
    document = pymupdf.open()
    document.new_page().insert_image(pymupdf.Rect(0, 0, 595, 842), pixmap=picture)
    document.save(path)
    return path


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("a.pdf", b"", "empty"),
        ("a.txt", b"\n \n", "empty"),
        ("a.pdf", b"hello", "holds no PDF"),
        ("a.pdf", b"%PDF-1.7\n" + b"broken " * 50, "damaged"),
        ("a.docx", b"PK\x03\x04" + bytes(40), "save the rulebook as PDF"),
        ("a.txt", bytes(range(256)) * 9, "binary"),
    ],
)
def test_unreadable_files_say_which_and_what_to_do(tmp_path: Path, name: str, data: bytes, said: str) -> None:
    path = tmp_path / name
    path.write_bytes(data)
    with pytest.raises(LoadError, match=said) as caught:
        read(path)
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match="no such file"):
        read(tmp_path / "none.pdf")
    with pytest.raises(LoadError, match="not a file"):
        read(tmp_path)


def test_encrypted(tmp_path: Path) -> None:
    path = _pdf(tmp_path / "a.pdf", "A1.1 words", encryption=pymupdf.PDF_ENCRYPT_AES_256, user_pw="x", owner_pw="y")
    with pytest.raises(LoadError, match="encrypted"):
        read(path)


def test_scanned(tmp_path: Path) -> None:
    with pytest.raises(LoadError, match=r"no text layer.*OCR"):
        read(_scan(tmp_path / "a.pdf"))


@pytest.mark.parametrize("name", ["a.pdf", "a.txt"])
def test_no_rulebook(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    if name.endswith("pdf"):
        _pdf(path, "It was a dark night in 1984.")
    else:
        path.write_text("It was a dark night.\n\n3.5 things happened in 1984.\n" * 40)
    with pytest.raises(RulebookError, match="no numbered rules"):
        parse(path)


@pytest.mark.parametrize(
    "rows",
    [
        ["CPT-{n} CARPET TILE 24 IN X 24 IN GREY"],
        ["P-{n} Paint, eggshell, smoky white", "PT-{n} Porcelain tile 2 in x 2 in"],
        ["1.{n} Bracket, left 40 mm"],
        ["P-{n} PAINT, WHITE", "Q-{n} PAINT, GREY", "R-{n} TILE, RED", "S-{n} TILE, BLUE", "T-{n} MAY BE LEFT OUT"],
    ],
)
def test_a_list_of_parts_is_no_rulebook(tmp_path: Path, rows: list[str]) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\n".join(row.format(n=n) for row in rows for n in range(1, 9)))
    with pytest.raises(RulebookError, match="no sentences"):
        parse(path)


@pytest.mark.parametrize(
    "text",
    [
        "A1.{n} ALL CARTS MUST STOP",
        "A1.{n} Wheels roll\n\nand the seat stands still.",
        "A1.{n} Die Räder müssen rollen.",
    ],
)
def test_a_short_rulebook_is_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.txt"
    path.write_text("\n\n".join(text.format(n=n) for n in (1, 2)))
    assert [rule.id for rule in parse(path).rules if rule.kind == "rule"] == ["A1.1", "A1.2"]


def test_page_image_marks_the_box(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    for n in range(1, 9):
        sheet.write(page, 72, 60 + 40 * n, f"A{n}.1 The cart must carry load number {n}.")
    path = sheet.save(tmp_path / "a.pdf")
    rule = next(rule for rule in parse(path).rules if rule.id == "A3.1")
    out = tmp_path / "page.png"
    page_image(path, rule.page, [span.box for span in rule.spans], out, dpi=72)
    picture = pymupdf.Pixmap(out)

    def pink(y: int) -> bool:
        red, green, blue = picture.pixel(80, y)[:3]
        return red > 200 and blue - green > 10

    baseline = 60 + 40 * 3
    assert any(pink(y) for y in range(baseline - 14, baseline + 6))
    assert not any(pink(y) for y in range(baseline + 20, baseline + 60))


def test_page_image_needs_a_pdf(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("# A")
    with pytest.raises(DqgenError, match="only a PDF"):
        page_image(path, 1, [], tmp_path / "x.png")


def test_turned_page_is_read_upright(tmp_path: Path) -> None:
    sheet = Sheet()
    page = sheet.page()
    for n in range(1, 6):
        page.insert_text((100 + 40 * n, 700), f"A1.{n} The cart must carry load number {n}.", rotate=90)
    rules = parse(sheet.save(tmp_path / "a.pdf")).rules
    assert [rule.id for rule in rules] == [f"A1.{n}" for n in range(1, 6)]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("a.md", "# Open Formula Rules\n\n# G General\n", "Open Formula Rules"),
        ("a.md", "# Pump Requirements, Revision C\n", "Pump Requirements"),
        ("a.md", "# G General Rules\n", ""),
        ("a.md", "# 9 ROBOT Construction Rules\n", ""),
        ("a.md", "Words before it.\n\n# Open Formula Rules\n", ""),
        (
            "a.html",
            "<html><title>Site &amp; Safety Rules</title><h1>Site & Safety Rules</h1></html>",
            "Site & Safety Rules",
        ),
        ("a.txt", "Open Formula Rules\n", ""),
    ],
)
def test_what_a_document_calls_itself(tmp_path: Path, file: str, text: str, expected: str) -> None:
    (tmp_path / file).write_text(text)
    assert title(tmp_path / file) == expected


@pytest.mark.parametrize(
    ("given", "expected"),
    [("Hill Climb Rules 2024 Version 1.0", "Hill Climb Rules 2024"), ("2009 Hill Climb Rules", ""), ("Untitled-2", "")],
)
def test_a_pdf_is_called_what_its_metadata_and_its_pages_say(tmp_path: Path, given: str, expected: str) -> None:
    document = pymupdf.open()
    document.new_page().insert_text((72, 72), "Hill Climb® Rules 2024\nVersion 1.0")
    document.set_metadata({"title": given})
    document.save(tmp_path / "a.pdf")
    assert title(tmp_path / "a.pdf") == expected
