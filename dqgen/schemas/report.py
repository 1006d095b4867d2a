"""The report of a scoring run: scores with their uncertainty, and everything that went wrong on the way."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Status = Literal["answered", "unparsed", "refused", "empty", "missing"]
"""How a reply came out: read; not readable as an answer; declined; blank; not there at all."""

Profile = Literal["robust", "designqa"]


class Interval(BaseModel):
    """A 95 % percentile bootstrap interval."""

    model_config = ConfigDict(frozen=True)

    low: float
    high: float


class Group(BaseModel):
    """The score of some questions of a subset that share a tag."""

    n: int = Field(ge=1)
    score: float
    interval: Interval | None = None
    clusters: int = Field(ge=1, description="Independent units among the n: designs, pictures or single questions.")
    small: bool = Field(description="Fewer than 30 independent units: the interval is rough.")
    bleu2: float | None = None
    rouge_l: float | None = None
    similarity: float | None = None
    explained: int = Field(0, description="Questions whose explanation is scored.")


class Subset(Group):
    """The score of one subset, with its breakdown."""

    kind: str
    metric: str
    unparsed: float = Field(description="Share of replies that gave no readable answer.")
    refused: float = Field(description="Share of replies that declined to answer.")
    empty: float = Field(description="Share of blank replies.")
    missing: float = Field(description="Share of questions without a reply.")
    hedged: float = Field(description="Share of replies that answer yes or no and doubt it in the same breath.")
    balanced_accuracy: float | None = Field(None, description="Yes/no only: mean of the two classes' recalls.")
    share_yes: float | None = Field(None, description="Yes/no only: share of yes among the answers read.")
    share_yes_truth: float | None = Field(None, description="Yes/no only: share of yes among the truths.")
    by: dict[str, dict[str, Group]] = Field({}, description="Tag, then value, then score.")


class Overall(BaseModel):
    """The mean of the subsets' scores, over those present."""

    score: float
    interval: Interval | None = None
    subsets: list[str]
    absent: list[str] = Field(description="Subsets of the benchmark for which there are no predictions.")
    note: str


class Problems(BaseModel):
    """What did not fit between questions and predictions."""

    missing: list[str] = []
    duplicate: list[str] = []
    unknown: list[str] = []


class Difference(BaseModel):
    """A question on which the two profiles give different scores."""

    id: str
    subset: str
    designqa: float | None = Field(description="Null where the official scorer stops with an error.")
    robust: float
    why: str


class Report(BaseModel):
    """What `dqgen score --json` prints."""

    format: Literal["dqgen-report/1"] = "dqgen-report/1"
    profile: Profile
    benchmark: str
    version: str | None = None
    predictions: list[str]
    resamples: int
    seed: int
    overall: Overall
    subsets: dict[str, Subset]
    problems: Problems
    differences: list[Difference] | None = None
    notes: list[str] = []
