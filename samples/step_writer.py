"""Writes an assembly as STEP AP242 whose bytes depend on the model alone.

cadquery's own exporter names a product after the first instance it meets and stores a subassembly once per
use. Here each product is stored once under its product name, each placement keeps its instance name, and the
header's time stamp is fixed.
"""

import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import cadquery as cq
from OCP.BRepBuilderAPI import BRepBuilderAPI_Transform
from OCP.gp import gp_TrsfForm
from OCP.IFSelect import IFSelect_ReturnStatus
from OCP.Interface import Interface_Static
from OCP.Message import Message, Message_Gravity
from OCP.Quantity import Quantity_Color, Quantity_TypeOfColor
from OCP.STEPCAFControl import STEPCAFControl_Controller, STEPCAFControl_Writer
from OCP.STEPControl import STEPControl_StepModelType
from OCP.TCollection import TCollection_ExtendedString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label
from OCP.TDocStd import TDocStd_Document
from OCP.TopLoc import TopLoc_Location
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFApp import XCAFApp_Application
from OCP.XCAFDoc import XCAFDoc_ColorType, XCAFDoc_DocumentTool

from samples.products import PRODUCT, Colour, leaves

Records = dict[str, str]  # what a STEP file says, by "#number"

_REFERENCE = re.compile(r"#\d+")
_STYLE = "MECHANICAL_DESIGN_GEOMETRIC_PRESENTATION_REPRESENTATION"
_DATE = "2026-01-01T00:00:00"
_SETTINGS = {
    "write.step.schema": "AP242DIS",
    "write.step.unit": "MM",
    "xstep.cascade.unit": "MM",
}


def write_step(assembly: cq.Assembly, path: Path) -> None:
    """Write `assembly` (made with `samples.products`) to `path`, in millimetres, with names and colours.

    Raises:
        ValueError: two different shapes or groups share a product name.
        OSError: the kernel could not write the file.
    """
    for printer in Message.DefaultMessenger_s().Printers():
        printer.SetTraceLevel(Message_Gravity.Message_Fail)  # no statistics on stdout
    document = _document(assembly)
    STEPCAFControl_Controller.Init_s()  # settings made before this are forgotten
    for key, value in _SETTINGS.items():
        Interface_Static.SetCVal_s(key, value)
    # Curves on surfaces follow from the analytic surfaces; leaving them out halves the file.
    Interface_Static.SetIVal_s("write.surfacecurve.mode", 0)
    writer = STEPCAFControl_Writer()
    writer.SetNameMode(True)
    writer.SetColorMode(True)
    writer.Transfer(document, STEPControl_StepModelType.STEPControl_AsIs)
    if writer.Write(str(path)) != IFSelect_ReturnStatus.IFSelect_RetDone:
        raise OSError(f"{path}: the STEP file could not be written")
    path.write_text(_normalised(path.read_text("ascii"), assembly.metadata[PRODUCT]), "ascii", newline="\n")


def write_stl(assembly: cq.Assembly, path: Path) -> None:
    """Write all placed parts as one binary STL file, to 0.3 mm and 0.35 rad."""
    placed = cq.Compound.makeCompound([solid.moved(at) for _, _, solid, at in leaves(assembly)])
    if not placed.exportStl(str(path), tolerance=0.3, angularTolerance=0.35, relative=False):
        raise OSError(f"{path}: the STL file could not be written")


def _document(assembly: cq.Assembly) -> TDocStd_Document:
    document = TDocStd_Document(TCollection_ExtendedString("XmlXCAF"))
    XCAFApp_Application.GetApplication_s().InitDocument(document)
    shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
    shapes.SetAutoNaming_s(False)
    colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
    known: dict[str, tuple[object, TDF_Label]] = {}

    def define(node: cq.Assembly) -> TDF_Label:
        """The label of the node's product, made on first use."""
        product, content = node.metadata[PRODUCT], _content(node)
        if product in known:
            if known[product][0] != content:
                raise ValueError(f"product name {product!r} stands for two different things")
            return known[product][1]
        label = shapes.NewShape()
        if isinstance(node.obj, cq.Solid):
            shapes.SetShape(label, _unplaced(node.obj))
            if node.color is not None:
                colours.SetColor(label, _quantity(node.color.toTuple()[:3]), XCAFDoc_ColorType.XCAFDoc_ColorSurf)
        for child in node.children:
            _name(shapes.AddComponent(label, define(child), child.loc.wrapped), child.name)
        _name(label, product)
        known[product] = (content, label)
        return label

    define(assembly)
    shapes.UpdateAssemblies()
    return document


