"""Whole drawings of a plate whose sizes are known."""

import numpy as np
import pytest

from dqgen.errors import RenderError, UsageError
from dqgen.renderers.drawing.display_list import Polyline, Text
from dqgen.renderers.drawing.draw import Drawing
from dqgen.renderers.drawing.formats.pdf import pixels
from dqgen.renderers.drawing.numbers import read
from dqgen.schemas.design import Design
from dqgen.schemas.evidence import DrawingEvidence
from tests.renderers.drawing.conftest import drawn


def shown(drawing: Drawing) -> DrawingEvidence:
    assert drawing.evidence.drawing is not None
    return drawing.evidence.drawing


@pytest.fixture(scope="module")
def sheet(plate: Design) -> Drawing:
    return drawn(plate)


def test_a_plate_gets_all_that_it_needs_and_no_faults(sheet: Drawing) -> None:
    texts = sorted(one.text for one in shown(sheet).dimensions)
    for wanted in ("4× ⌀6.6", "⌀30", "⌀5 ↧8", "4× R10", "100", "120", "80", "12"):
        assert texts.count(wanted) == 1, (wanted, texts)
    assert texts.count("60") == 2  # between the holes, and from the edge to the bore
    assert shown(sheet).findings == ()
    assert shown(sheet).sheet.name == "A3"
    assert shown(sheet).sheet.scale == 1.0


@pytest.mark.parametrize("unit", ["mm", "inch"])
def test_printed_values_are_the_measured_ones(plate: Design, unit: str) -> None:
    for one in shown(drawn(plate, unit=unit, sheet="A3")).dimensions:
        value = one.value / (25.4 if unit == "inch" and one.unit != "deg" else 1.0)
        assert read(one.printed) == pytest.approx(value, abs=0.5 * 10**-one.decimals + 1e-9)
        assert one.printed in one.text


def test_evidence_projects_model_points_onto_the_feet(sheet: Drawing) -> None:
    matrices = {view.id: np.array(view.model_to_pixel) for view in sheet.evidence.views}
    lengths = [one for one in shown(sheet).dimensions if one.kind == "linear"]
    assert lengths
    for one in lengths:
        matrix = matrices[one.view][:2]
        points = np.array(one.model_points) @ matrix[:, :3].T + matrix[:, 3]
        assert np.abs(points - np.array(one.feet)).max() < 0.01


def test_views_are_aligned_in_third_angle(sheet: Drawing) -> None:
    shifts = {one.id: one.shift for one in sheet.composition.projections}
    assert shifts["top"][0] == pytest.approx(shifts["front"][0])
    assert shifts["top"][1] > shifts["front"][1]


def test_first_angle_turns_the_views_round(plate: Design) -> None:
    shifts = {one.id: one.shift for one in drawn(plate, projection="first").composition.projections}
    assert shifts["top"][1] < shifts["front"][1]


def test_a_measure_alone_on_a_bare_view(plate: Design) -> None:
    drawing = drawn(plate, dimensions=("extent('*', x)",), from_view="front")
    (one,) = shown(drawing).dimensions
    assert one.value == pytest.approx(120.0)
    assert one.text == "120"
    assert [view.id for view in drawing.evidence.views] == ["front"]
    gap = one.tips[1][0] - one.tips[0][0]
    assert abs(gap) / drawing.evidence.views[0].pixels_per_mm == pytest.approx(120.0, rel=1e-4)


def test_a_foreshortened_measure_is_refused(plate: Design) -> None:
    with pytest.raises(UsageError, match=r"'left' foreshortens it; draw it from front"):
        drawn(plate, dimensions=("extent('*', x)",), from_view="left")


