"""Parametric sources: a Python file whose `build(**parameters)` returns a CadQuery assembly, rebuilt in the sandbox.

The contract: `build` takes numbers by name, has a default for each, and raises `ValueError` for a name or value that it
cannot use. It returns a `cadquery.Assembly`, `Workplane` or `Shape`. Names of an assembly's nodes become labels; nodes
that share a shape object become instances of one solid. The file may import from the package that it stands in. Its
modules are imported anew for each variant, so that none depends on those before it.
"""

import dataclasses
import hashlib
import tempfile
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from dqgen.errors import LoadError, UsageError
from dqgen.geometry.measure import Measurer
from dqgen.geometry.measurement import Measurement
from dqgen.geometry.solve import solve
from dqgen.geometry.violations import Limit
from dqgen.loaders import sandbox
from dqgen.loaders.load import load_written
from dqgen.schemas.design import Design

TARGET = "dqgen.loaders.variants:work"


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


class Workshop:
    """A process that builds variants of sources, one after another: what they have in common is tessellated once.

    Args:
        limits: of the process, and of the time for each variant.
    """

    def __init__(self, limits: sandbox.Limits | None = None) -> None:
        self._limits = limits or sandbox.Limits()
        self._child: sandbox.Child | None = None
        self._scratch: tempfile.TemporaryDirectory[str] | None = None

    def rebuild(self, model: Path, parameters: Mapping[str, float]) -> Design:
        """The design that a source builds with some parameters replaced; its `source.sha256` is that of the code.

        Raises:
            UsageError: a parameter is unknown or cannot be used.
            LoadError: the source is missing, fails, or builds nothing.
        """
        if not model.is_file():
            raise LoadError("no such file", str(model))
        with tempfile.TemporaryDirectory(prefix="dqgen-") as folder:
            output = Path(folder) / f"{model.stem}.step"
            request = {"model": str(model.resolve()), "parameters": dict(parameters), "output": str(output)}
            try:
                self._ask("build", request)
            except sandbox.ChildDiedError as death:
                raise LoadError(f"its build() {death.how}", str(model)) from None
            design = load_written(output, self._limits, self._read)
        source = dataclasses.replace(design.source, name=model.name, sha256=source_hash(model))
        return dataclasses.replace(design, source=source)

    def defaults(self, model: Path) -> dict[str, float]:
        """Parameters that a source lets on: numbers of its dataclass `Parameters`, else those in `build`'s signature.

        Raises:
            LoadError: the source is missing or fails.
        """
        try:
            found: dict[str, float] = self._ask("list", {"model": str(model.resolve())})
        except sandbox.ChildDiedError as death:
            raise LoadError(f"it {death.how}", str(model)) from None
        return found

    def close(self) -> None:
        """End the process; the next variant starts another."""
        if self._child is not None:
            self._child.close()
        if self._scratch is not None:
            self._scratch.cleanup()
        self._child = self._scratch = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _read(self, target: str, limits: sandbox.Limits, scratch: str, **request: Any) -> Any:
        return self._ask("read", {"reader": target, "request": request})

    def _ask(self, step: str, request: dict[str, Any]) -> Any:
        if self._child is None:
            self._scratch = tempfile.TemporaryDirectory(prefix="dqgen-")
            self._child = sandbox.Child(TARGET, self._limits, self._scratch.name)
        try:
            return self._child.call(step=step, request=request)
        except sandbox.ChildDiedError:
            self.close()
            raise


def rebuild(model: Path, parameters: Mapping[str, float], limits: sandbox.Limits | None = None) -> Design:
    """One variant by a process of its own; see `Workshop.rebuild`."""
    with Workshop(limits) as workshop:
        return workshop.rebuild(model, parameters)


def source_files(model: Path) -> list[Path]:
    """A source and all code that it may import from where it stands."""
    root = model.parent
    while (root / "__init__.py").is_file() and (root.parent / "__init__.py").is_file():
        root = root.parent
    return [model, *sorted(path for path in root.rglob("*.py") if path != model)]


def source_hash(model: Path) -> str:
    """sha256 of a source with all code that it may import from where it stands.

    Raises:
        LoadError: a file cannot be read.
    """
    hashes = []
    for path in source_files(model):
        try:
            hashes.append(hashlib.sha256(path.read_bytes()).hexdigest())
        except OSError as error:
            raise LoadError(f"cannot be read ({error.strerror or error})", str(path)) from None
    return hashlib.sha256("".join(hashes).encode()).hexdigest()


def defaults(model: Path, limits: sandbox.Limits | None = None) -> dict[str, float]:
    """Asked of a process of its own; see `Workshop.defaults`."""
    with Workshop(limits) as workshop:
        return workshop.defaults(model)


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
            design = workshop.rebuild(model, {parameter: value})
            made[value] = design, Measurer(design).measure(expression)
        except UsageError:
            if value == start:
                raise
            return None
        return made[value][1].value

    with Workshop(limits) as workshop:
        first = quantity(start)
        assert first is not None
        found = solve(quantity, start, wanted, wanted - first)
    if found is None:
        raise UsageError(f"no value of '{parameter}' brings {expression} from {first:.6g} to {wanted:.6g}", str(model))
    design, after = made[found]
    return Rebuilt(design, parameter, found, limit, made[start][1], after, limit.margin(after.value))
