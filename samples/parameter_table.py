"""Parameter tables: a frozen dataclass whose fields carry a value, a unit and a meaning."""

import dataclasses
import difflib
import math
from typing import Any, TypeVar

Table = TypeVar("Table")


def parameter(value: float, unit: str, meaning: str) -> Any:
    """A field of a parameter table. Typed `Any` so that the field's own annotation (`float`) holds."""
    return dataclasses.field(default=value, metadata={"unit": unit, "meaning": meaning})


def from_values(table: type[Table], values: dict[str, float]) -> Table:
    """A table with some values replaced.

    Raises:
        ValueError: a name is not in the table, or a value is not a finite number above zero.
    """
    names = [field.name for field in dataclasses.fields(table)]  # type: ignore[arg-type]
    for name, value in values.items():
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"known are: {', '.join(names)}"
            raise ValueError(f"unknown parameter {name!r}; {hint}")
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(f"parameter {name!r} must be a number, not {value!r}")
        if not (math.isfinite(value) and value > 0):
            raise ValueError(f"parameter {name!r} must be finite and above zero, not {value!r}")
    return table(**{name: float(value) for name, value in values.items()})


def as_markdown(table: type[object]) -> str:
    """The table with its defaults, for the README."""
    rows = ["| parameter | value | unit | meaning |", "|---|---:|---|---|"]
    for field in dataclasses.fields(table):  # type: ignore[arg-type]
        unit, meaning = field.metadata["unit"], field.metadata["meaning"]
        rows.append(f"| `{field.name}` | {field.default:g} | {unit} | {meaning} |")
    return "\n".join(rows)
