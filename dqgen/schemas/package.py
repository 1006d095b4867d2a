"""`manifest.json`, a package's table of contents.

Scoring needs only the format, the name, the version and where the questions are; all else may be absent.
"""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

FORMAT: Literal["dqgen-package/1"] = "dqgen-package/1"


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
    kind: str | None = Field(None, description="Kind of its questions.")
    split: str | None = Field(None, description="The split that it belongs to.")
    evidence: str | None = Field(None, description="Parquet file with the evidence and the proof of each question.")


class SourceEntry(BaseModel):
    """A file that the package was made from."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    sha256: str = Field(pattern="^[0-9a-f]{64}$")
    path: str | None = Field(None, description="Its copy in the package; null where it is not given away.")


class Manifest(BaseModel):
    """`manifest.json`, the package's table of contents."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    format: Literal["dqgen-package/1"]
    name: str = Field(min_length=1)
    version: str = Field(min_length=1)
    licence: str | None = Field(None, description="Licence of the package, an SPDX name where there is one.")
    generator: str | None = Field(None, description="The program that made it and its version.")
    seed: int | None = Field(None, description="Seed of all random choices.")
    canary: str | None = Field(None, description="A text that should never be found in training data.")
    spec_sha256: str | None = Field(None, description="Hash of the spec, with all its defaults filled in.")
    content_sha256: str | None = Field(
        None, description="Hash of all questions, truths and pictures, without the version."
    )
    subsets: dict[str, SubsetEntry] = Field(min_length=1)
    contexts: str | None = Field(None, description="Parquet file with the texts that questions refer to by hash.")
    key: str | None = Field(
        None,
        description="File with the withheld truths by question id; null where questions carry their own.",
    )
    sources: dict[str, SourceEntry] = Field({}, description="What it was made from, by its path in the spec.")
    files: dict[str, FileEntry] = Field({}, description="Every file of the package by its relative path.")
