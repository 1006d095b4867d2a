"""The comparison of models on the same questions."""

from typing import Literal

from pydantic import BaseModel, Field

from dqgen.schemas.report import Interval


class ModelScore(BaseModel):
    """A model's mean score on the questions that all models share."""

    name: str
    file: str
    scores: dict[str, float] = Field(description="By subset, and `overall`, the mean of the subsets.")
    intervals: dict[str, Interval]


class Pair(BaseModel):
    """The paired difference of two models, second minus first, on one subset or overall."""

    first: str
    second: str
    scope: str = Field(description="A subset's name, or `overall`.")
    family: Literal["overall", "subsets"] = Field(description="Tests that are corrected together.")
    n: int = Field(description="Questions.")
    clusters: int = Field(description="Independent units: designs, pictures or single questions.")
    difference: float
    interval: Interval | None
    p: float = Field(description="Wilcoxon signed-rank, two-sided, on the units' mean differences; 1 where all are 0.")
    q: float = Field(description="p after Benjamini-Hochberg within the family.")
    effect: float = Field(description="Rank-biserial correlation in [-1, 1]; 0 where all differences are 0.")
    detectable: float | None = Field(
        description="Smallest true difference found with 80 % power at 5 %; null where the differences do not vary."
    )


class Screening(BaseModel):
    """A test over all models at once, on one subset or overall."""

    scope: str
    clusters: int
    statistic: float
    p: float
    effect: float | None = Field(None, description="Friedman: Kendall's W. Page: none.")


class Comparison(BaseModel):
    """What `dqgen compare --json` prints."""

    format: Literal["dqgen-comparison/1"] = "dqgen-comparison/1"
    profile: str
    benchmark: str
    resamples: int
    seed: int
    models: list[ModelScore]
    pairs: list[Pair]
    friedman: list[Screening] = Field([], description="Over three models or more.")
    page: list[Screening] = Field([], description="Where an order was given in advance.")
    order: list[str] = []
    notes: list[str] = []
