"""What a functional performance check shows: a curve, a table, a calculation, or a field on a part of the design."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


Texts = Annotated[tuple[str, ...], BeforeValidator(_listed)]
Share = Annotated[float, Field(ge=0, le=1)]
Symbol = Annotated[str, Field(pattern=r"^[A-Za-z]+(_[A-Za-z0-9]+)?$")]

ChartKind = Literal["force-displacement", "time", "curve", "table", "calculation", "field"]
"""How a result is shown; the first three are curves."""
Shape = Literal[
    "crush", "pulse", "stiffening", "straight", "bend to break", "pull to break", "load and unload", "warm up",
    "heat in laps", "noise", "noise by speed", "peaks", "power", "discharge", "pre-charge", "two signals", "return",
    "rise", "hold", "braking", "tilt", "two lines", "steering", "burst",
]  # fmt: skip
CurveReading = Literal[
    "peak", "final", "mean", "area", "slope", "at", "ratio", "reach", "zero", "rise", "delay", "drop", "extent", "set",
    "window", "deceleration", "level",
]  # fmt: skip
"""How the number comes out of curves; docs/functional.md says what each means."""
TableLayout = Literal["total", "share", "difference", "quotient", "specific", "levels"]


class Axis(_Section):
    """An axis of a chart; an end that is left out is chosen from the limit, alike for keeping and breaking it."""

    name: str = Field(min_length=1)
    unit: str = Field("1", min_length=1)
    low: float = 0.0
    high: float | None = None


class CurveChart(_Section):
    """A measured curve, made by a physical model."""

    shape: Shape
    reading: CurveReading
    x: Axis
    y: Axis
    at: float | None = Field(None, description="Abscissa, ordinate, share or window, as the reading needs it.")
    typical: float | None = Field(None, description="Size of what the reading leaves open: a start, a steady value.")
    names: Texts = Field((), description="Of several curves.")
    mark: str | None = Field(None, description="Words at the mark, for shapes that have one.")


class TableChart(_Section):
    """A table of test results."""

    layout: TableLayout
    rows: Texts = Field(min_length=2, description="First cells of the rows.")
    columns: Texts = Field(min_length=2, description="Heads, with units.")
    given: float | None = Field(None, description="Size of what the layout needs besides the limit.")
    note: str = Field("", description="Words below the table; {given} is put in.")


class Given(_Section):
    """A number that a calculation starts from."""

    value: float
    unit: str = "1"
    name: str = Field(min_length=1)
    digits: int = Field(3, ge=1, le=6, description="Significant figures.")


class Step(_Section):
    """A line of a calculation."""

    name: str = Field(min_length=1)
    symbol: Symbol
    expression: str = Field(min_length=1, description="Of symbols above: + - * / **, sqrt, pi.")
    unit: str = "1"


class CalculationChart(_Section):
    """A hand calculation: givens, and steps whose last one is what the rule limits."""

    givens: dict[Symbol, Given]
    steps: tuple[Step, ...]
    vary: Symbol = Field(description="The given that decides whether the limit is kept.")
    result: Symbol | None = Field(None, description="What is held against the limit; the last step if left out.")

    @model_validator(mode="after")
    def _known(self) -> Self:
        if self.vary not in self.givens:
            raise ValueError(f"vary names no given: '{self.vary}'")
        if self.result is not None and self.result not in (*self.givens, *(step.symbol for step in self.steps)):
            raise ValueError(f"result names neither a given nor a step: '{self.result}'")
        return self


class Place(_Section):
    """Part of a prismatic part's surface, in shares of its box: across and up span its profile."""

    across: tuple[Share, Share] = (0.0, 1.0)
    up: tuple[Share, Share] = (0.0, 1.0)
    along: tuple[Share, Share] = (0.0, 1.0)


class FieldSupport(_Section):
    """A place that is held, by a stiff bed."""

    place: Place
    holds: tuple[bool, bool, bool] = Field((True, True, True), description="Across, up, along.")


class FieldLoad(_Section):
    """A force or a torque on a place; its size is shared out by `part`."""

    place: Place
    direction: tuple[float, float, float] | None = Field(None, description="Across, up, along; none for a torque.")
    part: float = Field(1.0, description="Of the load's size.")


class FieldChart(_Section):
    """A linear simulation of a prismatic part."""

    design: str | None = Field(None, description="Its name; the first design if left out.")
    part: str = Field(min_length=1, description="Pattern of the part.")
    result: Literal["stress share", "stress factor", "shear factor", "deflection"]
    material: str = Field(min_length=1)
    modulus: float = Field(gt=0, description="MPa")
    poisson: float = Field(0.3, ge=0, lt=0.5)
    strength: float | None = Field(None, gt=0, description="MPa, yield; in shear for a shear factor.")
    load: float = Field(gt=0, description="N, or N m for a torque.")
    load_name: str = "Load"
    loads: tuple[FieldLoad, ...] = Field(min_length=1)
    supports: tuple[FieldSupport, ...] = Field(min_length=1)
    vary: Literal["load", "strength", "modulus"] = "load"
    view: Literal["iso", "iso-left", "iso-back", "iso-right"] = "iso"
    size: float | None = Field(None, gt=0, description="Side of an element in the profile, mm.")
    layer: float | None = Field(None, gt=0, description="Length of an element along, mm.")

    @model_validator(mode="after")
    def _strong(self) -> Self:
        if (self.result == "deflection") != (self.strength is None):
            raise ValueError("a strength goes with all results but a deflection")
        if {"strength": self.strength is None, "modulus": self.result != "deflection"}.get(self.vary, False):
            raise ValueError("vary what the result depends on")
        return self
