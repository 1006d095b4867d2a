"""The small models that tests read: written once a session by a process of its own, `python -m tests.models FOLDER`.

STEP files are made by the kernel itself; meshes by trimesh.
"""

import sys
from pathlib import Path

import cadquery as cq
import numpy as np
import trimesh
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_Ax1, gp_Dir, gp_Pnt, gp_Trsf, gp_Vec
from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
from OCP.STEPCAFControl import STEPCAFControl_Writer
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorGen, XCAFDoc_DocumentTool

from tests.support import BLUE_WHEEL, RED_FRAME


class Document:
    """A STEP document in the making."""

    def __init__(self) -> None:
        self._document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
        XCAFApp_Application.GetApplication_s().InitDocument(self._document)
        self._shapes = XCAFDoc_DocumentTool.ShapeTool_s(self._document.Main())
        self._colours = XCAFDoc_DocumentTool.ColorTool_s(self._document.Main())

    def part(self, name: str, shape: cq.Workplane, colour: tuple[int, int, int] | None = None) -> TDF_Label:
        label = self._shapes.AddShape(baked(shape.val().wrapped), False)
        self._finish(label, name, colour)
        return label

    def assembly(self, name: str) -> TDF_Label:
        label = self._shapes.NewShape()
        self._finish(label, name, None)
        return label

    def put(self, assembly: TDF_Label, part: TDF_Label, name: str, location: TopLoc_Location) -> TDF_Label:
        label = self._shapes.AddComponent(assembly, part, location)
        self._finish(label, name, None)
        return label

    def write(self, path: Path) -> None:
        self._shapes.UpdateAssemblies()
        writer = STEPCAFControl_Writer()
        writer.SetColorMode(True)
        writer.SetNameMode(True)
        assert writer.Transfer(self._document)
        assert writer.Write(str(path))

    def _finish(self, label: TDF_Label, name: str, colour: tuple[int, int, int] | None) -> None:
        TDataStd_Name.Set_s(label, TCollection_ExtendedString(name, True))
        if colour is not None:
            red, green, blue = (value / 255 for value in colour)
            shade = Quantity_Color(red, green, blue, Quantity_TOC_sRGB)
            self._colours.SetColor(label, shade, XCAFDoc_ColorGen)


def baked(shape: TopoDS_Shape) -> TopoDS_Shape:
    """The shape without a location of its own, which the document framework would make another label of."""
    place = shape.Location().Transformation()
    return BRepBuilderAPI_Transform(shape.Located(TopLoc_Location()), place, True).Shape()


def at(
    x: float, y: float, z: float, degrees: float = 0.0, axis: tuple[float, float, float] = (0, 0, 1)
) -> TopLoc_Location:
    turn, move = gp_Trsf(), gp_Trsf()
    turn.SetRotation(gp_Ax1(gp_Pnt(0, 0, 0), gp_Dir(*axis)), np.radians(degrees))
    move.SetTranslation(gp_Vec(x, y, z))
    return TopLoc_Location(move * turn)


def rover() -> Document:
    """Nested assemblies: two axles of two wheels each under a frame, in three scripts."""
    document = Document()
    frame = document.part("Frame", cq.Workplane().box(120, 40, 10), RED_FRAME)
    wheel = document.part("Колесо", cq.Workplane("XZ").circle(20).circle(6).extrude(10), BLUE_WHEEL)
    axle = document.assembly("車軸")
    document.put(axle, wheel, "Left wheel", at(0, -25, 0))
    document.put(axle, wheel, "Wheel / right", at(0, 35, 0, 30, (0, 1, 0)))
    root = document.assembly("Rover")
    document.put(root, frame, "Frame", at(0, 0, 0))
    document.put(root, axle, "Axle", at(-40, 0, -10))
    document.put(root, axle, "Axle", at(40, 0, -10, 10))
    return document


def enclosed() -> Document:
    """A hollow box with a cube inside that nobody can see, and a plate behind it that only some views show."""
    document = Document()
    shell = document.part("Shell", cq.Workplane().box(40, 40, 40).cut(cq.Workplane().box(30, 30, 30)))
    core = document.part("Core", cq.Workplane().box(10, 10, 10))
    plate = document.part("Plate", cq.Workplane().box(20, 4, 20))
    root = document.assembly("Box of secrets")
    document.put(root, shell, "Shell", at(0, 0, 0))
    document.put(root, core, "Core", at(0, 0, 0))
    document.put(root, plate, "Plate", at(0, 40, 0))
    return document


def single(name: str, shape: cq.Workplane) -> Document:
    document = Document()
    document.part(name, shape)
    return document


def step_files(folder: Path) -> None:
    rover().write(folder / "rover.step")
    enclosed().write(folder / "enclosed.step")
    single("Block", cq.Workplane().box(30, 20, 10, centered=False)).write(folder / "block.step")
    plate = cq.Workplane().box(60, 40, 8).faces(">Z").workplane().center(-15, 0).hole(10).center(30, 0).hole(6, 4)
    single("Plate", plate.edges("|Z").fillet(5)).write(folder / "plate.step")
    round_ones = {
        "ball": cq.Workplane().sphere(12),
        "cone": cq.Workplane(cq.Solid.makeCone(10, 4, 15)),
        "ring": cq.Workplane(cq.Solid.makeTorus(20, 5)),
        "disc": cq.Workplane().circle(25).extrude(6),
    }
    for name, shape in round_ones.items():
        single(name, shape).write(folder / f"{name}.step")


def mesh_files(folder: Path) -> None:
    block = trimesh.creation.box(bounds=[[0, 0, 0], [30, 20, 10]])
    block.export(folder / "block.stl")
    block.export(folder / "block.ascii.stl", file_type="stl_ascii")
    block.export(folder / "block.obj")
    block.export(folder / "block.3mf")
    trimesh.Scene({"Block": block}).export(folder / "block.glb")
    trimesh.creation.cylinder(radius=10, height=30, sections=48).export(folder / "cylinder.stl")
    holed = trimesh.creation.annulus(r_min=5, r_max=15, height=8, sections=64)
    holed.export(folder / "annulus.stl")
    scene = trimesh.Scene()
    small = trimesh.creation.box([10, 10, 10])
    small.visual.face_colors = [200, 30, 30, 255]
    scene.add_geometry(small, geom_name="Würfel", node_name="first")
    turn = trimesh.transformations.rotation_matrix(np.radians(90), [0, 0, 1], [0, 0, 0])
    turn[:3, 3] = [40, 0, 0]
    scene.graph.update(frame_from="first", frame_to="second", matrix=turn, geometry="Würfel")
    scene.export(folder / "pair.glb")


if __name__ == "__main__":
    step_files(Path(sys.argv[1]))
    mesh_files(Path(sys.argv[1]))
