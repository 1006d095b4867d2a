"""Parametric sources: a Python file whose `build(**parameters)` returns a CadQuery assembly, rebuilt in the sandbox.

The contract: `build` takes numbers by name, has a default for each, and raises `ValueError` for a name or value that it
cannot use. It returns a `cadquery.Assembly`, `Workplane` or `Shape`. Names of an assembly's nodes become labels; nodes
that share a shape object become instances of one solid. The file may import from the package that it stands in.
"""

import contextlib
import dataclasses
import importlib.util
import inspect
import io
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from dqgen.errors import LoadError, UsageError
from dqgen.geometry.measure import Measurer
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.solve import solve
from dqgen.geometry.violations import Limit
from dqgen.loaders import sandbox
from dqgen.loaders.load import LoadOptions, load
from dqgen.schemas.design import Design

TARGET = "dqgen.loaders.parametric:build_file"


@dataclasses.dataclass(frozen=True)
class Rebuilt:
    """A variant made by changing one parameter of a source.

    Attributes:
        design: as rebuilt.
        parameter, value: what was changed, and to what.
        limit: what the measure is held against.
        before, after: the measure with the source's own value and with the new one.
        margin: by how much the limit is kept, negative where it is broken; from `after`.
    """

    design: Design
    parameter: str
    value: float
    limit: Limit
    before: Measurement
    after: Measurement
    margin: float


def rebuild(model: Path, parameters: Mapping[str, float], limits: sandbox.Limits | None = None) -> Design:
    """The design that a source builds with some parameters replaced.

    Raises:
        UsageError: a parameter is unknown or cannot be used.
        LoadError: the source is missing, fails, or builds nothing.
    """
    chosen = limits or sandbox.Limits()
    if not model.is_file():
        raise LoadError("no such file", str(model))
    with tempfile.TemporaryDirectory(prefix="dqgen-") as folder:
        output = Path(folder) / f"{model.stem}.step"
        request: dict[str, Any] = {"model": str(model.resolve()), "parameters": dict(parameters), "output": str(output)}
        try:
            sandbox.run(TARGET, chosen, scratch=folder, **request)
        except sandbox.ChildDiedError as death:
            raise LoadError(f"its build() {death.how}", str(model)) from None
        design = load(output, LoadOptions(limits=chosen))
    return dataclasses.replace(design, source=dataclasses.replace(design.source, name=model.name))


def defaults(model: Path, limits: sandbox.Limits | None = None) -> dict[str, float]:
    """Parameters that a source lets on: numbers of its dataclass `Parameters`, else those in `build`'s signature.

    Raises:
        LoadError: the source is missing or fails.
    """
    try:
        found: dict[str, float] = sandbox.run(
            "dqgen.loaders.parametric:list_parameters", limits or sandbox.Limits(), model=str(model.resolve())
        )
    except sandbox.ChildDiedError as death:
        raise LoadError(f"it {death.how}", str(model)) from None
    return found


def retuned(
    model: Path,
    parameter: str,
    start: float,
    expression: str,
    limit: Limit,
    margin: float,
    limits: sandbox.Limits | None = None,
) -> Rebuilt:
    """A variant whose measure keeps a limit by a margin (breaks it where the margin is negative).

    Args:
        model: the source.
        parameter: which of its parameters is changed.
        start: its own value.
        expression: the measure.
        limit: what it is held against.
        margin: by how much it is to be kept, in the measure's unit.
        limits: for each rebuild.

    Raises:
        UsageError: no value of the parameter brings the measure there.
        LoadError: see `rebuild`.
    """
    wanted = limit.value + margin if limit.sense == "min" else limit.value - margin
    made: dict[float, tuple[Design, Measurement]] = {}

    def quantity(value: float) -> float | None:
        try:
            design = rebuild(model, {parameter: value}, limits)
            made[value] = design, Measurer(design).measure(expression)
        except UsageError:
            if value == start:
                raise
            return None
        return made[value][1].value

    first = quantity(start)
    assert first is not None
    found = solve(quantity, start, wanted, wanted - first)
    if found is None:
        raise UsageError(f"no value of '{parameter}' brings {expression} from {first:.6g} to {wanted:.6g}", str(model))
    design, after = made[found]
    return Rebuilt(design, parameter, found, limit, made[start][1], after, limit.margin(after.value))


def build_file(model: str, parameters: dict[str, float], output: str) -> None:
    """In the child: build and write a STEP file."""
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


def list_parameters(model: str) -> dict[str, float]:
    """In the child: the numbers of the module's dataclass `Parameters`, else those in `build`'s signature."""
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
    """The module at a path, under its dotted name if it stands in a package, so that its own imports work."""
    root, parts = path.parent, [path.stem]
    while (root / "__init__.py").is_file():
        parts.insert(0, root.name)
        root = root.parent
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
