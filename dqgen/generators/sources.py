"""What a spec refers to, read when it is asked for and kept: the rulebook, designs, hashes of files."""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import cache, cached_property
from pathlib import Path

import dqgen
from dqgen.errors import LoadError, SpecError
from dqgen.generators.store import write_whole
from dqgen.geometry.sharing import sharing
from dqgen.loaders.load import LoadOptions, load
from dqgen.loaders.parametric import Workshop, source_hash
from dqgen.loaders.sandbox import Limits
from dqgen.loaders.step_text import referenced_files
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import Profile, load_profile
from dqgen.rulebook.reader import Box, page_words, read
from dqgen.schemas.design import Design
from dqgen.schemas.rulebook import Item, Rule, Rulebook
from dqgen.schemas.spec import DesignSource, Spec

Lines = Mapping[tuple[str | int, ...], int]
"""Line (from 1) of each place in a spec."""


DESIGNS_KEPT = 2
"""Variants of parametric sources that one process keeps, beside the designs as the spec has them."""


class Sources:
    """The files of a spec, for one process.

    Args:
        spec: what refers to them.
        file: the spec's own path; theirs are relative to its folder.
        lines: where things stand in it.
        limits: of processes that read designs.
        store: a folder where the rulebook is kept once it is read, for other processes.
    """

    def __init__(
        self,
        spec: Spec,
        file: Path,
        lines: Lines | None = None,
        limits: Limits | None = None,
        store: Path | None = None,
    ) -> None:
        self.spec = spec
        self.file = file
        self._lines = lines or {}
        self._limits = limits or Limits()
        self._store = store
        self._designs: dict[str, Design] = {}
        self._workshop = Workshop(self._limits)
        self._hashes: dict[Path, str] = {}
        self._defaults: dict[str, dict[str, float]] = {}

    def where(self, place: tuple[str | int, ...]) -> str:
        """`benchmark.yaml:41`, for messages; the nearest place above that has a line."""
        while place and place not in self._lines:
            place = place[:-1]
        line = self._lines.get(place)
        return self.file.name if line is None else f"{self.file.name}:{line}"

    def path(self, name: str) -> Path:
        """A file that the spec names."""
        return self.file.parent / name

    def sha256(self, name: str) -> str:
        """Hash of a file that the spec names.

        Raises:
            LoadError: it cannot be read.
        """
        return self._hash(self.path(name))

    def _hash(self, path: Path) -> str:
        if path not in self._hashes:
            try:
                self._hashes[path] = hashlib.sha256(path.read_bytes()).hexdigest()
            except OSError as error:
                raise LoadError(f"cannot be read ({error.strerror})", str(path)) from None
        return self._hashes[path]

    @cached_property
    def rulebook(self) -> Rulebook:
        """The document.

        Raises:
            LoadError: it cannot be read.
            RulebookError: it is no rulebook, or its profile is wrong.
        """
        kept = self._store / f"rulebook-{self._rulebook_key()}.json" if self._store else None
        if kept is not None and kept.is_file():
            with suppress(ValueError):  # a broken file is written anew
                return Rulebook.model_validate_json(kept.read_bytes())
        book = parse(self.path(self.spec.rulebook.file), self._profile())
        if kept is not None:
            write_whole(kept, book.model_dump_json().encode())
        return book

    def _profile(self) -> Profile:
        named = self.path(self.spec.rulebook.profile)
        return load_profile(str(named) if named.is_file() else self.spec.rulebook.profile)

    def _rulebook_key(self) -> str:
        parts = [code_hash(), self.sha256(self.spec.rulebook.file), self._profile().model_dump_json()]
        return hashlib.sha256("\n".join(parts).encode()).hexdigest()

    @cached_property
    def page_words(self) -> dict[int, list[tuple[Box, str]]]:
        """Words of a PDF rulebook by page, by another extraction than the one that read it.

        Raises:
            LoadError: it cannot be read.
        """
        return page_words(self.path(self.spec.rulebook.file))

    @cached_property
    def rulebook_text(self) -> str:
        """The raw text of a rulebook that is no PDF.

        Raises:
            LoadError: it cannot be read.
        """
        return read(self.path(self.spec.rulebook.file)).text

    @cached_property
    def rules(self) -> dict[str, Rule]:
        """Rules by id; of those with one number, the first."""
        return {rule.id: rule for rule in reversed(self.rulebook.rules)}

    def rule(self, name: str) -> tuple[Rule, Item | None]:
        """A rule, or one item of it (`F.3.2.1.g`).

        Raises:
            SpecError: there is none.
        """
        if name in self.rules:
            return self.rules[name], None
        for rule in self.rules.values():
            if name.startswith(rule.id):
                for item in rule.items:
                    if item.id == name:
                        return rule, item
        raise SpecError(f"no rule '{name}' in {self.spec.rulebook.file}")

    def design_source(self, name: str | None) -> DesignSource:
        """The spec's entry of a design; the first one if no name is given.

        Raises:
            SpecError: there is none.
        """
        for design in self.spec.designs:
            if name is None or design.name == name:
                return design
        known = ", ".join(design.name for design in self.spec.designs) or "none"
        raise SpecError(f"no design '{name}'" if name else "no design is given", mend=f"designs: {known}")

    def design(self, name: str | None = None, parameters: Mapping[str, float] | None = None) -> Design:
        """A design, with further parameters of its source replaced.

        Raises:
            SpecError: there is no such design, or it has no parameters.
            LoadError: it cannot be read or built.
        """
        entry = self.design_source(name)
        if entry.source is None:
            self._workshop.close()  # variants are asked for one after another; between them its memory is better free
        key = f"{entry.name} {sorted((parameters or {}).items())}"
        if key not in self._designs:
            made = self._read(entry, {**entry.parameters, **(parameters or {})})
            base = self._designs.get(f"{entry.name} []")
            self._designs[key] = made if base is None else sharing(made, base)
            variants = [one for one in self._designs if not one.endswith("[]")]
            for one in variants[:-DESIGNS_KEPT]:
                del self._designs[one]
        return self._designs[key]

    def parameter(self, name: str | None, parameter: str) -> float:
        """The value of a parameter of a design's source: the spec's, else the source's own.

        Raises:
            SpecError: there is no such design, or it has no such parameter.
            LoadError: the source cannot be read.
        """
        entry = self.design_source(name)
        if parameter in entry.parameters:
            return entry.parameters[parameter]
        if entry.source and entry.name not in self._defaults:
            self._defaults[entry.name] = self._workshop.defaults(self.path(entry.source))
        known = self._defaults.get(entry.name, {})
        if parameter not in known:
            mend = f"there are {', '.join(known)}" if known else "give it as a source"
            raise SpecError(f"design '{entry.name}' has no parameter '{parameter}'", mend=mend)
        return known[parameter]

    def design_hash(self, name: str | None = None) -> str:
        """Hash of the files that a design comes from: a STEP file with those it refers to, a source with its package.

        Raises:
            SpecError: there is no such design.
            LoadError: one of them cannot be read.
        """
        entry = self.design_source(name)
        if entry.source:
            return source_hash(self.path(entry.source))
        files = _with_references(self.path(entry.file or ""))
        return hashlib.sha256("".join(self._hash(path) for path in files).encode()).hexdigest()

    def fingerprint(self) -> str:
        """Hash of our code, of all files, and of the parts of the spec that any question may depend on."""
        spec = self.spec
        parts = {
            "code": code_hash(),
            "rulebook": self._rulebook_key(),
            "designs": [self._hash_if_there(design.name) for design in spec.designs],
            "spec": spec.model_dump(
                mode="json", include={"name", "seed", "rulebook", "designs", "prompts", "pictures", "contexts"}
            ),
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    def _hash_if_there(self, name: str) -> str:
        """Empty for a design that cannot be read, which is told where it is used."""
        try:
            return self.design_hash(name)
        except LoadError:
            return ""

    def _read(self, entry: DesignSource, parameters: Mapping[str, float]) -> Design:
        if entry.source is not None:
            return self._workshop.rebuild(self.path(entry.source), parameters)
        if parameters:
            raise SpecError(f"design '{entry.name}' is a file and has no parameters", mend="give it as a source")
        assert entry.file is not None
        return load(self.path(entry.file), LoadOptions(entry.unit, entry.up, self._limits))


@cache
def code_hash() -> str:
    """Hash of our own code: what another version of it made is not taken for its own."""
    folder = Path(dqgen.__file__).parent
    files = sorted(path for kind in ("*.py", "*.txt") for path in folder.rglob(kind))
    return hashlib.sha256(b"".join(path.read_bytes() for path in files)).hexdigest()


def _with_references(file: Path) -> list[Path]:
    """A file and, if it is STEP, those beside it that it refers to."""
    files = [file]
    if file.suffix.lower() in (".step", ".stp", ".p21") and file.is_file():
        for at in files:
            beside = (file.parent / name for name in referenced_files(at.read_bytes()))
            files += [path for path in beside if path.is_file() and path not in files]
    return files
