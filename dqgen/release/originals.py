"""What a package was made from, kept with it: its spec with all defaults filled in, and the files that it names.

The code of a parametric source is not copied: whoever checks a package must not run what comes with it. Such a package
is checked from the spec that it was built from, which its author names or has below the current folder.
"""

import hashlib
import shutil
from collections.abc import Callable
from pathlib import Path

import yaml

from dqgen.errors import LoadError, ReleaseError, SpecError
from dqgen.generators.sources import Sources
from dqgen.generators.spec_file import load_spec
from dqgen.loaders.step_text import referenced_files
from dqgen.schemas.package import Manifest
from dqgen.schemas.spec import DesignSource, Spec

SPEC = "benchmark.yaml"
DEPTHS = ("*", "*/*", "*/*/*")
"""How far below the current folder a spec is looked for."""


def canonical(spec: Spec) -> str:
    """The spec as YAML with every default filled in: equal specs give equal text."""
    return yaml.safe_dump(spec.model_dump(mode="json", by_alias=True), sort_keys=False, allow_unicode=True, width=100)


def copy(spec: Spec, sources: Sources, folder: Path) -> dict[str, Path]:
    """Copy the files that a spec names, and the spec as it then reads.

    Args:
        spec: that names them.
        sources: knows where they are.
        folder: to copy them to.

    Returns:
        The copies by the names that the spec has for them.

    Raises:
        OSError: a copy cannot be written.
        LoadError: a file is no longer there.
    """
    folder.mkdir(parents=True)
    copies: dict[str, Path] = {}

    def copied(name: str) -> str:
        if name not in copies:
            path = sources.path(name)
            copies[name] = _free(folder, path.name)
            _copy(path, copies[name])
            if path.suffix.lower() in (".step", ".stp", ".p21"):
                for beside in referenced_files(path.read_bytes()):
                    if (path.parent / beside).is_file() and beside not in copies:
                        copies[beside] = folder / beside
                        _copy(path.parent / beside, copies[beside])
        return copies[name].name

    renamed = _renamed(spec, copied, sources)
    copies[SPEC] = folder / SPEC
    copies[SPEC].write_text(canonical(renamed), encoding="utf-8")
    return copies


def reopen(package: Path, manifest: Manifest) -> Sources:
    """The sources that a package carries.

    Raises:
        ReleaseError: it carries none, or not all that its answers come from.
    """
    entry = manifest.sources.get(SPEC)
    if entry is None or entry.path is None or not (package / entry.path).is_file():
        raise ReleaseError("carries no sources", str(package), "name the spec with --spec")
    path = package / entry.path
    try:
        spec = Spec.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except (ValueError, yaml.YAMLError) as error:
        raise ReleaseError(f"is no spec ({str(error).splitlines()[0]})", str(path)) from None
    if any(design.source is not None for design in spec.designs):  # never run what comes with a package
        raise ReleaseError("has a design that is built by code", str(package), "name the spec with --spec")
    for name in (spec.rulebook.file, *(design.file for design in spec.designs)):
        if name is not None and (Path(name).name != name or not (path.parent / name).is_file()):
            raise ReleaseError(f"lacks its source '{name}'", str(package), "name the spec with --spec")
    return Sources(spec, path)


def opened(package: Path, manifest: Manifest, spec: Path | None) -> Sources:
    """The sources of a package: those of a spec, those that it carries, or those of the spec below the current folder
    that it was built from.

    Raises:
        SpecError: the spec is wrong.
        ReleaseError: they are not at hand, or are not those that the package was made from.
    """
    if spec is None and any(entry.path is None for entry in manifest.sources.values()):
        spec = _found(package, manifest)
    if spec is None:
        sources = reopen(package, manifest)
    else:
        read, document = load_spec(spec)
        sources = Sources(read, spec, document.lines)
    _check(sources, package, manifest)
    return sources


def _check(sources: Sources, package: Path, manifest: Manifest) -> None:
    known = {entry.sha256 for entry in manifest.sources.values()}
    hashes = {sources.spec.rulebook.file: sources.sha256(sources.spec.rulebook.file)}
    for design in sources.spec.designs:
        if design.file is not None:
            hashes[design.file] = sources.sha256(design.file)
        else:
            hashes[design.source or ""] = sources.design_hash(design.name)
    for name, found in hashes.items():
        if found not in known:
            raise ReleaseError(f"is not the '{name}' that the package was made from", str(sources.path(name)))


def _found(package: Path, manifest: Manifest) -> Path:
    here, inside = Path.cwd(), package.resolve()
    paths = [path for depth in DEPTHS for path in sorted(here.glob(f"{depth}.yaml"))]
    for path in paths:
        if not path.resolve().is_relative_to(inside):
            try:
                spec, _ = load_spec(path)
            except SpecError:
                continue
            if hashlib.sha256(canonical(spec).encode()).hexdigest() == manifest.spec_sha256:
                return path
    raise ReleaseError(
        "has a design that is built by code, which packages do not carry", str(package), "name the spec with --spec"
    )


def _renamed(spec: Spec, copied: Callable[[str], str], sources: Sources) -> Spec:
    profile = spec.rulebook.profile
    rulebook = spec.rulebook.model_copy(
        update={
            "file": copied(spec.rulebook.file),
            "profile": copied(profile) if sources.path(profile).is_file() else profile,
        }
    )
    designs = tuple(_renamed_design(design, copied) for design in spec.designs)
    return spec.model_copy(update={"rulebook": rulebook, "designs": designs})


def _renamed_design(design: DesignSource, copied: Callable[[str], str]) -> DesignSource:
    if design.file is not None:
        return design.model_copy(update={"file": copied(design.file)})
    return design.model_copy(update={"source": Path(design.source or "").name})


def _free(folder: Path, name: str) -> Path:
    path, at = folder / name, 1
    while path.exists() or path.name == SPEC:
        at += 1
        path = folder / f"{Path(name).stem}-{at}{Path(name).suffix}"
    return path


def _copy(path: Path, to: Path) -> None:
    if not path.is_file():
        raise LoadError("no such file", str(path))
    shutil.copyfile(path, to)
