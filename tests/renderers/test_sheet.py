"""Pictures of sheets: parts, resolutions, layers, highlights, formats, and their evidence."""

import io
import json
from pathlib import Path
from typing import Any

import numpy as np
import pymupdf
import pytest
from jsonschema import Draft202012Validator
from PIL import Image

from dqgen.errors import RenderError, UsageError
from dqgen.loaders.load import LoadOptions, load_sheet
from dqgen.renderers.sheet.render import render_sheet
from dqgen.schemas.design import Floats
from dqgen.schemas.export import json_schema
from dqgen.schemas.render import Highlight
from dqgen.schemas.sheet import Sheet
from dqgen.schemas.sheet_render import Region, SheetOptions
from tests import sheet_files

PINK = (255, 0, 200)


@pytest.fixture(scope="module")
def sheet(tmp_path_factory: pytest.TempPathFactory) -> Sheet:
    """The workshop drawing."""
    path = tmp_path_factory.mktemp("sheet") / "workshop.dxf"
    sheet_files.workshop().saveas(path)
    return load_sheet(path, LoadOptions())


def drawn(sheet: Sheet, folder: Path, **options: Any) -> tuple[Floats, dict[str, Any]]:
    """Pixels and evidence of one picture."""
    summary = render_sheet(sheet, sheet.source.name, folder / "x.png", SheetOptions(**options))
    (page,) = summary.pages
    evidence = json.loads(Path(page.evidence).read_text())
    with Image.open(folder / evidence["picture"]) as picture:
        return np.array(picture.convert("RGB")).astype(int), evidence


def test_resolution_changes_nothing_else(sheet: Sheet, tmp_path: Path) -> None:
    coarse, one = drawn(sheet, tmp_path, ppi=(100,))
    fine, other = drawn(sheet, tmp_path, ppi=(200,))
    assert abs(fine.shape[0] - 2 * coarse.shape[0]) <= 1
    for kind in ("texts", "dimensions"):
        assert len(one[kind]) == len(other[kind]) > 0
        for a, b in zip(one[kind], other[kind], strict=True):
            assert 2 * np.array(a["box"]) == pytest.approx(np.array(b["box"]))


@pytest.mark.parametrize("percent", [False, True])
def test_a_part_has_the_pixels_of_the_whole(sheet: Sheet, tmp_path: Path, percent: bool) -> None:
    whole, _ = drawn(sheet, tmp_path)
    edges = (13.0, 21.0, 71.0, 83.0)
    part, evidence = drawn(sheet, tmp_path, roi=Region(edges=edges, percent=(percent,) * 4))
    x, y = (-round(row[2]) for row in evidence["page"]["page_to_pixel"])
    assert (whole[y : y + part.shape[0], x : x + part.shape[1]] == part).all()
    assert part.shape[:2] == (evidence["height"], evidence["width"])
    assert (part < 128).any()


def test_boxes_hold_the_ink(sheet: Sheet, tmp_path: Path) -> None:
    picture, evidence = drawn(sheet, tmp_path, ppi=(200,))
    dark = picture.min(axis=2) < 128
    legible = [text for text in evidence["texts"] if text["height_mm"] > 1]
    assert len(legible) > 5
    for text in legible:
        left, top, right, bottom = (round(edge) for edge in text["box"])
        assert dark[top:bottom, left:right].any(), text["text"]
        assert text["whole"]
    fit = next(text for text in evidence["texts"] if text["text"] == "FIT")
    left, top, right, bottom = (round(edge) for edge in fit["box"])
    columns = np.flatnonzero(dark[top:bottom, left - 10 : right + 10].any(axis=0))
    assert columns[0] >= 9
    assert columns[-1] <= right - left + 11
    assert columns[-1] - columns[0] > 0.9 * (right - left)


def test_drawing_to_pixel_leads_to_the_drawn_line(sheet: Sheet, tmp_path: Path) -> None:
    picture, evidence = drawn(sheet, tmp_path)
    matrix = np.array(evidence["page"]["drawing_to_pixel"])
    for point in ([0, 40], [200, 70], [70, 50]):  # on the outline, twice, and on the circle
        x, y = matrix @ [*point, 1]
        spot = picture[round(y) - 2 : round(y) + 3, round(x) - 2 : round(x) + 3]
        assert spot.min() < 100


def test_layers(sheet: Sheet, tmp_path: Path) -> None:
    everything, _ = drawn(sheet, tmp_path)
    without, evidence = drawn(sheet, tmp_path, without_layers=("hid*",))
    assert "HIDDEN" not in evidence["page"]["layers"]
    assert (everything != without).any()
    off, evidence = drawn(sheet, tmp_path, layers=("OFF",))
    assert evidence["page"]["layers"] == ["OFF"]
    assert (off < 128).any()
    assert not evidence["texts"]
    _, evidence = drawn(sheet, tmp_path, layers=("FROZEN",))
    assert [text["text"] for text in evidence["texts"]] == ["unseen"]
    with pytest.raises(UsageError, match="no layer"):
        drawn(sheet, tmp_path, layers=("NONE",))


