"""STEP files: trees, names, colours, exact faces and edges, broken files."""

import math
import re
from pathlib import Path

import numpy as np
import pytest

from dqgen.errors import LoadError
from dqgen.geometry.transforms import apply, placed
from dqgen.loaders.load import LoadOptions, load
from dqgen.schemas.design import Curve, Design, EdgeClass, Solid, Surface, walk
from tests.conftest import Loader
from tests.support import BLUE_WHEEL, RED_FRAME

ROUND = ("ball", "cone", "ring", "disc", "plate")


def only(design: Design) -> Solid:
    (solid,) = design.solids
    return solid


def test_tree_names_and_unique_paths(design: Loader) -> None:
    rover = design("rover.step")
    assert [(node.path, node.label, node.product) for node in walk(rover.root)] == [
        ("/Rover", "Rover", "Rover"),
        ("/Rover/Frame", "Frame", "Frame"),
        ("/Rover/Axle[1]", "Axle", "車軸"),
        ("/Rover/Axle[1]/Left wheel", "Left wheel", "Колесо"),
        ("/Rover/Axle[1]/Wheel ∕ right", "Wheel / right", "Колесо"),
        ("/Rover/Axle[2]", "Axle", "車軸"),
        ("/Rover/Axle[2]/Left wheel", "Left wheel", "Колесо"),
        ("/Rover/Axle[2]/Wheel ∕ right", "Wheel / right", "Колесо"),
    ]


def test_a_shape_is_stored_once_however_often_it_stands(design: Loader) -> None:
    rover = design("rover.step")
    assert len(rover.solids) == 2
    assert [leaf.occurrence.solid for leaf in placed(rover)] == [0, 1, 1, 1, 1]


def test_instances_stand_where_their_chain_of_transforms_puts_them(design: Loader) -> None:
    leaves = {leaf.path: leaf for leaf in placed(design("rover.step"))}
    turn = np.radians(10)
    # The wheel's own centre (0, -5, 0) is at y = 30 on the axle, which is turned by 10° and moved to (40, 0, -10).
    centre = apply(leaves["/Rover/Axle[2]/Wheel ∕ right"].world, np.array([[0.0, -5.0, 0.0]]))[0]
    assert centre == pytest.approx([40 - 30 * math.sin(turn), 30 * math.cos(turn), -10])


def test_the_box_is_exact_for_instances_turned_askew(design: Loader) -> None:
    low, high = design("rover.step").bounds
    turn = np.radians(10)
    reach = 35 * math.cos(turn) + 20 * math.sin(turn)
    assert high[1] == pytest.approx(reach, abs=1e-6)
    assert high[2] - low[2] == pytest.approx(40, abs=1e-6)


def test_colours_are_inherited(design: Loader) -> None:
    colours = {leaf.occurrence.product: leaf.colour for leaf in placed(design("rover.step"))}
    for product, wanted in (("Frame", RED_FRAME), ("Колесо", BLUE_WHEEL)):
        assert colours[product] == pytest.approx(wanted, abs=1)


def test_source_says_how_it_was_read(design: Loader) -> None:
    source = design("rover.step").source
    assert (source.format, source.schema, source.units, source.mm_per_unit, source.rung) == (
        "step",
        "AUTOMOTIVE_DESIGN",
        "millimetre",
        1.0,
        "xcaf+pmi",
    )


VOLUMES = {
    "block": 30 * 20 * 10,
    "ball": 4 / 3 * math.pi * 12**3,
    "cone": math.pi * 15 * (100 + 40 + 16) / 3,
    "ring": 2 * math.pi**2 * 20 * 25,
    "disc": math.pi * 625 * 6,
}
BOXES = {
    "block": (30, 20, 10),
    "ball": (24, 24, 24),
    "cone": (20, 20, 15),
    "ring": (50, 50, 10),
    "disc": (50, 50, 6),
    "plate": (60, 40, 8),
}


@pytest.mark.parametrize("name", VOLUMES)
def test_volume_is_exact(design: Loader, name: str) -> None:
    assert only(design(f"{name}.step")).volume == pytest.approx(VOLUMES[name], rel=1e-6)


@pytest.mark.parametrize("name", BOXES)
def test_box_is_exact(design: Loader, name: str) -> None:
    low, high = design(f"{name}.step").bounds
    assert high - low == pytest.approx(BOXES[name], rel=1e-6)


