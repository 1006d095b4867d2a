"""`benchmark.yaml` to a `Spec`: all mistakes at once, each with its line."""

import difflib
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from dqgen.errors import SpecError
from dqgen.schemas.spec import Spec

Place = tuple[str | int, ...]
"""Keys and indices from the top of a spec to something in it."""


OTHER_FORMS = ("literal_error", "string_type", "tuple_type", "float_type")
"""What pydantic says of a mapping that it tried as something else as well."""


@dataclass(frozen=True, order=True)
class Fault:
    """A mistake in a spec.

    Attributes:
        line: from 1; 0 for the whole file.
        what: what is wrong.
        mend: what can be done about it.
    """

    line: int
    what: str
    mend: str = ""

    def text(self, file: str) -> str:
        """`benchmark.yaml:41: no rule 'V.9'; near it is V.1`."""
        place = f"{file}:{self.line}" if self.line else file
        return " ".join(f"{place}: {self.what}{'; ' if self.mend else ''}{self.mend}".split())


@dataclass(frozen=True)
class Document:
    """A YAML file as plain data.

    Attributes:
        data: dictionaries, lists and scalars.
        lines: line (from 1) of each place.
        faults: keys given twice, keys that are no text.
    """

    data: Any
    lines: dict[Place, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    def line(self, place: Place) -> int:
        """Line of a place, or of the nearest one above it; 0 if there is none."""
        while place and place not in self.lines:
            place = place[:-1]
        return self.lines.get(place, 0)


def read_document(path: Path, without: Collection[Place] = ()) -> Document:
    """A YAML file with the lines of all that is in it.

    Args:
        path: of the file.
        without: places to leave out, as they are counted in the whole file.

    Raises:
        SpecError: it cannot be read, or is no YAML.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SpecError(f"cannot be read ({error.strerror})", str(path), "dqgen spec init writes one") from None
    except UnicodeDecodeError:
        raise SpecError("is no UTF-8 text", str(path), "save it as UTF-8") from None
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
        document = Document({})
        if node is None:
            return Document(None)
        return Document(_plain(node, (), (), document, (), without), document.lines, document.faults)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path.name}:{mark.line + 1}" if mark else path.name
        said = error.problem or error.context
        raise SpecError(f"is no YAML: {said}", place, "check indents, quotes and colons") from None
    except yaml.YAMLError as error:
        raise SpecError(f"is no YAML: {error}", path.name) from None


def load_spec(path: Path) -> tuple[Spec, Document]:
    """A spec and where things stand in it.

    Raises:
        SpecError: it has mistakes; the first is told, and how many more there are.
    """
    document = read_document(path)
    spec, faults = validated(document)
    if spec is None or faults:
        more = f"{len(faults) - 1} more: dqgen spec check {path}" if len(faults) > 1 else ""
        first = faults[0]
        where = f"{path.name}:{first.line}" if first.line else path.name
        raise SpecError(first.what, where, "; ".join(filter(None, (first.mend, more))))
    return spec, document


def validated(document: Document) -> tuple[Spec | None, list[Fault]]:
    """The spec that a document holds, and its mistakes in the order of lines; None if it holds no usable one."""
    faults = list(document.faults)
    if not isinstance(document.data, dict):
        return None, [Fault(1, "a spec is a mapping of fields", "see docs/spec.md")]
    spec = None
    try:
        spec = Spec.model_validate(document.data)
    except ValidationError as error:
        faults += _faults(error, document)
    return spec, sorted(set(faults))


def usable(path: Path) -> tuple[Spec | None, Document, list[Fault]]:
    """What of a spec can be used, with all mistakes of its form: entries that hold one are left out.

    Raises:
        SpecError: it cannot be read, or is no YAML.
    """
    document = read_document(path)
    spec, faults = validated(document)
    if spec is not None or not isinstance(document.data, dict):
        return spec, document, faults
    try:
        Spec.model_validate(document.data)
    except ValidationError as error:
        found = error.errors(include_url=False)
        without = {_entry(_place(entry["loc"], document.data, False), entry["type"]) for entry in found}
        rest = read_document(path, without)
        spec, more = validated(rest)
        return spec, rest, sorted({*faults, *more})
    raise AssertionError("what was wrong a moment ago is right")


def _entry(place: Place, kind: str) -> Place:
    """What has to go for a mistake to go: an unknown field, else the entry of a list that holds it, else the field."""
    if kind == "extra_forbidden":
        return place
    last = max((at for at, step in enumerate(place) if isinstance(step, int)), default=None)
    return place[:1] if last is None else place[: last + 1]


def near(name: str, known: Sequence[str]) -> str:
    """`did you mean 'title'?`, or the known names if few, or nothing."""
    close = difflib.get_close_matches(name.casefold(), [word.casefold() for word in known], n=1, cutoff=0.6)
    if close:
        return f"did you mean '{next(word for word in known if word.casefold() == close[0])}'?"
    return f"known: {', '.join(known)}" if known and len(known) <= 20 else ""


def _plain(
    node: yaml.Node,
    place: Place,
    whole: Place,
    document: Document,
    above: tuple[int, ...],
    without: Collection[Place],
) -> Any:
    """A node as plain data; `place` is where it comes to stand, `whole` where it stands in the file."""
    document.lines.setdefault(place, node.start_mark.line + 1)
    if id(node) in above:
        raise yaml.MarkedYAMLError(problem="an alias that holds itself", problem_mark=node.start_mark)
    within = (*above, id(node))
    if isinstance(node, yaml.MappingNode):
        data: dict[str, Any] = {}
        for key_node, value_node in node.value:
            key = _scalar(key_node)
            line = key_node.start_mark.line + 1
            if not isinstance(key, str):
                document.faults.append(Fault(line, f"the key {key!r} is no text", "put it in quotes"))
                key = str(key)
            if key in data:
                document.faults.append(Fault(line, f"'{key}' is given twice", "keep one of them"))
            if (*whole, key) not in without:
                document.lines[(*place, key)] = line
                data[key] = _plain(value_node, (*place, key), (*whole, key), document, within, without)
        return data
    if isinstance(node, yaml.SequenceNode):
        kept = [(at, child) for at, child in enumerate(node.value) if (*whole, at) not in without]
        return [
            _plain(child, (*place, new), (*whole, at), document, within, without)
            for new, (at, child) in enumerate(kept)
        ]
    return _scalar(node)


def _scalar(node: yaml.Node) -> Any:
    constructor = yaml.SafeLoader("")
    try:
        return constructor.construct_object(node, deep=True)
    finally:
        constructor.dispose()


def _faults(error: ValidationError, document: Document) -> Iterator[Fault]:
    found = error.errors(include_url=False)
    places = [_place(entry["loc"], document.data, entry["type"] == "missing") for entry in found]
    for entry, place in zip(found, places, strict=True):
        value = entry["input"]
        # Of a field that may be a word or a mapping, only what is said of the form that was chosen helps.
        deeper = any(other != place and other[: len(place)] == place for other in places)
        if deeper and isinstance(value, dict) and entry["type"] in OTHER_FORMS:
            continue
        if isinstance(value, str) and entry["type"] in ("model_type", "tuple_type") and places.count(place) > 1:
            continue
        yield _fault(dict(entry), place, document)


def _fault(entry: Mapping[str, Any], place: Place, document: Document) -> Fault:
    line, value, kind = document.line(place), entry["input"], entry["type"]
    name = _spoken(place)
    if kind == "extra_forbidden":
        return Fault(line, f"unknown field '{place[-1]}'", near(str(place[-1]), _fields_at(place[:-1])))
    if kind == "missing":
        return Fault(document.line(place[:-1]), f"{_spoken(place[:-1]) or 'the spec'} lacks the field '{place[-1]}'")
    if kind == "string_type" and isinstance(value, int | float):
        return Fault(line, f"{name} is read as {value!r}, not as text", "put it in quotes")
    said = entry["msg"].removeprefix("Value error, ")
    given = f", not {value!r}" if isinstance(value, str | int | float) and kind != "value_error" else ""
    return Fault(line, f"{name}: {said[:1].lower()}{said[1:]}{given}" if name else said)


def _place(loc: Sequence[str | int], data: Any, lacking: bool) -> Place:
    """Where an error lies in the data: pydantic's path without the names of the alternatives it tried."""
    place: list[str | int] = []
    for at, step in enumerate(loc):
        inside = (isinstance(data, dict) and step in data) or (
            isinstance(data, list) and isinstance(step, int) and step < len(data)
        )
        if inside:
            data = data[step]
            place.append(step)
        elif lacking and at == len(loc) - 1:
            place.append(step)
    return tuple(place)


def _spoken(place: Place) -> str:
    """`dimension[3].limit`."""
    text = ""
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


@cache
def _schema() -> dict[str, Any]:
    return Spec.model_json_schema(by_alias=True)


def _fields_at(place: Place) -> list[str]:
    """Names of fields that may stand at a place."""
    schema = _schema()
    found: list[str] = []

    def descend(part: dict[str, Any], rest: Place) -> None:
        if "$ref" in part:
            part = schema["$defs"][part["$ref"].rsplit("/", 1)[1]]
        for choice in part.get("anyOf", []):
            descend(choice, rest)
        if not rest:
            found.extend(part.get("properties", {}))
        elif isinstance(rest[0], int):
            if isinstance(part.get("items"), dict):
                descend(part["items"], rest[1:])
        elif rest[0] in part.get("properties", {}):
            descend(part["properties"][rest[0]], rest[1:])

    descend(schema, place)
    return found
