"""JSON Schemas by name, for `dqgen schema`."""

import importlib
from typing import Any

from dqgen.errors import UsageError

SCHEMAS: dict[str, tuple[str, str, str]] = {
    # name: (module, model, what it describes)
    "inspect": ("dqgen.schemas.inspection", "InspectionReport", "dqgen inspect --json"),
    "features": ("dqgen.schemas.measure", "FeaturesReport", "dqgen features --json"),
    "measure": ("dqgen.schemas.measure", "MeasureReport", "dqgen measure --json"),
    "render": ("dqgen.schemas.render", "RenderReport", "dqgen render --json"),
    "evidence": ("dqgen.schemas.evidence", "Evidence", "the sidecar of a picture of a model"),
    "sheet-evidence": ("dqgen.schemas.sheet_evidence", "SheetEvidence", "the sidecar of a picture of a sheet"),
    "spec": ("dqgen.schemas.spec", "Spec", "benchmark.yaml, the spec of a benchmark"),
    "manifest": ("dqgen.schemas.package", "Manifest", "a package's manifest.json, as scoring reads it"),
    "question": ("dqgen.schemas.question", "Question", "a question of a package, as scoring reads it"),
    "report": ("dqgen.schemas.report", "Report", "dqgen score --json"),
    "comparison": ("dqgen.schemas.comparison", "Comparison", "dqgen compare --json"),
    "baseline": ("dqgen.schemas.baseline", "BaselineReport", "dqgen baseline naive --json"),
}


def json_schema(name: str) -> dict[str, Any]:
    """The JSON Schema of that name.

    Raises:
        UsageError: there is none.
    """
    if name not in SCHEMAS:
        raise UsageError(f"unknown schema '{name}'", mend=f"use one of {', '.join(SCHEMAS)}")
    module, model, _ = SCHEMAS[name]
    schema: dict[str, Any] = getattr(importlib.import_module(module), model).model_json_schema(by_alias=True)
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}
