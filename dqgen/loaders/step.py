"""STEP files through the Open CASCADE kernel, in a child process (see `sandbox`).

The kernel is met here and in `brep` alone. It prints freely and can crash on a bad file; both stay in the child.
"""

import dataclasses
import hashlib
import re
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from OCP.IFSelect import IFSelect_RetDone
from OCP.Quantity import Quantity_Color, Quantity_TOC_sRGB
from OCP.STEPCAFControl import STEPCAFControl_Reader
from OCP.STEPControl import STEPControl_Reader
from OCP.TCollection import TCollection_AsciiString, TCollection_ExtendedString
from OCP.TColStd import TColStd_SequenceOfAsciiString
from OCP.TDataStd import TDataStd_Name
from OCP.TDF import TDF_Label, TDF_LabelSequence, TDF_Tool
from OCP.TDocStd import TDocStd_Document
from OCP.TopoDS import TopoDS_Shape
from OCP.XCAFDoc import (
    XCAFDoc_ColorGen,
    XCAFDoc_ColorSurf,
    XCAFDoc_ColorTool,
    XCAFDoc_DocumentTool,
    XCAFDoc_ShapeTool,
)

from dqgen.errors import LoadError
from dqgen.loaders import archive, brep, pmi, step_text
from dqgen.loaders.brep_frames import matrix
from dqgen.loaders.tree import Node, finish
from dqgen.loaders.units import MM_PER_UNIT
from dqgen.schemas.design import Colour, Design, Pmi, Solid, Source

# Names that stand where a person gave none.
_NO_INSTANCE_NAME = re.compile(r"\s*|NAUO\s*\d+|=>\[.*\]|\*DIT\d+|Next assembly relationship|[\d:]+", re.I)
_NO_PRODUCT_NAME = re.compile(
    r"\s*|SOLID|COMPOUND|COMPSOLID|SHELL|FACE|WIRE|EDGE|VERTEX|Open CASCADE STEP translator.*"
)


def load(
    path: str, output: str, version: str, rung: str, failures: list[str], known: dict[str, Solid] | None = None
) -> dict[str, Any]:
    """Read a file and write the design's archive to `output`.

    Args:
        path: the file.
        output: where the archive goes.
        version: the loader's name and version, for the record.
        rung: how to read it, one of the ladder's.
        failures: how the rungs above ended.
        known: solids of a file that was read before, by their exact shapes; those of this file then stand there
            instead. None if nothing like it will be read.

    Raises:
        LoadError: the file is no STEP file, is cut short, or holds no geometry.
    """
    file = Path(path)
    data = file.read_bytes()
    if step_text.TAIL not in data[-4096:].rstrip(b"\0\r\n\t "):
        raise LoadError("is cut short: it does not end in END-ISO-10303-21", file.name, "export it again")
    with tempfile.TemporaryDirectory(prefix="dqgen-") as folder:
        staged, texts, missing = step_text.stage(file, data, Path(folder))
        reading = _Reading(file, data, texts, known)
        reading.warnings += [f"reader {failure}: read by a lower rung" for failure in failures]
        reading.warnings += [f"refers to {name}, which is not beside it: that part is missing" for name in missing]
        root = reading.plain(staged) if rung == "plain" else reading.assembly(staged, with_pmi=rung == "xcaf+pmi")
    units, mm_per_unit = _units(reading.units)
    if not any(name.strip() for name in reading.units):
        reading.warnings.append("states no length unit: millimetres assumed")
    source = Source(
        name=file.name,
        sha256=hashlib.sha256(data).hexdigest(),
        format="step",
        schema=step_text.schema(data),
        units=units,
        mm_per_unit=mm_per_unit,
        loader=version,
        rung=rung,
        up="z",
    )
    if root is None or not reading.solids:
        reason = f"; it refers to {', '.join(missing)}, not beside it" if missing else ""
        raise LoadError(f"holds no faces or solids{reason}", file.name, "export the model's geometry with it")
    design = finish(file.stem, source, root, reading.solids, reading.pmi, list(dict.fromkeys(reading.warnings)))
    design = _exact_bounds(design, reading)
    if known is not None:
        known.clear()
        known.update(reading.kept)
    Path(output).write_bytes(archive.dump(design))
    return {}


