"""Title blocks with rows of people, and marks with pointers, drawn in DXF."""

from pathlib import Path

import ezdxf
import pytest

from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.schemas.reading import PageReading
from dqgen.sheets.read import sheet_reading


def read(document, path: Path) -> PageReading:
    document.saveas(path)
    return sheet_reading(path.name, load_sheet(path, LoadOptions())).pages[0]


def sheet():
    document = ezdxf.new("R2010", units=4)
    space = document.modelspace()
    for a, b in (((20, 10), (200, 10)), ((200, 10), (200, 287)), ((200, 287), (20, 287)), ((20, 287), (20, 10))):
        space.add_line(a, b)
    return document, space


def put(space, x: float, y: float, text: str, height: float = 2.0) -> None:
    space.add_text(text, height=height).set_placement((x, y))


@pytest.mark.parametrize(
    "words",
    [
        ("Risal", "Pregledal", "Datum", "Ime in Priimek", "Merilo", "Material", "Številka risbe"),
        ("Bearb.", "Gepr.", "Datum", "Name", "Maßstab", "Werkstoff", "Zeichnungsnummer"),
    ],
)
def test_rows_of_people(tmp_path: Path, words: tuple[str, ...]) -> None:
    drawn, checked, date, name, scale, material, number = words
    document, space = sheet()
    for y in (35, 40, 45, 50):
        space.add_line((20, y), (130, y))
    for x, top in ((36, 50), (56, 50), (110, 50), (130, 50), (145, 50)):
        space.add_line((x, top), (x, 10 if x in (36, 145) else 35))
    space.add_line((20, 35), (200, 35))
    space.add_line((20, 50), (200, 50))
    space.add_line((145, 22), (200, 22))
    put(space, 37, 46.5, date, 1.8), put(space, 57, 46.5, name, 1.8)
    for y, who, when, person in ((41.5, drawn, "20.12.2015", "Miha Novak"), (36.5, checked, "22.12.2015", "Ana Kos")):
        put(space, 21, y, who, 1.8), put(space, 37, y, when), put(space, 57, y, person)
    put(space, 21, 32, scale, 1.8), put(space, 22, 20, "1:2", 5)
    put(space, 146, 32, material, 1.8), put(space, 150, 25, "S235JR", 3)
    put(space, 146, 19, number, 1.8), put(space, 150, 12, "ID-0815", 4)
    put(space, 60, 20, "Front plate", 6)
    fields = {field.key: field.value for field in read(document, tmp_path / "block.dxf").title_block}
    assert fields == {
        "drawn_by": "Miha Novak",
        "checked_by": "Ana Kos",
        "date": "20.12.2015",
        "scale": "1:2",
        "material": "S235JR",
        "number": "ID-0815",
        "name": "Front plate",
    }


@pytest.mark.parametrize("pointed", [True, False])
def test_a_halved_circle_with_a_pointer_is_a_section(tmp_path: Path, pointed: bool) -> None:
    document, space = sheet()
    space.add_circle((100, 150), 6)
    space.add_line((94, 150), (106, 150))
    put(space, 98, 151.5, "C"), put(space, 97.5, 146, "A6")
    if pointed:  # two tangents that meet below
        space.add_line((100 - 8.485, 150), (100, 150 - 8.485))
        space.add_line((100, 150 - 8.485), (100 + 8.485, 150))
    (mark,) = read(document, tmp_path / "mark.dxf").marks
    assert (mark.kind, mark.parts) == ("section" if pointed else "detail", ("C", "A6"))