def test_highlights_and_the_surroundings_of_a_text(sheet: Sheet, tmp_path: Path) -> None:
    picture, evidence = drawn(sheet, tmp_path, roi_of="right", highlight=(Highlight(pattern="RIGHT", colour=PINK),))
    marked = [text for text in evidence["texts"] if text["highlighted"]]
    assert [text["text"] for text in marked] == ["RIGHT"]
    left, top, right, bottom = (round(edge) for edge in marked[0]["box"])
    inside = picture[top:bottom, left:right].reshape(-1, 3)
    assert (inside[:, 1] < inside[:, 0] - 20).mean() > 0.5
    whole = evidence["page"]["width_mm"] * evidence["page"]["height_mm"]
    x0, y0, x1, y1 = evidence["page"]["region_mm"]
    assert (x1 - x0) * (y1 - y0) < whole
    with pytest.raises(UsageError, match="no text"):
        drawn(sheet, tmp_path, roi_of="nowhere")
    with pytest.raises(UsageError, match="no text"):
        drawn(sheet, tmp_path, highlight=(Highlight(pattern="nowhere"),))


@pytest.mark.parametrize("roi", [None, Region(edges=(10, 10, 60, 70))])
def test_formats_show_the_same(sheet: Sheet, tmp_path: Path, roi: Region | None) -> None:
    # MuPDF's own reader of SVG knows no dashes.
    options = {"roi": roi, "without_layers": ("HIDDEN",), "formats": ("png", "pdf", "svg")}
    picture, evidence = drawn(sheet, tmp_path, **options)
    for kind, slack in (("pdf", 0.0), ("svg", 0.004)):
        page = pymupdf.open(tmp_path / f"x.{kind}")[0]
        zoom = evidence["width"] / page.rect.width
        pixmap = page.get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
        with Image.open(io.BytesIO(pixmap.tobytes("png"))) as image:
            other = np.array(image.convert("RGB")).astype(int)
        height, width = min(other.shape[0], picture.shape[0]), min(other.shape[1], picture.shape[1])
        assert abs(other.shape[0] - picture.shape[0]) <= 1
        differs = np.abs(other[:height, :width] - picture[:height, :width]).max(axis=2) > 100
        assert differs.mean() <= slack, kind
    with pymupdf.open(tmp_path / "x.pdf") as document:
        said = document[0].get_text()
    assert ("RIGHT" in said) == (roi is None)


def test_the_same_bytes_twice(sheet: Sheet, tmp_path: Path) -> None:
    contents = []
    for _ in range(2):
        drawn(sheet, tmp_path, formats=("png", "pdf", "svg"), highlight=(Highlight(pattern="FIT"),))
        contents.append([(tmp_path / f"x.{kind}").read_bytes() for kind in ("png", "pdf", "svg", "json")])
    assert contents[0] == contents[1]


def test_pages(sheet: Sheet, tmp_path: Path) -> None:
    summary = render_sheet(sheet, "w", tmp_path / "w.png", SheetOptions(page="all", ppi=(50, 100)))
    names = sorted(path.name for path in tmp_path.glob("*.png"))
    assert names == [f"w.page{page}.{ppi}ppi.png" for page in (1, 2) for ppi in (100, 50)]
    assert [page.size for page in summary.pages][2] == (585, 414)  # A4 across, 50 pixels an inch
    _, evidence = drawn(sheet, tmp_path, layout="layout1")
    assert evidence["page"]["kind"] == "layout"
    with pytest.raises(UsageError, match="no page 3"):
        drawn(sheet, tmp_path, page=3)
    with pytest.raises(UsageError, match="no page is named"):
        drawn(sheet, tmp_path, layout="nowhere")
    with pytest.raises(UsageError, match="outside the page"):
        drawn(sheet, tmp_path, roi=Region(edges=(5000, 0, 6000, 10)))


def test_too_large_a_picture_leaves_nothing(sheet: Sheet, tmp_path: Path) -> None:
    with pytest.raises(RenderError, match="pixels"):
        render_sheet(sheet, "w", tmp_path / "w.png", SheetOptions(ppi=(50, 100_000)))
    assert not list(tmp_path.iterdir())


def test_evidence_follows_its_schema(sheet: Sheet, tmp_path: Path) -> None:
    _, evidence = drawn(sheet, tmp_path)
    Draft202012Validator(json_schema("sheet-evidence")).validate(evidence)
    kinds = sorted((item["kind"], item["text"], item["unit"]) for item in evidence["dimensions"])
    assert kinds == [
        ("diameter", "Ø40", "millimetre"),
        ("linear", "200", "millimetre"),
        ("linear", "H = 100", "millimetre"),
    ]
