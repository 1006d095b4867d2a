"""The errors that a user can act on: what went wrong, where, and how to mend it.

Each kind has an exit code of its own, so that scripts can tell them apart. Anything else that escapes is a defect.
"""

from typing import ClassVar


class DqgenError(Exception):
    """One clear line for the user.

    Args:
        what: what is wrong, as a short clause.
        where: the file, option or place it was found in; empty if there is none.
        mend: what the user can do about it; empty if nothing can be done.
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, what: str, where: str = "", mend: str = "") -> None:
        super().__init__(what, where, mend)
        self.what = what
        self.where = where
        self.mend = mend

    def __str__(self) -> str:
        line = f"{self.where}: {self.what}" if self.where else self.what
        if self.mend:
            line += f"; {self.mend}"
        return " ".join(line.split())


class UsageError(DqgenError):
    """The command was called in a way that cannot work."""

    exit_code = 2


class LoadError(DqgenError):
    """An input file cannot be read, or holds nothing of use."""

    exit_code = 3


class RenderError(DqgenError):
    """A picture cannot be made or written."""

    exit_code = 4


class SetupError(DqgenError):
    """The machine lacks something: a system library, a graphics driver, an optional package."""

    exit_code = 5


class InternalError(DqgenError):
    """A defect of ours in a child process: told in one line, so that other work goes on."""

    exit_code = 70  # EX_SOFTWARE of sysexits.h


class RulebookError(DqgenError):
    """A requirements document or its profile cannot be understood."""

    exit_code = 6


class ScoreError(DqgenError):
    """Predictions or ground truth cannot be scored."""

    exit_code = 7


class SpecError(DqgenError):
    """A benchmark's spec asks for something that cannot be."""

    exit_code = 9


class BuildError(DqgenError):
    """Some questions of a benchmark could not be made."""

    exit_code = 10


class ReleaseError(DqgenError):
    """A package is not whole, not proved, or may not be released under its version."""

    exit_code = 11
