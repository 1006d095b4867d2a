"""The sample car: its file, its names, its geometry, its parameters."""

import math
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import cadquery as cq
import pytest
from OCP.Quantity import Quantity_Color
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_LabelSequence
from OCP.TDocStd import TDocStd_Document
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorTool, XCAFDoc_ColorType, XCAFDoc_DocumentTool, XCAFDoc_ShapeTool
from step_text import data_records, differences, strings

from samples.formula.model import build
from samples.formula.parameters import Parameters
from samples.parameter_table import as_markdown
from samples.products import leaves
from samples.step_writer import write_step

ROOT = Path(__file__).resolve().parents[2]
STEP = ROOT / "samples" / "formula" / "formula.step"
MACHINE_NAME = re.compile(r"NAUO|open cascade|solid|compound|[0-9a-f]{8}-[0-9a-f]{4}", re.IGNORECASE)

# Many changes at once: each measure below reads the one that concerns it.
CHANGED = {
    "wheelbase": 1590,
    "front_track": 1240,
    "rear_track": 1180,
    "tyre_diameter": 470,
    "ground_clearance": 52,
    "main_hoop_height": 1215,
    "main_hoop_brace_angle": 33,
    "main_hoop_brace_drop": 155,
    "front_hoop_height": 700,
    "hoop_diameter": 32,
    "tube_diameter": 26.9,
    "front_wing_overhang": 540,
    "front_wing_span": 1100,
    "rear_wing_overhang": 180,
    "rear_wing_height": 1120,
    "steering_wheel_diameter": 250,
    "steering_wheel_offset": 150,
    "brake_disc_thickness": 4,
    "impact_attenuator_length": 250,
    "accumulator_wall_thickness": 3,
    "seat_width": 380,
}


class Car:
    """A built car with its parts by path."""

    def __init__(self, **parameters: float) -> None:
        self.assembly = build(**parameters)
        self.parts = {path: (product, solid, at) for path, product, solid, at in leaves(self.assembly)}

    def box(self, name: str) -> cq.BoundBox:
        """The exact box of the part of that instance name (or end of a path)."""
        found = [part for path, part in self.parts.items() if path.endswith(f"/{name}")]
        assert len(found) == 1, f"{len(found)} parts are called {name}"
        _, solid, at = found[0]
        return solid.moved(at).BoundingBox()


@pytest.fixture(scope="module")
def car() -> Car:
    return Car()


@pytest.fixture(scope="module")
def changed() -> Car:
    return Car(**CHANGED)


@pytest.fixture(scope="module")
def records() -> list[str]:
    return data_records(STEP.read_text("ascii"))


def test_checked_in_file_is_what_the_script_writes(car: Car, tmp_path: Path) -> None:
    write_step(car.assembly, tmp_path / "again.step")
    found = differences((tmp_path / "again.step").read_text("ascii"), STEP.read_text("ascii"))
    assert not found, f"run samples/formula/make.py; first difference: {found[0]}"
    assert STEP.stat().st_size < 2_000_000


def test_bytes_do_not_depend_on_the_process(car: Car, tmp_path: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from samples.formula.model import build; "
        "from samples.step_writer import write_step; write_step(build(), Path(sys.argv[1]))"
    )
    here, there = tmp_path / "here.step", tmp_path / "there.step"
    write_step(car.assembly, here)
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(there)]
    subprocess.run(command, check=True, env=environment, capture_output=True)
    assert here.read_bytes() == there.read_bytes()


def test_size_of_the_tree(car: Car) -> None:
    assert len(car.parts) >= 60
    assert len({id(solid) for _, solid, _ in car.parts.values()}) >= 25
    depths = {path.count("/") for path in car.parts}
    assert max(depths) >= 4


def test_each_product_is_one_solid_and_each_path_is_unique(car: Car) -> None:
    products: dict[str, int] = {}
    for product, solid, _ in car.parts.values():
        assert products.setdefault(product, id(solid)) == id(solid)
    assert len(products) == len(set(products.values()))
    assert len(car.parts) == sum(1 for _ in leaves(car.assembly))


def test_file_keeps_both_names(car: Car, records: list[str]) -> None:
    def nodes(node: cq.Assembly) -> Iterator[cq.Assembly]:
        yield node
        for child in node.children:
            yield from nodes(child)

    tree = list(nodes(car.assembly))
    products = {record[0] for record in strings(records, "PRODUCT")}
    instances = {record[1] for record in strings(records, "NEXT_ASSEMBLY_USAGE_OCCURRENCE")}
    assert products == {node.metadata["product"] for node in tree}
    assert instances == {node.name for node in tree if node is not car.assembly}
    assert not [name for name in products | instances if MACHINE_NAME.search(name)]
    assert instances - products, "some instances have a name of their own"
    assert products - instances, "some products are known under their own name only"


