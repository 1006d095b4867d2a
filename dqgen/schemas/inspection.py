"""What `dqgen inspect` says of a file."""

from pydantic import BaseModel, ConfigDict, Field, RootModel

from dqgen.schemas.reading import SheetReading


class TreeNode(BaseModel):
    """A node of the assembly tree."""

    model_config = ConfigDict(extra="forbid")

    path: str
    label: str
    product: str
    named_by: str = Field(description="where the label comes from: instance, product, parent or file")
    solid: str | None = Field(description="key of the solid that a leaf shows")
    colour: tuple[int, int, int] | None
    children: tuple["TreeNode", ...]


class PmiItem(BaseModel):
    """A dimension, tolerance or datum attached to the model, as the kernel gives it."""

    model_config = ConfigDict(extra="forbid")

    kind: str
    type: str
    name: str
    values: tuple[float, ...]


class Inspection(BaseModel):
    """One file that was read."""

    model_config = ConfigDict(extra="forbid")

    file: str
    sha256: str
    format: str
    schema_: str = Field(alias="schema", serialization_alias="schema")
    units: str
    mm_per_unit: float
    loader: str
    rung: str
    leaf_occurrences: int
    solids: int = Field(description="distinct closed solids")
    solid_instances: int
    faces: int = Field(description="over all instances")
    triangles: int = Field(description="over all instances")
    bounding_box_mm: tuple[float, float, float]
    bounding_box_corners_mm: tuple[tuple[float, float, float], tuple[float, float, float]]
    volume_mm3: float | None = Field(description="over all instances of closed solids; null if there is none")
    fitted: bool = Field(description="faces were found on a mesh, not read from exact geometry")
    pmi_count: int
    pmi: tuple[PmiItem, ...]
    tree: TreeNode
    warnings: tuple[str, ...]


class InspectionFailure(BaseModel):
    """One file that was not."""

    model_config = ConfigDict(extra="forbid")

    file: str
    error: str


class InspectionReport(RootModel[tuple[Inspection | SheetReading | InspectionFailure, ...]]):
    """`dqgen inspect --json`: an entry a file, in the order given."""
