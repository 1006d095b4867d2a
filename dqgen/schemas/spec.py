"""The spec of a benchmark: what `benchmark.yaml` holds. docs/spec.md describes it for those who write one."""

from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, WithJsonSchema, model_validator

from dqgen.schemas.performance import CalculationChart, ChartKind, CurveChart, FieldChart, TableChart
from dqgen.schemas.question import KINDS
from dqgen.schemas.rulebook import Comparator

FROM_RULE: Literal["from rule"] = "from rule"
SCALES: dict[str, tuple[str, float]] = {
    "mm": ("mm", 1.0), "cm": ("mm", 10.0), "m": ("mm", 1000.0), "in": ("mm", 25.4), "ft": ("mm", 304.8),
    "mm2": ("mm2", 1.0), "cm2": ("mm2", 100.0), "m2": ("mm2", 1e6), "in2": ("mm2", 645.16),
    "deg": ("deg", 1.0), "rad": ("deg", 57.29577951308232),
    "1": ("", 1.0), "x": ("", 1.0), "%": ("", 0.01),
}  # fmt: skip
"""Units of limits of measures: the measure's own unit (an empty one for plain numbers), and how many of it one is."""


def _listed(value: Any) -> Any:
    return [value] if isinstance(value, str) else value


_TEXTS = {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]}
Texts = Annotated[tuple[str, ...], BeforeValidator(_listed), WithJsonSchema(_TEXTS)]
"""One text or a list of them."""


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RulebookSource(_Section):
    """The requirements document, and which parts of it are asked about."""

    file: str = Field(min_length=1, description="Relative to the spec.")
    profile: str = Field("auto", description="auto, designqa, or a YAML file.")
    sections: Texts = Field((), description="Parts or rules whose rules are asked for; all of them if none is given.")
    without: Texts = Field((), description="Parts or rules to leave out of these.")


class Component(_Section):
    """A part or assembly that questions name."""

    name: str = Field(min_length=1, description="As the rulebook says it, lower case where it is no proper name.")
    synonyms: Texts = Field((), description="Other right names; the rulebook is searched for these, too.")
    pattern: Texts = Field(description="Globs of the occurrences that it is made of: label, product or path.")
    count: int | None = Field(None, ge=1, description="How many occurrences the patterns must name; any if left out.")
    plural: bool = Field(False, description="Whether the name is a plural: prompts then say are and them.")
    hide: Texts = Field((), description="Occurrences that are hidden wherever it is shown; more may be, to bare it.")
    avoid: Texts = Field((), description="Occurrences that a close-up without it must not show either: look-alikes.")
    kinds: tuple[Literal["definition", "presence"], ...] = Field(
        ("definition", "presence"), description="Kinds of question that are asked about it."
    )


class DesignSource(_Section):
    """A design: a CAD or mesh file, or a CadQuery source with its parameters."""

    name: str = Field(min_length=1, description="Short, for references within the spec.")
    file: str | None = Field(None, description="CAD or mesh file, relative to the spec.")
    source: str | None = Field(None, description="Python file with build(**parameters), relative to the spec.")
    parameters: dict[str, float] = Field({}, description="What differs from the source's defaults.")
    title: str = Field("design", min_length=1, description="What prompts call it: race car, gearbox.")
    up: str | None = Field(None, description="The file's own up axis: z, y, -y …; the format's if left out.")
    unit: str | None = Field(None, description="Length unit for formats that state none.")
    hide: Texts = Field((), description="Occurrences that are never shown.")
    components: tuple[Component, ...] = ()

    @model_validator(mode="after")
    def _one_origin(self) -> Self:
        if (self.file is None) == (self.source is None):
            raise ValueError("give either file or source")
        if self.parameters and self.source is None:
            raise ValueError("parameters need a source")
        return self


