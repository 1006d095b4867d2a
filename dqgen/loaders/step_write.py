"""A CadQuery assembly as a STEP file in which every node keeps its name and shapes are stored once."""

from pathlib import Path
from typing import Any

from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Controller, STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

PRODUCT = "product"
"""Key of a node's metadata that names its product, where that differs from the node's own name."""


def write_step(assembly: Any, path: Path) -> bool:
    """Write a `cadquery.Assembly`, in millimetres; whether there was anything to write."""
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    shapes.SetAutoNaming_s(False)
    colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    known: dict[object, TDF_Label] = {}

    def shape_label(obj: Any, name: str, colour: Any) -> TDF_Label:
        shape = obj.wrapped if hasattr(obj, "wrapped") else _compound(obj)
        key = (id(obj), tuple(colour.toTuple()) if colour else None, name)
        if key in known:
            return known[key]
        label = shapes.NewShape()
        shapes.SetShape(label, shape)
        if colour:
            rgb = Quantity_Color(*colour.toTuple()[:3], Quantity_TypeOfColor.Quantity_TOC_sRGB)
            colours.SetColor(label, rgb, XCAFDoc_ColorType.XCAFDoc_ColorSurf)
        _name(label, name)
        known[key] = label
        return label

    def define(node: Any, colour: Any) -> TDF_Label | None:
        own = node.color or colour
        product = str(node.metadata.get(PRODUCT, node.name))
        parts = []
        if node.obj is not None:
            parts.append((shape_label(node.obj, product, own), product, TopLoc_Location()))
        for child in node.children:
            label = define(child, own)
            if label is not None:
                parts.append((label, child.name, child.loc.wrapped))
        if not parts:
            return None
        if node.obj is not None and len(parts) == 1:
            return parts[0][0]
        group = shapes.NewShape()
        for label, name, location in parts:
            _name(shapes.AddComponent(group, label, location), name)
        _name(group, product)
        return group

    if define(assembly, None) is None:
        return False
    shapes.UpdateAssemblies()
    STEPCAFControl_Controller.Init_s()  # settings made before this are forgotten
    for key, value in (("write.step.schema", "AP242DIS"), ("write.step.unit", "MM"), ("xstep.cascade.unit", "MM")):
        Interface_Static.SetCVal_s(key, value)
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.SetColorMode(True)
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    return bool(writer.Write(str(path)) == IFSelect_ReturnStatus.IFSelect_RetDone)


def _compound(workplane: Any) -> Any:
    import cadquery as cq

    return cq.Compound.makeCompound(workplane.vals()).wrapped


def _name(label: TDF_Label, name: str) -> None:
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))
