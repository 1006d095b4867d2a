"""DXF files as sheets: counts against an independent walk, plain text, dimensions, units, and hostile files."""

from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
import pytest
from ezdxf import recover
from ezdxf.document import Drawing

from dqgen.errors import LoadError
from dqgen.loaders.dxf_text import decoded, laid_out, plain_line, plain_paragraphs
from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.schemas.sheet import Page, Sheet
from tests import sheet_files
from tests.loaders.mutants import dxf_originals, run_mutants

Read = Callable[[Drawing], Sheet]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Saves a drawing and loads it."""

    def load(document: Drawing) -> Sheet:
        path = tmp_path / "drawing.dxf"
        document.saveas(path)
        return load_sheet(path, LoadOptions())

    return load


def walk(document: Drawing, entities: Iterable[Any], counts: Counter[str], inside: bool = False) -> Counter[str]:
    """Entities of a layout, blocks opened as often as they stand, by ezdxf alone."""
    for entity in entities:
        kind = entity.dxftype()
        if inside and kind == "ATTDEF":
            continue
        counts[kind] += 1
        if kind == "INSERT":
            for _ in range(entity.mcount):
                walk(document, document.blocks.get(entity.dxf.name) or (), counts, inside=True)
                counts["ATTRIB"] += len(entity.attribs)
    return counts


def own(page: Page) -> Counter[str]:
    """Kinds of what lies on the page itself."""
    table = page.entities
    return Counter(table.kind_of(row) for row in range(len(table)) if table.viewport[row] < 0)


def test_every_entity_has_a_row(read: Read) -> None:
    document = sheet_files.workshop()
    sheet = read(document)
    assert [page.name for page in sheet.pages] == ["Model", "Layout1"]
    for page in sheet.pages:
        assert own(page) == +walk(document, document.layouts.get(page.name), Counter())
    kinds = own(sheet.pages[0])
    assert kinds["CIRCLE"] == 1 + 2 + 1 + 6  # alone, in a pair, with an attribute, in an array


@pytest.mark.corpus
def test_counts_of_real_files(corpus: Path) -> None:
    files = sorted((corpus / "dxf").iterdir())
    assert len(files) > 20
    for file in files:
        try:
            document = ezdxf.readfile(file)
        except (ezdxf.DXFError, UnicodeDecodeError):
            document, _ = recover.readfile(file)
        sheet = load_sheet(file, LoadOptions())
        pages = {page.name: page for page in sheet.pages}
        for layout in document.layouts:
            counts = +walk(document, layout, Counter())
            if layout.name in pages:
                assert own(pages[layout.name]) == counts, (file.name, layout.name)
            else:
                assert not set(counts) - {"VIEWPORT"}, (file.name, layout.name)


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "count"), [("skydxf__floorplan.dxf", 63), ("trimesh__LM2.dxf", 22)])
def test_dimensions_of_real_files_carry_value_and_text(corpus: Path, name: str, count: int) -> None:
    page = load_sheet(corpus / "dxf" / name, LoadOptions()).pages[0]
    assert len(page.dimensions) == count
    for item in page.dimensions:
        assert np.isfinite(item.measured)
        assert item.printed.strip()
        assert item.drawn


def test_text_is_plain_unicode(read: Read) -> None:
    texts = read(sheet_files.workshop()).pages[0].texts.text
    assert "Ø40 ±0.1 ° ∅" in texts
    assert {"Two", "lines"} <= set(texts)
    assert not any("\\" in text or "%%" in text for text in texts)


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (r"\A1;{\H0.7x;\S+0,1^-0,2;}", "+0,1 -0,2"),
        (r"{\fArial|b1|i0;a\Pb} %%c5", "a\nb Ø5"),
        (r"1\S3/4; \~in", "13/4  in"),
        (r"\{x\} \\ \pi1,l2;y^Iz", "{x} \\ y z"),
        (r"\M+1B0A1", "\uff71\uff61"[:0] + bytes.fromhex("B0A1").decode("cp932")),
        ("\udcd8 5", "Ø 5"),
    ],
)
def test_paragraphs(raw: str, said: str) -> None:
    assert plain_paragraphs(raw) == said


def test_lines_and_layout() -> None:
    assert plain_line("%%uA%%u %%176 50%% ^ 2") == "A ° 50%% ^2"
    assert decoded("\\U+00D8") == "Ø"
    assert laid_out(r"\S+0,1^-0,2;") == r"\S+0,1^ -0,2;"


def test_letters_have_their_size_and_place(read: Read) -> None:
    page = read(sheet_files.workshop()).pages[0]
    texts = page.texts
    fit, right = texts.text.index("FIT"), texts.text.index("RIGHT")
    assert texts.height[fit] == pytest.approx(5 * page.scale)
    assert texts.width[fit] == pytest.approx(50 * page.scale)
    end = page.matrix @ [190, 10, 1]
    assert texts.quad[right, 1, 0] == pytest.approx(end[0], abs=0.2)
    assert texts.origin[right, 1] == pytest.approx(end[1])


def test_dimensions_say_what_they_measure(read: Read) -> None:
    page = read(sheet_files.workshop()).pages[0]
    told = {(item.kind, round(item.measured, 6), item.printed, item.override) for item in page.dimensions}
    assert ("linear", 200.0, "200", "") in told
    assert ("diameter", 40.0, "Ø40", "") in told
    assert ("linear", 100.0, "H = 100", "H = <>") in told
    for item in page.dimensions:
        if item.kind == "diameter":
            ends = np.array(item.points)
            assert np.hypot(*(ends[1] - ends[0])) == pytest.approx(40 * page.scale)


def test_layers_and_visibility(read: Read) -> None:
    sheet = read(sheet_files.workshop())
    states = {layer.name: layer.state for layer in sheet.layers}
    assert (states["OFF"], states["FROZEN"], states["OUTLINE"]) == ("off", "frozen", "on")
    table = sheet.pages[0].entities
    hidden = {table.kind_of(row) for row in range(len(table)) if not table.visible[row]}
    assert hidden == {"LINE", "TEXT"}


def test_attributes_and_arrays(read: Read) -> None:
    inserts = read(sheet_files.workshop()).pages[0].inserts
    assert (("SIZE", "M8"),) in {insert.attributes for insert in inserts}
    assert (2, 3) in {(insert.rows, insert.columns) for insert in inserts}


def test_viewports_show_the_model_at_their_scale(read: Read) -> None:
    layout = read(sheet_files.workshop()).pages[1]
    assert (layout.width, layout.height) == (297, 210)
    assert [viewport.scale for viewport in layout.viewports] == pytest.approx([0.5, 1.0])
    for viewport in layout.viewports:
        matrix = np.array(viewport.matrix)
        table = layout.entities
        circles = [
            row
            for row in range(len(table))
            if table.kind_of(row) == "CIRCLE" and table.viewport[row] == viewport.entity and table.parent[row] < 0
        ]
        box = table.box[circles[0]]
        centre = matrix @ [50, 50, 1]
        assert (box[:2] + box[2:]) / 2 == pytest.approx(centre)


@pytest.mark.parametrize("version", ["R12", "R2000", "R2004", "R2007", "R2013", "R2018"])
@pytest.mark.parametrize("binary", [False, True])
def test_versions(tmp_path: Path, version: str, binary: bool) -> None:
    path = tmp_path / "drawing.dxf"
    sheet_files.workshop(version).saveas(path, fmt="bin" if binary else "asc")
    sheet = load_sheet(path, LoadOptions())
    assert version in sheet.source.schema
    assert ("binary" in sheet.source.schema) == binary
    assert sheet.source.rung == "read"
    assert "Ø40 ±0.1 ° ∅" in sheet.pages[0].texts.text
    assert len(sheet.pages[0].dimensions) == 3


def test_units_are_stated_named_or_assumed(tmp_path: Path) -> None:
    sizes = {}
    for units in (0, 1):
        document = sheet_files.new(units=units)
        document.modelspace().add_line((0, 0), (10, 0))
        document.saveas(tmp_path / f"{units}.dxf")
        for unit in (None, "cm"):
            sheet = load_sheet(tmp_path / f"{units}.dxf", LoadOptions(unit))
            sizes[units, unit] = (sheet.source.units, sheet.source.units_from)
            assert any("unit" in line for line in sheet.warnings) == (units == 0 or unit is not None) or unit
    assert sizes == {
        (0, None): ("millimetre", "assumed"),
        (0, "cm"): ("centimetre", "option"),
        (1, None): ("inch", "file"),
        (1, "cm"): ("centimetre", "option"),
    }


def test_hostile_files_give_a_sane_page_or_one_line(tmp_path: Path) -> None:
    files = sheet_files.hostile(tmp_path)
    sheets = {}
    for name in ("trash", "short"):
        with pytest.raises(LoadError):
            load_sheet(files.pop(name), LoadOptions())
    for name, path in files.items():
        sheets[name] = load_sheet(path, LoadOptions())
        page = sheets[name].pages[0]
        assert 10 < page.width < 2000, name
        assert 10 < page.height < 2000, name
        assert np.isfinite(page.paths.points).all(), name
    told = {name: " ".join((*sheet.warnings, *sheet.pages[0].remarks)) for name, sheet in sheets.items()}
    assert "inserts itself" in told["self"]
    assert "no numbers" in told["nan"]
    assert sheets["nan"].pages[0].texts.text == ("good",)
    assert "astray" in told["far"]
    assert "900,000,000" in told["array"]
    assert "tint" in told["hatch"]
    assert len(sheets["hatch"].pages[0].paths.points) < 100


def test_too_many_entities_are_cut(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from dqgen.loaders import archive, dxf, dxf_frontend

    monkeypatch.setattr(dxf_frontend, "MOST_ENTITIES", 500)
    document = sheet_files.new()
    below = document.blocks.new("B0")
    below.add_line((0, 0), (1, 0))
    for level in range(1, 7):
        block = document.blocks.new(f"B{level}")
        for step in range(10):
            block.add_blockref(f"B{level - 1}", (step * 2, level))
    document.modelspace().add_blockref("B6", (0, 0))
    document.saveas(tmp_path / "million.dxf")
    dxf.load(str(tmp_path / "million.dxf"), str(tmp_path / "out"), "v", "read", [], "")
    sheet = archive.load(tmp_path / "out", Sheet)
    assert len(sheet.pages[0].entities) == 500
    assert any("more than 500 entities" in line for line in sheet.warnings)


def test_a_broken_file_is_mended_and_it_is_said(tmp_path: Path) -> None:
    path = tmp_path / "drawing.dxf"
    sheet_files.workshop().saveas(path)
    text = path.read_text()
    path.write_text(text.replace("ENDSEC\n  0\nSECTION\n  2\nENTITIES", "SECTION\n  2\nENTITIES", 1))
    sheet = load_sheet(path, LoadOptions())
    assert sheet.source.rung == "recover"
    assert any("read by recovery" in line for line in sheet.warnings)
    assert own(sheet.pages[0])["DIMENSION"] == 3


def test_pairs_out_of_step_are_brought_back(tmp_path: Path) -> None:
    path = tmp_path / "drawing.dxf"
    sheet_files.workshop().saveas(path)
    lines = path.read_bytes().split(b"\n")
    at = next(row for row, line in enumerate(lines) if line.strip() == b"CIRCLE" and row > len(lines) // 2)
    lines[at:at] = [b"stray"]
    path.write_bytes(b"\n".join(lines))
    sheet = load_sheet(path, LoadOptions())
    assert any("out of step" in line for line in sheet.warnings)
    assert own(sheet.pages[0])["DIMENSION"] == 3


def test_mutants_end_in_a_page_or_one_line(tmp_path: Path) -> None:
    outcomes = run_mutants("dxf", range(12), dxf_originals(tmp_path), tmp_path / "mutants")
    assert sum(outcomes.values()) == 12
    assert outcomes["load done"] > 3
    assert not [outcome for outcome in outcomes if "defect" in outcome]
