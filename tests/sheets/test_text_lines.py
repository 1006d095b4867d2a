"""Lines of text: fractions of two runs, and texts on both sides of a ruled line."""

from pathlib import Path

import ezdxf
import pymupdf

from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.sheets.read import sheet_reading


def lines_in(path: Path) -> list[str]:
    page = sheet_reading(path.name, load_sheet(path, LoadOptions())).pages[0]
    return sorted(line.text for line in page.texts)


def test_fractions_drawn_as_one_number_over_another(tmp_path: Path) -> None:
    document = pymupdf.open()
    sheet = document.new_page(width=400, height=200)
    end = 50 + pymupdf.get_text_length("6'-101", fontsize=10) - pymupdf.get_text_length("1", fontsize=10)
    # 2/4 is no fraction that one writes.
    below = ((end, 54, '2"'), (200, 66, "2"), (305, 54, "4"))
    for x, y, text in (*below, (50, 50, "6'-101"), (200, 50, "101"), (300, 50, "52")):
        sheet.insert_text((x, y), text, fontsize=10)
    document.save(tmp_path / "f.pdf")
    assert lines_in(tmp_path / "f.pdf") == ["101", "2", "4", "52", "6'-10 1/2\""]


def test_a_ruled_line_parts_what_stands_close(tmp_path: Path) -> None:
    document = ezdxf.new("R2010", units=4)
    space = document.modelspace()
    for y, wall in ((0, True), (20, False)):
        space.add_text("12.03.2021", height=2, dxfattribs={"insert": (0, y)})
        space.add_text("NOVAK", height=2, dxfattribs={"insert": (18.0, y)})
        if wall:
            space.add_line((17.7, y - 2), (17.7, y + 4))
    space.add_line((0, 40), (60, 40))
    document.saveas(tmp_path / "w.dxf")
    assert lines_in(tmp_path / "w.dxf") == ["12.03.2021", "12.03.2021 NOVAK", "NOVAK"]
