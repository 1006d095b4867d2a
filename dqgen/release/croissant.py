"""The package described in Croissant 1.0 (JSON-LD), which dataset catalogues and loaders read.

Source: https://docs.mlcommons.org/croissant/docs/croissant-spec.html
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from dqgen.schemas.package import Manifest

_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataBiases": "cr:dataBiases",
    "dataCollection": "cr:dataCollection",
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileObject": "cr:fileObject",
    "fileProperty": "cr:fileProperty",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "personalSensitiveInformation": "cr:personalSensitiveInformation",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
"""The context that the specification asks for, word for word."""


def croissant(manifest: Manifest, hashes: Mapping[str, str], folder: Path, description: str) -> dict[str, Any]:
    """The JSON-LD document of a package.

    Args:
        manifest: of the package.
        hashes: sha256 of its tables by path.
        folder: where the tables lie.
        description: of the benchmark, in words.
    """
    tables = {name: entry.questions for name, entry in manifest.subsets.items()}
    if manifest.contexts:
        tables["contexts"] = manifest.contexts
    return {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": manifest.name,
        "description": description,
        "license": manifest.licence,
        "version": manifest.version,
        "isLiveDataset": False,
        "distribution": [
            {
                "@type": "cr:FileObject",
                "@id": path,
                "name": path,
                "contentUrl": path,
                "encodingFormat": "application/x-parquet",
                "sha256": hashes[path],
            }
            for path in tables.values()
        ],
        "recordSet": [_records(name, path, pq.read_schema(folder / path)) for name, path in tables.items()],
    }


def _records(name: str, path: str, schema: pa.Schema) -> dict[str, Any]:
    fields = []
    for column in schema.names:
        kind = schema.field(column).type
        ident = f"{name}/{column}"
        if column != "image" and pa.types.is_struct(kind):
            continue  # properties of the breakdown; nested records have no plain type here
        extract: dict[str, Any] = {"extract": {"column": column}}
        if column == "image":
            extract["transform"] = {"jsonPath": "bytes"}
        fields.append(
            {
                "@type": "cr:Field",
                "@id": ident,
                "name": ident,
                "dataType": "sc:ImageObject" if column == "image" else _type(kind),
                **({"repeated": True} if pa.types.is_list(kind) else {}),
                "source": {"fileObject": {"@id": path}, **extract},
            }
        )
    return {"@type": "cr:RecordSet", "@id": name, "name": name, "key": {"@id": f"{name}/id"}, "field": fields}


def _type(kind: pa.DataType) -> str:
    return "sc:Float" if pa.types.is_floating(kind) else "sc:Text"
