"""Product and manufacturing information of a STEP document, as the kernel gives it, mended where it loses values.

The kernel's signs are not to be trusted blindly: lower tolerances come back without theirs. The size of a geometric
tolerance comes back as 0 where the file gives it as a combined entity; then it is read from the file's text.
"""

import re
from typing import Any

from OCP.TDF import TDF_LabelSequence
from OCP.XCAFDoc import XCAFDoc_Datum, XCAFDoc_Dimension, XCAFDoc_DocumentTool, XCAFDoc_GeomTolerance

from dqgen.loaders.step_text import Texts, decode
from dqgen.loaders.units import MM_PER_UNIT, NAMES
from dqgen.schemas.design import Pmi

_PRESENTATION = "DimensionPresentation"
_TOLERANCE = re.compile(rb"\b[A-Z_]*TOLERANCE\s*\(\s*'((?:[^']|'')*)'\s*,\s*(?:'(?:[^']|'')*'|\$)\s*,\s*#(\d+)")
_MEASURE = re.compile(rb"LENGTH_MEASURE\s*\(\s*([-+.\dEe]+)\s*\)\s*,\s*#(\d+)")
_SI_PREFIX = {b"$": "metre", b".MILLI.": "millimetre", b".CENTI.": "centimetre", b".MICRO.": "micrometre"}


def read(document: Any, texts: Texts, data: bytes) -> list[Pmi]:
    """All dimensions and geometric tolerances of a document in file order, then its distinct datums.

    Args:
        document: the kernel's document.
        texts: behind the tokens of the staged file.
        data: the file's bytes.
    """
    tool = XCAFDoc_DocumentTool.DimTolTool_s(document.Main())
    dimensions = [
        Pmi("dimension", kind, _text(item.GetSemanticName(), texts), _numbers(item.GetValues()))
        for item in _objects(tool.GetDimensionLabels, XCAFDoc_Dimension)
        if (kind := _type(item)) != _PRESENTATION  # the drawing of a dimension that is listed by itself
    ]
    tolerances = []
    sizes = _sizes(data)
    for item in _objects(tool.GetGeomToleranceLabels, XCAFDoc_GeomTolerance):
        name = _text(item.GetSemanticName(), texts)
        stated = sizes.get(name, [])
        written = stated.pop(0) if stated else 0.0
        tolerances.append(Pmi("tolerance", _type(item), name, (float(item.GetValue()) or written,)))
    names = (_text(item.GetName(), texts) for item in _objects(tool.GetDatumLabels, XCAFDoc_Datum))
    return [*dimensions, *tolerances, *(Pmi("datum", "Datum", name) for name in dict.fromkeys(names))]


def _objects(listing: Any, attribute: Any) -> list[Any]:
    labels = TDF_LabelSequence()
    listing(labels)
    return [attribute.Set_s(labels.Value(i)).GetObject() for i in range(1, labels.Length() + 1)]


def _type(item: Any) -> str:
    return str(item.GetType().name).split("_", 2)[-1]


def _sizes(data: bytes) -> dict[str, list[float]]:
    """For each tolerance's name the sizes that the file states, in mm, in file order."""
    found: dict[str, list[float]] = {}
    for raw, number in _TOLERANCE.findall(data):
        measure = _MEASURE.search(_entity(data, number))
        if measure:
            size = float(measure[1]) * _unit_mm(data, measure[2])
            found.setdefault(decode(raw).strip(), []).append(size)
    return found


def _entity(data: bytes, number: bytes) -> bytes:
    found = re.search(rb"#" + number + rb"\s*=(.*?);", data, re.S)
    return found[1] if found else b""


def _unit_mm(data: bytes, number: bytes) -> float:
    text = _entity(data, number)
    if named := re.search(rb"CONVERSION_BASED_UNIT\s*\(\s*'([^']*)'", text):
        return MM_PER_UNIT[NAMES.get(named[1].decode("latin-1").lower(), "millimetre")]
    if si := re.search(rb"SI_UNIT\s*\(\s*(\$|\.[A-Z]+\.)\s*,\s*\.METRE\.", text):
        return MM_PER_UNIT[_SI_PREFIX.get(si[1], "millimetre")]
    return 1.0


def _numbers(array: Any) -> tuple[float, ...]:
    if array is None:
        return ()
    return tuple(float(array.Value(i)) for i in range(array.Lower(), array.Upper() + 1))


def _text(handle: Any, texts: Texts) -> str:
    return "" if handle is None else texts.restore(str(handle.ToCString())).strip()