def test_file_is_ap242_in_millimetres(records: list[str]) -> None:
    head = STEP.read_text("ascii")[:2000]
    assert "AP242_MANAGED_MODEL_BASED_3D_ENGINEERING" in head
    assert any("SI_UNIT(.MILLI.,.METRE.)" in record for record in records)


def test_kernel_reads_names_colours_and_solids_back(car: Car) -> None:
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    reader = STEPCAFControl_Reader()
    reader.ReadFile(str(STEP))
    assert reader.Transfer(document)
    colours, volumes = set(), {}

    def name(label: TDF_Label) -> str:
        attribute = TDataStd_Name()
        assert label.FindAttribute(TDataStd_Name.GetID_s(), attribute)
        return str(attribute.Get().ToExtString())

    def walk(label: TDF_Label, path: str) -> Iterator[tuple[str, str]]:
        path, product, parts = f"{path}/{name(label)}", label, TDF_LabelSequence()
        if XCAFDoc_ShapeTool.IsReference_s(label):
            product = TDF_Label()
            XCAFDoc_ShapeTool.GetReferredShape_s(label, product)
        XCAFDoc_ShapeTool.GetComponents_s(product, parts)
        for part in parts:
            yield from walk(part, path)
        if parts.IsEmpty():
            colour = Quantity_Color()
            assert XCAFDoc_ColorTool.GetColor_s(product, XCAFDoc_ColorType.XCAFDoc_ColorSurf, colour), path
            colours.add((colour.Red(), colour.Green(), colour.Blue()))
            if name(product) not in volumes:
                solid = cq.Shape.cast(XCAFDoc_ShapeTool.GetShape_s(product))
                assert solid.isValid(), path
                volumes[name(product)] = solid.Volume()
            yield path, name(product)

    free = TDF_LabelSequence()
    XCAFDoc_DocumentTool.ShapeTool_s(document.Main()).GetFreeShapes(free)
    assert free.Length() == 1
    assert dict(walk(free.Value(1), "")) == {path: product for path, (product, _, _) in car.parts.items()}
    assert len(colours) >= 8
    expected = {product: solid.Volume() for product, solid, _ in car.parts.values()}
    assert volumes == pytest.approx(expected, rel=1e-5)


def test_all_solids_are_valid_and_closed(car: Car) -> None:
    for product, solid in {product: solid for product, solid, _ in car.parts.values()}.items():
        assert solid.isValid(), product
        assert solid.Volume() > 0, product
        assert all(shell.wrapped.Closed() for shell in solid.Shells()), product


def test_tyres_stand_on_the_ground_and_nothing_else_does(car: Car) -> None:
    lowest = {path: solid.moved(at).BoundingBox().zmin for path, (_, solid, at) in car.parts.items()}
    tyres = {path: z for path, z in lowest.items() if path.endswith("/Tyre")}
    assert len(tyres) == 4
    assert all(abs(z) < 1e-3 for z in tyres.values())
    others = min(z for path, z in lowest.items() if "/Wheel " not in path)
    assert others == pytest.approx(Parameters.ground_clearance, abs=1e-3)


def test_left_mirrors_right(car: Car) -> None:
    swap = {"L": "R", "R": "L", "FL": "FR", "FR": "FL", "RL": "RR", "RR": "RL"}

    def mirror_name(path: str) -> str:
        return "/".join(re.sub(r" ([FR]?[LR])$", lambda m: f" {swap[m[1]]}", name) for name in path.split("/"))

    checked = 0
    for path, (_, solid, at) in car.parts.items():
        if not path.startswith(("/Formula student car/Frame", "/Formula student car/Suspension")):
            continue
        here, there = solid.moved(at), car.parts[mirror_name(path)]
        other = there[1].moved(there[2])
        centre, mirrored = here.Center(), other.Center()
        assert (centre.x, centre.y, centre.z) == pytest.approx((-mirrored.x, mirrored.y, mirrored.z), abs=1e-3), path
        a, b = here.BoundingBox(), other.BoundingBox()
        assert (a.xmin, a.xmax, a.ymin, a.zmax) == pytest.approx((-b.xmax, -b.xmin, b.ymin, b.zmax), abs=1e-2), path
        checked += 1
    assert checked > 100
    for left, right in (("Wheel FL/Tyre", "Wheel FR/Tyre"), ("Wheel RL/Rim", "Wheel RR/Rim")):
        assert car.box(left).xmax == pytest.approx(-car.box(right).xmin, abs=1e-6)


