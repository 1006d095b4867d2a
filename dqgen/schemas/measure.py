"""What `dqgen measure` and `dqgen features` put out."""

from pydantic import BaseModel, ConfigDict, Field

Triple = tuple[float, float, float]


class MeasurementModel(BaseModel):
    """One measure, or a part of one."""

    model_config = ConfigDict(extra="forbid")

    expression: str
    kind: str = Field(
        description="distance, extent, clearance, diameter, radius, thickness, angle, count, number, sum, difference, "
        "product, ratio, negative, minimum or maximum"
    )
    value: float
    unit: str = Field(description="mm, deg, mm², 1/mm, or empty for counts, ratios and numbers")
    witnesses: tuple[Triple, Triple] | None = Field(description="the two points it was taken between, mm")
    direction: Triple | None = Field(description="unit vector: (second - first witness) · direction = value")
    centre: Triple | None = Field(description="middle of a round feature, or the vertex of an angle")
    axis: Triple | None = Field(description="unit axis of a round feature, or the normal of an angle's plane")
    arms: tuple[Triple, Triple] | None = Field(description="unit directions of an angle's sides")
    occurrences: tuple[str, ...] = Field(description="paths of the leaves it was taken on")
    exact: bool = Field(description="on exact geometry, not fitted to a mesh or taken on a triangulation")
    parts: tuple["MeasurementModel", ...]


class MeasureReport(BaseModel):
    """`dqgen measure --json`."""

    model_config = ConfigDict(extra="forbid")

    file: str
    sha256: str
    measures: tuple[MeasurementModel, ...]
    warnings: tuple[str, ...]


class AxisModel(BaseModel):
    """The axis of round faces that are one diameter."""

    model_config = ConfigDict(extra="forbid")

    occurrence: str
    faces: tuple[int, ...]
    kind: str = Field(description="cylinder, cone or torus")
    origin: Triple = Field(description="middle of the faces on the axis, mm")
    direction: Triple
    diameter: float = Field(description="mm; the larger end of a cone; of a torus, of its core circle")
    length: float = Field(description="mm along the axis")
    inner: bool = Field(description="material lies outside")
    sweep: float = Field(description="degrees around the axis that are covered")
    exact: bool


class HoleModel(BaseModel):
    """A round hole."""

    model_config = ConfigDict(extra="forbid")

    occurrence: str
    faces: tuple[int, ...]
    position: Triple = Field(description="middle of the opening, mm")
    direction: Triple = Field(description="from the opening into the material")
    diameter: float
    depth: float = Field(description="mm from the opening to the end of the cylinder")
    through: bool
    counterbore: tuple[float, float] | None = Field(description="diameter and depth, mm")
    countersink: tuple[float, float] | None = Field(description="diameter at the opening in mm and full angle in deg")
    exact: bool


class PatternModel(BaseModel):
    """Like holes of one part."""

    model_config = ConfigDict(extra="forbid")

    occurrence: str
    form: str = Field(description="single, circle, row, grid or scattered")
    count: int
    holes: tuple[int, ...] = Field(description="places in the list of holes")
    centre: Triple
    circle_diameter: float = Field(description="of the bolt circle in mm, 0 for other forms")


class PlaneModel(BaseModel):
    """A flat face."""

    model_config = ConfigDict(extra="forbid")

    occurrence: str
    face: int
    origin: Triple
    normal: Triple = Field(description="outward")
    area: float = Field(description="mm²")
    bounds: tuple[Triple, Triple]
    exact: bool


class FeaturesReport(BaseModel):
    """`dqgen features --json`."""

    model_config = ConfigDict(extra="forbid")

    file: str
    sha256: str
    occurrences: tuple[str, ...]
    bounds: tuple[Triple, Triple] = Field(description="least and greatest corner, mm")
    axes: tuple[AxisModel, ...]
    holes: tuple[HoleModel, ...]
    patterns: tuple[PatternModel, ...]
    planes: tuple[PlaneModel, ...]
    warnings: tuple[str, ...]