class Limit(_Section):
    """A bound on a compliant value."""

    comparator: Comparator = Field(description="minimum, maximum, range, exactly or approximately")
    value: float | tuple[float, float] = Field(description="A number, or the two ends of a range.")
    unit: str = Field(min_length=1, description="mm, deg, %, 1 for plain numbers; J, kN, degC … for performance.")
    open: bool = Field(False, description="Whether the ends themselves break it.")
    tolerance: float = Field(0.0, ge=0, description="For exactly and approximately: what may be missing, in unit.")

    @model_validator(mode="after")
    def _two_ends(self) -> Self:
        if (self.comparator == "range") != isinstance(self.value, tuple):
            raise ValueError("a range has two values, everything else one")
        if isinstance(self.value, tuple) and self.value[0] >= self.value[1]:
            raise ValueError("a range goes from the lower to the upper value")
        return self

    @property
    def bounds(self) -> tuple[float | None, float | None]:
        """Lowest and highest compliant value in `unit`; None where it has no end."""
        if isinstance(self.value, tuple):
            return self.value
        if self.comparator == "minimum":
            return self.value, None
        if self.comparator == "maximum":
            return None, self.value
        return self.value - self.tolerance, self.value + self.tolerance

    def margin(self, value: float) -> float:
        """By how much a value in `unit` keeps the limit, negative where it breaks it."""
        low, high = self.bounds
        return min(value - low if low is not None else float("inf"), high - value if high is not None else float("inf"))

    def keeps(self, value: float) -> bool:
        """Whether a value in `unit` complies."""
        margin = self.margin(value)
        return margin > 0 if self.open else margin >= 0

    def scaled(self) -> "Limit":
        """The same limit in the unit that measures have: mm, mm2, deg or a plain number (unit 1).

        Raises:
            ValueError: the unit is none of lengths, areas, angles or shares.
        """
        if self.unit not in SCALES:
            raise ValueError(f"unit '{self.unit}' is none of {', '.join(SCALES)}")
        unit, scale = SCALES[self.unit]
        value = tuple(scale * end for end in self.value) if isinstance(self.value, tuple) else scale * self.value
        return self.model_copy(update={"value": value, "unit": unit or "1", "tolerance": scale * self.tolerance})


class EditChoice(_Section):
    """An edit that may be used to break or keep a limit."""

    kind: Literal["move", "rotate", "scale", "remove", "copy"]
    pattern: str = Field(min_length=1, description="Of the occurrences to edit.")
    direction: Literal["x", "y", "z"] | tuple[float, float, float] = Field(
        "z", description="To move along, turn about."
    )
    centre: tuple[float, float, float] | None = Field(None, description="To turn or scale about; their middle.")


class Violations(_Section):
    """How a complying design may become a violating one, and the other way round."""

    edits: Literal["suggested", "none"] | tuple[EditChoice, ...] = Field(
        "suggested", description="Edits of the geometry, in order of preference; those that the measure suggests."
    )
    text: bool = Field(True, description="Whether only the printed number may be changed where no edit serves.")
    parameter: str | None = Field(None, description="A parameter of the design's source that may be changed.")
    percent: float = Field(8.0, gt=0, le=200, description="By which part of the limit it is broken.")


class DimensionCheck(_Section):
    """A rule that a measure of a design decides."""

    rule: str = Field(min_length=1, description="Rule or item.")
    design: str | None = Field(None, description="Its name; the first design if left out.")
    name: str = Field(min_length=1, description="What is measured, in words: wheelbase.")
    measure: str = Field(min_length=1, description="An expression; docs/measures.md.")
    draw: Texts = Field((), description="Expressions to dimension; the parts of the measure if left out.")
    view: str | None = Field(None, description="The view that shows it: front, back, left, right, top, bottom.")
    limit: Limit | Literal["from rule"] = Field(FROM_RULE, description="Given, or as read from the rule.")
    highlight: Texts = Field((), description="Occurrences to colour in the context views; those that it measures.")
    highlight_name: str | None = Field(None, description="What prompts call these: the wheels.")
    only: Texts = Field((), description="Occurrences that the drawing shows; all of them if left out.")
    hide: Texts = Field((), description="Occurrences to leave out of the drawing.")
    violations: Violations = Violations()
    ladder: bool = Field(False, description="Whether variants near the limit are asked about as well.")
    explanation: str | None = Field(None, description="Template; the kind's own if left out.")