def _middle(low: float, high: float) -> float:
    return (low + high) / 2


def _brace_angle(car: Car) -> float:
    """Slope of the brace from the direction of its axis, against the upright hoop, in the side view."""
    _, _, at = next(part for path, part in car.parts.items() if path.endswith("/Main hoop brace L"))
    axis = cq.Plane(at).zDir
    return math.degrees(math.atan2(axis.y, -axis.z))


def _brace_drop(car: Car) -> float:
    _, _, at = next(part for path, part in car.parts.items() if path.endswith("/Main hoop brace L"))
    return car.box("Main hoop").zmax - cq.Plane(at).origin.z


MEASURES: dict[str, Callable[[Car], float]] = {
    "wheelbase": lambda c: (
        _middle(c.box("Wheel RL/Tyre").ymin, c.box("Wheel RL/Tyre").ymax)
        - _middle(c.box("Wheel FL/Tyre").ymin, c.box("Wheel FL/Tyre").ymax)
    ),
    "front_track": lambda c: 2 * _middle(c.box("Wheel FL/Tyre").xmin, c.box("Wheel FL/Tyre").xmax),
    "rear_track": lambda c: 2 * _middle(c.box("Wheel RL/Tyre").xmin, c.box("Wheel RL/Tyre").xmax),
    "tyre_diameter": lambda c: c.box("Wheel RR/Tyre").zmax - c.box("Wheel RR/Tyre").zmin,
    "ground_clearance": lambda c: c.box("Flat floor").zmin,
    "main_hoop_height": lambda c: c.box("Main hoop").zmax,
    "main_hoop_brace_angle": _brace_angle,
    "main_hoop_brace_drop": _brace_drop,
    "front_hoop_height": lambda c: c.box("Front hoop").zmax,
    "hoop_diameter": lambda c: c.box("Main hoop").ylen,
    "tube_diameter": lambda c: c.box("Harness bar").ylen,
    "front_wing_overhang": lambda c: c.box("Wheel FL/Tyre").ymin - c.box("Front wing endplate L").ymin,
    "front_wing_span": lambda c: c.box("Front wing endplate L").xmax - c.box("Front wing endplate R").xmin,
    "rear_wing_overhang": lambda c: c.box("Rear wing endplate L").ymax - c.box("Wheel RL/Tyre").ymax,
    "rear_wing_height": lambda c: c.box("Rear wing endplate L").zmax,
    "steering_wheel_diameter": lambda c: c.box("Steering wheel").xlen,
    "brake_disc_thickness": lambda c: c.box("Upright unit FL/Brake disc").xlen,
    "impact_attenuator_length": lambda c: c.box("Impact attenuator").ylen,
    "accumulator_wall_thickness": lambda c: c.box("Accumulator lid").zlen,
    "seat_width": lambda c: c.box("Seat").xlen,
}


@pytest.mark.parametrize("name", MEASURES)
def test_geometry_follows_the_parameter(name: str, car: Car, changed: Car) -> None:
    assert MEASURES[name](car) == pytest.approx(getattr(Parameters(), name), abs=1e-3)
    assert MEASURES[name](changed) == pytest.approx(CHANGED[name], abs=1e-3)


def test_changed_car_is_sound(changed: Car) -> None:
    assert all(solid.isValid() for _, solid, _ in changed.parts.values())


def test_wrong_parameters_are_refused_with_a_clear_word() -> None:
    with pytest.raises(ValueError, match=r"unknown parameter 'wheel_base'; did you mean 'wheelbase'\?"):
        build(wheel_base=1500)
    with pytest.raises(ValueError, match="known are: wheelbase, front_track"):
        build(zzz=1)
    with pytest.raises(ValueError, match="'wheelbase' must be finite and above zero"):
        build(wheelbase=-1)
    with pytest.raises(ValueError, match="'wheelbase' must be a number"):
        build(wheelbase="long")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="main_hoop_brace_angle: the braces miss the rear frame"):
        build(main_hoop_brace_angle=70)
    with pytest.raises(ValueError, match="the accumulator does not fit"):
        build(accumulator_length=400)


def test_readme_lists_the_parameters() -> None:
    assert as_markdown(Parameters) in (ROOT / "samples" / "README.md").read_text("utf-8")
