"""Lint: faults of a finished drawing, found in its evidence alone, so that any drawing can be looked at again."""

import numpy as np

from dqgen.renderers.drawing import lettering
from dqgen.renderers.drawing.contacts import Boxed, quads_overlap
from dqgen.renderers.drawing.dimension import Quad
from dqgen.renderers.drawing.numbers import MM_PER_INCH, read
from dqgen.schemas.design import Floats
from dqgen.schemas.evidence import DimensionEvidence, DrawingEvidence, Evidence, LintFinding

LEAST_MM = 1.8
LEAST_PIXELS = 9.0
OFF_PIXELS = 1.0
"""How far a dimension may lie from the model point that it measures, in pixels of the picture."""
OFF_MM = 0.15
"""The same in mm of paper, whichever is more."""


def lint(evidence: Evidence) -> tuple[LintFinding, ...]:
    """All faults: texts that overlap, lie over lines, are clipped, too small or lack glyphs; printed values not
    the measured ones; dimensions off their geometry; arrows over arrows or texts. None for a picture that is no
    drawing."""
    drawing = evidence.drawing
    if drawing is None:
        return ()
    return (
        *_texts(evidence, drawing),
        *_values(drawing),
        *_arrows(drawing),
        *(finding for one in drawing.dimensions for finding in _geometry(evidence, drawing, one)),
    )


def _texts(evidence: Evidence, drawing: DrawingEvidence) -> list[LintFinding]:
    found = []
    quads = np.array([text.quad for text in drawing.texts], dtype=np.float64).reshape(-1, 4, 2)
    scale = drawing.sheet.pixels_per_mm
    high = round(drawing.sheet.height_mm * scale)
    for row, text in enumerate(drawing.texts):
        where = (text.belongs_to,)
        if row and (count := quads_overlap(Boxed.of(quads[:row]), _quad(quads[row]))):
            found.append(
                LintFinding(rule="text-overlap", message=f"'{text.text}' lies over {count} other", where=where)
            )
        if text.over_lines:
            message = f"'{text.text}' lies over {text.over_lines} line{'s' if text.over_lines > 1 else ''}"
            found.append(LintFinding(rule="text-over-line", message=message, where=where))
        left, top, right, bottom = text.box
        if left < 0 or top < 0 or right > evidence.width or bottom > high:
            found.append(LintFinding(rule="text-clipped", message=f"'{text.text}' reaches off the page", where=where))
        for char in lettering.missing(text.text):
            message = f"no glyph for '{char}' (U+{ord(char):04X}) in '{text.text}'"
            found.append(LintFinding(rule="missing-glyph", message=message, where=where))
        if text.height_mm < LEAST_MM - 1e-9:
            message = f"'{text.text}' is {text.height_mm:.2f} mm high, less than {LEAST_MM}"
            found.append(LintFinding(rule="text-small", message=message, where=where))
        if text.height_mm * scale < LEAST_PIXELS - 1e-9:
            message = f"'{text.text}' is {text.height_mm * scale:.1f} px high, less than {LEAST_PIXELS:g}"
            found.append(LintFinding(rule="text-small", message=message, where=where))
    return found


def _values(drawing: DrawingEvidence) -> list[LintFinding]:
    found = []
    for one in drawing.dimensions:
        if one.edited or not one.printed:
            continue
        factor = MM_PER_INCH if one.unit == "inch" else 1.0
        if one.printed not in one.text:
            message = f"'{one.text}' does not state {one.printed}"
            found.append(LintFinding(rule="value", message=message, where=(one.id,)))
            continue
        try:
            printed = read(one.printed)
        except ValueError:
            found.append(LintFinding(rule="value", message=f"'{one.printed}' is no number", where=(one.id,)))
            continue
        if abs(printed - one.value / factor) > 0.5 * 10.0**-one.decimals + 1e-6:
            message = f"'{one.text}' states {printed:g}, measured {one.value / factor:.6g}"
            found.append(LintFinding(rule="value", message=message, where=(one.id,)))
    return found