def test_the_scale_bar_reads_back_from_the_pixels(plate: Design) -> None:
    drawing = drawn(plate, scale_bar="auto", from_view="top", size=1600)
    bar = shown(drawing).scale_bar
    assert bar is not None
    assert read(bar.text) == pytest.approx(bar.length_mm, abs=1e-6)
    assert bar.start[0] == round(bar.start[0])
    assert bar.end[0] == round(bar.end[0])
    picture = np.asarray(pixels(drawing.composition.page, drawing.evidence.width, drawing.evidence.height).convert("L"))
    # The plate's outline, in a row that meets no other line, against the bar.
    view = drawing.evidence.views[0]
    x, y, wide, high = view.viewport
    columns = np.flatnonzero(picture[y + high // 4, x - 5 : x + wide + 5] < 128)
    per_pixel = bar.length_mm / (bar.end[0] - bar.start[0])
    line = 0.5 * drawing.evidence.width / drawing.composition.page.width
    assert (columns[-1] - columns[0] + 1 - line) * per_pixel == pytest.approx(120.0, rel=0.005)


def test_a_scale_that_does_not_fit_is_told(plate: Design) -> None:
    with pytest.raises(RenderError, match="do not fit on A4 at 5:1"):
        drawn(plate, sheet="A4", scale="5:1")


@pytest.mark.parametrize("scale", ["0:1", "big", "1:0", "-1"])
def test_a_scale_that_is_none_is_refused(plate: Design, scale: str) -> None:
    with pytest.raises(UsageError, match="is no scale"):
        drawn(plate, sheet="A4", scale=scale)


def test_the_same_options_give_the_same_drawing(plate: Design, sheet: Drawing) -> None:
    again = drawn(plate)
    assert again.composition.page == sheet.composition.page
    assert again.evidence == sheet.evidence


def test_title_block_holds_only_what_is_known(sheet: Drawing) -> None:
    fields = [text.text for text in shown(sheet).texts if text.belongs_to == "sheet" and text.role == "note"]
    assert fields == ["Title", "Scale", "Dimensions in", "Sheet"]


def test_an_edited_text_keeps_its_measured_value(plate: Design) -> None:
    drawing = drawn(plate, dimensions=("extent('*', x)",), from_view="front", texts=(("d1", "125"),))
    (one,) = shown(drawing).dimensions
    assert (one.text, one.printed, one.edited) == ("125", "125", True)
    assert one.value == pytest.approx(120.0)
    assert shown(drawing).findings == ()
    with pytest.raises(UsageError, match="no dimension 'd9'; there are d1"):
        drawn(plate, dimensions=("extent('*', x)",), from_view="front", texts=(("d9", "125"),))


def test_what_no_view_shows_is_told(plate: Design) -> None:
    drawing = drawn(plate, views=("front",), sheet="A3")
    assert any("4 holes ⌀6.6 not dimensioned" in warning for warning in drawing.evidence.warnings)
    assert all("⌀6.6" not in one.text for one in shown(drawing).dimensions)


@pytest.mark.parametrize("size", [300, 600, 1000])
@pytest.mark.parametrize("name", ["front", "bottom", "left"])
def test_small_pictures_can_be_read(plate: Design, name: str, size: int) -> None:
    across = f"extent('*', {'y' if name == 'left' else 'x'})"
    drawing = drawn(plate, dimensions=(across,), from_view=name, size=size, unit="inch")
    texts = shown(drawing).texts
    assert shown(drawing).findings == ()
    assert "Dimensions in inches" in [text.text for text in texts]
    assert all(text.height_mm * shown(drawing).sheet.pixels_per_mm >= 9 for text in texts)


def test_the_name_of_a_view_stands_within_its_face(plate: Design) -> None:
    for name in ("front", "bottom"):
        items = drawn(plate, dimensions=("extent('*', x)",), from_view=name).composition.page.items
        (face,) = (one for one in items if isinstance(one, Polyline) and one.owner == "triad")
        (text,) = (one for one in items if isinstance(one, Text) and one.text == name.upper())
        assert text.height == 3.2
        (left, bottom), (right, top) = np.min(face.points, axis=0), np.max(face.points, axis=0)
        assert all(left < x < right and bottom < y < top for x, y in text.quad())


def test_inches_are_noted_on_a_bare_view(plate: Design) -> None:
    drawing = drawn(plate, dimensions=("extent('*', x)",), from_view="front", unit="inch")
    assert [one.text for one in shown(drawing).dimensions] == ["4.724"]
    assert "Dimensions in inches" in [text.text for text in shown(drawing).texts]