def _content(node: cq.Assembly) -> object:
    """What makes two nodes the same product: the shape object, or the same children at the same places."""
    if isinstance(node.obj, cq.Solid):
        return id(node.obj)
    return [(child.name, child.metadata[PRODUCT], child.loc.toTuple(), _content(child)) for child in node.children]


def _name(label: TDF_Label, name: str) -> None:
    TDataStd_Name.Set_s(label, TCollection_ExtendedString(name))


def _quantity(colour: Colour) -> Quantity_Color:
    return Quantity_Color(*colour, Quantity_TypeOfColor.Quantity_TOC_sRGB)


def _unplaced(solid: cq.Solid) -> TopoDS_Shape:
    """The shape with its own placement worked into its geometry; XCAF would call it a nameless instance."""
    placement = solid.wrapped.Location().Transformation()
    base = solid.wrapped.Located(TopLoc_Location())
    return (
        base if placement.Form() == gp_TrsfForm.gp_Identity else BRepBuilderAPI_Transform(base, placement, True).Shape()
    )


def _normalised(text: str, name: str) -> str:
    """The file as it would be whenever and wherever it was written, each record on a line of its own."""
    head, data = text.split("DATA;\n")
    header = f"FILE_NAME('{name}','{_DATE}',(''),(''),'dqgen samples','dqgen samples','');"
    head, count = re.subn(r"FILE_NAME\(.*?\);", lambda _: header, head, flags=re.DOTALL)
    if count != 1:
        raise OSError("the STEP header holds no FILE_NAME record")
    lines = [re.sub(r"\n *", "", line) for line in data.split(";\n")]
    end = lines.index("ENDSEC")
    records = dict(line.split(" = ", 1) for line in lines[:end])
    for step in (_with_rounded_numbers, _with_counted_usages, _with_shared_geometry, _with_sorted_styles):
        records = step(records)
    new = {key: f"#{number}" for number, key in enumerate(records, start=1)}
    body = [f"{new[key]}={_with_references(record, new)}" for key, record in records.items()]
    return f"{head}DATA;\n" + ";\n".join(body + lines[end:])


def _with_references(record: str, new: Records) -> str:
    """The record with the references changed that `new` holds."""
    return _REFERENCE.sub(lambda match: new.get(match[0], match[0]), record)


def _with_rounded_numbers(records: Records) -> Records:
    """Numbers to 11 digits and 12 decimals: the last digits that the kernel writes are noise and vary.

    What is dropped is a tenth of the kernel's own tolerance at most.
    """

    def rounded(match: re.Match[str]) -> str:
        number = round(float(f"{float(match[0]):.11g}"), 12) + 0.0  # no -0
        mantissa, mark, exponent = f"{number!r}".upper().removesuffix(".0").partition("E")
        return mantissa + ("" if "." in mantissa else ".") + mark + exponent

    return {key: re.sub(r"(?<![\w.'])-?\d+\.\d*(E[-+]?\d+)?", rounded, record) for key, record in records.items()}


def _with_counted_usages(records: Records) -> Records:
    """Usages numbered from 1; the kernel goes on counting from file to file."""
    number = itertools.count(1)

    def counted(match: re.Match[str]) -> str:
        return f"{match[1]}'{next(number)}'"

    usage = re.compile(r"^(NEXT_ASSEMBLY_USAGE_OCCURRENCE\()'\d+'")
    return {key: usage.sub(counted, record) for key, record in records.items()}


def _with_shared_geometry(records: Records) -> Records:
    """Points, directions and vectors that say the same thing become one record, a fifth of the file."""
    for kinds in (("CARTESIAN_POINT(", "DIRECTION("), ("VECTOR(",)):
        first: Records = {}
        same = {key: first.setdefault(record, key) for key, record in records.items() if record.startswith(kinds)}
        kept = {key: record for key, record in records.items() if same.get(key, key) == key}
        records = {key: _with_references(record, same) for key, record in kept.items()}
    return records


def _with_sorted_styles(records: Records) -> Records:
    """Colours in the order of the solids that carry them.

    The kernel keeps them in a table ordered by memory address, and writes them last.
    """
    keys = list(records)
    start = next((i for i, key in enumerate(keys) if records[key].startswith(_STYLE)), len(keys))
    styles = set(keys[start:])

    def solid(key: str) -> int:
        return min(int(other[1:]) for other in _REFERENCE.findall(records[key]) if other not in styles)

    def reached(key: str) -> Iterator[str]:
        yield key
        for other in _REFERENCE.findall(records[key]):
            if other in styles:
                yield from reached(other)

    roots = sorted((key for key in styles if records[key].startswith(_STYLE)), key=solid)
    order = keys[:start] + [key for root in roots for key in reached(root)]
    return {key: records[key] for key in order}