def kernel() -> str:
    """Version of the Open CASCADE kernel."""
    import OCP

    return str(getattr(OCP, "__version__", "of unknown version"))


class _Reading:
    """What is gathered while one file is read: solids by their label, texts, warnings."""

    def __init__(self, file: Path, data: bytes, texts: step_text.Texts, known: dict[str, Solid] | None = None) -> None:
        self.file = file
        self.data = data
        self.texts = texts
        self.solids: list[Solid] = []
        self.shapes: list[TopoDS_Shape] = []
        self.pmi: list[Pmi] = []
        self.warnings: list[str] = []
        self.units: list[str] = []
        self.kept: dict[str, Solid] = {}
        self._known = known
        self._row: dict[str, int | None] = {}
        self._colours: Any = None
        self._faces_coloured = False
        self._angular = brep.ANGULAR_DEFLECTION

    def assembly(self, path: Path, with_pmi: bool) -> Node | None:
        """The tree with names and colours, through the kernel's document framework."""
        reader = STEPCAFControl_Reader()
        reader.SetNameMode(True)
        reader.SetColorMode(True)
        reader.SetLayerMode(False)
        reader.SetMatMode(False)
        reader.SetPropsMode(False)
        reader.SetGDTMode(with_pmi)
        if reader.ReadFile(str(path)) != IFSelect_RetDone:
            raise LoadError("is not a STEP file that can be parsed", self.file.name, "export it again")
        self._note_units(reader.ChangeReader())
        document = TDocStd_Document(TCollection_ExtendedString("dqgen"))
        if not reader.Transfer(document):
            raise LoadError("holds nothing that can be turned into geometry", self.file.name)
        shapes = XCAFDoc_DocumentTool.ShapeTool_s(document.Main())
        self._colours = XCAFDoc_DocumentTool.ColorTool_s(document.Main())
        listed = TDF_LabelSequence()
        self._colours.GetColors(listed)
        self._faces_coloured = listed.Length() > 0
        free = TDF_LabelSequence()
        shapes.GetFreeShapes(free)
        whole = [XCAFDoc_ShapeTool.GetShape_s(free.Value(i)) for i in range(1, free.Length() + 1)]
        self._angular = brep.angular_deflection(whole)
        roots = [self._node(free.Value(i), None) for i in range(1, free.Length() + 1)]
        if with_pmi:
            self.pmi = pmi.read(document, self.texts, self.data)
        found = [node for node in roots if node is not None]
        if len(found) > 1:
            return Node("", self.file.stem, np.eye(4), None, None, found)
        return found[0] if found else None

    def plain(self, path: Path) -> Node | None:
        """Shapes only, for files that the document framework cannot take."""
        reader = STEPControl_Reader()
        if reader.ReadFile(str(path)) != IFSelect_RetDone:
            raise LoadError("is not a STEP file that can be parsed", self.file.name, "export it again")
        self._note_units(reader)
        reader.TransferRoots()
        self.warnings.append("read by its shapes alone: names, colours and PMI are lost")
        nodes = []
        parts = brep.parts(reader.OneShape())
        self._angular = brep.angular_deflection(parts)
        for number, shape in enumerate(parts, start=1):
            row = self._solid(f"shape {number}", shape)
            if row is not None:
                nodes.append(Node("", f"Solid {number}", np.eye(4), None, row))
        return Node("", self.file.stem, np.eye(4), None, None, nodes) if nodes else None

    def _node(self, label: TDF_Label, location: Any) -> Node | None:
        """The tree below a label; None where there is no face in it."""
        product = TDF_Label()
        if not XCAFDoc_ShapeTool.GetReferredShape_s(label, product):
            product = label
        transform = np.eye(4) if location is None else matrix(location)
        product_name = self._name(product)
        instance_name = self._name(label) if product != label else ""
        node = Node(
            "" if _NO_INSTANCE_NAME.fullmatch(instance_name) else instance_name,
            "" if _NO_PRODUCT_NAME.fullmatch(product_name) else product_name,
            transform,
            self._label_colour(label) or self._label_colour(product),
            None,
        )
        if XCAFDoc_ShapeTool.IsAssembly_s(product):
            parts = TDF_LabelSequence()
            XCAFDoc_ShapeTool.GetComponents_s(product, parts, False)
            for i in range(1, parts.Length() + 1):
                child = self._node(parts.Value(i), XCAFDoc_ShapeTool.GetLocation_s(parts.Value(i)))
                if child is not None:
                    node.children.append(child)
            return node if node.children else None
        node.solid = self._solid(_entry(product), XCAFDoc_ShapeTool.GetShape_s(product))
        if node.solid is None and node.product:
            self.warnings.append(f"'{node.product}' has no faces and is left out")
        return node if node.solid is not None else None

    def _solid(self, key: str, shape: TopoDS_Shape) -> int | None:
        """Row of the shape's solid, tessellated on first sight; None if it has no face."""
        if key not in self._row:
            solid = self._tessellated(key, shape)
            self._row[key] = None if solid is None else len(self.solids)
            if solid is not None:
                self.solids.append(solid)
                self.shapes.append(shape)
        return self._row[key]

    def _tessellated(self, key: str, shape: TopoDS_Shape) -> Solid | None:
        colour = self._face_colour if self._faces_coloured else None
        if self._known is None:
            return brep.solid(key, shape, self._angular, colour)
        digest = brep.digest(shape, self._angular, colour)
        same = self._known.get(digest)
        solid = brep.solid(key, shape, self._angular, colour) if same is None else dataclasses.replace(same, key=key)
        if solid is not None:
            self.kept[digest] = solid
        return solid

    def _name(self, label: TDF_Label) -> str:
        attribute = TDataStd_Name()
        if not label.FindAttribute(TDataStd_Name.GetID_s(), attribute):
            return ""
        return self.texts.restore(attribute.Get().ToExtString()).strip()

    def _label_colour(self, label: TDF_Label) -> Colour | None:
        colour = Quantity_Color()
        for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen):
            if XCAFDoc_ColorTool.GetColor_s(label, kind, colour):
                return _srgb(colour)
        return None

    def _face_colour(self, shape: TopoDS_Shape) -> Colour | None:
        colour = Quantity_Color()
        for kind in (XCAFDoc_ColorSurf, XCAFDoc_ColorGen):
            if self._colours.GetColor(shape, kind, colour):
                return _srgb(colour)
        return None

    def _note_units(self, reader: Any) -> None:
        lengths, angles, solid_angles = (TColStd_SequenceOfAsciiString() for _ in range(3))
        reader.FileUnits(lengths, angles, solid_angles)
        self.units = [lengths.Value(i).ToCString().lower() for i in range(1, lengths.Length() + 1)]


def _units(names: list[str]) -> tuple[str, float]:
    distinct = list(dict.fromkeys("metre" if name == "m" else name for name in names if name.strip()))
    if not distinct:
        return "millimetre", 1.0
    return " and ".join(distinct), MM_PER_UNIT.get(distinct[0], 1.0)


def _entry(label: TDF_Label) -> str:
    text = TCollection_AsciiString()
    TDF_Tool.Entry_s(label, text)
    return str(text.ToCString())


def _srgb(colour: Quantity_Color) -> Colour:
    red, green, blue = (round(255 * value) for value in colour.Values(Quantity_TOC_sRGB))
    return red, green, blue


def _exact_bounds(design: Design, reading: _Reading) -> Design:
    """The design with its box over the turned instances taken from the kernel, not from the turned boxes."""
    return brep.exact_bounds(design, reading.shapes)
