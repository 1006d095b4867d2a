"""Mesh files: trees, units, colours, bodies."""

import zipfile
from pathlib import Path

import numpy as np
import pytest
import trimesh

from dqgen.geometry.transforms import placed
from dqgen.loaders.load import LoadOptions, load
from tests.conftest import Loader


def test_instances_of_a_scene_share_their_solid(design: Loader) -> None:
    pair = design("pair.glb", up="z")
    leaves = placed(pair)
    assert len(pair.solids) == 1
    assert [leaf.occurrence.product for leaf in leaves] == ["Würfel", "Würfel"]
    assert len({leaf.path for leaf in leaves}) == 2
    assert pair.bounds == pytest.approx(np.array([[-5, -5, -5], [45, 5, 5]]) * 1000)


def test_gltf_is_y_up_and_in_metres(design: Loader) -> None:
    read = design("block.glb")
    assert (read.source.units, read.source.up) == ("metre", "y")
    assert read.bounds == pytest.approx(np.array([[0, -10, 0], [30, 0, 20]]) * 1000)


@pytest.mark.parametrize("unit", ["inch", "centimeter", "millimeter", "meter", "foot"])
def test_3mf_states_its_unit(tmp_path: Path, unit: str) -> None:
    plain = tmp_path / "plain.3mf"
    trimesh.creation.box([1, 2, 3]).export(plain)
    with zipfile.ZipFile(plain) as source, zipfile.ZipFile(tmp_path / "box.3mf", "w") as target:
        for name in source.namelist():
            target.writestr(name, source.read(name).replace(b'unit="millimeter"', f'unit="{unit}"'.encode()))
    design = load(tmp_path / "box.3mf", LoadOptions())
    factor = {"inch": 25.4, "centimeter": 10, "millimeter": 1, "meter": 1000, "foot": 304.8}[unit]
    assert design.bounds[1] - design.bounds[0] == pytest.approx(np.array([1, 2, 3]) * factor, rel=1e-5)


def test_bodies_and_open_sheets(tmp_path: Path) -> None:
    first = trimesh.creation.box([10, 10, 10])
    second = first.copy()
    second.apply_translation([30, 0, 0])
    (first + second).export(tmp_path / "two.stl")
    (solid,) = load(tmp_path / "two.stl", LoadOptions("mm")).solids
    assert (solid.bodies, solid.volume) == (2, pytest.approx(2000))
    first.update_faces(np.arange(len(first.faces)) > 0)
    first.export(tmp_path / "open.stl")
    design = load(tmp_path / "open.stl", LoadOptions("mm"))
    assert (design.solids[0].bodies, design.solids[0].volume) == (0, 0)
    assert any("not closed" in warning for warning in design.warnings)


def test_colours_of_gltf_are_turned_into_srgb(tmp_path: Path) -> None:
    box = trimesh.creation.box([1, 1, 1])
    # 0.2140 in linear light is 0.5 in sRGB (IEC 61966-2-1).
    material = trimesh.visual.material.PBRMaterial(baseColorFactor=[255, 55, 0, 255])
    box.visual = trimesh.visual.TextureVisuals(material=material)
    trimesh.Scene(box).export(tmp_path / "box.glb")
    (leaf,) = placed(load(tmp_path / "box.glb", LoadOptions()))
    assert leaf.colour == pytest.approx((255, 128, 0), abs=2)


def test_numbers_that_are_none_are_left_out(tmp_path: Path) -> None:
    text = "v nan 0 0\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nf 2 3 4\n"
    (tmp_path / "nan.obj").write_text(text)
    design = load(tmp_path / "nan.obj", LoadOptions("mm"))
    assert len(design.solids[0].triangles) == 1
    assert np.isfinite(design.bounds).all()


def test_a_squeezed_instance_is_left_out_and_told(tmp_path: Path) -> None:
    scene = trimesh.Scene()
    box = trimesh.creation.box([1, 1, 1])
    scene.add_geometry(box, node_name="whole", geom_name="box")
    scene.add_geometry(box, node_name="flat", geom_name="box2", transform=np.diag([0.0, 1, 1, 1]))
    (tmp_path / "flat.glb").write_bytes(scene.export(file_type="glb"))
    design = load(tmp_path / "flat.glb", LoadOptions())
    assert len(placed(design)) == 1
    assert any("squeezed flat" in warning for warning in design.warnings)


def test_triangles_that_are_no_triangles_are_told_and_reach_nowhere(tmp_path: Path) -> None:
    box = trimesh.creation.box([10, 20, 30])
    data = bytearray(box.export(file_type="stl"))
    data[80:84] = (len(box.faces) + 1).to_bytes(4, "little")
    data += np.array([0, 0, 1, -5000, 0, 0, np.nan, 0, 0, 0, 0, 0], dtype="<f4").tobytes() + b"\0\0"
    (tmp_path / "nan.stl").write_bytes(data)
    design = load(tmp_path / "nan.stl", LoadOptions())
    assert design.bounds[1] - design.bounds[0] == pytest.approx([10, 20, 30])
    assert any("left out" in warning for warning in design.warnings)
