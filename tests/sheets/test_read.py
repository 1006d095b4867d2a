"""Sheets in the styles of several trades and countries: read as they were drawn, from PDF and from DXF."""

import json
from collections import Counter
from pathlib import Path

import jsonschema
import pymupdf
import pytest

from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.schemas.export import json_schema
from dqgen.schemas.reading import PageReading
from dqgen.sheets.read import scale_of, sheet_reading
from tests.sheets.drafts import ALL
from tests.support import dqgen


def plain(text: str) -> str:
    return "".join(text.split()).replace("∅", "⌀").replace("Ø", "⌀")


@pytest.fixture(scope="module", params=[f"{name}.{kind}" for name in ALL for kind in ("pdf", "dxf")])
def case(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[object, PageReading]:
    name, kind = request.param.split(".")
    board = ALL[name]()
    path = getattr(board, kind)(tmp_path_factory.mktemp(name) / f"{name}.{kind}")
    return board.key, sheet_reading(name, load_sheet(path, LoadOptions())).pages[0]


def test_each_dimension_is_found_and_none_invented(case) -> None:
    key, page = case
    wanted = Counter((kind, round(value, 4), plain(text)) for kind, value, text in key.dimensions)
    assert Counter((d.kind, round(d.value, 4), plain(d.text)) for d in page.dimensions) == wanted
    assert not [d.text for d in page.dimensions if d.agrees is False]


def test_title_block_tables_and_marks(case) -> None:
    key, page = case
    fields = {field.key: plain(field.value) for field in page.title_block}
    assert fields | {name: plain(value) for name, value in key.title.items()} == fields
    assert [[list(t.header), *map(list, t.rows)] for t in page.tables] == key.tables
    assert Counter((mark.kind, mark.text) for mark in page.marks) == Counter(key.marks)


def test_every_item_lies_on_the_page(case) -> None:
    _, page = case
    items = [*page.texts, *page.notes, *page.dimensions, *page.tables, *page.title_block, *page.marks]
    for item in items:
        left, top, right, bottom = item.box
        assert -1 <= left < right <= page.width + 1
        assert -1 <= top < bottom <= page.height + 1
        assert 0.5 <= item.confidence <= 1


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_a_turned_page_says_the_same(tmp_path: Path, turn: int) -> None:
    board = ALL["german"]()
    with pymupdf.open(board.pdf(tmp_path / "x.pdf")) as document:
        document[0].set_rotation(turn)
        document.save(tmp_path / "turned.pdf")
    page = sheet_reading("x", load_sheet(tmp_path / "turned.pdf", LoadOptions())).pages[0]
    wanted = Counter((round(value, 4), plain(text)) for _, value, text in board.key.dimensions)
    assert Counter((round(d.value, 4), plain(d.text)) for d in page.dimensions) == wanted


@pytest.mark.parametrize(
    ("text", "scale"),
    [
        ("1:50", 0.02),
        ("5 : 1", 5),
        ("M 1:2,5", 0.4),
        ('1/4" = 1\'-0"', 1 / 48),
        ("3\" = 1'", 0.25),
        ("NTS", None),
        ("12.03.2021", None),
    ],
)
def test_scales(text: str, scale: float | None) -> None:
    found = scale_of(text)
    assert found == (None if scale is None else pytest.approx(scale))


def test_the_report_keeps_its_schema_and_its_bytes(tmp_path: Path) -> None:
    board = ALL["assembly"]()
    path = board.pdf(tmp_path / "a.pdf")
    runs = [dqgen("inspect", path, "--json") for _ in range(2)]
    assert runs[0].stdout == runs[1].stdout
    report = json.loads(runs[0].stdout)
    jsonschema.validate(report, json_schema("inspect"))
    assert [dimension["value"] for dimension in report[0]["pages"][0]["dimensions"]] == [200]
    told = dqgen("inspect", path, "--dimensions", "--tables", "--text").stdout
    assert "linear 200" in told
    assert "PART 3" in told
