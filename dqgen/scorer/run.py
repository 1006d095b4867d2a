"""One scoring run, from files to report."""

import json
import os
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from dqgen.errors import ScoreError
from dqgen.schemas.report import Profile, Report
from dqgen.scorer import similarity as sentence
from dqgen.scorer.aggregate import differences, refuse_stops, report, score_all
from dqgen.scorer.benchmark import Asked, parse_assignments, read_designqa
from dqgen.scorer.bootstrap import RESAMPLES
from dqgen.scorer.item import ItemScore
from dqgen.scorer.package import read_package


@dataclass(frozen=True)
class Outcome:
    """A report and the items it sums up."""

    report: Report
    items: list[ItemScore]


def read_inputs(files: Sequence[str], public: bool, key: Path | None = None) -> tuple[Asked, list[str]]:
    """Questions and replies, from a package and a file or from files of the public benchmark.

    And the files' names.
    """
    if public:
        pairs = parse_assignments(files)
        return read_designqa(pairs), [path.name for _, path in pairs]
    folder, predictions = Path(files[0]), Path(files[1])
    folder = folder.parent if folder.name == "manifest.json" else folder
    return read_package(folder, predictions, key), [predictions.name]


def run(
    asked: Asked,
    names: Sequence[str] = (),
    profile: Profile = "robust",
    resamples: int = RESAMPLES,
    seed: int = 0,
    similarity: bool | None = None,
    diff: bool = False,
) -> Outcome:
    """Score replies and sum up.

    Args:
        asked: questions and replies.
        names: of the files, for the report.
        profile: `robust` or `designqa`.
        resamples, seed: of the bootstrap; 0 resamples for no intervals.
        similarity: of explanations; None to compute it where its extra is installed.
        diff: also list where the profiles differ.

    Raises:
        ScoreError: a truth is malformed, or the official scorer would stop with an error.
        SetupError: similarity is asked for without its extra.
    """
    items = score_all(asked, profile)
    found = None
    if diff:
        other = score_all(asked, "robust" if profile == "designqa" else "designqa")
        found = differences(items, other) if profile == "designqa" else differences(other, items)
    if profile == "designqa" and not diff:
        refuse_stops(items, asked.places)
    if similarity or (similarity is None and sentence.is_installed() and any(i.explanation is not None for i in items)):
        items = sentence.with_similarity(items, asked.questions)
    return Outcome(report(asked, items, profile, names, resamples, seed, found), items)


def write_items(path: Path, items: Iterable[ItemScore], profile: Profile) -> None:
    """Write one JSON object a question, whole or not at all.

    Raises:
        ScoreError: the file cannot be written.
    """
    rows = ({**asdict(item), "profile": profile} for item in items)
    write_whole(path, "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode())


def write_whole(path: Path, data: bytes) -> None:
    """Write a file under a temporary name and rename it, so that it is whole or not there.

    Raises:
        ScoreError: the file cannot be written.
    """
    path = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as stream:
                stream.write(data)
            mask = os.umask(0)
            os.umask(mask)
            os.chmod(name, 0o666 & ~mask)  # noqa: PTH101
            os.replace(name, path)  # noqa: PTH105
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise ScoreError(f"cannot be written ({error.strerror})", where=str(path)) from None
