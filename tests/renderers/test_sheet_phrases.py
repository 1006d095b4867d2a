"""Texts that a pattern means: phrases over several runs and lines of a PDF."""

from pathlib import Path

import pymupdf
import pytest

from dqgen.loaders import pdf
from dqgen.renderers.sheet.phrases import matches, texts_of
from dqgen.schemas.sheet import Page


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Page:
    path: Path = tmp_path_factory.mktemp("phrases") / "sheet.pdf"
    document = pymupdf.open()
    sheet = document.new_page(width=600, height=400)
    for x, y, text, size in [
        (50, 50, "PATIENT", 10),
        (58, 62, "ROOM", 10),
        (50, 74, "137", 10),
        (300, 50, "PATIENT", 10),
        (300, 200, "ROOM", 10),  # far below: another text
        (50, 150, "10 H7", 10),
        (79, 146, "+0,018", 6),
        (50, 250, "SECTION", 10),
        (110, 250, "A-A", 10),
        (50, 300, "drive", 10),
        (200, 300, "shaft", 10),  # too far behind
    ]:
        sheet.insert_text((x, y), text, fontsize=size)
    sheet.insert_text((400, 300), "TURNED", fontsize=10, rotate=90)
    sheet.insert_text((412, 300), "TEXT", fontsize=10, rotate=90)
    document.save(path)
    return pdf.read(path).pages[0]


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("patient room 137", [["PATIENT", "ROOM", "137"]]),
        ("PATIENT ROOM", [["PATIENT", "ROOM"]]),
        ("patient", [["PATIENT"], ["PATIENT"]]),
        ("10 H7 +0,018", [["10 H7", "+0,018"]]),
        ("⌀10 H7 +0,018", [["10 H7", "+0,018"]]),
        ("section a-a", [["SECTION", "A-A"]]),
        ("sect*a-a", [["SECTION", "A-A"]]),
        ("turned text", [["TURNED", "TEXT"]]),
        ("drive shaft", []),
        ("room patient", []),
    ],
)
def test_phrases(page: Page, pattern: str, found: list[list[str]]) -> None:
    groups = [[page.texts.text[row] for row in group] for group in texts_of(page, pattern, ())]
    assert groups == found


def test_globs_match_wholes_and_words_parts() -> None:
    assert matches("a-a", "Section  A-A")
    assert not matches("a-?", "Section A-A")
    assert matches("*a-?", "Section A-A")
