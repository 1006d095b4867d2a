"""What the writers put out reads back: SVG by an XML parser, PDF by PyMuPDF, DXF by ezdxf, pictures by eye of numpy."""

import io
import re
from pathlib import Path

import ezdxf
import numpy as np
import pymupdf
import pytest
from lxml import etree

from dqgen.renderers.drawing.display_list import (
    Arc,
    Ellipse,
    Filled,
    Hatch,
    Line,
    Page,
    Pen,
    Polyline,
    Text,
)
from dqgen.renderers.drawing.draw import Drawing
from dqgen.renderers.drawing.formats.dxf import dxf
from dqgen.renderers.drawing.formats.pdf import pdf, pixels
from dqgen.renderers.drawing.formats.svg import svg
from dqgen.schemas.design import Design
from tests.renderers.drawing.conftest import drawn

PEN = Pen("VISIBLE", 0.5)
PAGE = Page(
    100,
    80,
    (
        Line((10, 10), (90, 10), PEN),
        Arc((50, 40), 20, 0, 360, PEN),
        Arc((50, 40), 25, 30, 300, Pen("HIDDEN", 0.25, (200, 0, 0), (3, 1))),
        Ellipse((50, 40), (10, 5), 0.5, 0, 200, PEN),
        Polyline(((5, 5), (95, 5), (95, 75)), PEN),
        Filled(((0, 0), (4, 0), (0, 4)), "DIMENSION"),
        Hatch((((70, 50), (90, 50), (90, 70), (70, 70)),), 45, 2, Pen("HATCH", 0.18)),
        Text((50, 60), "4× ⌀6.6 <&>", 3.5, "middle", owner="d1", role="dimension"),
        Text((95, 40), "R10", 3.5, "middle", 90.0, bold=True),
    ),
)


def test_svg_is_xml_with_text_as_text() -> None:
    root = etree.fromstring(svg(PAGE))
    names = {"s": "http://www.w3.org/2000/svg"}
    assert root.get("width") == "100mm"
    assert [text.text for text in root.findall("s:text", names)] == ["4× ⌀6.6 <&>", "R10"]
    assert not root.findall(".//s:style", names)
    paths = [path.get("d") for path in root.findall("s:path", names)]
    assert sum("A" in path for path in paths if path) == 3
    assert all(path.get("stroke") or path.get("fill") for path in root.findall("s:path", names))


def test_pdf_has_selectable_text_and_true_size() -> None:
    document = pymupdf.open(stream=pdf(PAGE))
    page = document[0]
    assert page.rect.width == pytest.approx(100 * 72 / 25.4)
    assert "4× ⌀6.6 <&>" in page.get_text()
    assert "R10" in page.get_text()


def test_the_same_page_gives_the_same_bytes() -> None:
    assert pdf(PAGE) == pdf(PAGE)
    assert svg(PAGE) == svg(PAGE)
    assert pixels(PAGE, 500, 400).tobytes() == pixels(PAGE, 500, 400).tobytes()


def test_pixels_lie_where_page_millimetres_say() -> None:
    picture = np.asarray(pixels(PAGE, 1000, 800).convert("L"))
    assert picture.shape == (800, 1000)
    dark_rows = np.flatnonzero(picture[:, 300] < 128)
    assert 700 in dark_rows  # the line at y = 10 mm, 80 - 10 from the top
    assert picture[795, 5] < 128  # the filled corner
    assert picture[400, 500] > 200


@pytest.fixture(scope="module")
def drawing(plate: Design) -> Drawing:
    return drawn(plate, sheet="A3")


def test_dxf_has_no_faults_and_measures_what_it_prints(drawing: Drawing, tmp_path: Path) -> None:
    path = tmp_path / "plate.dxf"
    path.write_bytes(dxf(drawing.composition))
    document = ezdxf.readfile(path)
    assert not document.audit().errors
    assert document.units == ezdxf.units.MM
    assert document.dxfversion >= "AC1024"
    dimensions = document.modelspace().query("DIMENSION")
    assert len(dimensions) >= 5
    for one in dimensions:
        measured = one.get_measurement()
        number = measured if isinstance(measured, float) else measured.magnitude
        assert number == pytest.approx(one.dxf.actual_measurement, abs=1e-3)
        printed = re.fullmatch(r"(?:\d+× )?[⌀R]?([\d.]+)", one.dxf.text)
        assert printed is not None
        assert printed[1] == f"{round(number, 2):g}"
    assert len(document.modelspace().query("CIRCLE")) >= 5
    assert len(document.modelspace().query("ARC")) >= 4


def test_all_formats_show_the_same_texts(drawing: Drawing) -> None:
    page = drawing.composition.page
    wanted = sorted(item.text for item in page.items if isinstance(item, Text))
    in_svg = sorted(one.text for one in etree.fromstring(svg(page)).iter("{http://www.w3.org/2000/svg}text"))
    in_pdf = pymupdf.open(stream=pdf(page))[0].get_text()
    document = ezdxf.read(io.StringIO(dxf(drawing.composition).decode()))
    in_dxf = [one.dxf.text for one in document.modelspace().query("TEXT")]
    in_dxf += [one.dxf.text for block in document.blocks if block.name.startswith("*D") for one in block.query("TEXT")]
    assert in_svg == wanted
    assert sorted(in_dxf) == wanted
    assert all(text in in_pdf for text in wanted)
    assert dxf(drawing.composition) == dxf(drawing.composition)
