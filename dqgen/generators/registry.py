"""The makers by kind: ours, and those that other packages bring through the entry point group `dqgen.generators`."""

import importlib
from importlib.metadata import entry_points

from dqgen.errors import SetupError
from dqgen.generators.draft import Generator

MODULES: dict[str, str] = {
    # kind: the module that holds its `GENERATOR`, in the order of the paper
    "retrieval": "dqgen.generators.retrieval",
    "compilation": "dqgen.generators.compilation",
    "definition": "dqgen.generators.definition",
    "presence": "dqgen.generators.presence",
    "dimension": "dqgen.generators.dimension",
    "functional": "dqgen.generators.functional",
}
GROUP = "dqgen.generators"


def kinds() -> list[str]:
    """All kinds, ours first; no maker is imported for it.

    Raises:
        SetupError: two makers claim one kind.
    """
    names = [*MODULES, *sorted(point.name for point in entry_points(group=GROUP))]
    twice = next((name for at, name in enumerate(names) if name in names[:at]), None)
    if twice is not None:
        raise SetupError(f"two makers of '{twice}' questions are installed", f"entry points {GROUP}")
    return names


def generator(kind: str) -> Generator:
    """The maker of a kind.

    Raises:
        SetupError: there is none, or it cannot be loaded.
    """
    if kind in MODULES:
        found: object = importlib.import_module(MODULES[kind]).GENERATOR
    else:
        points = [point for point in entry_points(group=GROUP) if point.name == kind]
        if len(points) != 1:
            raise SetupError(
                f"{len(points) or 'no'} maker(s) of '{kind}' questions", mend=f"known: {', '.join(kinds())}"
            )
        try:
            found = points[0].load()
        except Exception as error:  # another package's code: whatever it raises is told in one line
            raise SetupError(f"cannot be loaded ({type(error).__name__}: {error})", points[0].value) from None
    if not isinstance(found, Generator) or found.kind != kind:
        raise SetupError(f"is no maker of '{kind}' questions", str(found))
    return found
