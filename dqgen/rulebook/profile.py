"""Profiles: what a user says about an odd document, and what was found about any."""

import re
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from dqgen.errors import RulebookError


class Pages(BaseModel):
    """Which pages hold rules, 1-based; empty for all."""

    model_config = ConfigDict(extra="forbid")

    body: str = Field(default="", description="Ranges of pages with rules: 5-131")
    skip: str = Field(default="", description="Pages to leave out: 1-4, 98")


class Expected(BaseModel):
    """What the document is known to hold; `check` reports a difference."""

    model_config = ConfigDict(extra="forbid")

    count: int | None = None
    first: str = ""
    last: str = ""


class Profile(BaseModel):
    """What is odd about a document. Every field has a default that means: find out."""

    model_config = ConfigDict(extra="forbid")

    name: str = "auto"
    match: str = Field(default="", description="Pattern sought in the first page's text and the file name")
    pages: Pages = Pages()
    columns: Literal[0, 1, 2, 3] = Field(default=0, description="Columns of text; 0 to find out")
    header: float = Field(default=0, description="Points at the top of each page to leave out")
    footer: float = Field(default=0, description="Points at the bottom of each page to leave out")
    furniture: list[str] = Field(default=[], description="Patterns of lines to leave out wherever they stand")
    id_pattern: str = Field(default="", description="Pattern of a number at a line start: prefix, numbers")
    separator: str | None = Field(default=None, description="Normal form: what stands between letters and figures")
    levels: int = Field(default=0, description="Deepest number that is a rule, in figures; 0 for any")
    part: str = Field(default="", description="Pattern of a part's heading, groups letter and title")
    article: str = Field(default="", description="Pattern of an article's heading, group numbers")
    inherit: bool | None = Field(default=None, description="Whether plain numbers take the letter of their part")
    stop: str = Field(default="", description="Pattern of a line that ends a rule and opens what is none")
    titles: Literal["auto", "heading", "none"] = Field(default="auto", description="Which head lines are titles")
    list_markers: str = Field(default="", description="Further signs that open an item")
    captions: list[str] = Field(default=[], description="Further patterns of captions")
    tables: Literal["auto", "off"] = "auto"
    hyphenation: Literal["join", "keep"] = Field(default="join", description="Hyphens at line ends")
    replacements: dict[str, str] = Field(default={}, description="Text to replace before anything is read")
    reference: str = Field(default="", description="Pattern of a further kind of reference, group id")
    external: list[str] = Field(default=[], description="First words of ids of other documents: ISO, DIN")
    amends: str = Field(default="", description="The document that this one amends; its ids are external")
    units: dict[str, str] = Field(default={}, description="Further units: as printed, as reported")
    parts: list[str] = Field(default=[], description="Letters of the parts that terms are looked up in; all if none")
    expected: Expected = Expected()

    @field_validator("match", "id_pattern", "part", "article", "stop", "reference")
    @classmethod
    def _is_pattern(cls, value: str) -> str:
        try:
            re.compile(value)
        except re.error as error:
            raise ValueError(f"is no regular expression: {error}") from error
        return value

    @field_validator("furniture", "captions")
    @classmethod
    def _are_patterns(cls, values: list[str]) -> list[str]:
        return [cls._is_pattern(value) for value in values]


def page_set(text: str) -> set[int]:
    """Page numbers of `1-4, 98`.

    Raises:
        RulebookError: the text is no list of pages.
    """
    pages: set[int] = set()
    for piece in filter(None, (piece.strip() for piece in text.split(","))):
        match = re.fullmatch(r"(\d+)(?:\s*[-–]\s*(\d+))?", piece)
        if not match:
            raise RulebookError(f"'{piece}' is no page or range of pages", "profile", "write 5-131 or 1-4, 98")
        first = int(match[1])
        pages.update(range(first, int(match[2] or first) + 1))
    return pages


BUILT_IN = {
    "auto": Profile(),
    # The nine parts that the DesignQA questions were made from.
    "designqa": Profile(name="designqa", parts=["V", "F", "T", "VE", "IC", "EV", "IN", "S", "D"]),
}


def load_profile(name: str) -> Profile:
    """A built-in profile by name, or one from a YAML file.

    Raises:
        RulebookError: there is no such profile, or it holds a field that is unknown or wrong.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]
    path = Path(name)
    if not path.is_file():
        known = ", ".join(BUILT_IN)
        raise RulebookError("no such profile", name, f"give {known} or a YAML file")
    import yaml

    try:
        data = yaml.safe_load(path.read_text(encoding="utf-8"))
        return Profile.model_validate(data or {})
    except yaml.YAMLError as error:
        raise RulebookError(f"is no YAML: {' '.join(str(error).split())}", name, "see docs/rulebook.md") from error
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(str(part) for part in first["loc"])
        raise RulebookError(f"field {field}: {first['msg']}", name, "see docs/rulebook.md") from error


def dump_profile(profile: Profile) -> str:
    """The profile as YAML, each field with its meaning as a comment."""
    import yaml

    out = ["# A profile for dqgen rulebook; every field may be left out. See docs/rulebook.md."]
    for name, field in Profile.model_fields.items():
        value = getattr(profile, name)
        plain = value.model_dump() if isinstance(value, BaseModel) else value
        text = yaml.safe_dump({name: plain}, sort_keys=False, allow_unicode=True, width=1000).rstrip("\n")
        first, *more = text.split("\n")
        out.append(f"{first}  # {field.description}" if field.description and not more else first)
        out += more
    return "\n".join(out) + "\n"
