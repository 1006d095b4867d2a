"""A question of a benchmark, as the scorer reads it: what is asked, what is true, and how it is grouped."""

import json
import math
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

AnswerType = Literal["text", "rules", "name", "yes_no", "choice", "number"]
"""What sort of answer a question has: it chooses the reading of a reply and the metric."""

ANSWER_TYPES: tuple[str, ...] = get_args(AnswerType)

KINDS: dict[str, AnswerType] = {
    "retrieval": "text",
    "compilation": "rules",
    "definition": "name",
    "presence": "yes_no",
    "dimension": "yes_no",
    "functional": "yes_no",
}
"""The six kinds of question of the DesignQA paper, in its order, and the sort of answer of each."""


def _plain_tags(value: Any) -> Any:
    # Parquet gives a map as pairs and a struct as a mapping with nulls; a JSON string is what CSV can hold.
    if value is None:
        return {}
    if isinstance(value, str):
        value = json.loads(value) if value.strip() else {}
    pairs = value.items() if isinstance(value, dict) else value
    return {str(key): str(tag) for key, tag in pairs if tag is not None}


def _none_is_empty(value: Any) -> Any:
    return [] if value is None else value


def _none_is_blank(value: Any) -> Any:
    return "" if value is None else value


def _nan_is_none(value: Any) -> Any:
    return None if isinstance(value, float) and math.isnan(value) else value


def _plain_answer(value: Any) -> Any:
    # bool before float: pydantic would read True as 1.0
    return ("yes" if value else "no") if isinstance(value, bool) else _nan_is_none(value)


Text = Annotated[str, BeforeValidator(_none_is_blank)]
Texts = Annotated[list[str], BeforeValidator(_none_is_empty)]
Number = Annotated[float | None, BeforeValidator(_nan_is_none)]


class Question(BaseModel):
    """One question with its truth.

    A question whose truth is kept in a separate key file has `answer` null until the key is joined.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    id: str = Field(min_length=1, description="Unique within the package.")
    kind: str = Field(min_length=1, description="One of the six kinds, or a kind of a plugin's own.")
    subset: str = Field(min_length=1, description="The group that gets one score; the kind unless said otherwise.")
    answer_type: AnswerType = Field(description="How a reply is read and scored; follows from the six kinds.")
    prompt: Text = Field("", description="The words that the model was given.")
    answer: Annotated[str | float | list[str] | None, BeforeValidator(_plain_answer)] = Field(
        None,
        description="Text, name, yes or no, an option's letter, a number in `unit`, or a list of rule ids.",
    )
    synonyms: Texts = Field([], description="Other right answers to a text or name question.")
    options: Texts = Field([], description="Texts of the choices; their letters are A, B, C in order.")
    unit: str | None = Field(None, description="Unit of a number's truth, such as mm.")
    tolerance: Number = Field(None, ge=0, description="Largest accepted error of a number, in `unit`.")
    relative_tolerance: Number = Field(None, ge=0, description="Largest accepted error, as a share of the truth.")
    explanation: str | None = Field(None, description="Reference explanation, where replies must explain.")
    cluster: str | None = Field(None, description="Design or picture; questions that share it are not independent.")
    tags: Annotated[dict[str, str], BeforeValidator(_plain_tags)] = Field(
        {}, description="Properties by which scores are broken down, such as mentions or dimension_type."
    )

    @model_validator(mode="before")
    @classmethod
    def _fill_from_kind(cls, data: Any) -> Any:
        if isinstance(data, dict):
            kind = data.get("kind") or data.get("subset")
            filled = {"kind": kind, "subset": data.get("subset") or kind}
            if not data.get("answer_type") and kind in KINDS:
                filled["answer_type"] = KINDS[kind]
            return {**data, **filled}
        return data

    @property
    def truths(self) -> list[str]:
        """The right answers to a text or name question: the answer, then its synonyms."""
        return [str(self.answer), *self.synonyms]