@pytest.mark.parametrize(
    ("name", "kind", "radius", "second"),
    [
        ("ball", Surface.SPHERE, 12, 0),
        ("ring", Surface.TORUS, 20, 5),
        ("disc", Surface.CYLINDER, 25, 0),
        ("cone", Surface.CONE, 10, math.degrees(math.atan(6 / 15))),
    ],
)
def test_surfaces_keep_their_parameters(design: Loader, name: str, kind: Surface, radius: float, second: float) -> None:
    faces = only(design(f"{name}.step")).faces
    (row,) = np.flatnonzero(faces.kind == kind)
    assert faces.radius[row] == pytest.approx(radius)
    assert abs(faces.second[row]) == pytest.approx(second)
    assert not faces.reversed[row]
    assert faces.sweep[row] == pytest.approx(360)


def test_holes_are_reversed_cylinders_and_fillets_are_not(design: Loader) -> None:
    faces = only(design("plate.step")).faces
    rows = np.flatnonzero(faces.kind == Surface.CYLINDER)
    found = sorted((float(faces.radius[r]), bool(faces.reversed[r]), round(float(faces.sweep[r]))) for r in rows)
    assert found == [(3, True, 360), *[(5, False, 90)] * 4, (5, True, 360)]
    through = next(r for r in rows if faces.reversed[r] and faces.radius[r] == pytest.approx(5))
    assert faces.origin[through][:2] == pytest.approx([-15, 0])
    assert abs(faces.axis[through][2]) == pytest.approx(1)


def test_area_of_faces(design: Loader) -> None:
    assert sorted(only(design("block.step")).faces.area) == pytest.approx([200, 200, 300, 300, 600, 600])


@pytest.mark.parametrize("name", ROUND)
def test_normals_point_outward_and_lie_on_the_surface(design: Loader, name: str) -> None:
    solid = only(design(f"{name}.step"))
    a, b, c = (solid.vertices[solid.triangles[:, i]] for i in range(3))
    facet = np.cross(b - a, c - a)
    length = np.linalg.norm(facet, axis=1)
    whole = length > 1e-9  # a sphere's poles have triangles without an area
    assert whole.mean() > 0.99
    mean = solid.normals[solid.triangles].mean(axis=1)
    assert (np.einsum("ij,ij->i", facet[whole] / length[whole, None], mean[whole]) > 0.9).all()
    six = np.einsum("ij,ij->i", a, np.cross(b, c)).sum()
    assert six / 6 == pytest.approx(solid.volume, rel=0.02)  # chords lie inside their arcs


@pytest.mark.parametrize("name", ROUND)
def test_a_closed_solid_has_no_border(design: Loader, name: str) -> None:
    solid = only(design(f"{name}.step"))
    assert (solid.links >= 0).all()
    corners = solid.vertices[solid.triangles]
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    assert len(solid.links) * 2 == (sides > 1e-9).sum()


def test_edges_know_their_curve_their_faces_and_how_these_meet(design: Loader) -> None:
    solid = only(design("disc.step"))
    edges = solid.edges
    kinds = sorted(zip(edges.kind.tolist(), edges.edge_class.tolist(), strict=True))
    assert kinds == [
        (Curve.LINE, EdgeClass.SEAM),
        (Curve.CIRCLE, EdgeClass.SHARP),
        (Curve.CIRCLE, EdgeClass.SHARP),
    ]
    for row in np.flatnonzero(edges.kind == Curve.CIRCLE):
        line = edges.polyline(row)
        assert np.hypot(line[:, 0], line[:, 1]) == pytest.approx(25)
        assert edges.radius[row] == pytest.approx([25, 25])
        assert abs(edges.span[row, 1] - edges.span[row, 0]) == pytest.approx(360)
        assert len(set(edges.faces[row])) == 2


def test_fillets_meet_their_planes_smoothly(design: Loader) -> None:
    edges = only(design("plate.step")).edges
    smooth = edges.edge_class == EdgeClass.SMOOTH
    assert smooth.sum() == 8  # two lines for each of the four rounded corners
    assert (edges.kind[smooth] == Curve.LINE).all()


