"""A rulebook as data: what `dqgen rulebook` writes and what question makers read."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["part", "chapter", "section", "rule"]
Comparator = Literal["minimum", "maximum", "range", "exactly", "approximately"]
QuantityRole = Literal["limit", "condition", "test", "definition", "information"]
Mention = Literal["definition", "mentioned", "not_mentioned"]
Box = tuple[float, float, float, float]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid")


class PageBox(_Model):
    """Where a rule stands: a page (1-based) and a box on it in points, origin at the top left."""

    page: int
    box: Box


class Item(_Model):
    """A lettered, numbered or bulleted item, or a lettered row of a table."""

    id: str = Field(description="The rule's id and the labels down to this item: F.3.2.1.g, T1.1.11#2 for a bullet")
    label: str = Field(description="The marker as printed: a., (1), •")
    text: str = Field(description="Its words without the marker and without deeper items")
    level: int = Field(description="0 for items of the rule, 1 for items of an item, and so on")
    cells: list[str] = Field(default=[], description="The cells of the row, where the item is one of a table")


class Table(_Model):
    """A table of a rule."""

    caption: str = ""
    header: list[str] = []
    rows: list[list[str]]
    page: int
    box: Box


class Reference(_Model):
    """A mention of a rule, of this document or of another; `start` and `end` count characters of the text."""

    text: str
    start: int
    end: int
    ids: list[str] = Field(default=[], description="The rules or items meant, all of them for a range")
    document: str = Field(default="", description="The other document meant; empty for this one")
    resolved: bool


class Amount(_Model):
    """The same quantity in a second unit, as printed in brackets."""

    value: float | list[float]
    unit: str


class Quantity(_Model):
    """A measured value in a rule."""

    comparator: Comparator = Field(description="The bound on a compliant value; for a condition, as it is worded")
    value: float | list[float] = Field(description="A number, or the two ends of a range")
    unit: str = Field(description="mm, degC, deg, %, m/min …; x for a multiple")
    role: QuantityRole
    raw: str
    start: int
    end: int
    item: str = Field(default="", description="The item that it stands in; empty for the rule itself")
    also: list[Amount] = []


class Rule(_Model):
    """One numbered entry of the document."""

    id: str
    printed: str
    occurrence: int = 1
    parent: str | None
    kind: Kind
    title: str
    text: str
    items: list[Item] = []
    tables: list[Table] = []
    notes: list[str] = []
    page: int = Field(description="1-based; 0 where the source has no pages")
    page_label: str = ""
    spans: list[PageBox] = []
    references: list[Reference] = []
    quantities: list[Quantity] = []
    order: int


class Problem(_Model):
    """Something that a reader of the table should know."""

    code: Literal[
        "gap",
        "duplicate",
        "damaged",
        "out-of-order",
        "amendment",
        "empty-page",
        "unresolved",
        "expected",
        "text",
    ]
    what: str
    rule: str = ""
    page: int = 0


class LookAlike(_Model):
    """A line start that reads like a rule number and is none."""

    printed: str
    page: int
    reason: str
    text: str


class SourceFile(_Model):
    """The file that was read."""

    name: str
    format: Literal["pdf", "md", "rst", "html", "txt"]
    sha256: str
    pages: int


class Rulebook(_Model):
    """A whole document."""

    source: SourceFile
    profile: str
    scheme: str = Field(description="The numbering that was found, by example: V.1.4.2")
    rules: list[Rule]
    problems: list[Problem] = []
    look_alikes: list[LookAlike] = []


class Term(_Model):
    """A candidate for a compilation or definition question."""

    term: str
    kind: Literal["defined", "acronym", "phrase"]
    expansion: str = ""
    count: int
    rules: list[str] = Field(description="The rules that mention it, in reading order")
    defined_in: list[str] = []


class Edge(_Model):
    """One reference of the graph: from a rule to a rule or item."""

    source: str
    target: str
    text: str
    document: str = ""
    resolved: bool