def _arrows(drawing: DrawingEvidence) -> list[LintFinding]:
    found = []
    arrows = [(one.id, _body(arrow)) for one in drawing.dimensions for arrow in one.arrows]
    quads = np.array([quad for _, quad in arrows], dtype=np.float64).reshape(-1, 4, 2)
    texts = Boxed.of(np.array([text.quad for text in drawing.texts], dtype=np.float64).reshape(-1, 4, 2))
    for row, (name, quad) in enumerate(arrows):
        if row and quads_overlap(Boxed.of(quads[:row]), _quad(quad)):
            found.append(LintFinding(rule="arrow-overlap", message="an arrow lies over another", where=(name,)))
        if quads_overlap(texts, _quad(quad)):
            found.append(LintFinding(rule="arrow-overlap", message="an arrow lies over a text", where=(name,)))
    return found


def _geometry(evidence: Evidence, drawing: DrawingEvidence, one: DimensionEvidence) -> list[LintFinding]:
    """Whether a length's feet lie where its model points are shown, and its length on paper is the value."""
    view = next((view for view in evidence.views if view.id == one.view), None)
    if view is None:
        return [LintFinding(rule="off-geometry", message=f"its view '{one.view}' is missing", where=(one.id,))]
    if len(one.model_points) != len(one.feet) or len(one.feet) != {"ordinate": 1, "angular": 3}.get(one.kind, 2):
        return []
    matrix = np.array(view.model_to_pixel)[:2]
    points = np.array(one.model_points) @ matrix[:, :3].T + matrix[:, 3]
    feet = np.array(one.feet)
    limit = max(OFF_PIXELS, OFF_MM * drawing.sheet.pixels_per_mm)
    found = []
    if np.abs(points - feet).max() > limit:
        message = f"it touches the drawing {np.abs(points - feet).max():.1f} px from what it measures"
        found.append(LintFinding(rule="off-geometry", message=message, where=(one.id,)))
    if one.kind == "angular":
        return found + _sweep(one, limit)
    if len(one.tips) == 2:
        along = np.array([np.cos(np.radians(one.angle)), -np.sin(np.radians(one.angle))])
        length = abs(float((np.array(one.tips[1]) - np.array(one.tips[0])) @ along)) / view.pixels_per_mm
        if abs(length - abs(one.value)) * view.pixels_per_mm > limit:
            message = f"its arrows are {length:.6g} mm apart, measured {one.value:.6g}"
            found.append(LintFinding(rule="off-geometry", message=message, where=(one.id,)))
    return found


def _sweep(one: DimensionEvidence, limit: float) -> list[LintFinding]:
    """Whether the arrows of an angle are as far apart as its sides, seen from the apex."""
    a, b = (np.array(tip) - np.array(one.feet[2]) for tip in one.tips)
    degrees = float(np.degrees(np.arctan2(abs(a[0] * b[1] - a[1] * b[0]), a @ b)))
    radius = float(min(np.linalg.norm(a), np.linalg.norm(b)))
    if np.radians(abs(degrees - one.value)) * radius <= limit:
        return []
    message = f"its arrows are {degrees:.6g}° apart, measured {one.value:.6g}°"
    return [LintFinding(rule="off-geometry", message=message, where=(one.id,))]


def _body(arrow: tuple[tuple[float, float], ...]) -> Floats:
    """The rectangle of an arrowhead's body, its very tip left out: lines and other tips may end there."""
    tip, a, b = (np.array(point) for point in arrow[:3])
    back, half = (a + b) / 2, (a - b) / 2
    front = tip + 0.3 * (back - tip)
    return np.array([back - half, front - half, front + half, back + half])


def _quad(rows: Floats) -> Quad:
    a, b, c, d = ((float(x), float(y)) for x, y in rows)
    return a, b, c, d
