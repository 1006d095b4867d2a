"""The part of a package's manifest that scoring needs; the Build writes more, which is left alone here."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT = "dqgen-package/1"


class FileEntry(BaseModel):
    """A file of the package and how to know that it is whole."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    bytes: int | None = Field(None, ge=0)


class SubsetEntry(BaseModel):
    """Where the questions of one subset are."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    questions: str = Field(min_length=1, description="Question file, relative to the manifest: .parquet or .jsonl.")
    count: int | None = Field(None, ge=0, description="Number of questions in it.")


class Manifest(BaseModel):
    """`manifest.json`, the package's table of contents."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal["dqgen-package/1"]
    name: str = Field(min_length=1)
    version: str = Field(min_length=1)
    subsets: dict[str, SubsetEntry] = Field(min_length=1)
    key: str | None = Field(
        None,
        description="File with the withheld truths by question id; null where questions carry their own.",
    )
    files: dict[str, FileEntry] = Field({}, description="Every file of the package by its relative path.")
