"""The outside sheets: dimensions, title blocks, tables and rooms as people read them, counts as ezdxf walks them."""

import math
from collections import Counter
from functools import cache
from pathlib import Path
from typing import Any

import ezdxf
import pymupdf
import pytest
import yaml
from ezdxf import recover

from dqgen.errors import LoadError
from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.schemas.reading import SheetReading
from dqgen.schemas.sheet import Sheet
from dqgen.sheets.read import sheet_reading

pytestmark = pytest.mark.corpus

KEYS = Path(__file__).with_name("keys")
WORKSHOP = {
    "base": "amr__MMP.02.00.00.001_Base.PDF",
    "motor_bracket": "amr__MMP.03.00.00.003_Motor_bracket.PDF",
    "drive_shaft": "amr__MMP.03.00.00.004_Drive_shaft.PDF",
}


@cache
def sheet(path: Path) -> Sheet:
    return load_sheet(path, LoadOptions())


@cache
def reading(path: Path) -> SheetReading:
    return sheet_reading(path.name, sheet(path))


def key(name: str) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((KEYS / f"{name}.yaml").read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize("name", WORKSHOP)
def test_every_printed_dimension_is_found_and_none_invented(corpus: Path, name: str) -> None:
    page = reading(corpus / "pdf" / WORKSHOP[name]).pages[0]
    wanted: Counter[Any] = Counter()
    for kind, value, times, *more in key(name)["dimensions"]:
        extra = more[0] if more else {}
        wanted[kind, value, *(extra.get(part) for part in ("count", "fit", "upper", "lower", "second"))] += times
    got = Counter(
        (d.kind, d.value, d.count if d.count > 1 else None, d.fit or None, d.upper, d.lower, d.second)
        for d in page.dimensions
    )
    assert got == wanted
    linear = [d for d in page.dimensions if d.kind in ("linear", "aligned")]
    assert all(d.agrees and len(d.points) == 2 for d in linear)  # each with its line, true to a scale of the sheet


@pytest.mark.parametrize("name", [*WORKSHOP, "finish_plan"])
def test_title_blocks(corpus: Path, name: str) -> None:
    file = WORKSHOP.get(name, "otk__sample-finish-plan.pdf")
    page = reading(corpus / "pdf" / file).pages[0]
    fields = {field.key: field.value for field in page.title_block}
    wanted = key(name)
    assert fields | wanted["title"] == fields
    assert page.scale == pytest.approx(wanted["scale"])
    if name != "finish_plan":
        assert len(page.notes) == wanted["notes"]
        marks: dict[str, list[str]] = {}
        for mark in page.marks:
            marks.setdefault(mark.kind, []).append(mark.text)
        assert {kind: sorted(texts) for kind, texts in marks.items()} == {
            kind: sorted(texts) for kind, texts in wanted["marks"].items()
        }


def test_the_finish_schedule_has_all_its_rows_and_the_plan_all_its_rooms(corpus: Path) -> None:
    wanted = key("finish_plan")
    plan, schedules = reading(corpus / "pdf" / "otk__sample-finish-plan.pdf").pages
    tables = {table.caption: table for table in schedules.tables}
    assert {caption: len(tables[caption].rows) for caption in wanted["captions"]} == wanted["captions"]
    first = tables["ROOM FINISH SCHEDULE - FIRST FLOOR"]
    assert list(first.header) == wanted["header"]
    assert [list(row) for row in first.rows] == wanted["first_floor"]
    assert sorted(" ".join(mark.parts[:2]) for mark in plan.marks if mark.kind == "room") == sorted(wanted["rooms"])
    assert [mark.text for mark in plan.marks if mark.kind == "detail"] == wanted["details"]
    assert Counter((d.kind, d.value) for d in plan.dimensions) == Counter(
        {(kind, value): times for kind, value, times in wanted["dimensions"]}
    )
    assert sum(mark.kind == "cloud" for mark in schedules.marks) == 2


def test_text_of_every_pdf_is_mupdfs(corpus: Path) -> None:
    read = 0
    for path in sorted((corpus / "pdf").iterdir()):
        try:
            pages = sheet(path).pages
        except LoadError:
            continue
        with pymupdf.open(path) as document:
            for page, original in zip(pages, document, strict=True):
                ours = Counter(word for text in page.texts.text for word in text.split())
                assert ours == Counter(word[4] for word in original.get_text("words")), path.name
                read += 1
    assert read >= 11


def test_what_cannot_be_read_is_said(corpus: Path) -> None:
    with pytest.raises(LoadError, match="3D PDF"):
        sheet(corpus / "pdf" / "amr__MMP.01.00.00.000_Cover_assembly.PDF")
    assert any("raster page" in warning for warning in sheet(corpus / "pdf" / "otk__scanned-plan.pdf").warnings)


def walked(layout: Any) -> Counter[str]:
    """Kinds of a layout's entities with blocks opened, each time one stands there, as ezdxf itself opens them."""
    counts: Counter[str] = Counter()
    waiting = list(layout)
    while waiting:
        entity = waiting.pop()
        kind = entity.dxftype()
        counts[kind] += 1
        if kind == "INSERT":
            counts.update(attribute.dxftype() for attribute in entity.attribs)
            for one in entity.multi_insert() if entity.mcount > 1 else [entity]:
                waiting += list(one.virtual_entities())
    return counts


def test_counts_are_those_of_an_independent_walk(corpus: Path) -> None:
    files = sorted((corpus / "dxf").iterdir())
    for path in files:
        try:
            document = ezdxf.readfile(path)
        except (ezdxf.DXFError, UnicodeDecodeError):
            document = recover.readfile(path)[0]
        wanted = walked(document.modelspace())
        wanted.pop("ATTDEF", None)  # a pattern for attributes, not an entity that shows
        page = next((page for page in reading(path).pages if page.kind == "model"), None)
        kinds = page.inventory.kinds if page else {}
        assert {k: n for k, n in kinds.items() if k not in ("ATTDEF", "VIEWPORT")} == dict(wanted), path.name
    assert len(files) >= 25


def test_dimensions_of_uncommon_kinds_measure_what_is_printed(corpus: Path) -> None:
    dimensions = reading(corpus / "dxf" / "ezdxf__uncommon.dxf").pages[0].dimensions
    assert all(dimension.agrees for dimension in dimensions)
    assert Counter(d.kind for d in dimensions) == Counter(
        linear=3, aligned=1, diameter=1, radius=3, angular=3, arc=1, ordinate=4
    )


def test_section_marks_of_a_plan(corpus: Path) -> None:
    marks = reading(corpus / "dxf" / "skydxf__floorplan.dxf").pages[0].marks
    assert sorted((m.kind, m.text) for m in marks) == [("section", f"{name}/A6") for name in ("C", "D-D", "D-D", "E")]


@pytest.mark.parametrize(("name", "count"), [("skydxf__floorplan.dxf", 63), ("trimesh__LM2.dxf", 22)])
def test_dimension_entities_carry_their_measurement_and_text(corpus: Path, name: str, count: int) -> None:
    dimensions = reading(corpus / "dxf" / name).pages[0].dimensions
    assert len(dimensions) == count
    for dimension in dimensions:
        assert dimension.source == "entity"
        assert dimension.text
        assert dimension.agrees
        assert dimension.measured is not None
        assert math.isfinite(dimension.measured)
        assert len(dimension.points) == 2
        assert dimension.box[2] > dimension.box[0]


def test_a_table_entity_is_a_table(corpus: Path) -> None:
    table = reading(corpus / "dxf" / "ezdxf__acad_table_with_blk_ref.dxf").pages[0].tables[0]
    assert (table.source, table.caption, len(table.header)) == ("entity", "Title", 5)
