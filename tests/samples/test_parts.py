"""The sample parts: bracket, flange, shaft."""

import math
from pathlib import Path
from types import ModuleType

import cadquery as cq
import pytest
from step_text import data_records, differences, strings

from samples.parameter_table import as_markdown
from samples.parts import bracket, flange, shaft
from samples.step_writer import write_step

ROOT = Path(__file__).resolve().parents[2]
PARTS = {"bracket": bracket, "flange": flange, "shaft": shaft}


@pytest.fixture(params=PARTS)
def part(request: pytest.FixtureRequest) -> tuple[str, ModuleType]:
    return request.param, PARTS[request.param]


def holes(solid: cq.Solid) -> list[float]:
    """Diameters of the cylinder faces that look inwards, one a face, rounded to 1 µm."""
    found = []
    for face in solid.Faces():
        if face.geomType() == "CYLINDER":
            cylinder = face._geomAdaptor().Cylinder()
            axis = cq.Vector(cylinder.Axis().Direction())
            u_min, u_max, v_min, v_max = face._uvBounds()
            normal, spot = face.normalAt((u_min + u_max) / 2, (v_min + v_max) / 2)
            arm = spot - cq.Vector(cylinder.Axis().Location())
            if normal.dot(arm - axis * arm.dot(axis)) < 0:
                found.append(round(2 * cylinder.Radius(), 3))
    return sorted(found)


def test_checked_in_file_is_what_the_script_writes(part: tuple[str, ModuleType], tmp_path: Path) -> None:
    name, module = part
    write_step(module.build(), tmp_path / "again.step")
    kept = (ROOT / "samples" / "parts" / f"{name}.step").read_text("ascii")
    assert not differences((tmp_path / "again.step").read_text("ascii"), kept)
    assert [record[0] for record in strings(data_records(kept), "PRODUCT")] == [name.capitalize()]


def test_solid_is_valid_and_closed(part: tuple[str, ModuleType]) -> None:
    solid = part[1].build().obj
    assert solid.isValid()
    assert all(shell.wrapped.Closed() for shell in solid.Shells())


def test_unknown_parameter_is_refused(part: tuple[str, ModuleType]) -> None:
    with pytest.raises(ValueError, match="unknown parameter 'colour'"):
        part[1].build(colour=1)


def test_readme_lists_the_parameters(part: tuple[str, ModuleType]) -> None:
    assert as_markdown(part[1].Parameters) in (ROOT / "samples" / "README.md").read_text("utf-8")


def test_bracket_has_the_holes_of_its_table() -> None:
    found = holes(bracket.build().obj)
    assert [found.count(d) for d in (9.0, 15.0, 32.0, 5.0)] == [2, 2, 1, 4]
    assert holes(bracket.build(hole=8.4).obj).count(8.4) == 2
    box = bracket.build(width=100, height=90).obj.BoundingBox()
    assert (box.xlen, box.zmax) == pytest.approx((100, 118), abs=1e-3)


def test_flange_has_the_holes_of_its_table() -> None:
    found = holes(flange.build().obj)
    assert [found.count(d) for d in (11.0, 18.0, 8.5, 6.0, 40.0, 52.0)] == [6, 6, 2, 1, 1, 1]
    assert holes(flange.build(bolt_count=8).obj).count(11.0) == 8
    with pytest.raises(ValueError, match="whole number"):
        flange.build(bolt_count=6.5)


def test_shaft_is_as_long_as_its_steps() -> None:
    box = shaft.build(body_length=80).obj.BoundingBox()
    assert box.xlen == pytest.approx(45 + 20 + 80 + 20 + 38, abs=1e-3)
    solid = shaft.build().obj
    assert solid.BoundingBox().zlen == pytest.approx(42, abs=1e-3)
    key = [f for f in solid.Faces() if f.geomType() == "PLANE" and abs(f.Center().z - 8) < 1e-6 and f.Center().x < 45]
    assert [f.Area() for f in key] == pytest.approx([24 * 8 + math.pi * 16], rel=1e-6)