@pytest.mark.parametrize("name", ROUND)
def test_links_on_an_edge_lie_on_its_polyline(design: Loader, name: str) -> None:
    solid = only(design(f"{name}.step"))
    between = solid.triangle_face[solid.links[:, 0]] != solid.triangle_face[solid.links[:, 1]]
    assert (solid.link_edge[between] >= 0).all()
    for row in np.flatnonzero(solid.link_edge >= 0):
        ends = solid.vertices[solid.link_vertices[row]]
        line = solid.edges.polyline(solid.link_edge[row])
        assert np.linalg.norm(line[:, None] - ends, axis=2).min(axis=0).max() < 1e-6


@pytest.mark.parametrize(
    ("raw", "name"),
    [
        ("Вездеход М3".encode("cp1251"), "Вездеход М3"),
        ("Вездеход М3".encode(), "Вездеход М3"),
        (b"\\X2\\041204350437043404350445043E0434\\X0\\ 1", "Вездеход 1"),
        (b"Geh\\X\\E4use", "Gehäuse"),
        (b"Geh\\S\\duse", "Gehäuse"),
        ("ギア".encode("cp932") + "歯車箱".encode("cp932"), "ギア歯車箱"),
        (b"Bob''s \\\\ rover", "Bob's \\ rover"),
    ],
)
def test_names_in_any_encoding(models: Path, tmp_path: Path, raw: bytes, name: str) -> None:
    data = (models / "block.step").read_bytes().replace(b"PRODUCT('Block','Block'", b"PRODUCT('%s','%s'" % (raw, raw))
    file = tmp_path / "named.step"
    file.write_bytes(data)
    root = load(file, LoadOptions()).root
    assert (root.product, root.label, root.path) == (name, name, "/" + name)


def test_placeholder_names_never_stand_in_for_a_product(models: Path, tmp_path: Path) -> None:
    data = (models / "enclosed.step").read_bytes()
    data, replaced = re.subn(rb"OCCURRENCE\('(\d+)','\w+'", rb"OCCURRENCE('\1','NAUO\1'", data)
    assert replaced == 3
    file = tmp_path / "secrets.step"
    file.write_bytes(data)
    leaves = placed(load(file, LoadOptions()))
    assert [(leaf.occurrence.label, leaf.occurrence.named_by) for leaf in leaves] == [
        ("Shell", "product"),
        ("Core", "product"),
        ("Plate", "product"),
    ]


def test_units_of_the_file_are_turned_into_millimetres(models: Path, tmp_path: Path) -> None:
    data = (models / "block.step").read_bytes()
    assert b"SI_UNIT(.MILLI.,.METRE.)" in data
    file = tmp_path / "metres.step"
    file.write_bytes(data.replace(b"SI_UNIT(.MILLI.,.METRE.)", b"SI_UNIT($,.METRE.)"))
    design = load(file, LoadOptions())
    assert (design.source.units, design.source.mm_per_unit) == ("metre", 1000.0)
    assert design.bounds[1] - design.bounds[0] == pytest.approx([30_000, 20_000, 10_000])


@pytest.mark.parametrize("part", [0.3, 0.9, 0.999])
def test_a_file_cut_short_is_refused(models: Path, tmp_path: Path, part: float) -> None:
    data = (models / "block.step").read_bytes()
    file = tmp_path / "short.step"
    file.write_bytes(data[: int(len(data) * part)])
    with pytest.raises(LoadError, match="cut short"):
        load(file, LoadOptions())


def test_a_file_without_geometry_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "nothing.step"
    file.write_bytes(b"ISO-10303-21;\nHEADER;\nENDSEC;\nDATA;\nENDSEC;\nEND-ISO-10303-21;\n")
    with pytest.raises(LoadError) as caught:
        load(file, LoadOptions())
    assert "\n" not in str(caught.value)


def test_a_missing_reference_is_named(models: Path, tmp_path: Path) -> None:
    data = (models / "block.step").read_bytes()
    file = tmp_path / "refers.step"
    reference = b"#9000=DOCUMENT_FILE('elsewhere.stp','','',$,'','');\n"
    file.write_bytes(data.replace(b"ENDSEC;\nEND-ISO", reference + b"ENDSEC;\nEND-ISO"))
    warnings = load(file, LoadOptions()).warnings
    assert any("elsewhere.stp" in warning for warning in warnings)
