"""Product and manufacturing information of a STEP document, kept as the kernel gives it.

The kernel's signs are not to be trusted blindly: lower tolerances come back without theirs.
"""

from typing import Any

from OCP.TDF import TDF_LabelSequence
from OCP.XCAFDoc import XCAFDoc_Datum, XCAFDoc_Dimension, XCAFDoc_DocumentTool, XCAFDoc_GeomTolerance

from dqgen.loaders.step_text import Texts
from dqgen.schemas.design import Pmi


def read(document: Any, texts: Texts) -> list[Pmi]:
    """All dimensions, geometric tolerances and datums of a document, in file order."""
    tool = XCAFDoc_DocumentTool.DimTolTool_s(document.Main())
    found: list[Pmi] = []
    for kind, listing, attribute in (
        ("dimension", tool.GetDimensionLabels, XCAFDoc_Dimension),
        ("tolerance", tool.GetGeomToleranceLabels, XCAFDoc_GeomTolerance),
        ("datum", tool.GetDatumLabels, XCAFDoc_Datum),
    ):
        labels = TDF_LabelSequence()
        listing(labels)
        for i in range(1, labels.Length() + 1):
            found.append(_item(kind, attribute.Set_s(labels.Value(i)).GetObject(), texts))
    return found


def _item(kind: str, entry: Any, texts: Texts) -> Pmi:
    name = _text(entry.GetName() if kind == "datum" else entry.GetSemanticName(), texts)
    if kind == "datum":
        return Pmi(kind, "Datum", name)
    type_name = str(entry.GetType().name).split("_", 2)[-1]
    values = _numbers(entry.GetValues()) if kind == "dimension" else (float(entry.GetValue()),)
    return Pmi(kind, type_name, name, values)


def _numbers(array: Any) -> tuple[float, ...]:
    if array is None:
        return ()
    return tuple(float(array.Value(i)) for i in range(array.Lower(), array.Upper() + 1))


def _text(handle: Any, texts: Texts) -> str:
    return "" if handle is None else texts.restore(str(handle.ToCString()))
