"""Lint finds each kind of fault in evidence that was sound before."""

import math
from collections.abc import Callable
from dataclasses import replace

import cadquery as cq
import pytest

from dqgen.renderers.drawing.display_list import Line, Text
from dqgen.renderers.drawing.drafting import VISIBLE
from dqgen.renderers.drawing.evidence import drawing_evidence
from dqgen.renderers.drawing.lint import lint
from dqgen.schemas.design import Design
from dqgen.schemas.evidence import DimensionEvidence, DrawingEvidence, Evidence, TextEvidence
from tests.geometry.shapes import part
from tests.renderers.drawing.conftest import drawn, scene_of


@pytest.fixture(scope="module")
def sound(plate: Design) -> Evidence:
    return drawn(plate, sheet="A3").evidence


def changed(evidence: Evidence, **update: object) -> Evidence:
    assert evidence.drawing is not None
    return evidence.model_copy(update={"drawing": evidence.drawing.model_copy(update=update)})


def with_text(evidence: Evidence, change: Callable[[TextEvidence], dict[str, object]]) -> Evidence:
    assert evidence.drawing is not None
    first, *others = evidence.drawing.texts
    return changed(evidence, texts=(first.model_copy(update=change(first)), *others))


def with_length(evidence: Evidence, change: Callable[[DimensionEvidence], dict[str, object]]) -> Evidence:
    drawing = evidence.drawing
    assert drawing is not None
    row = next(row for row, one in enumerate(drawing.dimensions) if one.kind == "linear")
    rows = list(drawing.dimensions)
    rows[row] = rows[row].model_copy(update=change(rows[row]))
    return changed(evidence, dimensions=tuple(rows))


def rules(evidence: Evidence) -> set[str]:
    return {finding.rule for finding in lint(evidence)}


def other_quad(drawing: DrawingEvidence | None) -> dict[str, object]:
    assert drawing is not None
    return {"quad": drawing.texts[1].quad, "box": drawing.texts[1].box}


def test_a_sound_drawing_has_no_faults(sound: Evidence) -> None:
    assert lint(sound) == ()
    assert lint(sound.model_copy(update={"drawing": None})) == ()


def test_texts(sound: Evidence) -> None:
    assert "text-overlap" in rules(with_text(sound, lambda _: other_quad(sound.drawing)))
    assert rules(with_text(sound, lambda _: {"box": (-3.0, 5.0, 20.0, 9.0)})) == {"text-clipped"}
    assert rules(with_text(sound, lambda _: {"text": "□漢"})) == {"missing-glyph"}
    assert rules(with_text(sound, lambda _: {"height_mm": 1.7})) == {"text-small"}


def test_lines_through_a_text(sound: Evidence) -> None:
    assert sound.drawing is not None
    assert all(text.over_lines == 0 for text in sound.drawing.texts)
    faults = lint(with_text(sound, lambda text: {"over_lines": 2}))
    assert [one.rule for one in faults] == ["text-over-line"]


def test_a_line_under_a_text_is_seen(plate: Design) -> None:
    drawing = drawn(plate, sheet="A3")
    composition = drawing.composition
    text = next(item for item in composition.page.items if isinstance(item, Text) and item.role == "dimension")
    a, _, c, _ = text.quad()
    page = replace(composition.page, items=(*composition.page.items, Line(a, c, VISIBLE, "view:front")))
    evidence = drawing_evidence(scene_of(plate, sheet="A3"), replace(composition, page=page), 2400, 1697)
    assert [one.rule for one in lint(evidence)] == ["text-over-line"]


def test_small_pixels(sound: Evidence) -> None:
    assert sound.drawing is not None
    sheet = sound.drawing.sheet.model_copy(update={"pixels_per_mm": 2.0})
    assert "text-small" in rules(changed(sound, sheet=sheet))


def test_values(sound: Evidence) -> None:
    assert rules(with_length(sound, lambda one: {"value": one.value + 0.6, "tips": ()})) == {"value"}
    assert rules(with_length(sound, lambda one: {"printed": "7", "text": "8"})) == {"value"}
    edited = with_length(sound, lambda one: {"printed": "7", "text": "7", "decimals": 0, "edited": True})
    assert rules(edited) == set()


def test_geometry(sound: Evidence) -> None:
    moved = with_length(sound, lambda one: {"feet": tuple((x + 9, y + 9) for x, y in one.feet)})
    assert rules(moved) == {"off-geometry"}
    short = with_length(sound, lambda one: {"tips": (one.tips[0], (one.tips[0][0] + 3, one.tips[0][1] + 3))})
    assert rules(short) == {"off-geometry"}


def test_arrows(sound: Evidence) -> None:
    twice = with_length(sound, lambda one: {"arrows": (one.arrows[0], one.arrows[0])})
    assert rules(twice) == {"arrow-overlap"}


def test_an_angle_is_held_to_its_arrows_and_sides() -> None:
    rise = 40 * math.tan(math.radians(30))
    points = ((0, 0), (60, 0), (60, 20), (20, 20 + rise), (0, 20 + rise))
    sound = drawn(part(cq.Workplane("XZ").polyline(points).close().extrude(10)), sheet="A3").evidence
    assert sound.drawing is not None
    assert lint(sound) == ()
    (angle,) = (one for one in sound.drawing.dimensions if one.kind == "angular")
    (x, y), *others = angle.feet
    for change in ({"feet": ((x + 9, y), *others)}, {"value": angle.value + 3}):
        others_too = [one if one is not angle else one.model_copy(update=change) for one in sound.drawing.dimensions]
        assert "off-geometry" in rules(changed(sound, dimensions=tuple(others_too)))
