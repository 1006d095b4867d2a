"""What a spec refers to, read when it is asked for and kept: the rulebook, designs, hashes of files."""

import hashlib
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path

from dqgen.errors import LoadError, SpecError
from dqgen.loaders.load import LoadOptions, load
from dqgen.loaders.parametric import rebuild
from dqgen.loaders.sandbox import Limits
from dqgen.rulebook.document import parse
from dqgen.rulebook.profile import load_profile
from dqgen.rulebook.reader import Box, page_words, read
from dqgen.schemas.design import Design
from dqgen.schemas.rulebook import Item, Rule, Rulebook
from dqgen.schemas.spec import DesignSource, Spec

Lines = Mapping[tuple[str | int, ...], int]
"""Line (from 1) of each place in a spec."""


class Sources:
    """The files of a spec, for one process.

    Args:
        spec: what refers to them.
        file: the spec's own path; theirs are relative to its folder.
        lines: where things stand in it.
        limits: of processes that read designs.
    """

    def __init__(self, spec: Spec, file: Path, lines: Lines | None = None, limits: Limits | None = None) -> None:
        self.spec = spec
        self.file = file
        self._lines = lines or {}
        self._limits = limits or Limits()
        self._designs: dict[str, Design] = {}
        self._hashes: dict[Path, str] = {}

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
        path = self.path(name)
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
        profile = self.spec.rulebook.profile
        named = self.path(profile)
        return parse(self.path(self.spec.rulebook.file), load_profile(str(named) if named.is_file() else profile))

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
        key = f"{entry.name} {sorted((parameters or {}).items())}"
        if key not in self._designs:
            self._designs[key] = self._read(entry, {**entry.parameters, **(parameters or {})})
        return self._designs[key]

    def design_hash(self, name: str | None = None) -> str:
        """Hash of the file that a design comes from."""
        entry = self.design_source(name)
        return self.sha256(entry.file or entry.source or "")

    def _read(self, entry: DesignSource, parameters: Mapping[str, float]) -> Design:
        if entry.source is not None:
            return rebuild(self.path(entry.source), parameters, self._limits)
        if parameters:
            raise SpecError(f"design '{entry.name}' is a file and has no parameters", mend="give it as a source")
        assert entry.file is not None
        return load(self.path(entry.file), LoadOptions(entry.unit, entry.up, self._limits))
