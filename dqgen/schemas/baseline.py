"""Scores of naive baselines."""

from typing import Literal

from pydantic import BaseModel, Field


class BaselineSubset(BaseModel):
    """Mean and spread of a baseline's score over repeats."""

    n: int = Field(description="Questions.")
    mean: float
    sd: float = Field(description="Standard deviation between repeats.")
    lowest: float
    highest: float


class BaselineReport(BaseModel):
    """What `dqgen baseline naive --json` prints."""

    format: Literal["dqgen-baseline/1"] = "dqgen-baseline/1"
    profile: str
    benchmark: str
    repeats: int
    seed: int
    subsets: dict[str, BaselineSubset]
    overall: BaselineSubset
    notes: list[str] = []