class FunctionalCheck(_Section):
    """A rule that a test, a calculation or a simulation decides."""

    rule: str = Field(min_length=1, description="Rule or item.")
    quantity: str = Field(
        min_length=1, description="What is limited, in words: the energy that the attenuator absorbs."
    )
    subject: str = Field(min_length=1, description="What the picture shows, in words: results of a crush test of it.")
    title: str = Field(min_length=1, description="Printed above the picture.")
    limit: Limit | Literal["from rule"] = FROM_RULE
    unit: str = Field(min_length=1, description="Of the limited value.")
    percent: float = Field(10.0, gt=0, le=60, description="By about which part of the limit it is kept or broken.")
    curve: CurveChart | None = None
    table: TableChart | None = None
    calculation: CalculationChart | None = None
    field: FieldChart | None = None
    explanation: str | None = Field(None, description="Template; the kind's own if left out.")

    @model_validator(mode="after")
    def _one_chart(self) -> Self:
        if sum(one is not None for one in (self.curve, self.table, self.calculation, self.field)) != 1:
            raise ValueError("give one of curve, table, calculation and field")
        return self

    @property
    def chart(self) -> ChartKind:
        """How its result is shown."""
        if self.curve is None:
            return "table" if self.table else "calculation" if self.calculation else "field"
        if self.curve.x.unit in ("s", "ms", "min"):
            return "time"
        axes = {self.curve.x.unit, self.curve.y.unit}
        return "force-displacement" if axes & {"N", "kN"} and axes & {"mm"} else "curve"


class Terms(_Section):
    """Terms of compilation questions."""

    terms: Texts = Field((), alias="list", description="`A/B` gives synonyms.")
    auto: int = Field(0, ge=0, description="How many more are chosen from the rulebook.")
    profile: Literal["strict", "designqa"] = Field("strict", description="How the true rules are found.")

    model_config = ConfigDict(extra="forbid", frozen=True, populate_by_name=True)


class Prompts(_Section):
    """Own wording in place of the templates that come with the program; docs/spec.md lists the fields of each."""

    preamble: str | None = Field(None, description="First words of each prompt; filled in as {preamble}.")
    retrieval: str | None = None
    compilation: str | None = None
    definition: str | None = None
    presence: str | None = None
    dimension: str | None = None
    functional: str | None = None


class Pictures(_Section):
    """What pictures are like."""

    size: int = Field(2400, ge=400, le=8000, description="Pixels of the long side.")
    format: Literal["png"] = "png"
    colors: Literal["neutral", "source"] = "neutral"


class Contexts(_Section):
    """Which contexts go with the questions."""

    kinds: tuple[Literal["whole", "chunks", "guaranteed", "empty"], ...] = ("whole", "chunks", "guaranteed", "empty")
    chunk_tokens: int = Field(250, ge=20)
    chunk_overlap: int = Field(50, ge=0)
    chunks: int = Field(
        15, ge=1, description="Chunks that a question gets; compliance questions get chunks_compliance."
    )
    chunks_compliance: int = Field(12, ge=1)
    guaranteed_characters: int = Field(8716, ge=500)

    @model_validator(mode="after")
    def _chunks_advance(self) -> Self:
        if self.chunk_overlap >= self.chunk_tokens:
            raise ValueError("chunk_overlap must be below chunk_tokens")
        return self


class Split(_Section):
    """A share of the questions under a name."""

    name: str = Field(min_length=1, pattern=r"^[a-z][a-z0-9_]*$")
    share: float = Field(gt=0, le=1)


class Spec(_Section):
    """A benchmark as its author describes it; everything but name, rulebook and designs has a default."""

    name: str = Field(min_length=1)
    version: str = Field("1.0.0", pattern=r"^\d+\.\d+\.\d+$", description="Semantic version of the benchmark.")
    licence: str = Field("CC-BY-4.0", min_length=1, description="SPDX identifier or words.")
    description: str = ""
    seed: int = Field(0, ge=0)
    rulebook: RulebookSource
    designs: tuple[DesignSource, ...] = ()
    prompts: Prompts = Prompts()
    terms: Terms = Field(default_factory=lambda: Terms(auto=30))
    dimension: tuple[DimensionCheck, ...] = Field((), description="Checks for dimension questions.")
    functional: tuple[FunctionalCheck, ...] = Field((), description="Checks for functional performance questions.")
    counts: dict[str, Annotated[int, Field(ge=0)]] = Field(
        {}, description="Most questions of a kind; a balanced choice by the seed. 0 leaves a kind out."
    )
    pictures: Pictures = Pictures()
    contexts: Contexts = Contexts()
    splits: tuple[Split, ...] = (Split(name="test", share=1.0),)

    @model_validator(mode="after")
    def _names_agree(self) -> Self:
        names = [design.name for design in self.designs]
        if len({*names}) < len(names):
            raise ValueError("two designs have one name")
        if abs(sum(split.share for split in self.splits) - 1) > 1e-9:
            raise ValueError("the shares of the splits do not add up to 1")
        return self

    def wants(self, kind: str) -> bool:
        """Whether questions of a kind are to be made."""
        return self.counts.get(kind) != 0


SIX_KINDS = tuple(KINDS)
