"""In the child: variants of parametric sources, built and read back; see `parametric`."""

import contextlib
import dataclasses
import importlib
import importlib.util
import inspect
import io
import re
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from dqgen.errors import LoadError, UsageError
from dqgen.schemas.design import Solid

_RESIDUE = re.compile(rb"(?<=[(, ])(-?\d\.\d{5})\d+(?=E-(?:1[3-9]|[2-9]\d|\d{3})[,)])")
"""What subtractions leave of zero, beyond six digits: there the last ones vary from run to run."""

_solids: dict[str, Solid] = {}
"""Solids of the last variant that was read, by their exact shape."""


def work(step: str, request: dict[str, Any]) -> Any:
    """Do a step: `build`, `read` or `list`."""
    steps: dict[str, Callable[..., Any]] = {"build": build_file, "read": read_file, "list": list_parameters}
    return steps[step](**request)


def build_file(model: str, parameters: dict[str, float], output: str) -> None:
    """Build a source and write a STEP file."""
    module = _imported(Path(model))
    build = getattr(module, "build", None)
    if not callable(build):
        raise LoadError("has no function build()", model, "see dqgen/loaders/parametric.py for the contract")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            made = build(**parameters)
    except (TypeError, ValueError) as error:
        raise UsageError(f"build() refuses: {error}", model) from None
    except Exception as error:
        raise LoadError(f"build() fails ({type(error).__name__}: {error})", model) from None
    _write(made, Path(output), model)


def read_file(reader: str, request: dict[str, Any]) -> Any:
    """Read a STEP file that `build_file` wrote; solids of the variant before it are not tessellated again.

    Args:
        reader: the loader, `package.module:function`.
        request: its arguments.
    """
    module, name = reader.split(":")
    return getattr(importlib.import_module(module), name)(**request, known=_solids)


def list_parameters(model: str) -> dict[str, float]:
    """The numbers of the module's dataclass `Parameters`, else those in `build`'s signature."""
    module = _imported(Path(model))
    table = getattr(module, "Parameters", None)
    if dataclasses.is_dataclass(table):
        return {
            field.name: float(field.default)
            for field in dataclasses.fields(table)
            if isinstance(field.default, int | float) and not isinstance(field.default, bool)
        }
    build = getattr(module, "build", None)
    if not callable(build):
        raise LoadError("has no function build()", model, "see dqgen/loaders/parametric.py for the contract")
    return {
        name: float(parameter.default)
        for name, parameter in inspect.signature(build).parameters.items()
        if isinstance(parameter.default, int | float) and not isinstance(parameter.default, bool)
    }


def _imported(path: Path) -> ModuleType:
    """The module at a path, under its dotted name if it stands in a package, so that its own imports work.

    It and all modules beside it are imported anew.
    """
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
    beside = root / parts[0] if len(parts) > 1 else root
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and Path(file).is_relative_to(beside) and not name.startswith("dqgen"):
            del sys.modules[name]
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    try:
        if len(parts) > 1:
            return importlib.import_module(".".join(parts))
        spec = importlib.util.spec_from_file_location(f"_model_{path.stem}", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    except Exception as error:
        raise LoadError(f"cannot be imported ({type(error).__name__}: {error})", str(path)) from None
    return module


def _write(made: Any, output: Path, model: str) -> None:
    import cadquery as cq

    if isinstance(made, cq.Workplane):
        made = made.combine().val() if made.size() > 1 else made.val()
    if isinstance(made, cq.Shape):
        made = cq.Assembly(made, name=Path(model).stem)
    if not isinstance(made, cq.Assembly):
        raise LoadError(f"build() returns {type(made).__name__}, not an assembly or shape", model)
    from dqgen.loaders.step_write import write_step

    if not write_step(made, output):
        raise LoadError("build() made nothing that can be written", model)
    output.write_bytes(_RESIDUE.sub(rb"\1", output.read_bytes()))
