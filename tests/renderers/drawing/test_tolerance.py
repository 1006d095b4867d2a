"""Tolerances: as users write them, as the file states them, as they are drawn and handed on."""

import dataclasses
import io

import ezdxf
import pytest

from dqgen.errors import UsageError
from dqgen.renderers.drawing.draw import Drawing
from dqgen.renderers.drawing.formats.dxf import dxf
from dqgen.renderers.drawing.tolerance import Tolerance, split
from dqgen.schemas.design import Design, Pmi
from dqgen.schemas.evidence import DimensionEvidence
from tests.renderers.drawing.conftest import drawn


def told(drawing: Drawing) -> list[DimensionEvidence]:
    evidence = drawing.evidence.drawing
    assert evidence is not None
    assert evidence.findings == ()
    return list(evidence.dimensions)


@pytest.mark.parametrize(
    ("text", "upper", "lower"),
    [
        ("extent('*', x) ±0.1", 0.1, -0.1),
        ("extent('*', x) +/- .1", 0.1, -0.1),
        ("extent('*', x) +0.2/-0.1", 0.2, -0.1),
        ("extent('*', x) -0.1/-0.3", -0.1, -0.3),
        ("extent('*', x) +0.3/+0.1", 0.3, 0.1),
        ("extent('*', x) 0 / -0.05", 0.0, -0.05),
    ],
)
def test_a_tolerance_follows_its_expression(text: str, upper: float, lower: float) -> None:
    assert split(text) == ("extent('*', x)", Tolerance(upper, lower))


def test_an_expression_alone_has_none() -> None:
    for text in ("extent('*', x)", "extent('A', x) / extent('B', x)", "extent('A/B', x) - extent('B', x)"):
        assert split(text) == (text, None)


@pytest.mark.parametrize(
    "text",
    ["extent('*', x) ±", "extent('*', x) ±x", "extent('*', x) ±0", "extent('*', x) -0.1/+0.2", "extent('*', x) +0.1/"],
)
def test_a_malformed_tolerance_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match=r"no tolerance|not above"):
        split(text)


def test_a_composed_measure_takes_none(plate: Design) -> None:
    with pytest.raises(UsageError, match="made of others"):
        drawn(plate, dimensions=("extent('*', x) - extent('*', y) ±0.1",))


def test_deviations_are_drawn_stacked_and_handed_on(plate: Design) -> None:
    asked = ("extent('*', x) ±0.1", "extent('*', y) +0.2/-0.05", "diameter(hole('*', diameter=30)) +0.021/0")
    drawing = drawn(plate, dimensions=asked, sheet="A3")
    wide, high, bore = (next(one for one in told(drawing) if f"{size:g}" in one.printed) for size in (120, 80, 30))
    assert (wide.text, wide.tolerance, wide.value) == ("120 ±0.1", (-0.1, 0.1), pytest.approx(120))
    assert (high.text, high.tolerance) == ("80 +0.20/-0.05", (-0.05, 0.2))
    assert (bore.text, bore.tolerance) == ("⌀30 +0.021/0", (0.0, 0.021))
    evidence = drawing.evidence.drawing
    assert evidence is not None
    number, upper, lower = (text for text in evidence.texts if text.belongs_to == high.id)
    assert (number.text, upper.text, lower.text) == ("80", "+0.20", "-0.05")
    assert upper.height_mm == lower.height_mm < number.height_mm
    document = ezdxf.read(io.StringIO(dxf(drawing.composition).decode()))
    assert not document.audit().errors
    limits = {}
    for entity in document.modelspace().query("DIMENSION"):
        style = entity.override()  # type: ignore[attr-defined]
        limits[round(entity.get_measurement(), 6)] = style.get("dimtol"), style.get("dimtp"), style.get("dimtm")  # type: ignore[attr-defined]
    assert limits == {120: (1, 0.1, 0.1), 80: (1, 0.2, 0.05), 30: (1, 0.021, 0.0)}


def test_a_tolerance_is_in_the_printed_unit(plate: Design) -> None:
    (one,) = told(drawn(plate, dimensions=("extent('*', x) ±0.005",), unit="inch"))
    assert one.text == "4.724 ±0.005"
    assert one.tolerance == pytest.approx((-0.127, 0.127))


@pytest.mark.parametrize(
    ("pmi", "text", "warned"),
    [
        ([("Size_Diameter", (30.0, 0.1, 0.1))], "⌀30 ±0.1", ""),
        ([("Size_Diameter", (30.0, 0.02, 0.0))], "⌀30 0/-0.02", ""),
        ([("Size_Diameter", (5.0, 0.0, 0.05))], "⌀5 +0.05/0 ↧8", ""),
        ([("Size_Diameter", (6.6 / 25.4, 0.2, 0.2))], "4× ⌀6.6 ±0.2", ""),
        ([("Size_Radius", (10.0, 0.5, 0.5))], "4× R10 ±0.5", ""),
        ([("Size_Diameter", (30.0, 0.05, 0.1))], "⌀30", "⌀30"),  # the sign of the lower one may be lost
        ([("Size_Diameter", (30.0, 0.1, 0.1)), ("Size_Diameter", (30.0, 0.2, 0.2))], "⌀30", "⌀30"),
        ([("Size_Diameter", (30.0, 0.1, 0.1)), ("Size_Diameter", (29.9, 30.1))], "⌀30", "⌀29.9–⌀30.1"),
        ([("Size_Diameter", (31.0, 0.1, 0.1))], "⌀30", "⌀31"),
        ([("Size_Radius", (30.0, 0.1, 0.1))], "⌀30", "R30"),
    ],
)
def test_the_file_s_tolerances_are_drawn_where_they_are_sure(
    plate: Design, pmi: list[tuple[str, tuple[float, ...]]], text: str, warned: str
) -> None:
    stated = tuple(Pmi("dimension", kind, "", values) for kind, values in pmi)
    drawing = drawn(dataclasses.replace(plate, pmi=stated), sheet="A3")
    assert [one.text for one in told(drawing)].count(text) == 1
    warnings = [one for one in drawing.evidence.warnings if "tolerances of the file" in one]
    assert len(warnings) == bool(warned)
    assert all(warned in one for one in warnings)
